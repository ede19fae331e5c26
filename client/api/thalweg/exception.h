// Exception: what the public API throws. Inside the engine failures are Status; they become exceptions only here.
//
//   try { env.execute("orders"); }
//   catch (const JobExecutionException& failed) { std::cerr << failed.what(); }
//
// Every message says what was expected, what was found and what to do. Threads: values.
#pragma once

#include <stdexcept>
#include <string>

#include "common/base/status.h"

namespace thalweg::api {

class Exception : public std::runtime_error {
 public:
  explicit Exception(const std::string& message, StatusCode code = StatusCode::INVALID_ARGUMENT)
      : std::runtime_error(message), code_(code) {}
  StatusCode code() const { return code_; }

 private:
  StatusCode code_;
};

/// The program asks for something that cannot be: a wrong name, type, option or order of calls.
class ValidationException : public Exception {
 public:
  using Exception::Exception;
};
/// SQL text that is not a statement.
class SqlParserException : public Exception {
 public:
  explicit SqlParserException(const std::string& message) : Exception(message, StatusCode::PARSE_ERROR) {}
};
/// Understood, but not built into this engine.
class UnsupportedOperationException : public Exception {
 public:
  explicit UnsupportedOperationException(const std::string& message) : Exception(message, StatusCode::NOT_SUPPORTED) {}
};
/// A job failed while it ran: names operator, cause and cure.
class JobExecutionException : public Exception {
 public:
  using Exception::Exception;
};
class JobCancelledException : public JobExecutionException {
 public:
  explicit JobCancelledException(const std::string& message) : JobExecutionException(message, StatusCode::CANCELLED) {}
};

/// Throws what fits a failed status of planning (or parsing); ok passes.
void throwIfFailed(const Status& status);
/// Throws what fits the failed status of a job; ok passes.
void throwIfJobFailed(const Status& status);

/// The value, or the exception that fits its status.
template <typename T>
T valueOrThrow(Result<T> result) {
  if (!result.isOk()) throwIfFailed(result.status());
  return std::move(result).value();
}

}  // namespace thalweg::api
