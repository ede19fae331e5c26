#include "client/api/thalweg/exception.h"

namespace thalweg::api {

void throwIfFailed(const Status& status) {
  switch (status.code()) {
    case StatusCode::OK: return;
    case StatusCode::PARSE_ERROR: throw SqlParserException(status.message());
    case StatusCode::NOT_SUPPORTED: throw UnsupportedOperationException(status.message());
    default: throw ValidationException(status.message(), status.code());
  }
}

void throwIfJobFailed(const Status& status) {
  switch (status.code()) {
    case StatusCode::OK: return;
    case StatusCode::CANCELLED: throw JobCancelledException(status.message());
    case StatusCode::NOT_SUPPORTED: throw UnsupportedOperationException(status.message());
    default: throw JobExecutionException(status.message(), status.code());
  }
}

}  // namespace thalweg::api
