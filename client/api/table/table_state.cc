#include "client/api/table/table_state.h"

#include "client/api/table/expression_tree.h"
#include "client/api/table/table_result_state.h"
#include "client/api/thalweg/exception.h"
#include "client/program/program_jobs.h"

namespace thalweg::api {

EnvironmentState::EnvironmentState(Configuration configuration) : engine(std::move(configuration)) {
  engine.setPlanLauncher(client::programPlanLauncher());
}

LogicalNodePtr EnvironmentState::bind(const sql::Query& query, const std::map<std::string, LogicalNodePtr>& tables) const {
  return valueOrThrow(const_cast<client::SqlEngine&>(engine).session().bindQuery(query, tables));
}

TimeZone EnvironmentState::zone() const {
  const auto environment = const_cast<client::SqlEngine&>(engine).session().environment();
  return environment.isOk() ? environment->session_zone : TimeZone();
}

TableResult runPlans(EnvironmentState& environment, std::vector<LogicalNodePtr> sinks, bool is_query) {
  if (environment.runner && environment.runner->owns(sinks)) return environment.runner->run(environment, std::move(sinks), is_query);
  auto outcome = valueOrThrow(environment.engine.run(std::move(sinks), is_query));
  return TableResult(makeResult(std::move(outcome), environment));
}

Table makeTable(EnvironmentStatePtr environment, LogicalNodePtr node) {
  return Table(std::make_shared<const TableState>(TableState{std::move(environment), std::move(node)}));
}

Table refine(const Table& table, const sql::Query& query) {
  const TableState& state = *table.state();
  return makeTable(state.environment, state.environment->bind(query, {{kInput, state.node}}));
}

sql::TableRefPtr tableRef(const std::string& name) {
  auto ref = std::make_shared<sql::NamedTable>();
  ref->name = qualifiedName({name});
  return ref;
}

std::shared_ptr<sql::SelectBody> selectAll(const std::string& name) {
  auto body = std::make_shared<sql::SelectBody>();
  body->from = tableRef(name);
  body->items = {item(std::make_shared<sql::Star>())};
  return body;
}

sql::Query queryOf(sql::QueryBodyPtr body) {
  sql::Query query;
  query.body = std::move(body);
  return query;
}

sql::SelectItem item(sql::ExprPtr expr, std::string alias) {
  sql::SelectItem out;
  out.expr = std::move(expr);
  if (!alias.empty()) out.alias = identifier(std::move(alias));
  return out;
}

}  // namespace thalweg::api
