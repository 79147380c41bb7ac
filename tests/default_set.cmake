# cmake -DROOT=<repository> -P default_set.cmake
#
# The preset `test` leaves out what the table of tests/README.md names, and nothing else.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/left_to_all_tests.cmake")
file(READ "${ROOT}/CMakePresets.json" presets)
string(JSON left_out GET "${presets}" testPresets 1 filter exclude name)
if(NOT left_out STREQUAL ahead_left_to_all_tests)
    message(FATAL_ERROR "default_set: the preset test leaves out\n  ${left_out}\nbut tests/README.md names\n  ${ahead_left_to_all_tests}")
endif()
