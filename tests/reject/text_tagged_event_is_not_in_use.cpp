// SPDX-License-Identifier: MIT
// A wait for a tagged event that only the next line records.
// fault: tagged_event_is_not_in_use
// expect: in_operator<[^"]*"air.tagged_event_wait.default"
// expect: at_line<2>
// expect: a record of tag 66 above it
// expect: found<[^"]*"none"
#include <ahead/ahead.hpp>

using namespace ahead;

struct scoped {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x : f32[3]):
    wait = torch.ops.air.tagged_event_wait.default('66')
    record = torch.ops.air.tagged_event_record.default('66')
    neg = torch.ops.aten.neg.default(x)
    return (neg,)
)fx";
#else
        R"fx(def forward(self, x : f32[3]):
    record = torch.ops.air.tagged_event_record.default('66')
    wait = torch.ops.air.tagged_event_wait.default('66')
    neg = torch.ops.aten.neg.default(x)
    return (neg,)
)fx";
#endif
};
static_assert(sizeof(compiled<fx<scoped>>) > 0);
