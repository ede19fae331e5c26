// Expressions but calls. An operand gets parentheses when it binds less tightly than its place asks for:
// the left and right powers of operators.h, so `a - (b - c)` keeps its and `(a - b) - c` loses its.
#include <algorithm>

#include "common/sql/operators.h"
#include "common/sql/unparse/writer.h"
#include "common/sql/unparser.h"

namespace thalweg::sql {
namespace {

bool isPrefix(const OperatorCall& node) {
  return node.operands.size() == 1 && !node.op.starts_with("IS ") && node.op != "FORMAT JSON";
}

int operatorPower(const OperatorCall& node) {
  if (node.op == "NOT") return kNotPower - 1;
  if (node.op == "FINAL" || node.op == "RUNNING") return kSignPower - 1;
  if (node.operands.size() == 1) return isPrefix(node) ? kSignPower - 1 : kIsPower;
  const BindingPower binding = infixPower(node.op);
  return std::min(binding.left, binding.right);
}

/// How tightly the text of the node holds together.
int powerOf(const Expr& node) {
  switch (node.kind) {
    case ExprKind::OPERATOR: return operatorPower(as<OperatorCall>(node));
    case ExprKind::BETWEEN: return kLikePower.right;
    case ExprKind::IN_LIST:
    case ExprKind::IN_QUERY:
    case ExprKind::QUANTIFIED: return kInPower.left;
    case ExprKind::LITERAL: return as<Literal>(node).text.starts_with('-') ? kSignPower - 1 : kAtomPower;
    case ExprKind::FUNCTION_CALL: return as<FunctionCall>(node).over != nullptr ? kOverPower : kAtomPower;
    default: return kAtomPower;
  }
}

bool isOperator(const Expr& node) { return powerOf(node) < kSignPower - 1 || node.kind == ExprKind::OPERATOR; }

/// `007` as 7, `.5` as 0.5, each behind its minus.
std::string plainNumber(std::string_view number) {
  std::string sign;
  if (number.starts_with('-')) {
    sign = "-";
    number.remove_prefix(1);
  }
  while (number.size() > 1 && number[0] == '0' && number[1] != '.') number.remove_prefix(1);
  return sign + (number.starts_with('.') ? "0" : "") + std::string(number);
}

/// `150.0e0` as 1.500E2: one digit before the point.
std::string scientificNumber(std::string_view number) {
  const std::size_t e = number.find_first_of("eE");
  long exponent = std::strtol(std::string(number.substr(e + 1)).c_str(), nullptr, 10);
  std::string_view mantissa = number.substr(0, e);
  std::string sign;
  if (mantissa.starts_with('-')) {
    sign = "-";
    mantissa.remove_prefix(1);
  }
  std::string digits;
  bool fraction = false;
  for (char c : mantissa) {
    if (c == '.') {
      fraction = true;
      continue;
    }
    digits += c;
    if (fraction) --exponent;
  }
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  digits.erase(0, first);
  exponent += static_cast<long>(digits.size()) - 1;
  return sign + digits.substr(0, 1) + (digits.size() > 1 ? "." + digits.substr(1) : "") + "E" +
         std::to_string(exponent);
}

}  // namespace

void Writer::operand(const Expr& expression, int power) {
  const bool all = parentheses_ == Parentheses::ALL && isOperator(expression);
  const bool needed = powerOf(expression) < power;
  if (all || needed) text("(");
  node(expression);
  if (all || needed) text(")");
}

void Writer::node(const Expr& expression) {
  switch (expression.kind) {
    case ExprKind::LITERAL: return literal(as<Literal>(expression));
    case ExprKind::INTERVAL_LITERAL: return interval(as<IntervalLiteral>(expression));
    case ExprKind::COLUMN_REF: return name(as<ColumnRef>(expression).name);
    case ExprKind::STAR: return star(as<Star>(expression));
    case ExprKind::OPERATOR: return operatorCall(as<OperatorCall>(expression));
    case ExprKind::BETWEEN: return between(as<Between>(expression));
    case ExprKind::IN_LIST: return inList(as<InList>(expression));
    case ExprKind::IN_QUERY: return inQuery(as<InQuery>(expression));
    case ExprKind::QUANTIFIED: return quantified(as<Quantified>(expression));
    case ExprKind::EXISTS: text("EXISTS "); return subquery(*as<Exists>(expression).query);
    case ExprKind::SUBQUERY: return subquery(*as<Subquery>(expression).query);
    case ExprKind::CASE: return caseOf(as<Case>(expression));
    case ExprKind::CAST: return cast(as<Cast>(expression));
    case ExprKind::FUNCTION_CALL: return call(as<FunctionCall>(expression));
    case ExprKind::ROW:
      text("ROW(");
      exprs(as<RowConstructor>(expression).fields);
      return text(")");
    case ExprKind::COLLECTION: return collection(as<CollectionConstructor>(expression));
    case ExprKind::COLLECTION_QUERY: return collectionQuery(as<CollectionQuery>(expression));
    case ExprKind::ITEM_ACCESS:
      operand(*as<ItemAccess>(expression).operand, kAtomPower);
      text("[");
      expr(*as<ItemAccess>(expression).index);
      return text("]");
    case ExprKind::FIELD_ACCESS: return fieldAccess(as<FieldAccess>(expression));
    case ExprKind::SYMBOL: return text(as<Symbol>(expression).text);
    case ExprKind::NAMED_ARGUMENT:
      identifier(as<NamedArgument>(expression).name);
      text(" => ");
      return expr(*as<NamedArgument>(expression).value);
    case ExprKind::DEFAULT: return text("DEFAULT");
    case ExprKind::DESCRIPTOR: text("DESCRIPTOR"); return identifiers(as<Descriptor>(expression).columns);
    case ExprKind::TABLE_ARGUMENT: return tableArgument(as<TableArgument>(expression));
    case ExprKind::MODEL_ARGUMENT: text("MODEL "); return name(as<ModelArgument>(expression).name);
  }
}

void Writer::literal(const Literal& node) {
  switch (node.literal) {
    case LiteralKind::NULL_VALUE: return text("NULL");
    case LiteralKind::BOOLEAN: return text(node.text);
    case LiteralKind::INTEGER:
    case LiteralKind::DECIMAL: return text(plainNumber(node.text));
    case LiteralKind::APPROXIMATE: return text(scientificNumber(node.text));
    case LiteralKind::BINARY: return text("X'" + node.text + "'");
    case LiteralKind::DATE: text("DATE "); break;
    case LiteralKind::TIME: text("TIME "); break;
    case LiteralKind::TIMESTAMP: text("TIMESTAMP "); break;
    case LiteralKind::TIMESTAMP_LTZ: text("TIMESTAMP WITH LOCAL TIME ZONE "); break;
    case LiteralKind::STRING: break;
  }
  string(node.text);
}

void Writer::interval(const IntervalLiteral& node) {
  text(node.negative ? "INTERVAL -" : "INTERVAL ");
  string(node.text);
  text(" ");
  intervalQualifier(node.qualifier);
}

void Writer::star(const Star& node) {
  for (const Identifier& part : node.qualifier) {
    identifier(part);
    text(".");
  }
  text("*");
}

// --- operators ---------------------------------------------------------------------------------------

void Writer::operatorCall(const OperatorCall& node) {
  if (node.operands.size() > 1) return infix(node);
  if (!isPrefix(node)) {
    operand(*node.operands[0], kIsPower + 1);
    return text(" " + node.op);
  }
  text(node.op + " ");
  operand(*node.operands[0], node.op == "NOT" ? kNotPower : kSignPower);
}

void Writer::infix(const OperatorCall& node) {
  const BindingPower binding = infixPower(node.op);
  const bool chain = node.op == "AND" || node.op == "OR";
  const bool like = binding.left == kLikePower.left;
  static constexpr std::string_view kPeriods[] = {
      "OVERLAPS", "CONTAINS", "EQUALS", "PRECEDES", "SUCCEEDS", "IMMEDIATELY PRECEDES", "IMMEDIATELY SUCCEEDS"};
  if (std::find(std::begin(kPeriods), std::end(kPeriods), node.op) != std::end(kPeriods)) return period(node);
  operand(*node.operands[0], binding.left);
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    text(like && i == 2 ? " ESCAPE " : " " + node.op + " ");
    // a pattern before ESCAPE must not take the ESCAPE for its own
    const bool escaped = like && node.operands.size() > 2;
    operand(*node.operands[i], chain || !escaped ? binding.right : kLikePower.left);
  }
}

void Writer::period(const OperatorCall& node) {
  const auto side = [this](const Expr& expression, int power) {
    const RowConstructor* row = tryAs<RowConstructor>(expression);
    if (row == nullptr) return operand(expression, power);
    text("PERIOD (");
    exprs(row->fields);
    text(")");
  };
  side(*node.operands[0], kComparisonPower.left);
  text(" " + node.op + " ");
  side(*node.operands[1], kComparisonPower.right);
}

void Writer::between(const Between& node) {
  operand(*node.operand, kLikePower.left);
  text(node.negated ? " NOT BETWEEN " : " BETWEEN ");
  text(node.symmetric ? "SYMMETRIC " : "ASYMMETRIC ");
  operand(*node.low, kAndPower.right);
  text(" AND ");
  operand(*node.high, kLikePower.left);
}

void Writer::inList(const InList& node) {
  operand(*node.operand, kInPower.left);
  text(node.negated ? " NOT IN (" : " IN (");
  exprs(node.values);
  text(")");
}

void Writer::inQuery(const InQuery& node) {
  operand(*node.operand, kInPower.left);
  text(node.negated ? " NOT IN " : " IN ");
  subquery(*node.query);
}

void Writer::quantified(const Quantified& node) {
  operand(*node.operand, kInPower.left);
  text(" " + node.op + (node.quantifier == Quantifier::ALL ? " ALL " : " SOME "));
  if (node.query != nullptr) return subquery(*node.query);
  text("(");
  exprs(node.values);
  text(")");
}

// --- others ------------------------------------------------------------------------------------------

/// The form with an operand is written as Flink keeps it: with a comparison in each branch.
void Writer::caseOf(const Case& node) {
  text("CASE");
  for (const CaseBranch& branch : node.branches) {
    text(" WHEN ");
    if (node.operand != nullptr) {
      const bool all = parentheses_ == Parentheses::ALL;
      text(all ? "(" : "");
      operand(*node.operand, kComparisonPower.left);
      text(" = ");
      operand(*branch.when, kComparisonPower.right);
      text(all ? ")" : "");
    } else {
      expr(*branch.when);
    }
    text(" THEN ");
    expr(*branch.then);
  }
  text(" ELSE ");
  if (node.otherwise != nullptr) {
    expr(*node.otherwise);
  } else {
    text("NULL");
  }
  text(" END");
}

void Writer::cast(const Cast& node) {
  text(node.is_try ? "TRY_CAST(" : "CAST(");
  expr(*node.operand);
  text(" AS ");
  type(node.type);
  text(")");
}

namespace {
std::string_view collectionWord(CollectionKind kind) {
  switch (kind) {
    case CollectionKind::ARRAY: return "ARRAY";
    case CollectionKind::MAP: return "MAP";
    case CollectionKind::MULTISET: return "MULTISET";
  }
  return {};
}
}  // namespace

void Writer::collection(const CollectionConstructor& node) {
  text(collectionWord(node.collection));
  text("[");
  exprs(node.elements);
  text("]");
}

void Writer::collectionQuery(const CollectionQuery& node) {
  text(collectionWord(node.collection));
  subquery(*node.query);
}

/// A field of a name keeps its parentheses: `(a).b` is not `a.b`, which may be column b of table a.
void Writer::fieldAccess(const FieldAccess& node) {
  const bool bare = node.operand->kind == ExprKind::COLUMN_REF || node.operand->kind == ExprKind::LITERAL;
  if (bare) text("(");
  operand(*node.operand, bare ? 0 : kAtomPower);
  text(bare ? ")." : ".");
  identifier(node.field);
}

void Writer::tableArgument(const TableArgument& node) {
  if (node.table->kind == TableRefKind::NAMED) text("TABLE ");
  table(*node.table);
  if (!node.partition_by.empty()) {
    text(" PARTITION BY ");
    const bool several = node.partition_by.size() > 1;
    text(several ? "(" : "");
    exprs(node.partition_by);
    text(several ? ")" : "");
  }
  if (!node.order_by.empty()) {
    text(" ORDER BY ");
    const bool several = node.order_by.size() > 1;
    text(several ? "(" : "");
    orderItems(node.order_by);
    text(several ? ")" : "");
  }
}

}  // namespace thalweg::sql
