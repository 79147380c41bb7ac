# cmake -DINCLUDE=... -DEIGEN=... -DCOMPILERS=... -DTEXT=digits.txt -DWORK=... [-DRUNS=5] -P shares.cmake
#
# What each pass adds to the time of compiling LeNet: prints, for each compiler, the least user seconds of RUNS compilations with all passes, and
# then, for each switch of ahead::config, by how many milliseconds that is more than without the pass. Below zero: the pass saves more than it
# costs, because it leaves fewer tasks to plan and kernels to compile. The runs take turns. Linux only.
cmake_minimum_required(VERSION 3.25)
if(NOT DEFINED RUNS)
    set(RUNS 5)
endif()
file(MAKE_DIRECTORY "${WORK}")
list(GET COMPILERS 0 first_compiler)
execute_process(COMMAND "${first_compiler}" -std=c++20 -O1 -o "${WORK}/measure" "${CMAKE_CURRENT_LIST_DIR}/measure.cpp" COMMAND_ERROR_IS_FATAL ANY)

# The switches, as config declares them.
file(STRINGS "${INCLUDE}/ahead/pass/config.hpp" switches REGEX "^    choice [a-z_]+ = {};")
list(TRANSFORM switches REPLACE "^    choice ([a-z_]+) = {};.*$" "\\1")
file(READ "${TEXT}" text)
foreach(switch IN ITEMS all LISTS switches)
    set(option ".${switch} = false")
    if(switch STREQUAL "all")
        set(option "")
    endif()
    configure_file("${CMAKE_CURRENT_LIST_DIR}/digits.cpp.in" "${WORK}/digits_${switch}.cpp" @ONLY)
endforeach()

execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "compiler\tpass\tms")
foreach(compiler IN LISTS COMPILERS)
    cmake_path(GET compiler FILENAME name)
    foreach(run RANGE 1 ${RUNS})
        foreach(switch IN ITEMS all LISTS switches)
            execute_process(COMMAND "${WORK}/measure" "${compiler}" -std=c++20 -O2 "-I${INCLUDE}" -isystem "${EIGEN}" -c -o "${WORK}/digits.o" "${WORK}/digits_${switch}.cpp"
                OUTPUT_VARIABLE numbers COMMAND_ERROR_IS_FATAL ANY)
            string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" numbers "${numbers}")
            math(EXPR ms "${CMAKE_MATCH_1} * 1000 + 1${CMAKE_MATCH_2} - 1000") # "1.042": 1 * 1000 + 1042 - 1000
            if(run EQUAL 1 OR ms LESS least_${switch})
                set(least_${switch} ${ms})
            endif()
        endforeach()
    endforeach()
    execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${name}\tall passes\t${least_all}")
    foreach(switch IN LISTS switches)
        math(EXPR share "${least_all} - ${least_${switch}}")
        execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${name}\t${switch}\t${share}")
    endforeach()
endforeach()
