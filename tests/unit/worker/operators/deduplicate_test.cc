#include "tests/unit/worker/operators/operator_case.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {
namespace {

const Types kClick = {kInt, kText, kTime};   // id, who, time

// Each row is followed by the watermark of its time less 3, as far as that rises.
const Messages kClicks = {"+I[1, u1, 3]", "watermark 0", "+I[2, u2, 1]", "+I[3, u1, 1]", "+I[4, u1, 5]", "watermark 2",
                          "+I[5, u2, 1]", "+I[6, null, 6]", "watermark 3", "+I[7, u1, 5]", "+I[8, null, 2]"};

Messages withoutMarks(const Messages& messages) {
  Messages rows;
  for (const std::string& message : messages) {
    if (!message.starts_with("watermark")) rows.push_back(message);
  }
  return rows;
}

Messages deduplicated(const DeduplicateSpec& spec) {
  OperatorCase deduplicate(spec, {kClick});
  deduplicate.give(kClicks);
  return withoutMarks(deduplicate.answers());
}

TEST_CASE("the first row of a key by arrival passes") {
  DeduplicateSpec spec;
  spec.keys = {1};
  CHECK(deduplicated(spec) == Messages{"+I[1, u1, 3]", "+I[2, u2, 1]", "+I[6, null, 6]"});
  spec.output_rank = true;
  CHECK(deduplicated(spec) == Messages{"+I[1, u1, 3, 1]", "+I[2, u2, 1, 1]", "+I[6, null, 6, 1]"});
}

TEST_CASE("the last row of a key by arrival replaces the one before") {
  DeduplicateSpec spec;
  spec.keys = {1};
  spec.keep_last = true;
  CHECK(deduplicated(spec) == Messages{"+I[1, u1, 3]", "+I[2, u2, 1]", "-U[1, u1, 3]", "+U[3, u1, 1]", "-U[3, u1, 1]", "+U[4, u1, 5]",
                                       "-U[2, u2, 1]", "+U[5, u2, 1]", "+I[6, null, 6]", "-U[4, u1, 5]", "+U[7, u1, 5]",
                                       "-U[6, null, 6]", "+U[8, null, 2]"});
}

TEST_CASE("an equal row says nothing when the last by arrival is kept") {
  DeduplicateSpec spec;
  spec.keys = {1};
  spec.keep_last = true;
  OperatorCase deduplicate(spec, {kClick});
  deduplicate.give({"+I[1, a, 1]", "+I[1, a, 1]", "+I[1, a, 2]"});
  CHECK(deduplicate.answers() == Messages{"+I[1, a, 1]", "-U[1, a, 1]", "+U[1, a, 2]"});
}

TEST_CASE("the last row by time: an equal time replaces, an earlier one does not") {
  DeduplicateSpec spec;
  spec.keys = {1};
  spec.keep_last = true;
  spec.time_column = 2;
  spec.output_rank = true;
  CHECK(deduplicated(spec) == Messages{"+I[1, u1, 3, 1]", "+I[2, u2, 1, 1]", "-U[1, u1, 3, 1]", "+U[4, u1, 5, 1]", "-U[2, u2, 1, 1]",
                                       "+U[5, u2, 1, 1]", "+I[6, null, 6, 1]", "-U[4, u1, 5, 1]", "+U[7, u1, 5, 1]"});
}

TEST_CASE("consumers that do without -U or +I get +U") {
  DeduplicateSpec spec;
  spec.keys = {1};
  spec.keep_last = true;
  spec.emit_update_before = false;
  OperatorCase deduplicate(spec, {kClick});
  deduplicate.give({"+I[1, a, 1]", "+I[2, a, 2]"});
  CHECK(deduplicate.answers() == Messages{"+I[1, a, 1]", "+U[2, a, 2]"});
  spec.emit_insert_kind = false;
  OperatorCase upsert(spec, {kClick});
  upsert.give({"+I[1, a, 1]", "+I[2, a, 2]"});
  CHECK(upsert.answers() == Messages{"+U[1, a, 1]", "+U[2, a, 2]"});
}

TEST_CASE("the first row by time is sent once, when the watermark reaches it") {
  DeduplicateSpec spec;
  spec.keys = {1};
  spec.time_column = 2;
  OperatorCase deduplicate(spec, {kClick});
  deduplicate.give(kClicks);
  CHECK(deduplicate.answers() == Messages{"watermark 0", "+I[2, u2, 1]", "+I[3, u1, 1]", "watermark 3", "+I[6, null, 6]"});
}

TEST_CASE("in batch mode only the row that is kept is sent") {
  DeduplicateSpec spec;
  spec.keys = {1};
  spec.time_column = 2;
  spec.final_only = true;
  OperatorCase deduplicate(spec, {kClick});
  deduplicate.harness.batch_mode = true;
  deduplicate.harness.restores = false;
  deduplicate.give(withoutMarks(kClicks));
  CHECK(deduplicate.answers() == Messages{"+I[3, u1, 1]", "+I[2, u2, 1]", "+I[8, null, 2]"});
}

}  // namespace
}  // namespace thalweg::worker
