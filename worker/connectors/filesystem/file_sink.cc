#include "worker/connectors/filesystem/file_sink.h"

#include <atomic>
#include <map>
#include <set>

#include "common/base/failpoint.h"
#include "common/base/hash.h"
#include "common/base/random.h"
#include "common/config/config_value.h"
#include "common/formats/format_encoder.h"
#include "common/fs/decompressed_file.h"
#include "common/plan/catalog/option_spec.h"
#include "worker/connectors/filesystem/file_listing.h"
#include "worker/connectors/filesystem/file_sink_output.h"
#include "worker/connectors/filesystem/partition_commit.h"
#include "worker/connectors/filesystem/partition_path.h"

namespace thalweg::worker {
namespace {

struct RollingPolicy {
  int64_t size_bytes = 0;
  int64_t age_ms = 0;
  int64_t idle_ms = 0;

  bool isDue(const PartFile& part, int64_t now_ms) const {
    return part.sizeBytes() >= size_bytes || now_ms - part.createdMs() >= age_ms || now_ms - part.lastWrittenMs() >= idle_ms;
  }
};

Result<int64_t> millisOption(const OptionMap& options, const char* key, const char* default_value) {
  ASSIGN_OR_RETURN(const auto duration, parseConfigDuration(optionValue(options, key, default_value)));
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

Result<RollingPolicy> rollingPolicy(const OptionMap& options) {
  RollingPolicy policy;
  ASSIGN_OR_RETURN(policy.size_bytes, parseConfigMemorySize(optionValue(options, "sink.rolling-policy.file-size", "128 mb")));
  ASSIGN_OR_RETURN(policy.age_ms, millisOption(options, "sink.rolling-policy.rollover-interval", "30 min"));
  ASSIGN_OR_RETURN(policy.idle_ms, millisOption(options, "sink.rolling-policy.inactivity-interval", "30 min"));
  return policy;
}

/// Eight digits for this sink of this job, where checkpoints tell jobs apart; else nothing.
std::string sinkDigits(OperatorContext& context) {
  const Configuration& configuration = context.configuration();
  const std::string folder = configuration.getString("execution.checkpointing.dir");
  if (folder.empty() || context.stateUid().empty() || context.batchMode()) return {};
  char text[9];
  std::snprintf(text, sizeof(text), "%08x", static_cast<unsigned>(hashBytes(folder + '\n' + context.stateUid())));
  return text;
}

/// It begins with `digits`, if there are any.
std::string newUuid(OperatorContext& context, const std::string& digits) {
  static std::atomic<uint64_t> writers{0};  // tells apart writers that draw equal numbers
  uint64_t state = context.evalContext().random() ^ static_cast<uint64_t>(context.nowMillis()) ^ writers.fetch_add(1) << 48;
  const uint64_t high = splitMix64(state);
  const uint64_t low = splitMix64(state);
  char text[37];
  std::snprintf(text, sizeof(text), "%08x-%04x-4%03x-a%03x-%012llx", static_cast<unsigned>(high >> 32), static_cast<unsigned>(high >> 16 & 0xFFFF),
                static_cast<unsigned>(high & 0xFFF), static_cast<unsigned>(low >> 48 & 0xFFF), static_cast<unsigned long long>(low & 0xFFFFFFFFFFFF));
  return digits + (text + digits.size());
}

/// A file goes on as it was begun, whatever the table says by now.
std::string compressionOfPart(const std::string& final_path) {
  switch (compressionOf(final_path)) {
    case Compression::ZLIB: return "gzip";
    case Compression::ZSTD: return "zstd";
    default: return "none";
  }
}

class FileSinkWriter final : public SinkWriter {
 public:
  FileSinkWriter(const SinkSpec& spec, std::string root, PartitionPaths partitions, RollingPolicy rolling, std::optional<PartitionCommit> commit,
                 std::unique_ptr<FormatEncoder> encoder, FileSystem& files)
      : root_(std::move(root)),
        overwrite_(spec.overwrite),
        partitions_(std::move(partitions)),
        rolling_(rolling),
        partition_commit_(std::move(commit)),
        encoder_(std::move(encoder)),
        compression_(optionValue(spec.options, "sink.compression", "none")),
        files_(files) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    digits_ = sinkDigits(context);
    name_ = "part-" + newUuid(context, digits_) + "-" + std::to_string(context.subtaskIndex()) + "-";
    // A first attempt that was killed before its first checkpoint is remembered by nobody.
    if (context.restored().empty()) RETURN_IF_ERROR(removeForgotten({}));
    if (!overwrite_ || partitions_.any()) return {};
    staged_.creates_folder = true;
    return noteOldFiles(root_);
  }

  Status write(const Batch& batch) override {
    const Batch record = recordOf(batch);
    if (!partitions_.any()) {
      rows_.resize(batch.rows());
      for (size_t row = 0; row < rows_.size(); ++row) rows_[row] = static_cast<RowIndex>(row);
      return writeRows(std::string(), record, rows_);
    }
    std::map<std::string, std::vector<RowIndex>> groups;
    std::vector<RowIndex>* group = nullptr;
    for (size_t row = 0; row < batch.rows(); ++row) {
      if (row == 0 || !partitions_.samePath(batch, row, row - 1)) group = &groups[partitions_.pathOf(batch, row)];
      group->push_back(static_cast<RowIndex>(row));
    }
    for (const auto& [partition, rows] : groups) RETURN_IF_ERROR(writeRows(partition, record, rows));
    return {};
  }

  Status onWatermark(EventTime watermark) override {
    if (partition_commit_) partition_commit_->onWatermark(watermark);
    return {};
  }

  /// Files that are not due for rolling go on; at the end of input, and when a partition is complete, all of it rolls.
  Result<std::string> stage() override {
    const int64_t now_ms = context_->nowMillis();
    for (auto part = parts_.begin(); part != parts_.end();) {
      const auto next = std::next(part);
      if (finished_ || !part->second || rolling_.isDue(*part->second, now_ms)) RETURN_IF_ERROR(roll(part));
      part = next;
    }
    if (partition_commit_) {
      ASSIGN_OR_RETURN(const auto due, partition_commit_->takeDue(now_ms, finished_));
      for (const std::string& partition : due) {
        if (const auto part = parts_.find(partition); part != parts_.end()) RETURN_IF_ERROR(roll(part));
      }
      for (const std::string& partition : due) staged_.complete_folders.push_back(joinPath(root_, partition));
    }
    RETURN_IF_ERROR(THALWEG_FAILPOINT("filesystem.staged"));
    if (staged_.empty()) return std::string();
    return std::exchange(staged_, {}).encode();
  }

  Status snapshotOpen(std::string& out) override {
    OpenOutput output;
    output.name = name_;
    for (const auto& [partition, part] : parts_) {
      if (!part) continue;
      ASSIGN_OR_RETURN(const int64_t size_bytes, part->persist());
      output.parts.push_back({partition, part->paths(), size_bytes, part->createdMs()});
    }
    if (partition_commit_) output.partitions = partition_commit_->waiting();
    RETURN_IF_ERROR(THALWEG_FAILPOINT("filesystem.persisted"));
    out += output.encode();
    return {};
  }

  Status restore(std::span<const std::string_view> pieces) override {
    staged_ = {};                            // what stood there before the job began was noted by its first attempt
    std::set<std::string> kept;
    std::vector<std::string> names;
    for (const std::string_view bytes : pieces) {
      ASSIGN_OR_RETURN(const OpenOutput piece, OpenOutput::decode(bytes));
      names.push_back(piece.name);
      for (const auto& [partition, since_ms] : piece.partitions) {
        if (partition_commit_) partition_commit_->restoreWaiting(partition, since_ms);
      }
      for (const OpenOutput::Part& part : piece.parts) {
        kept.insert(part.paths.hidden_path);
        RETURN_IF_ERROR(resume(part));
      }
    }
    RETURN_IF_ERROR(removeForgotten(kept));
    return removeUncommitted(files_, root_, names, kept);
  }

  Status finish() override {
    finished_ = true;
    return {};
  }

  Status commit(const std::string& bytes) override {
    ASSIGN_OR_RETURN(const StagedOutput output, StagedOutput::decode(bytes));
    if (output.creates_folder) RETURN_IF_ERROR(files_.createFolders(root_));
    for (const std::string& path : output.old_files) {
      if (const Status status = files_.remove(path); !status.isOk() && status.code() != StatusCode::NOT_FOUND) return status;
    }
    RETURN_IF_ERROR(THALWEG_FAILPOINT("filesystem.before_rename"));
    std::set<std::string> folders;
    for (const PendingPart& part : output.parts) {
      folders.insert(folderOf(part.final_path));
      const Status status = files_.rename(part.hidden_path, part.final_path);
      const bool committed_before = status.code() == StatusCode::NOT_FOUND && files_.stat(part.final_path).isOk();
      if (!status.isOk() && !committed_before) return status;
    }
    for (const std::string& folder : output.complete_folders) {
      folders.insert(folder);
      RETURN_IF_ERROR(writeSuccessFile(folder));
    }
    for (const std::string& folder : folders) RETURN_IF_ERROR(files_.syncFolder(folder));
    return {};
  }

  void close() override {
    for (auto& [partition, part] : parts_) {
      if (part) part->abandon();
    }
    parts_.clear();
  }

 private:
  using Parts = std::map<std::string, std::unique_ptr<PartFile>>;
  static constexpr size_t kOpenPartsMax = 128;

  /// What attempts left that died before a checkpoint knew of them.
  Status removeForgotten(const std::set<std::string>& kept) {
    if (digits_.empty()) return {};
    return removeOrphans(files_, root_, "part-" + digits_ + "-", context_->subtaskIndex(), context_->parallelism(), kept, name_);
  }

  Batch recordOf(const Batch& batch) const {
    if (!partitions_.any()) return batch;
    std::vector<VectorPtr> columns;
    for (const size_t column : partitions_.recordColumns()) columns.push_back(batch.column(column));
    return batch.withColumns(std::move(columns));
  }

  Status writeRows(const std::string& partition, const Batch& record, std::span<const RowIndex> rows) {
    if (rows.empty()) return {};
    const int64_t now_ms = context_->nowMillis();
    if (const auto open = parts_.find(partition); open != parts_.end() && rolling_.isDue(*open->second, now_ms)) RETURN_IF_ERROR(roll(open));
    auto& part = parts_[partition];
    if (!part) {
      if (parts_.size() > kOpenPartsMax) RETURN_IF_ERROR(rollOldest());
      RETURN_IF_ERROR(openPart(partition, part, now_ms));
    }
    if (partition_commit_) partition_commit_->onRow(partition, now_ms);
    RETURN_IF_ERROR(encoder_->encode(record, rows, part->buffer()));
    return part->written(now_ms);
  }

  Status openPart(const std::string& partition, std::unique_ptr<PartFile>& part, int64_t now_ms) {
    const std::string folder = partition.empty() ? root_ : joinPath(root_, partition);
    if (overwrite_ && partitions_.any() && seen_partitions_.insert(partition).second) RETURN_IF_ERROR(noteOldFiles(folder));
    ASSIGN_OR_RETURN(part, PartFile::create(files_, folder, name_ + std::to_string(parts_made_++), compression_, now_ms));
    return {};
  }

  Status roll(Parts::iterator part) {
    if (part->second) {
      ASSIGN_OR_RETURN(PendingPart pending, part->second->finish());
      staged_.parts.push_back(std::move(pending));
    }
    parts_.erase(part);
    return {};
  }

  Status resume(const OpenOutput::Part& stored) {
    const PartFile::Resumed old{stored.paths.hidden_path, stored.size_bytes, stored.created_ms};
    const std::string compression = compressionOfPart(stored.paths.final_path);
    ASSIGN_OR_RETURN(auto part, PartFile::resume(files_, old, name_ + std::to_string(parts_made_++), compression, context_->nowMillis()));
    staged_.old_files.push_back(old.hidden_path);       // once the next checkpoint is complete nobody asks for it
    auto& open = parts_[stored.partition];
    if (!open) {
      open = std::move(part);
      return {};
    }
    ASSIGN_OR_RETURN(PendingPart pending, part->finish());   // two subtasks wrote the partition, one goes on
    staged_.parts.push_back(std::move(pending));
    return {};
  }

  Status rollOldest() {
    auto oldest = parts_.end();
    for (auto part = parts_.begin(); part != parts_.end(); ++part) {
      if (part->second && (oldest == parts_.end() || part->second->lastWrittenMs() < oldest->second->lastWrittenMs())) oldest = part;
    }
    return roll(oldest);
  }

  /// What stands visibly in the folder now is to be replaced.
  Status noteOldFiles(const std::string& folder) {
    const auto found = listTableFiles(files_, folder);
    if (found.status().code() == StatusCode::NOT_FOUND) return {};
    RETURN_IF_ERROR(found.status());
    for (const FileInfo& file : *found) staged_.old_files.push_back(file.path);
    return {};
  }

  Status writeSuccessFile(const std::string& folder) {
    RETURN_IF_ERROR(files_.createFolders(folder));
    ASSIGN_OR_RETURN(auto file, files_.create(joinPath(folder, partition_commit_ ? partition_commit_->successFile() : "_SUCCESS")));
    return file->close();
  }

  std::string root_;
  bool overwrite_;
  PartitionPaths partitions_;
  RollingPolicy rolling_;
  std::optional<PartitionCommit> partition_commit_;
  std::unique_ptr<FormatEncoder> encoder_;
  std::string compression_;
  FileSystem& files_;
  OperatorContext* context_ = nullptr;
  std::string digits_;                             // sinkDigits()
  std::string name_;
  int64_t parts_made_ = 0;
  Parts parts_;
  std::set<std::string> seen_partitions_;
  StagedOutput staged_;
  bool finished_ = false;
  std::vector<RowIndex> rows_;
};

}  // namespace

Result<std::unique_ptr<SinkWriter>> makeFileSink(const SinkSpec& spec, const ConnectorEnvironment& environment) {
  ASSIGN_OR_RETURN(std::string root, pathOfUrl(optionValue(spec.options, "path")));
  PartitionPaths partitions(spec.schema, spec.partition_keys, optionValue(spec.options, "partition.default-name", "__DEFAULT_PARTITION__"));
  std::vector<Column> record;
  for (const size_t column : partitions.recordColumns()) record.push_back(spec.schema.column(column));
  ASSIGN_OR_RETURN(auto encoder, makeFormatEncoder({optionValue(spec.options, "format"), spec.options, Schema(std::move(record))}));
  ASSIGN_OR_RETURN(const RollingPolicy rolling, rollingPolicy(spec.options));
  ASSIGN_OR_RETURN(auto commit, PartitionCommit::of(spec));
  return std::unique_ptr<SinkWriter>(std::make_unique<FileSinkWriter>(spec, std::move(root), std::move(partitions), rolling, std::move(commit),
                                                                      std::move(encoder), *environment.files));
}

}  // namespace thalweg::worker
