// PartFile: one file that a sink is writing. Hidden until it is committed: `.part-….inprogress` becomes `part-…`.
//
// A checkpoint may come while it is written: persist() makes what there is durable and gives its length, and a later
// attempt resume()s there, in a file of its own: the attempt before may still live, cut off, and write into the old one.
// Rows can be compressed on their way into the file: then what a checkpoint names ends with a compressed piece.
// Errors: IO_ERROR naming the path. Threads: one owner.
#pragma once

#include <memory>
#include <string>

#include "common/fs/compressor.h"
#include "common/fs/file_system.h"

namespace thalweg::worker {

/// A finished part and the name it will have.
struct PendingPart {
  std::string hidden_path;
  std::string final_path;
};

class PartFile {
 public:
  /// Creates the folder and the hidden file in it.
  /// `compression`: none, gzip or zstd, which the name then tells.
  static Result<std::unique_ptr<PartFile>> create(FileSystem& files, const std::string& folder, const std::string& name, const std::string& compression,
                                                  int64_t now_ms);

  struct Resumed {
    std::string hidden_path;
    int64_t size_bytes;
    int64_t created_ms;
  };
  /// A new file beside an old hidden one, that begins with the first `size_bytes` of it. The old one stays as it is.
  static Result<std::unique_ptr<PartFile>> resume(FileSystem& files, const Resumed& old, const std::string& name, const std::string& compression,
                                                  int64_t now_ms);

  /// Where to put the next rows' bytes.
  std::string& buffer() { return buffer_; }
  /// To be called after rows were appended: writes the buffer out once it is large.
  Status written(int64_t now_ms);
  /// Everything is on the disk, and a checkpoint may name it: close() leaves it.
  Result<int64_t> persist();
  /// Everything is on the disk; the file is closed.
  Result<PendingPart> finish();
  /// Closes the file, and removes it unless a checkpoint may name it.
  void abandon();
  const PendingPart& paths() const { return paths_; }

  int64_t sizeBytes() const { return size_bytes_ + static_cast<int64_t>(buffer_.size()); }
  int64_t createdMs() const { return created_ms_; }
  int64_t lastWrittenMs() const { return last_written_ms_; }

 private:
  PartFile(FileSystem& files, PendingPart paths, std::unique_ptr<WritableFile> file, std::unique_ptr<Compressor> compressor, int64_t now_ms)
      : files_(files),
        paths_(std::move(paths)),
        file_(std::move(file)),
        compressor_(std::move(compressor)),
        created_ms_(now_ms),
        last_written_ms_(now_ms) {}
  Status writeOut();
  /// All rows so far are in the file for good; if they are compressed, as whole pieces.
  Status syncAll();
  Status append(std::string_view bytes);

  FileSystem& files_;
  PendingPart paths_;
  std::unique_ptr<WritableFile> file_;
  std::unique_ptr<Compressor> compressor_;   // null: rows stand in the file as they are
  std::string buffer_;
  int64_t size_bytes_ = 0;
  int64_t created_ms_;
  int64_t last_written_ms_;
  bool persisted_ = false;
};

}  // namespace thalweg::worker
