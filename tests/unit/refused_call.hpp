// A call that is refused, by the type rule or by what its data is, and the sentence that says so.
// SPDX-License-Identifier: MIT
#pragma once
#include "../harness.hpp"
#include "../refusal.hpp"
#include "aten_run.hpp"

#include "../precompiled.hpp"

namespace test {

struct refused_call {
    std::string_view parameters, call;
    fault what;
    std::string_view expected, found;
    std::vector<host_tensor> inputs{};
};

inline std::string text_of(const refused_call& wrong) {
    // of several results the first one is returned
    const bool several = wrong.call.find("embedding_bag") < 2 || wrong.call.starts_with("nll_loss2d_forward") ||
                         wrong.call.find("_ex.default") != wrong.call.npos || wrong.call.starts_with("linalg_qr") ||
                         wrong.call.starts_with("linalg_lu.") || wrong.call.starts_with("lu_unpack") ||
                         wrong.call.starts_with("linalg_lstsq");
    return "def forward(self, " + std::string(wrong.parameters) + "):\n    r = torch.ops." +
           (wrong.call.starts_with("prims.") ? "" : "aten.") + std::string(wrong.call) +
           (several ? "\n    first = r[0]\n    return (first,)\n" : "\n    return (r,)\n");
}

inline void refused(const refused_call& wrong, location where = location::current()) {
    std::vector<host_tensor> outputs;
    const auto d = run<aten::registry>(text_of(wrong), wrong.inputs, outputs);
    check_fault(d, {.what = wrong.what, .expected = wrong.expected, .found = wrong.found}, where);
}

} // namespace test
