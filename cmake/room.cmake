# thalweg_room(name SOURCES … ROOMS … LIBRARIES …): one folder, one static library `thalweg_<name>`.
#   ROOMS      rooms of ours whose headers this room's headers use
#   LIBRARIES  third parties, private to the room
function(thalweg_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  add_library(thalweg_${name} STATIC ${ROOM_SOURCES})
  list(TRANSFORM ROOM_ROOMS PREPEND thalweg_)
  target_link_libraries(thalweg_${name} PUBLIC ${ROOM_ROOMS} PRIVATE thalweg_flags ${ROOM_LIBRARIES})
  if(THALWEG_PCH)
    target_precompile_headers(thalweg_${name} PRIVATE ${THALWEG_STANDARD_HEADERS})
    # GCC forgets that precompiled headers are the system's, and shows its false alarms in them.
    target_compile_options(thalweg_${name} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()

# Release builds parse the standard library's headers once a room: a fifth of a clean build. The other presets do
# without, so that a missing include shows there; none of our own headers is precompiled, so none needs rebuilding.
option(THALWEG_PCH "precompile the standard headers of the rooms" OFF)
set(THALWEG_STANDARD_HEADERS
  <algorithm> <array> <atomic> <chrono> <condition_variable> <cstdint> <cstring> <functional> <limits> <map> <memory>
  <mutex> <optional> <set> <span> <sstream> <string> <string_view> <unordered_map> <unordered_set> <utility> <variant>
  <vector>)

# thalweg_test(name SOURCES … ROOMS …): a Catch2 program `test_<name>` and its ctest entry.
function(thalweg_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  add_executable(test_${name} ${TEST_SOURCES})
  list(TRANSFORM TEST_ROOMS PREPEND thalweg_)
  target_link_libraries(test_${name} PRIVATE ${TEST_ROOMS} ${TEST_LIBRARIES} thalweg_flags thalweg_test_main)
  add_test(NAME ${name} COMMAND test_${name})
endfunction()

# thalweg_fuzz(name SOURCES … ROOMS …): a libFuzzer program `fuzz_<name>`, built by the preset `fuzz` only.
function(thalweg_fuzz name)
  if(NOT THALWEG_FUZZ)
    return()
  endif()
  cmake_parse_arguments(FUZZ "" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${FUZZ_SOURCES})
  list(TRANSFORM FUZZ_ROOMS PREPEND thalweg_)
  target_link_libraries(fuzz_${name} PRIVATE ${FUZZ_ROOMS} ${FUZZ_LIBRARIES} thalweg_flags)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  if(NOT TARGET thalweg_fuzzers)
    add_custom_target(thalweg_fuzzers)
  endif()
  add_dependencies(thalweg_fuzzers fuzz_${name})
endfunction()
