// Short ways to say what an operator gets and what it is, for tests with the operator harness.
//
//   OperatorCase rank(RankSpec{…}, {{integer, string}});
//   rank.give({"+I[1, a]", "watermark 5", "-D[1, a]"});
//   CHECK(rank.answers() == Messages{"+I[1, a]"});
//
// Rows are written as the harness writes them: `+I[1, abc, null]`, TIMESTAMPs as milliseconds.
#pragma once

#include <string>
#include <vector>

#include "common/functions/function_registry.h"
#include "common/plan/plan_node.h"
#include "tests/support/operator_harness.h"

namespace thalweg::worker {

using Messages = std::vector<std::string>;
using Types = std::vector<DataType>;

inline const DataType kInt = DataType::integer();
inline const DataType kLong = DataType::bigint();
inline const DataType kText = DataType::string();
inline const DataType kTime = DataType::timestamp(3);

/// A plan node of `spec` over inputs of these types, with an output of `output` types.
PlanNode nodeOf(OperatorSpec spec, const std::vector<Types>& inputs, const Types& output = {});
/// A batch of rows given as text.
Batch rowsOf(const Types& types, const Messages& rows);
/// A call of aggregate `function` over columns.
AggregateCallSpec callOf(const std::string& function, const Types& input, std::vector<int> arguments = {});
BoundExprPtr callExpr(std::string_view function, std::vector<BoundExprPtr> args, DataType type = DataType::boolean());

class OperatorCase {
 public:
  OperatorCase(OperatorSpec spec, std::vector<Types> inputs, Types output = {});

  /// Adds one batch per run of rows and one per `watermark N`; `wait N` moves the clock.
  OperatorCase& give(const Messages& messages, int input = 0);
  testing::HarnessSpec harness;
  /// What every run of the harness answers.
  Messages answers() const { return testing::runOperator(harness); }

 private:
  std::vector<Types> inputs_;
};

}  // namespace thalweg::worker
