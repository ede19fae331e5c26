#include "common/base/random.h"
#include "tests/unit/common/formats/format_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

using Rows = std::vector<std::string>;
const DataType kInt = DataType::integer();
const DataType kText = DataType::string();
const OptionMap kLenient = {{"json.ignore-parse-errors", "true"}};

Decoded json(const std::vector<DataType>& types, std::string_view text, const OptionMap& options = {}) {
  return decodeText("json", options, schemaOf(types), text);
}

TEST_CASE("json fields are found by name in any order") {
  CHECK(json({kInt, kText}, R"({"a": 1, "b": "x"})"
                            "\n"
                            R"({"zz": {"deep": [1, {}]}, "b": "y", "a": 2})"
                            "\n"
                            R"({"b": null})"
                            "\n\n"
                            R"({})")
            .rows == Rows{"+I[1, x]", "+I[2, y]", "+I[null, null]", "+I[null, null]"});
  // Of equal names the last counts; Flink's streaming parser then has as many fields as it wants and leaves b out.
  const std::string twice = R"({"a":4,"\u0061":5,"b":"last"})";
  CHECK(json({kInt, kText}, twice).rows == Rows{"+I[5, null]"});
  CHECK(json({kInt, kText}, twice, {{"json.decode.json-parser.enabled", "false"}}).rows == Rows{"+I[5, last]"});
  CHECK(json({kInt}, R"([{"a":8},{"a":9}] trailing)").rows == Rows{"+I[8]", "+I[9]"});
  CHECK(json({kInt}, R"({"A":1})").rows == Rows{"+I[null]"});
  CHECK(json({kInt, kText}, R"({"a":1})", {{"json.fail-on-missing-field", "true"}}).error.find("field 'b' is missing") != std::string::npos);
}

TEST_CASE("json strings are unescaped") {
  CHECK(json({kText}, R"({"a":"ü\u00fc\ud83d\ude80 \"q\" \\ \/ line\nfeed"})").rows == Rows{"+I[üü🚀 \"q\" \\ / line\nfeed]"});
  CHECK(json({kText}, "{\"a\":\"raw\ttab\"}").rows == Rows{"+I[raw\ttab]"});
  CHECK(json({kText}, R"({"a":"half \ud83d"})").rows == Rows{"+I[half ?]"});
  CHECK(json({kText}, R"({"a":"bad \x"})").error.find("escapes") != std::string::npos);
  CHECK(json({kText}, R"({"a":"a string that is longer than twelve bytes"})").rows == Rows{"+I[a string that is longer than twelve bytes]"});
}

TEST_CASE("json numbers fill integers by their whole part") {
  CHECK(json({kInt}, R"({"a":7.0}
{"a":50.7}
{"a":1e2}
{"a":"40"}
{"a":" 11 "}
{"a":99999999999}
{"a":"5.9"}
{"a":true}
{"a":[60]}
{"a":{"x":70}})",
             kLenient)
            .rows == Rows{"+I[7]", "+I[50]", "+I[100]", "+I[40]", "+I[11]", "+I[null]", "+I[null]", "+I[null]", "+I[null]", "+I[null]"});
  CHECK(json({DataType::smallint()}, R"({"a":5.9})").error.find("expected SMALLINT, found '5.9'") != std::string::npos);
  CHECK(json({DataType::float32(), DataType::float64()}, R"({"a":1e39,"b":1e400})").rows == Rows{"+I[Infinity, Infinity]"});
  CHECK(json({DataType::decimal(8, 2)}, R"({"a":123456789.99})").rows == Rows{"+I[null]"});
}

TEST_CASE("json text takes any value") {
  CHECK(json({kText}, R"({"a":12.50}
{"a":true}
{"a":{"k": [1, 2.50, null], "s":"é\n"}}
{"a":[]}
{"a":-0})")
            .rows == Rows{"+I[12.50]", "+I[true]", "+I[{\"k\":[1,2.5,null],\"s\":\"é\\n\"}]", "+I[[]]", "+I[-0]"});
  CHECK(json({DataType::boolean()}, R"({"a":"maybe"}
{"a":1}
{"a":" true "})")
            .rows == Rows{"+I[false]", "+I[false]", "+I[true]"});
}

TEST_CASE("json nested values") {
  const DataType row = DataType::row({{"x", kInt}, {"y", DataType::row({{"z", DataType::array(DataType::float64())}})}});
  const std::vector<DataType> types = {DataType::map(kText, kInt), row, DataType::array(DataType::row({{"k", kText}, {"v", kInt}}))};
  CHECK(json(types, R"({"a":{"p":1,"q":null,"p":3},"b":{"x":5,"y":{"z":[1.5,2]}},"c":[{"k":"p","v":1},{"k":"q"},null]}
{"a":{},"b":{},"c":[]}
{"a":null,"b":null})")
            .rows == Rows{"+I[{p=3, q=null}, +I[5, +I[[1.5, 2.0]]], [+I[p, 1], +I[q, null], null]]", "+I[{}, +I[null, null], []]", "+I[null, null, null]"});
  CHECK(json({DataType::array(kInt)}, R"({"a":[1,"2",2.7,null,true]})", kLenient).rows == Rows{"+I[[1, 2, 2, null, null]]"});
  CHECK(json({DataType::array(kInt)}, R"({"a":5})", kLenient).rows == Rows{"+I[null]"});
  CHECK(json({DataType::array(kInt)}, R"({"a":5})").error.find("field 'a': expected ARRAY<INT>, found '5'") != std::string::npos);
  CHECK(json({DataType::map(kInt, kInt)}, "{}").error.find("keys must be text") != std::string::npos);
}

TEST_CASE("json reads only the nested fields asked for") {
  const DataType row = DataType::row({{"x", kInt}, {"y", kText}, {"z", DataType::row({{"u", kInt}, {"v", kInt}})}});
  DecoderSpec spec{"json", {}, schemaOf({row, kInt}), {{0, {{2, 1}, {0}}}}};
  auto decoder = makeFormatDecoder(spec);
  REQUIRE(decoder.isOk());
  const std::string text = R"({"a":{"x":1,"y":"skipped","z":{"u":"no number","v":4}},"b":"no number"})";
  auto buffer = Buffer::allocateZeroed(text.size() + kDecoderPaddingBytes);
  std::copy(text.begin(), text.end(), buffer->mutableAs<char>());
  (*decoder)->feed(buffer, 0, text.size(), true);
  REQUIRE((*decoder)->decode(10).isOk());
  const Batch batch = (*decoder)->take();
  REQUIRE(batch.columnCount() == 1);
  const auto& children = batch.column(0)->children();
  CHECK(children[0]->valueAt(0).asInt() == 1);
  CHECK(children[1] == nullptr);
  CHECK(children[2]->child(0) == nullptr);
  CHECK(children[2]->child(1)->valueAt(0).asInt() == 4);
}

TEST_CASE("json times follow the standard that is set") {
  const std::vector<DataType> types = {DataType::date(), DataType::time(), DataType::timestamp(6), DataType::timestampLtz(3)};
  CHECK(json(types, R"({"a":"2026-02-28","b":"00:00:00.5","c":"2026-02-28 23:59:59.123456","d":"1970-01-01 00:00:00Z"})").rows ==
        Rows{"+I[2026-02-28, 00:00:00.500, 2026-02-28T23:59:59.123456, 1970-01-01T00:00:00Z]"});
  CHECK(json(types, R"({"c":"2026-02-28T07:08:09","d":"1969-12-31T23:59:59.999Z"})", {{"json.timestamp-format.standard", "ISO-8601"}}).rows ==
        Rows{"+I[null, null, 2026-02-28T07:08:09, 1969-12-31T23:59:59.999Z]"});
  CHECK(json(types, R"({"a":"2026-2-3"}
{"b":"12:34"}
{"c":" 2026-02-28 00:00:00"}
{"c":1234567}
{"d":"2026-02-28 00:00:00"})",
             kLenient)
            .rows == Rows(5, "+I[null, null, null, null]"));
}

// An object in an array is read token by token.
TEST_CASE("json lines of one shape are read as objects read one by one") {
  const std::vector<std::string> numbers = {"0", "7", "-12345678", "123456789", "12345678901234567", "\"5\"", "2.5", "1e2", "null", "\"x\"", "true"};
  const std::vector<std::string> texts = {"\"\"", "\"a\"", "\"a text longer than twelve\"", "17", "true", "-1.50", "\"q\\\"q\"", "\"\\u00e9 \\ud83d\\ude00\"", "\"no \\q escape\"", "null", "{\"k\":1}", "\"{}\\n\""};
  Random random(5);
  size_t rows = 0;
  for (int round = 0; round < 60; ++round) {
    const size_t odd = round % 3 == 0 ? 4 : 500;
    const std::string gap = round % 2 == 0 ? "" : " ";
    const auto some = [&](const std::vector<std::string>& all, size_t good) {
      return all[random.nextBelow(random.nextBelow(odd) == 0 ? all.size() : good)];
    };
    std::string lines;
    std::string arrays;
    for (size_t record = random.nextBelow(700); record > 0; --record) {
      std::string object = "{\"a\":" + gap + some(numbers, 5) + ',' + gap + "\"zz\":" + gap + some(texts, 3) + ',' + gap;
      object += (random.nextBelow(odd) == 0 ? "\"a\":" : "\"b\":") + gap + some(texts, 6) + '}';
      lines += object + '\n';
      arrays += '[' + object + "]\n";
    }
    for (const char* ignore : {"false", "true"}) {
      const DecoderSpec spec{"json", {{"json.ignore-parse-errors", ignore}}, schemaOf({DataType::bigint(), kText, kText}), {{0}, {1}, {2}}};
      const Decoded together = decodeOnce(spec, lines, 9000, 300);
      const Decoded apart = decodeOnce(spec, arrays, 9000, 300);
      CHECK(together.rows == apart.rows);
      CHECK(together.skipped == apart.skipped);
      CHECK(together.error.empty() == apart.error.empty());   // it quotes the line's end, which differs
      rows += together.rows.size();
    }
  }
  CHECK(rows > 5000);
}

TEST_CASE("text that is no json is an error, or skipped and counted") {
  for (const char* bad : {"not json", "17", "null", "\"x\"", "{\"a\":1", "{\"a\":tru}", "{\"a\":012}", "{\"a\":-}", "{\"a\":1.}", "{\"a\":NaN}", "{'a':1}",
                          "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\":1,}", "[1]", "[{\"a\":1}", "{\"z\":[1,2}", "{\"z\":nullx}", "[{\"a\":1},5]", "{\"a\":\"open}"}) {
    INFO(bad);
    CHECK(json({kInt}, bad).error.find("bad json") == 0);
    const Decoded skipped = json({kInt}, std::string(bad) + "\n{\"a\":3}", kLenient);
    CHECK(skipped.rows.back() == "+I[3]");
    CHECK(skipped.skipped == 1);
  }
  CHECK(json({kInt}, "[{\"a\":1},5]", kLenient).rows == Rows{"+I[1]"});
}

TEST_CASE("json takes nasty bytes without harm") {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{\"x\":[";
  DecoderSpec spec{"json", kLenient, schemaOf({kInt, kText}), {{0}, {1}}};
  CHECK(decodeOnce(spec, "{\"z\":" + deep + "\n{\"a\":1}\n", 1 << 20, 10).rows == Rows{"+I[1, null]"});
  CHECK(decodeOnce(spec, "{\"b\":" + deep + "\n", 1 << 20, 10).skipped == 1);
  CHECK(json({kText}, std::string_view("{\"a\":\"x\0y\"}", 11)).rows == Rows{std::string("+I[x\0y]", 7)});
  CHECK(json({kText}, std::string_view("{\"a\":1}\0", 8)).rows == Rows{"+I[1]"});
  CHECK(json({kText}, std::string_view("\0", 1)).error.find("bad json") == 0);
  CHECK(json({kText}, "{\"a\":\"\xC3\x28\"}").error.find("UTF-8") != std::string::npos);
  const std::string huge(300'000, 'h');
  CHECK(decodeOnce(spec, "{\"b\":\"" + huge + "\"}", 4096, 10).rows == Rows{"+I[null, " + huge + "]"});
  std::string many_keys = "{\"a\":{";
  for (int i = 0; i < 20'000; ++i) many_keys += (i == 0 ? "\"k" : ",\"k") + std::to_string(i % 10'000) + "\":" + std::to_string(i);
  const DecoderSpec maps{"json", {}, schemaOf({DataType::map(kText, kInt)}), {{0}}};
  const Decoded map = decodeOnce(maps, many_keys + "}}", 1 << 20, 10);
  REQUIRE(map.rows.size() == 1);
  CHECK(map.rows[0].substr(0, 12) == "+I[{k0=10000");
}

}  // namespace
}  // namespace thalweg::testing
