#include "worker/connectors/filesystem/path_filter.h"

#include <algorithm>

#include "common/plan/catalog/option_spec.h"
#include "common/plan/catalog/session_zone_option.h"
#include "worker/connectors/filesystem/file_listing.h"

namespace thalweg::worker {

Result<PathFilter> PathFilter::of(const SourceSpec& spec, const std::string& root) {
  PathFilter filter;
  filter.root_ = root;
  if (!spec.filter) return filter;
  ASSIGN_OR_RETURN(filter.zone_, TimeZone::of(optionValue(spec.options, kSessionZoneOption, "UTC")));
  for (const BoundExprPtr& conjunct : splitConjunction(spec.filter)) {
    Condition condition;
    std::vector<bool> used(spec.outputs.size());
    collectColumns(*conjunct, used);
    std::vector<int> position(used.size(), -1);
    for (size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) continue;
      ASSIGN_OR_RETURN(auto value, PathValue::of(spec, spec.outputs[i]));
      if (!value) return Status::internal("a condition over the records of files was pushed into their enumeration");
      position[i] = static_cast<int>(condition.columns.size());
      condition.columns.push_back(*std::move(value));
    }
    ASSIGN_OR_RETURN(condition.program, ExprProgram::compile({remapColumns(conjunct, position)}));
    filter.conditions_.push_back(std::move(condition));
  }
  return filter;
}

Result<bool> PathFilter::admitsFolder(const std::string& path) {
  if (!any()) return true;
  return admits({.path = path}, partitionValuesOf(root_, path + "/"), true);
}

Result<bool> PathFilter::admitsFile(const FileInfo& file) {
  if (!any()) return true;
  return admits({.path = file.path, .size_bytes = file.size_bytes, .modified_ms = file.modified_ms}, partitionValuesOf(root_, file.path), false);
}

Result<bool> PathFilter::admits(const FileSplit& file, const PartitionValues& partition, bool folder) {
  EvalContext context;
  context.session_zone = &zone_;
  for (Condition& condition : conditions_) {
    const bool told = std::all_of(condition.columns.begin(), condition.columns.end(), [&](const PathValue& value) { return value.isToldBy(partition); });
    if (folder && !told) continue;
    std::vector<VectorPtr> columns;
    for (const PathValue& column : condition.columns) {
      const auto value = column.of(file, partition, zone_);
      RETURN_IF_ERROR(value.status().withContext(file.path));
      columns.push_back(Vector::constant(column.type(), *value, 1));
    }
    std::vector<RowIndex> rows;
    const Status judged = condition.program->select(context, Batch(1, std::move(columns)), rows);
    if (judged.isOk() && rows.empty()) return false;
  }
  return true;
}

}  // namespace thalweg::worker
