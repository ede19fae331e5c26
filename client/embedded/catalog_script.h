// The text of a whole catalog as statements that make it anew, and the options of one as a catalog store writes them.
// Threads: pure functions. Errors: PLAN_ERROR naming file and line.
#pragma once

#include <string>

#include "common/plan/statements/sql_session.h"

namespace thalweg::client {

/// Statements with `;` behind each, one object after the other; temporary objects are not in it.
Result<std::string> catalogScript(const SqlSession& session, const std::string& catalog);

std::string createCatalogText(const std::string& catalog, const std::string& comment, const OptionMap& options);

struct StoredCatalog {
  std::string comment = {};
  OptionMap options = {};
};
/// A line `key: "value"` for each option.
std::string storedCatalogText(const StoredCatalog& catalog);
/// Lines of YAML as Flink writes them, `key: value`, the value bare or in quotes. `file` is for messages.
Result<StoredCatalog> parseStoredCatalog(const std::string& file, const std::string& text);

}  // namespace thalweg::client
