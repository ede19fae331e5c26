#include "common/functions/aggregates/ordered_values.h"

#include <algorithm>

#include "common/base/check.h"

namespace thalweg {
namespace {

constexpr size_t kNowhere = ~size_t{0};

std::optional<std::string_view> viewOf(const OrderedValues::Entry& entry) {
  if (!entry) return std::nullopt;
  return std::string_view(*entry);
}

}  // namespace

std::string OrderedValues::indexKey(std::optional<std::string_view> value) {
  std::string key(1, value ? 'v' : 'n');
  if (value) key.append(*value);
  return key;
}

void OrderedValues::add(std::optional<std::string_view> value) {
  Slot slot;
  if (value) slot.value.emplace(*value);
  slots_.push_back(std::move(slot));
  ++live_;
  if (indexed_) index_[indexKey(value)].push_back(first_ + slots_.size() - 1);
}

void OrderedValues::remove(std::optional<std::string_view> value) {
  const size_t at = find(value);
  if (at != kNowhere) return erase(at);
  Entry entry;
  if (value) entry.emplace(*value);
  owed_.push_back(std::move(entry));
}

void OrderedValues::mergeFrom(const OrderedValues& other) {
  for (const Entry& entry : other.owed_) remove(viewOf(entry));
  other.forEach([&](const Entry& entry) {
    const auto owed = std::ranges::find(owed_, entry);
    if (owed != owed_.end()) owed_.erase(owed);
    else add(viewOf(entry));
  });
}

const OrderedValues::Entry& OrderedValues::front() const {
  CHECK(live_ > 0);  // trim() keeps both ends live
  return slots_.front().value;
}

const OrderedValues::Entry& OrderedValues::back() const {
  CHECK(live_ > 0);
  return slots_.back().value;
}

size_t OrderedValues::find(std::optional<std::string_view> value) {
  if (!indexed_ && slots_.size() >= kIndexedFrom) buildIndex();
  if (indexed_) {
    const auto found = index_.find(indexKey(value));
    return found == index_.end() ? kNowhere : found->second.front() - first_;
  }
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].live && equal(slots_[i].value, value)) return i;
  }
  return kNowhere;
}

void OrderedValues::erase(size_t slot) {
  if (indexed_) {
    const auto found = index_.find(indexKey(viewOf(slots_[slot].value)));
    found->second.pop_front();
    if (found->second.empty()) index_.erase(found);
  }
  slots_[slot].live = false;
  slots_[slot].value.reset();
  --live_;
  trim();
}

// Both ends stay live, and gaps in the middle stay fewer than live slots.
void OrderedValues::trim() {
  while (!slots_.empty() && !slots_.front().live) {
    slots_.pop_front();
    ++first_;
  }
  while (!slots_.empty() && !slots_.back().live) slots_.pop_back();
  if (slots_.empty()) indexed_ = false;
  if (slots_.size() < kIndexedFrom || slots_.size() < 2 * live_) return;
  std::erase_if(slots_, [](const Slot& slot) { return !slot.live; });
  if (indexed_) buildIndex();
}

void OrderedValues::buildIndex() {
  index_.clear();
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].live) index_[indexKey(viewOf(slots_[i].value))].push_back(first_ + i);
  }
  indexed_ = true;
}

void OrderedValues::save(StateWriter& out) const {
  const auto entry = [&](const Entry& value) {
    out.number<uint8_t>(value.has_value());
    if (value) out.text(*value);
  };
  out.number<uint64_t>(live_);
  forEach(entry);
  out.number<uint64_t>(owed_.size());
  for (const Entry& value : owed_) entry(value);
}

bool OrderedValues::load(StateReader& in) {
  const auto entry = [&]() -> std::optional<std::string_view> {
    if (in.number<uint8_t>() == 0) return std::nullopt;
    return in.text();
  };
  for (uint64_t left = in.count(1); left > 0; --left) add(entry());
  for (uint64_t left = in.count(1); left > 0; --left) {
    const std::optional<std::string_view> value = entry();
    owed_.push_back(value ? Entry(std::in_place, *value) : Entry());
  }
  return in.isOk();
}

}  // namespace thalweg
