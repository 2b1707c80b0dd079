// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "diagnose.h"

#define NOTHING "nothing is to be done"
#define UPDATE	"install a newer drm_fault, or tell its authors of this kernel"

const char *gives_text(uint32_t gives, char *text, size_t size)
{
	size_t used = 0;
	unsigned int i;

	text[0] = '\0';
	for (i = 0; hook_gives_name(i) && used < size; i++)
		if (gives >> i & 1)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
						 hook_gives_name(i));
	return text;
}

__attribute__((format(printf, 3, 4))) static void say(char *text, size_t size, const char *format,
						      ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(text, size, format, args);
	va_end(args);
}

#define REASON(d, ...) say((d)->reason, sizeof((d)->reason), __VA_ARGS__)
#define ADVICE(d, ...) say((d)->advice, sizeof((d)->advice), __VA_ARGS__)

/* What is lost without a hook, and what to do for it. */
static void advise_loss(const struct hook_list *list, const struct hook *hook,
			struct diagnosis *diagnosis)
{
	uint32_t lost = hook->gives & ~hooks_give(list, hook->set, hook);
	char text[64];

	if (!lost)
		ADVICE(diagnosis, "other hooks give the same: " NOTHING);
	else
		ADVICE(diagnosis, "%s: %s is missing: " UPDATE, hook->set,
		       gives_text(lost, text, sizeof(text)));
}

static const char *advice_of_error(int error)
{
	switch (-error) {
	case EPERM:
	case EACCES:
		return "the kernel is locked down: see its option lockdown=";
	case EOPNOTSUPP:
	case ENOSYS:
		return "use a kernel with CONFIG_KPROBES and CONFIG_KRETPROBES";
	case ENOMEM:
		return "free some memory and load drm_fault again";
	default:
		return UPDATE;
	}
}

struct diagnosis diagnose_hook(const struct hook_list *list, const struct hook *hook)
{
	struct diagnosis diagnosis = { 0 };

	switch (hook->state) {
	case HOOK_ATTACHED:
		break;
	case HOOK_OFF:
		REASON(&diagnosis, "hooks are switched off");
		ADVICE(&diagnosis, "load drm_fault with hooks=1");
		break;
	case HOOK_WAITING:
		REASON(&diagnosis, "%s is not loaded", hook->module);
		ADVICE(&diagnosis, "it attaches when that comes: " NOTHING);
		break;
	case HOOK_ABSENT:
		REASON(&diagnosis, "this kernel's %s has no such %s",
		       strcmp(hook->module, "vmlinux") ? hook->module : "image",
		       strcmp(hook->kind, "tracepoint") ? "function" : "tracepoint");
		advise_loss(list, hook, &diagnosis);
		break;
	case HOOK_DIFFERS:
		REASON(&diagnosis, "it is another one here: %s", hook->found);
		advise_loss(list, hook, &diagnosis);
		break;
	case HOOK_FAILED:
		REASON(&diagnosis, "the kernel refused: %s", strerror(-hook->error));
		ADVICE(&diagnosis, "%s", advice_of_error(hook->error));
		break;
	default:
		REASON(&diagnosis, "this program does not know the state \"%s\"", hook->state_name);
		ADVICE(&diagnosis, "update it");
	}
	return diagnosis;
}

/* What hooks read through private layouts, and which of them, NULL: any. */
static const struct {
	const char *set;
	const char *symbol;
	const char *cost;
} costs[] = {
	{ "iommu", "dmar_fault", "faults behind Intel VT-d are counted, and not recorded" },
	{ "wedged", "drm_dev_wedged_event",
	  "the record of a wedged GPU does not tell who is blamed" },
	{ NULL, NULL, "what is read there, mostly the owner, may be missing in records" },
};

static bool has_attached(const struct hook_list *list, const char *set, const char *symbol)
{
	size_t i;

	for (i = 0; i < list->hook_count; i++)
		if (list->hooks[i].state == HOOK_ATTACHED && !strcmp(list->hooks[i].set, set) &&
		    (!symbol || !strcmp(list->hooks[i].symbol, symbol)))
			return true;
	return false;
}

/* What hooks on the kernel itself see of a driver is nothing while that is not loaded. */
static bool waits_for_driver(const struct hook_list *list, const char *set)
{
	const struct hook *hook;
	bool waits = false;
	size_t i;

	for (i = 0; i < list->hook_count; i++) {
		hook = &list->hooks[i];
		if (strcmp(hook->set, set) || !strcmp(hook->module, "vmlinux"))
			continue;
		if (hook->state != HOOK_WAITING)
			return false;
		waits = true;
	}
	return waits;
}

/* Prototypes come from where layouts come from. */
static bool has_types(const struct hook_list *list, const char *set)
{
	size_t i;

	for (i = 0; i < list->hook_count; i++)
		if (list->hooks[i].checked && !strcmp(list->hooks[i].set, set))
			return true;
	return false;
}

struct diagnosis diagnose_field(const struct hook_list *list, const struct hook_field *field)
{
	struct diagnosis diagnosis = { 0 };
	size_t i = 0;

	while (costs[i].set && strcmp(costs[i].set, field->set))
		i++;
	if (field->offset >= 0 || waits_for_driver(list, field->set) ||
	    !has_attached(list, field->set, costs[i].symbol))
		return diagnosis;
	if (!has_types(list, field->set))
		REASON(&diagnosis, "the kernel tells no layouts there: use one with "
				   "CONFIG_DEBUG_INFO_BTF and CONFIG_DEBUG_INFO_BTF_MODULES");
	else if (field->offset == -ERANGE)
		REASON(&diagnosis, "it has another size in this kernel");
	else
		REASON(&diagnosis, "there is no such thing in this kernel");
	ADVICE(&diagnosis, "%s", costs[i].cost);
	return diagnosis;
}

static const struct reported *find_reported(const struct machine *machine, const struct card *card)
{
	size_t i;

	for (i = 0; i < machine->reported_count; i++)
		if (machine->reported[i].minor >= 0 &&
		    (uint32_t)machine->reported[i].minor == card->minor)
			return &machine->reported[i];
	return NULL;
}

const char *card_driver(const struct machine *machine, const struct card *card)
{
	const struct reported *reported = find_reported(machine, card);

	if (reported)
		return reported->driver;
	return *card->driver ? card->driver : card->bus;
}

/* GPUs that no one can cover. */
static const struct {
	const char *driver;
	enum coverage coverage;
	const char *reason;
	const char *advice;
} special[] = {
	{ "vgem", NO_GPU, "it is a GPU without hardware, for tests", "" },
	{ "vkms", NO_GPU, "it is a display without hardware, for tests", "" },
	/* From 7.x on these two are on a bus of things that are not there. */
	{ "faux_driver", NO_GPU, "it is a device without hardware, for tests", "" },
	{ "virtio_gpu", NOT_COVERED, "the GPU is one of the host, which alone sees its faults",
	  "use drm_fault there" },
	{ "nvidia", NOT_COVERED, "this driver is not part of the kernel, and no hook knows it",
	  "its Xid messages are in the kernel's log" },
};

static bool all_off(const struct hook_list *list)
{
	size_t i;

	for (i = 0; i < list->hook_count; i++)
		if (list->hooks[i].state != HOOK_OFF)
			return false;
	return true;
}

/* What the drivers of several GPUs share: sets of nobody's. */
static uint32_t shared_gives(const struct hook_list *list)
{
	uint32_t bits = 0;
	size_t i;

	for (i = 0; i < list->set_count; i++)
		if (!*list->sets[i].driver && strcmp(list->sets[i].name, "iommu"))
			bits |= hooks_give(list, list->sets[i].name, NULL);
	return bits;
}

static enum coverage diagnose_reported(const struct machine *machine, const char *driver,
				       uint32_t *gives, struct diagnosis *diagnosis)
{
	const struct hook_set *set = hooks_of_driver(&machine->hooks, driver);
	uint32_t own;

	/* Without hooks only drivers that report themselves are known. */
	if (!set || all_off(&machine->hooks)) {
		REASON(diagnosis, "its driver reports itself");
		return COVERED;
	}
	own = hooks_give(&machine->hooks, set->name, NULL);
	*gives = own | shared_gives(&machine->hooks);
	if (own & HOOK_GIVES_FAULT) {
		REASON(diagnosis, "by hooks");
		return COVERED;
	}
	REASON(diagnosis, "no hook that sees faults of %s is attached", driver);
	ADVICE(diagnosis, "see below what each of them lacks");
	return NOT_COVERED;
}

static enum coverage diagnose_unreported(const struct machine *machine, const char *driver,
					 struct diagnosis *diagnosis)
{
	if (!hooks_of_driver(&machine->hooks, driver)) {
		REASON(diagnosis, "no hook knows the driver %s, and it does not report itself",
		       *driver ? driver : "of this GPU");
		ADVICE(diagnosis, "ask for it, or add hooks");
	} else if (all_off(&machine->hooks)) {
		REASON(diagnosis, "hooks are switched off");
		ADVICE(diagnosis, "load drm_fault with hooks=1");
	} else {
		REASON(diagnosis, "drm_fault could not take it in");
		ADVICE(diagnosis, "see the kernel's log");
	}
	return NOT_COVERED;
}

enum coverage diagnose_card(const struct machine *machine, const struct card *card, uint32_t *gives,
			    struct diagnosis *diagnosis)
{
	const char *driver = card_driver(machine, card);
	size_t i;

	*gives = 0;
	memset(diagnosis, 0, sizeof(*diagnosis));
	if (find_reported(machine, card))
		return diagnose_reported(machine, driver, gives, diagnosis);
	for (i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
		if (strcmp(special[i].driver, driver))
			continue;
		REASON(diagnosis, "%s", special[i].reason);
		ADVICE(diagnosis, "%s", special[i].advice);
		return special[i].coverage;
	}
	if (card->renders)
		return diagnose_unreported(machine, driver, diagnosis);
	REASON(diagnosis, "it displays, and runs no jobs");
	return NO_GPU;
}
