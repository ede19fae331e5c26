#include "common/types/data_type.h"


#include "common/types/value.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

TEST_CASE("a type prints in its summary form") {
  CHECK(DataType::decimal(10, 2, false).toString() == "DECIMAL(10, 2) NOT NULL");
  CHECK(DataType::string().toString() == "STRING");
  CHECK(DataType::bytes(false).toString() == "BYTES NOT NULL");
  CHECK(DataType::character(0, false).toString() == "CHAR(0) NOT NULL");
  CHECK(DataType::timestampLtz(3).toString() == "TIMESTAMP_LTZ(3)");
  CHECK(DataType::intervalSecond(false).toString() == "INTERVAL SECOND(3) NOT NULL");
  CHECK(DataType::map(DataType::integer(false), DataType::row({{"a", DataType::integer()}}), false).toString() ==
        "MAP<INT NOT NULL, ROW<`a` INT>> NOT NULL");
  CHECK(DataType::row({{"y `z", DataType::string()}}).toString() == "ROW<`y ``z` STRING>");
  CHECK(DataType::null().toString() == "NULL");
}

TEST_CASE("the serializable form is what DDL reads again") {
  CHECK(DataType::string().toSerializableString() == "VARCHAR(2147483647)");
  CHECK(DataType::timestampLtz(3, false).toSerializableString() == "TIMESTAMP(3) WITH LOCAL TIME ZONE NOT NULL");
  CHECK(DataType::row({{"x", DataType::integer(), "the 'first'"}}).toSerializableString() ==
        "ROW<`x` INT 'the ''first'''>");
}

TEST_CASE("equality looks at nullability on every level") {
  const DataType a = DataType::array(DataType::integer());
  CHECK(a == DataType::array(DataType::integer()));
  CHECK_FALSE(a == DataType::array(DataType::integer(false)));
  CHECK(a.sameIgnoringNullability(DataType::array(DataType::integer(false), false)));
  CHECK(a.sameAs(a.notNull()));
  CHECK_FALSE(DataType::row({{"a", DataType::integer()}}) == DataType::row({{"b", DataType::integer()}}));
  CHECK(DataType::row({{"a", DataType::integer()}}).sameIgnoringNullability(DataType::row({{"b", DataType::integer()}})));
}

TEST_CASE("values are equal in depth, with NaN equal to itself and maps as sets") {
  CHECK(Value::floating(std::nan("")) == Value::floating(std::nan("")));
  CHECK(Value::map({{Value::string("x"), Value::integer(1)}, {Value::string("y"), Value::null()}}) ==
        Value::map({{Value::string("y"), Value::null()}, {Value::string("x"), Value::integer(1)}}));
  CHECK(Value::list({Value::integer(1), Value::null()}) == Value::list({Value::integer(1), Value::null()}));
  CHECK_FALSE(Value::integer(1) == Value::null());
  CHECK_FALSE(Value::row({Value::integer(1)}) == Value::row({Value::integer(1)}, RowKind::DELETE));
}

}  // namespace
}  // namespace thalweg
