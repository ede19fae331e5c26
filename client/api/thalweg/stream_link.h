// StreamLink: how records of one stream become columns where they leave a chain, and records again where they enter one.
//
// An edge of the stream graph has one. PlainLink<T> carries the columns of T. KeyedLink<T, K> has columns of the key
// too (behind those of T, or among them), by which the engine distributes rows and keeps state. RoutedLink<T> adds the
// number of the receiving subtask.
// Threads: links are immutable; exits and entries belong to a subtask.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/key_scope.h"
#include "client/api/thalweg/record_type.h"
#include "client/api/thalweg/stage.h"

namespace thalweg::api {

/// How the rows of an edge are dealt out to the receiving subtasks.
enum class Partition : uint8_t {
  ANY,        ///< forward if both sides have the same parallelism, else in turn
  FORWARD,
  HASH,       ///< by key
  BROADCAST,
  ROUTED,     ///< the record's exit chooses: in turn, at random, custom
  RESCALE,    ///< in turn among near subtasks
  GLOBAL,     ///< all to the first subtask
};

/// Where records leave a chain: gathers them, and gives them as one batch with its watermark marks.
class Exit {
 public:
  virtual ~Exit() = default;
  virtual Port& port() = 0;
  virtual void open(int subtask, int senders, int receivers) { (void)subtask; (void)senders; (void)receivers; }
  virtual bool isEmpty() const = 0;
  /// What came since the last call; an empty batch if nothing.
  virtual Batch take() = 0;
  /// The last idleness that came and was not asked for yet: -1 none, 0, 1.
  int takeIdle() { return std::exchange(idle_, -1); }

 protected:
  int idle_ = -1;
};

/// Where records enter a chain.
class Entry {
 public:
  virtual ~Entry() = default;
  /// `keys` is null unless the link is keyed.
  virtual void open(Port& target, const std::string& name, KeyScope* keys) = 0;
  virtual void feed(const Batch& batch) = 0;
};

class StreamLink {
 public:
  virtual ~StreamLink() = default;
  virtual const std::vector<DataType>& columnTypes() const = 0;
  virtual thalweg::Schema schema() const = 0;
  /// Columns that rows are distributed by (HASH), or the one with the subtask (ROUTED).
  virtual std::vector<int> keyColumns() const { return {}; }
  virtual bool isKeyed() const { return false; }
  /// The same records dealt out one by one in turn; what ANY means between tasks of different parallelism.
  virtual std::shared_ptr<const StreamLink> inTurn() const = 0;
  virtual std::unique_ptr<Exit> makeExit() const = 0;
  virtual std::unique_ptr<Entry> makeEntry() const = 0;
};
using StreamLinkPtr = std::shared_ptr<const StreamLink>;

BufferPtr timestampBuffer(const std::vector<EventTime>& timestamps);

template <typename T>
class RecordExit : public Exit, public TypedPort<T> {
 public:
  explicit RecordExit(RecordTypePtr<T> type) : type_(std::move(type)) {}
  Port& port() override { return *this; }
  void records(Chunk<T>& chunk) override {
    if (gathered_.empty()) {
      gathered_ = std::move(chunk);
      chunk.clear();
      return;
    }
    for (size_t i = 0; i < chunk.records.size(); ++i) gathered_.add(std::move(chunk.records[i]), chunk.timestampAt(i));
  }
  void watermark(EventTime value) override {
    const auto offset = static_cast<RowIndex>(gathered_.records.size());
    if (!marks_.empty() && marks_.back().offset == offset && value != kMaxWatermark) marks_.back().value = value;
    else marks_.push_back({offset, value});
  }
  void idle(bool idle) override { idle_ = idle ? 1 : 0; }
  bool isEmpty() const override { return gathered_.empty() && marks_.empty(); }
  Batch take() override {
    Batch batch = gathered_.empty() ? Batch() : addColumns(type_->encode(gathered_.records), gathered_.records);
    if (!gathered_.timestamps.empty()) batch = batch.withTimestamps(timestampBuffer(gathered_.timestamps));
    if (!marks_.empty()) batch = batch.withMarks(std::move(marks_));
    marks_.clear();
    gathered_.clear();
    return batch;
  }

 protected:
  virtual Batch addColumns(Batch batch, const std::vector<T>& records) { (void)records; return batch; }

 private:
  RecordTypePtr<T> type_;
  Chunk<T> gathered_;
  std::vector<WatermarkMark> marks_;
};

template <typename T>
class RecordEntry : public Entry {
 public:
  explicit RecordEntry(RecordTypePtr<T> type) : type_(std::move(type)) {}
  void open(Port& target, const std::string& name, KeyScope* keys) override {
    target_.connect(target, name);
    keys_ = keys;
  }
  void feed(const Batch& batch) override {
    if (batch.rows() > 0) {
      if (keys_ != nullptr) keys_->setBatch(batch);
      type_->decode(batch, chunk_.records);
    }
    const EventTime* times = batch.timestamps();
    if (!batch.hasMarks()) {
      if (times != nullptr) chunk_.timestamps.assign(times, times + batch.rows());
      target_.records(chunk_);
      chunk_.clear();
      return;
    }
    Chunk<T> all = std::move(chunk_);
    chunk_.clear();
    const auto on_range = [&](size_t begin, size_t end) -> Status {
      if (keys_ != nullptr) keys_->setFirstRow(begin);
      chunk_.records.assign(std::make_move_iterator(all.records.begin() + static_cast<std::ptrdiff_t>(begin)),
                            std::make_move_iterator(all.records.begin() + static_cast<std::ptrdiff_t>(end)));
      if (times != nullptr) chunk_.timestamps.assign(times + begin, times + end);
      target_.records(chunk_);
      chunk_.clear();
      return {};
    };
    const auto on_watermark = [&](EventTime value) -> Status {
      target_.watermark(value);
      return {};
    };
    (void)forEachRange(batch, on_range, on_watermark);
  }

 private:
  RecordTypePtr<T> type_;
  Emitter<T> target_;
  KeyScope* keys_ = nullptr;
  Chunk<T> chunk_;
};

template <typename T>
class PlainLink : public StreamLink {
 public:
  explicit PlainLink(RecordTypePtr<T> type) : type_(std::move(type)) {}
  const std::vector<DataType>& columnTypes() const override { return type_->columnTypes(); }
  thalweg::Schema schema() const override { return type_->schema(); }
  StreamLinkPtr inTurn() const override;
  std::unique_ptr<Exit> makeExit() const override { return std::make_unique<RecordExit<T>>(type_); }
  std::unique_ptr<Entry> makeEntry() const override { return std::make_unique<RecordEntry<T>>(type_); }

 protected:
  RecordTypePtr<T> type_;
};

/// A key of a T, as a function and, if it is a field of T, also as a column of it.
template <typename T, typename K>
struct KeyPart {
  std::function<K(const T&)> selector;
  int column = -1;
};

template <typename T, typename K>
class KeyedLink final : public PlainLink<T> {
 public:
  KeyedLink(RecordTypePtr<T> type, KeyPart<T, K> key) : PlainLink<T>(std::move(type)), key_(std::move(key)), types_(this->type_->columnTypes()) {
    if (key_.column >= 0) return;
    const auto& key_types = RecordType<K>::of()->columnTypes();
    types_.insert(types_.end(), key_types.begin(), key_types.end());
  }
  const std::vector<DataType>& columnTypes() const override { return types_; }
  std::vector<int> keyColumns() const override {
    if (key_.column >= 0) return {key_.column};
    std::vector<int> columns;
    for (size_t i = this->type_->columnTypes().size(); i < types_.size(); ++i) columns.push_back(static_cast<int>(i));
    return columns;
  }
  bool isKeyed() const override { return true; }
  std::unique_ptr<Exit> makeExit() const override {
    if (key_.column >= 0) return PlainLink<T>::makeExit();
    return std::make_unique<KeyExit>(this->type_, key_.selector);
  }

 private:
  class KeyExit final : public RecordExit<T> {
   public:
    KeyExit(RecordTypePtr<T> type, std::function<K(const T&)> selector) : RecordExit<T>(std::move(type)), selector_(std::move(selector)) {}

   protected:
    Batch addColumns(Batch batch, const std::vector<T>& records) override {
      std::vector<K> keys;
      keys.reserve(records.size());
      for (const T& record : records) keys.push_back(selector_(record));
      checkDeterministic(records[0], keys[0]);
      std::vector<VectorPtr> columns = batch.columns();
      const Batch key_columns = RecordType<K>::of()->encode(keys);
      columns.insert(columns.end(), key_columns.columns().begin(), key_columns.columns().end());
      return batch.withColumns(std::move(columns));
    }

   private:
    /// Of one record a batch: a key that changes would part state from its records, and nobody would notice.
    void checkDeterministic(const T& record, const K& key) const {
      const K again = selector_(record);
      const Batch both = RecordType<K>::of()->encode({key, again});
      for (const VectorPtr& column : both.columns()) {
        if (column->valueAt(0) == column->valueAt(1)) continue;
        throw ValidationException("a key selector gave two keys for one record, " + textOf(key) + " and " + textOf(again) +
                                  ": a key must follow from the record alone, not from counters, clocks or random numbers");
      }
    }
    std::function<K(const T&)> selector_;
  };

  KeyPart<T, K> key_;
  std::vector<DataType> types_;
};

/// What a router may know besides the record.
struct Route {
  int sender = 0;          ///< number of the sending subtask
  int senders = 1;
  int receivers = 1;
  int64_t sent = 0;        ///< records this subtask has sent
};
/// Chooses the receiver of a record.
template <typename T>
using Router = std::function<int(const T& record, const Route& route)>;

template <typename T>
class RoutedLink final : public PlainLink<T> {
 public:
  RoutedLink(RecordTypePtr<T> type, Router<T> router) : PlainLink<T>(std::move(type)), router_(std::move(router)), types_(this->type_->columnTypes()) {
    types_.push_back(DataType::integer(false));
  }
  const std::vector<DataType>& columnTypes() const override { return types_; }
  std::vector<int> keyColumns() const override { return {static_cast<int>(types_.size()) - 1}; }
  std::unique_ptr<Exit> makeExit() const override { return std::make_unique<RouteExit>(this->type_, router_); }

 private:
  class RouteExit final : public RecordExit<T> {
   public:
    RouteExit(RecordTypePtr<T> type, Router<T> router) : RecordExit<T>(std::move(type)), router_(std::move(router)) {}
    void open(int subtask, int senders, int receivers) override { route_ = {subtask, senders, receivers, 0}; }

   protected:
    Batch addColumns(Batch batch, const std::vector<T>& records) override {
      FlatBuilder<int32_t> routes(DataType::integer(false), records.size());
      for (size_t i = 0; i < records.size(); ++i) {
        routes.set(i, router_(records[i], route_));
        ++route_.sent;
      }
      std::vector<VectorPtr> columns = batch.columns();
      columns.push_back(routes.finish());
      return batch.withColumns(std::move(columns));
    }

   private:
    Router<T> router_;
    Route route_;
  };

  Router<T> router_;
  std::vector<DataType> types_;
};

template <typename T>
StreamLinkPtr PlainLink<T>::inTurn() const {
  return std::make_shared<RoutedLink<T>>(type_, [](const T&, const Route& route) {
    return static_cast<int>((route.sender + route.sent) % route.receivers);
  });
}

// Of the plain types, made once in plain_links.cc: programs compile faster.
#define THALWEG_PLAIN_LINKS(PREFIX, T)    \
  PREFIX template class StaticRecordType<T>; \
  PREFIX template class RecordExit<T>;       \
  PREFIX template class RecordEntry<T>;      \
  PREFIX template class PlainLink<T>;        \
  PREFIX template class RoutedLink<T>;
THALWEG_PLAIN_LINKS(extern, std::string)
THALWEG_PLAIN_LINKS(extern, int32_t)
THALWEG_PLAIN_LINKS(extern, int64_t)
THALWEG_PLAIN_LINKS(extern, double)

}  // namespace thalweg::api
