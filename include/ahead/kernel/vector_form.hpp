// SPDX-License-Identifier: MIT
// Which pointwise operators run on vectors, and how: the same bits as packet_math.hpp says, wherever they run. Called
// by pointwise.hpp, fused.hpp, fused_rows.hpp and epilogue.hpp.
#pragma once
#include <ahead/aten/pointwise/activation.hpp>
#include <ahead/aten/pointwise/arithmetic.hpp>
#include <ahead/aten/pointwise/power.hpp>
#include <ahead/aten/pointwise/unary.hpp>
#include <ahead/kernel/vector/packet_math.hpp>
#include <ahead/target/key/pointwise_key.hpp>
#include <bit>

namespace AHEAD_NAMESPACE::npu::kernel {

/// Specialised for operators with a packet form: run(lanes...) for the operands, then for the constants that matter.
template <class Op> struct vector_form {
    static constexpr bool exists = false;
};
struct packets {
    static constexpr bool exists = true;
    static constexpr bool is_short = true; // an instruction or two
    static constexpr bool fits(const target::pointwise_key&) { return true; }
};
struct long_packets : packets {
    static constexpr bool is_short = false;
};

/// The constant in a slot is this number.
constexpr bool is_constant_equal(const target::pointwise_slot& slot, std::int64_t number) {
    using source = target::pointwise_slot::source;
    return (slot.from == source::integer && slot.bits == number) ||
           (slot.from == source::real && std::bit_cast<double>(slot.bits) == static_cast<double>(number));
}
struct unscaled_packets : packets {
    static constexpr bool fits(const target::pointwise_key& key) { return is_constant_equal(key.slots[2], 1); }
};

template <> struct vector_form<aten::relu> : packets {
    static auto run(auto x) { return relu(x); }
};
template <> struct vector_form<aten::sqrt> : long_packets {
    static auto run(auto x) { return sqrt(x); }
};
template <> struct vector_form<aten::exp> : long_packets {
    static auto run(auto x) { return exp(x); }
};
template <> struct vector_form<aten::tanh> : long_packets {
    static auto run(auto x) { return tanh(x); }
};
template <> struct vector_form<aten::sigmoid> : long_packets {
    static auto run(auto x) { return sigmoid(x); }
};
template <> struct vector_form<aten::erf> : long_packets {
    static auto run(auto x) { return erf(x); }
};
template <> struct vector_form<aten::gelu> : long_packets {
    static constexpr bool fits(const target::pointwise_key& key) {
        return is_constant_equal(key.slots[1], static_cast<int>(aten::approximation::none));
    }
    static auto run(auto x, auto) {
        using lanes_type = decltype(x);
        return x * lanes_type::all(0.5f) *
               (lanes_type::all(1) +
                erf(x * lanes_type::all(static_cast<typename lanes_type::element>(0.70710678118654752440))));
    }
};
template <> struct vector_form<aten::mul> : packets {
    static auto run(auto x, auto y) { return x * y; }
};
template <> struct vector_form<aten::mul_scalar> : packets {
    static auto run(auto x, auto y) { return x * y; }
};
template <> struct vector_form<aten::div> : long_packets {
    static auto run(auto x, auto y) { return x / y; }
};
template <> struct vector_form<aten::div_scalar> : long_packets {
    static auto run(auto x, auto y) { return x / y; }
};
template <> struct vector_form<aten::add> : unscaled_packets {
    static auto run(auto x, auto y, auto) { return x + y; }
};
template <> struct vector_form<aten::add_scalar> : unscaled_packets {
    static auto run(auto x, auto y, auto) { return x + y; }
};
template <> struct vector_form<aten::sub> : unscaled_packets {
    static auto run(auto x, auto y, auto) { return x - y; }
};
template <> struct vector_form<aten::sub_scalar> : unscaled_packets {
    static auto run(auto x, auto y, auto) { return x - y; }
};
template <> struct vector_form<aten::pow_tensor_scalar> : packets {
    static constexpr bool fits(const target::pointwise_key& key) { return is_constant_equal(key.slots[1], 2); }
    static auto run(auto x, auto) { return x * x; }
};

} // namespace ahead::npu::kernel
