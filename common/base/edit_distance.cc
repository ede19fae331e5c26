#include "common/base/edit_distance.h"

#include <algorithm>
#include <utility>

namespace thalweg {

namespace {

/// Longer names are never suggestions for each other: bounds the work on names from strangers.
constexpr size_t kNameBytesMax = 256;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <typename Name>
std::optional<std::string> nearest(std::string_view wanted, std::span<const Name> candidates) {
  std::optional<std::string> best;
  size_t best_distance = kNameBytesMax;
  for (const Name& candidate : candidates) {
    const size_t longer = std::max(wanted.size(), candidate.size());
    if (longer > kNameBytesMax || candidate == wanted) continue;
    const size_t allowed = std::max<size_t>(1, longer / 3);
    const size_t distance = editDistance(wanted, candidate, allowed);
    // A one-letter name is near every other one: there only the case may differ.
    if (distance > allowed || (distance >= longer)) continue;
    if (distance < best_distance) {
      best_distance = distance;
      best = std::string(candidate);
    }
  }
  return best;
}

std::string asQuestion(const std::optional<std::string>& name) {
  return name ? "; did you mean '" + *name + "'?" : std::string();
}

}  // namespace

size_t editDistance(std::string_view a, std::string_view b, size_t limit) {
  const size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  std::vector<size_t> before_last(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    size_t smallest = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const char x = lower(a[i - 1]);
      const char y = lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x == y ? 0 : 1)});
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y)
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      smallest = std::min(smallest, row[j]);
    }
    if (smallest > limit) return limit + 1;
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::optional<std::string> nearestName(std::string_view wanted, std::span<const std::string> candidates) {
  return nearest(wanted, candidates);
}

std::optional<std::string> nearestName(std::string_view wanted, std::span<const std::string_view> candidates) {
  return nearest(wanted, candidates);
}

std::string didYouMean(std::string_view wanted, std::span<const std::string> candidates) {
  return asQuestion(nearestName(wanted, candidates));
}

std::string didYouMean(std::string_view wanted, std::span<const std::string_view> candidates) {
  return asQuestion(nearestName(wanted, candidates));
}

}  // namespace thalweg
