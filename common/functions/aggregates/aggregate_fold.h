// FoldedAggregate<Fold>: an aggregate over one fixed-width argument, NULLs skipped, as tight loops.
//
// A Fold is a small value that says what one row does to an accumulator:
//   using Argument = int64_t;                       physical type of the argument column
//   using Result = int64_t;                         physical type of the result column
//   struct State { … };                             at most 8-byte aligned, copied as bytes
//   void init(State&) const;
//   void add(State&, Argument) const;
//   void take(State&, Argument) const;              of a retraction
//   bool result(const State&, Result&) const;       false: NULL
//   void merge(State& into, const State& from) const;
// A column that is flat and without nulls, with neither filter nor retractions, takes the loop without branches.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>

#include "common/functions/aggregate_function.h"

namespace thalweg {

/// A T inside an accumulator; 16-byte integers are kept as two words, since states are 8-byte aligned.
template <typename T>
struct Slot {
  T value;
  T get() const { return value; }
  void set(T v) { value = v; }
};
template <>
struct Slot<int128> {
  uint64_t words[2];
  int128 get() const {
    int128 v;
    std::memcpy(&v, words, sizeof v);
    return v;
  }
  void set(int128 v) { std::memcpy(words, &v, sizeof v); }
};

/// Calls `fold(row, value, retract)` for the rows that count: not filtered out and not NULL.
template <typename T, typename FoldRow>
void forCountedRows(const AggregateInput& input, const ColumnReader<T>& column, FoldRow&& fold) {
  const size_t rows = input.rows();
  if (!input.filter && !input.retract && column.isIdentity() && !column.mayHaveNulls()) {
    const auto* data = column.raw();
    for (size_t row = 0; row < rows; ++row) fold(row, static_cast<T>(data[row]), false);
    return;
  }
  const bool nulls = column.mayHaveNulls();
  for (size_t row = 0; row < rows; ++row) {
    if (input.filter && !input.filter[row]) continue;
    if (nulls && column.isNull(row)) continue;
    fold(row, column[row], input.retract && input.retract[row]);
  }
}

template <typename Fold>
class FoldedAggregate final : public AggregateKernel {
  using State = typename Fold::State;
  using Argument = typename Fold::Argument;
  using Outcome = typename Fold::Result;
  static_assert(alignof(State) <= 8 && std::is_trivially_copyable_v<State>);

 public:
  FoldedAggregate(DataType result_type, Fold fold) : result_type_(std::move(result_type)), fold_(fold) {}

  size_t stateBytes() const override { return sizeof(State); }
  void init(char* state) const override {
    std::memset(state, 0, sizeof(State));  // padding too: states are saved as bytes
    fold_.init(at(state));
  }

  Status update(const AggregateInput& input) override {
    forCountedRows<Argument>(input, ColumnReader<Argument>(*input.arguments[0]),
                             [&](size_t row, Argument value, bool retract) { apply(at(input.states[row]), value, retract); });
    return {};
  }

  Status trace(const AggregateInput& input, ColumnBuilder& before, ColumnBuilder& after) override {
    const size_t rows = input.rows();
    FlatBuilder<Outcome> old_results(result_type_, rows);
    FlatBuilder<Outcome> new_results(result_type_, rows);
    const ColumnReader<Argument> column(*input.arguments[0]);
    const bool clean = !input.filter && !input.retract && column.isIdentity() && !column.mayHaveNulls();
    const char* previous = nullptr;
    Outcome result{};
    bool present = false;
    for (size_t row = 0; row < rows; ++row) {
      State& state = at(input.states[row]);
      if (input.states[row] != previous) present = fold_.result(state, result);
      previous = input.states[row];
      write(old_results, row, present, result);
      if (clean) {
        fold_.add(state, static_cast<Argument>(column.raw()[row]));
        present = fold_.result(state, result);
      } else if ((!input.filter || input.filter[row]) && !column.isNull(row)) {
        apply(state, column[row], input.retract && input.retract[row]);
        present = fold_.result(state, result);
      }
      write(new_results, row, present, result);
    }
    before.appendAll(*old_results.finish());
    after.appendAll(*new_results.finish());
    return {};
  }

  Status finalize(std::span<const char* const> states, ColumnBuilder& out) override {
    FlatBuilder<Outcome> results(result_type_, states.size());
    for (size_t i = 0; i < states.size(); ++i) {
      Outcome result{};
      const bool present = fold_.result(at(states[i]), result);
      write(results, i, present, result);
    }
    out.appendAll(*results.finish());
    return {};
  }

  Status merge(char* into, const char* from) override {
    fold_.merge(at(into), at(from));
    return {};
  }

 private:
  static State& at(char* state) { return *reinterpret_cast<State*>(state); }
  static const State& at(const char* state) { return *reinterpret_cast<const State*>(state); }

  void apply(State& state, Argument value, bool retract) const {
    if (retract) fold_.take(state, value);
    else fold_.add(state, value);
  }
  static void write(FlatBuilder<Outcome>& out, size_t row, bool present, const Outcome& result) {
    if (present) out.set(row, result);
    else out.setNull(row);
  }

  DataType result_type_;
  Fold fold_;
};

template <typename Fold>
std::unique_ptr<AggregateKernel> foldedAggregate(const DataType& result_type, Fold fold = {}) {
  return std::make_unique<FoldedAggregate<Fold>>(result_type, fold);
}

}  // namespace thalweg
