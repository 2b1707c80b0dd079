// SPDX-License-Identifier: MIT
#include "dump.h"
#include "judge.h"
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

static void visit_verdict(struct drmfault_bindings *bindings, struct report_verdict *judged,
			  bool is_ip, report_visit visit, void *data)
{
	judged->is_ip = is_ip;
	judged->verdict = judge(bindings, judged->record, is_ip);
	if (judged->verdict)
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
		visit_verdict(bindings, &judged, false, visit, data);
		visit_verdict(bindings, &judged, true, visit, data);
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
