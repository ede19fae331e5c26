// Checkpoints on disk: what is written is read again, and whatever is damaged is noticed.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/checkpoint/checkpoint_folder.h"
#include "common/checkpoint/checkpoint_reader.h"
#include "common/checkpoint/checkpoint_writer.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

namespace thalweg {

namespace {

std::string bytesOf(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void putBytes(const std::string& path, const std::string& bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << bytes;
}

const std::string kSmall = "a few bytes";
const std::string kLarge(100'000, 'x');

CheckpointManifest write(const std::string& folder) {
  auto writer = CheckpointWriter::create(localFileSystem(), folder);
  REQUIRE(writer.status().message() == "");
  CheckpointManifest manifest;
  manifest.checkpoint_id = 17;
  manifest.time_ms = -5;
  manifest.job_id = "1a2b";
  manifest.job_name = "a job";
  manifest.started_from = "/savepoints/one";
  manifest.max_parallelism = 128;
  CheckpointManifest::Operator op{"GroupAggregate-1", "GroupAggregate(a)", {}};
  op.parts.push_back({*(*writer)->add(kLarge), *(*writer)->add(""), INT64_MIN});
  op.parts.push_back({*(*writer)->add(kSmall), *(*writer)->add(kLarge + "y"), 42});
  manifest.operators.push_back(op);
  CheckpointManifest::Task task{"TableSourceScan-2", "source", *(*writer)->add("splits left"), {}};
  task.parts.push_back({true, INT64_MAX, {}});
  task.parts.push_back({false, 7, {"first split", ""}});
  manifest.tasks.push_back(task);
  REQUIRE((*writer)->finish(manifest).message() == "");
  return manifest;
}

}  // namespace

TEST_CASE("a checkpoint that is written is read again") {
  const testing::TemporaryFolder temporary;
  const std::string folder = temporary.at("job/chk-17");
  write(folder);
  auto reader = CheckpointReader::open(localFileSystem(), "file://" + folder + "/_metadata");
  REQUIRE(reader.status().message() == "");
  const CheckpointManifest& manifest = reader->manifest();
  REQUIRE(manifest.checkpoint_id == 17);
  REQUIRE(manifest.time_ms == -5);
  REQUIRE(manifest.job_name == "a job");
  REQUIRE(manifest.started_from == "/savepoints/one");
  REQUIRE(manifest.files.size() == 1);
  const auto& parts = manifest.operators.at(0).parts;
  REQUIRE(*reader->read(parts[0].keyed) == kLarge);
  REQUIRE(*reader->read(parts[0].own) == "");
  REQUIRE(parts[0].watermark == INT64_MIN);
  REQUIRE(*reader->read(parts[1].keyed) == kSmall);
  REQUIRE(*reader->read(parts[1].own) == kLarge + "y");
  REQUIRE(*reader->read(manifest.tasks.at(0).enumerator) == "splits left");
  REQUIRE(manifest.tasks[0].parts[0].finished);
  REQUIRE(manifest.tasks[0].parts[1].splits == std::vector<std::string>{"first split", ""});

  REQUIRE(CheckpointWriter::create(localFileSystem(), folder).status().code() == StatusCode::INVALID_ARGUMENT);
  REQUIRE(CheckpointReader::open(localFileSystem(), temporary.at("none")).status().code() == StatusCode::NOT_FOUND);
}

TEST_CASE("every changed byte of a manifest is noticed, and every place where it is cut") {
  const testing::TemporaryFolder temporary;
  write(temporary.at("chk-1"));
  const std::string good = bytesOf(temporary.at("chk-1/_metadata"));
  REQUIRE(decodeManifest(good).isOk());
  for (size_t at = 0; at < good.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      REQUIRE(decodeManifest(bad).status().code() == StatusCode::INVALID_ARGUMENT);
    }
    REQUIRE(decodeManifest(good.substr(0, at)).status().code() == StatusCode::INVALID_ARGUMENT);
  }
  REQUIRE(decodeManifest(good + "x").status().code() == StatusCode::INVALID_ARGUMENT);
}

TEST_CASE("damaged data are an error that names the file") {
  const testing::TemporaryFolder temporary;
  const std::string folder = temporary.at("chk-1");
  write(folder);
  const std::string good = bytesOf(folder + "/state-0");
  const auto readAll = [&]() -> Status {
    ASSIGN_OR_RETURN(auto reader, CheckpointReader::open(localFileSystem(), folder));
    const CheckpointManifest manifest = reader.manifest();
    for (const auto& part : manifest.operators[0].parts) {
      RETURN_IF_ERROR(reader.read(part.keyed).status());
      RETURN_IF_ERROR(reader.read(part.own).status());
    }
    return {};
  };
  REQUIRE(readAll().message() == "");
  for (const size_t at : {size_t{8}, size_t{1000}, good.size() - 1}) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    putBytes(folder + "/state-0", bad);
    REQUIRE(readAll().message().find("state-0' is damaged") != std::string::npos);
    putBytes(folder + "/state-0", good.substr(0, at));
    REQUIRE(readAll().message().find("state-0' is cut short") != std::string::npos);
  }
  std::filesystem::remove(folder + "/state-0");
  REQUIRE(readAll().message().find("state-0") != std::string::npos);
}

TEST_CASE("checkpoints are listed newest first; what never completed is none, and is cleared away") {
  const testing::TemporaryFolder temporary;
  FileSystem& files = localFileSystem();
  REQUIRE(listCheckpoints(files, temporary.at("job"))->empty());
  write(temporary.at("job/chk-9"));
  write(temporary.at("job/chk-10"));
  std::filesystem::create_directories(temporary.at("job/chk-11"));
  putBytes(temporary.at("job/chk-11/state-0"), "begun");
  const auto found = listCheckpoints(files, temporary.at("job"));
  REQUIRE(found->size() == 2);
  REQUIRE((*found)[0].id == 10);
  REQUIRE((*found)[1].id == 9);
  REQUIRE(removeIncomplete(files, temporary.at("job")).isOk());
  REQUIRE_FALSE(std::filesystem::exists(temporary.at("job/chk-11")));
  REQUIRE(removeCheckpoint(files, temporary.at("job/chk-9")).isOk());
  REQUIRE(removeCheckpoint(files, temporary.at("job/chk-9")).isOk());
  REQUIRE(listCheckpoints(files, temporary.at("job"))->size() == 1);
}

TEST_CASE("a writer that is not finished leaves nothing") {
  const testing::TemporaryFolder temporary;
  {
    auto writer = CheckpointWriter::create(localFileSystem(), temporary.at("chk-3"));
    REQUIRE((*writer)->add(kLarge).isOk());
  }
  REQUIRE_FALSE(std::filesystem::exists(temporary.at("chk-3")));
}

}  // namespace thalweg
