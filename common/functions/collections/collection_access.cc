// Reading arrays and maps: a[i], m[k] (ITEM), ELEMENT, CARDINALITY, MAP_KEYS, MAP_VALUES, MAP_ENTRIES.
// Elements are picked, not copied; the parts of a map are shared as they are.
#include "common/functions/aggregates/element_keys.h"
#include "common/functions/collections/array_picks.h"
#include "common/functions/collections/collection_types.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

/// One element per row, or NULL.
class OnePick {
 public:
  OnePick(DataType type, size_t rows) : type_(std::move(type)), picks_(Buffer::allocate(rows * sizeof(RowIndex))) {}
  void pick(size_t element) {
    picks_->mutableAs<RowIndex>()[row_++] = static_cast<RowIndex>(element);
    validity_.appendValid(1);
  }
  void none() {
    picks_->mutableAs<RowIndex>()[row_++] = 0;
    validity_.appendNull();
  }
  VectorPtr finish(const VectorPtr& elements) {
    if (elements->size() == 0) return Vector::nulls(type_, row_);
    return Vector::dictionary(elements, std::move(picks_), row_, validity_.finish())->withType(type_);
  }

 private:
  DataType type_;
  MutableBufferPtr picks_;
  size_t row_ = 0;
  ValidityBuilder validity_;
};

/// a[i], from 1; NULL beyond the end.
class ArrayItemKernel final : public ScalarKernel {
 public:
  explicit ArrayItemKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const NestedReader arrays(*arguments[0]);
    const RowReader<AnyInteger> index(*arguments[1]);
    OnePick out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      const bool known = !arrays.isNull(row) && !index.isNullRow(row);
      if (known && index[row] >= 1 && index[row] <= static_cast<int64_t>(arrays.length(row))) {
        out.pick(arrays.begin(row) + static_cast<size_t>(index[row]) - 1);
      } else {
        out.none();
      }
    }
    return out.finish(arrays.child(0));
  }

 private:
  DataType result_type_;
};

/// m[k]: the value of a key.
class MapItemKernel final : public ScalarKernel {
 public:
  explicit MapItemKernel(const FunctionCall& call)
      : result_type_(call.result_type),
        entry_keys_(call.arguments[0].type.child(0).asNullable()),
        wanted_(call.arguments[0].type.child(0).asNullable()) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const NestedReader maps(*arguments[0]);
    entry_keys_.encode(maps.child(0));
    wanted_.encode(arguments[1]);
    OnePick out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      std::optional<size_t> found;
      if (!maps.isNull(row) && !wanted_.isNull(row)) found = find(maps, row);
      if (found) out.pick(*found);
      else out.none();
    }
    return out.finish(maps.child(1));
  }

 private:
  std::optional<size_t> find(const NestedReader& maps, size_t row) const {
    for (size_t i = 0; i < maps.length(row); ++i) {
      const size_t at = maps.begin(row) + i;
      if (!entry_keys_.isNull(at) && entry_keys_[at] == wanted_[row]) return at;
    }
    return std::nullopt;
  }

  DataType result_type_;
  ElementKeys entry_keys_;
  ElementKeys wanted_;
};

/// ELEMENT: the only element of an array.
class ElementKernel final : public ScalarKernel {
 public:
  explicit ElementKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const NestedReader arrays(*arguments[0]);
    OnePick out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      const size_t length = arrays.isNull(row) ? 0 : arrays.length(row);
      if (length > 1) {
        return Status::runtime("ELEMENT expects an array of at most one element, found " + std::to_string(length));
      }
      if (length == 1) out.pick(arrays.begin(row));
      else out.none();
    }
    return out.finish(arrays.child(0));
  }

 private:
  DataType result_type_;
};

class CardinalityKernel final : public ScalarKernel {
 public:
  explicit CardinalityKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const NestedReader collections(*arguments[0]);
    FlatBuilder<int32_t> out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (collections.isNull(row)) out.setNull(row);
      else out.set(row, static_cast<int32_t>(collections.length(row)));
    }
    return out.finish();
  }

 private:
  DataType result_type_;
};

enum class MapPart { KEYS, VALUES, ENTRIES };

/// The offsets and nulls of the map around one of its children, or around both as rows.
class MapPartKernel final : public ScalarKernel {
 public:
  MapPartKernel(DataType result_type, MapPart part) : result_type_(std::move(result_type)), part_(part) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const VectorPtr flat = arguments[0]->flatten();
    VectorPtr elements;
    switch (part_) {
      case MapPart::KEYS: elements = flat->child(0); break;
      case MapPart::VALUES: elements = flat->child(1); break;
      case MapPart::ENTRIES:
        elements = Vector::flat({.type = result_type_.child(0), .size = flat->child(0)->size(), .children = flat->children()});
        break;
    }
    return Vector::flat({.type = result_type_,
                         .size = rows,
                         .validity = flat->validityBuffer(),
                         .data = flat->dataBuffer(),
                         .children = {std::move(elements)}});
  }

 private:
  DataType result_type_;
  MapPart part_;
};

/// (array, integer) or (map, key).
Result<ResolvedSignature> resolveItem(std::span<const ArgumentInfo> arguments) {
  const DataType& collection = arguments[0].type;
  const DataType& index = arguments[1].type;
  ResolvedSignature resolved;
  if (collection.kind() == TypeKind::ARRAY) {
    if (index.kind() != TypeKind::INTEGER && !index.isNull()) return argumentError(1, "index", "an INT", index);
    const std::optional<Value>& literal = arguments[1].literal;
    if (literal && !literal->isNull() && literal->asInt() < 1) {
      return Status::plan("array positions start at 1, but the index is " + std::to_string(literal->asInt()));
    }
    resolved.argument_types = {collection, index.isNull() ? DataType::integer() : index};
    resolved.result_type = collection.child(0).asNullable();
    return resolved;
  }
  if (collection.kind() != TypeKind::MAP) return argumentError(0, "collection", "an ARRAY or a MAP", collection);
  const DataType& key = collection.child(0);
  const bool texts = key.isString() && index.isString();
  if (!index.isNull() && !texts && !index.sameIgnoringNullability(key) && !supportsImplicitCast(index, key)) {
    return argumentError(1, "key", "of the map's key type " + key.asNullable().toString(), index);
  }
  // Texts are compared whatever their length: casting one to a shorter key type would cut it.
  resolved.argument_types = {collection, texts ? index : key.withNullable(index.nullable())};
  resolved.result_type = collection.child(1).asNullable();
  return resolved;
}

Parameter collectionParameter() {
  return {.name = "collection",
          .expected = "an ARRAY or a MAP",
          .accepts = [](const DataType& type) { return type.kind() == TypeKind::ARRAY || type.kind() == TypeKind::MAP; },
          .cast = [](const DataType& type) { return type; },
          .plain = DataType::array(DataType::integer())};
}

void addMapParts(ScalarList& list) {
  const auto add = [&](std::string name, std::string what, std::string example, MapPart part,
                       DataType (*element)(const DataType& map)) {
    list.push_back({.name = name,
                    .category = "collection",
                    .signature = name + "(map)",
                    .description = "An array of the " + what + " of a map.",
                    .example = std::move(example),
                    .min_arguments = 1,
                    .max_arguments = 1,
                    .resolve = signature({param::map("map")},
                                         [element](std::span<const DataType> types) {
                                           return DataType::array(element(types[0]), types[0].nullable());
                                         }),
                    .make = [part](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                      return std::make_unique<MapPartKernel>(call.result_type, part);
                    }});
  };
  add("MAP_KEYS", "keys", "MAP_KEYS(MAP['a', 1])[1] = 'a'", MapPart::KEYS, [](const DataType& map) { return map.child(0); });
  add("MAP_VALUES", "values", "MAP_VALUES(MAP['a', 1])[1] = 1", MapPart::VALUES, [](const DataType& map) { return map.child(1); });
  add("MAP_ENTRIES", "entries, rows of key and value,", "MAP_ENTRIES(MAP['a', 1])[1].`value` = 1", MapPart::ENTRIES,
      [](const DataType& map) { return DataType::row({{"key", map.child(0)}, {"value", map.child(1)}}); });
}

}  // namespace

void addCollectionAccessFunctions(ScalarList& list) {
  list.push_back({.name = "ITEM",
                  .category = "collection",
                  .signature = "array[index] | map[key]",
                  .description = "The element at a position, counted from 1, or the value of a key; NULL if there is none.",
                  .example = "ARRAY[5, 7][2] = 7",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = resolveItem,
                  .make = [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    if (call.arguments[0].type.kind() == TypeKind::MAP) return std::make_unique<MapItemKernel>(call);
                    return std::make_unique<ArrayItemKernel>(call.result_type);
                  },
                  .listed = false});
  list.push_back({.name = "ELEMENT",
                  .category = "collection",
                  .signature = "ELEMENT(array)",
                  .description = "The only element of an array, NULL if it is empty. Fails if there are several.",
                  .example = "ELEMENT(ARRAY[5]) = 5",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::array("array")},
                                       [](std::span<const DataType> types) {
                                         const DataType& element = types[0].child(0);
                                         return element.withNullable(element.nullable() || types[0].nullable());
                                       }),
                  .make = makerOf<ElementKernel>(),
                  .can_fail = true});
  list.push_back({.name = "CARDINALITY",
                  .category = "collection",
                  .signature = "CARDINALITY(array | map)",
                  .description = "The number of elements or entries.",
                  .example = "CARDINALITY(ARRAY[5, 7]) = 2",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({collectionParameter()}, returns(DataType::integer())),
                  .make = makerOf<CardinalityKernel>()});
  addMapParts(list);
}

}  // namespace thalweg
