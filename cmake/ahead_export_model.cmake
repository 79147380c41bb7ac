# ahead_export_model(<name> FILE <model.txt> DESTINATION <folder> [INPUTS <rows>] [SIZES <s0=4>...] [WEIGHTS <w.safetensors>] [UNITS <n>]
#                    [CHOICES <model.choices>] [TOOLCHAIN <header> <type> [<registry>]])
#
# Plans a graph as ahead_add_model does, into a folder that is a project of its own, for an installed ahead and nothing else, no generator among it:
#
#     add_subdirectory(<folder> <name>)             # or the folder alone
#     target_link_libraries(app PRIVATE <name>)     # "<name>.hpp", "<name>_program.hpp", "<name>_graphs.hpp"; "<name>_weights.hpp" of WEIGHTS
#
# Written while building (target <name>_export), again when a file that is read changes. The printed graph lies beside its sources, and so do INPUTS and the header of
# TOOLCHAIN, which includes nothing of yours. <name>_manifest.hpp says which ahead wrote them, with which options and for which device: another ahead is an
# error of CMake's or the compiler's, another device or other options, of the toolchain, one of the compiler's. WEIGHTS are prepared here, for this build's target.
# A relative folder lies in the build folder. Its CMakeLists.txt is written last: where it stands, the folder is whole.
function(ahead_export_model name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILE;INPUTS;WEIGHTS;UNITS;CHOICES;DESTINATION" "SIZES;TOOLCHAIN")
    if(NOT DEFINED arg_FILE OR NOT DEFINED arg_DESTINATION OR DEFINED arg_UNPARSED_ARGUMENTS OR DEFINED arg_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "ahead_export_model: usage is ahead_export_model(<name> FILE <model.txt> DESTINATION <folder> [INPUTS <rows>] "
            "[SIZES <s0=4>...] [WEIGHTS <w.safetensors>] [UNITS <n>] [CHOICES <model.choices>] "
            "[TOOLCHAIN <header> <type> [<registry>]])")
    endif()
    ahead_model_arguments(ahead_export_model)
    cmake_path(ABSOLUTE_PATH arg_DESTINATION BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE OUTPUT_VARIABLE folder)
    set(beside ${read} ${header_file})
    if(NOT header STREQUAL "")
        set(shown "${header}")
        if(NOT header_file STREQUAL "")
            cmake_path(GET header_file FILENAME shown)
        endif()
        list(APPEND options --toolchain "${shown}" "${tools}" "${registry}")
    endif()
    if(DEFINED arg_CHOICES)
        ahead_model_choices(ahead_export_model)
    endif()
    cmake_path(GET file FILENAME text)
    set(lists "${folder}/CMakeLists.txt")
    if("${folder}/${text}" STREQUAL file)
        message(FATAL_ERROR "ahead_export_model: '${folder}' is a folder of its own, not that of '${file}'")
    endif()
    set(first COMMAND "${CMAKE_COMMAND}" -E rm -f "${lists}")
    set(copies "")
    foreach(each IN LISTS beside)
        list(APPEND copies COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${each}" "${folder}")
    endforeach()
    ahead_model_written("${folder}/${text}" "${folder}" "${first}" "${copies}")
    foreach(each IN LISTS beside)
        cmake_path(GET each FILENAME shown)
        if("${folder}/${shown}" IN_LIST others)
            message(FATAL_ERROR "ahead_export_model: '${each}' has the name of a file that is written; give one of them another name")
        endif()
    endforeach()

    # The weights, by the sources as they lie there.
    set(work "${CMAKE_CURRENT_BINARY_DIR}/ahead_models/${name}_export")
    set(constants "")
    set(weights_header "")
    set(has_weights OFF)
    if(DEFINED arg_WEIGHTS)
        set(has_weights ON)
        add_custom_target(${name}_export_sources DEPENDS "${folder}/${text}")
        add_library(${name}_export_units OBJECT ${units})
        add_dependencies(${name}_export_units ${name}_export_sources)
        target_link_libraries(${name}_export_units PUBLIC ahead::ahead)
        target_include_directories(${name}_export_units PUBLIC "${folder}")
        set(constants "${folder}/${name}.constants")
        ahead_model_prepared(${name}_export_pack ${name} "${weights}" "${work}" "${constants}" ${name}_export_units)
        target_compile_options(${name}_export_pack PRIVATE -O0) # what it calls is in the units
        ahead_model_weights_header(${name} "${work}")
        set(weights_header COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${work}/${name}_weights.hpp" "${folder}")
    endif()

    list(TRANSFORM ends PREPEND "${name}" OUTPUT_VARIABLE sources)
    string(REPLACE ";" " " sources "${sources}")
    set(project "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ahead_exported.cmake.in")
    configure_file("${project}" "${work}/CMakeLists.txt" @ONLY)
    add_custom_command(OUTPUT "${lists}" VERBATIM
        ${weights_header}
        COMMAND "${CMAKE_COMMAND}" -E copy "${work}/CMakeLists.txt" "${lists}"
        COMMAND "${CMAKE_COMMAND}" -E touch "${lists}"
        DEPENDS "${folder}/${text}" ${constants} "${work}/CMakeLists.txt" COMMENT "Exporting ${name}")
    add_custom_target(${name}_export ALL DEPENDS "${lists}")
endfunction()
