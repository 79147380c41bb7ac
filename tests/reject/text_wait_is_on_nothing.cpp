// SPDX-License-Identifier: MIT
// A wait for an empty list.
// fault: wait_is_on_nothing
// expect: in_operator<[^"]*"air.wait.default"
// expect: at_line<3>
// expect: at least one record or tensor
// expect: an empty list
#include <ahead/ahead.hpp>

using namespace ahead;

struct scoped {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x : f32[3]):
    neg = torch.ops.aten.neg.default(x)
    wait = torch.ops.air.wait.default([])
    return (neg,)
)fx";
#else
        R"fx(def forward(self, x : f32[3]):
    neg = torch.ops.aten.neg.default(x)
    wait = torch.ops.air.wait.default([neg])
    return (neg,)
)fx";
#endif
};
static_assert(sizeof(compiled<fx<scoped>>) > 0);
