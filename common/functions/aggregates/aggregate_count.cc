// COUNT: of all rows (no argument), or of rows in which no argument is NULL. Eight bytes a group.
#include <cstring>

#include "common/functions/aggregate_function.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {
namespace {

class CountAggregate final : public AggregateKernel {
 public:
  explicit CountAggregate(DataType result_type) : result_type_(std::move(result_type)) {}

  size_t stateBytes() const override { return sizeof(int64_t); }
  void init(char* state) const override { std::memset(state, 0, sizeof(int64_t)); }

  Status update(const AggregateInput& input) override {
    const size_t rows = input.rows();
    if (!choose(input)) {
      if (!input.retract) {
        for (size_t row = 0; row < rows; ++row) ++at(input.states[row]);
      } else {
        for (size_t row = 0; row < rows; ++row) at(input.states[row]) += input.retract[row] ? -1 : 1;
      }
      return {};
    }
    for (size_t row = 0; row < rows; ++row) at(input.states[row]) += step(input, row);
    return {};
  }

  Status trace(const AggregateInput& input, ColumnBuilder& before, ColumnBuilder& after) override {
    const size_t rows = input.rows();
    FlatBuilder<int64_t> old_counts(result_type_, rows);
    FlatBuilder<int64_t> new_counts(result_type_, rows);
    const bool plain = !choose(input) && !input.retract;
    for (size_t row = 0; row < rows; ++row) {
      int64_t& count = at(input.states[row]);
      old_counts.set(row, count);
      count += plain ? 1 : step(input, row);
      new_counts.set(row, count);
    }
    before.appendAll(*old_counts.finish());
    after.appendAll(*new_counts.finish());
    return {};
  }

  Status finalize(std::span<const char* const> states, ColumnBuilder& out) override {
    FlatBuilder<int64_t> counts(result_type_, states.size());
    for (size_t i = 0; i < states.size(); ++i) counts.set(i, *reinterpret_cast<const int64_t*>(states[i]));
    out.appendAll(*counts.finish());
    return {};
  }

  Status merge(char* into, const char* from) override {
    at(into) += *reinterpret_cast<const int64_t*>(from);
    return {};
  }

 private:
  static int64_t& at(char* state) { return *reinterpret_cast<int64_t*>(state); }

  /// Marks the rows that count in chosen_; false if all do.
  bool choose(const AggregateInput& input) {
    chosen_.clear();
    for (const VectorPtr& argument : input.arguments) {
      const RowMapping rows(*argument);
      if (!rows.mayHaveNulls()) continue;
      if (chosen_.empty()) start(input);
      for (size_t row = 0; row < input.rows(); ++row) chosen_[row] &= static_cast<uint8_t>(!rows.isNull(row));
    }
    if (chosen_.empty() && input.filter) start(input);
    return !chosen_.empty();
  }

  void start(const AggregateInput& input) {
    chosen_.assign(input.rows(), 1);
    if (!input.filter) return;
    for (size_t row = 0; row < input.rows(); ++row) chosen_[row] = input.filter[row] != 0;
  }

  int64_t step(const AggregateInput& input, size_t row) const {
    const int64_t weight = chosen_.empty() ? 1 : chosen_[row];
    return input.retract && input.retract[row] ? -weight : weight;
  }

  DataType result_type_;
  std::vector<uint8_t> chosen_;
};

}  // namespace

void addCountAggregates(AggregateList& list) {
  list.push_back({
      .name = "COUNT",
      .signature = "COUNT(*) | COUNT(value[, value…])",
      .description = "The number of rows, or of rows in which no value is NULL.",
      .example = "COUNT(*)",
      .min_arguments = 0,
      .max_arguments = SIZE_MAX,
      .resolve = [](std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
        ResolvedSignature resolved;
        for (const ArgumentInfo& argument : arguments) resolved.argument_types.push_back(argument.type);
        resolved.result_type = DataType::bigint(false);
        return resolved;
      },
      .make = [](const AggregateCall& call) -> Result<std::unique_ptr<AggregateKernel>> {
        return std::make_unique<CountAggregate>(call.result_type);
      },
      .never_null = true,
  });
}

}  // namespace thalweg
