#include "worker/state/hot_keyed_state_store.h"

#include <algorithm>
#include <map>

#include "common/base/random.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/worker/state/key_batches.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

struct Words {
  std::vector<std::string> list;
  void serialize(std::string& out) const {
    for (const std::string& word : list) out += word + '\n';
  }
  static Status deserialize(std::string_view bytes, Words& into) {
    if (bytes.starts_with("refuse")) return Status::invalid("refused");
    for (size_t end; (end = bytes.find('\n')) != std::string_view::npos; bytes.remove_prefix(end + 1)) into.list.emplace_back(bytes.substr(0, end));
    return {};
  }
};

HotStateOptions options(uint32_t subtask = 0, uint32_t parallelism = 1) {
  return {.max_parallelism = 128, .key_groups = keyGroupsOf(subtask, parallelism, 128), .now_ms = [] { return int64_t{1000}; }};
}

KeyedTable& open(HotKeyedStateStore& store, KeyedTableSpec spec) {
  Result<KeyedTable*> table = store.openTable(std::move(spec));
  REQUIRE(table.status().message() == "");
  return **table;
}

std::string snapshotOf(HotKeyedStateStore& store) {
  const Result<KeyedSnapshot> snapshot = store.snapshot();
  REQUIRE(snapshot.isOk());
  REQUIRE(snapshot->runs.empty());
  return snapshot->bytes;
}

/// Keys in the order in which forEach visits them, with their numbers.
std::vector<std::pair<std::string, int64_t>> contents(KeyedTable& table, StateNamespace ns) {
  std::vector<std::pair<std::string, int64_t>> result;
  REQUIRE(table.forEach(ns, [&](std::string_view key, char* payload) {
    result.emplace_back(key, numberAt(payload));
    return true;
  }).isOk());
  return result;
}

void fill(KeyedTable& table, StateNamespace ns, uint64_t seed, size_t count) {
  Random random(seed);
  std::vector<std::string> texts(count);
  for (std::string& text : texts) text = std::string(random.nextBelow(30), 'a') + std::to_string(random.nextBits());
  std::vector<char*> payloads(count);
  REQUIRE(table.upsert(ns, textKeys(texts), payloads, {}).isOk());
  for (char* payload : payloads) numberAt(payload) = static_cast<int64_t>(random.nextBits());
}

}  // namespace

TEST_CASE("a restored store holds what was snapshotted, in the same order") {
  HotKeyedStateStore store(options());
  KeyedTable& numbers = open(store, numberTable("numbers", false));
  KeyedTable& words = open(store, objectTableSpec<Words>("words", true));
  fill(numbers, 0, 1, 1000);
  fill(numbers, -50, 2, 10);
  std::vector<char*> payloads(3);
  REQUIRE(words.upsert(9, fixedKeys({7, 8, 9}), payloads, {}).isOk());
  objectAt<Words>(payloads[1]).list = {"one", "two"};

  const std::string bytes = snapshotOf(store);
  HotKeyedStateStore again(options());
  REQUIRE(again.restore(std::vector<KeyedSnapshot>{{bytes, {}}}).isOk());
  KeyedTable& numbers_again = open(again, numberTable("numbers", false));
  REQUIRE(snapshotOf(again).size() == bytes.size());   // `words`, not opened yet, goes on as bytes
  KeyedTable& words_again = open(again, objectTableSpec<Words>("words", true));
  REQUIRE(contents(numbers_again, 0) == contents(numbers, 0));
  REQUIRE(contents(numbers_again, -50) == contents(numbers, -50));
  REQUIRE(numbers_again.namespaces() == std::vector<StateNamespace>{-50, 0});
  REQUIRE(words_again.find(9, fixedKeys({8}), payloads).isOk());
  REQUIRE(objectAt<Words>(payloads[0]).list == std::vector<std::string>{"one", "two"});
  REQUIRE(snapshotOf(again) == bytes);
}

TEST_CASE("a table that is captured beside the work stands in the snapshot as one that is written at once") {
  HotStateOptions captured_options = options();
  captured_options.cold = *ColdTier::make({.folder = testing::makeTemporaryFolder(), .memory_bytes = 1, .keeps_all = true});
  HotKeyedStateStore at_once(options());
  HotKeyedStateStore captured(captured_options);
  std::vector<std::string> snapshots;
  for (HotKeyedStateStore* store : {&at_once, &captured}) {
    KeyedTable& numbers = open(*store, numberTable("numbers", false));
    KeyedTable& words = open(*store, objectTableSpec<Words>("words", true));
    fill(numbers, 0, 1, 1000);
    fill(numbers, -50, 2, 10);
    std::vector<uint64_t> keys(400);
    for (size_t i = 0; i < keys.size(); ++i) keys[i] = i * 7919;
    std::vector<char*> payloads(keys.size());
    REQUIRE(words.upsert(9, fixedKeys(keys), payloads, {}).isOk());
    for (size_t i = 0; i < keys.size(); ++i) objectAt<Words>(payloads[i]).list = {std::to_string(i), "two"};
    snapshots.push_back(snapshotOf(*store));
  }
  REQUIRE(snapshots[0] == snapshots[1]);
}

TEST_CASE("a large table that stays in memory is in files, of which a snapshot writes what changed; restored it is in memory") {
  const auto tier = [] { return *ColdTier::make({.folder = testing::makeTemporaryFolder(), .memory_bytes = 1, .keeps_all = true}); };
  HotStateOptions kept = options();
  kept.cold = tier();
  HotKeyedStateStore store(kept);
  KeyedTable& numbers = open(store, numberTable("numbers", false));
  fill(numbers, 0, 1, 60'000);
  const Result<KeyedSnapshot> all = store.snapshot();
  REQUIRE(all.isOk());
  REQUIRE(!all->runs.empty());
  fill(numbers, 0, 2, 100);
  const Result<KeyedSnapshot> more = store.snapshot();
  REQUIRE(more.isOk());
  uint64_t written = 0;
  for (const auto& run : more->runs) {
    const bool is_new = std::find(all->runs.begin(), all->runs.end(), run) == all->runs.end();
    if (is_new) written += run->sizeBytes();
  }
  REQUIRE(written > 0);
  REQUIRE(written < 20'000);
  HotStateOptions again = options();
  again.cold = tier();
  HotKeyedStateStore restored(again);
  REQUIRE(restored.restore({&*more, 1}).isOk());
  KeyedTable& table = open(restored, numberTable("numbers", false));
  REQUIRE(restored.memoryBytes() > 60'000 * 24);
  auto found = contents(table, 0);
  auto expected = contents(numbers, 0);
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  REQUIRE(found == expected);
  const Result<KeyedSnapshot> unchanged = restored.snapshot();     // names the same files again
  REQUIRE(unchanged.isOk());
  REQUIRE(unchanged->runs.size() == more->runs.size());
}

TEST_CASE("state moves by key group when the parallelism changes") {
  for (const auto& [before, after] : std::vector<std::pair<uint32_t, uint32_t>>{{1, 4}, {4, 1}, {3, 5}, {5, 3}}) {
    std::map<std::string, int64_t> all;
    std::vector<std::string> snapshots;
    for (uint32_t subtask = 0; subtask < before; ++subtask) {
      HotKeyedStateStore whole(options());
      KeyedTable& source = open(whole, numberTable("numbers", false));
      fill(source, 3, 11, 2000);
      HotKeyedStateStore part(options(subtask, before));
      KeyedTable& mine = open(part, numberTable("numbers", false));
      for (const auto& [key, number] : contents(source, 3)) {
        const uint64_t group = keyGroupOf(hashBytes(key), 128);
        all[key] = number;
        if (!keyGroupsOf(subtask, before, 128).contains(group)) continue;
        std::vector<char*> payload(1);
        REQUIRE(mine.upsert(3, textKeys({key}), payload, {}).isOk());
        numberAt(payload[0]) = number;
      }
      snapshots.push_back(snapshotOf(part));
    }
    std::map<std::string, int64_t> restored;
    std::vector<KeyedSnapshot> parts;
    for (const std::string& bytes : snapshots) parts.push_back({bytes, {}});
    for (uint32_t subtask = 0; subtask < after; ++subtask) {
      HotKeyedStateStore store(options(subtask, after));
      REQUIRE(store.restore(parts).isOk());
      for (const auto& [key, number] : contents(open(store, numberTable("numbers", false)), 3)) {
        REQUIRE(subtaskOfKeyGroup(keyGroupOf(hashBytes(key), 128), 128, after) == subtask);
        REQUIRE(restored.emplace(key, number).second);
      }
    }
    REQUIRE(restored == all);
  }
}

TEST_CASE("key group ranges are those of the hash partitioning") {
  for (const uint32_t max : {1u, 7u, 128u, 200u}) {
    for (uint32_t parallelism = 1; parallelism <= std::min(max, 9u); ++parallelism) {
      for (uint32_t group = 0; group < max; ++group) {
        const uint32_t owner = subtaskOfKeyGroup(group, max, parallelism);
        REQUIRE(keyGroupsOf(owner, parallelism, max).contains(group));
      }
      REQUIRE(keyGroupsOf(parallelism - 1, parallelism, max).end == max);
    }
  }
}

TEST_CASE("expiry times survive a restore") {
  int64_t now = 1000;
  HotStateOptions opts = options();
  opts.now_ms = [&] { return now; };
  KeyedTableSpec spec = numberTable("t", true);
  spec.ttl_ms = 100;
  HotKeyedStateStore store(opts);
  std::vector<char*> payloads(1);
  REQUIRE(open(store, spec).upsert(0, fixedKeys({1}), payloads, {}).isOk());
  now += 60;
  const std::string bytes = snapshotOf(store);
  HotKeyedStateStore again(opts);
  REQUIRE(again.restore(std::vector<KeyedSnapshot>{{bytes, {}}}).isOk());
  KeyedTable& table = open(again, spec);
  REQUIRE(table.find(0, fixedKeys({1}), payloads).isOk());
  REQUIRE(payloads[0] != nullptr);
  now += 40;
  REQUIRE(table.find(0, fixedKeys({1}), payloads).isOk());
  REQUIRE(payloads[0] == nullptr);
}

TEST_CASE("a table of another layout is refused by name") {
  HotKeyedStateStore store(options());
  fill(open(store, numberTable("numbers", false)), 0, 1, 5);
  const std::string bytes = snapshotOf(store);
  const auto reopen = [&](KeyedTableSpec spec) {
    HotKeyedStateStore again(options());
    REQUIRE(again.restore(std::vector<KeyedSnapshot>{{bytes, {}}}).isOk());
    return again.openTable(std::move(spec)).status().message();
  };
  KeyedTableSpec newer = numberTable("numbers", false);
  newer.layout_version = 2;
  REQUIRE(reopen(newer) == "state table 'numbers' was written with layout version 1, and this operator reads version 2");
  REQUIRE(reopen(numberTable("numbers", true)) == "state table 'numbers' was written with keys or payloads of another form");
  REQUIRE(reopen(objectTableSpec<Words>("numbers", false)) == "state table 'numbers' was written with keys or payloads of another form");
  REQUIRE(reopen(numberTable("numbers", false)) == "");
}

TEST_CASE("damaged snapshots are refused, whatever byte is wrong") {
  HotKeyedStateStore store(options());
  fill(open(store, numberTable("numbers", false)), 0, 1, 20);
  std::vector<char*> payloads(2);
  KeyedTable& words = open(store, objectTableSpec<Words>("words", true));
  REQUIRE(words.upsert(0, fixedKeys({1, 2}), payloads, {}).isOk());
  objectAt<Words>(payloads[0]).list = {"refuse"};
  const std::string bytes = snapshotOf(store);
  const auto open_all = [](const std::string& damaged) {
    HotKeyedStateStore again(options());
    Status status = again.restore(std::vector<KeyedSnapshot>{{damaged, {}}});
    if (status.isOk()) status = again.openTable(numberTable("numbers", false)).status();
    if (status.isOk()) status = again.openTable(objectTableSpec<Words>("words", true)).status();
    return status;
  };
  REQUIRE(open_all(bytes).message() == "state table 'words': refused");
  for (size_t length = 1; length < bytes.size(); ++length) REQUIRE(!open_all(bytes.substr(0, length)).isOk());
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const int flip : {1, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      (void)open_all(damaged);         // any answer will do, but it comes back
    }
  }
}

}  // namespace thalweg::worker
