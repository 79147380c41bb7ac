// A plan in the making, printed behind each phase of the planner, at compile time and at run time.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/print_phases.hpp>

#include <string>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

// An input that is written by what computes its new value, a concatenation that is no task, and a result in the place of that.
struct text_of_net {
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[4, 16]", w: "f32[16, 16]"):
        permute: "f32[16, 16]" = torch.ops.aten.permute.default(w, [1, 0])
        mm: "f32[4, 16]" = torch.ops.aten.mm.default(x, permute)
        cumsum: "f32[4, 16]" = torch.ops.aten.renorm.default(mm, 2.0, 0, 1.0)
        cumsum_1: "f32[4, 16]" = torch.ops.aten.renorm.default(mm, 2.0, 1, 1.0)
        cat: "f32[8, 16]" = torch.ops.aten.cat.default([cumsum, cumsum_1])
        relu: "f32[8, 16]" = torch.ops.aten.relu.default(cat)
        cumprod: "f32[8, 16]" = torch.ops.aten.renorm.default(relu, 2.0, 0, 1.0)
        add_: "f32[4, 16]" = torch.ops.aten.add_.Tensor(x, 1)
        return (cumprod,)
)fx";
};
using program = compiled<fx<text_of_net>>;

constexpr std::string_view phases_on_two_streams = R"log(list_tasks:
  task 0: npu.matmul mm, workspace of 1024 bytes
  task 1: aten.renorm.default cumsum
  task 2: aten.renorm.default cumsum_1
  task 3: npu.concat cat
  task 4: npu.relu.default relu
  task 5: aten.renorm.default cumprod
  task 6: npu.add.Tensor add_
  task 7: npu.assign x
  x: input 0, 256 bytes
  w: input 1, 1024 bytes
  mm: arena, 256 bytes
  cumsum: arena, 256 bytes
  cumsum_1: arena, 256 bytes
  cat: arena, 512 bytes
  relu: arena, 512 bytes
  cumprod: arena, 512 bytes
  add_: arena, 256 bytes
alias_outputs:
  task 0: npu.matmul mm, workspace of 1024 bytes
  task 1: aten.renorm.default cumsum
  task 2: aten.renorm.default cumsum_1
  task 3: npu.concat cat
  task 4: npu.relu.default relu
  task 5: aten.renorm.default cumprod
  task 6: npu.add.Tensor add_
  x: input 0, 256 bytes; add_ in the place of x
  w: input 1, 1024 bytes
  mm: arena, 256 bytes
  cumsum: arena, 256 bytes
  cumsum_1: arena, 256 bytes
  cat: arena, 512 bytes
  relu: arena, 512 bytes
  cumprod: arena, 512 bytes
elide_concats:
  task 0: npu.matmul mm, workspace of 1024 bytes
  task 1: aten.renorm.default cumsum
  task 2: aten.renorm.default cumsum_1
  task 3: npu.relu.default relu
  task 4: aten.renorm.default cumprod
  task 5: npu.add.Tensor add_
  x: input 0, 256 bytes; add_ in the place of x
  w: input 1, 1024 bytes
  mm: arena, 256 bytes
  cat: arena, 512 bytes; cumsum at 0 as part of cat, cumsum_1 at 256 as part of cat
  relu: arena, 512 bytes
  cumprod: arena, 512 bytes
assign_streams:
  task 0: npu.matmul mm, workspace of 1024 bytes, stream 0
  record event 0 on stream 0
  task 1: aten.renorm.default cumsum, stream 0
  wait for event 0 on stream 1
  task 2: aten.renorm.default cumsum_1, stream 1
  record event 1 on stream 1
  wait for event 1 on stream 0
  task 3: npu.relu.default relu, stream 0
  task 4: npu.add.Tensor add_, stream 1
  record event 2 on stream 1
  task 5: aten.renorm.default cumprod, stream 0
  wait for event 2 on stream 0
find_live_ranges:
  x: input 0, 256 bytes; add_ in the place of x
  w: input 1, 1024 bytes
  mm: arena, 256 bytes, tasks 0 to 2
  cat: arena, 512 bytes, tasks 1 to 3; cumsum at 0 as part of cat, cumsum_1 at 256 as part of cat
  relu: arena, 512 bytes, tasks 3 to 5
  cumprod: arena, 512 bytes, tasks 5 to 6
reuse_in_place:
  x: input 0, 256 bytes; add_ in the place of x
  w: input 1, 1024 bytes
  mm: arena, 256 bytes, tasks 0 to 2
  cat: arena, 512 bytes, tasks 1 to 5; cumsum at 0 as part of cat, cumsum_1 at 256 as part of cat, relu in the place of cat
  cumprod: arena, 512 bytes, tasks 5 to 6
assign_offsets:
  task 0: npu.matmul mm, workspace of 1024 bytes at 256, stream 0
  record event 0 on stream 0
  task 1: aten.renorm.default cumsum, stream 0
  wait for event 0 on stream 1
  task 2: aten.renorm.default cumsum_1, stream 1
  record event 1 on stream 1
  wait for event 1 on stream 0
  task 3: npu.relu.default relu, stream 0
  task 4: npu.add.Tensor add_, stream 1
  record event 2 on stream 1
  task 5: aten.renorm.default cumprod, stream 0
  wait for event 2 on stream 0
  x: input 0, 256 bytes; add_ in the place of x
  w: input 1, 1024 bytes
  mm: arena, 256 bytes at 0, tasks 0 to 2
  cat: arena, 512 bytes at 256, tasks 1 to 5; cumsum at 0 as part of cat, cumsum_1 at 256 as part of cat, relu in the place of cat
  cumprod: arena, 512 bytes at 768, tasks 5 to 6
)log";

constexpr auto printed_by_the_compiler() {
    text_buffer<6000> out;
    print_phases<program>(out);
    return out;
}

} // namespace

int main() {
    const std::vector<machine::demand> demands(program::needs.size(), machine::demand{{1000}, {}});
    const launch_rules rules{2, demands, {}};
    std::string text;
    print_phases<program>(text, &rules);
    check_equal(text, phases_on_two_streams);
    // On one stream, where a phase has nothing to do. What the compiler prints is what is printed now.
    text.clear();
    print_phases<program>(text);
    check(text.find("\nassign_streams: nothing to do\nfind_live_ranges:\n  x: input 0, 256 bytes; add_ in the place of x\n") != text.npos, text);
    constexpr auto printed = printed_by_the_compiler();
    check_equal(printed.view(), text);
    check(printed.lost == 0);
    // The offsets of the last phase are the plan's.
    for (std::string_view name : {"mm", "cat", "cumprod"})
        for (node_id id : program::lowered_graph())
            if (const auto& n = program::lowered_graph()[id]; print(n.name).view() == name) {
                const auto& p = program::plan_view().placements[static_cast<std::size_t>(n.values.first)];
                const auto line = std::string(name) + ": arena, " + std::to_string(p.bytes) + " bytes at " + std::to_string(p.offset) + ", tasks " + std::to_string(p.first_task);
                check(text.find("\n  " + line, text.find("assign_offsets:")) != text.npos, line);
            }
    return report();
}
