#include "worker/connectors/nexmark/nexmark_source.h"

#include <algorithm>
#include <array>
#include <optional>

#include "worker/connectors/nexmark/nexmark_generator.h"
#include "worker/connectors/split_list.h"

namespace thalweg::worker {
namespace {

constexpr std::array<std::string_view, 4> kColumns = {"event_type", "person", "auction", "bid"};
constexpr int64_t kLargestBlock = static_cast<int64_t>(Batch::kRowsTarget);

/// Events go to the readers in turn, so many at a time. Of a paced stream it is half a millisecond of them, so that all readers
/// are at work in each, and none waits for its watermark until its turn has come.
int64_t blockEvents(const NexmarkConfig& config) {
  constexpr int64_t kBlocksPerSecond = 2000;
  return config.rate_limited ? std::clamp<int64_t>(config.events_per_second / kBlocksPerSecond, 1, kLargestBlock) : kLargestBlock;
}

/// One reader's share: the blocks block, block + stride, … of so many events each; `next` is the next event.
struct Share {
  int64_t stride = 1;
  int64_t next = 0;
  int64_t block = kLargestBlock;     // splits of older versions do not say it
};

std::string encodeShare(const Share& share) { return encodeFields({std::to_string(share.stride), std::to_string(share.next), std::to_string(share.block)}); }

class NexmarkReader : public SourceReader {
 public:
  NexmarkReader(NexmarkConfig config, std::vector<int> output_columns, NexmarkWanted wanted, DataType person, DataType auction, DataType bid,
                std::optional<int64_t> limit)
      : config_(config), output_columns_(std::move(output_columns)), wanted_(std::move(wanted)), types_{std::move(person), std::move(auction), std::move(bid)},
        limit_(limit) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    // Without a fixed base the stream begins when the job does, the same for all subtasks.
    if (!config_.has_base_time) config_.base_time_ms = context.evalContext().query_start_ms;
    // Events of a paced stream without a fixed base come when their event time does.
    start_ms_ = config_.has_base_time ? context.nowMillis() : config_.base_time_ms;
    generator_ = std::make_unique<NexmarkGenerator>(config_, types_[0], types_[1], types_[2]);
    return {};
  }

  Status addSplit(std::string split) override {
    ASSIGN_OR_RETURN(const auto fields, decodeFields(split));
    if (fields.size() != 2 && fields.size() != 3) return Status::internal("expected 2 or 3 parts in a nexmark share, found " + std::to_string(fields.size()));
    Share share;
    ASSIGN_OR_RETURN(share.stride, decodeNumber(fields[0], "nexmark share"));
    ASSIGN_OR_RETURN(share.next, decodeNumber(fields[1], "nexmark share"));
    if (fields.size() == 3) { ASSIGN_OR_RETURN(share.block, decodeNumber(fields[2], "nexmark share")); }
    if (share.stride <= 0 || share.next < 0 || share.block <= 0) return Status::internal("a nexmark share must have a positive stride and block, and an event");
    shares_.push_back(share);
    return {};
  }

  Result<PollResult> poll(size_t rows_wanted, Output& output) override {
    if (shares_.empty() || (limit_ && rows_given_ >= *limit_)) return PollResult::NEED_SPLIT;
    Share& share = shares_.back();
    const int64_t end = config_.events > 0 ? config_.events : INT64_MAX;
    if (share.next >= end) {
      shares_.pop_back();
      return PollResult::MORE;
    }
    const int64_t block_end = std::min(end, (share.next / share.block + 1) * share.block);
    int64_t rows = std::min(block_end - share.next, static_cast<int64_t>(rows_wanted));
    if (config_.rate_limited) {
      rows = std::min(rows, due(share.next));
      if (rows <= 0) {
        const int64_t when = start_ms_ + generator_->timeOf(share.next) - config_.base_time_ms;
        context_->requestWakeup(std::max(when, context_->nowMillis() + 1));    // the clock's step at least: never a busy wait
        return PollResult::IDLE;
      }
    }
    const auto made = generator_->make(share.next, static_cast<size_t>(rows), wanted_);
    std::vector<VectorPtr> columns;
    for (const int column : output_columns_) columns.push_back(made[static_cast<size_t>(column)]);
    RETURN_IF_ERROR(output.emit(Batch(static_cast<size_t>(rows), std::move(columns))));
    rows_given_ += rows;
    share.next += rows;
    if (share.next == block_end && block_end != end) share.next += (share.stride - 1) * share.block;
    return PollResult::MORE;
  }

  Status snapshotSplits(std::vector<std::string>& splits) override {
    for (const Share& share : shares_) splits.push_back(encodeShare(share));
    return {};
  }

 private:
  /// How many events from `next` on are due by now: those whose time (NexmarkGenerator::timeOf, whole milliseconds) has come.
  int64_t due(int64_t next) const {
    const int64_t elapsed_ms = context_->nowMillis() - start_ms_;
    return ((elapsed_ms + 1) * config_.events_per_second + 999) / 1000 - 1 - next;
  }

  NexmarkConfig config_;
  std::vector<int> output_columns_;
  NexmarkWanted wanted_;
  DataType types_[3];
  std::optional<int64_t> limit_;
  OperatorContext* context_ = nullptr;
  std::unique_ptr<NexmarkGenerator> generator_;
  std::vector<Share> shares_;
  int64_t start_ms_ = 0;
  int64_t rows_given_ = 0;
};

/// Which fields of the ROW column `type` are read.
Result<std::vector<bool>> wantedFields(const SourceSpec::Output& output, const std::string& name, size_t fields) {
  if (output.type.kind() != TypeKind::ROW || output.type.childCount() != fields) {
    return Status::plan("nexmark expects column '" + name + "' to be a ROW of " + std::to_string(fields) + " fields, found " + output.type.toString());
  }
  std::vector<bool> wanted(fields, output.used_paths.empty());
  for (const auto& path : output.used_paths) wanted[static_cast<size_t>(path[0])] = true;
  return wanted;
}

}  // namespace

Result<std::unique_ptr<SourceReader>> makeNexmarkReader(const SourceSpec& spec, const Schema&, const ConnectorEnvironment&) {
  ASSIGN_OR_RETURN(const NexmarkConfig config, NexmarkConfig::from(spec.options));
  NexmarkWanted wanted;
  std::vector<int> columns;
  DataType types[3];
  for (const SourceSpec::Output& output : spec.outputs) {
    const std::string name = spec.physical.column(static_cast<size_t>(output.physical_column)).name;
    const auto found = std::find(kColumns.begin(), kColumns.end(), name);
    if (found == kColumns.end()) return Status::plan("nexmark has the columns event_type, person, auction and bid, not '" + name + "'");
    const auto column = static_cast<int>(found - kColumns.begin());
    columns.push_back(column);
    if (column == 0) wanted.event_type = true;
    else types[column - 1] = output.type;
    if (column == 1) { ASSIGN_OR_RETURN(wanted.person, wantedFields(output, name, NexmarkGenerator::kPersonFields)); }
    if (column == 2) { ASSIGN_OR_RETURN(wanted.auction, wantedFields(output, name, NexmarkGenerator::kAuctionFields)); }
    if (column == 3) { ASSIGN_OR_RETURN(wanted.bid, wantedFields(output, name, NexmarkGenerator::kBidFields)); }
  }
  if (config.all_columns) {
    wanted = {true, std::vector<bool>(NexmarkGenerator::kPersonFields, true), std::vector<bool>(NexmarkGenerator::kAuctionFields, true),
              std::vector<bool>(NexmarkGenerator::kBidFields, true)};
    for (const Column& column : spec.physical.columns()) {
      const auto found = std::find(kColumns.begin() + 1, kColumns.end(), column.name);
      if (found != kColumns.end()) types[found - kColumns.begin() - 1] = column.type;
    }
  }
  return std::unique_ptr<SourceReader>(
      std::make_unique<NexmarkReader>(config, std::move(columns), std::move(wanted), types[0], types[1], types[2], spec.limit));
}

Result<std::unique_ptr<SplitEnumerator>> makeNexmarkEnumerator(const SourceSpec& spec, int parallelism, const ConnectorEnvironment&) {
  ASSIGN_OR_RETURN(const NexmarkConfig config, NexmarkConfig::from(spec.options));
  const int64_t block = blockEvents(config);
  std::vector<std::string> shares;
  for (int i = 0; i < parallelism; ++i) shares.push_back(encodeShare({parallelism, i * block, block}));
  return std::unique_ptr<SplitEnumerator>(std::make_unique<SplitList>(std::move(shares)));
}

}  // namespace thalweg::worker
