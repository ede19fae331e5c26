#include "worker/operators/aggregate/aggregate_set.h"

#include <cstring>

#include "common/columnar/column_reader.h"
#include "common/functions/aggregates/sorted_distinct.h"
#include "common/functions/aggregates/state_bytes.h"

namespace thalweg::worker {
namespace {

size_t aligned(size_t bytes) { return (bytes + 7) / 8 * 8; }

AggregateCall callOf(const AggregateCallSpec& spec, bool needs_retraction, bool batch_mode) {
  AggregateCall call;
  for (size_t i = 0; i < spec.argument_types.size(); ++i) {
    call.arguments.push_back({spec.argument_types[i], i < spec.literals.size() ? spec.literals[i] : std::nullopt});
  }
  call.result_type = spec.result_type;
  call.needs_retraction = needs_retraction;
  call.batch_mode = batch_mode;
  return call;
}

}  // namespace

Result<std::shared_ptr<AggregateSet>> AggregateSet::make(const std::vector<AggregateCallSpec>& calls, bool needs_retraction,
                                                         bool batch_mode, size_t header_bytes) {
  std::shared_ptr<AggregateSet> set(new AggregateSet());
  set->header_bytes_ = header_bytes;
  size_t offset = header_bytes;
  for (const AggregateCallSpec& spec : calls) {
    Call call;
    call.spec = spec;
    const AggregateCall description = callOf(spec, needs_retraction, batch_mode);
    // Under DISTINCT the inner aggregate sees a value leave only when its last copy does.
    ASSIGN_OR_RETURN(call.kernel, spec.function->make(description));
    const bool sorted = batch_mode && !needs_retraction && spec.function->order_sensitive;
    if (spec.distinct) {
      call.kernel = sorted ? sortedDistinctAggregate(std::move(call.kernel), description) : distinctAggregate(std::move(call.kernel), description);
    }
    call.offset = offset;
    offset += aligned(call.kernel->stateBytes());
    set->trivial_ = set->trivial_ && call.kernel->isTrivial();
    set->kernels_.push_back(std::move(call));
  }
  set->entry_bytes_ = offset;
  return set;
}

void AggregateSet::init(char* entry) const {
  for (const Call& call : kernels_) call.kernel->init(entry + call.offset);
}

void AggregateSet::destroy(char* entry) const {
  for (const Call& call : kernels_) call.kernel->destroy(entry + call.offset);
}

void AggregateSet::describe(KeyedTableSpec& spec) const {
  const auto self = shared_from_this();
  spec.payload_bytes = entry_bytes_;
  spec.init = [self](char* entry) { self->init(entry); };
  if (trivial_) return;
  spec.destroy = [self](char* entry) { self->destroy(entry); };
  spec.serialize = [self](const char* entry, std::string& out) { self->serialize(entry, out); };
  spec.deserialize = [self](std::string_view bytes, char* entry) { return self->deserialize(bytes, entry); };
}

void AggregateSet::serialize(const char* entry, std::string& out) const {
  if (trivial_) {
    out.append(entry, entry_bytes_);
    return;
  }
  out.append(entry, header_bytes_);
  std::string part;
  for (const Call& call : kernels_) {
    part.clear();
    call.kernel->serialize(entry + call.offset, part);
    StateWriter(out).text(part);
  }
}

Status AggregateSet::deserialize(std::string_view bytes, char* entry) const {
  const auto broken = [] { return Status::internal("state entry of an aggregate is cut short"); };
  if (trivial_) {
    if (bytes.size() != entry_bytes_) return broken();
    std::memcpy(entry, bytes.data(), entry_bytes_);
    return {};
  }
  if (bytes.size() < header_bytes_) return broken();
  std::memcpy(entry, bytes.data(), header_bytes_);
  StateReader reader(bytes.substr(header_bytes_));
  for (const Call& call : kernels_) {
    const std::string_view part = reader.text();
    if (!reader.isOk()) return broken();
    RETURN_IF_ERROR(call.kernel->deserialize(part, entry + call.offset));
  }
  return reader.isDone() ? Status() : broken();
}

AggregateInput AggregateSet::inputOf(const Call& call, const Batch& batch, std::span<char* const> entries,
                                     const uint8_t* retract, const uint8_t* skip) {
  states_.resize(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) states_[i] = entries[i] + call.offset;
  arguments_.clear();
  for (const int argument : call.spec.arguments) arguments_.push_back(batch.column(static_cast<size_t>(argument)));
  AggregateInput input{.states = states_, .arguments = arguments_, .retract = retract};
  if (call.spec.filter >= 0) {
    const ColumnReader<bool> wanted(*batch.column(static_cast<size_t>(call.spec.filter)));
    filter_.resize(entries.size());
    for (size_t i = 0; i < entries.size(); ++i) {
      filter_[i] = static_cast<uint8_t>(!wanted.isNull(i) && wanted[i] && !(skip && skip[i]));
    }
    input.filter = filter_.data();
  } else if (skip) {
    filter_.resize(entries.size());
    for (size_t i = 0; i < entries.size(); ++i) filter_[i] = static_cast<uint8_t>(!skip[i]);
    input.filter = filter_.data();
  }
  return input;
}

Status AggregateSet::update(const Batch& batch, std::span<char* const> entries, const uint8_t* retract, const uint8_t* skip) {
  for (const Call& call : kernels_) RETURN_IF_ERROR(call.kernel->update(inputOf(call, batch, entries, retract, skip)));
  return {};
}

Status AggregateSet::trace(const Batch& batch, std::span<char* const> entries, const uint8_t* retract, const uint8_t* skip,
                           std::vector<VectorPtr>& before, std::vector<VectorPtr>& after) {
  for (const Call& call : kernels_) {
    auto old_results = ColumnBuilder::make(call.spec.result_type, entries.size());
    auto new_results = ColumnBuilder::make(call.spec.result_type, entries.size());
    RETURN_IF_ERROR(call.kernel->trace(inputOf(call, batch, entries, retract, skip), *old_results, *new_results));
    before.push_back(old_results->finish());
    after.push_back(new_results->finish());
  }
  return {};
}

Status AggregateSet::finalize(std::span<const char* const> entries, std::vector<VectorPtr>& results) {
  for (const Call& call : kernels_) {
    const_states_.resize(entries.size());
    for (size_t i = 0; i < entries.size(); ++i) const_states_[i] = entries[i] + call.offset;
    auto builder = ColumnBuilder::make(call.spec.result_type, entries.size());
    RETURN_IF_ERROR(call.kernel->finalize(const_states_, *builder));
    results.push_back(builder->finish());
  }
  return {};
}

Status AggregateSet::merge(char* into, const char* from) {
  for (const Call& call : kernels_) RETURN_IF_ERROR(call.kernel->merge(into + call.offset, from + call.offset));
  return {};
}

}  // namespace thalweg::worker
