// PERCENTILE: interpolated percentiles of weighted numbers.
//
// The accumulator holds the counted values in order. Position (total − 1)·p + 1 (counted from 1, as Flink rounds it)
// lies between two of the sorted values; the result is their weighted mean. A frequency that is NULL, zero or negative leaves the row out.
#include <algorithm>
#include <cmath>

#include "common/functions/aggregates/aggregate_object.h"
#include "common/functions/aggregates/value_order.h"
#include "common/functions/collections/nested_columns.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/decimal.h"

namespace thalweg {
namespace {

struct CountedNumber {
  double value;
  int64_t count;
};

/// Numbers in order with their counts; counts may be negative for a while, as in a retracting MIN.
struct CountedNumbers {
  std::vector<CountedNumber> numbers;
  int64_t total = 0;

  void change(double value, int64_t by) {
    constexpr ValueOrder<double> less;
    auto at = std::ranges::lower_bound(numbers, value, less, &CountedNumber::value);
    if (at == numbers.end() || less(value, at->value)) at = numbers.insert(at, {.value = value, .count = 0});
    at->count += by;
    total += by;
    if (at->count == 0) numbers.erase(at);
  }

  double percentile(double p) const {
    const double position = static_cast<double>(total - 1) * p + 1;
    const auto below = static_cast<int64_t>(std::floor(position));
    const auto above = static_cast<int64_t>(std::ceil(position));
    const double low = valueAt(below);
    if (above == below) return low;
    const double high = valueAt(above);
    if (high == low) return low;
    return (static_cast<double>(above) - position) * low + (position - static_cast<double>(below)) * high;
  }

 private:
  double valueAt(int64_t index) const {
    for (const CountedNumber& number : numbers) {
      if (index <= number.count) return number.value;
      index -= number.count;
    }
    return numbers.back().value;
  }
};

class PercentileAggregate final : public ObjectAggregate<PercentileAggregate, CountedNumbers> {
 public:
  PercentileAggregate(const AggregateCall& call, std::vector<double> fractions)
      : argument_(call.arguments[0].type), result_type_(call.result_type), fractions_(std::move(fractions)) {}

  void bind(const AggregateInput& input) {
    values_.emplace(*input.arguments[0]);
    frequencies_.reset();
    if (input.arguments.size() > 2) frequencies_.emplace(*input.arguments[2]);
  }

  Status fold(CountedNumbers& group, size_t row, bool retract) {
    if (values_->isNull(row) || (frequencies_ && frequencies_->isNull(row))) return {};
    const int64_t weight = frequencies_ ? (*frequencies_)[row] : 1;
    if (weight > 0) group.change((*values_)[row], retract ? -weight : weight);
    return {};
  }

  class Results {
   public:
    Results(const PercentileAggregate& owner, size_t rows) : fractions_(owner.fractions_), type_(owner.result_type_) {
      if (isArray()) lists_.emplace(type_, rows);
    }
    Status append(const CountedNumbers* group) {
      const bool empty = group == nullptr || group->total <= 0 || group->numbers.empty();
      if (!empty) {
        for (const double fraction : fractions_) values_.push_back(group->percentile(fraction));
      }
      if (lists_) empty ? lists_->endNull(values_.size()) : lists_->endRow(values_.size());
      else if (empty) nulls_.push_back(values_.size()), values_.push_back(0);
      return {};
    }
    VectorPtr finish() {
      FlatBuilder<double> numbers(isArray() ? type_.child(0) : type_, values_.size());
      for (size_t i = 0; i < values_.size(); ++i) numbers.set(i, values_[i]);
      for (const size_t row : nulls_) numbers.setNull(row);
      return isArray() ? lists_->finish({numbers.finish()}) : numbers.finish();
    }

   private:
    bool isArray() const { return type_.kind() == TypeKind::ARRAY; }

    const std::vector<double>& fractions_;
    const DataType& type_;
    std::optional<ListOffsets> lists_;
    std::vector<double> values_;
    std::vector<size_t> nulls_;
  };
  Results results(size_t rows) const { return Results(*this, rows); }

  Status mergeObjects(CountedNumbers& into, const CountedNumbers& from) {
    for (const CountedNumber& number : from.numbers) into.change(number.value, number.count);
    return {};
  }
  void save(const CountedNumbers& group, StateWriter& out) const {
    out.number<uint64_t>(group.numbers.size());
    for (const CountedNumber& number : group.numbers) out.number(number);
  }
  bool load(StateReader& in, CountedNumbers& group) const {
    for (uint64_t left = in.count(sizeof(CountedNumber)); left > 0; --left) {
      const auto number = in.number<CountedNumber>();
      group.change(number.value, number.count);
    }
    return in.isOk();
  }

 private:
  DataType argument_;
  DataType result_type_;
  std::vector<double> fractions_;
  std::optional<ColumnReader<double>> values_;
  std::optional<ColumnReader<int64_t>> frequencies_;
};

/// A fraction as written: DOUBLE, DECIMAL or an integer literal.
Result<double> fractionOf(const Value& value, const DataType& type) {
  double fraction = 0;
  if (value.isNull()) return Status::plan("the percentage must not be NULL");
  if (type.kind() == TypeKind::DECIMAL) fraction = decimalToDouble(value.asDecimal(), *decimalSpecOf(type));
  else if (type.isInteger()) fraction = static_cast<double>(value.asInt());
  else fraction = value.asDouble();
  if (!(fraction >= 0 && fraction <= 1)) {
    return Status::plan("the percentage must lie between 0.0 and 1.0, but is " + std::to_string(fraction));
  }
  return fraction;
}

Result<std::vector<double>> fractionsOf(const ArgumentInfo& argument) {
  std::vector<double> fractions;
  if (!argument.literal || argument.literal->isNull()) {
    return Status::plan("the percentage must be a number literal or an array of them");
  }
  if (argument.type.kind() != TypeKind::ARRAY) {
    ASSIGN_OR_RETURN(const double fraction, fractionOf(*argument.literal, argument.type));
    fractions.push_back(fraction);
    return fractions;
  }
  for (const Value& element : argument.literal->asList()) {
    ASSIGN_OR_RETURN(const double fraction, fractionOf(element, argument.type.child(0)));
    fractions.push_back(fraction);
  }
  return fractions;
}

Result<ResolvedSignature> resolvePercentile(std::span<const ArgumentInfo> arguments) {
  static const Parameter percentage{
      .name = "percentage",
      .expected = "a number or an array of numbers",
      .accepts = [](const DataType& type) { return type.isNumeric() || (type.kind() == TypeKind::ARRAY && type.child(0).isNumeric()); },
      .cast = [](const DataType& type) { return type; },
      .plain = DataType::float64()};
  static const Resolve types = signature(
      {param::numberAsDouble("value"), percentage, param::optional(param::bigint("frequency"))},
      [](std::span<const DataType> t) {
        return t[1].kind() == TypeKind::ARRAY ? DataType::array(DataType::float64()) : DataType::float64();
      });
  ASSIGN_OR_RETURN(ResolvedSignature resolved, types(arguments));
  RETURN_IF_ERROR(fractionsOf(arguments[1]).status());
  return resolved;
}

}  // namespace

void addPercentileAggregates(AggregateList& list) {
  list.push_back({
      .name = "PERCENTILE",
      .signature = "PERCENTILE(value, percentage[, frequency])",
      .description = "The value below which a share of all values lies, between two values by interpolation. With an "
                     "array of percentages, an array; with a frequency, each value counts that often.",
      .example = "PERCENTILE(delay, 0.95)",
      .min_arguments = 2,
      .max_arguments = 3,
      .resolve = resolvePercentile,
      .make = [](const AggregateCall& call) -> Result<std::unique_ptr<AggregateKernel>> {
        ASSIGN_OR_RETURN(std::vector<double> fractions, fractionsOf(call.arguments[1]));
        return std::make_unique<PercentileAggregate>(call, std::move(fractions));
      },
  });
}

}  // namespace thalweg
