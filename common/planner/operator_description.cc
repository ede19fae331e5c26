#include "common/planner/operator_description.h"

#include <algorithm>

#include "common/plan/operator_text.h"

namespace thalweg {
namespace {

std::string bracketed(const char* name, const std::string& text) { return std::string(name) + "=[" + text + "]"; }

std::string namesOf(const Schema& schema) { return columnListText(identityColumns(schema.size()), schema); }

/// The columns of a join's two inputs, each with a name of its own.
Schema bothInputs(const Schema& left, const Schema& right) {
  std::vector<Column> columns = left.columns();
  for (Column column : right.columns()) {
    const auto taken = [&](const std::string& name) {
      return std::any_of(columns.begin(), columns.end(), [&](const Column& other) { return other.name == name; });
    };
    const std::string name = column.name;
    for (int number = 0; taken(column.name); ++number) column.name = name + std::to_string(number);
    columns.push_back(std::move(column));
  }
  return Schema(std::move(columns));
}

bool isInternal(const std::string& name) { return name.starts_with('$'); }

/// The draft's columns; those that only pass a column on under a name of our own go by the name it had.
Schema shownColumns(const Draft& draft) {
  const auto* calc = std::get_if<CalcSpec>(&draft.spec);
  const bool hides = calc != nullptr && std::any_of(draft.schema.columns().begin(), draft.schema.columns().end(),
                                                    [](const Column& column) { return isInternal(column.name); });
  if (!hides) return draft.schema;
  const Schema below = shownColumns(*draft.inputs[0].draft);
  std::vector<Column> columns = draft.schema.columns();
  for (size_t i = 0; i < columns.size(); ++i) {
    if (isInternal(columns[i].name) && calc->projections[i]->isColumn()) columns[i].name = below.column(static_cast<size_t>(calc->projections[i]->index)).name;
  }
  return Schema(std::move(columns));
}

/// One part of the text after the other, separated by commas.
class Parts {
 public:
  Parts& add(const std::string& part) {
    text_ += (text_.empty() ? "" : ", ") + part;
    return *this;
  }
  Parts& add(const char* name, const std::string& text) { return add(bracketed(name, text)); }
  Parts& addIf(bool wanted, const char* name, const std::string& text) { return wanted ? add(name, text) : *this; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class Describer {
 public:
  explicit Describer(const Draft& draft) : draft_(draft) {
    for (const DraftInput& input : draft.inputs) inputs_.push_back(shownColumns(*input.draft));
  }

  std::string operator()(const SourceSpec& spec) const {
    Parts parts;
    parts.add("table", spec.table_name);
    if (spec.filter) parts.add("partitions", exprText(*spec.filter, &draft_.schema));
    if (spec.limit) parts.add("limit", std::to_string(*spec.limit));
    return parts.add("fields", namesOf(draft_.schema)).text();
  }
  std::string operator()(const ValuesSpec& spec) const {
    return Parts().add("rows", std::to_string(spec.rows.size())).add("fields", namesOf(draft_.schema)).text();
  }
  std::string operator()(const CalcSpec& spec) const {
    std::string select;
    for (size_t i = 0; i < spec.projections.size(); ++i) {
      const std::string expression = exprText(*spec.projections[i], &input());
      const std::string& name = draft_.schema.column(i).name;
      const bool is_named = expression != name && !(isInternal(name) && spec.projections[i]->isColumn());
      select += (i > 0 ? ", " : "") + expression + (is_named ? " AS " + name : "");
    }
    Parts parts;
    parts.add("select", select);
    if (spec.condition) parts.add("where", exprText(*spec.condition, &input()));
    return parts.text();
  }
  std::string operator()(const WatermarkAssignerSpec& spec) const {
    Parts parts;
    parts.add("rowtime", nameOf(spec.watermark.rowtime_column)).add("watermark", exprText(*spec.watermark.expression, &input()));
    return parts.addIf(spec.watermark.idle_timeout_ms > 0, "idleTimeout", durationText(spec.watermark.idle_timeout_ms)).text();
  }
  std::string operator()(const GroupAggregateSpec& spec) const {
    return Parts().addIf(!spec.keys.empty(), "groupBy", list(spec.keys)).add("select", selected(spec.keys, spec.calls)).text();
  }
  std::string operator()(const WindowTableFunctionSpec& spec) const {
    return Parts().add("window", windowSpecText(spec.window, input())).text();
  }
  std::string operator()(const WindowAggregateSpec& spec) const {
    Parts parts;
    parts.addIf(!spec.keys.empty(), "groupBy", list(spec.keys));
    parts.add("window", spec.attached ? attachedText(spec) : windowSpecText(spec.window, input()));
    return parts.add("select", selected(spec.keys, spec.calls)).text();
  }
  std::string operator()(const JoinSpec& spec) const {
    Parts parts;
    addJoin(parts, spec, {});
    if (spec.final_only) return parts.add("build", "right").text();
    return parts.add("leftInputSpec", keyText(spec.left_unique_key, spec.left_keys)).add("rightInputSpec", keyText(spec.right_unique_key, spec.right_keys)).text();
  }
  std::string operator()(const IntervalJoinSpec& spec) const {
    Parts parts;
    const std::string bounds = "isRowTime=" + std::string(spec.processing_time ? "false" : "true") + ", leftLowerBound=" + std::to_string(spec.lower_ms) +
                               ", leftUpperBound=" + std::to_string(spec.upper_ms) + ", leftTime=" + nameOf(spec.left_time) + ", rightTime=" + nameOf(spec.right_time, 1);
    addJoin(parts, spec.join, bracketed("windowBounds", bounds));
    return parts.text();
  }
  std::string operator()(const TemporalJoinSpec& spec) const {
    Parts parts;
    addJoin(parts, spec.join, bracketed("asOf", spec.left_time >= 0 ? nameOf(spec.left_time) : "PROCTIME()"));
    return parts.text();
  }
  std::string operator()(const WindowJoinSpec& spec) const {
    Parts parts;
    addJoin(parts, spec.join, bracketed("windows", nameOf(spec.left_window_end) + ", " + nameOf(spec.right_window_end, 1)));
    return parts.text();
  }
  std::string operator()(const RankSpec& spec) const {
    const char* strategy = spec.final_only ? "Batch" : !spec.input_retracts ? "AppendFastStrategy" : spec.monotonic ? "UpdateFastStrategy" : "RetractStrategy";
    Parts parts;
    return addRank(parts.add("strategy", strategy), spec).text();
  }
  std::string operator()(const DeduplicateSpec& spec) const {
    Parts parts;
    parts.add("keep", spec.keep_last ? "LastRow" : "FirstRow").add("key", list(spec.keys));
    return parts.add("order", spec.time_column >= 0 ? "ROWTIME" : "PROCTIME").text();
  }
  std::string operator()(const WindowRankSpec& spec) const {
    Parts parts;
    return addRank(parts.add("windowEnd", nameOf(spec.window_end_column)), spec.rank).text();
  }
  std::string operator()(const SortSpec& spec) const {
    Parts parts;
    parts.addIf(!spec.keys.empty(), "orderBy", sortKeysText(spec.keys, input()));
    return addLimit(parts, spec.offset, spec.limit).text();
  }
  std::string operator()(const TemporalSortSpec& spec) const { return Parts().add("orderBy", sortKeysText(spec.keys, input())).text(); }
  std::string operator()(const LimitSpec& spec) const {
    Parts parts;
    return addLimit(parts, spec.offset, spec.limit).text();
  }
  std::string operator()(const OverAggregateSpec& spec) const {
    Parts parts;
    parts.addIf(!spec.partition_keys.empty(), "partitionBy", list(spec.partition_keys)).add("orderBy", sortKeysText(spec.order_by, input()));
    std::string calls;
    for (size_t i = 0; i < spec.calls.size(); ++i) {
      const bool ranks = i < spec.functions.size() && !spec.functions[i].empty();
      const std::string text = ranks ? spec.functions[i] + "(" + list(spec.calls[i].arguments) + ")" : aggregateCallText(spec.calls[i], input());
      calls += (i > 0 ? ", " : "") + text + " AS " + spec.calls[i].name;
    }
    return parts.add("window", frameText(spec)).add("select", calls).text();
  }
  std::string operator()(const UnnestSpec& spec) const {
    Parts parts;
    parts.add("invocation", "UNNEST(" + exprText(*spec.collection, &input()) + ")").add("joinType", spec.outer ? "LEFT" : "INNER");
    if (spec.with_ordinality) parts.add("ordinality=[true]");
    if (spec.condition) parts.add("where", exprText(*spec.condition, &draft_.schema));
    return parts.text();
  }
  std::string operator()(const ExpandSpec& spec) const {
    std::string sets;
    for (const auto& kept : spec.kept_columns) sets += (sets.empty() ? "{" : ", {") + list(kept) + "}";
    return Parts().add("sets", sets).text();
  }
  std::string operator()(const UnionSpec&) const { return Parts().add("all", "true").add("union", namesOf(draft_.schema)).text(); }
  std::string operator()(const ChangelogNormalizeSpec& spec) const {
    Parts parts;
    parts.add("key", list(spec.keys));
    if (spec.filter) parts.add("where", exprText(*spec.filter, &input()));
    return parts.text();
  }
  std::string operator()(const SinkSpec& spec) const {
    Parts parts;
    parts.add("table", spec.table_name);
    parts.addIf(!spec.primary_key.empty(), "primaryKey", columnListText(spec.primary_key, spec.schema));
    parts.addIf(spec.materialize, "upsertMaterialize", "true").addIf(spec.overwrite, "overwrite", "true");
    return parts.add("fields", namesOf(input())).text();
  }
  std::string operator()(const CollectSpec&) const { return Parts().add("fields", namesOf(input())).text(); }
  std::string operator()(const MatchSpec& spec) const { return matchText(spec, input()); }
  std::string operator()(const ChangelogTextSpec& spec) const {
    return Parts().add("direction", spec.to_text ? "TO_CHANGELOG" : "FROM_CHANGELOG").add("fields", namesOf(draft_.schema)).text();
  }
  std::string operator()(const DropUpdateBeforeSpec&) const { return {}; }

 private:
  const Schema& input(size_t at = 0) const { return inputs_[at]; }
  std::string nameOf(int column, size_t at = 0) const { return column < 0 ? "none" : input(at).column(static_cast<size_t>(column)).name; }
  std::string list(const std::vector<int>& columns, size_t at = 0) const { return columnListText(columns, input(at)); }

  std::string selected(const std::vector<int>& keys, const std::vector<AggregateCallSpec>& calls) const {
    std::string text = list(keys);
    for (const AggregateCallSpec& call : calls) text += (text.empty() ? "" : ", ") + aggregateCallText(call, input()) + " AS " + call.name;
    return text;
  }

  std::string attachedText(const WindowAggregateSpec& spec) const {
    const std::string start = spec.start_column >= 0 ? "win_start=[" + nameOf(spec.start_column) + "], " : "";
    WindowSpec window = spec.window;
    window.time_column = -1;               // of the table function's input, not of this one
    window.partition_keys.clear();
    return start + "win_end=[" + nameOf(spec.end_column) + "], " + windowSpecText(window, Schema());
  }

  /// The join's type, what lies between, and its whole condition.
  void addJoin(Parts& parts, const JoinSpec& spec, const std::string& between) const {
    static constexpr const char* kTypes[] = {"InnerJoin", "LeftOuterJoin", "RightOuterJoin", "FullOuterJoin", "LeftSemiJoin", "LeftAntiJoin"};
    parts.add("joinType", kTypes[static_cast<size_t>(spec.type)]);
    if (!between.empty()) parts.add(between);
    const Schema both = bothInputs(input(0), input(1));
    std::string where;
    for (size_t i = 0; i < spec.left_keys.size(); ++i) {
      const bool null_equal = i < spec.null_equal.size() && spec.null_equal[i];
      const std::string& right = both.column(input(0).size() + static_cast<size_t>(spec.right_keys[i])).name;
      where += (where.empty() ? "(" : " AND (") + nameOf(spec.left_keys[i]) + (null_equal ? " IS NOT DISTINCT FROM " : " = ") + right + ")";
    }
    if (spec.residual) where += (where.empty() ? "" : " AND ") + exprText(*spec.residual, &both);
    parts.add("where", where.empty() ? "true" : where);
    if (spec.null_aware_anti) parts.add("nullAware=[true]");
    const bool one_side = spec.type == JoinType::SEMI || spec.type == JoinType::ANTI;
    parts.add("select", namesOf(one_side ? input(0) : both));
  }

  static std::string keyText(const std::vector<int>& unique, const std::vector<int>& join_keys) {
    if (unique.empty()) return "NoUniqueKey";
    const bool within = std::all_of(unique.begin(), unique.end(), [&](int column) { return std::find(join_keys.begin(), join_keys.end(), column) != join_keys.end(); });
    return within ? "JoinKeyContainsUniqueKey" : "HasUniqueKey";
  }

  Parts& addRank(Parts& parts, const RankSpec& spec) const {
    static constexpr const char* kKinds[] = {"ROW_NUMBER", "RANK", "DENSE_RANK"};
    parts.add("rankType", kKinds[static_cast<size_t>(spec.kind)]);
    const std::string end = spec.end_column >= 0 ? nameOf(spec.end_column) : std::to_string(spec.end);
    parts.add("rankRange", "rankStart=" + std::to_string(spec.start) + ", rankEnd=" + end);
    parts.addIf(!spec.partition_keys.empty(), "partitionBy", list(spec.partition_keys));
    return parts.add("orderBy", sortKeysText(spec.order_by, input())).add("select", namesOf(input()) + (spec.output_rank ? ", " + draft_.schema.columns().back().name : ""));
  }

  static Parts& addLimit(Parts& parts, int64_t offset, const std::optional<int64_t>& limit) {
    parts.addIf(offset > 0, "offset", std::to_string(offset));
    return limit ? parts.add("fetch", std::to_string(*limit)) : parts;
  }

  const Draft& draft_;
  std::vector<Schema> inputs_;
};

}  // namespace

std::string descriptionOf(const Draft& draft) {
  const std::string details = std::visit(Describer(draft), draft.spec);
  return std::string(operatorKindName(draft.spec)) + (details.empty() ? "" : "(" + details + ")");
}

}  // namespace thalweg
