// SPDX-License-Identifier: MIT
// The map of addresses. Each frame draws what can be told apart at its width, however
// many objects there are: what is smaller than two pixels is drawn as one mark.

const map = byId('map'), overview = byId('overview'), tip = byId('tip');
const SMALL = 2, LANE = 26, MASS = 12, HEADING = 20, TICKS = 24, FAULTS = 28, FOOT = 22, LETTER = 6.6, TICK_SPACE = 150;
const TITLES = { [LIVE]: boundThen, [PAST]: 'gone before', [LATER]: 'bound later' };

const view = { from: 0, to: axis.total, width: 0, height: 0 };
const chosen = { fault: 0, object: -1 };
const marks = { primitives: 0, visited: 0, frames: 0 };
let lanes = [], colours = {}, waiting = false;

// Faults in the order of their places, to be drawn like a lane.
const faultLane = (() => {
	const order = faults.map((fault, k) => ({ k, from: positionOf(fault.first), to: endOf(fault.last) }))
		.sort((a, b) => a.from - b.from);

	return { from: order.map(item => item.from), to: order.map(item => item.to), object: order.map(item => item.k) };
})();

const mainFault = () => faults[chosen.fault] || null;
const timeOfMap = () => mainFault() ? mainFault().ns : fileTime;
const smallestView = Math.max(8, axis.total * 2 ** -44);

const pixel = place => (place - view.from) / (view.to - view.from) * view.width;
const placeOf = x => view.from + x / view.width * (view.to - view.from);

function readColours() {
	const style = getComputedStyle(document.documentElement);

	for (const name of ['card', 'text', 'muted', 'line', 'grid', 'fault', 'fault-soft', 'pick', 'focus'])
		colours[name] = style.getPropertyValue('--' + name).trim();
	for (const state of STATES)
		for (const part of ['', '-soft', '-text'])
			colours[state + part] = style.getPropertyValue('--' + state + part).trim();
}

// Rows from top to bottom: the scale, faults, then a heading and lanes for each state.
function layOut() {
	let y = TICKS + FAULTS, state = null;

	for (const lane of lanes) {
		if (lane.state !== state) {
			lane.heading = y;
			y += HEADING;
			state = lane.state;
		}
		lane.y = y;
		lane.height = lane.mass ? MASS : LANE - 4;
		y += lane.mass ? MASS + 4 : LANE;
	}
	return y + FOOT;
}

function resize(canvas, height) {
	const ratio = window.devicePixelRatio || 1, width = Math.max(160, canvas.clientWidth);

	canvas.style.height = height + 'px';
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	const context = canvas.getContext('2d');
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	return [context, width];
}

function schedule() {
	if (waiting)
		return;
	waiting = true;
	requestAnimationFrame(() => {
		waiting = false;
		draw();
	});
}

function draw() {
	const height = layOut(), [context, width] = resize(map, height);

	view.width = width;
	view.height = height;
	marks.primitives = marks.visited = 0;
	marks.frames++;
	context.direction = 'ltr';
	context.textBaseline = 'middle';
	context.font = '12px system-ui, sans-serif';
	drawScale(context);
	drawGaps(context);
	drawFaultBand(context);
	for (const lane of lanes)
		drawLane(context, lane);
	drawFaults(context);
	drawHeadings(context);
	drawOverview();
	describeMap();
}

function rectangle(context, kind, x, y, width, height) {
	context[kind](x, y, width, height);
	marks.primitives++;
}

function drawText(context, text, x, y, room) {
	const letters = Math.floor(room / LETTER);

	if (letters < 2)
		return;
	context.fillText(shortened(text, letters), x, y);
	marks.primitives++;
}

function drawLane(context, lane) {
	const small = SMALL * (view.to - view.from) / view.width;
	let n = firstBehind(lane, view.from);

	while (n < lane.from.length && lane.from[n] < view.to) {
		marks.visited++;
		if (lane.to[n] - lane.from[n] >= small) {
			drawObject(context, lane, n++);
			continue;
		}
		// All that begin within these two pixels are one mark.
		const next = Math.max(n + 1, firstFrom(lane, lane.from[n] + small));
		context.fillStyle = colours[lane.state];
		rectangle(context, 'fillRect', pixel(lane.from[n]), lane.y, SMALL - .5, lane.height);
		// The last of them may be a long one.
		n = next > n + 1 && lane.to[next - 1] - lane.from[next - 1] >= small ? next - 1 : next;
	}
}

function drawObject(context, lane, n) {
	const left = Math.max(-4, pixel(lane.from[n])), right = Math.min(view.width + 4, pixel(lane.to[n]));
	const width = right - left, state = lane.state, i = lane.object[n];

	context.fillStyle = colours[state + '-soft'];
	rectangle(context, 'fillRect', left, lane.y, width, lane.height);
	context.strokeStyle = colours[state];
	context.lineWidth = 1.2;
	if (i >= 0 && i === chosen.object) {
		context.strokeStyle = colours.pick;
		context.lineWidth = 3;
	}
	if (width > 6)
		context.setLineDash(state === PAST ? [5, 3] : state === LATER ? [1.5, 2.5] : []);
	rectangle(context, 'strokeRect', left + .5, lane.y + .5, Math.max(.5, width - 1), lane.height - 1);
	context.setLineDash([]);
	context.fillStyle = colours[state + '-text'];
	const x = Math.max(left, 0) + 6, room = Math.min(right, view.width) - x - 4;
	if (i >= 0)
		drawText(context, objectLabel(i), x, lane.y + lane.height / 2, room);
}

// The width of the fault's range goes through all lanes.
function drawFaultBand(context) {
	const fault = mainFault();

	if (!fault)
		return;
	const left = pixel(positionOf(fault.first)), right = pixel(endOf(fault.last));
	context.fillStyle = colours['fault-soft'];
	rectangle(context, 'fillRect', Math.max(-4, left), TICKS, Math.max(2, Math.min(right, view.width + 4) - Math.max(-4, left)), view.height);
	context.fillStyle = colours.fault;
	rectangle(context, 'fillRect', left, TICKS, 1.5, view.height);
}

function drawFaults(context) {
	const step = 3 * (view.to - view.from) / view.width;
	let n = Math.max(0, countUpTo(faultLane.from.length, k => faultLane.from[k] >= view.from) - 1);

	while (n < faultLane.from.length && faultLane.from[n] < view.to) {
		marks.visited++;
		const k = faultLane.object[n], left = pixel(faultLane.from[n]), width = Math.max(3, pixel(faultLane.to[n]) - left);

		context.fillStyle = colours.fault;
		context.globalAlpha = k === chosen.fault ? 1 : .55;
		rectangle(context, 'fillRect', left, TICKS + 2, Math.min(width, view.width + 8), 4);
		context.beginPath();
		context.moveTo(left + 1, TICKS + 20);
		context.lineTo(left - 5, TICKS + 8);
		context.lineTo(left + 7, TICKS + 8);
		context.fill();
		context.globalAlpha = 1;
		n = Math.max(n + 1, countUpTo(faultLane.from.length, m => faultLane.from[m] >= faultLane.from[n] + step));
	}
	if (mainFault())
		labelFault(context, pixel(positionOf(mainFault().first)), 'fault ' + hex(mainFault().first));
}

// Over the marks of other faults, and on the side where there is room.
function labelFault(context, x, text) {
	const width = context.measureText(text).width + 8;
	const left = x + 10 + width < view.width ? x + 10 : x - 8 - width;

	if (x < -4 || x > view.width)
		return;
	context.fillStyle = colours.card;
	rectangle(context, 'fillRect', left, TICKS + 5, width, 17);
	context.fillStyle = colours.fault;
	drawText(context, text, left + 4, TICKS + 14, 400);
}

function drawHeadings(context) {
	context.fillStyle = colours.muted;
	for (const lane of lanes)
		if (lane.heading !== undefined)
			drawText(context, TITLES[lane.state], 6, lane.heading + HEADING / 2, view.width);
}

// The first address of a cluster, and round ones in it, as far apart as they can be read.
function drawScale(context) {
	const perPixel = (view.to - view.from) / view.width;
	const step = 1n << BigInt(Math.max(0, Math.ceil(Math.log2(TICK_SPACE * perPixel))));
	let at = view.from;

	context.fillStyle = colours.muted;
	while (at < view.to) {
		const address = tickFrom(at, step), place = positionOf(address);

		if (place >= view.to)
			break;
		context.fillStyle = colours.grid;
		rectangle(context, 'fillRect', pixel(place), TICKS - 5, 1, view.height);
		context.fillStyle = colours.muted;
		if (pixel(place) + 3 + hex(address).length * LETTER * 1.1 < view.width)
			drawText(context, hex(address), pixel(place) + 3, TICKS / 2, view.width);
		at = Math.max(place, at) + TICK_SPACE * perPixel;
	}
}

// The next place worth a label.
function tickFrom(place, step) {
	const { clusters, position } = axis;
	let k = Math.max(0, countUpTo(clusters.length, n => position[n] > place) - 1);
	let address = addressAt(place);

	if (address > clusters[k].last && k + 1 < clusters.length)
		address = clusters[++k].first;
	if (address === clusters[k].first)
		return address;
	const round = (address + step - 1n) / step * step;
	if (round <= clusters[k].last || k + 1 >= clusters.length)
		return round;
	return clusters[k + 1].first;
}

// Gaps that are wide enough to be seen, and how long they are.
function drawGaps(context) {
	const { clusters, position } = axis, perPixel = (view.to - view.from) / view.width;
	let k = Math.max(0, countUpTo(clusters.length, n => position[n] > view.from) - 1);

	for (; k + 1 < clusters.length && position[k] < view.to; k++) {
		const width = clusters[k].drawnGap / perPixel;

		marks.visited++;
		if (width < 6) {
			// None is wider than this one may be; go on where the next pixel is.
			const next = countUpTo(clusters.length, n => position[n] >= position[k] + 6 * perPixel);
			k = Math.max(k, next - 2);
			continue;
		}
		const left = pixel(position[k + 1] - clusters[k].drawnGap);
		context.fillStyle = colours.grid;
		for (let x = Math.max(left, 0); x < Math.min(left + width, view.width); x += 6)
			rectangle(context, 'fillRect', x, view.height - FOOT + 4, 3, 1.5);
		const from = Math.max(left, 0), room = Math.min(left + width, view.width) - from;
		context.fillStyle = colours.muted;
		if (room > 70 && clusters[k].gap > clusters[k].drawnGap)
			drawText(context, 'gap of ' + bytes(clusters[k].gap), from + 4, view.height - FOOT / 2 + 2, room - 6);
	}
}

// Which parts of the whole are used, a column of pixels at a time.
function drawOverview() {
	const [context, width] = resize(overview, 28);
	const step = axis.total / width;

	for (let x = 0; x < width; x++) {
		const k = Math.max(0, countUpTo(axis.clusters.length, n => axis.position[n] > x * step) - 1);
		const end = axis.position[k + 1] - axis.clusters[k].drawnGap;

		if (end > x * step || axis.position[k + 1] < (x + 1) * step) {
			context.fillStyle = colours.live;
			context.globalAlpha = .55;
			context.fillRect(x, 10, 1, 10);
		}
	}
	context.globalAlpha = 1;
	context.fillStyle = colours.fault;
	for (let n = 0, x = -1; n < faultLane.from.length;) {
		x = faultLane.from[n] / step;
		context.fillRect(x - 1, 4, 3, 20);
		n = Math.max(n + 1, countUpTo(faultLane.from.length, m => faultLane.from[m] >= (x + 2) * step));
	}
	context.strokeStyle = colours.text;
	context.lineWidth = 2;
	context.strokeRect(Math.max(1, view.from / step), 2, Math.max(4, Math.min((view.to - view.from) / step, width - 2)), 24);
}

function describeMap() {
	const fault = mainFault();

	map.setAttribute('aria-label', 'Addresses from ' + hex(addressAt(view.from)) + ' to ' + hex(addressAt(view.to)) +
		(fault ? '. The fault is at ' + hex(fault.first) : '') + '.');
	map.dataset.primitives = marks.primitives;
	map.dataset.visited = marks.visited;
	map.dataset.frames = marks.frames;
	map.dataset.from = view.from;
	map.dataset.to = view.to;
}

function show(from, to) {
	const width = Math.min(axis.total, Math.max(smallestView, to - from));
	const start = Math.max(0, Math.min(axis.total - width, (from + to - width) / 2));

	view.from = start;
	view.to = start + width;
	schedule();
}

function zoom(factor, at) {
	show(at - (at - view.from) * factor, at + (view.to - at) * factor);
}

const pan = part => show(view.from + (view.to - view.from) * part, view.to + (view.to - view.from) * part);
const showAll = () => show(0, axis.total);

// The fault and the smallest of the objects that are next to it, as seen from their size.
function showFault() {
	const fault = mainFault();

	if (!fault)
		return showAll();
	let from = positionOf(fault.first), to = endOf(fault.last);
	const all = nearest(fault, 4), close = all.filter(i => distanceTo(i, fault)[0] <= 4n * objectSize(i));
	const near = (close.length ? close : all.slice(0, 1)).sort((a, b) => objectSize(a) < objectSize(b) ? -1 : 1);
	if (near.length) {
		from = Math.min(from, places.from[near[0]]);
		to = Math.max(to, places.to[near[0]]);
	}
	const margin = (to - from) * .5;
	show(from - margin, to + margin);
	return undefined;
}

// What is drawn at a point: a fault, an object, or nothing.
function findAt(x, y) {
	const reach = 4 * (view.to - view.from) / view.width, place = placeOf(x);

	if (y >= TICKS && y < TICKS + FAULTS) {
		const n = nearestIn(faultLane, place, 2 * reach);
		return n < 0 ? null : { fault: faultLane.object[n] };
	}
	for (const lane of lanes) {
		if (y < lane.y || y >= lane.y + lane.height)
			continue;
		const n = nearestIn(lane, place, reach);
		if (n >= 0)
			return lane.mass ? { many: lane.many[n] } : { object: lane.object[n] };
	}
	return null;
}

function nearestIn(lane, place, reach) {
	const n = firstBehind(lane, place);
	const after = n < lane.from.length ? Math.max(0, lane.from[n] - place) : Infinity;
	const before = n > 0 ? place - lane.to[n - 1] : Infinity;

	if (Math.min(after, before) > reach)
		return -1;
	return after <= before ? n : n - 1;
}

function newMap() {
	readColours();
	lanes = makeLanes(timeOfMap());
	schedule();
}
