// SPDX-License-Identifier: MIT
// The data of the page: what it holds, and how its values are written.

const data = JSON.parse(document.getElementById('data').textContent);

const byId = id => document.getElementById(id);

// An element. Text is only ever text: names in a dump may come from anybody.
function make(tag, attributes, ...children) {
	const element = document.createElement(tag);

	for (const [name, value] of Object.entries(attributes || {}))
		if (value !== null && value !== false)
			element.setAttribute(name, value === true ? '' : value);
	element.append(...children.filter(child => child !== null && child !== undefined));
	return element;
}

// Characters that are not seen, or turn what follows them around, are shown as such.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const clean = text => String(text).replace(HIDDEN, '\ufffd');
// Whatever direction it is written in, what is beside it stays where it is.
const isolated = text => make('bdi', null, clean(text));

const hex = number => '0x' + number.toString(16).padStart(12, '0');
const plural = (count, word) => count.toLocaleString('en') + ' ' + word + (count === 1 ? '' : 's');

function bytes(number) {
	const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
	let value = Number(number), unit = 0;

	while (value >= 1024 && unit + 1 < units.length) {
		value /= 1024;
		unit++;
	}
	if (!unit)
		return value === 1 ? '1 byte' : value + ' bytes';
	return (Number.isInteger(value) ? value : value.toFixed(value < 10 ? 2 : 1)) + ' ' + units[unit];
}

function duration(ns) {
	const units = [['s', 1e9], ['ms', 1e6], ['\u00b5s', 1e3], ['ns', 1]];
	const [name, size] = units.find(unit => ns >= unit[1]) || units[3];
	const value = ns / size;

	return (value >= 100 || size === 1 ? Math.round(value) : value.toFixed(1)) + ' ' + name;
}

const relative = ns => ns === 0 ? 'at the fault' : duration(Math.abs(ns)) + (ns < 0 ? ' before' : ' after');

// Objects are columns, sorted by address and then from long to short.
const objects = (() => {
	const from = data.objects, big = list => BigUint64Array.from(list, text => BigInt('0x' + text));

	return {
		count: from.first.length,
		name: from.name,
		first: big(from.first),
		last: big(from.last),
		bound: Float64Array.from(from.bound),
		// What is bound still ends never.
		unbound: Float64Array.from(from.unbound, ns => ns === null ? Infinity : ns),
		handle: from.handle,
		type: from.type,
		flags: from.flags,
	};
})();

const shortened = (text, most) => text.length > most ? text.slice(0, most - 1) + '\u2026' : text;
const typeName = i => data.objects.types[objects.type[i]] || (objects.type[i] ? 'object of type ' + objects.type[i] : 'object');
const objectLabel = i => typeName(i) + ' ' + (objects.name[i] ? '\u201c' + clean(shortened(objects.name[i], 80)) + '\u201d' : '0x' + objects.handle[i]);
const objectSize = i => objects.last[i] - objects.first[i] + 1n;

const LIVE = 'live', PAST = 'past', LATER = 'later';

function stateAt(i, ns) {
	if (objects.bound[i] > ns)
		return LATER;
	return objects.unbound[i] <= ns ? PAST : LIVE;
}

// Faults are the records that have an address.
const faults = data.places.map((place, record) => ({
	record,
	ns: place.ns,
	first: place.first === undefined ? null : BigInt('0x' + place.first),
	last: place.last === undefined ? null : BigInt('0x' + place.last),
})).filter(fault => fault.first !== null);

// Where no record has an address, objects are shown as they were when the file was made.
const fileTime = data.meta[0] ? Number(BigInt(data.meta[0].time_ns) - BigInt(data.base_ns)) : 0;
const moment = faults.length ? 'the fault' : 'the file was made';
const boundThen = faults.length ? 'bound at the time of the fault' : 'bound when the file was made';

function recordHeadline(record) {
	const type = record.type;

	if (type === 'fault')
		return (record.access || 'unknown') + ' access' + (record.address ? ' at ' + hex(BigInt(record.address)) : '') +
			(record.fault ? ', ' + record.fault : '');
	if (type === 'timeout')
		return 'job ' + record.job_seqno + ' did not end in time';
	if (type === 'reset')
		return record.engine ? 'the engine was reset' : 'the GPU was reset';
	if (type === 'wedged')
		return 'the GPU is wedged';
	if (type === 'dump')
		return 'the driver made a dump';
	return 'record of type ' + type;
}

// Bytes between an object and a fault, and on which side it is: -1 below, 1 above.
function distanceTo(i, fault) {
	if (objects.last[i] < fault.first)
		return [fault.first - objects.last[i] - 1n, -1];
	if (objects.first[i] > fault.last)
		return [objects.first[i] - fault.last - 1n, 1];
	return [0n, 0];
}

function placeText(i, fault) {
	const [distance, side] = distanceTo(i, fault);

	if (!side)
		return 'the fault is 0x' + (fault.first > objects.first[i] ? fault.first - objects.first[i] : 0n).toString(16) + ' bytes in it';
	if (!distance)
		return side < 0 ? 'ends right below the fault' : 'begins right above the fault';
	return (side < 0 ? 'ends ' : 'begins ') + '0x' + distance.toString(16) + ' bytes (' + bytes(distance) + ') ' +
		(side < 0 ? 'below' : 'above') + ' the fault';
}

function stateText(i, ns) {
	switch (stateAt(i, ns)) {
	case LIVE:
		return boundThen;
	case PAST:
		return 'gone ' + duration(ns - objects.unbound[i]) + ' before ' + moment;
	default:
		return 'bound ' + duration(objects.bound[i] - ns) + ' after ' + moment;
	}
}

// Those that ended last before the file was made, as long as nobody knows of a fault.
function endedLast(most) {
	return Array.from({ length: objects.count }, (_, i) => i).filter(i => objects.unbound[i] <= fileTime)
		.sort((a, b) => objects.unbound[b] - objects.unbound[a]).slice(0, most);
}

// The objects nearest to a fault, by distance and then by how long they had been gone.
function nearest(fault, most) {
	const list = [];

	for (let i = 0; i < objects.count; i++) {
		const item = { i, distance: distanceTo(i, fault)[0], gone: Math.max(0, fault.ns - objects.unbound[i]) };

		if (list.length === most && !isNearer(item, list[most - 1]))
			continue;
		let at = list.length;
		while (at > 0 && isNearer(item, list[at - 1]))
			at--;
		list.splice(at, 0, item);
		if (list.length > most)
			list.pop();
	}
	return list.map(item => item.i);
}

function isNearer(a, b) {
	return a.distance !== b.distance ? a.distance < b.distance : a.gone < b.gone;
}
