#include "worker/operators/join/join_rows.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "common/base/check.h"
#include "common/functions/aggregates/state_bytes.h"

namespace thalweg::worker {

JoinRows::~JoinRows() {
  std::free(block_);
  delete index_;
}

void JoinRows::reserve(uint32_t bytes) {
  CHECK(uint64_t{used_} + bytes <= UINT32_MAX);   // 4 GiB of rows under one key
  if (used_ + bytes <= capacity_) return;
  const uint64_t wanted = std::max<uint64_t>(used_ + bytes, capacity_ < 64 ? 64 : uint64_t{capacity_} * 3 / 2);
  capacity_ = static_cast<uint32_t>(std::min<uint64_t>(wanted, UINT32_MAX));
  auto* block = static_cast<char*>(std::realloc(block_, capacity_));
  CHECK(block != nullptr);
  block_ = block;
}

void JoinRows::append(std::string_view bytes, int64_t matches, uint32_t hash) {
  const auto size = static_cast<uint32_t>(bytes.size());
  reserve(spaceOf(size));
  Record* record = new (block_ + used_) Record{size, hash, matches};
  std::memcpy(record + 1, bytes.data(), bytes.size());
  if (index_) index_->emplace(hash, used_);
  used_ += spaceOf(size);
  ++live_;
}

uint32_t JoinRows::findOffset(std::string_view bytes, uint32_t hash) {
  if (index_) return findIndexed(bytes, hash);
  uint32_t found = used_;
  for (uint32_t at = 0; at < used_; at += spaceOf(recordAt(at).size)) {
    const Record& record = recordAt(at);
    if (record.hash == hash && !record.isDead() && record.bytes() == bytes) found = at;
  }
  return found;
}

uint32_t JoinRows::findIndexed(std::string_view bytes, uint32_t hash) {
  uint32_t found = used_;
  const auto [begin, end] = index_->equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if ((found == used_ || at->second > found) && recordAt(at->second).bytes() == bytes) found = at->second;
  }
  return found;
}

bool JoinRows::remove(std::string_view bytes, uint32_t hash) {
  if (live_ >= kIndexedRowsMin && index_ == nullptr) makeIndex();
  const uint32_t offset = findOffset(bytes, hash);
  if (offset == used_) return false;
  Record& record = recordAt(offset);
  const uint32_t space = spaceOf(record.size);
  if (index_) {
    const auto [begin, end] = index_->equal_range(hash);
    index_->erase(std::find_if(begin, end, [&](const auto& item) { return item.second == offset; }));
  }
  --live_;
  if (offset + space == used_) {
    used_ = offset;
    return true;
  }
  record.matches = kDead;
  dead_bytes_ += space;
  if (dead_bytes_ > used_ / 2) compact();
  return true;
}

void JoinRows::makeIndex() {
  index_ = new Index();
  index_->reserve(live_);
  for (uint32_t at = 0; at < used_; at += spaceOf(recordAt(at).size)) {
    if (!recordAt(at).isDead()) index_->emplace(recordAt(at).hash, at);
  }
}

void JoinRows::dropIndex() {
  delete index_;
  index_ = nullptr;
}

void JoinRows::compact() {
  uint32_t to = 0;
  for (uint32_t at = 0; at < used_;) {
    const uint32_t space = spaceOf(recordAt(at).size);
    const bool dead = recordAt(at).isDead();
    if (!dead && to != at) std::memmove(block_ + to, block_ + at, space);
    if (!dead) to += space;
    at += space;
  }
  used_ = to;
  dead_bytes_ = 0;
  dropIndex();
}

void JoinRows::serialize(std::string& out) const {
  StateWriter writer(out);
  writer.number<uint64_t>(live_);
  forEach([&](const Record& record) {
    writer.number(record.matches);
    writer.number(record.hash);
    writer.text(record.bytes());
  });
}

Status JoinRows::deserialize(std::string_view bytes) {
  StateReader reader(bytes);
  const auto count = reader.count(2 * sizeof(uint64_t) + sizeof(uint32_t));
  for (uint64_t i = 0; i < count && reader.isOk(); ++i) {
    const auto matches = reader.number<int64_t>();
    const auto hash = reader.number<uint32_t>();
    append(reader.text(), matches, hash);
  }
  return reader.isDone() ? Status() : Status::internal("state of a join is cut short");
}

KeyedTableSpec JoinRows::tableSpec(std::string name, bool fixed_keys, int64_t ttl_ms) {
  KeyedTableSpec spec;
  spec.name = std::move(name);
  spec.payload_bytes = sizeof(JoinRows);
  spec.fixed_keys = fixed_keys;
  spec.ttl_ms = ttl_ms;
  spec.init = [](char* at) { new (at) JoinRows(); };
  spec.destroy = [](char* at) { reinterpret_cast<JoinRows*>(at)->~JoinRows(); };
  spec.serialize = [](const char* at, std::string& out) { reinterpret_cast<const JoinRows*>(at)->serialize(out); };
  spec.deserialize = [](std::string_view bytes, char* at) {
    auto* rows = new (at) JoinRows();
    Status status = rows->deserialize(bytes);
    if (!status.isOk()) rows->~JoinRows();
    return status;
  };
  return spec;
}

}  // namespace thalweg::worker
