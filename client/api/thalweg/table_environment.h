// TableEnvironment: catalogs, settings and functions of a program's tables, and the way to SQL.
//
//   auto tEnv = TableEnvironment::create(EnvironmentSettings::inStreamingMode());
//   tEnv.executeSql("CREATE TABLE Orders (…) WITH (…)");
//   tEnv.sqlQuery("SELECT user, SUM(amount) FROM Orders GROUP BY user").execute().print();
//
// A handle: copies mean the same environment. Paths are names as SQL writes them. Errors: SqlParserException,
// ValidationException; UnsupportedOperationException names what is not built. Threads: one.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/api/thalweg/environment_settings.h"
#include "client/api/thalweg/inline_call.h"
#include "client/api/thalweg/statement_set.h"
#include "client/api/thalweg/table.h"
#include "client/api/thalweg/table_config.h"

namespace thalweg::api {

struct EnvironmentState;

}  // namespace thalweg::api
namespace thalweg::descriptors {
class Table;
class ConnectTableDescriptor;
}  // namespace thalweg::descriptors
namespace thalweg::api {

class TableEnvironment {
 public:
  static TableEnvironment create(const EnvironmentSettings& settings = EnvironmentSettings::inStreamingMode());

  /// One statement. Definitions take effect at once, queries and INSERTs start a job.
  TableResult executeSql(std::string_view sql) const;
  Table sqlQuery(std::string_view sql) const;
  std::string explainSql(std::string_view sql) const;

  Table from(std::string_view path) const;
  Table from(const TableDescriptor& descriptor) const;
  /// Rows of constants: fromValues(row("Alice", 12), row("Bob", 10)); columns f0, f1, ….
  template <typename... Rows>
  Table fromValues(const Expression& first, const Rows&... rows) const { return fromValuesOf(nullptr, {first, Expression(rows)...}); }
  /// The same with a ROW type that names and casts the columns.
  template <typename... Rows>
  Table fromValues(const DataType& row_type, const Expression& first, const Rows&... rows) const {
    return fromValuesOf(&row_type, {first, Expression(rows)...});
  }

  /// The rows of a table function without an input: fromCall("numbers", 1, 10).
  template <typename... Arguments>
  Table fromCall(std::string_view function, const Arguments&... arguments) const {
    return fromCallOf(call(function, arguments...));
  }

  /// False: there is one already, and `ignore_if_exists` lets it be.
  bool createTable(std::string_view path, const TableDescriptor& descriptor, bool ignore_if_exists = false) const;
  bool createTemporaryTable(std::string_view path, const TableDescriptor& descriptor, bool ignore_if_exists = false) const;
  void createTemporaryView(std::string_view path, const Table& table) const;
  bool dropTemporaryTable(std::string_view path) const;
  bool dropTemporaryView(std::string_view path) const;
  /// False if there is none.
  bool dropTable(std::string_view path) const;
  bool dropView(std::string_view path) const;

  void useCatalog(std::string_view catalog) const;
  void useDatabase(std::string_view database) const;
  std::string getCurrentCatalog() const;
  std::string getCurrentDatabase() const;
  std::vector<std::string> listCatalogs() const;
  std::vector<std::string> listDatabases() const;
  /// Tables and views of the current database.
  std::vector<std::string> listTables() const;
  std::vector<std::string> listTables(std::string_view catalog, std::string_view database) const;
  std::vector<std::string> listViews() const;
  /// Temporary tables and views.
  std::vector<std::string> listTemporaryTables() const;
  std::vector<std::string> listTemporaryViews() const;
  std::vector<std::string> listFunctions() const;
  std::vector<std::string> listUserDefinedFunctions() const;

  /// Registers a function of this session: an instance of a class of table_functions.h, a lambda, or a plain function.
  template <typename Function>
  void createTemporarySystemFunction(std::string_view name, Function function) const { addFunction(name, userFunction(function)); }
  template <std::default_initializable Function>
  void createTemporarySystemFunction(std::string_view name) const { addFunction(name, userFunction(Function())); }
  bool dropTemporarySystemFunction(std::string_view name) const;
  /// The same; functions of a program have plain names and end with it, whatever catalog is current.
  template <typename Function>
  void createTemporaryFunction(std::string_view name, Function function) const { createTemporarySystemFunction(name, std::move(function)); }
  bool dropTemporaryFunction(std::string_view name) const { return dropTemporarySystemFunction(name); }

  std::vector<std::string> listModules() const;
  void useModules(const std::vector<std::string>& modules) const;

  // --- deprecated forms (descriptors.h); each says on standard error how it is written today -------------
  [[deprecated("use createTemporaryTable() with a TableDescriptor")]] descriptors::ConnectTableDescriptor connect(const descriptors::Table& connector) const;
  void createTemporaryTable(std::string_view path, const descriptors::Table& table) const;
  /// Definitions take effect at once; INSERTs wait for execute().
  [[deprecated("use executeSql()")]] void sqlUpdate(std::string_view sql) const;
  /// Runs the INSERTs of sqlUpdate() as one job.
  [[deprecated("use StatementSet::execute()")]] TableResult execute(std::string_view job_name) const;

  StatementSet createStatementSet() const { return StatementSet(state_); }
  TableConfig getConfig() const { return TableConfig(state_); }

  const std::shared_ptr<EnvironmentState>& state() const { return state_; }

 protected:
  explicit TableEnvironment(std::shared_ptr<EnvironmentState> state) : state_(std::move(state)) {}
  static std::shared_ptr<EnvironmentState> makeState(const EnvironmentSettings& settings, Configuration base);
  void addFunction(std::string_view name, UserFunction function) const;
  Table fromCallOf(const Expression& call) const;
  Table fromValuesOf(const DataType* row_type, const std::vector<Expression>& rows) const;

  std::shared_ptr<EnvironmentState> state_;
};

}  // namespace thalweg::api
