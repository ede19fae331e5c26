#include "common/planner/path_conditions.h"

#include <algorithm>

#include "common/plan/catalog/connector_descriptor.h"
#include "common/planner/expression_rewrite.h"

namespace thalweg {
namespace {

/// Per produced column, whether all rows of a file have the same value there.
std::vector<bool> columnsOfPaths(const ResolvedTable& table, const ConnectorDescriptor& connector) {
  const auto& keys = table.definition.partition_keys;
  std::vector<bool> known;
  for (size_t i = 0; i < table.produced.size(); ++i) {
    const std::string& metadata = table.produced_metadata_keys[i];
    if (metadata.empty()) {
      known.push_back(std::find(keys.begin(), keys.end(), table.produced.column(i).name) != keys.end());
    } else {
      known.push_back(std::any_of(connector.metadata.begin(), connector.metadata.end(), [&](const MetadataColumn& column) { return column.key == metadata; }));
    }
  }
  return known;
}

bool readsOnly(const BoundExpr& condition, const std::vector<bool>& known) {
  const std::vector<int> columns = columnsOf(condition);
  return !columns.empty() && std::all_of(columns.begin(), columns.end(), [&](int column) { return known[static_cast<size_t>(column)]; });
}

}  // namespace

LogicalNodePtr takePathConditions(const LogicalNodePtr& node, std::vector<BoundExprPtr>& conjuncts, bool batch_mode) {
  const auto& scan = node->as<LogicalScan>();
  const ResolvedTable& table = *scan.table;
  if (conjuncts.empty() || table.stream || (table.watermark && !batch_mode)) return node;
  const ConnectorDescriptor* connector = findConnector(optionValue(table.definition.options, "connector"));
  if (connector == nullptr || !connector->filter) return node;
  const std::vector<bool> known = columnsOfPaths(table, *connector);
  std::vector<BoundExprPtr> taken;
  std::vector<BoundExprPtr> stay;
  for (BoundExprPtr& conjunct : conjuncts) {
    const BoundExprPtr condition = substituteColumns(conjunct, table.expressions);
    const bool decided = isDeterministic(*condition) && readsOnly(*condition, known);
    if (decided) taken.push_back(condition);
    if (!decided || canFail(*condition)) stay.push_back(std::move(conjunct));
  }
  conjuncts = std::move(stay);
  if (taken.empty()) return node;
  auto copy = std::make_shared<LogicalScan>(scan);
  for (BoundExprPtr& condition : taken) copy->path_conditions.push_back(std::move(condition));
  return copy;
}

}  // namespace thalweg
