#include "common/types/decimal.h"
#include "tests/unit/common/formats/format_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

const DataType kInt = DataType::integer();
const DataType kText = DataType::string();

std::string csvText(const std::string& text, const OptionMap& options = {}) {
  const std::string line = encodeRows("csv", options, schemaOf({kText}), {{Value::string(text)}});
  return line.substr(0, line.size() - 1);
}
std::string jsonOf(const DataType& type, const Value& value, const OptionMap& options = {}) {
  const std::string line = encodeRows("json", options, schemaOf({type}), {{value}});
  return line.starts_with("error") ? line : line.substr(5, line.size() - 7);
}

TEST_CASE("csv quotes as Jackson does") {
  CHECK(csvText("plain") == "plain");
  CHECK(csvText("") == "");
  CHECK(csvText("a,b") == "\"a,b\"");
  CHECK(csvText("say \"hi\"") == "\"say \"\"hi\"\"\"");
  CHECK(csvText("with space") == "\"with space\"");
  CHECK(csvText("semi;colon-/") == "semi;colon-/");
  CHECK(csvText("back\\slash") == "\"back\\slash\"");
  CHECK(csvText("1234567890123456789012345") == "\"1234567890123456789012345\"");
  CHECK(csvText("ü漢🚀") == "ü漢🚀");
  CHECK(csvText("a b", {{"csv.disable-quote-character", "true"}}) == "a b");
  const OptionMap dialect = {{"csv.field-delimiter", ";"}, {"csv.quote-character", "'"}, {"csv.escape-character", "\\"}};
  CHECK(csvText("it's", dialect) == "'it''s'");
  CHECK(csvText("back\\slash", dialect) == "'back\\\\slash'");
}

TEST_CASE("csv writes NULL as the null literal") {
  CHECK(encodeRows("csv", {}, schemaOf({kInt, kText}), {{Value(), Value()}}) == ",\n");
  CHECK(encodeRows("csv", {{"csv.null-literal", "n/a"}}, schemaOf({kInt, kText}), {{Value(), Value::string("")}}) == "n/a,\n");
}

TEST_CASE("csv writes nested values in one field") {
  const DataType row = DataType::row({{"x", kInt}, {"y", kText}});
  const Schema schema = schemaOf({DataType::array(kText), row});
  CHECK(encodeRows("csv", {}, schema, {{Value::list({Value::string("p"), Value::string("q;r"), Value()}), Value::row({Value::integer(5), Value::string("y,z")})}}) ==
        "p;q;r;,\"5;y,z\"\n");
}

TEST_CASE("decimals lose zeros and may gain exponents") {
  const DataType type = DataType::decimal(20, 2);
  const auto csv = [&](int64_t unscaled, const OptionMap& options = {}) { return encodeRows("csv", options, schemaOf({type}), {{Value::decimal(unscaled)}}); };
  CHECK(csv(10000) == "1E+2\n");
  CHECK(csv(-12300000) == "-1.23E+5\n");
  CHECK(csv(-50) == "-0.5\n");
  CHECK(csv(0) == "0\n");
  CHECK(csv(10000, {{"csv.write-bigdecimal-in-scientific-notation", "false"}}) == "100\n");
  CHECK(jsonOf(type, Value::decimal(10000)) == "1E+2");
  CHECK(jsonOf(type, Value::decimal(10000), {{"json.encode.decimal-as-plain-number", "true"}}) == "100.00");
}

TEST_CASE("times are written with the digits they need") {
  const TimestampValue value{1'770'091'506'100, 0, 0};
  CHECK(encodeRows("csv", {}, schemaOf({DataType::timestamp(6)}), {{Value::timestamp(value)}}) == "\"2026-02-03 04:05:06.1\"\n");
  CHECK(jsonOf(DataType::timestamp(6), Value::timestamp(value)) == "\"2026-02-03 04:05:06.1\"");
  CHECK(jsonOf(DataType::timestampLtz(3), Value::timestamp({value.millis - 100, 0, 0})) == "\"2026-02-03 04:05:06Z\"");
  CHECK(jsonOf(DataType::timestamp(9), Value::timestamp({-1, 999'999, 0})) == "\"1969-12-31 23:59:59.999999999\"");
  CHECK(jsonOf(DataType::timestamp(3), Value::timestamp(value), {{"json.timestamp-format.standard", "ISO-8601"}}) == "\"2026-02-03T04:05:06.1\"");
  CHECK(jsonOf(DataType::time(3), Value::integer(14'706'700)) == "\"04:05:06.7\"");
}

TEST_CASE("json escapes what must be escaped") {
  CHECK(jsonOf(kText, Value::string("say \"hi\" \\ / \n\t\x01")) == R"("say \"hi\" \\ / \n\t\u0001")");
  CHECK(jsonOf(kText, Value::string("ü漢🚀<&>")) == "\"ü漢\\uD83D\\uDE80<&>\"");
  CHECK(jsonOf(DataType::float64(), Value::floating(NAN)) == "\"NaN\"");
  CHECK(jsonOf(DataType::float64(), Value::floating(1e20)) == "1.0E20");
  CHECK(jsonOf(DataType::bytes(), Value::string(std::string("\0\xff\x10", 3))) == "\"AP8Q\"");
}

TEST_CASE("json maps with NULL keys follow their mode") {
  const DataType type = DataType::map(kText, kInt);
  const Value map = Value::map({{Value::string("b"), Value::integer(2)}, {Value(), Value::integer(1)}});
  CHECK(jsonOf(type, map).find("NULL key") != std::string::npos);
  CHECK(jsonOf(type, map, {{"json.map-null-key.mode", "DROP"}}) == "{\"b\":2}");
  CHECK(jsonOf(type, map, {{"json.map-null-key.mode", "LITERAL"}, {"json.map-null-key.literal", "(none)"}}) == "{\"b\":2,\"(none)\":1}");
}

TEST_CASE("json leaves NULL fields out if told to") {
  const OptionMap options = {{"json.encode.ignore-null-fields", "true"}};
  const DataType row = DataType::row({{"x", kInt}, {"y", kText}});
  CHECK(encodeRows("json", options, schemaOf({kInt, row}), {{Value(), Value::row({Value(), Value::string("a")})}, {Value(), Value()}}) ==
        "{\"b\":{\"y\":\"a\"}}\n{}\n");
}

TEST_CASE("raw writes and reads one column") {
  CHECK(encodeRows("raw", {}, schemaOf({kText}), {{Value::string("a")}, {Value::string("")}}) == "a\n\n");
  CHECK(encodeRows("raw", {}, schemaOf({kText}), {{Value()}}).starts_with("error: the format raw cannot write NULL"));
  CHECK(encodeRows("raw", {{"raw.endianness", "little-endian"}}, schemaOf({kInt}), {{Value::integer(305419896)}}) == "\x78\x56\x34\x12\n");
  CHECK(encodeRows("raw", {}, schemaOf({DataType::smallint()}), {{Value::integer(258)}}) == "\x01\x02\n");
  CHECK(decodeText("raw", {}, schemaOf({kText}), "first\r\n\nlast").rows == std::vector<std::string>{"+I[first]", "+I[]", "+I[last]"});
  CHECK(decodeText("raw", {{"raw.charset", "ISO-8859-1"}}, schemaOf({kText}), "\xFC\n").rows == std::vector<std::string>{"+I[ü]"});
  CHECK(decodeText("raw", {{"raw.line-delimiter", "|"}}, schemaOf({kText}), "a|b\n").rows == std::vector<std::string>{"+I[a]", "+I[b]"});
  CHECK(decodeText("raw", {}, schemaOf({DataType::smallint()}), "\x01\x02\n").rows == std::vector<std::string>{"+I[258]"});
  CHECK(decodeText("raw", {}, schemaOf({kInt}), "12345\n").error.find("expected the 4 bytes of a INT, found 5 bytes") != std::string::npos);
  CHECK(decodeText("raw", {{"raw.charset", "no-such"}}, schemaOf({kText}), "").error.find("no-such") != std::string::npos);
  CHECK_FALSE(makeFormatDecoder({"raw", {}, schemaOf({kText, kText}), {}}).isOk());
}

}  // namespace
}  // namespace thalweg::testing
