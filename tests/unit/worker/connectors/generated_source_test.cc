#include "tests/unit/worker/connectors/connector_harness.h"
#include "worker/connectors/blackhole/blackhole_sink.h"
#include "worker/connectors/split_list.h"

#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

using Rows = std::vector<std::string>;

Rows sorted(Rows rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST_CASE("datagen sequences are shared out without gaps and end the table") {
  const Schema schema({{"id", DataType::integer()}, {"d", DataType::float64()}, {"s", DataType::string()}});
  const SourceSpec spec = sourceOf("datagen", schema,
                                   {{"fields.id.kind", "sequence"}, {"fields.id.start", "3"}, {"fields.id.end", "6"},
                                    {"fields.d.kind", "sequence"}, {"fields.d.start", "-2"}, {"fields.d.end", "5"},
                                    {"fields.s.kind", "sequence"}, {"fields.s.start", "8"}, {"fields.s.end", "11"}});
  CHECK(readSource(spec).rows.size() == 4);
  CHECK(readSource(spec, {1, 1, false}).rows == readSource(spec).rows);
  CHECK(readSource(spec, {1, 2, true}).rows == readSource(spec).rows);
  CHECK(sorted(readSource(spec, {3, 8192, false}).rows) == sorted(readSource(spec).rows));
}

TEST_CASE("datagen makes every type, within bounds") {
  const Schema schema({{"b", DataType::boolean()},
                       {"i", DataType::integer()},
                       {"f", DataType::float32()},
                       {"de", DataType::decimal(5, 2)},
                       {"big", DataType::decimal(30, 2)},
                       {"c", DataType::character(4)},
                       {"v", DataType::string()},
                       {"by", DataType::bytes()},
                       {"da", DataType::date()},
                       {"t", DataType::time()},
                       {"ts", DataType::timestamp(9)},
                       {"tl", DataType::timestampLtz(3)},
                       {"a", DataType::array(DataType::integer())},
                       {"m", DataType::map(DataType::string(), DataType::integer())},
                       {"ms", DataType::multiset(DataType::integer())},
                       {"r", DataType::row({{"x", DataType::integer()}, {"y", DataType::string()}})},
                       {"iv", DataType::intervalSecond()}});
  SourceSpec spec = sourceOf("datagen", schema,
                             {{"number-of-rows", "100"}, {"fields.i.min", "10"}, {"fields.i.max", "12"}, {"fields.v.length", "3"},
                              {"fields.b.null-rate", "1"}, {"fields.a.length", "2"}, {"fields.r.x.min", "7"}, {"fields.r.x.max", "7"}});
  const SourceResult result = readSource(spec);
  REQUIRE(result.error == "");
  REQUIRE(result.rows.size() == 100);
  CHECK(std::all_of(result.rows.begin(), result.rows.end(), [](const std::string& row) { return row.starts_with("+I[null, 1"); }));
  CHECK(std::set<std::string>(result.rows.begin(), result.rows.end()).size() == 100);
  spec.options["fields.i.min"] = "many";
  CHECK(readSource(spec).error.find("fields.i.min") != std::string::npos);
}

TEST_CASE("datagen keeps to its rate") {
  SourceSpec spec = sourceOf("datagen", Schema({{"i", DataType::integer()}}), {{"rows-per-second", "10"}});
  TestOperatorContext context;
  auto reader = worker::makeSourceReader(spec, spec.physical);
  REQUIRE((*reader)->open(context).isOk());
  REQUIRE((*reader)->addSplit(worker::encodeFields({"1", "0"})).isOk());
  size_t rows = 0;
  for (int i = 0; i < 1000; ++i) {
    CollectingOutput output;
    const auto polled = (*reader)->poll(8192, output);
    for (const Batch& batch : output.batches) rows += batch.rows();
    if (*polled == PollResult::IDLE) context.clock.advanceMillis(10);
    if (context.nowMillis() >= 2000) break;
  }
  CHECK(rows >= 20);
  CHECK(rows <= 22);
}

SourceSpec nexmark(const std::vector<int>& columns, OptionMap options = {}) {
  const DataType text = DataType::string();
  const DataType number = DataType::bigint();
  const DataType time = DataType::timestamp(3);
  const DataType person = DataType::row({{"id", number}, {"name", text}, {"emailAddress", text}, {"creditCard", text}, {"city", text}, {"state", text}, {"dateTime", time}, {"extra", text}});
  const DataType auction = DataType::row({{"id", number}, {"itemName", text}, {"description", text}, {"initialBid", number}, {"reserve", number}, {"dateTime", time}, {"expires", time}, {"seller", number}, {"category", number}, {"extra", text}});
  const DataType bid = DataType::row({{"auction", number}, {"bidder", number}, {"price", number}, {"channel", text}, {"url", text}, {"dateTime", time}, {"extra", text}});
  options.try_emplace("events.num", "2000");
  options.try_emplace("base-time", "1000000000000");
  SourceSpec spec = sourceOf("nexmark", Schema({{"event_type", DataType::integer()}, {"person", person}, {"auction", auction}, {"bid", bid}}), options);
  std::vector<SourceSpec::Output> outputs;
  for (const int column : columns) outputs.push_back(spec.outputs[static_cast<size_t>(column)]);
  spec.outputs = outputs;
  return spec;
}

TEST_CASE("nexmark data depend on neither parallelism, batches nor restores") {
  const Rows all = readSource(nexmark({0, 1, 2, 3})).rows;
  REQUIRE(all.size() == 2000);
  CHECK(sorted(readSource(nexmark({0, 1, 2, 3}, {{"events.num", "2000"}}), {3, 8192, false}).rows) == sorted(all));
  CHECK(readSource(nexmark({0, 1, 2, 3}), {1, 7, true}).rows == all);
}

TEST_CASE("nexmark events come in the suite's proportions") {
  const Rows types = readSource(nexmark({0})).rows;
  CHECK(types[0] == "+I[1]");  // the first event is an auction: person 1000 and auction 1000 never exist
  CHECK(std::count(types.begin(), types.end(), "+I[0]") == 40);
  CHECK(std::count(types.begin(), types.end(), "+I[1]") == 120);
  CHECK(std::count(types.begin(), types.end(), "+I[2]") == 1840);
}

TEST_CASE("the blackhole's checksum does not depend on batches") {
  const SinkSpec spec = sinkOf("blackhole", Schema({{"a", DataType::integer()}, {"b", DataType::string()}}), {});
  const std::vector<DataType> types = {DataType::integer(), DataType::string()};
  const Batch all = batchOf(types, {{Value::integer(1), Value::string("a longer text than twelve")}, {Value(), Value::string("x")}, {Value::integer(3), Value()}});
  const auto totalsOf = [&](const std::vector<Batch>& batches) {
    const auto before = worker::blackholeTotals();
    REQUIRE(writeSink(spec, batches) == "");
    const auto after = worker::blackholeTotals();
    return std::array{after.rows - before.rows, after.bytes - before.bytes, after.checksum - before.checksum};
  };
  const std::vector<RowIndex> reversed_parts[] = {{2}, {0, 1}};
  const auto expected = totalsOf({all});
  CHECK(expected[0] == 3);
  CHECK(totalsOf({all.select(reversed_parts[0]), all.select(reversed_parts[1])}) == expected);
  CHECK(totalsOf({all.slice(0, 2)})[2] != expected[2]);
}

TEST_CASE("VALUES are read once, by one reader, in slices") {
  const ValuesSpec spec{{{Value::integer(1)}, {Value::integer(2)}, {Value()}}};
  const Schema schema({{"a", DataType::integer()}});
  auto reader = worker::makeValuesReader(spec, schema);
  auto enumerator = worker::makeValuesEnumerator(spec);
  TestOperatorContext context;
  REQUIRE(reader->open(context).isOk());
  CollectingOutput output;
  CHECK(*reader->poll(2, output) == PollResult::NEED_SPLIT);
  REQUIRE(reader->addSplit(enumerator->next(0, 2)->split).isOk());
  CHECK(enumerator->next(1, 2)->availability == SplitEnumerator::Availability::FINISHED);
  CHECK(*reader->poll(2, output) == PollResult::MORE);
  std::vector<std::string> splits;
  REQUIRE(reader->snapshotSplits(splits).isOk());
  auto restored = worker::makeValuesReader(spec, schema);
  REQUIRE(restored->open(context).isOk());
  REQUIRE(restored->addSplit(splits[0]).isOk());
  while (*restored->poll(2, output) == PollResult::MORE) {
  }
  CHECK(output.messages() == Rows{"+I[1]", "+I[2]", "+I[null]"});
}

TEST_CASE("split texts are refused when they are damaged") {
  CHECK(*worker::decodeFields(worker::encodeFields({"a", "", "1:2"})) == Rows{"a", "", "1:2"});
  for (const char* bad : {"x", "3:ab", "-1:", "99999999999999999999:a", "1"}) CHECK_FALSE(worker::decodeFields(bad).isOk());
  CHECK_FALSE(worker::decodeNumber("12x", "row").isOk());
}

TEST_CASE("unknown connectors are named") {
  CHECK(readSource(sourceOf("print", {}, {})).error.find("'print'") != std::string::npos);
  CHECK(writeSink(sinkOf("datagen", {}, {}), {}).find("'datagen'") != std::string::npos);
}

}  // namespace
}  // namespace thalweg::testing
