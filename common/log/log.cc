#include "common/log/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/base/mutex.h"

namespace thalweg {

namespace log_internal {
std::atomic<int> lowest_level{static_cast<int>(LogLevel::TRACE)};
}

namespace {

constexpr std::array<std::string_view, 6> kLevelNames = {"trace", "debug", "info", "warn", "error", "off"};

struct LogLevels {
  LogLevel everywhere = LogLevel::WARN;
  std::vector<std::pair<std::string, LogLevel>> by_component;

  /// The level of the longest listed component that covers `component`.
  LogLevel of(std::string_view component) const {
    LogLevel level = everywhere;
    size_t longest = 0;
    for (const auto& [name, own] : by_component) {
      const bool covers =
          component.starts_with(name) && (component.size() == name.size() || component[name.size()] == '.');
      if (covers && name.size() >= longest) {
        longest = name.size();
        level = own;
      }
    }
    return level;
  }

  LogLevel lowest() const {
    LogLevel level = everywhere;
    for (const auto& entry : by_component) level = std::min(level, entry.second);
    return level;
  }
};

struct LogState {
  Mutex mutex;
  bool environment_read GUARDED_BY(mutex) = false;
  LogLevels levels GUARDED_BY(mutex);
  std::shared_ptr<const std::function<void(const LogLine&)>> sink GUARDED_BY(mutex);
};

LogState& state() {
  static auto* const instance = new LogState;  // never destroyed: threads may still log at exit
  return *instance;
}

std::optional<LogLevel> parseLevel(std::string_view text) {
  for (size_t i = 0; i < kLevelNames.size(); ++i) {
    if (text == kLevelNames[i]) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

Result<LogLevels> parseLevels(std::string_view text) {
  LogLevels levels;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t equals = one.find('=');
    const std::optional<LogLevel> level = parseLevel(equals == std::string_view::npos ? one : one.substr(equals + 1));
    if (!level) {
      return Status::invalid("expected log levels '[component=]trace|debug|info|warn|error|off,…', found '" +
                             std::string(one) + "'");
    }
    if (equals == std::string_view::npos) {
      levels.everywhere = *level;
    } else {
      levels.by_component.emplace_back(one.substr(0, equals), *level);
    }
  }
  return levels;
}

void installLocked(LogState& s, LogLevels levels) REQUIRES(s.mutex) {
  s.environment_read = true;
  log_internal::lowest_level.store(static_cast<int>(levels.lowest()), std::memory_order_relaxed);
  s.levels = std::move(levels);
}

spdlog::logger& stderrLogger() {
  static const std::shared_ptr<spdlog::logger> logger = [] {
    auto made = std::make_shared<spdlog::logger>("thalweg", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %v", spdlog::pattern_time_type::utc);
    made->set_level(spdlog::level::trace);
    made->flush_on(spdlog::level::trace);
    return made;
  }();
  return *logger;
}

/// Quotes what would not read back as one word; control characters never reach the terminal raw.
void appendValue(std::string& line, std::string_view value) {
  const auto plain = [](char c) { return c > ' ' && c != '"' && c != '=' && c != '\\' && c != 0x7f; };
  const auto high = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  if (!value.empty() && std::all_of(value.begin(), value.end(), [&](char c) { return plain(c) || high(c); })) {
    line += value;
    return;
  }
  static constexpr std::string_view kHex = "0123456789abcdef";
  line += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      line += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      line += "\\x";
      line += kHex[byte >> 4];
      line += kHex[byte & 15];
    } else {
      if (c == '"' || c == '\\') line += '\\';
      line += c;
    }
  }
  line += '"';
}

void writeToStderr(const LogLine& line) {
  static constexpr std::array<std::string_view, 6> kShown = {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"};
  std::string text(kShown[static_cast<size_t>(line.level)]);
  text += ' ';
  text += line.component;
  text += ' ';
  text += line.message;
  for (const LogField& field : line.fields) {
    text += ' ';
    text += field.key;
    text += '=';
    appendValue(text, field.value);
  }
  stderrLogger().log(static_cast<spdlog::level::level_enum>(line.level), spdlog::string_view_t(text));
}

}  // namespace

Status setLogLevels(std::string_view levels) {
  ASSIGN_OR_RETURN(LogLevels parsed, parseLevels(levels));
  LogState& s = state();
  MutexLock lock(s.mutex);
  installLocked(s, std::move(parsed));
  return Status::ok();
}

void setLogSink(std::function<void(const LogLine&)> sink) {
  LogState& s = state();
  MutexLock lock(s.mutex);
  s.sink = sink ? std::make_shared<const std::function<void(const LogLine&)>>(std::move(sink)) : nullptr;
}

void log_internal::write(LogLevel level, std::string_view component, std::string_view message,
                         std::initializer_list<LogField> fields) {
  LogState& s = state();
  std::shared_ptr<const std::function<void(const LogLine&)>> sink;
  std::string complaint;
  {
    MutexLock lock(s.mutex);
    if (!s.environment_read) {
      const char* const text = std::getenv("THALWEG_LOG");
      Result<LogLevels> parsed = parseLevels(text ? text : "");
      if (!parsed.isOk()) complaint = parsed.status().message();
      installLocked(s, parsed.isOk() ? std::move(parsed).value() : LogLevels());
    }
    if (level < s.levels.of(component) && complaint.empty()) return;
    sink = s.sink;
  }
  if (!complaint.empty()) {
    writeToStderr(
        {LogLevel::WARN, "log", "THALWEG_LOG ignored", std::array<LogField, 1>{LogField("error", complaint)}});
    if (level < LogLevel::WARN) return;
  }
  const LogLine line{level, component, message, std::span(fields.begin(), fields.size())};
  sink ? (*sink)(line) : writeToStderr(line);
}

}  // namespace thalweg
