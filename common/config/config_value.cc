#include "common/config/config_value.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <span>
#include <string>

namespace thalweg {

namespace {

constexpr std::string_view kDurationForm = "a duration such as '10 s', '1 min' or '100 ms'";
constexpr std::string_view kMemorySizeForm = "a memory size such as '64 mb' or '1 gb'";

struct Unit {
  std::string_view name;
  int64_t factor;
};

constexpr int64_t kMicro = 1'000;
constexpr int64_t kMilli = 1'000 * kMicro;
constexpr int64_t kSecond = 1'000 * kMilli;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;

// clang-format off
constexpr Unit kDurationUnits[] = {
    {"", kMilli},         {"d", kDay},           {"day", kDay},         {"days", kDay},
    {"h", kHour},         {"hour", kHour},       {"hours", kHour},      {"m", kMinute},
    {"min", kMinute},     {"minute", kMinute},   {"minutes", kMinute},  {"s", kSecond},
    {"sec", kSecond},     {"secs", kSecond},     {"second", kSecond},   {"seconds", kSecond},
    {"ms", kMilli},       {"milli", kMilli},     {"millis", kMilli},    {"millisecond", kMilli},
    {"milliseconds", kMilli}, {"\u00b5s", kMicro}, {"micro", kMicro},   {"micros", kMicro},
    {"microsecond", kMicro}, {"microseconds", kMicro}, {"ns", 1},       {"nano", 1},
    {"nanos", 1},         {"nanosecond", 1},     {"nanoseconds", 1},
};

constexpr Unit kMemoryUnits[] = {
    {"", 1},
    {"b", 1},
    {"bytes", 1},
    {"k", 1LL << 10},
    {"kb", 1LL << 10},
    {"kibibytes", 1LL << 10},
    {"m", 1LL << 20},
    {"mb", 1LL << 20},
    {"mebibytes", 1LL << 20},
    {"g", 1LL << 30},
    {"gb", 1LL << 30},
    {"gibibytes", 1LL << 30},
    {"t", 1LL << 40},
    {"tb", 1LL << 40},
    {"tebibytes", 1LL << 40},
};
// clang-format on

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\n\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n\r") - first + 1);
}

std::string lowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

Status refuse(std::string_view expected, std::string_view found) {
  return Status::invalid("expected " + std::string(expected) + ", found '" + std::string(found) + "'");
}

/// Digits, optional blanks, a unit; empty when it is not of that form or does not fit.
std::optional<int64_t> parseWithUnit(std::string_view text, std::span<const Unit> units) {
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  if (text.empty() || text[0] == '-') return std::nullopt;
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  const std::string name = lowerAscii(trim(std::string_view(rest, static_cast<size_t>(end - rest))));
  const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == name; });
  int64_t product = 0;
  if (unit == units.end() || __builtin_mul_overflow(number, unit->factor, &product)) return std::nullopt;
  return product;
}

/// ISO 8601 as java.time.Duration prints it: PnDTnHnMn.nS, not negative.
std::optional<int64_t> parseIsoDuration(std::string_view text) {
  text.remove_prefix(1);  // the P
  int64_t total = 0;
  bool in_time = false;
  bool any = false;
  while (!text.empty()) {
    if (text[0] == 'T' && !in_time) {
      in_time = true;
      text.remove_prefix(1);
      continue;
    }
    double number = 0;
    const auto [rest, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc() || rest == text.data() + text.size() || !(number >= 0)) return std::nullopt;
    const char letter = *rest;
    int64_t factor = 0;
    if (letter == 'D' && !in_time) factor = kDay;
    if (letter == 'H' && in_time) factor = kHour;
    if (letter == 'M' && in_time) factor = kMinute;
    if (letter == 'S' && in_time) factor = kSecond;
    const double nanos = number * static_cast<double>(factor);
    if (factor == 0 || nanos > 9.2e18) return std::nullopt;
    if (__builtin_add_overflow(total, static_cast<int64_t>(nanos), &total)) return std::nullopt;
    any = true;
    text.remove_prefix(static_cast<size_t>(rest + 1 - text.data()));
  }
  return any ? std::optional(total) : std::nullopt;
}

}  // namespace

Result<bool> parseConfigBool(std::string_view text) {
  const std::string lower = lowerAscii(trim(text));
  if (lower == "true") return true;
  if (lower == "false") return false;
  return refuse("'true' or 'false'", text);
}

Result<int64_t> parseConfigInt(std::string_view text) {
  const std::string_view number = trim(text);
  int64_t value = 0;
  const auto [rest, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || rest != number.data() + number.size()) return refuse("a whole number", text);
  return value;
}

Result<double> parseConfigDouble(std::string_view text) {
  const std::string_view number = trim(text);
  double value = 0;
  const auto [rest, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || rest != number.data() + number.size()) return refuse("a number", text);
  return value;
}

Result<std::chrono::nanoseconds> parseConfigDuration(std::string_view text) {
  const std::string_view trimmed = trim(text);
  const std::optional<int64_t> nanos =
      trimmed.starts_with('P') ? parseIsoDuration(trimmed) : parseWithUnit(trimmed, kDurationUnits);
  if (!nanos) return refuse(kDurationForm, text);
  return std::chrono::nanoseconds(*nanos);
}

Result<int64_t> parseConfigMemorySize(std::string_view text) {
  const std::optional<int64_t> bytes = parseWithUnit(trim(text), kMemoryUnits);
  if (!bytes) return refuse(kMemorySizeForm, text);
  return *bytes;
}

}  // namespace thalweg
