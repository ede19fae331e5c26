#include "common/base/current_work.h"

namespace thalweg {
namespace {

constinit thread_local CurrentWork current_work;

}  // namespace

CurrentWork& currentWork() { return current_work; }

}  // namespace thalweg
