// JSON_OBJECT, JSON_ARRAY, JSON, JSON_STRING, JSON_QUOTE, JSON_UNQUOTE.
//
// JSON_OBJECT and JSON_ARRAY are given a SYMBOL literal first: `NULL` or `ABSENT` (what becomes of NULL values), behind
// it the places of arguments that are JSON already, calls of JSON_OBJECT, JSON_ARRAY and JSON: `ABSENT,2,4` (the
// symbol's own place is 0). Their text goes in as JSON, not as a string. Keys are literals and come out in order.
// JSON(text) has a second argument, the SYMBOL `RAW`, which only a call within JSON_OBJECT or JSON_ARRAY is given.
#include <algorithm>
#include <charconv>

#include "common/functions/json/json_document.h"
#include "common/functions/json/json_writer.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/unicode.h"

namespace thalweg {
namespace {

/// What the leading symbol says.
struct Construction {
  bool absent_on_null = false;
  std::vector<size_t> raw;

  static Construction of(const FunctionCall& call) {
    Construction construction;
    std::string_view rest = call.arguments[0].literal->asString();
    construction.absent_on_null = rest.starts_with("ABSENT");
    for (size_t comma = rest.find(','); comma != std::string_view::npos; comma = rest.find(',')) {
      rest.remove_prefix(comma + 1);
      size_t place = 0;
      std::from_chars(rest.data(), rest.data() + rest.size(), place);
      construction.raw.push_back(place);
    }
    return construction;
  }
  bool isRaw(size_t argument) const { return std::ranges::find(raw, argument) != raw.end(); }
};

struct Member {
  std::string key;              ///< quoted and with its colon; empty in arrays
  size_t argument;
  std::unique_ptr<JsonColumn> column;
};

class ConstructKernel final : public ScalarKernel {
 public:
  ConstructKernel(DataType result_type, std::vector<Member> members, bool absent_on_null, bool object)
      : result_type_(std::move(result_type)), members_(std::move(members)), absent_on_null_(absent_on_null), object_(object) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    for (Member& member : members_) member.column->bind(*arguments[member.argument]);
    StringBuilder out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      text_.assign(1, object_ ? '{' : '[');
      for (Member& member : members_) {
        if (absent_on_null_ && member.column->isNull(row)) continue;
        if (text_.size() > 1) text_.push_back(',');
        text_.append(member.key);
        if (!member.column->appendAny(text_, row)) return Status::runtime("JSON expects JSON text, but argument " +
                                                                          std::to_string(member.argument) + " is none");
      }
      text_.push_back(object_ ? '}' : ']');
      out.append(text_);
    }
    return out.finish();
  }

 private:
  DataType result_type_;
  std::vector<Member> members_;
  bool absent_on_null_;
  bool object_;
  std::string text_;
};

Result<std::unique_ptr<ScalarKernel>> makeObject(const FunctionCall& call) {
  const Construction construction = Construction::of(call);
  std::vector<Member> members;
  for (size_t i = 1; i + 1 < call.arguments.size(); i += 2) {
    ASSIGN_OR_RETURN(std::unique_ptr<JsonColumn> column, JsonColumn::make(call.arguments[i + 1].type, construction.isRaw(i + 1)));
    std::string key;
    appendJsonString(key, call.arguments[i].literal->asString());
    key.push_back(':');
    std::erase_if(members, [&](const Member& member) { return member.key == key; });
    members.push_back({std::move(key), i + 1, std::move(column)});
  }
  std::ranges::stable_sort(members, {}, &Member::key);
  return std::make_unique<ConstructKernel>(call.result_type, std::move(members), construction.absent_on_null, true);
}

Result<std::unique_ptr<ScalarKernel>> makeArray(const FunctionCall& call) {
  const Construction construction = Construction::of(call);
  std::vector<Member> members;
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    ASSIGN_OR_RETURN(std::unique_ptr<JsonColumn> column, JsonColumn::make(call.arguments[i].type, construction.isRaw(i)));
    members.push_back({"", i, std::move(column)});
  }
  return std::make_unique<ConstructKernel>(call.result_type, std::move(members), construction.absent_on_null, false);
}

/// Arguments kept; a bare NULL is text.
ResolvedSignature keepArguments(std::span<const ArgumentInfo> arguments) {
  ResolvedSignature resolved;
  for (const ArgumentInfo& argument : arguments) {
    resolved.argument_types.push_back(argument.type.isNull() ? DataType::string() : argument.type);
  }
  resolved.result_type = DataType::string(false);
  return resolved;
}

Status checkValue(size_t index, const DataType& type) {
  return JsonColumn::takes(type) ? Status() : argumentError(index, "value", "a value that JSON has a form for", type);
}

Result<ResolvedSignature> resolveObject(std::span<const ArgumentInfo> arguments) {
  if (arguments.size() % 2 != 1) return Status::plan("JSON_OBJECT needs a value for every key");
  for (size_t i = 1; i + 1 < arguments.size(); i += 2) {
    const ArgumentInfo& key = arguments[i];
    if (!key.literal || key.literal->isNull() || !key.type.isString()) {
      return Status::plan("the keys of JSON_OBJECT must be text literals");
    }
    RETURN_IF_ERROR(checkValue(i + 1, arguments[i + 1].type));
  }
  return keepArguments(arguments);
}

Result<ResolvedSignature> resolveArray(std::span<const ArgumentInfo> arguments) {
  for (size_t i = 1; i < arguments.size(); ++i) RETURN_IF_ERROR(checkValue(i, arguments[i].type));
  return keepArguments(arguments);
}

// ---- JSON

Result<ResolvedSignature> resolveJson(std::span<const ArgumentInfo> arguments) {
  if (arguments.size() == 1) return Status::plan("JSON(text) is only allowed as a value of JSON_OBJECT and JSON_ARRAY");
  static const Resolve types = signature({param::text("text"), param::symbol("raw")}, returns(DataType::string()));
  return types(arguments);
}

class FirstArgumentKernel final : public ScalarKernel {
 public:
  explicit FirstArgumentKernel(DataType result_type) : result_type_(std::move(result_type)) {}
  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t) override {
    return arguments[0]->withType(result_type_);
  }

 private:
  DataType result_type_;
};

// ---- JSON_STRING

class JsonStringKernel final : public ScalarKernel {
 public:
  JsonStringKernel(DataType result_type, std::unique_ptr<JsonColumn> column)
      : result_type_(std::move(result_type)), column_(std::move(column)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    column_->bind(*arguments[0]);
    StringBuilder out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (column_->isNull(row)) {
        out.appendNull();
        continue;
      }
      text_.clear();
      column_->append(text_, row);
      out.append(text_);
    }
    return out.finish();
  }

 private:
  DataType result_type_;
  std::unique_ptr<JsonColumn> column_;
  std::string text_;
};

Result<ResolvedSignature> resolveJsonString(std::span<const ArgumentInfo> arguments) {
  ResolvedSignature resolved = keepArguments(arguments);
  RETURN_IF_ERROR(checkValue(0, arguments[0].type));
  resolved.result_type = DataType::string(arguments[0].type.nullable());
  return resolved;
}

// ---- JSON_QUOTE, JSON_UNQUOTE

/// In quotes, with everything outside of ASCII escaped; beyond the basic plane in Flink's own spelling, the whole code
/// point and then the low half of the pair.
void quote(std::string_view text, std::string& out) {
  constexpr char kDigits[] = "0123456789abcdef";
  const auto unit = [&](char32_t code) {
    out.append("\\u");
    for (int shift = code < 0x10000 ? 12 : 16; shift >= 0; shift -= 4) out.push_back(kDigits[code >> shift & 15]);
  };
  out.push_back('"');
  for (size_t at = 0; at < text.size();) {
    const char32_t code = nextCodePoint(text, at);
    switch (code) {
      case '"': out.append("\\\""); continue;
      case '\\': out.append("\\\\"); continue;
      case '/': out.append("\\/"); continue;
      case '\b': out.append("\\b"); continue;
      case '\f': out.append("\\f"); continue;
      case '\n': out.append("\\n"); continue;
      case '\r': out.append("\\r"); continue;
      case '\t': out.append("\\t"); continue;
      default: break;
    }
    if (code >= 0x20 && code < 0x80) {
      out.push_back(static_cast<char>(code));
    } else {
      unit(code);
      if (code >= 0x10000) unit(0xdc00 + ((code - 0x10000) & 0x3ff));
    }
  }
  out.push_back('"');
}

/// The text that a JSON string stands for; other text unchanged.
void unquote(std::string_view text, std::string& out, JsonDocument& document) {
  const bool is_string = text.size() >= 2 && text.front() == '"' && text.back() == '"' && document.parse(text);
  if (is_string) appendJsonUnescaped(out, text.substr(1, text.size() - 2));
  else out.append(text);
}

}  // namespace

void addJsonConstructFunctions(ScalarList& list) {
  list.push_back({.name = "JSON_OBJECT",
                  .category = "json",
                  .signature = "JSON_OBJECT([KEY] key VALUE value, … [NULL | ABSENT ON NULL])",
                  .description = "A JSON object of literal keys and values.",
                  .example = "JSON_OBJECT('a' VALUE 1) = '{\"a\":1}'",
                  .min_arguments = 1,
                  .max_arguments = SIZE_MAX,
                  .resolve = resolveObject,
                  .make = makeObject,
                  .can_fail = true});
  list.push_back({.name = "JSON_ARRAY",
                  .category = "json",
                  .signature = "JSON_ARRAY(value, … [NULL | ABSENT ON NULL])",
                  .description = "A JSON array of values.",
                  .example = "JSON_ARRAY(1, 'a') = '[1,\"a\"]'",
                  .min_arguments = 1,
                  .max_arguments = SIZE_MAX,
                  .resolve = resolveArray,
                  .make = makeArray,
                  .can_fail = true});
  list.push_back({.name = "JSON",
                  .category = "json",
                  .signature = "JSON(text)",
                  .description = "Text that is JSON already; only as a value of JSON_OBJECT and JSON_ARRAY.",
                  .example = "JSON_ARRAY(JSON('[1, 2]')) = '[[1,2]]'",
                  .min_arguments = 1,
                  .max_arguments = 2,
                  .resolve = resolveJson,
                  .make = [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    return std::make_unique<FirstArgumentKernel>(call.result_type);
                  }});
  list.push_back({.name = "JSON_STRING",
                  .category = "json",
                  .signature = "JSON_STRING(value)",
                  .description = "The JSON text of any value.",
                  .example = "JSON_STRING(ARRAY[1, 2]) = '[1,2]'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = resolveJsonString,
                  .make = [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    ASSIGN_OR_RETURN(std::unique_ptr<JsonColumn> column, JsonColumn::make(call.arguments[0].type));
                    return std::make_unique<JsonStringKernel>(call.result_type, std::move(column));
                  },
                  .strict = true});
  list.push_back({.name = "JSON_QUOTE",
                  .category = "json",
                  .signature = "JSON_QUOTE(text)",
                  .description = "The text as a JSON string in quotes, with all but ASCII escaped.",
                  .example = "JSON_QUOTE('a') = '\"a\"'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returns(DataType::string())),
                  .make = kernelMaker<std::string(std::string_view)>(quote),
                  .strict = true});
  list.push_back({.name = "JSON_UNQUOTE",
                  .category = "json",
                  .signature = "JSON_UNQUOTE(text)",
                  .description = "What a JSON string in quotes stands for; any other text as it is.",
                  .example = "JSON_UNQUOTE('\"a\"') = 'a'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returns(DataType::string())),
                  .make = kernelMaker<std::string(std::string_view)>(
                      [document = JsonDocument()](std::string_view text, std::string& out) mutable { unquote(text, out, document); }),
                  .strict = true});
}

}  // namespace thalweg
