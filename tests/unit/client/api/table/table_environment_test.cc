#include <filesystem>
#include <fstream>
#include <sstream>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/table_environment.h"

#include <catch2/catch.hpp>

using namespace thalweg::api;
using Catch::Matchers::Contains;

namespace {

std::string printed(TableResult result) {
  std::ostringstream out;
  result.print(out);
  return out.str();
}

std::vector<std::string> rowsOf(TableResult result) {
  std::vector<std::string> rows;
  for (RowIterator it = result.collect(); it.hasNext();) rows.push_back(it.next().toString());
  return rows;
}

using Rows = std::vector<std::string>;

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("thalweg_table_" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("print() frames a changelog in streaming mode and a table in batch mode") {
  const TableEnvironment streaming = TableEnvironment::create();
  const Table table = streaming.fromValues(row("Alice", 12), row("Alice", 2), row("Bob", 12))
                          .as("name", "score")
                          .groupBy($("name"))
                          .select($("name"), $("score").sum().as("score"));
  CHECK(table.getResolvedSchema().toString() == "(\n  `name` VARCHAR(5) NOT NULL,\n  `score` INT NOT NULL\n)");
  CHECK(printed(streaming.sqlQuery("SELECT CAST(name AS STRING) AS name, CAST(score AS INT) score FROM " + table).execute()) ==
        "+----+--------------------------------+-------------+\n"
        "| op |                           name |       score |\n"
        "+----+--------------------------------+-------------+\n"
        "| +I |                          Alice |          12 |\n"
        "| -U |                          Alice |          12 |\n"
        "| +U |                          Alice |          14 |\n"
        "| +I |                            Bob |          12 |\n"
        "+----+--------------------------------+-------------+\n"
        "4 rows in set\n");
  const TableEnvironment batch = TableEnvironment::create(EnvironmentSettings::inBatchMode());
  CHECK(printed(batch.fromValues(row(1), row(2)).as("n").execute()) ==
        "+-------------+\n|           n |\n+-------------+\n|           1 |\n|           2 |\n+-------------+\n2 rows in set\n");
  CHECK(printed(batch.fromValues(row(1)).as("n").filter($("n") > 1).execute()) == "Empty set\n");
}

TEST_CASE("executeSql defines, shows and explains") {
  const TableEnvironment env = TableEnvironment::create();
  CHECK(printed(env.executeSql("CREATE TABLE t (a INT) WITH ('connector' = 'datagen')")) == "OK\n");
  CHECK(env.executeSql("CREATE VIEW v AS SELECT a FROM t").getResultKind() == ResultKind::SUCCESS);
  CHECK(rowsOf(env.executeSql("SHOW TABLES")) == Rows{"+I[t]", "+I[v]"});
  CHECK(printed(env.executeSql("SHOW VIEWS")) == "+-----------+\n| view name |\n+-----------+\n|         v |\n+-----------+\n1 row in set\n");
  CHECK_THAT(env.explainSql("SELECT a FROM t"), Contains("== Abstract Syntax Tree =="));
  CHECK_THAT(printed(env.executeSql("EXPLAIN SELECT a FROM t")), Contains("Optimized Execution Plan"));
  CHECK_THROWS_AS(env.executeSql("SELEC 1"), SqlParserException);
  CHECK_THROWS_WITH(env.executeSql("SELECT a FROM tt"), Contains("tt") && Contains("did you mean 't'"));
  CHECK_THROWS_AS(env.sqlQuery("CREATE TABLE x (a INT)"), ValidationException);
  CHECK_THROWS_AS(env.explainSql("SHOW TABLES"), ValidationException);
}

TEST_CASE("catalog objects are listed and dropped") {
  const TableEnvironment env = TableEnvironment::create();
  const TableDescriptor descriptor =
      TableDescriptor::forConnector("datagen").schema(Schema::newBuilder().column("a", DataTypes::INT()).build()).option("number-of-rows", "2").build();
  env.createTable("t", descriptor);
  env.createTemporaryTable("tt", descriptor);
  env.createTemporaryView("v", env.from("t"));
  CHECK(env.listTables() == Rows{"t", "tt", "v"});
  CHECK(env.listViews() == Rows{"v"});
  CHECK(env.listTemporaryTables() == Rows{"tt", "v"});
  CHECK(env.listTemporaryViews() == Rows{"v"});
  CHECK(env.listCatalogs() == Rows{"default_catalog"});
  CHECK(env.listDatabases() == Rows{"default_database"});
  CHECK(env.getCurrentCatalog() == "default_catalog");
  CHECK(env.getCurrentDatabase() == "default_database");
  CHECK_THROWS_AS(env.createTable("t", descriptor), ValidationException);
  CHECK_FALSE(env.createTable("t", descriptor, true));
  CHECK_FALSE(env.createTemporaryTable("tt", descriptor, true));
  CHECK(env.listTables("default_catalog", "default_database") == Rows{"t", "tt", "v"});
  CHECK_THROWS_WITH(env.listTables("default_catalog", "nowhere"), Contains("there is no database 'default_catalog.nowhere'"));
  env.executeSql("CREATE VIEW permanent AS SELECT a FROM t");
  CHECK(env.dropView("permanent"));
  CHECK_FALSE(env.dropView("permanent"));
  CHECK(env.listModules() == Rows{"core"});
  CHECK_THROWS_AS(env.useModules({"none"}), ValidationException);
  CHECK_THROWS_AS(env.createTemporaryView("v", env.from("t")), ValidationException);
  CHECK_THROWS_WITH(env.executeSql("SHOW CREATE VIEW v"), Contains("made by a program"));
  CHECK(env.dropTemporaryView("v"));
  CHECK_FALSE(env.dropTemporaryView("v"));
  CHECK_FALSE(env.dropTemporaryTable("t"));
  CHECK(env.dropTemporaryTable("tt"));
  CHECK(env.dropTable("t"));
  CHECK(env.listTables().empty());
  CHECK_THROWS_AS(env.from("t"), ValidationException);
  CHECK_THROWS_AS(env.from("not a name"), Exception);
  CHECK_THROWS_AS(env.useDatabase("nowhere"), ValidationException);
  env.executeSql("CREATE DATABASE db");
  env.useDatabase("db");
  CHECK(env.getCurrentDatabase() == "db");
  env.useCatalog("default_catalog");
  CHECK_THROWS_AS(env.useCatalog("nowhere"), ValidationException);
  size_t rows = 0;
  env.fromValues(row(1), row(2)).execute().collect().forEachRemaining([&](const Row& each) {
    CHECK(each.getFieldNames() == std::vector<std::string>{"f0"});
    ++rows;
  });
  CHECK(rows == 2);
}

TEST_CASE("a descriptor may say how a table is distributed") {
  const TableEnvironment env = TableEnvironment::create();
  const auto shown = [&](TableDescriptor::Builder builder) {
    env.dropTemporaryTable("t");
    builder.schema(Schema::newBuilder().column("id", DataTypes::BIGINT()).build());
    env.createTemporaryTable("t", builder.build());
    return env.executeSql("SHOW CREATE TABLE t").collect().next().getFieldAs<std::string>(0);
  };
  CHECK_THAT(shown(TableDescriptor::forConnector("blackhole").distributedByHash({"id"}, 4)), Contains("DISTRIBUTED BY HASH(`id`) INTO 4 BUCKETS"));
  CHECK_THAT(shown(TableDescriptor::forConnector("blackhole").distributedByRange({"id"})), Contains("DISTRIBUTED BY RANGE(`id`)"));
  CHECK_THAT(shown(TableDescriptor::forConnector("blackhole").distributedInto(3)), Contains("DISTRIBUTED INTO 3 BUCKETS"));
}

TEST_CASE("a descriptor declares what CREATE TABLE would") {
  const TableEnvironment env = TableEnvironment::create();
  env.createTemporaryTable("orders", TableDescriptor::forConnector("filesystem")
                                         .schema(Schema::newBuilder().column("id", DataTypes::BIGINT().notNull()).column("dt", "STRING").primaryKey("id").build())
                                         .option("path", "/tmp/orders")
                                         .format(FormatDescriptor::forFormat("csv").option("field-delimiter", ";").build())
                                         .partitionedBy("dt")
                                         .comment("all orders")
                                         .build());
  CHECK(env.executeSql("SHOW CREATE TABLE orders").collect().next().getFieldAs<std::string>(0) ==
        "CREATE TEMPORARY TABLE `default_catalog`.`default_database`.`orders` (\n  `id` BIGINT NOT NULL,\n  `dt` VARCHAR(2147483647),\n"
        "  CONSTRAINT `PK_id` PRIMARY KEY (`id`) NOT ENFORCED\n)\nCOMMENT 'all orders'\nPARTITIONED BY (`dt`)\nWITH (\n  'connector' = 'filesystem',\n"
        "  'csv.field-delimiter' = ';',\n  'format' = 'csv',\n  'path' = '/tmp/orders'\n)\n");
  CHECK_THROWS_WITH(env.from(TableDescriptor::forConnector("datagen").build()), Contains("no schema"));
  CHECK_THROWS_AS(env.from(TableDescriptor::forConnector("nothing").schema(Schema::newBuilder().column("a", "INT").build()).build()), ValidationException);
  const Table anonymous = env.from(TableDescriptor::forConnector("datagen")
                                       .schema(Schema::newBuilder().column("uid", DataTypes::TINYINT()).build())
                                       .option("fields.uid.kind", "sequence").option("fields.uid.start", "0").option("fields.uid.end", "2")
                                       .build());
  CHECK(anonymous.getResolvedSchema().toString() == "(\n  `uid` TINYINT\n)");
  CHECK(rowsOf(anonymous.execute()) == Rows{"+I[0]", "+I[1]", "+I[2]"});
}

TEST_CASE("fromValues takes rows, single values and a row type") {
  const TableEnvironment env = TableEnvironment::create();
  CHECK(env.fromValues(row(1, "a"), row(2, "b")).getResolvedSchema().toString() == "(\n  `f0` INT NOT NULL,\n  `f1` CHAR(1) NOT NULL\n)");
  CHECK(rowsOf(env.fromValues(1, 2).execute()) == Rows{"+I[1]", "+I[2]"});
  const Table typed = env.fromValues(DataTypes::ROW({DataTypes::FIELD("id", DataTypes::DECIMAL(10, 2)), DataTypes::FIELD("name", DataTypes::STRING())}), row(1, "abc"));
  CHECK(typed.getResolvedSchema().getColumnNames() == Rows{"id", "name"});
  CHECK(rowsOf(typed.execute()) == Rows{"+I[1.00, abc]"});
  CHECK_THROWS_AS(env.fromValues(DataTypes::INT(), row(1)), ValidationException);
  CHECK_THROWS_AS(env.fromValues(row(1), row(1, 2)), ValidationException);
}

TEST_CASE("tables are written one by one, and several as one job") {
  const Folder folder;
  const TableEnvironment env = TableEnvironment::create(EnvironmentSettings::inBatchMode());
  for (const char* name : {"a", "b", "c"}) {
    env.executeSql(std::string("CREATE TABLE ") + name + " (n INT, s STRING) WITH ('connector' = 'filesystem', 'format' = 'csv', 'path' = '" +
                   (folder.path / name).string() + "')");
  }
  const Table table = env.fromValues(row(1, "x"), row(2, "y")).as("n", "s");
  table.executeInsert("a").await();
  CHECK(rowsOf(env.from("a").execute()).size() == 2);
  table.insertInto("a", true).execute().await();
  CHECK(rowsOf(env.from("a").execute()).size() == 2);
  StatementSet set = env.createStatementSet();
  CHECK_THROWS_WITH(set.execute(), Contains("empty"));
  set.addInsert("b", table).addInsertSql("INSERT INTO c SELECT n * 10, s FROM a").add(table.insertInto("b"));
  CHECK_THAT(set.explain(), Contains("Sink"));
  set.execute().await();
  CHECK(rowsOf(env.from("b").execute()).size() == 4);
  CHECK(rowsOf(env.from("c").select($("n")).orderBy($("n")).execute()) == Rows{"+I[10]", "+I[20]"});
  CHECK_THROWS_AS(set.addInsertSql("SELECT 1"), ValidationException);
  CHECK_THROWS_AS(table.executeInsert("nowhere"), ValidationException);
  CHECK_THROWS_AS(table.select($("n")).executeInsert("a"), ValidationException);
  table.executeInsert(TableDescriptor::forConnector("filesystem").option("path", (folder.path / "d").string()).format("csv").build()).await();
  CHECK(std::filesystem::exists(folder.path / "d"));
}

TEST_CASE("a sink that takes inserts only names who makes updates") {
  const Folder folder;
  const TableEnvironment env = TableEnvironment::create();
  env.executeSql("CREATE TABLE out_csv (name STRING, total INT) WITH ('connector' = 'filesystem', 'format' = 'csv', 'path' = '" + (folder.path / "o").string() + "')");
  const Table sums = env.fromValues(row("a", 1)).as("name", "n").groupBy($("name")).select($("name"), $("n").sum());
  CHECK_THROWS_WITH(sums.executeInsert("out_csv"), Contains("GroupAggregate"));
}

TEST_CASE("configuration, zones and settings") {
  const TableEnvironment env = TableEnvironment::create(EnvironmentSettings::newInstance().inStreamingMode().withBuiltInCatalogName("cat").withBuiltInDatabaseName("db").build());
  CHECK(env.getCurrentCatalog() == "cat");
  CHECK(env.getCurrentDatabase() == "db");
  env.getConfig().setLocalTimeZone(ZoneId::of("Asia/Shanghai"));
  CHECK(env.getConfig().getLocalTimeZone().getId() == "Asia/Shanghai");
  CHECK(rowsOf(env.sqlQuery("SELECT CAST(TO_TIMESTAMP_LTZ(0, 3) AS STRING)").execute()) == Rows{"+I[1970-01-01 08:00:00.000]"});
  env.getConfig().setLocalTimeZone(ZoneOffset::ofHours(8));
  env.getConfig().setIdleStateRetention(Duration::ofHours(1));
  CHECK(env.getConfig().getIdleStateRetention() == Duration::ofHours(1));
  env.getConfig().set("table.exec.mini-batch.enabled", "false");
  CHECK(env.getConfig().get("table.exec.mini-batch.enabled") == "false");
  CHECK_THROWS_AS(env.getConfig().set("no.such.key", "1"), ValidationException);
  CHECK_THROWS_AS(ZoneId::of("Mars/Olympus"), ValidationException);
  CHECK_THROWS_AS(ZoneOffset::ofHours(20), ValidationException);
  CHECK(env.listFunctions().size() > 100);
  CHECK(env.listUserDefinedFunctions().empty());
}

TEST_CASE("a result is read once; reading past its end is refused; a failing job throws") {
  const TableEnvironment env = TableEnvironment::create(EnvironmentSettings::inBatchMode());
  RowIterator rows = env.fromValues(row(1, "a")).as("n", "s").execute().collect();
  CHECK(rows.hasNext());
  CHECK(rows.next().getFieldAs<int32_t>("n") == 1);
  CHECK_FALSE(rows.hasNext());
  CHECK_THROWS_AS(rows.next(), ValidationException);
  TableResult failing = env.fromValues(row(1), row(0)).as("n").select(10 / $("n")).execute();
  CHECK_THROWS_AS(rowsOf(failing), JobExecutionException);
  TableResult endless = TableEnvironment::create().executeSql("SELECT 1").collect().hasNext() ? env.executeSql("SHOW TABLES") : env.executeSql("SHOW TABLES");
  CHECK(endless.getResolvedSchema().getColumnNames() == Rows{"table name"});
}
