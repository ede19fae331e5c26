// TO_CHANGELOG and FROM_CHANGELOG: arguments by place or by name — input, op, op_mapping.
#include <algorithm>
#include <map>
#include <set>

#include "common/plan/binder/from_binder.h"
#include "common/plan/expressions/expression_binder.h"

namespace thalweg {
namespace {

using Arguments = std::map<std::string, const sql::Expr*>;

std::optional<RowKind> kindNamed(const std::string& name) {
  if (name == "INSERT") return RowKind::INSERT;
  if (name == "UPDATE_BEFORE") return RowKind::UPDATE_BEFORE;
  if (name == "UPDATE_AFTER") return RowKind::UPDATE_AFTER;
  if (name == "DELETE") return RowKind::DELETE;
  return std::nullopt;
}

/// `c, r` → c and r.
std::vector<std::string> commaList(const std::string& text) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin <= text.size()) {
    size_t end = std::min(text.find(',', begin), text.size());
    size_t first = text.find_first_not_of(' ', begin);
    size_t last = text.find_last_not_of(' ', end == 0 ? 0 : end - 1);
    if (first != std::string::npos && first < end && last >= first) parts.push_back(text.substr(first, last - first + 1));
    begin = end + 1;
  }
  return parts;
}

Result<Arguments> matchArguments(const std::string& function, const sql::FunctionCall& call) {
  static const std::vector<std::string> parameters = {"INPUT", "OP", "OP_MAPPING"};
  Arguments arguments;
  for (size_t i = 0; i < call.args.size(); ++i) {
    const auto* named = sql::tryAs<sql::NamedArgument>(*call.args[i]);
    std::string key = named ? upperName(named->name.text) : i < parameters.size() ? parameters[i] : std::string();
    if (named && (key == "UID" || key == "ON_TIME")) {
      return Status::notSupported("the argument " + named->name.text + " of " + function + " is not supported", named->name.position);
    }
    bool known = std::find(parameters.begin(), parameters.end(), key) != parameters.end();
    if (!known) {
      return Status::plan(function + " takes input, op and op_mapping, but not " + (named ? "'" + named->name.text + "'" : "more"),
                          call.args[i]->position);
    }
    if (!arguments.emplace(key, named ? named->value.get() : call.args[i].get()).second) {
      return Status::plan(function + ": argument " + key + " is given twice", call.args[i]->position);
    }
  }
  if (!arguments.contains("INPUT")) return Status::plan(function + " needs a table: input => TABLE t", call.position);
  return arguments;
}

/// The pairs of `MAP['a', 'b', …]`.
Result<std::vector<std::pair<std::string, std::string>>> textPairs(const BindEnvironment& environment, const std::string& function,
                                                                   const sql::Expr& expr) {
  NoColumns none("the arguments of " + function);
  ASSIGN_OR_RETURN(BoundExprPtr bound, ExpressionBinder(environment, none).bind(expr));
  bound = foldConstant(bound, environment.session_zone);
  const bool texts = bound->isLiteral() && bound->type.kind() == TypeKind::MAP && !bound->value.isNull();
  if (!texts) return Status::plan("op_mapping must be a constant MAP of texts, as MAP['c', 'INSERT']", expr.position);
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [key, value] : bound->value.asMap()) {
    if (key.isNull() || value.isNull()) return Status::plan("op_mapping cannot hold NULL", expr.position);
    pairs.emplace_back(std::string(key.asString()), std::string(value.asString()));
  }
  return pairs;
}

}  // namespace

Result<std::optional<Relation>> FromBinder::bindChangelogFunction(const sql::FunctionCall& call) {
  const std::string function = upperName(call.name.last());
  const bool to_text = function == "TO_CHANGELOG";
  if (!to_text && function != "FROM_CHANGELOG") return std::optional<Relation>();
  if (environment().batch_mode) return Status::plan(function + " is about the messages of a stream, of which there are none in batch mode", call.position);
  ASSIGN_OR_RETURN(Arguments arguments, matchArguments(function, call));
  const auto* table = sql::tryAs<sql::TableArgument>(*arguments["INPUT"]);
  const auto* query = sql::tryAs<sql::Subquery>(*arguments["INPUT"]);
  LogicalNodePtr input;
  if (table) {
    if (!table->partition_by.empty() || !table->order_by.empty()) {
      return Status::notSupported(function + " of a table with PARTITION BY or ORDER BY is not supported", call.position);
    }
    ASSIGN_OR_RETURN(Relation relation, bind(*table->table));
    input = std::move(relation.node);
  } else if (query) {
    ASSIGN_OR_RETURN(input, QueryBinder(statement_, outer_, common_).bind(*query->query));
  } else {
    return Status::plan(function + " needs a table: input => TABLE t", call.position);
  }

  std::string op_name = "op";
  SourcePosition position = call.position;
  if (arguments.contains("OP")) {
    const auto* descriptor = sql::tryAs<sql::Descriptor>(*arguments["OP"]);
    if (!descriptor || descriptor->columns.size() != 1) return Status::plan("op must be DESCRIPTOR(column) with one column", call.position);
    op_name = descriptor->columns[0].text;
    position = descriptor->columns[0].position;
  }
  ChangelogTextSpec spec;
  spec.to_text = to_text;
  if (arguments.contains("OP_MAPPING")) {
    ASSIGN_OR_RETURN(auto pairs, textPairs(environment(), function, *arguments["OP_MAPPING"]));
    std::set<RowKind> named;
    for (const auto& [key, value] : pairs) {
      const std::string& kinds = to_text ? key : value;
      for (const std::string& name : to_text ? commaList(kinds) : std::vector<std::string>{kinds}) {
        const auto kind = kindNamed(name);
        if (!kind) {
          return Status::plan("op_mapping names '" + name + "', but the kinds are INSERT, UPDATE_BEFORE, UPDATE_AFTER and DELETE",
                              arguments["OP_MAPPING"]->position);
        }
        if (!named.insert(*kind).second) {
          return Status::plan("op_mapping names " + name + " twice", arguments["OP_MAPPING"]->position);
        }
        if (to_text) spec.kinds.emplace_back(value, *kind);
        else for (const std::string& code : commaList(key)) spec.kinds.emplace_back(code, *kind);
      }
    }
    if (!to_text && named.contains(RowKind::UPDATE_AFTER) && !named.contains(RowKind::UPDATE_BEFORE)) {
      return Status::plan("op_mapping names UPDATE_AFTER without UPDATE_BEFORE, but changes are read whole", arguments["OP_MAPPING"]->position);
    }
  } else {
    spec.kinds = {{"INSERT", RowKind::INSERT}, {"UPDATE_BEFORE", RowKind::UPDATE_BEFORE},
                  {"UPDATE_AFTER", RowKind::UPDATE_AFTER}, {"DELETE", RowKind::DELETE}};
  }

  std::vector<Column> columns;
  if (to_text) {
    if (input->schema.indexOf(op_name) >= 0) return Status::plan("the table has a column '" + op_name + "' already; name another in op", position);
    columns.push_back({op_name, DataType::string()});
    for (const Column& column : input->schema.columns()) columns.push_back({column.name, column.type});
  } else {
    spec.text_column = input->schema.indexOf(op_name);
    if (spec.text_column < 0) return Status::plan("the table has no column '" + op_name + "' with the kinds of changes", position);
    const DataType& type = input->schema.type(static_cast<size_t>(spec.text_column));
    if (!type.isString()) {
      return Status::plan("column '" + op_name + "' with the kinds of changes must be text, but is " + type.toString(), position);
    }
    for (const Column& column : input->schema.columns()) {
      if (column.name != op_name) columns.push_back({column.name, column.type});
    }
  }
  Schema schema(std::move(columns));
  LogicalNodePtr node = std::make_shared<LogicalChangelog>(std::move(input), std::move(spec), schema);
  return std::optional<Relation>(Relation{std::move(node), Scope::ofTable({}, schema)});
}

}  // namespace thalweg
