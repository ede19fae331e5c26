// State on disk answers as state in memory does, whenever entries are moved.
#include "worker/state/tiered_keyed_table.h"

#include <filesystem>
#include <map>

#include "common/base/random.h"
#include "tests/unit/worker/state/key_batches.h"
#include "worker/state/hot_keyed_state_store.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

/// A tier that is always short of memory, in a folder of its own.
std::shared_ptr<ColdTier> makeTier() {
  std::string pattern = (std::filesystem::temp_directory_path() / "thalweg-tier-XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  auto tier = makeRocksColdTier({.folder = pattern, .memory_bytes = 0});
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

void runAgainstModel(uint64_t seed) {
  Random random(seed);
  HotKeyedStateStore store(storeOptions(makeTier()));
  KeyedTable& table = **store.openTable(objectTableSpec<Text>("t", false));
  Model model;
  for (int step = 0; step < 150; ++step) {
    if (random.nextBelow(3) == 0) REQUIRE(store.relieve().isOk());
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
  for (const uint64_t seed : {1, 2, 3}) runAgainstModel(seed);
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

TEST_CASE("a snapshot holds both tiers, and restores at another parallelism") {
  HotKeyedStateStore store(storeOptions(makeTier()));
  KeyedTable& table = **store.openTable(objectTableSpec<Text>("t", false));
  Model model;
  for (int round = 0; round < 2; ++round) {
    std::vector<std::string> texts;
    for (int i = 0; i < 500; ++i) texts.push_back(std::to_string(round) + "-" + std::to_string(i));
    std::vector<char*> payloads(texts.size());
    REQUIRE(table.upsert(round, textKeys(texts), payloads, {}).isOk());
    for (size_t i = 0; i < texts.size(); ++i) model[round][texts[i]] = objectAt<Text>(payloads[i]).text = "v" + texts[i];
    if (round == 0) REQUIRE(store.relieve().isOk());
  }
  std::string bytes;
  REQUIRE(store.snapshot(bytes).isOk());
  Model restored;
  for (const KeyGroupRange range : {KeyGroupRange{0, 50}, KeyGroupRange{50, 128}}) {
    HotStateOptions options = storeOptions(nullptr);
    options.key_groups = range;
    HotKeyedStateStore part(options);
    REQUIRE(part.restore(std::vector<std::string_view>{bytes}).isOk());
    for (const auto& [ns, entries] : contentOf(**part.openTable(objectTableSpec<Text>("t", false)))) restored[ns].insert(entries.begin(), entries.end());
  }
  REQUIRE(restored == model);
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
