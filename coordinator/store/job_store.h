// JobStore: what the coordinator must not forget, as bytes under names.
//
//   ASSIGN_OR_RETURN(auto store, openRocksdbJobStore(folder));
//   RETURN_IF_ERROR(store->put("job/…", bytes, JobStore::Durability::SYNCED));
//   for (const auto& [name, bytes] : *store->list("job/")) …
//
// Threads: any. Errors: IO_ERROR naming the folder; a folder that another process has open is refused, so that of two
// coordinators one leads.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/status.h"

namespace thalweg::coordinator {

class JobStore {
 public:
  enum class Durability : uint8_t {
    WRITTEN,  ///< outlives this process
    SYNCED,   ///< outlives the machine
  };
  virtual ~JobStore() = default;
  virtual Status put(const std::string& name, std::string_view bytes, Durability durability) = 0;
  virtual Status remove(const std::string& name) = 0;
  /// All whose name begins with `prefix`, in the order of names.
  virtual Result<std::vector<std::pair<std::string, std::string>>> list(const std::string& prefix) = 0;
};

Result<std::unique_ptr<JobStore>> openRocksdbJobStore(const std::string& folder);

}  // namespace thalweg::coordinator
