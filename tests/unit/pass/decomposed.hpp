// Applies the built-in decompositions to a text, checks that it means the same, and lists the calls that are left:
// shared by their tests.
// SPDX-License-Identifier: MIT
#pragma once
#include "harness.hpp"
#include "lowered.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

#include <string>

namespace test::decompositions {

using namespace ahead;
using namespace ahead::rooms;

inline constexpr op_table op_rows = aten::registry::table;
using reading = typed_reading<capacity{128, 768, 288}>;

inline std::string targets_of(graph_view g) {
    std::string out;
    for (node_id n : g)
        if (g[n].kind == node_kind::call) out += std::string(base_of(g[n].target)) + " ";
    return out;
}
// The body of a graph of x: f32[2, 4, 6], y: f32[4, 6], w, b: f32[4], row: f32[6], m: f32[6, 3].
inline std::string text_of(std::string_view body) {
    std::string out = "def forward(self, x : f32[2, 4, 6], y : f32[4, 6], w : f32[4], b : f32[4], row : f32[6], m : f32[6, 3], n : f64[3, "
                      "4], k : i64[4, 6]):\n";
    for (std::size_t at = 0; at < body.size();) {
        const auto end = body.find(';', at);
        out += "    " + std::string(body.substr(at, end - at)) + "\n";
        at = end + 2;
    }
    return out;
}
// What a call becomes. Law: equivalent, and nothing that is left runs on the AI CPU, but for what prepare does, in brackets.
inline std::string becomes(std::string_view body) {
    const auto text = text_of(body);
    const reading before(text);
    reading after(text);
    if (!after.error.ok()) return std::string(name_of(after.error.what));
    const pass::pipeline<pass::decompose_pass> passes;
    const bool applies = pass::any_applies(passes, config{}, after.storage.view(), op_rows);
    std::int32_t changes = 0;
    if (!pass::run(passes, config{}, after.storage.edit(), op_rows, after.error,
                   [&](std::string_view, graph_view, std::int32_t more) { changes += more; }))
        return std::string(name_of(after.error.what)) + ": " + std::string(after.error.expected.view()) + ", " +
               std::string(after.error.found.view());
    check(applies == (changes > 0), text);
    diagnosis d;
    check(equivalent(before.storage.view(), after.storage.view(), 5, d), text + std::string(d.found.view()));
    if (changes > 0) {
        const lowered device(after.storage.view());
        auto tasks = device.tasks();
        for (auto at = tasks.find("[aten."); at != std::string::npos; at = tasks.find("[aten.")) tasks.erase(at, 6);
        check(device.error.ok() && tasks.find("aten.") == std::string::npos, text + device.tasks());
    }
    return targets_of(after.storage.view());
}

// v: c64[2, 4, 3], the pairs of x.
inline const std::string complex_x = "p = torch.ops.aten.view.default(x, [2, 4, 3, 2]); v = torch.ops.aten.view_as_complex.default(p); ";

// One call, whose first result is returned.
inline std::string becomes_call(std::string_view call) { return becomes("r = torch.ops.aten." + std::string(call) + "; return (r,);"); }
inline std::string becomes_first(std::string_view call) { return becomes("r = torch.ops.aten." + std::string(call) + "; g = r[0]; return (g,);"); }

} // namespace test::decompositions
