# What ahead_add_model(... CHOICES <model.choices>) does: which kernels a model has by a file, and a program that measures them and writes that file.
set(AHEAD_TUNE_SECONDS 0.1 CACHE STRING "How long ahead_tune measures each key of a model, about")

# `choices`, the file, what the generator is told of it, and what it reads.
macro(ahead_model_choices by)
    set(choices "${arg_CHOICES}")
    cmake_path(ABSOLUTE_PATH choices BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    ahead_watch_choices("${choices}")
    set(is_there OFF)
    if(EXISTS "${choices}")
        set(is_there ON)
        list(APPEND read "${choices}")
    endif()
    string(SHA1 mark "${folder}/${name}")
    set(mark "${CMAKE_BINARY_DIR}/ahead_models/${mark}.choices")
    file(CONFIGURE OUTPUT "${mark}" CONTENT "${choices} ${is_there}\n") # newer where the file has come or gone: what is not there is no dependency
    list(APPEND read "${mark}")
    list(APPEND options --choices "${choices}")
endmacro()

# The targets ${target}_${name}_tune and ahead_tune. What measures is written by `generator` with `options`, from what is `read`, without the file: a damaged one is
# written anew. One model is measured at a time where the generator of builds knows pools, as Ninja does.
function(ahead_model_tuned target name folder choices file units levels generator dependency options read)
    set(sources "${folder}/${name}_tune.cpp")
    math(EXPR last "${units} - 1")
    foreach(unit RANGE ${last})
        list(APPEND sources "${folder}/${name}_tune_${unit}.cpp")
    endforeach()
    add_custom_command(OUTPUT "${folder}/${name}.tuning" BYPRODUCTS ${sources} VERBATIM
        COMMAND ${generator} ${options} --tune --out "${folder}" "${file}"
        COMMAND "${CMAKE_COMMAND}" -E touch "${folder}/${name}.tuning"
        DEPENDS ${dependency} ${read} COMMENT "Listing the kernels of ${name}")
    add_custom_target(${target}_${name}_tuning_sources DEPENDS "${folder}/${name}.tuning")
    set(program ${target}_${name}_tuning)
    add_executable(${program} EXCLUDE_FROM_ALL ${sources})
    add_dependencies(${program} ${target}_${name}_tuning_sources)
    target_link_libraries(${program} PRIVATE ahead::ahead)
    target_include_directories(${program} PRIVATE "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
    target_compile_options(${program} PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")
    target_compile_definitions(${program} PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    if(levels)
        list(GET levels -1 level)
        string(REPLACE "-v1" "" machine "x86-64-v${level}")
        target_compile_options(${program} PRIVATE -march=${machine})
    endif()
    add_custom_target(${target}_${name}_tune VERBATIM USES_TERMINAL
        COMMAND ${program} --seconds "${AHEAD_TUNE_SECONDS}" "${choices}"
        COMMAND "${CMAKE_COMMAND}" -E touch "${CMAKE_BINARY_DIR}/ahead_models/tuned" COMMENT "Measuring the kernels of ${name}")
    if(NOT TARGET ahead_tune)
        add_custom_target(ahead_tune)
    endif()
    add_dependencies(ahead_tune ${target}_${name}_tune)
endfunction()
