// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hooks.h"

#define LAYOUT_SIZE 65536

static const char *const gives[] = { "fault", "status", "owner", "ip", "hang", "dump" };

static const char *const states[] = {
	[HOOK_OFF] = "off",	  [HOOK_WAITING] = "waiting", [HOOK_ATTACHED] = "attached",
	[HOOK_ABSENT] = "absent", [HOOK_DIFFERS] = "differs", [HOOK_FAILED] = "failed",
};

const char *hook_gives_name(unsigned int i)
{
	return i < sizeof(gives) / sizeof(gives[0]) ? gives[i] : NULL;
}

/* Without the newline at its end; empty if it cannot be read, then false. */
static bool read_text(int folder, const char *name, char *text, size_t size)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	ssize_t length = -1;

	if (fd >= 0) {
		length = read(fd, text, size - 1);
		close(fd);
	}
	text[length > 0 ? length : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return length >= 0;
}

static bool read_count(int folder, const char *name, uint64_t *count)
{
	char text[HOOK_TEXT];

	if (!read_text(folder, name, text, sizeof(text)))
		return false;
	*count = strtoull(text, NULL, 10);
	return true;
}

static uint32_t gives_of(char *text)
{
	uint32_t bits = 0;
	unsigned int i;
	char *word, *rest;

	for (word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		for (i = 0; hook_gives_name(i); i++)
			if (!strcmp(word, hook_gives_name(i)))
				bits |= UINT32_C(1) << i;
	return bits;
}

static enum hook_state state_of(const char *text)
{
	unsigned int i;

	for (i = 0; i < HOOK_STATES; i++)
		if (!strcmp(states[i], text))
			return (enum hook_state)i;
	return HOOK_STATES;
}

static void read_hook(int folder, struct hook *hook)
{
	char text[HOOK_TEXT];

	read_text(folder, "symbol", hook->symbol, sizeof(hook->symbol));
	read_text(folder, "module", hook->module, sizeof(hook->module));
	read_text(folder, "kind", hook->kind, sizeof(hook->kind));
	read_text(folder, "prototype", hook->prototype, sizeof(hook->prototype));
	read_text(folder, "found", hook->found, sizeof(hook->found));
	read_text(folder, "state", hook->state_name, sizeof(hook->state_name));
	hook->state = state_of(hook->state_name);
	read_text(folder, "provides", text, sizeof(text));
	hook->gives = gives_of(text);
	read_text(folder, "error", text, sizeof(text));
	hook->error = atoi(text);
	read_text(folder, "checked", text, sizeof(text));
	hook->checked = text[0] == '1';
	hook->counted = read_count(folder, "hits", &hook->hits) &&
			read_count(folder, "drops", &hook->drops) &&
			read_count(folder, "missed", &hook->missed);
}

/* Room for one more; the new element is zeroed. */
static void *grow(void **array, size_t *count, size_t size)
{
	char *more = realloc(*array, (*count + 1) * size);

	if (!more)
		return NULL;
	*array = more;
	return memset(more + (*count)++ * size, 0, size);
}

#define GROW(list, array) \
	grow((void **)&(list)->array##s, &(list)->array##_count, sizeof(*(list)->array##s))

/* Lines "TYPE.PATH OFFSET". */
static int read_layout(int folder, const char *set, struct hook_list *list)
{
	char *text = calloc(1, LAYOUT_SIZE), *line, *rest, *space;
	int fd = openat(folder, "layout", O_RDONLY | O_CLOEXEC);
	struct hook_field *field;
	int ret = 0;

	if (!text)
		ret = -ENOMEM;
	else if (fd >= 0 && read(fd, text, LAYOUT_SIZE - 1) < 0)
		text[0] = '\0';
	for (line = ret ? NULL : strtok_r(text, "\n", &rest); !ret && line;
	     line = strtok_r(NULL, "\n", &rest)) {
		space = strrchr(line, ' ');
		if (!space)
			continue;
		*space = '\0';
		field = GROW(list, field);
		if (!field) {
			ret = -ENOMEM;
			break;
		}
		snprintf(field->set, sizeof(field->set), "%s", set);
		snprintf(field->name, sizeof(field->name), "%s", line);
		field->offset = atoi(space + 1);
	}
	if (fd >= 0)
		close(fd);
	free(text);
	return ret;
}

static int is_folder(const struct dirent *entry)
{
	return entry->d_type == DT_DIR && entry->d_name[0] != '.';
}

static int each_folder(int parent, const char *name,
		       int (*read)(int folder, const char *name, struct hook_list *list),
		       struct hook_list *list)
{
	int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int ret = folder < 0 ? -errno : read(folder, name, list);

	if (folder >= 0)
		close(folder);
	return ret;
}

static int add_hook(int folder, const char *name, struct hook_list *list)
{
	struct hook *hook = GROW(list, hook);

	(void)name;
	if (!hook)
		return -ENOMEM;
	memcpy(hook->set, list->sets[list->set_count - 1].name, sizeof(hook->set));
	read_hook(folder, hook);
	return 0;
}

static int scan(int folder, int (*read)(int folder, const char *name, struct hook_list *list),
		struct hook_list *list)
{
	struct dirent **entries;
	int i, ret = 0, count = scandirat(folder, ".", &entries, is_folder, alphasort);

	if (count < 0)
		return -errno;
	for (i = 0; i < count; i++) {
		if (!ret)
			ret = each_folder(folder, entries[i]->d_name, read, list);
		free(entries[i]);
	}
	free(entries);
	return ret;
}

static int add_set(int folder, const char *name, struct hook_list *list)
{
	struct hook_set *set = GROW(list, set);
	int ret;

	if (!set)
		return -ENOMEM;
	snprintf(set->name, sizeof(set->name), "%s", name);
	read_text(folder, "driver", set->driver, sizeof(set->driver));
	ret = read_layout(folder, name, list);
	return ret ? ret : scan(folder, add_hook, list);
}

static int add_all(int folder, const char *name, struct hook_list *list)
{
	(void)name;
	return scan(folder, add_set, list);
}

int hooks_read(const char *sys, struct hook_list *list)
{
	char path[4096];
	int ret;

	memset(list, 0, sizeof(*list));
	snprintf(path, sizeof(path), "%s/%s", sys, HOOKS_FOLDER);
	ret = each_folder(AT_FDCWD, path, add_all, list);
	if (ret)
		hooks_free(list);
	return ret;
}

void hooks_free(struct hook_list *list)
{
	free(list->sets);
	free(list->hooks);
	free(list->fields);
	memset(list, 0, sizeof(*list));
}

const struct hook_set *hooks_of_driver(const struct hook_list *list, const char *driver)
{
	size_t i;

	for (i = 0; i < list->set_count; i++)
		if (*list->sets[i].driver && !strcmp(list->sets[i].driver, driver))
			return &list->sets[i];
	return NULL;
}

uint32_t hooks_give(const struct hook_list *list, const char *set, const struct hook *but)
{
	uint32_t bits = 0;
	size_t i;

	for (i = 0; i < list->hook_count; i++)
		if (&list->hooks[i] != but && list->hooks[i].state == HOOK_ATTACHED &&
		    !strcmp(list->hooks[i].set, set))
			bits |= list->hooks[i].gives;
	return bits;
}
