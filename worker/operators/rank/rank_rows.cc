#include "worker/operators/rank/rank_rows.h"

#include "common/functions/aggregates/state_bytes.h"

namespace thalweg::worker {

void RankRows::append(std::string_view sort_key, std::string_view bytes, std::string_view row_key, bool first) {
  auto group = groups_.find(sort_key);
  if (group == groups_.end()) group = groups_.emplace(sort_key, Group()).first;
  const auto place = first ? group->second.begin() : group->second.end();
  group->second.insert(place, {std::string(row_key), std::string(bytes)});
  if (!row_key.empty()) sort_keys_[std::string(row_key)] = sort_key;
  ++size_;
}

void RankRows::removeAt(const Place& place) {
  Group& group = place.group->second;
  const auto row = group.begin() + static_cast<std::ptrdiff_t>(place.position);
  if (!row->key.empty()) sort_keys_.erase(row->key);
  group.erase(row);
  if (group.empty()) groups_.erase(place.group);
  --size_;
}

RankRows::Row RankRows::takeLast() {
  const auto last = std::prev(groups_.end());
  Row row = std::move(last->second.back());
  last->second.pop_back();
  if (last->second.empty()) groups_.erase(last);
  if (!row.key.empty()) sort_keys_.erase(row.key);
  --size_;
  return row;
}

RankRows::Place RankRows::find(std::string_view sort_key, std::string_view bytes) {
  const auto group = groups_.find(sort_key);
  if (group == groups_.end()) return {groups_.end()};
  for (size_t i = 0; i < group->second.size(); ++i) {
    if (group->second[i].bytes == bytes) return {group, i};
  }
  return {groups_.end()};
}

RankRows::Place RankRows::findKey(std::string_view row_key) {
  const auto known = sort_keys_.find(std::string(row_key));
  if (known == sort_keys_.end()) return {groups_.end()};
  const auto group = groups_.find(known->second);
  for (size_t i = 0; i < group->second.size(); ++i) {
    if (group->second[i].key == row_key) return {group, i};
  }
  return {groups_.end()};
}

int64_t RankRows::countBefore(std::string_view sort_key, int64_t limit) const {
  int64_t count = 0;
  for (auto group = groups_.begin(); group != groups_.end() && count < limit && group->first < sort_key; ++group) {
    count += static_cast<int64_t>(group->second.size());
  }
  return count;
}

int64_t RankRows::countUpTo(std::string_view sort_key, int64_t limit) const {
  int64_t count = 0;
  for (auto group = groups_.begin(); group != groups_.end() && count < limit && group->first <= sort_key; ++group) {
    count += static_cast<int64_t>(group->second.size());
  }
  return count;
}

void RankRows::serialize(std::string& out) const {
  StateWriter writer(out);
  writer.number(own_end);
  writer.number<uint64_t>(groups_.size());
  for (const auto& [sort_key, group] : groups_) {
    writer.text(sort_key);
    writer.number<uint64_t>(group.size());
    for (const Row& row : group) {
      writer.text(row.key);
      writer.text(row.bytes);
    }
  }
}

Status RankRows::deserialize(std::string_view bytes, RankRows& into) {
  StateReader reader(bytes);
  into.own_end = reader.number<int64_t>();
  const auto groups = reader.count(2 * sizeof(uint64_t));
  for (uint64_t g = 0; g < groups && reader.isOk(); ++g) {
    const std::string_view sort_key = reader.text();
    const auto rows = reader.count(2 * sizeof(uint64_t));
    for (uint64_t r = 0; r < rows && reader.isOk(); ++r) {
      const std::string_view row_key = reader.text();
      into.append(sort_key, reader.text(), row_key);
    }
  }
  return reader.isDone() ? Status() : Status::internal("state of a Top-N is cut short");
}

RankCursor::RankCursor(const RankRows& rows, int64_t rank) : group_(rows.groups().begin()), end_(rows.groups().end()) {
  int64_t before = rank - 1;
  while (group_ != end_ && before >= static_cast<int64_t>(group_->second.size())) {
    before -= static_cast<int64_t>(group_->second.size());
    ++group_;
  }
  position_ = static_cast<size_t>(before);
}

void RankCursor::next() {
  if (++position_ < group_->second.size()) return;
  ++group_;
  position_ = 0;
}

}  // namespace thalweg::worker
