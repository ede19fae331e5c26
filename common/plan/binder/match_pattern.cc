// Row patterns: a sequence of variables, each with a quantifier.
#include <algorithm>

#include "common/plan/binder/match_binder.h"

namespace thalweg {
namespace {

Status refuse(const std::string& what, SourcePosition position) {
  return Status::plan(what + " in PATTERN: only a sequence of variables with quantifiers is supported, like (A B+ C)", position);
}

Status addVariable(const sql::Identifier& name, std::vector<MatchVariable>& variables) {
  const bool known = std::any_of(variables.begin(), variables.end(), [&](const MatchVariable& v) { return v.name == name.text; });
  if (known) {
    return Status::plan("the variable '" + name.text + "' stands in PATTERN twice; give each place a name of its own", name.position);
  }
  MatchVariable variable;
  variable.name = name.text;
  variables.push_back(std::move(variable));
  return Status::ok();
}

Status addQuantified(const sql::Pattern& pattern, std::vector<MatchVariable>& variables) {
  const sql::Pattern& item = pattern.items[0];
  if (item.kind != sql::PatternKind::VARIABLE) return refuse("a quantifier behind a group", pattern.position);
  RETURN_IF_ERROR(addVariable(item.name, variables));
  MatchVariable& variable = variables.back();
  variable.min = pattern.min;
  variable.max = pattern.max ? std::optional<int64_t>(*pattern.max) : std::nullopt;
  variable.reluctant = pattern.reluctant;
  if (pattern.max && (*pattern.max == 0 || *pattern.max < pattern.min)) {
    return Status::plan("a quantifier must allow at least one row, and its upper bound must not be below its lower one", pattern.position);
  }
  if (variable.reluctant && variable.min == 0 && variable.max == 1) {
    return Status::plan("a reluctant optional variable (`??`) is not supported; leave out the second question mark", pattern.position);
  }
  return Status::ok();
}

Status addPattern(const sql::Pattern& pattern, std::vector<MatchVariable>& variables) {
  switch (pattern.kind) {
    case sql::PatternKind::VARIABLE: return addVariable(pattern.name, variables);
    case sql::PatternKind::QUANTIFIED: return addQuantified(pattern, variables);
    case sql::PatternKind::GROUP: return addPattern(pattern.items[0], variables);
    case sql::PatternKind::CONCAT:
      for (const sql::Pattern& item : pattern.items) RETURN_IF_ERROR(addPattern(item, variables));
      return Status::ok();
    case sql::PatternKind::ALTERNATE: return refuse("an alternative (`|`)", pattern.position);
    case sql::PatternKind::PERMUTE: return refuse("PERMUTE", pattern.position);
    case sql::PatternKind::EXCLUDE: return refuse("an exclusion (`{- -}`)", pattern.position);
  }
  return Status::internal("row pattern of an unknown kind");
}

}  // namespace

Result<std::vector<MatchVariable>> bindPattern(const sql::MatchRecognize& match) {
  if (match.starts_at_first || match.ends_at_last) return refuse("an anchor (`^` or `$`)", match.pattern.position);
  std::vector<MatchVariable> variables;
  RETURN_IF_ERROR(addPattern(match.pattern, variables));
  if (std::all_of(variables.begin(), variables.end(), [](const MatchVariable& v) { return v.min == 0; })) {
    return Status::plan("PATTERN could match no row at all; at least one variable must take a row", match.pattern.position);
  }
  const MatchVariable& last = variables.back();
  const bool optional = last.min == 0 && last.max == 1;
  if (!last.reluctant && last.min != last.max && !optional) {
    return Status::plan("the last variable of PATTERN, '" + last.name + "', is greedy, so that its end is never known; put a "
                        "variable behind it, or make it reluctant with `?`", match.pattern.position);
  }
  return variables;
}

}  // namespace thalweg
