// SPDX-License-Identifier: MIT
// npu.pad: a tensor with a border, which is a constant, the tensor's mirror image or its edge.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

enum class pad_mode : std::uint8_t { constant, reflect, replicate };

/// out[i...] = x[source(i - before)...]; out is contiguous, x has the given strides, in elements.
struct pad_key {
    dtype type = dtype::f32;
    pad_mode mode = pad_mode::constant;
    std::int32_t rank = 0;
    std::int64_t value_bits = 0; // constant: the bits of a double
    std::array<std::int64_t, max_rank> in{}, out{}, before{}, strides{};
    friend constexpr bool operator==(const pad_key&, const pad_key&) = default;
};
AHEAD_FIELDS(pad_key, type, mode, rank, value_bits, in, out, before, strides)

/// npu.pad(Tensor x, int[] before, int[] after, int mode, Scalar value): every dim grows at both ends; a negative
/// number shrinks it.
struct pad {
    static constexpr std::string_view name = "npu.pad"sv;
    enum at : int { x, before, after, mode, value };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor), required("before", parameter_kind::int_list),
        required("after", parameter_kind::int_list), required("mode", parameter_kind::integer),
        required("value", parameter_kind::scalar)};
    static constexpr bool infer(infer_context& c) {
        auto sizes = sizes_of(c.tensor(at::x));
        for (int d = 0; d < sizes.size; ++d) sizes[d] += c.ints(at::before)[d] + c.ints(at::after)[d];
        return c.result(tensor_of(c.tensor(at::x).type, sizes));
    }
    static constexpr pad_key key(const call_view& c) {
        pad_key key;
        key.type = c.tensor(at::x).type;
        key.rank = c.tensor(at::x).rank;
        key.mode = static_cast<pad_mode>(c.integer(at::mode));
        key.value_bits = std::bit_cast<std::int64_t>(c.real(at::value));
        for (int d = 0; d < key.rank; ++d) {
            const auto at = static_cast<std::size_t>(d);
            key.in[at] = c.tensor(at::x).size(d);
            key.strides[at] = c.tensor(at::x).stride(d);
            key.before[at] = c.ints(at::before)[d];
            key.out[at] = c.result_type().size(d);
        }
        return key;
    }
    static constexpr bounded_call bounded(const auto& c) {
        if (!c.is_sound()) return {};
        const auto x = c.given(at::x);
        bool ok = x.follows() && x.dim == c.result().dim && c.are_results_prefixes();
        for (const int side : {at::before, at::after}) ok = ok && c.of.full[c.at(side).children[x.dim]].integer() == 0;
        return ok ? c.pieces() : c.refuse("a bounded dim that does not grow, outermost", ahead::print(c.result_type()));
    }
};

} // namespace ahead::device
