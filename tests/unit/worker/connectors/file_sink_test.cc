#include "common/base/failpoint.h"
#include "tests/unit/worker/connectors/connector_harness.h"
#include "worker/connectors/filesystem/partition_path.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

using Files = std::vector<std::string>;
const Schema kTable({{"id", DataType::integer()}, {"day", DataType::string()}});

Batch rows(const std::vector<std::pair<int, const char*>>& values) {
  std::vector<std::vector<Value>> cells;
  for (const auto& [id, day] : values) cells.push_back({Value::integer(id), day == nullptr ? Value() : Value::string(day)});
  return batchOf({kTable.type(0), kTable.type(1)}, cells);
}

SinkSpec csvSink(const TestFolder& folder, OptionMap options = {}) {
  options["path"] = folder.at("t");
  options["format"] = "csv";
  return sinkOf("filesystem", kTable, options);
}

TEST_CASE("rows become visible when they are committed") {
  const TestFolder folder;
  TestOperatorContext context;
  auto writer = worker::makeSinkWriter(csvSink(folder, {{"sink.rolling-policy.file-size", "1 b"}}));
  REQUIRE(writer.isOk());
  REQUIRE((*writer)->open(context).isOk());
  CHECK(folder.files().empty());
  REQUIRE((*writer)->write(rows({{1, "a"}})).isOk());
  const auto first = (*writer)->stage();
  REQUIRE((*writer)->write(rows({{2, "b"}})).isOk());
  CHECK(folder.files().empty());
  CHECK(folder.hiddenFiles() == 2);
  REQUIRE((*writer)->commit(*first).isOk());
  CHECK(folder.files() == Files{"t/part-…-0-0: 1,a\n"});
  REQUIRE((*writer)->finish().isOk());
  const auto second = (*writer)->stage();
  CHECK((*writer)->stage()->empty());
  (*writer)->close();
  // Another instance commits what a failed one had staged, twice without harm.
  auto other = worker::makeSinkWriter(csvSink(folder));
  REQUIRE((*other)->open(context).isOk());
  REQUIRE((*other)->commit(*second).isOk());
  REQUIRE((*other)->commit(*second).isOk());
  CHECK(folder.files() == Files{"t/part-…-0-0: 1,a\n", "t/part-…-0-1: 2,b\n"});
  CHECK(folder.hiddenFiles() == 0);
}

TEST_CASE("what a first attempt left before its first checkpoint goes when the job begins again, what others write stays") {
  const TestFolder folder;
  TestOperatorContext context;
  const auto begin = [&](const std::string& uid, int subtask, int subtasks) {
    context.state_uid = uid;
    context.subtask_index = subtask;
    context.subtasks = subtasks;
    auto writer = worker::makeSinkWriter(csvSink(folder));
    REQUIRE((*writer)->open(context).isOk());
    REQUIRE((*writer)->write(rows({{1, "a"}})).isOk());
    return *std::move(writer);
  };
  REQUIRE(context.settings.set("execution.checkpointing.dir", folder.at("checkpoints")).isOk());
  const auto mine = begin("sink a", 0, 2);
  const auto beside = begin("sink a", 1, 2);
  const auto other = begin("sink b", 0, 1);
  CHECK(folder.hiddenFiles() == 3);
  const auto again = begin("sink a", 0, 2);            // in place of the first
  CHECK(folder.hiddenFiles() == 3);
  const auto fewer = begin("sink a", 0, 1);            // in place of both subtasks
  CHECK(folder.hiddenFiles() == 2);
  REQUIRE(context.settings.set("execution.checkpointing.dir", "").isOk());
  const auto unchecked = begin("sink a", 0, 1);        // without checkpoints nothing tells jobs apart
  CHECK(folder.hiddenFiles() == 3);
}

TEST_CASE("a file goes on over checkpoints; a later attempt cuts off what came after the one it restores") {
  const TestFolder folder;
  TestOperatorContext context;
  auto first = worker::makeSinkWriter(csvSink(folder));
  REQUIRE((*first)->open(context).isOk());
  REQUIRE((*first)->write(rows({{1, "a"}})).isOk());
  REQUIRE((*first)->stage()->empty());
  std::string open;
  REQUIRE((*first)->snapshotOpen(open).isOk());
  REQUIRE((*first)->write(rows({{2, "lost"}})).isOk());
  std::string later;
  REQUIRE((*first)->snapshotOpen(later).isOk());
  (*first)->close();
  CHECK(folder.files().empty());
  CHECK(folder.hiddenFiles() == 1);

  auto second = worker::makeSinkWriter(csvSink(folder));
  REQUIRE((*second)->open(context).isOk());
  REQUIRE((*second)->restore(std::vector<std::string_view>{open}).isOk());
  REQUIRE((*second)->write(rows({{3, "c"}})).isOk());
  REQUIRE((*second)->finish().isOk());
  const auto staged = (*second)->stage();
  REQUIRE((*second)->commit(*staged).isOk());
  CHECK(folder.files() == Files{"t/part-…-0-0: 1,a\n3,c\n"});
  CHECK(folder.hiddenFiles() == 0);

  // The file has been shown since: another attempt from the old checkpoint would write its rows again.
  auto third = worker::makeSinkWriter(csvSink(folder));
  REQUIRE((*third)->open(context).isOk());
  const Status gone = (*third)->restore(std::vector<std::string_view>{open});
  CHECK(gone.message().find("is gone") != std::string::npos);
}

TEST_CASE("compressed parts go on over checkpoints in pieces, are named after their compression and read back") {
  for (const std::string compression : {"gzip", "zstd"}) {
    const TestFolder folder;
    TestOperatorContext context;
    SinkSpec sink = csvSink(folder);
    sink.options["sink.compression"] = compression;
    auto first = worker::makeSinkWriter(sink);
    REQUIRE((*first)->open(context).isOk());
    REQUIRE((*first)->write(rows({{1, "a"}})).isOk());
    REQUIRE((*first)->stage()->empty());
    std::string open;
    REQUIRE((*first)->snapshotOpen(open).isOk());
    REQUIRE((*first)->write(rows({{2, "lost"}})).isOk());
    std::string later;
    REQUIRE((*first)->snapshotOpen(later).isOk());
    (*first)->close();

    // The table says something else by now: the file goes on as it was begun.
    auto second = worker::makeSinkWriter(csvSink(folder));
    REQUIRE((*second)->open(context).isOk());
    REQUIRE((*second)->restore(std::vector<std::string_view>{open}).isOk());
    REQUIRE((*second)->write(rows({{3, "c"}})).isOk());
    REQUIRE((*second)->finish().isOk());
    REQUIRE((*second)->commit(*(*second)->stage()).isOk());
    const Files files = folder.files();
    REQUIRE(files.size() == 1);
    CHECK(files[0].starts_with("t/part-…-0-0" + std::string(compression == "gzip" ? ".gz: " : ".zst: ")));
    CHECK(readSource(sourceOf("filesystem", sink.schema, sink.options)).rows == std::vector<std::string>{"+I[1, a]", "+I[3, c]"});
  }
}

TEST_CASE("an attempt that was cut off and still writes does no harm to the one that goes on") {
  const TestFolder folder;
  TestOperatorContext context;
  auto frozen = worker::makeSinkWriter(csvSink(folder));
  REQUIRE((*frozen)->open(context).isOk());
  REQUIRE((*frozen)->write(rows({{1, "a"}})).isOk());
  std::string open;
  REQUIRE((*frozen)->snapshotOpen(open).isOk());
  REQUIRE((*frozen)->write(rows({{2, "late"}})).isOk());

  auto second = worker::makeSinkWriter(csvSink(folder));
  REQUIRE((*second)->open(context).isOk());
  REQUIRE((*second)->restore(std::vector<std::string_view>{open}).isOk());
  REQUIRE((*second)->write(rows({{2, "b"}})).isOk());
  std::string after;
  REQUIRE((*second)->snapshotOpen(after).isOk());
  std::string ignored;
  REQUIRE((*frozen)->snapshotOpen(ignored).isOk());          // it thaws, and writes out what it had
  REQUIRE((*second)->write(rows({{3, "c"}})).isOk());
  REQUIRE((*second)->finish().isOk());
  REQUIRE((*second)->commit(*(*second)->stage()).isOk());
  (*frozen)->close();
  CHECK(folder.files() == Files{"t/part-…-0-0: 1,a\n2,b\n3,c\n"});
  CHECK(folder.hiddenFiles() == 0);
}

TEST_CASE("hidden files that no checkpoint knows are removed by the attempt after") {
  const TestFolder folder;
  TestOperatorContext context;
  std::string open;
  {
    auto first = worker::makeSinkWriter(csvSink(folder, {{"sink.rolling-policy.file-size", "1 b"}}));
    REQUIRE((*first)->open(context).isOk());
    REQUIRE((*first)->snapshotOpen(open).isOk());
    REQUIRE((*first)->write(rows({{1, "a"}})).isOk());
    REQUIRE_FALSE((*first)->stage()->empty());             // staged, and then the process died
  }
  CHECK(folder.hiddenFiles() == 1);
  auto second = worker::makeSinkWriter(csvSink(folder));
  REQUIRE((*second)->open(context).isOk());
  REQUIRE((*second)->restore(std::vector<std::string_view>{open}).isOk());
  CHECK(folder.hiddenFiles() == 0);
}

TEST_CASE("the files of two subtasks are taken up by one") {
  const TestFolder folder;
  TestOperatorContext context;
  std::vector<std::string> open(2);
  for (size_t i = 0; i < 2; ++i) {
    auto writer = worker::makeSinkWriter(csvSink(folder));
    REQUIRE((*writer)->open(context).isOk());
    REQUIRE((*writer)->write(rows({{static_cast<int>(i), "a"}})).isOk());
    REQUIRE((*writer)->snapshotOpen(open[i]).isOk());
    (*writer)->close();
  }
  auto one = worker::makeSinkWriter(csvSink(folder));
  REQUIRE((*one)->open(context).isOk());
  REQUIRE((*one)->restore(std::vector<std::string_view>{open[0], open[1]}).isOk());
  REQUIRE((*one)->write(rows({{2, "b"}})).isOk());
  REQUIRE((*one)->finish().isOk());
  REQUIRE((*one)->commit(*(*one)->stage()).isOk());
  CHECK(folder.files().size() == 2);
  CHECK(readSource(sourceOf("filesystem", kTable, {{"path", folder.at("t")}, {"format", "csv"}})).rows.size() == 3);
  CHECK(folder.hiddenFiles() == 0);
}

TEST_CASE("without rows there is no folder; a failed writer leaves nothing") {
  const TestFolder folder;
  CHECK(writeSink(csvSink(folder), {}) == "");
  CHECK_FALSE(localFileSystem().stat(folder.at("t")).isOk());
  TestOperatorContext context;
  auto writer = worker::makeSinkWriter(csvSink(folder));
  REQUIRE((*writer)->open(context).isOk());
  REQUIRE((*writer)->write(rows({{1, "a"}})).isOk());
  (*writer)->close();
  CHECK(folder.files().empty());
  CHECK(folder.hiddenFiles() == 0);
}

TEST_CASE("partitions are folders, their columns are not in the files") {
  const TestFolder folder;
  SinkSpec spec = csvSink(folder);
  spec.partition_keys = {"day"};
  CHECK(writeSink(spec, {rows({{1, "x"}, {2, "y"}, {3, "x"}, {4, nullptr}, {5, ""}, {6, "a/b=c:d e%"}})}) == "");
  CHECK(folder.files() == Files{"t/day=__DEFAULT_PARTITION__/part-…-0-0: 4\n5\n", "t/day=a%2Fb%3Dc%3Ad e%25/part-…-0-1: 6\n",
                                "t/day=x/part-…-0-2: 1\n3\n", "t/day=y/part-…-0-3: 2\n"});
  SourceSpec source = sourceOf("filesystem", kTable, spec.options);
  source.partition_keys = {"day"};
  CHECK(readSource(source).rows.size() == 6);
}

TEST_CASE("overwriting replaces the table, or the partitions that get rows") {
  const TestFolder folder;
  SinkSpec spec = csvSink(folder);
  CHECK(writeSink(spec, {rows({{1, "a"}})}) == "");
  spec.overwrite = true;
  CHECK(writeSink(spec, {rows({{2, "b"}})}) == "");
  CHECK(folder.files() == Files{"t/part-…-0-0: 2,b\n"});
  CHECK(writeSink(spec, {}) == "");
  CHECK(folder.files().empty());

  const TestFolder parts;
  SinkSpec partitioned = csvSink(parts);
  partitioned.partition_keys = {"day"};
  CHECK(writeSink(partitioned, {rows({{1, "x"}, {2, "y"}})}) == "");
  partitioned.overwrite = true;
  CHECK(writeSink(partitioned, {rows({{3, "y"}})}) == "");
  CHECK(parts.files() == Files{"t/day=x/part-…-0-0: 1\n", "t/day=y/part-…-0-0: 3\n"});
}

TEST_CASE("parts roll by size") {
  const TestFolder folder;
  const SinkSpec spec = csvSink(folder, {{"sink.rolling-policy.file-size", "4 b"}});
  CHECK(writeSink(spec, {rows({{1, "a"}}), rows({{2, "b"}}), rows({{3, "c"}})}) == "");
  CHECK(folder.files().size() == 3);
}

TEST_CASE("many partitions do not keep many files open") {
  const TestFolder folder;
  SinkSpec spec = csvSink(folder);
  spec.partition_keys = {"day"};
  std::vector<Batch> batches;
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) names.push_back("p" + std::to_string(i));
  for (int i = 0; i < 300; ++i) batches.push_back(rows({{i, names[static_cast<size_t>(i)].c_str()}}));
  CHECK(writeSink(spec, batches) == "");
  CHECK(folder.files().size() == 300);
}

TEST_CASE("complete partitions get a success file") {
  const TestFolder folder;
  SinkSpec spec = csvSink(folder, {{"sink.partition-commit.policy.kind", "success-file"},
                                   {"sink.partition-commit.trigger", "partition-time"},
                                   {"sink.partition-commit.delay", "1 h"},
                                   {"partition.time-extractor.timestamp-pattern", "$day 00:00:00"}});
  spec.partition_keys = {"day"};
  TestOperatorContext context;
  auto writer = worker::makeSinkWriter(spec);
  REQUIRE((*writer)->open(context).isOk());
  REQUIRE((*writer)->write(rows({{1, "1970-01-02"}, {2, "1970-01-03"}})).isOk());
  const auto commit = [&] {
    const auto staged = (*writer)->stage();
    REQUIRE(staged.isOk());
    if (!staged->empty()) REQUIRE((*writer)->commit(*staged).isOk());
    size_t marked = 0;
    for (const std::string& file : folder.files()) marked += file.find("_SUCCESS") != std::string::npos;
    return marked;
  };
  CHECK(commit() == 0);
  REQUIRE((*writer)->onWatermark(int64_t{25} * 3'600'000).isOk());
  CHECK(commit() == 0);
  REQUIRE((*writer)->onWatermark(int64_t{25} * 3'600'000 + 1).isOk());
  CHECK(commit() == 1);
  REQUIRE((*writer)->finish().isOk());
  CHECK(commit() == 2);
}

TEST_CASE("path names are escaped and read back") {
  CHECK(worker::escapePathName("a b-ü_1.5") == "a b-ü_1.5");
  CHECK(worker::escapePathName("\x01/%=:") == "%01%2F%25%3D%3A");
}

TEST_CASE("NOT NULL and lengths are enforced before any sink") {
  SinkSpec spec = sinkOf("blackhole", Schema({{"id", DataType::integer(false)}, {"v", DataType::varchar(3)}, {"c", DataType::character(3)}}), {});
  spec.not_null_columns = {true, false, false};
  const std::vector<DataType> types = {DataType::integer(), DataType::string(), DataType::string()};
  const Batch null_id = batchOf(types, {{Value(), Value::string("a"), Value::string("b")}});
  const Batch long_v = batchOf(types, {{Value::integer(1), Value::string("ünïc"), Value::string("abc")}});
  const Batch short_c = batchOf(types, {{Value::integer(1), Value::string("a"), Value::string("b")}});
  CHECK(writeSink(spec, {null_id}).find("column 'id' of table 't' is NOT NULL") == 0);
  CHECK(writeSink(spec, {long_v}) == "");
  spec.length_enforcer = SinkSpec::LengthEnforcer::ERROR;
  CHECK(writeSink(spec, {long_v}).find("VARCHAR(3), but a value of length 4") != std::string::npos);
  CHECK(writeSink(spec, {short_c}).find("CHAR(3), but a value of length 1") != std::string::npos);

  const TestFolder folder;
  spec.connector = "filesystem";
  spec.options = {{"path", folder.at("t")}, {"format", "json"}};
  spec.length_enforcer = SinkSpec::LengthEnforcer::TRIM_PAD;
  spec.not_null_enforcer = SinkSpec::NotNullEnforcer::DROP;
  CHECK(writeSink(spec, {null_id, long_v, short_c}) == "");
  CHECK(folder.files() == Files{"t/part-…-0-0: {\"id\":1,\"v\":\"ünï\",\"c\":\"abc\"}\n{\"id\":1,\"v\":\"a\",\"c\":\"b  \"}\n"});
}

}  // namespace
}  // namespace thalweg::testing
