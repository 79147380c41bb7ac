# cmake -DSOURCE=... -DBUILD=... -DCMAKE_GENERATOR_NAME=... -DEIGEN_DIR=... -DAHEAD_GENERATE=<program> -DWRITE_WEIGHTS=<program>
#       -DCROSS_COMPILER=<aarch64-linux-gnu-g++> -DEMULATOR=<qemu-aarch64> -P cross.cmake
#
# The project of rebuilt.cmake, built for another machine: planned by a program of this one, its weights prepared by a program of the other's, in an emulator.
cmake_minimum_required(VERSION 3.25)
set(libraries /usr/aarch64-linux-gnu)
foreach(part IN ITEMS CROSS_COMPILER EMULATOR libraries)
    if(NOT EXISTS "${${part}}")
        message("SKIPPED: no compiler for aarch64, its libraries and qemu-aarch64 here (Debian: g++-aarch64-linux-gnu, qemu-user)")
        return()
    endif()
endforeach()
include("${CMAKE_CURRENT_LIST_DIR}/separate.cmake")
begin(cross)
write_mlp("${work}")

# As toolchain files are: what is found by itself is the target's.
file(WRITE "${work}/toolchain.cmake" "set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER \"${CROSS_COMPILER}\")
set(CMAKE_CXX_FLAGS_INIT -mcpu=cortex-a72) # which this machine's compiler knows nothing of
set(CMAKE_FIND_ROOT_PATH ${libraries})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
")
set(emulator "-DCMAKE_CROSSCOMPILING_EMULATOR=${EMULATOR}\;-L\;${libraries}")
macro(configure folder) # <more flags>...
    execute_process(COMMAND "${CMAKE_COMMAND}" -G "${CMAKE_GENERATOR_NAME}" -S "${SOURCE}/tests/model/consumer" -B "${work}/${folder}"
        "-DCMAKE_TOOLCHAIN_FILE=${work}/toolchain.cmake" "-Dahead_DIR=${work}/prefix/share/cmake/ahead" ${eigen}
        "-DMODEL=${work}/mlp.txt" "-DROWS=${work}/rows.inc" "-DWEIGHTS=${work}/w.safetensors" ${ARGN}
        RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
endmacro()
macro(build folder) # <more arguments>...
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/${folder}" ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "cross: the build of ${folder} fails:\n${text}")
    endif()
endmacro()

# What a cross build has to be told is one error, which says what to do.
configure(refused "-DAHEAD_GENERATOR=${AHEAD_GENERATE}")
expect("without an emulator" "${result} ${text}" "^1 .*WEIGHTS of 'mlp' are prepared by a program of the target's, which this machine does not run: set CMAKE_CROSSCOMPILING_EMULATOR")
configure(hostless "${emulator}" -DAHEAD_HOST_CXX=no)
expect("without a compiler for this machine" "${result} ${text}" "^1 .*a cross build needs a compiler for this machine .AHEAD_HOST_CXX. or a ready generator .AHEAD_GENERATOR.")

# Without a ready generator this machine's compiler makes one, with no flag of the target's, and again when a header changes. Here a script stands for it,
# which notes what it is told: compiling it takes a minute.
if(CMAKE_HOST_UNIX)
    file(WRITE "${work}/header.hpp" "")
    file(WRITE "${work}/compiler" "#!/bin/sh
echo \"compiler $*\" >> '${work}/compiled'
while [ $# -gt 1 ]; do
    [ \"$1\" != -MF ] || echo \"$4: ${work}/header.hpp\" > \"$2\"
    [ \"$1\" != -MF ] || [ \"$3\" = -MT ] || exit 1
    [ \"$1\" != -o ] || cp '${AHEAD_GENERATE}' \"$2\"
    shift
done
")
    file(CHMOD "${work}/compiler" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    configure(hosted "${emulator}" "-DAHEAD_HOST_CXX=${work}/compiler")
    build(hosted --target consumer_mlp_sources)
    expect("the build" "${text}" "Compiling ahead-generate for this machine.*Planning mlp")
    build(hosted --target consumer_mlp_sources)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 1) # some file systems count seconds
    file(TOUCH "${work}/header.hpp")
    build(hosted --target consumer_mlp_sources)
    file(READ "${work}/compiled" said)
    expect("this machine's compiler" "${said}" "^compiler -std=c..20 -Og [^\n]*-I[^ ]*/cross/prefix/include [^\n]*ahead_generate\\.cpp -o ([^ ]*) compiler [^\n]* -o ([^ ]*) $")
    if(said MATCHES "cortex|aarch64")
        message(FATAL_ERROR "cross: a flag of the target's is in ${said}")
    endif()
endif()

# What is built is the other machine's, runs there and gives what it gives here; so do the verifier and other weights.
configure(build "${emulator}" "-DAHEAD_GENERATOR=${AHEAD_GENERATE}")
expect("configuring" "${result} ${text}" "^0 ")
build(build)
foreach(program IN ITEMS consumer consumer_mlp_pack)
    file(READ "${work}/build/${program}" header OFFSET 18 LIMIT 2 HEX)
    expect("the machine of ${program}" "${header}" "^b700$")
endforeach()
macro(run pattern)
    execute_process(COMMAND "${EMULATOR}" -L ${libraries} "${work}/build/consumer" OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    expect("the program" "${said}" "${pattern}")
endmacro()
run("^6\\.09")
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${work}/build" RESULT_VARIABLE result OUTPUT_VARIABLE text)
expect("the verifier" "${result} ${text}" "^0 .*model\\.consumer\\.mlp .* Passed")
execute_process(COMMAND "${WRITE_WEIGHTS}" "${work}/w.safetensors" 0.5 COMMAND_ERROR_IS_FATAL ANY)
build(build)
expect("other weights" "${text}" "Preparing the weights of mlp")
run("^7\\.71")
