#include "worker/state/hot_keyed_table.h"

#include <map>
#include <set>

#include "common/base/random.h"
#include "tests/unit/worker/state/key_batches.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

HotKeyedTable makeTable(bool fixed) { return HotKeyedTable(numberTable("t", fixed), {}); }

/// What the table should hold: namespace -> key -> number.
using Model = std::map<StateNamespace, std::map<std::string, int64_t>>;

std::string keyBytes(uint64_t word, bool fixed) {
  if (!fixed) return std::string(word % 40, 'k') + std::to_string(word);
  char bytes[8];
  storeFixedKey(word, bytes);
  return {bytes, 8};
}

void requireEqual(HotKeyedTable& table, const Model& model) {
  size_t total = 0;
  for (const auto& [ns, expected] : model) {
    std::map<std::string, int64_t> found;
    REQUIRE(table.forEach(ns, [&](std::string_view key, char* payload) { return found.emplace(key, numberAt(payload)).second; }).isOk());
    REQUIRE(found == expected);
    std::vector<std::pair<std::string, int64_t>> ordered;
    REQUIRE(table.forEachOrdered(ns, [&](std::string_view key, char* payload) {
      ordered.emplace_back(key, numberAt(payload));
      return true;
    }).isOk());
    REQUIRE(ordered == std::vector<std::pair<std::string, int64_t>>(expected.begin(), expected.end()));
    total += expected.size();
  }
  REQUIRE(table.size() == total);
}

void runAgainstModel(bool fixed, uint64_t key_range, size_t steps, uint64_t seed) {
  Random random(seed);
  HotKeyedTable table = makeTable(fixed);
  Model model;
  std::vector<std::string> texts;
  for (size_t step = 0; step < steps; ++step) {
    const StateNamespace ns = random.nextBetween(0, 2);
    std::vector<uint64_t> words(random.nextBelow(300));
    for (uint64_t& word : words) word = random.nextBelow(key_range);
    texts.clear();
    for (const uint64_t word : words) texts.push_back(keyBytes(word, fixed));
    const KeyBatch keys = fixed ? fixedKeys(words) : textKeys(texts);
    std::vector<char*> payloads(words.size());
    switch (random.nextBelow(8)) {
      case 0:
        for (size_t i = 0; i < words.size(); ++i) {
          REQUIRE(table.erase(ns, keys, i).isOk());
          model[ns].erase(texts[i]);
        }
        break;
      case 1:
        if (random.nextBelow(4) != 0) break;
        REQUIRE(table.eraseNamespace(ns).isOk());
        model.erase(ns);
        break;
      case 2:
        REQUIRE(table.find(ns, keys, payloads).isOk());
        for (size_t i = 0; i < words.size(); ++i) {
          const auto found = model[ns].find(texts[i]);
          REQUIRE((payloads[i] != nullptr) == (found != model[ns].end()));
          if (payloads[i] != nullptr) REQUIRE(numberAt(payloads[i]) == found->second);
        }
        break;
      default: {
        std::vector<uint8_t> created(words.size());
        REQUIRE(table.upsert(ns, keys, payloads, created).isOk());
        for (size_t i = 0; i < words.size(); ++i) {
          const bool is_new = model[ns].emplace(texts[i], 0).second;
          REQUIRE((created[i] != 0) == is_new);
          if (is_new) REQUIRE(numberAt(payloads[i]) == 0);
          numberAt(payloads[i]) += static_cast<int64_t>(i) + 1;
          model[ns][texts[i]] += static_cast<int64_t>(i) + 1;
        }
      }
    }
    if (step % 16 == 0) requireEqual(table, model);
  }
  requireEqual(table, model);
}

}  // namespace

TEST_CASE("a hot table behaves as a map of maps under random calls") {
  for (const bool fixed : {true, false}) {
    runAgainstModel(fixed, 50, 200, 1);
    runAgainstModel(fixed, 5'000, 300, 2);
    runAgainstModel(fixed, 1'000'000'000, 300, 3);
  }
}

TEST_CASE("a hot table keeps its answers while it grows through every size") {
  HotKeyedTable table = makeTable(true);
  std::vector<uint64_t> words;
  std::vector<char*> first(200'000);
  for (uint64_t i = 0; i < first.size(); ++i) words.push_back(i * 7);
  for (size_t begin = 0; begin < words.size(); begin += 1000) {
    const KeyBatch keys = fixedKeys({words.begin() + static_cast<ptrdiff_t>(begin), words.begin() + static_cast<ptrdiff_t>(begin + 1000)});
    REQUIRE(table.upsert(0, keys, {first.data() + begin, 1000}, {}).isOk());
    for (size_t i = 0; i < 1000; ++i) numberAt(first[begin + i]) = static_cast<int64_t>(begin + i);
  }
  std::vector<char*> again(words.size());
  REQUIRE(table.find(0, fixedKeys(words), again).isOk());
  REQUIRE(again == first);   // addresses never move
  size_t visited = 0;
  REQUIRE(table.forEach(0, [&](std::string_view key, char* payload) {
    // In the order of making.
    return loadFixedKey(key.data()) == visited * 7 && numberAt(payload) == static_cast<int64_t>(visited++);
  }).isOk());
  REQUIRE(visited == words.size());
}

TEST_CASE("keys that differ only at their end, in length or in zeros are different keys") {
  HotKeyedTable table = makeTable(false);
  const std::vector<std::string> texts = {"", std::string(1, '\0'), std::string(2, '\0'), "abcdefghijkl", "abcdefghijklm",
                                          "abcdefghijkln", std::string(600, 'x'), std::string(600, 'x') + "y", "abcd"};
  std::vector<char*> payloads(texts.size());
  std::vector<uint8_t> created(texts.size());
  REQUIRE(table.upsert(0, textKeys(texts), payloads, created).isOk());
  REQUIRE(created == std::vector<uint8_t>(texts.size(), 1));
  REQUIRE(std::set<char*>(payloads.begin(), payloads.end()).size() == texts.size());
  std::vector<char*> found(texts.size());
  REQUIRE(table.find(0, textKeys(texts), found).isOk());
  REQUIRE(found == payloads);
}

TEST_CASE("the row-list lookups answer for the listed rows only") {
  HotKeyedTable table = makeTable(true);
  const KeyBatch keys = fixedKeys({10, 11, 10, 12, 13});
  const std::vector<RowIndex> rows = {0, 2, 4};
  std::vector<char*> payloads(3);
  std::vector<uint8_t> created(3);
  REQUIRE(table.upsertRows(7, keys, rows, payloads, created).isOk());
  REQUIRE(created == std::vector<uint8_t>{1, 0, 1});
  REQUIRE(payloads[0] == payloads[1]);
  REQUIRE(table.size() == 2);
  std::vector<char*> found(2);
  REQUIRE(table.findRows(7, keys, std::vector<RowIndex>{3, 4}, found).isOk());
  REQUIRE(found[0] == nullptr);
  REQUIRE(found[1] == payloads[2]);
  REQUIRE(table.namespaces() == std::vector<StateNamespace>{7});
}

TEST_CASE("a cursor hands out a namespace in pieces, in the order of making") {
  for (const bool fixed : {true, false}) {
    HotKeyedTable table = makeTable(fixed);
    std::vector<std::string> texts;
    std::vector<uint64_t> words;
    for (uint64_t i = 0; i < 1000; ++i) {
      words.push_back(i * 3);
      texts.push_back(keyBytes(i * 3, fixed));
    }
    std::vector<char*> payloads(words.size());
    REQUIRE(table.upsert(5, fixed ? fixedKeys(words) : textKeys(texts), payloads, {}).isOk());
    const auto cursor = table.scan(5);
    std::vector<std::pair<std::string_view, char*>> entries;
    size_t seen = 0;
    for (;;) {
      REQUIRE(cursor->next(17, entries).isOk());
      if (entries.empty()) break;
      REQUIRE(entries.size() <= 17);
      for (const auto& [key, payload] : entries) {
        REQUIRE(key == texts[seen]);
        REQUIRE(payload == payloads[seen]);
        ++seen;
      }
    }
    REQUIRE(seen == words.size());
    REQUIRE(table.eraseNamespace(5).isOk());
    REQUIRE(cursor->next(17, entries).isOk());
    REQUIRE(entries.empty());
  }
}

TEST_CASE("entries expire after their last write, and are swept away") {
  int64_t now = 1000;
  KeyedTableSpec spec = numberTable("t", true);
  spec.ttl_ms = 100;
  int destroyed = 0;
  spec.destroy = [&](char*) { ++destroyed; };
  {
    HotKeyedTable table(std::move(spec), [&] { return now; });
    std::vector<char*> payload(1);
    std::vector<uint8_t> created(1);
    const auto upsert = [&](uint64_t key) {
      REQUIRE(table.upsert(0, fixedKeys({key}), payload, created).isOk());
      return created[0] != 0;
    };
    const auto find = [&](uint64_t key) {
      REQUIRE(table.find(0, fixedKeys({key}), payload).isOk());
      return payload[0];
    };
    REQUIRE(upsert(1));
    numberAt(payload[0]) = 42;
    now += 99;
    REQUIRE(find(1) != nullptr);       // reading does not prolong
    REQUIRE(upsert(2));
    now += 1;
    REQUIRE(find(1) == nullptr);
    REQUIRE(find(2) != nullptr);
    size_t seen = 0;
    REQUIRE(table.forEach(0, [&](std::string_view, char*) { return ++seen > 0; }).isOk());
    REQUIRE(seen == 1);
    REQUIRE(upsert(1));                // new again, from zero
    REQUIRE(numberAt(payload[0]) == 0);
    REQUIRE(destroyed == 1);
    now += 50;
    REQUIRE(find(2) != nullptr);
    table.markDirty(payload[0]);
    now += 99;
    REQUIRE(find(2) != nullptr);
    now += 100'000;
    for (int i = 0; i < 3; ++i) upsert(3);
    REQUIRE(table.size() == 1);
    REQUIRE(destroyed == 3);
  }
  REQUIRE(destroyed == 4);
}

TEST_CASE("payload hooks run once for every entry, whichever way it goes") {
  static int alive = 0;
  struct Counted {
    Counted() { ++alive; }
    ~Counted() { --alive; }
    void serialize(std::string&) const {}
    static Status deserialize(std::string_view, Counted&) { return {}; }
    std::vector<int> values = {1, 2, 3};
  };
  {
    HotKeyedTable table(objectTableSpec<Counted>("t", false), {});
    const std::vector<std::string> texts = {"a", "b", "a long key that is not inline", "d"};
    std::vector<char*> payloads(4);
    REQUIRE(table.upsert(1, textKeys(texts), payloads, {}).isOk());
    REQUIRE(table.upsert(2, textKeys(texts), payloads, {}).isOk());
    REQUIRE(alive == 8);
    REQUIRE(objectAt<Counted>(payloads[2]).values.size() == 3);
    REQUIRE(table.erase(2, textKeys(texts), 2).isOk());
    REQUIRE(table.erase(2, textKeys(texts), 2).isOk());
    REQUIRE(alive == 7);
    REQUIRE(table.eraseNamespace(1).isOk());
    REQUIRE(alive == 3);
  }
  REQUIRE(alive == 0);
}

TEST_CASE("a table's memory is accounted to the task's pool and given back") {
  const auto pool = std::make_shared<MemoryPool>("task");
  {
    const MemoryPool::Scope scope(pool);
    HotKeyedTable table = makeTable(true);
    std::vector<uint64_t> words;
    for (uint64_t i = 0; i < 10'000; ++i) words.push_back(i);
    std::vector<char*> payloads(words.size());
    REQUIRE(table.upsert(0, fixedKeys(words), payloads, {}).isOk());
    REQUIRE(pool->usedBytes() == table.memoryBytes());
    REQUIRE(table.memoryBytes() >= 10'000 * 24);
    REQUIRE(table.memoryBytes() <= 10'000 * 60);
  }
  REQUIRE(pool->usedBytes() == 0);
}

TEST_CASE("Keys with words beside their bytes find the entries that their bytes find, and NULL its own") {
  HotKeyedTable table = makeTable(false);
  const std::vector<std::string> texts = {keyBytes(0, true), "", keyBytes(7, true), keyBytes(~uint64_t{0}, true), keyBytes(0, true)};
  KeyBatch words = textKeys(texts);
  words.has_words = true;
  words.words = {0, 0, 7, ~uint64_t{0}, 0};
  std::vector<char*> made(texts.size());
  std::vector<uint8_t> created(texts.size());
  REQUIRE(table.upsert(0, words, made, created).isOk());
  CHECK(created == std::vector<uint8_t>{1, 1, 1, 1, 0});
  CHECK(made[0] == made[4]);
  CHECK(table.size() == 4);
  std::vector<char*> found(texts.size());
  REQUIRE(table.find(0, textKeys(texts), found).isOk());
  CHECK(found == made);
  REQUIRE(table.erase(0, words, 1).isOk());
  REQUIRE(table.find(0, words, found).isOk());
  CHECK(found[1] == nullptr);
  CHECK(found[0] == made[0]);
}

}  // namespace thalweg::worker
