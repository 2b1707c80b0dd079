// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "owner.h"

#define DRM_MAJOR 226
/* A process with more has none that could be told apart. */
#define FILES_MAX 256
/* Contexts of devices that are gone, whose faults the kernel still has. */
#define GONE_MAX 256

struct open_files {
	unsigned int count;
	int fds[FILES_MAX];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct owner *first_owner;
static uint64_t gone[GONE_MAX];
static unsigned int gone_count;

static bool is_drm(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISCHR(status.st_mode) && major(status.st_rdev) == DRM_MAJOR;
}

struct open_files *open_files_read(void)
{
	struct open_files *files = calloc(1, sizeof(*files));
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;
	int fd;

	while (files && dir && (entry = readdir(dir))) {
		fd = atoi(entry->d_name);
		if (entry->d_name[0] == '.' || !is_drm(fd))
			continue;
		if (files->count == FILES_MAX) {
			free(files);
			files = NULL;
			break;
		}
		files->fds[files->count++] = fd;
	}
	if (dir)
		closedir(dir);
	return files;
}

static bool was_open(const struct open_files *files, int fd)
{
	unsigned int i;

	for (i = 0; i < files->count; i++)
		if (files->fds[i] == fd)
			return true;
	return false;
}

/* A file whose faults nobody reports is none. */
static void add_file(struct owner *owner, struct drmfault *fault, int fd)
{
	const struct drmfault_subscribe_args args = {
		.size = sizeof(args),
		.scope = DRMFAULT_SCOPE_FILE,
		.fd = fd,
		.queue_records = 1,
	};

	if (owner->count < OWNER_FILES &&
	    !drmfault_subscribe(fault, &args, &owner->files[owner->count]))
		owner->count++;
}

static void add_files(struct owner *owner, const struct open_files *before,
		      const struct open_files *now)
{
	struct drmfault *fault;
	unsigned int i;

	if (drmfault_open(NULL, &fault))
		return;
	for (i = 0; i < now->count; i++)
		if (!was_open(before, now->fds[i]))
			add_file(owner, fault, now->fds[i]);
	drmfault_close(fault);
}

void owner_begin(struct owner *owner, struct open_files *before)
{
	struct open_files *now = before ? open_files_read() : NULL;

	if (now)
		add_files(owner, before, now);
	free(now);
	free(before);
	pthread_mutex_lock(&lock);
	owner->next = first_owner;
	first_owner = owner;
	pthread_mutex_unlock(&lock);
}

/* With the lock held, for each record of its files; until @visit returns true. */
static bool visit_records(const struct owner *owner,
			  bool (*visit)(uint64_t *context, uint64_t of_record), uint64_t *context)
{
	const struct drmfault_record *record;
	struct drmfault_snapshot *snapshot;
	bool found = false;
	unsigned int i;
	size_t j;

	for (i = 0; i < owner->count && !found; i++) {
		if (drmfault_snapshot_take(owner->files[i], &snapshot))
			continue;
		for (j = 0; !found && (record = drmfault_snapshot_record(snapshot, j)); j++)
			found = visit(context, drmfault_record_context_id(record));
		drmfault_snapshot_free(snapshot);
	}
	return found;
}

static bool is_it(uint64_t *context, uint64_t of_record)
{
	return *context == of_record;
}

static bool has_context(const struct owner *owner, uint64_t context)
{
	return visit_records(owner, is_it, &context);
}

static bool is_gone(uint64_t context)
{
	unsigned int i;

	for (i = 0; i < GONE_MAX; i++)
		if (gone[i] == context)
			return true;
	return false;
}

static bool note_gone(uint64_t *context, uint64_t of_record)
{
	(void)context;
	if (!is_gone(of_record))
		gone[gone_count++ % GONE_MAX] = of_record;
	return false;
}

void owner_end(struct owner *owner)
{
	struct owner **at = &first_owner;

	pthread_mutex_lock(&lock);
	while (*at && *at != owner)
		at = &(*at)->next;
	if (*at)
		*at = owner->next;
	visit_records(owner, note_gone, NULL);
	while (owner->count)
		drmfault_stream_free(owner->files[--owner->count]);
	pthread_mutex_unlock(&lock);
}

/* Who has no file may share that of another device. */
bool owner_is_foreign(void *data, const struct drmfault_record *record)
{
	uint64_t context = drmfault_record_context_id(record);
	const struct owner *owner = data, *other;
	bool foreign;

	if (!owner->count || !context)
		return false;
	pthread_mutex_lock(&lock);
	foreign = is_gone(context);
	for (other = first_owner; other && !foreign; other = other->next)
		foreign = other != owner && has_context(other, context);
	foreign = foreign && !has_context(owner, context);
	pthread_mutex_unlock(&lock);
	return foreign;
}
