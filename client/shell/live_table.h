// LiveTable: the current result of a changelog, kept so that it can be shown at any time.
//
// A row that replaces another takes its place, so that the table looks still while its rows change; rows that come with
// their place in an order stand in that order. Bounded: above `rows_max` the oldest rows are dropped from the view
// (counted), not from the query.
#pragma once

#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/types/row_kind.h"

namespace thalweg::shell {

class LiveTable {
 public:
  explicit LiveTable(size_t rows_max) : rows_max_(rows_max) {}

  /// `order`: bytes that sort like the row, the same for all rows of a table that has no order.
  void apply(RowKind kind, std::vector<std::string> cells, std::string order = {});
  /// The rows in view, oldest place first; at most the last `count`. With an order: the first `count` of it.
  std::vector<std::vector<std::string>> rows(size_t count) const;
  size_t size() const { return size_; }
  size_t dropped() const { return dropped_; }

 private:
  struct Place {
    std::vector<std::string> cells;
    std::string key;
    std::string order;
    bool empty = false;      // its row was retracted and its successor has not come yet
  };
  using Places = std::list<Place>;
  void remove(Places::iterator place);
  std::vector<std::vector<std::string>> firstRows(size_t count) const;

  size_t rows_max_;
  bool ordered_ = false;
  size_t size_ = 0;
  size_t dropped_ = 0;
  Places places_;
  std::unordered_multimap<std::string, Places::iterator> by_key_;
  std::list<Places::iterator> holes_;
};

}  // namespace thalweg::shell
