// ANALYZE TABLE: accepted where Flink accepts it; the planner has no use for statistics, so nothing is kept.
#include <algorithm>

#include "common/plan/statements/statement_binder.h"

namespace thalweg {

Result<BoundStatement> analyzeStatement(const BindEnvironment& environment, const sql::AnalyzeStatement& analyze) {
  if (!environment.batch_mode) {
    return Status::plan("ANALYZE TABLE needs batch mode: SET 'execution.runtime-mode' = 'batch'", analyze.position);
  }
  ASSIGN_OR_RETURN(ObjectPath path, environment.qualify(analyze.table));
  ASSIGN_OR_RETURN(const CatalogObject* object, environment.catalog->get(path, analyze.table));
  if (object->isView()) return Status::plan("ANALYZE TABLE needs a table, but " + path.toString() + " is a view", analyze.table.position);
  if (!analyze.partition.empty() && object->table->partition_keys.empty()) {
    return Status::plan(path.toString() + " is not PARTITIONED BY anything, so ANALYZE TABLE cannot name a partition", analyze.table.position);
  }
  for (const sql::Identifier& name : analyze.columns) {
    const auto& columns = object->table->columns;
    bool physical = std::any_of(columns.begin(), columns.end(), [&](const TableColumn& c) {
      return c.name == name.text && c.kind == TableColumn::Kind::PHYSICAL;
    });
    if (!physical) return Status::plan("'" + name.text + "' is no physical column of " + path.toString(), name.position);
  }
  return BoundStatement(okResult());
}

}  // namespace thalweg
