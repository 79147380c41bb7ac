// SPDX-License-Identifier: MIT
// A list of tensors where one tensor is returned.
// fault: result_is_not_a_tensor
// expect: result_is_not_a_tensor
// expect: at_line<5>
// expect: split
#include <ahead/ahead.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 4]"):
        split = torch.ops.aten.split.Tensor(x, 2, 1);  x = None
        getitem: "f32[2, 2]" = split[0];  split = None
        return (split,)
)fx";
#else
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 4]"):
        split = torch.ops.aten.split.Tensor(x, 2, 1);  x = None
        getitem: "f32[2, 2]" = split[0];  split = None
        return (getitem,)
)fx";
#endif
};
static_assert(sizeof(ahead::compiled<ahead::fx<source>>) > 0);
