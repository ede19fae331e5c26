// CheckpointWriter: makes one checkpoint durable.
//
//   ASSIGN_OR_RETURN(auto writer, CheckpointWriter::create(files, folder));
//   ASSIGN_OR_RETURN(part.keyed, writer->add(bytes));       // for each part of the state
//   RETURN_IF_ERROR(writer->finish(manifest));              // durable when this returns, and complete not before
//
// Several processes write a checkpoint together: each has a writer of its part (createPart … seal), and the one that puts
// the manifests of the parts together finishes with a writer that add() was not called on.
// Small pieces go into the manifest, larger ones behind each other into one data file. The data are synced, then the
// manifest is written under a hidden name, synced and renamed, and the folders are synced.
// Errors: IO_ERROR naming the path; then, and when it is destroyed unfinished, the folder is removed again.
// Threads: one owner; calls block. Lifetime: borrows the file system.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "common/checkpoint/checkpoint_manifest.h"
#include "common/fs/file_system.h"

namespace thalweg {

class CheckpointWriter {
 public:
  /// Up to this size bytes stand in the manifest.
  static constexpr size_t kInlineBytesMax = size_t{4} << 10;

  /// Makes the folder; one that exists is NOT taken over: INVALID_ARGUMENT if it holds a checkpoint already.
  static Result<std::unique_ptr<CheckpointWriter>> create(FileSystem& files, std::string folder);
  /// Of one process's part: its data go into the file `data_name`, beside those of the others. An empty folder: everything
  /// goes into the manifest, RESOURCE_EXHAUSTED for a piece of more than kPieceBytesMax.
  static Result<std::unique_ptr<CheckpointWriter>> createPart(FileSystem& files, std::string folder, std::string data_name);
  static constexpr size_t kPieceBytesMax = size_t{5} << 20;
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  Result<StoredBytes> add(std::string_view bytes);
  /// Whether files can stand beside the data.
  bool hasFolder() const { return !folder_.empty(); }
  /// A file that somebody else puts there, its bytes durable before finish() or seal(): its name in the manifest and its path.
  struct NewFile {
    std::string name;
    std::string path;
  };
  NewFile newFile();
  /// Adds the data file to `manifest`. Nothing may follow.
  Status finish(CheckpointManifest& manifest);
  /// Of a part: what was added is durable when this returns. Nothing may follow.
  Status seal(CheckpointManifest& manifest);

 private:
  CheckpointWriter(FileSystem& files, std::string folder, std::string data_name, std::vector<std::string> parents, bool is_part)
      : files_(files), folder_(std::move(folder)), data_name_(std::move(data_name)), parents_(std::move(parents)), is_part_(is_part) {}
  Status openData();
  Status closeData(CheckpointManifest& manifest);
  Status writeManifest(const std::string& bytes);

  FileSystem& files_;
  const std::string folder_;
  const std::string data_name_;
  const std::vector<std::string> parents_;   // folders that got a new entry
  const bool is_part_;
  std::unique_ptr<WritableFile> data_;
  uint64_t data_bytes_ = 0;
  std::vector<std::string> new_files_;       // paths
  bool finished_ = false;
};

}  // namespace thalweg
