// SPDX-License-Identifier: MIT
#include "dump.h"
#include "object-type.h"
#include "report.h"

/* The binding that a candidate is about is given as those of the dump are. */
static json_t *candidate_json(const struct drmfault_verdict *verdict, size_t i)
{
	struct drmfault_verdict_candidate candidate = { .size = sizeof(candidate) };
	json_t *binding = json_null();

	if (drmfault_verdict_candidate(verdict, i, &candidate))
		return NULL;
	if (candidate.binding.length)
		binding = report_binding_json(&candidate.binding);
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "kind",
			 drmfault_verdict_kind_name(candidate.kind), "reason",
			 drmfault_verdict_reason_name(candidate.reason), "confidence",
			 drmfault_confidence_name(candidate.confidence), "text",
			 dump_text_json(drmfault_verdict_text(verdict, i)), "offset",
			 dump_address_json(candidate.offset), "offset_max",
			 dump_address_json(candidate.offset_max), "ago_ns",
			 dump_number_json(candidate.ago_ns), "binding", binding);
}

static json_t *verdict_json(const struct report_verdict *judged)
{
	json_t *candidates = json_array(), *candidate;
	size_t i;

	for (i = 0; candidates && (candidate = candidate_json(judged->verdict, i)); i++)
		json_array_append_new(candidates, candidate);
	return json_pack("{s:I, s:s, s:o, s:o}", "record", (json_int_t)judged->index, "subject",
			 judged->is_ip ? "ip" : "address", "forgotten",
			 dump_number_json(drmfault_verdict_incomplete(judged->verdict)),
			 "candidates", candidates);
}

/* That nothing is known to have been at an instruction pointer says nothing. */
static bool is_worth_telling(const struct report_verdict *judged)
{
	struct drmfault_verdict_candidate candidate = { .size = sizeof(candidate) };

	if (!judged->is_ip)
		return true;
	return !drmfault_verdict_candidate(judged->verdict, 0, &candidate) &&
	       candidate.kind != DRMFAULT_VERDICT_NEVER_BOUND;
}

static void judge(struct drmfault_bindings *bindings, const struct drmfault_record *record,
		  struct report_verdict *judged, report_visit visit, void *data)
{
	struct drmfault_verdict_args args = {
		.size = sizeof(args),
		.types = object_types,
		.type_count = object_type_count,
	};
	int ret = judged->is_ip ? drmfault_verdict_args_of_ip(record, &args)
				: drmfault_verdict_args_of_record(record, &args);

	if (ret || drmfault_verdict_make(bindings, &args, &judged->verdict))
		return;
	if (is_worth_telling(judged))
		visit(data, judged);
	drmfault_verdict_free(judged->verdict);
}

int report_judge(const struct report *report, report_visit visit, void *data)
{
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(report->dump);
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	struct report_verdict judged = { 0 };
	struct drmfault_bindings *bindings;
	size_t i;
	int ret;

	/* Where no objects are known, none says nothing. */
	if (drmfault_dump_binding(report->dump, 0, &binding))
		return 0;
	ret = drmfault_bindings_from_dump(report->dump, &bindings);
	if (ret)
		return ret;
	for (i = 0; i < drmfault_snapshot_count(snapshot); i++) {
		const struct drmfault_record *record = drmfault_snapshot_record(snapshot, i);

		if (!filters_pass(&report->options->filters, record))
			continue;
		judged.record = record;
		judged.is_ip = false;
		judge(bindings, record, &judged, visit, data);
		judged.is_ip = true;
		judge(bindings, record, &judged, visit, data);
		judged.index++;
	}
	drmfault_bindings_free(bindings);
	return 0;
}

static void append(void *data, const struct report_verdict *judged)
{
	json_array_append_new(data, verdict_json(judged));
}

json_t *report_verdicts_json(const struct report *report)
{
	json_t *array = json_array();

	if (array && report_judge(report, append, array)) {
		json_decref(array);
		return NULL;
	}
	return array;
}
