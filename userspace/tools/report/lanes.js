// SPDX-License-Identifier: MIT
// Which object is drawn in which lane: in one lane none overlaps another, so that what
// is at a place, and where the next one begins, is found without looking at all.

// Lanes of each state; what does not fit goes into one more, in which it is one mass.
const LANES = { [LIVE]: 8, [PAST]: 6, [LATER]: 2 };
const STATES = [LIVE, PAST, LATER];

// At a time, which is that of the fault that is looked at.
function makeLanes(ns) {
	const groups = Object.fromEntries(STATES.map(state => [state, []]));

	for (let i = 0; i < objects.count; i++)
		place(groups[stateAt(i, ns)], LANES[stateAt(i, ns)], i);
	return STATES.flatMap(state => groups[state].map((lane, row) => ({ state, row, ...lane })));
}

// Into the first lane that is free there: what lies in another comes below it.
function place(lanes, most, i) {
	const from = places.from[i], to = places.to[i];

	for (const lane of lanes) {
		if (lane.mass)
			return addToMass(lane, from, to);
		if (lane.to[lane.to.length - 1] > from)
			continue;
		lane.from.push(from);
		lane.to.push(to);
		lane.object.push(i);
		return undefined;
	}
	if (lanes.length < most)
		lanes.push({ from: [from], to: [to], object: [i], mass: false });
	else
		lanes.push({ from: [from], to: [to], object: [-1], many: [1], mass: true });
	return undefined;
}

function addToMass(lane, from, to) {
	const top = lane.to.length - 1;

	if (from < lane.to[top]) {
		lane.to[top] = Math.max(lane.to[top], to);
		lane.many[top]++;
		return;
	}
	lane.from.push(from);
	lane.to.push(to);
	lane.object.push(-1);
	lane.many.push(1);
}

// The first in a lane that ends behind a place.
const firstBehind = (lane, at) => countUpTo(lane.to.length, n => lane.to[n] > at);
// The first that begins there or behind it.
const firstFrom = (lane, at) => countUpTo(lane.from.length, n => lane.from[n] >= at);
