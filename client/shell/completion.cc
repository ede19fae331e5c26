#include "client/shell/completion.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "common/config/config_option.h"
#include "common/functions/function_registry.h"

namespace thalweg::shell {
namespace {

constexpr std::string_view kKeywords[] = {
    "ADD", "ALL", "ALTER", "AND", "AS", "ASC", "BATCH", "BEGIN", "BETWEEN", "BY", "CASE", "CAST", "CATALOG",
    "CATALOGS", "CLEAR", "COLUMN", "COLUMNS", "COMPILE", "CONSTRAINT", "CREATE", "CROSS", "CUMULATE", "CURRENT",
    "DATABASE", "DATABASES", "DELETE", "DESC", "DESCRIBE", "DESCRIPTOR", "DISTINCT", "DROP", "ELSE", "END",
    "ENFORCED", "EXCEPT", "EXECUTE", "EXISTS", "EXPLAIN", "FILTER", "FOLLOWING", "FOR", "FROM", "FULL", "FUNCTION",
    "FUNCTIONS", "GROUP", "GROUPING", "HAVING", "HELP", "HOP", "IF", "IN", "INNER", "INSERT", "INTERSECT", "INTERVAL",
    "INTO", "IS", "JOB", "JOBS", "JOIN", "KEY", "LATERAL", "LEFT", "LIKE", "LIMIT", "MATCH_RECOGNIZE", "METADATA",
    "MODIFY", "MODULES", "NOT", "NULL", "OFFSET", "ON", "OR", "ORDER", "OVER", "OVERWRITE", "PARTITION",
    "PARTITIONED", "PLAN", "PRECEDING", "PRIMARY", "QUALIFY", "QUIT", "RANGE", "RENAME", "RESET", "RIGHT", "ROWS",
    "SAVEPOINT", "SELECT", "SESSION", "SET", "SETS", "SHOW", "STATEMENT", "STOP", "STREAMING", "SYSTEM", "TABLE",
    "TABLES", "TEMPORARY", "THEN", "TO", "TRY_CAST", "TUMBLE", "UNBOUNDED", "UNION", "UNNEST", "USE", "USER", "USING",
    "VALUES", "VIEW", "VIEWS", "VIRTUAL", "WATERMARK", "WHEN", "WHERE", "WITH"};

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

bool hasPrefix(const std::string& word, const std::string& prefix) { return upper(word).rfind(upper(prefix), 0) == 0; }

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80) != 0; }

bool isKeyCharacter(char c) { return isNameCharacter(c) || c == '.' || c == '-'; }

/// The names and other words of `text`, back-ticks left out.
std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    while (at < text.size() && isNameCharacter(text[at])) ++at;
    if (at > begin) words.push_back(text.substr(begin, at - begin));
    else ++at;
  }
  return words;
}

/// Of the last statement of `text`.
std::string lastStatement(const std::string& text) {
  const size_t end = text.rfind(';');
  const size_t begin = text.find_first_not_of(" \t\n", end == std::string::npos ? 0 : end + 1);
  return begin == std::string::npos ? std::string() : text.substr(begin);
}

struct Finder {
  const SessionCatalog& catalog;
  std::vector<std::string> named;   ///< the words of the statement

  std::vector<std::string> tables() const { return catalog.objectNames(catalog.currentCatalog(), catalog.currentDatabase(), false); }

  std::vector<std::string> databases(const std::string& of) const {
    std::vector<std::string> names;
    if (const CatalogEntry* entry = catalog.findCatalog(of)) {
      for (const auto& [name, database] : entry->databases) names.push_back(name);
    }
    return names;
  }

  std::vector<std::string> columns(const std::string& table) const {
    std::vector<std::string> names;
    const CatalogObject* object = catalog.find({catalog.currentCatalog(), catalog.currentDatabase(), table});
    if (object == nullptr) return names;
    if (object->isView()) {
      for (const Column& column : object->view->schema.columns()) names.push_back(column.name);
    } else {
      for (const TableColumn& column : object->table->columns) names.push_back(column.name);
    }
    return names;
  }

  /// The columns that may be meant without a qualifier.
  std::vector<std::string> likelyColumns() const {
    std::vector<std::string> of_named;
    std::vector<std::string> of_all;
    for (const std::string& table : tables()) {
      const std::vector<std::string> names = columns(table);
      of_all.insert(of_all.end(), names.begin(), names.end());
      if (std::ranges::find(named, table) != named.end()) of_named.insert(of_named.end(), names.begin(), names.end());
    }
    return of_named.empty() ? of_all : of_named;
  }

  /// What may stand behind `qualifier` and a dot.
  std::vector<std::string> within(const std::vector<std::string>& qualifier) const {
    const std::string& last = qualifier.back();
    if (qualifier.size() > 1) return catalog.objectNames(qualifier[qualifier.size() - 2], last, false);
    if (catalog.findCatalog(last) != nullptr) return databases(last);
    const std::vector<std::string> here = databases(catalog.currentCatalog());
    if (std::ranges::find(here, last) != here.end()) return catalog.objectNames(catalog.currentCatalog(), last, false);
    if (const std::vector<std::string> names = columns(last); !names.empty()) return names;
    for (size_t i = 1; i < named.size(); ++i) {   // `table alias` or `table AS alias`
      if (named[i] != last) continue;
      const size_t before = i > 1 && upper(named[i - 1]) == "AS" ? i - 2 : i - 1;
      if (const std::vector<std::string> names = columns(named[before]); !names.empty()) return names;
    }
    return likelyColumns();
  }
};

Completion settingKeys(const std::string& statement, const std::string& after) {
  Completion completion;
  size_t begin = statement.size();
  while (begin > 0 && isKeyCharacter(statement[begin - 1])) --begin;
  completion.typed = statement.size() - begin;
  for (const ConfigOption& option : configOptions()) {
    if (hasPrefix(std::string(option.key), statement.substr(begin))) completion.words.emplace_back(option.key);
  }
  const bool quoted = begin > 0 && statement[begin - 1] == '\'';
  if (quoted && !after.starts_with('\'')) completion.suffix = "'";
  return completion;
}

}  // namespace

Completion completions(const SqlSession& session, const std::string& before, const std::string& after) {
  const std::string statement = lastStatement(before);
  const std::vector<std::string> named = wordsOf(statement);
  const std::string verb = named.empty() ? std::string() : upper(named[0]);
  if ((verb == "SET" || verb == "RESET") && statement.size() > verb.size()) return settingKeys(statement, after);

  size_t begin = statement.size();
  while (begin > 0 && (isNameCharacter(statement[begin - 1]) || statement[begin - 1] == '.' || statement[begin - 1] == '`')) --begin;
  const std::string typed = statement.substr(begin);
  const size_t dot = typed.rfind('.');
  const std::string head = dot == std::string::npos ? std::string() : typed.substr(0, dot + 1);
  const bool quoted = typed.substr(head.size()).starts_with('`');
  const std::string prefix = typed.substr(head.size() + (quoted ? 1 : 0));

  const Finder finder{session.catalog(), named};
  std::set<std::string> names;
  std::set<std::string> places;   // catalogs and databases: a dot follows them, or the end
  const auto add = [](std::set<std::string>& to, const std::vector<std::string>& more) { to.insert(more.begin(), more.end()); };
  if (const std::vector<std::string> qualifier = wordsOf(head); !qualifier.empty()) {
    add(names, finder.within(qualifier));
  } else {
    add(names, finder.tables());
    add(names, finder.likelyColumns());
    add(places, finder.databases(session.catalog().currentCatalog()));
    for (const auto& [name, entry] : session.catalog().catalogs()) places.insert(name);
    if (!quoted) {
      const bool small = !prefix.empty() && std::islower(static_cast<unsigned char>(prefix[0]));
      for (const std::string_view keyword : kKeywords) names.insert(small ? lower(std::string(keyword)) : std::string(keyword));
      for (const std::string& name : FunctionRegistry::instance().names()) names.insert(small ? name : upper(name));
    }
  }
  Completion completion{typed.size(), {}, " "};
  std::set<std::string> all = names;
  all.insert(places.begin(), places.end());
  for (const std::string& name : all) {
    if (!hasPrefix(name, prefix)) continue;
    completion.words.push_back(head + (quoted ? "`" + name + "`" : name));
    if (places.contains(name)) completion.suffix.clear();
  }
  if (quoted && after.starts_with('`')) {
    for (std::string& word : completion.words) word.pop_back();
    completion.suffix.clear();
  }
  return completion;
}

}  // namespace thalweg::shell
