#include "common/rpc/program_start.h"

#include <cstdlib>

#include "common/base/printable_text.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

TEST_CASE("what a program is told arrives once, whatever bytes are in it") {
  ProgramStart start;
  start.mode = ProgramStart::Mode::TASK;
  start.coordinator = "127.0.0.1:6123";
  start.program.arguments = {"--name", "a b\nc", ""};
  start.program.settings = {{"parallelism.default", "4"}};
  start.program.execution = 2;
  start.job_id = "0123";
  start.epoch = 7;
  setenv(ProgramStart::kVariable, start.encode().c_str(), 1);
  const Result<ProgramStart> taken = ProgramStart::take();
  REQUIRE(taken.isOk());
  CHECK(taken->mode == ProgramStart::Mode::TASK);
  CHECK(taken->program.arguments == start.program.arguments);
  CHECK(taken->program.settings == start.program.settings);
  CHECK(taken->program.execution == 2);
  CHECK(taken->epoch == 7);
  CHECK(ProgramStart::take()->mode == ProgramStart::Mode::ALONE);
}

TEST_CASE("a program that is told nonsense says so") {
  for (const char* nonsense : {"1", "zz", "0", "ff"}) CHECK_FALSE(ProgramStart::decode(nonsense).isOk());
}

TEST_CASE("bytes that are no text become question marks") {
  CHECK(printableText("ok\n\t") == "ok\n\t");
  CHECK(printableText("gr\xc3\xbc\xc3\x9f \xf0\x9f\x8c\x8a") == "gr\xc3\xbc\xc3\x9f \xf0\x9f\x8c\x8a");
  CHECK(printableText("\xff\xc3 a\x1b[2J") == "?? a?[2J");
  CHECK(printableText("\xed\xa0\x80") == "???");
  CHECK(printableText("\xe2\x82") == "??");
  CHECK(printableText(std::string_view("\0x", 2)) == "?x");
}

TEST_CASE("an outline from outside is looked at before it is believed") {
  JobOutline outline;
  CHECK_FALSE(outline.validate().isOk());
  outline.tasks = {{"a", 2, {}, {}}, {"b", 2, {{0, "HASH"}}, {}}};
  CHECK(outline.validate().isOk());
  outline.tasks[1].inputs[0].from = 1;
  CHECK_FALSE(outline.validate().isOk());
  outline.tasks[1].inputs[0].from = 0;
  outline.tasks[0].parallelism = 0;
  CHECK_FALSE(outline.validate().isOk());
}

}  // namespace
}  // namespace thalweg
