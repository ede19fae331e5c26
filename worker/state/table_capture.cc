#include "worker/state/table_capture.h"

#include <algorithm>

#include "common/base/check.h"
#include "common/base/failpoint.h"
#include "common/base/hash.h"

namespace thalweg::worker {

namespace {

constexpr size_t kBufferBytesMax = size_t{64} << 20;
constexpr size_t kBufferBytesMin = size_t{1} << 20;
constexpr size_t kTinyBufferBytes = size_t{8} << 10;     // so that tests see several of them
constexpr uint64_t kBuffersOfMemory = 32;                // a buffer is so small a part of the limit
constexpr size_t kWritingMax = 2;
constexpr size_t kEntryCost = 8;                         // capturing an entry, in entries walked past
constexpr size_t kBytesOfCost = 16;

size_t bufferBytes(const ColdTier& tier) {
  if (tier.evictsAlways()) return kTinyBufferBytes;
  return std::clamp<size_t>(tier.memoryBytes() / kBuffersOfMemory, kBufferBytesMin, kBufferBytesMax);
}

Result<std::shared_ptr<const StateRun>> writeRun(CaptureBuffer& buffer, const ErasedKeys* erased, ColdTier& tier, bool fixed_keys) {
  if (erased != nullptr) {
    for (const auto& [ns, keys] : *erased) {
      for (const std::string& key : keys) buffer.add(ns, hashBytes(key), 0, key, std::nullopt);
    }
  }
  RETURN_IF_ERROR(THALWEG_FAILPOINT("state.write_run"));
  ASSIGN_OR_RETURN(auto writer, tier.createRun(fixed_keys, buffer.entries()));
  RETURN_IF_ERROR(buffer.writeTo(*writer));
  ASSIGN_OR_RETURN(auto run, writer->finish());
  buffer = {};                       // else it is kept, to be put back
  return run;
}

}  // namespace

TableCapture::TableCapture(HotKeyedTable& hot, std::shared_ptr<ColdTier> tier, CaptureOptions options)
    : hot_(hot),
      tier_(std::move(tier)),
      into_(options.into),
      buffer_bytes_(bufferBytes(*tier_)),
      runs_before_(std::move(options.runs_before)),
      erased_(std::make_shared<const ErasedKeys>(std::move(options.erased))),
      wake_(std::move(options.wake)),
      buffer_(std::make_shared<CaptureBuffer>()) {
  hot_.beginTurn(*this);
}

TableCapture::~TableCapture() { hot_.endTurn(); }

size_t TableCapture::capture(StateNamespace ns, EntryIndex place, char* payload) {
  EntryMark& mark = hot_.markOf(payload);
  const bool has_expired = hot_.hasExpired(payload);
  if ((has_expired && !mark.written) || !written_.status.isOk()) {
    mark.dirty = hot_.turn();
    return 0;
  }
  char fixed[8];
  const std::string_view key = hot_.keyOfPayload(payload, fixed);
  if (has_expired) {
    buffer_->add(ns, hashBytes(key), place, key, std::nullopt);
    mark.dirty = hot_.turn();
    return kEntryCost;
  }
  value_.clear();
  hot_.appendColdValue(payload, value_);
  buffer_->add(ns, hashBytes(key), place, key, value_);
  if (into_ == CaptureInto::BYTES) {
    mark.dirty = hot_.turn();
    return kEntryCost + value_.size() / kBytesOfCost;
  }
  mark.dirty = 0;
  mark.written = true;
  if (buffer_->bytes() >= 2 * buffer_bytes_) {          // the walk would have handed it over: it waits for those before it
    waitForAll();
    handOver(false);
  }
  return kEntryCost + value_.size() / kBytesOfCost;
}

void TableCapture::handOver(bool with_erased) {
  const auto buffer = std::exchange(buffer_, std::make_shared<CaptureBuffer>());
  auto run = std::make_shared<PendingRun>([buffer, erased = with_erased && !THALWEG_MUTANT("erased_keys_return") ? erased_ : nullptr, tier = tier_, fixed_keys = hot_.spec().fixed_keys] {
    return writeRun(*buffer, erased.get(), *tier, fixed_keys);
  });
  writing_.push_back({run, buffer});
  tier_->runBlocking([run, wake = wake_] {
    run->work();
    if (wake) wake();
  });
}

void TableCapture::handOverBytes() {
  bytes_ = std::make_shared<std::string>();
  auto work = std::make_shared<PendingRun>([buffer = buffer_, bytes = bytes_, head = headOf(hot_.spec()), name = hot_.spec().name, max_parallelism = hot_.maxParallelism()]() mutable {
    head.name = name;                  // the table may be gone
    buffer->appendTable(head, max_parallelism, *bytes);
    return Result<PendingRun::Run>(PendingRun::Run());
  });
  writing_.push_back({work, buffer_});
  tier_->runBlocking([work, wake = wake_] {
    work->work();
    if (wake) wake();
  });
}

void TableCapture::settle() {
  size_t left = 0;
  for (Writing& each : writing_) {
    if (!each.run->isDone()) {
      writing_[left++] = std::move(each);
      continue;
    }
    Result<std::shared_ptr<const StateRun>> run = each.run->wait();
    if (run.isOk()) {
      if (bytes_) written_.bytes = std::move(*bytes_);
      else written_.runs.push_back(*std::move(run));
      continue;
    }
    putBack(*each.buffer);
    if (written_.status.isOk()) written_.status = run.status();
  }
  writing_.resize(left);
}

void TableCapture::putBack(const CaptureBuffer& lost) {
  lost.forEach([&](StateNamespace ns, uint64_t hash, std::string_view key) {
    char* const payload = hot_.payloadOf(ns, hash, key);
    if (payload != nullptr && hot_.markOf(payload).dirty == 0) hot_.markOf(payload).dirty = hot_.turn();
  });
}

void TableCapture::waitForAll() {
  for (const Writing& each : writing_) (void)each.run->wait();
  settle();
}

CaptureProgress TableCapture::advance(size_t work) {
  settle();
  if (!walked_) {
    if (into_ == CaptureInto::RUNS && buffer_->bytes() >= buffer_bytes_) {
      if (writing_.size() >= kWritingMax) return CaptureProgress::WRITING;
      handOver(false);
    }
    walked_ = hot_.captureSome(work);
    if (!walked_) return CaptureProgress::MORE;
    if (into_ == CaptureInto::BYTES) handOverBytes();
    else if (!buffer_->empty() || !erased_->empty()) handOver(true);
    settle();
  }
  return writing_.empty() ? CaptureProgress::READY : CaptureProgress::WRITING;
}

void TableCapture::finish() {
  while (advance(SIZE_MAX) != CaptureProgress::READY) waitForAll();
}

bool TableCapture::wasErased(StateNamespace ns, std::string_view key) const {
  if (erased_->empty()) return false;
  const auto keys = erased_->find(ns);
  return keys != erased_->end() && keys->second.contains(std::string(key));
}

TableCapture::Written TableCapture::take() {
  CHECK(writing_.empty());
  // Runs join those behind them that are no larger.
  std::stable_sort(written_.runs.begin(), written_.runs.end(), [](const auto& a, const auto& b) { return a->entries() > b->entries(); });
  return std::move(written_);
}

}  // namespace thalweg::worker
