// RunWriter: writes the file of a StateRun from sorted entries. The bytes are specified at the head of state_run.cc.
//
// Errors: IO_ERROR naming the file, which is removed then, and when the writer goes unfinished. Threads: one owner.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "worker/state/state_run.h"

namespace thalweg::worker {

class RunWriter {
 public:
  /// Of at most `entries_max` entries; more are allowed, but found more slowly. The run holds `owner`.
  static Result<std::unique_ptr<RunWriter>> create(FileSystem& files, std::string path, bool fixed_keys, size_t entries_max,
                                                   std::shared_ptr<const void> owner = nullptr);
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  /// Behind all that came before; no value: the key is gone.
  Status add(StateNamespace ns, uint64_t hash, std::string_view key, std::optional<std::string_view> value);
  uint64_t entries() const { return entries_; }
  uint64_t bytes() const { return written_ + buffer_.size(); }
  /// Nothing may follow. The file is not synced.
  Result<std::shared_ptr<const StateRun>> finish();

 private:
  RunWriter(std::shared_ptr<StateRun> run, std::unique_ptr<WritableFile> file) : run_(std::move(run)), file_(std::move(file)) {}
  void beginBlock(uint64_t hash);
  void endBlock();
  Status flush();

  std::shared_ptr<StateRun> run_;
  std::unique_ptr<WritableFile> file_;
  std::string buffer_;               // not written yet; the present block stands at its end
  size_t block_begin_ = 0;           // in buffer_
  bool in_block_ = false;
  uint64_t written_ = 0;
  uint64_t entries_ = 0;
  bool finished_ = false;
};

}  // namespace thalweg::worker
