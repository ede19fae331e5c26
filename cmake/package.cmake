# What users of the C++ API get with `cmake --install`: one shared library, the headers, and find_package(Thalweg) with the
# target Thalweg::thalweg. Headers keep their places below include/thalweg-api, so that they find each other.
include(CMakePackageConfigHelpers)

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/package/thalweg.cc CONTENT "// Everything comes from the rooms' archives.\n")
add_library(thalweg_library SHARED ${CMAKE_BINARY_DIR}/package/thalweg.cc)
set_target_properties(thalweg_library PROPERTIES OUTPUT_NAME thalweg EXPORT_NAME thalweg VERSION ${PROJECT_VERSION} SOVERSION 0)
# Rooms whose headers are public go in whole: programs call what no room does.
set(public_rooms client_api client_api_table client_api_bridge common_base common_config common_time common_types common_columnar common_runtime_api common_plan)
set(archives)
foreach(room ${public_rooms})
  list(APPEND archives $<TARGET_FILE:thalweg_${room}>)
endforeach()
target_link_options(thalweg_library PRIVATE LINKER:--whole-archive ${archives} LINKER:--no-whole-archive)
target_link_libraries(thalweg_library PRIVATE thalweg_client_api_bridge)
target_compile_features(thalweg_library INTERFACE cxx_std_20)
target_include_directories(thalweg_library INTERFACE
  $<INSTALL_INTERFACE:include/thalweg-api> $<INSTALL_INTERFACE:include/thalweg-api/client/api>)
if(THALWEG_FAILPOINTS)
  target_compile_definitions(thalweg_library INTERFACE THALWEG_FAILPOINTS=1)
endif()

install(TARGETS thalweg_library EXPORT ThalwegTargets LIBRARY DESTINATION lib)
install(TARGETS thalweg RUNTIME DESTINATION bin)
install(DIRECTORY client/api/thalweg/ DESTINATION include/thalweg-api/client/api/thalweg FILES_MATCHING PATTERN "*.h")
install(DIRECTORY common/ DESTINATION include/thalweg-api/common FILES_MATCHING PATTERN "*.h" PATTERN rpc EXCLUDE)
install(EXPORT ThalwegTargets NAMESPACE Thalweg:: DESTINATION lib/cmake/Thalweg)
install(FILES cmake/ThalwegConfig.cmake DESTINATION lib/cmake/Thalweg)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/ThalwegConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/package/ThalwegConfigVersion.cmake DESTINATION lib/cmake/Thalweg)
