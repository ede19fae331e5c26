#include "worker/state/capture_buffer.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "common/base/hash.h"
#include "worker/state/cold_value.h"
#include "worker/state/table_groups.h"

namespace thalweg::worker {

namespace {

constexpr size_t kAhead = 12;            // entries between fetching one and writing it
constexpr size_t kLineBytes = 64;

}  // namespace

char* CaptureBuffer::take(size_t bytes) {
  bytes = (bytes + alignof(Head) - 1) / alignof(Head) * alignof(Head);
  if (bytes > free_bytes_) {
    const size_t piece = std::max(bytes, pieces_.empty() ? kFirstPieceBytes : kPieceBytes);
    free_ = pieces_.emplace_back(std::make_unique_for_overwrite<char[]>(piece)).get();
    free_bytes_ = piece;
  }
  char* const taken = free_;
  free_ += bytes;
  free_bytes_ -= bytes;
  bytes_ += bytes + sizeof(Place);
  return taken;
}

void CaptureBuffer::note(const Place& place) {
  if (places_.empty() || places_.back().size() == places_.back().capacity()) {
    const size_t count = (places_.empty() ? kFirstPieceBytes : kPieceBytes) / sizeof(Place);
    places_.emplace_back().reserve(count);
  }
  places_.back().push_back(place);
  ++entries_;
}

void CaptureBuffer::add(StateNamespace ns, uint64_t hash, EntryIndex ordinal, std::string_view key, std::optional<std::string_view> value) {
  char* const at = take(sizeof(Head) + key.size() + (value ? value->size() : 0));
  const Head head{static_cast<uint32_t>(key.size()), value ? static_cast<uint32_t>(value->size()) : kGone, ordinal};
  std::memcpy(at, &head, sizeof(head));
  if (!key.empty()) std::memcpy(at + sizeof(head), key.data(), key.size());
  if (value && !value->empty()) std::memcpy(at + sizeof(head) + key.size(), value->data(), value->size());
  note({ns, hash, at});
}

Status CaptureBuffer::writeTo(RunWriter& writer) {
  std::vector<Place> all;
  all.reserve(entries_);
  for (const std::vector<Place>& part : places_) all.insert(all.end(), part.begin(), part.end());
  places_.clear();
  std::sort(all.begin(), all.end(), [](const Place& a, const Place& b) {
    if (a.ns != b.ns) return a.ns < b.ns;
    return a.hash != b.hash ? a.hash < b.hash : keyAt(a) < keyAt(b);
  });
  places_.push_back(std::move(all));
  const std::vector<Place>& sorted = places_.back();
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i + kAhead < sorted.size()) {                  // they stand as they came, far apart
      __builtin_prefetch(sorted[i + kAhead].at);
      __builtin_prefetch(sorted[i + kAhead].at + kLineBytes);
    }
    RETURN_IF_ERROR(writer.add(sorted[i].ns, sorted[i].hash, keyAt(sorted[i]), valueAt(sorted[i])));
  }
  return {};
}

void CaptureBuffer::appendTable(const TableSnapshot& head, uint32_t max_parallelism, std::string& out) const {
  std::vector<Place> all;
  all.reserve(entries_);
  for (const std::vector<Place>& part : places_) {
    std::copy_if(part.begin(), part.end(), std::back_inserter(all), [](const Place& place) { return headOf(place).value_bytes != kGone; });
  }
  const auto group_of = [&](const Place& place) { return keyGroupOf(place.hash, max_parallelism); };
  std::sort(all.begin(), all.end(), [&](const Place& a, const Place& b) {
    if (const uint32_t of_a = group_of(a), of_b = group_of(b); of_a != of_b) return of_a < of_b;
    return a.ns != b.ns ? a.ns < b.ns : headOf(a).ordinal < headOf(b).ordinal;
  });
  TableGroups groups(head);
  for (const Place& place : all) {
    const ColdValue value = ColdValue::read(*valueAt(place), head.has_touch_times);
    groups.add({group_of(place), place.ns, keyAt(place), value.touched_ms, value.payload}, headOf(place).ordinal);
  }
  groups.appendTo(out);
}

}  // namespace thalweg::worker
