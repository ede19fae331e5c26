// Accumulators: one group's accumulators outside of a table entry of their own, for state that holds them inside of
// something larger (sessions, OVER partitions). Laid out as AggregateSet says, header included.
#pragma once

#include "worker/operators/aggregate/aggregate_set.h"

namespace thalweg::worker {

class Accumulators {
 public:
  Accumulators() = default;
  Accumulators(Accumulators&&) noexcept = default;
  Accumulators& operator=(Accumulators&& other) noexcept {
    if (this == &other) return *this;
    clear();
    set_ = std::move(other.set_);
    entry_ = std::move(other.entry_);
    return *this;
  }
  ~Accumulators() { clear(); }

  bool exist() const { return entry_ != nullptr; }
  /// Makes fresh accumulators and a zeroed header, unless there are some.
  void make(const std::shared_ptr<AggregateSet>& set) {
    if (entry_) return;
    allocate(set);
    set->init(entry_.get());
  }
  char* entry() const { return entry_.get(); }
  /// The first word of the header.
  int64_t& count() const { return *reinterpret_cast<int64_t*>(entry_.get()); }

  void serialize(std::string& out) const { set_->serialize(entry_.get(), out); }
  Status deserialize(std::string_view bytes, const std::shared_ptr<AggregateSet>& set) {
    allocate(set);
    const Status status = set->deserialize(bytes, entry_.get());
    if (!status.isOk()) entry_.reset();
    return status;
  }

 private:
  void allocate(const std::shared_ptr<AggregateSet>& set) {
    set_ = set;
    entry_ = std::make_unique<char[]>(set->entryBytes());
  }
  void clear() {
    if (entry_) set_->destroy(entry_.get());
    entry_.reset();
  }

  std::shared_ptr<AggregateSet> set_;
  std::unique_ptr<char[]> entry_;
};

}  // namespace thalweg::worker
