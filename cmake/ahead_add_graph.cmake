# ahead_add_graph(<target> <name> FILE <model.txt> [CHOICES <model.choices>])
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
#   CHOICES     which kernels were measured to be the fastest (ahead_add_model, whose ahead_tune writes such a file): <name>_choices.fx, the same of its text, for
#                   inline constexpr ahead::config tuned{.choices =
#                   #include "lenet_choices.fx"
#                   };
#                   using tools = ahead::toolchain<>::with_options<tuned>;
#               Where there is no such file yet, it is empty: all kernels go by rule.

# Writes the text of a file, as literals, to `to`, unless it says so.
function(ahead_graph_literals from to)
    file(READ "${from}" rest)
    string(FIND "${rest}" ")fx\"" terminator)
    if(NOT terminator EQUAL -1)
        message(FATAL_ERROR "ahead_add_graph: '${from}' contains )fx\" which would end the C++ string literal; remove it from the text")
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
    cmake_path(GET from FILENAME file)
    string(APPEND literals "R\"fx(${rest})fx\"\n\"\\0\" R\"fx(${file})fx\"\n")
    set(previous "")
    if(EXISTS "${to}")
        file(READ "${to}" previous)
    endif()
    if(NOT "${previous}" STREQUAL "${literals}")
        file(WRITE "${to}" "${literals}")
    endif()
endfunction()

# The build is configured again where a choice file changes or goes, and when ahead_tune has written one that was not there, and touched its mark.
function(ahead_watch_choices choices)
    set(mark "${CMAKE_BINARY_DIR}/ahead_models/tuned")
    if(NOT EXISTS "${mark}")
        file(WRITE "${mark}" "")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${mark}")
    if(EXISTS "${choices}")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${choices}")
    endif()
endfunction()

function(ahead_add_graph target name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "FILE;CHOICES" "")
    if(NOT TARGET "${target}")
        message(FATAL_ERROR "ahead_add_graph: there is no target '${target}'; call add_executable or add_library first")
    endif()
    if(NOT DEFINED arg_FILE OR DEFINED arg_UNPARSED_ARGUMENTS OR DEFINED arg_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "ahead_add_graph: usage is ahead_add_graph(<target> <name> FILE <model.txt> [CHOICES <model.choices>])")
    endif()
    cmake_path(ABSOLUTE_PATH arg_FILE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if(NOT EXISTS "${arg_FILE}")
        message(FATAL_ERROR "ahead_add_graph: there is no file '${arg_FILE}'")
    endif()
    set(folder "${CMAKE_BINARY_DIR}/ahead_graphs/${target}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${arg_FILE}")
    ahead_graph_literals("${arg_FILE}" "${folder}/${name}.fx")
    if(DEFINED arg_CHOICES)
        cmake_path(ABSOLUTE_PATH arg_CHOICES BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
        set(none "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ahead_no_choices.txt")
        if(EXISTS "${arg_CHOICES}")
            set(none "${arg_CHOICES}")
        endif()
        ahead_watch_choices("${arg_CHOICES}")
        ahead_graph_literals("${none}" "${folder}/${name}_choices.fx")
    endif()

    get_target_property(type "${target}" TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        target_include_directories("${target}" INTERFACE "${folder}")
    else()
        target_include_directories("${target}" PRIVATE "${folder}")
    endif()
endfunction()
