# thalweg_room(name SOURCES … ROOMS … LIBRARIES …): one folder, one static library `thalweg_<name>`.
#   ROOMS      rooms of ours whose headers this room's headers use
#   LIBRARIES  third parties, private to the room
function(thalweg_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  add_library(thalweg_${name} STATIC ${ROOM_SOURCES})
  list(TRANSFORM ROOM_ROOMS PREPEND thalweg_)
  target_link_libraries(thalweg_${name} PUBLIC ${ROOM_ROOMS} PRIVATE thalweg_flags ${ROOM_LIBRARIES})
endfunction()

# thalweg_test(name SOURCES … ROOMS …): a Catch2 program `test_<name>` and its ctest entry.
function(thalweg_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  add_executable(test_${name} ${TEST_SOURCES})
  list(TRANSFORM TEST_ROOMS PREPEND thalweg_)
  target_link_libraries(test_${name} PRIVATE ${TEST_ROOMS} ${TEST_LIBRARIES} thalweg_flags thalweg_test_main)
  add_test(NAME ${name} COMMAND test_${name})
endfunction()
