#include "worker/connectors/datagen/datagen_source.h"

#include <algorithm>
#include <limits>

#include "common/base/failpoint.h"
#include "common/config/config_value.h"
#include "common/plan/catalog/option_spec.h"
#include "worker/connectors/datagen/datagen_column.h"
#include "worker/connectors/split_list.h"

namespace thalweg::worker {
namespace {

struct DatagenOptions {
  int64_t rows = std::numeric_limits<int64_t>::max();  ///< of the table
  int64_t rows_per_second = 0;

  static Result<DatagenOptions> of(const SourceSpec& spec) {
    DatagenOptions options;
    ASSIGN_OR_RETURN(options.rows_per_second, parseConfigInt(optionValue(spec.options, "rows-per-second", "10000")));
    if (options.rows_per_second <= 0) return Status::plan("option 'rows-per-second' must be positive");
    if (const std::string rows = optionValue(spec.options, "number-of-rows"); !rows.empty()) {
      ASSIGN_OR_RETURN(options.rows, parseConfigInt(rows));
    }
    for (const Column& column : spec.physical.columns()) {
      ASSIGN_OR_RETURN(const auto length, datagenSequenceLength(column.name, spec.options));
      if (length) options.rows = std::min(options.rows, *length);
    }
    return options;
  }
};

/// Rows come due in ticks, so that low rates do not make batches of one row.
constexpr int64_t kTickMs = 50;

class DatagenReader : public SourceReader {
 public:
  DatagenReader(SourceSpec spec, DatagenOptions options) : spec_(std::move(spec)), options_(options) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    start_ms_ = context.nowMillis();
    for (const SourceSpec::Output& output : spec_.outputs) {
      const Column& column = spec_.physical.column(static_cast<size_t>(output.physical_column));
      ASSIGN_OR_RETURN(auto made, DatagenColumn::make(column.name, output.type, spec_.options, context.evalContext().random()));
      columns_.push_back(std::move(made));
    }
    return {};
  }

  Status addSplit(std::string split) override {
    ASSIGN_OR_RETURN(const auto fields, decodeFields(split, 2, "datagen"));
    Share share;
    ASSIGN_OR_RETURN(share.stride, decodeNumber(fields[0], "stride"));
    ASSIGN_OR_RETURN(share.next, decodeNumber(fields[1], "next row"));
    if (share.stride <= 0 || share.next < 0) return Status::internal("a datagen split must have a positive stride and a row");
    // A restored reader goes on at the rate, it does not make up for the past.
    due_from_ = shares_.empty() ? share.next : std::min(due_from_, share.next);
    shares_.push_back(share);
    return {};
  }

  Result<PollResult> poll(size_t rows_wanted, Output& output) override {
    while (!shares_.empty() && shares_.front().next >= options_.rows) shares_.erase(shares_.begin());
    if (shares_.empty() || limitReached()) return PollResult::NEED_SPLIT;
    Share& share = *std::min_element(shares_.begin(), shares_.end(), [](const Share& a, const Share& b) { return a.next < b.next; });
    const int64_t end = std::min(options_.rows, dueRows());
    if (share.next >= end) {
      if (share.next >= options_.rows) {
        share.next = options_.rows;
        return PollResult::MORE;
      }
      context_->requestWakeup(start_ms_ + ((context_->nowMillis() - start_ms_) / kTickMs + 1) * kTickMs);
      return PollResult::IDLE;
    }
    const int64_t available = (end - share.next + share.stride - 1) / share.stride;
    int64_t rows = std::min(available, static_cast<int64_t>(rows_wanted));
    if (spec_.limit) rows = std::min(rows, *spec_.limit - rows_given_);
    keys_.resize(static_cast<size_t>(rows));
    for (int64_t i = 0; i < rows; ++i) keys_[static_cast<size_t>(i)] = static_cast<uint64_t>(share.next + i * share.stride);
    std::vector<VectorPtr> columns;
    for (auto& column : columns_) columns.push_back(column->values(keys_, context_->nowMillis()));
    RETURN_IF_ERROR(output.emit(Batch(keys_.size(), std::move(columns))));
    share.next += rows * share.stride;
    rows_given_ += rows;
    return PollResult::MORE;
  }

  Status snapshotSplits(std::vector<std::string>& splits) override {
    const int64_t beyond = THALWEG_MUTANT("offset_off_by_one") ? 1 : 0;
    for (const Share& share : shares_) splits.push_back(encodeFields({std::to_string(share.stride), std::to_string(share.next + beyond * share.stride)}));
    return {};
  }

 private:
  struct Share {
    int64_t stride = 1;
    int64_t next = 0;
  };

  bool limitReached() const { return spec_.limit && rows_given_ >= *spec_.limit; }

  /// Rows before this may be made by now.
  int64_t dueRows() const {
    const int128 ticks = (context_->nowMillis() - start_ms_) / kTickMs + 1;
    const int128 due = (ticks * kTickMs * options_.rows_per_second + 999) / 1000 + due_from_;
    return static_cast<int64_t>(std::min(due, int128{std::numeric_limits<int64_t>::max()}));
  }

  SourceSpec spec_;
  DatagenOptions options_;
  OperatorContext* context_ = nullptr;
  std::vector<std::unique_ptr<DatagenColumn>> columns_;
  std::vector<Share> shares_;
  int64_t start_ms_ = 0;
  int64_t due_from_ = 0;
  int64_t rows_given_ = 0;
  std::vector<uint64_t> keys_;
};

}  // namespace

Result<std::unique_ptr<SourceReader>> makeDatagenReader(const SourceSpec& spec, const Schema&, const ConnectorEnvironment&) {
  ASSIGN_OR_RETURN(const DatagenOptions options, DatagenOptions::of(spec));
  return std::unique_ptr<SourceReader>(std::make_unique<DatagenReader>(spec, options));
}

Result<std::unique_ptr<SplitEnumerator>> makeDatagenEnumerator(const SourceSpec& spec, int parallelism, const ConnectorEnvironment&) {
  RETURN_IF_ERROR(DatagenOptions::of(spec).status());
  std::vector<std::string> shares;
  for (int i = 0; i < parallelism; ++i) shares.push_back(encodeFields({std::to_string(parallelism), std::to_string(i)}));
  return std::unique_ptr<SplitEnumerator>(std::make_unique<SplitList>(std::move(shares)));
}

}  // namespace thalweg::worker
