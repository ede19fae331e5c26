#include "common/base/random.h"
#include "common/formats/csv/csv_index.h"
#include "tests/unit/common/formats/format_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

using Rows = std::vector<std::string>;
const DataType kInt = DataType::integer();
const DataType kText = DataType::string();

Decoded csv(const std::vector<DataType>& types, std::string_view text, const OptionMap& options = {}) {
  return decodeText("csv", options, schemaOf(types), text);
}

TEST_CASE("csv records are cut at delimiters and line ends") {
  CHECK(csv({kInt, kText}, "1,a\n2,b\r\n3,\n").rows == Rows{"+I[1, a]", "+I[2, b]", "+I[3, ]"});
  CHECK(csv({kInt, kText}, "1,a\r2,b").rows == Rows{"+I[1, a]", "+I[2, b]"});
  CHECK(csv({kText}, "a\n\nb\n").rows == Rows{"+I[a]", "+I[]", "+I[b]"});
  CHECK(csv({kText}, "").rows.empty());
  CHECK(csv({kText, kText}, "this is longer than twelve bytes,so is this one here\n").rows ==
        Rows{"+I[this is longer than twelve bytes, so is this one here]"});
}

TEST_CASE("csv quotes count at the start of a field only") {
  CHECK(csv({kText, kText}, "\"a,b\",\"say \"\"hi\"\"\"\nin\"ner,\"two\nlines\" \n").rows == Rows{"+I[a,b, say \"hi\"]", "+I[in\"ner, two\nlines]"});
  CHECK(csv({kText, kText}, "\"a\"x,b\n").error.find("behind a closing quote") != std::string::npos);
  CHECK(csv({kText, kText}, "a,\"never closed\nb,c\n").error.find("not closed") != std::string::npos);
  const Decoded skipped = csv({kText, kText}, "a,b\nx,\"never closed\nb,c\n", {{"csv.ignore-parse-errors", "true"}});
  CHECK(skipped.rows == Rows{"+I[a, b]"});
  CHECK(skipped.skipped == 1);
}

TEST_CASE("csv quoted fields of every kind stand beside plain ones") {
  const std::string text = "\"a,\",b\r\n\"\",\"c\nd\"\n\"e\"\"f\",g\"h\n\"i\" ,\"j\"\r\"k\",\"l\"";
  const Rows expected = {"+I[a,, b]", "+I[, c\nd]", "+I[e\"f, g\"h]", "+I[i, j]", "+I[k, l]"};
  CHECK(csv({kText, kText}, text).rows == expected);
  CHECK(csv({kText}, "\"a\",\n\"b\",\" \"\n").rows == Rows{"+I[a]", "+I[b]"});
  CHECK(csv({kText, kText}, "\"a\\\"b\",c\n\"d\\,\",e\n", {{"csv.escape-character", "\\"}}).rows == Rows{"+I[a\"b, c]", "+I[d,, e]"});
}

TEST_CASE("csv dialects follow their options") {
  CHECK(csv({kText, kText}, "'it''s';x\n", {{"csv.field-delimiter", ";"}, {"csv.quote-character", "'"}}).rows == Rows{"+I[it's, x]"});
  CHECK(csv({kText, kText}, "\"a\"\tb\n", {{"csv.field-delimiter", "\\t"}, {"csv.disable-quote-character", "true"}}).rows == Rows{"+I[\"a\", b]"});
  CHECK(csv({kText, kText}, "a\\,b,x\\ty\n\"q\\\"\",z\\\nw\n", {{"csv.escape-character", "\\"}}).rows == Rows{"+I[a,b, x\ty]", "+I[q\", z\nw]"});
  CHECK(csv({kText, kText}, "# no\n  1,one\n\n  # no\n\t2,two\n", {{"csv.allow-comments", "true"}}).rows == Rows{"+I[1, one]", "+I[\t2, two]"});
  CHECK(csv({kText, kText}, " a  , \" q \" \n", {{"csv.trim-spaces", "true"}}).rows == Rows{"+I[a,  q ]"});
  CHECK(csv({kText, kText}, "1§2\n", {{"csv.field-delimiter", "§"}}).rows == Rows{"+I[1, 2]"});
  CHECK(csv({kText, kInt}, ",\n", {{"csv.empty-string-as-null", "true"}}).rows == Rows{"+I[null, null]"});
  CHECK(csv({kText, kInt}, "-,-\n\"-\",1\n", {{"csv.null-literal", "-"}}).rows == Rows{"+I[null, null]", "+I[null, 1]"});
}

TEST_CASE("csv arity follows Flink") {
  const std::vector<DataType> three = {kInt, kText, kText};
  CHECK(csv(three, "1,a,b,\n").rows == Rows{"+I[1, a, b]"});
  CHECK(csv(three, "1,a,b,c\n").error.find("more fields") != std::string::npos);
  CHECK(csv(three, "1,a,b,c,d\n", {{"csv.ignore-trailing-unmappable", "true"}}).rows == Rows{"+I[1, a, b]"});
  CHECK(csv(three, "1,a\n").error.find("fewer fields") != std::string::npos);
  CHECK(csv(three, "1,a\n\n", {{"csv.ignore-parse-errors", "true"}}).rows == Rows{"+I[1, a, null]", "+I[null, null, null]"});
  DecoderSpec some{"csv", {}, schemaOf(three), {{2}, {0}}};
  CHECK(decodeText(some, "1,a\n2,b,c\n").rows == Rows{"+I[null, 1]", "+I[c, 2]"});
  some.options = {{"csv.fail-on-missing-columns", "true"}};
  CHECK(decodeText(some, "1,a\n").error.find("fewer fields") != std::string::npos);
  DecoderSpec none{"csv", {}, schemaOf(three), {}};
  CHECK(decodeText(none, "1,a\n2,b,c\n").rows.size() == 2);
}

TEST_CASE("csv values are read as Java reads them") {
  const OptionMap lenient = {{"csv.ignore-parse-errors", "true"}};
  CHECK(csv({kInt}, "+80\n-0\n 7 \n4.0\n2147483648\n", lenient).rows == Rows{"+I[80]", "+I[0]", "+I[7]", "+I[null]", "+I[null]"});
  CHECK(csv({DataType::bigint()}, "-9223372036854775808\n9223372036854775808\n00000000000000000000001\n", lenient).rows ==
        Rows{"+I[-9223372036854775808]", "+I[null]", "+I[1]"});
  CHECK(csv({DataType::float64()}, "1.\n.5\nNaN\n-Infinity\n0x1p3\n1f\n1e400\nx\n", lenient).rows ==
        Rows{"+I[1.0]", "+I[0.5]", "+I[NaN]", "+I[-Infinity]", "+I[8.0]", "+I[1.0]", "+I[Infinity]", "+I[null]"});
  CHECK(csv({DataType::boolean()}, "tRuE\n true \nyes\n").rows == Rows{"+I[true]", "+I[true]", "+I[false]"});
  CHECK(csv({DataType::decimal(8, 2)}, "0.005\n-99999.999\n1e3\n123456789.99\n 2.5 \n1" + std::string(60, '0') + "\n", lenient).rows ==
        Rows{"+I[0.01]", "+I[-100000.00]", "+I[1000.00]", "+I[null]", "+I[null]", "+I[null]"});
  CHECK(csv({DataType::bytes()}, "aGVsbG8=\n\naGVsbG8\n", lenient).rows == Rows{"+I[[104, 101, 108, 108, 111]]", "+I[[]]", "+I[null]"});
}

TEST_CASE("csv reads dates and times in one form only") {
  const OptionMap lenient = {{"csv.ignore-parse-errors", "true"}};
  CHECK(csv({DataType::date()}, "2023-2-3\n0001-01-01\n2023-02-30\n 2023-02-03\n", lenient).rows ==
        Rows{"+I[2023-02-03]", "+I[0001-01-01]", "+I[null]", "+I[null]"});
  CHECK(csv({DataType::time()}, "12:34\n12:34:56.789\n24:00:00\n", lenient).rows == Rows{"+I[12:34]", "+I[12:34:56]", "+I[null]"});
  CHECK(csv({DataType::timestamp(3)},
            "2026-02-28 23:59:59.123\n2026-02-28 00:00:01\n2026-02-28 24:00:00\n 2026-02-27 07:08:09.1 \n2026-02-28T07:08:09\n2026-02-29 00:00:00\n", lenient)
            .rows == Rows{"+I[2026-02-28T23:59:59.123]", "+I[2026-02-28T00:00:01]", "+I[null]", "+I[2026-02-27T07:08:09.100]", "+I[null]", "+I[null]"});
  CHECK(csv({DataType::timestamp(9)}, "1969-12-31 23:59:59.999999999\n").rows == Rows{"+I[1969-12-31T23:59:59.999999999]"});
  CHECK(csv({DataType::timestampLtz(3)}, "1969-12-31 23:59:59.999Z\n1969-12-31 23:59:59.999\n", lenient).rows ==
        Rows{"+I[1969-12-31T23:59:59.999Z]", "+I[null]"});
}

TEST_CASE("csv arrays and rows stand in one field") {
  const DataType pair = DataType::row({{"k", kText}, {"v", kText}});
  const std::vector<DataType> types = {DataType::array(kText), DataType::array(kInt), pair};
  CHECK(csv(types, "a;b;;c,10;20,k;1.5\n,,\n", {}).rows == Rows{"+I[[a, b, , c], [10, 20], +I[k, 1.5]]", "+I[[], [], null]"});
  CHECK(csv(types, "x,y,z\n", {{"csv.ignore-parse-errors", "true"}}).rows == Rows{"+I[[x], [null], +I[z, null]]"});
  CHECK(csv(types, "NULL,NULL,NULL\n", {{"csv.ignore-parse-errors", "true"}, {"csv.null-literal", "NULL"}}).rows ==
        Rows{"+I[[null], [null], +I[null, null]]"});
  CHECK(csv({pair}, "a;b;c\n").error.find("column 'a'") != std::string::npos);
  CHECK(csv({DataType::map(kText, kInt)}, "x\n").error.find("MAP") != std::string::npos);
}

TEST_CASE("a bad csv field names column, type and text") {
  CHECK(csv({kInt, kInt}, "1,2\n3,x4\n").error == "column 'b': expected INT, found 'x4'");
  CHECK(csv({kInt}, std::string(5000, 'y') + "\n").error.size() < 200);
}

TEST_CASE("csv takes nasty bytes without harm") {
  CHECK(csv({kText, kText}, std::string_view("a\0b,c\0\n", 7)).rows == Rows{std::string("+I[a\0b, c\0]", 11)});
  CHECK(csv({kText}, "ok\n\xC3\x28\n").error.find("UTF-8") != std::string::npos);
  const Decoded skipped = csv({kText}, "ok\n\xC3\x28\nfine ü\n\xE6\xBC", {{"csv.ignore-parse-errors", "true"}});
  CHECK(skipped.rows == Rows{"+I[ok]", "+I[fine ü]"});
  CHECK(skipped.skipped == 2);
  const std::string huge(300'000, 'h');
  DecoderSpec spec{"csv", {}, schemaOf({kText, kInt}), {{0}, {1}}};
  CHECK(decodeOnce(spec, huge + ",1\n", 4096, 10).rows == Rows{"+I[" + huge + ", 1]"});
  CHECK(csv({kText}, std::string(100, ',') + "\n").error.find("more fields") != std::string::npos);
}

std::string pick(Random& random, const std::vector<std::string>& texts) { return texts[random.nextBelow(texts.size())]; }

// With comments allowed every record is read character by character; no text here begins with a blank or a #.
TEST_CASE("csv records that are cut together are read as those read one by one") {
  const std::vector<DataType> types = {DataType::bigint(), kText, DataType::timestamp(3), DataType::smallint(), kText};
  const std::vector<std::string> numbers = {"0", "7", "12345678", "123456789", "9999999999999999", "12345678901234567", "-5", "007", " 4", "1x", "", "+3"};
  const std::vector<std::string> texts = {"", "a", "twelve bytes", "thirteen byte", "a much longer text than any inline one", "\"q,q\"", "\"d\"\"d\"", "e\"f"};
  const std::vector<std::string> times = {"2024-01-02 03:04:05", "2024-01-02 03:04:05.678", "2024-01-02 03:04:05.6", "\"2024-02-03 00:00:00\"", "2024-13-01 00:00:00", ""};
  const std::vector<std::string> shorts = {"1", "32767", "32768", "-32768", "99999"};
  Random random(11);
  size_t rows = 0;
  for (int round = 0; round < 60; ++round) {
    const size_t odd = round % 3 == 0 ? 3 : 1000;   // how often a text may be a bad one: seldom in two of three
    const auto some = [&](const std::vector<std::string>& all, size_t good) {
      return random.nextBelow(odd) == 0 ? pick(random, all) : all[random.nextBelow(good)];
    };
    std::string text;
    for (size_t record = random.nextBelow(700); record > 0; --record) {
      text += some(numbers, 5) + ',' + some(texts, 6) + ',' + some(times, 4) + ',' + some(shorts, 2) + ',' + some(texts, 6);
      text += random.nextBelow(odd) == 0 ? ",\n" : (random.nextBelow(5) == 0 ? "\r\n" : "\n");
    }
    for (const char* ignore : {"false", "true"}) {
      DecoderSpec spec{"csv", {{"csv.ignore-parse-errors", ignore}}, schemaOf(types), {{0}, {1}, {2}, {3}, {4}}};
      const Decoded together = decodeOnce(spec, text, 9000, 300);
      spec.options["csv.allow-comments"] = "true";
      const Decoded apart = decodeOnce(spec, text, 9000, 300);
      CHECK(together == apart);
      rows += together.rows.size();
    }
  }
  CHECK(rows > 5000);
}

TEST_CASE("the csv index finds what a simple search finds") {
  Random random(7);
  for (int round = 0; round < 50; ++round) {
    std::string text(random.nextBelow(5000), ' ');
    for (char& c : text) c = ",\"\n\r\\abcdefgh "[random.nextBelow(14)];
    std::vector<size_t> expected;
    for (size_t i = 0; i < text.size(); ++i) {
      if (std::string_view(",\"\n\r\\").find(text[i]) != std::string_view::npos) expected.push_back(i);
    }
    const size_t size = text.size();
    text.append(64, ',');
    format::CsvIndex index(',', '"', '\\');
    const size_t begin = random.nextBelow(size + 1);
    index.reset(text.data(), begin, size);
    std::vector<size_t> found;
    while (index.more()) {
      found.push_back(index.peek());
      index.advance();
    }
    expected.erase(expected.begin(), std::lower_bound(expected.begin(), expected.end(), begin));
    CHECK(found == expected);
  }
}

}  // namespace
}  // namespace thalweg::testing
