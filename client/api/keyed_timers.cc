#include "client/api/thalweg/keyed_timers.h"

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/field_traits.h"
#include "common/base/failpoint.h"
#include "common/runtime_api/state_visits.h"

namespace thalweg::api {

void KeyedTimers::OfKey::serialize(std::string& out) const {
  for (const auto& [id, number] : numbers) {
    writeNumber(out, id);
    writeNumber(out, number);
  }
}

Status KeyedTimers::OfKey::deserialize(std::string_view bytes, OfKey& into) {
  if (bytes.size() % (sizeof(Id) + sizeof(uint64_t)) != 0) return Status::internal("stored timers of a key are cut short");
  ByteReader reader(bytes);
  while (!reader.isAtEnd()) {
    const Id id = reader.number<Id>();
    into.numbers[id] = reader.number<uint64_t>();
  }
  return {};
}

KeyedTimers::KeyedTimers(KeyScope& keys, const std::string& name)
    : keys_(keys), table_(keys.openTable(objectTableSpec<OfKey>("timers/" + name, keys.isFixed()))) {
  throwIfFailed(lookAtAll(table_, 0, [this](std::string_view key, char* payload) {
    for (const auto& [id, number] : objectAt<OfKey>(payload).numbers) {
      due_.insert({id.time, number, id.tag, std::string(key)});
      next_ = std::max(next_, number + 1);
    }
  }));
}

void KeyedTimers::add(int64_t time, TimerTag tag) {
  if (ending_) return;
  const auto [place, added] = objectAt<OfKey>(keys_.upsert(table_)).numbers.insert({{time, tag}, next_});
  if (!added) return;
  due_.insert({time, next_++, tag, keys_.stored()});
}

bool KeyedTimers::forget(const Id& id) {
  char* payload = keys_.find(table_);
  if (payload == nullptr) return false;
  OfKey& of_key = objectAt<OfKey>(payload);
  if (of_key.numbers.erase(id) == 0) return false;
  table_.markDirty(payload);
  if (of_key.numbers.empty()) keys_.erase(table_);
  return true;
}

void KeyedTimers::remove(int64_t time, TimerTag tag) {
  char* payload = keys_.find(table_);
  if (payload == nullptr) return;
  const auto& numbers = objectAt<OfKey>(payload).numbers;
  const auto found = numbers.find({time, tag});
  if (found == numbers.end()) return;
  due_.erase({time, found->second, tag, keys_.stored()});
  forget({time, tag});
}

void KeyedTimers::fire(int64_t time, const std::function<void(int64_t, TimerTag)>& on_timer) {
  while (!due_.empty() && due_.begin()->time <= time) {
    const Due due = due_.extract(due_.begin()).value();
    keys_.setStored(due.key);
    if (THALWEG_MUTANT("fired_timers_stay") || forget({due.time, due.tag})) on_timer(due.time, due.tag);
  }
}

void KeyedTimers::fireAll(const std::function<void(int64_t, TimerTag)>& on_timer) {
  // One key at a time: nobody else has timers.
  ending_ = true;
  fire(INT64_MAX, on_timer);
  ending_ = false;
}

}  // namespace thalweg::api
