// FunctionRegistry: every built-in function, by name, from the explicit tables in list.cc.
//
// One instance per process, built on first use, immutable afterwards: lookups from any thread. Names are found
// without regard to case, after those of the session that binds (session_functions.h). SHOW FUNCTIONS, DESCRIBE FUNCTION, completion and the reference page read it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/functions/aggregate_function.h"
#include "common/functions/scalar_function.h"

namespace thalweg {

class FunctionRegistry {
 public:
  static const FunctionRegistry& instance();

  /// By name or alias (infix operators by their text: "+", "LIKE", "IS NULL"); null if there is none.
  const ScalarFunction* scalar(std::string_view name) const;
  const AggregateFunction* aggregate(std::string_view name) const;

  const std::vector<const ScalarFunction*>& scalars() const { return scalars_; }
  const std::vector<const AggregateFunction*>& aggregates() const { return aggregates_; }
  /// All listed names, lower case, sorted; for SHOW FUNCTIONS and suggestions.
  std::vector<std::string> names() const;

 private:
  FunctionRegistry();
  struct Index;
  std::vector<const ScalarFunction*> scalars_;
  std::vector<const AggregateFunction*> aggregates_;
  std::shared_ptr<const Index> index_;
};

/// Casts are functions without a name: the kernel that casts `from` to `to`. With `try_cast`, failures are NULL.
/// Which casts are legal and which can fail: types/type_rules.h.
Result<std::unique_ptr<ScalarKernel>> makeCastKernel(const DataType& from, const DataType& to, bool try_cast);

}  // namespace thalweg
