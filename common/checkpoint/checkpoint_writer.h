// CheckpointWriter: makes one checkpoint durable.
//
//   ASSIGN_OR_RETURN(auto writer, CheckpointWriter::create(files, folder));
//   ASSIGN_OR_RETURN(part.keyed, writer->add(bytes));       // for each part of the state
//   RETURN_IF_ERROR(writer->finish(manifest));              // durable when this returns, and complete not before
//
// Small pieces go into the manifest, larger ones behind each other into one data file. The data are synced, then the
// manifest is written under a hidden name, synced and renamed, and the folders are synced.
// Errors: IO_ERROR naming the path; then, and when it is destroyed unfinished, the folder is removed again.
// Threads: one owner; calls block. Lifetime: borrows the file system.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/checkpoint/checkpoint_manifest.h"
#include "common/fs/file_system.h"

namespace thalweg {

class CheckpointWriter {
 public:
  /// Up to this size bytes stand in the manifest.
  static constexpr size_t kInlineBytesMax = size_t{4} << 10;

  /// Makes the folder; one that exists is NOT taken over: INVALID_ARGUMENT if it holds a checkpoint already.
  static Result<std::unique_ptr<CheckpointWriter>> create(FileSystem& files, std::string folder);
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  Result<StoredBytes> add(std::string_view bytes);
  /// Adds the data file to `manifest`. Nothing may follow.
  Status finish(CheckpointManifest& manifest);

 private:
  CheckpointWriter(FileSystem& files, std::string folder, std::vector<std::string> parents)
      : files_(files), folder_(std::move(folder)), parents_(std::move(parents)) {}
  Status openData();
  Status writeManifest(const std::string& bytes);

  FileSystem& files_;
  const std::string folder_;
  const std::vector<std::string> parents_;   // folders that got a new entry
  std::unique_ptr<WritableFile> data_;
  uint64_t data_bytes_ = 0;
  bool finished_ = false;
};

}  // namespace thalweg
