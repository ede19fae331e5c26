#include "client/api/bridge/table_links.h"

#include "client/api/thalweg/exception.h"
#include "common/columnar/builder.h"
#include "common/columnar/column_reader.h"

namespace thalweg::api {
namespace {

class TableExit final : public Exit {
 public:
  TableExit(std::unique_ptr<Exit> records, size_t columns, StreamTimes times, ChangelogMode mode, std::string stream)
      : records_(std::move(records)), columns_(columns), times_(std::move(times)), mode_(mode), stream_(std::move(stream)) {}

  Port& port() override { return records_->port(); }
  void open(int subtask, int senders, int receivers) override { records_->open(subtask, senders, receivers); }
  bool isEmpty() const override { return records_->isEmpty(); }
  Batch take() override {
    Batch batch = records_->take();
    if (const int idle = records_->takeIdle(); idle >= 0) idle_ = idle;
    if (!times_.watermarks && batch.hasMarks()) batch = withLastWatermark(batch);
    if (batch.rows() == 0) return batch;
    checkKinds(batch);
    return (times_.rowtime ? withTimes(batch) : batch).withTimestamps(nullptr);
  }

 private:
  /// The end of time passes always.
  static Batch withLastWatermark(const Batch& batch) {
    std::vector<WatermarkMark> kept;
    for (const WatermarkMark& mark : batch.marks()) {
      if (mark.value == kMaxWatermark) kept.push_back(mark);
    }
    return kept.empty() ? batch.withoutMarks() : batch.withMarks(std::move(kept));
  }

  void checkKinds(const Batch& batch) const {
    if (batch.isInsertOnly()) return;
    for (size_t row = 0; row < batch.rows(); ++row) {
      const RowKind kind = batch.rowKind(row);
      const bool allowed = kind == RowKind::INSERT || (kind == RowKind::UPDATE_BEFORE && mode_.update_before) ||
                           (kind == RowKind::UPDATE_AFTER && mode_.update_after) || (kind == RowKind::DELETE && mode_.deletes);
      if (allowed) continue;
      const std::string found(rowKindText(kind));
      if (mode_.isInsertOnly()) {
        throw ValidationException("the conversion of stream " + stream_ + " expects insert-only records, but a record is " + found +
                                  "; use fromChangelogStream()");
      }
      throw ValidationException("the changelog mode of stream " + stream_ + " is " + mode_.toString() + ", but a record is " + found);
    }
  }

  Batch withTimes(const Batch& batch) const {
    FlatBuilder<int64_t> times(*times_.rowtime, batch.rows());
    const EventTime* given = batch.timestamps();
    for (size_t row = 0; row < batch.rows(); ++row) {
      if (given == nullptr || given[row] == kNoTimestamp) {
        throw ValidationException("a record of stream " + stream_ + " has no timestamp, which its rowtime column needs: call assignTimestampsAndWatermarks() before");
      }
      times.set(row, given[row]);
    }
    std::vector<VectorPtr> columns = batch.columns();
    columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(columns_), times.finish());
    return batch.withColumns(std::move(columns));
  }

  std::unique_ptr<Exit> records_;
  size_t columns_;
  StreamTimes times_;
  ChangelogMode mode_;
  std::string stream_;
};

class TableEntry final : public Entry {
 public:
  TableEntry(std::unique_ptr<Entry> records, TableOutput output) : records_(std::move(records)), output_(std::move(output)) {}

  void open(Port& target, const std::string& name, KeyScope* keys) override { records_->open(target, name, keys); }
  void feed(const Batch& found) override {
    Batch batch = output_.upsert ? withoutUpdateBefore(found) : found;
    if (output_.rowtime >= 0 && batch.rows() > 0) {
      batch = batch.withTimestamps(timesOf(batch));
      if (output_.drop_rowtime) {
        std::vector<VectorPtr> columns = batch.columns();
        columns.erase(columns.begin() + output_.rowtime);
        batch = batch.withColumns(std::move(columns));
      }
    }
    records_->feed(batch);
  }

 private:
  static Batch withoutUpdateBefore(const Batch& batch) {
    if (batch.isInsertOnly()) return batch;
    std::vector<RowIndex> kept;
    for (size_t row = 0; row < batch.rows(); ++row) {
      if (batch.rowKind(row) != RowKind::UPDATE_BEFORE) kept.push_back(static_cast<RowIndex>(row));
    }
    return batch.select(kept);
  }

  BufferPtr timesOf(const Batch& batch) const {
    const TimestampReader times(*batch.column(static_cast<size_t>(output_.rowtime)));
    std::vector<EventTime> out(batch.rows());
    for (size_t row = 0; row < batch.rows(); ++row) {
      if (times.isNull(row)) {
        throw ValidationException("the rowtime column of the table is NULL in a row, so the record would have no timestamp");
      }
      out[row] = times.millis(row);
    }
    return timestampBuffer(out);
  }

  std::unique_ptr<Entry> records_;
  TableOutput output_;
};

}  // namespace

TableInputLink::TableInputLink(StreamLinkPtr records, size_t columns, StreamTimes times, ChangelogMode mode, std::string stream)
    : records_(std::move(records)), columns_(columns), times_(std::move(times)), mode_(mode), stream_(std::move(stream)), types_(records_->columnTypes()) {
  if (times_.rowtime) types_.insert(types_.begin() + static_cast<std::ptrdiff_t>(columns_), *times_.rowtime);
}

thalweg::Schema TableInputLink::schema() const {
  std::vector<thalweg::Column> columns = records_->schema().columns();
  if (times_.rowtime) columns.push_back({"rowtime", *times_.rowtime});
  return thalweg::Schema(std::move(columns));
}

std::vector<int> TableInputLink::keyColumns() const {
  std::vector<int> keys = records_->keyColumns();
  for (int& key : keys) key += times_.rowtime && key >= static_cast<int>(columns_) ? 1 : 0;
  return keys;
}

StreamLinkPtr TableInputLink::inTurn() const { return std::make_shared<TableInputLink>(records_->inTurn(), columns_, times_, mode_, stream_); }

std::unique_ptr<Exit> TableInputLink::makeExit() const {
  return std::make_unique<TableExit>(records_->makeExit(), columns_, times_, mode_, stream_);
}

std::unique_ptr<Entry> TableOutputLink::makeEntry() const { return std::make_unique<TableEntry>(records_->makeEntry(), output_); }

}  // namespace thalweg::api
