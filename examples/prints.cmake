# cmake -DPROGRAM=<executable> -DOUTPUT=<file> -P prints.cmake
#
# The program must succeed and print exactly what the file holds.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE result OUTPUT_VARIABLE printed)
file(READ "${OUTPUT}" expected)
if(NOT result EQUAL 0 OR NOT printed STREQUAL expected)
    message(FATAL_ERROR "prints: ${PROGRAM} ended with ${result} and printed\n${printed}\nwhere ${OUTPUT} says\n${expected}")
endif()
