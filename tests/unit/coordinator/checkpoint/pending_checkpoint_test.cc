#include "coordinator/checkpoint/pending_checkpoint.h"

#include <catch2/catch.hpp>

using namespace thalweg;               // NOLINT: a test
using namespace thalweg::coordinator;  // NOLINT

namespace {

StoredBytes inFile(uint64_t offset) {
  StoredBytes stored;
  stored.file = 0;
  stored.offset = offset;
  stored.size_bytes = 10;
  return stored;
}

/// What one process stored: one operator of `subtasks`, filled everywhere, as if it had them all.
CheckpointManifest partOf(const std::string& file, size_t subtasks, uint64_t offset) {
  CheckpointManifest part;
  part.max_parallelism = 128;
  part.files = {{file, 1000}};
  part.operators = {{"op", {}, {}}};
  part.tasks = {{"source", {}, inFile(offset), {}}};
  for (size_t i = 0; i < subtasks; ++i) {
    part.operators[0].parts.push_back({inFile(offset + i), {}, static_cast<int64_t>(offset)});
    part.tasks[0].parts.push_back({false, 0, {file}});
  }
  return part;
}

PendingCheckpoint pendingOf(std::vector<int> processes) {
  CheckpointManifest head;
  head.checkpoint_id = 7;
  return {head, std::move(processes)};
}

}  // namespace

TEST_CASE("a checkpoint is complete when every process has stored its part, each with its own subtasks") {
  PendingCheckpoint pending = pendingOf({1, 0, 1});
  REQUIRE(pending.add(0, partOf("a", 3, 100)).isOk());
  REQUIRE_FALSE(pending.isComplete());
  REQUIRE(pending.add(1, partOf("b", 3, 200)).isOk());
  REQUIRE(pending.isComplete());
  const CheckpointManifest manifest = pending.take();
  REQUIRE(manifest.checkpoint_id == 7);
  REQUIRE(manifest.max_parallelism == 128);
  REQUIRE(manifest.files.size() == 2);
  const auto& parts = manifest.operators[0].parts;
  REQUIRE(manifest.files[static_cast<size_t>(parts[0].keyed.file)].path == "b");
  REQUIRE(manifest.files[static_cast<size_t>(parts[1].keyed.file)].path == "a");
  REQUIRE(parts[1].keyed.offset == 101);
  REQUIRE(parts[2].keyed.offset == 202);
  REQUIRE(manifest.tasks[0].parts[1].splits == std::vector<std::string>{"a"});
  REQUIRE(manifest.files[static_cast<size_t>(manifest.tasks[0].enumerator.file)].path == "b");   // where subtask 0 is
  REQUIRE(decodeManifest(encodeManifest(manifest)).isOk());
}

TEST_CASE("a part of another shape is refused, and so is a second one of the same process") {
  PendingCheckpoint pending = pendingOf({0, 1});
  REQUIRE(pending.add(0, partOf("a", 2, 0)).isOk());
  REQUIRE_FALSE(pending.add(0, partOf("a", 2, 0)).isOk());
  REQUIRE_FALSE(pending.add(2, partOf("c", 2, 0)).isOk());
  REQUIRE_FALSE(pending.add(1, partOf("b", 1, 0)).isOk());
  REQUIRE_FALSE(pending.add(1, partOf("b", 3, 0)).isOk());
  CheckpointManifest other = partOf("b", 2, 0);
  other.operators[0].uid = "another";
  REQUIRE_FALSE(pending.add(1, other).isOk());
  REQUIRE(pending.add(1, partOf("b", 2, 0)).isOk());
  REQUIRE(pending.isComplete());
}
