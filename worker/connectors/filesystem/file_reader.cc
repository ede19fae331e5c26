#include "worker/connectors/filesystem/file_reader.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include "common/base/failpoint.h"
#include "common/plan/catalog/option_spec.h"
#include "worker/connectors/filesystem/path_columns.h"
#include "worker/connectors/filesystem/unpacked_file.h"

namespace thalweg::worker {
namespace {

constexpr size_t kReadBytes = size_t{1} << 20;
constexpr size_t kRecordBytesMax = size_t{256} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// One open split: bytes into the decoder, the place in the file, line numbers of failures.
class SplitReader {
 public:
  SplitReader(FileSplit split, std::unique_ptr<ReadableFile> file, std::unique_ptr<FormatDecoder> decoder, bool strips_mark)
      : split_(std::move(split)), file_(std::move(file)), decoder_(std::move(decoder)), strips_mark_(strips_mark), buffer_offset_(split_.offset) {}

  /// Up to `rows_wanted` rows, more if one record gives more; none at the end.
  Result<Batch> read(size_t rows_wanted) {
    for (;;) {
      if (buffer_) {
        if (const Status status = decoder_->decode(rows_wanted); !status.isOk()) return located(status);
        if (decoder_->rows() > 0) return decoder_->take();
        if (at_end_) return Batch();
      }
      RETURN_IF_ERROR(readOn());
    }
  }
  /// What is left to do.
  FileSplit rest() const {
    FileSplit rest = split_;
    rest.offset = offsetOf(!buffer_ ? 0 : THALWEG_MUTANT("position_of_buffer") ? used_ : decoder_->position());
    return rest;
  }
  uint64_t skippedRecords() const { return decoder_->skippedRecords(); }

 private:
  int64_t offsetOf(size_t position) const { return buffer_offset_ + static_cast<int64_t>(position); }

  /// Puts what was not consumed and the next piece of the file into a new buffer.
  Status readOn() {
    const size_t consumed = buffer_ ? decoder_->position() : 0;
    const size_t kept = used_ - consumed;
    if (kept > kRecordBytesMax) {
      return located(Status::exhausted("a record is longer than " + std::to_string(kRecordBytesMax) + " bytes; an unclosed quote may be the cause"));
    }
    const int64_t next = offsetOf(used_);
    const size_t room = roomFor(kept, next);
    MutableBufferPtr buffer = Buffer::allocate(kept + room + kDecoderPaddingBytes);
    if (kept > 0) std::memcpy(buffer->mutableData(), buffer_->data() + consumed, kept);
    ASSIGN_OR_RETURN(const size_t got, file_->readAt(next, {buffer->mutableData() + kept, room}));
    std::memset(buffer->mutableData() + kept + got, 0, kDecoderPaddingBytes);
    at_end_ = got < room || next + static_cast<int64_t>(got) == split_.end;
    buffer_offset_ = offsetOf(consumed);
    used_ = kept + got;
    buffer_ = std::move(buffer);
    decoder_->feed(buffer_, hasMark() ? kByteOrderMark.size() : 0, used_, at_end_);
    return {};
  }

  /// A megabyte, or as much again as a record that did not fit; no more than the file has, and a byte to see its end.
  size_t roomFor(size_t kept, int64_t next) const {
    const int64_t end = split_.end == FileSplit::kToEnd ? std::max(file_->sizeBytes(), next) + 1 : split_.end;
    return std::min(std::max(kReadBytes, kept), static_cast<size_t>(end - next));
  }

  bool hasMark() const {
    return strips_mark_ && buffer_offset_ == 0 && used_ >= kByteOrderMark.size() &&
           std::memcmp(buffer_->data(), kByteOrderMark.data(), kByteOrderMark.size()) == 0;
  }

  Status located(const Status& status) const {
    const int64_t at = offsetOf(buffer_ ? decoder_->errorOffset() : 0);
    return status.withContext(split_.path + ", line " + std::to_string(lineAt(at)));
  }

  /// Counts line feeds from the file's start on: slow, but only once.
  int64_t lineAt(int64_t offset) const {
    std::vector<uint8_t> piece(kReadBytes);
    int64_t line = 1;
    for (int64_t at = 0; at < offset;) {
      const auto wanted = static_cast<size_t>(std::min<int64_t>(offset - at, static_cast<int64_t>(piece.size())));
      const auto got = file_->readAt(at, {piece.data(), wanted});
      if (!got.isOk() || *got == 0) break;
      line += std::count(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(*got), uint8_t{'\n'});
      at += static_cast<int64_t>(*got);
    }
    return line;
  }

  FileSplit split_;
  std::unique_ptr<ReadableFile> file_;
  std::unique_ptr<FormatDecoder> decoder_;
  bool strips_mark_;
  BufferPtr buffer_;
  size_t used_ = 0;             // bytes of buffer_
  int64_t buffer_offset_;       // of buffer_ in the file
  bool at_end_ = false;
};

class FileReader : public SourceReader {
 public:
  FileReader(const SourceSpec& spec, DecoderSpec decoder_spec, PathColumns columns, FileSystem& files)
      : limit_(spec.limit), decoder_spec_(std::move(decoder_spec)), columns_(std::move(columns)), files_(files) {
    strips_mark_ = formatTraits(decoder_spec_.format, decoder_spec_.options).strips_byte_order_mark;
  }

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
    if (limit_ && rows_given_ >= *limit_) {
      waiting_.clear();
      reader_.reset();
    }
    if (!reader_) {
      if (waiting_.empty()) return PollResult::NEED_SPLIT;
      RETURN_IF_ERROR(openNext());
    }
    if (limit_) rows_wanted = std::min(rows_wanted, static_cast<size_t>(*limit_ - rows_given_));
    const uint64_t skipped = reader_->skippedRecords();
    ASSIGN_OR_RETURN(const Batch decoded, reader_->read(rows_wanted));
    context_->metrics().bad_records_skipped += reader_->skippedRecords() - skipped;
    if (decoded.rows() == 0) {
      reader_.reset();
      return PollResult::MORE;
    }
    const Batch rows = columns_.complete(decoded);
    rows_given_ += static_cast<int64_t>(rows.rows());
    if (rows.rows() <= rows_wanted) RETURN_IF_ERROR(output.emit(rows));
    else RETURN_IF_ERROR(emitSliced(rows, rows_wanted, output));
    return PollResult::MORE;
  }

  Status snapshotSplits(std::vector<std::string>& splits) override {
    if (reader_) splits.push_back(reader_->rest().encode());
    for (const FileSplit& split : waiting_) splits.push_back(split.encode());
    return {};
  }

  void close() override { reader_.reset(); }

 private:
  Status openNext() {
    FileSplit split = std::move(waiting_.front());
    waiting_.pop_front();
    RETURN_IF_ERROR(columns_.openFile(split, *context_->evalContext().session_zone).withContext(split.path));
    ASSIGN_OR_RETURN(auto file, openUnpacked(files_, split.path));
    ASSIGN_OR_RETURN(auto decoder, makeFormatDecoder(decoder_spec_));
    reader_ = std::make_unique<SplitReader>(std::move(split), std::move(file), std::move(decoder), strips_mark_);
    return {};
  }

  /// One record gave more rows than were asked for.
  static Status emitSliced(const Batch& rows, size_t rows_wanted, Output& output) {
    for (size_t begin = 0; begin < rows.rows(); begin += rows_wanted) {
      RETURN_IF_ERROR(output.emit(rows.slice(begin, std::min(rows_wanted, rows.rows() - begin))));
    }
    return {};
  }

  std::optional<int64_t> limit_;
  DecoderSpec decoder_spec_;
  PathColumns columns_;
  FileSystem& files_;
  bool strips_mark_ = false;
  OperatorContext* context_ = nullptr;
  std::deque<FileSplit> waiting_;
  std::unique_ptr<SplitReader> reader_;
  int64_t rows_given_ = 0;
};

}  // namespace

Result<std::unique_ptr<SourceReader>> makeFileReader(const SourceSpec& spec, const Schema&, const ConnectorEnvironment& environment) {
  ASSIGN_OR_RETURN(const std::string root, pathOfUrl(optionValue(spec.options, "path")));
  DecoderSpec decoder;
  ASSIGN_OR_RETURN(PathColumns columns, PathColumns::of(spec, root, decoder));
  RETURN_IF_ERROR(makeFormatDecoder(decoder).status());  // types it cannot read fail before anything is opened
  return std::unique_ptr<SourceReader>(std::make_unique<FileReader>(spec, std::move(decoder), std::move(columns), *environment.files));
}

}  // namespace thalweg::worker
