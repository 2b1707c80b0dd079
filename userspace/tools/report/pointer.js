// SPDX-License-Identifier: MIT
// The map under a mouse, fingers and keys.

const pointers = new Map();
let moved = 0;

function showTip(event) {
	const x = event.offsetX, y = event.offsetY, found = findAt(x, y);

	tip.hidden = !found;
	if (!found)
		return;
	tip.replaceChildren(tipText(found));
	const left = Math.min(x + 14, Math.max(0, map.clientWidth - tip.offsetWidth - 4));
	tip.style.transform = 'translate(' + Math.round(left) + 'px, ' + Math.round(y + 16) + 'px)';
}

function tipText(found) {
	if (found.many)
		return found.many + ' objects, one over the other';
	if (found.fault !== undefined)
		return recordHeadline(data.records[faults[found.fault].record]);
	const i = found.object;
	return objectLabel(i) + ', ' + bytes(objectSize(i)) + ', ' + stateText(i, timeOfMap());
}

function choose(found) {
	if (!found || found.many)
		return;
	if (found.fault !== undefined)
		chooseFault(found.fault);
	else
		chooseObject(found.object);
}

// The middle of the fingers, and how far they are from it.
function spread() {
	const all = [...pointers.values()];
	const x = all.reduce((sum, item) => sum + item.x, 0) / all.length;

	return { x, width: Math.max(20, ...all.map(item => Math.abs(item.x - x) * 2)) };
}

map.addEventListener('pointerdown', event => {
	pointers.set(event.pointerId, { x: event.offsetX });
	map.setPointerCapture(event.pointerId);
	if (pointers.size === 1)
		moved = 0;
});

map.addEventListener('pointermove', event => {
	if (!pointers.has(event.pointerId))
		return showTip(event);
	const before = spread();
	moved += Math.abs(event.offsetX - pointers.get(event.pointerId).x);
	pointers.get(event.pointerId).x = event.offsetX;
	const after = spread();
	if (moved > 4) {
		tip.hidden = true;
		map.classList.add('dragged');
		pan((before.x - after.x) / view.width);
		if (pointers.size > 1)
			zoom(before.width / after.width, placeOf(after.x));
	}
	return undefined;
});

function release(event) {
	const was = pointers.delete(event.pointerId);

	map.classList.remove('dragged');
	if (was && moved <= 4 && event.type === 'pointerup')
		choose(findAt(event.offsetX, event.offsetY));
}

map.addEventListener('pointerup', release);
map.addEventListener('pointercancel', release);
map.addEventListener('pointerleave', () => {
	tip.hidden = true;
});

// The wheel alone is for the page.
map.addEventListener('wheel', event => {
	if (event.ctrlKey || event.metaKey) {
		event.preventDefault();
		zoom(2 ** (event.deltaY / 200), placeOf(event.offsetX));
	} else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
		event.preventDefault();
		pan((event.deltaX || event.deltaY) / view.width);
	}
}, { passive: false });

function moveOverview(event) {
	if (!event.buttons && event.type !== 'pointerdown')
		return;
	const at = event.offsetX / overview.clientWidth * axis.total, half = (view.to - view.from) / 2;

	show(at - half, at + half);
}

overview.addEventListener('pointerdown', moveOverview);
overview.addEventListener('pointermove', moveOverview);

// The object that comes before or after the chosen one, or else the fault.
function step(direction) {
	let i = chosen.object + direction;

	if (chosen.object < 0) {
		const fault = mainFault();
		const n = fault ? countUpTo(objects.count, k => objects.first[k] > fault.first) : 0;
		i = direction > 0 ? n : n - 1;
	}
	if (i < 0 || i >= objects.count)
		return;
	chooseObject(i);
	reveal(i);
}

// Move the view as little as it takes.
function reveal(i) {
	const width = view.to - view.from, from = places.from[i], to = places.to[i];

	if (to - from > width || (to - from) * 200 < width)
		show(from - (to - from) * 2, to + (to - from) * 2);
	else if (from < view.from)
		show(from - width * .1, from + width * .9);
	else if (to > view.to)
		show(to - width * .9, to + width * .1);
}

const middle = () => (view.from + view.to) / 2;

const keys = {
	ArrowLeft: () => pan(-.2),
	ArrowRight: () => pan(.2),
	ArrowUp: () => step(-1),
	ArrowDown: () => step(1),
	'+': () => zoom(.5, middle()),
	'=': () => zoom(.5, middle()),
	'-': () => zoom(2, middle()),
	Home: showAll,
	f: showFault,
	F: showFault,
	Escape: () => chooseObject(-1),
};

map.addEventListener('keydown', event => {
	if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key))
		return;
	event.preventDefault();
	keys[event.key]();
});

byId('zoom-in').addEventListener('click', () => zoom(.5, middle()));
byId('zoom-out').addEventListener('click', () => zoom(2, middle()));
byId('go-fault').addEventListener('click', showFault);
byId('go-all').addEventListener('click', showAll);
byId('previous').addEventListener('click', () => step(-1));
byId('next').addEventListener('click', () => step(1));
