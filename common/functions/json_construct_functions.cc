// JSON text made of values: JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_QUOTE, JSON_UNQUOTE.
//
// JSON_OBJECT and JSON_ARRAY get a symbol in front: the clause for NULLs, and the places of arguments that are JSON
// already because they are such constructors themselves (`ABSENT,2`).
#include "common/functions/json_tree.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/value_text.h"

namespace thalweg {
namespace {

JsonTree jsonOf(const Value& value, const DataType& type);

JsonTree number(std::string text) {
  JsonTree json;
  json.kind = JsonTree::Kind::NUMBER;
  json.text = std::move(text);
  return json;
}

JsonTree string(std::string text) {
  JsonTree json;
  json.kind = JsonTree::Kind::STRING;
  json.text = std::move(text);
  return json;
}

JsonTree jsonOf(const Value& value, const DataType& type) {
  JsonTree json;
  if (value.isNull()) return json;
  switch (type.kind()) {
    case TypeKind::BOOLEAN:
      json.kind = JsonTree::Kind::BOOLEAN;
      json.boolean = value.asBool();
      return json;
    case TypeKind::TINYINT:
    case TypeKind::SMALLINT:
    case TypeKind::INTEGER:
    case TypeKind::BIGINT:
    case TypeKind::FLOAT:
    case TypeKind::DOUBLE:
    case TypeKind::DECIMAL: return number(castForm(value, type, TimeZone()));
    case TypeKind::ARRAY:
      json.kind = JsonTree::Kind::ARRAY;
      for (const Value& element : value.asList()) json.elements.push_back(jsonOf(element, type.child(0)));
      return json;
    case TypeKind::MAP:
    case TypeKind::MULTISET:
      json.kind = JsonTree::Kind::OBJECT;
      for (const auto& [key, entry] : value.asMap()) {
        const DataType entry_type = type.kind() == TypeKind::MAP ? type.child(1) : DataType::integer();
        json.members[key.isNull() ? "null" : castForm(key, type.child(0), TimeZone())] = jsonOf(entry, entry_type);
      }
      return json;
    case TypeKind::ROW:
      json.kind = JsonTree::Kind::OBJECT;
      for (size_t i = 0; i < type.childCount(); ++i) json.members[type.fieldName(i)] = jsonOf(value.asRow()[i], type.child(i));
      return json;
    default: return string(castForm(value, type, TimeZone()));
  }
}

/// The symbol in front of a constructor's arguments.
struct Clause {
  bool absent = false;
  std::vector<bool> is_json;

  explicit Clause(const FunctionCall& call) : is_json(call.arguments.size(), false) {
    std::string_view text = call.arguments[0].literal->asString();
    absent = text.substr(0, 6) == "ABSENT";
    for (size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
      text.remove_prefix(comma + 1);
      size_t place = 0;
      for (const char c : text.substr(0, text.find(','))) place = place * 10 + static_cast<size_t>(c - '0');
      if (place < is_json.size()) is_json[place] = true;
    }
  }

  JsonTree value(size_t place, const Value& value, const DataType& type) const {
    if (!value.isNull() && is_json[place]) return JsonTree::parse(value.asString()).value_or(JsonTree());
    return jsonOf(value, type);
  }
};

std::vector<DataType> typesOf(const FunctionCall& call) {
  std::vector<DataType> types;
  for (const ArgumentInfo& argument : call.arguments) types.push_back(argument.type);
  return types;
}

Result<ResolvedSignature> resolveObject(std::span<const ArgumentInfo> arguments) {
  ResolvedSignature resolved;
  if (arguments.size() % 2 != 1) return Status::plan("JSON_OBJECT needs pairs of key and value");
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool is_key = i % 2 == 1;
    if (is_key && (!arguments[i].literal || arguments[i].literal->isNull() || !arguments[i].type.isString())) {
      return Status::plan("the keys of JSON_OBJECT must be text literals that are not NULL");
    }
    resolved.argument_types.push_back(arguments[i].type);
  }
  resolved.result_type = DataType::string(false);
  return resolved;
}

Result<ResolvedSignature> resolveAnything(std::span<const ArgumentInfo> arguments) {
  ResolvedSignature resolved;
  for (const ArgumentInfo& argument : arguments) resolved.argument_types.push_back(argument.type);
  resolved.result_type = DataType::string(false);
  return resolved;
}

Result<std::unique_ptr<ScalarKernel>> makeObject(const FunctionCall& call) {
  return valueKernel(
      call.result_type,
      [types = typesOf(call), clause = Clause(call)](EvalContext&, std::span<const Value> v) -> Result<Value> {
        JsonTree json;
        json.kind = JsonTree::Kind::OBJECT;
        for (size_t i = 1; i + 1 < v.size(); i += 2) {
          if (v[i + 1].isNull() && clause.absent) continue;
          json.members[v[i].asString()] = clause.value(i + 1, v[i + 1], types[i + 1]);
        }
        return Value::string(json.toString());
      },
      NullCalls::CALLED);
}

Result<std::unique_ptr<ScalarKernel>> makeArray(const FunctionCall& call) {
  return valueKernel(
      call.result_type,
      [types = typesOf(call), clause = Clause(call)](EvalContext&, std::span<const Value> v) -> Result<Value> {
        JsonTree json;
        json.kind = JsonTree::Kind::ARRAY;
        for (size_t i = 1; i < v.size(); ++i) {
          if (!v[i].isNull() || !clause.absent) json.elements.push_back(clause.value(i, v[i], types[i]));
        }
        return Value::string(json.toString());
      },
      NullCalls::CALLED);
}

Result<std::unique_ptr<ScalarKernel>> makeString(const FunctionCall& call) {
  return valueKernel(call.result_type, [type = call.arguments[0].type](EvalContext&, std::span<const Value> v) -> Result<Value> {
    return Value::string(jsonOf(v[0], type).toString());
  });
}

/// JSON_QUOTE escapes `/` and everything beyond ASCII, UTF-16 unit by unit in Flink's own spelling (the high half of a
/// pair is written as the whole code point, the low half follows).
void quote(std::string_view text, std::string& out) {
  static constexpr char kHex[] = "0123456789abcdef";
  const auto hex = [&](uint32_t unit) {
    std::string digits;
    for (; unit > 0 || digits.size() < 4; unit >>= 4) digits.insert(digits.begin(), kHex[unit & 15]);
    out += "\\u" + digits;
  };
  out += '"';
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      ++i;
      switch (lead) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '/': out += "\\/"; break;
        case '\b': out += "\\b"; break;
        case '\f': out += "\\f"; break;
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        default:
          if (lead < 0x20) hex(lead);
          else out += static_cast<char>(lead);
      }
      continue;
    }
    const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t point = lead & (0xFFu >> (length + 1));
    for (size_t k = 1; k < length && i + k < text.size(); ++k) point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3F);
    i += length;
    hex(point);
    if (point >= 0x10000) hex(0xDC00 + ((point - 0x10000) & 0x3FF));
  }
  out += '"';
}

/// Quoted text that is valid JSON loses its quotes and escapes; anything else stays as it is.
void unquote(std::string_view text, std::string& out) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    if (const auto json = JsonTree::parse(text); json && json->kind == JsonTree::Kind::STRING) {
      out = json->text;
      return;
    }
  }
  out = text;
}

}  // namespace

void addJsonConstructFunctions(ScalarList& list) {
  list.push_back({.name = "JSON_OBJECT", .category = "json", .signature = "JSON_OBJECT([[KEY] key VALUE value, …] [NULL | ABSENT ON NULL])",
                  .description = "A JSON object of literal keys and values.", .example = "JSON_OBJECT('a' VALUE 1) = '{\"a\":1}'",
                  .min_arguments = 0, .max_arguments = SIZE_MAX, .resolve = resolveObject, .make = makeObject});
  list.push_back({.name = "JSON_ARRAY", .category = "json", .signature = "JSON_ARRAY([value, …] [NULL | ABSENT ON NULL])",
                  .description = "A JSON array of values.", .example = "JSON_ARRAY(1, 'x') = '[1,\"x\"]'", .min_arguments = 0, .max_arguments = SIZE_MAX,
                  .resolve = resolveAnything, .make = makeArray});
  list.push_back({.name = "JSON_STRING", .category = "json", .signature = "JSON_STRING(value)", .description = "The value as JSON text; NULL of NULL.",
                  .example = "JSON_STRING('a') = '\"a\"'", .min_arguments = 1, .max_arguments = 1,
                  .resolve = signature({param::anything("value")}, returns(DataType::string())), .make = makeString});
  list.push_back({.name = "JSON_QUOTE", .category = "json", .signature = "JSON_QUOTE(text)", .description = "The text as a JSON string, all beyond ASCII escaped.",
                  .example = "JSON_QUOTE('a') = '\"a\"'", .min_arguments = 1, .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returns(DataType::string())), .make = kernelMaker<std::string(std::string_view)>(quote)});
  list.push_back({.name = "JSON_UNQUOTE", .category = "json", .signature = "JSON_UNQUOTE(text)", .description = "The text of a JSON string; other text as it is.",
                  .example = "JSON_UNQUOTE('\"a\"') = 'a'", .min_arguments = 1, .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returns(DataType::string())), .make = kernelMaker<std::string(std::string_view)>(unquote)});
}

}  // namespace thalweg
