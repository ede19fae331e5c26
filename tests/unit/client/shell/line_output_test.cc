// The shell's lines beside those that others write to the same file.
#include "client/shell/line_output.h"

#include <memory>

#include <catch2/catch.hpp>

namespace thalweg::shell {
namespace {

struct File {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::tmpfile(), std::fclose};
  std::string content() const {
    std::fflush(file.get());
    std::string text(static_cast<size_t>(std::ftell(file.get())), '\0');
    std::rewind(file.get());
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    std::fseek(file.get(), 0, SEEK_END);
    return text;
  }
};

TEST_CASE("what others print comes between lines, never within one") {
  for (const bool terminal : {false, true}) {
    const File file;
    LineOutput out(file.file.get(), terminal);
    out << "Job " << 1;
    std::fputs("a row\n", file.file.get());
    out << " goes on" << '\n';
    out.flush();
    CHECK(file.content() == "a row\nJob 1 goes on\n");
  }
}

TEST_CASE("a terminal sees a line once it is complete, a file when it is flushed or much waits") {
  const File screen;
  LineOutput shown(screen.file.get(), true);
  shown << "one\ntwo";
  CHECK(screen.content() == "one\n");
  shown.flush();
  CHECK(screen.content() == "one\ntwo");

  const File file;
  LineOutput written(file.file.get(), false);
  written << "one\n";
  CHECK(file.content().empty());
  for (int i = 0; i < 20000; ++i) written << "line\n";
  CHECK(file.content().size() > 65536);
  CHECK(file.content().back() == '\n');
  written.flush();
  CHECK(file.content().size() == 4 + 20000 * 5);
}

TEST_CASE("a file that takes nothing is noticed") {
  std::FILE* const full = std::fopen("/dev/full", "w");
  REQUIRE(full != nullptr);
  LineOutput out(full, false);
  out << "lost\n";
  out.flush();
  CHECK_FALSE(out);
  std::fclose(full);
}

}  // namespace
}  // namespace thalweg::shell
