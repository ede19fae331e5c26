// BoundExpr: an expression over the columns of one input, names and types settled. What plans hold and operators run.
//
// Immutable trees, shared. Children's types are exactly what the function resolved to: all implicit casts are
// explicit nodes. Sub-queries, aggregates and OVER calls never appear here (the planner turned them into operators
// whose outputs are columns). Text form: `$0`, `(a + 1)`, for plans and uids: exprText().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/functions/scalar_function.h"
#include "common/types/data_type.h"
#include "common/types/schema.h"
#include "common/types/value.h"

namespace thalweg {

enum class BoundKind : uint8_t {
  LITERAL,   ///< value
  COLUMN,    ///< input column `index`
  FIELD,     ///< field `index` of the ROW that args[0] is; NULL when the row is NULL
  CALL,      ///< function over args
  CAST,      ///< args[0] as type
  TRY_CAST,  ///< the same, NULL where the cast fails
  CASE,      ///< args: condition1, result1, …, [else]; all results have the node's type; no else: NULL
  AND,       ///< n-ary, three-valued; operands are evaluated only where still undecided if a later one can fail
  OR,
};

struct BoundExpr;
using BoundExprPtr = std::shared_ptr<const BoundExpr>;

struct BoundExpr {
  BoundKind kind;
  DataType type;
  std::vector<BoundExprPtr> args = {};
  Value value = {};                           ///< LITERAL
  int index = -1;                             ///< COLUMN, FIELD
  const ScalarFunction* function = nullptr;   ///< CALL; from the registry, lives for ever
  SourcePosition position = {};               ///< where in the SQL text it stood, for runtime messages

  static BoundExprPtr literal(Value value, DataType type);
  static BoundExprPtr column(int index, DataType type);
  static BoundExprPtr field(BoundExprPtr row, int index);
  static BoundExprPtr call(const ScalarFunction* function, std::vector<BoundExprPtr> args, DataType type);
  static BoundExprPtr cast(BoundExprPtr arg, DataType type, bool try_cast = false);  ///< returns arg if types are equal
  static BoundExprPtr caseWhen(std::vector<BoundExprPtr> args, DataType type);
  static BoundExprPtr conjunction(std::vector<BoundExprPtr> args);   ///< AND; one operand: itself; none: TRUE
  static BoundExprPtr disjunction(std::vector<BoundExprPtr> args);

  bool isLiteral() const { return kind == BoundKind::LITERAL; }
  bool isColumn() const { return kind == BoundKind::COLUMN; }
};

/// `(PRICE($2) * 0.908)` style text; with `input` columns show by name.
std::string exprText(const BoundExpr& expr, const Schema* input = nullptr);
/// Structural equality (types, functions, literals), not positions.
bool exprEqual(const BoundExpr& a, const BoundExpr& b);

/// The function call as kernels are made from: argument types and literals.
FunctionCall functionCallOf(const BoundExpr& call);

/// Whether all parts are DETERMINISTIC: equal inputs give equal outputs, constants may be folded.
bool isDeterministic(const BoundExpr& expr);
/// Whether no part is NON_DETERMINISTIC: evaluated once or twice in a query, the result is the same.
bool isRepeatable(const BoundExpr& expr);
/// Whether some part can fail at run time.
bool canFail(const BoundExpr& expr);
/// Adds the input columns that `expr` reads.
void collectColumns(const BoundExpr& expr, std::vector<bool>& used);
/// The same tree with COLUMN i replaced by replacement[i] (null entries: CHECK).
BoundExprPtr substituteColumns(const BoundExprPtr& expr, const std::vector<BoundExprPtr>& replacement);
/// The same tree with COLUMN i turned into COLUMN mapping[i] (-1: CHECK).
BoundExprPtr remapColumns(const BoundExprPtr& expr, const std::vector<int>& mapping);
/// Operands of nested ANDs.
std::vector<BoundExprPtr> splitConjunction(const BoundExprPtr& expr);

}  // namespace thalweg
