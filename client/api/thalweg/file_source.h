// FileSource: the lines of text files, of one path or of all files below a folder.
//
//   auto source = FileSource::forRecordStreamFormat(TextLineInputFormat(), "/data/logs").build();
//   env.fromSource(source, WatermarkStrategy<std::string>::noWatermarks(), "logs");
//
// Files are splits; names that begin with `.` or `_` are left out. With monitorContinuously() the folder is looked at
// again and again, and the stream never ends. A line ends with \n or \r\n. Files named .gz, .deflate or .zst are read as
// what was compressed into them.
// Errors: JobExecutionException naming the path; other compressions are not supported. Threads: see source.h.
#pragma once

#include "client/api/thalweg/field_composites.h"
#include "client/api/thalweg/source.h"

namespace thalweg::api {

/// A file, and the first byte that is not read yet.
struct FileSourceSplit {
  std::string path;
  int64_t offset = 0;        ///< of a compressed file: in what it holds
};
BOOST_DESCRIBE_STRUCT(FileSourceSplit, (), (path, offset))

/// Lines of UTF-8 text.
struct TextLineInputFormat {};

class FileSource final : public Source<std::string, FileSourceSplit> {
 public:
  class Builder;
  template <typename... Paths>
  static Builder forRecordStreamFormat(TextLineInputFormat, Paths... paths);

  Boundedness getBoundedness() const override { return interval_ms_ > 0 ? Boundedness::CONTINUOUS_UNBOUNDED : Boundedness::BOUNDED; }
  std::unique_ptr<SplitEnumerator<FileSourceSplit>> createEnumerator(SplitEnumeratorContext<FileSourceSplit>& context) const override;
  std::unique_ptr<SplitEnumerator<FileSourceSplit>> restoreEnumerator(SplitEnumeratorContext<FileSourceSplit>& context, const std::string& state) const override;
  std::unique_ptr<SourceReader<std::string, FileSourceSplit>> createReader(SourceReaderContext& context) const override;

 private:
  std::vector<std::string> paths_;
  int64_t interval_ms_ = 0;
};

class FileSource::Builder {
 public:
  explicit Builder(std::vector<std::string> paths) { source_.paths_ = std::move(paths); }
  Builder& monitorContinuously(Duration interval) {
    source_.interval_ms_ = std::max<int64_t>(1, interval.toMillis());
    return *this;
  }
  FileSource build() const { return source_; }

 private:
  FileSource source_;
};
template <typename... Paths>
FileSource::Builder FileSource::forRecordStreamFormat(TextLineInputFormat, Paths... paths) {
  return Builder({std::string(paths)...});
}

}  // namespace thalweg::api
