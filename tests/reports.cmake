# cmake -DSCRIPT=<folder>/<check>.cmake -P reports.cmake
#
# Runs the check on the tree <folder>/bad, which breaks every rule of the check once: it must fail, and its message must match every line of
# <folder>/bad/report.txt, each a CMake regex. A check that reports nothing is no check.
cmake_minimum_required(VERSION 3.25)
cmake_path(GET SCRIPT PARENT_PATH folder)
execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${folder}/bad" -P "${SCRIPT}" RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(result EQUAL 0)
    message(FATAL_ERROR "reports: ${SCRIPT} accepts ${folder}/bad")
endif()
file(STRINGS "${folder}/bad/report.txt" reports)
list(LENGTH reports expected)
foreach(report IN LISTS reports)
    if(NOT text MATCHES "${report}")
        message(FATAL_ERROR "reports: ${SCRIPT} must report '${report}', but said\n${text}")
    endif()
endforeach()
string(REGEX MATCHALL "\n *- " found "${text}")
list(LENGTH found found)
if(NOT found EQUAL expected)
    message(FATAL_ERROR "reports: ${found} reports where report.txt expects ${expected}\n${text}")
endif()
