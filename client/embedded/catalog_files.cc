#include "client/embedded/catalog_files.h"

#include "client/embedded/catalog_script.h"
#include "common/fs/whole_file.h"
#include "common/plan/catalog/option_spec.h"
#include "common/sql/parser.h"
#include "common/sql/script.h"
#include "common/sql/unparser.h"

namespace thalweg::client {
namespace {

constexpr int64_t kFileBytesMax = int64_t{64} << 20;
constexpr std::string_view kStoreSuffix = ".yaml";

Result<std::string> readText(const std::string& path) {
  ASSIGN_OR_RETURN(const auto file, localFileSystem().openForReading(path));
  if (file->sizeBytes() > kFileBytesMax) {
    return Status::exhausted(path + " has " + std::to_string(file->sizeBytes()) + " bytes; the limit is " + std::to_string(kFileBytesMax));
  }
  return readWhole(*file);
}

/// All of the text or the file as it was.
Status writeText(const std::string& path, const std::string& text) {
  FileSystem& files = localFileSystem();
  const std::string folder = folderOf(path);
  RETURN_IF_ERROR(files.createFolders(folder));
  const std::string hidden = joinPath(folder, "." + std::string(fileNameOf(path)) + ".new");
  ASSIGN_OR_RETURN(const auto file, files.create(hidden));
  RETURN_IF_ERROR(file->append(text));
  RETURN_IF_ERROR(file->sync());
  RETURN_IF_ERROR(file->close());
  RETURN_IF_ERROR(files.rename(hidden, path));
  return files.syncFolder(folder);
}

bool exists(const std::string& path) { return localFileSystem().stat(path).isOk(); }

}  // namespace

Status CatalogFiles::beforeStatement() {
  if (busy_ || session_.configuration().getEnum("table.catalog-store.kind") != "FILE") return {};
  const std::string given = session_.configuration().getString("table.catalog-store.file.path");
  if (given.empty()) return Status::plan("'table.catalog-store.kind' = 'file' needs 'table.catalog-store.file.path', the folder of the definitions");
  ASSIGN_OR_RETURN(const std::string path, pathOfUrl(given));
  if (path == store_path_) return {};
  store_path_ = path;
  stored_.clear();
  return readStore();
}

Status CatalogFiles::readStore() {
  if (!exists(store_path_)) return {};
  ASSIGN_OR_RETURN(const std::vector<FileInfo> files, localFileSystem().list(store_path_));
  for (const FileInfo& file : files) {
    const std::string name(fileNameOf(file.path));
    if (file.is_folder || name.starts_with('.') || !name.ends_with(kStoreSuffix)) continue;
    const std::string catalog = name.substr(0, name.size() - kStoreSuffix.size());
    ASSIGN_OR_RETURN(const std::string text, readText(file.path));
    stored_[catalog] = {text};
    if (session_.catalog().findCatalog(catalog)) continue;
    ASSIGN_OR_RETURN(const StoredCatalog stored, parseStoredCatalog(file.path, text));
    const std::string create = createCatalogText(catalog, stored.comment, stored.options);
    ASSIGN_OR_RETURN(const sql::StatementPtr statement, sql::parseStatement(create));
    const Status created = session_.bind(statement).status();
    if (!created.isOk()) return created.withContext("catalog '" + catalog + "' of " + file.path);
    definitions_.push_back(create);
  }
  return afterDefinition();
}

Status CatalogFiles::writeStore() {
  if (store_path_.empty()) return {};
  for (const auto& [name, entry] : session_.catalog().catalogs()) {
    if (name == SessionCatalog::kDefaultCatalog) continue;
    const std::string text = storedCatalogText({entry.comment, entry.options});
    const auto found = stored_.find(name);
    if (found != stored_.end() && found->second.text == text) continue;
    if (name.find('/') != std::string::npos) return Status::plan("catalog '" + name + "' cannot be stored: its name is no file's name");
    RETURN_IF_ERROR(writeText(joinPath(store_path_, name + std::string(kStoreSuffix)), text));
    stored_[name] = {text};
  }
  std::erase_if(stored_, [&](const auto& stored) {
    if (session_.catalog().findCatalog(stored.first)) return false;
    (void)localFileSystem().remove(joinPath(store_path_, stored.first + std::string(kStoreSuffix)));
    return true;
  });
  return {};
}

Status CatalogFiles::afterDefinition() {
  if (busy_) return {};
  std::erase_if(attached_, [&](const auto& attached) { return !session_.catalog().findCatalog(attached.first); });
  std::vector<std::string> names;
  for (const auto& [name, entry] : session_.catalog().catalogs()) {
    if (optionValue(entry.options, "type") == kFileCatalogType) names.push_back(name);
  }
  for (const std::string& name : names) {
    const auto found = attached_.find(name);
    if (found == attached_.end()) RETURN_IF_ERROR(attach(name, *session_.catalog().findCatalog(name)));
    else RETURN_IF_ERROR(write(name, found->second));
  }
  return writeStore();
}

bool CatalogFiles::define(const std::string& text) {
  const auto statement = sql::parseStatement(text);
  if (!statement.isOk() || !session_.bind(*statement).isOk()) return false;
  definitions_.push_back(text);
  return true;
}

Status CatalogFiles::attach(const std::string& catalog, const CatalogEntry& entry) {
  ASSIGN_OR_RETURN(const std::string folder, pathOfUrl(optionValue(entry.options, "path")));
  Attached attached{joinPath(folder, catalog + ".sql"), {}, {}};
  if (exists(attached.path)) {
    ASSIGN_OR_RETURN(attached.text, readText(attached.path));
    busy_ = true;
    std::vector<std::string> open;
    for (const sql::ScriptStatement& statement : sql::splitScript(attached.text)) open.push_back(statement.text);
    // In whatever order they stand: a view may precede the one it reads.
    for (size_t before = open.size() + 1; !open.empty() && open.size() < before;) {
      before = open.size();
      std::erase_if(open, [&](const std::string& text) { return define(text); });
    }
    attached.failed = std::move(open);
    busy_ = false;
  }
  Attached& kept = attached_[catalog] = std::move(attached);
  return kept.text.empty() ? write(catalog, kept) : Status();
}

Status CatalogFiles::write(const std::string& catalog, Attached& attached) {
  ASSIGN_OR_RETURN(std::string text, catalogScript(session_, catalog));
  for (const std::string& failed : attached.failed) text += failed + ";\n";
  if (text == attached.text) return {};
  RETURN_IF_ERROR(writeText(attached.path, text));
  attached.text = std::move(text);
  return {};
}

}  // namespace thalweg::client
