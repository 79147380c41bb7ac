# ahead_add_graph(<target> <name> FILE <model.txt>)
#
# Makes the plain text of a graph, as PyTorch prints it, includable by <target>:
#
#     struct lenet { static constexpr char text[] =
#     #include "lenet.fx"
#     ; };
#
# Writes <build>/ahead_graphs/<target>/<name>.fx, the text as raw string literals, again whenever FILE changes. Long texts become several adjacent
# literals, cut at line ends, so that no single literal exceeds 15000 characters; the compiler joins them. Behind a 0, which ends the text, follows FILE's
# name: errors tell it.
function(ahead_add_graph target name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "FILE" "")
    if(NOT TARGET "${target}")
        message(FATAL_ERROR "ahead_add_graph: there is no target '${target}'; call add_executable or add_library first")
    endif()
    if(NOT DEFINED arg_FILE OR DEFINED arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "ahead_add_graph: usage is ahead_add_graph(<target> <name> FILE <model.txt>)")
    endif()
    cmake_path(ABSOLUTE_PATH arg_FILE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if(NOT EXISTS "${arg_FILE}")
        message(FATAL_ERROR "ahead_add_graph: there is no file '${arg_FILE}'")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${arg_FILE}")

    file(READ "${arg_FILE}" rest)
    string(FIND "${rest}" ")fx\"" terminator)
    if(NOT terminator EQUAL -1)
        message(FATAL_ERROR "ahead_add_graph: '${arg_FILE}' contains )fx\" which would end the C++ string literal; remove it from the text")
    endif()

    set(limit 15000)
    set(literals "")
    string(LENGTH "${rest}" left)
    while(left GREATER limit)
        string(SUBSTRING "${rest}" 0 ${limit} piece)
        string(FIND "${piece}" "\n" cut REVERSE)
        if(cut EQUAL -1)
            string(FIND "${piece}" " " cut REVERSE)
        endif()
        if(cut EQUAL -1)
            math(EXPR cut "${limit} - 1")
        endif()
        math(EXPR cut "${cut} + 1")
        string(SUBSTRING "${rest}" 0 ${cut} piece)
        string(SUBSTRING "${rest}" ${cut} -1 rest)
        string(APPEND literals "R\"fx(${piece})fx\"\n")
        string(LENGTH "${rest}" left)
    endwhile()
    cmake_path(GET arg_FILE FILENAME file)
    string(APPEND literals "R\"fx(${rest})fx\"\n\"\\0\" R\"fx(${file})fx\"\n")

    set(folder "${CMAKE_BINARY_DIR}/ahead_graphs/${target}")
    set(previous "")
    if(EXISTS "${folder}/${name}.fx")
        file(READ "${folder}/${name}.fx" previous)
    endif()
    if(NOT "${previous}" STREQUAL "${literals}")
        file(WRITE "${folder}/${name}.fx" "${literals}")
    endif()

    get_target_property(type "${target}" TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        target_include_directories("${target}" INTERFACE "${folder}")
    else()
        target_include_directories("${target}" PRIVATE "${folder}")
    endif()
endfunction()
