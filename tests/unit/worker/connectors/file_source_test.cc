#include "common/fs/compressor.h"
#include "common/functions/function_registry.h"
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
  folder.write("in/packed.gz", "no gzip");
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

/// `name operator literal`, or of CAST(name AS INT) with `as_number`.
BoundExprPtr comparison(int column, const DataType& type, const char* operation, Value value, bool as_number = false) {
  BoundExprPtr left = BoundExpr::column(column, type);
  if (as_number) left = BoundExpr::cast(std::move(left), DataType::integer());
  const DataType right_type = as_number ? DataType::integer(false) : type.notNull();
  return BoundExpr::call(FunctionRegistry::instance().scalar(operation), {std::move(left), BoundExpr::literal(std::move(value), right_type)}, DataType::boolean());
}

SourceSpec dayTable(const TestFolder& folder, OptionMap options = {}) {
  options["path"] = folder.at("p");
  options["format"] = "csv";
  SourceSpec spec = sourceOf("filesystem", Schema({{"id", DataType::integer()}, {"day", DataType::string()}, {"hour", DataType::integer()}}), options);
  spec.partition_keys = {"day", "hour"};
  return spec;
}

TEST_CASE("conditions on partitions leave out folders unlisted and files unread") {
  const TestFolder folder;
  folder.write("p/day=mo/hour=7/x.csv", "10\n");
  folder.write("p/day=mo/hour=__DEFAULT_PARTITION__/x.csv", "11\n");
  folder.write("p/day=tu/hour=7/x.csv", "12\n");
  folder.write("p/day=tu/hour=8/x.csv", "13\n");
  folder.write("p/day=__DEFAULT_PARTITION__/hour=7/x.csv", "14\n");
  const auto rowsWhere = [&](std::vector<BoundExprPtr> conjuncts) {
    SourceSpec spec = dayTable(folder);
    spec.filter = BoundExpr::conjunction(std::move(conjuncts));
    return readSource(spec).rows;
  };
  const auto is_seven = comparison(2, DataType::integer(), "=", Value::integer(7));
  const auto is_tuesday = comparison(1, DataType::string(), "=", Value::string("tu"));
  CHECK(rowsWhere({is_seven}) == Rows{"+I[14, null, 7]", "+I[10, mo, 7]", "+I[12, tu, 7]"});
  CHECK(rowsWhere({is_tuesday, is_seven}) == Rows{"+I[12, tu, 7]"});
  CHECK(rowsWhere({BoundExpr::disjunction({is_tuesday, is_seven})}).size() == 4);
  const auto is_null = BoundExpr::call(FunctionRegistry::instance().scalar("IS NULL"), {BoundExpr::column(2, DataType::integer())}, DataType::boolean(false));
  CHECK(rowsWhere({is_null}) == Rows{"+I[11, mo, null]"});

  // A folder that is left out is not looked into, and a value in it that is none does not matter.
  folder.write("p/day=mo/hour=noon/x.csv", "15\n");
  CHECK(rowsWhere({is_tuesday, is_seven}) == Rows{"+I[12, tu, 7]"});
  SourceSpec spec = dayTable(folder);
  spec.filter = is_seven;
  CHECK(readSource(spec).error.find("expected INT in the folder's name, found 'noon'") != std::string::npos);
}

TEST_CASE("a condition that fails for a partition leaves it in: the filter above judges its rows") {
  const TestFolder folder;
  folder.write("p/day=1/hour=7/x.csv", "10\n");
  folder.write("p/day=2/hour=7/x.csv", "11\n");
  folder.write("p/day=none/hour=7/x.csv", "12\n");
  SourceSpec spec = dayTable(folder);
  spec.filter = comparison(1, DataType::string(), ">", Value::integer(1), true);
  CHECK(readSource(spec).rows == Rows{"+I[11, 2, 7]", "+I[12, none, 7]"});
}

TEST_CASE("conditions on a file's name and size leave it out, and a watched folder keeps to them") {
  const TestFolder folder;
  folder.write("a.csv", "1,a\n");
  folder.write("b.csv", "2,b\n");
  SourceSpec spec = csvTable(folder.path(), {{"source.monitor-interval", "1 s"}});
  spec.outputs.push_back({-1, "file.name", DataType::string(false), {}});
  spec.filter = comparison(2, DataType::string(false), "<>", Value::string("a.csv"));
  auto enumerator = worker::makeSplitEnumerator(spec, 1);
  REQUIRE(enumerator.isOk());
  CHECK((*enumerator)->next(0, 1)->split.find("b.csv") != std::string::npos);
  CHECK((*enumerator)->next(0, 1)->availability == SplitEnumerator::Availability::LATER);
  folder.write("sub/a.csv", "3,c\n");
  folder.write("sub/c.csv", "4,d\n");
  CHECK((*enumerator)->next(0, 1)->split.find("c.csv") != std::string::npos);
  CHECK((*enumerator)->next(0, 1)->availability == SplitEnumerator::Availability::LATER);
}

TEST_CASE("compressed files are read alike in batches of any size and when restored after each, as one split") {
  const TestFolder folder;
  std::string text;
  Rows expected;
  for (int i = 0; i < 3000; ++i) {
    text += std::to_string(i) + ",row " + std::to_string(i * 7919 % 3001) + "\n";
    expected.push_back("+I[" + std::to_string(i) + ", row " + std::to_string(i * 7919 % 3001) + "]");
  }
  for (const std::string name : {"gzip", "zstd"}) {
    const auto compressor = makeCompressor(name);
    std::string packed;
    REQUIRE((*compressor)->append("\xEF\xBB\xBF" + text.substr(0, 20'000), packed).isOk());
    REQUIRE((*compressor)->endPiece(packed).isOk());
    REQUIRE((*compressor)->append(text.substr(20'000), packed).isOk());
    REQUIRE((*compressor)->endPiece(packed).isOk());
    const std::string file = "t.csv" + std::string((*compressor)->fileEnding());
    folder.write(name + "/" + file, packed);
    CHECK(readSource(csvTable(folder.at(name))).rows == expected);
    CHECK(readSource(csvTable(folder.at(name)), {1, 700, true}).rows == expected);
    CHECK(readSource(csvTable(folder.at(name)), {3, 8192, false}).rows.size() == expected.size());
    const auto info = localFileSystem().stat(folder.at(name + "/" + file));
    FormatTraits traits{.strips_byte_order_mark = true, .splittable = true, .unsplittable_byte = '"'};
    CHECK(worker::splitsOfFile(localFileSystem(), *info, traits, 4, 100)->size() == 1);
    folder.write(name + "/" + file, packed.substr(0, packed.size() / 2));
    CHECK(readSource(csvTable(folder.at(name))).error.find("cannot be decompressed: it ends too early") != std::string::npos);
  }
  const auto compressor = makeCompressor("gzip");
  std::string packed;
  REQUIRE((*compressor)->append("1,a\n2,b\nx,c\n", packed).isOk());
  REQUIRE((*compressor)->endPiece(packed).isOk());
  folder.write("bad/t.csv.gz", packed);
  CHECK(readSource(csvTable(folder.at("bad"))).error == folder.at("bad/t.csv.gz") + ", line 3: column 'id': expected INT, found 'x'");
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
