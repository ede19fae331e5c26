#include <sstream>

#include "client/api/thalweg/data_types.h"
#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/schema.h"
#include "client/api/thalweg/table_environment.h"

#include <catch2/catch.hpp>

using namespace thalweg::api;

TEST_CASE("DataTypes are the types of SQL") {
  CHECK(DataTypes::STRING().toString() == "STRING");
  CHECK(DataTypes::DECIMAL(10, 2).notNull().toString() == "DECIMAL(10, 2) NOT NULL");
  CHECK(DataTypes::ROW({DataTypes::FIELD("id", DataTypes::BIGINT()), DataTypes::FIELD("tags", DataTypes::ARRAY(DataTypes::STRING()))}).toString() ==
        "ROW<`id` BIGINT, `tags` ARRAY<STRING>>");
  CHECK(DataTypes::of("TIMESTAMP_LTZ(3)") == DataTypes::TIMESTAMP_LTZ(3));
  CHECK(DataTypes::ROW({DataTypes::INT(), DataTypes::STRING()}).fieldName(1) == "f1");
}

TEST_CASE("types that cannot be are refused") {
  CHECK_THROWS_WITH(DataTypes::CHAR(0), "CHAR takes a length from 1 to 2147483647, not 0");
  CHECK_THROWS_AS(DataTypes::DECIMAL(39, 0), ValidationException);
  CHECK_THROWS_AS(DataTypes::DECIMAL(5, 6), ValidationException);
  CHECK_THROWS_AS(DataTypes::TIMESTAMP(10), ValidationException);
  CHECK_THROWS_AS(DataTypes::of("INTEGR"), Exception);
  CHECK_THROWS_AS(DataTypes::STRUCTURED("User", {}), ValidationException);
}

TEST_CASE("a schema keeps its declarations in order") {
  const Schema schema = Schema::newBuilder()
                            .column("id", DataTypes::BIGINT())
                            .column("name", "STRING")
                            .withComment("of the user")
                            .columnByExpression("twice", "id * 2")
                            .columnByExpression("upper", $("name").upperCase())
                            .columnByMetadata("rowtime", "TIMESTAMP_LTZ(3)")
                            .columnByMetadata("offset", DataTypes::BIGINT(), "o", true)
                            .watermark("rowtime", "SOURCE_WATERMARK()")
                            .primaryKey("id")
                            .build();
  CHECK(schema.toString() ==
        "(\n  `id` BIGINT,\n  `name` STRING COMMENT 'of the user',\n  `twice` AS id * 2,\n  `upper` AS UPPER(`name`),\n"
        "  `rowtime` TIMESTAMP_LTZ(3) METADATA,\n  `offset` BIGINT METADATA FROM 'o' VIRTUAL,\n"
        "  WATERMARK FOR `rowtime` AS SOURCE_WATERMARK(),\n  CONSTRAINT `PK_id` PRIMARY KEY (`id`) NOT ENFORCED\n)");
  CHECK(Schema::newBuilder().fromSchema(schema).build().toString() == schema.toString());
}

TEST_CASE("a schema refuses what is declared twice") {
  Schema::Builder builder = Schema::newBuilder();
  builder.column("a", DataTypes::INT()).watermark("a", "a").primaryKey("a");
  CHECK_THROWS_WITH(builder.column("a", DataTypes::INT()), "schema: column 'a' is declared twice");
  CHECK_THROWS_AS(builder.watermark("a", "a"), ValidationException);
  CHECK_THROWS_AS(builder.primaryKey("a"), ValidationException);
  CHECK_THROWS_AS(Schema::newBuilder().withComment("x"), ValidationException);
  CHECK_THROWS_AS(Schema::newBuilder().fromRowDataType(DataTypes::INT()), ValidationException);
  CHECK_THROWS_AS(Schema::newBuilder().fromFields({"a"}, {}), ValidationException);
}

TEST_CASE("a table's schema prints its declarations as Flink does") {
  const auto env = TableEnvironment::create();
  env.executeSql("CREATE TABLE g (name STRING, score INT NOT NULL, event_time TIMESTAMP_LTZ(3), twice AS score * 2, p AS PROCTIME(), "
                 "WATERMARK FOR event_time AS event_time - INTERVAL '10' SECOND, PRIMARY KEY (score) NOT ENFORCED) WITH ('connector' = 'datagen')");
  CHECK(env.from("g").getResolvedSchema().toString() ==
        "(\n  `name` STRING,\n  `score` INT NOT NULL,\n  `event_time` TIMESTAMP_LTZ(3) *ROWTIME*,\n  `twice` INT NOT NULL AS `score` * 2,\n"
        "  `p` TIMESTAMP_LTZ(3) NOT NULL *PROCTIME* AS PROCTIME(),\n"
        "  WATERMARK FOR `event_time`: TIMESTAMP_LTZ(3) AS `event_time` - INTERVAL '10' SECOND,\n"
        "  CONSTRAINT `PK_score` PRIMARY KEY (`score`) NOT ENFORCED\n)");
  const ResolvedSchema selected = env.from("g").select($("name"), $("event_time")).getResolvedSchema();
  CHECK(selected.toString() == "(\n  `name` STRING,\n  `event_time` TIMESTAMP_LTZ(3) *ROWTIME*\n)");
  CHECK(selected.getColumnNames() == std::vector<std::string>{"name", "event_time"});
  CHECK(selected.getColumn("name")->type == DataTypes::STRING());
  CHECK_FALSE(selected.getColumn("nome"));
  CHECK(selected.getColumnDataTypes()[0] == DataTypes::STRING());
  CHECK(selected.toRowDataType().toString() == "ROW<`name` STRING, `event_time` TIMESTAMP_LTZ(3)> NOT NULL");
  CHECK(selected.getColumns()[1].asSummaryString() == "`event_time` TIMESTAMP_LTZ(3) *ROWTIME*");
  const Schema keyed = Schema::newBuilder().column("id", DataTypes::INT().notNull()).primaryKeyNamed("the_key", {"id"}).build();
  CHECK(keyed.getPrimaryKeyName() == "the_key");
}

TEST_CASE("a structured type shows its class") {
  ResolvedSchema schema;
  schema.columns.push_back({.name = "user", .type = DataTypes::STRUCTURED("User", {DataTypes::FIELD("name", DataTypes::STRING()), DataTypes::FIELD("score", DataTypes::INT())})});
  CHECK(schema.toString() == "(\n  `user` *User<`name` STRING,`score` INT>*\n)");
}
