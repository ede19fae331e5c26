#include "client/shell/live_table.h"

#include <algorithm>

namespace thalweg::shell {
namespace {

std::string keyOf(const std::vector<std::string>& cells) {
  std::string key;
  for (const std::string& cell : cells) {
    key += cell;
    key += '\x1f';
  }
  return key;
}

}  // namespace

void LiveTable::apply(RowKind kind, std::vector<std::string> cells, std::string order) {
  std::string key = keyOf(cells);
  if (isRetract(kind)) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return;
    const auto place = found->second;
    by_key_.erase(found);
    --size_;
    place->empty = true;
    holes_.push_back(place);
    return;
  }
  ++size_;
  ordered_ = ordered_ || !order.empty();
  Places::iterator place;
  if (!holes_.empty()) {
    place = holes_.front();
    holes_.pop_front();
    *place = {std::move(cells), std::move(key), std::move(order), false};
  } else {
    place = places_.insert(places_.end(), {std::move(cells), std::move(key), std::move(order), false});
  }
  by_key_.emplace(place->key, place);
  if (size_ > rows_max_) remove(places_.begin());
}

void LiveTable::remove(Places::iterator place) {
  if (place->empty) {
    holes_.remove(place);
  } else {
    const auto [begin, end] = by_key_.equal_range(place->key);
    for (auto at = begin; at != end; ++at) {
      if (at->second != place) continue;
      by_key_.erase(at);
      break;
    }
    --size_;
    ++dropped_;
  }
  places_.erase(place);
}

std::vector<std::vector<std::string>> LiveTable::rows(size_t count) const {
  if (ordered_) return firstRows(count);
  std::vector<std::vector<std::string>> rows;
  size_t skip = size_ > count ? size_ - count : 0;
  for (const Place& place : places_) {
    if (place.empty) continue;
    if (skip > 0) --skip;
    else rows.push_back(place.cells);
  }
  return rows;
}

std::vector<std::vector<std::string>> LiveTable::firstRows(size_t count) const {
  std::vector<const Place*> places;
  for (const Place& place : places_) {
    if (!place.empty) places.push_back(&place);
  }
  const auto before = [](const Place* a, const Place* b) { return a->order < b->order; };
  std::stable_sort(places.begin(), places.end(), before);
  std::vector<std::vector<std::string>> rows;
  for (const Place* place : places) {
    if (rows.size() == count) break;
    rows.push_back(place->cells);
  }
  return rows;
}

}  // namespace thalweg::shell
