// SPDX-License-Identifier: MIT
// When the objects around a fault came and went, on a scale that is finest at the fault.

const ROWS = 10, ROW = 26, UNIT = 1e3;

const squeeze = ns => Math.sign(ns) * Math.log10(1 + Math.abs(ns) / UNIT);

function svg(tag, attributes, ...children) {
	const element = document.createElementNS('http://www.w3.org/2000/svg', tag);

	for (const [name, value] of Object.entries(attributes))
		element.setAttribute(name, value);
	element.append(...children);
	return element;
}

function timeRange(fault, rows) {
	const times = [-1e6, 1e6, ...data.places.map(place => place.ns - fault.ns), ...rows.map(i => objects.bound[i] - fault.ns),
		...rows.map(i => objects.unbound[i] - fault.ns).filter(Number.isFinite)];

	return times.reduce(([first, last], time) => [Math.min(first, time), Math.max(last, time)], [0, 0]);
}

function makeScale(fault, rows, left, width) {
	const [first, last] = timeRange(fault, rows).map(squeeze);

	return ns => left + (squeeze(ns) - first) / (last - first) * (width - left - 16);
}

// Powers of ten, as many as there is room for.
function ticks(x, range) {
	const list = [{ ns: 0, x: x(0) }];

	for (const side of [-1, 1])
		for (let ns = 1e3, last = x(0); ns <= Math.max(-range[0], range[1]); ns *= 10) {
			const at = x(side * ns);

			if (side * ns < range[0] || side * ns > range[1] || Math.abs(at - last) < 64)
				continue;
			list.push({ ns: side * ns, x: at });
			last = at;
		}
	return list;
}

const tickText = ns => ns === 0 ? 'fault' : (ns < 0 ? '\u2212' : '+') + duration(Math.abs(ns)).replace('.0 ', ' ');

function drawTimeLine() {
	const box = byId('timeline'), fault = mainFault();

	byId('time-section').hidden = !fault || !objects.count;
	if (!fault || !objects.count)
		return;
	const rows = nearest(fault, ROWS).sort((a, b) => objects.bound[a] - objects.bound[b]);
	const width = Math.max(280, box.clientWidth), narrow = width < 640;
	const left = narrow ? 8 : 230, high = narrow ? ROW + 16 : ROW, top = 32 + ROW, height = top + 12 + rows.length * high;
	const x = makeScale(fault, rows, left, width);
	const picture = svg('svg', { viewBox: '0 0 ' + width + ' ' + height, height, role: 'img',
		'aria-label': 'Time line of ' + plural(rows.length, 'object') + ' around the fault; the table below has the same.' });

	for (const tick of ticks(x, timeRange(fault, rows)))
		picture.append(svg('line', { class: tick.ns ? 'grid' : 'fault', x1: tick.x, x2: tick.x, y1: 24, y2: height - 6 }),
			svg('text', { class: tick.ns ? 'scale' : 'fault', x: tick.x, y: 16, 'text-anchor': anchor(tick.x, width) }, tickText(tick.ns)));
	picture.append(...recordMarks(fault, x, narrow));
	rows.forEach((i, row) => picture.append(...timeRow(i, fault, x, top + row * high, narrow, width)));
	box.replaceChildren(picture);
	byId('timeline-table').replaceChildren(timeTable(rows, fault));
}

// Records, those that are too near to each other as one.
function recordMarks(fault, x, narrow) {
	const marks = narrow ? [] : [svg('text', { x: 8, y: 46 }, 'records')];
	const order = data.places.map((place, n) => ({ n, ns: place.ns - fault.ns })).sort((a, b) => a.ns - b.ns);
	let last = -Infinity;

	for (const { n, ns } of order) {
		const at = x(ns);

		if (at - last < 4)
			continue;
		last = at;
		marks.push(svg('path', { class: data.records[n].type === 'fault' ? 'fault' : 'later', d: 'M' + (at - 5) + ' 36h10l-5 10z' },
			svg('title', {}, recordHeadline(data.records[n]) + ', ' + relative(ns))));
	}
	return marks;
}

const anchor = (x, width) => x < 40 ? 'start' : x > width - 40 ? 'end' : 'middle';

function timeRow(i, fault, x, y, narrow, width) {
	const from = x(objects.bound[i] - fault.ns), ends = Number.isFinite(objects.unbound[i]);
	const to = ends ? x(objects.unbound[i] - fault.ns) : width + 4, top = narrow ? y + 16 : y;
	const label = objectLabel(i), room = narrow ? Math.floor(width / LETTER) - 2 : 32;
	const title = svg('title', {}, label + ': bound ' + relative(objects.bound[i] - fault.ns) +
		(ends ? ', gone ' + relative(objects.unbound[i] - fault.ns) : ', still there'));

	return [
		svg('text', { x: 8, y: narrow ? y + 10 : y + 14 }, shortened(label, room)),
		svg('rect', { class: stateAt(i, fault.ns), x: from, y: top + 3, width: Math.max(2, to - from), height: ROW - 10, rx: 2 }, title),
	];
}

function timeTable(rows, fault) {
	return table('Objects around the fault, and when they came and went', ['Object', 'Bound', 'Gone'], rows.map(i => ({
		cells: [isolated(objectLabel(i)), relative(objects.bound[i] - fault.ns),
			Number.isFinite(objects.unbound[i]) ? relative(objects.unbound[i] - fault.ns) : 'still there'],
	})));
}
