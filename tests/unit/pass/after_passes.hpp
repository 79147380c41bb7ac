// Applies passes to a text, at compile time and at run time: shared by the tests of passes.
// SPDX-License-Identifier: MIT
#pragma once
#include "harness.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

namespace test::after_passes {

using namespace ahead;
using namespace ahead::rooms;

inline constexpr op_table op_rows = aten::registry::table;
using reading = typed_reading<capacity{48, 200, 64}>;

template <class Pipeline>
inline constexpr auto after(Pipeline passes, std::string_view text, const config& options = {}) {
    return listing_after<reading>(passes, text, options);
}
template <class Pipeline>
inline constexpr bool becomes(Pipeline passes, std::string_view text, std::string_view wanted) {
    return after(passes, text).view() == wanted;
}
template <class Pipeline>
inline constexpr bool stays(Pipeline passes, std::string_view text) {
    return becomes(passes, text, text);
}

template <class Pipeline>
inline void check_becomes(Pipeline passes, std::string_view text, std::string_view wanted) {
    check_equal(after(passes, text).view(), wanted);
    const reading before(text), result(wanted);
    diagnosis d;
    check(before.error.ok() && result.error.ok() && equivalent(before.storage.view(), result.storage.view(), 1, d));
}

inline constexpr std::string_view twice = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(x, 2)
        mul_1: "f32[2, 3]" = torch.ops.aten.mul.Scalar(x, 2);  x = None
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(mul);  mul = None
        exp_1: "f32[2, 3]" = torch.ops.aten.exp.default(mul_1);  mul_1 = None
        add: "f32[2, 3]" = torch.ops.aten.add.Tensor(exp, exp_1);  exp = exp_1 = None
        return (add,)
)fx";
inline constexpr std::string_view once = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(x, 2);  x = None
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(mul);  mul = None
        add: "f32[2, 3]" = torch.ops.aten.add.Tensor(exp, exp);  exp = None
        return (add,)
)fx";
inline constexpr std::string_view without_dead_code = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 4]", unused: "f32[1]"):
        exp: "f32[2, 4]" = torch.ops.aten.exp.default(x);  x = None
        return (exp,)
)fx";

} // namespace test::after_passes
