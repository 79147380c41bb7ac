// channels_last: which strides are, and what a convolution makes of them.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/aten/product/convolution.hpp>
#include <ahead/frontend/fx/read_fx.hpp>

using namespace ahead;
using namespace test;

namespace {

constexpr tensor_type strided(const int_list& sizes, const int_list& strides) {
    auto t = tensor_of(dtype::f32, sizes);
    for (int d = 0; d < strides.size; ++d) t.strides[static_cast<std::size_t>(d)] = strides[d];
    return t;
}
constexpr bool last(const int_list& sizes, const int_list& strides) { return is_channels_last(strided(sizes, strides)); }

constexpr bool tells_formats_apart() {
    return last({2, 3, 4, 5}, {60, 1, 15, 3}) && !last({2, 3, 4, 5}, {60, 20, 5, 1}) && last({7, 1, 4, 1}, {4, 1, 1, 1}) &&
           !last({7, 1, 4, 1}, {4, 4, 1, 1}) && !last({1, 4, 1, 6}, {24, 6, 6, 1}) && !last({1, 6, 1, 4}, {24, 1, 6, 6}) &&
           !last({2, 3, 0, 5}, {1, 1, 1, 1}) && !last({2, 3, 4, 5}, {0, 0, 0, 0}) && !last({2, 3, 4}, {12, 1, 3});
}
// Sizes of 1 can leave it open: then it is row-major, as in PyTorch.
constexpr bool open_ones_are_row_major() { return !last({7, 1, 1, 1}, {1, 1, 1, 1}) && !last({7, 1, 1, 1}, {9, 9, 9, 9}); }
constexpr bool makes_what_it_tells() {
    auto t = tensor_of(dtype::f32, {2, 3, 4, 5});
    make_channels_last(t);
    auto one = tensor_of(dtype::f32, {1, 3, 1, 5});
    make_channels_last(one);
    return t == strided({2, 3, 4, 5}, {60, 1, 15, 3}) && is_channels_last(t) && one == strided({1, 3, 1, 5}, {15, 1, 15, 3});
}
static_assert(tells_formats_apart() && open_ones_are_row_major() && makes_what_it_tells());

// The annotations are what PyTorch prints, so inference must give them.
constexpr bool convolutions_keep_the_format() {
    constexpr std::string_view text =
        R"fx(def forward(self, x: "f32[2, 3, 8, 8]", l: "f32[2, 3, 8, 8][192, 1, 24, 3]", k: "f32[4, 3, 3, 3]", m: "f32[4, 3, 3, 3][27, 1, 9, 3]"):
    a: "f32[2, 4, 6, 6][144, 36, 6, 1]" = torch.ops.aten.convolution.default(x, k, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    b: "f32[2, 4, 6, 6][144, 1, 24, 4]" = torch.ops.aten.convolution.default(l, k, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    c: "f32[2, 4, 6, 6][144, 1, 24, 4]" = torch.ops.aten.convolution.default(x, m, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    return (a, b, c)
)fx";
    using registry = op_list<aten::convolution>;
    graph_storage<capacity{8, 80, 8}> storage;
    fx_style style;
    diagnosis d;
    return read_fx(text, registry::table, storage.edit(), style, d) && infer_types(storage.edit(), registry::table, d);
}
static_assert(convolutions_keep_the_format());

} // namespace

int main() {
    check(tells_formats_apart());
    check(open_ones_are_row_major());
    check(makes_what_it_tells());
    check(convolutions_keep_the_format());
    return report();
}
