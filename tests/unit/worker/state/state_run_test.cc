// Runs find what was written, newer runs win, and damage is seen.
#include "worker/state/state_run.h"

#include <deque>
#include <filesystem>
#include <map>

#include "common/base/hash.h"
#include "common/base/random.h"
#include "tests/support/temporary_folder.h"
#include "worker/state/cold_table.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

using Content = std::map<StateNamespace, std::map<std::string, std::optional<std::string>>>;

void writeAll(RunWriter& writer, const Content& content) {
  for (const auto& [ns, entries] : content) {
    std::vector<RunKey> keys;
    for (const auto& [key, value] : entries) keys.push_back({hashBytes(key), key, 0});
    std::sort(keys.begin(), keys.end(), standsBefore);
    for (const RunKey& key : keys) {
      const auto& value = entries.at(std::string(key.key));
      REQUIRE(writer.add(ns, key.hash, key.key, value ? std::optional<std::string_view>(*value) : std::nullopt).isOk());
    }
  }
}

/// What the keys "0" … "999" have in the table.
std::map<std::string, std::optional<std::string>> lookUp(ColdTable& table, StateNamespace ns) {
  std::vector<std::string> texts;
  for (int i = 0; i < 1000; ++i) texts.push_back(std::to_string(i));
  std::vector<RunKey> keys;
  for (const std::string& text : texts) keys.push_back({hashBytes(text), text, 0});
  std::sort(keys.begin(), keys.end(), standsBefore);
  std::map<std::string, std::optional<std::string>> found;
  const Status status = table.find(ns, keys, [&](const RunKey& key, std::optional<std::string_view> value) -> Status {
    REQUIRE(found.emplace(key.key, value ? std::optional<std::string>(*value) : std::nullopt).second);
    return {};
  });
  REQUIRE(status.message() == "");
  return found;
}

/// Runs work when told to.
class LateExecutor final : public Executor {
 public:
  void post(std::function<void()> work) override { work(); }
  void postAt(int64_t, std::function<void()> work) override { work(); }
  void postBlocking(std::function<void()> work) override { waiting.push_back(std::move(work)); }
  void runOne() {
    if (waiting.empty()) return;
    const auto work = std::move(waiting.front());
    waiting.pop_front();
    work();
  }
  std::deque<std::function<void()>> waiting;
};

void runAgainstModel(uint64_t seed, bool merges_late) {
  Random random(seed);
  LateExecutor executor;
  auto tier = ColdTier::make({.folder = testing::makeTemporaryFolder(), .executor = merges_late ? &executor : nullptr});
  REQUIRE(tier.isOk());
  ColdTable table(*tier, false, 0, 128);
  Content model;
  for (int step = 0; step < 60; ++step) {
    if (random.nextBelow(3) == 0) executor.runOne();
    if (random.nextBelow(6) == 0) {
      const StateNamespace ns = random.nextBetween(0, 2);
      table.eraseNamespace(ns);
      model.erase(ns);
      continue;
    }
    Content fresh;
    for (uint64_t left = random.nextBelow(400); left > 0; --left) {
      auto& value = fresh[random.nextBetween(0, 2)][std::to_string(random.nextBelow(1000))];
      if (random.nextBelow(4) != 0) value = std::string(random.nextBelow(random.nextBelow(20) == 0 ? 9000 : 30), 'v') + std::to_string(step);
    }
    auto writer = table.beginRun(400);
    REQUIRE(writer.isOk());
    writeAll(**writer, fresh);
    REQUIRE(table.endRun(*std::move(writer)).isOk());
    for (auto& [ns, entries] : fresh) {
      for (auto& [key, value] : entries) model[ns][key] = value;
    }
    for (StateNamespace ns = 0; ns < 3; ++ns) {
      auto found = lookUp(table, ns);
      std::erase_if(found, [](const auto& entry) { return !entry.second; });
      auto expected = model[ns];
      std::erase_if(expected, [](const auto& entry) { return !entry.second; });
      REQUIRE(found == expected);
      const auto merge = table.read(ns);
      for (size_t read = 0;; ++read) {
        const auto entry = merge->next();
        REQUIRE(entry.isOk());
        if (*entry == nullptr) {
          REQUIRE(read == expected.size());
          break;
        }
        REQUIRE(expected.at(std::string((*entry)->key)) == std::optional<std::string>(*(*entry)->value));
      }
    }
  }
  REQUIRE(table.runs().size() <= 16);
}

}  // namespace

TEST_CASE("a table of runs answers as a map does, merged at once or late") {
  for (const uint64_t seed : {1, 2, 3, 4}) {
    runAgainstModel(seed, false);
    runAgainstModel(seed, true);
  }
}

TEST_CASE("a run that was stored is opened again; every damaged byte is seen") {
  const testing::TemporaryFolder folder;
  const std::string path = folder.at("run");
  Content content;
  for (int i = 0; i < 300; ++i) content[i % 3][std::to_string(i)] = "value " + std::to_string(i);
  {
    auto writer = RunWriter::create(localFileSystem(), path + "-first", false, 300);
    REQUIRE(writer.isOk());
    writeAll(**writer, content);
    const auto run = (*writer)->finish();
    REQUIRE(run.isOk());
    REQUIRE((*run)->storeAs(localFileSystem(), path, true).isOk());
  }
  REQUIRE(!std::filesystem::exists(path + "-first"));
  const auto size = static_cast<size_t>(std::filesystem::file_size(path));
  REQUIRE(StateRun::open(localFileSystem(), path).isOk());
  std::string bytes(size, '\0');
  REQUIRE((*localFileSystem().openForReading(path))->readAt(0, {reinterpret_cast<uint8_t*>(bytes.data()), size}).isOk());
  for (size_t at = 0; at < size; ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    auto file = localFileSystem().create(path);
    REQUIRE((*file)->append(damaged).isOk());
    REQUIRE((*file)->close().isOk());
    const auto opened = StateRun::open(localFileSystem(), path);
    REQUIRE((!opened.isOk() || !(*opened)->verify().isOk()));
  }
}

TEST_CASE("a filter says no for nearly all keys that are not there") {
  RunFilter filter(100'000);
  for (uint64_t i = 0; i < 100'000; ++i) filter.add(RunFilter::mixed(hashBytes(std::to_string(i)), 7));
  size_t wrong = 0;
  for (uint64_t i = 0; i < 100'000; ++i) {
    REQUIRE(filter.mayHold(RunFilter::mixed(hashBytes(std::to_string(i)), 7)));
    wrong += filter.mayHold(RunFilter::mixed(hashBytes(std::to_string(i)), 8)) ? 1 : 0;
  }
  REQUIRE(wrong < 3'000);
}

TEST_CASE("folders of processes that are gone are removed, others stay") {
  const testing::TemporaryFolder folder;
  const std::string& parent = folder.path();
  const auto make = [&](const std::string& name, bool locked) {
    std::filesystem::create_directory(parent + "/" + name);
    if (locked) std::fclose(std::fopen((parent + "/" + name + "/lock").c_str(), "w"));
    std::fclose(std::fopen((parent + "/" + name + "/run-0").c_str(), "w"));
  };
  auto tier = ColdTier::make({.folder = parent + "/" + coldFolderName(0)});
  make("state-2147483647-0", true);
  make("state-2147483647-1", false);           // may be about to get its lock
  make("state-2147483647", true);
  make("something-2147483647-0", true);
  removeStaleColdFolders(localFileSystem(), parent);
  std::vector<std::string> left;
  const auto entries = localFileSystem().list(parent);
  for (const FileInfo& entry : *entries) left.emplace_back(fileNameOf(entry.path));
  std::vector<std::string> expected = {"something-2147483647-0", coldFolderName(0), "state-2147483647", "state-2147483647-1"};
  std::sort(expected.begin(), expected.end());
  REQUIRE(left == expected);
}

}  // namespace thalweg::worker
