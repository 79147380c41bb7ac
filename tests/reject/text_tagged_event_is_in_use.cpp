// SPDX-License-Identifier: MIT
// A tagged event that is recorded twice before anyone waits for it.
// fault: tagged_event_is_in_use
// expect: in_operator<[^"]*"air.tagged_event_record.default"
// expect: at_line<4>
// expect: a wait for tag 66 before
// expect: recorded by record
#include <ahead/ahead.hpp>

using namespace ahead;

struct scoped {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x : f32[3]):
    record = torch.ops.air.tagged_event_record.default('66')
    neg = torch.ops.aten.neg.default(x)
    record_1 = torch.ops.air.tagged_event_record.default('66')
    return (neg,)
)fx";
#else
        R"fx(def forward(self, x : f32[3]):
    record = torch.ops.air.tagged_event_record.default('66')
    neg = torch.ops.aten.neg.default(x)
    wait = torch.ops.air.tagged_event_wait.default('66')
    record_1 = torch.ops.air.tagged_event_record.default('66')
    return (neg,)
)fx";
#endif
};
static_assert(sizeof(compiled<fx<scoped>>) > 0);
