// MAP_*: keys, values and entries of maps, and maps from them.
#include <algorithm>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

using Entries = std::vector<std::pair<Value, Value>>;

void put(Entries& entries, const Value& key, const Value& value) {
  const auto at = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == key; });
  if (at == entries.end()) entries.emplace_back(key, value);
  else at->second = value;
}

Result<Value> keysOf(EvalContext&, std::span<const Value> v) {
  std::vector<Value> keys;
  for (const auto& entry : v[0].asMap()) keys.push_back(entry.first);
  return Value::list(std::move(keys));
}

Result<Value> valuesOf(EvalContext&, std::span<const Value> v) {
  std::vector<Value> values;
  for (const auto& entry : v[0].asMap()) values.push_back(entry.second);
  return Value::list(std::move(values));
}

Result<Value> entriesOf(EvalContext&, std::span<const Value> v) {
  std::vector<Value> entries;
  for (const auto& [key, value] : v[0].asMap()) entries.push_back(Value::row({key, value}));
  return Value::list(std::move(entries));
}

Result<Value> fromArrays(EvalContext&, std::span<const Value> v) {
  const auto& keys = v[0].asList();
  const auto& values = v[1].asList();
  if (keys.size() != values.size()) {
    return Status::runtime("MAP_FROM_ARRAYS needs as many keys as values, found " + std::to_string(keys.size()) + " and " + std::to_string(values.size()));
  }
  Entries entries;
  for (size_t i = 0; i < keys.size(); ++i) put(entries, keys[i], values[i]);
  return Value::map(std::move(entries));
}

Result<Value> unionOf(EvalContext&, std::span<const Value> v) {
  Entries entries;
  for (const Value& map : v) {
    for (const auto& [key, value] : map.asMap()) put(entries, key, value);
  }
  return Value::map(std::move(entries));
}

Result<ResolvedSignature> resolveMaps(std::span<const ArgumentInfo> arguments) {
  std::vector<DataType> types;
  bool nullable = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].type.kind() != TypeKind::MAP && !arguments[i].type.isNull()) return argumentError(i, "map", "a MAP", arguments[i].type);
    types.push_back(arguments[i].type);
    nullable = nullable || arguments[i].type.nullable();
  }
  const auto common = leastRestrictive(types);
  if (!common || common->kind() != TypeKind::MAP) return Status::plan("the maps must have a common type");
  ResolvedSignature resolved;
  resolved.argument_types.assign(arguments.size(), common->withNullable(nullable));
  resolved.result_type = common->withNullable(nullable);
  return resolved;
}

bool nullableAny(std::span<const DataType> types) { return anyNullable(types); }

ScalarFunction mapFunction(std::string name, std::string text, std::string description, std::string example, size_t min, size_t max, Resolve resolve,
                           ValueFunction function) {
  return {.name = std::move(name),
          .category = "collection",
          .signature = std::move(text),
          .description = std::move(description),
          .example = std::move(example),
          .min_arguments = min,
          .max_arguments = max,
          .resolve = std::move(resolve),
          .make = valueKernelMaker(std::move(function))};
}

}  // namespace

void addMapFunctions(ScalarList& list) {
  const auto keys = [](std::span<const DataType> t) { return DataType::array(t[0].child(0), t[0].nullable()); };
  const auto values = [](std::span<const DataType> t) { return DataType::array(t[0].child(1), t[0].nullable()); };
  const auto entries = [](std::span<const DataType> t) {
    return DataType::array(DataType::row({{"key", t[0].child(0)}, {"value", t[0].child(1)}}), t[0].nullable());
  };
  const auto from_arrays = [](std::span<const DataType> t) { return DataType::map(t[0].child(0), t[1].child(0), nullableAny(t)); };
  list.push_back(mapFunction("MAP_KEYS", "MAP_KEYS(map)", "The keys as an array.", "MAP_KEYS(MAP['a', 1])[1] = 'a'", 1, 1,
                             signature({param::map("map")}, keys), keysOf));
  list.push_back(mapFunction("MAP_VALUES", "MAP_VALUES(map)", "The values as an array.", "MAP_VALUES(MAP['a', 1])[1] = 1", 1, 1,
                             signature({param::map("map")}, values), valuesOf));
  list.push_back(mapFunction("MAP_ENTRIES", "MAP_ENTRIES(map)", "The entries as an array of rows (key, value).",
                             "CARDINALITY(MAP_ENTRIES(MAP['a', 1])) = 1", 1, 1, signature({param::map("map")}, entries), entriesOf));
  ScalarFunction from = mapFunction("MAP_FROM_ARRAYS", "MAP_FROM_ARRAYS(keys, values)", "A map of keys and values in pairs.",
                                    "MAP_FROM_ARRAYS(ARRAY['a'], ARRAY[1])['a'] = 1", 2, 2,
                                    signature({param::array("keys"), param::array("values")}, from_arrays), fromArrays);
  from.can_fail = true;
  list.push_back(std::move(from));
  list.push_back(mapFunction("MAP_UNION", "MAP_UNION(map, …)", "The entries of all maps; of equal keys the last counts.",
                             "CARDINALITY(MAP_UNION(MAP['a', 1], MAP['b', 2])) = 2", 1, SIZE_MAX, resolveMaps, unionOf));
}

}  // namespace thalweg
