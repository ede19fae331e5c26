// Arrays made from arrays: ARRAY_APPEND, ARRAY_PREPEND, ARRAY_CONCAT, ARRAY_REVERSE, ARRAY_SLICE, ARRAY_SORT; and
// what is said of a whole array: ARRAY_MAX, ARRAY_MIN, ARRAY_JOIN.
#include <algorithm>

#include "common/columnar/key_codec.h"
#include "common/functions/collections/array_picks.h"
#include "common/functions/collections/collection_types.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/row_access.h"
#include "common/functions/signatures.h"
#include "common/functions/strict_nulls.h"

namespace thalweg {
namespace {

/// APPEND and PREPEND: the element may be NULL, the array may not.
class ExtendKernel final : public ScalarKernel {
 public:
  ExtendKernel(DataType result_type, bool in_front) : result_type_(std::move(result_type)), in_front_(in_front) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments.first(1))) return Vector::nulls(result_type_, rows);
    const NestedReader arrays(*arguments[0]);
    const DataType element = result_type_.child(0);
    const ElementPool pool(element, {arrays.child(0), arguments[1]});
    ArrayPicks out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (arrays.isNull(row)) {
        out.endNull();
        continue;
      }
      if (in_front_) out.pick(pool.offset(1) + row);
      out.pickRange(arrays.begin(row), arrays.length(row));
      if (!in_front_) out.pick(pool.offset(1) + row);
      out.endRow();
    }
    return out.finish(pool.elements());
  }

 private:
  DataType result_type_;
  bool in_front_;
};

class ConcatArraysKernel final : public ScalarKernel {
 public:
  explicit ConcatArraysKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const ArrayOperands arrays(result_type_.child(0), arguments);
    ArrayPicks out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (arrays.anyNull(row)) {
        out.endNull();
        continue;
      }
      for (size_t i = 0; i < arrays.size(); ++i) out.pickRange(arrays.begin(i, row), arrays.length(i, row));
      out.endRow();
    }
    return out.finish(arrays.elements());
  }

 private:
  DataType result_type_;
};

/// Kernels over one array: `arrange` appends a row's elements to the result.
template <typename Arrange>
class ArrangeKernel final : public ScalarKernel {
 public:
  ArrangeKernel(DataType result_type, Arrange arrange) : result_type_(std::move(result_type)), arrange_(std::move(arrange)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const NestedReader arrays(*arguments[0]);
    std::vector<RowMapping> others;
    for (const VectorPtr& argument : arguments.subspan(1)) others.emplace_back(*argument);
    arrange_.bind(arrays, arguments.subspan(1));
    ArrayPicks out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      const bool null = arrays.isNull(row) || std::ranges::any_of(others, [row](const RowMapping& o) { return o.isNull(row); });
      if (null) {
        out.endNull();
        continue;
      }
      arrange_(arrays.begin(row), arrays.length(row), row, out);
      out.endRow();
    }
    return out.finish(arrays.child(0));
  }

 private:
  DataType result_type_;
  Arrange arrange_;
};

struct Reverse {
  void bind(const NestedReader&, std::span<const VectorPtr>) {}
  void operator()(size_t begin, size_t length, size_t, ArrayPicks& out) const {
    for (size_t i = length; i > 0; --i) out.pick(begin + i - 1);
  }
};

/// Both bounds are included; negative ones count from the end, 0 is 1.
struct Slice {
  std::optional<RowReader<AnyInteger>> from;
  std::optional<RowReader<AnyInteger>> to;

  void bind(const NestedReader&, std::span<const VectorPtr> bounds) {
    from.emplace(*bounds[0]);
    to.reset();
    if (bounds.size() > 1) to.emplace(*bounds[1]);
  }
  void operator()(size_t begin, size_t length, size_t row, ArrayPicks& out) const {
    const auto size = static_cast<int64_t>(length);
    const auto place = [size](int64_t bound) { return bound < 0 ? bound + size + 1 : std::max<int64_t>(bound, 1); };
    const int64_t first = std::max<int64_t>(place((*from)[row]), 1);
    const int64_t last = std::min(to ? place((*to)[row]) : size, size);
    for (int64_t at = first; at <= last; ++at) out.pick(begin + static_cast<size_t>(at) - 1);
  }
};

/// By sort keys of all elements, made for each direction and null order that occurs.
class Sort {
 public:
  explicit Sort(const DataType& element) : element_(element.asNullable()) {}

  void bind(const NestedReader& arrays, std::span<const VectorPtr> flags) {
    elements_ = arrays.child(0);
    ascending_.reset();
    nulls_first_.reset();
    if (!flags.empty()) ascending_.emplace(*flags[0]);
    if (flags.size() > 1) nulls_first_.emplace(*flags[1]);
    for (auto& by_nulls : orders_) {
      for (Order& order : by_nulls) order.keys = {};
    }
  }
  void operator()(size_t begin, size_t length, size_t row, ArrayPicks& out) {
    const bool ascending = !ascending_ || (*ascending_)[row];
    const bool nulls_first = nulls_first_ ? (*nulls_first_)[row] : ascending;
    const std::span<const std::string_view> keys = keysOf(ascending, nulls_first);
    order_.resize(length);
    for (size_t i = 0; i < length; ++i) order_[i] = begin + i;
    std::ranges::stable_sort(order_, [keys](size_t a, size_t b) { return keys[a] < keys[b]; });
    for (const size_t element : order_) out.pick(element);
  }

 private:
  struct Order {
    std::unique_ptr<SortKeyEncoder> encoder;
    std::span<const std::string_view> keys;
  };
  std::span<const std::string_view> keysOf(bool ascending, bool nulls_first) {
    Order& order = orders_[ascending][nulls_first];
    if (!order.keys.empty() || elements_->size() == 0) return order.keys;
    if (!order.encoder) {
      const SortKey key{.column = 0,
                        .direction = ascending ? SortDirection::ASCENDING : SortDirection::DESCENDING,
                        .nulls = nulls_first ? NullOrder::FIRST : NullOrder::LAST};
      order.encoder = std::make_unique<SortKeyEncoder>(std::vector{key}, std::vector{element_});
    }
    order.keys = order.encoder->encode(Batch(elements_->size(), {elements_}));
    return order.keys;
  }

  DataType element_;
  VectorPtr elements_;
  std::optional<ColumnReader<bool>> ascending_;
  std::optional<ColumnReader<bool>> nulls_first_;
  Order orders_[2][2];
  std::vector<size_t> order_;
};

/// ARRAY_MAX and ARRAY_MIN pass over NULL elements.
class ExtremeKernel final : public ScalarKernel {
 public:
  ExtremeKernel(const FunctionCall& call, bool max)
      : result_type_(call.result_type),
        max_(max),
        encoder_({SortKey{.column = 0}}, {call.arguments[0].type.child(0).asNullable()}) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const NestedReader arrays(*arguments[0]);
    const VectorPtr& elements = arrays.child(0);
    if (elements->size() == 0) return Vector::nulls(result_type_, rows);
    const std::span<const std::string_view> keys = encoder_.encode(Batch(elements->size(), {elements}));
    const RowMapping nulls(*elements);
    MutableBufferPtr picks = Buffer::allocate(rows * sizeof(RowIndex));
    ValidityBuilder validity;
    for (size_t row = 0; row < rows; ++row) {
      std::optional<size_t> best;
      for (size_t i = 0; !arrays.isNull(row) && i < arrays.length(row); ++i) {
        const size_t at = arrays.begin(row) + i;
        if (nulls.isNull(at)) continue;
        if (!best || (max_ ? keys[*best] < keys[at] : keys[at] < keys[*best])) best = at;
      }
      picks->mutableAs<RowIndex>()[row] = static_cast<RowIndex>(best.value_or(0));
      if (best) validity.appendValid(1);
      else validity.appendNull();
    }
    return Vector::dictionary(elements, std::move(picks), rows, validity.finish())->withType(result_type_);
  }

 private:
  DataType result_type_;
  bool max_;
  SortKeyEncoder encoder_;
};

/// NULL elements are left out, or shown as the third argument.
class JoinKernel final : public ScalarKernel {
 public:
  explicit JoinKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const NestedReader arrays(*arguments[0]);
    const ColumnReader<std::string_view> elements(*arrays.child(0));
    const ColumnReader<std::string_view> separator(*arguments[1]);
    std::optional<ColumnReader<std::string_view>> replacement;
    if (arguments.size() > 2) replacement.emplace(*arguments[2]);
    StringBuilder out(result_type_, rows);
    std::string joined;
    for (size_t row = 0; row < rows; ++row) {
      if (arrays.isNull(row) || separator.isNull(row) || (replacement && replacement->isNull(row))) {
        out.appendNull();
        continue;
      }
      joined.clear();
      bool first = true;
      for (size_t i = 0; i < arrays.length(row); ++i) {
        const size_t at = arrays.begin(row) + i;
        if (elements.isNull(at) && !replacement) continue;
        if (!first) joined.append(separator[row]);
        first = false;
        joined.append(elements.isNull(at) ? (*replacement)[row] : elements[at]);
      }
      out.append(joined);
    }
    return out.finish();
  }

 private:
  DataType result_type_;
};

template <typename Make>
KernelMaker maker(Make make) {
  return [make](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> { return make(call); };
}
template <typename Arrange>
std::unique_ptr<ScalarKernel> arrangeKernel(const FunctionCall& call, Arrange arrange) {
  return std::make_unique<ArrangeKernel<Arrange>>(call.result_type, std::move(arrange));
}

DataType extendedArray(const DataType& array, const DataType& element) {
  const bool nullable = array.nullable() || element.nullable();
  return DataType::array(array.child(0).withNullable(array.child(0).nullable() || element.nullable()), nullable);
}

/// An array whose elements `<` orders.
Result<ResolvedSignature> checkOrdered(Result<ResolvedSignature> resolved) {
  if (!resolved.isOk() || resolved->argument_types[0].child(0).isNull()) return resolved;
  const DataType& array = resolved->argument_types[0];
  if (array.child(0).isNested()) return argumentError(0, "array", "an ARRAY of values that have an order", array);
  return resolved;
}

void addBuilders(ScalarList& list) {
  const auto addExtend = [&](std::string name, std::string where, std::string example, bool in_front) {
    list.push_back({.name = name,
                    .category = "collection",
                    .signature = name + "(array, element)",
                    .description = "The array with an element more at its " + where + ".",
                    .example = std::move(example),
                    .min_arguments = 2,
                    .max_arguments = 2,
                    .resolve = arrayAndElement(extendedArray),
                    .make = maker([in_front](const FunctionCall& call) {
                      return std::make_unique<ExtendKernel>(call.result_type, in_front);
                    })});
  };
  addExtend("ARRAY_APPEND", "end", "ARRAY_APPEND(ARRAY[1], 2)[2] = 2", false);
  addExtend("ARRAY_PREPEND", "start", "ARRAY_PREPEND(ARRAY[1], 2)[1] = 2", true);
  list.push_back({.name = "ARRAY_CONCAT",
                  .category = "collection",
                  .signature = "ARRAY_CONCAT(array[, array…])",
                  .description = "All arrays as one; NULL if one of them is.",
                  .example = "CARDINALITY(ARRAY_CONCAT(ARRAY[1], ARRAY[2, 3])) = 3",
                  .min_arguments = 1,
                  .max_arguments = SIZE_MAX,
                  .resolve = commonArrays(0),
                  .make = maker([](const FunctionCall& call) { return std::make_unique<ConcatArraysKernel>(call.result_type); })});
}

void addArrangements(ScalarList& list) {
  list.push_back({.name = "ARRAY_REVERSE",
                  .category = "collection",
                  .signature = "ARRAY_REVERSE(array)",
                  .description = "The elements in reverse order.",
                  .example = "ARRAY_REVERSE(ARRAY[1, 2])[1] = 2",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::array("array")}, returnsArgument(0)),
                  .make = maker([](const FunctionCall& call) { return arrangeKernel(call, Reverse()); })});
  list.push_back({.name = "ARRAY_SLICE",
                  .category = "collection",
                  .signature = "ARRAY_SLICE(array, from[, to])",
                  .description = "The elements between two positions, both included; negative ones count from the end.",
                  .example = "CARDINALITY(ARRAY_SLICE(ARRAY[1, 2, 3, 4], -3, -2)) = 2",
                  .min_arguments = 2,
                  .max_arguments = 3,
                  .resolve = signature({param::array("array"), param::integer("from"), param::optional(param::integer("to"))},
                                       returnsArgument(0)),
                  .make = maker([](const FunctionCall& call) { return arrangeKernel(call, Slice()); })});
  list.push_back({.name = "ARRAY_SORT",
                  .category = "collection",
                  .signature = "ARRAY_SORT(array[, ascending[, nulls_first]])",
                  .description = "The elements in order, by default ascending. NULLs come first when ascending, last when "
                                 "descending, unless told otherwise.",
                  .example = "ARRAY_SORT(ARRAY[3, 1, 2], FALSE)[1] = 3",
                  .min_arguments = 1,
                  .max_arguments = 3,
                  .resolve = [types = signature({param::array("array"), param::optional(param::boolean("ascending")),
                                                 param::optional(param::boolean("nulls_first"))},
                                                returnsArgument(0))](std::span<const ArgumentInfo> arguments) {
                    return checkOrdered(types(arguments));
                  },
                  .make = maker([](const FunctionCall& call) { return arrangeKernel(call, Sort(call.result_type.child(0))); })});
}

void addSummaries(ScalarList& list) {
  const auto addExtreme = [&](std::string name, std::string what, std::string example, bool max) {
    list.push_back({.name = name,
                    .category = "collection",
                    .signature = name + "(array)",
                    .description = "The " + what + " element that is not NULL; NULL if there is none.",
                    .example = std::move(example),
                    .min_arguments = 1,
                    .max_arguments = 1,
                    .resolve = [types = signature({param::array("array")},
                                                  [](std::span<const DataType> t) { return t[0].child(0).asNullable(); })](
                                   std::span<const ArgumentInfo> arguments) { return checkOrdered(types(arguments)); },
                    .make = maker([max](const FunctionCall& call) { return std::make_unique<ExtremeKernel>(call, max); })});
  };
  addExtreme("ARRAY_MAX", "largest", "ARRAY_MAX(ARRAY[1, 3, 2]) = 3", true);
  addExtreme("ARRAY_MIN", "smallest", "ARRAY_MIN(ARRAY[1, 3, 2]) = 1", false);
  Parameter texts = param::array("array");
  texts.expected = "an ARRAY of texts";
  texts.accepts = [](const DataType& type) { return type.kind() == TypeKind::ARRAY && type.child(0).isString(); };
  list.push_back({.name = "ARRAY_JOIN",
                  .category = "collection",
                  .signature = "ARRAY_JOIN(array, separator[, null_replacement])",
                  .description = "The texts of an array as one, with a separator between them; NULLs are left out or replaced.",
                  .example = "ARRAY_JOIN(ARRAY['a', 'b'], '-') = 'a-b'",
                  .min_arguments = 2,
                  .max_arguments = 3,
                  .resolve = signature({texts, param::text("separator"), param::optional(param::text("null_replacement"))},
                                       returns(DataType::string())),
                  .make = maker([](const FunctionCall& call) { return std::make_unique<JoinKernel>(call.result_type); })});
}

}  // namespace

void addCollectionArrayFunctions(ScalarList& list) {
  addBuilders(list);
  addArrangements(list);
  addSummaries(list);
}

}  // namespace thalweg
