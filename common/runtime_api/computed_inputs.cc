#include "common/runtime_api/computed_inputs.h"

#include <algorithm>
#include <set>

namespace thalweg {
namespace {

struct Computed {
  bool shared = false;
  std::set<std::string_view> expressions;
};

Computed read(std::string_view text) {
  Computed computed;
  computed.shared = text.starts_with(kSharedInputs);
  if (computed.shared) text.remove_prefix(kSharedInputs.size());
  for (size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) computed.expressions.insert(text.substr(0, end));
  return computed;
}

bool includes(const Computed& all, const Computed& some) {
  return std::includes(all.expressions.begin(), all.expressions.end(), some.expressions.begin(), some.expressions.end());
}

}  // namespace

bool canGoOn(std::string_view before, std::string_view now) {
  const Computed a = read(before);
  const Computed b = read(now);
  if (a.expressions == b.expressions) return true;
  return (a.shared || b.shared) && (includes(a, b) || includes(b, a));
}

std::string computedText(std::string_view computed) {
  std::string text;
  for (const std::string_view expression : read(computed).expressions) text += (text.empty() ? "" : ", ") + std::string(expression);
  return text.empty() ? "columns alone" : text;
}

}  // namespace thalweg
