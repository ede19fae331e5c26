// FileSink<T>: records as lines of part files below a folder, visible once they are committed.
//
//   stream.sinkTo(FileSink<std::string>::forRowFormat("/data/out", SimpleStringEncoder<std::string>())
//                     .withBucketAssigner([](const std::string& line) { return line.substr(0, 1); }).build());
//
// A part is written as a hidden file and renamed when its checkpoint, or the job, is complete. It is closed at every
// checkpoint and when it has reached the rolling policy's size. Buckets are sub-folders: of the hour of writing unless
// said otherwise. Errors: JobExecutionException naming the path. Threads: see sink.h.
#pragma once

#include <functional>
#include <map>

#include "client/api/thalweg/sink.h"

namespace thalweg::api {

/// Each record's text and a line feed.
template <typename T>
struct SimpleStringEncoder {
  void operator()(const T& record, std::string& out) const {
    FieldTraits<T>::text(record, out);
    out += '\n';
  }
};
/// Everything into the folder itself.
struct BasePathBucketAssigner {
  template <typename T>
  std::string operator()(const T&) const { return {}; }
};
struct OutputFileConfig {
  std::string prefix = "part";
  std::string suffix;
};
/// A part that waits for its final name.
struct PendingFile {
  std::string from;
  std::string to;
};
BOOST_DESCRIBE_STRUCT(PendingFile, (), (from, to))

class PendingFileCommitter final : public Committer<PendingFile> {
 public:
  void commit(const std::vector<PendingFile>& files) override;
};

/// The open parts of one subtask, by bucket.
class PartFiles {
 public:
  PartFiles(std::string folder, OutputFileConfig config, int64_t bytes_max, int subtask, int64_t now_ms);
  ~PartFiles();
  void append(const std::string& bucket, std::string_view bytes);
  /// Closes all open parts; gives those that wait since the last call.
  std::vector<PendingFile> roll();

 private:
  struct Part;
  void close(Part& part);
  std::string folder_;
  OutputFileConfig config_;
  int64_t bytes_max_;
  std::string number_prefix_;
  int64_t next_ = 0;
  std::map<std::string, std::unique_ptr<Part>> open_;
  std::vector<PendingFile> closed_;
};

/// `2024-05-01--13`, in the machine's time zone.
std::string hourBucket(int64_t now_ms);

template <typename T>
class FileSink final : public TwoPhaseCommittingSink<T, PendingFile> {
 public:
  class Builder;
  template <typename Encoder>
  static Builder forRowFormat(std::string folder, Encoder encoder) {
    Builder builder;
    builder.sink_.folder_ = std::move(folder);
    builder.sink_.encode_ = std::move(encoder);
    return builder;
  }
  std::unique_ptr<CommittingSinkWriter<T, PendingFile>> createWriter(const WriterInitContext& context) const override {
    return std::make_unique<Writer>(*this, context);
  }
  std::unique_ptr<Committer<PendingFile>> createCommitter() const override { return std::make_unique<PendingFileCommitter>(); }

 private:
  class Writer final : public CommittingSinkWriter<T, PendingFile> {
   public:
    Writer(const FileSink& sink, const WriterInitContext& context)
        : encode_(sink.encode_), bucket_(sink.bucket_),
          parts_(sink.folder_, sink.config_, sink.bytes_max_, context.getSubtaskId(), context.currentProcessingTime()), context_(context) {}
    void write(const T& record, const SinkWriterContext&) override {
      line_.clear();
      encode_(record, line_);
      parts_.append(bucket_ ? bucket_(record) : hourBucket(context_.currentProcessingTime()), line_);
    }
    void flush(bool) override {}
    std::vector<PendingFile> prepareCommit() override { return parts_.roll(); }

   private:
    std::function<void(const T&, std::string&)> encode_;
    std::function<std::string(const T&)> bucket_;
    PartFiles parts_;
    WriterInitContext context_;
    std::string line_;
  };
  std::string folder_;
  std::function<void(const T&, std::string&)> encode_;
  std::function<std::string(const T&)> bucket_;          // null: by hour
  OutputFileConfig config_;
  int64_t bytes_max_ = int64_t{128} << 20;
};

template <typename T>
class FileSink<T>::Builder {
 public:
  /// `bucket(record)` names the sub-folder; empty: the folder itself.
  template <typename B>
  Builder& withBucketAssigner(B bucket) { sink_.bucket_ = std::move(bucket); return *this; }
  Builder& withOutputFileConfig(OutputFileConfig config) { sink_.config_ = std::move(config); return *this; }
  Builder& withMaxPartSize(int64_t bytes) { sink_.bytes_max_ = bytes; return *this; }
  FileSink build() const { return sink_; }

 private:
  friend class FileSink;
  FileSink sink_;
};

}  // namespace thalweg::api
