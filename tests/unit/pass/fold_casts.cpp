// SPDX-License-Identifier: MIT
// Pairs of conversions: those that one conversion replaces, and those whose middle rounds, or has other strides, which stay.
#include "after_passes.hpp"

#include <ahead/pass/fold_casts.hpp>

using namespace ahead;
using namespace test;
using namespace test::after_passes;

namespace {

constexpr auto folded = pass::pipeline<>{} | pass::fold_casts | pass::eliminate_dead_code;

constexpr bool has_values(dtype type, std::initializer_list<dtype> all) {
    for (int i = 0; i <= static_cast<int>(dtype::c128); ++i) {
        bool is_listed = static_cast<dtype>(i) == type;
        for (const auto one : all) is_listed = is_listed || static_cast<dtype>(i) == one;
        if (pass::detail::has_values_of(type, static_cast<dtype>(i)) != is_listed) return false;
    }
    return true;
}
using enum dtype;
static_assert(has_values(f64, {b8, u8, i8, i16, i32, u16, u32, f8_e4m3, f8_e5m2, f16, bf16, f32}));
static_assert(has_values(f32, {b8, u8, i8, i16, u16, f8_e4m3, f8_e5m2, f16, bf16}));
static_assert(has_values(f16, {b8, u8, i8, f8_e4m3, f8_e5m2}) && has_values(bf16, {b8, u8, i8, f8_e4m3, f8_e5m2}));
static_assert(has_values(i64, {b8, u8, i8, i16, i32, u16, u32}) && has_values(u16, {b8, u8}) && has_values(b8, {}) && has_values(c64, {}));

constexpr std::string_view pairs = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f16[2, 3]", y: "f32[2, 3]"):
        wide: "f32[2, 3]" = torch.ops.aten._to_copy.default(x, dtype = torch.float32)
        wider: "f64[2, 3]" = torch.ops.prims.convert_element_type.default(wide, torch.float64)
        same: "f16[2, 3]" = torch.ops.aten._to_copy.default(wide, dtype = torch.float16)
        exp: "f16[2, 3]" = torch.ops.aten.exp.default(same)
        half: "f16[2, 3]" = torch.ops.aten._to_copy.default(y, dtype = torch.float16)
        again: "f32[2, 3]" = torch.ops.aten._to_copy.default(half, dtype = torch.float32)
        return (wider, exp, again)
)fx";
constexpr std::string_view single = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f16[2, 3]", y: "f32[2, 3]"):
        wider: "f64[2, 3]" = torch.ops.prims.convert_element_type.default(x, torch.float64)
        exp: "f16[2, 3]" = torch.ops.aten.exp.default(x)
        half: "f16[2, 3]" = torch.ops.aten._to_copy.default(y, dtype = torch.float16)
        again: "f32[2, 3]" = torch.ops.aten._to_copy.default(half, dtype = torch.float32)
        return (wider, exp, again)
)fx";
constexpr std::string_view turned = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f16[2, 3][1, 2]"):
        wide: "f32[2, 3]" = torch.ops.aten._to_copy.default(x, dtype = torch.float32, memory_format = torch.contiguous_format);  x = None
        wider: "f64[2, 3]" = torch.ops.aten._to_copy.default(wide, dtype = torch.float64);  wide = None
        return (wider,)
)fx";

} // namespace

int main() {
    check_becomes(folded, pairs, single);
    check_becomes(pass::builtin, pairs, single);
    check_equal(after(folded, pairs, config{.remove_noop_ops = false}).view(), pairs);
    check(after(folded, turned).view().find("_to_copy.default(wide") != std::string_view::npos);
    return report();
}
