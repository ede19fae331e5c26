// MATCH_RECOGNIZE: one operator per partition of its keys, over inserts only.

#include "common/planner/physical_builder.h"

namespace thalweg {
namespace {

void remapValues(std::vector<MatchValue>& values, const std::vector<int>& columns) {
  for (MatchValue& value : values) {
    if (value.column >= 0) value.column = columns[static_cast<size_t>(value.column)];
    value.call.arguments = remapColumnList(value.call.arguments, columns);
  }
}

}  // namespace

Result<Built> PhysicalBuilder::buildMatch(const LogicalMatch& match) {
  ASSIGN_OR_RETURN(Built input, build(match.inputs[0]));
  input = prune(std::move(input), required_.of(*match.inputs[0]), match.inputs[0]->schema);
  if (!input.draft->mode.isInsertOnly()) {
    return Status::plan("MATCH_RECOGNIZE reads inserts only, but its input has updates; aggregate or join behind it, not before");
  }
  MatchSpec spec = match.match;
  spec.partition_keys = remapColumnList(spec.partition_keys, input.columns);
  spec.order_by = remapSortKeys(spec.order_by, input.columns);
  spec.time_column = input.columns[static_cast<size_t>(spec.time_column)];
  for (MatchVariable& variable : spec.pattern) remapValues(variable.values, input.columns);
  remapValues(spec.measure_values, input.columns);
  const Distribution distribution = hashOn(spec.partition_keys);
  Built built;
  built.columns = identityColumns(match.schema.size());
  built.draft = makeDraft(std::move(spec), {{input.draft, distribution}}, match.schema, input.draft->mode);
  return built;
}

}  // namespace thalweg
