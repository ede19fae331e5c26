// The stages of functions that know neither keys nor time: map, filter, flatMap, and those that end a stream.
#pragma once

#include "client/api/thalweg/runtime_context.h"
#include "client/api/thalweg/field_composites.h"
#include "client/api/thalweg/stage.h"

namespace thalweg::api {

template <typename A, typename B, typename F>
class MapStage final : public WithFunction<UnaryStage<A, B>, F> {
 public:
  using WithFunction<UnaryStage<A, B>, F>::WithFunction;
  void records(Chunk<A>& chunk) override {
    made_.clear();
    made_.records.reserve(chunk.records.size());
    for (A& record : chunk.records) made_.records.push_back(callMap(*this->function_, std::move(record)));
    made_.timestamps = std::move(chunk.timestamps);
    this->out_.records(made_);
  }

 private:
  Chunk<B> made_;
};

template <typename A, typename F>
class FilterStage final : public WithFunction<UnaryStage<A, A>, F> {
 public:
  using WithFunction<UnaryStage<A, A>, F>::WithFunction;
  void records(Chunk<A>& chunk) override {
    size_t kept = 0;
    const bool timed = !chunk.timestamps.empty();
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      if (!callFilter(*this->function_, std::as_const(chunk.records[i]))) continue;
      if (kept != i) {
        chunk.records[kept] = std::move(chunk.records[i]);
        if (timed) chunk.timestamps[kept] = chunk.timestamps[i];
      }
      ++kept;
    }
    chunk.records.erase(chunk.records.begin() + static_cast<std::ptrdiff_t>(kept), chunk.records.end());
    if (timed) chunk.timestamps.resize(kept);
    this->out_.records(chunk);
  }
};

/// Collects into a chunk, every record with the timestamp of the one that caused it.
template <typename B>
class ChunkCollector final : public Collector<B> {
 public:
  void collect(B record) override { chunk.add(std::move(record), timestamp); }
  Chunk<B> chunk;
  EventTime timestamp = kNoTimestamp;
};

template <typename A, typename B, typename F>
class FlatMapStage final : public WithFunction<UnaryStage<A, B>, F> {
 public:
  using WithFunction<UnaryStage<A, B>, F>::WithFunction;
  void records(Chunk<A>& chunk) override {
    made_.chunk.clear();
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      made_.timestamp = chunk.timestampAt(i);
      if constexpr (requires { this->function_->flatMap(chunk.records[i], made_); }) this->function_->flatMap(chunk.records[i], made_);
      else (*this->function_)(std::as_const(chunk.records[i]), static_cast<Collector<B>&>(made_));
    }
    this->out_.records(made_.chunk);
  }

 private:
  ChunkCollector<B> made_;
};

/// Passes records on as they are: where a stream needs a stage but no function.
template <typename T>
class IdentityStage final : public UnaryStage<T, T> {
 public:
  void records(Chunk<T>& chunk) override { this->out_.records(chunk); }
};

template <typename T, typename F>
class SinkStage final : public WithFunction<TerminalStage<T>, F> {
 public:
  using WithFunction<TerminalStage<T>, F>::WithFunction;
  void records(Chunk<T>& chunk) override {
    for (const T& record : chunk.records) {
      if constexpr (requires { this->function_->invoke(record); }) this->function_->invoke(record);
      else (*this->function_)(record);
    }
  }
};

/// Writes lines of text to standard output or error: `prefix:3> `, `3> `, `prefix> ` or nothing before each.
class LinePrinter {
 public:
  LinePrinter(std::string prefix, bool to_error) : prefix_(std::move(prefix)), to_error_(to_error) {}
  void open(StageRuntime& runtime);
  void add(const std::string& text);
  void flush();

 private:
  std::string prefix_;
  bool to_error_;
  std::string start_;
  std::string lines_;
};

template <typename T>
class PrintStage final : public TerminalStage<T> {
 public:
  PrintStage(std::string prefix, bool to_error) : printer_(std::move(prefix), to_error) {}
  void open(StageRuntime& runtime) override { printer_.open(runtime); }
  void records(Chunk<T>& chunk) override {
    for (const T& record : chunk.records) {
      text_.clear();
      FieldTraits<T>::text(record, text_);
      printer_.add(text_);
    }
    printer_.flush();
  }

 private:
  LinePrinter printer_;
  std::string text_;
};

}  // namespace thalweg::api
