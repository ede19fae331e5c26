// State of user functions, kept per key in the engine's keyed state: value, list, map, reducing, aggregating.
//
//   void open(const OpenContext&) override {
//     seen_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>("seen"));
//   }
//   void processElement(…) { seen_.update(seen_.value().value_or(0) + 1); }
//
// A state belongs to the key of the record or timer at hand. It is part of every snapshot and moves with its key.
// Time-to-live counts from the last write (or read, if told so); what expired is never returned.
// Errors: ValidationException outside of a keyed function. Threads: the subtask's. Lifetime: the function's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/field_composites.h"
#include "client/api/thalweg/key_scope.h"
#include "client/api/thalweg/row.h"
#include "client/api/thalweg/stage.h"

namespace thalweg::api {

/// How long a state lives.
struct StateTtlConfig {
  enum class UpdateType : uint8_t { Disabled, OnCreateAndWrite, OnReadAndWrite };
  enum class StateVisibility : uint8_t { ReturnExpiredIfNotCleanedUp, NeverReturnExpired };
  class Builder;
  static Builder newBuilder(Duration ttl);
  bool isEnabled() const { return ttl.toMillis() > 0 && update != UpdateType::Disabled; }

  Duration ttl;
  UpdateType update = UpdateType::OnCreateAndWrite;
  StateVisibility visibility = StateVisibility::NeverReturnExpired;
};
class StateTtlConfig::Builder {
 public:
  explicit Builder(Duration ttl) { config_.ttl = ttl; }
  Builder& setUpdateType(UpdateType type) { config_.update = type; return *this; }
  Builder& updateTtlOnCreateAndWrite() { return setUpdateType(UpdateType::OnCreateAndWrite); }
  Builder& updateTtlOnReadAndWrite() { return setUpdateType(UpdateType::OnReadAndWrite); }
  Builder& setStateVisibility(StateVisibility visibility) { config_.visibility = visibility; return *this; }
  Builder& neverReturnExpired() { return setStateVisibility(StateVisibility::NeverReturnExpired); }
  Builder& returnExpiredIfNotCleanedUp() { return setStateVisibility(StateVisibility::ReturnExpiredIfNotCleanedUp); }
  StateTtlConfig build() const {
    if (config_.ttl.toMillis() <= 0) throw ValidationException("a time-to-live must be above zero, not " + config_.ttl.toString());
    return config_;
  }

 private:
  StateTtlConfig config_;
};
inline StateTtlConfig::Builder StateTtlConfig::newBuilder(Duration ttl) { return Builder(ttl); }

class StateDescriptor {
 public:
  explicit StateDescriptor(std::string name) : name_(std::move(name)) {}
  const std::string& getName() const { return name_; }
  void enableTimeToLive(const StateTtlConfig& ttl) { ttl_ = ttl; }
  const StateTtlConfig& ttl() const { return ttl_; }

 private:
  std::string name_;
  StateTtlConfig ttl_;
};

template <typename T>
struct ValueStateDescriptor : StateDescriptor {
  explicit ValueStateDescriptor(std::string name) : StateDescriptor(std::move(name)) {}
  ValueStateDescriptor(std::string name, T initial_in) : StateDescriptor(std::move(name)), initial(std::move(initial_in)) {}
  std::optional<T> initial;
};
template <typename T>
struct ListStateDescriptor : StateDescriptor {
  using StateDescriptor::StateDescriptor;
};
template <typename K, typename V>
struct MapStateDescriptor : StateDescriptor {
  using StateDescriptor::StateDescriptor;
};
template <typename T>
struct ReducingStateDescriptor : StateDescriptor {
  ReducingStateDescriptor(std::string name, std::function<T(const T&, const T&)> reduce_in) : StateDescriptor(std::move(name)), reduce(std::move(reduce_in)) {}
  std::function<T(const T&, const T&)> reduce;
};
/// What aggregating state and windows fold with.
template <typename IN, typename ACC, typename OUT>
struct AggregateFunction {
  using Input = IN;
  using Accumulator = ACC;
  using Output = OUT;
  virtual ~AggregateFunction() = default;
  virtual ACC createAccumulator() = 0;
  virtual ACC add(const IN& value, ACC accumulator) = 0;
  virtual OUT getResult(const ACC& accumulator) = 0;
  virtual ACC merge(const ACC& a, const ACC& b) = 0;
};
template <typename IN, typename ACC, typename OUT>
struct AggregatingStateDescriptor : StateDescriptor {
  AggregatingStateDescriptor(std::string name, std::shared_ptr<AggregateFunction<IN, ACC, OUT>> function_in)
      : StateDescriptor(std::move(name)), function(std::move(function_in)) {}
  std::shared_ptr<AggregateFunction<IN, ACC, OUT>> function;
};

/// A value with the time it was last used, as stored.
template <typename T>
struct Timed {
  T value{};
  int64_t used_ms = 0;
};

/// One key's content of a state: T with serialization.
template <typename T>
struct StateCell {
  T content{};
  void serialize(std::string& out) const { FieldTraits<T>::write(content, out); }
  static Status deserialize(std::string_view bytes, StateCell& into) {
    try {
      ByteReader reader(bytes);
      FieldTraits<T>::read(reader, into.content);
    } catch (const std::exception& error) {
      return Status::internal(error.what());
    }
    return {};
  }
};
template <typename T>
struct FieldTraits<Timed<T>> {
  static void write(const Timed<T>& timed, std::string& out) {
    FieldTraits<T>::write(timed.value, out);
    writeNumber(out, timed.used_ms);
  }
  static void read(ByteReader& in, Timed<T>& timed) {
    FieldTraits<T>::read(in, timed.value);
    timed.used_ms = in.number<int64_t>();
  }
};

/// A table of cells, and the clock for what expires.
template <typename Content>
class CellTable {
 public:
  CellTable() = default;
  CellTable(StageRuntime& runtime, const StateDescriptor& descriptor) : runtime_(&runtime), keys_(runtime.keys()), ttl_(descriptor.ttl()) {
    if (keys_ == nullptr) refuseUnkeyed(runtime.name(), descriptor.getName());
    KeyedTableSpec spec = objectTableSpec<StateCell<Content>>("state/" + descriptor.getName(), keys_->isFixed());
    // The table forgets what nobody used for so long; what is in a cell may expire sooner.
    if (ttl_.isEnabled() && ttl_.visibility == StateTtlConfig::StateVisibility::NeverReturnExpired) spec.ttl_ms = ttl_.ttl.toMillis();
    table_ = &keys_->openTable(std::move(spec));
  }
  Content* find() const {
    found_ = keys().find(*table_);
    return found_ == nullptr ? nullptr : &objectAt<StateCell<Content>>(found_).content;
  }
  /// What find() gave is about to be changed.
  void touch() const { table_->markDirty(found_); }
  Content& make() const { return objectAt<StateCell<Content>>(keys().upsert(*table_)).content; }
  void erase() const { keys().erase(*table_); }
  int64_t now() const { return ttl_.isEnabled() ? runtime_->nowMillis() : 0; }
  template <typename T>
  bool isAlive(const Timed<T>& timed) const { 
    return !ttl_.isEnabled() || ttl_.visibility == StateTtlConfig::StateVisibility::ReturnExpiredIfNotCleanedUp ||
           timed.used_ms + ttl_.ttl.toMillis() > now();
  }
  template <typename T>
  void noteRead(Timed<T>& timed) const {
    if (!ttl_.isEnabled() || ttl_.update != StateTtlConfig::UpdateType::OnReadAndWrite) return;
    touch();
    timed.used_ms = now();
  }

 private:
  KeyScope& keys() const {
    if (keys_ == nullptr) throw ValidationException("a state was used before open() got it from the runtime context");
    return *keys_;
  }
  [[noreturn]] static void refuseUnkeyed(const std::string& operator_name, const std::string& state) {
    throw ValidationException("keyed state '" + state + "' was asked for in operator '" + operator_name +
                              "', whose input has no key: put keyBy(...) before it");
  }

  StageRuntime* runtime_ = nullptr;
  KeyScope* keys_ = nullptr;
  KeyedTable* table_ = nullptr;
  StateTtlConfig ttl_;
  mutable char* found_ = nullptr;
};

template <typename T>
class ValueState {
 public:
  ValueState() = default;
  ValueState(StageRuntime& runtime, const ValueStateDescriptor<T>& descriptor) : cells_(runtime, descriptor), initial_(descriptor.initial) {}
  /// Empty (or the descriptor's initial value) if there is none.
  std::optional<T> value() const {
    Timed<T>* found = cells_.find();
    if (found == nullptr || !cells_.isAlive(*found)) return initial_;
    cells_.noteRead(*found);
    return found->value;
  }
  void update(T value) {
    Timed<T>& cell = cells_.make();
    cell.value = std::move(value);
    cell.used_ms = cells_.now();
  }
  void clear() { cells_.erase(); }

 private:
  CellTable<Timed<T>> cells_;
  std::optional<T> initial_;
};

template <typename T>
class ListState {
 public:
  ListState() = default;
  ListState(StageRuntime& runtime, const ListStateDescriptor<T>& descriptor) : cells_(runtime, descriptor) {}
  /// Of an operator: without keys (operator_state.h).
  explicit ListState(std::shared_ptr<std::vector<T>> elements) : elements_(std::move(elements)) {}
  void add(T value) {
    if (elements_) elements_->push_back(std::move(value));
    else cells_.make().push_back({std::move(value), cells_.now()});
  }
  void addAll(const std::vector<T>& values) {
    for (const T& value : values) add(value);
  }
  void update(const std::vector<T>& values) {
    clear();
    addAll(values);
  }
  std::vector<T> get() const {
    if (elements_) return *elements_;
    std::vector<T> values;
    if (std::vector<Timed<T>>* found = cells_.find()) {
      for (Timed<T>& element : *found) {
        if (!cells_.isAlive(element)) continue;
        cells_.noteRead(element);
        values.push_back(element.value);
      }
    }
    return values;
  }
  void clear() {
    if (elements_) elements_->clear();
    else cells_.erase();
  }

 private:
  CellTable<std::vector<Timed<T>>> cells_;
  std::shared_ptr<std::vector<T>> elements_;
};

template <typename K, typename V>
class MapState {
 public:
  MapState() = default;
  MapState(StageRuntime& runtime, const MapStateDescriptor<K, V>& descriptor) : cells_(runtime, descriptor) {}
  std::optional<V> get(const K& key) const {
    Timed<V>* found = alive(key);
    return found == nullptr ? std::nullopt : std::optional<V>(found->value);
  }
  bool contains(const K& key) const { return alive(key) != nullptr; }
  void put(const K& key, V value) { cells_.make()[key] = {std::move(value), cells_.now()}; }
  void putAll(const std::map<K, V>& entries) {
    for (const auto& [key, value] : entries) put(key, value);
  }
  void remove(const K& key) {
    auto* found = cells_.find();
    if (found == nullptr) return;
    cells_.touch();
    found->erase(key);
    if (found->empty()) cells_.erase();
  }
  /// All entries, by key.
  std::map<K, V> entries() const {
    std::map<K, V> all;
    if (auto* found = cells_.find()) {
      for (auto& [key, timed] : *found) {
        if (cells_.isAlive(timed)) all.emplace(key, timed.value);
      }
    }
    return all;
  }
  std::vector<K> keys() const {
    std::vector<K> all;
    for (const auto& [key, value] : entries()) all.push_back(key);
    return all;
  }
  std::vector<V> values() const {
    std::vector<V> all;
    for (const auto& [key, value] : entries()) all.push_back(value);
    return all;
  }
  bool isEmpty() const { return entries().empty(); }
  void clear() { cells_.erase(); }

 private:
  Timed<V>* alive(const K& key) const {
    auto* found = cells_.find();
    if (found == nullptr) return nullptr;
    const auto entry = found->find(key);
    if (entry == found->end() || !cells_.isAlive(entry->second)) return nullptr;
    cells_.noteRead(entry->second);
    return &entry->second;
  }
  CellTable<std::map<K, Timed<V>>> cells_;
};

template <typename T>
class ReducingState {
 public:
  ReducingState() = default;
  ReducingState(StageRuntime& runtime, const ReducingStateDescriptor<T>& descriptor) : value_(runtime, plain(descriptor)), reduce_(descriptor.reduce) {}
  void add(const T& value) {
    const std::optional<T> old = value_.value();
    value_.update(old ? reduce_(*old, value) : value);
  }
  std::optional<T> get() const { return value_.value(); }
  void clear() { value_.clear(); }

 private:
  static ValueStateDescriptor<T> plain(const ReducingStateDescriptor<T>& descriptor) {
    ValueStateDescriptor<T> made(descriptor.getName());
    made.enableTimeToLive(descriptor.ttl());
    return made;
  }
  ValueState<T> value_;
  std::function<T(const T&, const T&)> reduce_;
};

template <typename IN, typename ACC, typename OUT>
class AggregatingState {
 public:
  AggregatingState() = default;
  AggregatingState(StageRuntime& runtime, const AggregatingStateDescriptor<IN, ACC, OUT>& descriptor)
      : value_(runtime, plain(descriptor)), function_(descriptor.function) {}
  void add(const IN& value) {
    std::optional<ACC> old = value_.value();
    value_.update(function_->add(value, old ? std::move(*old) : function_->createAccumulator()));
  }
  std::optional<OUT> get() const {
    const std::optional<ACC> found = value_.value();
    if (!found) return std::nullopt;
    return function_->getResult(*found);
  }
  void clear() { value_.clear(); }

 private:
  static ValueStateDescriptor<ACC> plain(const AggregatingStateDescriptor<IN, ACC, OUT>& descriptor) {
    ValueStateDescriptor<ACC> made(descriptor.getName());
    made.enableTimeToLive(descriptor.ttl());
    return made;
  }
  ValueState<ACC> value_;
  std::shared_ptr<AggregateFunction<IN, ACC, OUT>> function_;
};

}  // namespace thalweg::api
