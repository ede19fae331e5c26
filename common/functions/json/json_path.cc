#include "common/functions/json/json_path.h"

#include <algorithm>
#include <span>

#include "common/types/java_text.h"

namespace thalweg {
namespace {

using Index = JsonDocument::Index;
using Steps = std::span<const JsonPath::Step>;

class Walk {
 public:
  Walk(const JsonDocument& document, std::vector<Index>& found) : document_(document), found_(found) {}

  /// Follows the steps from a node. `sure`: exactly one node was selected so far, so leading nowhere is a failure.
  bool follow(Index node, Steps steps, bool sure) {
    if (steps.empty()) {
      found_.push_back(node);
      return true;
    }
    const JsonPath::Step& step = steps.front();
    const Steps rest = steps.subspan(1);
    if (!step.recursive) return take(node, step, rest, sure);
    return descend(node, step, rest);
  }

 private:
  bool take(Index node, const JsonPath::Step& step, Steps rest, bool sure) {
    switch (step.kind) {
      case JsonPath::Step::MEMBER: return member(node, step, rest, sure);
      case JsonPath::Step::WILDCARD: return everyChild(node, rest);
      case JsonPath::Step::INDEXES: return elements(node, step, rest, sure);
      case JsonPath::Step::SLICE: return slice(node, step, rest, sure);
      case JsonPath::Step::FILTER: return filter(node, step, rest);
    }
    return false;
  }

  bool member(Index node, const JsonPath::Step& step, Steps rest, bool sure) {
    if (document_.kind(node) != JsonKind::OBJECT) return !sure;
    const Index value = document_.find(node, step.name);
    return value == JsonDocument::kNone ? !sure : follow(value, rest, sure);
  }

  template <typename Visit>
  void children(Index node, Visit&& visit) const {
    const bool object = document_.kind(node) == JsonKind::OBJECT;
    if (document_.isScalar(node)) return;
    for (Index child = JsonDocument::firstChild(node); child < document_.next(node);) {
      const Index value = object ? document_.next(child) : child;
      visit(value);
      child = document_.next(value);
    }
  }

  bool everyChild(Index node, Steps rest) {
    bool good = true;
    children(node, [&](Index child) { good = follow(child, rest, false) && good; });
    return good;
  }

  bool elements(Index node, const JsonPath::Step& step, Steps rest, bool sure) {
    if (document_.kind(node) != JsonKind::ARRAY) return !sure;
    const std::vector<Index> all = elementsOf(node);
    const auto size = static_cast<int64_t>(all.size());
    bool good = true;
    for (const int64_t number : step.indexes) {
      const int64_t at = number < 0 ? number + size : number;
      const bool there = at >= 0 && at < size;
      if (there) good = follow(all[static_cast<size_t>(at)], rest, sure && step.indexes.size() == 1) && good;
      else if (sure && step.indexes.size() == 1) return false;
    }
    return good;
  }

  bool slice(Index node, const JsonPath::Step& step, Steps rest, bool sure) {
    if (document_.kind(node) != JsonKind::ARRAY) return !sure;
    const std::vector<Index> all = elementsOf(node);
    const auto size = static_cast<int64_t>(all.size());
    const auto bound = [size](std::optional<int64_t> at, int64_t missing) {
      const int64_t from_start = at ? (*at < 0 ? *at + size : *at) : missing;
      return std::clamp<int64_t>(from_start, 0, size);
    };
    bool good = true;
    for (int64_t at = bound(step.from, 0); at < bound(step.to, size); ++at) {
      good = follow(all[static_cast<size_t>(at)], rest, false) && good;
    }
    return good;
  }

  bool filter(Index node, const JsonPath::Step& step, Steps rest) {
    bool good = true;
    const auto keep = [&](Index candidate) {
      if (step.filter->accepts(document_, candidate)) good = follow(candidate, rest, false) && good;
    };
    if (document_.kind(node) == JsonKind::ARRAY) children(node, keep);
    else if (document_.kind(node) == JsonKind::OBJECT) keep(node);
    return good;
  }

  bool descend(Index node, const JsonPath::Step& step, Steps rest) {
    bool good = take(node, step, rest, false);
    children(node, [&](Index child) { good = descend(child, step, rest) && good; });
    return good;
  }

  std::vector<Index> elementsOf(Index array) const {
    std::vector<Index> all;
    children(array, [&](Index child) { all.push_back(child); });
    return all;
  }

  const JsonDocument& document_;
  std::vector<Index>& found_;
};

}  // namespace

bool JsonPath::follow(const JsonDocument& document, Index from, const Steps& steps, std::vector<Index>& found) {
  return Walk(document, found).follow(from, steps, true);
}

namespace {

/// What an operand stands for: its kind, and its number or text.
struct Operand {
  bool present = false;
  JsonKind kind = JsonKind::NULL_VALUE;
  double number = 0;
  std::string text = {};
};

Operand evaluate(const JsonDocument& document, Index candidate, const JsonFilter::Operand& operand) {
  if (operand.kind == JsonFilter::Operand::LITERAL) {
    return {.present = true, .kind = operand.literal, .number = operand.number, .text = operand.text};
  }
  std::vector<Index> found;
  const Index from = operand.kind == JsonFilter::Operand::ROOT ? JsonDocument::root() : candidate;
  if (!JsonPath::follow(document, from, operand.steps, found) || found.empty()) return {};
  Operand value{.present = true, .kind = document.kind(found[0])};
  if (value.kind == JsonKind::NUMBER) value.number = parseDouble(document.token(found[0])).value_or(0);
  else if (value.kind == JsonKind::STRING) document.appendString(value.text, found[0]);
  else if (!document.isScalar(found[0])) document.appendCompact(value.text, found[0]);
  return value;
}

bool holds(const JsonDocument& document, Index candidate, const JsonFilter::Term& term) {
  using Comparison = JsonFilter::Comparison;
  const Operand left = evaluate(document, candidate, term.left);
  if (term.comparison == Comparison::EXISTS) return left.present;
  const Operand right = evaluate(document, candidate, term.right);
  const bool equal = left.present && right.present && left.kind == right.kind && left.number == right.number && left.text == right.text;
  if (term.comparison == Comparison::EQUAL) return equal;
  if (term.comparison == Comparison::UNEQUAL) return !equal;
  if (!left.present || !right.present || left.kind != right.kind) return false;
  if (left.kind != JsonKind::NUMBER && left.kind != JsonKind::STRING) return false;
  const bool less = left.kind == JsonKind::NUMBER ? left.number < right.number : left.text < right.text;
  switch (term.comparison) {
    case Comparison::LESS: return less;
    case Comparison::LESS_EQUAL: return less || equal;
    case Comparison::GREATER: return !less && !equal;
    default: return !less;
  }
}

}  // namespace

bool JsonFilter::accepts(const JsonDocument& document, Index candidate) const {
  const auto termHolds = [&](const Term& term) { return holds(document, candidate, term) != term.negated; };
  return std::ranges::any_of(alternatives, [&](const std::vector<Term>& terms) { return std::ranges::all_of(terms, termHolds); });
}

}  // namespace thalweg
