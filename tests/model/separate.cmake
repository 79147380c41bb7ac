# What tests of separate projects have in common: include it, then call begin(<test>).
#
# begin: an empty folder `work` of the test's, ahead installed in work/prefix; `eigen`, the flag that says where Eigen is. `test` names it in errors.
macro(begin of)
    set(test ${of})
    set(work "${BUILD}/${test}")
    file(REMOVE_RECURSE "${work}")
    execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/prefix" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    set(eigen "")
    if(EIGEN_DIR)
        set(eigen "-DEigen3_DIR=${EIGEN_DIR}")
    endif()
endmacro()

# text, its blanks and line ends taken together, matches pattern.
function(expect what text pattern)
    string(REGEX REPLACE "[ \n]+" " " text "${text}")
    if(NOT text MATCHES "${pattern}")
        message(FATAL_ERROR "${test}: ${what}: expected '${pattern}', but it said\n${text}")
    endif()
endfunction()

# mlp.txt, rows.inc and w.safetensors in a folder: the consumer's program prints 6.09..., 2 rows of 4 elements of tanh of 8 x 0.5 x 0.25.
function(write_mlp folder)
    file(WRITE "${folder}/mlp.txt" "class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: \"f32[4, 8]\", arg1_1: \"f32[4]\", arg2_1: \"f32[2, 8]\"):
        t = torch.ops.aten.t.default(arg0_1)
        addmm = torch.ops.aten.addmm.default(arg1_1, arg2_1, t)
        tanh = torch.ops.aten.tanh.default(addmm)
        return (tanh,)
")
    file(WRITE "${folder}/rows.inc" "{\"arg0_1\", \"fc.weight\"},\n{\"arg1_1\", \"fc.bias\"},\n")
    execute_process(COMMAND "${WRITE_WEIGHTS}" "${folder}/w.safetensors" 0.25 COMMAND_ERROR_IS_FATAL ANY)
endfunction()
