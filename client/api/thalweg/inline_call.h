// call(function, arguments…): a function in an expression without registering it under a name.
//
//   table.select(call(Length(), $("name")), call([](int32_t n) { return 2 * n; }, $("n")))
//
// The function lives as long as the process. Threads: any. Errors: as createTemporarySystemFunction.
#pragma once

#include "client/api/thalweg/expressions.h"
#include "client/api/thalweg/function_bodies.h"

namespace thalweg::api {

Expression inlineCall(const std::string& class_name, UserFunction function, const std::vector<Expression>& arguments);

template <typename F, typename... Arguments>
  requires(!std::is_convertible_v<F, std::string_view>)
Expression call(const F& function, const Arguments&... arguments) {
  return inlineCall(typeName<F>(), userFunction(function), {Expression(arguments)...});
}

}  // namespace thalweg::api
