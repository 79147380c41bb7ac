# cmake -DSOURCE=... -DBUILD=... -DCMAKE_GENERATOR_NAME=... -DCOMPILER=... -DCXX_FLAGS=... -DEIGEN_DIR=... -DAHEAD_GENERATE=<program>
#       -DWRITE_WEIGHTS=<program> -P tuned.cmake
#
# The project of rebuilt.cmake with a choice file: ahead_tune writes it, the next build plans with it, and what it lacks, what it has too much, and what is wrong
# in it is said.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/separate.cmake")
begin(tuned)
write_mlp("${work}")
# A product that may have two kernels, of its input turned by itself: 8 rows of 8 times 0.5, so that the program prints 8 rows of 4 elements of tanh of 1.
macro(write_model rows)
    file(WRITE "${work}/mlp.txt" "class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: \"f32[4, 8]\", arg1_1: \"f32[4]\", arg2_1: \"f32[${rows}, 8]\"):
        turned = torch.ops.aten.t.default(arg2_1)
        mm = torch.ops.aten.mm.default(turned, arg2_1)
        t = torch.ops.aten.t.default(arg0_1)
        addmm = torch.ops.aten.addmm.default(arg1_1, mm, t)
        tanh = torch.ops.aten.tanh.default(addmm)
        return (tanh,)
")
endmacro()
set(choices "${work}/mlp.choices")
set(key "npu.matmul m=8 n=8 k=2 a_row=1 a_col=8 b_row=8 b_col=1")
write_model(2)
execute_process(COMMAND "${CMAKE_COMMAND}" -G "${CMAKE_GENERATOR_NAME}" -S "${SOURCE}/tests/model/consumer" -B "${work}/build"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS} -O0" "-Dahead_DIR=${work}/prefix/share/cmake/ahead" ${eigen} "-DAHEAD_GENERATOR=${AHEAD_GENERATE}"
    "-DMODEL=${work}/mlp.txt" "-DROWS=${work}/rows.inc" "-DWEIGHTS=${work}/w.safetensors" "-DCHOICES=${choices}" -DAHEAD_TUNE_SECONDS=0
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
# Builds a target: the exit status, and what was said.
macro(build target)
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/build" --target ${target} OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
    set(text "${result} ${text}")
endmacro()
function(expect_none what text pattern)
    if(text MATCHES "${pattern}")
        message(FATAL_ERROR "tuned: ${what}: did not expect '${pattern}', but it said\n${text}")
    endif()
endfunction()
# The program prints this, and its sources say of how many products that the kernel was chosen.
function(expect_program what printed copied)
    execute_process(COMMAND "${work}/build/consumer" OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    expect("${what}" "${said}" "^${printed} $")
    set(count 0)
    foreach(unit RANGE 1)
        file(READ "${work}/build/ahead_models/consumer/mlp_${unit}.cpp" source)
        string(REGEX MATCHALL "\\.choice = ahead::device::matmul_choice::copied" found "${source}")
        list(LENGTH found here)
        math(EXPR count "${count} + ${here}")
    endforeach()
    if(NOT count EQUAL copied)
        message(FATAL_ERROR "tuned: ${what}: ${count} products have a kernel that was chosen, not ${copied}")
    endif()
endfunction()

# There is no file yet: all goes by rule, and that is said.
build(consumer)
expect("no file" "${text}" "^0 .*mlp\\.choices: is not there: all keys go by their rules; ahead_tune measures them")
expect_program("no file" 24\\.3[0-9]+ 0)

# It is written, a line for each key that may have several kernels, and says what was measured where.
build(ahead_tune)
expect("ahead_tune" "${text}" "^0 .*mlp\\.choices: [01] of 1 keys get another kernel than their rules'")
file(READ "${choices}" written)
expect("the file" "${written}" "^# Kernels of mlp, measured with ahead [0-9.]+ on [^#]+, [0-9-]+\\. # key : choice # [^#]+ ${key} : (by_rule|copied|eigen) # by_rule [0-9.]+, copied [0-9.]+, eigen [0-9.]+ $")

# The next build reads it, without a word.
file(WRITE "${choices}" "${key} : copied # by_rule 2.0, copied 1.0\n")
build(consumer)
expect("a choice" "${text}" "^0 .*Planning mlp")
expect_none("a choice" "${text}" "mlp\\.choices: ")
expect_program("a choice" 24\\.3[0-9]+ 1)

# A file that says the same in other words compiles nothing.
file(WRITE "${choices}" "# measured again\n${key} : copied # by_rule 3.0, copied 2.0\n")
build(consumer)
expect("measured again" "${text}" "^0 .*Planning mlp")
expect_none("measured again" "${text}" "Building CXX")

# Another graph has other keys: they go by rule, and what the file lacks and has too much is said.
write_model(3)
build(consumer)
expect("another graph" "${text}" "^0 .*mlp\\.choices: 1 of 1 keys has no line and goes by its rule: npu.matmul m=8 n=8 k=3 [^\n]*ahead_tune.*mlp\\.choices: a line is of no call: line 2; ahead_tune")
expect_program("another graph" 2[0-9.]+ 0)
write_model(2)

# What is wrong is one error with its line.
file(WRITE "${choices}" "# one\n${key}\n")
build(consumer)
expect("half a line" "${text}" "^[1-9].*mlp\\.choices:2: [^\n]*key : choice")
file(WRITE "${choices}" "# one\n\n${key} : panels_of_16\n")
build(consumer)
expect("no kernel of the key" "${text}" "^[1-9].*mlp\\.txt:4: [^\n]*panels_of_16, in line 3 of the choices")

# ... which ahead_tune writes anew.
build(ahead_tune)
expect("ahead_tune of a damaged file" "${text}" "^0 .*mlp\\.choices: [01] of 1 keys")
build(consumer)
expect("after a damaged file" "${text}" "^0 ")

# A file that goes is missed.
file(REMOVE "${choices}")
build(consumer)
expect("no file any more" "${text}" "^0 .*mlp\\.choices: is not there")
expect_program("no file any more" 24\\.3[0-9]+ 0)
