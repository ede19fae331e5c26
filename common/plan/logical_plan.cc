#include "common/plan/logical_plan.h"

#include <algorithm>

#include "common/plan/operator_text.h"

namespace thalweg {
namespace {

std::string columnName(const Schema& schema, int column) { return schema.column(static_cast<size_t>(column)).name; }

std::string exprList(const std::vector<BoundExprPtr>& exprs, const Schema& input, const Schema& output) {
  std::string text;
  for (size_t i = 0; i < exprs.size(); ++i) {
    std::string expr = exprText(*exprs[i], &input);
    const std::string& name = output.column(i).name;
    text += (i ? ", " : "") + expr + (expr == name ? "" : " AS " + name);
  }
  return text;
}

const char* joinName(JoinType type) {
  switch (type) {
    case JoinType::INNER: return "INNER";
    case JoinType::LEFT: return "LEFT";
    case JoinType::RIGHT: return "RIGHT";
    case JoinType::FULL: return "FULL";
    case JoinType::SEMI: return "SEMI";
    case JoinType::ANTI: return "ANTI";
  }
  return "";
}

Schema bothSides(const LogicalNode& node) {
  std::vector<Column> columns = node.inputs[0]->schema.columns();
  for (const Column& column : node.inputs[1]->schema.columns()) columns.push_back(column);
  return Schema(std::move(columns));
}

std::string joinText(const LogicalJoin& join) {
  std::string text = std::string("Join(type=[") + joinName(join.type) + "]";
  Schema both = bothSides(join);
  text += ", on=[" + (join.condition ? exprText(*join.condition, &both) : std::string("TRUE")) + "]";
  if (join.null_aware_anti) text += ", nullAware=[true]";
  return text + ")";
}

std::string aggregateText(const LogicalAggregate& aggregate) {
  const Schema& input = aggregate.inputs[0]->schema;
  std::string text = "Aggregate(groupBy=[" + columnListText(aggregate.keys, input) + "]";
  if (!aggregate.grouping_sets.empty()) {
    text += ", sets=[";
    for (size_t i = 0; i < aggregate.grouping_sets.size(); ++i) {
      std::string set;
      for (int key : aggregate.grouping_sets[i]) {
        set += (set.empty() ? "" : ", ") + columnName(input, aggregate.keys[static_cast<size_t>(key)]);
      }
      text += std::string(i ? ", " : "") + "{" + set + "}";
    }
    text += "]";
  }
  if (aggregate.group_window) text += ", window=[" + windowSpecText(*aggregate.group_window, input) + "]";
  std::string calls;
  for (const AggregateCallSpec& call : aggregate.calls) {
    calls += (calls.empty() ? "" : ", ") + aggregateCallText(call, input) + " AS " + call.name;
  }
  if (!calls.empty()) text += ", select=[" + calls + "]";
  return text + ")";
}

std::string overText(const LogicalOver& over) {
  const Schema& input = over.inputs[0]->schema;
  std::string calls;
  for (const LogicalOver::Call& call : over.calls) {
    std::string text = call.aggregate.function ? aggregateCallText(call.aggregate, input)
                                               : call.function + "(" + columnListText(call.aggregate.arguments, input) + ")";
    calls += (calls.empty() ? "" : ", ") + text + " AS " + call.aggregate.name;
  }
  return "Over(partitionBy=[" + columnListText(over.window.partition_keys, input) + "], orderBy=[" +
         sortKeysText(over.window.order_by, input) + "], frame=[" + frameText(over.window) + "], select=[" + calls + "])";
}

std::string valuesText(const LogicalValues& values) {
  return "Values(rows=[" + std::to_string(values.rows.size()) + "], schema=[" + schemaText(values.schema) + "])";
}

std::string nodeText(const LogicalNode& node) {
  const Schema* input = node.inputs.empty() ? nullptr : &node.inputs[0]->schema;
  switch (node.kind) {
    case LogicalKind::SCAN: {
      const auto& scan = node.as<LogicalScan>();
      std::string columns;
      for (const Column& column : node.schema.columns()) columns += (columns.empty() ? "" : ", ") + column.name;
      std::string text = "Scan(table=[" + scan.table->path.toString() + "], columns=[" + columns + "]";
      if (scan.table->watermark) {
        text += ", watermark=[" + columnName(scan.table->schema, scan.table->watermark->rowtime_column) + ": " +
                exprText(*scan.table->watermark->expression, &scan.table->schema) + "]";
      }
      if (!scan.path_conditions.empty()) {
        text += ", partitions=[" + exprText(*BoundExpr::conjunction(scan.path_conditions), &scan.table->produced) + "]";
      }
      if (scan.limit) text += ", limit=[" + std::to_string(*scan.limit) + "]";
      return text + ")";
    }
    case LogicalKind::VALUES: return valuesText(node.as<LogicalValues>());
    case LogicalKind::PROJECT: return "Project(" + exprList(node.as<LogicalProject>().expressions, *input, node.schema) + ")";
    case LogicalKind::FILTER: return "Filter(" + exprText(*node.as<LogicalFilter>().condition, input) + ")";
    case LogicalKind::AGGREGATE: return aggregateText(node.as<LogicalAggregate>());
    case LogicalKind::WINDOW_TVF: return "Window(" + windowSpecText(node.as<LogicalWindowTvf>().window, *input) + ")";
    case LogicalKind::JOIN: return joinText(node.as<LogicalJoin>());
    case LogicalKind::TEMPORAL: return "Temporal(asOf=[" + exprText(*node.as<LogicalTemporal>().time) + "])";
    case LogicalKind::UNNEST: {
      const UnnestSpec& unnest = node.as<LogicalUnnest>().unnest;
      std::string text = "Unnest(" + exprText(*unnest.collection, input);
      if (unnest.with_ordinality) text += ", ordinality";
      if (unnest.outer) text += ", outer";
      if (unnest.condition) text += ", on=[" + exprText(*unnest.condition, &node.schema) + "]";
      return text + ")";
    }
    case LogicalKind::SORT: {
      const auto& sort = node.as<LogicalSort>();
      std::string text = "Sort(orderBy=[" + sortKeysText(sort.keys, *input) + "]";
      if (sort.offset) text += ", offset=[" + std::to_string(sort.offset) + "]";
      if (sort.fetch) text += ", fetch=[" + std::to_string(*sort.fetch) + "]";
      return text + ")";
    }
    case LogicalKind::SET_OP: {
      const auto& op = node.as<LogicalSetOp>();
      const char* name = op.op == SetOpKind::UNION ? "Union" : op.op == SetOpKind::INTERSECT ? "Intersect" : "Except";
      return std::string(name) + "(all=[" + (op.all ? "true" : "false") + "])";
    }
    case LogicalKind::OVER: return overText(node.as<LogicalOver>());
    case LogicalKind::MATCH: return "Match(" + matchText(node.as<LogicalMatch>().match, *input) + ")";
    case LogicalKind::CHANGELOG: return node.as<LogicalChangelog>().text.to_text ? "ToChangelog" : "FromChangelog";
    case LogicalKind::SINK: {
      const auto& sink = node.as<LogicalSink>();
      return "Sink(table=[" + (sink.table ? sink.table->path.toString() : std::string("*collect*")) + "])";
    }
  }
  return "";
}

void append(const LogicalNode& node, int depth, std::string& text) {
  text += std::string(static_cast<size_t>(depth) * 2, ' ') + nodeText(node) + "\n";
  for (const LogicalNodePtr& input : node.inputs) append(*input, depth + 1, text);
}

}  // namespace

std::vector<int64_t> groupingSetIds(const std::vector<std::vector<int>>& sets, size_t key_count) {
  std::vector<int64_t> ids;
  for (const auto& set : sets) {
    int64_t id = 0;
    for (size_t key = 0; key < key_count; ++key) {
      id = id * 2 + (std::find(set.begin(), set.end(), static_cast<int>(key)) == set.end() ? 1 : 0);
    }
    while (std::find(ids.begin(), ids.end(), id) != ids.end()) id += int64_t{1} << key_count;
    ids.push_back(id);
  }
  return ids;
}

std::string logicalPlanText(const LogicalNode& root) {
  std::string text;
  append(root, 0, text);
  return text;
}

}  // namespace thalweg
