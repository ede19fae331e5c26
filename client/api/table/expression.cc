#include "client/api/thalweg/expression.h"

#include <algorithm>
#include <cctype>

#include "client/api/table/expression_tree.h"
#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/expressions.h"
#include "common/sql/parser.h"
#include "common/sql/unparser.h"

namespace thalweg::api {
namespace {

std::vector<sql::ExprPtr> nodesOf(const std::vector<Expression>& expressions) {
  std::vector<sql::ExprPtr> nodes;
  for (const Expression& expression : expressions) nodes.push_back(expression.node());
  return nodes;
}

sql::ExprPtr symbolNode(std::string text) {
  auto symbol = std::make_shared<sql::Symbol>();
  symbol->text = std::move(text);
  return symbol;
}

/// The unit of an interval or of EXTRACT by its name.
sql::TimeUnit unitOf(std::string_view name) {
  for (int unit = 0; unit <= static_cast<int>(sql::TimeUnit::MILLENNIUM); ++unit) {
    if (sql::timeUnitName(static_cast<sql::TimeUnit>(unit)) == name) return static_cast<sql::TimeUnit>(unit);
  }
  throw ValidationException("'" + std::string(name) + "' is no unit of time; there are YEAR, MONTH, DAY, HOUR, MINUTE, SECOND and others");
}

sql::ExprPtr unitSymbol(std::string_view name) {
  auto symbol = std::make_shared<sql::Symbol>();
  symbol->text = name;
  symbol->unit = unitOf(name);
  return symbol;
}

/// The number a literal stands for, if it is a whole number.
std::optional<int64_t> wholeNumber(const sql::Expr& expr) {
  const sql::Expr* node = &expr;
  if (const auto* cast = sql::tryAs<sql::Cast>(*node)) node = cast->operand.get();
  const auto* literal = sql::tryAs<sql::Literal>(*node);
  if (!literal || literal->literal != sql::LiteralKind::INTEGER) return std::nullopt;
  return std::stoll(literal->text);
}

/// Marks print as calls of Flink's API would: `rowtime(`ts`)`.
std::string plainMarks(const std::string& text) {
  std::string out;
  bool in_mark = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$' && (i == 0 || text[i - 1] == '(' || text[i - 1] == ' ')) {
      in_mark = true;
      continue;
    }
    if (text[i] == '(') in_mark = false;
    out += in_mark ? static_cast<char>(std::tolower(static_cast<unsigned char>(text[i]))) : text[i];
  }
  return out;
}

}  // namespace

Expression::Expression(const Value& value, const DataType& type) : node_(literalNode(value, type)) {}

Expression Expression::decimalLiteral(const Decimal& value) {
  int digits = 1;
  for (int128 rest = value.unscaled() / 10; rest != 0; rest /= 10) ++digits;
  return Expression(Value::decimal(value.unscaled()), DataType::decimal(std::max(digits, value.scale()), value.scale(), false));
}

Expression Expression::named(std::vector<std::string> names) const {
  Expression copy = *this;
  copy.names_ = std::move(names);
  return copy;
}

Expression Expression::callOf(std::string_view function, const std::vector<Expression>& arguments) {
  return Expression(callNode(function, nodesOf(arguments)));
}

Expression Expression::call(std::string_view function, const std::vector<Expression>& further) const {
  std::vector<sql::ExprPtr> args = nodesOf(further);
  args.insert(args.begin(), node_);
  return Expression(callNode(function, std::move(args)));
}

Expression Expression::marked(std::string_view mark) const { return call(mark); }

Expression Expression::infix(std::string_view op, const Expression& other) const {
  return Expression(operatorNode(op, {node_, other.node_}));
}
Expression Expression::prefix(std::string_view op) const { return Expression(operatorNode(op, {node_})); }
Expression Expression::postfix(std::string_view op) const { return Expression(operatorNode(op, {node_})); }

Expression Expression::betweenOf(const Expression& low, const Expression& high, bool negated) const {
  auto node = std::make_shared<sql::Between>();
  node->operand = node_;
  node->low = low.node_;
  node->high = high.node_;
  node->negated = negated;
  return Expression(Node(std::move(node)));
}

Expression Expression::inList(const std::vector<Expression>& values) const {
  auto node = std::make_shared<sql::InList>();
  node->operand = node_;
  node->values = nodesOf(values);
  return Expression(Node(std::move(node)));
}

Expression Expression::then(const Expression& if_true, const Expression& if_false) const {
  auto node = std::make_shared<sql::Case>();
  node->branches = {{node_, if_true.node_}};
  node->otherwise = if_false.node_;
  return Expression(Node(std::move(node)));
}

Expression Expression::trim() const { return Expression(callNode("TRIM", {symbolNode("BOTH"), stringNode(" "), node_})); }
Expression Expression::trimLeading(const Expression& characters) const {
  return Expression(callNode("TRIM", {symbolNode("LEADING"), characters.node_, node_}));
}
Expression Expression::trimTrailing(const Expression& characters) const {
  return Expression(callNode("TRIM", {symbolNode("TRAILING"), characters.node_, node_}));
}

Expression Expression::extract(std::string_view unit) const { return Expression(callNode("EXTRACT", {unitSymbol(unit), node_})); }
Expression Expression::floor(std::string_view unit) const { return Expression(callNode("FLOOR", {node_, unitSymbol(unit)})); }
Expression Expression::ceil(std::string_view unit) const { return Expression(callNode("CEIL", {node_, unitSymbol(unit)})); }

Expression Expression::interval(std::string_view unit) const {
  if (const auto amount = wholeNumber(*node_)) return Expression(intervalNode(*amount, unitOf(unit)));
  return Expression(operatorNode("*", {node_, intervalNode(1, unitOf(unit))}));
}

Expression Expression::rows() const {
  if (!wholeNumber(*node_)) throw ValidationException("rows() is for whole numbers, not for " + asSerializableString());
  return marked("$rows");
}

Expression Expression::castTo(const DataType& type, bool is_try) const { return Expression(castNode(node_, type, is_try)); }

Expression Expression::get(std::string name) const {
  auto node = std::make_shared<sql::FieldAccess>();
  node->operand = node_;
  node->field = identifier(std::move(name));
  return Expression(Node(std::move(node)));
}
Expression Expression::get(int position) const {
  if (position < 0) throw ValidationException("get() counts fields from 0, but was given " + std::to_string(position));
  return at(position + 1);
}

Expression Expression::at(const Expression& index) const {
  auto node = std::make_shared<sql::ItemAccess>();
  node->operand = node_;
  node->index = index.node_;
  return Expression(Node(std::move(node)));
}

Expression Expression::distinct() const {
  const auto* call = sql::tryAs<sql::FunctionCall>(*node_);
  if (!call) throw ValidationException("distinct() follows an aggregate, as in $(\"x\").sum().distinct(), not " + asSerializableString());
  auto copy = std::make_shared<sql::FunctionCall>(*call);
  copy->quantifier = sql::SetQuantifier::DISTINCT;
  return Expression(Node(std::move(copy)));
}

Expression Expression::over(const Expression& window) const {
  const auto* call = sql::tryAs<sql::FunctionCall>(*node_);
  const std::string name = columnNameOf(*window.node_);
  if (!call || name.empty()) throw ValidationException("over() is called on an aggregate with the name of a window, as in $(\"x\").sum().over($(\"w\"))");
  auto over = std::make_shared<sql::OverClause>();
  over->name = identifier(name);
  auto copy = std::make_shared<sql::FunctionCall>(*call);
  copy->over = std::move(over);
  return Expression(Node(std::move(copy)));
}

std::string Expression::asSerializableString() const { return plainMarks(sql::unparse(*node_)); }

// --- words (expressions.h) --------------------------------------------------------------------------------

Expression $(std::string_view name) {
  if (name == "*") return Expression(Expression::Node(std::make_shared<sql::Star>()));
  std::vector<std::string> path;
  for (size_t from = 0; from <= name.size();) {
    const size_t dot = std::min(name.find('.', from), name.size());
    path.emplace_back(name.substr(from, dot - from));
    from = dot + 1;
  }
  return Expression(columnNode(std::move(path)));
}
Expression col(std::string_view name) { return $(name); }

Expression nullOf(const DataType& type) { return Expression(Value::null(), type); }

Expression rowOf(const std::vector<Expression>& fields) {
  return Expression::callOf(kRowFunction, fields);
}
Expression arrayOf(const std::vector<Expression>& elements) {
  auto node = std::make_shared<sql::CollectionConstructor>();
  node->elements = nodesOf(elements);
  return Expression(Expression::Node(std::move(node)));
}
Expression mapOf(const std::vector<Expression>& keys_and_values) {
  auto node = std::make_shared<sql::CollectionConstructor>();
  node->collection = sql::CollectionKind::MAP;
  node->elements = nodesOf(keys_and_values);
  return Expression(Expression::Node(std::move(node)));
}

Expression callSql(std::string_view sql) { return Expression(Expression::Node(valueOrThrow(sql::parseExpression(sql)))); }

Expression ifThenElse(const Expression& condition, const Expression& if_true, const Expression& if_false) {
  return condition.then(if_true, if_false);
}

Expression range(std::string_view from, std::string_view to) { return Expression::callOf("$range", {$(from), $(to)}); }
Expression withColumnsOf(const std::vector<Expression>& columns) { return Expression::callOf("$with", columns); }
Expression withoutColumnsOf(const std::vector<Expression>& columns) { return Expression::callOf("$without", columns); }

Expression and_(const std::vector<Expression>& conditions) {
  if (conditions.size() < 2) throw ValidationException("and_() takes two or more conditions");
  return Expression(operatorNode("AND", nodesOf(conditions)));
}
Expression or_(const std::vector<Expression>& conditions) {
  if (conditions.size() < 2) throw ValidationException("or_() takes two or more conditions");
  return Expression(operatorNode("OR", nodesOf(conditions)));
}

Expression currentDate() { return callSql("CURRENT_DATE"); }
Expression currentTime() { return callSql("CURRENT_TIME"); }
Expression currentTimestamp() { return callSql("CURRENT_TIMESTAMP"); }
Expression currentRowTimestamp() { return callSql("CURRENT_ROW_TIMESTAMP()"); }
Expression localTime() { return callSql("LOCALTIME"); }
Expression localTimestamp() { return callSql("LOCALTIMESTAMP"); }
Expression timestampDiffOf(std::string_view unit, const Expression& from, const Expression& to) {
  return Expression(callNode("TIMESTAMPDIFF", {unitSymbol(unit), from.node(), to.node()}));
}

const Expression UNBOUNDED_ROW = Expression::callOf("$unbounded", {Expression(0).rows()});
const Expression UNBOUNDED_RANGE = Expression::callOf("$unbounded", {});
const Expression CURRENT_ROW = Expression::callOf("$current", {Expression(0).rows()});
const Expression CURRENT_RANGE = Expression::callOf("$current", {});

}  // namespace thalweg::api
