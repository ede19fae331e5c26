// distinctAggregate: any aggregate over the distinct rows of its arguments.
//
// The accumulator is the inner one followed by a pointer to a counted set of keys (null until a row arrives).
// A row goes to the inner kernel when its key's count becomes positive, a retraction when it stops being so; the
// others are filtered out. Constant arguments (a separator) are no part of the key. A key that is one column of at
// most 8 bytes is a word, its NULLs counted beside the set.
// Sorted: the inner aggregate sees the values only when the result is wanted, in ascending order, NULL first; that is the
// order in which Flink's batch mode hands them over, since it groups by sorting.
#include <algorithm>
#include <utility>

#include "common/columnar/key_codec.h"
#include "common/functions/aggregate_function.h"
#include "common/functions/aggregates/counted_set.h"
#include "common/functions/aggregates/sorted_distinct.h"

namespace thalweg {
namespace {

std::vector<int> keyColumns(const AggregateCall& call) {
  std::vector<int> columns;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (!call.arguments[i].literal) columns.push_back(static_cast<int>(i));
  }
  return columns;
}

std::vector<DataType> argumentTypes(const AggregateCall& call) {
  std::vector<DataType> types;
  for (const ArgumentInfo& argument : call.arguments) types.push_back(argument.type);
  return types;
}

template <typename Key>
class DistinctAggregate final : public AggregateKernel {
  using Keys = CountedSet<Key>;
  static constexpr bool kWords = std::is_same_v<Key, uint64_t>;
  struct Set {
    Keys keys;
    int64_t nulls = 0;                                  // rows whose word key is NULL
  };

 public:
  DistinctAggregate(std::unique_ptr<AggregateKernel> inner, const AggregateCall& call, bool sorted)
      : inner_(std::move(inner)),
        inner_bytes_((inner_->stateBytes() + 7) / 8 * 8),
        arguments_(call.arguments),
        key_columns_(keyColumns(call)),
        types_(argumentTypes(call)),
        encoder_(key_columns_, types_),
        counts_(call.needs_retraction),
        sorted_(sorted) {}

  size_t stateBytes() const override { return inner_bytes_ + sizeof(Set*); }
  bool isTrivial() const override { return false; }
  void init(char* state) const override {
    inner_->init(state);
    setAt(state) = nullptr;
  }
  void destroy(char* state) const override {
    inner_->destroy(state);
    delete setAt(state);
    setAt(state) = nullptr;
  }

  Status update(const AggregateInput& input) override {
    choose(input);
    return sorted_ ? Status() : inner_->update(chosenRows(input));
  }
  Status trace(const AggregateInput& input, ColumnBuilder& before, ColumnBuilder& after) override {
    if (sorted_) return AggregateKernel::trace(input, before, after);
    choose(input);
    return inner_->trace(chosenRows(input), before, after);
  }
  Status finalize(std::span<const char* const> states, ColumnBuilder& out) override {
    if (!sorted_) return inner_->finalize(states, out);
    for (const char* state : states) RETURN_IF_ERROR(finalizeSorted(setAt(state), out));
    return {};
  }

  // Keys of `from` that change sides in `into` are decoded and folded as rows.
  Status merge(char* into, const char* from) override {
    const Set* other = setAt(from);
    if (other == nullptr) return {};
    Set& set = setOf(into);
    std::vector<Key> changed;
    std::vector<uint8_t> retract;
    const auto note = [&](int64_t before, int64_t by) {
      if ((before > 0) == (before + by > 0)) return false;
      retract.push_back(before > 0);
      return true;
    };
    other->keys.forEach([&](const Key& key, int64_t count) {
      const uint64_t hash = Keys::hashOf(key);
      const int64_t before = counts_ ? set.keys.change(key, hash, count) : !set.keys.insert(key, hash);
      if (note(before, count)) changed.push_back(key);
    });
    const int64_t nulls_before = set.nulls;
    set.nulls = counts_ ? nulls_before + other->nulls : std::max(nulls_before, other->nulls);
    const bool null_changed = note(nulls_before, other->nulls);
    if (retract.empty() || sorted_) return {};
    std::vector<VectorPtr> columns;
    RETURN_IF_ERROR(decode(changed, null_changed, columns));
    const std::vector<char*> states(retract.size(), into);
    return inner_->update({.states = states, .arguments = columns, .retract = counts_ ? retract.data() : nullptr});
  }

  void serialize(const char* state, std::string& out) const override {
    std::string inner;
    inner_->serialize(state, inner);
    StateWriter writer(out);
    writer.text(inner);
    const Set* set = setAt(state);
    writer.number<uint8_t>(set != nullptr);
    if (set == nullptr) return;
    writer.number(set->nulls);
    set->keys.save(writer);
  }

  Status deserialize(std::string_view bytes, char* state) const override {
    StateReader reader(bytes);
    const std::string_view inner = reader.text();
    std::unique_ptr<Set> set;
    bool good = true;
    if (reader.number<uint8_t>() != 0) {
      set = std::make_unique<Set>();
      set->nulls = reader.number<int64_t>();
      good = set->keys.load(reader);
    }
    if (!good || !reader.isDone()) return Status::io("damaged accumulator of distinct values");
    RETURN_IF_ERROR(inner_->deserialize(inner, state));
    setAt(state) = set.release();
    return {};
  }

 private:
  Set*& setAt(char* state) const { return *reinterpret_cast<Set**>(state + inner_bytes_); }
  const Set* setAt(const char* state) const { return *reinterpret_cast<const Set* const*>(state + inner_bytes_); }
  Set& setOf(char* state) const {
    if (setAt(state) == nullptr) setAt(state) = new Set();
    return *setAt(state);
  }

  Status finalizeSorted(const Set* set, ColumnBuilder& out) {
    std::vector<uint64_t> memory(inner_bytes_ / sizeof(uint64_t));
    char* const state = reinterpret_cast<char*>(memory.data());
    inner_->init(state);
    Status status;
    if (set != nullptr) {
      std::vector<Key> keys;
      set->keys.forEach([&](const Key& key, int64_t) { keys.push_back(key); });
      std::sort(keys.begin(), keys.end());
      if (set->nulls > 0) status = foldDecoded({}, true, state);
      if (status.isOk() && !keys.empty()) status = foldDecoded(keys, false, state);
    }
    const char* const done[] = {state};
    if (status.isOk()) status = inner_->finalize(done, out);
    inner_->destroy(state);
    return status;
  }

  Status foldDecoded(const std::vector<Key>& keys, bool null, char* state) {
    std::vector<VectorPtr> columns;
    RETURN_IF_ERROR(decode(keys, null, columns));
    const std::vector<char*> states(keys.size() + null, state);
    return inner_->update({.states = states, .arguments = columns});
  }

  AggregateInput chosenRows(const AggregateInput& input) const {
    return {.states = input.states, .arguments = input.arguments, .retract = input.retract, .filter = chosen_.data()};
  }

  /// Marks in chosen_ the rows that change the set of distinct values.
  void choose(const AggregateInput& input) {
    const size_t rows = input.rows();
    const Batch batch(rows, std::vector<VectorPtr>(input.arguments.begin(), input.arguments.end()));
    const KeyBatch& keys = encoder_.encode(batch);
    chosen_.resize(rows);
    for (size_t row = 0; row < rows; ++row) {
      const bool counted = !input.filter || input.filter[row];
      chosen_[row] = counted && changes(setOf(input.states[row]), keys, row, input.retract && input.retract[row]);
    }
  }

  // Without retractions counts stay at 1.
  bool changes(Set& set, const KeyBatch& keys, size_t row, bool retract) {
    const auto key = [&] {
      if constexpr (kWords) return keys.words[row];
      else return keys.bytes[row];
    };
    const bool null = kWords && encoder_.hasNull(row);
    if (!counts_) return null ? std::exchange(set.nulls, 1) == 0 : set.keys.insert(key(), keys.hashes[row]);
    const int64_t by = retract ? -1 : 1;
    const int64_t before = null ? std::exchange(set.nulls, set.nulls + by) : set.keys.change(key(), keys.hashes[row], by);
    return (before > 0) != (before + by > 0);
  }

  /// Argument columns of the rows that these keys, and then perhaps a NULL, stood for.
  Status decode(const std::vector<Key>& keys, bool null, std::vector<VectorPtr>& columns) const {
    std::vector<uint64_t> words;
    std::vector<std::string_view> bytes;
    if constexpr (kWords) {
      for (const Key& key : keys) words.push_back(__builtin_bswap64(key));
      for (const uint64_t& word : words) bytes.emplace_back(reinterpret_cast<const char*>(&word), sizeof word);
    } else {
      for (const Key& key : keys) bytes.emplace_back(key);
    }
    std::vector<DataType> key_types;
    for (const int column : key_columns_) key_types.push_back(types_[static_cast<size_t>(column)]);
    std::vector<VectorPtr> decoded;
    RETURN_IF_ERROR(decodeKeys(bytes, key_types, decoded));
    if (null) {
      const VectorPtr parts[] = {decoded[0], Vector::nulls(key_types[0], 1)};
      decoded[0] = concat(key_types[0], parts);
    }
    size_t next = 0;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (!arguments_[i].literal) columns.push_back(decoded[next++]);
      else columns.push_back(Vector::constant(types_[i], *arguments_[i].literal, keys.size() + null));
    }
    return {};
  }

  std::unique_ptr<AggregateKernel> inner_;
  size_t inner_bytes_;
  std::vector<ArgumentInfo> arguments_;
  std::vector<int> key_columns_;
  std::vector<DataType> types_;
  KeyEncoder encoder_;
  bool counts_;
  bool sorted_;
  std::vector<uint8_t> chosen_;
};

}  // namespace

namespace {

std::unique_ptr<AggregateKernel> makeDistinct(std::unique_ptr<AggregateKernel> inner, const AggregateCall& call, bool sorted) {
  if (KeyEncoder(keyColumns(call), argumentTypes(call)).hasWords()) {
    return std::make_unique<DistinctAggregate<uint64_t>>(std::move(inner), call, sorted);
  }
  return std::make_unique<DistinctAggregate<std::string>>(std::move(inner), call, sorted);
}

}  // namespace

std::unique_ptr<AggregateKernel> distinctAggregate(std::unique_ptr<AggregateKernel> inner, const AggregateCall& call) {
  return makeDistinct(std::move(inner), call, false);
}

std::unique_ptr<AggregateKernel> sortedDistinctAggregate(std::unique_ptr<AggregateKernel> inner, const AggregateCall& call) {
  return makeDistinct(std::move(inner), call, true);
}

}  // namespace thalweg
