// SPDX-License-Identifier: MIT
// Texts on streams of their own, and what their runs refuse, for the tests of sessions and of launches on threads.
#pragma once
#include <ahead/core/error.hpp>
#include <string>
#include <string_view>

namespace test {

/// Both inputs are written, one on a stream of its own.
struct writes {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[24, 24], y : f32[24, 24]):
    enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['side'])
    m = torch.ops.aten.mul_.Tensor(x, 0.5)
    n = torch.ops.aten.mm.default(x, x)
    r = torch.ops.air.record.default()
    leave = torch.ops.air.scope_exit.default()
    s = torch.ops.aten.sin_.default(y)
    w = torch.ops.air.wait.default([r])
    z = torch.ops.aten.add.Tensor(n, y)
    return (z,)
)fx";
};

/// Lookups on three streams; what follows each of them on another stream reads what it found as indices.
struct lookups {
    static constexpr std::string_view text = R"fx(def forward(self, table : i64[8, 1], x : i64[4], y : i64[4], z : i64[4]):
    enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['first'])
    a = torch.ops.aten.embedding.default(table, x)
    enter_1 = torch.ops.air.scope_enter.default(['_user_stream_label'], ['second'])
    b = torch.ops.aten.embedding.default(table, y)
    c = torch.ops.aten.embedding.default(table, a)
    exit_1 = torch.ops.air.scope_exit.default()
    d = torch.ops.aten.embedding.default(table, b)
    exit_2 = torch.ops.air.scope_exit.default()
    e = torch.ops.aten.embedding.default(table, z)
    f = torch.ops.aten.embedding.default(table, c)
    g = torch.ops.aten.embedding.default(table, d)
    return (e, f, g)
)fx";
};

/// What f says where it refuses these inputs.
template <class F, class... Inputs>
std::string thrown_by(F&& f, const Inputs&... inputs) {
    try {
        f(inputs...);
    } catch (const ahead::error& e) {
        return e.what();
    }
    return "nothing";
}

} // namespace test
