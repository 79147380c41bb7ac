# cmake -DCOMPILER=... -DCOMPILER_ID=... -DFLAGS=... -DPRECOMPILED=<folder> -DFILE=... [-DSAID=<folder>] -P reject.cmake
#
# Checks one file that must not compile. FILE is ordinary C++ whose mistake stands under #ifdef REJECT, with lines
#     // expect: <regex>     a CMake regex that must match the diagnostic; at least one, and all of them
#     // fault: <name>       a fault that must be named in the diagnostic
# The law: FILE compiles, as together.cmake sees for most, and this script with -DALONE=1; with -DREJECT it does not; every expectation matches; the diagnostic has one error and at most 15 lines.
# Carets and colours are switched off and the file's own path is taken out, so that the three compilers are measured alike
# and an expectation can match neither the quoted source nor the name of the file.
#
# Where SAID/<file>.txt holds what the compiler said of FILE among others (together.cmake), and that keeps the law, FILE is not compiled again.
cmake_minimum_required(VERSION 3.25)
set(max_lines 15)
set(ENV{LC_ALL} C)

include("${CMAKE_CURRENT_LIST_DIR}/precompiled.cmake")
cmake_path(GET FILE STEM name)

# Takes out of a diagnostic what depends on where FILE lies and on how it is compiled.
macro(tidy text)
    string(REPLACE "${FILE}" "<source>" ${text} "${${text}}")
    string(REGEX REPLACE ",?\n? *(In file included)? *from [^\n]*/(umbrella|frontend)\\.hpp:[0-9]" "" ${text} "${${text}}") # that a header was read before is no news
    string(REGEX REPLACE "[0-9]+ (error|warning)s?( and [0-9]+ errors?)? generated\\.\n" "" ${text} "${${text}}")
endmacro()

# Compiles FILE with `ARGN`; sets `out` to the diagnostic and `failed` to whether the compiler refused.
function(compile out failed)
    separate_arguments(flags UNIX_COMMAND "${FLAGS}")
    execute_process(COMMAND "${COMPILER}" ${flags} ${plain} ${precompiled} -fsyntax-only ${ARGN} "${FILE}"
        RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    tidy(text)
    set(${out} "${text}" PARENT_SCOPE)
    if(result EQUAL 0)
        set(${failed} FALSE PARENT_SCOPE)
    else()
        set(${failed} TRUE PARENT_SCOPE)
    endif()
endfunction()

# Counts the lines of `text` that match `regex`. Brackets and semicolons would join or split the elements of a CMake list.
function(count_lines text regex out)
    string(REGEX REPLACE "[][;]" "." text "${text}")
    string(REGEX MATCHALL "[^\n]+" lines "${text}")
    list(FILTER lines INCLUDE REGEX "${regex}")
    list(LENGTH lines count)
    set(${out} ${count} PARENT_SCOPE)
endfunction()

# Collects what follows `// <word>: ` on the lines of FILE.
function(annotations word out)
    file(READ "${FILE}" rest)
    set(found "")
    while("\n${rest}" MATCHES "\n *// ${word}: *([^\n]+)")
        set(value "${CMAKE_MATCH_1}")
        string(FIND "\n${rest}" "${CMAKE_MATCH_0}" at)
        string(LENGTH "${CMAKE_MATCH_0}" length)
        math(EXPR at "${at} + ${length} - 1")
        string(SUBSTRING "${rest}" ${at} -1 rest)
        math(EXPR count "${count} + 1")
        set(${out}_${count} "${value}" PARENT_SCOPE)
    endwhile()
    set(${out} "${count}" PARENT_SCOPE)
endfunction()

annotations(expect expected)
annotations(fault fault)
if(NOT expected)
    message(FATAL_ERROR "reject: no '// expect: <regex>' line in ${FILE}")
endif()

if(ALONE)
    compile(text failed)
    if(failed)
        message(FATAL_ERROR "reject: does not compile even without -DREJECT: ${FILE}\n${text}")
    endif()
endif()

# Sets `complaints` to what is not as it must be of `text`.
macro(judge)
    set(complaints "")
    if(text MATCHES "internal compiler error|PLEASE submit a bug report|No such file|file not found")
        set(complaints "reject: the compiler stumbled instead of refusing\n")
    endif()
    foreach(n RANGE 1 ${expected})
        if(NOT text MATCHES "${expected_${n}}")
            string(APPEND complaints "reject: nothing matches the expected '${expected_${n}}'\n")
        endif()
    endforeach()
    if(fault)
        foreach(n RANGE 1 ${fault})
            if(NOT text MATCHES "${fault_${n}}")
                string(APPEND complaints "reject: the diagnostic does not name the fault '${fault_${n}}'\n")
            endif()
        endforeach()
    endif()
    count_lines("${text}" "error:" errors)
    if(NOT errors EQUAL 1)
        string(APPEND complaints "reject: ${errors} errors for one mistake\n")
    endif()
    count_lines("${text}" "." lines)
    if(lines GREATER max_lines)
        string(APPEND complaints "reject: the diagnostic is too long, ${lines} lines of at most ${max_lines}\n")
    endif()
endmacro()

set(complaints "not compiled yet")
if(SAID AND EXISTS "${SAID}/${name}.txt")
    file(READ "${SAID}/${name}.txt" text)
    tidy(text)
    judge()
endif()
if(complaints)
    compile(text failed -DREJECT)
    if(NOT failed)
        message(FATAL_ERROR "reject: compiles although REJECT is defined: ${FILE}\n${text}")
    endif()
    judge()
endif()
if(complaints)
    message(FATAL_ERROR "${complaints}in ${FILE}\n${text}")
endif()
message("${text}")
