// A snapshot that is captured while its table is used holds the table as it was at the beginning, and the table goes on
// as if there had been none.
#include "worker/state/table_capture.h"

#include <map>

#include "common/base/failpoint.h"
#include "common/base/random.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/worker/state/key_batches.h"
#include "worker/state/tiered_keyed_table.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

constexpr int64_t kTtlMs = 40;

/// Does nothing until it is told to.
class LaterExecutor final : public Executor {
 public:
  void post(std::function<void()> work) override { work_.push_back(std::move(work)); }
  void postAt(int64_t, std::function<void()> work) override { work_.push_back(std::move(work)); }
  void postBlocking(std::function<void()> work) override { work_.push_back(std::move(work)); }
  void runOne() {
    if (work_.empty()) return;
    const auto work = std::move(work_.front());
    work_.erase(work_.begin());
    work();
  }

 private:
  std::vector<std::function<void()>> work_;
};

struct Text {
  std::string text;
  void serialize(std::string& out) const { out += text; }
  static Status deserialize(std::string_view bytes, Text& into) {
    into.text = bytes;
    return {};
  }
};

struct Entry {
  std::string text;
  int64_t touched_ms = 0;
  bool operator==(const Entry&) const = default;
};
using Model = std::map<StateNamespace, std::map<std::string, Entry>>;
using Content = std::map<StateNamespace, std::map<std::string, std::string>>;

/// A tiered table beside a map that is given the same changes.
class TableUnderTest {
 public:
  /// `keeps_all`: as where all state stays in memory.
  TableUnderTest(uint64_t seed, bool expires, bool keeps_all = false)
      : random_(seed), keeps_all_(keeps_all), spec_(objectTableSpec<Text>("t", false)), tier_(makeTier(true)), other_tier_(makeTier(false)) {
    if (expires) spec_.ttl_ms = kTtlMs;
    hot_ = makeHot();
    table_ = std::make_unique<TieredKeyedTable>(*hot_, tier_, [this] { return now_ms_; });
  }

  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      now_ms_ += static_cast<int64_t>(random_.nextBelow(3));
      if (!keeps_all_ && !table_->isCapturing() && random_.nextBelow(4) == 0) REQUIRE(table_->evict(random_.nextBelow(2) == 0 ? 1 : 0.3).message() == "");
      files_.fail(faults && random_.nextBelow(5) == 0 ? testing::Fault::DISK_FULL : testing::Fault::NONE);
      snapshotStep();
      change(step);
      for (uint64_t left = random_.nextBelow(4); left > 0; --left) executor_.runOne();
      files_.fail(testing::Fault::NONE);
      if (random_.nextBelow(20) == 0) REQUIRE(scanned(*table_) == expected(model_));
    }
    table_->finishCapture();
    if (snapshotting_) check();
    REQUIRE(contentOf(*table_) == expected(model_));
    REQUIRE(snapshots_ > 2);
    if (!is_faulty) REQUIRE(wrong_ == 0);
  }
  int failures() const { return failures_; }
  /// Snapshots that hold something else.
  int wrong() const { return wrong_; }
  int inBytes() const { return in_bytes_; }
  bool faults = false;               ///< of the disk
  bool is_faulty = false;            ///< a fault is planted in the product

 private:
  std::shared_ptr<ColdTier> makeTier(bool with_faults) {
    ColdTierOptions options{.folder = testing::makeTemporaryFolder(), .memory_bytes = 0, .keeps_all = keeps_all_};
    if (with_faults) options.executor = &executor_;
    if (with_faults) options.files = &files_;
    return *ColdTier::make(options);
  }
  std::unique_ptr<HotKeyedTable> makeHot() {
    auto hot = std::make_unique<HotKeyedTable>(spec_, [this] { return now_ms_; }, true);
    hot->setKeyGroups(0, 128, 128);
    return hot;
  }
  bool isExpired(const Entry& entry) const { return spec_.ttl_ms > 0 && entry.touched_ms <= now_ms_ - spec_.ttl_ms; }

  Content expected(const Model& model) const {
    Content content;
    for (const auto& [ns, entries] : model) {
      for (const auto& [key, entry] : entries) {
        if (!isExpired(entry)) content[ns][key] = entry.text;
      }
    }
    return content;
  }
  static Content contentOf(KeyedTable& table) {
    Content found;
    for (const StateNamespace ns : table.namespaces()) {
      REQUIRE(table.forEach(ns, [&](std::string_view key, char* payload) {
        return found[ns].emplace(key, objectAt<Text>(payload).text).second;
      }).isOk());
    }
    return found;
  }
  static Content scanned(KeyedTable& table) {
    Content found;
    for (const StateNamespace ns : table.namespaces()) {
      const auto cursor = table.scan(ns);
      std::vector<std::pair<std::string_view, char*>> entries;
      do {
        REQUIRE(cursor->next(7, entries).isOk());
        for (const auto& [key, payload] : entries) REQUIRE(found[ns].emplace(key, objectAt<Text>(payload).text).second);
      } while (!entries.empty());
    }
    return found;
  }

  void snapshotStep() {
    if (!snapshotting_) {
      if (random_.nextBelow(4) != 0) return;
      const bool may_be_bytes = !table_->hasCold() && !table_->hasErased();
      const bool is_bytes = may_be_bytes && random_.nextBelow(8) != 0;
      if (is_bytes) ++in_bytes_;
      table_->beginSnapshot(is_bytes ? CaptureInto::BYTES : CaptureInto::RUNS, [this] { ++woken_; });
      at_begin_ = model_;
      snapshotting_ = true;
    }
    const CaptureProgress progress = table_->captureSome(random_.nextBelow(1500));
    if (progress == CaptureProgress::READY) check();
  }

  void check() {
    snapshotting_ = false;
    ++snapshots_;
    const Result<CapturedTable> captured = table_->takeSnapshot();
    if (!captured.isOk()) {
      REQUIRE(faults);
      ++failures_;
      return;
    }
    const auto hot = makeHot();
    TieredKeyedTable restored(*hot, other_tier_, [this] { return now_ms_; });
    REQUIRE(restored.adopt(captured->runs).message() == "");
    if (!captured->bytes.empty()) {
      std::string snapshot;
      writeSnapshotHead(1, snapshot);
      snapshot += captured->bytes;
      const auto tables = readSnapshot(snapshot);
      REQUIRE(tables.status().message() == "");
      REQUIRE(readEntries(*tables, {0, 128}, *hot).message() == "");
    }
    if (contentOf(restored) != expected(at_begin_)) ++wrong_;
  }

  void change(int step) {
    const StateNamespace ns = random_.nextBetween(-1, 2);
    std::vector<std::string> texts(random_.nextBelow(60));
    for (std::string& text : texts) text = std::string(random_.nextBelow(20), 'k') + std::to_string(random_.nextBelow(50));
    const KeyBatch keys = textKeys(texts);
    std::vector<char*> payloads(texts.size());
    auto& model = model_[ns];
    switch (random_.nextBelow(8)) {
      case 0:
        for (size_t row = 0; row < texts.size(); ++row) {
          REQUIRE(table_->erase(ns, keys, row).isOk());
          model.erase(texts[row]);
        }
        return;
      case 1:
        REQUIRE(table_->eraseNamespace(ns).isOk());
        model.clear();
        return;
      case 2:
        REQUIRE(table_->find(ns, keys, payloads).isOk());
        for (size_t row = 0; row < texts.size(); ++row) {
          const auto found = model.find(texts[row]);
          REQUIRE((payloads[row] != nullptr) == (found != model.end() && !isExpired(found->second)));
          if (payloads[row] == nullptr) continue;
          REQUIRE(objectAt<Text>(payloads[row]).text == found->second.text);
          table_->markDirty(payloads[row]);
          found->second = {objectAt<Text>(payloads[row]).text += "!", now_ms_};
        }
        return;
      default: {
        std::vector<uint8_t> created(texts.size());
        REQUIRE(table_->upsert(ns, keys, payloads, created).isOk());
        for (size_t row = 0; row < texts.size(); ++row) {
          const auto [found, is_new] = model.emplace(texts[row], Entry{});
          const bool is_fresh = is_new || isExpired(found->second);
          REQUIRE((created[row] != 0) == is_fresh);
          found->second = {objectAt<Text>(payloads[row]).text += std::to_string(step), now_ms_};
        }
      }
    }
  }

  Random random_;
  const bool keeps_all_;
  KeyedTableSpec spec_;
  int64_t now_ms_ = 1000;
  testing::FaultyFileSystem files_;
  LaterExecutor executor_;
  std::shared_ptr<ColdTier> tier_;
  std::shared_ptr<ColdTier> other_tier_;
  std::unique_ptr<HotKeyedTable> hot_;
  std::unique_ptr<TieredKeyedTable> table_;
  Model model_;
  Model at_begin_;
  bool snapshotting_ = false;
  int snapshots_ = 0;
  int failures_ = 0;
  int in_bytes_ = 0;
  int wrong_ = 0;
  int woken_ = 0;
};

}  // namespace

TEST_CASE("a snapshot that is captured in slices holds the table as it was when it began") {
  for (uint64_t seed = 1; seed <= 12; ++seed) TableUnderTest(seed, false).run(250);
}

TEST_CASE("entries that expire while they are captured are gone for all") {
  for (uint64_t seed = 1; seed <= 12; ++seed) TableUnderTest(seed, true).run(250);
}

TEST_CASE("after a snapshot whose files could not be written the table is whole, and the next snapshot too") {
  int failures = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    TableUnderTest table(seed, seed % 2 == 0);
    table.faults = true;
    table.run(250);
    failures += table.failures();
  }
  REQUIRE(failures > 5);
}

TEST_CASE("a table that stays in memory is captured into bytes while nothing of it is on disk, then into files") {
  int in_bytes = 0;
  for (uint64_t seed = 1; seed <= 24; ++seed) {
    TableUnderTest table(seed, seed % 2 == 0, true);
    table.faults = seed % 3 == 0;
    table.run(250);
    in_bytes += table.inBytes();
  }
  REQUIRE(in_bytes > 50);
}

#ifdef THALWEG_FAILPOINTS
TEST_CASE("snapshots that come out wrong are noticed") {
  int wrong = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const ScopedFailpoint planted("mutant.changed_before_capture=error");
    TableUnderTest table(seed, false);
    table.is_faulty = true;
    table.run(250);
    wrong += table.wrong();
  }
  REQUIRE(wrong > 0);
}
#endif

TEST_CASE("a cursor that is open while a snapshot ends sees no key that was gone before") {
  HotKeyedTable hot(objectTableSpec<Text>("t", false), {}, true);
  hot.setKeyGroups(0, 128, 128);
  TieredKeyedTable table(hot, *ColdTier::make({.folder = testing::makeTemporaryFolder(), .memory_bytes = 0}), {});
  std::vector<std::string> texts;
  for (int i = 0; i < 20; ++i) texts.push_back("key " + std::to_string(i));
  const KeyBatch keys = textKeys(texts);
  std::vector<char*> payloads(texts.size());
  REQUIRE(table.upsert(0, keys, payloads, {}).isOk());
  REQUIRE(table.evict(1).isOk());
  for (size_t row = 0; row < 10; ++row) REQUIRE(table.erase(0, keys, row).isOk());
  const auto cursor = table.scan(0);
  table.beginSnapshot(CaptureInto::RUNS, {});
  table.finishCapture();
  REQUIRE(table.takeSnapshot().isOk());
  std::vector<std::pair<std::string_view, char*>> entries;
  REQUIRE(cursor->next(100, entries).isOk());
  REQUIRE(entries.size() == 10);
}

}  // namespace thalweg::worker
