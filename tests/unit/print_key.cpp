// Keys as C++: what is printed, and that no field is left out. That every key of some models compiles to itself is unit.keys.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/device/device_ops.hpp>
#include <ahead/print/print_key.hpp>

#include <array>
#include <bit>
#include <cstddef>

using namespace ahead;
using test::check;
using test::check_equal;

namespace {

/// Each bit that makes another key makes another text, and no other bit does. No text lies in the key.
template <class Key> void tells_all_fields() {
    using bytes = std::array<std::byte, sizeof(Key)>;
    const Key usual{};
    const auto as_usual = print_key(usual);
    int telling = 0;
    for (std::size_t at = 0; at < sizeof(Key); ++at) {
        auto other = std::bit_cast<bytes>(usual);
        other[at] ^= std::byte{1};
        const auto changed = std::bit_cast<Key>(other);
        telling += !(changed == usual);
        check((print_key(changed) == as_usual) == (changed == usual), as_usual + ", byte " + std::to_string(at));
    }
    check(telling >= 4, as_usual);
}

constexpr target::fused_key fused{
    .loop = {.operands = 1, .rank = 1, .types = {{dtype::f64, dtype::f64}}, .sizes = {{7}}, .strides = {{{{1}}, {{1}}}}},
    .count = 1,
    .steps = {{{.parameters = 1, .slots = {{{.from = target::pointwise_slot::source::operand}}}}}}};

} // namespace

int main() {
    tells_all_fields<target::matmul_key>();
    tells_all_fields<target::batch_matmul_key>();
    tells_all_fields<target::convolution_key>();
    tells_all_fields<target::epilogue_key>();
    tells_all_fields<target::max_pool2d_key>();
    tells_all_fields<target::average_pool2d_key>();
    tells_all_fields<target::pad_key>();
    tells_all_fields<target::reduce_key>();
    tells_all_fields<target::arg_reduce_key>();
    tells_all_fields<target::cumulate_key>();
    tells_all_fields<target::sort_key>();
    tells_all_fields<target::resize_key>();
    tells_all_fields<target::fft_key>();
    tells_all_fields<target::softmax_key>();
    tells_all_fields<target::layer_norm_key>();
    tells_all_fields<target::concat_key>();
    tells_all_fields<target::index_select_key>();
    tells_all_fields<target::indexed_key>();
    tells_all_fields<target::scatter_key>();
    tells_all_fields<target::strided_key>();
    tells_all_fields<target::scatter_view_key>();
    tells_all_fields<target::pointwise_key>();
    tells_all_fields<target::fused_key>();
    tells_all_fields<target::fused_rows_key>();

    check_equal(print_key(target::softmax_key{}), "ahead::target::softmax_key{}");
    check_equal(print_key(target::pad_key{.mode = target::pad_mode::reflect, .rank = 2, .in = {{3, 4}}, .before = {{0, -1}}}),
                "ahead::target::pad_key{.mode = ahead::target::pad_mode::reflect, .rank = 2, .in = {{3, 4}}, .before = {{0, -1}}}");
    check_equal(print_key(target::layer_norm_key{.type = dtype::f64, .weight = true, .eps_bits = std::numeric_limits<std::int64_t>::min()}),
                "ahead::target::layer_norm_key{.type = ahead::dtype::f64, .weight = true, .eps_bits = -9223372036854775807 - 1}");
    check_equal(print_key(fused), "ahead::target::fused_key{.loop = {.operands = 1, .rank = 1, .types = {{ahead::dtype::f64, ahead::dtype::f64}}, "
                                  ".sizes = {{7}}, .strides = {{{{1}}, {{1}}}}}, .count = 1, .steps = {{{.parameters = 1, .slots = "
                                  "{{{.from = ahead::target::pointwise_slot::source::operand}}}}}}}");
    check_equal(print_key(target::call_key<target::call_size{1, 0, 0}>{.arguments = {{{.kind = argument_kind::string, .text = "a\"\\\n\xc3"}}}}),
                "ahead::target::call_key<ahead::target::call_size{1, 0, 0}>{.arguments = {{{.kind = ahead::argument_kind::string, "
                ".text = \"a\\\"\\\\\\012\\303\"}}}}");
    check_equal(print_operators(op_list<aten::add, aten::relu>{}), "ahead::op_list<ahead::aten::add, ahead::aten::relu>");
    return test::report();
}
