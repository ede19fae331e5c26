#include "common/functions/json/variant_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/types/java_text.h"

namespace thalweg {
namespace {

using Index = JsonDocument::Index;
constexpr size_t kDecimalDigitsMax = 38;

/// The members of an object in order of their keys, equal ones in order of appearance.
std::vector<std::pair<std::string, Index>> sortedMembers(const JsonDocument& document, Index object) {
  std::vector<std::pair<std::string, Index>> members;
  for (Index child = JsonDocument::firstChild(object); child < document.next(object);) {
    std::string key;
    document.appendString(key, child);
    const Index value = document.next(child);
    members.emplace_back(std::move(key), value);
    child = document.next(value);
  }
  std::ranges::stable_sort(members, {}, &std::pair<std::string, Index>::first);
  return members;
}

/// A number without an exponent as a decimal without trailing zeros; false if it has too many digits.
bool appendDecimal(std::string& out, std::string_view number) {
  if (number.find_first_of("eE") != std::string_view::npos) return false;
  const bool negative = number.starts_with('-');
  if (negative) number.remove_prefix(1);
  const size_t point = std::min(number.find('.'), number.size());
  std::string_view whole = number.substr(0, point);
  std::string_view fraction = point < number.size() ? number.substr(point + 1) : std::string_view();
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
  size_t digits = whole.size() + fraction.size();
  if (whole.empty()) digits = fraction.size() - std::min(fraction.find_first_not_of('0'), fraction.size());
  if (digits > kDecimalDigitsMax || fraction.size() > kDecimalDigitsMax) return false;
  while (fraction.ends_with('0')) fraction.remove_suffix(1);
  if (whole.empty() && fraction.empty()) {
    out.push_back('0');
    return true;
  }
  if (negative) out.push_back('-');
  if (whole.empty()) out.push_back('0');
  out.append(whole);
  if (!fraction.empty()) out.append(1, '.').append(fraction);
  return true;
}

void appendVariantNumber(std::string& out, std::string_view number) {
  if (appendDecimal(out, number)) return;
  out.append(doubleText(parseDouble(number).value_or(0)));
}

}  // namespace

void appendVariant(std::string& out, const JsonDocument& document, Index at) {
  switch (document.kind(at)) {
    case JsonKind::NUMBER: return appendVariantNumber(out, document.token(at));
    case JsonKind::STRING: {
      std::string plain;
      document.appendString(plain, at);
      return appendJsonString(out, plain);
    }
    case JsonKind::ARRAY: {
      out.push_back('[');
      for (Index child = JsonDocument::firstChild(at); child < document.next(at); child = document.next(child)) {
        if (child != JsonDocument::firstChild(at)) out.push_back(',');
        appendVariant(out, document, child);
      }
      out.push_back(']');
      return;
    }
    case JsonKind::OBJECT: {
      const auto members = sortedMembers(document, at);
      out.push_back('{');
      bool first = true;
      for (size_t m = 0; m < members.size(); ++m) {
        if (m + 1 < members.size() && members[m + 1].first == members[m].first) continue;
        if (!std::exchange(first, false)) out.push_back(',');
        appendJsonString(out, members[m].first);
        out.push_back(':');
        appendVariant(out, document, members[m].second);
      }
      out.push_back('}');
      return;
    }
    default: out.append(document.token(at));
  }
}

bool hasDuplicateKeys(const JsonDocument& document, Index at) {
  if (document.kind(at) == JsonKind::OBJECT) {
    const auto members = sortedMembers(document, at);
    for (size_t m = 0; m < members.size(); ++m) {
      if (m > 0 && members[m].first == members[m - 1].first) return true;
      if (hasDuplicateKeys(document, members[m].second)) return true;
    }
    return false;
  }
  if (document.kind(at) != JsonKind::ARRAY) return false;
  for (Index child = JsonDocument::firstChild(at); child < document.next(at); child = document.next(child)) {
    if (hasDuplicateKeys(document, child)) return true;
  }
  return false;
}

}  // namespace thalweg
