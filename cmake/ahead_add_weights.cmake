# ahead_add_weights(<target> <name> FILE <net.safetensors>)
#
# Puts the file into the program of <target>, an executable or a library that is compiled, and lets it see the bytes:
#
#     #include "<name>.hpp"
#     auto weights = ahead::view_safetensors(<name>());     // copies nothing; <name>() is a span of bytes, in the program as long as it runs
#
# The assembler takes the file as it is (.incbin): no byte of it passes through the compiler. A change of the file builds its object again. One <name>
# is of one file in a program. What is beyond 2 GB the linker refuses; map such a file.

# Writes a source of <target>'s that puts <file> into its program, as it is and by the assembler, from <symbol> to <symbol>_end, at a multiple of
# <alignment>, and that is built again whenever the file changes. `by`: the function of the user's.
function(ahead_embed by file symbol alignment source target)
    if("${file}" MATCHES "[\"\\\n]")
        message(FATAL_ERROR "${by}: the assembler cannot be told a path with quotes or backslashes: '${file}'")
    endif()
    set(ahead_embed_by "${by}")
    set(ahead_embed_file "${file}")
    set(ahead_embed_symbol "${symbol}")
    set(ahead_embed_alignment "${alignment}")
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ahead_embed.cpp.in" "${source}" @ONLY)
    # Link-time optimisation does not see symbols of the assembler.
    set_source_files_properties("${source}" TARGET_DIRECTORY "${target}" PROPERTIES
        OBJECT_DEPENDS "${file}" COMPILE_OPTIONS -fno-lto SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

function(ahead_add_weights target name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "FILE" "")
    if(NOT TARGET "${target}")
        message(FATAL_ERROR "ahead_add_weights: there is no target '${target}'; call add_executable or add_library first")
    endif()
    if(NOT DEFINED arg_FILE OR DEFINED arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "ahead_add_weights: usage is ahead_add_weights(<target> <name> FILE <net.safetensors>)")
    endif()
    if(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
        message(FATAL_ERROR "ahead_add_weights: '${name}' becomes a function and must be a name in C++")
    endif()
    get_target_property(type "${target}" TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        message(FATAL_ERROR "ahead_add_weights: nothing of '${target}' is compiled; give a target that is")
    endif()
    cmake_path(ABSOLUTE_PATH arg_FILE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if(NOT EXISTS "${arg_FILE}")
        message(FATAL_ERROR "ahead_add_weights: there is no file '${arg_FILE}'")
    endif()
    set(folder "${CMAKE_BINARY_DIR}/ahead_weights/${target}")
    file(CONFIGURE OUTPUT "${folder}/${name}.hpp" @ONLY CONTENT [[
// Made by ahead_add_weights of @arg_FILE@
#pragma once
#include <cstddef>
#include <span>

extern "C" {
extern const std::byte ahead_weights_@name@[] asm("ahead_weights_@name@"); // under this very name on all systems
extern const std::byte ahead_weights_@name@_end[] asm("ahead_weights_@name@_end");
}

/// The whole file, as it lies in this program: at a multiple of 64.
inline std::span<const std::byte> @name@() { return {ahead_weights_@name@, ahead_weights_@name@_end}; }
]])
    ahead_embed(ahead_add_weights "${arg_FILE}" ahead_weights_${name} 64 "${folder}/${name}.cpp" "${target}")
    target_sources("${target}" PRIVATE "${folder}/${name}.cpp")
    target_include_directories("${target}" PRIVATE "${folder}")
endfunction()
