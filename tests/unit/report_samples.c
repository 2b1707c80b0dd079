// SPDX-License-Identifier: MIT
/* report_samples FOLDER: writes dumps with objects, as a crash report has them. */
#include <stdio.h>
#include <stdlib.h>

#include <drm/drm_fault.h>

#include "drmfault_bindings.h"
#include "dump.h"

#define BASE	    0x800100000000
#define FAULT_NS    UINT64_C(80000000000)
#define MS	    UINT64_C(1000000)
#define MEMORY	    8
#define BUFFER	    9
#define IMAGE	    10
#define MANY	    100000
#define MANY_FAULTS 40
#define NAME_SIZE   64

/* A fault; the rest of a record is the same in all. */
struct fault {
	uint64_t address;
	uint64_t precision;
	uint64_t time_ns;
	uint32_t access;
	uint32_t flags;
};

static struct drmfault_dump_binding bindings[MANY];
static char names[MANY][NAME_SIZE];
static size_t count;

static void add(uint64_t address, uint64_t length, uint32_t type, const char *name,
		uint64_t bound_ns, uint64_t unbound_ns)
{
	bindings[count] = (struct drmfault_dump_binding){
		.size = sizeof(bindings[count]),
		.name = name,
		.address = address,
		.length = length,
		.bound_ns = bound_ns,
		.unbound_ns = unbound_ns,
		.object = 0x5500000000 + 16 * count,
		.object_type = type,
	};
	count++;
}

static void put_record(uint8_t *record, size_t i, const struct fault *fault)
{
	file_put(record, 4, DRM_FAULT_RECORD_FAULT);
	file_put(record + 4, 4, sizeof(struct drm_fault_record));
	file_put(record + offsetof(struct drm_fault_record, reporter_id), 4, 1);
	file_put(record + offsetof(struct drm_fault_record, seqno), 8, i + 1);
	file_put(record + offsetof(struct drm_fault_record, record_id), 8, i + 1);
	file_put(record + offsetof(struct drm_fault_record, count), 8, 1);
	file_put(record + offsetof(struct drm_fault_record, group_id), 8, 1);
	file_put(record + offsetof(struct drm_fault_record, timestamp_ns), 8, fault->time_ns);
	file_put(record + offsetof(struct drm_fault_record, last_timestamp_ns), 8, fault->time_ns);
	file_put(record + offsetof(struct drm_fault_record, address), 8, fault->address);
	file_put(record + offsetof(struct drm_fault_record, address_precision), 8,
		 fault->precision);
	file_put(record + offsetof(struct drm_fault_record, address_bits), 4, 48);
	file_put(record + offsetof(struct drm_fault_record, access), 4, fault->access);
	file_put(record + offsetof(struct drm_fault_record, fault_type), 4,
		 DRM_FAULT_TYPE_NOT_PRESENT);
	file_put(record + offsetof(struct drm_fault_record, flags), 4, fault->flags);
	memcpy(record + offsetof(struct drm_fault_record, engine), "ring0", 5);
	file_put(record + offsetof(struct drm_fault_record, pid), 4, 4242);
	memcpy(record + offsetof(struct drm_fault_record, comm), "game", 4);
}

static struct drmfault_dump *records(const struct fault *faults, size_t fault_count)
{
	static uint8_t table[8 + MANY_FAULTS * sizeof(struct drm_fault_record)];
	uint8_t meta[168] = { 0 }, device[144] = { 0 };
	static struct file file;
	size_t i;

	memset(table, 0, sizeof(table));
	file_begin(&file);
	file_put(meta, 8, FAULT_NS + 400 * MS);
	file_put(meta + 8, 8, 1790000000000000000);
	memcpy(meta + 56, "6.12.1-test", 11);
	memcpy(meta + 120, "x86_64", 6);
	file_add(&file, DRM_FAULT_DUMP_META, meta, sizeof(meta));
	file_put(device, 4, 1);
	file_put(device + 4, 4, 48);
	memcpy(device + 24, "gpu1", 4);
	memcpy(device + 56, "drm_fault_sim", 13);
	memcpy(device + 88, "0000:03:00.0", 12);
	file_add(&file, DRM_FAULT_DUMP_DEVICE, device, sizeof(device));
	file_put(table, 4, sizeof(struct drm_fault_record));
	file_put(table + 4, 4, fault_count);
	for (i = 0; i < fault_count; i++)
		put_record(table + 8 + i * sizeof(struct drm_fault_record), i, &faults[i]);
	file_add(&file, DRM_FAULT_DUMP_RECORDS, table,
		 8 + fault_count * sizeof(struct drm_fault_record));
	file_end(&file);
	return file_open(&file);
}

static void save_content(const char *folder, const char *name,
			 const struct drmfault_dump_content *content)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wb");
	if (!file || drmfault_dump_write_fd(content, fileno(file)) || fclose(file)) {
		perror(path);
		exit(1);
	}
	count = 0;
}

/* As the layer writes it of a device that hangs. */
static void save_hang(const char *folder)
{
	static const char host[] = "layer=L\nreason=vkQueueWaitIdle has not returned for 3000 ms\n";
	const struct drmfault_dump_part part = {
		.type = DRMFAULT_DUMP_HOST,
		.length = sizeof(host) - 1,
		.bytes = host,
	};
	const struct drmfault_dump_application app = {
		.size = sizeof(app),
		.application_name = "three mistakes",
	};
	const struct drmfault_dump_meta meta = { .size = sizeof(meta), .monotonic_ns = FAULT_NS };
	const struct drmfault_dump_content content = {
		.size = sizeof(content),
		.meta = &meta,
		.application = &app,
		.bindings = bindings,
		.binding_count = count,
		.parts = &part,
		.part_count = 1,
	};

	save_content(folder, "hang", &content);
}

static void save(const char *folder, const char *name, const char *application,
		 const struct fault *faults, size_t fault_count)
{
	const struct drmfault_dump_application app = {
		.size = sizeof(app),
		.application_name = application,
		.engine_name = "motor",
		.device_name = "Sim GPU",
		.driver_name = "driver 1.2",
		.application_version = 3,
		.api_version = 0x403000,
	};
	struct drmfault_dump *base = records(faults, fault_count);
	const struct drmfault_dump_content content = {
		.size = sizeof(content),
		.base = base,
		.application = &app,
		.bindings = bindings,
		.binding_count = count,
	};

	save_content(folder, name, &content);
	drmfault_dump_free(base);
}

/* A heap with buffers in it, of which one was freed shortly before the fault. */
static void scene(void)
{
	add(BASE, 0x800000, MEMORY, "heap", FAULT_NS - 61000 * MS, 0);
	add(BASE, 0x10000, BUFFER, "vertices", FAULT_NS - 60000 * MS, 0);
	add(BASE + 0x10000, 0x8000, BUFFER, "indices", FAULT_NS - 60000 * MS, 0);
	add(BASE + 0x20000, 0x20000, BUFFER, "particles", FAULT_NS - 9000 * MS,
	    FAULT_NS - 32 * MS / 10);
	bindings[count - 1].flags = DRMFAULT_BINDING_DESTROYED;
	add(BASE + 0x20000, 0x1000, BUFFER, "staging", FAULT_NS - 15000 * MS,
	    FAULT_NS - 12000 * MS);
	add(BASE + 0x20000, 0x4000, BUFFER, "readback", FAULT_NS + 90 * MS, 0);
	add(BASE + 0x100000, 0x400000, IMAGE, "shadow map", FAULT_NS - 45000 * MS, 0);
	add(BASE + 0x40000000, 0x2000000, MEMORY, "textures", FAULT_NS - 50000 * MS, 0);
	add(BASE + 0x40000000, 0x1000000, IMAGE, "albedo", FAULT_NS - 50000 * MS, 0);
	add(BASE + 0x41000000, 0x1000000, IMAGE, "", FAULT_NS - 50000 * MS, 0);
}

/* What a page, a terminal or a reader may trip over. */
static void hostile(void)
{
	static char longest[10001];
	static const char *const rude[] = {
		"</script><script>window.taken = 1</script>",
		"<img src=x onerror=\"window.taken = 2\">",
		"\"quoted\" 'and' \\escaped\\ & <!-- --> ]]>",
		"\033[31mred\033[0m\007\n\r\t",
		"right\xe2\x80\xae to left \xe2\x80\xa6\xe2\x81\xa7",
		"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
		"\xff\xfe not UTF-8",
		"{{summary}}{{data}}",
		"__proto__",
	};
	size_t i;

	memset(longest, 'x', sizeof(longest) - 1);
	for (i = 0; i < ARRAY_SIZE(rude); i++)
		add(BASE + 0x1000 * i, 0x1000, BUFFER, rude[i], FAULT_NS - i * MS, 0);
	add(BASE + 0x20000, 0x1000, BUFFER, longest, 1, 0);
	add(0, UINT64_MAX, 77, "all there is", 0, 0);
	add(UINT64_MAX, UINT64_MAX, BUFFER, "around the end", UINT64_MAX, 1);
	add(BASE, 0, BUFFER, "nothing", 5, 5);
}

static void many(struct fault faults[MANY_FAULTS])
{
	uint64_t address = BASE;
	size_t i;

	for (i = 0; i < MANY; i++) {
		uint64_t length = 0x1000 << i % 5;

		snprintf(names[i], NAME_SIZE, "%s %zu", i % 7 ? "mesh" : "light", i);
		add(address, length, i % 3 ? BUFFER : IMAGE, names[i],
		    FAULT_NS - (i % 9000 + 10) * MS, i % 10 ? 0 : FAULT_NS - (i % 9 + 1) * MS);
		/* Two thirds touch, some lie over each other, some are far away. */
		address += i % 11 == 0 ? length / 2 : length;
		address += i % 997 == 0 ? UINT64_C(1) << 33 : i % 3 == 0 ? 0x3000 : 0;
		if (i % (MANY / MANY_FAULTS) == 0)
			faults[i / (MANY / MANY_FAULTS)] =
				(struct fault){ address - 0x40, 4, FAULT_NS + i,
						DRM_FAULT_ACCESS_READ, 0 };
	}
}

int main(int argc, char **argv)
{
	static struct fault faults[MANY_FAULTS];
	const struct fault freed = { BASE + 0x20140, 4, FAULT_NS, DRM_FAULT_ACCESS_READ, 0 };
	const struct fault behind = { BASE + 0x18040, 4, FAULT_NS, DRM_FAULT_ACCESS_WRITE, 0 };
	/* A flag that nobody knows yet, and the last one that there can be. */
	const struct fault flagged = { BASE + 0x20140, 4, FAULT_NS, DRM_FAULT_ACCESS_READ,
				       1u << 31 };

	if (argc != 2)
		return 2;
	scene();
	save(argv[1], "freed", "three mistakes", &freed, 1);
	scene();
	save(argv[1], "bounds", "three mistakes", &behind, 1);
	save(argv[1], "bare", "", &freed, 1);
	hostile();
	save(argv[1], "hostile", "</title><script>window.taken = 3</script>", &flagged, 1);
	many(faults);
	save(argv[1], "many", "a great game", faults, MANY_FAULTS);
	scene();
	save(argv[1], "no-records", "three mistakes", NULL, 0);
	scene();
	save_hang(argv[1]);
	return 0;
}
