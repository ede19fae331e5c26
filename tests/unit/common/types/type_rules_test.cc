#include "common/types/type_rules.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace thalweg {
namespace {

std::string shown(const std::optional<DataType>& type) { return type ? type->toString() : "none"; }
std::string common(std::vector<DataType> types) { return shown(leastRestrictive(types)); }
std::string result(ArithmeticOp op, const DataType& a, const DataType& b) { return shown(arithmeticType(op, a, b)); }

const DataType kInt = DataType::integer();
const DataType kBigint = DataType::bigint();

TEST_CASE("numbers widen to the type that holds them all") {
  CHECK(common({kInt, kBigint}) == "BIGINT");
  CHECK(common({kInt, DataType::decimal(7, 2)}) == "DECIMAL(12, 2)");
  CHECK(common({DataType::decimal(2, 1, false), DataType::decimal(4, 2, false), DataType::integer(false)}) ==
        "DECIMAL(12, 2) NOT NULL");
  CHECK(common({kBigint, DataType::decimal(7, 2)}) == "DECIMAL(21, 2)");
  CHECK(common({DataType::decimal(38, 18), kBigint}) == "DECIMAL(38, 18)");
  CHECK(common({DataType::smallint(), DataType::decimal(2, 1)}) == "DECIMAL(6, 1)");
  CHECK(common({kBigint, DataType::float32()}) == "FLOAT");
  CHECK(common({DataType::float32(), DataType::decimal(5, 2)}) == "DOUBLE");
  CHECK(common({DataType::float32(), DataType::float64()}) == "FLOAT");  // the first decides, as in Flink
  CHECK(common({DataType::float64(), DataType::float32()}) == "DOUBLE");
}

TEST_CASE("texts of different fixed length become variable") {
  CHECK(common({DataType::character(3, false), DataType::character(3, false)}) == "CHAR(3) NOT NULL");
  CHECK(common({DataType::character(1, false), DataType::character(3, false)}) == "VARCHAR(3) NOT NULL");
  CHECK(common({DataType::character(1), DataType::string()}) == "STRING");
  CHECK(common({DataType::binary(1), DataType::binary(3)}) == "VARBINARY(3)");
}

TEST_CASE("times and timestamps keep the most digits") {
  CHECK(common({DataType::time(0), DataType::time(3)}) == "TIME(3)");
  CHECK(common({DataType::timestamp(3), DataType::timestamp(9)}) == "TIMESTAMP(9)");
  CHECK(common({DataType::timestamp(3), DataType::timestampLtz(3)}) == "TIMESTAMP(3)");
  CHECK(common({DataType::timestamp(3), DataType::timestampLtz(6)}) == "TIMESTAMP_LTZ(6)");
}

TEST_CASE("nested types widen part by part, with the names of the first row") {
  CHECK(common({DataType::array(kInt), DataType::array(DataType::bigint(false))}) == "ARRAY<BIGINT>");
  CHECK(common({DataType::map(DataType::varchar(3), kInt), DataType::map(DataType::character(2), kBigint)}) ==
        "MAP<VARCHAR(3), BIGINT>");
  CHECK(common({DataType::row({{"a", kInt}, {"b", DataType::varchar(3)}}), DataType::row({{"x", kBigint}, {"y", DataType::character(5)}})}) ==
        "ROW<`a` BIGINT, `b` VARCHAR(5)>");
  CHECK(common({DataType::row({{"a", kInt}}), DataType::row({})}) == "none");
}

TEST_CASE("NULL only makes nullable, and unlike types have nothing in common") {
  CHECK(common({DataType::null(), DataType::integer(false)}) == "INT");
  CHECK(common({DataType::null()}) == "NULL");
  CHECK(common({}) == "none");
  CHECK(common({kInt, DataType::string()}) == "none");
  CHECK(common({kInt, DataType::date()}) == "none");
  CHECK(common({DataType::date(), DataType::timestamp(3)}) == "none");
  CHECK(common({DataType::intervalMonth(), DataType::intervalSecond()}) == "none");
  CHECK(common({DataType::boolean(), kInt}) == "none");
}

TEST_CASE("implicit casts only widen") {
  CHECK(supportsImplicitCast(kInt, kBigint));
  CHECK(supportsImplicitCast(DataType::float64(), DataType::decimal(5, 2)));
  CHECK(supportsImplicitCast(DataType::string(), DataType::varchar(3)));
  CHECK(supportsImplicitCast(DataType::timestamp(3), DataType::date()));
  CHECK(supportsImplicitCast(DataType::null(), DataType::array(kInt)));
  CHECK(supportsImplicitCast(DataType::array(kInt), DataType::array(kBigint)));
  CHECK_FALSE(supportsImplicitCast(DataType::array(kInt), DataType::array(DataType::bigint(false))));
  CHECK_FALSE(supportsImplicitCast(kBigint, kInt));
  CHECK_FALSE(supportsImplicitCast(DataType::float64(), DataType::float32()));
  CHECK_FALSE(supportsImplicitCast(DataType::varchar(3), DataType::character(3)));
  CHECK_FALSE(supportsImplicitCast(DataType::date(), DataType::varchar(3)));
  CHECK_FALSE(supportsImplicitCast(DataType::boolean(), DataType::decimal(5, 2)));
  CHECK_FALSE(supportsImplicitCast(DataType::string(), kInt));
}

TEST_CASE("explicit casts are those that Flink runs") {
  const std::vector<DataType> refused_from_date = {kInt, DataType::time(), DataType::boolean(), DataType::bytes()};
  for (const DataType& to : refused_from_date) CHECK_FALSE(supportsExplicitCast(DataType::date(), to));
  CHECK_FALSE(supportsExplicitCast(kBigint, DataType::timestamp(3)));
  CHECK_FALSE(supportsExplicitCast(DataType::timestamp(3), kBigint));
  CHECK_FALSE(supportsExplicitCast(DataType::bytes(), kInt));
  CHECK_FALSE(supportsExplicitCast(kInt, DataType::array(kInt)));
  CHECK_FALSE(supportsExplicitCast(DataType::string(), DataType::array(kInt)));
  CHECK_FALSE(supportsExplicitCast(DataType::intervalMonth(), kInt));
  CHECK_FALSE(supportsExplicitCast(DataType::variant(), DataType::string()));
  CHECK_FALSE(supportsExplicitCast(DataType::row({{"a", kInt}, {"b", kInt}}), DataType::row({{"a", kInt}})));
  CHECK(supportsExplicitCast(DataType::time(), DataType::timestampLtz(3)));
  CHECK(supportsExplicitCast(DataType::decimal(5, 2), DataType::boolean()));
  CHECK(supportsExplicitCast(kInt, DataType::intervalMonth()));
  CHECK(supportsExplicitCast(DataType::bytes(), DataType::character(3)));
  CHECK(supportsExplicitCast(DataType::multiset(kInt), DataType::string()));
  CHECK_FALSE(supportsExplicitCast(DataType::bitmap(), DataType::bytes()));
  CHECK(supportsExplicitCast(DataType::map(DataType::string(), kInt), DataType::map(DataType::string(), DataType::string())));
}

TEST_CASE("casts of text to anything else can fail") {
  CHECK(castCanFail(DataType::string(), kInt));
  CHECK(castCanFail(DataType::array(DataType::string()), DataType::array(kInt)));
  CHECK_FALSE(castCanFail(DataType::string(), DataType::bytes()));
  CHECK_FALSE(castCanFail(kBigint, kInt));
  CHECK(castCanFail(DataType::float64(), DataType::decimal(5, 2)));
}

TEST_CASE("what may be compared") {
  CHECK(isOrderable(kInt, DataType::decimal(5, 2)));
  CHECK(isOrderable(DataType::character(3), DataType::string()));
  CHECK(isEquatable(DataType::array(kInt), DataType::array(kBigint)));
  CHECK_FALSE(isOrderable(DataType::array(kInt), DataType::array(kInt)));
  CHECK(isOrderable(kInt, DataType::string()));
  CHECK(shown(comparisonType(DataType::string(), DataType::integer(false))) == "INT");
  CHECK_FALSE(isEquatable(kInt, DataType::string()));
  CHECK_FALSE(isEquatable(DataType::date(), DataType::timestamp(3)));
  CHECK_FALSE(isEquatable(kInt, DataType::boolean()));
  CHECK_FALSE(isEquatable(DataType::bytes(), DataType::string()));
  CHECK_FALSE(isEquatable(DataType::intervalMonth(), DataType::intervalSecond()));
  CHECK(shown(comparisonType(DataType::timestamp(3), DataType::timestampLtz(3))) == "TIMESTAMP_LTZ(3)");
  CHECK(isTextCoercible(DataType::date()));
  CHECK_FALSE(isTextCoercible(kInt));
}

TEST_CASE("arithmetic keeps integer types and lets decimals grow") {
  const DataType tinyint = DataType::tinyint();
  const DataType decimal = DataType::decimal(10, 2);
  CHECK(result(ArithmeticOp::ADD, tinyint, tinyint) == "TINYINT");
  CHECK(result(ArithmeticOp::ADD, tinyint, DataType::integer(false)) == "INT");
  CHECK(result(ArithmeticOp::MODULO, kBigint, tinyint) == "TINYINT");
  CHECK(result(ArithmeticOp::DIVIDE, tinyint, kBigint) == "BIGINT");
  CHECK(result(ArithmeticOp::ADD, decimal, kInt) == "DECIMAL(13, 2)");
  CHECK(result(ArithmeticOp::MULTIPLY, kInt, decimal) == "DECIMAL(21, 2)");
  CHECK(result(ArithmeticOp::DIVIDE, kInt, decimal) == "DECIMAL(23, 11)");
  CHECK(result(ArithmeticOp::MODULO, kInt, decimal) == "DECIMAL(10, 2)");
  CHECK(result(ArithmeticOp::MULTIPLY, DataType::smallint(), DataType::decimal(2, 1, false)) == "DECIMAL(8, 1)");
  CHECK(result(ArithmeticOp::MULTIPLY, DataType::float32(), decimal) == "DOUBLE");
  CHECK(result(ArithmeticOp::ADD, DataType::float32(), kBigint) == "FLOAT");
  CHECK(result(ArithmeticOp::MODULO, DataType::float64(), kInt) == "none");
  CHECK(result(ArithmeticOp::ADD, DataType::string(), kInt) == "none");
  CHECK(result(ArithmeticOp::ADD, DataType::integer(false), DataType::null()) == "INT");
}

TEST_CASE("dates, times and timestamps take intervals") {
  CHECK(result(ArithmeticOp::ADD, DataType::date(), DataType::intervalSecond(false)) == "DATE");
  CHECK(result(ArithmeticOp::ADD, DataType::intervalMonth(false), DataType::timestamp(9)) == "TIMESTAMP(9)");
  CHECK(result(ArithmeticOp::SUBTRACT, DataType::timestampLtz(3, false), DataType::intervalMonth(false)) == "TIMESTAMP_LTZ(3) NOT NULL");
  CHECK(result(ArithmeticOp::MULTIPLY, kInt, DataType::intervalSecond(false)) == "INTERVAL SECOND(3)");
  CHECK(result(ArithmeticOp::SUBTRACT, DataType::intervalMonth(), DataType::intervalMonth()) == "INTERVAL MONTH");
  CHECK(result(ArithmeticOp::ADD, DataType::intervalMonth(), DataType::intervalSecond()) == "none");
  CHECK(result(ArithmeticOp::ADD, DataType::date(), DataType::timestamp(3)) == "none");
  CHECK(result(ArithmeticOp::ADD, DataType::date(), kInt) == "none");
  CHECK(result(ArithmeticOp::SUBTRACT, DataType::intervalMonth(), DataType::date()) == "none");
}

TEST_CASE("SUM and AVG of integers keep their type, of decimals widen") {
  CHECK(shown(sumType(DataType::tinyint(false))) == "TINYINT");
  CHECK(shown(sumType(DataType::decimal(8, 2))) == "DECIMAL(38, 2)");
  CHECK(shown(avgType(DataType::decimal(5, 2))) == "DECIMAL(38, 6)");
  CHECK(shown(avgType(DataType::float32())) == "FLOAT");
  CHECK(shown(sumType(DataType::string())) == "none");
}

}  // namespace
}  // namespace thalweg
