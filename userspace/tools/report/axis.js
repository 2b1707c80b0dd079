// SPDX-License-Identifier: MIT
// The axis of addresses. Little of an address space is used, so the gaps between what
// is are drawn shorter than they are; their true length is written into them.

const GAPS = 0.3;

// Positions are plain numbers that grow with the addresses.
function makeAxis() {
	const clusters = findClusters();
	const used = clusters.reduce((sum, cluster) => sum + Number(cluster.last - cluster.first) + 1, 0);
	const gap = Math.max(64, used * GAPS / Math.max(1, clusters.length - 1));
	const position = new Float64Array(clusters.length + 1);

	clusters.forEach((cluster, k) => {
		const length = Number(cluster.last - cluster.first) + 1;
		const after = k + 1 < clusters.length ? Number(clusters[k + 1].first - cluster.last) - 1 : 0;

		cluster.gap = after;
		cluster.drawnGap = Math.min(after, gap);
		position[k + 1] = position[k] + length + cluster.drawnGap;
	});
	return { clusters, position, total: Math.max(1, position[clusters.length]) };
}

// Ranges that touch or overlap, of objects and faults alike.
function findClusters() {
	const spans = [...faults].sort((a, b) => a.first < b.first ? -1 : a.first > b.first ? 1 : 0);
	const clusters = [];
	let i = 0, f = 0;

	while (i < objects.count || f < spans.length) {
		const takeFault = f < spans.length && (i >= objects.count || spans[f].first < objects.first[i]);
		const first = takeFault ? spans[f].first : objects.first[i];
		const last = takeFault ? spans[f++].last : objects.last[i++];
		const top = clusters[clusters.length - 1];

		if (top && first <= top.last + 1n)
			top.last = last > top.last ? last : top.last;
		else
			clusters.push({ first, last });
	}
	return clusters.length ? clusters : [{ first: 0n, last: 0xfffn }];
}

const axis = makeAxis();

// How many of the sorted list come before the first that is greater.
function countUpTo(length, isGreater) {
	let low = 0, high = length;

	while (low < high) {
		const middle = low + high >>> 1;

		if (isGreater(middle))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

function positionOf(address) {
	const { clusters, position } = axis;
	const k = Math.max(0, countUpTo(clusters.length, n => clusters[n].first > address) - 1);
	const cluster = clusters[k];

	if (address <= cluster.last)
		return position[k] + Math.max(0, Number(address - cluster.first));
	const inGap = Number(address - cluster.last) - 1;
	return position[k] + Number(cluster.last - cluster.first) + 1 +
		(cluster.gap ? Math.min(1, inGap / cluster.gap) * cluster.drawnGap : 0);
}

// The end of a range is behind its last byte.
const endOf = last => positionOf(last) + 1;

function addressAt(place) {
	const { clusters, position } = axis;
	const k = Math.max(0, Math.min(clusters.length, countUpTo(clusters.length, n => position[n] > place)) - 1);
	const cluster = clusters[k], length = Number(cluster.last - cluster.first) + 1;
	const within = Math.max(0, place - position[k]);

	if (within < length)
		return cluster.first + BigInt(Math.floor(within));
	return cluster.last + 1n + BigInt(Math.floor((within - length) / (cluster.drawnGap || 1) * cluster.gap));
}

// Where each object begins and ends; they come in the order of the axis.
const places = (() => {
	const from = new Float64Array(objects.count), to = new Float64Array(objects.count);
	let k = 0;

	for (let i = 0; i < objects.count; i++) {
		while (k + 1 < axis.clusters.length && axis.clusters[k + 1].first <= objects.first[i])
			k++;
		from[i] = axis.position[k] + Number(objects.first[i] - axis.clusters[k].first);
		to[i] = axis.position[k] + Number(objects.last[i] - axis.clusters[k].first) + 1;
	}
	return { from, to };
})();
