#include "common/formats/json/json_cutter.h"

#include <algorithm>

namespace thalweg::format {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool JsonCutter::learn(std::string_view line, const std::function<size_t(std::string_view)>& place) {
  between_.clear();
  places_.clear();
  std::vector<std::string> between;
  std::vector<std::string> names;
  std::vector<size_t> places;
  JsonCursor cursor;
  cursor.reset(line);
  const char* begin = line.data();
  std::string_view text;
  bool shared = false;
  if (!cursor.take('{')) return false;
  do {
    if (cursor.peek() != '"' || !cursor.readString(text, shared) || !shared) return false;
    if (std::find(names.begin(), names.end(), text) != names.end()) return false;
    names.emplace_back(text);
    places.push_back(place(text));
    if (!cursor.take(':')) return false;
    const char first = cursor.peek();
    if (first == '{' || first == '[') return false;
    between.emplace_back(begin, cursor.position());
    if (!cursor.skipValue()) return false;
    begin = cursor.position();
  } while (cursor.take(','));
  if (!cursor.take('}')) return false;
  between.emplace_back(begin, cursor.position());
  between_ = std::move(between);
  places_ = std::move(places);
  return true;
}

bool JsonCutter::cut(const char* data, size_t begin, size_t end, CellCut* values, std::vector<const CellCut*>& escaped) {
  const char* at = data + begin;
  const char* const stop = data + end;
  const auto takes = [&](const std::string& text) {
    if (static_cast<size_t>(stop - at) <= text.size() || std::memcmp(at, text.data(), text.size()) != 0) return false;
    at += text.size();
    return true;
  };
  for (size_t i = 0; i < places_.size(); ++i) {
    if (!takes(between_[i])) return false;
    const bool quoted = *at == '"';
    at += quoted;
    bool has_escapes = false;
    const char* behind = quoted ? stringEnd(at, stop, has_escapes) : bareEnd(at, stop);
    if (behind == nullptr) return false;
    values[i] = {static_cast<uint32_t>(at - data), static_cast<uint32_t>(behind - at)};
    if (has_escapes) escaped.push_back(&values[i]);
    at = behind + quoted;
  }
  if (!takes(between_.back())) return false;
  if (*at == '\r' && at + 1 < stop) ++at;
  if (*at != '\n') return false;
  next_ = static_cast<size_t>(at - data) + 1;
  return true;
}

/// The closing quote of the string whose text begins at `at`; null if the line's end comes first.
const char* JsonCutter::stringEnd(const char* at, const char* end, bool& escaped) {
  while (at < end) {
    at = findAny<'"', '\\', '\n'>(at, end);
    if (at >= end || *at == '\n') return nullptr;
    if (*at == '"') return at;
    escaped = true;
    if (at + 1 < end && at[1] == '\n') return nullptr;
    at += 2;
  }
  return nullptr;
}

/// Behind the number or truth value at `at`; null if none stands there, or a number with an exponent.
const char* JsonCutter::bareEnd(const char* at, const char* end) {
  for (const std::string_view word : {std::string_view("true"), std::string_view("false")}) {
    if (*at == word[0]) return std::string_view(at, static_cast<size_t>(end - at)).starts_with(word) ? at + word.size() : nullptr;
  }
  if (at < end && *at == '-') ++at;
  const char* first = at;
  while (at < end && isDigit(*at)) ++at;
  if (at == first || (*first == '0' && at - first > 1)) return nullptr;
  if (at < end && *at == '.') {
    const char* point = at++;
    while (at < end && isDigit(*at)) ++at;
    if (at - point == 1) return nullptr;
  }
  return at;
}

}  // namespace thalweg::format
