#include "client/api/thalweg/runtime_context.h"

#include "client/api/thalweg/exception.h"

namespace thalweg::api {

RuntimeContext& RichFunction::getRuntimeContext() const {
  if (context_ == nullptr) {
    throw ValidationException("the runtime context was asked for outside of a running job: use it in open() and later, not in the constructor");
  }
  return *context_;
}

}  // namespace thalweg::api
