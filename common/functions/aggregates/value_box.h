// ValueBox: one value as bytes behind a single pointer, so that an accumulator of text costs eight bytes and moves
// by memcpy. BoxAggregate: the aggregates that hold one value of any type (MIN, MAX of text, FIRST_VALUE, …).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "common/functions/aggregate_function.h"
#include "common/functions/aggregates/state_bytes.h"
#include "common/functions/aggregates/value_bytes.h"

namespace thalweg {

/// No constructor or destructor: it lives in raw accumulator bytes. clear() before the bytes are dropped.
class ValueBox {
 public:
  void init() { block_ = nullptr; }
  bool hasValue() const { return block_ != nullptr; }
  std::string_view view() const { return {block_->bytes, block_->size}; }
  void set(std::string_view value) {
    const auto size = static_cast<uint32_t>(value.size());
    if (block_ == nullptr || block_->capacity < size || block_->capacity / 4 > size + kSlackBytes) {
      std::free(block_);
      block_ = static_cast<Block*>(std::malloc(sizeof(Block) + size));
      CHECK(block_ != nullptr);
      block_->capacity = size;
    }
    block_->size = size;
    std::memcpy(block_->bytes, value.data(), size);
  }
  void clear() {
    std::free(block_);
    block_ = nullptr;
  }

 private:
  static constexpr uint32_t kSlackBytes = 64;
  struct Block {
    uint32_t size;
    uint32_t capacity;
    char bytes[];  // NOLINT: as long as the capacity
  };
  Block* block_;
};

/// Derived::replaces(held, value) decides, per row that is not NULL, whether the new value takes the place of the
/// one held. Inserts only.
template <typename Derived>
class BoxAggregate : public AggregateKernel {
 public:
  BoxAggregate(const DataType& argument, DataType result_type)
      : values_(argument), result_type_(std::move(result_type)) {}

  size_t stateBytes() const override { return sizeof(ValueBox); }
  bool isTrivial() const override { return false; }
  void init(char* state) const override { at(state).init(); }
  void destroy(char* state) const override { at(state).clear(); }

  Status update(const AggregateInput& input) override {
    values_.bind(input.arguments[0]);
    for (size_t row = 0; row < input.rows(); ++row) fold(input, row);
    return {};
  }

  Status trace(const AggregateInput& input, ColumnBuilder& before, ColumnBuilder& after) override {
    values_.bind(input.arguments[0]);
    ValueColumn old_results(values_, result_type_, input.rows());
    ValueColumn new_results(values_, result_type_, input.rows());
    for (size_t row = 0; row < input.rows(); ++row) {
      write(old_results, at(input.states[row]));
      fold(input, row);
      write(new_results, at(input.states[row]));
    }
    before.appendAll(*old_results.finish());
    after.appendAll(*new_results.finish());
    return {};
  }

  Status finalize(std::span<const char* const> states, ColumnBuilder& out) override {
    ValueColumn results(values_, result_type_, states.size());
    for (const char* state : states) write(results, at(state));
    out.appendAll(*results.finish());
    return {};
  }

  Status merge(char* into, const char* from) override {
    if (at(from).hasValue() && Derived::replaces(at(into), at(from).view())) at(into).set(at(from).view());
    return {};
  }

  void serialize(const char* state, std::string& out) const override {
    StateWriter writer(out);
    writer.number<uint8_t>(at(state).hasValue());
    if (at(state).hasValue()) writer.text(at(state).view());
  }

  Status deserialize(std::string_view bytes, char* state) const override {
    StateReader reader(bytes);
    const bool present = reader.number<uint8_t>() != 0;
    const std::string_view value = present ? reader.text() : std::string_view();
    if (!reader.isDone() || (present && !values_.validate(value))) return Status::io("damaged accumulator of one value");
    at(state).init();
    if (present) at(state).set(value);
    return {};
  }

 private:
  static ValueBox& at(char* state) { return *reinterpret_cast<ValueBox*>(state); }
  static const ValueBox& at(const char* state) { return *reinterpret_cast<const ValueBox*>(state); }

  void fold(const AggregateInput& input, size_t row) {
    if ((input.filter && !input.filter[row]) || values_.isNull(row)) return;
    ValueBox& box = at(input.states[row]);
    if (const std::string_view value = values_[row]; Derived::replaces(box, value)) box.set(value);
  }
  static void write(ValueColumn& out, const ValueBox& box) {
    if (box.hasValue()) out.append(box.view());
    else out.appendNull();
  }

  ValueBytes values_;
  DataType result_type_;
};

}  // namespace thalweg
