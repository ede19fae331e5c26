// Status and Result<T>: how every failure inside the engine travels.
//
// A Status is one pointer wide and free when ok. A failure carries a code and one sentence: lower case,
// what was expected and what was found, values last, and what the user can do. Context is put in front
// on the way up (`status.withContext("file a.csv, line 3")`). Bugs are not failures: use CHECK.
// Threads: values; copy freely.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "common/base/check.h"

namespace thalweg {

/// Append only: numbers travel on the wire and are printed in documents.
enum class StatusCode : int {
  OK = 0,
  INVALID_ARGUMENT = 1,  ///< the caller asked for something that cannot be
  PARSE_ERROR = 2,       ///< SQL text that is not a statement
  PLAN_ERROR = 3,        ///< a statement that cannot become a job: names, types, changelog rules, options
  RUNTIME_ERROR = 4,     ///< a job's data or arithmetic refused: bad record, division by zero, failed cast
  NOT_SUPPORTED = 5,     ///< understood and right, but this engine cannot do it (yet); names the feature
  NOT_FOUND = 6,
  ALREADY_EXISTS = 7,
  IO_ERROR = 8,
  RESOURCE_EXHAUSTED = 9,
  CANCELLED = 10,
  INTERNAL = 11,         ///< an invariant broken in a way that need not end the process
};

/// Position of a fault in SQL text, 1-based; line 0 means unknown. Columns count code points.
struct SourcePosition {
  int line = 0;
  int column = 0;
  int end_line = 0;
  int end_column = 0;  ///< inclusive
  bool known() const { return line > 0; }
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message, SourcePosition position = {})
      : detail_(std::make_shared<const Detail>(Detail{code, std::move(message), position})) {
    CHECK(code != StatusCode::OK);
  }

  static Status ok() { return {}; }
  static Status invalid(std::string m) { return {StatusCode::INVALID_ARGUMENT, std::move(m)}; }
  static Status parse(std::string m, SourcePosition p = {}) { return {StatusCode::PARSE_ERROR, std::move(m), p}; }
  static Status plan(std::string m, SourcePosition p = {}) { return {StatusCode::PLAN_ERROR, std::move(m), p}; }
  static Status runtime(std::string m) { return {StatusCode::RUNTIME_ERROR, std::move(m)}; }
  static Status notSupported(std::string m, SourcePosition p = {}) { return {StatusCode::NOT_SUPPORTED, std::move(m), p}; }
  static Status notFound(std::string m) { return {StatusCode::NOT_FOUND, std::move(m)}; }
  static Status alreadyExists(std::string m) { return {StatusCode::ALREADY_EXISTS, std::move(m)}; }
  static Status io(std::string m) { return {StatusCode::IO_ERROR, std::move(m)}; }
  static Status exhausted(std::string m) { return {StatusCode::RESOURCE_EXHAUSTED, std::move(m)}; }
  static Status cancelled(std::string m) { return {StatusCode::CANCELLED, std::move(m)}; }
  static Status internal(std::string m) { return {StatusCode::INTERNAL, std::move(m)}; }

  bool isOk() const { return detail_ == nullptr; }
  explicit operator bool() const { return isOk(); }
  StatusCode code() const { return detail_ ? detail_->code : StatusCode::OK; }
  const std::string& message() const;
  SourcePosition position() const { return detail_ ? detail_->position : SourcePosition{}; }

  /// The same failure with `context: ` in front of its message; ok stays ok.
  Status withContext(std::string_view context) const;
  /// The same failure at `position`, unless it has one already.
  Status at(SourcePosition position) const;
  /// `PLAN_ERROR: message`, for logs.
  std::string toString() const;

 private:
  struct Detail {
    StatusCode code;
    std::string message;
    SourcePosition position;
  };
  std::shared_ptr<const Detail> detail_;
};

std::string_view statusCodeName(StatusCode code);

/// A value or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: meant to convert
  Result(Status status) : content_(std::in_place_index<1>, std::move(status)) {  // NOLINT: meant to convert
    CHECK(!std::get<1>(content_).isOk());
  }
  template <typename U>
    requires(std::is_convertible_v<U&&, T> && !std::is_same_v<std::remove_cvref_t<U>, Status> &&
             !std::is_same_v<std::remove_cvref_t<U>, T> && !std::is_same_v<std::remove_cvref_t<U>, Result<T>>)
  Result(U&& value) : content_(std::in_place_index<0>, std::forward<U>(value)) {}  // NOLINT: meant to convert

  bool isOk() const { return content_.index() == 0; }
  explicit operator bool() const { return isOk(); }
  Status status() const { return isOk() ? Status() : std::get<1>(content_); }

  T& value() & { CHECK(isOk()); return std::get<0>(content_); }
  const T& value() const& { CHECK(isOk()); return std::get<0>(content_); }
  T&& value() && { CHECK(isOk()); return std::get<0>(std::move(content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Status> content_;
};

#define THALWEG_CONCAT_INNER(a, b) a##b
#define THALWEG_CONCAT(a, b) THALWEG_CONCAT_INNER(a, b)

/// Returns the Status of `expression` from the enclosing function unless it is ok.
#define RETURN_IF_ERROR(expression)                        \
  do {                                                     \
    if (::thalweg::Status status_macro_ = (expression); !status_macro_.isOk()) return status_macro_; \
  } while (false)

/// `ASSIGN_OR_RETURN(auto x, compute());` binds the value or returns the Status.
#define ASSIGN_OR_RETURN(target, expression) \
  ASSIGN_OR_RETURN_INNER(THALWEG_CONCAT(result_macro_, __LINE__), target, expression)
#define ASSIGN_OR_RETURN_INNER(result, target, expression) \
  auto result = (expression);                              \
  if (!result.isOk()) return result.status();              \
  target = std::move(result).value()

}  // namespace thalweg
