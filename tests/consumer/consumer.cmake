# cmake -DWAY=... -DSOURCE=... -DBUILD=... -DVERSION=... -DGENERATOR=... -DCOMPILER=... -DCXX_FLAGS=... -DEIGEN_DIR=... -P consumer.cmake
#
# Builds and runs the separate project tests/consumer/<WAY> in a fresh folder, and once more when the weights in it have become others. For WAY install,
# ahead is first installed into a fresh prefix; WAY refused is the project whose text ahead_add_graph must refuse, and whose weights ahead_add_weights.
cmake_minimum_required(VERSION 3.25)
set(work "${BUILD}/consumer/${WAY}")
file(REMOVE_RECURSE "${work}")

if(WAY STREQUAL "install")
    execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/prefix" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB_RECURSE sources RELATIVE "${SOURCE}/include" "${SOURCE}/include/*")
    foreach(file IN LISTS sources)
        if(NOT EXISTS "${work}/prefix/include/${file}")
            message(FATAL_ERROR "consumer: include/${file} was not installed")
        endif()
    endforeach()
    set(where "-DCMAKE_PREFIX_PATH=${work}/prefix")
else()
    set(where "-DAHEAD_SOURCE=${SOURCE}")
endif()
set(eigen "")
if(EIGEN_DIR)
    set(eigen "-DEigen3_DIR=${EIGEN_DIR}")
endif()

if(WAY STREQUAL "refused")
    execute_process(COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${SOURCE}/tests/consumer/refused" -B "${work}/build"
        "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DAHEAD_SOURCE=${SOURCE}"
        RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE text)
    if(result EQUAL 0 OR NOT text MATCHES "hostile\\.txt'[ \n]+contains[ \n]+\\)fx\"")
        message(FATAL_ERROR "consumer: ahead_add_graph must refuse a text that contains )fx\", but said\n${text}")
    endif()
    execute_process(COMMAND "${CMAKE_COMMAND}" -DEXTRA=ON "${work}/build" RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE text)
    if(result EQUAL 0 OR NOT text MATCHES "usage[ \n]+is[ \n]+ahead_add_graph")
        message(FATAL_ERROR "consumer: ahead_add_graph must refuse an argument that it does not know, but said\n${text}")
    endif()
    foreach(case IN ITEMS "NAME:must[ \n]+be[ \n]+a[ \n]+name" "FILE:there[ \n]+is[ \n]+no[ \n]+file" "TARGET:nothing[ \n]+of[ \n]+'nothing'")
        string(REGEX MATCH "^([A-Z]+):(.*)$" case "${case}")
        set(expected "${CMAKE_MATCH_2}")
        execute_process(COMMAND "${CMAKE_COMMAND}" -DEXTRA=OFF "-DWEIGHTS=${CMAKE_MATCH_1}" "${work}/build"
            RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE text)
        if(result EQUAL 0 OR NOT text MATCHES "${expected}")
            message(FATAL_ERROR "consumer: ahead_add_weights must refuse what it cannot do, but said\n${text}")
        endif()
    endforeach()
    return()
endif()

set(weights "${work}/weights of a model.safetensors")
configure_file("${SOURCE}/examples/02_digits/digits.safetensors" "${weights}" COPYONLY)
execute_process(COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${SOURCE}/tests/consumer/${WAY}" -B "${work}/build" "-DWEIGHTS=${weights}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}" "-DAHEAD_VERSION=${VERSION}" ${where} ${eigen}
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/build" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${work}/build/consumer" COMMAND_ERROR_IS_FATAL ANY)

if(NOT WAY STREQUAL "no_exceptions")
    file(APPEND "${weights}" "one more")
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/build" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${work}/build/consumer" RESULT_VARIABLE result OUTPUT_VARIABLE text)
    if(result EQUAL 0 OR NOT text MATCHES "file has trailing bytes")
        message(FATAL_ERROR "consumer: weights that have changed must be built in again, but the program said\n${text}")
    endif()
endif()
