// CallFactory: makes bound calls, casts and comparisons with all implicit casts in place.
//
// Casts of literals are carried out at once, so that functions see their constant arguments.
// Errors: PLAN_ERROR at `position`. Threads: immutable.
#pragma once

#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "common/expr/bound_expr.h"
#include "common/types/time_zone.h"

namespace thalweg {

class CallFactory {
 public:
  explicit CallFactory(TimeZone session_zone) : zone_(std::move(session_zone)) {}

  /// The registry's function of that name or operator text over `args`, cast to what it takes.
  Result<BoundExprPtr> call(std::string_view name, std::vector<BoundExprPtr> args, SourcePosition position) const;
  Result<BoundExprPtr> call(const ScalarFunction& function, std::vector<BoundExprPtr> args, SourcePosition position) const;

  /// `a op b` for = <> < <= > >=, IS [NOT] DISTINCT FROM; brings both sides to one type.
  Result<BoundExprPtr> compare(std::string_view op, BoundExprPtr a, BoundExprPtr b, SourcePosition position) const;

  /// CAST(arg AS type); the result is nullable if the argument is.
  Result<BoundExprPtr> cast(BoundExprPtr arg, const DataType& type, bool try_cast, SourcePosition position) const;
  /// The same without asking whether the cast is legal; nothing is done if the types differ in nullability only.
  BoundExprPtr coerce(const BoundExprPtr& arg, const DataType& type) const;

  /// CASE over condition, result, …, [otherwise]: results are cast to their common type.
  Result<BoundExprPtr> caseWhen(std::vector<BoundExprPtr> args, SourcePosition position) const;

  /// A condition: BOOLEAN, or a bare NULL as one.
  Result<BoundExprPtr> condition(BoundExprPtr expr, std::string_view what, SourcePosition position) const;
  Result<BoundExprPtr> conjunction(std::vector<BoundExprPtr> args, SourcePosition position) const;
  Result<BoundExprPtr> disjunction(std::vector<BoundExprPtr> args, SourcePosition position) const;
  Result<BoundExprPtr> negation(BoundExprPtr arg, SourcePosition position) const;

  const TimeZone& zone() const { return zone_; }

 private:
  TimeZone zone_;
};

/// A deterministic expression without columns as the literal that it is; itself if that cannot be known or fails.
BoundExprPtr foldConstant(const BoundExprPtr& expr, const TimeZone& zone);

/// The same node at a place in the text.
BoundExprPtr withPosition(const BoundExprPtr& expr, SourcePosition position);
/// The tree without any: it was written elsewhere.
BoundExprPtr withoutPositions(const BoundExprPtr& expr);
/// Whether the function's text is JSON already, so that other JSON functions put it in as it is.
bool givesJsonText(std::string_view function);
BoundExprPtr nullLiteral(const DataType& type = DataType::null());
BoundExprPtr symbolLiteral(std::string text);
BoundExprPtr booleanLiteral(bool value);

}  // namespace thalweg
