// AggregateSet: the aggregate calls of one operator, laid out side by side in a state entry.
//
// An entry is `offset` bytes that belong to the operator (row counters and the like), then one accumulator per call,
// each 8-byte aligned. Shared by group, window and OVER aggregation.
// Threads: as the operator. Lifetime: shared with the hooks of the tables it describes, which may outlive the operator.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/functions/aggregate_function.h"
#include "common/plan/operator_spec.h"
#include "common/runtime_api/state.h"

namespace thalweg::worker {

class AggregateSet : public std::enable_shared_from_this<AggregateSet> {
 public:
  /// `header_bytes` (multiple of 8) are kept for the operator in front of the accumulators.
  static Result<std::shared_ptr<AggregateSet>> make(const std::vector<AggregateCallSpec>& calls, bool needs_retraction,
                                                    bool batch_mode, size_t header_bytes);

  size_t size() const { return kernels_.size(); }
  size_t entryBytes() const { return entry_bytes_; }
  bool isTrivial() const { return trivial_; }

  void init(char* entry) const;       ///< accumulators only; the header is the operator's
  void destroy(char* entry) const;
  /// Back to a fresh group.
  void reset(char* entry) const {
    destroy(entry);
    init(entry);
  }
  /// Sets payload size and hooks of a table whose entries are this set's. The header is zeroed on creation.
  void describe(KeyedTableSpec& spec) const;
  /// Appends the portable bytes of an entry, header included.
  void serialize(const char* entry, std::string& out) const;
  /// Builds an entry in uninitialised memory.
  Status deserialize(std::string_view bytes, char* entry) const;

  /// Folds the rows [0, entries.size()) of `batch`, each into its entry. `skip` (may be null): rows to leave out.
  Status update(const Batch& batch, std::span<char* const> entries, const uint8_t* retract, const uint8_t* skip);
  /// The same, giving per call the results before and after every row.
  Status trace(const Batch& batch, std::span<char* const> entries, const uint8_t* retract, const uint8_t* skip,
               std::vector<VectorPtr>& before, std::vector<VectorPtr>& after);
  /// One result column per call for the entries.
  Status finalize(std::span<const char* const> entries, std::vector<VectorPtr>& results);
  Status merge(char* into, const char* from);

 private:
  struct Call {
    AggregateCallSpec spec;
    std::unique_ptr<AggregateKernel> kernel;
    size_t offset = 0;
  };
  AggregateSet() = default;
  AggregateInput inputOf(const Call& call, const Batch& batch, std::span<char* const> entries, const uint8_t* retract,
                         const uint8_t* skip);

  std::vector<Call> kernels_;
  size_t header_bytes_ = 0;
  size_t entry_bytes_ = 0;
  bool trivial_ = true;
  // Scratch of the call being made.
  std::vector<char*> states_;
  std::vector<VectorPtr> arguments_;
  std::vector<uint8_t> filter_;
  std::vector<const char*> const_states_;
};

}  // namespace thalweg::worker
