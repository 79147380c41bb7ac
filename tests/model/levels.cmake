# cmake -DSOURCE=... -DBUILD=... -DCMAKE_GENERATOR_NAME=... -DCOMPILER=... -DCXX_FLAGS=... -DEIGEN_DIR=... -DAHEAD_GENERATE=<program>
#       -DWRITE_WEIGHTS=<program> -P levels.cmake
#
# The project of rebuilt.cmake with its model compiled for several levels of x86-64: what is refused while configuring, what by the compiler, and what runs.
cmake_minimum_required(VERSION 3.25)
if(NOT CMAKE_HOST_SYSTEM_NAME STREQUAL "Linux")
    message("SKIPPED: no ELF here")
    return()
endif()
cmake_host_system_information(RESULT machine QUERY OS_PLATFORM)
if(NOT machine STREQUAL "x86_64")
    message("SKIPPED: no x86-64 here")
    return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/separate.cmake")
begin(levels)
write_mlp("${work}")
macro(configure folder) # <more flags>...
    execute_process(COMMAND "${CMAKE_COMMAND}" -G "${CMAKE_GENERATOR_NAME}" -S "${SOURCE}/tests/model/consumer" -B "${work}/${folder}"
        "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS} -O0" "-Dahead_DIR=${work}/prefix/share/cmake/ahead" ${eigen} "-DAHEAD_GENERATOR=${AHEAD_GENERATE}"
        "-DMODEL=${work}/mlp.txt" "-DROWS=${work}/rows.inc" "-DWEIGHTS=${work}/w.safetensors" ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
endmacro()
macro(build folder) # <more arguments>...
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/${folder}" ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
endmacro()

# Each is one error, which says what is wrong.
foreach(case IN ITEMS "v5|ISA takes levels of x86-64, v1 v2 v3 v4, not 'v5'" "avx2|not 'avx2'" "v3\;v3|ISA names v3 twice" "|usage is ahead_add_model.*ISA v2 v3 v4")
    string(REGEX MATCH "^([^|]*)[|](.*)$" case "${case}")
    set(pattern "${CMAKE_MATCH_2}")
    configure(refused "-DISA=${CMAKE_MATCH_1}")
    expect("ISA ${case}" "${result} ${text}" "^1 .*${pattern}")
endforeach()
configure(other -DISA=v3 -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CROSSCOMPILING_EMULATOR=/bin/false)
expect("another machine" "${result} ${text}" "^1 .*ISA names levels of x86-64, and this is built for aarch64: leave it out")
configure(tools -DISA=v3 -DCMAKE_OBJCOPY=)
expect("no objcopy" "${result} ${text}" "^1 .*ISA needs objcopy")
file(WRITE "${work}/compiler" "#!/bin/sh
for word; do [ \"$word\" != -print-prog-name=ld ] || exec echo false; done
exec '${COMPILER}' \"$@\"
")
file(CHMOD "${work}/compiler" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
configure(linker -DISA=v3 "-DCMAKE_CXX_COMPILER=${work}/compiler" -DCMAKE_LINKER=false)
expect("no linker that can" "${result} ${text}" "^1 .*ISA needs a linker that knows --force-group-allocation.* neither 'false'")

# A flag that lets a level use more than it has does not compile.
configure(beyond -DISA=v2 "-DCMAKE_CXX_FLAGS=${CXX_FLAGS} -O0 -mavx2")
expect("configuring" "${result} ${text}" "^0 ")
build(beyond --target consumer_mlp_units_v2)
expect("a flag beyond the level" "${result} ${text}" "^[1-9].*compiled with other flags than -march=x86-64-v2")

# What is built runs, and its parts are made again when the model changes.
configure(build "-DISA=v3\;v1")
expect("configuring" "${result} ${text}" "^0 ")
build(build)
expect("building" "${result} ${text}" "^0 ")
macro(run pattern)
    execute_process(COMMAND "${work}/build/consumer" OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    expect("the program" "${said}" "${pattern}")
endmacro()
run("^6\\.09")
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${work}/build" RESULT_VARIABLE result OUTPUT_VARIABLE text)
expect("the verifier" "${result} ${text}" "^0 .*model\\.consumer\\.mlp .* Passed")
file(READ "${work}/mlp.txt" model)
string(REPLACE "tanh" "neg" model "${model}")
file(WRITE "${work}/mlp.txt" "${model}")
build(build)
expect("another model" "${result} ${text}" "^0 .*Making one object of mlp for x86-64-v")
run("^-8")
build(build)
if(text MATCHES "Making one object|Building CXX|Linking")
    message(FATAL_ERROR "levels: what is as it was is made again:\n${text}")
endif()
