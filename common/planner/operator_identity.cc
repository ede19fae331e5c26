#include "common/planner/operator_identity.h"

#include "common/plan/operator_text.h"

namespace thalweg {
namespace {

std::string listText(const std::vector<int>& columns, const Schema& schema) {
  std::string text = "[";
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) text += ", ";
    text += schema.column(static_cast<size_t>(columns[i])).name;
  }
  return text + "]";
}

std::string callsText(const std::vector<AggregateCallSpec>& calls, const Schema& input) {
  std::string text;
  for (const AggregateCallSpec& call : calls) {
    text += ", " + (call.function ? call.function->name : std::string("?")) + "(" + (call.distinct ? "DISTINCT " : "");
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      text += (i > 0 ? ", " : "") + input.column(static_cast<size_t>(call.arguments[i])).name;
    }
    text += ")";
    if (call.filter >= 0) text += " FILTER " + input.column(static_cast<size_t>(call.filter)).name;
    text += " AS " + call.name;
  }
  return text;
}

}  // namespace

std::string identityText(const Draft& draft) {
  std::string text(operatorKindName(draft.spec));
  const Schema* input = draft.inputs.empty() ? nullptr : &draft.inputs[0].draft->schema;
  if (const auto* source = std::get_if<SourceSpec>(&draft.spec)) {
    // What is read of a source depends on its readers; its splits only on the conditions that choose its files.
    text = source->table_name;
    if (source->filter) text += "|" + exprText(*source->filter, &draft.schema);
  } else if (const auto* calc = std::get_if<CalcSpec>(&draft.spec)) {
    text += "(select=[";
    for (size_t i = 0; i < calc->projections.size(); ++i) {
      if (i > 0) text += ", ";
      const std::string expression = exprText(*calc->projections[i], input);
      text += expression;
      if (expression != draft.schema.column(i).name) text += " AS " + draft.schema.column(i).name;
    }
    text += "]";
    if (calc->condition) text += ", where=[" + exprText(*calc->condition, input) + "]";
    text += ")";
  } else if (const auto* assigner = std::get_if<WatermarkAssignerSpec>(&draft.spec)) {
    text += "(rowtime=" + draft.schema.column(static_cast<size_t>(assigner->watermark.rowtime_column)).name + ", watermark=" +
            exprText(*assigner->watermark.expression, input) + ")";
  } else if (const auto* group = std::get_if<GroupAggregateSpec>(&draft.spec)) {
    std::string selected;
    for (const int key : group->keys) selected += (selected.empty() ? "" : ", ") + input->column(static_cast<size_t>(key)).name;
    const std::string calls = callsText(group->calls, *input);
    selected += selected.empty() && !calls.empty() ? calls.substr(2) : calls;
    text += "(" + (group->keys.empty() ? "" : "groupBy=" + listText(group->keys, *input) + ", ") + "select=[" + selected + "])";
  } else if (const auto* window = std::get_if<WindowAggregateSpec>(&draft.spec)) {
    static constexpr std::string_view kKinds[] = {"TUMBLE", "HOP", "CUMULATE", "SESSION"};
    text += "(groupBy=" + listText(window->keys, *input) + ", window=" + std::string(kKinds[static_cast<size_t>(window->window.kind)]) + "(" +
            std::to_string(window->window.size_ms) + " ms" + (window->window.slide_ms ? ", " + std::to_string(window->window.slide_ms) + " ms" : "") + ")" +
            (window->attached ? " attached" : "") + callsText(window->calls, *input) + ")";
  } else if (const auto* join = std::get_if<JoinSpec>(&draft.spec)) {
    static constexpr std::string_view kTypes[] = {"inner", "left", "right", "full", "semi", "anti"};
    text += "(type=" + std::string(kTypes[static_cast<size_t>(join->type)]) + ", left=" + listText(join->left_keys, *input) +
            ", right=" + listText(join->right_keys, draft.inputs[1].draft->schema) +
            (join->residual ? ", where=[" + exprText(*join->residual) + "]" : "") + ")";
  } else if (const auto* rank = std::get_if<RankSpec>(&draft.spec)) {
    text += "(partitionBy=" + listText(rank->partition_keys, *input) + ", ranks=[" + std::to_string(rank->start) + ", " +
            (rank->end_column >= 0 ? "column" : std::to_string(rank->end)) + "])";
  } else if (const auto* dedup = std::get_if<DeduplicateSpec>(&draft.spec)) {
    text += "(keep=" + std::string(dedup->keep_last ? "last" : "first") + ", key=" + listText(dedup->keys, *input) + ")";
  } else if (const auto* match = std::get_if<MatchSpec>(&draft.spec)) {
    text += "(" + matchText(*match, *input) + ")";
  } else if (const auto* sink = std::get_if<SinkSpec>(&draft.spec)) {
    text += "(table=" + sink->table_name + ")";
  }
  return text;
}

}  // namespace thalweg
