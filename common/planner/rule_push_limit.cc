// LIMIT without ORDER BY directly over a scan: the source may stop after so many rows.
//
// Only where nothing but a choice of columns stands between, and the table adds nothing of its own (watermark, computed
// columns): then the rows of the source are the rows that are counted. Changes count as rows, as in Flink: a source of
// changes stops after so many of them.

#include "common/plan/catalog/connector_descriptor.h"
#include "common/planner/logical_rewrite.h"
#include "common/planner/optimizer.h"

namespace thalweg {
namespace {

bool takesLimit(const LogicalScan& scan) {
  const ResolvedTable& table = *scan.table;
  const auto name = table.definition.options.find("connector");
  const ConnectorDescriptor* connector = name == table.definition.options.end() ? nullptr : findConnector(name->second);
  if (connector == nullptr || !connector->limit || table.watermark || scan.limit) return false;
  for (const BoundExprPtr& column : table.expressions) {
    if (!column->isColumn()) return false;
  }
  return true;
}

/// `node` with the limit in its scan; `node` itself where it cannot go there.
LogicalNodePtr withLimit(const LogicalNodePtr& node, int64_t limit) {
  if (node->kind == LogicalKind::SCAN) {
    const auto& scan = node->as<LogicalScan>();
    if (!takesLimit(scan)) return node;
    auto copy = std::make_shared<LogicalScan>(scan);
    copy->limit = limit;
    return copy;
  }
  if (node->kind != LogicalKind::PROJECT) return node;
  for (const BoundExprPtr& expression : node->as<LogicalProject>().expressions) {
    if (!expression->isColumn()) return node;
  }
  return withInputs(node, {withLimit(node->inputs[0], limit)});
}

}  // namespace

Result<LogicalNodePtr> pushLimitsIntoScans(const LogicalNodePtr& root) {
  BottomUpRewrite rewrite([](const LogicalNodePtr& node) -> Result<LogicalNodePtr> {
    if (node->kind != LogicalKind::SORT) return node;
    const auto& sort = node->as<LogicalSort>();
    if (!sort.keys.empty() || !sort.fetch) return node;
    return withInputs(node, {withLimit(node->inputs[0], sort.offset + *sort.fetch)});
  });
  return rewrite.apply(root);
}

}  // namespace thalweg
