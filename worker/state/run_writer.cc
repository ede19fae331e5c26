#include "worker/state/run_writer.h"

#include <cstring>

#include "common/base/byte_stream.h"
#include "common/base/check.h"
#include "common/base/hash.h"
#include "worker/state/run_bytes.h"

namespace thalweg::worker {

namespace {

constexpr size_t kBufferBytes = size_t{256} << 10;

template <typename Number>
void appendNumber(std::string& out, Number number) {
  char bytes[sizeof(number)];
  std::memcpy(bytes, &number, sizeof(number));
  out.append(bytes, sizeof(number));
}

std::string headOf(bool fixed_keys) {
  std::string head(kRunMagic);
  head.push_back(kRunVersion);
  head.push_back(fixed_keys ? 1 : 0);
  return head.append(2, '\0');
}

}  // namespace

Result<std::unique_ptr<RunWriter>> RunWriter::create(FileSystem& files, std::string path, bool fixed_keys, size_t entries_max,
                                                     std::shared_ptr<const void> owner) {
  ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, files.create(path));
  std::shared_ptr<StateRun> run(new StateRun(files, std::move(path), true, std::move(owner)));
  run->fixed_keys_ = fixed_keys;
  run->filter_ = std::make_unique<RunFilter>(entries_max);
  std::unique_ptr<RunWriter> writer(new RunWriter(std::move(run), std::move(file)));
  writer->buffer_ = headOf(fixed_keys);
  return writer;
}

RunWriter::~RunWriter() = default;   // a run that was not finished removes its file

void RunWriter::beginBlock(uint64_t hash) {
  run_->offsets_.push_back(bytes());
  run_->first_hashes_.push_back(static_cast<uint32_t>(hash >> 32));
  ++run_->segments_.back().end_block;
  block_begin_ = buffer_.size();
  buffer_.append(sizeof(uint32_t), '\0');
  in_block_ = true;
}

void RunWriter::endBlock() {
  if (!in_block_) return;
  const auto sum = static_cast<uint32_t>(hashBytes(std::string_view(buffer_).substr(block_begin_ + sizeof(uint32_t))));
  std::memcpy(buffer_.data() + block_begin_, &sum, sizeof(sum));
  in_block_ = false;
}

Status RunWriter::flush() {
  RETURN_IF_ERROR(file_->append(buffer_).withContext("state on disk"));
  written_ += buffer_.size();
  buffer_.clear();
  return {};
}

Status RunWriter::add(StateNamespace ns, uint64_t hash, std::string_view key, std::optional<std::string_view> value) {
  auto& segments = run_->segments_;
  if (segments.empty() || segments.back().ns != ns) {
    DCHECK(segments.empty() || segments.back().ns < ns);
    endBlock();
    const auto block = static_cast<uint32_t>(run_->first_hashes_.size());
    segments.push_back({.ns = ns, .first_block = block, .end_block = block});
  }
  if (!in_block_) beginBlock(hash);
  ByteWriter writer(buffer_);
  if (run_->fixed_keys_) writer.bytes(key);
  else writer.text(key);
  if (value) {
    writer.varint(value->size() + 1);
    writer.bytes(*value);
  } else {
    writer.varint(0);
  }
  run_->filter_->add(RunFilter::mixed(hash, ns));
  ++segments.back().entries;
  ++entries_;
  if (buffer_.size() - block_begin_ < kRunBlockBytes) return {};
  endBlock();
  return buffer_.size() < kBufferBytes ? Status() : flush();
}

Result<std::shared_ptr<const StateRun>> RunWriter::finish() {
  CHECK(!finished_);
  finished_ = true;
  endBlock();
  const uint64_t begin = bytes();
  run_->offsets_.push_back(begin);
  std::string footer;
  ByteWriter writer(footer);
  writer.varint(run_->segments_.size());
  for (const RunSegment& segment : run_->segments_) {
    writer.number(segment.ns);
    writer.varint(segment.end_block - segment.first_block);
    writer.varint(segment.entries);
  }
  for (size_t block = 0; block < run_->first_hashes_.size(); ++block) {
    writer.varint(run_->offsets_[block + 1] - run_->offsets_[block]);
    appendNumber(footer, run_->first_hashes_[block]);
  }
  writer.text(run_->filter_->bytes());
  buffer_ += footer;
  appendNumber(buffer_, begin);
  appendNumber(buffer_, hashBytes(footer + headOf(run_->fixed_keys_)));
  RETURN_IF_ERROR(flush());
  buffer_ = {};
  RETURN_IF_ERROR(file_->close().withContext("state on disk"));
  run_->size_bytes_ = written_;
  ASSIGN_OR_RETURN(run_->file_, run_->files_.openForReading(run_->path_));
  return std::shared_ptr<const StateRun>(std::move(run_));
}

}  // namespace thalweg::worker
