// A machine that crashes at every change that the file sink makes to the disk, and forgets what was not synced: every row is
// there once when the job has gone on from its last checkpoint.
#include <algorithm>

#include "common/base/failpoint.h"
#include "tests/support/forgetful_file_system.h"
#include "tests/unit/worker/connectors/connector_harness.h"
#include "worker/connectors/filesystem/file_sink.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

constexpr int kEpochs = 3;
const Schema kTable({{"id", DataType::integer()}});

/// What the job's checkpoints know; they are on a disk that does not crash.
struct Known {
  int epochs = 0;                        ///< that are covered
  std::vector<std::string> staged = {};  ///< and not committed
  std::string open = {};
};

Batch rowOf(int id) { return batchOf({kTable.type(0)}, {{Value::integer(id)}}); }

/// Goes on from `known` to the end, a row and a checkpoint an epoch.
Status run(FileSystem& files, const std::string& part_bytes, Known& known) {
  TestOperatorContext context;
  RETURN_IF_ERROR(context.settings.set("execution.checkpointing.dir", "/checkpoints"));
  context.state_uid = "sink";
  const SinkSpec spec = sinkOf("filesystem", kTable, {{"path", "/table"}, {"format", "csv"}, {"sink.rolling-policy.file-size", part_bytes}});
  worker::ConnectorEnvironment environment{.files = &files};
  ASSIGN_OR_RETURN(const auto writer, worker::makeFileSink(spec, environment));
  if (known.epochs > 0) context.restored_bytes = "anything";
  RETURN_IF_ERROR(writer->open(context));
  for (const std::string& staged : known.staged) RETURN_IF_ERROR(writer->commit(staged));
  if (known.epochs > 0) {
    const std::string open = known.open;
    const std::string_view parts[] = {open};
    RETURN_IF_ERROR(writer->restore(std::span<const std::string_view>(parts, open.empty() ? 0 : 1)));
  }
  while (known.epochs <= kEpochs) {
    Known next{.epochs = known.epochs + 1};
    if (known.epochs < kEpochs) RETURN_IF_ERROR(writer->write(rowOf(known.epochs)));
    else RETURN_IF_ERROR(writer->finish());
    ASSIGN_OR_RETURN(const std::string staged, writer->stage());
    if (!staged.empty()) next.staged.push_back(staged);
    RETURN_IF_ERROR(writer->snapshotOpen(next.open));
    known = next;                        // the checkpoint is complete
    for (const std::string& each : known.staged) RETURN_IF_ERROR(writer->commit(each));
  }
  writer->close();
  return {};
}

/// All visible lines, sorted.
std::vector<std::string> lines(FileSystem& files) {
  std::vector<std::string> found;
  const auto entries = files.list("/table");
  if (!entries.isOk()) return found;
  for (const FileInfo& entry : *entries) {
    if (fileNameOf(entry.path).starts_with('.')) continue;
    const auto file = files.openForReading(entry.path);
    std::string text(static_cast<size_t>((*file)->sizeBytes()), '\0');
    REQUIRE((*file)->readAt(0, {reinterpret_cast<uint8_t*>(text.data()), text.size()}).isOk());
    for (size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) found.push_back(text.substr(0, end));
    if (!text.empty()) found.push_back("cut: " + text);
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// How often a job that crashed and went on did not write every row once.
int wrongOver(Survives survives, const std::string& part_bytes) {
  const std::vector<std::string> expected = {"0", "1", "2"};
  int wrong = 0;
  for (int crash = 1;; ++crash) {
    ForgetfulFileSystem files;
    files.crashAfter(crash);
    Known known;
    const bool has_ended = run(files, part_bytes, known).isOk();
    const auto after = files.afterCrash(survives);
    if (!run(*after, part_bytes, known).isOk() || lines(*after) != expected) ++wrong;
    if (has_ended && files.changes() < crash) return wrong;
    REQUIRE(crash < 1000);
  }
}

TEST_CASE("no crash of the machine loses or doubles a row of the file sink") {
  for (const char* part_bytes : {"1 b", "1 mb"}) {
    for (const Survives survives : {Survives::SYNCED_ONLY, Survives::NAMES, Survives::EVERYTHING}) {
      INFO(part_bytes << " " << static_cast<int>(survives));
      CHECK(wrongOver(survives, part_bytes) == 0);
    }
  }
}

#ifdef THALWEG_FAILPOINTS
TEST_CASE("parts that are not synced before their checkpoint are noticed") {
  const ScopedFailpoint planted("mutant.part_not_synced=error");
  CHECK(wrongOver(Survives::SYNCED_ONLY, "1 b") > 0);
  CHECK(wrongOver(Survives::NAMES, "1 mb") > 0);
}
#endif

}  // namespace
}  // namespace thalweg::testing
