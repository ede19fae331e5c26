// The system functions as Flink lists and describes them. Threads: immutable.
#pragma once

#include <span>
#include <string_view>

namespace thalweg {

struct DescribedFunction {
  std::string_view name;
  std::string_view kind;         ///< SCALAR, AGGREGATE, PROCESS_TABLE or OTHER
  bool deterministic = true;
  std::string_view arguments;    ///< a line for each form: what stands behind the name
};

/// In the order of names by code point.
std::span<const DescribedFunction> describedFunctions();
/// Null if there is none.
const DescribedFunction* describedFunction(std::string_view name);

}  // namespace thalweg
