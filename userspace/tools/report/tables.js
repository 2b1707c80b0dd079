// SPDX-License-Identifier: MIT
// Everything that is words: verdicts, records, objects, where the dump is from.

const PAGE = 100, OTHERS = 6;

// Rows are { cells, chosen }. On a phone each cell says what it is.
function table(caption, heads, rows) {
	return make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
		make('table', { class: 'rows' },
			make('caption', { class: 'sr' }, caption),
			make('thead', null, make('tr', null, ...heads.map(head => make('th', { scope: 'col', class: onPaper(head) }, head)))),
			make('tbody', null, ...rows.map(row => make('tr', { class: row.chosen ? 'chosen' : null },
				...row.cells.map((cell, n) => make('td', { 'data-label': heads[n], class: n ? onPaper(heads[n]) : 'plain' }, cell)))))));
}

// There, nothing can be shown in the map.
const onPaper = head => head === 'Map' ? 'no-print' : null;

// As many rows as are asked for, and a button for more.
function pagedTable(box, caption, heads, list, makeRow, most = PAGE) {
	box.replaceChildren(table(caption, heads, list.slice(0, most).map(makeRow)));
	if (list.length <= most)
		return;
	const more = make('button', { type: 'button', class: 'more' }, plural(list.length - most, 'more row') + ': show ' + Math.min(PAGE, list.length - most));
	more.addEventListener('click', () => {
		pagedTable(box, caption, heads, list, makeRow, most + PAGE);
		box.querySelectorAll('tbody tr')[most].scrollIntoView({ block: 'nearest' });
	});
	box.append(more);
}

function button(text, what, act) {
	const element = make('button', { type: 'button', 'aria-label': what }, text);

	element.addEventListener('click', act);
	return element;
}

function describeList(box, pairs) {
	box.replaceChildren(...pairs.filter(pair => pair && pair[1] !== null && pair[1] !== '')
		.flatMap(([term, text]) => [make('dt', null, term), make('dd', null, typeof text === 'string' ? isolated(text) : text)]));
	return box;
}

// ---- Verdicts ----

function showVerdicts() {
	const list = data.verdicts;

	if (list.length)
		byId('verdict-list').replaceChildren(...list.slice(0, 8).map(verdictCard), ...moreVerdicts(list));
	else
		byId('verdict-list').replaceChildren(make('p', null, noVerdict()), ...endedObjects());
}

// Where no fault is known: one of these may still have been in use.
function endedObjects() {
	const list = faults.length ? [] : endedLast(8);

	return list.length ? [make('p', { class: 'muted' }, 'Objects that ended last before the file was made:'),
		make('ul', null, ...list.map(i => make('li', null, isolated(objectLabel(i)), ', ' + stateText(i, fileTime))))] : [];
}

function moreVerdicts(list) {
	if (list.length <= 8)
		return [];
	const rest = make('details', null, make('summary', null, plural(list.length - 8, 'more verdict')));

	// There may be thousands: they are made when somebody asks for them.
	rest.addEventListener('toggle', () => rest.append(...list.slice(8).map(verdictCard)), { once: true });
	return [rest];
}

function noVerdict() {
	if (!data.records.length)
		return 'There is no record of a fault here, so there is nothing to judge.';
	if (!faults.length)
		return 'No record has an address, so there is nothing to look up among the objects.';
	if (objects.count)
		return 'No record that can be judged was left by the filter.';
	return 'The file has no objects of the application, so what was at the address cannot be told. The layer VK_LAYER_DRMFAULT_device_fault writes them.';
}

function verdictCard(verdict) {
	const k = faults.findIndex(fault => fault.record === verdict.record), [first, ...others] = verdict.candidates;
	const card = make('article', { class: 'verdict' },
		make('h3', null, verdict.subject === 'ip' ? 'Instruction pointer' : isolated(recordHeadline(data.records[verdict.record]))),
		make('p', { class: 'sentence' }, isolated(first.text)),
		make('p', null, tag(first.kind), tag('confidence: ' + first.confidence)));

	if (others.length)
		card.append(make('p', { class: 'muted' }, 'It may also be:'),
			make('ol', null, ...others.slice(0, OTHERS).map(item => make('li', null, isolated(item.text), ' ', tag(item.confidence)))));
	if (verdict.forgotten)
		card.append(make('p', { class: 'muted' }, plural(verdict.forgotten, 'object') + ' that had ended had been forgotten before: one of them may explain it better.'));
	if (k >= 0)
		card.append(button('Show in the map', 'Show ' + recordHeadline(data.records[verdict.record]) + ' in the map', () => goToFault(k)));
	return card;
}

const tag = text => make('span', { class: 'tag' }, text);

// ---- Records ----

const wallOffset = (() => {
	const meta = data.meta[0];

	return meta && meta.realtime_ns ? BigInt(meta.realtime_ns) - BigInt(meta.time_ns) : null;
})();

function recordTime(record) {
	const ns = BigInt(data.base_ns) + BigInt(data.places[record].ns), since = data.places[record].ns;

	if (wallOffset === null)
		return (Number(ns / 1000n) / 1e6).toFixed(6) + ' s since boot';
	return new Date(Number((ns + wallOffset) / 1000000n)).toISOString().replace('T', ' ').replace('Z', ' UTC') +
		(since ? ' (' + (since > 0 ? '+' : '\u2212') + duration(Math.abs(since)) + ')' : '');
}

function showRecords() {
	const faultOf = new Map(faults.map((fault, k) => [fault.record, k]));

	byId('records-about').textContent = plural(data.total, 'record') + ' of ' + plural(Number(data.events), 'event') +
		(Number(data.lost) ? ', ' + data.lost + ' of them in no record' : '') + '.';
	byId('records').hidden = !data.records.length;
	pagedTable(byId('records'), 'Records', ['What', 'When', 'Process', 'Engine', 'Events', 'Map'], data.records.map((record, n) => n), n => {
		const record = data.records[n], k = faultOf.get(n);

		return { chosen: k !== undefined && k === chosen.fault, cells: [
			isolated(recordHeadline(record)), recordTime(n),
			record.comm ? isolated(record.comm + ' [' + record.pid + ']') : 'unknown',
			isolated(record.engine || '\u2013'), String(record.count),
			k === undefined ? '\u2013' : button('Show', 'Show ' + recordHeadline(record) + ' in the map', () => goToFault(k)),
		] };
	}, 20);
}

// ---- Objects ----

function matches(i, words) {
	const text = (objects.name[i] + ' ' + typeName(i) + ' 0x' + objects.handle[i]).toLowerCase();

	return words.every(word => text.includes(word) || isInside(i, word));
}

// An address finds what lies there.
function isInside(i, word) {
	if (!/^0x[0-9a-f]{1,16}$/.test(word))
		return false;
	const address = BigInt(word);
	return objects.first[i] <= address && address <= objects.last[i];
}

function showObjects() {
	const words = byId('filter').value.toLowerCase().split(/\s+/).filter(Boolean), fault = mainFault();
	const all = Array.from({ length: objects.count }, (_, i) => i).filter(i => !words.length || matches(i, words));

	byId('objects-section').hidden = !objects.count;
	if (fault) {
		const distance = new Map(all.map(i => [i, distanceTo(i, fault)[0]]));
		all.sort((a, b) => distance.get(a) < distance.get(b) ? -1 : distance.get(a) > distance.get(b) ? 1 : 0);
	}
	byId('objects-about').textContent = plural(all.length, 'object') + (words.length ? ' of ' + objects.count.toLocaleString('en') : '') +
		(fault ? ', those nearest to the fault first' : '') + '.' +
		(data.objects.left_out ? ' ' + plural(data.objects.left_out, 'object') + ' far from every fault are not in this page; drmfault report --json has them.' : '');
	pagedTable(byId('objects'), 'Objects', ['Object', 'Addresses', 'Size', 'State', 'Place', 'Map'], all, i => ({
		chosen: i === chosen.object,
		cells: [isolated(objectLabel(i)), make('span', { class: 'mono' }, hex(objects.first[i]) + '\u2026' + hex(objects.last[i])),
			bytes(objectSize(i)), stateText(i, timeOfMap()), fault ? placeText(i, fault) : '\u2013',
			button('Show', 'Show ' + objectLabel(i) + ' in the map', () => goToObject(i))],
	}), 20);
}

// What was chosen in the map, in words.
function showDetail() {
	const i = chosen.object, fault = mainFault(), box = byId('detail');

	if (i >= 0) {
		box.replaceChildren(make('h3', null, isolated(objectLabel(i))), describeList(make('dl', { class: 'facts' }), [
			['name', objects.name[i].length > 79 ? objects.name[i] : null],
			['addresses', hex(objects.first[i]) + ' to ' + hex(objects.last[i])],
			['size', bytes(objectSize(i)) + ' (0x' + objectSize(i).toString(16) + ')'],
			fault && ['place', placeText(i, fault)],
			['state', stateText(i, timeOfMap())],
			['bound', relative(objects.bound[i] - timeOfMap())],
			['gone', Number.isFinite(objects.unbound[i]) ? relative(objects.unbound[i] - timeOfMap()) : 'no'],
			['handle', '0x' + objects.handle[i]],
		]));
	} else if (fault) {
		box.replaceChildren(make('h3', null, recordHeadline(data.records[fault.record])),
			make('p', null, 'Somewhere in ' + hex(fault.first) + ' to ' + hex(fault.last) + ', ' + bytes(fault.last - fault.first + 1n) + '.' +
				(objects.count ? ' Choose an object in the map to see what it is.' : '')));
	} else {
		box.replaceChildren(make('p', null, 'Choose an object in the map to see what it is.'));
	}
}

// ---- Where it is from ----

function version(number) {
	return (number >>> 22 & 0x7f) + '.' + (number >>> 12 & 0x3ff) + '.' + (number & 0xfff);
}

function showFacts() {
	const pairs = [['file', data.file + (data.form === 'vendor-binary' ? ', a Vulkan vendor binary' : '')]];

	for (const meta of data.meta)
		pairs.push(['made', meta.realtime_ns ? new Date(Number(BigInt(meta.realtime_ns) / 1000000n)).toISOString() : null],
			['kernel', [meta.kernel, meta.machine].filter(Boolean).join(' ')], ['drm_fault', meta.module_version || null], ['boot', meta.boot_id || null]);
	for (const device of data.devices)
		pairs.push(['GPU', device.name + ', driver ' + device.driver + ', ' + device.bus], ['events missed', device.missed ? String(device.missed) : null]);
	for (const context of data.contexts)
		pairs.push(['address space ' + context.context, (context.comm ? context.comm + ' [' + context.pid + '] of user ' + context.uid : 'unknown process') +
			', ' + plural(Number(context.events), 'event') + (context.ended ? ', ended' : '')]);
	for (const app of data.applications)
		pairs.push(['application', (app.name || 'without a name') + ' (' + app.version + ')'], ['engine', app.engine ? app.engine + ' (' + app.engine_version + ')' : null],
			['Vulkan', version(app.api_version)], ['Vulkan GPU', app.device_name || null], ['Vulkan driver', app.driver_name || null]);
	for (const line of data.host)
		pairs.push([line.split('=')[0], line.slice(line.indexOf('=') + 1)]);
	describeList(byId('facts'), pairs.map(([term, text]) => [clean(term), text]));
	byId('engines').replaceChildren(...data.engines.flatMap(text => [make('h3', null, 'State of the engines'), make('pre', { tabindex: 0 }, text.split('\n').map(clean).join('\n'))]));
	byId('generator').textContent = 'Made by ' + data.generator + '. All that it shows is in this file; it asks no network for anything.';
}
