// INSERT INTO: which query column goes to which column of the table, and the casts on the way.
#include <algorithm>
#include <set>

#include "common/base/edit_distance.h"
#include "common/plan/binder/from_binder.h"
#include "common/plan/binder/query_binder.h"
#include "common/plan/binder/time_attributes.h"
#include "common/plan/catalog/connector_descriptor.h"
#include "common/plan/catalog/table_resolver.h"
#include "common/plan/expressions/expression_binder.h"
#include "common/plan/statements/statement_binder.h"
#include "common/types/type_rules.h"
#include "common/types/value_text.h"

namespace thalweg {
namespace {

class InsertBinder {
 public:
  InsertBinder(const BindEnvironment& environment, std::shared_ptr<const ResolvedTable> table, SourcePosition position)
      : environment_(environment), calls_(environment.session_zone), table_(std::move(table)), position_(position) {
    for (const TableColumn& column : table_->definition.columns) {
      bool persisted = column.kind == TableColumn::Kind::PHYSICAL ||
                       (column.kind == TableColumn::Kind::METADATA && !column.is_virtual);
      if (persisted) columns_.push_back({column.name, column.type});
    }
    sources_.resize(columns_.size());
  }

  Status bindPartition(const sql::PartitionSpec& partition) {
    const auto& keys = table_->definition.partition_keys;
    for (const sql::PartitionItem& item : partition) {
      if (std::find(keys.begin(), keys.end(), item.key.text) == keys.end()) {
        return Status::plan("'" + item.key.text + "' is no partition column of " + table_->path.toString() +
                            didYouMean(item.key.text, std::span<const std::string>(keys)), item.key.position);
      }
      if (!item.value) return Status::plan("PARTITION needs a value for '" + item.key.text + "'", item.key.position);
      NoColumns rows("PARTITION");
      ASSIGN_OR_RETURN(BoundExprPtr value, ExpressionBinder(environment_, rows).bind(*item.value));
      int column = indexOf(item.key.text);
      const DataType& type = columns_[static_cast<size_t>(column)].type;
      if (!value->type.isNull() && !supportsExplicitCast(value->type, type)) {
        return Status::plan("partition column '" + item.key.text + "' is " + type.toString() + ", but its value is " +
                            value->type.toString(), item.value->position);
      }
      std::string text;
      if (value->isLiteral() && !value->value.isNull()) text = castForm(value->value, value->type, environment_.session_zone);
      static_partition_[item.key.text] = text;
      sources_[static_cast<size_t>(column)] = calls_.coerce(value, type);
    }
    return Status::ok();
  }

  /// The table's columns that the query's columns go to, in the query's order.
  Status bindTargets(const std::vector<sql::QualifiedName>& names) {
    if (names.empty()) {
      for (size_t i = 0; i < columns_.size(); ++i) {
        if (!sources_[i]) targets_.push_back(static_cast<int>(i));
      }
      return Status::ok();
    }
    std::set<int> seen;
    for (const sql::QualifiedName& name : names) {
      if (!name.isSimple()) return Status::notSupported("INSERT into fields of rows is not built", name.position);
      int column = indexOf(name.last());
      if (column < 0) return unknownTarget(name);
      if (!seen.insert(column).second) return Status::plan("column '" + name.last() + "' is named twice", name.position);
      if (sources_[static_cast<size_t>(column)]) {
        return Status::plan("column '" + name.last() + "' has its value from PARTITION already", name.position);
      }
      targets_.push_back(column);
    }
    return Status::ok();
  }

  Result<LogicalNodePtr> finish(LogicalNodePtr query) {
    if (query->schema.size() != targets_.size()) return wrongCount(*query);
    for (size_t i = 0; i < targets_.size(); ++i) {
      const Column& target = columns_[static_cast<size_t>(targets_[i])];
      const DataType& from = query->schema.type(i);
      if (!from.isNull() && !supportsImplicitCast(from, target.type)) {
        return Status::plan("column '" + target.name + "' of " + table_->path.toString() + " is " + target.type.toString() +
                            ", but the query gives " + from.toString() + "; use CAST", position_);
      }
      if (from.isNull() && !target.type.nullable()) {
        return Status::plan("column '" + target.name + "' is NOT NULL, but the query gives NULL", position_);
      }
      if (from.isNull() && target.type.isNested()) {
        return Status::plan("column '" + target.name + "' is " + target.type.toString() + ", for which NULL needs a type; use CAST",
                            position_);
      }
      BoundExprPtr source = BoundExpr::column(static_cast<int>(i), from);
      sources_[static_cast<size_t>(targets_[i])] = from.isNull() ? nullLiteral(target.type) : calls_.coerce(source, target.type);
    }
    std::vector<BoundExprPtr> expressions;
    std::vector<std::string> names;
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (!sources_[i]) {
        if (!columns_[i].type.nullable()) {
          return Status::plan("column '" + columns_[i].name + "' is NOT NULL, so INSERT must give it a value", position_);
        }
        sources_[i] = nullLiteral(columns_[i].type);
      }
      expressions.push_back(sources_[i]);
      names.push_back(columns_[i].name);
    }
    return castRows(std::move(query), std::move(expressions), std::move(names));
  }

  const std::map<std::string, std::string>& staticPartition() const { return static_partition_; }

 private:
  /// Rows of VALUES that are cast as constants stay VALUES.
  Result<LogicalNodePtr> castRows(LogicalNodePtr query, std::vector<BoundExprPtr> expressions, std::vector<std::string> names) {
    bool same = expressions.size() == query->schema.size() && names == columnNames(query->schema);
    for (size_t i = 0; same && i < expressions.size(); ++i) {
      same = expressions[i]->isColumn() && expressions[i]->index == static_cast<int>(i);
    }
    if (same) return query;
    return project(std::move(query), std::move(expressions), std::move(names));
  }

  int indexOf(const std::string& name) const {
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].name == name) return static_cast<int>(i);
    }
    return -1;
  }

  Status unknownTarget(const sql::QualifiedName& name) const {
    for (const TableColumn& column : table_->definition.columns) {
      if (column.name == name.last()) {
        return Status::plan("column '" + name.last() + "' cannot be written: it is " +
                            (column.kind == TableColumn::Kind::COMPUTED ? "computed" : "VIRTUAL"), name.position);
      }
    }
    std::vector<std::string> names;
    for (const Column& column : columns_) names.push_back(column.name);
    return Status::plan(table_->path.toString() + " has no column '" + name.last() + "'" +
                        didYouMean(name.last(), std::span<const std::string>(names)), name.position);
  }

  Status wrongCount(const LogicalNode& query) const {
    std::string wanted;
    for (int target : targets_) {
      const Column& column = columns_[static_cast<size_t>(target)];
      wanted += (wanted.empty() ? "" : ", ") + column.name + " " + column.type.toString();
    }
    return Status::plan("INSERT INTO " + table_->path.toString() + " needs " + std::to_string(targets_.size()) +
                        " columns (" + wanted + "), but the query gives " + std::to_string(query.schema.size()) + " " +
                        schemaText(query.schema), position_);
  }

  const BindEnvironment& environment_;
  CallFactory calls_;
  std::shared_ptr<const ResolvedTable> table_;
  SourcePosition position_;
  std::vector<Column> columns_;           ///< what is stored, in the declared order
  std::vector<BoundExprPtr> sources_;     ///< per column, over the query
  std::vector<int> targets_;
  std::map<std::string, std::string> static_partition_;
};

Result<std::shared_ptr<const ResolvedTable>> sinkTable(const BindEnvironment& environment, const sql::InsertStatement& insert,
                                                       const OptionMap& hints) {
  ASSIGN_OR_RETURN(ObjectPath path, environment.qualify(insert.target));
  ASSIGN_OR_RETURN(const CatalogObject* object, environment.catalog->get(path, insert.target));
  if (object->isView()) return Status::plan("'" + insert.target.toString() + "' is a view; only tables can be written", insert.target.position);
  auto table = resolveTable(environment, path, *object->table, hints, TableUse::SINK);
  if (!table.isOk()) return table.status().at(insert.target.position);
  return table;
}

Status checkSink(const BindEnvironment& environment, const ResolvedTable& table, const sql::InsertStatement& insert) {
  const OptionMap& options = table.definition.options;
  const ConnectorDescriptor& connector = *findConnector(options.at("connector"));
  std::string name(connector.name);
  if (insert.overwrite) {
    if (!environment.batch_mode) return Status::plan("INSERT OVERWRITE needs batch mode: SET 'execution.runtime-mode' = 'batch'", insert.position);
    if (!connector.overwrite) return Status::plan("connector '" + name + "' cannot overwrite", insert.position);
  }
  if (!insert.partition.empty() && !connector.partitions) {
    return Status::plan("connector '" + name + "' has no partitions", insert.position);
  }
  if (!table.definition.distribution.empty() && name != "blackhole" && name != "print") {
    return Status::plan("connector '" + name + "' has no buckets, but " + table.path.toString() + " is DISTRIBUTED", insert.position);
  }
  return Status::ok();
}

std::string conflictName(const std::optional<sql::ConflictAction>& action) {
  if (!action) return "";
  switch (*action) {
    case sql::ConflictAction::ERROR: return "ERROR";
    case sql::ConflictAction::NOTHING: return "NOTHING";
    case sql::ConflictAction::DEDUPLICATE: return "DEDUPLICATE";
  }
  return "";
}

}  // namespace

Result<LogicalNodePtr> bindInsert(const BindEnvironment& environment, const sql::InsertStatement& insert) {
  if (insert.upsert) return Status::plan("UPSERT INTO is not for tables of this kind; INSERT INTO a table with a PRIMARY KEY upserts", insert.position);
  ASSIGN_OR_RETURN(OptionMap hints, bindTableHints(environment, insert.hints));
  ASSIGN_OR_RETURN(auto table, sinkTable(environment, insert, hints));
  RETURN_IF_ERROR(checkSink(environment, *table, insert));
  InsertBinder binder(environment, table, insert.query->position.known() ? insert.query->position : insert.position);
  RETURN_IF_ERROR(binder.bindPartition(insert.partition));
  RETURN_IF_ERROR(binder.bindTargets(insert.columns));
  StatementContext context;
  context.environment = &environment;
  ASSIGN_OR_RETURN(LogicalNodePtr query, QueryBinder(context, nullptr, nullptr).bindForInsert(*insert.query));
  Status times = environment.batch_mode ? checkNoWatermarks(*query) : checkTimeAttributes(*query);
  if (!times.isOk()) return times.at(insert.position);
  ASSIGN_OR_RETURN(LogicalNodePtr input, binder.finish(std::move(query)));
  auto sink = std::make_shared<LogicalSink>(std::move(input), std::move(table));
  sink->hint_options = std::move(hints);
  sink->static_partition = binder.staticPartition();
  sink->overwrite = insert.overwrite;
  sink->on_conflict = conflictName(insert.on_conflict);
  sink->position = insert.target.position;
  return sink;
}

Result<LogicalNodePtr> bindSinkOf(const BindEnvironment& environment, const ObjectPath& path, const TableDefinition& definition,
                                  LogicalNodePtr query, SourcePosition position) {
  ASSIGN_OR_RETURN(auto table, resolveTable(environment, path, definition, {}, TableUse::SINK));
  InsertBinder binder(environment, table, position);
  RETURN_IF_ERROR(binder.bindTargets({}));
  ASSIGN_OR_RETURN(LogicalNodePtr input, binder.finish(std::move(query)));
  return std::make_shared<LogicalSink>(std::move(input), std::move(table));
}

}  // namespace thalweg
