#include "client/api/thalweg/statement_set.h"

#include "client/api/table/table_sink.h"
#include "client/api/thalweg/exception.h"
#include "common/sql/parser.h"

namespace thalweg::api {
namespace {

std::vector<LogicalNodePtr> plansOf(const std::vector<std::shared_ptr<const void>>& sinks) {
  if (sinks.empty()) throw ValidationException("the statement set is empty; add an INSERT first");
  std::vector<LogicalNodePtr> plans;
  for (const auto& sink : sinks) plans.push_back(std::static_pointer_cast<const LogicalNode>(sink));
  return plans;
}

}  // namespace

StatementSet& StatementSet::add(const TablePipeline& pipeline) {
  if (pipeline.state()->environment != environment_) throw ValidationException("only tables of one TableEnvironment can stand in a statement set");
  sinks_.push_back(pipeline.sink());
  return *this;
}

StatementSet& StatementSet::addInsert(std::string_view path, const Table& table, bool overwrite) { return add(table.insertInto(path, overwrite)); }
StatementSet& StatementSet::addInsert(const TableDescriptor& descriptor, const Table& table, bool overwrite) {
  return add(table.insertInto(descriptor, overwrite));
}

StatementSet& StatementSet::addInsertSql(std::string_view sql) {
  const sql::StatementPtr statement = valueOrThrow(sql::parseStatement(sql));
  if (statement->kind != sql::StatementKind::INSERT) throw ValidationException("addInsertSql takes one INSERT statement");
  BoundStatement bound = valueOrThrow(environment_->engine.session().bind(statement));
  for (const LogicalNodePtr& sink : std::get<BoundInserts>(bound).sinks) sinks_.push_back(sink);
  return *this;
}

std::string StatementSet::explain() const { return valueOrThrow(environment_->engine.explainPlans(plansOf(sinks_))); }

TableResult StatementSet::execute() {
  auto plans = plansOf(sinks_);
  sinks_.clear();
  return runPlans(*environment_, std::move(plans), false);
}

}  // namespace thalweg::api
