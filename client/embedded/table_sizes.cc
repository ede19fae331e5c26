#include "client/embedded/table_sizes.h"

#include <algorithm>

#include "common/fs/file_system.h"
#include "common/plan/catalog/option_spec.h"

namespace thalweg::client {

namespace {

constexpr double kValueBytes = 8;        // a value as text, with what stands between it and the next
constexpr int kLooksMax = 2000;          // at files and folders

/// The bytes of a file or of all files in a folder; less than 0 if there are too many to look at.
double bytesAt(FileSystem& files, const FileInfo& entry, int& looks) {
  if (++looks > kLooksMax) return -1;
  if (!entry.is_folder) return static_cast<double>(entry.size_bytes);
  const auto inside = files.list(entry.path);
  if (!inside.isOk()) return -1;
  double bytes = 0;
  for (const FileInfo& each : *inside) {
    const double more = bytesAt(files, each, looks);
    if (more < 0) return -1;
    bytes += more;
  }
  return bytes;
}

}  // namespace

std::optional<double> rowsInFiles(const ResolvedTable& table) {
  const OptionMap& options = table.definition.options;
  if (optionValue(options, "connector") != "filesystem") return std::nullopt;
  const auto local = pathOfUrl(optionValue(options, "path"));
  if (!local.isOk()) return std::nullopt;
  FileSystem& files = localFileSystem();
  const auto entry = files.stat(*local);
  if (!entry.isOk()) return std::nullopt;
  int looks = 0;
  const double bytes = bytesAt(files, *entry, looks);
  if (bytes < 0) return std::nullopt;
  return bytes / (kValueBytes * static_cast<double>(std::max<size_t>(1, table.produced.size())));
}

}  // namespace thalweg::client
