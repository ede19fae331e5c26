// Binding in tests: a session, statements as text, answers as text.
#pragma once

#include <string>

#include "common/plan/statements/sql_session.h"
#include "common/sql/parser.h"
#include "common/types/value_text.h"

namespace thalweg {

/// A session that runs SQL text and answers with text: schemas, plans, rows, or `PLAN_ERROR: …`.
class Binding {
 public:
  Binding() {
    CHECK(session_.configuration().set("table.local-time-zone", "UTC").isOk());
    run("CREATE TABLE orders (id INT NOT NULL, who STRING, price DECIMAL(8, 2), qty INT, ts TIMESTAMP(3), "
        "WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'datagen')");
    run("CREATE TABLE people (name STRING, city STRING, tags ARRAY<STRING>, home ROW<street STRING, zip INT>) "
        "WITH ('connector' = 'datagen')");
    run("CREATE TABLE hole (id BIGINT, who STRING) WITH ('connector' = 'blackhole')");
  }

  SqlSession& session() { return session_; }

  Result<BoundStatement> bind(const std::string& text) {
    ASSIGN_OR_RETURN(sql::StatementPtr statement, sql::parseStatement(text));
    return session_.bind(statement);
  }

  /// Carries a definition out; it must succeed.
  void run(const std::string& text) {
    auto bound = bind(text);
    CHECK_MSG(bound.isOk(), text + ": " + bound.status().toString());
  }

  std::string schema(const std::string& text) {
    auto bound = bind(text);
    if (!bound.isOk()) return bound.status().toString();
    if (const auto* query = std::get_if<BoundQuery>(&*bound)) return schemaText(query->node->schema);
    if (const auto* result = std::get_if<TableResult>(&*bound)) return schemaText(result->schema);
    return "no query";
  }

  std::string plan(const std::string& text) {
    auto bound = bind(text);
    if (!bound.isOk()) return bound.status().toString();
    if (const auto* query = std::get_if<BoundQuery>(&*bound)) return logicalPlanText(*query->node);
    std::string plans;
    if (const auto* inserts = std::get_if<BoundInserts>(&*bound)) {
      for (const auto& sink : inserts->sinks) plans += logicalPlanText(*sink);
    }
    return plans;
  }

  std::string rows(const std::string& text) {
    auto bound = bind(text);
    if (!bound.isOk()) return bound.status().toString();
    const auto* result = std::get_if<TableResult>(&*bound);
    if (!result) return "no rows";
    std::vector<DataType> types;
    for (const Column& column : result->schema.columns()) types.push_back(column.type);
    std::string lines;
    for (const auto& row : result->rows) lines += rowForm(RowKind::INSERT, row, types) + "\n";
    return lines;
  }

  /// The failure of a statement that must fail.
  Status error(const std::string& text) {
    auto bound = bind(text);
    return bound.isOk() ? Status::internal("no error") : bound.status();
  }

 private:
  SqlSession session_;
};

}  // namespace thalweg
