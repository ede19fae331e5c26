#include "common/sql/operators.h"

#include <algorithm>
#include <utility>

namespace thalweg::sql {

BindingPower infixPower(std::string_view op) {
  static constexpr std::pair<std::string_view, BindingPower> kTable[] = {
      {"MULTISET UNION ALL", kMultisetUnionPower},
      {"MULTISET UNION DISTINCT", kMultisetUnionPower},
      {"MULTISET EXCEPT ALL", kMultisetUnionPower},
      {"MULTISET EXCEPT DISTINCT", kMultisetUnionPower},
      {"MULTISET INTERSECT ALL", kMultisetIntersectPower},
      {"MULTISET INTERSECT DISTINCT", kMultisetIntersectPower},
      {"OR", kOrPower},
      {"AND", kAndPower},
      {"=", kComparisonPower},
      {"<>", kComparisonPower},
      {"<", kComparisonPower},
      {"<=", kComparisonPower},
      {">", kComparisonPower},
      {">=", kComparisonPower},
      {"IS DISTINCT FROM", kComparisonPower},
      {"IS NOT DISTINCT FROM", kComparisonPower},
      {"MEMBER OF", kComparisonPower},
      {"NOT MEMBER OF", kComparisonPower},
      {"SUBMULTISET OF", kComparisonPower},
      {"NOT SUBMULTISET OF", kComparisonPower},
      {"OVERLAPS", kComparisonPower},
      {"CONTAINS", kComparisonPower},
      {"EQUALS", kComparisonPower},
      {"PRECEDES", kComparisonPower},
      {"SUCCEEDS", kComparisonPower},
      {"IMMEDIATELY PRECEDES", kComparisonPower},
      {"IMMEDIATELY SUCCEEDS", kComparisonPower},
      {"LIKE", kLikePower},
      {"NOT LIKE", kLikePower},
      {"ILIKE", kLikePower},
      {"NOT ILIKE", kLikePower},
      {"RLIKE", kLikePower},
      {"NOT RLIKE", kLikePower},
      {"SIMILAR TO", kLikePower},
      {"NOT SIMILAR TO", kLikePower},
      {"+", kAddPower},
      {"-", kAddPower},
      {"*", kMultiplyPower},
      {"/", kMultiplyPower},
      {"%", kMultiplyPower},
      {"||", kMultiplyPower},
  };
  const auto* found =
      std::find_if(std::begin(kTable), std::end(kTable), [&](const auto& row) { return row.first == op; });
  return found == std::end(kTable) ? BindingPower{} : found->second;
}

}  // namespace thalweg::sql
