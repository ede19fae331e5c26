#include "client/shell/help_text.h"

namespace thalweg::shell {

std::string_view helpText() {
  return R"(Statements end with ';' and may span lines. Tab completes keywords, tables, columns and functions.

  SELECT … | VALUES … | WITH …        run a query; Ctrl-C ends it
  INSERT INTO table SELECT …          write to a table (in the background; SET 'table.dml-sync' = 'true' waits)
  EXECUTE STATEMENT SET BEGIN … END   several INSERTs as one job
  CREATE | ALTER | DROP TABLE, VIEW, DATABASE, CATALOG, FUNCTION   define things
  SHOW JOBS | STOP JOB 'id' [WITH SAVEPOINT]   the jobs that this shell started
  COMPILE PLAN 'file' FOR INSERT …    keep a plan;  EXECUTE PLAN 'file' runs it
  SHOW TABLES | VIEWS | DATABASES | FUNCTIONS | CREATE TABLE t
  DESCRIBE table                      columns and types
  EXPLAIN query                       plans with changelog modes, and the tasks
  SET                                 list what is set;  SET 'key' = 'value';  RESET 'key';
  USE database | USE CATALOG catalog
  CLEAR, HELP, QUIT

How results are shown: SET 'sql-client.execution.result-mode' = 'table' (repainted in place), 'changelog' or 'tableau'.
How queries run:       SET 'execution.runtime-mode' = 'streaming' or 'batch'.
)";
}

}  // namespace thalweg::shell
