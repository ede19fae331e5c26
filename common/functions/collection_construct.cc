// Making and taking apart: ARRAY[..], MAP[..], ROW(..), a[i], m[k], ELEMENT, CARDINALITY.
#include <algorithm>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

std::optional<DataType> commonType(std::span<const ArgumentInfo> arguments, size_t first, size_t step) {
  std::vector<DataType> types;
  for (size_t i = first; i < arguments.size(); i += step) types.push_back(arguments[i].type);
  return leastRestrictive(types);
}

Result<ResolvedSignature> resolveArray(std::span<const ArgumentInfo> arguments) {
  if (arguments.empty()) return Status::plan("ARRAY[] needs at least one element");
  const auto element = commonType(arguments, 0, 1);
  if (!element) return Status::plan("the elements of an array must have a common type");
  ResolvedSignature resolved;
  resolved.argument_types.assign(arguments.size(), *element);
  resolved.result_type = DataType::array(*element, false);
  return resolved;
}

Result<ResolvedSignature> resolveMap(std::span<const ArgumentInfo> arguments) {
  if (arguments.empty() || arguments.size() % 2 != 0) return Status::plan("MAP[..] needs pairs of key and value");
  const auto key = commonType(arguments, 0, 2);
  const auto value = commonType(arguments, 1, 2);
  if (!key || !value) return Status::plan("the keys of a map must have a common type, and so must its values");
  ResolvedSignature resolved;
  for (size_t i = 0; i < arguments.size(); ++i) resolved.argument_types.push_back(i % 2 == 0 ? *key : *value);
  resolved.result_type = DataType::map(*key, *value, false);
  return resolved;
}

Result<ResolvedSignature> resolveRow(std::span<const ArgumentInfo> arguments) {
  ResolvedSignature resolved;
  std::vector<Field> fields;
  for (const ArgumentInfo& argument : arguments) {
    resolved.argument_types.push_back(argument.type);
    fields.push_back({"EXPR$" + std::to_string(fields.size()), argument.type});
  }
  resolved.result_type = DataType::row(std::move(fields), false);
  return resolved;
}

/// Columns side by side are a ROW column; nothing is copied but encodings undone.
class RowKernel final : public ScalarKernel {
 public:
  explicit RowKernel(DataType type) : type_(std::move(type)) {}
  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    Vector::Flat parts{.type = type_, .size = rows};
    for (const VectorPtr& argument : arguments) parts.children.push_back(argument->flatten());
    return Vector::flat(std::move(parts));
  }

 private:
  DataType type_;
};

Result<Value> makeArray(EvalContext&, std::span<const Value> values) { return Value::list({values.begin(), values.end()}); }

Result<Value> makeMap(EvalContext&, std::span<const Value> values) {
  std::vector<std::pair<Value, Value>> entries;
  for (size_t i = 0; i + 1 < values.size(); i += 2) {
    auto at = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == values[i]; });
    if (at == entries.end()) entries.emplace_back(values[i], values[i + 1]);
    else at->second = values[i + 1];
  }
  return Value::map(std::move(entries));
}

Result<ResolvedSignature> resolveItem(std::span<const ArgumentInfo> arguments) {
  const DataType& collection = arguments[0].type;
  ResolvedSignature resolved;
  if (collection.kind() == TypeKind::ARRAY) {
    if (!arguments[1].type.isInteger() && !arguments[1].type.isNull()) {
      return argumentError(1, "index", "an integer", arguments[1].type);
    }
    if (arguments[1].literal && !arguments[1].literal->isNull() && arguments[1].literal->asInt() < 1) {
      return Status::plan("positions in arrays begin at 1, so " + std::to_string(arguments[1].literal->asInt()) + " is none");
    }
    resolved.argument_types = {collection, DataType::integer(arguments[1].type.nullable())};
    resolved.result_type = collection.child(0).asNullable();
    return resolved;
  }
  if (collection.kind() == TypeKind::MAP) {
    const DataType& key = collection.child(0);
    const DataType types[] = {key, arguments[1].type};
    const bool comparable = arguments[1].type.isNull() || (key.isString() && arguments[1].type.isString()) ||
                            (key.isNumeric() && arguments[1].type.isNumeric()) || key.sameIgnoringNullability(arguments[1].type);
    const auto common = leastRestrictive(types);
    if (!comparable || !common) return argumentError(1, "key", "a " + key.asNullable().toString(), arguments[1].type);
    resolved.argument_types = {collection, key.isString() ? arguments[1].type : key.withNullable(arguments[1].type.nullable())};
    resolved.result_type = collection.child(1).asNullable();
    return resolved;
  }
  return argumentError(0, "collection", "an ARRAY or a MAP", collection);
}

Result<Value> itemOfArray(EvalContext&, std::span<const Value> values) {
  const auto& list = values[0].asList();
  const int64_t at = values[1].asInt();
  return at >= 1 && static_cast<size_t>(at) <= list.size() ? list[static_cast<size_t>(at) - 1] : Value();
}

Result<Value> itemOfMap(EvalContext&, std::span<const Value> values) {
  if (values[0].isNull()) return Value();
  for (const auto& [key, value] : values[0].asMap()) {
    if (key == values[1]) return value;
  }
  return Value();
}

Result<Value> onlyElement(EvalContext&, std::span<const Value> values) {
  const auto& list = values[0].asList();
  if (list.size() > 1) return Status::runtime("ELEMENT takes a collection of at most one element, found " + std::to_string(list.size()));
  return list.empty() ? Value() : list[0];
}

Result<Value> cardinality(EvalContext&, std::span<const Value> values) {
  const bool is_list = std::holds_alternative<ListValue>(values[0].content());
  if (is_list) return Value::integer(static_cast<int64_t>(values[0].asList().size()));
  return Value::integer(static_cast<int64_t>(values[0].asMap().size()));
}

Parameter collection(std::string name) {
  Parameter parameter = param::anything(std::move(name));
  parameter.expected = "an ARRAY, MAP or MULTISET";
  parameter.accepts = [](const DataType& type) {
    return type.kind() == TypeKind::ARRAY || type.kind() == TypeKind::MAP || type.kind() == TypeKind::MULTISET;
  };
  return parameter;
}

}  // namespace

void addCollectionConstructors(ScalarList& list) {
  list.push_back({.name = "ARRAY",
                  .category = "collection",
                  .signature = "ARRAY[value, …]",
                  .description = "An array of the values, cast to their common type.",
                  .example = "ARRAY[1, 2][2] = 2",
                  .min_arguments = 0,
                  .max_arguments = SIZE_MAX,
                  .resolve = resolveArray,
                  .make = valueKernelMaker(makeArray, NullCalls::CALLED)});
  list.push_back({.name = "MAP",
                  .category = "collection",
                  .signature = "MAP[key, value, …]",
                  .description = "A map of the pairs; of equal keys the last counts.",
                  .example = "MAP['a', 1]['a'] = 1",
                  .min_arguments = 0,
                  .max_arguments = SIZE_MAX,
                  .resolve = resolveMap,
                  .make = valueKernelMaker(makeMap, NullCalls::CALLED)});
  list.push_back({.name = "ROW",
                  .category = "collection",
                  .signature = "ROW(value, …) | (value, value, …)",
                  .description = "A row of the values.",
                  .example = "CAST(ROW(1, 'x') AS STRING) = '(1, x)'",
                  .min_arguments = 1,
                  .max_arguments = SIZE_MAX,
                  .resolve = resolveRow,
                  .make = [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    return std::make_unique<RowKernel>(call.result_type);
                  }});
  list.push_back({.name = "ITEM",
                  .category = "collection",
                  .signature = "array[position] | map[key]",
                  .description = "The element at a position (from 1), or the value of a key; NULL if there is none.",
                  .example = "ARRAY['a', 'b'][1] = 'a'",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = resolveItem,
                  .make = [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    if (call.arguments[0].type.kind() == TypeKind::MAP) return valueKernel(call.result_type, itemOfMap, NullCalls::CALLED);
                    return valueKernel(call.result_type, itemOfArray);
                  },
                  .listed = false});
  list.push_back({.name = "ELEMENT",
                  .category = "collection",
                  .signature = "ELEMENT(array)",
                  .description = "The only element; NULL of an empty array, an error if there are more.",
                  .example = "ELEMENT(ARRAY[7]) = 7",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::array("array")}, [](std::span<const DataType> types) { return types[0].isNull() ? DataType::null() : types[0].child(0).asNullable(); }),
                  .make = valueKernelMaker(onlyElement),
                  .can_fail = true});
  list.push_back({.name = "CARDINALITY",
                  .category = "collection",
                  .signature = "CARDINALITY(array | map)",
                  .description = "The number of elements or entries.",
                  .example = "CARDINALITY(ARRAY[1, 2]) = 2",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({collection("collection")}, returns(DataType::integer())),
                  .make = valueKernelMaker(cardinality)});
}

}  // namespace thalweg
