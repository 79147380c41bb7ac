# ahead_add_model(<target> <name> FILE <model.txt> [INPUTS <rows>] [SIZES <s0=4>...] [WEIGHTS <w.safetensors>] [UNITS <n>]
#                 [ISA v2 v3 v4] [CHOICES <model.choices>] [TOOLCHAIN <header> <type> [<registry>]] [VERIFY test|compile|none])
#
# Plans a graph, which PyTorch printed or saved as a .pt2 archive, or a pbtxt has, while the project is built, and puts its program, as C++ that a person can read, into <target>:
#
#     #include "<name>.hpp"           // what it takes, gives and needs, and run(): standard C++ alone
#     #include "<name>_program.hpp"   // <name>::program, which stands wherever ahead::compiled<net> does: prepare, session, launch, ...
#     #include "<name>_graphs.hpp"    // <name>::described_program, the same for reports and comparisons with the reference
#
# The sources lie in <build>/ahead_models/<target>/; one that would be as it was stays untouched, so that a changed graph compiles only what differs.
#   INPUTS      a file of rows of inputs[], as they would stand in C++: what the text does not say of its placeholders
#   SIZES       what the symbols of a text's sizes stand for, f32[s0, 16]; s1=host: a number that is given at each run
#   WEIGHTS     prepared while building, too, and part of the program: `#include "<name>_weights.hpp"`, <name>::constants(). Other weights are
#               prepared and linked again, and nothing is compiled. The program that prepares them is one of the target's: a cross build needs
#               CMAKE_CROSSCOMPILING_EMULATOR.
#   UNITS       how many sources the tasks of a run are spread over, to be compiled side by side; 1 unless it is said
#   ISA         levels of x86-64, v1 to v4: the units are compiled once for each, and the highest that the processor has runs, found out once, before the
#               first task. The list is exact: a processor that has none of them is refused (processor_is_too_old; v1 is any x86-64). Plan, weights and all
#               headers are one for all levels; <name>.hpp says chosen(), has() and use(). WEIGHTS are prepared by the lowest. All else of <target> is
#               compiled as ever, and none of it is a level's: of these objects the linker sees one symbol each. What a toolchain of your own keeps in
#               inline variables each level has for itself. Needs g++ or clang, GNU ld and objcopy.
#   CHOICES     which kernels were measured to be the fastest, a file that stands beside the model. The target ahead_tune measures those of all models that
#               say CHOICES, <target>_<name>_tune those of this one, for as long as AHEAD_TUNE_SECONDS a key, on this machine and with <target>'s flags (with ISA
#               with those of the highest level, which it must have), and writes it; the next build plans with it. Where it is not there, or lacks a key of
#               the graph, or names one that the graph has no more, kernels go by rule, and the build says so. With CMAKE_CROSSCOMPILING_EMULATOR, it is
#               the emulator that is measured.
#   TOOLCHAIN   a header of your own, the toolchain in it, and the registry that texts are read by, where it is not ATen's
#   VERIFY      what the verifier says of what lies in the sources: a test of CTest's, model.<target>.<name>, or, with `compile`, an error where it is
#               refused, or none
# The generator is compiled once for each toolchain; AHEAD_GENERATOR names a ready one for ahead's own. In a cross build AHEAD_HOST_CXX compiles it.
include("${CMAKE_CURRENT_LIST_DIR}/ahead_model_levels.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/ahead_model_choices.cmake")
set(AHEAD_GENERATOR "" CACHE FILEPATH "A ready ahead-generate for ahead's own toolchain; where it is empty, one is built")

# The generator of a toolchain: `out` is what a command calls, `dependency` what it depends on.
function(ahead_model_generator header tools registry out dependency)
    if(header STREQUAL "" AND AHEAD_GENERATOR)
        set(${out} "${AHEAD_GENERATOR}" PARENT_SCOPE)
        set(${dependency} "${AHEAD_GENERATOR}" PARENT_SCOPE)
        return()
    endif()
    set(ahead_include "")
    set(ahead_tools "ahead::toolchain<>")
    set(ahead_registry "ahead::aten::registry")
    set(generator ahead_generate)
    if(NOT header STREQUAL "")
        set(ahead_include "#include \"${header}\"\n")
        set(ahead_tools "${tools}")
        set(ahead_registry "${registry}")
        string(SHA1 hash "${header} ${tools} ${registry}")
        string(SUBSTRING "${hash}" 0 8 hash)
        string(APPEND generator "_${hash}")
    endif()
    set(source "${CMAKE_BINARY_DIR}/ahead_models/${generator}.cpp")
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ahead_generate.cpp.in" "${source}" @ONLY)
    if(CMAKE_CROSSCOMPILING)
        find_program(AHEAD_HOST_CXX NAMES c++ g++ clang++ NO_CMAKE_FIND_ROOT_PATH DOC "A compiler of C++20 for this machine")
        if(NOT AHEAD_HOST_CXX)
            message(FATAL_ERROR "ahead_add_model: a cross build needs a compiler for this machine (AHEAD_HOST_CXX) or a ready generator (AHEAD_GENERATOR)")
        endif()
        set(program "${CMAKE_BINARY_DIR}/ahead_models/${generator}")
        if(NOT TARGET ${generator}_for_host)
            # Neither the compiler's flags nor its paths are the target's. Made again whenever a header of ahead's or of the toolchain's changes.
            add_custom_command(OUTPUT "${program}" VERBATIM COMMAND_EXPAND_LISTS
                COMMAND "${AHEAD_HOST_CXX}" -std=c++20 -Og -pthread "-I$<JOIN:$<TARGET_PROPERTY:ahead::ahead,INTERFACE_INCLUDE_DIRECTORIES>,;-I>"
                    "-isystem;$<JOIN:$<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>,;-isystem;>"
                    -MD -MF "${program}.d" -MT "${program}" "${source}" -o "${program}"
                DEPENDS "${source}" DEPFILE "${program}.d" COMMENT "Compiling ahead-generate for this machine")
            add_custom_target(${generator}_for_host DEPENDS "${program}")
        endif()
        set(${out} "${program}" PARENT_SCOPE)
        set(${dependency} ${generator}_for_host "${program}" PARENT_SCOPE)
        return()
    endif()
    if(NOT TARGET ${generator})
        add_executable(${generator} EXCLUDE_FROM_ALL "${source}")
        target_link_libraries(${generator} PRIVATE ahead::ahead)
        # Compiles in a third of the time of -O2, and runs for milliseconds. Of g++ in a tenth less without what finds little in it, and without collecting
        # garbage, which takes 1.1 GiB of memory instead of 0.8.
        target_compile_options(${generator} PRIVATE -Og "$<$<CXX_COMPILER_ID:GNU>:-fno-move-loop-invariants;-fno-tree-fre;-fno-tree-ccp;-fno-forward-propagate>"
            "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-expand=400>" "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=524288>")
    endif()
    set(${out} ${generator} PARENT_SCOPE)
    set(${dependency} ${generator} PARENT_SCOPE)
endfunction()

# A file that the user names, as an absolute path; an error where it is not there.
macro(ahead_model_file by out given)
    set(${out} "${given}")
    cmake_path(ABSOLUTE_PATH ${out} BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if(NOT EXISTS "${${out}}")
        message(FATAL_ERROR "${by}: there is no file '${${out}}'")
    endif()
endmacro()

# What arg_FILE, arg_INPUTS, arg_SIZES, arg_UNITS, arg_TOOLCHAIN and arg_WEIGHTS of `name` are: file, rows, header, tools, registry, weights; options, of the
# generator; read, the files that it reads; ends, of the sources that it writes. header_file: a header of the user's. `by`: the function of the user's.
macro(ahead_model_arguments by)
    if(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
        message(FATAL_ERROR "${by}: '${name}' becomes a namespace and must be a name in C++")
    endif()
    if(NOT DEFINED arg_UNITS)
        set(arg_UNITS 1)
    elseif(NOT arg_UNITS MATCHES "^[1-9][0-9]*$")
        message(FATAL_ERROR "${by}: UNITS is a number from 1 on, not '${arg_UNITS}'")
    endif()
    ahead_model_file(${by} file "${arg_FILE}")
    set(options --name "${name}" --units ${arg_UNITS})
    foreach(size IN LISTS arg_SIZES)
        if(NOT size MATCHES "^[A-Za-z_][A-Za-z0-9_]*=([0-9]+|host)$")
            message(FATAL_ERROR "${by}: SIZES are symbols and numbers, s0=4, or host parameters, s1=host, not '${size}'")
        endif()
        list(APPEND options --size "${size}")
    endforeach()
    set(levels "") # of ISA
    set(ends _interface.cpp _prepare.cpp)
    math(EXPR last "${arg_UNITS} - 1")
    foreach(unit RANGE ${last})
        list(APPEND ends _${unit}.cpp)
    endforeach()
    set(read "${file}")
    if(DEFINED arg_INPUTS)
        ahead_model_file(${by} rows "${arg_INPUTS}")
        list(APPEND options --inputs "${rows}")
        list(APPEND read "${rows}")
    endif()
    set(header "")
    set(header_file "")
    set(tools "")
    set(registry "")
    if(DEFINED arg_TOOLCHAIN)
        list(LENGTH arg_TOOLCHAIN count)
        if(count LESS 2 OR count GREATER 3)
            message(FATAL_ERROR "${by}: TOOLCHAIN takes a header, a type in it, and the registry of texts where it is not ahead::aten::registry")
        endif()
        list(APPEND arg_TOOLCHAIN ahead::aten::registry)
        list(GET arg_TOOLCHAIN 0 header)
        list(GET arg_TOOLCHAIN 1 tools)
        list(GET arg_TOOLCHAIN 2 registry)
        cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE there)
        if(EXISTS "${there}")
            set(header "${there}")
            set(header_file "${there}") # else it is one of the include path's, such as ahead/torch_npu.hpp
        endif()
    endif()
    if(DEFINED arg_WEIGHTS)
        ahead_model_file(${by} weights "${arg_WEIGHTS}")
        if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
            message(FATAL_ERROR "${by}: WEIGHTS of '${name}' are prepared by a program of the target's, which this machine does not run: set "
                "CMAKE_CROSSCOMPILING_EMULATOR, or leave WEIGHTS out and prepare them at start")
        endif()
    endif()
endmacro()

# Plans `name` into `folder` with what the macro above found, by a command whose output is `written`, between the commands `before` and `after`. Sets units,
# the sources that are compiled, and others.
macro(ahead_model_written written folder before after)
    list(TRANSFORM ends PREPEND "${folder}/${name}" OUTPUT_VARIABLE units)
    set(others .hpp _tasks.hpp _program.hpp _graphs.hpp _manifest.hpp _verify.cpp)
    foreach(level IN LISTS levels)
        list(APPEND others _sets.hpp _x86_64_v${level}.cpp)
    endforeach()
    list(REMOVE_DUPLICATES others)
    list(TRANSFORM others PREPEND "${folder}/${name}")
    ahead_model_generator("${header}" "${tools}" "${registry}" generator dependency)
    add_custom_command(OUTPUT "${written}" BYPRODUCTS ${units} ${others} VERBATIM
        ${before}
        COMMAND ${generator} ${options} --out "${folder}" "${file}"
        ${after}
        COMMAND "${CMAKE_COMMAND}" -E touch "${written}"
        DEPENDS ${dependency} ${read} COMMENT "Planning ${name}")
endmacro()

function(ahead_add_model target name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "FILE;INPUTS;WEIGHTS;UNITS;CHOICES;VERIFY;JUDGE" "SIZES;ISA;TOOLCHAIN")
    if(DEFINED arg_JUDGE)
        message(DEPRECATION "ahead_add_model: JUDGE is called VERIFY")
        set(arg_VERIFY "${arg_JUDGE}")
    endif()
    if(NOT TARGET "${target}")
        message(FATAL_ERROR "ahead_add_model: there is no target '${target}'; call add_executable or add_library first")
    endif()
    if(NOT DEFINED arg_FILE OR DEFINED arg_UNPARSED_ARGUMENTS OR DEFINED arg_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "ahead_add_model: usage is ahead_add_model(<target> <name> FILE <model.txt> [INPUTS <rows>] [SIZES <s0=4>...] [WEIGHTS <w.safetensors>] [UNITS <n>] "
            "[ISA v2 v3 v4] [CHOICES <model.choices>] [TOOLCHAIN <header> <type> [<registry>]] [VERIFY test|compile|none])")
    endif()
    get_target_property(type "${target}" TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        message(FATAL_ERROR "ahead_add_model: nothing of '${target}' is compiled; give a target that is")
    endif()
    if(NOT DEFINED arg_VERIFY)
        set(arg_VERIFY test)
    elseif(NOT arg_VERIFY MATCHES "^(test|compile|none)$")
        message(FATAL_ERROR "ahead_add_model: VERIFY is test, compile or none, not '${arg_VERIFY}'")
    endif()
    ahead_model_arguments(ahead_add_model)
    if(arg_VERIFY STREQUAL "compile")
        list(APPEND options --verify-while-compiling)
    endif()

    if(DEFINED arg_ISA)
        ahead_model_levels(ahead_add_model)
    endif()

    # The sources.
    set(folder "${CMAKE_BINARY_DIR}/ahead_models/${target}")
    if(NOT header STREQUAL "")
        list(APPEND options --toolchain "${header}" "${tools}" "${registry}")
    endif()
    set(plain_options ${options})
    set(plain_read ${read})
    if(DEFINED arg_CHOICES)
        ahead_model_choices(ahead_add_model)
    endif()
    set(written "${folder}/${name}.written")
    ahead_model_written("${written}" "${folder}" "" "")
    set(objects ${target}_${name}_units)
    add_custom_target(${target}_${name}_sources DEPENDS "${written}")

    # Compiled once, as <target> is, for it and for the programs below; with ISA the tasks are, once for each level.
    set(tasks ${units})
    if(DEFINED arg_ISA)
        list(FILTER units INCLUDE REGEX "_interface\\.cpp$")
        list(REMOVE_ITEM tasks ${units})
    endif()
    add_library(${objects} OBJECT ${units})
    add_dependencies(${objects} ${target}_${name}_sources)
    target_link_libraries(${objects} PUBLIC ahead::ahead)
    target_include_directories(${objects} PUBLIC "${folder}" PRIVATE "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
    target_compile_options(${objects} PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")
    target_compile_definitions(${objects} PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    get_target_property(is_independent ${target} POSITION_INDEPENDENT_CODE)
    if(is_independent OR type MATCHES "^(SHARED|MODULE)_LIBRARY$")
        set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
    if(DEFINED arg_ISA)
        ahead_model_compile_levels(${objects} ${target}_${name}_sources ${name} "${folder}" "${levels}" "${tasks}")
    endif()
    target_link_libraries(${target} PRIVATE ${objects})

    if(DEFINED arg_CHOICES)
        ahead_model_tuned(${target} ${name} "${folder}" "${choices}" "${file}" ${arg_UNITS} "${levels}" "${generator}" "${dependency}" "${plain_options}" "${plain_read}")
    endif()
    if(NOT arg_VERIFY STREQUAL "none")
        add_executable(${target}_${name}_verify "${folder}/${name}_verify.cpp")
        target_link_libraries(${target}_${name}_verify PRIVATE ${objects})
        target_include_directories(${target}_${name}_verify PRIVATE "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
        target_compile_options(${target}_${name}_verify PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>" -O0)
        add_test(NAME model.${target}.${name} COMMAND ${target}_${name}_verify)
        set_tests_properties(model.${target}.${name} PROPERTIES LABELS model)
    endif()
    if(DEFINED arg_WEIGHTS)
        set(constants "${folder}/${name}.constants")
        set(ahead_prepares_by "")
        if(DEFINED arg_ISA)
            list(GET levels 0 level)
            set(ahead_prepares_by "if (!${name}::use(${name}::instruction_set{${level}}))
        return std::fputs(\"this machine lacks x86-64-v${level}, whose tasks prepare the weights\\n\", stderr), 1;")
        endif()
        ahead_model_prepared(${target}_${name}_pack ${name} "${weights}" "${folder}" "${constants}" ${objects})
        target_include_directories(${target}_${name}_pack PRIVATE "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
        target_compile_options(${target}_${name}_pack PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>" -O0) # what it calls is in the units
        ahead_model_weights_header(${name} "${folder}")
        add_library(${target}_${name}_weights OBJECT "${folder}/${name}_constants.cpp" "${constants}")
        ahead_embed(ahead_add_model "${constants}" ahead_constants_${name} 4096 "${folder}/${name}_constants.cpp" ${target}_${name}_weights)
        target_link_libraries(${target} PRIVATE ${target}_${name}_weights)
    endif()
endfunction()

# Prepares the weights of a model while building: a command whose output is `constants`, and `pack`, the program that it calls, whose flags are the caller's.
function(ahead_model_prepared pack name weights folder constants objects)
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ahead_pack.cpp.in" "${folder}/${name}_pack.cpp" @ONLY)
    add_executable(${pack} EXCLUDE_FROM_ALL "${folder}/${name}_pack.cpp")
    target_link_libraries(${pack} PRIVATE ${objects})
    add_custom_command(OUTPUT "${constants}" VERBATIM COMMAND ${pack} "${weights}" "${constants}" DEPENDS ${pack} "${weights}"
        COMMENT "Preparing the weights of ${name}")
endfunction()

# How a program sees them.
function(ahead_model_weights_header name folder)
    file(CONFIGURE OUTPUT "${folder}/${name}_weights.hpp" @ONLY CONTENT [[
// The prepared weights of @name@, part of the program. Made by ahead_add_model or ahead_export_model
#pragma once
#include <cstddef>

extern "C" {
extern const std::byte ahead_constants_@name@[] asm("ahead_constants_@name@"); // under this very name on all systems
}
namespace @name@ {
/// constant_bytes of them, at a multiple of `alignment`: what run() and, of ahead, prepared_weights<program>::see() read.
inline const std::byte* constants() { return ahead_constants_@name@; }
} // namespace @name@
]])
endfunction()
