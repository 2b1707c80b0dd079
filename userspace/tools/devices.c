// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"
#include "value.h"

/* One value of a GPU; exactly one getter is set. */
static const struct column {
	const char *name;
	const char *heading;
	bool left;
	/* Only the privileged know it. */
	bool privileged;
	enum value_kind kind;
	uint32_t (*get32)(const struct drmfault_device *device);
	uint64_t (*get64)(const struct drmfault_device *device);
	int (*minor)(const struct drmfault_device *device);
	const char *(*string)(const struct drmfault_device *device);
} columns[] = {
	{ .name = "id", .heading = "ID", .kind = VALUE_NUMBER, .get32 = drmfault_device_id },
	{ .name = "name",
	  .heading = "NAME",
	  .left = true,
	  .kind = VALUE_STRING,
	  .string = drmfault_device_name },
	{ .name = "driver",
	  .heading = "DRIVER",
	  .left = true,
	  .kind = VALUE_STRING,
	  .string = drmfault_device_driver },
	{ .name = "bus",
	  .heading = "BUS",
	  .left = true,
	  .kind = VALUE_STRING,
	  .string = drmfault_device_bus },
	{ .name = "card",
	  .heading = "CARD",
	  .kind = VALUE_NUMBER,
	  .minor = drmfault_device_primary_minor },
	{ .name = "render",
	  .heading = "RENDER",
	  .kind = VALUE_NUMBER,
	  .minor = drmfault_device_render_minor },
	{ .name = "address_bits",
	  .heading = "BITS",
	  .kind = VALUE_NUMBER,
	  .get32 = drmfault_device_address_bits },
	{ .name = "events",
	  .heading = "EVENTS",
	  .privileged = true,
	  .kind = VALUE_NUMBER,
	  .get64 = drmfault_device_events },
	{ .name = "records",
	  .heading = "RECORDS",
	  .privileged = true,
	  .kind = VALUE_NUMBER,
	  .get64 = drmfault_device_records },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

struct list {
	struct drmfault_device **devices;
	size_t count;
	bool privileged;
};

static struct value column_value(const struct column *column, const struct drmfault_device *device,
				 bool privileged)
{
	struct value value = { .kind = column->kind };

	if (column->privileged && !privileged)
		value.kind = VALUE_NONE;
	else if (column->minor && column->minor(device) < 0)
		value.kind = VALUE_NONE;
	else if (column->minor)
		value.number = (uint64_t)column->minor(device);
	else if (column->string)
		value.text = column->string(device);
	else
		value.number = column->get64 ? column->get64(device) : column->get32(device);
	return value;
}

static json_t *device_json(const struct drmfault_device *device, bool privileged)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; object && i < COLUMNS; i++) {
		struct value value = column_value(&columns[i], device, privileged);

		if (json_object_set_new(object, columns[i].name, value_json(&value))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static json_t *list_json(const struct list *list)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < list->count; i++) {
		if (json_array_append_new(array, device_json(list->devices[i], list->privileged))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static void print_cell(const struct column *column, const char *text, int width)
{
	printf("%*s%s", column->left ? -width : width, text,
	       column == &columns[COLUMNS - 1] ? "\n" : "  ");
}

static void print_table(const struct list *list)
{
	int widths[COLUMNS];
	char text[VALUE_TEXT];
	struct value value;
	size_t i, j;

	for (j = 0; j < COLUMNS; j++) {
		widths[j] = (int)strlen(columns[j].heading);
		for (i = 0; i < list->count; i++) {
			value = column_value(&columns[j], list->devices[i], list->privileged);
			value_text(&value, text, sizeof(text));
			if (widths[j] < (int)strlen(text))
				widths[j] = (int)strlen(text);
		}
	}
	for (j = 0; j < COLUMNS; j++)
		print_cell(&columns[j], columns[j].heading, widths[j]);
	for (i = 0; i < list->count; i++) {
		for (j = 0; j < COLUMNS; j++) {
			value = column_value(&columns[j], list->devices[i], list->privileged);
			print_cell(&columns[j], value_text(&value, text, sizeof(text)), widths[j]);
		}
	}
}

static int list_fill(struct list *list, struct drmfault *fault)
{
	struct drmfault_device **longer;
	struct drmfault_device *device;
	uint32_t id = 0;
	int ret;

	list->privileged = drmfault_is_privileged(fault);
	while (!(ret = drmfault_device_next(fault, id, &device))) {
		longer = realloc(list->devices, (list->count + 1) * sizeof(*longer));
		if (!longer) {
			drmfault_device_free(device);
			return -ENOMEM;
		}
		list->devices = longer;
		list->devices[list->count++] = device;
		id = drmfault_device_id(device);
	}
	return ret == -ENODEV ? 0 : ret;
}

static void list_free(struct list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		drmfault_device_free(list->devices[i]);
	free(list->devices);
}

static int run(const struct options *options)
{
	struct list list = { 0 };
	struct drmfault *fault;
	int ret = open_fault(&fault);

	if (ret)
		return ret;
	ret = list_fill(&list, fault);
	drmfault_close(fault);
	if (ret)
		ret = complain("list the GPUs", ret);
	else if (options->json)
		ret = print_json(list_json(&list));
	else if (list.count)
		print_table(&list);
	else
		puts("No GPU reports faults: none of the loaded drivers uses drm_fault.");
	list_free(&list);
	return ret ? ret : finish_output();
}

const struct command command_devices = {
	.name = "devices",
	.summary = "List the GPUs that report faults",
	.options = "j",
	.run = run,
};
