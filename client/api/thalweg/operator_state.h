// State of a subtask that belongs to no key: lists that are divided anew, or given whole to each, when the parallelism changes.
//
//   struct Buffering : SinkFunction<Order>, CheckpointedFunction {
//     void initializeState(FunctionInitializationContext& ctx) override {
//       kept_ = ctx.getOperatorStateStore().getListState(ListStateDescriptor<Order>("buffer"));
//       if (ctx.isRestored()) buffer_ = kept_.get();
//     }
//     void snapshotState(FunctionSnapshotContext&) override { kept_.update(buffer_); }
//   };
//
// initializeState() comes before open(), snapshotState() before every checkpoint. Threads: the subtask's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "client/api/thalweg/state.h"

namespace thalweg::api {

class OperatorStateStore {
 public:
  /// Divided in turn among the new subtasks.
  template <typename T>
  ListState<T> getListState(const ListStateDescriptor<T>& descriptor) { return open<T>(descriptor.getName(), false); }
  /// Every new subtask gets the elements of all old ones.
  template <typename T>
  ListState<T> getUnionListState(const ListStateDescriptor<T>& descriptor) { return open<T>(descriptor.getName(), true); }

  void write(std::string& out) const;
  void read(std::string_view bytes);
  bool isRestored() const { return restored_; }
  static std::string redistribute(const std::vector<std::string_view>& parts, int subtask, int parallelism);

 private:
  struct Entry {
    std::string name;
    bool is_union = false;
    std::vector<std::string> elements;                              // as restored
    std::function<std::vector<std::string>()> current;              // null until opened
    std::shared_ptr<void> list;
  };
  Entry& entry(const std::string& name, bool is_union);

  template <typename T>
  ListState<T> open(const std::string& name, bool is_union) {
    Entry& found = entry(name, is_union);
    if (!found.list) {
      auto list = std::make_shared<std::vector<T>>();
      for (const std::string& bytes : found.elements) {
        ByteReader reader(bytes);
        T value{};
        FieldTraits<T>::read(reader, value);
        list->push_back(std::move(value));
      }
      found.list = list;
      found.current = [list] {
        std::vector<std::string> elements;
        for (const T& value : *list) FieldTraits<T>::write(value, elements.emplace_back());
        return elements;
      };
    }
    return ListState<T>(std::static_pointer_cast<std::vector<T>>(found.list));
  }

  std::vector<std::unique_ptr<Entry>> entries_;
  bool restored_ = false;
};

class FunctionInitializationContext {
 public:
  explicit FunctionInitializationContext(OperatorStateStore& store) : store_(store) {}
  bool isRestored() const { return store_.isRestored(); }
  OperatorStateStore& getOperatorStateStore() { return store_; }

 private:
  OperatorStateStore& store_;
};
struct FunctionSnapshotContext {};

class CheckpointedFunction {
 public:
  virtual ~CheckpointedFunction() = default;
  virtual void initializeState(FunctionInitializationContext& context) = 0;
  virtual void snapshotState(FunctionSnapshotContext& context) = 0;
};

}  // namespace thalweg::api
