// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>

#include "bindings.h"

struct exporter {
	struct drmfault_binding_list *list;
	const struct shard *shard;
	uint32_t address_bits;
};

static uint64_t mask_of(uint64_t address, uint32_t bits)
{
	if (bits == DRMFAULT_ADDRESS_BITS_AUTO)
		bits = address_width(address);
	return bits && bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

static void export_binding(const struct exporter *exporter, const struct tree_entry *entry,
			   bool is_past)
{
	struct drmfault_dump_binding binding = binding_show(exporter->shard, entry, is_past);

	binding.address &= mask_of(binding.address, exporter->address_bits);
	list_add(exporter->list, &binding, NULL);
}

static void export_live(void *arg, const struct tree_entry *entry)
{
	export_binding(arg, entry, false);
}

static void export_shard(struct exporter *exporter, struct shard *shard)
{
	struct tree_entry entry = { 0 };

	exporter->shard = shard;
	pthread_mutex_lock(&shard->lock);
	tree_each(&shard->live, export_live, exporter);
	for (entry.id = shard->past_begin; entry.id != shard->past_end; entry.id++)
		export_binding(exporter, &entry, true);
	pthread_mutex_unlock(&shard->lock);
}

static int compare(const void *a, const void *b)
{
	const struct drmfault_dump_binding *left = a, *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return (left->bound_ns > right->bound_ns) - (left->bound_ns < right->bound_ns);
}

DRMFAULT_API int drmfault_bindings_export(struct drmfault_bindings *bindings,
					  struct drmfault_binding_list **list)
{
	struct exporter exporter = {
		.list = list_new(false),
		.address_bits = bindings->address_bits,
	};
	uint32_t i;

	if (!exporter.list)
		return -ENOMEM;
	for (i = 0; i < SHARDS; i++)
		export_shard(&exporter, &bindings->shards[i]);
	if (exporter.list->count)
		qsort(exporter.list->bindings, exporter.list->count,
		      sizeof(*exporter.list->bindings), compare);
	return list_finish(exporter.list, list);
}

static int import_past(struct drmfault_bindings *bindings, struct shard *shard,
		       const struct change *change, const struct drmfault_dump_binding *entry)
{
	struct past past = {
		.object = change->object,
		.object_type = change->object_type,
		.first = change->first,
		.last = change->last,
		.bound_ns = change->time_ns,
		.unbound_ns = entry->unbound_ns,
		.flags = change->flags,
	};

	if (entry->name && *entry->name) {
		past.name = name_new(shard, entry->name);
		if (!past.name)
			return -ENOMEM;
	}
	past_add(bindings, shard, &past);
	return 0;
}

static int import_live(struct shard *shard, const struct change *change, const char *name)
{
	int ret = shard_bind(shard, change);

	if (ret || !name || !*name)
		return ret;
	return object_set_name(shard, object_find(shard, change->object_type, change->object),
			       name);
}

static int import_one(struct drmfault_bindings *bindings, const struct drmfault_dump_binding *entry)
{
	struct change change = {
		.time_ns = entry->bound_ns,
		.object = entry->object,
		.object_type = entry->object_type,
		.flags = entry->flags,
	};
	struct shard *shard = bindings_shard(bindings, entry->object_type, entry->object);
	int ret = bindings_range(bindings, entry->address, entry->length, &change.first,
				 &change.last);

	if (ret)
		return ret;
	pthread_mutex_lock(&shard->lock);
	ret = entry->unbound_ns ? import_past(bindings, shard, &change, entry)
				: import_live(shard, &change, entry->name);
	pthread_mutex_unlock(&shard->lock);
	past_trim(bindings);
	return ret;
}

DRMFAULT_API int drmfault_bindings_import(struct drmfault_bindings *bindings,
					  const struct drmfault_dump_binding *entries, size_t count)
{
	size_t i, stride = count ? entries->size : 0;
	struct drmfault_dump_binding entry;
	int ret = 0, one;

	for (i = 0; i < count && ret != -ENOMEM; i++) {
		one = args_take((const char *)entries + i * stride, stride, &entry, sizeof(entry));
		if (!one)
			one = import_one(bindings, &entry);
		if (one)
			ret = one;
	}
	return ret;
}

/* That of the GPU; dumps without one have it in their records. */
static uint32_t address_bits_of(const struct drmfault_dump *dump)
{
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(dump);
	struct drmfault_dump_device device = { .size = sizeof(device) };
	const struct drmfault_record *record;
	size_t i;

	if (!drmfault_dump_device(dump, 0, &device) && device.address_bits)
		return device.address_bits;
	for (i = 0; (record = drmfault_snapshot_record(snapshot, i)); i++)
		if (drmfault_record_address_bits(record))
			return drmfault_record_address_bits(record);
	return DRMFAULT_ADDRESS_BITS_AUTO;
}

static uint32_t count_of(const struct drmfault_dump *dump)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	uint32_t count = 0;

	while (!drmfault_dump_binding(dump, count, &binding))
		count++;
	return count;
}

DRMFAULT_API int drmfault_bindings_from_dump(const struct drmfault_dump *dump,
					     struct drmfault_bindings **bindings)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	const struct drmfault_bindings_args args = {
		.size = sizeof(args),
		.address_bits = address_bits_of(dump),
		.past_count = count_of(dump) + 1,
		.past_bytes = UINT64_MAX,
	};
	struct drmfault_bindings *made;
	int ret = drmfault_bindings_new(&args, &made);
	uint32_t i;

	if (ret)
		return ret;
	for (i = 0; ret != -ENOMEM && !drmfault_dump_binding(dump, i, &binding); i++)
		ret = import_one(made, &binding);
	if (ret == -ENOMEM) {
		drmfault_bindings_free(made);
		return ret;
	}
	*bindings = made;
	return 0;
}
