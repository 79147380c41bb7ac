# cmake -DPROGRAM=<program> -DNM=... -DOBJDUMP=... -DLEVELS=<objects> -P instruction_sets.cmake
#
# LEVELS, the objects that ahead_add_model makes of a model for levels of x86-64, and PROGRAM, which they are linked into. Of each object the linker sees one
# symbol; the functions of the program that have an instruction beyond x86-64 are no more than these bring; and none of them can be called by its name.
cmake_minimum_required(VERSION 3.25)
set(complaints "")
set(beyond ":[ \t]+(v[a-z0-9]+|andn|bextr|blsi|blsr|blsmsk|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx|lzcnt|movbe)( |$)|%[xyz]mm(1[6-9]|2[0-9]|3[01])")
# Functions with such instructions: "own <address> <name>:" of those that are local symbols, "seen ..." of all others.
function(list_beyond out file)
    set(symbols "${PROGRAM}.symbols")
    execute_process(COMMAND "${NM}" --defined-only "${file}" OUTPUT_FILE "${symbols}" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${OBJDUMP}" -d --no-show-raw-insn "${file}"
        COMMAND awk "FNR == NR { if ($2 == \"t\") own[$1 \" <\" $3 \">:\"] = 1; next }
            /^[0-9a-f]+ <.*>:$/ { name = $0; next }
            name != \"\" && /${beyond}/ { print (name in own ? \"own \" : \"seen \") name; name = \"\" }" "${symbols}" -
        OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^\n]+" lines "${text}")
    set(${out} "${lines}" PARENT_SCOPE)
endfunction()

set(seen 0)
foreach(object IN LISTS LEVELS)
    cmake_path(GET object STEM name)
    execute_process(COMMAND "${NM}" --defined-only "${object}" COMMAND awk "$2 ~ /[A-Zuvwi]/ { print $2, $3 }" OUTPUT_VARIABLE symbols
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    if(NOT symbols MATCHES "^[DR] ahead_${name}$")
        string(APPEND complaints "  - ${name}: the linker sees ${symbols}\n")
    endif()
    list_beyond(functions "${object}")
    list(LENGTH functions count)
    message(STATUS "${name}: ${count} functions with instructions beyond x86-64")
    if(name MATCHES "v[34]$")
        math(EXPR seen "${seen} + ${count}")
    elseif(count GREATER 0)
        string(APPEND complaints "  - ${name}: ${functions}\n")
    endif()
endforeach()
if(seen EQUAL 0)
    string(APPEND complaints "  - no instruction beyond x86-64 anywhere: this test sees nothing\n")
endif()

list_beyond(functions "${PROGRAM}")
list(LENGTH functions count)
message(STATUS "the program: ${count} functions with instructions beyond x86-64, of ${seen}")
if(count EQUAL 0 OR count GREATER seen)
    string(APPEND complaints "  - in the program are ${count} functions with instructions beyond x86-64, and in its levels ${seen}\n")
endif()
list(FILTER functions EXCLUDE REGEX "^own ")
foreach(function IN LISTS functions)
    string(APPEND complaints "  - in the program, for all to call: ${function}\n")
endforeach()
if(NOT complaints STREQUAL "")
    message(FATAL_ERROR "instruction_sets: what is compiled for one level is seen by others\n${complaints}")
endif()
