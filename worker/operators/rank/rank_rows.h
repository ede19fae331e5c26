// RankRows: the rows of one Top-N partition in state, in sort order, and RankMessages: what is sent of them.
//
// Rows with equal sort keys stand in the order of their arrival. Sort keys are SortKeyEncoder's bytes.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/plan/operator_spec.h"
#include "worker/operators/row_messages.h"

namespace thalweg::worker {

/// The payload of a partition's entry in keyed state.
class RankRows {
 public:
  struct Row {
    std::string key;      ///< upsert key, only where rows are updated by key
    std::string bytes;
  };
  using Group = std::vector<Row>;   ///< rows of one sort key, never empty
  using Groups = std::map<std::string, Group, std::less<>>;

  struct Place {
    Groups::iterator group;
    size_t position = 0;
  };

  const Groups& groups() const { return groups_; }
  int64_t size() const { return size_; }
  bool isEmpty() const { return size_ == 0; }
  std::string_view worstKey() const { return groups_.rbegin()->first; }

  /// Adds a row behind those with its sort key, or with `first` before them.
  void append(std::string_view sort_key, std::string_view bytes, std::string_view row_key = {}, bool first = false);
  void removeAt(const Place& place);
  /// Removes the last row.
  Row takeLast();
  /// The row with this sort key and these bytes, the oldest of equal ones; group is end() if there is none.
  Place find(std::string_view sort_key, std::string_view bytes);
  /// The last row with this sort key; there is one.
  Place lastOf(std::string_view sort_key) {
    const auto group = groups_.find(sort_key);
    return {group, group->second.size() - 1};
  }
  /// The row with this upsert key.
  Place findKey(std::string_view row_key);
  bool exists(const Place& place) const { return place.group != groups_.end(); }
  /// Rows whose sort key is smaller than `sort_key`, counting hardly further than `limit`.
  int64_t countBefore(std::string_view sort_key, int64_t limit) const;
  /// Rows whose sort key is not larger.
  int64_t countUpTo(std::string_view sort_key, int64_t limit) const;

  /// The partition's own N where it comes from a column: that of its first row. 0: not yet known.
  int64_t own_end = 0;

  void serialize(std::string& out) const;
  static Status deserialize(std::string_view bytes, RankRows& into);

 private:
  Groups groups_;
  int64_t size_ = 0;
  std::unordered_map<std::string, std::string> sort_keys_;   // upsert key -> sort key, where rows have upsert keys
};

/// Walks rows in rank order from some place on.
class RankCursor {
 public:
  /// Row number `rank` (from 1).
  RankCursor(const RankRows& rows, int64_t rank);
  bool hasRow() const { return group_ != end_; }
  const std::string& bytes() const { return group_->second[position_].bytes; }
  void next();

 private:
  RankRows::Groups::const_iterator group_;
  RankRows::Groups::const_iterator end_;
  size_t position_ = 0;
};

/// Sends what lies in the wanted ranks, with the rank beside it if asked for.
class RankMessages {
 public:
  RankMessages(const RankSpec& spec, const RowCodec& codec)
      : messages_(codec), start_(spec.start), end_(spec.end), numbered_(spec.output_rank), update_before_(spec.emit_update_before) {}

  /// Rows have places that move: the rank is sent, or the first ranks are not.
  bool placed() const { return numbered_ || start_ > 1; }
  int64_t end() const { return end_; }
  void setEnd(int64_t end) { end_ = end; }

  void insert(std::string_view row, int64_t rank) { add(RowKind::INSERT, row, rank); }
  void remove(std::string_view row, int64_t rank) { add(RowKind::DELETE, row, rank); }
  void before(std::string_view row, int64_t rank) {
    if (update_before_) add(RowKind::UPDATE_BEFORE, row, rank);
  }
  void after(std::string_view row, int64_t rank) { add(RowKind::UPDATE_AFTER, row, rank); }

  bool isEmpty() const { return messages_.isEmpty(); }
  bool isFull() const { return messages_.isFull(); }
  Batch take() { return messages_.take(numbered_); }

 private:
  void add(RowKind kind, std::string_view row, int64_t rank) {
    if (rank >= start_ && rank <= end_) messages_.add(kind, row, rank);
  }

  RowMessages messages_;
  int64_t start_;
  int64_t end_;
  bool numbered_;
  bool update_before_;
};

}  // namespace thalweg::worker
