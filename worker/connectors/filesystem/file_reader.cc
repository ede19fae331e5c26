#include "worker/connectors/filesystem/file_reader.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include "common/formats/format_decoder.h"
#include "common/plan/option_spec.h"
#include "common/types/cast_scalar.h"
#include "worker/connectors/filesystem/file_enumerator.h"
#include "worker/connectors/filesystem/file_listing.h"

namespace thalweg::worker {
namespace {

constexpr size_t kReadBytes = size_t{1} << 20;
constexpr size_t kRecordBytesMax = size_t{1} << 30;

/// Where an output column comes from.
struct OutputPlan {
  enum class From : uint8_t { RECORD, PARTITION, PATH, NAME, SIZE, MODIFIED } from = From::RECORD;
  size_t decoded = 0;              // RECORD: position among the decoded columns
  std::string partition_key = {};
  DataType type = {};
};

class FileReader : public SourceReader {
 public:
  FileReader(SourceSpec spec, DecoderSpec decoder_spec, std::vector<OutputPlan> outputs, std::string root, FileSystem& files)
      : spec_(std::move(spec)), decoder_spec_(std::move(decoder_spec)), outputs_(std::move(outputs)), root_(std::move(root)),
        default_partition_(optionValue(spec_.options, "partition.default-name", "__DEFAULT_PARTITION__")), files_(files) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    return {};
  }

  Status addSplit(std::string split) override {
    ASSIGN_OR_RETURN(FileSplit decoded, FileSplit::decode(split));
    waiting_.push_back(std::move(decoded));
    return {};
  }

  Result<PollResult> poll(size_t rows_wanted, Output& output) override {
    if (limitReached()) {
      waiting_.clear();
      closeFile();
    }
    if (!file_) {
      if (waiting_.empty()) return PollResult::NEED_SPLIT;
      RETURN_IF_ERROR(openNext());
    }
    const size_t wanted = spec_.limit ? std::min<size_t>(rows_wanted, static_cast<size_t>(*spec_.limit) - rows_given_) : rows_wanted;
    RETURN_IF_ERROR(decodeSome(wanted));
    if (decoder_->rows() > 0) {
      Batch rows = decoder_->take();
      rows_given_ += rows.rows();
      RETURN_IF_ERROR(output.emit(withPathColumns(rows)));
    }
    return PollResult::MORE;
  }

  Status snapshotSplits(std::vector<std::string>& splits) override {
    if (file_) {
      FileSplit rest = split_;
      rest.offset = buffer_offset_ + static_cast<int64_t>(decoder_->position());
      splits.push_back(rest.encode());
    }
    for (const FileSplit& split : waiting_) splits.push_back(split.encode());
    return {};
  }

 private:
  bool limitReached() const { return spec_.limit && rows_given_ >= static_cast<size_t>(*spec_.limit); }

  Status openNext() {
    split_ = std::move(waiting_.front());
    waiting_.pop_front();
    ASSIGN_OR_RETURN(file_, files_.openForReading(split_.path));
    ASSIGN_OR_RETURN(decoder_, makeFormatDecoder(decoder_spec_));
    buffer_ = nullptr;
    buffer_used_ = 0;
    buffer_offset_ = split_.offset;
    read_offset_ = split_.offset;
    at_end_ = false;
    lines_before_ = 0;
    skipped_before_ = 0;
    partition_ = partitionValuesOf(root_, split_.path);
    return {};
  }

  void closeFile() {
    file_.reset();
    decoder_.reset();
    buffer_.reset();
  }

  /// Decodes up to `rows_wanted` rows, reading on where needed; closes the file at its end.
  Status decodeSome(size_t rows_wanted) {
    while (true) {
      if (buffer_) {
        if (const Status status = decoder_->decode(rows_wanted); !status.isOk()) return located(status);
        context_->metrics().bad_records_skipped += decoder_->skippedRecords() - skipped_before_;
        skipped_before_ = decoder_->skippedRecords();
        if (decoder_->rows() > 0) return {};
        if (at_end_) {
          finished_decoder_ = std::move(decoder_);
          closeFile();
          decoder_ = std::move(finished_decoder_);
          return {};
        }
      }
      RETURN_IF_ERROR(readMore());
    }
  }

  Status readMore() {
    const size_t consumed = buffer_ ? decoder_->position() : 0;
    const size_t kept = buffer_used_ - consumed;
    if (kept > kRecordBytesMax) {
      return Status::exhausted(split_.path + ": a record is larger than " + std::to_string(kRecordBytesMax) + " bytes");
    }
    const size_t room = std::max(kReadBytes, kept);   // a record longer than a read doubles the next
    auto next = Buffer::allocate(kept + room + kDecoderPaddingBytes);
    if (kept > 0) std::memcpy(next->mutableData(), buffer_->data() + consumed, kept);
    if (buffer_) lines_before_ += countLines(consumed);
    ASSIGN_OR_RETURN(const size_t read, file_->readAt(read_offset_, {next->mutableData() + kept, room}));
    std::memset(next->mutableData() + kept + read, 0, kDecoderPaddingBytes);
    buffer_offset_ += static_cast<int64_t>(consumed);
    read_offset_ += static_cast<int64_t>(read);
    at_end_ = read < room;
    buffer_used_ = kept + read;
    buffer_ = next;
    decoder_->feed(buffer_, 0, buffer_used_, at_end_);
    return {};
  }

  int64_t countLines(size_t end) const {
    return std::count(buffer_->data(), buffer_->data() + end, static_cast<uint8_t>('\n'));
  }

  Status located(const Status& status) const {
    const size_t at = std::min(decoder_->errorOffset(), buffer_used_);
    const std::string where = split_.offset == 0 ? ", line " + std::to_string(lines_before_ + countLines(at) + 1)
                                                 : ", byte " + std::to_string(buffer_offset_ + static_cast<int64_t>(at));
    return status.withContext(split_.path + where);
  }

  Batch withPathColumns(const Batch& rows) {
    std::vector<VectorPtr> columns;
    for (const OutputPlan& plan : outputs_) {
      if (plan.from == OutputPlan::From::RECORD) columns.push_back(rows.column(plan.decoded));
      else columns.push_back(Vector::constant(plan.type, pathValue(plan), rows.rows()));
    }
    return rows.withColumns(std::move(columns));
  }

  /// A metadata column may be declared with another type than the connector's: then the value is cast.
  Value metadata(const Value& value, const DataType& native, const DataType& wanted) const {
    const auto cast = castValue(value, native, wanted, *context_->evalContext().session_zone);
    return cast.isOk() ? *cast : Value();
  }

  Value pathValue(const OutputPlan& plan) const {
    switch (plan.from) {
      case OutputPlan::From::PATH: return metadata(Value::string(split_.path), DataType::string(false), plan.type);
      case OutputPlan::From::NAME: return metadata(Value::string(std::string(fileNameOf(split_.path))), DataType::string(false), plan.type);
      case OutputPlan::From::SIZE: return metadata(Value::integer(split_.size_bytes), DataType::bigint(false), plan.type);
      case OutputPlan::From::MODIFIED: return metadata(Value::timestamp({split_.modified_ms, 0, 0}), DataType::timestampLtz(3, false), plan.type);
      default: break;
    }
    const auto found = partition_.find(plan.partition_key);
    if (found == partition_.end() || found->second == default_partition_) return {};
    const auto value = castValue(Value::string(found->second), DataType::string(), plan.type, *context_->evalContext().session_zone);
    return value.isOk() ? *value : Value();
  }

  SourceSpec spec_;
  DecoderSpec decoder_spec_;
  std::vector<OutputPlan> outputs_;
  std::string root_;
  std::string default_partition_;
  FileSystem& files_;
  OperatorContext* context_ = nullptr;
  std::deque<FileSplit> waiting_;
  size_t rows_given_ = 0;
  // The open file.
  FileSplit split_;
  std::unique_ptr<ReadableFile> file_;
  std::unique_ptr<FormatDecoder> decoder_;
  std::unique_ptr<FormatDecoder> finished_decoder_;
  std::map<std::string, std::string> partition_;
  BufferPtr buffer_;
  size_t buffer_used_ = 0;
  int64_t buffer_offset_ = 0;      // in the file
  int64_t read_offset_ = 0;
  int64_t lines_before_ = 0;       // line feeds before the buffer
  uint64_t skipped_before_ = 0;
  bool at_end_ = false;
};

bool isPartitionKey(const SourceSpec& spec, const std::string& name) {
  return std::find(spec.partition_keys.begin(), spec.partition_keys.end(), name) != spec.partition_keys.end();
}

Result<OutputPlan::From> metadataOf(const std::string& key) {
  if (key == "file.path") return OutputPlan::From::PATH;
  if (key == "file.name") return OutputPlan::From::NAME;
  if (key == "file.size") return OutputPlan::From::SIZE;
  if (key == "file.modification-time") return OutputPlan::From::MODIFIED;
  return Status::plan("the filesystem connector has no metadata '" + key + "'; it has file.path, file.name, file.size, file.modification-time");
}

}  // namespace

Result<std::unique_ptr<SourceReader>> makeFileReader(const SourceSpec& spec, const Schema&, const ConnectorEnvironment& environment) {
  ASSIGN_OR_RETURN(std::string root, pathOfUrl(optionValue(spec.options, "path")));
  DecoderSpec decoder;
  decoder.format = optionValue(spec.options, "format");
  decoder.options = spec.options;
  std::vector<Column> record;
  std::vector<int> record_column(spec.physical.size(), -1);
  for (size_t i = 0; i < spec.physical.size(); ++i) {
    if (isPartitionKey(spec, spec.physical.column(i).name)) continue;
    record_column[i] = static_cast<int>(record.size());
    record.push_back(spec.physical.column(i));
  }
  decoder.record = Schema(std::move(record));
  std::vector<OutputPlan> outputs;
  for (const SourceSpec::Output& output : spec.outputs) {
    OutputPlan plan;
    plan.type = output.type;
    if (!output.metadata_key.empty()) {
      ASSIGN_OR_RETURN(plan.from, metadataOf(output.metadata_key));
    } else if (const int column = record_column[static_cast<size_t>(output.physical_column)]; column >= 0) {
      plan.decoded = decoder.wanted.size();
      decoder.wanted.push_back({column, output.used_paths});
    } else {
      plan.from = OutputPlan::From::PARTITION;
      plan.partition_key = spec.physical.column(static_cast<size_t>(output.physical_column)).name;
    }
    outputs.push_back(std::move(plan));
  }
  return std::unique_ptr<SourceReader>(
      std::make_unique<FileReader>(spec, std::move(decoder), std::move(outputs), std::move(root), *environment.files));
}

}  // namespace thalweg::worker
