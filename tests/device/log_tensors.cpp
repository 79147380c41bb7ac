// SPDX-License-Identifier: MIT
// What a program takes and gives, and what a call was given and gave, as log lines.
#include "counted_allocations.hpp"
#include "graph_programs.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/log_tensors.hpp>

#include <sstream>

using namespace ahead;
using namespace test;

namespace {

// "INFO message" of each line, as it stands behind the thread.
std::string told(std::string_view text) {
    std::ostringstream tid;
    tid << ']' << std::this_thread::get_id() << ' ';
    std::string out;
    for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
        const auto line = text.substr(0, end);
        const auto at = line.find(tid.str());
        if (at == line.npos) return "of another form: " + std::string(line);
        out += std::string(line.substr(1, line.find(']') - 1)) + " " + std::string(line.substr(at + tid.str().size())) + "\n";
    }
    return out;
}

struct exported {
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_fc_weight: "f32[2, 2]", b_seen: "i64[]", x: "f32[2, 2]", y: "f16[2]"):
            mm: "f32[2, 2]" = torch.ops.aten.mm.default(x, p_fc_weight);  p_fc_weight = None
            add: "i64[]" = torch.ops.aten.add.Tensor(b_seen, 1);  b_seen = None
            relu: "f16[2]" = torch.ops.aten.relu.default(y);  y = None
            return (add, mm, relu)

Graph signature:
    # inputs
    p_fc_weight: PARAMETER target='fc.weight'
    b_seen: BUFFER target='seen' persistent=True
    x: USER_INPUT
    y: USER_INPUT

    # outputs
    add: BUFFER_MUTATION target='seen'
    mm: USER_OUTPUT
    relu: USER_OUTPUT

Range constraints: {}
)fx";
};

void of_programs() {
    std::ostringstream out;
    const log_writer log(out);
    log_inputs<counter>(log);
    const auto all = told(out.str());
    const std::string inputs = "INFO compiler inputs\n"
                               "INFO   input 0: c, FakeTensor(..., device='npu:0', size=(8,)), user, mutated\n"
                               "INFO   input 1: x, FakeTensor(..., device='npu:0', size=(8,)), user\n"
                               "INFO   graph: graph():\n"
                               "INFO       %c : [num_users=3] = placeholder[target=c]\n";
    check(all.starts_with(inputs), all);
    const auto outputs = all.find("INFO compiler outputs\n");
    check(outputs != all.npos && all.substr(outputs).starts_with("INFO compiler outputs\nINFO   output 0: ") &&
              all.ends_with(", FakeTensor(..., device='npu:0', size=(8,))\n"), all);
    check(all.substr(0, outputs).find("INFO       return (") != all.npos, all);
    check_equal(out.str().find("?"), std::string::npos);

    out.str("");
    log_inputs<compiled<fx<exported>>>(log);
    const auto of_export = told(out.str());
    check(of_export.starts_with("INFO compiler inputs\n"
                                "INFO   input 0: p_fc_weight, FakeTensor(..., device='npu:0', size=(2, 2)), parameter fc.weight\n"
                                "INFO   input 1: b_seen, FakeTensor(..., device='npu:0', size=(), dtype=torch.int64), buffer seen, mutated\n"
                                "INFO   input 2: x, FakeTensor(..., device='npu:0', size=(2, 2)), user\n"
                                "INFO   input 3: y, FakeTensor(..., device='npu:0', size=(2,), dtype=torch.float16), user\n"
                                "INFO   graph: graph():\n"), of_export);
    check(of_export.ends_with("INFO compiler outputs\n"
                              "INFO   output 0: mm, FakeTensor(..., device='npu:0', size=(2, 2))\n"
                              "INFO   output 1: relu, FakeTensor(..., device='npu:0', size=(2,), dtype=torch.float16)\n"), of_export);
    out.str("");
    log_inputs<counter>(log_writer(out, log_level::warning));
    check_equal(out.str(), "");
}

inline constexpr auto two_outputs = trace([](input<"x", f32<2, 4>> x, input<"n", i64<>> n) { return outputs(permute<1, 0>(add(x, 1)), gt(x, 3), add(n, 1)); });

void of_calls() {
    npu::context npu;
    const auto s = npu.new_stream();
    std::ostringstream out;
    const log_writer log(out, log_level::debug);
    const auto next = [&] {
        const auto text = told(out.str());
        out.str("");
        return text;
    };
    using program = compiled<two_outputs>;
    const auto prepared = program::prepare();
    npu::compiled_graphs<program> net(npu, s, {}, prepared);
    const auto x = npu.to_device<f32<2, 4>>(eight_ones);
    {
        const auto [a, b, n] = logged_call(log, net, x, 41);
        check(a.copy() == all<8>(2) && n.copy()[0] == 42);
        check_equal(next(), "DEBUG runtime inputs\n"
                            "DEBUG   input 0: <class 'torch.Tensor'>(torch.Size([2, 4]), torch.float32, contiguous=True)\n"
                            "DEBUG   input 1: <class 'int'>(41)\n"
                            "DEBUG runtime outputs\n"
                            "DEBUG   output 0: <class 'torch.Tensor'>(torch.Size([4, 2]), torch.float32, contiguous=False)\n"
                            "DEBUG   output 1: <class 'torch.Tensor'>(torch.Size([2, 4]), torch.bool, contiguous=True)\n"
                            "DEBUG   output 2: <class 'torch.Tensor'>(torch.Size([]), torch.int64, contiguous=True)\n");
        // A call that is refused has shown what it was given.
        check_fault([&] { static_cast<void>(logged_call(log, net, x, 1)); }, fault::output_is_still_held);
        check(next().ends_with("DEBUG   input 1: <class 'int'>(1)\n"));
    }
    // An input that is written stays the caller's.
    npu::compiled_graphs<counter> counts(npu, s, {}, no_weights);
    auto c = npu.to_device<f32<8>>(eight_ones);
    const auto y = npu.to_device<f32<8>>(threes);
    check(logged_call(log, counts, c, y).copy() == all<8>(5) && c.copy() == all<8>(2));
    check(next().ends_with("DEBUG runtime outputs\nDEBUG   output 0: <class 'torch.Tensor'>(torch.Size([8]), torch.float32, contiguous=True)\n"));
    // A session, and a launch.
    small::session run(by_two);
    {
        const auto [z] = logged_call(log, run, eight_ones);
        check(z.copy() == all<8>(4));
    }
    check_equal(next(), "DEBUG runtime inputs\nDEBUG   input 0: 8 elements of f32\nDEBUG runtime outputs\n"
                        "DEBUG   output 0: <class 'torch.Tensor'>(torch.Size([8]), torch.float32, contiguous=True)\n");
    static_cast<void>(logged_call(log, [&](const auto& a) { return s.launch([](auto h) { return relu(h); }, a); }, y));
    check(next().find("output 0: <class 'torch.Tensor'>(torch.Size([8])") != std::string::npos);

    const log_writer info(out, log_level::info);
    for (int i = 0; i < 3; ++i) static_cast<void>(logged_call(info, counts, c, y));
    const auto before = allocations.load();
    for (int i = 0; i < 100; ++i) static_cast<void>(logged_call(info, counts, c, y));
    check_equal(allocations.load(), before);
    check_equal(out.str(), "");
}

} // namespace

int main() {
    of_programs();
    of_calls();
    return report();
}
