// Questions to JSON text: JSON_VALUE, JSON_QUERY, JSON_EXISTS, IS [NOT] JSON.
//
// The clauses arrive as arguments behind the plain ones (the binder's order): symbols for what is to happen ON EMPTY and
// ON ERROR, defaults beside them, and a typed NULL that carries the RETURNING type. Text that is not JSON gives NULL. In
// strict paths (the default) a step into nothing is an error, in lax ones it leads to EMPTY.
#include "common/functions/json_tree.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/cast_scalar.h"

namespace thalweg {
namespace {

/// The document and path of the last row, since both often repeat.
struct Question {
  std::string path_text;
  std::optional<JsonTreePath> path;

  Status prepare(const std::string& text) {
    if (path && path_text == text) return {};
    path = JsonTreePath::parse(text);
    path_text = text;
    if (!path) return Status::runtime("'" + text + "' is no JSON path; expected one such as 'lax $.a[0]'");
    return {};
  }
};

enum class Found : uint8_t { VALUE, EMPTY, ERROR };

Status refused(const char* function, const char* what, const std::string& path) {
  return Status::runtime(std::string(function) + ": the path '" + path + "' " + what);
}

bool emptyReaction(const std::string& symbol, Value& result, const DataType& type) {
  if (symbol == "EMPTY ARRAY") result = type.kind() == TypeKind::ARRAY ? Value::list({}) : Value::string("[]");
  else if (symbol == "EMPTY OBJECT") result = Value::string("{}");
  else return false;
  return true;
}

class JsonValueFunction {
 public:
  explicit JsonValueFunction(DataType type) : type_(std::move(type)) {}

  Result<Value> operator()(EvalContext& context, std::span<const Value> v) {
    if (v[0].isNull() || v[1].isNull()) return Value();
    RETURN_IF_ERROR(question_.prepare(v[1].asString()));
    const auto document = JsonTree::parse(v[0].asString());
    if (!document) return Value();
    bool missing = false;
    const auto found = question_.path->find(*document, missing);
    const bool lax = question_.path->isLax();
    if (missing || found.empty()) return react(lax, v);
    if (found.size() > 1 || !found[0]->isScalar()) return react(lax, v);
    if (found[0]->kind == JsonTree::Kind::NULL_VALUE) return Value();
    const std::string text = found[0]->kind == JsonTree::Kind::BOOLEAN ? (found[0]->boolean ? "true" : "false") : found[0]->text;
    if (type_.isString()) return Value::string(text);
    const auto value = castValue(Value::string(text), DataType::string(false), type_, *context.session_zone);
    return value.isOk() ? value : react(false, v);
  }

 private:
  Result<Value> react(bool empty, std::span<const Value> v) const {
    const std::string& symbol = v[empty ? 2 : 4].asString();
    if (symbol == "ERROR") return refused("JSON_VALUE", empty ? "leads to nothing" : "does not lead to a scalar value", question_.path_text);
    return symbol == "DEFAULT" ? v[empty ? 3 : 5] : Value();
  }

  DataType type_;
  Question question_;
};

class JsonQueryFunction {
 public:
  explicit JsonQueryFunction(DataType type) : type_(std::move(type)) {}

  Result<Value> operator()(EvalContext&, std::span<const Value> v) {
    if (v[0].isNull() || v[1].isNull()) return Value();
    RETURN_IF_ERROR(question_.prepare(v[1].asString()));
    const auto document = JsonTree::parse(v[0].asString());
    if (!document) return Value();
    bool missing = false;
    const auto found = question_.path->find(*document, missing);
    const bool lax = question_.path->isLax();
    if (missing || (found.empty() && !question_.path->hasWildcard())) return react(lax, v);
    JsonTree json;
    if (question_.path->hasWildcard()) {
      json.kind = JsonTree::Kind::ARRAY;
      for (const JsonTree* each : found) json.elements.push_back(*each);
    } else {
      json = *found[0];
    }
    if (json.kind == JsonTree::Kind::NULL_VALUE) return Value();
    const std::string& wrapper = v[2].asString();
    if (wrapper == "UNCONDITIONAL" || (wrapper == "CONDITIONAL" && json.kind != JsonTree::Kind::ARRAY)) {
      JsonTree wrapped;
      wrapped.kind = JsonTree::Kind::ARRAY;
      wrapped.elements.push_back(std::move(json));
      json = std::move(wrapped);
    } else if (json.isScalar()) {
      return react(lax, v);
    }
    return typed(json, v);
  }

 private:
  Result<Value> typed(const JsonTree& json, std::span<const Value> v) const {
    if (type_.kind() != TypeKind::ARRAY) return Value::string(json.toString());
    if (json.kind != JsonTree::Kind::ARRAY) return react(false, v);
    std::vector<Value> elements;
    for (const JsonTree& element : json.elements) {
      if (element.kind == JsonTree::Kind::NULL_VALUE) elements.emplace_back();
      else if (element.kind == JsonTree::Kind::STRING) elements.push_back(Value::string(element.text));
      else elements.push_back(Value::string(element.toString()));
    }
    return Value::list(std::move(elements));
  }

  Result<Value> react(bool empty, std::span<const Value> v) const {
    const std::string& symbol = v[empty ? 3 : 4].asString();
    if (symbol == "ERROR") return refused("JSON_QUERY", empty ? "leads to nothing" : "does not lead to an object or an array", question_.path_text);
    Value result;
    emptyReaction(symbol, result, type_);
    return result;
  }

  DataType type_;
  Question question_;
};

class JsonExistsFunction {
 public:
  Result<Value> operator()(EvalContext&, std::span<const Value> v) {
    if (v[0].isNull() || v[1].isNull()) return Value();
    RETURN_IF_ERROR(question_.prepare(v[1].asString()));
    const auto document = JsonTree::parse(v[0].asString());
    bool missing = !document;
    std::vector<const JsonTree*> found;
    if (document) found = question_.path->find(*document, missing);
    // A JSON null is there, but Flink says it is not.
    if (found.size() == 1 && found[0]->kind == JsonTree::Kind::NULL_VALUE) return Value::boolean(false);
    if (!found.empty() && !missing) return Value::boolean(true);
    if (question_.path->isLax() && document) return Value::boolean(false);
    const std::string& symbol = v[2].asString();
    if (symbol == "ERROR") return refused("JSON_EXISTS", "leads to nothing", question_.path_text);
    if (symbol == "UNKNOWN") return Value();
    return Value::boolean(symbol == "TRUE");
  }

 private:
  Question question_;
};

/// Text and path first; clauses as they come; the result is the type of the last argument, nullable.
Result<ResolvedSignature> resolveQuestion(std::span<const ArgumentInfo> arguments, bool returning) {
  for (size_t i = 0; i < 2; ++i) {
    if (!arguments[i].type.isString() && !arguments[i].type.isNull()) return argumentError(i, i == 0 ? "text" : "path", "text", arguments[i].type);
  }
  ResolvedSignature resolved;
  for (const ArgumentInfo& argument : arguments) resolved.argument_types.push_back(argument.type);
  for (size_t i = 0; i < 2; ++i) {
    if (arguments[i].type.isNull()) resolved.argument_types[i] = DataType::string();
  }
  resolved.result_type = returning ? arguments.back().type.asNullable() : DataType::boolean();
  return resolved;
}

template <typename Function>
std::function<Result<std::unique_ptr<ScalarKernel>>(const FunctionCall&)> stateful() {
  return [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
    return valueKernel(call.result_type, Function(call.result_type), NullCalls::CALLED);
  };
}

bool isJson(std::string_view text, std::string_view what) {
  const auto json = JsonTree::parse(text);
  if (!json) return false;
  if (what == "SCALAR") return json->isScalar();
  if (what == "ARRAY") return json->kind == JsonTree::Kind::ARRAY;
  if (what == "OBJECT") return json->kind == JsonTree::Kind::OBJECT;
  return true;
}

void addPredicate(ScalarList& list, const char* what, bool negated) {
  const std::string name = std::string(negated ? "IS NOT JSON " : "IS JSON ") + what;
  list.push_back({.name = name,
                  .category = "json",
                  .signature = "text " + name,
                  .description = std::string("Whether the text is ") + (negated ? "not " : "") + "JSON of this kind; NULL is none.",
                  .example = std::string("'[1]' IS ") + (negated ? "NOT " : "") + "JSON " + what,
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returnsNotNull(DataType::boolean())),
                  .make =
                      [kind = std::string(what), negated](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                        return functionKernel<bool(Nullable<std::string_view>)>(
                            call.result_type, [kind, negated](std::optional<std::string_view> text) { return (text && isJson(*text, kind)) != negated; });
                      },
                  .listed = false});
}

}  // namespace

void addJsonQueryFunctions(ScalarList& list) {
  for (const char* what : {"VALUE", "SCALAR", "ARRAY", "OBJECT"}) {
    addPredicate(list, what, false);
    addPredicate(list, what, true);
  }
  list.push_back({.name = "JSON_EXISTS", .category = "json", .signature = "JSON_EXISTS(text, path [TRUE | FALSE | UNKNOWN | ERROR ON ERROR])",
                  .description = "Whether the path leads to something.", .example = "JSON_EXISTS('{\"a\": 1}', '$.a')", .min_arguments = 2, .max_arguments = 3,
                  .resolve = [](std::span<const ArgumentInfo> arguments) { return resolveQuestion(arguments, false); },
                  .make = [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    return valueKernel(call.result_type, JsonExistsFunction(), NullCalls::CALLED);
                  },
                  .can_fail = true});
  list.push_back({.name = "JSON_VALUE", .category = "json",
                  .signature = "JSON_VALUE(text, path [RETURNING type] [NULL | ERROR | DEFAULT value ON EMPTY] [… ON ERROR])",
                  .description = "The scalar value at the path.", .example = "JSON_VALUE('{\"a\": 1}', '$.a') = '1'", .min_arguments = 2, .max_arguments = 7,
                  .resolve = [](std::span<const ArgumentInfo> arguments) { return resolveQuestion(arguments, true); },
                  .make = stateful<JsonValueFunction>(), .can_fail = true});
  list.push_back({.name = "JSON_QUERY", .category = "json",
                  .signature = "JSON_QUERY(text, path [RETURNING type] [WITH [CONDITIONAL] WRAPPER] [NULL | ERROR | EMPTY ARRAY | EMPTY OBJECT ON EMPTY] [… ON ERROR])",
                  .description = "The object or array at the path, as JSON text.", .example = "JSON_QUERY('{\"a\": [1]}', '$.a') = '[1]'", .min_arguments = 2,
                  .max_arguments = 6, .resolve = [](std::span<const ArgumentInfo> arguments) { return resolveQuestion(arguments, true); },
                  .make = stateful<JsonQueryFunction>(), .can_fail = true});
}

}  // namespace thalweg
