#include "common/functions/text/java_regex.h"

#include <re2/re2.h>

#include <algorithm>

#include "common/base/text_finder.h"
#include "common/functions/text/unicode.h"

namespace thalweg {
namespace {

RE2::Options re2Options() {
  RE2::Options options;
  options.set_log_errors(false);
  return options;
}

/// So many starts are tried in front of the required text; with more, one search over the whole text is cheaper.
constexpr size_t kBeforeMax = 8;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

JavaRegex::JavaRegex(std::unique_ptr<re2::RE2> regex) : regex_(std::move(regex)) {}
JavaRegex::~JavaRegex() = default;
JavaRegex::JavaRegex(JavaRegex&&) noexcept = default;
JavaRegex& JavaRegex::operator=(JavaRegex&&) noexcept = default;

Result<JavaRegex> JavaRegex::compileRe2(const std::string& pattern) {
  auto regex = std::make_unique<RE2>(pattern, re2Options());
  if (regex->error_code() == RE2::ErrorRepeatSize || regex->error_code() == RE2::ErrorPatternTooLarge) {
    return Status::notSupported("the regular expression is too large: " + regex->error());
  }
  if (!regex->ok()) return Status::invalid("not a regular expression: " + regex->error());
  return JavaRegex(std::move(regex));
}

Result<JavaRegex> JavaRegex::compile(std::string_view pattern) {
  auto translated = translateJavaRegex(pattern);
  if (!translated.isOk()) return translated.status().withContext("'" + std::string(pattern) + "'");
  auto compiled = compileRe2(translated->pattern);
  if (!compiled.isOk()) return compiled.status().withContext("'" + std::string(pattern) + "'");
  compiled->required_ = std::move(translated->required);
  if (translated->before_max && *translated->before_max <= kBeforeMax) compiled->before_max_ = translated->before_max;
  return compiled;
}

int JavaRegex::groupCount() const { return regex_->NumberOfCapturingGroups(); }

bool JavaRegex::find(std::string_view text, size_t from, std::span<std::string_view> groups) const {
  if (!required_.empty()) {
    const TextFinder finder(required_);
    size_t place = finder.find(text, from);
    if (before_max_) {
      for (; place != std::string_view::npos; place = finder.find(text, place + 1)) {
        if (findNear(text, from, place, groups)) return true;
      }
    }
    if (place == std::string_view::npos) return false;
  }
  re2::StringPiece found[kGroupsMax + 1];
  const size_t count = std::min<size_t>(groups.size(), kGroupsMax + 1);
  if (!regex_->Match(piece(text), from, text.size(), RE2::UNANCHORED, found, static_cast<int>(count))) return false;
  for (size_t i = 0; i < count; ++i) groups[i] = {found[i].data(), found[i].size()};
  return true;
}

/// A match whose required text stands at `place` begins before it, by few bytes. The first start that matches is that of the
/// leftmost match: an earlier one would need the text at an earlier place, and those were tried. An anchored match of a
/// simple expression costs far less than a search.
bool JavaRegex::findNear(std::string_view text, size_t from, size_t place, std::span<std::string_view> groups) const {
  re2::StringPiece found[kGroupsMax + 1];
  const size_t count = std::min<size_t>(groups.size(), kGroupsMax + 1);
  const size_t first = std::max(from, place > *before_max_ ? place - *before_max_ : 0);
  for (size_t start = first; start <= place; ++start) {
    if (!regex_->Match(piece(text), start, text.size(), RE2::ANCHOR_START, found, static_cast<int>(count))) continue;
    for (size_t i = 0; i < count; ++i) groups[i] = {found[i].data(), found[i].size()};
    return true;
  }
  return false;
}

bool JavaRegex::contains(std::string_view text) const { return find(text, 0, {}); }

bool JavaRegex::matchesWhole(std::string_view text) const {
  return regex_->Match(piece(text), 0, text.size(), RE2::ANCHOR_BOTH, nullptr, 0);
}

size_t JavaRegex::nextStart(std::string_view text, std::string_view match) {
  const auto end = static_cast<size_t>(match.data() - text.data()) + match.size();
  if (!match.empty()) return end;
  return end < text.size() ? end + characterBytes(text, end) : end + 1;
}

}  // namespace thalweg
