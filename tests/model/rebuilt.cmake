# cmake -DSOURCE=... -DBUILD=... -DCMAKE_GENERATOR_NAME=... -DCOMPILER=... -DCXX_FLAGS=... -DEIGEN_DIR=... -DAHEAD_GENERATE=<program>
#       -DWRITE_WEIGHTS=<program> -P rebuilt.cmake
#
# A separate project with a model that is planned while it is built, against an installed ahead: what runs, what is compiled again after which change,
# and what each fault says. Nothing stale is linked.
cmake_minimum_required(VERSION 3.25)
set(work "${BUILD}/rebuilt")
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}")
set(sources "${work}/build/ahead_models/consumer")

function(expect what text pattern)
    if(NOT text MATCHES "${pattern}")
        message(FATAL_ERROR "rebuilt: ${what}: expected '${pattern}', but it said\n${text}")
    endif()
endfunction()
function(expect_none what text pattern)
    if(text MATCHES "${pattern}")
        message(FATAL_ERROR "rebuilt: ${what}: did not expect '${pattern}', but it said\n${text}")
    endif()
endfunction()
# Builds the program; the result must be `works` or `fails`, what was said is in `text`. What verifies it is built where it is run.
macro(build how)
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/build" --target consumer RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(("${how}" STREQUAL "works" AND NOT result EQUAL 0) OR ("${how}" STREQUAL "fails" AND result EQUAL 0))
        message(FATAL_ERROR "rebuilt: the build ${how}, it was expected; it said\n${text}")
    endif()
endmacro()
macro(run pattern)
    execute_process(COMMAND "${work}/build/consumer" OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    expect("the program" "${said}" "${pattern}")
endmacro()
macro(verifier pattern)
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/build" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${work}/build/consumer_mlp_verify" RESULT_VARIABLE result OUTPUT_VARIABLE said)
    expect("the verifier" "${result} ${said}" "${pattern}")
endmacro()
macro(write_model activation)
    file(WRITE "${work}/mlp.txt" "class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: \"f32[4, 8]\", arg1_1: \"f32[4]\", arg2_1: \"f32[2, 8]\"):
        t = torch.ops.aten.t.default(arg0_1)
        addmm = torch.ops.aten.addmm.default(arg1_1, arg2_1, t)
        sort = torch.ops.aten.sort.default(addmm)
        getitem = sort[0]
        act = torch.ops.aten.${activation}.default(getitem)
        return (act,)
")
endmacro()

write_model(relu)
file(WRITE "${work}/rows.inc" "// what is a weight\n{\"arg0_1\", \"fc.weight\"},\n{.placeholder = \"arg1_1\", .weight = \"fc.bias\"},\n")
execute_process(COMMAND "${WRITE_WEIGHTS}" "${work}/w.safetensors" 0.25 COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/prefix" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(eigen "")
if(EIGEN_DIR)
    set(eigen "-DEigen3_DIR=${EIGEN_DIR}")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" -G "${CMAKE_GENERATOR_NAME}" -S "${SOURCE}/tests/model/consumer" -B "${work}/build"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}" "-DCMAKE_PREFIX_PATH=${work}/prefix" ${eigen} "-DAHEAD_GENERATOR=${AHEAD_GENERATE}"
    "-DMODEL=${work}/mlp.txt" "-DROWS=${work}/rows.inc" "-DWEIGHTS=${work}/w.safetensors" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
build(works)
run("^8\n$") # 2 rows of 4 elements of 8 x 0.5 x 0.25
verifier("^0 ")

# A file that is read again and says the same compiles nothing.
file(TOUCH "${work}/mlp.txt")
build(works)
expect("a model that is as it was" "${text}" "Planning mlp")
expect_none("a model that is as it was" "${text}" "Building CXX")

# Other weights are prepared and built in, and nothing but them is compiled.
execute_process(COMMAND "${WRITE_WEIGHTS}" "${work}/w.safetensors" 0.5 COMMAND_ERROR_IS_FATAL ANY)
build(works)
expect("other weights" "${text}" "mlp_constants")
expect_none("other weights" "${text}" "mlp_[0-9]\\.cpp|mlp_prepare\\.cpp|main\\.cpp")
run("^16\n$")

# Another graph compiles what differs: the activation, not the product, which is another unit's, nor what prepares it.
write_model(tanh)
build(works)
expect("another graph" "${text}" "Building CXX object [^\n]*mlp_[01]\\.cpp")
expect_none("another graph" "${text}" "mlp_0\\.cpp.*mlp_1\\.cpp|mlp_1\\.cpp.*mlp_0\\.cpp|mlp_prepare\\.cpp")
run("^7\\.71")

# what lies in the sources is verified: an address of a task, and a number of the plan.
foreach(case IN ITEMS "mlp_0.cpp;mlp_1.cpp" "mlp_program.hpp")
    foreach(file IN LISTS case)
        file(READ "${sources}/${file}" was)
        string(REGEX REPLACE "constexpr address at_task_([0-9]+)\\[\\] = {(.*)arena\\(0\\)" "constexpr address at_task_\\1[] = {\\2arena(64)" edited "${was}")
        string(REGEX REPLACE "\\.peak_bytes = [0-9]+" ".peak_bytes = 1" edited "${edited}")
        file(WRITE "${sources}/${file}" "${edited}")
    endforeach()
    build(works)
    verifier("^1 .*(plan is broken|expected)")
    file(TOUCH "${work}/mlp.txt") # which writes it again
    build(works)
endforeach()
verifier("^0 ")

# Damage is one error with its file and line, and the old program is not linked anew.
file(READ "${work}/mlp.txt" good)
string(REPLACE "addmm.default(arg1_1" "addmm.default(arg0_1" bad "${good}")
file(WRITE "${work}/mlp.txt" "${bad}")
build(fails)
expect("a damaged text" "${text}" "mlp\\.txt:4: [^\n]*addmm")
expect_none("a damaged text" "${text}" "Linking")
build(fails) # it stays refused
file(WRITE "${work}/mlp.txt" "${good}")
build(works)
file(WRITE "${work}/rows.inc" "{\"arg0_1\", \"fc.weight\"},\n{\"arg1_1\" \"fc.bias\", \"f32[4]\", \"?\"},\n")
build(fails)
expect("damaged rows" "${text}" "rows\\.inc:2: [^\n]*a comma, or }")
file(WRITE "${work}/rows.inc" "{\"arg0_1\", \"fc.weight\"},\n{\"arg9_1\", \"fc.bias\"},\n")
build(fails)
expect("rows of another graph" "${text}" "arg9_1")
file(WRITE "${work}/rows.inc" "{\"arg0_1\", \"fc.weight\"},\n{\"arg1_1\", \"fc.offset\"},\n")
build(fails)
expect("weights of another model" "${text}" "w\\.safetensors: weight .fc\\.offset. is missing")
file(WRITE "${work}/rows.inc" "{\"arg0_1\", \"fc.weight\"},\n{\"arg1_1\", \"fc.bias\"},\n")
file(WRITE "${work}/w.safetensors" "no weights")
build(fails)
expect("damaged weights" "${text}" "w\\.safetensors: ")
execute_process(COMMAND "${WRITE_WEIGHTS}" "${work}/w.safetensors" 0.25 COMMAND_ERROR_IS_FATAL ANY)

# A build that was interrupted while it wrote begins clean; where nothing can be written, it says so.
file(WRITE "${sources}/mlp_0.cpp" "half a file")
file(REMOVE "${sources}/mlp.written")
build(works)
run("^6\\.09")
file(REMOVE "${sources}/mlp_tasks.hpp" "${sources}/mlp.written")
file(MAKE_DIRECTORY "${sources}/mlp_tasks.hpp")
build(fails)
expect("a folder in the place of a file" "${text}" "mlp_tasks\\.hpp' cannot be written")
file(REMOVE_RECURSE "${sources}/mlp_tasks.hpp")
build(works)

# What is interrupted, or finds no room, while it prepares the weights leaves those of before, and is done again.
if(EXISTS /dev/full)
    file(SHA256 "${sources}/mlp.constants" before)
    execute_process(COMMAND "${WRITE_WEIGHTS}" "${work}/w.safetensors" 0.5 COMMAND_ERROR_IS_FATAL ANY)
    file(CREATE_LINK /dev/full "${sources}/mlp.constants.part" SYMBOLIC)
    build(fails)
    expect("no room for weights" "${text}" "mlp\\.constants' cannot be written")
    file(SHA256 "${sources}/mlp.constants" after)
    if(NOT before STREQUAL after)
        message(FATAL_ERROR "rebuilt: weights that could not be written have changed those of before")
    endif()
    file(WRITE "${sources}/mlp.constants.part" "half of them")
    build(works)
    run("^7\\.71")
endif()

# Where the generator cannot write it says so: no folder, a folder that it may not write into, no room.
macro(generate how pattern) # <arguments>...
    execute_process(COMMAND "${AHEAD_GENERATE}" --name mlp --inputs "${work}/rows.inc" ${ARGN} "${work}/mlp.txt" RESULT_VARIABLE result ERROR_VARIABLE said)
    expect("${how}" "${result} ${said}" "${pattern}")
endmacro()
generate("a file in the place of the folder" "^1 .*rows\\.inc/mlp\\.hpp' cannot be written" --out "${work}/rows.inc")
if(EXISTS /proc/version)
    generate("no folder" "^1 .*/proc/ahead/mlp\\.hpp' cannot be written" --out /proc/ahead)
endif()
file(MAKE_DIRECTORY "${work}/closed")
file(CHMOD "${work}/closed" PERMISSIONS OWNER_READ OWNER_EXECUTE)
execute_process(COMMAND "${CMAKE_COMMAND}" -E touch "${work}/closed/probe" RESULT_VARIABLE result ERROR_QUIET)
if(NOT result EQUAL 0) # an administrator may
    generate("a folder that is closed" "^1 .*closed/mlp\\.hpp' cannot be written" --out "${work}/closed")
endif()
file(CHMOD "${work}/closed" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
if(EXISTS /dev/full)
    file(MAKE_DIRECTORY "${work}/full")
    file(CREATE_LINK /dev/full "${work}/full/mlp_tasks.hpp" SYMBOLIC)
    generate("no room" "^1 .*full/mlp_tasks\\.hpp' cannot be written" --out "${work}/full")
endif()

# Wrong calls.
foreach(case IN ITEMS "--name;7up;m.txt|--name is a name in C.., not '7up'" "m.txt|--name is a name" "--name;m|no model is named" "--what|'--what' is no option"
        "--name;m;--units;0;m.txt|--units is a number from 1" "--name;m;--size;s0;m.txt|--size is a symbol and a number" "--name;m;--size|no value after --size" "--name;m;--level;5;m.txt|--level is a number from 1 to 4, not .5." "--name;m;--level;3;--level;3;m.txt|a --level is given twice" "--name|no value after --name" "--name;m;a;b|one model at a time")
    string(REGEX MATCH "^(.*)[|](.*)$" case "${case}")
    set(pattern "${CMAKE_MATCH_2}")
    execute_process(COMMAND "${AHEAD_GENERATE}" ${CMAKE_MATCH_1} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
    expect("ahead-generate" "${result} ${said}" "^2 .*${pattern}.*usage: ")
endforeach()
execute_process(COMMAND "${AHEAD_GENERATE}" --help RESULT_VARIABLE result OUTPUT_VARIABLE said)
expect("ahead-generate --help" "${result} ${said}" "^0 usage: ahead-generate --name NAME")
execute_process(COMMAND "${AHEAD_GENERATE}" --name m "${work}/nowhere.txt" RESULT_VARIABLE result ERROR_VARIABLE said)
expect("a model that is not there" "${result} ${said}" "^1 .*nowhere\\.txt")

# A toolchain that is none, or does not compile, is the compiler's error, with file and line; the old program is not linked anew.
foreach(case IN ITEMS
        "struct own : ahead::toolchain<> { static constexpr int option = 3; };|a toolchain is an alias"
        "struct own {};|a toolchain is an alias"
        "inline constexpr ahead::config fast{.mode = ahead::mode::fast}; using own = ahead::toolchain<>::with_options<fast>;|own\\.hpp:2:[^\n]*fast"
        "using other = ahead::toolchain<>;|ahead_generate_[0-9a-f]+\\.cpp:[0-9]+:[^\n]*own")
    string(REGEX MATCH "^(.*)[|](.*)$" case "${case}")
    set(pattern "${CMAKE_MATCH_2}")
    file(WRITE "${work}/own.hpp" "#include <ahead/convert/toolchain.hpp>\n${CMAKE_MATCH_1}\n")
    execute_process(COMMAND "${CMAKE_COMMAND}" "-DTOOLCHAIN=${work}/own.hpp" "${work}/build" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    build(fails)
    expect("a toolchain that does not compile" "${text}" "${pattern}")
    expect_none("a toolchain that does not compile" "${text}" "Linking|Planning")
endforeach()
