// Registering a program's functions with a session: UserFunction as ScalarFunction or AggregateFunction of the engine.
// Errors: ValidationException for a name that is taken or empty. Threads: one environment's.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "client/api/thalweg/user_function.h"
#include "common/functions/session_functions.h"

namespace thalweg::api {

/// Category of the engine's aggregates that stand for table aggregates: their result is an array of rows.
inline constexpr std::string_view kUserTableAggregate = "user table aggregate";

/// `parameters` is what open() sees.
/// Throws for a function that cannot be used.
void registerFunction(SessionFunctions& functions, std::string_view name, UserFunction function, std::map<std::string, std::string> parameters);

}  // namespace thalweg::api
