#include "client/shell/completion.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "common/config/config_option.h"
#include "common/functions/function_registry.h"

namespace thalweg::shell {
namespace {

constexpr std::string_view kKeywords[] = {
    "ALL",      "ALTER",     "AND",       "AS",        "BATCH",   "BETWEEN",  "BY",        "CASE",     "CAST",     "CATALOG",  "CREATE",
    "CROSS",    "CUMULATE",  "DATABASE",  "DATABASES", "DESC",    "DESCRIBE", "DESCRIPTOR", "DISTINCT", "DROP",    "ELSE",     "END",
    "EXCEPT",   "EXECUTE",   "EXISTS",    "EXPLAIN",   "FILTER",  "FROM",     "FULL",      "FUNCTIONS", "GROUP",   "GROUPING", "HAVING",
    "HELP",     "HOP",       "IN",        "INNER",     "INSERT",  "INTERSECT", "INTERVAL", "INTO",     "IS",       "JOIN",     "LATERAL",
    "LEFT",     "LIKE",      "LIMIT",     "NOT",       "NULL",    "OFFSET",   "ON",        "OR",       "ORDER",    "OVER",     "PARTITION",
    "PARTITIONED", "PRIMARY", "QUALIFY",  "QUIT",      "RESET",   "RIGHT",    "SELECT",    "SESSION",  "SET",      "SETS",     "SHOW",
    "STATEMENT", "STREAMING", "TABLE",    "TABLES",    "TEMPORARY", "THEN",   "TRY_CAST",  "TUMBLE",   "UNION",    "UNNEST",   "USE",
    "USING",    "VALUES",    "VIEW",      "VIEWS",     "WATERMARK", "WHEN",   "WHERE",     "WITH"};

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

bool hasPrefix(const std::string& word, const std::string& prefix) { return upper(word).rfind(upper(prefix), 0) == 0; }

void addColumns(const SqlSession& session, const std::string& line, std::set<std::string>& words) {
  const SessionCatalog& catalog = session.catalog();
  for (const std::string& name : catalog.objectNames(catalog.currentCatalog(), catalog.currentDatabase(), false)) {
    if (line.find(name) == std::string::npos) continue;
    const CatalogObject* object = catalog.find({catalog.currentCatalog(), catalog.currentDatabase(), name});
    if (object == nullptr) continue;
    if (object->isView()) {
      for (const Column& column : object->view->schema.columns()) words.insert(column.name);
    } else {
      for (const TableColumn& column : object->table->columns) words.insert(column.name);
    }
  }
}

}  // namespace

std::vector<std::string> completions(const SqlSession& session, const std::string& line, const std::string& prefix) {
  std::set<std::string> words;
  const std::string head = upper(line.substr(0, 6));
  if (head.rfind("SET", 0) == 0 || head.rfind("RESET", 0) == 0) {
    for (const ConfigOption& option : configOptions()) words.insert(std::string(option.key));
  } else {
    const bool lower = !prefix.empty() && std::islower(static_cast<unsigned char>(prefix[0]));
    for (const std::string_view keyword : kKeywords) {
      std::string word(keyword);
      if (lower) std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      words.insert(std::move(word));
    }
    const SessionCatalog& catalog = session.catalog();
    for (const std::string& name : catalog.objectNames(catalog.currentCatalog(), catalog.currentDatabase(), false)) words.insert(name);
    addColumns(session, line, words);
    for (const std::string& name : FunctionRegistry::instance().names()) words.insert(lower ? name : upper(name));
  }
  std::vector<std::string> found;
  for (const std::string& word : words) {
    if (hasPrefix(word, prefix)) found.push_back(word);
  }
  return found;
}

}  // namespace thalweg::shell
