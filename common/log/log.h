// Logging with structured fields:
//
//   LOG_WARN("worker.exchange", "peer went silent", {"job", job_id}, {"silent_ms", silent_ms});
//
// The component is the room's folder with dots. The message is constant; what varies is a field. Goes to
// standard error, warnings and worse only, unless THALWEG_LOG says otherwise: `info`, or
// `info,worker.exchange=debug` (a component covers those below it).
// This header is type-erased and cheap to include: spdlog stays in log.cc. Threads: any.
#pragma once

#include <atomic>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "common/base/status.h"

namespace thalweg {

enum class LogLevel : int { TRACE = 0, DEBUG = 1, INFO = 2, WARN = 3, ERROR = 4, OFF = 5 };

/// One `key=value` of a log line.
struct LogField {
  std::string_view key;
  std::string value;

  LogField(std::string_view k, std::string v) : key(k), value(std::move(v)) {}
  LogField(std::string_view k, std::string_view v) : key(k), value(v) {}
  LogField(std::string_view k, const char* v) : key(k), value(v) {}
  LogField(std::string_view k, bool v) : key(k), value(v ? "true" : "false") {}
  LogField(std::string_view k, const Status& v) : key(k), value(v.toString()) {}
  template <typename Number>
  requires(std::integral<Number> || std::floating_point<Number>) LogField(std::string_view k, Number v)
      : key(k), value(std::to_string(v)) {}
  /// Ids of our own.
  template <typename Value>
  requires requires(const Value& v) {
    { v.value() } -> std::integral;
    { v.toString() } -> std::same_as<std::string>;
  }
  LogField(std::string_view k, const Value& v) : key(k), value(v.toString()) {}
};

/// Replaces the levels, in the form of THALWEG_LOG.
Status setLogLevels(std::string_view levels);

/// What a sink is told of one line.
struct LogLine {
  LogLevel level;
  std::string_view component;
  std::string_view message;
  std::span<const LogField> fields;
};

/// Sends lines to `sink` instead of standard error; an empty function restores standard error. For tests.
void setLogSink(std::function<void(const LogLine&)> sink);

namespace log_internal {

/// The lowest level that any component logs; starts at TRACE so that the first line reads the environment.
extern std::atomic<int> lowest_level;
void write(LogLevel level, std::string_view component, std::string_view message,
           std::initializer_list<LogField> fields);

inline bool enabled(LogLevel level) { return static_cast<int>(level) >= lowest_level.load(std::memory_order_relaxed); }

}  // namespace log_internal
}  // namespace thalweg

#define THALWEG_LOG_AT(level, component, message, ...)                              \
  do {                                                                              \
    if (::thalweg::log_internal::enabled(level)) {                                  \
      ::thalweg::log_internal::write(level, (component), (message), {__VA_ARGS__}); \
    }                                                                               \
  } while (false)

#define LOG_TRACE(component, message, ...) \
  THALWEG_LOG_AT(::thalweg::LogLevel::TRACE, component, message __VA_OPT__(, ) __VA_ARGS__)
#define LOG_DEBUG(component, message, ...) \
  THALWEG_LOG_AT(::thalweg::LogLevel::DEBUG, component, message __VA_OPT__(, ) __VA_ARGS__)
#define LOG_INFO(component, message, ...) \
  THALWEG_LOG_AT(::thalweg::LogLevel::INFO, component, message __VA_OPT__(, ) __VA_ARGS__)
#define LOG_WARN(component, message, ...) \
  THALWEG_LOG_AT(::thalweg::LogLevel::WARN, component, message __VA_OPT__(, ) __VA_ARGS__)
#define LOG_ERROR(component, message, ...) \
  THALWEG_LOG_AT(::thalweg::LogLevel::ERROR, component, message __VA_OPT__(, ) __VA_ARGS__)
