// What is computed on the way to an operator with state, as text that savepoints keep: a line for each expression, sorted;
// first kSharedInputs, if other operators read the same.
//
// Threads: pure.
#pragma once

#include <string>
#include <string_view>

namespace thalweg {

inline constexpr std::string_view kSharedInputs = "shared\n";

/// Whether state that was kept over inputs of `before` can go on with those of `now`: they are the same, or, where others
/// read them too, one has all of the other.
bool canGoOn(std::string_view before, std::string_view now);
/// For messages: the expressions, separated by commas.
std::string computedText(std::string_view computed);

}  // namespace thalweg
