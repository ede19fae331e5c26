// How a snapshot gets the entries of a hot table that is in use: turns.
//
// Every change marks its entry with the present turn, and a snapshot begins the next one. There are two marks, 1 and 2:
// once all entries with the mark of the turn before have been shown to the captor, which takes that mark away, it is free
// to be used again. So freezing touches no entry, and lookups compare one byte that they read anyway.
// A namespace that is erased before the walk has come to it is detached: it lives on until it was walked.
#include <algorithm>

#include "common/base/byte_stream.h"
#include "common/base/check.h"
#include "worker/state/hot_keyed_table.h"

namespace thalweg::worker {

namespace {

constexpr EntryIndex kAhead = 16;      // entries between fetching a mark and reading it

}  // namespace

void HotKeyedTable::appendPayload(const char* payload, std::string& bytes) const {
  if (spec_.serialize) spec_.serialize(payload, bytes);
  else bytes.append(payload, spec_.payload_bytes);
}

void HotKeyedTable::appendColdValue(const char* payload, std::string& value) const {
  if (layout_.expires) ByteWriter(value).number(touchedAt(payload));
  appendPayload(payload, value);
}

void HotKeyedTable::beginTurn(Captor& captor) {
  CHECK(layout_.marked && captor_ == nullptr);
  captor_ = &captor;
  stale_ = turn_;
  turn_ = turn_ == 1 ? 2 : 1;
  walk_ns_ = INT64_MIN;
  walked_ = 0;
}

void HotKeyedTable::endTurn() {
  captor_ = nullptr;
  stale_ = kNoTurn;
}

bool HotKeyedTable::captureIn(StateNamespace ns, Space& space, EntryIndex& walked, size_t& entries_left) {
  const EntryArena& entries = space.entries;
  for (EntryIndex at = entries.nextUsed(walked); at != kNoEntry; at = entries.nextUsed(at + 1)) {
    if (entries_left == 0) {
      walked = at;
      return false;
    }
    if (at + kAhead < entries.end()) __builtin_prefetch(&layout_.markOf(payloadAt(space, at + kAhead)));
    char* const payload = payloadAt(space, at);
    size_t cost = 1;
    if (layout_.markOf(payload).dirty == stale_) cost += captor_->capture(ns, at, payload);
    entries_left -= std::min(cost, entries_left);
  }
  walked = kNoEntry;
  return true;
}

bool HotKeyedTable::captureSome(size_t entries) {
  CHECK(captor_ != nullptr);
  // Lower namespaces are the windows that end first.
  for (auto at = spaces_.lower_bound(walk_ns_); at != spaces_.end(); ++at) {
    if (at->first != walk_ns_) walked_ = 0;
    walk_ns_ = at->first;
    if (!captureIn(walk_ns_, *at->second, walked_, entries)) return false;
  }
  walk_ns_ = INT64_MAX;
  walked_ = kNoEntry;
  for (; !detached_.empty(); detached_.pop_front()) {
    DetachedSpace& detached = detached_.front();
    if (!captureIn(detached.ns, *detached.space, detached.walked, entries)) return false;
    destroySpace(*detached.space);
  }
  return true;
}

}  // namespace thalweg::worker
