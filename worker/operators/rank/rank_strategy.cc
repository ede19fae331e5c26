#include "worker/operators/rank/rank_strategy.h"
#include "common/base/failpoint.h"

namespace thalweg::worker {
namespace {

/// `row` comes in at `rank`; rows from there on move down. `rows` does not hold it yet.
void shiftDown(const RankRows& rows, std::string_view row, int64_t rank, RankMessages& out) {
  RankCursor at(rows, rank);
  for (; rank <= out.end() && at.hasRow(); ++rank, at.next()) {
    out.before(at.bytes(), rank);
    out.after(row, rank);
    row = at.bytes();
  }
  if (rank <= out.end()) out.insert(row, rank);
}

/// The row at `rank` leaves; rows behind it move up. `rows` still holds it.
void shiftUp(const RankRows& rows, int64_t rank, RankMessages& out) {
  RankCursor at(rows, rank);
  std::string_view leaving = at.bytes();
  at.next();
  for (; rank <= out.end() && at.hasRow(); ++rank, at.next()) {
    out.before(leaving, rank);
    out.after(at.bytes(), rank);
    leaving = at.bytes();
  }
  if (rank <= out.end()) out.remove(leaving, rank);
}

/// Takes a new row into a partition that keeps only its first N rows.
void insertWithin(RankRows& rows, RankInput& input, RankMessages& out) {
  if (out.end() <= 0) return;
  const bool full = rows.size() >= out.end();
  if (full && input.sortKey() >= rows.worstKey()) return;
  if (out.placed()) {
    shiftDown(rows, input.bytes(), rows.countUpTo(input.sortKey(), out.end()) + 1, out);
    if (full) rows.takeLast();
  } else {
    if (full) out.remove(rows.takeLast().bytes, out.end());
    out.insert(input.bytes(), 1);
  }
  rows.append(input.sortKey(), input.bytes(), input.row_key);
}

class FirstStrategy : public RankStrategy {
 public:
  void apply(RankRows& rows, RankInput& input, RankMessages& out) const override {
    if (input.kind() == RowKind::UPDATE_BEFORE) return;
    if (rows.isEmpty()) {
      out.insert(input.bytes(), 1);
    } else {
      const auto& [best_key, group] = *rows.groups().begin();
      const RankRows::Row& best = group.front();
      const bool same_row = !input.row_key.empty() && best.key == input.row_key;
      if (same_row ? best.bytes == input.bytes() : input.sortKey() >= best_key) return;
      out.before(best.bytes, 1);
      out.after(input.bytes(), 1);
      rows.takeLast();
    }
    rows.append(input.sortKey(), input.bytes(), input.row_key);
  }
};

class AppendStrategy : public RankStrategy {
 public:
  void apply(RankRows& rows, RankInput& input, RankMessages& out) const override { insertWithin(rows, input, out); }
};

class UpdateStrategy : public RankStrategy {
 public:
  void apply(RankRows& rows, RankInput& input, RankMessages& out) const override {
    if (input.kind() == RowKind::UPDATE_BEFORE) return;
    const RankRows::Place old = rows.findKey(input.row_key);
    if (!rows.exists(old)) return insertWithin(rows, input, out);
    const int64_t old_rank = out.placed() ? rows.countBefore(old.group->first, out.end()) + static_cast<int64_t>(old.position) + 1 : 1;
    const std::string old_bytes = old.group->second[old.position].bytes;
    if (old.group->first == input.sortKey()) {
      out.before(old_bytes, old_rank);
      out.after(input.bytes(), old_rank);
      old.group->second[old.position].bytes = input.bytes();
      return;
    }
    rows.removeAt(old);
    const int64_t new_rank = out.placed() ? rows.countUpTo(input.sortKey(), out.end()) + 1 : 1;
    if (new_rank <= old_rank) moveUp(rows, old_bytes, old_rank, input.bytes(), new_rank, out);
    else moveDown(rows, old_bytes, old_rank, input.bytes(), new_rank, out);
    rows.append(input.sortKey(), input.bytes(), input.row_key);
  }

 private:
  /// `rows` holds neither the old nor the new row. The old image goes before the new one comes, since both have one key.
  static void moveUp(const RankRows& rows, std::string_view old_row, int64_t old_rank, std::string_view row, int64_t rank,
                     RankMessages& out) {
    bool gone = false;
    for (RankCursor at(rows, rank); rank < old_rank; ++rank, at.next()) {
      out.before(at.bytes(), rank);
      if (!gone) out.before(old_row, old_rank);
      gone = true;
      out.after(row, rank);
      row = at.bytes();
    }
    if (!gone) out.before(old_row, old_rank);
    out.after(row, old_rank);
  }

  /// Not to be expected of a key that only grows, unless the input's own state expired.
  static void moveDown(const RankRows& rows, std::string_view old_row, int64_t old_rank, std::string_view row, int64_t rank,
                       RankMessages& out) {
    std::string_view leaving = old_row;
    RankCursor at(rows, old_rank);
    for (int64_t place = old_rank; place < rank; ++place, at.next()) {
      out.before(leaving, place);
      out.after(at.bytes(), place);
      leaving = at.bytes();
    }
    out.before(leaving, rank);
    out.after(row, rank);
  }
};

class RetractStrategy : public RankStrategy {
 public:
  void apply(RankRows& rows, RankInput& input, RankMessages& out) const override {
    if (isAccumulate(input.kind())) insert(rows, input, out);
    else remove(rows, input, out);
  }

 private:
  static void insert(RankRows& rows, RankInput& input, RankMessages& out) {
    const int64_t rank = rows.countUpTo(input.sortKey(), out.end()) + 1;
    if (rank <= out.end()) {
      if (out.placed()) {
        shiftDown(rows, input.bytes(), rank, out);
      } else {
        if (rows.size() >= out.end()) out.remove(RankCursor(rows, out.end()).bytes(), out.end());
        out.insert(input.bytes(), rank);
      }
    }
    rows.append(input.sortKey(), input.bytes());
  }

  static void remove(RankRows& rows, RankInput& input, RankMessages& out) {
    const RankRows::Place place = rows.find(input.sortKey(), input.bytes());
    if (!rows.exists(place)) return;
    const int64_t rank = rows.countBefore(input.sortKey(), out.end()) + static_cast<int64_t>(place.position) + 1;
    if (rank <= out.end()) {
      if (out.placed()) {
        shiftUp(rows, rank, out);
      } else {
        out.remove(input.bytes(), rank);
        if (rows.size() > out.end() && !THALWEG_MUTANT("successor_forgotten")) out.insert(RankCursor(rows, out.end() + 1).bytes(), out.end());
      }
    }
    rows.removeAt(place);
  }
};

}  // namespace

bool ranksByKey(const RankSpec& spec) { return spec.input_retracts && spec.monotonic; }

std::unique_ptr<RankStrategy> makeRankStrategy(const RankSpec& spec) {
  if (spec.input_retracts && !spec.monotonic) return std::make_unique<RetractStrategy>();
  if (spec.start == 1 && spec.end == 1 && spec.end_column < 0) return std::make_unique<FirstStrategy>();
  if (spec.input_retracts) return std::make_unique<UpdateStrategy>();
  return std::make_unique<AppendStrategy>();
}

}  // namespace thalweg::worker
