// Nearest names for error messages: "unknown column 'dely'; did you mean 'delay'?"
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

/// The number of single-byte edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`,
/// ASCII case ignored. Any value above `limit` means "more than limit".
size_t editDistance(std::string_view a, std::string_view b, size_t limit);

/// The candidate nearest to `wanted`, or nothing when none is near enough to be a likely slip: at most a third
/// of the longer name differs. Ties go to the earliest candidate. A name that differs in case only is nearest.
std::optional<std::string> nearestName(std::string_view wanted, std::span<const std::string> candidates);
std::optional<std::string> nearestName(std::string_view wanted, std::span<const std::string_view> candidates);

/// `; did you mean 'delay'?`, or empty when there is no near name: to be appended to a message.
std::string didYouMean(std::string_view wanted, std::span<const std::string> candidates);
std::string didYouMean(std::string_view wanted, std::span<const std::string_view> candidates);

}  // namespace thalweg
