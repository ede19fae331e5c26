#include "worker/state/capture_buffer.h"

#include <algorithm>
#include <cstring>

namespace thalweg::worker {

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

void CaptureBuffer::add(StateNamespace ns, uint64_t hash, std::string_view key, std::optional<std::string_view> value) {
  char* const at = take(sizeof(Head) + key.size() + (value ? value->size() : 0));
  const Head head{static_cast<uint32_t>(key.size()), value ? static_cast<uint32_t>(value->size()) : kGone};
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
  for (const Place& place : places_.back()) {
    const Head& head = headOf(place);
    std::optional<std::string_view> value;
    if (head.value_bytes != kGone) value = std::string_view(place.at + sizeof(Head) + head.key_bytes, head.value_bytes);
    RETURN_IF_ERROR(writer.add(place.ns, place.hash, keyAt(place), value));
  }
  return {};
}

}  // namespace thalweg::worker
