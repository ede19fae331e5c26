#include "common/plan/binder/hint_binder.h"

#include <algorithm>
#include <array>

#include "common/base/edit_distance.h"
#include "common/config/config_value.h"
#include "common/plan/expressions/ast_walk.h"
#include "common/plan/expressions/expression_binder.h"

namespace thalweg {
namespace {

constexpr std::array<std::string_view, 7> kHints = {"BROADCAST", "SHUFFLE_HASH", "SHUFFLE_MERGE", "NEST_LOOP",
                                                    "LOOKUP",    "STATE_TTL",    "MULTI_JOIN"};

/// Names of tables in FROM, and in sub-queries of WHERE.
void collectTables(const sql::TableRef& ref, std::vector<std::string>& names);

void collectTables(const sql::QueryBody& body, std::vector<std::string>& names) {
  const auto* select = sql::tryAs<sql::SelectBody>(body);
  if (!select) return;
  if (select->from) collectTables(*select->from, names);
  if (!select->where) return;
  anyPart(*select->where, [&](const sql::Expr& part) {
    if (const auto* in = sql::tryAs<sql::InQuery>(part)) collectTables(*in->query->body, names);
    if (const auto* exists = sql::tryAs<sql::Exists>(part)) collectTables(*exists->query->body, names);
    if (const auto* scalar = sql::tryAs<sql::Subquery>(part)) collectTables(*scalar->query->body, names);
    return false;
  });
}

void collectTables(const sql::TableRef& ref, std::vector<std::string>& names) {
  if (ref.alias) names.push_back(ref.alias->text);
  else if (const auto* named = sql::tryAs<sql::NamedTable>(ref)) names.push_back(named->name.last());
  if (const auto* join = sql::tryAs<sql::Join>(ref)) {
    collectTables(*join->left, names);
    collectTables(*join->right, names);
  }
}

/// What a hint may name: tables of the query, by their longer names too.
struct HintTables {
  std::vector<std::string> names;
  const Scope& scope;
};

Status checkTable(const sql::Hint& hint, const std::string& table, SourcePosition position, const HintTables& tables) {
  const std::vector<std::string>& names = tables.names;
  if (std::find(names.begin(), names.end(), table) != names.end()) return Status::ok();
  for (const ScopeTable& known : tables.scope.tables()) {
    if (!known.path) continue;
    std::string two = known.path->database + "." + known.path->object;
    if (table == two || table == known.path->catalog + "." + two) return Status::ok();
  }
  return Status::plan("hint " + hint.name.text + " names '" + table + "', which is no table of this query" +
                      didYouMean(table, std::span<const std::string>(names)), position);
}

Status checkStateTtl(const sql::Hint& hint, const HintTables& tables) {
  for (const sql::HintArgument& argument : hint.arguments) {
    if (!argument.key) {
      return Status::plan("hint STATE_TTL takes 'table' = 'duration', but has '" + argument.value + "'", argument.position);
    }
    RETURN_IF_ERROR(checkTable(hint, *argument.key, argument.position, tables));
    auto duration = parseConfigDuration(argument.value);
    if (!duration.isOk()) {
      return Status::plan("hint STATE_TTL: '" + argument.value + "' is no duration such as '1 d'", argument.position);
    }
  }
  return Status::ok();
}

Status checkLookup(const sql::Hint& hint, const HintTables& tables) {
  const sql::HintArgument* table = nullptr;
  for (const sql::HintArgument& argument : hint.arguments) {
    if (argument.key && *argument.key == "table") table = &argument;
    if (argument.key && *argument.key == "async" && !parseConfigBool(argument.value).isOk()) {
      return Status::plan("hint LOOKUP: 'async' is 'true' or 'false', but is '" + argument.value + "'", argument.position);
    }
  }
  if (!table) return Status::plan("hint LOOKUP needs 'table' = 'name'", hint.position);
  return checkTable(hint, table->value, table->position, tables);
}

}  // namespace

bool isQueryHint(std::string_view name) { return std::ranges::find(kHints, upperName(name)) != kHints.end(); }

Status checkQueryHints(const sql::SelectBody& select, const Scope& scope) {
  if (select.hints.empty()) return Status::ok();
  HintTables tables{{}, scope};
  collectTables(select, tables.names);
  for (const sql::Hint& hint : select.hints) {
    std::string name = upperName(hint.name.text);
    if (name == "OPTIONS") continue;   // without effect where no table stands before it
    if (std::find(kHints.begin(), kHints.end(), name) == kHints.end()) {
      return Status::plan("unknown hint '" + hint.name.text + "'" + didYouMean(name, std::span<const std::string_view>(kHints)),
                          hint.position);
    }
    if (hint.arguments.empty()) return Status::plan("hint " + name + " needs the names of tables", hint.position);
    if (name == "STATE_TTL") {
      RETURN_IF_ERROR(checkStateTtl(hint, tables));
    } else if (name == "LOOKUP") {
      RETURN_IF_ERROR(checkLookup(hint, tables));
    } else {
      for (const sql::HintArgument& argument : hint.arguments) {
        if (argument.key) return Status::plan("hint " + name + " takes names of tables, no options", argument.position);
        RETURN_IF_ERROR(checkTable(hint, argument.value, argument.position, tables));
      }
    }
  }
  return Status::ok();
}

StateTtls stateTtlsOf(const sql::SelectBody& select) {
  StateTtls ttls;
  for (const sql::Hint& hint : select.hints) {
    if (upperName(hint.name.text) != "STATE_TTL") continue;
    for (const sql::HintArgument& argument : hint.arguments) {
      const auto duration = parseConfigDuration(argument.value);
      if (argument.key && duration.isOk()) ttls[*argument.key] = std::chrono::duration_cast<std::chrono::milliseconds>(*duration).count();
    }
  }
  return ttls;
}

std::optional<int64_t> stateTtlOf(const StateTtls& ttls, const Scope& scope) {
  if (ttls.empty() || scope.tables().size() != 1) return std::nullopt;
  const ScopeTable& table = scope.tables()[0];
  std::vector<std::string> names = {table.alias};
  if (table.path) {
    names.push_back(table.path->database + "." + table.path->object);
    names.push_back(table.path->catalog + "." + names.back());
  }
  for (const std::string& name : names) {
    if (const auto found = ttls.find(name); found != ttls.end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace thalweg
