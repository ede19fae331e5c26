// LISTAGG and ARRAY_AGG: the values of a group in arrival order.
//
// LISTAGG over inserts only grows one text; over a changelog, and for ARRAY_AGG, the values are kept apart.
// ARRAY_AGG(x IGNORE NULLS) arrives with the SYMBOL literal `IGNORE NULLS` behind its argument.
#include "common/functions/aggregates/aggregate_object.h"
#include "common/functions/aggregates/ordered_values.h"
#include "common/functions/aggregates/value_bytes.h"
#include "common/functions/collections/nested_columns.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {
namespace {

/// The text so far; none before the first value.
struct GrowingText {
  std::optional<std::string> text;
};

class ListAggregate final : public ObjectAggregate<ListAggregate, GrowingText> {
 public:
  ListAggregate(DataType result_type, std::string separator)
      : result_type_(std::move(result_type)), separator_(std::move(separator)) {}

  void bind(const AggregateInput& input) { column_.emplace(*input.arguments[0]); }

  Status fold(GrowingText& group, size_t row, bool retract) {
    CHECK(!retract);
    if (!column_->isNull(row)) extend(group, (*column_)[row]);
    return {};
  }

  class Results {
   public:
    Results(const DataType& type, size_t rows) : builder_(type, rows) {}
    Status append(const GrowingText* group) {
      if (group && group->text) builder_.append(*group->text);
      else builder_.appendNull();
      return {};
    }
    VectorPtr finish() { return builder_.finish(); }

   private:
    StringBuilder builder_;
  };
  Results results(size_t rows) const { return Results(result_type_, rows); }

  Status mergeObjects(GrowingText& into, const GrowingText& from) {
    if (from.text) extend(into, *from.text);
    return {};
  }
  void save(const GrowingText& group, StateWriter& out) const {
    out.number<uint8_t>(group.text.has_value());
    if (group.text) out.text(*group.text);
  }
  bool load(StateReader& in, GrowingText& group) const {
    if (in.number<uint8_t>() != 0) group.text.emplace(in.text());
    return in.isOk();
  }

 private:
  void extend(GrowingText& group, std::string_view value) const {
    if (group.text) group.text->append(separator_).append(value);
    else group.text.emplace(value);
  }

  DataType result_type_;
  std::string separator_;
  std::optional<ColumnReader<std::string_view>> column_;
};

/// Joins kept values into text.
class JoinedResults {
 public:
  JoinedResults(const DataType& type, size_t rows, std::string_view separator)
      : builder_(type, rows), separator_(separator) {}
  Status append(const OrderedValues* list) {
    if (list == nullptr || list->isEmpty()) {
      builder_.appendNull();
      return {};
    }
    joined_.clear();
    bool first = true;
    list->forEach([&](const OrderedValues::Entry& value) {
      if (!first) joined_.append(separator_);
      first = false;
      joined_.append(*value);
    });
    builder_.append(joined_);
    return {};
  }
  VectorPtr finish() { return builder_.finish(); }

 private:
  StringBuilder builder_;
  std::string_view separator_;
  std::string joined_;
};

/// Puts kept values into arrays; a group without values is NULL.
class ArrayResults {
 public:
  ArrayResults(const ValueBytes& values, const DataType& type, size_t rows)
      : lists_(type, rows), elements_(values, type.child(0), rows) {}
  Status append(const OrderedValues* list) {
    if (list == nullptr || list->isEmpty()) {
      lists_.endNull(elements_.size());
      return {};
    }
    list->forEach([&](const OrderedValues::Entry& value) {
      if (value) elements_.append(*value);
      else elements_.appendNull();
    });
    lists_.endRow(elements_.size());
    return {};
  }
  VectorPtr finish() { return lists_.finish({elements_.finish()}); }

 private:
  ListOffsets lists_;
  ValueColumn elements_;
};

template <bool kArray>
class KeptAggregate final : public ObjectAggregate<KeptAggregate<kArray>, OrderedValues> {
 public:
  KeptAggregate(const DataType& argument, DataType result_type, std::string separator, bool keep_nulls)
      : values_(argument), result_type_(std::move(result_type)), separator_(std::move(separator)), keep_nulls_(keep_nulls) {}

  void bind(const AggregateInput& input) { values_.bind(input.arguments[0]); }

  Status fold(OrderedValues& list, size_t row, bool retract) {
    std::optional<std::string_view> value;
    if (!values_.isNull(row)) value = values_[row];
    else if (!keep_nulls_) return {};
    if (retract) list.remove(value);
    else list.add(value);
    return {};
  }

  auto results(size_t rows) const {
    if constexpr (kArray) return ArrayResults(values_, result_type_, rows);
    else return JoinedResults(result_type_, rows, separator_);
  }

  Status mergeObjects(OrderedValues& into, const OrderedValues& from) {
    into.mergeFrom(from);
    return {};
  }
  void save(const OrderedValues& list, StateWriter& out) const { list.save(out); }
  bool load(StateReader& in, OrderedValues& list) const {
    if (!list.load(in)) return false;
    bool valid = true;
    list.forEach([&](const OrderedValues::Entry& value) {
      valid = valid && (value ? values_.validate(*value) : keep_nulls_);
    });
    return valid;
  }

 private:
  ValueBytes values_;
  DataType result_type_;
  std::string separator_;
  bool keep_nulls_;
};

Result<ResolvedSignature> resolveListAggregate(std::span<const ArgumentInfo> arguments) {
  static const Resolve types =
      signature({param::text("text"), param::optional(param::text("separator"))}, returnsArgument(0));
  if (arguments.size() > 1 && !(arguments[1].literal && !arguments[1].literal->isNull())) {
    return Status::plan("the separator must be a text literal");
  }
  return types(arguments);
}

Result<std::unique_ptr<AggregateKernel>> makeListAggregate(const AggregateCall& call) {
  std::string separator = call.arguments.size() > 1 ? call.arguments[1].literal->asString() : ",";
  if (!call.needs_retraction) return std::make_unique<ListAggregate>(call.result_type, std::move(separator));
  return std::make_unique<KeptAggregate<false>>(call.arguments[0].type, call.result_type, std::move(separator), false);
}

Result<std::unique_ptr<AggregateKernel>> makeArrayAggregate(const AggregateCall& call) {
  const bool ignore_nulls = call.arguments.size() > 1 && call.arguments[1].literal &&
                            call.arguments[1].literal->asString() == "IGNORE NULLS";
  return std::make_unique<KeptAggregate<true>>(call.arguments[0].type, call.result_type, "", !ignore_nulls);
}

}  // namespace

void addListAggregates(AggregateList& list) {
  list.push_back({
      .name = "LISTAGG",
      .signature = "LISTAGG(text[, separator])",
      .description = "All texts that are not NULL in one, in arrival order, with a separator (`,`) between them; "
                     "NULL if there are none.",
      .example = "LISTAGG(name, ' | ')",
      .min_arguments = 1,
      .max_arguments = 2,
      .resolve = resolveListAggregate,
      .make = makeListAggregate,
      .order_sensitive = true,
  });
  list.push_back({
      .name = "ARRAY_AGG",
      .signature = "ARRAY_AGG(value [RESPECT NULLS | IGNORE NULLS])",
      .description = "An array of all values in arrival order, NULLs included unless told to ignore them; NULL if "
                     "there are no values.",
      .example = "ARRAY_AGG(name)",
      .min_arguments = 1,
      .max_arguments = 2,
      .resolve = signature({param::anything("value"), param::optional(param::symbol("nulls"))},
                           [](std::span<const DataType> types) {
                             return DataType::array(types[0], types[0].nullable());
                           }),
      .make = makeArrayAggregate,
      .order_sensitive = true,
  });
}

}  // namespace thalweg
