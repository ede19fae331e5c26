// Making collections: ARRAY[…], MAP[…], MULTISET[…], ROW(…), MAP_FROM_ARRAYS, MAP_UNION.
// Where a map is given a key twice, the later entry counts.
#include <algorithm>

#include "common/functions/aggregates/element_keys.h"
#include "common/functions/collections/array_picks.h"
#include "common/functions/collections/collection_types.h"
#include "common/functions/collections/nested_columns.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/strict_nulls.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

std::vector<VectorPtr> everySecond(std::span<const VectorPtr> columns, size_t first) {
  std::vector<VectorPtr> picked;
  for (size_t i = first; i < columns.size(); i += 2) picked.push_back(columns[i]);
  return picked;
}

class ArrayKernel final : public ScalarKernel {
 public:
  explicit ArrayKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    const ElementPool pool(result_type_.child(0), {arguments.begin(), arguments.end()});
    ArrayPicks out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      for (size_t i = 0; i < arguments.size(); ++i) out.pick(pool.offset(i) + row);
      out.endRow();
    }
    return out.finish(pool.elements());
  }

 private:
  DataType result_type_;
};

/// Map rows from picked entries of a pool of keys and a pool of values; entries of one row are put in one by one.
class MapPicks {
 public:
  MapPicks(DataType type, const VectorPtr& keys, size_t rows)
      : type_(std::move(type)), keys_(type_.child(0).asNullable()), seen_(keys_), maps_(type_, rows) {
    keys_.encode(keys);
  }

  void put(size_t key, size_t value) {
    if (seen_.add(key)) {
      key_picks_.push_back(static_cast<RowIndex>(key));
      value_picks_.push_back(static_cast<RowIndex>(value));
      return;
    }
    for (size_t i = key_picks_.size(); i-- > begin_;) {
      if (ElementKeys::equal(keys_, key_picks_[i], keys_, key)) {
        value_picks_[i] = static_cast<RowIndex>(value);
        return;
      }
    }
  }
  void endRow() {
    maps_.endRow(key_picks_.size());
    startRow();
  }
  void endNull() {
    maps_.endNull(key_picks_.size());
    startRow();
  }
  VectorPtr finish(const VectorPtr& keys, const VectorPtr& values) {
    return maps_.finish({ArrayPicks::pickedRows(keys, key_picks_), ArrayPicks::pickedRows(values, value_picks_)});
  }

 private:
  void startRow() {
    begin_ = key_picks_.size();
    seen_.clear();
  }

  DataType type_;
  ElementKeys keys_;
  ElementSet seen_;
  ListOffsets maps_;
  std::vector<RowIndex> key_picks_;
  std::vector<RowIndex> value_picks_;
  size_t begin_ = 0;
};

class MapKernel final : public ScalarKernel {
 public:
  explicit MapKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    const ElementPool keys(result_type_.child(0), everySecond(arguments, 0));
    const ElementPool values(result_type_.child(1), everySecond(arguments, 1));
    MapPicks out(result_type_, keys.elements(), rows);
    for (size_t row = 0; row < rows; ++row) {
      for (size_t i = 0; i < arguments.size() / 2; ++i) out.put(keys.offset(i) + row, values.offset(i) + row);
      out.endRow();
    }
    return out.finish(keys.elements(), values.elements());
  }

 private:
  DataType result_type_;
};

/// Equal elements become one entry with their count.
class MultisetKernel final : public ScalarKernel {
 public:
  explicit MultisetKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    const ElementPool pool(result_type_.child(0), {arguments.begin(), arguments.end()});
    ElementKeys keys(result_type_.child(0).asNullable());
    keys.encode(pool.elements());
    ListOffsets multisets(result_type_, rows);
    std::vector<RowIndex> picks;
    std::vector<int32_t> counts;
    for (size_t row = 0; row < rows; ++row) {
      const size_t begin = picks.size();
      for (size_t i = 0; i < arguments.size(); ++i) {
        const size_t element = pool.offset(i) + row;
        size_t at = begin;
        while (at < picks.size() && !ElementKeys::equal(keys, picks[at], keys, element)) ++at;
        if (at == picks.size()) {
          picks.push_back(static_cast<RowIndex>(element));
          counts.push_back(0);
        }
        ++counts[at];
      }
      multisets.endRow(picks.size());
    }
    VectorPtr numbers =
        Vector::flat({.type = DataType::integer(false),
                      .size = counts.size(),
                      .data = Buffer::copyOf({reinterpret_cast<const uint8_t*>(counts.data()), counts.size() * sizeof(int32_t)})});
    return multisets.finish({ArrayPicks::pickedRows(pool.elements(), picks), std::move(numbers)});
  }

 private:
  DataType result_type_;
};

/// The arguments are the fields as they are.
class RowKernel final : public ScalarKernel {
 public:
  explicit RowKernel(DataType result_type) : result_type_(std::move(result_type)) {}
  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    return Vector::flat({.type = result_type_, .size = rows, .children = {arguments.begin(), arguments.end()}});
  }

 private:
  DataType result_type_;
};

class MapFromArraysKernel final : public ScalarKernel {
 public:
  explicit MapFromArraysKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const NestedReader keys(*arguments[0]);
    const NestedReader values(*arguments[1]);
    MapPicks out(result_type_, keys.child(0), rows);
    for (size_t row = 0; row < rows; ++row) {
      if (keys.isNull(row) || values.isNull(row)) {
        out.endNull();
        continue;
      }
      if (keys.length(row) != values.length(row)) {
        return Status::runtime("MAP_FROM_ARRAYS expects as many values as keys, found " + std::to_string(keys.length(row)) +
                               " keys and " + std::to_string(values.length(row)) + " values");
      }
      for (size_t i = 0; i < keys.length(row); ++i) out.put(keys.begin(row) + i, values.begin(row) + i);
      out.endRow();
    }
    return out.finish(keys.child(0), values.child(0));
  }

 private:
  DataType result_type_;
};

class MapUnionKernel final : public ScalarKernel {
 public:
  explicit MapUnionKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    std::vector<NestedReader> maps;
    std::vector<VectorPtr> keys;
    std::vector<VectorPtr> values;
    for (const VectorPtr& argument : arguments) {
      maps.emplace_back(*argument);
      keys.push_back(maps.back().child(0));
      values.push_back(maps.back().child(1));
    }
    const ElementPool key_pool(result_type_.child(0), std::move(keys));
    const ElementPool value_pool(result_type_.child(1), std::move(values));
    MapPicks out(result_type_, key_pool.elements(), rows);
    for (size_t row = 0; row < rows; ++row) {
      if (std::ranges::any_of(maps, [row](const NestedReader& map) { return map.isNull(row); })) {
        out.endNull();
        continue;
      }
      for (size_t m = 0; m < maps.size(); ++m) {
        for (size_t i = 0; i < maps[m].length(row); ++i) {
          out.put(key_pool.offset(m) + maps[m].begin(row) + i, value_pool.offset(m) + maps[m].begin(row) + i);
        }
      }
      out.endRow();
    }
    return out.finish(key_pool.elements(), value_pool.elements());
  }

 private:
  DataType result_type_;
};

// ---- types

Result<DataType> commonElement(std::span<const DataType> types, std::string_view what) {
  const std::optional<DataType> common = leastRestrictive(types);
  if (!common) {
    std::string found;
    for (const DataType& type : types) found += (found.empty() ? "" : ", ") + type.asNullable().toString();
    return Status::plan("the " + std::string(what) + " have no common type, found " + found + "; cast them to one type");
  }
  if (common->isNull()) return Status::plan("the " + std::string(what) + " are all NULL; give one a type, as in CAST(NULL AS INT)");
  return *common;
}

Result<ResolvedSignature> resolveElements(std::span<const ArgumentInfo> arguments, bool multiset) {
  ResolvedSignature resolved;
  for (const ArgumentInfo& argument : arguments) resolved.argument_types.push_back(argument.type);
  ASSIGN_OR_RETURN(const DataType element, commonElement(resolved.argument_types, "elements"));
  for (DataType& type : resolved.argument_types) type = element.withNullable(type.nullable());
  resolved.result_type = multiset ? DataType::multiset(element, false) : DataType::array(element, false);
  return resolved;
}

Result<ResolvedSignature> resolveMap(std::span<const ArgumentInfo> arguments) {
  if (arguments.empty() || arguments.size() % 2 != 0) {
    return Status::plan("a map needs a value for every key, found " + std::to_string(arguments.size()) + " keys and values");
  }
  std::vector<DataType> parts[2];
  for (size_t i = 0; i < arguments.size(); ++i) parts[i % 2].push_back(arguments[i].type);
  ASSIGN_OR_RETURN(const DataType key, commonElement(parts[0], "keys"));
  // As Flink types them, NULLs alone are values of the keys' type.
  const bool only_nulls = std::ranges::all_of(parts[1], [](const DataType& type) { return type.isNull(); });
  ASSIGN_OR_RETURN(const DataType value, only_nulls ? Result<DataType>(key.asNullable()) : commonElement(parts[1], "values"));
  ResolvedSignature resolved;
  for (size_t i = 0; i < arguments.size(); ++i) {
    resolved.argument_types.push_back((i % 2 == 0 ? key : value).withNullable(arguments[i].type.nullable()));
  }
  resolved.result_type = DataType::map(key, value, false);
  return resolved;
}

/// A row whose fields are called by `prefix` and their place.
Result<ResolvedSignature> resolveRow(std::span<const ArgumentInfo> arguments, const std::string& prefix) {
  ResolvedSignature resolved;
  std::vector<Field> fields;
  for (size_t i = 0; i < arguments.size(); ++i) {
    resolved.argument_types.push_back(arguments[i].type);
    fields.push_back({prefix + std::to_string(i), arguments[i].type});
  }
  resolved.result_type = DataType::row(std::move(fields), false);
  return resolved;
}

void addConstructors(ScalarList& list) {
  const auto add = [&](std::string name, std::string shown, std::string description, std::string example, Resolve resolve,
                       KernelMaker make) {
    list.push_back({.name = std::move(name),
                    .category = "collection",
                    .signature = std::move(shown),
                    .description = std::move(description),
                    .example = std::move(example),
                    .min_arguments = 1,
                    .max_arguments = SIZE_MAX,
                    .resolve = std::move(resolve),
                    .make = std::move(make),
                    .listed = false});
  };
  add("ARRAY", "ARRAY[value, …]", "An array of values.", "CARDINALITY(ARRAY[1, 2]) = 2",
      [](std::span<const ArgumentInfo> arguments) { return resolveElements(arguments, false); }, makerOf<ArrayKernel>());
  add("MULTISET", "MULTISET[value, …]", "A multiset of values.", "CARDINALITY(MULTISET[1, 2]) = 2",
      [](std::span<const ArgumentInfo> arguments) { return resolveElements(arguments, true); }, makerOf<MultisetKernel>());
  add("MAP", "MAP[key, value, …]", "A map from keys to values.", "MAP['a', 1]['a'] = 1", resolveMap, makerOf<MapKernel>());
  add("ROW", "ROW(value, …) | (value, value, …)", "A row of values.", "ROW(1, 'a') IS NOT NULL",
      [](std::span<const ArgumentInfo> arguments) { return resolveRow(arguments, "EXPR$"); }, makerOf<RowKernel>());
  add("$ROW", "row(value, …)", "A row of values with the field names of the Table API.", "ROW(1, 'a') IS NOT NULL",
      [](std::span<const ArgumentInfo> arguments) { return resolveRow(arguments, "f"); }, makerOf<RowKernel>());
}

}  // namespace

void addCollectionBuildFunctions(ScalarList& list) {
  addConstructors(list);
  list.push_back({.name = "MAP_FROM_ARRAYS",
                  .category = "collection",
                  .signature = "MAP_FROM_ARRAYS(keys, values)",
                  .description = "A map from an array of keys and one of as many values.",
                  .example = "MAP_FROM_ARRAYS(ARRAY['a'], ARRAY[1])['a'] = 1",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = signature({param::array("keys"), param::array("values")},
                                       [](std::span<const DataType> types) {
                                         return DataType::map(types[0].child(0), types[1].child(0), anyNullable(types));
                                       }),
                  .make = makerOf<MapFromArraysKernel>(),
                  .can_fail = true});
  list.push_back({.name = "MAP_UNION",
                  .category = "collection",
                  .signature = "MAP_UNION(map[, map…])",
                  .description = "The entries of all maps in one; of equal keys, the last map's entry counts.",
                  .example = "MAP_UNION(MAP['a', 1], MAP['a', 2])['a'] = 2",
                  .min_arguments = 1,
                  .max_arguments = SIZE_MAX,
                  .resolve = commonMaps(),
                  .make = makerOf<MapUnionKernel>()});
}

}  // namespace thalweg
