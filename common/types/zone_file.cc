#include "common/types/zone_file.h"

#include <algorithm>

#include "common/types/datetime.h"

namespace thalweg {

namespace {

constexpr size_t kHeaderBytes = 44;
constexpr int64_t kSecondsPerDay = 86400;

/// Reads big-endian numbers; past the end everything is zero and `ok` false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  int64_t number(size_t width) {
    if (bytes_.size() < width) {
      ok = false;
      return 0;
    }
    uint64_t value = (static_cast<unsigned char>(bytes_[0]) & 0x80) != 0 ? ~uint64_t{0} : 0;
    for (size_t i = 0; i < width; ++i) value = (value << 8) | static_cast<unsigned char>(bytes_[i]);
    bytes_.remove_prefix(width);
    return static_cast<int64_t>(value);
  }
  void skip(size_t count) {
    ok = ok && count <= bytes_.size();
    bytes_.remove_prefix(std::min(count, bytes_.size()));
  }
  std::string_view rest() const { return bytes_; }

  bool ok = true;

 private:
  std::string_view bytes_;
};

struct Header {
  size_t utc_flags, standard_flags, leap_seconds, changes, types, name_bytes;
};

Header readHeader(ByteReader& in) {
  in.skip(20);
  const auto count = [&in] { return static_cast<size_t>(static_cast<uint32_t>(in.number(4))); };
  Header h{};
  h.utc_flags = count();
  h.standard_flags = count();
  h.leap_seconds = count();
  h.changes = count();
  h.types = count();
  h.name_bytes = count();
  return h;
}

size_t bodyBytes(const Header& h, size_t time_bytes) {
  return h.changes * (time_bytes + 1) + h.types * 6 + h.name_bytes + h.leap_seconds * (time_bytes + 4) +
         h.standard_flags + h.utc_flags;
}

/// A POSIX TZ text, consumed from the front.
class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  bool take(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool name() {
    size_t end = 0;
    if (take('<')) {
      end = text_.find('>');
      if (end == std::string_view::npos) return false;
      text_.remove_prefix(end + 1);
      return true;
    }
    while (end < text_.size() && ((text_[end] | 0x20) >= 'a' && (text_[end] | 0x20) <= 'z')) ++end;
    text_.remove_prefix(end);
    return end > 0;
  }
  /// A number of at most four digits; -1 if there is none.
  int number() {
    size_t end = 0;
    int value = 0;
    while (end < text_.size() && end < 4 && text_[end] >= '0' && text_[end] <= '9') value = value * 10 + (text_[end++] - '0');
    text_.remove_prefix(end);
    return end > 0 ? value : -1;
  }
  /// `[+-]h[:m[:s]]` in seconds.
  std::optional<int32_t> clock() {
    const bool negative = take('-');
    if (!negative) take('+');
    const int hours = number();
    if (hours < 0) return std::nullopt;
    int32_t seconds = hours * 3600;
    for (int unit = 60; unit > 0 && take(':'); unit /= 60) {
      const int part = number();
      if (part < 0) return std::nullopt;
      seconds += part * unit;
    }
    return negative ? -seconds : seconds;
  }
  std::optional<YearlyRule::Moment> moment() {
    using Form = YearlyRule::Moment::Form;
    YearlyRule::Moment m;
    if (!take(',')) return std::nullopt;
    if (take('M')) {
      m.month = number();
      m.week = take('.') ? number() : -1;
      m.day = take('.') ? number() : -1;
      if (m.month < 1 || m.month > 12 || m.week < 1 || m.week > 5 || m.day < 0 || m.day > 6) return std::nullopt;
    } else {
      m.form = take('J') ? Form::JULIAN_WITHOUT_LEAP_DAY : Form::DAY_OF_YEAR;
      m.day = number();
      if (m.day < 0 || m.day > 366) return std::nullopt;
    }
    if (take('/')) {
      const auto second = clock();
      if (!second) return std::nullopt;
      m.second = *second;
    }
    return m;
  }

 private:
  std::string_view text_;
};

int32_t dayOf(const YearlyRule::Moment& m, int year) {
  using Form = YearlyRule::Moment::Form;
  if (m.form == Form::DAY_OF_YEAR) return daysFromCivil(year, 1, 1) + m.day;
  if (m.form == Form::JULIAN_WITHOUT_LEAP_DAY) {
    return daysFromCivil(year, 1, 1) + m.day - 1 + (isLeapYear(year) && m.day >= 60 ? 1 : 0);
  }
  const int32_t first = daysFromCivil(year, m.month, 1);
  const int32_t days = static_cast<int32_t>(floorMod(m.day - isoDayOfWeek(first), 7)) + (m.week - 1) * 7;
  return first + (days >= lengthOfMonth(year, m.month) ? days - 7 : days);
}

}  // namespace

std::optional<YearlyRule> parseYearlyRule(std::string_view text) {
  RuleReader in(text);
  YearlyRule rule;
  if (!in.name()) return std::nullopt;
  const auto standard = in.clock();
  if (!standard) return std::nullopt;
  rule.standard_offset_s = -*standard;
  rule.summer_offset_s = rule.standard_offset_s + 3600;
  if (in.done()) return rule;
  if (!in.name()) return std::nullopt;
  if (const auto summer = in.clock()) rule.summer_offset_s = -*summer;
  const auto begin = in.moment();
  const auto end = in.moment();
  if (!begin || !end || !in.done()) return std::nullopt;
  rule.has_summer = true;
  rule.summer_begin = *begin;
  rule.summer_end = *end;
  return rule;
}

std::vector<OffsetChange> changesInYear(const YearlyRule& rule, int year) {
  const auto at = [year](const YearlyRule::Moment& m, int32_t offset) { return dayOf(m, year) * kSecondsPerDay + m.second - offset; };
  std::vector<OffsetChange> changes = {{at(rule.summer_begin, rule.standard_offset_s), rule.summer_offset_s},
                                       {at(rule.summer_end, rule.summer_offset_s), rule.standard_offset_s}};
  if (changes[1].begin_utc_s < changes[0].begin_utc_s) std::swap(changes[0], changes[1]);
  return changes;
}

std::optional<ZoneFile> parseZoneFile(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes || !bytes.starts_with("TZif") || bytes[4] < '2') return std::nullopt;
  ByteReader in(bytes);
  in.skip(bodyBytes(readHeader(in), 4));  // the version 1 block repeats the other with 32-bit times
  if (!in.rest().starts_with("TZif")) return std::nullopt;
  const Header header = readHeader(in);
  if (header.types == 0 || bodyBytes(header, 8) > in.rest().size()) return std::nullopt;
  ZoneFile zone;
  for (size_t i = 0; i < header.changes; ++i) zone.changes.push_back({in.number(8), 0});
  std::vector<size_t> type_of_change;
  for (size_t i = 0; i < header.changes; ++i) type_of_change.push_back(static_cast<size_t>(in.number(1) & 0xFF));
  std::vector<int32_t> offsets;
  for (size_t i = 0; i < header.types; ++i) {
    offsets.push_back(static_cast<int32_t>(in.number(4)));
    in.skip(2);
  }
  in.skip(header.name_bytes + header.leap_seconds * 12 + header.standard_flags + header.utc_flags);
  for (size_t i = 0; i < header.changes; ++i) {
    if (type_of_change[i] >= offsets.size()) return std::nullopt;
    zone.changes[i].offset_s = offsets[type_of_change[i]];
  }
  zone.first_offset_s = offsets[0];
  std::string_view footer = in.rest();
  if (footer.size() > 2 && footer[0] == '\n') zone.rule = parseYearlyRule(footer.substr(1, footer.find('\n', 1) - 1));
  return in.ok ? std::optional(std::move(zone)) : std::nullopt;
}

}  // namespace thalweg
