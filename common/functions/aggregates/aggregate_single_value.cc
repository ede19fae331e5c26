// SINGLE_VALUE: the value of a scalar sub-query, which fails on a second row. NULL is a value like others.
#include "common/functions/aggregates/aggregate_object.h"
#include "common/functions/aggregates/value_bytes.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {
namespace {

struct OnlyRow {
  int64_t rows = 0;
  std::optional<std::string> value;
};

class SingleValueAggregate final : public ObjectAggregate<SingleValueAggregate, OnlyRow> {
 public:
  SingleValueAggregate(const DataType& argument, DataType result_type)
      : values_(argument), result_type_(std::move(result_type)) {}

  void bind(const AggregateInput& input) { values_.bind(input.arguments[0]); }

  Status fold(OnlyRow& group, size_t row, bool retract) {
    if (retract) {
      --group.rows;
      group.value.reset();
      return {};
    }
    ++group.rows;
    if (values_.isNull(row)) group.value.reset();
    else group.value.emplace(values_[row]);
    return group.rows > 1 ? tooManyRows() : Status();
  }

  class Results {
   public:
    Results(const ValueBytes& values, const DataType& type, size_t rows) : column_(values, type, rows) {}
    Status append(const OnlyRow* group) {
      if (group && group->value) column_.append(*group->value);
      else column_.appendNull();
      return {};
    }
    VectorPtr finish() { return column_.finish(); }

   private:
    ValueColumn column_;
  };
  Results results(size_t rows) const { return Results(values_, result_type_, rows); }

  Status mergeObjects(OnlyRow& into, const OnlyRow& from) {
    into.rows += from.rows;
    if (from.rows > 0) into.value = from.value;
    else if (into.rows <= 0) into.value.reset();
    return into.rows > 1 ? tooManyRows() : Status();
  }
  void save(const OnlyRow& group, StateWriter& out) const {
    out.number(group.rows);
    out.number<uint8_t>(group.value.has_value());
    if (group.value) out.text(*group.value);
  }
  bool load(StateReader& in, OnlyRow& group) const {
    group.rows = in.number<int64_t>();
    if (in.number<uint8_t>() == 0) return in.isOk();
    group.value.emplace(in.text());
    return in.isOk() && values_.validate(*group.value);
  }

 private:
  static Status tooManyRows() {
    return Status::runtime("a scalar sub-query gave more than one row; add LIMIT 1 or an aggregate to it");
  }

  ValueBytes values_;
  DataType result_type_;
};

}  // namespace

void addSingleValueAggregates(AggregateList& list) {
  list.push_back({
      .name = "SINGLE_VALUE",
      .signature = "SINGLE_VALUE(value)",
      .description = "The only value of a group; fails if there are several. Scalar sub-queries use it.",
      .example = "SINGLE_VALUE(price)",
      .min_arguments = 1,
      .max_arguments = 1,
      .resolve = signature({param::anything("value")}, returnsArgument(0)),
      .make = [](const AggregateCall& call) -> Result<std::unique_ptr<AggregateKernel>> {
        return std::make_unique<SingleValueAggregate>(call.arguments[0].type, call.result_type);
      },
  });
}

}  // namespace thalweg
