#include "tests/unit/worker/connectors/connector_harness.h"
#include "worker/connectors/filesystem/file_split.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

using Rows = std::vector<std::string>;
const Schema kTable({{"id", DataType::integer()}, {"s", DataType::string()}});

SourceSpec csvTable(const std::string& path, OptionMap options = {}) {
  options["path"] = path;
  options["format"] = "csv";
  return sourceOf("filesystem", kTable, options);
}

TEST_CASE("a folder is read with what stands below it, hidden files left out") {
  const TestFolder folder;
  folder.write("in/a.csv", "1,a\n");
  folder.write("in/deep/er/b.csv", "2,b\n");
  folder.write("in/.hidden.csv", "90,x\n");
  folder.write("in/_also.csv", "91,x\n");
  folder.write("in/_folder/c.csv", "92,x\n");
  folder.write("in/no_extension", "3,c");
  CHECK(readSource(csvTable(folder.at("in"))).rows == Rows{"+I[1, a]", "+I[2, b]", "+I[3, c]"});
  CHECK(readSource(csvTable("file://" + folder.at("in/deep"))).rows == Rows{"+I[2, b]"});
  CHECK(readSource(csvTable(folder.at("in"), {{"source.path.regex-pattern", ".*/[ab]\\.csv"}})).rows == Rows{"+I[1, a]", "+I[2, b]"});
  CHECK(readSource(csvTable(folder.at("none"))).error.find(folder.at("none")) != std::string::npos);
  folder.write("in/packed.gz", "");
  CHECK(readSource(csvTable(folder.at("in"))).error.find("packed.gz") != std::string::npos);
}

TEST_CASE("a file is read alike in batches of any size and when restored after each") {
  const TestFolder folder;
  std::string text = "\xEF\xBB\xBF";
  Rows expected;
  for (int i = 0; i < 500; ++i) {
    const std::string name = i % 7 == 0 ? "\"quoted, " + std::to_string(i) + "\"" : "row " + std::to_string(i);
    text += std::to_string(i) + "," + name + (i % 3 == 0 ? "\r\n" : "\n");
    expected.push_back("+I[" + std::to_string(i) + ", " + (i % 7 == 0 ? name.substr(1, name.size() - 2) : name) + "]");
  }
  folder.write("t.csv", text);
  for (const size_t rows_wanted : {size_t{1}, size_t{7}, size_t{8192}}) {
    CHECK(readSource(csvTable(folder.at("t.csv")), {1, rows_wanted, false}).rows == expected);
    CHECK(readSource(csvTable(folder.at("t.csv")), {1, rows_wanted, true}).rows == expected);
  }
}

TEST_CASE("failures name file and line, skipped rows are counted") {
  const TestFolder folder;
  folder.write("t.csv", "1,a\n2,\"two\nlines\"\nx,c\n4,d,e\n5,f\n");
  CHECK(readSource(csvTable(folder.at("t.csv"))).error == folder.at("t.csv") + ", line 4: column 'id': expected INT, found 'x'");
  const SourceResult skipped = readSource(csvTable(folder.at("t.csv"), {{"csv.ignore-parse-errors", "true"}}));
  CHECK(skipped.rows == Rows{"+I[1, a]", "+I[2, two\nlines]", "+I[null, c]", "+I[5, f]"});
  CHECK(skipped.skipped == 1);
}

TEST_CASE("partition values come from the path") {
  const TestFolder folder;
  folder.write("p/day=2026-01-01/hour=7/x.csv", "10\n");
  folder.write("p/day=a%2Fb/hour=__DEFAULT_PARTITION__/x.csv", "14\n");
  folder.write("p/day=lost/x.csv", "99\n");
  SourceSpec spec = sourceOf("filesystem", Schema({{"id", DataType::integer()}, {"day", DataType::string()}, {"hour", DataType::integer()}}),
                             {{"path", folder.at("p")}, {"format", "csv"}});
  spec.partition_keys = {"day", "hour"};
  CHECK(readSource(spec).rows == Rows{"+I[10, 2026-01-01, 7]", "+I[14, a/b, null]"});
  folder.write("p/day=x/hour=noon/x.csv", "1\n");
  CHECK(readSource(spec).error.find("expected INT in the folder's name, found 'noon'") != std::string::npos);
}

TEST_CASE("metadata columns tell the file") {
  const TestFolder folder;
  folder.write("x.csv", "1\n22\n");
  SourceSpec spec = sourceOf("filesystem", Schema({{"n", DataType::integer()}}), {{"path", folder.path()}, {"format", "csv"}});
  for (const auto& [key, type] : {std::pair{"file.name", DataType::string(false)}, {"file.size", DataType::bigint(false)}, {"file.path", DataType::string(false)}}) {
    SourceSpec::Output output;
    output.metadata_key = key;
    output.type = type;
    spec.outputs.push_back(output);
  }
  CHECK(readSource(spec).rows == Rows{"+I[1, x.csv, 5, " + folder.at("x.csv") + "]", "+I[22, x.csv, 5, " + folder.at("x.csv") + "]"});
}

TEST_CASE("a limit stops the reader, and one record may give more rows than a batch takes") {
  const TestFolder folder;
  folder.write("t.json", R"([{"id":1},{"id":2},{"id":3},{"id":4}])" "\n{\"id\":5}\n");
  SourceSpec spec = sourceOf("filesystem", Schema({{"id", DataType::integer()}}), {{"path", folder.path()}, {"format", "json"}});
  CHECK(readSource(spec, {1, 3, false}).rows == Rows{"+I[1]", "+I[2]", "+I[3]", "+I[4]", "+I[5]"});
  folder.write("t.json", "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n");
  spec.limit = 2;
  CHECK(readSource(spec).rows == Rows{"+I[1]", "+I[2]"});
}

TEST_CASE("large files are cut at line feeds, unless a quote may hide them") {
  const TestFolder folder;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + ",value\n";
  folder.write("t.csv", text);
  const auto info = localFileSystem().stat(folder.at("t.csv"));
  FormatTraits traits{.strips_byte_order_mark = true, .splittable = true, .unsplittable_byte = '"'};
  const auto splits = worker::splitsOfFile(localFileSystem(), *info, traits, 4, 1000);
  REQUIRE(splits.isOk());
  CHECK(splits->size() > 5);
  int64_t at = 0;
  for (const auto& split : *splits) {
    CHECK(split.offset == at);
    at = split.end;
    if (split.end == worker::FileSplit::kToEnd) break;
    CHECK(text[static_cast<size_t>(split.end - 1)] == '\n');
  }
  CHECK(worker::splitsOfFile(localFileSystem(), *info, traits, 1, 1000)->size() == 1);
  folder.write("t.csv", text.substr(0, 2500) + "\n7,\"x\n" + text);
  const auto quoted = worker::splitsOfFile(localFileSystem(), *localFileSystem().stat(folder.at("t.csv")), traits, 4, 1000);
  CHECK(quoted->size() == 3);
}

TEST_CASE("a watched folder gives new files once") {
  const TestFolder folder;
  folder.write("a.csv", "1,a\n");
  const SourceSpec spec = csvTable(folder.path(), {{"source.monitor-interval", "1 s"}});
  auto enumerator = worker::makeSplitEnumerator(spec, 1);
  REQUIRE(enumerator.isOk());
  CHECK((*enumerator)->next(0, 1)->availability == SplitEnumerator::Availability::SPLIT);
  const auto later = (*enumerator)->next(0, 1);
  CHECK(later->availability == SplitEnumerator::Availability::LATER);
  CHECK(later->retry_after_ms == 1000);
  folder.write("b.csv", "2,b\n");
  std::string state;
  REQUIRE((*enumerator)->snapshot(state).isOk());
  auto restored = worker::makeSplitEnumerator(spec, 1);
  REQUIRE((*restored)->restore(state).isOk());
  CHECK((*restored)->next(0, 1)->split.find("b.csv") != std::string::npos);
  CHECK((*restored)->next(0, 1)->availability == SplitEnumerator::Availability::LATER);
}

}  // namespace
}  // namespace thalweg::testing
