# Flags of every target of ours, the fast linker, and the compiler cache.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEV "-O1 -g1")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

option(THALWEG_FAILPOINTS "compile failpoints in" ON)
set(THALWEG_SANITIZE "" CACHE STRING "sanitizers, e.g. address,undefined")
option(THALWEG_FUZZ "build the fuzz targets (clang only)" OFF)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(THALWEG_ARCH "x86-64-v3" CACHE STRING "-march of the programs")
else()
  set(THALWEG_ARCH "native" CACHE STRING "-march of the programs")
endif()

add_library(thalweg_flags INTERFACE)
target_compile_options(thalweg_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Werror -Wno-sign-conversion
  -fno-math-errno -fno-trapping-math -march=${THALWEG_ARCH})
target_include_directories(thalweg_flags INTERFACE ${CMAKE_SOURCE_DIR})
if(THALWEG_FAILPOINTS)
  target_compile_definitions(thalweg_flags INTERFACE THALWEG_FAILPOINTS=1)
endif()
if(THALWEG_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(THALWEG_SANITIZE)
  add_compile_options(-fsanitize=${THALWEG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(-Wno-maybe-uninitialized)   # sanitizers make GCC see what is not there
  add_link_options(-fsanitize=${THALWEG_SANITIZE})
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()
