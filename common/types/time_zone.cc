#include "common/types/time_zone.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <optional>

#include "common/types/datetime.h"
#include "common/types/zone_file.h"

namespace thalweg {

namespace {

constexpr int64_t kForever = std::numeric_limits<int64_t>::max();
constexpr int64_t kEver = std::numeric_limits<int64_t>::min();
constexpr int32_t kOffsetMaxSeconds = 18 * 3600;
constexpr int kCycleYears = 400;  // after which dates fall on the same days of the week again
constexpr int64_t kCycleMs = 146097 * kMillisPerDay;

}  // namespace

/// Offsets by the time they begin. Yearly rules are spelled out for one cycle; later times are moved back into it.
struct TimeZone::Rules {
  std::string id;
  std::vector<int64_t> begin_ms = {kEver};
  std::vector<int64_t> offset_ms = {0};
  int64_t cycle_begin_ms = kForever;  ///< kForever: the last offset stays

  bool isFixed() const { return begin_ms.size() == 1; }
  size_t indexAt(int64_t utc_ms) const {
    return static_cast<size_t>(std::upper_bound(begin_ms.begin(), begin_ms.end(), utc_ms) - begin_ms.begin()) - 1;
  }
  Period period(size_t i) const { return {begin_ms[i], i + 1 < begin_ms.size() ? begin_ms[i + 1] : kForever, offset_ms[i]}; }
  /// What to subtract from a time to bring it into the years that are spelled out.
  int64_t cycleShift(int64_t ms) const {
    return ms < cycle_begin_ms ? 0 : (ms - cycle_begin_ms) / kCycleMs * kCycleMs;
  }
  void add(int64_t begin, int64_t offset) {
    if (offset == offset_ms.back() || begin <= begin_ms.back()) {
      if (begin <= begin_ms.back()) offset_ms.back() = offset;
      return;
    }
    begin_ms.push_back(begin);
    offset_ms.push_back(offset);
  }
};

namespace {

using RulesPtr = std::shared_ptr<const TimeZone::Rules>;

RulesPtr fixedRules(std::string id, int64_t offset_s) {
  auto rules = std::make_shared<TimeZone::Rules>();
  rules->id = std::move(id);
  rules->offset_ms[0] = offset_s * kMillisPerSecond;
  return rules;
}

RulesPtr rulesOfFile(std::string id, const ZoneFile& file) {
  constexpr int64_t kLeastSeconds = -200'000'000'000'000;  // older changes stand for "always"
  auto rules = std::make_shared<TimeZone::Rules>();
  rules->id = std::move(id);
  rules->offset_ms[0] = file.first_offset_s * kMillisPerSecond;
  int64_t last_s = 0;
  for (const OffsetChange& change : file.changes) {
    const bool always = change.begin_utc_s < kLeastSeconds;
    rules->add(always ? kEver : change.begin_utc_s * kMillisPerSecond, change.offset_s * kMillisPerSecond);
    last_s = always ? last_s : change.begin_utc_s;
  }
  if (!file.rule || !file.rule->has_summer) return rules;
  const int first_year = civilFromDays(dateOfMillis(last_s * kMillisPerSecond)).year;
  rules->cycle_begin_ms = millisOf(daysFromCivil(first_year + 1, 1, 1), 0);
  for (int year = first_year; year <= first_year + kCycleYears + 1; ++year) {
    for (const OffsetChange& change : changesInYear(*file.rule, year)) {
      if (change.begin_utc_s > last_s) rules->add(change.begin_utc_s * kMillisPerSecond, change.offset_s * kMillisPerSecond);
    }
  }
  return rules;
}

bool isRegionId(std::string_view id) {
  const auto valid = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '_' || c == '-' || c == '+';
  };
  const bool letter = !id.empty() && ((id[0] | 0x20) >= 'a' && (id[0] | 0x20) <= 'z');
  return letter && id.size() <= 64 && std::all_of(id.begin(), id.end(), valid) && !id.starts_with("posix") &&
         !id.starts_with("right/") && id != "localtime" && id != "Factory";
}

/// The rules of a region, read once; null if there is none.
RulesPtr regionRules(std::string_view id) {
  static std::mutex mutex;
  static std::map<std::string, RulesPtr, std::less<>> known;
  if (!isRegionId(id)) return nullptr;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(id); found != known.end()) return found->second;
  const char* root = std::getenv("TZDIR");
  std::ifstream in(std::string(root != nullptr ? root : "/usr/share/zoneinfo") + "/" + std::string(id), std::ios::binary);
  if (!in) return nullptr;
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const std::optional<ZoneFile> file = parseZoneFile(bytes);
  if (!file) return nullptr;
  return known.emplace(id, rulesOfFile(std::string(id), *file)).first->second;
}

/// The short ids of java.util.TimeZone.
std::string_view shortIdTarget(std::string_view id) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 28> kShortIds = {
      {{"ACT", "Australia/Darwin"},     {"AET", "Australia/Sydney"},    {"AGT", "America/Argentina/Buenos_Aires"},
       {"ART", "Africa/Cairo"},         {"AST", "America/Anchorage"},   {"BET", "America/Sao_Paulo"},
       {"BST", "Asia/Dhaka"},           {"CAT", "Africa/Harare"},       {"CNT", "America/St_Johns"},
       {"CST", "America/Chicago"},      {"CTT", "Asia/Shanghai"},       {"EAT", "Africa/Addis_Ababa"},
       {"ECT", "Europe/Paris"},         {"IET", "America/Indiana/Indianapolis"}, {"IST", "Asia/Kolkata"},
       {"JST", "Asia/Tokyo"},           {"MIT", "Pacific/Apia"},        {"NET", "Asia/Yerevan"},
       {"NST", "Pacific/Auckland"},     {"PLT", "Asia/Karachi"},        {"PNT", "America/Phoenix"},
       {"PRT", "America/Puerto_Rico"},  {"PST", "America/Los_Angeles"}, {"SST", "Pacific/Guadalcanal"},
       {"VST", "Asia/Ho_Chi_Minh"},     {"EST", "-05:00"},              {"MST", "-07:00"},
       {"HST", "-10:00"}}};
  for (const auto& [short_id, target] : kShortIds) {
    if (short_id == id) return target;
  }
  return {};
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

int twoDigits(std::string_view text) { return (text[0] - '0') * 10 + (text[1] - '0'); }

/// Hours, minutes and seconds of `h`, `hh`, `hhmm`, `hh:mm`, `hhmmss`, `hh:mm:ss`.
std::optional<std::array<int, 3>> readClock(std::string_view text) {
  std::string digits;
  const bool colons = text.find(':') != std::string_view::npos;
  for (size_t i = 0; i < text.size(); ++i) {
    if (colons && i % 3 == 2) {
      if (text[i] != ':') return std::nullopt;
    } else if (isDigit(text[i])) {
      digits += text[i];
    } else {
      return std::nullopt;
    }
  }
  if (digits.size() == 1 && !colons) digits.insert(0, 1, '0');
  if (digits.empty() || digits.size() > 6 || digits.size() % 2 != 0 || (colons && text.size() % 3 != 2)) return std::nullopt;
  digits.resize(6, '0');
  const std::string_view d = digits;
  return std::array<int, 3>{twoDigits(d), twoDigits(d.substr(2)), twoDigits(d.substr(4))};
}

/// ZoneOffset.of: a sign and a clock, within 18 hours.
std::optional<int32_t> readOffset(std::string_view text) {
  if (text.size() < 2 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const auto clock = readClock(text.substr(1));
  if (!clock || (*clock)[1] > 59 || (*clock)[2] > 59) return std::nullopt;
  const int32_t seconds = ((*clock)[0] * 60 + (*clock)[1]) * 60 + (*clock)[2];
  if (seconds > kOffsetMaxSeconds) return std::nullopt;
  return text[0] == '-' ? -seconds : seconds;
}

std::string offsetText(int32_t seconds) {
  if (seconds == 0) return "Z";
  const int32_t size = std::abs(seconds);
  const auto two = [](int v) { return std::string{static_cast<char>('0' + v / 10), static_cast<char>('0' + v % 10)}; };
  std::string text = (seconds < 0 ? "-" : "+") + two(size / 3600) + ":" + two(size / 60 % 60);
  return size % 60 == 0 ? text : text + ":" + two(size % 60);
}

/// The rules of an id as ZoneId.of reads it; null if it is unknown.
RulesPtr rulesOf(std::string_view id) {
  static const RulesPtr kUtc = fixedRules("UTC", 0);
  if (id == "UTC") return kUtc;
  if (id == "Z" || id == "GMT" || id == "UT") return fixedRules(std::string(id), 0);
  if (const auto offset = readOffset(id)) return fixedRules(offsetText(*offset), *offset);
  for (std::string_view prefix : {"UTC", "GMT", "UT"}) {
    if (!id.starts_with(prefix)) continue;
    const auto offset = readOffset(id.substr(prefix.size()));
    if (offset) return fixedRules(std::string(prefix) + (*offset == 0 ? "" : offsetText(*offset)), *offset);
    break;
  }
  return regionRules(id);
}

/// `GMT[+-]h[h][[:]mm]` of java.util.TimeZone.
std::optional<int32_t> readCustomId(std::string_view id) {
  if (!id.starts_with("GMT") || id.size() < 5 || id.size() > 9) return std::nullopt;
  std::string clock(id.substr(4));
  const size_t colon = clock.find(':');
  if (colon == 1 || (colon == std::string::npos && clock.size() == 3)) clock.insert(0, 1, '0');
  const auto parts = readClock(clock);
  if (!parts || (*parts)[0] > 23 || (*parts)[1] > 59 || (*parts)[2] != 0) return std::nullopt;
  const int32_t seconds = ((*parts)[0] * 60 + (*parts)[1]) * 60;
  if (id[3] != '+' && id[3] != '-') return std::nullopt;
  return id[3] == '-' ? -seconds : seconds;
}

Status unknownZone(std::string_view id) {
  return Status::invalid(
      "unknown time zone '" + std::string(id) +
      "'; expected a region such as 'America/Los_Angeles', a fixed offset such as 'GMT-03:00', or 'UTC'");
}

}  // namespace

TimeZone::TimeZone() : rules_(rulesOf("UTC")) {}

Result<TimeZone> TimeZone::of(std::string_view id) {
  const std::string_view target = shortIdTarget(id);
  RulesPtr rules = rulesOf(target.empty() ? id : target);
  if (!rules) return unknownZone(id);
  return TimeZone(std::move(rules));
}

Result<TimeZone> TimeZone::ofSession(std::string_view id) {
  const bool custom = readCustomId(id) && readOffset(id.substr(3)) == readCustomId(id);
  RulesPtr rules = custom ? rulesOf(id) : id == "UTC" || id == "GMT" ? rulesOf(id) : regionRules(id);
  if (!rules || (!custom && !shortIdTarget(id).empty())) return unknownZone(id);
  return TimeZone(std::move(rules));
}

TimeZone TimeZone::ofLenient(std::string_view id) {
  if (const auto seconds = readCustomId(id)) {
    return TimeZone(fixedRules("GMT" + (*seconds == 0 ? std::string() : offsetText(*seconds)), *seconds));
  }
  if (const std::string_view target = shortIdTarget(id); !target.empty()) return TimeZone(rulesOf(target));
  const bool region = id == "UTC" || isRegionId(id);
  RulesPtr rules = region ? (id == "UTC" ? rulesOf(id) : regionRules(id)) : nullptr;
  return TimeZone(rules ? std::move(rules) : fixedRules("GMT", 0));
}

TimeZone TimeZone::ofOffsetSeconds(int32_t seconds) { return TimeZone(fixedRules(offsetText(seconds), seconds)); }

const std::string& TimeZone::id() const { return rules_->id; }

bool TimeZone::isUtc() const { return rules_->isFixed() && rules_->offset_ms[0] == 0; }

TimeZone::Period TimeZone::periodAt(int64_t utc_ms) const {
  const int64_t shift = rules_->cycleShift(utc_ms);
  Period period = rules_->period(rules_->indexAt(utc_ms - shift));
  if (shift != 0) {
    period.begin_utc_ms += shift;
    period.end_utc_ms += shift;
  }
  return period;
}

int64_t TimeZone::toUtcMs(int64_t local_ms, Overlap overlap) const {
  const Rules& rules = *rules_;
  if (rules.isFixed()) return local_ms - rules.offset_ms[0];
  // Offsets stay below a day and changes are further apart than that, so the neighbouring periods suffice.
  const int64_t shift = rules.cycleShift(local_ms);
  const int64_t local = local_ms - shift;
  const size_t middle = rules.indexAt(local);
  const size_t last = std::min(middle + 1, rules.begin_ms.size() - 1);
  std::optional<int64_t> found;
  int64_t before_gap = local - rules.offset_ms[middle];
  for (size_t i = middle == 0 ? 0 : middle - 1; i <= last; ++i) {
    const Period period = rules.period(i);
    const int64_t utc = local - period.offset_ms;
    if (utc >= period.end_utc_ms) before_gap = utc;
    if (utc < period.begin_utc_ms || utc >= period.end_utc_ms) continue;
    found = utc;
    if (overlap == Overlap::EARLIER) break;
  }
  return found.value_or(before_gap) + shift;
}

void ZoneCursor::seek(int64_t utc_ms) {
  constexpr int64_t kMargin = kMillisPerDay;  // more than any change of the clock
  period_ = zone_.periodAt(utc_ms);
  local_begin_ms_ = period_.begin_utc_ms == kEver ? kEver : period_.begin_utc_ms + period_.offset_ms + kMargin;
  local_end_ms_ = period_.end_utc_ms == kForever ? kForever : period_.end_utc_ms + period_.offset_ms - kMargin;
}

int64_t ZoneCursor::seekLocal(int64_t local_ms) {
  const int64_t utc_ms = zone_.toUtcMs(local_ms, overlap_);
  if (utc_ms < period_.begin_utc_ms || utc_ms >= period_.end_utc_ms) seek(utc_ms);
  return utc_ms;
}

}  // namespace thalweg
