// The regular join in every hard case of the harness: its changelog, applied, is what a naive join gives.
#include <algorithm>
#include <set>

#include "tests/unit/worker/operators/every_operator_cases.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {
namespace {

const Types kPair = {kInt, kText};

Case join(JoinType type, bool at_end) {
  JoinSpec spec;
  spec.type = type;
  spec.left_keys = {0};
  spec.right_keys = {0};
  spec.null_equal = {false};
  spec.left_retracts = spec.right_retracts = !at_end;
  spec.final_only = at_end;
  const bool semi = type == JoinType::SEMI || type == JoinType::ANTI;
  Case c{"join " + std::to_string(static_cast<int>(type)) + (at_end ? " at the end" : ""), spec, {kPair, kPair},
         semi ? kPair : Types{kInt, kText, kInt, kText}, {}, {}};
  c.ordered = false;
  c.batch_mode = at_end;
  if (at_end) {
    c.feed = {{0, {"+I[1, a]", "+I[2, b]", "+I[null, n]", "+I[1, a]"}}, {1, {"+I[1, x]", "+I[1, y]", "+I[3, z]", "+I[null, m]"}}};
  } else {
    c.feed = {{0, {"+I[1, a]", "+I[2, b]", "+I[null, n]", "+I[1, a]", "watermark 5"}},
              {1, {"+I[1, x]", "+I[1, y]", "+I[3, z]", "+I[null, m]", "watermark 3", "+I[1, x]"}},
              {0, {"-D[1, a]", "+I[3, c]", "+I[3, d]", "-D[null, n]", "+I[null, o]"}},
              {1, {"-U[1, x]", "+U[1, w]", "-D[3, z]", "-D[1, x]", "+I[2, v]", "-D[2, v]", "-D[null, m]", "watermark 9"}}};
  }
  return c;
}

using Rows = std::multiset<std::string>;

std::string inside(const std::string& message) { return message.substr(3, message.size() - 4); }

void applyChanges(const Messages& messages, Rows& rows) {
  for (const std::string& message : messages) {
    if (message.starts_with("watermark")) continue;
    if (message[0] == '+') {
      rows.insert(inside(message));
      continue;
    }
    const auto found = rows.find(inside(message));
    INFO("takes back what is not there: " << message);
    REQUIRE(found != rows.end());
    rows.erase(found);
  }
}

bool matches(const std::string& left, const std::string& right) {
  const std::string key = left.substr(0, left.find(','));
  return key != "null" && key == right.substr(0, right.find(','));
}

Rows naiveJoin(JoinType type, const Rows& left, const Rows& right) {
  Rows result;
  for (const std::string& l : left) {
    bool matched = false;
    for (const std::string& r : right) {
      if (!matches(l, r)) continue;
      matched = true;
      if (type != JoinType::SEMI && type != JoinType::ANTI) result.insert(l + ", " + r);
    }
    if (type == JoinType::SEMI && matched) result.insert(l);
    if (type == JoinType::ANTI && !matched) result.insert(l);
    if ((type == JoinType::LEFT || type == JoinType::FULL) && !matched) result.insert(l + ", null, null");
  }
  if (type != JoinType::RIGHT && type != JoinType::FULL) return result;
  for (const std::string& r : right) {
    if (std::none_of(left.begin(), left.end(), [&](const std::string& l) { return matches(l, r); })) result.insert("null, null, " + r);
  }
  return result;
}

constexpr JoinType kJoinTypes[] = {JoinType::INNER, JoinType::LEFT, JoinType::RIGHT, JoinType::FULL, JoinType::SEMI, JoinType::ANTI};

TEST_CASE("every type of join gives a changelog of what a naive join gives, in every hard case") {
  for (const bool at_end : {false, true}) {
    for (const JoinType type : kJoinTypes) {
      const Case c = join(type, at_end);
      DYNAMIC_SECTION(c.name) {
        Rows sides[2];
        for (const auto& [input, messages] : c.feed) applyChanges(messages, sides[input]);
        Rows result;
        applyChanges(answersOf(c), result);
        CHECK(result == naiveJoin(type, sides[0], sides[1]));
      }
    }
  }
}

}  // namespace
}  // namespace thalweg::worker
