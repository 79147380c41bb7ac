# cmake -DPROGRAM=<08_inspect> -DWORK=<folder> -P inspected.cmake
#
# Runs 08_inspect on the printouts of other examples, on damaged ones, and with arguments that are wrong.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(tab "\t")

# inspect(<exit status> <arguments>...): out and err in the caller's scope.
function(inspect status)
    execute_process(COMMAND "${PROGRAM}" ${ARGN} WORKING_DIRECTORY "${WORK}" OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE found)
    if(NOT found STREQUAL status)
        message(FATAL_ERROR "08_inspect ${ARGN}: exit status ${found} instead of ${status}\n${out}${err}")
    endif()
    set(out "${out}" PARENT_SCOPE)
    set(err "${err}" PARENT_SCOPE)
endfunction()
# expect(<text> <regex>...)
function(expect text)
    foreach(regex IN LISTS ARGN)
        if(NOT text MATCHES "${regex}")
            message(FATAL_ERROR "08_inspect: no '${regex}' in\n${text}")
        endif()
    endforeach()
endfunction()

set(examples "${CMAKE_CURRENT_LIST_DIR}/..")
foreach(name IN ITEMS 02_digits/digits.txt 04_speech/silero_vad.txt ../tests/model/branches.txt ../tests/model/split.txt ../tests/model/split.pbtxt)
    file(COPY "${examples}/${name}" DESTINATION "${WORK}")
endforeach()

# A refused file: one weight has another shape. Its graph is named, the line and what stands there.
file(READ "${WORK}/digits.txt" text)
string(REPLACE "f32[120, 400]" "f32[120, 401]" wrong "${text}")
file(WRITE "${WORK}/wrong.txt" "${wrong}")
# A long file, of more than 256 KiB. One operator of it runs on the AI CPU.
set(body "")
set(before x)
foreach(i RANGE 1 4500)
    string(APPEND body "    relu_${i}: \"f32[8, 8]\" = torch.ops.aten.relu.default(${before});  ${before} = None\n")
    set(before "relu_${i}")
endforeach()
file(WRITE "${WORK}/long.txt" "def forward(self, x: \"f32[8, 8]\"):\n${body}    renorm: \"f32[8, 8]\" = torch.ops.aten.renorm.default(${before}, 2.0, 1, 1.0)\n    return (renorm,)\n")
file(SIZE "${WORK}/long.txt" size)
if(size LESS_EQUAL 262144)
    message(FATAL_ERROR "long.txt has ${size} bytes")
endif()

set(number "[0-9]+\\.[0-9][0-9][0-9]")
set(header "file${tab}stage${tab}status${tab}nodes${tab}tasks${tab}ai_cpu_tasks${tab}peak_bytes${tab}largest_live_bytes${tab}makespan_us${tab}ms${tab}why\n")
set(digits "digits.txt${tab}time${tab}accepted${tab}29${tab}7${tab}0${tab}23680${tab}23680${tab}21\\.832${tab}${number}${tab}\n")
set(speech "silero_vad.txt${tab}time${tab}accepted${tab}63${tab}13${tab}0${tab}6720${tab}6720${tab}26\\.145${tab}${number}${tab}\n")
inspect(0 --tsv digits.txt silero_vad.txt)
expect("${out}" "^${header}${digits}${speech}$")

# Sizes that are symbols, and what they stand for.
file(WRITE "${WORK}/open.txt" "def forward(self, x: \"f32[s0, 8]\"):\n    relu: \"f32[s0, 8]\" = torch.ops.aten.relu.default(x)\n    return (relu,)\n")
inspect(1 --tsv open.txt)
expect("${out}" "dimension is dynamic: expected constant sizes: numbers for its symbols")
inspect(0 --tsv --size s0=4 open.txt)
expect("${out}" "open.txt${tab}time${tab}accepted${tab}3${tab}1${tab}0${tab}128${tab}")
inspect(1 --tsv --size s1=4 open.txt)
expect("${out}" "symbol is unknown: expected a symbol of the text, such as s0, found s1")
inspect(2 --size s0 open.txt)
expect("${err}" "--size is a symbol and a number, s0=4, or a host parameter, s1=host, not 's0'")
file(WRITE "${WORK}/host.txt" "def forward(self, n: \"Sym(s1)\", x: \"f32[4]\"):\n    add: \"f32[4]\" = torch.ops.aten.add.Scalar(x, n)\n    return (add,)\n")
inspect(0 --tsv --size s1=host host.txt)
expect("${out}" "host.txt${tab}time${tab}accepted${tab}4${tab}1${tab}0${tab}")

# A pbtxt is recognised, and gives the plan of the same graph as FX text.
inspect(0 --tsv split.txt split.pbtxt)
set(row "${tab}time${tab}accepted${tab}4${tab}1${tab}0${tab}[0-9]+${tab}[0-9]+${tab}${number}${tab}")
expect("${out}" "\nsplit.txt${row}" "\nsplit.pbtxt${row}")
file(READ "${WORK}/split.pbtxt" text)
string(REPLACE "input: \"x\"" "input: \"y\"" text "${text}")
file(WRITE "${WORK}/wrong.pbtxt" "${text}")
inspect(1 wrong.pbtxt)
expect("${err}" "wrong.pbtxt: line 10: aten\\.split\\.Tensor: name 'split' is undefined: expected the name of a node above, found y\n[^\n]*\n    input: \"y\"\n")

# Branches and loops: what each takes, and that a loop has a bound.
inspect(0 --loop-bound 10 branches.txt)
expect("${out}" "\n  block        true_graph_0 of cond: tasks 2, arena 64 bytes, constants 64, ${number} us\n"
    "\n  block        true_graph_0\\.false_graph_0 of cond: tasks 1, arena 0 bytes" "\n  block        scan_combine_graph_0 of scan: tasks 3")
inspect(1 branches.txt)
expect("${err}" "branches.txt: line 9: higher_order\\.while_loop 'while_loop': loop has no bound")
inspect(2 --loop-bound 0 branches.txt)
expect("${err}" "--loop-bound is a number from 1 on, not '0'")

inspect(1 --tsv wrong.txt digits.txt missing.txt long.txt)
set(why "line 13: aten\\.t\\.default 't': annotation differs from inference: expected [^\t\n]*, found [^\t\n]*")
expect("${out}" "^${header}wrong.txt${tab}infer${tab}refused${tab}29${tab}0${tab}0${tab}0${tab}0${tab}0\\.000${tab}${number}${tab}${why}\n${digits}"
    "\nmissing.txt${tab}read${tab}refused${tab}0${tab}0${tab}0${tab}0${tab}0${tab}0\\.000${tab}0\\.000${tab}file 'missing.txt' is unreadable: [^\t\n]*\n"
    "\nlong.txt${tab}time${tab}accepted${tab}4503${tab}[0-9]+${tab}1${tab}[0-9]+${tab}[0-9]+${tab}${number}${tab}${number}${tab}\n$")
expect("${err}" "wrong.txt: ${why}\n  hint: Correct the type that is printed [^\n]*\n    [^\n]*torch\\.ops\\.aten\\.t\\.default" "missing.txt: file 'missing.txt' is unreadable")

inspect(0 digits.txt long.txt)
expect("${out}" "digits.txt: accepted\n" "long.txt: accepted\n" "on AI CPU +aten\\.renorm\\.default 1\n" "tasks +[0-9]+, 1 on the AI CPU;"
    "AI CPU tasks aten\\.renorm\\.default 1\n" "arena 23680 bytes, at least 23680" "makespan +21\\.832 us on npu\n")
inspect(1 wrong.txt)
expect("${out}" "^wrong.txt: refused in stage infer\n  graph +29 nodes")

# torch_npu's operators.
file(WRITE "${WORK}/npu.txt" "def forward(self, x: \"f16[4, 64]\", gamma: \"f16[64]\"):\n    norm = torch.ops.npu.npu_rms_norm.default(x, gamma, 1e-06)\n    y: \"f16[4, 64]\" = norm[0]\n    swiglu: \"f16[4, 32]\" = torch.ops.npu.npu_swiglu.default(y)\n    return (swiglu,)\n")
inspect(0 npu.txt)
expect("${out}" "npu.txt: accepted\n" "2 calls: 2 by kernels and views, 0 on the AI CPU, 0 by both; 2 of them decomposed" "tasks +[0-9]+, 0 on the AI CPU;")

# Another device, and several streams, are other numbers.
inspect(0 --device ascend_910b2 --streams 2 digits.txt)
expect("${out}" "us on Ascend 910B2\n")

# The order of time leaves a gap that nothing fits into; without a step that is the answer.
file(WRITE "${WORK}/gap.txt" "def forward(self, x: \"f32[4, 4]\", v: \"f32[4, 12]\", w: \"f32[12, 8]\", u: \"f32[8, 4]\"):
    mm: \"f32[4, 4]\" = torch.ops.aten.mm.default(x, x)
    mm_1: \"f32[4, 12]\" = torch.ops.aten.mm.default(mm, v);  mm = None
    mm_2: \"f32[4, 8]\" = torch.ops.aten.mm.default(mm_1, w);  mm_1 = None
    mm_3: \"f32[4, 4]\" = torch.ops.aten.mm.default(mm_2, u);  mm_2 = None
    return (mm_3,)\n")
inspect(0 gap.txt)
expect("${out}" "arena 320 bytes, at least 320 in this order")
inspect(0 --effort 0 gap.txt)
expect("${out}" "arena 384 bytes, at least 320 in this order")
foreach(effort IN ITEMS constant brisk patient 1000)
    inspect(0 --effort ${effort} gap.txt)
    expect("${out}" "arena 320 bytes, at least 320 in this order")
endforeach()
inspect(2 --effort -1 gap.txt)
inspect(2 --effort much gap.txt)
expect("${err}" "--effort is constant, brisk, patient or a number of steps, not 'much'")

inspect(0 --tsv --report pages digits.txt long.txt)
file(READ "${WORK}/pages/long.html" page)
expect("${page}" "As captured: 4503 nodes</h3><div class=\"scroll\"><p>Too many to be drawn: at most 1000 are\\.</p>" "data-graph=\"device\"" "</html>\n$")
file(READ "${WORK}/pages/digits.html" page)
expect("${page}" "^<!DOCTYPE html>" "</html>\n$" "<tr data-field=\"run_tasks\" data-value=\"7\">" "<span>tasks on the AI CPU</span><b>0</b>")
inspect(1 --tsv --report digits.txt/no_folder silero_vad.txt)
expect("${err}" "digits.txt/no_folder")

# The graph as a stage left it: in-place writes are gone behind functionalise, ATen's operators behind lower.
file(WRITE "${WORK}/writes.txt" "def forward(self, x: \"f32[4, 8]\"):\n    exp: \"f32[4, 8]\" = torch.ops.aten.exp.default(x)\n    relu_: \"f32[4, 8]\" = torch.ops.aten.relu_.default(exp)\n    return (relu_,)\n")
inspect(0 --stop-after infer writes.txt)
expect("${out}" "torch.ops.aten.relu_.default")
inspect(0 --stop-after functionalise writes.txt)
expect("${out}" "torch.ops.aten.relu.default")
inspect(0 --stop-after pass writes.txt)
expect("${out}" "torch.ops.aten.relu.default")
inspect(0 --stop-after lower writes.txt)
expect("${out}" "torch.ops.npu.fused")
inspect(2 --stop-after plan writes.txt)
expect("${err}" "--stop-after is parse, infer, functionalise, pass or lower, not 'plan'")

inspect(0 --help)
expect("${out}" "^usage: 08_inspect ")
inspect(2)
expect("${err}" "no file is named\nusage: ")
inspect(2 --device toaster digits.txt)
expect("${err}" "device 'toaster' is unknown: expected one of npu, ascend_910b2, ascend_310p3, xeon_2core\n")
inspect(2 --streams 0 digits.txt)
inspect(2 --streams 2x digits.txt)
expect("${err}" "not '2x'")
inspect(2 --tsv --what digits.txt)
expect("${err}" "'--what' is no option")
inspect(2 digits.txt --device)
expect("${err}" "no value after --device")
inspect(2 --report pages digits.txt pages/digits.html)
expect("${err}" "two files would have the page")
