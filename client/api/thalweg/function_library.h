// Functions of one's own for SQL scripts: THALWEG_FUNCTION gives a class or function a name in a shared library.
//
//   struct Shout : thalweg::table::ScalarFunction {
//     std::string eval(const std::string& text) { return text + "!"; }
//   };
//   THALWEG_FUNCTION(shout, Shout)
//
//   CREATE FUNCTION shout AS 'shout' LANGUAGE CPP USING LIBRARY '/path/to/libmine.so';
//
// Scalar, table and aggregate functions as in table_functions.h. The library is compiled with these headers and linked
// with nothing of the engine's: the program that loads it has everything. Once per library and name.
#pragma once

#include "client/api/thalweg/function_bodies.h"

namespace thalweg::api {

/// Changes whenever a library made with older headers could not be called safely.
inline constexpr const char* kLibraryVersion = "thalweg-functions-1";
inline constexpr const char* kLibraryVersionSymbol = "thalweg_function_library_version";
inline constexpr const char* kLibraryFunctionPrefix = "thalweg_function_";
using LibraryVersionFunction = const char* (*)();
using LibraryFunctionMaker = void (*)(UserFunction& made);

}  // namespace thalweg::api

extern "C" __attribute__((visibility("default"), used)) inline const char* thalweg_function_library_version() { return ::thalweg::api::kLibraryVersion; }

/// The class needs a default constructor. Functions of a script are of the classes' copies, one per operator and subtask.
#define THALWEG_FUNCTION(name, ...)                                                                                            \
  extern "C" __attribute__((visibility("default"))) void thalweg_function_##name(::thalweg::api::UserFunction& made) {          \
    made = ::thalweg::api::userFunction(__VA_ARGS__{});                                                                         \
  }
