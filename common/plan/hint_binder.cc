#include "common/plan/hint_binder.h"

#include <algorithm>
#include <array>

#include "common/base/edit_distance.h"
#include "common/config/config_value.h"
#include "common/plan/expression_binder.h"

namespace thalweg {
namespace {

constexpr std::array<std::string_view, 7> kHints = {"BROADCAST", "SHUFFLE_HASH", "SHUFFLE_MERGE", "NEST_LOOP",
                                                    "LOOKUP",    "STATE_TTL",    "MULTI_JOIN"};

Status checkTable(const sql::Hint& hint, const std::string& table, SourcePosition position, const Scope& scope) {
  std::vector<std::string> names = scope.tableNames();
  if (std::find(names.begin(), names.end(), table) != names.end()) return Status::ok();
  for (const ScopeTable& known : scope.tables()) {
    if (!known.path) continue;
    std::string two = known.path->database + "." + known.path->object;
    if (table == two || table == known.path->catalog + "." + two) return Status::ok();
  }
  return Status::plan("hint " + hint.name.text + " names '" + table + "', which is no table of this query" +
                      didYouMean(table, std::span<const std::string>(names)), position);
}

Status checkStateTtl(const sql::Hint& hint, const Scope& scope) {
  for (const sql::HintArgument& argument : hint.arguments) {
    if (!argument.key) {
      return Status::plan("hint STATE_TTL takes 'table' = 'duration', but has '" + argument.value + "'", argument.position);
    }
    RETURN_IF_ERROR(checkTable(hint, *argument.key, argument.position, scope));
    auto duration = parseConfigDuration(argument.value);
    if (!duration.isOk()) {
      return Status::plan("hint STATE_TTL: '" + argument.value + "' is no duration such as '1 d'", argument.position);
    }
  }
  return Status::ok();
}

Status checkLookup(const sql::Hint& hint, const Scope& scope) {
  const sql::HintArgument* table = nullptr;
  for (const sql::HintArgument& argument : hint.arguments) {
    if (argument.key && *argument.key == "table") table = &argument;
  }
  if (!table) return Status::plan("hint LOOKUP needs 'table' = 'name'", hint.position);
  return checkTable(hint, table->value, table->position, scope);
}

}  // namespace

Status checkQueryHints(const std::vector<sql::Hint>& hints, const Scope& scope) {
  for (const sql::Hint& hint : hints) {
    std::string name = upperName(hint.name.text);
    if (std::find(kHints.begin(), kHints.end(), name) == kHints.end()) {
      return Status::plan("unknown hint '" + hint.name.text + "'" + didYouMean(name, std::span<const std::string_view>(kHints)),
                          hint.position);
    }
    if (hint.arguments.empty()) return Status::plan("hint " + name + " needs the names of tables", hint.position);
    if (name == "STATE_TTL") {
      RETURN_IF_ERROR(checkStateTtl(hint, scope));
    } else if (name == "LOOKUP") {
      RETURN_IF_ERROR(checkLookup(hint, scope));
    } else {
      for (const sql::HintArgument& argument : hint.arguments) {
        if (argument.key) return Status::plan("hint " + name + " takes names of tables, no options", argument.position);
        RETURN_IF_ERROR(checkTable(hint, argument.value, argument.position, scope));
      }
    }
  }
  return Status::ok();
}

}  // namespace thalweg
