#include "common/base/status.h"

#include <array>

namespace thalweg {

const std::string& Status::message() const {
  static const std::string kNone;
  return detail_ ? detail_->message : kNone;
}

Status Status::withContext(std::string_view context) const {
  if (isOk()) return *this;
  std::string message(context);
  message += ": ";
  message += detail_->message;
  return {detail_->code, std::move(message), detail_->position};
}

Status Status::at(SourcePosition position) const {
  if (isOk() || detail_->position.known()) return *this;
  return {detail_->code, detail_->message, position};
}

std::string Status::toString() const {
  std::string text(statusCodeName(code()));
  if (!isOk()) {
    text += ": ";
    text += detail_->message;
  }
  return text;
}

std::string_view statusCodeName(StatusCode code) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "OK",        "INVALID_ARGUMENT", "PARSE_ERROR", "PLAN_ERROR",         "RUNTIME_ERROR", "NOT_SUPPORTED",
      "NOT_FOUND", "ALREADY_EXISTS",   "IO_ERROR",    "RESOURCE_EXHAUSTED", "CANCELLED",     "INTERNAL"};
  return kNames[static_cast<size_t>(code)];
}

}  // namespace thalweg
