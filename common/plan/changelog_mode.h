// ChangelogMode: which row kinds a stream may carry.
#pragma once

#include <string>

namespace thalweg {

struct ChangelogMode {
  bool update_before = false;
  bool update_after = false;
  bool deletes = false;

  static ChangelogMode insertOnly() { return {}; }
  static ChangelogMode upsert() { return {false, true, true}; }   ///< +I +U -D
  static ChangelogMode all() { return {true, true, true}; }       ///< +I -U +U -D
  bool isInsertOnly() const { return !update_before && !update_after && !deletes; }
  bool hasUpdates() const { return update_after; }
  bool operator==(const ChangelogMode&) const = default;
  /// `[I]`, `[I,UB,UA,D]`: as EXPLAIN CHANGELOG_MODE shows it.
  std::string toString() const;
};

}  // namespace thalweg
