// CheckpointManifest: what a checkpoint or savepoint holds and where its bytes are.
//
// State is filed under the uids of operators and sources, a part per subtask; it finds its way into a job that was cut
// into other tasks or runs with another parallelism. A savepoint owns all its files; a checkpoint may name files that
// other checkpoints of the job name too.
// Errors: decoding checks everything; bytes that are damaged, or of a version that this release does not know, give
// INVALID_ARGUMENT. Threads: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"

namespace thalweg {

/// Bytes in the manifest itself, or a range of one of its files.
struct StoredBytes {
  static constexpr int64_t kInline = -1;

  int64_t file = kInline;               ///< position in CheckpointManifest::files
  uint64_t offset = 0;
  uint64_t size_bytes = 0;
  uint64_t hash = 0;                    ///< XXH3-64; of bytes in a file
  std::string inlined = {};

  bool empty() const { return size_bytes == 0; }
};

struct CheckpointManifest {
  struct File {
    std::string path;                   ///< beside the manifest, or absolute
    uint64_t size_bytes = 0;
  };
  struct OperatorPart {
    StoredBytes keyed;
    StoredBytes own;
    int64_t watermark = 0;              ///< ms; the lowest number: none yet
    std::vector<int64_t> runs = {};     ///< files of keyed state beside its bytes; positions in files
  };
  struct Operator {
    std::string uid;
    std::string name;                   ///< for people
    std::vector<OperatorPart> parts;    ///< by subtask
    std::optional<std::string> computed_inputs = std::nullopt;   ///< what its state depends on, if known
  };
  struct TaskPart {
    bool finished = false;
    int64_t sent_watermark = 0;
    std::vector<std::string> splits;    ///< of its source reader
  };
  struct Task {
    std::string uid;                    ///< of its head
    std::string name;
    StoredBytes enumerator;
    std::vector<TaskPart> parts;
  };

  int64_t checkpoint_id = 0;
  int64_t time_ms = 0;                  ///< when it was triggered
  bool is_savepoint = false;
  std::string job_id;
  std::string job_name;
  std::string started_from;             ///< the path that the job was told to start from; empty: none
  std::string engine;                   ///< who wrote it, for people
  int64_t max_parallelism = 0;
  std::vector<File> files;
  std::vector<Operator> operators;
  std::vector<Task> tasks;

  /// Of all that it names.
  uint64_t sizeBytes() const;
};

std::string encodeManifest(const CheckpointManifest& manifest);
Result<CheckpointManifest> decodeManifest(std::string_view bytes);

}  // namespace thalweg
