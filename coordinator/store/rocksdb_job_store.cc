// A small database: kilobytes a job, a few writes a minute. Memory is what counts, so buffers and caches are small.
#include <rocksdb/db.h>
#include <rocksdb/table.h>

#include <filesystem>

#include "coordinator/store/job_store.h"

namespace thalweg::coordinator {
namespace {

constexpr size_t kWriteBufferBytes = size_t{1} << 20;

Status statusOf(const rocksdb::Status& status, const std::string& folder) {
  if (status.ok()) return {};
  return Status::io("the job store in " + folder + ": " + status.ToString());
}

class RocksdbJobStore final : public JobStore {
 public:
  RocksdbJobStore(std::unique_ptr<rocksdb::DB> database, std::string folder) : database_(std::move(database)), folder_(std::move(folder)) {}

  Status put(const std::string& name, std::string_view bytes, Durability durability) override {
    rocksdb::WriteOptions options;
    options.sync = durability == Durability::SYNCED;
    return statusOf(database_->Put(options, name, rocksdb::Slice(bytes.data(), bytes.size())), folder_);
  }

  Status remove(const std::string& name) override { return statusOf(database_->Delete(rocksdb::WriteOptions(), name), folder_); }

  Result<std::vector<std::pair<std::string, std::string>>> list(const std::string& prefix) override {
    std::vector<std::pair<std::string, std::string>> found;
    const std::unique_ptr<rocksdb::Iterator> each(database_->NewIterator(rocksdb::ReadOptions()));
    for (each->Seek(prefix); each->Valid() && each->key().starts_with(prefix); each->Next()) {
      found.emplace_back(each->key().ToString(), each->value().ToString());
    }
    RETURN_IF_ERROR(statusOf(each->status(), folder_));
    return found;
  }

 private:
  const std::unique_ptr<rocksdb::DB> database_;
  const std::string folder_;
};

}  // namespace

Result<std::unique_ptr<JobStore>> openRocksdbJobStore(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  rocksdb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = kWriteBufferBytes;
  options.max_background_jobs = 1;
  options.keep_log_file_num = 2;
  options.max_open_files = 32;
  rocksdb::BlockBasedTableOptions table;
  table.no_block_cache = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocksdb::DB* database = nullptr;
  if (const rocksdb::Status status = rocksdb::DB::Open(options, folder, &database); !status.ok()) {
    if (status.ToString().find("lock") != std::string::npos) {
      return Status::io("another coordinator has the folder " + folder + " open (" + status.ToString() + ")");
    }
    return statusOf(status, folder);
  }
  return std::unique_ptr<JobStore>(std::make_unique<RocksdbJobStore>(std::unique_ptr<rocksdb::DB>(database), folder));
}

}  // namespace thalweg::coordinator
