// Loads functions from shared libraries (client/api/thalweg/function_library.h says how those are written).
// Threads: any; loading is serial. Errors: PLAN_ERROR naming library, symbol and cause.
#pragma once

#include "common/plan/statements/library_functions.h"

namespace thalweg::client {

/// For SqlSession::setFunctionLoader.
LibraryFunctions::Loader functionLibraryLoader();

}  // namespace thalweg::client
