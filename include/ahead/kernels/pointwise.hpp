// SPDX-License-Identifier: MIT
// The kernel of every pointwise operator, generated from its meaning. Operators with a vector form run as a fused loop
// of one step if elements of one floating dtype are contiguous; the others run their meaning element by element.
// Invariant: the form that runs depends only on the key, so both executions of a plan give the same bits.
#pragma once
#include <ahead/aten/pointwise/ternary.hpp>
#include <ahead/device/pointwise.hpp>
#include <ahead/kernels/fused.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/nest.hpp>
#include <ahead/kernels/vector_form.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// v, an operand or a number, rounded to the key's dtype, in the type C that this dtype is computed in.
template <device::pointwise_key Key, class C, class T> [[gnu::always_inline]] constexpr C as_computed(T v) {
    if constexpr (has_kernels(Key.computed) || std::is_same_v<T, element_t<Key.computed>>) return static_cast<C>(v);
    else return static_cast<C>(math::convert<element_t<Key.computed>>(v));
}
/// A number among tensors: unrounded if it is computed with, rounded like an element if it is compared.
template <device::pointwise_key Key, class C, class T> [[gnu::always_inline]] constexpr C number_as_computed(T v) {
    if constexpr (has_fractions(Key.computed) && Key.loop.types[0] == dtype::b8) return as_computed<Key, C>(v);
    else return static_cast<C>(v);
}

/// The value of slot S, of type C, for element i of the innermost dim.
template <class Op, device::pointwise_key Key, std::size_t S, class C>
[[gnu::always_inline]] inline C slot_value(const auto& pointers, std::int64_t i) {
    using source = device::pointwise_slot::source;
    constexpr auto slot = Key.slots[S];
    if constexpr (slot.from == source::operand) {
        constexpr auto operand = static_cast<std::size_t>(slot.bits);
        constexpr auto stride =
            Key.loop.rank == 0 ? 0 : Key.loop.strides[operand + 1][static_cast<std::size_t>(Key.loop.rank - 1)];
        using T = element_t<Key.loop.types[operand + 1]>;
        const T v = reinterpret_cast<const T*>(pointers[operand])[i * stride];
        constexpr bool is_number = aten::keeps_scalar<Op>(static_cast<int>(S)) && is_half(Key.computed) &&
                                   is_floating(Key.loop.types[operand + 1]);
        if constexpr (is_number) return static_cast<C>(v);
        else return as_computed<Key, C>(v);
    } else if constexpr (slot.from == source::integer) {
        return number_as_computed<Key, C>(slot.bits);
    } else if constexpr (slot.from == source::complex) {
        return static_cast<C>(std::bit_cast<complex64>(slot.bits));
    } else if constexpr (slot.from == source::real) {
        return number_as_computed<Key, C>(std::bit_cast<double>(slot.bits));
    } else {
        if constexpr (requires { Op::template absent<C>(0); })
            return aten::within(Key.computed, Op::template absent<C>(static_cast<int>(S)));
        else return C{};
    }
}

/// Whether the innermost dim can run on packets: one floating dtype throughout, operands contiguous or broadcast along
/// it.
template <class Op> constexpr bool runs_on_packets(const device::pointwise_key& key) {
    if (!vector_form<Op>::exists || !is_floating(key.computed) || is_f8(key.computed) ||
        key.loop.types[0] != key.computed)
        return false;
    if constexpr (vector_form<Op>::exists)
        if (!vector_form<Op>::fits(key)) return false;
    if (key.loop.rank == 0) return true;
    const auto inner = static_cast<std::size_t>(key.loop.rank - 1);
    for (std::size_t t = 0; t <= static_cast<std::size_t>(key.loop.operands); ++t) {
        const auto stride = key.loop.strides[t][inner];
        if (key.loop.types[t] != key.computed || (stride != 1 && (t == 0 || stride != 0))) return false;
    }
    return true;
}

constexpr bool has_contiguous_operands(const device::pointwise_key& key) {
    for (std::size_t o = 0; key.loop.rank > 0 && o < static_cast<std::size_t>(key.loop.operands); ++o)
        if (key.loop.strides[o + 1][static_cast<std::size_t>(key.loop.rank - 1)] == 1) return true;
    return false;
}

/// The fused loop of Op alone.
template <class Op, device::pointwise_key Key> struct one_step {
    using operators = op_list<Op>;
    struct program {
        device::strided_key loop;
        std::int32_t count;
        std::array<device::fused_step, 1> steps;
        std::int64_t results; // only the result of the step
    };
    static constexpr program key{Key.loop, 1, {{{Key.parameters, Key.slots}}}, 0};
};

template <class R, class T> [[gnu::always_inline]] constexpr R stored(T v) {
    if constexpr (is_complex_number<T> && !is_complex_number<R>) return static_cast<R>(v.re);
    else if constexpr (is_small_float<R>) return R(static_cast<float>(v));
    else return static_cast<R>(v);
}

template <class Op, device::pointwise_key Key, class R>
[[gnu::always_inline]] inline void inner_loop(R* out, const auto& pointers) {
    using C = element_t<computed_as(Key.computed)>;
    constexpr std::int64_t n = device::innermost(Key.loop);
    constexpr std::int64_t step =
        Key.loop.rank == 0 ? 0 : Key.loop.strides[0][static_cast<std::size_t>(Key.loop.rank - 1)];
    [&]<std::size_t... S>(std::index_sequence<S...>) __attribute__((always_inline)) {
        const auto elements = [&](std::int64_t begin, std::int64_t end) __attribute__((always_inline)) {
#if !defined(__clang__)
#pragma GCC ivdep // in place or disjoint: no element depends on another one's result
#endif
            for (std::int64_t i = begin; i < end; ++i)
                out[i * step] =
                    stored<R>(aten::meaning_in<Op, Key.computed, C>(slot_value<Op, Key, S, C>(pointers, i)...));
        };
        constexpr std::int64_t whole = n / 64 * 64; // g++ vectorizes a loop only if its count leaves no remainder
        if constexpr (whole > 0) elements(0, whole);
        if constexpr (whole < n) elements(whole, n);
    }(std::make_index_sequence<static_cast<std::size_t>(Key.parameters)>{});
}

/// The parameter that a choice selects for this value of its mask.
template <class Op> constexpr int chosen(int mask) {
    return Op::mask == 0 ? Op::template meaning<int>(mask, 11, 12) - 10 : Op::template meaning<int>(10, mask, 12) - 10;
}
/// Whether it is a choice of floats that can run on vectors along the innermost dim. g++ does not vectorize these,
/// because bools are bytes.
template <class Op> constexpr bool chooses_on_packets(const device::pointwise_key& key) {
    if constexpr (std::is_base_of_v<aten::where, Op> || std::is_base_of_v<aten::masked_fill_scalar, Op>) {
        using source = device::pointwise_slot::source;
        if (!is_floating(key.computed) || computed_as(key.computed) != dtype::f32 || is_f8(key.computed) ||
            key.loop.types[0] != key.computed || key.loop.rank == 0)
            return false;
        const auto inner = static_cast<std::size_t>(key.loop.rank - 1);
        if (key.loop.strides[0][inner] != 1) return false;
        for (std::size_t p = 0; p < 3; ++p) {
            if (key.slots[p].from != source::operand) continue;
            const auto t = static_cast<std::size_t>(key.slots[p].bits + 1);
            const bool is_mask = static_cast<int>(p) == Op::mask;
            const auto stride = key.loop.strides[t][inner];
            if (key.loop.types[t] != (is_mask ? dtype::b8 : key.computed) || (stride != 1 && (stride != 0 || is_mask)))
                return false;
        }
        return key.slots[static_cast<std::size_t>(Op::mask)].from == source::operand;
    } else {
        return false;
    }
}
/// Computes Count elements from `i` on of the innermost dim.
template <class Op, device::pointwise_key Key, int L, int Count, class R>
[[gnu::always_inline]] inline void choose(R* out, const auto& pointers, std::int64_t i) {
    const auto value = [&](auto p) __attribute__((always_inline)) {
        constexpr auto slot = Key.slots[p];
        if constexpr (slot.from == device::pointwise_slot::source::operand) {
            constexpr auto t = static_cast<std::size_t>(slot.bits + 1);
            const auto* const from = reinterpret_cast<const R*>(pointers[t - 1]);
            if constexpr (Key.loop.strides[t][Key.loop.rank - 1] == 1) return load_as<float, L, Count>(from + i);
            else return simd<float, L>::all(static_cast<float>(*from));
        } else {
            return simd<float, L>::all(slot_value<Op, Key, p, float>(pointers, i));
        }
    };
    const auto mask = load_bools<L, Count>(
        reinterpret_cast<const bool*>(pointers[static_cast<std::size_t>(Key.slots[Op::mask].bits)]) + i);
    const auto yes = value(std::integral_constant<std::size_t, chosen<Op>(1)>{}),
               no = value(std::integral_constant<std::size_t, chosen<Op>(0)>{});
    store_as<Count>(select(mask != 0u, yes, no), out + i);
}

template <class Op, device::pointwise_key Key> [[gnu::always_inline]] inline void all_elements(const auto& at) {
    if constexpr (runs_on_packets<Op>(Key) && has_contiguous_operands(Key)) {
        fused_inlined<one_step<Op, Key>>(at);
    } else {
        auto* const out = at.template out<element_t<Key.loop.types[0]>>();
        const auto inputs = at.inputs;
        nest<Key.loop, Key.loop.rank - 1>([&](const auto& offsets) __attribute__((always_inline)) {
            auto pointers = inputs;
            unroll<static_cast<int>(Key.loop.operands)>([&](auto o) __attribute__((always_inline)) {
                pointers[o] += offsets[o + 1] * static_cast<std::int64_t>(bytes_of(Key.loop.types[o + 1]));
            });
            if constexpr (chooses_on_packets<Op>(Key))
                in_vectors<float, device::innermost(Key.loop), 4, 8, true>(
                    [&]<int L, int Vectors, int Count>(std::int64_t i) __attribute__((always_inline)) {
                        unroll<Vectors>([&](int v) __attribute__((always_inline)) {
                            choose<Op, Key, L, Count>(out + offsets[0], pointers, i + v * L);
                        });
                    });
            else inner_loop<Op, Key>(out + offsets[0], pointers);
        });
    }
}
template <class Op, device::pointwise_key Key> inline void all_elements_called(const auto& at) {
    all_elements<Op, Key>(at);
}

/// Loops of a few packets are inlined: a call would cost more, and adjacent inlined ones pass their results in
/// registers.
template <class Op> constexpr bool is_short(const device::pointwise_key& key) {
    return runs_on_packets<Op>(key) && key.loop.is_one_loop() &&
           key.loop.elements() * static_cast<std::int64_t>(bytes_of(key.computed)) <= 256;
}

} // namespace detail

/// out = Op::meaning(parameters...) element by element. `at` gives the operands in the order of the schema.
template <class Op, device::pointwise_key Key> [[gnu::always_inline]] inline void pointwise(const auto& at) {
    if constexpr (Key.loop.elements() == 0) return;
    else if constexpr (Key.choice == device::single_choice::eigen) eigen_loop<detail::one_step<Op, Key>>::run(at);
    else if constexpr (detail::is_short<Op>(Key)) detail::all_elements<Op, Key>(at);
    else detail::all_elements_called<Op, Key>(at);
}

template <class Op> struct kernel_for<device::pointwise<Op>> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) { kernels::pointwise<Op, Key>(at); }
};

} // namespace ahead::kernels
