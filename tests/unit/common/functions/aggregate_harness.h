// AggregateHarness: folds the same rows into an aggregate in every way the engine may, and wants equal results.
//
//   AggregateHarness sum("SUM", {DataType::integer()});
//   CHECK(sum.after({{.arguments = {i(1)}}, {.arguments = {i(2)}}}) == std::vector{i(1), i(3)});
//
// The ways: a traced batch, updates a row at a time with a save and load after each, batches in other encodings, and
// two halves that are merged.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/functions/aggregate_function.h"

namespace thalweg::testing {

struct AggregateRow {
  std::vector<Value> arguments = {};  ///< literal arguments left out
  int group = 0;
  bool retract = false;
  bool chosen = true;            ///< what FILTER says
};

struct AggregateOptions {
  std::map<size_t, Value> literals = {};                ///< argument position -> constant
  std::map<size_t, DataType> literal_types = {};        ///< others are SYMBOLs
  bool distinct = false;
  bool needs_retraction = false;
  bool global = false;                                  ///< result made nullable unless the function never is NULL
  bool merges_in_order = true;                          ///< false: a half that adds and takes back may settle otherwise
  double tolerance = 0;                                 ///< relative, for merged halves
};

class AggregateHarness {
 public:
  /// `types`: of the arguments that are not literals, in order.
  AggregateHarness(std::string_view function, std::vector<DataType> types, AggregateOptions options = {});
  static std::string refusal(std::string_view function, const std::vector<ArgumentInfo>& arguments);

  const DataType& resultType() const { return call_.result_type; }
  /// The result of each row's group after the row.
  std::vector<Value> after(const std::vector<AggregateRow>& rows);
  /// The result of group 0 after all rows; without rows, of an empty group.
  Value result(const std::vector<AggregateRow>& rows);
  /// The message of the failure these rows give; empty if none.
  std::string failure(const std::vector<AggregateRow>& rows);

  /// Folds random rows and compares each result with `oracle`, given the argument rows that are in the group now,
  /// in order of arrival. `make_row` gives the arguments of the next row.
  using Oracle = std::function<Value(const std::vector<std::vector<Value>>&)>;
  void compareWithOracle(const std::function<std::vector<Value>(uint64_t random)>& make_row, const Oracle& oracle,
                         size_t rows = 300);

 private:
  class Groups;
  Result<std::unique_ptr<AggregateKernel>> makeKernel() const;
  std::vector<VectorPtr> columns(const std::vector<AggregateRow>& rows, bool dictionary) const;
  Result<std::vector<Value>> traced(const std::vector<AggregateRow>& rows);
  std::vector<Value> oneByOne(const std::vector<AggregateRow>& rows);
  std::map<int, Value> batched(const std::vector<AggregateRow>& rows, bool dictionary);
  std::map<int, Value> merged(const std::vector<AggregateRow>& rows);

  const AggregateFunction* function_;
  AggregateOptions options_;
  AggregateCall call_;
};

}  // namespace thalweg::testing
