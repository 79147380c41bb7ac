// Printed types: what is read, and why what is not a type is refused. Each law holds at compile time and at run time, by the same functions.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ir/type/annotation.hpp>

#include <string>

// fault: dimension_is_dynamic
// fault: text_is_malformed
// fault: input_type_is_missing
// fault: dtype_is_unsupported
// fault: tensor_is_too_large

using namespace ahead;
using namespace test;

namespace {

constexpr bool reads(std::string_view text, const tensor_type& type, bool strides, std::string_view device) {
    annotation out;
    diagnosis d;
    return read_annotation(text, out, d) && d.ok() && out.type == type && out.has_strides == strides && out.device == device;
}
constexpr tensor_type strided(dtype type, const int_list& sizes, const int_list& strides) {
    auto t = tensor_of(type, sizes);
    for (int d = 0; d < strides.size; ++d) t.strides[static_cast<std::size_t>(d)] = strides[d];
    return t;
}
constexpr bool reads_types() {
    return reads("f32[2, 3]", tensor_of(dtype::f32, {2, 3}), false, "") && reads("i64[]", tensor_of(dtype::i64, {}), false, "") &&
           reads("b8[][]cuda:0", tensor_of(dtype::b8, {}), true, "cuda:0") &&
           reads("f32[2, 3]cpu", tensor_of(dtype::f32, {2, 3}), false, "cpu") &&
           reads("bf16[2, 3][1, 2]npu:1", strided(dtype::bf16, {2, 3}, {1, 2}), true, "npu:1") &&
           reads("f32[999999, 1000, 99999]", tensor_of(dtype::f32, {999'999, 1'000, 99'999}), false, "") &&
           reads("f32[33][8796093022207]cpu", strided(dtype::f32, {33}, {8'796'093'022'207}), true, "cpu") &&
           reads("f64[0, 999999999999]", tensor_of(dtype::f64, {0, 999'999'999'999}), false, "") &&
           reads("Sym(1.5)", tensor_of(dtype::f64, {}), false, "") && reads("Sym(-2.5e-07)", tensor_of(dtype::f64, {}), false, "") &&
           reads("u8[1, 2, 3, 4, 5, 6, 7, 8]", tensor_of(dtype::u8, {1, 2, 3, 4, 5, 6, 7, 8}), false, "");
}
static_assert(reads_types());

struct bad_type {
    std::string_view text;
    fault what;
};
constexpr bad_type bad[] = {
    {"f32[s0, 3]", fault::dimension_is_dynamic},
    {"f32[2*s0]", fault::dimension_is_dynamic},
    {"f32[2, 3][s0, 1]", fault::dimension_is_dynamic},
    {"Sym(s0)", fault::dimension_is_dynamic},
    {"Sym(1.5*s0)", fault::dimension_is_dynamic},
    {"c32[2]", fault::dtype_is_unsupported},
    {"f8e4m3fnuz[2]", fault::dtype_is_unsupported},
    {"torch.Tensor", fault::input_type_is_missing},
    {"Tensor", fault::input_type_is_missing},
    {"", fault::text_is_malformed},
    {"f32", fault::text_is_malformed},
    {"f33[2]", fault::text_is_malformed},
    {"f32[2", fault::text_is_malformed},
    {"f32[2,3]", fault::text_is_malformed},
    {"f32[2, ]", fault::text_is_malformed},
    {"f32[, 2]", fault::text_is_malformed},
    {"f32[-1]", fault::text_is_malformed},
    {"f32[1e400, 2]", fault::text_is_malformed},
    {"f32[2]]", fault::text_is_malformed},
    {"f32[2] cpu", fault::text_is_malformed},
    {"f32[2]cuda:x", fault::text_is_malformed},
    {"f32[2][1, 1]", fault::text_is_malformed},
    {"f32[2][1", fault::text_is_malformed},
    {"f32[1, 1, 1, 1, 1, 1, 1, 1, 1]", fault::text_is_malformed},
    // either way to read a type, short and with strides or a device, ends at one limit
    {"f32[999999, 1000, 999999]", fault::tensor_is_too_large},
    {"f32[999999, 1000, 999999]cpu", fault::tensor_is_too_large},
    {"f32[281474976710656]", fault::tensor_is_too_large},
    {"f32[1234567890123456789]", fault::tensor_is_too_large},
    {"f32[123456789012345678901234567890]", fault::tensor_is_too_large},
    {"f32[999999999999999999, 999999999999999999]", fault::tensor_is_too_large},
    {"f32[33][576460752303423488]cpu", fault::tensor_is_too_large},
    {"f32[33][8796093022208]cpu", fault::tensor_is_too_large},
    {"f32[2, 2][123456789012345678901234567890, 1]", fault::tensor_is_too_large},
};
constexpr bool is_refused(const bad_type& b) {
    annotation out;
    diagnosis d;
    return !read_annotation(b.text, out, d) && d.what == b.what && d.found.view() == b.text && d.expected.length > 0;
}
constexpr bool expects(std::string_view text, std::string_view what) {
    annotation out;
    diagnosis d;
    return !read_annotation(text, out, d) && d.expected.view() == what;
}
static_assert(expects("f32[2, -1]", "sizes from 0") && expects("f32[1, 1, 1, 1, 1, 1, 1, 1, 1]", "at most 8 constant sizes"));
constexpr bool all_refused() {
    for (const auto& b : bad)
        if (!is_refused(b)) return false;
    return true;
}
static_assert(all_refused());

} // namespace

int main() {
    check(reads_types());
    for (const auto& b : bad) check(is_refused(b), b.text);
    return report();
}
