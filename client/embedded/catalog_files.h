// CatalogFiles: what of a session's catalogs outlives it.
//
// Two things are kept, each only where a user asked for it. A catalog of the type `file` writes its databases, tables,
// views, functions and models as one script, `<path>/<catalog>.sql`, after every statement that changed them, and is
// read back by the CREATE CATALOG that names the same folder. A catalog store of the kind `file`
// (`table.catalog-store.kind`) keeps what CREATE CATALOG said, `<path>/<catalog>.yaml` as Flink names and writes it, and
// creates those catalogs again in the next session. Files are replaced at once, so a reader sees all of one or the other.
// Statements of a script that fail when it is read (a view whose table is gone) stay in it.
// Threads: the session's. Errors: IO_ERROR naming the path; PLAN_ERROR for a file that is no script or no list of options.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/plan/statements/sql_session.h"

namespace thalweg::client {

class CatalogFiles {
 public:
  /// `definitions` gets the statements that were read, so that what is shipped to a cluster knows of them.
  CatalogFiles(SqlSession& session, std::vector<std::string>& definitions) : session_(session), definitions_(definitions) {}

  /// Before a statement is bound: catalogs of the store, once it is configured.
  Status beforeStatement();
  /// After a definition took effect: reads a catalog that was created, writes what changed.
  Status afterDefinition();

 private:
  /// A catalog of the type `file` that this session has read.
  struct Attached {
    std::string path;
    std::string text;                     ///< as the file has it
    std::vector<std::string> failed;      ///< statements that could not be read; written back
  };
  struct Stored {
    std::string text;
  };
  Status readStore();
  Status writeStore();
  Status attach(const std::string& catalog, const CatalogEntry& entry);
  Status write(const std::string& catalog, Attached& attached);
  bool define(const std::string& text);

  SqlSession& session_;
  std::vector<std::string>& definitions_;
  std::map<std::string, Attached> attached_;
  std::map<std::string, Stored> stored_;
  std::string store_path_;
  bool busy_ = false;                     // reading: statements are not to be written back meanwhile
};

}  // namespace thalweg::client
