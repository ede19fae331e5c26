// Sorting and limiting: batch sort (with limit), streaming sort by time, streaming limit.
//
// Rows are compared by their encoded sort keys; equal keys keep the order of arrival.

#include <algorithm>
#include <map>

#include "common/columnar/column_reader.h"
#include "common/columnar/row_codec.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/sort/external_sorter.h"
#include "worker/operators/sort/sorted_rows.h"

namespace thalweg::worker {
namespace {

/// BATCH: everything is sorted, then sent. Without keys (streaming too) only offset and limit count, and nothing is held.
class SortOperator : public PieceOperator {
 public:
  SortOperator(SortSpec spec, std::vector<DataType> types)
      : spec_(std::move(spec)), sorter_(spec_.keys, std::move(types), spec_.limit ? wantedRows(spec_) : SIZE_MAX) {}

  Status open(OperatorContext& context) override {
    if (!context.restored().empty()) seen_ = std::stoll(context.restored());
    sorter_.open(context);
    return {};
  }
  /// Streaming, which is without keys.
  Status snapshot(std::string& out) override {
    out += std::to_string(seen_);
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    RETURN_IF_ERROR(spec_.keys.empty() ? emitWithin(piece, output) : sorter_.add(piece));
    return Progress::DONE;
  }

  Result<Progress> finish(Output& output) override {
    if (spec_.keys.empty()) return Progress::DONE;
    RETURN_IF_ERROR(sorter_.finish());
    return emitSorted(output);
  }

  Result<Progress> resumeWork(Output& output) override { return emitSorted(output); }

 private:
  static size_t wantedRows(const SortSpec& spec) {
    const auto offset = static_cast<uint64_t>(spec.offset);
    const auto limit = static_cast<uint64_t>(*spec.limit);
    return offset > SIZE_MAX - limit ? SIZE_MAX : offset + limit;
  }

  bool isPastLimit() const { return spec_.limit && seen_ - spec_.offset >= *spec_.limit; }

  Status emitWithin(const Batch& piece, Output& output) {
    const auto rows = static_cast<int64_t>(piece.rows());
    const int64_t begin = std::clamp<int64_t>(spec_.offset - seen_, 0, rows);
    const int64_t end = spec_.limit ? std::clamp<int64_t>(spec_.offset + *spec_.limit - seen_, 0, rows) : rows;
    seen_ += rows;
    if (begin >= end) return {};
    return output.emit(piece.slice(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
  }

  Result<Progress> emitSorted(Output& output) {
    while (!isPastLimit()) {
      ASSIGN_OR_RETURN(const Batch rows, sorter_.next());
      if (rows.rows() == 0) break;
      RETURN_IF_ERROR(emitWithin(rows, output));
      if (output.isFull()) return Progress::MORE;
    }
    return Progress::DONE;
  }

  SortSpec spec_;
  ExternalSorter sorter_;
  int64_t seen_ = 0;            // rows before those to come
};

/// Streaming ORDER BY time: rows wait until the watermark reaches them; rows not later than the last row sent are
/// dropped (semantics: windows 5).
class TemporalSortOperator : public PieceOperator {
 public:
  TemporalSortOperator(TemporalSortSpec spec, std::vector<DataType> types)
      : spec_(std::move(spec)), types_(std::move(types)), encoder_(spec_.keys, types_), codec_(types_) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    std::string_view bytes = context.restored();
    return bytes.empty() ? Status() : restore(bytes);
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    const TimestampReader times(*piece.column(static_cast<size_t>(spec_.keys[0].column)));
    if (spec_.processing_time) {
      RETURN_IF_ERROR(output.emit(gatherRows(piece, sortedRows(piece, encoder_))));
      return Progress::DONE;
    }
    const auto keys = encoder_.encode(piece);
    std::string row_bytes;
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (times.isNull(row)) return Status::runtime("the time to sort by is NULL in a row");
      const EventTime time = times.millis(row);
      if (time <= last_sent_) {
        ++context_->metrics().late_rows_dropped;
        continue;
      }
      codec_.encodeRow(piece.columns(), row, row_bytes);
      waiting_.emplace(std::make_pair(time, std::string(keys[row])), row_bytes);
    }
    return Progress::DONE;
  }

  Result<Progress> onWatermark(EventTime watermark, Output& output) override {
    std::vector<std::string_view> rows;
    auto at = waiting_.begin();
    while (at != waiting_.end() && at->first.first <= watermark) {
      rows.push_back(at->second);
      last_sent_ = at->first.first;
      ++at;
    }
    if (rows.empty()) return Progress::DONE;
    RETURN_IF_ERROR(output.emit(Batch(rows.size(), codec_.decodeAll(rows))));
    waiting_.erase(waiting_.begin(), at);
    return Progress::DONE;
  }

  Status snapshot(std::string& out) override {
    appendNumber(out, static_cast<uint64_t>(last_sent_));
    for (const auto& [key, row] : waiting_) {
      appendNumber(out, static_cast<uint64_t>(key.first));
      appendNumber(out, key.second.size());
      out += key.second;
      appendNumber(out, row.size());
      out += row;
    }
    return {};
  }

 private:
  static void appendNumber(std::string& out, uint64_t number) { out.append(reinterpret_cast<const char*>(&number), sizeof(number)); }
  static bool takeNumber(std::string_view& bytes, uint64_t& number) {
    if (bytes.size() < sizeof(number)) return false;
    std::memcpy(&number, bytes.data(), sizeof(number));
    bytes.remove_prefix(sizeof(number));
    return true;
  }
  static bool takeText(std::string_view& bytes, std::string& text) {
    uint64_t length = 0;
    if (!takeNumber(bytes, length) || bytes.size() < length) return false;
    text.assign(bytes.substr(0, length));
    bytes.remove_prefix(length);
    return true;
  }

  Status restore(std::string_view bytes) {
    uint64_t number = 0;
    const auto broken = [] { return Status::internal("state of the sort by time is cut short"); };
    if (!takeNumber(bytes, number)) return broken();
    last_sent_ = static_cast<int64_t>(number);
    while (!bytes.empty()) {
      std::string key;
      std::string row;
      if (!takeNumber(bytes, number) || !takeText(bytes, key) || !takeText(bytes, row) || !codec_.validate(row)) return broken();
      waiting_.emplace(std::make_pair(static_cast<int64_t>(number), std::move(key)), std::move(row));
    }
    return {};
  }

  TemporalSortSpec spec_;
  std::vector<DataType> types_;
  SortKeyEncoder encoder_;
  RowCodec codec_;
  OperatorContext* context_ = nullptr;
  std::multimap<std::pair<EventTime, std::string>, std::string> waiting_;
  EventTime last_sent_ = kMinWatermark;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeSort(const SortSpec& spec, const PlanNode& node) {
  return std::unique_ptr<Operator>(std::make_unique<SortOperator>(spec, inputTypes(node)));
}

Result<std::unique_ptr<Operator>> makeTemporalSort(const TemporalSortSpec& spec, const PlanNode& node) {
  return std::unique_ptr<Operator>(std::make_unique<TemporalSortOperator>(spec, inputTypes(node)));
}

Result<std::unique_ptr<Operator>> makeLimit(const LimitSpec& spec, const PlanNode& node) {
  if (spec.input_retracts) {
    RankSpec rank;                       // the first rows to arrive: a Top-N without an order
    rank.start = spec.offset + 1;
    rank.end = spec.limit ? spec.offset + *spec.limit : INT64_MAX;
    rank.input_retracts = true;
    return makeRank(rank, node);
  }
  return makeSort(SortSpec{{}, spec.offset, spec.limit}, node);
}

}  // namespace thalweg::worker
