#include "worker/state/cold_spill_space.h"

#include <utility>
#include <vector>

#include "common/columnar/batch_wire.h"

namespace thalweg::worker {

namespace {

constexpr uint32_t kLookEvery = 4;               // questions between looks at the process
constexpr uint64_t kLargePart = 4;               // of the memory: too much for one holder
constexpr uint64_t kSmallPart = 64;              // of the memory: less is not worth a file
constexpr uint64_t kSmallPartWhenSevere = 256;

class ColdSpillFile final : public SpillFile {
 public:
  ColdSpillFile(std::shared_ptr<ColdTier> tier, std::string path, std::unique_ptr<WritableFile> file)
      : tier_(std::move(tier)), path_(std::move(path)), writes_(std::move(file)) {}
  ~ColdSpillFile() override {
    reads_.reset();
    writes_.reset();
    (void)tier_->files().remove(path_);              // the folder goes in the end, with what is left in it
  }
  ColdSpillFile(const ColdSpillFile&) = delete;
  ColdSpillFile& operator=(const ColdSpillFile&) = delete;

  Status append(const Batch& batch) override {
    noteTypes(batch);
    const BufferPtr bytes = joinPieces(encodeBatch(batch));
    RETURN_IF_ERROR(writes_->append({reinterpret_cast<const char*>(bytes->data()), bytes->sizeBytes()}));
    ends_.push_back(size_bytes_ += bytes->sizeBytes());
    return {};
  }

  size_t batches() const override { return ends_.size(); }

  Result<Batch> read(size_t number) override {
    if (reads_ == nullptr) {
      ASSIGN_OR_RETURN(reads_, tier_->files().openForReading(path_));
    }
    const uint64_t begin = number == 0 ? 0 : ends_[number - 1];
    const MutableBufferPtr bytes = Buffer::allocate(ends_[number] - begin);
    ASSIGN_OR_RETURN(const size_t got, reads_->readAt(static_cast<int64_t>(begin), {bytes->mutableData(), bytes->sizeBytes()}));
    if (got != bytes->sizeBytes()) return Status::io("'" + path_ + "' ends early");
    return decodeBatch(bytes, 0, *types_[number]);
  }

 private:
  using Types = std::vector<DataType>;

  /// Those of one file differ in nullability at most, and rarely.
  void noteTypes(const Batch& batch) {
    Types types;
    for (const VectorPtr& column : batch.columns()) types.push_back(column->type());
    const bool same = !types_.empty() && types == *types_.back();
    types_.push_back(same ? types_.back() : std::make_shared<const Types>(std::move(types)));
  }

  const std::shared_ptr<ColdTier> tier_;
  const std::string path_;
  std::unique_ptr<WritableFile> writes_;
  std::unique_ptr<ReadableFile> reads_;
  std::vector<std::shared_ptr<const Types>> types_;  // of the batches, as the next one
  std::vector<uint64_t> ends_;
  uint64_t size_bytes_ = 0;
};

}  // namespace

Pressure ColdSpillSpace::pressure() {
  if (asked_.fetch_add(1, std::memory_order_relaxed) % kLookEvery == 0) known_.store(tier_->pressure(), std::memory_order_relaxed);
  return known_.load(std::memory_order_relaxed);
}

bool ColdSpillSpace::isShort(size_t held_bytes) {
  if (held_bytes == 0) return false;
  if (tier_->evictsAlways()) return true;
  const uint64_t memory_bytes = tier_->memoryBytes();
  if (held_bytes >= memory_bytes / kLargePart) return true;
  if (held_bytes < memory_bytes / kSmallPartWhenSevere) return false;
  switch (pressure()) {
    case Pressure::NONE: return false;
    case Pressure::SHORT: return held_bytes >= memory_bytes / kSmallPart;
    case Pressure::SEVERE:
    case Pressure::ALWAYS: return true;
  }
  return false;
}

Result<std::unique_ptr<SpillFile>> ColdSpillSpace::createFile() {
  ASSIGN_OR_RETURN(std::string path, tier_->newPath("spill-"));
  ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, tier_->files().create(path));
  return std::unique_ptr<SpillFile>(std::make_unique<ColdSpillFile>(tier_, std::move(path), std::move(file)));
}

}  // namespace thalweg::worker
