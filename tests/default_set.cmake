# cmake -DROOT=<repository> -P default_set.cmake
#
# The preset `test` leaves out what the table of tests/README.md names, and nothing else.
cmake_minimum_required(VERSION 3.25)
file(STRINGS "${ROOT}/tests/README.md" rows REGEX "^\\| `")
list(TRANSFORM rows REPLACE "^\\| `([^`]+)`.*" "\\1")
list(TRANSFORM rows REPLACE "\\\\\\|" "|")
list(JOIN rows "|" named)
file(READ "${ROOT}/CMakePresets.json" presets)
string(JSON left_out GET "${presets}" testPresets 1 filter exclude name)
if(NOT left_out STREQUAL "^(${named})$")
    message(FATAL_ERROR "default_set: the preset test leaves out\n  ${left_out}\nbut tests/README.md names\n  ^(${named})$")
endif()
