// What a window keeps of its records, and how that becomes a result: all of them, or one folded value.
//
// A content has Cell (with FieldTraits), add(), merge(), isEmpty() and emit(). Threads: the stage's.
#pragma once

#include <optional>
#include <vector>

#include "client/api/thalweg/evictors.h"
#include "client/api/thalweg/window_functions.h"

namespace thalweg::api {

/// Gives each element on; the function of windows that have none.
struct PassOn {
  template <typename K, typename C, typename IN, typename OUT>
  void process(const K&, C&, const std::vector<IN>& elements, Collector<OUT>& out) {
    for (const IN& element : elements) out.collect(element);
  }
};

/// Folds with a reduce function, or anything of its shape.
template <typename T, typename F>
struct ReduceFolder {
  using Accumulator = T;
  using Result = T;
  F function;
  F& richFunction() { return function; }
  void add(std::optional<T>& kept, const T& record) {
    if (kept) kept = callReduce(function, std::as_const(*kept), record);
    else kept = record;
  }
  void merge(std::optional<T>& kept, const T& other) { add(kept, other); }
  T result(const T& kept) { return kept; }
};
/// Folds one field in place (FieldFolder).
template <typename T, typename Fold>
struct FieldWindowFolder {
  using Accumulator = T;
  using Result = T;
  Fold fold;
  void add(std::optional<T>& kept, const T& record) {
    if (kept) fold(*kept, record);
    else kept = record;
  }
  void merge(std::optional<T>& kept, const T& other) { add(kept, other); }
  T result(const T& kept) { return kept; }
};
template <typename T, typename F>
struct AggregateFolder {
  using Accumulator = typename F::Accumulator;
  using Result = typename F::Output;
  F function;
  F& richFunction() { return function; }
  void add(std::optional<Accumulator>& kept, const T& record) {
    kept = function.add(record, kept ? std::move(*kept) : function.createAccumulator());
  }
  void merge(std::optional<Accumulator>& kept, const Accumulator& other) { kept = kept ? function.merge(*kept, other) : other; }
  Result result(const Accumulator& kept) { return function.getResult(kept); }
};

/// One folded value per window.
template <typename T, typename K, typename W, typename O, typename Folder, typename F>
class FoldedContent {
 public:
  using Cell = std::optional<typename Folder::Accumulator>;
  FoldedContent(const Folder& folder, const F& function) : folder_(folder), function_(function) {}
  void open(StageRuntime& runtime) {
    folder_.open(runtime);
    function_.open(runtime);
  }
  void close() {
    folder_.close();
    function_.close();
  }
  static bool isEmpty(const Cell& cell) { return !cell; }
  void add(Cell& cell, const T& record, EventTime) { folder_->add(cell, record); }
  void merge(Cell& into, Cell& other) {
    if (other) folder_->merge(into, *other);
  }
  void emit(const K& key, WindowContext<W>& context, Cell& cell, Collector<O>& out) {
    const std::vector<typename Folder::Result> elements{folder_->result(*cell)};
    callWindowFunction(*function_, key, context, elements, out);
  }

 private:
  FunctionHolder<Folder> folder_;
  FunctionHolder<F> function_;
};

/// All records of a window, which an evictor may thin out.
template <typename T, typename K, typename W, typename O, typename F>
class ListContent {
 public:
  using Cell = std::vector<TimestampedValue<T>>;
  ListContent(const F& function, AnyEvictor<T, W> evictor) : function_(function), evictor_(std::move(evictor)) {}
  void open(StageRuntime& runtime) { function_.open(runtime); }
  void close() { function_.close(); }
  static bool isEmpty(const Cell& cell) { return cell.empty(); }
  void add(Cell& cell, const T& record, EventTime timestamp) { cell.push_back({record, timestamp}); }
  void merge(Cell& into, Cell& other) { into.insert(into.end(), std::make_move_iterator(other.begin()), std::make_move_iterator(other.end())); }
  void emit(const K& key, WindowContext<W>& context, Cell& cell, Collector<O>& out) {
    if (evictor_ && !evictor_.after) evictor_.evict(cell, context.window());
    std::vector<T> elements;
    elements.reserve(cell.size());
    for (const TimestampedValue<T>& record : cell) elements.push_back(record.value);
    callWindowFunction(*function_, key, context, elements, out);
    if (evictor_ && evictor_.after) evictor_.evict(cell, context.window());
  }

 private:
  FunctionHolder<F> function_;
  AnyEvictor<T, W> evictor_;
};

/// Folds all elements at once and gives the result to another function: reduce and aggregate behind an evictor.
template <typename Folder, typename F>
struct FoldThen {
  Folder folder;
  F function;
  template <typename K, typename C, typename IN, typename OUT>
  void process(const K& key, C& context, const std::vector<IN>& elements, Collector<OUT>& out) {
    std::optional<typename Folder::Accumulator> kept;
    for (const IN& element : elements) folder.add(kept, element);
    if (!kept) return;
    const std::vector<typename Folder::Result> result{folder.result(*kept)};
    callWindowFunction(function, key, context, result, out);
  }
};

}  // namespace thalweg::api
