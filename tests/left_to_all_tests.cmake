# ahead_left_to_all_tests: the regular expression of the tests that the preset `test` leaves to `all-tests`, from the table of README.md beside this file.
# At most nine groups: CMake's regular expressions take no more.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/README.md" rows REGEX "^\\| `")
list(TRANSFORM rows REPLACE "^\\| `([^`]+)`.*" "\\1")
list(TRANSFORM rows REPLACE "\\\\\\|" "|")
list(JOIN rows "|" rows)
set(ahead_left_to_all_tests "^(${rows})$")
