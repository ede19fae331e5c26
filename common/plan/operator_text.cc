#include "common/plan/operator_text.h"

#include <array>

#include "common/types/value_text.h"

namespace thalweg {

std::string columnListText(const std::vector<int>& columns, const Schema& schema) {
  std::string text;
  for (int column : columns) text += (text.empty() ? "" : ", ") + schema.column(static_cast<size_t>(column)).name;
  return text;
}

std::string sortKeysText(const std::vector<SortKey>& keys, const Schema& schema) {
  std::string text;
  for (const SortKey& key : keys) {
    bool descending = key.direction == SortDirection::DESCENDING;
    text += (text.empty() ? "" : ", ") + schema.column(static_cast<size_t>(key.column)).name + (descending ? " DESC" : " ASC");
    if (descending != (key.nulls == NullOrder::LAST)) text += descending ? " NULLS FIRST" : " NULLS LAST";
  }
  return text;
}

std::string aggregateCallText(const AggregateCallSpec& call, const Schema& input) {
  std::string text = call.function->name + "(";
  if (call.distinct) text += "DISTINCT ";
  bool star = call.arguments.empty() && call.function->name == "COUNT";
  text += star ? "*" : columnListText(call.arguments, input);
  if (!call.order_by.empty()) text += " ORDER BY " + sortKeysText(call.order_by, input);
  text += ")";
  if (call.filter >= 0) text += " FILTER " + input.column(static_cast<size_t>(call.filter)).name;
  return text;
}

std::string durationText(int64_t millis) {
  struct Unit {
    int64_t millis;
    const char* name;
  };
  constexpr std::array<Unit, 4> kUnits = {{{86'400'000, " d"}, {3'600'000, " h"}, {60'000, " min"}, {1000, " s"}}};
  for (const Unit& unit : kUnits) {
    if (millis != 0 && millis % unit.millis == 0) return std::to_string(millis / unit.millis) + unit.name;
  }
  return std::to_string(millis) + " ms";
}

std::string windowSpecText(const WindowSpec& window, const Schema& input) {
  static constexpr std::array<const char*, 4> kNames = {"TUMBLE", "HOP", "CUMULATE", "SESSION"};
  std::string text = std::string(kNames[static_cast<size_t>(window.kind)]) + "(";
  if (window.time_column >= 0) text += "time=[" + input.column(static_cast<size_t>(window.time_column)).name + "], ";
  text += (window.kind == WindowKind::SESSION ? "gap=[" : "size=[") + durationText(window.size_ms) + "]";
  if (window.slide_ms) text += (window.kind == WindowKind::HOP ? ", slide=[" : ", step=[") + durationText(window.slide_ms) + "]";
  if (window.offset_ms) text += ", offset=[" + durationText(window.offset_ms) + "]";
  if (!window.partition_keys.empty()) text += ", partitionBy=[" + columnListText(window.partition_keys, input) + "]";
  return text + ")";
}

std::string frameText(const OverAggregateSpec& window) {
  const auto bound = [&](const std::optional<int64_t>& distance, bool start) {
    if (!distance) return std::string(start ? "UNBOUNDED PRECEDING" : "UNBOUNDED FOLLOWING");
    if (*distance == 0) return std::string("CURRENT ROW");
    bool before = (*distance > 0) == start;
    int64_t value = *distance < 0 ? -*distance : *distance;
    return std::to_string(value) + (before ? " PRECEDING" : " FOLLOWING");
  };
  return std::string(window.rows_frame ? "ROWS" : "RANGE") + " BETWEEN " + bound(window.preceding, true) + " AND " +
         bound(window.following, false);
}

std::string matchText(const MatchSpec& match, const Schema& input) {
  static constexpr std::array<const char*, 4> kSkips = {"TO NEXT ROW", "PAST LAST ROW", "TO FIRST ", "TO LAST "};
  std::string pattern;
  for (const MatchVariable& variable : match.pattern) {
    pattern += (pattern.empty() ? "" : " ") + variable.name;
    if (variable.min == 1 && variable.max == 1) continue;
    pattern += "{" + std::to_string(variable.min) + "," + (variable.max ? std::to_string(*variable.max) : std::string()) + "}";
    if (variable.reluctant) pattern += "?";
  }
  std::string text = "partitionBy=[" + columnListText(match.partition_keys, input) + "], orderBy=[" +
                     input.column(static_cast<size_t>(match.time_column)).name;
  if (!match.order_by.empty()) text += ", " + sortKeysText(match.order_by, input);
  text += "], pattern=[" + pattern + "], skip=[" + kSkips[static_cast<size_t>(match.skip)];
  if (match.skip_variable >= 0) text += match.pattern[static_cast<size_t>(match.skip_variable)].name;
  text += "]";
  if (match.within_ms > 0) text += ", within=[" + durationText(match.within_ms) + "]";
  return text;
}

std::string_view operatorKindName(const OperatorSpec& spec) {
  static constexpr std::array<std::string_view, std::variant_size_v<OperatorSpec>> kNames = {
      "TableSourceScan", "Values", "Calc", "WatermarkAssigner", "GroupAggregate", "WindowTableFunction", "WindowAggregate",
      "Join", "IntervalJoin", "TemporalJoin", "WindowJoin", "Rank", "Deduplicate", "WindowRank", "Sort", "TemporalSort",
      "Limit", "OverAggregate", "Correlate", "Expand", "Union", "ChangelogNormalize", "DropUpdateBefore", "Sink", "Collect", "Match",
      "ChangelogText"};
  return kNames[spec.index()];
}

}  // namespace thalweg
