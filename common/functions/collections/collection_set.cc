// Arrays as sets: ARRAY_CONTAINS, ARRAY_POSITION, ARRAY_REMOVE, ARRAY_DISTINCT, ARRAY_UNION, ARRAY_EXCEPT,
// ARRAY_INTERSECT. NULL is an element like others.
#include "common/functions/aggregates/element_keys.h"
#include "common/functions/collections/array_picks.h"
#include "common/functions/collections/collection_types.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/strict_nulls.h"

namespace thalweg {
namespace {

/// An array and an element per row, the elements by key.
class SearchKernel : public ScalarKernel {
 public:
  explicit SearchKernel(const FunctionCall& call)
      : result_type_(call.result_type),
        element_type_(call.arguments[0].type.child(0).asNullable()),
        array_keys_(element_type_),
        element_keys_(element_type_) {}

 protected:
  void bind(std::span<const VectorPtr> arguments) {
    arrays_.emplace(*arguments[0]);
    array_keys_.encode(arrays_->child(0));
    element_keys_.encode(arguments[1]);
  }
  /// Place of the row's element in its array, or its length.
  size_t find(size_t row) const {
    size_t at = 0;
    while (at < arrays_->length(row) && !isWanted(row, at)) ++at;
    return at;
  }
  bool isWanted(size_t row, size_t at) const {
    return ElementKeys::equal(array_keys_, arrays_->begin(row) + at, element_keys_, row);
  }

  DataType result_type_;
  DataType element_type_;
  std::optional<NestedReader> arrays_;
  ElementKeys array_keys_;
  ElementKeys element_keys_;
};

class ContainsKernel final : public SearchKernel {
 public:
  using SearchKernel::SearchKernel;
  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments.first(1))) return Vector::nulls(result_type_, rows);
    bind(arguments);
    FlatBuilder<bool> out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (arrays_->isNull(row)) out.setNull(row);
      else out.set(row, find(row) < arrays_->length(row));
    }
    return out.finish();
  }
};

class PositionKernel final : public SearchKernel {
 public:
  using SearchKernel::SearchKernel;
  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    bind(arguments);
    FlatBuilder<int32_t> out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (arrays_->isNull(row) || element_keys_.isNull(row)) {
        out.setNull(row);
        continue;
      }
      const size_t at = find(row);
      out.set(row, at < arrays_->length(row) ? static_cast<int32_t>(at + 1) : 0);
    }
    return out.finish();
  }
};

class RemoveKernel final : public SearchKernel {
 public:
  using SearchKernel::SearchKernel;
  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments.first(1))) return Vector::nulls(result_type_, rows);
    bind(arguments);
    ArrayPicks out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (arrays_->isNull(row)) {
        out.endNull();
        continue;
      }
      for (size_t at = 0; at < arrays_->length(row); ++at) {
        if (!isWanted(row, at)) out.pick(arrays_->begin(row) + at);
      }
      out.endRow();
    }
    return out.finish(arrays_->child(0));
  }
};

enum class SetOperation { DISTINCT, UNION, EXCEPT, INTERSECT };

/// Results hold each value once, in order of first appearance (EXCEPT keeps the copies of what is left).
class SetKernel final : public ScalarKernel {
 public:
  SetKernel(const FunctionCall& call, SetOperation operation)
      : result_type_(call.result_type), operation_(operation), keys_(call.result_type.child(0).asNullable()) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const ArrayOperands arrays(result_type_.child(0), arguments);
    keys_.encode(arrays.elements());
    ElementSet first(keys_);
    ElementSet second(keys_);
    ArrayPicks out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (arrays.anyNull(row)) {
        out.endNull();
        continue;
      }
      first.clear();
      second.clear();
      const auto forEach = [&](size_t array, auto&& visit) {
        const size_t begin = arrays.begin(array, row);
        for (size_t i = 0; i < arrays.length(array, row); ++i) visit(begin + i);
      };
      combine(first, second, forEach, out);
      out.endRow();
    }
    return out.finish(arrays.elements());
  }

 private:
  template <typename ForEach>
  void combine(ElementSet& first, ElementSet& second, ForEach&& forEach, ArrayPicks& out) const {
    const auto addNew = [&](size_t element) {
      if (first.add(element)) out.pick(element);
    };
    switch (operation_) {
      case SetOperation::DISTINCT: return forEach(0, addNew);
      case SetOperation::UNION:
        forEach(0, addNew);
        return forEach(1, addNew);
      case SetOperation::EXCEPT:
        forEach(1, [&](size_t element) { second.add(element); });
        return forEach(0, [&](size_t element) {
          if (!second.contains(element)) addNew(element);
        });
      case SetOperation::INTERSECT:
        forEach(1, [&](size_t element) { second.add(element); });
        return forEach(0, [&](size_t element) {
          if (second.contains(element)) addNew(element);
        });
    }
  }

  DataType result_type_;
  SetOperation operation_;
  ElementKeys keys_;
};

void addSearches(ScalarList& list) {
  list.push_back({.name = "ARRAY_CONTAINS",
                  .category = "collection",
                  .signature = "ARRAY_CONTAINS(array, element)",
                  .description = "Whether an array holds an element; NULL is an element like others.",
                  .example = "ARRAY_CONTAINS(ARRAY[1, 2], 2)",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = arrayAndElement([](const DataType& array, const DataType&) {
                    return DataType::boolean(array.nullable());
                  }),
                  .make = makerOf<ContainsKernel>()});
  list.push_back({.name = "ARRAY_POSITION",
                  .category = "collection",
                  .signature = "ARRAY_POSITION(array, element)",
                  .description = "The position of the first such element, from 1; 0 if there is none.",
                  .example = "ARRAY_POSITION(ARRAY[5, 7], 7) = 2",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = arrayAndElement([](const DataType& array, const DataType& element) {
                    return DataType::integer(array.nullable() || element.nullable());
                  }),
                  .make = makerOf<PositionKernel>()});
  list.push_back({.name = "ARRAY_REMOVE",
                  .category = "collection",
                  .signature = "ARRAY_REMOVE(array, element)",
                  .description = "The array without all such elements.",
                  .example = "CARDINALITY(ARRAY_REMOVE(ARRAY[1, 2, 1], 1)) = 1",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = arrayAndElement([](const DataType& array, const DataType&) { return array; }),
                  .make = makerOf<RemoveKernel>()});
}

}  // namespace

void addCollectionSetFunctions(ScalarList& list) {
  addSearches(list);
  const auto add = [&](std::string name, std::string arguments, std::string description, std::string example, size_t count,
                       SetOperation operation) {
    list.push_back({.name = name,
                    .category = "collection",
                    .signature = name + arguments,
                    .description = std::move(description),
                    .example = std::move(example),
                    .min_arguments = count,
                    .max_arguments = count,
                    .resolve = commonArrays(count),
                    .make = makerOf<SetKernel>(operation)});
  };
  add("ARRAY_DISTINCT", "(array)", "The array with each value once.", "CARDINALITY(ARRAY_DISTINCT(ARRAY[1, 2, 1])) = 2", 1,
      SetOperation::DISTINCT);
  add("ARRAY_UNION", "(array, array)", "The values of both arrays, each once.",
      "CARDINALITY(ARRAY_UNION(ARRAY[1, 2], ARRAY[2, 3])) = 3", 2, SetOperation::UNION);
  add("ARRAY_EXCEPT", "(array, array)", "The values of the first array that are not in the second, each once.",
      "CARDINALITY(ARRAY_EXCEPT(ARRAY[1, 2], ARRAY[2, 3])) = 1", 2, SetOperation::EXCEPT);
  add("ARRAY_INTERSECT", "(array, array)", "The values that are in both arrays, each once.",
      "CARDINALITY(ARRAY_INTERSECT(ARRAY[1, 2], ARRAY[2, 3])) = 1", 2, SetOperation::INTERSECT);
}

}  // namespace thalweg
