// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "table.h"

static const char *const coverages[] = {
	[COVERED] = "yes",
	[NOT_COVERED] = "no",
	[NO_GPU] = "no GPU",
};

int machine_read(const char *sys, struct machine *machine)
{
	int ret = hooks_read(sys, &machine->hooks);

	if (ret)
		return ret;
	ret = cards_read(sys, &machine->cards);
	if (ret < 0)
		return ret;
	machine->card_count = (size_t)ret;
	return 0;
}

void machine_free(struct machine *machine)
{
	hooks_free(&machine->hooks);
	free(machine->cards);
	free(machine->reported);
}

int machine_status(const struct machine *machine)
{
	struct diagnosis diagnosis;
	size_t i, covered = 0;
	uint32_t gives;

	for (i = 0; i < machine->card_count; i++) {
		switch (diagnose_card(machine, &machine->cards[i], &gives, &diagnosis)) {
		case NOT_COVERED:
			return DOCTOR_NOT_COVERED;
		case COVERED:
			covered++;
			break;
		case NO_GPU:
			break;
		}
	}
	return covered ? EXIT_SUCCESS : DOCTOR_CANNOT_TELL;
}

/* Two sentences as one. */
static void add_why(struct table *table, const struct diagnosis *diagnosis)
{
	table_add(table, "%s%s%s", diagnosis->reason, *diagnosis->advice ? "; " : "",
		  diagnosis->advice);
}

static int cards_text(const struct machine *machine)
{
	static const char *const headings[] = { "CARD",	 "DRIVER", "BUS", "COVERED",
						"GIVES", "WHY",	   NULL };
	char words[64];
	struct diagnosis diagnosis;
	enum coverage coverage;
	struct table table;
	uint32_t gives;
	size_t i;

	if (!machine->card_count) {
		puts("No GPU has a driver here.");
		return 0;
	}
	table_begin(&table, headings);
	for (i = 0; i < machine->card_count; i++) {
		const struct card *card = &machine->cards[i];

		coverage = diagnose_card(machine, card, &gives, &diagnosis);
		table_add(&table, "card%" PRIu32, card->minor);
		table_add(&table, "%s", card_driver(machine, card));
		table_add(&table, "%s", card->bus);
		table_add(&table, "%s", coverages[coverage]);
		table_add(&table, "%s", gives_text(gives, words, sizeof(words)));
		add_why(&table, &diagnosis);
	}
	return table_end(&table);
}

static void add_count(struct table *table, const struct hook *hook, uint64_t count)
{
	if (hook->counted)
		table_add(table, "%" PRIu64, count);
	else
		table_add(table, "%s", "");
}

static int hooks_text(const struct hook_list *list)
{
	static const char *const headings[] = { "SET",	  "HOOK",    "STATE", "GIVES", ">HITS",
						">DROPS", ">MISSED", "WHY",   NULL };
	char words[64];
	struct diagnosis diagnosis;
	struct table table;
	size_t i;

	table_begin(&table, headings);
	for (i = 0; i < list->hook_count; i++) {
		const struct hook *hook = &list->hooks[i];

		diagnosis = diagnose_hook(list, hook);
		table_add(&table, "%s", hook->set);
		table_add(&table, "%s", hook->symbol);
		table_add(&table, "%s", hook->state_name);
		table_add(&table, "%s", gives_text(hook->gives, words, sizeof(words)));
		add_count(&table, hook, hook->hits);
		add_count(&table, hook, hook->drops);
		add_count(&table, hook, hook->missed);
		add_why(&table, &diagnosis);
	}
	return table_end(&table);
}

/* Only what is missing, and nothing if nothing is. */
static int fields_text(const struct hook_list *list)
{
	static const char *const headings[] = { "SET", "LAYOUT", "WHY", "WHAT THAT COSTS", NULL };
	struct diagnosis diagnosis;
	struct table table;
	size_t i;

	table_begin(&table, headings);
	for (i = 0; i < list->field_count; i++) {
		diagnosis = diagnose_field(list, &list->fields[i]);
		if (!*diagnosis.reason)
			continue;
		if (table.count == table.columns)
			puts("\nLayouts that are not known");
		table_add(&table, "%s", list->fields[i].set);
		table_add(&table, "%s", list->fields[i].name);
		table_add(&table, "%s", diagnosis.reason);
		table_add(&table, "%s", diagnosis.advice);
	}
	return table_end(&table);
}

int machine_text(const struct machine *machine)
{
	int ret = cards_text(machine);

	putchar('\n');
	if (!ret)
		ret = hooks_text(&machine->hooks);
	return ret ? ret : fields_text(&machine->hooks);
}

static json_t *gives_json(uint32_t gives)
{
	json_t *array = json_array();
	unsigned int i;

	for (i = 0; hook_gives_name(i); i++)
		if (gives >> i & 1)
			json_array_append_new(array, json_string(hook_gives_name(i)));
	return array;
}

static json_t *text_json(const char *text)
{
	return *text ? json_string(text) : json_null();
}

static json_t *count_json(const struct hook *hook, uint64_t count)
{
	return hook->counted ? json_integer((json_int_t)count) : json_null();
}

static json_t *card_json(const struct machine *machine, const struct card *card)
{
	struct diagnosis diagnosis;
	uint32_t gives;
	enum coverage coverage = diagnose_card(machine, card, &gives, &diagnosis);

	return json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:o}", "card", (int)card->minor, "driver",
			 card_driver(machine, card), "bus", card->bus, "covered",
			 coverage == NO_GPU ? json_null() : json_boolean(coverage == COVERED),
			 "gives", gives_json(gives), "reason", text_json(diagnosis.reason),
			 "advice", text_json(diagnosis.advice));
}

json_t *hook_json(const struct hook_list *list, const struct hook *hook)
{
	struct diagnosis diagnosis = diagnose_hook(list, hook);

	return json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:i, s:b, s:o, s:o, s:o, s:o, s:o, s:o, "
			 "s:o}",
			 "set", hook->set, "symbol", hook->symbol, "module", hook->module, "kind",
			 hook->kind, "gives", gives_json(hook->gives), "state", hook->state_name,
			 "error", hook->error, "checked", hook->checked, "prototype",
			 text_json(hook->prototype), "found", text_json(hook->found), "hits",
			 count_json(hook, hook->hits), "drops", count_json(hook, hook->drops),
			 "missed", count_json(hook, hook->missed), "reason",
			 text_json(diagnosis.reason), "advice", text_json(diagnosis.advice));
}

static json_t *field_json(const struct hook_list *list, const struct hook_field *field)
{
	struct diagnosis diagnosis = diagnose_field(list, field);

	return json_pack("{s:s, s:s, s:o, s:o, s:o}", "set", field->set, "name", field->name,
			 "offset", field->offset < 0 ? json_null() : json_integer(field->offset),
			 "reason", text_json(diagnosis.reason), "cost",
			 text_json(diagnosis.advice));
}

json_t *machine_json(const struct machine *machine)
{
	json_t *gpus = json_array(), *hooks = json_array(), *layouts = json_array();
	int status = machine_status(machine), failed = 0;
	const struct hook_list *list = &machine->hooks;
	size_t i;

	for (i = 0; i < machine->card_count; i++)
		failed |= json_array_append_new(gpus, card_json(machine, &machine->cards[i]));
	for (i = 0; i < list->hook_count; i++)
		failed |= json_array_append_new(hooks, hook_json(list, &list->hooks[i]));
	for (i = 0; i < list->field_count; i++)
		failed |= json_array_append_new(layouts, field_json(list, &list->fields[i]));
	if (failed) {
		json_decref(gpus);
		json_decref(hooks);
		json_decref(layouts);
		return NULL;
	}
	return json_pack("{s:o, s:o, s:o, s:o}", "covered",
			 status == DOCTOR_CANNOT_TELL ? json_null()
						      : json_boolean(status == EXIT_SUCCESS),
			 "gpus", gpus, "hooks", hooks, "layouts", layouts);
}
