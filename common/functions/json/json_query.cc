// JSON_EXISTS, JSON_VALUE, JSON_QUERY and IS JSON.
//
// How the clauses arrive (the binder makes them from the syntax tree), behind the text and the path:
//   JSON_EXISTS  on_error
//   JSON_VALUE   on_empty, default_on_empty, on_error, default_on_error, typed NULL of the RETURNING type
//   JSON_QUERY   wrapper, on_empty, on_error, typed NULL of the RETURNING type
// The reactions and the wrapper are SYMBOL literals: NULL, ERROR, DEFAULT, EMPTY ARRAY, EMPTY OBJECT, TRUE, FALSE,
// UNKNOWN, or "" where the clause is left out; WITHOUT, CONDITIONAL, UNCONDITIONAL. A default that is not given is a
// typed NULL.
// Text that is not JSON, a path that leads nowhere, a JSON null and a value of the wrong kind are an error in strict
// mode (the default) and empty in lax mode.
#include "common/functions/json/json_path.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/compiled_cache.h"
#include "common/types/cast_scalar.h"

namespace thalweg {
namespace {

using Index = JsonDocument::Index;

/// What a path selects of a text.
struct Selection {
  enum Outcome {
    FAILED,                       ///< no JSON, no path, or in strict mode a path that leads nowhere or to null
    NOTHING,                      ///< the same in lax mode
    VALUE,
    LIST,                         ///< the values of an indefinite path
  };
  Outcome outcome = NOTHING;
  bool lax = false;
  Index value = 0;
};

/// Evaluates paths over texts, row by row; what was parsed stays until the next row.
class JsonSelector {
 public:
  Selection select(std::string_view text, std::string_view path_text) {
    const Result<JsonPath>& path = paths_.get(path_text, JsonPath::compile);
    if (!path.isOk()) return failed(path.status().message(), false);
    const bool lax = path->mode() == JsonPath::Mode::LAX;
    if (!document_.parse(text)) return failed("the text is not JSON", lax);
    found_.clear();
    if (!path->select(document_, found_)) return failed("the path '" + std::string(path_text) + "' leads nowhere", lax);
    if (!path->isDefinite()) return {.outcome = Selection::LIST, .lax = lax};
    if (document_.kind(found_[0]) == JsonKind::NULL_VALUE) return failed("the path '" + std::string(path_text) + "' leads to null", lax);
    return {.outcome = Selection::VALUE, .lax = lax, .value = found_[0]};
  }
  const JsonDocument& document() const { return document_; }
  const std::vector<Index>& list() const { return found_; }
  const std::string& failure() const { return failure_; }

 private:
  Selection failed(std::string why, bool lax) {
    failure_ = std::move(why);
    return {.outcome = lax ? Selection::NOTHING : Selection::FAILED, .lax = lax};
  }

  JsonDocument document_;
  CompiledCache<JsonPath> paths_;
  std::vector<Index> found_;
  std::string failure_;
};

std::string symbolAt(const FunctionCall& call, size_t i) {
  const Value* literal = literalArgument(call, i);
  CHECK(literal != nullptr);
  return literal->asString();
}

/// The texts and paths of a batch.
class PathRows {
 public:
  explicit PathRows(std::span<const VectorPtr> arguments) : text_(*arguments[0]), path_(*arguments[1]) {}
  bool isNull(size_t row) const { return text_.isNull(row) || path_.isNull(row); }
  std::string_view text(size_t row) const { return text_[row]; }
  std::string_view path(size_t row) const { return path_[row]; }

 private:
  ColumnReader<std::string_view> text_;
  ColumnReader<std::string_view> path_;
};

// ---- JSON_EXISTS

class JsonExistsKernel final : public ScalarKernel {
 public:
  explicit JsonExistsKernel(const FunctionCall& call) : result_type_(call.result_type), on_error_(symbolAt(call, 2)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments.first(2))) return Vector::nulls(result_type_, rows);
    const PathRows input(arguments);
    FlatBuilder<bool> out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (input.isNull(row)) {
        out.setNull(row);
        continue;
      }
      const Selection selection = selector_.select(input.text(row), input.path(row));
      if (selection.outcome != Selection::FAILED) {
        out.set(row, selection.outcome != Selection::NOTHING);
      } else if (on_error_ == "ERROR") {
        return Status::runtime("JSON_EXISTS: " + selector_.failure());
      } else if (on_error_ == "UNKNOWN") {
        out.setNull(row);
      } else {
        out.set(row, on_error_ == "TRUE");
      }
    }
    return out.finish();
  }

 private:
  DataType result_type_;
  std::string on_error_;
  JsonSelector selector_;
};

// ---- JSON_VALUE

/// A column of the RETURNING type from JSON scalars.
class ScalarResults {
 public:
  ScalarResults(const DataType& type, size_t rows) : builder_(ColumnBuilder::make(type, rows)), type_(type) {}

  void appendNull() { builder_->appendNull(); }
  void appendDefault(const Vector& defaults, size_t row) { builder_->appendRow(defaults, row); }
  /// False if the value does not fit the type.
  bool append(const JsonDocument& document, Index value, const TimeZone& zone) {
    const std::optional<Value> converted = convert(document, value, zone);
    if (converted) builder_->appendValue(*converted);
    return converted.has_value();
  }
  /// Whether the JSON value is of the kind the type asks for: Flink fails over others, whatever ON ERROR says.
  bool isOfType(const JsonDocument& document, Index value) const {
    if (type_.isString()) return true;
    const JsonKind kind = document.kind(value);
    if (kind == JsonKind::NULL_VALUE) return true;
    if (type_.kind() == TypeKind::BOOLEAN) return kind != JsonKind::STRING && kind != JsonKind::NUMBER;
    const bool whole = document.token(value).find_first_of(".eE") == std::string_view::npos;
    return kind == JsonKind::NUMBER && whole == (type_.kind() == TypeKind::INTEGER);
  }
  VectorPtr finish() { return builder_->finish(); }

 private:
  /// Text as it is; to other types by CAST from it.
  std::optional<Value> convert(const JsonDocument& document, Index value, const TimeZone& zone) const {
    const JsonKind kind = document.kind(value);
    std::string text;
    if (kind == JsonKind::STRING) document.appendString(text, value);
    else if (kind == JsonKind::NUMBER) document.appendNumber(text, value);
    else text = document.token(value);
    if (type_.isString()) return Value::string(std::move(text));
    const Value converted = tryCastValue(Value::string(std::move(text)), DataType::string(false), type_, zone);
    return converted.isNull() ? std::nullopt : std::optional(converted);
  }

  std::unique_ptr<ColumnBuilder> builder_;
  DataType type_;
};

class JsonValueKernel final : public ScalarKernel {
 public:
  explicit JsonValueKernel(const FunctionCall& call)
      : result_type_(call.result_type), on_empty_(symbolAt(call, 2)), on_error_(symbolAt(call, 4)) {}

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments.first(2))) return Vector::nulls(result_type_, rows);
    const PathRows input(arguments);
    ScalarResults out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (input.isNull(row)) {
        out.appendNull();
        continue;
      }
      const Selection selection = selector_.select(input.text(row), input.path(row));
      RETURN_IF_ERROR(append(*context.session_zone, selection, arguments, row, out));
    }
    return out.finish();
  }

 private:
  Status append(const TimeZone& zone, const Selection& selection, std::span<const VectorPtr> arguments, size_t row,
                ScalarResults& out) {
    const JsonDocument& document = selector_.document();
    const Vector& on_error = *arguments[5];
    if (selection.outcome == Selection::FAILED) return react(on_error_, on_error, row, out, selector_.failure());
    if (selection.outcome == Selection::NOTHING) return react(on_empty_, *arguments[3], row, out, selector_.failure());
    if (selection.outcome == Selection::LIST || !document.isScalar(selection.value)) {
      constexpr const char* kNoScalar = "an array or object was found, not a scalar value";
      return selection.lax ? react(on_empty_, *arguments[3], row, out, kNoScalar) : react(on_error_, on_error, row, out, kNoScalar);
    }
    if (!out.isOfType(document, selection.value)) {
      return Status::runtime("JSON_VALUE: the value " + std::string(document.token(selection.value)) + " is no " +
                             result_type_.asNullable().toString());
    }
    if (out.append(document, selection.value, zone)) return {};
    return react(on_error_, on_error, row, out,
                 "the value " + std::string(document.token(selection.value)) + " does not fit " + result_type_.toString());
  }

  static Status react(const std::string& reaction, const Vector& defaults, size_t row, ScalarResults& out, const std::string& why) {
    if (reaction == "ERROR") return Status::runtime("JSON_VALUE: " + why);
    if (reaction == "DEFAULT") out.appendDefault(defaults, row);
    else out.appendNull();
    return {};
  }

  DataType result_type_;
  std::string on_empty_;
  std::string on_error_;
  JsonSelector selector_;
};

// ---- JSON_QUERY

/// A column of JSON texts, or of ARRAY<STRING>.
class QueryResults {
 public:
  QueryResults(const DataType& type, size_t rows) : builder_(ColumnBuilder::make(type, rows)), array_(type.kind() == TypeKind::ARRAY) {}

  void appendNull() { builder_->appendNull(); }
  void appendEmpty(bool object) {
    if (array_) object ? builder_->appendNull() : builder_->appendValue(Value::list({}));
    else builder_->appendValue(Value::string(object ? "{}" : "[]"));
  }
  /// The values, within an array of its own if `wrapped`. False if an ARRAY<STRING> cannot hold them.
  bool append(const JsonDocument& document, std::span<const Index> values, bool list, bool wrapped) {
    if (array_) return appendArray(document, values, list, wrapped);
    std::string text;
    if (wrapped) text.push_back('[');
    if (list) text.push_back('[');
    for (size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text.push_back(',');
      document.appendCompact(text, values[i]);
    }
    if (list) text.push_back(']');
    if (wrapped) text.push_back(']');
    builder_->appendValue(Value::string(std::move(text)));
    return true;
  }
  VectorPtr finish() { return builder_->finish(); }

 private:
  bool appendArray(const JsonDocument& document, std::span<const Index> values, bool list, bool wrapped) {
    std::vector<Index> elements(values.begin(), values.end());
    if (!list && !wrapped) {
      const Index value = values[0];
      if (document.kind(value) != JsonKind::ARRAY) return false;
      elements.clear();
      for (Index child = JsonDocument::firstChild(value); child < document.next(value); child = document.next(child)) elements.push_back(child);
    }
    std::vector<Value> texts;
    for (const Index element : elements) {
      std::string text;
      if (document.kind(element) == JsonKind::STRING) document.appendString(text, element);
      else document.appendCompact(text, element);
      texts.push_back(document.kind(element) == JsonKind::NULL_VALUE ? Value::null() : Value::string(std::move(text)));
    }
    builder_->appendValue(Value::list(std::move(texts)));
    return true;
  }

  std::unique_ptr<ColumnBuilder> builder_;
  bool array_;
};

class JsonQueryKernel final : public ScalarKernel {
 public:
  explicit JsonQueryKernel(const FunctionCall& call)
      : result_type_(call.result_type), wrapper_(symbolAt(call, 2)), on_empty_(symbolAt(call, 3)), on_error_(symbolAt(call, 4)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments.first(2))) return Vector::nulls(result_type_, rows);
    const PathRows input(arguments);
    QueryResults out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (input.isNull(row)) out.appendNull();
      else RETURN_IF_ERROR(append(selector_.select(input.text(row), input.path(row)), out));
    }
    return out.finish();
  }

 private:
  Status append(const Selection& selection, QueryResults& out) {
    const JsonDocument& document = selector_.document();
    switch (selection.outcome) {
      case Selection::FAILED: return react(on_error_, out, selector_.failure());
      case Selection::NOTHING: return react(on_empty_, out, selector_.failure());
      case Selection::LIST: return write(out, selector_.list(), true, wrapper_ == "UNCONDITIONAL");
      case Selection::VALUE: break;
    }
    const bool is_array = document.kind(selection.value) == JsonKind::ARRAY;
    const bool wrapped = wrapper_ == "UNCONDITIONAL" || (wrapper_ == "CONDITIONAL" && !is_array);
    if (!wrapped && document.isScalar(selection.value)) {
      constexpr const char* kScalar = "a scalar value was found, not an array or object";
      return selection.lax ? react(on_empty_, out, kScalar) : react(on_error_, out, kScalar);
    }
    return write(out, {&selection.value, 1}, false, wrapped);
  }

  Status write(QueryResults& out, std::span<const Index> values, bool list, bool wrapped) {
    if (out.append(selector_.document(), values, list, wrapped)) return {};
    return react(on_error_, out, "the value found is no array of texts");
  }

  static Status react(const std::string& reaction, QueryResults& out, const std::string& why) {
    if (reaction == "ERROR") return Status::runtime("JSON_QUERY: " + why);
    if (reaction.starts_with("EMPTY")) out.appendEmpty(reaction == "EMPTY OBJECT");
    else out.appendNull();
    return {};
  }

  DataType result_type_;
  std::string wrapper_;
  std::string on_empty_;
  std::string on_error_;
  JsonSelector selector_;
};

ResultRule returnsLastArgument() {
  return [](std::span<const DataType> types) { return types.back().asNullable(); };
}

Result<ResolvedSignature> checkReturning(Result<ResolvedSignature> resolved, std::string_view expected,
                                         bool (*accepts)(const DataType&)) {
  if (!resolved.isOk() || accepts(resolved->result_type)) return resolved;
  return Status::plan("RETURNING takes " + std::string(expected) + ", found " + resolved->result_type.toString());
}

bool isValueType(const DataType& type) {
  return type.isString() || type.kind() == TypeKind::BOOLEAN || type.kind() == TypeKind::INTEGER || type.kind() == TypeKind::DOUBLE;
}
bool isQueryType(const DataType& type) {
  return type.isString() || (type.kind() == TypeKind::ARRAY && type.child(0).isString());
}

}  // namespace

void addJsonQueryFunctions(ScalarList& list) {
  const std::vector<Parameter> text_and_path = {param::text("json"), param::text("path")};
  const auto with = [&](std::vector<Parameter> more) {
    std::vector<Parameter> all = text_and_path;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  list.push_back({.name = "JSON_EXISTS",
                  .category = "json",
                  .signature = "JSON_EXISTS(json, path [TRUE | FALSE | UNKNOWN | ERROR ON ERROR])",
                  .description = "Whether a path leads to a value in a JSON text.",
                  .example = "JSON_EXISTS('{\"a\": 1}', '$.a')",
                  .min_arguments = 3,
                  .max_arguments = 3,
                  .resolve = signature(with({param::symbol("on error")}), returnsNullable(DataType::boolean())),
                  .make = makerOf<JsonExistsKernel>(),
                  .can_fail = true});
  list.push_back({.name = "JSON_VALUE",
                  .category = "json",
                  .signature = "JSON_VALUE(json, path [RETURNING type] [NULL | ERROR | DEFAULT value ON EMPTY] "
                               "[NULL | ERROR | DEFAULT value ON ERROR])",
                  .description = "The scalar value that a path leads to, as text, a number or BOOLEAN.",
                  .example = "JSON_VALUE('{\"a\": 1}', '$.a') = '1'",
                  .min_arguments = 7,
                  .max_arguments = 7,
                  .resolve = [types = signature(with({param::symbol("on empty"), param::anything("default"), param::symbol("on error"),
                                                      param::anything("default"), param::anything("returning")}),
                                                returnsLastArgument())](std::span<const ArgumentInfo> arguments) {
                    return checkReturning(types(arguments), "text, a number or BOOLEAN", isValueType);
                  },
                  .make = makerOf<JsonValueKernel>(),
                  .can_fail = true});
  list.push_back({.name = "JSON_QUERY",
                  .category = "json",
                  .signature = "JSON_QUERY(json, path [RETURNING type] [WITHOUT | WITH [UN]CONDITIONAL [ARRAY] WRAPPER] "
                               "[NULL | EMPTY ARRAY | EMPTY OBJECT | ERROR ON EMPTY] [.. ON ERROR])",
                  .description = "The array or object that a path leads to, as JSON text or ARRAY<STRING>.",
                  .example = "JSON_QUERY('{\"a\": [1, 2]}', '$.a') = '[1,2]'",
                  .min_arguments = 6,
                  .max_arguments = 6,
                  .resolve = [types = signature(with({param::symbol("wrapper"), param::symbol("on empty"), param::symbol("on error"),
                                                      param::anything("returning")}),
                                                returnsLastArgument())](std::span<const ArgumentInfo> arguments) {
                    return checkReturning(types(arguments), "STRING or ARRAY<STRING>", isQueryType);
                  },
                  .make = makerOf<JsonQueryKernel>(),
                  .can_fail = true});
}

}  // namespace thalweg
