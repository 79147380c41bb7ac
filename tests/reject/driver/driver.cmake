# cmake <the arguments of reject.cmake> -P driver.cmake
#
# Runs reject.cmake on a file that it must report with a message matching the file's line `// report: <regex>`; `// report: nothing` for a file
# that it must accept.
cmake_minimum_required(VERSION 3.25)
file(STRINGS "${FILE}" report REGEX "^// report: ")
string(REGEX REPLACE "^// report: " "" report "${report}")
if(report STREQUAL "")
    message(FATAL_ERROR "driver: no '// report: <regex>' line in ${FILE}")
endif()

string(REPLACE ";" "\\;" FLAGS "${FLAGS}")
execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DCOMPILER=${COMPILER}" "-DCOMPILER_ID=${COMPILER_ID}" "-DFLAGS=${FLAGS}" "-DPRECOMPILED=${PRECOMPILED}" "-DFILE=${FILE}" "-DSAID=${SAID}" -DALONE=1
        -P "${CMAKE_CURRENT_LIST_DIR}/../reject.cmake"
    RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)

if(report STREQUAL "nothing")
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "driver: reject.cmake must accept ${FILE}, but said\n${text}")
    endif()
elseif(result EQUAL 0)
    message(FATAL_ERROR "driver: reject.cmake accepted ${FILE}; it must report '${report}'")
elseif(NOT text MATCHES "${report}")
    message(FATAL_ERROR "driver: reject.cmake must report '${report}' for ${FILE}, but said\n${text}")
endif()
