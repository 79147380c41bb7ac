// SPDX-License-Identifier: MIT
// A program that decomposes matrices without the header that has the kernels.
// fault: kernel_header_is_not_included
// expect: kernel_header_is_not_included
// expect: at_line<3>
// expect: #include <ahead/linalg.hpp>
// expect: npu.decompose
#include <ahead/ahead.hpp>
#ifndef REJECT
#include <ahead/linalg.hpp>
#endif

struct source {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3, 3]"):
        made = torch.ops.aten._linalg_eigh.default(x);  x = None
        getitem: "f32[3]" = made[0];  made = None
        return (getitem,)
)fx";
};
static_assert(sizeof(ahead::compiled<ahead::fx<source>>) > 0);
