# What ahead_add_model(... ISA v2 v3 v4) does: the units of a model compiled once for each level of x86-64, and of each level's objects one object, of
# which the linker sees one symbol.
#
# A program may have one copy of an inline function, the standard library's or the model's own, and the linker takes any: one that is compiled for AVX-512
# where the rest of the program calls it, too. So a level's objects are linked into one (-r), which are no longer in groups that the linker drops, and all
# of their symbols but one become local to it (objcopy).

# The linker that makes one object of several: CMake's, or the compiler's, which need not be the same; empty where neither can.
function(ahead_model_linker out)
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-prog-name=ld OUTPUT_VARIABLE own OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(${out} "" PARENT_SCOPE)
    foreach(linker IN ITEMS "${CMAKE_LINKER}" "${own}")
        execute_process(COMMAND "${linker}" --help OUTPUT_VARIABLE help ERROR_QUIET)
        if(help MATCHES "--force-group-allocation")
            set(${out} "${linker}" PARENT_SCOPE)
            return()
        endif()
    endforeach()
endfunction()

# ISA v2 v3 of `by`: `levels`, their numbers; `options`, of the generator; ahead_linker. An error where this build cannot do it.
macro(ahead_model_levels by)
    set(levels "")
    foreach(set IN LISTS arg_ISA)
        if(NOT set MATCHES "^v([1-4])$")
            message(FATAL_ERROR "${by}: ISA takes levels of x86-64, v1 v2 v3 v4, not '${set}'")
        elseif(CMAKE_MATCH_1 IN_LIST levels)
            message(FATAL_ERROR "${by}: ISA names ${set} twice")
        endif()
        list(APPEND levels ${CMAKE_MATCH_1})
        list(APPEND options --level ${CMAKE_MATCH_1})
    endforeach()
    list(SORT levels)
    if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" OR NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
        message(FATAL_ERROR "${by}: ISA names levels of x86-64, and this is built for ${CMAKE_SYSTEM_PROCESSOR}: leave it out")
    elseif(NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$" OR NOT "${CMAKE_EXECUTABLE_FORMAT}" STREQUAL "ELF")
        message(FATAL_ERROR "${by}: ISA needs g++ or clang and objects of ELF, and here are ${CMAKE_CXX_COMPILER_ID} and '${CMAKE_EXECUTABLE_FORMAT}': leave it out")
    endif()
    ahead_model_linker(ahead_linker)
    if(NOT ahead_linker)
        message(FATAL_ERROR "${by}: ISA needs a linker that knows --force-group-allocation, as GNU ld does; neither '${CMAKE_LINKER}', CMAKE_LINKER, "
            "nor the compiler's own does")
    elseif(NOT CMAKE_OBJCOPY)
        message(FATAL_ERROR "${by}: ISA needs objcopy, of binutils or LLVM; set CMAKE_OBJCOPY")
    endif()
endmacro()

# Compiles `sources`, which the target `written` writes, as `objects`, an object library, is compiled, once for each level, and links them to whoever links `objects`.
# Of <folder>/<name>_x86_64_v<n>.cpp the symbol is ahead_<name>_x86_64_v<n>.
function(ahead_model_compile_levels objects written name folder levels sources)
    set(made "")
    foreach(level IN LISTS levels)
        set(set x86_64_v${level})
        set(library ${objects}_v${level})
        add_library(${library} OBJECT ${sources} "${folder}/${name}_${set}.cpp")
        target_link_libraries(${library} PRIVATE ahead::ahead)
        foreach(property IN ITEMS INCLUDE_DIRECTORIES COMPILE_OPTIONS COMPILE_DEFINITIONS POSITION_INDEPENDENT_CODE)
            get_target_property(value ${objects} ${property})
            if(NOT value MATCHES "-NOTFOUND$")
                set_property(TARGET ${library} PROPERTY ${property} "${value}")
            endif()
        endforeach()
        set(machine x86-64-v${level})
        if(level EQUAL 1)
            set(machine x86-64)
        endif()
        # Link-time optimisation would mix the levels; a symbol that is unique in a process is no object's own.
        set_target_properties(${library} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
        target_compile_options(${library} PRIVATE -march=${machine} -fno-lto $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
        set(whole "${folder}/${name}_${set}_whole.o")
        set(object "${folder}/${name}_${set}.o")
        add_custom_command(OUTPUT "${object}" BYPRODUCTS "${whole}" VERBATIM COMMAND_EXPAND_LISTS
            COMMAND "${ahead_linker}" -r --force-group-allocation -o "${whole}" $<TARGET_OBJECTS:${library}>
            COMMAND "${CMAKE_OBJCOPY}" --keep-global-symbol=ahead_${name}_${set} "${whole}" "${object}"
            DEPENDS ${library} $<TARGET_OBJECTS:${library}> COMMENT "Making one object of ${name} for x86-64-v${level}")
        add_dependencies(${library} ${written})
        list(APPEND made "${object}")
    endforeach()
    add_custom_target(${objects}_levels DEPENDS ${made})
    add_dependencies(${objects} ${objects}_levels)
    target_sources(${objects} INTERFACE ${made})
endfunction()
