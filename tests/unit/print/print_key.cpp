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
using namespace ahead::rooms;
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

constexpr device::fused_key fused{
    .loop = {.operands = 1, .rank = 1, .types = {{dtype::f64, dtype::f64}}, .sizes = {{7}}, .strides = {{{{1}}, {{1}}}}},
    .count = 1,
    .steps = {{{.parameters = 1, .slots = {{{.from = device::pointwise_slot::source::operand}}}}}}};

} // namespace

int main() {
    tells_all_fields<device::matmul_key>();
    tells_all_fields<device::batch_matmul_key>();
    tells_all_fields<device::convolution_key>();
    tells_all_fields<device::epilogue_key>();
    tells_all_fields<device::max_pool2d_key>();
    tells_all_fields<device::average_pool2d_key>();
    tells_all_fields<device::pad_key>();
    tells_all_fields<device::reduce_key>();
    tells_all_fields<device::arg_reduce_key>();
    tells_all_fields<device::cumulate_key>();
    tells_all_fields<device::sort_key>();
    tells_all_fields<device::resize_key>();
    tells_all_fields<device::fft_key>();
    tells_all_fields<device::decompose_key>();
    tells_all_fields<device::solve_key>();
    tells_all_fields<device::softmax_key>();
    tells_all_fields<device::layer_norm_key>();
    tells_all_fields<device::concat_key>();
    tells_all_fields<device::index_select_key>();
    tells_all_fields<device::indexed_key>();
    tells_all_fields<device::scatter_key>();
    tells_all_fields<device::strided_key>();
    tells_all_fields<device::scatter_view_key>();
    tells_all_fields<device::pointwise_key>();
    tells_all_fields<device::fused_key>();
    tells_all_fields<device::fused_rows_key>();

    check_equal(print_key(device::softmax_key{}), "ahead::device::softmax_key{}");
    check_equal(print_key(device::pad_key{.mode = device::pad_mode::reflect, .rank = 2, .in = {{3, 4}}, .before = {{0, -1}}}),
                "ahead::device::pad_key{.mode = ahead::device::pad_mode::reflect, .rank = 2, .in = {{3, 4}}, .before = {{0, -1}}}");
    check_equal(print_key(device::layer_norm_key{.type = dtype::f64, .weight = true, .eps_bits = std::numeric_limits<std::int64_t>::min()}),
                "ahead::device::layer_norm_key{.type = ahead::ir::dtype::f64, .weight = true, .eps_bits = -9223372036854775807 - 1}");
    check_equal(print_key(fused), "ahead::device::fused_key{.loop = {.operands = 1, .rank = 1, .types = {{ahead::ir::dtype::f64, ahead::ir::dtype::f64}}, "
                                  ".sizes = {{7}}, .strides = {{{{1}}, {{1}}}}}, .count = 1, .steps = {{{.parameters = 1, .slots = "
                                  "{{{.from = ahead::device::pointwise_slot::source::operand}}}}}}}");
    check_equal(print_key(device::call_key<device::call_size{1, 0, 0}>{.arguments = {{{.kind = argument_kind::string, .text = "a\"\\\n\xc3"}}}}),
                "ahead::device::call_key<ahead::device::call_size{1, 0, 0}>{.arguments = {{{.kind = ahead::ir::argument_kind::string, "
                ".text = \"a\\\"\\\\\\012\\303\"}}}}");
    check_equal(print_operators(op_list<aten::add, aten::relu>{}), "ahead::op_list<ahead::aten::add, ahead::aten::relu>");
    return test::report();
}
