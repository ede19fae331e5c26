#include "client/api/thalweg/file_source.h"

#include <chrono>
#include <deque>
#include <filesystem>
#include <set>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/source_stage.h"
#include "common/fs/decompressed_file.h"
#include "common/fs/file_system.h"

namespace thalweg::api {
namespace {

constexpr size_t kReadBytes = size_t{1} << 18;

bool isHidden(const std::string& path) {
  const char first = path[path.rfind('/') + 1];
  return first == '.' || first == '_';
}

/// All files below `path`, in the order of their paths.
void listFiles(const std::string& path, std::vector<std::string>& found) {
  const FileInfo info = valueOrThrow(localFileSystem().stat(path));
  if (!info.is_folder) {
    found.push_back(path);
    return;
  }
  for (const FileInfo& entry : valueOrThrow(localFileSystem().list(path))) {
    if (!isHidden(entry.path)) listFiles(entry.path, found);
  }
}

class FileEnumerator final : public SplitEnumerator<FileSourceSplit> {
 public:
  FileEnumerator(SplitEnumeratorContext<FileSourceSplit>& context, std::vector<std::string> paths, int64_t interval_ms)
      : context_(context), paths_(std::move(paths)), interval_ms_(interval_ms) {}

  void restore(const std::string& state) {
    auto [seen, waiting] = valueOf<std::tuple<std::vector<std::string>, std::vector<std::string>>>(state);
    seen_ = {seen.begin(), seen.end()};
    waiting_ = {waiting.begin(), waiting.end()};
    restored_ = true;
  }
  void start() override {
    if (!restored_) look();
  }
  void handleSplitRequest(int subtask) override {
    if (waiting_.empty() && interval_ms_ > 0 && std::chrono::steady_clock::now() >= next_look_) look();
    if (!waiting_.empty()) {
      context_.assignSplit({std::move(waiting_.front()), 0}, subtask);
      waiting_.pop_front();
    } else if (interval_ms_ == 0) {
      context_.signalNoMoreSplits(subtask);
    }
  }
  void addSplitsBack(std::vector<FileSourceSplit> splits, int) override {
    for (FileSourceSplit& split : splits) waiting_.push_front(std::move(split.path));
  }
  std::string snapshotState() override {
    return bytesOf(std::tuple(std::vector<std::string>(seen_.begin(), seen_.end()), std::vector<std::string>(waiting_.begin(), waiting_.end())));
  }

 private:
  void look() {
    std::vector<std::string> found;
    for (const std::string& path : paths_) {
      const std::string plain = valueOrThrow(pathOfUrl(path));
      listFiles(std::filesystem::absolute(plain).lexically_normal().string(), found);
    }
    for (std::string& path : found) {
      if (seen_.insert(path).second) waiting_.push_back(std::move(path));
    }
    next_look_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(interval_ms_);
  }
  SplitEnumeratorContext<FileSourceSplit>& context_;
  const std::vector<std::string> paths_;
  const int64_t interval_ms_;
  std::chrono::steady_clock::time_point next_look_{};
  std::set<std::string> seen_;
  std::deque<std::string> waiting_;
  bool restored_ = false;
};

class LineReader final : public SourceReader<std::string, FileSourceSplit> {
 public:
  void addSplits(std::vector<FileSourceSplit> splits) override {
    for (FileSourceSplit& split : splits) splits_.push_back(std::move(split));
  }
  InputStatus pollNext(ReaderOutput<std::string>& output) override {
    if (splits_.empty()) return InputStatus::NOTHING_AVAILABLE;
    if (!open_) begin();
    const size_t end = buffer_.find('\n', at_);
    if (end != std::string::npos) {
      emit(output, end, end + 1);
    } else if (!fill()) {
      if (at_ < buffer_.size()) emit(output, buffer_.size(), buffer_.size());
      splits_.pop_front();
      open_ = false;
    }
    return splits_.empty() ? InputStatus::NOTHING_AVAILABLE : InputStatus::MORE_AVAILABLE;
  }
  std::vector<FileSourceSplit> snapshotState() override { return {splits_.begin(), splits_.end()}; }

 private:
  void begin() {
    open_ = true;
    buffer_.clear();
    at_ = 0;
    decompressed_ = valueOrThrow(openDecompressed(localFileSystem(), splits_[0].path));
    if (decompressed_) return skip(splits_[0].offset);
    file_ = valueOrThrow(localFileSystem().openForReading(splits_[0].path));
    read_at_ = splits_[0].offset;
  }
  /// Compressed files can only be read from their beginning.
  void skip(int64_t bytes) {
    std::vector<uint8_t> skipped(kReadBytes);
    while (bytes > 0) {
      const size_t got = valueOrThrow(decompressed_->read(std::span(skipped).first(std::min<size_t>(kReadBytes, static_cast<size_t>(bytes)))));
      if (got == 0) throw ValidationException("file '" + splits_[0].path + "' has become shorter since it was read");
      bytes -= static_cast<int64_t>(got);
    }
  }
  bool fill() {
    buffer_.erase(0, at_);
    at_ = 0;
    const size_t kept = buffer_.size();
    buffer_.resize(kept + kReadBytes);
    const std::span<uint8_t> target(reinterpret_cast<uint8_t*>(buffer_.data()) + kept, kReadBytes);
    const size_t got = valueOrThrow(decompressed_ ? decompressed_->read(target) : file_->readAt(read_at_, target));
    buffer_.resize(kept + got);
    read_at_ += static_cast<int64_t>(got);
    return got > 0;
  }
  void emit(ReaderOutput<std::string>& output, size_t end, size_t next) {
    size_t length = end - at_;
    if (length > 0 && buffer_[end - 1] == '\r') --length;
    output.collect(buffer_.substr(at_, length));
    splits_[0].offset += static_cast<int64_t>(next - at_);
    at_ = next;
  }
  std::deque<FileSourceSplit> splits_;
  bool open_ = false;
  std::unique_ptr<ReadableFile> file_;
  std::unique_ptr<DecompressedFile> decompressed_;   ///< instead of `file_`
  int64_t read_at_ = 0;
  std::string buffer_;
  size_t at_ = 0;
};

}  // namespace

std::unique_ptr<SplitEnumerator<FileSourceSplit>> FileSource::createEnumerator(SplitEnumeratorContext<FileSourceSplit>& context) const {
  return std::make_unique<FileEnumerator>(context, paths_, interval_ms_);
}

std::unique_ptr<SplitEnumerator<FileSourceSplit>> FileSource::restoreEnumerator(SplitEnumeratorContext<FileSourceSplit>& context, const std::string& state) const {
  auto made = std::make_unique<FileEnumerator>(context, paths_, interval_ms_);
  made->restore(state);
  return made;
}

std::unique_ptr<SourceReader<std::string, FileSourceSplit>> FileSource::createReader(SourceReaderContext&) const { return std::make_unique<LineReader>(); }

}  // namespace thalweg::api
