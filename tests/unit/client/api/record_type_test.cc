#include "client/api/thalweg/types.h"
#include "client/api/thalweg/record_type.h"
#include "common/types/value_text.h"

#include <catch2/catch.hpp>

namespace shop {
struct Address {
  std::string street;
  std::optional<int> number;
  bool operator==(const Address&) const = default;
};
BOOST_DESCRIBE_STRUCT(Address, (), (street, number))

struct Order {
  std::string user;
  int amount = 0;
  std::optional<double> discount;
  std::vector<int64_t> parts;
  std::map<std::string, int> tags;
  std::optional<Address> address;
  thalweg::api::Instant at;
  thalweg::api::LocalDate day;
  thalweg::api::Decimal price;
  bool operator==(const Order&) const = default;
};
BOOST_DESCRIBE_STRUCT(Order, (), (user, amount, discount, parts, tags, address, at, day, price))

struct Opaque {
  int secret = 0;
  bool operator==(const Opaque&) const = default;
};
}  // namespace shop

template <>
struct thalweg::api::TypeSerializer<shop::Opaque> {
  static std::string serialize(const shop::Opaque& value) { return std::to_string(value.secret); }
  static shop::Opaque deserialize(std::string_view bytes) { return {std::stoi(std::string(bytes))}; }
};

namespace thalweg::api {
namespace {

std::vector<shop::Order> orders() {
  return {{"ada", 3, 0.5, {1, 2}, {{"a", 1}}, shop::Address{"Rue", 7}, Instant::ofEpochMilli(1000), LocalDate::of(2024, 2, 29), Decimal("12.50")},
          {"a longer name than fits", -1, std::nullopt, {}, {}, std::nullopt, Instant(), LocalDate(), Decimal(0)},
          {"", 9, 1.0, {5}, {{"x", 2}, {"y", 3}}, shop::Address{"", std::nullopt}, Instant::ofEpochMilli(-1), LocalDate::of(1969, 1, 1), Decimal("-1")}};
}

TEST_CASE("a described struct has a column per field, NOT NULL unless optional") {
  const auto type = RecordType<shop::Order>::of();
  CHECK(schemaText(type->schema()) ==
        "(user STRING NOT NULL, amount INT NOT NULL, discount DOUBLE, parts ARRAY<BIGINT NOT NULL> NOT NULL, "
        "tags MAP<STRING NOT NULL, INT NOT NULL> NOT NULL, address ROW<`street` STRING NOT NULL, `number` INT>, "
        "at TIMESTAMP_LTZ(9) NOT NULL, day DATE NOT NULL, price DECIMAL(38, 18) NOT NULL)");
}

TEST_CASE("a stream may be of bool") {
  const auto type = RecordType<bool>::of();
  const std::vector<bool> records = {true, false, true};
  std::vector<bool> back;
  type->decode(type->encode(records), back);
  CHECK(back == records);
}

TEST_CASE("records become columns and come back equal") {
  const auto type = RecordType<shop::Order>::of();
  const Batch batch = type->encode(orders());
  REQUIRE(batch.rows() == 3);
  std::vector<shop::Order> back;
  type->decode(batch, back);
  CHECK(back == orders());
  const std::vector<RowIndex> odd = {0, 2};
  type->decode(batch.select(odd), back);
  CHECK(back == std::vector<shop::Order>{orders()[0], orders()[2]});
}

TEST_CASE("records become bytes and come back equal") {
  for (const shop::Order& order : orders()) {
    std::string bytes;
    FieldTraits<shop::Order>::write(order, bytes);
    shop::Order back;
    ByteReader reader(bytes);
    FieldTraits<shop::Order>::read(reader, back);
    CHECK(back == order);
    CHECK(reader.isAtEnd());
    ByteReader cut(std::string_view(bytes).substr(0, bytes.size() - 1));
    CHECK_THROWS_AS(FieldTraits<shop::Order>::read(cut, back), ValidationException);
  }
}

TEST_CASE("records print as their type says, or as a case class") {
  CHECK(textOf(shop::Address{"Rue", std::nullopt}) == "Address(Rue,null)");
  CHECK(textOf(std::tuple<int, std::string, double>(1, "x", 2.0)) == "(1,x,2.0)");
  CHECK(textOf(std::vector<int>{1, 2}) == "[1, 2]");
  CHECK(textOf(std::map<std::string, bool>{{"k", true}}) == "{k=true}");
}

TEST_CASE("a scalar is one column f0, and numbers keep their size") {
  CHECK(schemaText(RecordType<std::string>::of()->schema()) == "(f0 STRING NOT NULL)");
  CHECK(schemaText(RecordType<int64_t>::of()->schema()) == "(f0 BIGINT NOT NULL)");
  CHECK(schemaText(RecordType<uint8_t>::of()->schema()) == "(f0 SMALLINT NOT NULL)");
  CHECK(schemaText(RecordType<float>::of()->schema()) == "(f0 FLOAT NOT NULL)");
  CHECK(schemaText(RecordType<std::pair<int8_t, bool>>::of()->schema()) == "(f0 TINYINT NOT NULL, f1 BOOLEAN NOT NULL)");
}

TEST_CASE("a registered serializer makes any type a column of bytes") {
  const auto type = RecordType<shop::Opaque>::of();
  CHECK(schemaText(type->schema()) == "(f0 BYTES NOT NULL)");
  std::vector<shop::Opaque> back;
  type->decode(type->encode({{4}, {5}}), back);
  CHECK(back == std::vector<shop::Opaque>{{4}, {5}});
}

TEST_CASE("NULL for a field that is not optional is refused with the cure") {
  const auto wide = rowRecordType({{"a", DataType::integer()}});
  const Batch batch = wide->encode({Row::of(nullptr)});
  std::vector<int> back;
  CHECK_THROWS_WITH(RecordType<int>::of()->decode(batch, back), Catch::Contains("make the field a std::optional"));
}

TEST_CASE("rows know their values by position and name") {
  Row row = Row::of("Alice", 12, nullptr, 2.5);
  CHECK(row.toString() == "+I[Alice, 12, null, 2.5]");
  CHECK(row.getFieldAs<std::string>(0) == "Alice");
  CHECK(row.getFieldAs<int>(1) == 12);
  CHECK(row.getFieldAs<std::optional<int>>(2) == std::nullopt);
  CHECK_THROWS_WITH(row.getFieldAs<int>(2), Catch::Contains("NULL"));
  CHECK_THROWS_WITH(row.getFieldAs<int>(0), Catch::Contains("expected an integer"));
  CHECK_THROWS_WITH(row.getFieldAs<int>(9), Catch::Contains("below 4"));
  CHECK_THROWS_WITH(row.getFieldAs<int>("age"), Catch::Contains("no field named 'age'"));
  Row named = Row::withNames(RowKind::DELETE);
  named.setField("name", std::string("Bob"));
  named.setField("when", LocalDateTime::parse("2021-08-21T13:00:00"));
  CHECK(named.toString() == "-D[Bob, 2021-08-21T13:00]");
  CHECK(named.getFieldAs<LocalDateTime>("when").toString() == "2021-08-21T13:00");
}

TEST_CASE("rows get their types from their values or from a declaration") {
  const auto inferred = inferRowType({Row::of("a", nullptr), Row::of("b", 2)});
  CHECK(schemaText(inferred->schema()) == "(f0 STRING, f1 INT)");
  CHECK_FALSE(inferRowType({Row::of(nullptr)})->isKnown());
  const auto declared = Types::ROW_NAMED({"name", "price"}, {Types::STRING(), DataType::decimal(10, 2)});
  std::vector<Row> back;
  declared->decode(declared->encode({Row::ofKind(RowKind::UPDATE_AFTER, "x", Decimal("1.5"))}), back);
  CHECK(back[0].toString() == "+U[x, 1.50]");
  CHECK_THROWS_WITH(declared->encode({Row::of(1, Decimal(1))}), Catch::Contains("expected a value of type STRING"));
  CHECK_THROWS_WITH(declared->encode({Row::of("x")}), Catch::Contains("expected a row of 2 fields"));
  std::string bytes;
  FieldTraits<Row>::write(back[0], bytes);
  ByteReader reader(bytes);
  Row copy;
  FieldTraits<Row>::read(reader, copy);
  CHECK(copy.toString() == "+U[x, 1.50]");
}

}  // namespace
}  // namespace thalweg::api
