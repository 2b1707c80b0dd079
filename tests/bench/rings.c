// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
/*
 * rings storm|snapshot REPORTER: what the rings of a GPU do under load, seen
 * through the calls. Events are raised at its catch-all context by debugfs.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <drm/drm_fault.h>

#define STORM  1000000u
#define FULL   4096u
#define ROUNDS 51

static void die(const char *what)
{
	fprintf(stderr, "rings: cannot %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void inject(const char *reporter, const char *words)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/debug/drm_fault/%s/inject", reporter);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		die("open the injector");
	if (write(fd, words, strlen(words)) < 0)
		die("inject");
	close(fd);
}

static int subscribe(void)
{
	struct drm_fault_subscribe args = {
		.size = sizeof(args),
		.scope = DRM_FAULT_SCOPE_ALL,
		.flags = DRM_FAULT_SUBSCRIBE_NONBLOCK,
	};
	int fd = open(DRM_FAULT_DEVICE_PATH, O_RDWR);

	if (fd < 0 || ioctl(fd, DRM_FAULT_IOCTL_SUBSCRIBE, &args))
		die("subscribe");
	close(fd);
	return args.stream_fd;
}

static void snapshot(int stream, struct drm_fault_record *records, uint32_t count,
		     struct drm_fault_snapshot *args)
{
	*args = (struct drm_fault_snapshot){
		.size = sizeof(*args),
		.record_size = sizeof(*records),
		.record_count = count,
		.records_ptr = (uintptr_t)records,
	};
	if (ioctl(stream, DRM_FAULT_IOCTL_SNAPSHOT, args))
		die("take a snapshot");
}

/* One fault first, then the storm in many pages, then the first one again. */
static void storm(const char *reporter, struct drm_fault_record *records)
{
	struct drm_fault_snapshot before, after;
	int stream = subscribe();
	uint64_t start, taken, sum = 0, lost = 0;
	uint32_t i;
	bool exact;

	snapshot(stream, records, FULL, &before);
	start = now_ns();
	inject(reporter, "address=0x1000 precision=4096 access=2 type=1 count=1\n"
			 "address=0x100000 precision=4096 access=1 type=1 step=4096 count=999998\n"
			 "address=0x1000 precision=4096 access=2 type=1 count=1\n");
	taken = now_ns() - start;
	snapshot(stream, records, FULL, &after);
	for (i = 0; i < after.record_count; i++) {
		sum += records[i].count;
		lost += records[i].lost;
	}
	exact = before.total == 0 && after.events == STORM && sum + lost == STORM &&
		lost == after.lost && records[0].address == 0x1000 && records[0].count == 2;
	printf("storm-seconds %.3f\nstorm-exact %d\n", (double)taken / 1e9, exact);
	close(stream);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t median(uint64_t *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare);
	return values[ROUNDS / 2];
}

static void time_snapshot(const char *reporter, struct drm_fault_record *records)
{
	struct drm_fault_record *copy = calloc(FULL, sizeof(*copy));
	uint64_t call[ROUNDS], copying[ROUNDS], reading[ROUNDS], start;
	struct drm_fault_snapshot args;
	int stream = subscribe(), file = memfd_create("records", 0);
	unsigned int i;

	if (!copy)
		die("get memory");
	if (file < 0 || write(file, records, FULL * sizeof(*copy)) < 0)
		die("make a file in memory");
	inject(reporter, "address=0x100000 precision=4096 access=1 type=1 step=4096 count=5000\n");
	for (i = 0; i < ROUNDS; i++) {
		start = now_ns();
		snapshot(stream, records, FULL, &args);
		call[i] = now_ns() - start;
		start = now_ns();
		memcpy(copy, records, FULL * sizeof(*copy));
		/* Or the compiler leaves it out. */
		__asm__ volatile("" ::"r"(copy) : "memory");
		copying[i] = now_ns() - start;
		/* The same bytes from the kernel by the shortest way there is. */
		start = now_ns();
		if (pread(file, copy, FULL * sizeof(*copy), 0) < 0)
			die("read the file in memory");
		reading[i] = now_ns() - start;
	}
	if (args.record_count != FULL) {
		errno = ENODATA;
		die("fill the ring: load drm_fault with ring_records=4096");
	}
	printf("snapshot-ns %" PRIu64 "\n", median(call));
	printf("memcpy-ns %" PRIu64 "\n", median(copying));
	printf("read-ns %" PRIu64 "\n", median(reading));
	free(copy);
	close(file);
	close(stream);
}

int main(int argc, char **argv)
{
	struct drm_fault_record *records = calloc(FULL, sizeof(*records));

	if (argc != 3 || !records) {
		fputs("usage: rings storm|snapshot REPORTER\n", stderr);
		return 2;
	}
	/* So that no page of it is touched for the first time while it is timed. */
	memset(records, 1, FULL * sizeof(*records));
	if (!strcmp(argv[1], "storm"))
		storm(argv[2], records);
	else
		time_snapshot(argv[2], records);
	free(records);
	return EXIT_SUCCESS;
}
