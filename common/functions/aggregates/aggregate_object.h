// ObjectAggregate<Derived, Object>: aggregates whose accumulator is an object on the heap (lists, multisets, …).
//
// The accumulator is a pointer, null until a row arrives. Derived supplies:
//   void bind(const AggregateInput&)                       looks at the columns of a call
//   Status fold(Object&, size_t row, bool retract)         one row, filter already applied
//   Results results(size_t rows) const                     a column under construction, with
//       Status append(const Object*)                           (null: no row yet) and VectorPtr finish()
//   Status mergeObjects(Object& into, const Object& from)
//   void save(const Object&, StateWriter&) const, bool load(StateReader&, Object&) const
#pragma once

#include "common/functions/aggregate_function.h"
#include "common/functions/aggregates/state_bytes.h"

namespace thalweg {

template <typename Derived, typename Object>
class ObjectAggregate : public AggregateKernel {
 public:
  size_t stateBytes() const override { return sizeof(Object*); }
  bool isTrivial() const override { return false; }
  void init(char* state) const override { at(state) = nullptr; }
  void destroy(char* state) const override {
    delete at(state);
    at(state) = nullptr;
  }

  Status update(const AggregateInput& input) override {
    derived().bind(input);
    for (size_t row = 0; row < input.rows(); ++row) RETURN_IF_ERROR(foldRow(input, row));
    return {};
  }

  Status trace(const AggregateInput& input, ColumnBuilder& before, ColumnBuilder& after) override {
    derived().bind(input);
    auto old_results = derived().results(input.rows());
    auto new_results = derived().results(input.rows());
    for (size_t row = 0; row < input.rows(); ++row) {
      RETURN_IF_ERROR(old_results.append(at(input.states[row])));
      RETURN_IF_ERROR(foldRow(input, row));
      RETURN_IF_ERROR(new_results.append(at(input.states[row])));
    }
    before.appendAll(*old_results.finish());
    after.appendAll(*new_results.finish());
    return {};
  }

  Status finalize(std::span<const char* const> states, ColumnBuilder& out) override {
    auto results = derived().results(states.size());
    for (const char* state : states) RETURN_IF_ERROR(results.append(at(state)));
    out.appendAll(*results.finish());
    return {};
  }

  Status merge(char* into, const char* from) override {
    if (at(from) == nullptr) return {};
    return derived().mergeObjects(object(into), *at(from));
  }

  void serialize(const char* state, std::string& out) const override {
    StateWriter writer(out);
    writer.number<uint8_t>(at(state) != nullptr);
    if (at(state)) static_cast<const Derived&>(*this).save(*at(state), writer);
  }

  Status deserialize(std::string_view bytes, char* state) const override {
    StateReader reader(bytes);
    std::unique_ptr<Object> loaded;
    if (reader.number<uint8_t>() != 0) {
      loaded = std::make_unique<Object>();
      if (!static_cast<const Derived&>(*this).load(reader, *loaded)) return Status::io("damaged accumulator");
    }
    if (!reader.isDone()) return Status::io("damaged accumulator");
    at(state) = loaded.release();
    return {};
  }

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }
  static Object*& at(char* state) { return *reinterpret_cast<Object**>(state); }
  static const Object* at(const char* state) { return *reinterpret_cast<const Object* const*>(state); }
  static Object& object(char* state) {
    if (at(state) == nullptr) at(state) = new Object();
    return *at(state);
  }

  Status foldRow(const AggregateInput& input, size_t row) {
    if (input.filter && !input.filter[row]) return {};
    return derived().fold(object(input.states[row]), row, input.retract && input.retract[row]);
  }
};

}  // namespace thalweg
