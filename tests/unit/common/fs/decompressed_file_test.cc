#include "common/fs/decompressed_file.h"

#include <cstdlib>
#include <fstream>

#include "common/fs/compressor.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

/// `zz` bytes as hexadecimal digits.
std::string bytesOf(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) bytes += static_cast<char>(std::strtol(std::string(hex.substr(i, 2)).c_str(), nullptr, 16));
  return bytes;
}

const std::string kText = "one\ntwo, two\none\ntwo, two\none\ntwo, two\nthree\n";
// What the usual programs made of it.
constexpr std::string_view kGzip =
    "1f8b0800000000000203cbcf4be52a29cfd75100125cf93839251945a9a95c004c4dcf952d000000";
constexpr std::string_view kZlib =
    "78dacbcf4be52a29cfd75100125cf93839251945a9a95c00604d0f25";
constexpr std::string_view kZstd =
    "28b52ffd0458cd0000986f6e650a74776f2c2074776f0a74687265650a010060cf2f1ab714c3";
constexpr std::string_view kBzip2 =
    "425a68393141592653592dd9b57900000e51800010400402419480200031003023d2131a95822c9270deb1c1a34c47a0f8bb9229c284816ecdabc8";
constexpr std::string_view kXz =
    "fd377a585a000004e6d6b4460200210116000000742fe5a3e0002c00195d00379b88ccf6c660321fabc0034f4504fc12c627d6d74899863f00000000444ad5d953cd11bd"
    "0001352de82b68c71fb6f37d010000000004595a";

/// Everything, a few bytes at a time.
Result<std::string> contentOf(const std::string& path, size_t piece) {
  ASSIGN_OR_RETURN(const auto file, openDecompressed(localFileSystem(), path));
  std::string content;
  std::string buffer(piece, '\0');
  for (;;) {
    ASSIGN_OR_RETURN(const size_t got, file->read({reinterpret_cast<uint8_t*>(buffer.data()), buffer.size()}));
    if (got == 0) return content;
    content.append(buffer, 0, got);
  }
}

TEST_CASE("compressed files hold what was compressed") {
  const testing::TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder.at(name)) << bytes;
    return folder.at(name);
  };
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{1} << 16}) {
    CHECK(*contentOf(write("a.gz", bytesOf(kGzip)), piece) == kText);
    CHECK(*contentOf(write("a.deflate", bytesOf(kZlib)), piece) == kText);
    CHECK(*contentOf(write("a.zst", bytesOf(kZstd)), piece) == kText);
    CHECK(*contentOf(write("two.gz", bytesOf(kGzip) + bytesOf(kGzip)), piece) == kText + kText);
    CHECK(*contentOf(write("two.zst", bytesOf(kZstd) + bytesOf(kZstd)), piece) == kText + kText);
    CHECK(*contentOf(write("a.bz2", bytesOf(kBzip2)), piece) == kText);
    CHECK(*contentOf(write("a.xz", bytesOf(kXz)), piece) == kText);
    CHECK(*contentOf(write("two.bz2", bytesOf(kBzip2) + bytesOf(kBzip2)), piece) == kText + kText);
    CHECK(*contentOf(write("two.xz", bytesOf(kXz) + bytesOf(kXz)), piece) == kText + kText);
    CHECK(*contentOf(write("none.bz2", ""), piece) == "");
    CHECK(*contentOf(write("none.xz", ""), piece) == "");
    CHECK(*contentOf(write("none.gz", ""), piece) == "");
    CHECK(*contentOf(write("none.zst", ""), piece) == "");
  }
}

TEST_CASE("files that are damaged or end too early are told by name") {
  const testing::TemporaryFolder folder;
  const auto problemOf = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder.at(name)) << bytes;
    const auto content = contentOf(folder.at(name), 64);
    REQUIRE_FALSE(content.isOk());
    CHECK_THAT(content.status().message(), Catch::Contains(name));
    return content.status().message();
  };
  for (const std::string& bytes : {bytesOf(kGzip), bytesOf(kZlib)}) {
    CHECK_THAT(problemOf("short.gz", bytes.substr(0, bytes.size() - 5)), Catch::Contains("ends too early"));
  }
  CHECK_THAT(problemOf("short.zst", bytesOf(kZstd).substr(0, 20)), Catch::Contains("ends too early"));
  CHECK_THAT(problemOf("short.bz2", bytesOf(kBzip2).substr(0, 40)), Catch::Contains("ends too early"));
  CHECK_THAT(problemOf("short.xz", bytesOf(kXz).substr(0, 60)), Catch::Contains("ends too early"));
  problemOf("text.bz2", "plain text");
  problemOf("text.xz", "plain text, longer than the head");
  problemOf("text.gz", "plain text");
  problemOf("text.zst", "plain text");
  std::string flipped = bytesOf(kGzip);
  flipped[flipped.size() - 6] = static_cast<char>(~flipped[flipped.size() - 6]);
  problemOf("flipped.gz", flipped);
}

TEST_CASE("files are told by their names") {
  CHECK(*openDecompressed(localFileSystem(), "/nowhere/a.txt") == nullptr);
  CHECK(openDecompressed(localFileSystem(), "/nowhere/a.gz").status().code() == StatusCode::NOT_FOUND);
  CHECK(compressionOf("a.csv.bz2") == Compression::BZIP2);
  CHECK(compressionOf("a.zstd") == Compression::ZSTD);
  CHECK(compressionOf("gz") == Compression::NONE);
}

TEST_CASE("what is compressed in pieces is read as one file, and a piece can be written on") {
  const testing::TemporaryFolder folder;
  for (const std::string name : {"gzip", "zstd"}) {
    const auto compressor = makeCompressor(name);
    REQUIRE(compressor.isOk());
    std::string packed;
    std::string text;
    REQUIRE((*compressor)->endPiece(packed).isOk());
    CHECK(packed.empty());
    for (int piece = 0; piece < 3; ++piece) {
      for (int line = 0; line < 50'000; ++line) {
        const std::string row = std::to_string(line * 7919 % 50'021) + "\n";
        text += row;
        REQUIRE((*compressor)->append(row, packed).isOk());
      }
      REQUIRE((*compressor)->endPiece(packed).isOk());
    }
    CHECK(packed.size() < text.size());
    const std::string path = folder.at("pieces" + std::string((*compressor)->fileEnding()));
    std::ofstream(path) << packed;
    CHECK((*contentOf(path, size_t{1} << 16) == text));
  }
  CHECK(*makeCompressor("none") == nullptr);
  CHECK_THAT(makeCompressor("bzip2").status().message(), Catch::Contains("none, gzip or zstd"));
}

}  // namespace
}  // namespace thalweg
