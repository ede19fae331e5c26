#include "common/types/cast_scalar.h"

#include <cmath>
#include <string>

#include "common/types/dates/datetime_text.h"
#include "common/types/decimal_text.h"
#include "common/types/java_text.h"
#include "common/types/value_text.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

TimeZone zone(std::string_view id) { return *TimeZone::of(id); }

/// The row form of CAST(value AS to), or `failed`.
std::string cast(const Value& value, const DataType& from, const DataType& to, const TimeZone& session = TimeZone()) {
  const Result<Value> result = castValue(value, from, to, session);
  return result ? rowForm(*result, to) : "failed";
}
std::string ofText(const char* text, const DataType& to) { return cast(Value::string(text), DataType::string(), to); }
std::string ofLong(int64_t v, const DataType& to) { return cast(Value::integer(v), DataType::bigint(), to); }
std::string ofDouble(double v, const DataType& to) { return cast(Value::floating(v), DataType::float64(), to); }
std::string ofDecimal(const char* text, const DataType& to) {
  const DataType from = DataType::decimal(30, 6);
  return cast(Value::decimal(*parseDecimal(text, {30, 6})), from, to);
}
Value moment(const char* text) { return Value::timestamp(*parseTimestamp(text)); }

TEST_CASE("integers wrap when they narrow") {
  CHECK(ofLong(128, DataType::tinyint()) == "-128");
  CHECK(ofLong(3000000000, DataType::smallint()) == "24064");
  CHECK(ofLong(3000000000, DataType::integer()) == "-1294967296");
  CHECK(ofLong(16777217, DataType::float32()) == "1.6777216E7");
  CHECK(ofLong(9223372036854775807, DataType::float64()) == "9.223372036854776E18");
  CHECK(ofLong(65536, DataType::decimal(5, 2)) == "null");
}

TEST_CASE("doubles saturate at INT and BIGINT, then wrap") {
  CHECK(ofDouble(3e9, DataType::tinyint()) == "-1");
  CHECK(ofDouble(-3e9, DataType::smallint()) == "0");
  CHECK(ofDouble(3e9, DataType::integer()) == "2147483647");
  CHECK(ofDouble(-1e19, DataType::bigint()) == "-9223372036854775808");
  CHECK(ofDouble(std::nan(""), DataType::integer()) == "0");
  CHECK(ofDouble(1e300, DataType::float32()) == "Infinity");
  CHECK(ofDouble(127.99, DataType::decimal(4, 1)) == "128.0");
  CHECK(ofDouble(1e19, DataType::decimal(12, 2)) == "null");
  CHECK(ofDouble(std::nan(""), DataType::decimal(12, 2)) == "failed");
}

TEST_CASE("decimals truncate and wrap, or round half up") {
  CHECK(ofDecimal("12345678901234567890.123456", DataType::bigint()) == "-6101065172474983726");
  CHECK(ofDecimal("99999.995", DataType::smallint()) == "-31073");
  CHECK(ofDecimal("-1.005", DataType::decimal(32, 2)) == "-1.01");
  CHECK(ofDecimal("99999.995", DataType::decimal(6, 2)) == "null");
  CHECK(ofDecimal("0.000001", DataType::float32()) == "1.0E-6");
  CHECK(ofDecimal("99999.995", DataType::float32()) == "99999.99");
  CHECK(ofDecimal("0", DataType::boolean()) == "false");
}

TEST_CASE("text becomes numbers, or fails") {
  CHECK(ofText(" 12.99", DataType::integer()) == "12");
  CHECK(ofText("128", DataType::tinyint()) == "failed");
  CHECK(ofText("2147483648", DataType::float32()) == "2.14748365E9");
  CHECK(ofText("999.995", DataType::decimal(5, 2)) == "1000.00");
  CHECK(ofText("1e3", DataType::decimal(5, 2)) == "failed");
  CHECK(ofText("yes", DataType::boolean()) == "true");
  CHECK(tryCastValue(Value::string("maybe"), DataType::string(), DataType::boolean(), TimeZone()).isNull());
}

TEST_CASE("a failed cast names the value, the types and the way out") {
  const Status status = castValue(Value::string("12abc"), DataType::string(), DataType::integer(false), TimeZone()).status();
  CHECK(status.code() == StatusCode::RUNTIME_ERROR);
  CHECK(status.message() ==
        "cannot cast STRING '12abc' to INT: expected a whole number between -2147483648 and 2147483647; use TRY_CAST to get NULL instead");
}

TEST_CASE("texts are padded and cut by code points, bytes by bytes") {
  CHECK(ofText("Ada", DataType::character(5)) == "Ada  ");
  CHECK(ofText("Müller", DataType::varchar(3)) == "Mül");
  CHECK(ofText("😀😃😄😁", DataType::character(5)) == "😀😃😄😁 ");
  CHECK(ofText("Ada", DataType::binary(4)) == "[65, 100, 97, 0]");
  CHECK(ofText("Müller", DataType::varbinary(4)) == "[77, -61, -68, 108]");
  CHECK(cast(Value::boolean(false), DataType::boolean(), DataType::varchar(4)) == "FALS");
  CHECK(cast(Value::boolean(true), DataType::boolean(), DataType::character(6)) == "TRUE  ");
  CHECK(ofLong(12345, DataType::varchar(3)) == "123");
  CHECK(cast(Value::string("h\xc3\xa9\xff"), DataType::bytes(), DataType::string()) == "hé\xEF\xBF\xBD");
}

TEST_CASE("malformed UTF-8 is replaced piece by piece") {
  CHECK(textOfBytes("\xe2\x82") == "\xEF\xBF\xBD");
  CHECK(textOfBytes("\xe2\x82x") == "\xEF\xBF\xBDx");
  CHECK(textOfBytes("\xc0\x80") == "\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(textOfBytes("\xed\xa0\x80") == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(textOfBytes("naïve ☃ 😀") == "naïve ☃ 😀");
}

TEST_CASE("temporal types convert through the session's wall clock") {
  const TimeZone kolkata = zone("Asia/Kolkata");
  const DataType ltz = DataType::timestampLtz(3);
  CHECK(cast(moment("2024-02-29 18:29:59.999"), ltz, DataType::timestamp(0), kolkata) == "2024-02-29T23:59:59");
  CHECK(cast(moment("2024-02-29 18:30:00"), ltz, DataType::date(), kolkata) == "2024-03-01");
  CHECK(cast(moment("1970-01-01 00:00:00"), ltz, DataType::time(), kolkata) == "05:30");
  CHECK(cast(moment("2024-02-29 18:30:00"), ltz, DataType::string(), kolkata) == "2024-03-01 00:00:00.000");
  CHECK(cast(Value::integer(*parseDate("9999-12-31")), DataType::date(), ltz, kolkata) == "9999-12-30T18:30:00Z");
  CHECK(cast(moment("2024-02-29 23:59:59.987654321"), DataType::timestamp(9), DataType::timestampLtz(3), kolkata) ==
        "2024-02-29T18:29:59.987Z");
  CHECK(cast(Value::integer(*parseTime("23:59:59")), DataType::time(), DataType::timestamp(3)) == "1970-01-01T23:59:59");
  CHECK(cast(moment("2024-03-10 02:30:00"), DataType::timestamp(3), ltz, zone("America/New_York")) == "2024-03-10T07:30:00Z");
}

TEST_CASE("timestamps before 1970 convert like those after") {
  CHECK(cast(moment("1969-12-31 23:59:59.000000001"), DataType::timestamp(9), DataType::date()) == "1969-12-31");
  CHECK(cast(moment("1969-12-31 23:59:59.987"), DataType::timestamp(3), DataType::time()) == "23:59:59");
  CHECK(cast(moment("1969-12-31 23:59:59.987"), DataType::timestamp(3), DataType::timestamp(1)) == "1969-12-31T23:59:59.900");
}

TEST_CASE("nested values convert part by part") {
  const DataType ints = DataType::array(DataType::integer());
  const Value numbers = Value::list({Value::integer(1), Value::null(), Value::integer(300)});
  CHECK(cast(numbers, ints, DataType::array(DataType::tinyint())) == "[1, null, 44]");
  CHECK(cast(numbers, ints, DataType::string()) == "[1, NULL, 300]");
  const DataType row = DataType::row({{"sku", DataType::string()}, {"cnt", DataType::integer()}});
  const Value line = Value::row({Value::string("B22222"), Value::integer(-70000)});
  CHECK(cast(line, row, DataType::row({{"a", DataType::character(4)}, {"b", DataType::smallint()}})) == "+I[B222, -4464]");
  CHECK(cast(line, row, DataType::string()) == "(B22222, -70000)");
  const DataType map = DataType::map(DataType::string(), DataType::float64());
  const Value attributes = Value::map({{Value::string("w"), Value::floating(1.5)}, {Value::string("wide"), Value::null()}});
  CHECK(cast(attributes, map, DataType::map(DataType::varchar(1), DataType::string())) == "{w=null}");
  CHECK(cast(attributes, map, DataType::string()) == "{w=1.5, wide=NULL}");
  const DataType texts = DataType::array(DataType::string());
  CHECK(cast(Value::list({Value::string("1"), Value::string("two")}), texts, ints) == "failed");
}

TEST_CASE("result rows print in the form of Row.toString") {
  const DataType types[] = {DataType::boolean(), DataType::decimal(20, 9), DataType::bytes(), DataType::multiset(DataType::string()),
                            DataType::row({{"a", DataType::float32()}, {"b", DataType::intervalMonth()}}), DataType::intervalSecond(),
                            DataType::date()};
  const Value values[] = {Value::boolean(true),
                          Value::decimal(0),
                          Value::string("\xff\x01"),
                          Value::map({{Value::string("red"), Value::integer(2)}}),
                          Value::row({Value::floating(0.1F), Value::integer(14)}),
                          Value::integer(129600000),
                          Value::null()};
  CHECK(rowForm(RowKind::UPDATE_AFTER, values, types) == "+U[true, 0E-9, [-1, 1], {red=2}, +I[0.1, P14M], PT36H, null]");
}

TEST_CASE("nested values print as casts print them") {
  const DataType type = DataType::array(DataType::row({{"d", DataType::date()}, {"t", DataType::timestampLtz(3)}, {"b", DataType::bytes()},
                                                       {"i", DataType::intervalSecond()}, {"c", DataType::decimal(10, 2)}}));
  const Value value = Value::list({Value::row({Value::integer(-1), moment("2023-12-31 23:59:59.999"), Value::string("x'y"),
                                               Value::integer(-93784567), Value::decimal(-50)}),
                                   Value::null()});
  CHECK(castForm(value, type, TimeZone()) == "[(1969-12-31, 2023-12-31 23:59:59.999, x'y, -1 02:03:04.567, -0.50), NULL]");
}

}  // namespace
}  // namespace thalweg
