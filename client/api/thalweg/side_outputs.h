// OutputTag<X> names a side output of an operator; SideOutputs are those of one stage.
//
//   static const OutputTag<std::string> kLate("late");
//   ctx.output(kLate, "…");                       // in a process function
//   stream.process(…).getSideOutput(kLate).print();
//
// Records for a tag that nobody reads are dropped. Errors: ValidationException when one name is used with two types.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/record_type.h"
#include "client/api/thalweg/stage.h"

namespace thalweg::api {

template <typename X>
class OutputTag {
 public:
  explicit OutputTag(std::string id) : id_(std::move(id)) {}
  const std::string& getId() const { return id_; }

 private:
  std::string id_;
};

/// One side output of a stage: gathers, and emits when told to.
class SideEmitter {
 public:
  virtual ~SideEmitter() = default;
  virtual AnyEmitter& emitter() = 0;
  virtual void flush() = 0;
};
template <typename X>
class TypedSideEmitter final : public SideEmitter {
 public:
  AnyEmitter& emitter() override { return emitter_; }
  void add(X value, EventTime timestamp) { chunk_.add(std::move(value), timestamp); }
  void flush() override {
    emitter_.records(chunk_);
    chunk_.clear();
  }

 private:
  Emitter<X> emitter_;
  Chunk<X> chunk_;
};

/// The side outputs that readers asked for, by name; shared by an operator's node and its stages' factory.
struct SideOutputList {
  struct Entry {
    std::string id;
    std::function<std::unique_ptr<SideEmitter>()> make;
  };
  std::vector<Entry> entries;           ///< entry i is output i + 1
};
using SideOutputListPtr = std::shared_ptr<SideOutputList>;

class SideOutputs {
 public:
  explicit SideOutputs(const SideOutputListPtr& list) {
    if (!list) return;
    for (const SideOutputList::Entry& entry : list->entries) outputs_.emplace_back(entry.id, entry.make());
  }
  template <typename X>
  void add(const OutputTag<X>& tag, X value, EventTime timestamp) {
    for (auto& [id, output] : outputs_) {
      if (id != tag.getId()) continue;
      auto* typed = dynamic_cast<TypedSideEmitter<X>*>(output.get());
      if (typed == nullptr) throw ValidationException("side output '" + id + "' is read as another type than it is written: use one OutputTag for both");
      typed->add(std::move(value), timestamp);
    }
  }
  AnyEmitter* emitter(int tag) {
    return tag >= 1 && tag <= static_cast<int>(outputs_.size()) ? &outputs_[static_cast<size_t>(tag) - 1].second->emitter() : nullptr;
  }
  void flush() {
    for (auto& [id, output] : outputs_) output->flush();
  }
  void watermark(EventTime value) {
    for (auto& [id, output] : outputs_) output->emitter().watermark(value);
  }
  void idle(bool idle) {
    for (auto& [id, output] : outputs_) output->emitter().idle(idle);
  }

 private:
  std::vector<std::pair<std::string, std::unique_ptr<SideEmitter>>> outputs_;
};

}  // namespace thalweg::api
