// The stages that fold the records of a key: reduce, and sum, min, max, minBy and maxBy made of it.
//
// Streaming emits the folded record after every record, batch one per key at its end.
#pragma once

#include <memory>

#include "client/api/thalweg/field_folds.h"
#include "client/api/thalweg/runtime_context.h"
#include "client/api/thalweg/state.h"

namespace thalweg::api {

/// `fold(accumulator, record)` changes the accumulator.
template <typename T, typename Fold>
class FoldStage final : public UnaryStage<T, T> {
 public:
  explicit FoldStage(const Fold& fold) : fold_(fold) {}
  void open(StageRuntime& runtime) override {
    fold_.open(runtime);
    keys_ = runtime.keys();
    batch_ = runtime.batchMode();
    table_ = &keys_->openTable(objectTableSpec<StateCell<T>>("fold", keys_->isFixed()));
  }
  void close() override { fold_.close(); }

  void records(Chunk<T>& chunk) override {
    if (batch_) return recordsOfKey(chunk);
    lookUp(chunk.records.size());
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      T& kept = objectAt<StateCell<T>>(payloads_[i]).content;
      if (created_[i] != 0) {
        kept = chunk.records[i];
      } else {
        (*fold_)(kept, chunk.records[i]);
        chunk.records[i] = kept;
      }
    }
    this->out_.records(chunk);
  }
  void endKey() override {
    if (!last_) return;
    Chunk<T> result;
    result.add(std::move(*last_), last_timestamp_);
    last_.reset();
    this->out_.records(result);
  }

 private:
  /// Entries of all keys of the chunk at once.
  void lookUp(size_t count) {
    payloads_.resize(count);
    created_.assign(count, 0);
    const KeyBatch& keys = keys_->batchKeys();
    if (keys_->first() == 0 && keys.size == count) {
      throwIfFailed(table_->upsert(0, keys, payloads_, created_));
      return;
    }
    rows_.clear();
    for (size_t i = 0; i < count; ++i) rows_.push_back(static_cast<RowIndex>(keys_->first() + i));
    throwIfFailed(table_->upsertRows(0, keys, rows_, payloads_, created_));
  }
  void recordsOfKey(Chunk<T>& chunk) {
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      if (last_) (*fold_)(*last_, chunk.records[i]);
      else last_ = std::move(chunk.records[i]);
      last_timestamp_ = chunk.timestampAt(i);
    }
  }

  FunctionHolder<Fold> fold_;
  KeyScope* keys_ = nullptr;
  KeyedTable* table_ = nullptr;
  bool batch_ = false;
  std::vector<char*> payloads_;
  std::vector<uint8_t> created_;
  std::vector<RowIndex> rows_;
  std::optional<T> last_;
  EventTime last_timestamp_ = kNoTimestamp;
};

/// A user's reduce function as a fold; rich ones are opened by the stage's holder of this.
template <typename T, typename F>
struct ReduceFold {
  F function;
  F& richFunction() { return function; }
  void operator()(T& kept, const T& record) { kept = callReduce(function, std::as_const(kept), record); }
};

}  // namespace thalweg::api
