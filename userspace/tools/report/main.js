// SPDX-License-Identifier: MIT
// The page as a whole: its head, what is chosen, and when it is drawn anew.

function showHead() {
	const app = data.applications[0], device = data.devices[0];

	byId('summary').replaceChildren(isolated(data.summary));
	document.title = clean(data.summary);
	byId('subline').replaceChildren(...[app && app.name, device && device.driver + ' on ' + device.bus, data.records.length ? recordTime(0) : null]
		.filter(Boolean).flatMap((text, n) => [n ? ' \u00b7 ' : '', isolated(text)]));
	byId('damage').hidden = !data.damage.length;
	if (data.damage.length)
		byId('damage').textContent = 'The file is damaged (' + [...new Set(data.damage.map(item => item.what))].join(', ') + '): what follows is what could be read of it.';
	byId('map-about').textContent = objects.count ? plural(objects.count, 'object') + ' of the application, and ' + plural(faults.length, 'fault') +
		'. Addresses that nothing has are drawn shorter than they are.' :
		'The file has no objects of the application; only the faults are drawn.';
	byId('map-section').hidden = !objects.count && !faults.length;
	byId('bound-then').textContent = boundThen;
	for (const element of document.querySelectorAll('.of-fault'))
		element.hidden = !faults.length;
}

function chooseFault(k) {
	chosen.fault = k;
	chosen.object = -1;
	newMap();
	drawTimeLine();
	showRecords();
	showObjects();
	showDetail();
}

function chooseObject(i) {
	chosen.object = i;
	showDetail();
	schedule();
}

function goToMap() {
	byId('map-section').scrollIntoView({ block: 'start' });
	map.focus({ preventScroll: true });
}

function goToFault(k) {
	chooseFault(k);
	showFault();
	goToMap();
}

function goToObject(i) {
	chooseObject(i);
	show(places.from[i] - (places.to[i] - places.from[i]), places.to[i] + (places.to[i] - places.from[i]));
	goToMap();
}

function drawAll() {
	readColours();
	draw();
	drawTimeLine();
}

let filtering = 0;
byId('filter').addEventListener('input', () => {
	cancelAnimationFrame(filtering);
	filtering = requestAnimationFrame(showObjects);
});
window.addEventListener('resize', () => requestAnimationFrame(drawAll));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
// Paper is white, whatever the screen is.
window.addEventListener('beforeprint', () => {
	document.documentElement.classList.add('paper');
	drawAll();
});
window.addEventListener('afterprint', () => {
	document.documentElement.classList.remove('paper');
	drawAll();
});

// The fault that the title is about.
chosen.fault = Math.max(0, faults.findIndex(fault => fault.ns === 0));
showHead();
showVerdicts();
showFacts();
chooseFault(chosen.fault);
showFault();
