#include "client/embedded/plan_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/sql/parser.h"
#include "common/sql/unparser.h"

namespace thalweg::client {
namespace {

constexpr std::string_view kFirstLine = "thalweg plan, version 1";

/// The local path of `file:///x` and `x`.
std::string localPath(const std::string& path) {
  constexpr std::string_view kScheme = "file://";
  return path.rfind(kScheme, 0) == 0 ? path.substr(kScheme.size()) : path;
}

}  // namespace

Result<bool> mayWritePlan(const std::string& path, bool if_not_exists) {
  std::error_code error;
  if (!std::filesystem::exists(localPath(path), error)) return true;
  if (if_not_exists) return false;
  return Status::plan("there is a file '" + path + "' already; remove it, or say IF NOT EXISTS to keep it");
}

Status writePlan(const std::string& path, const sql::Statement& statement) {
  std::ofstream file(localPath(path), std::ios::binary);
  file << kFirstLine << '\n' << sql::unparse(statement) << '\n';
  file.close();
  return file ? Status() : Status::io("cannot write the plan to '" + path + "'");
}

Result<sql::StatementPtr> readPlan(const std::string& path) {
  std::ifstream file(localPath(path), std::ios::binary);
  if (!file) return Status::plan("there is no plan file '" + path + "'");
  std::string first;
  std::getline(file, first);
  if (first != kFirstLine) return Status::plan("'" + path + "' is no plan that COMPILE PLAN wrote");
  std::ostringstream rest;
  rest << file.rdbuf();
  return sql::parseStatement(rest.str());
}

}  // namespace thalweg::client
