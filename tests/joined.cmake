# ahead_join_tests(<target> <name>=<file.cpp>...) adds an executable of several tests, in one translation unit: what all tests begin with takes the compiler
# longer than most of them. `<target> <name> <arguments>...` runs one of them.
#
# Each file stands in a namespace of its own, behind the headers of all of them, and is written as if it stood alone, but:
#   - what it adds to ahead stands in no namespace: a file with a line `template <> struct ahead::` or `namespace AHEAD_NAMESPACE` is not joined;
#   - a function of its own hides those of the same name that `using namespace` brings, but for what is found by its arguments;
#   - a macro ends with its file.

# Whether `file` cannot be joined with others.
function(ahead_stands_alone file out)
    file(STRINGS "${file}" lines REGEX "^template <> struct ahead::|^namespace AHEAD_NAMESPACE|^#include \"[^\"]*\\.fx\"|^#undef NDEBUG")
    set(${out} FALSE PARENT_SCOPE)
    if(lines)
        set(${out} TRUE PARENT_SCOPE)
    endif()
endfunction()

function(ahead_join_tests target)
    set(headers "")
    set(bodies "")
    set(rows "")
    foreach(test IN LISTS ARGN)
        string(REGEX MATCH "^([^=]+)=(.*)$" test "${test}")
        set(name "${CMAKE_MATCH_1}")
        set(file "${CMAKE_MATCH_2}")
        string(MAKE_C_IDENTIFIER "of_${name}" own)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
        cmake_path(GET file PARENT_PATH folder)
        file(READ "${file}" text)
        string(REGEX MATCHALL "\n#include (<[^>]+>|\"[^\"]+\\.hpp\")" lines "\n${text}")
        foreach(line IN LISTS lines)
            string(STRIP "${line}" line)
            string(REGEX REPLACE "#include .(.*)." "\\1" header "${line}")
            cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY "${folder}" NORMALIZE OUTPUT_VARIABLE beside)
            if(line MATCHES "\"" AND EXISTS "${beside}")
                set(line "#include \"${beside}\"")
            elseif(header MATCHES "\\.h$") # of one system
                set(line "#if __has_include(<${header}>)\n${line}\n#endif")
            endif()
            list(APPEND headers "${line}")
        endforeach()
        # What a file adds to a namespace of a header's stands in one within its own, which goes on with the header's.
        set(spaces "")
        string(REGEX MATCHALL "\nnamespace [a-z_]+ {" lines "\n${text}")
        list(REMOVE_DUPLICATES lines)
        foreach(line IN LISTS lines)
            string(REGEX REPLACE "\n(.*) {" "\\1" line "${line}")
            string(REPLACE "namespace " "" space "${line}")
            string(APPEND spaces "${line} {}\nnamespace ${own}::${space} { using namespace ::${space}; }\n")
        endforeach()
        set(macros "")
        string(REGEX MATCHALL "\n#define [A-Za-z_0-9]+" lines "\n${text}")
        foreach(line IN LISTS lines)
            string(REPLACE "#define" "#undef" line "${line}")
            string(APPEND macros "${line}")
        endforeach()
        string(APPEND bodies "${spaces}namespace ${own} {\n#include \"${file}\"\n}${macros}\n")
        string(APPEND rows "        {\"${name}\", [](int c, char** v) { return test::call(${own}::main, c, v); }},\n")
    endforeach()
    list(REMOVE_DUPLICATES headers)
    list(JOIN headers "\n" headers)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"@CMAKE_CURRENT_FUNCTION_LIST_DIR@/joined.hpp\"\n@headers@\n@bodies@
int main(int count, char** words) {
    static constexpr test::joined here[] = {\n@rows@    };
    return test::run_one(here, count, words);
}\n" @ONLY)
    add_executable(${target} "${source}")
endfunction()
