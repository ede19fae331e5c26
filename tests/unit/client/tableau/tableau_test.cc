#include "client/tableau/tableau.h"

#include <catch2/catch.hpp>

namespace thalweg::client {
namespace {

Schema schemaOf(const std::vector<std::pair<std::string, DataType>>& columns) {
  std::vector<Column> made;
  for (const auto& [name, type] : columns) made.push_back({name, type});
  return Schema(std::move(made));
}

}  // namespace

TEST_CASE("widths follow from types as Flink's do, with room for <NULL>") {
  const Tableau tableau(schemaOf({{"b", DataType::boolean(false)}, {"ti", DataType::tinyint(false)}, {"si", DataType::smallint(false)},
                                  {"i", DataType::integer()}, {"dec", DataType::decimal(10, 2)}, {"d", DataType::date()}, {"t", DataType::time(0)},
                                  {"ts", DataType::timestamp(3)}, {"v5", DataType::varchar(5)}, {"c3", DataType::character(3, false)}}),
                        true, 30);
  CHECK(tableau.heading() ==
        "| op |      b |     ti |     si |           i |          dec |          d |        t |                      ts |"
        "                             v5 |                             c3 |");
  CHECK(tableau.rule().size() == tableau.heading().size());
}

TEST_CASE("a heading wider than its type widens the column") {
  const Tableau tableau(schemaOf({{"timed_column", DataType::boolean()}}), false, 30);
  CHECK(tableau.row({"TRUE"}) == "|         TRUE |");
}

TEST_CASE("what is too wide ends in dots, counted in columns of a terminal") {
  const Tableau tableau(schemaOf({{"s", DataType::string()}}), false, 10);
  CHECK(tableau.row({"abcdefghij"}) == "| abcdefghij |");
  CHECK(tableau.row({"abcdefghijk"}) == "| abcdefg... |");
  CHECK(tableau.row({"表情包"}) == "|     表情包 |");
  CHECK(tableau.row({"表情包表情包"}) == "|  表情包... |");
}

TEST_CASE("a table that is whole is as wide as its content") {
  Tableau tableau(schemaOf({{"name", DataType::string()}, {"n", DataType::integer()}}), false, 30);
  tableau.fitTo({{"Alice", "1"}, {"Bo", "<NULL>"}});
  CHECK(tableau.heading() == "|  name |      n |");
  CHECK(tableau.row({"Bo", "<NULL>"}) == "|    Bo | <NULL> |");
}

TEST_CASE("cells are in cast form and on one line") {
  const Schema schema = schemaOf({{"s", DataType::string()}, {"b", DataType::boolean()}, {"n", DataType::integer()}});
  CHECK(cellsOf(std::vector<Value>{Value::string("a\nb"), Value::boolean(true), Value::null()}, schema, TimeZone()) ==
        std::vector<std::string>{"a b", "TRUE", "<NULL>"});
  CHECK(clipped("表情包", 5) == "表情");
  CHECK(cutTo("表情包", 6) == "表情包");
  CHECK(cutTo("表情包", 5) == "表情>");
  CHECK(cutTo("表情包", 4) == "表 >");
  CHECK(cutTo("| a | b |", 5) == "| a >");
}

}  // namespace thalweg::client
