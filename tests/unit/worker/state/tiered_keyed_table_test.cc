// State on disk answers as state in memory does, whenever entries are moved.
#include "worker/state/tiered_keyed_table.h"

#include <filesystem>
#include <map>

#include "common/base/random.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/worker/state/key_batches.h"
#include "common/base/hash.h"
#include "worker/state/hot_keyed_state_store.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

/// A tier that is always short of memory, in a folder of its own.
std::shared_ptr<ColdTier> makeTier() {
  auto tier = ColdTier::make({.folder = testing::makeTemporaryFolder(), .memory_bytes = 0});
  REQUIRE(tier.status().message() == "");
  return *tier;
}

/// Objects with memory of their own, so that hooks are seen to be called.
struct Text {
  std::string text;
  void serialize(std::string& out) const { out += text; }
  static Status deserialize(std::string_view bytes, Text& into) {
    into.text = bytes;
    return {};
  }
};

HotStateOptions storeOptions(std::shared_ptr<ColdTier> tier) {
  return {.max_parallelism = 128, .key_groups = {0, 128}, .now_ms = [] { return int64_t{0}; }, .cold = std::move(tier)};
}

using Model = std::map<StateNamespace, std::map<std::string, std::string>>;

Model contentOf(KeyedTable& table) {
  Model found;
  for (const StateNamespace ns : table.namespaces()) {
    REQUIRE(table.forEach(ns, [&](std::string_view key, char* payload) {
      return found[ns].emplace(key, objectAt<Text>(payload).text).second;
    }).isOk());
  }
  return found;
}

/// The same by cursors, which move nothing.
Model scanned(KeyedTable& table) {
  Model found;
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

/// Entries leave all at once, or some of them.
void runAgainstModel(uint64_t seed, bool all_at_once) {
  Random random(seed);
  HotKeyedTable hot(objectTableSpec<Text>("t", false), {}, true);
  hot.setKeyGroups(0, 128, 128);
  TieredKeyedTable table(hot, makeTier(), {});
  Model model;
  for (int step = 0; step < 150; ++step) {
    if (random.nextBelow(3) == 0) {
      const Status evicted = table.evict(all_at_once ? 1 : 0.3);
      INFO(evicted.message());
      REQUIRE(evicted.isOk());
    }
    const StateNamespace ns = random.nextBetween(-1, 2);
    std::vector<std::string> texts(random.nextBelow(60));
    for (std::string& text : texts) text = std::string(random.nextBelow(20), 'k') + std::to_string(random.nextBelow(50));
    const KeyBatch keys = textKeys(texts);
    std::vector<char*> payloads(texts.size());
    switch (random.nextBelow(8)) {
      case 0:
        for (size_t row = 0; row < texts.size(); ++row) {
          REQUIRE(table.erase(ns, keys, row).isOk());
          model[ns].erase(texts[row]);
        }
        break;
      case 1:
        REQUIRE(table.eraseNamespace(ns).isOk());
        model[ns].clear();
        break;
      case 2:
        REQUIRE(table.find(ns, keys, payloads).isOk());
        for (size_t row = 0; row < texts.size(); ++row) {
          const auto found = model[ns].find(texts[row]);
          REQUIRE((payloads[row] != nullptr) == (found != model[ns].end()));
          if (payloads[row] != nullptr) REQUIRE(objectAt<Text>(payloads[row]).text == found->second);
        }
        break;
      default: {
        std::vector<uint8_t> created(texts.size());
        REQUIRE(table.upsert(ns, keys, payloads, created).isOk());
        for (size_t row = 0; row < texts.size(); ++row) {
          const bool is_new = model[ns].emplace(texts[row], "").second;
          REQUIRE((created[row] != 0) == is_new);
          model[ns][texts[row]] = objectAt<Text>(payloads[row]).text += std::to_string(step);
        }
      }
    }
    size_t total = 0;
    for (const auto& [number, entries] : model) total += entries.size();
    REQUIRE(table.size() == total);
  }
  std::erase_if(model, [](const auto& entries) { return entries.second.empty(); });
  REQUIRE(scanned(table) == model);
  REQUIRE(scanned(table) == model);
  REQUIRE(contentOf(table) == model);
}

}  // namespace

TEST_CASE("a table that is moved to disk at random answers as a map does") {
  for (const uint64_t seed : {1, 2, 3, 4, 5, 6}) runAgainstModel(seed, seed % 2 == 0);
}

TEST_CASE("fixed keys and raw payloads come back from disk") {
  HotKeyedStateStore store(storeOptions(makeTier()));
  KeyedTable& table = **store.openTable(numberTable("t", true));
  std::vector<uint64_t> words;
  for (uint64_t word = 0; word < 10'000; ++word) words.push_back(word * word);
  const KeyBatch keys = fixedKeys(words);
  std::vector<char*> payloads(words.size());
  REQUIRE(table.upsert(0, keys, payloads, {}).isOk());
  for (size_t i = 0; i < words.size(); ++i) numberAt(payloads[i]) = static_cast<int64_t>(i);
  REQUIRE(store.relieve().isOk());
  REQUIRE(table.size() == words.size());
  REQUIRE(table.find(0, keys, payloads).isOk());
  for (size_t i = 0; i < words.size(); ++i) REQUIRE(numberAt(payloads[i]) == static_cast<int64_t>(i));
}

TEST_CASE("a snapshot holds both tiers, and restores at another parallelism, into memory or onto disk") {
  auto tier = makeTier();
  HotKeyedStateStore store(storeOptions(tier));
  KeyedTable& table = **store.openTable(objectTableSpec<Text>("t", false));
  Model model;
  for (int round = 0; round < 3; ++round) {
    std::vector<std::string> texts;
    for (int i = 0; i < 500; ++i) texts.push_back(std::to_string(round % 2) + "-" + std::to_string(i));
    std::vector<char*> payloads(texts.size());
    REQUIRE(table.upsert(round % 2, textKeys(texts), payloads, {}).isOk());
    for (size_t i = 0; i < texts.size(); ++i) model[round % 2][texts[i]] = objectAt<Text>(payloads[i]).text = "v" + texts[i];
    if (round == 0) REQUIRE(store.relieve().isOk());
  }
  const std::vector<std::string> erased = {"0-7", "1-8"};
  for (const StateNamespace ns : {0, 1}) {
    REQUIRE(table.erase(ns, textKeys(erased), static_cast<size_t>(ns)).isOk());
    model[ns].erase(erased[static_cast<size_t>(ns)]);
  }
  const Result<KeyedSnapshot> snapshot = store.snapshot();
  REQUIRE(snapshot.isOk());
  REQUIRE(!snapshot->runs.empty());
  REQUIRE(contentOf(table) == model);
  const Result<std::string> bytes = withoutRuns(*snapshot, 128);
  REQUIRE(bytes.isOk());
  const std::vector<std::vector<KeyedSnapshot>> starts = {{*snapshot}, {{*bytes, {}}}};
  for (const auto& start : starts) {
    for (const bool on_disk : {false, true}) {
      // To two subtasks, then on to three, then to one.
      std::vector<KeyedSnapshot> parts = start;
      for (const std::vector<uint32_t>& borders : {std::vector<uint32_t>{0, 50, 128}, {0, 40, 90, 128}, {0, 128}}) {
        Model restored;
        std::vector<KeyedSnapshot> next;
        for (size_t i = 0; i + 1 < borders.size(); ++i) {
          HotStateOptions options = storeOptions(on_disk ? makeTier() : nullptr);
          options.key_groups = {borders[i], borders[i + 1]};
          HotKeyedStateStore part(options);
          REQUIRE(part.restore(parts).isOk());
          KeyedTable& mine = **part.openTable(objectTableSpec<Text>("t", false));
          for (const auto& [ns, entries] : scanned(mine)) restored[ns].insert(entries.begin(), entries.end());
          // What changes here must count from now on, not what the others hold of the same file.
          const KeyBatch all = textKeys(erased);
          for (size_t row = 0; row < 2; ++row) {
            if (!KeyGroupRange{borders[i], borders[i + 1]}.contains(keyGroupOf(all.hashes[row], 128))) continue;
            const RowIndex only = static_cast<RowIndex>(row);
            char* payload = nullptr;
            REQUIRE(mine.upsertRows(5, all, {&only, 1}, {&payload, 1}, {}).isOk());
            objectAt<Text>(payload).text += "x";
          }
          const auto again = part.snapshot();
          REQUIRE(again.isOk());
          next.push_back(*again);
        }
        const auto changed = restored.extract(5);
        REQUIRE(restored == model);
        if (!changed.empty()) {
          for (const auto& [key, text] : changed.mapped()) REQUIRE(text == (borders.size() == 4 ? "x" : "xx"));
        }
        parts = next;
      }
    }
  }
}

TEST_CASE("what is used often stays, and what did not change leaves without a write") {
  HotKeyedTable hot(numberTable("t", true), {}, true);
  hot.setKeyGroups(0, 128, 128);
  auto tier = makeTier();
  TieredKeyedTable table(hot, tier, {});
  std::vector<uint64_t> words;
  for (uint64_t word = 0; word < 1000; ++word) words.push_back(word);
  std::vector<char*> payloads(words.size());
  REQUIRE(table.upsert(0, fixedKeys(words), payloads, {}).isOk());
  words.resize(100);
  for (int i = 0; i < 8; ++i) REQUIRE(table.find(0, fixedKeys(words), payloads).isOk());
  REQUIRE(table.evict(0.5).isOk());
  REQUIRE(hot.size() < 600);
  const KeyBatch often = fixedKeys(words);
  REQUIRE(hot.find(0, often, payloads).isOk());
  for (size_t i = 0; i < words.size(); ++i) REQUIRE(payloads[i] != nullptr);
  // All out, some in again, unchanged: nothing is written.
  REQUIRE(table.evict(1).isOk());
  const size_t before = table.size();
  REQUIRE(table.find(0, often, payloads).isOk());
  REQUIRE(hot.size() == words.size());
  const auto created = tier->createRun(true, 1);
  const std::string next_name = (*(*created)->finish())->path();
  REQUIRE(table.evict(1).isOk());
  const auto again = tier->createRun(true, 1);
  REQUIRE(std::stoi((*(*again)->finish())->path().substr(next_name.rfind('-') + 1)) == std::stoi(next_name.substr(next_name.rfind('-') + 1)) + 1);
  REQUIRE(table.size() == before);
}

TEST_CASE("an entry that is changed without a mark is found out in tests") {
  HotKeyedTable hot(numberTable("t", true), {}, true);
  hot.setKeyGroups(0, 128, 128);
  TieredKeyedTable table(hot, makeTier(), {});
  const KeyBatch keys = fixedKeys({1});
  std::vector<char*> payloads(1);
  REQUIRE(table.upsert(0, keys, payloads, {}).isOk());
  REQUIRE(table.evict(1).isOk());
  REQUIRE(table.find(0, keys, payloads).isOk());
  numberAt(payloads[0]) = 5;
  table.markDirty(payloads[0]);
  REQUIRE(table.evict(1).isOk());
  REQUIRE(table.find(0, keys, payloads).isOk());
  REQUIRE(numberAt(payloads[0]) == 5);
#ifndef NDEBUG
  numberAt(payloads[0]) = 6;
  REQUIRE(!table.evict(1).isOk());
#endif
}

TEST_CASE("a cursor sees every entry once, whatever comes into memory meanwhile") {
  HotKeyedTable hot(numberTable("t", true), {}, true);
  hot.setKeyGroups(0, 128, 128);
  TieredKeyedTable table(hot, makeTier(), {});
  std::vector<uint64_t> words;
  for (uint64_t word = 0; word < 500; ++word) words.push_back(word);
  std::vector<char*> payloads(words.size());
  REQUIRE(table.upsert(0, fixedKeys(words), payloads, {}).isOk());
  REQUIRE(table.evict(0.5).isOk());
  const auto cursor = table.scan(0);
  std::map<std::string, int> seen;
  std::vector<std::pair<std::string_view, char*>> entries;
  uint64_t next = 0;
  do {
    REQUIRE(cursor->next(20, entries).isOk());
    for (const auto& [key, payload] : entries) ++seen[std::string(key)];
    std::vector<uint64_t> some;
    for (int i = 0; i < 30; ++i) some.push_back(next++ % 500);
    REQUIRE(table.find(0, fixedKeys(some), payloads).isOk());
    REQUIRE(table.evict(1).isOk());                     // the namespace is being read and stays
  } while (!entries.empty());
  REQUIRE(seen.size() == 500);
  for (const auto& [key, times] : seen) REQUIRE(times == 1);
}

TEST_CASE("entries that expired on disk do not come back") {
  int64_t now_ms = 1000;
  HotStateOptions options = storeOptions(makeTier());
  options.now_ms = [&now_ms] { return now_ms; };
  HotKeyedStateStore store(options);
  KeyedTableSpec spec = numberTable("t", false);
  spec.ttl_ms = 100;
  KeyedTable& table = **store.openTable(spec);
  const std::vector<std::string> texts = {"a"};
  std::vector<char*> payloads(1);
  std::vector<uint8_t> created(1);
  REQUIRE(table.upsert(0, textKeys(texts), payloads, created).isOk());
  numberAt(payloads[0]) = 7;
  REQUIRE(store.relieve().isOk());
  now_ms = 1050;
  REQUIRE(table.find(0, textKeys(texts), payloads).isOk());
  REQUIRE(numberAt(payloads[0]) == 7);
  REQUIRE(store.relieve().isOk());
  now_ms = 1200;
  REQUIRE(table.find(0, textKeys(texts), payloads).isOk());
  REQUIRE(payloads[0] == nullptr);
  REQUIRE(table.upsert(0, textKeys(texts), payloads, created).isOk());
  REQUIRE(created[0] == 1);
}

}  // namespace thalweg::worker
