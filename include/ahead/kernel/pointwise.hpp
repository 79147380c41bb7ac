// SPDX-License-Identifier: MIT
// The kernel of every pointwise operator, made from its meaning: outer loops over strided dims, an inner loop along the
// fastest one. Operators listed under vector_form run it on packets (packet_math.hpp says how exactly); the others as
// the meaning is written.
// Invariant: which form runs depends on the key alone, so both executions of a plan give the same bits.
#pragma once
#include <ahead/aten/pointwise/activation.hpp>
#include <ahead/aten/pointwise/arithmetic.hpp>
#include <ahead/aten/pointwise/power.hpp>
#include <ahead/aten/pointwise/unary.hpp>
#include <ahead/kernel/kernel_for.hpp>
#include <ahead/kernel/nest.hpp>
#include <ahead/kernel/vector/packet_math.hpp>
#include <ahead/target/key/pointwise_key.hpp>
#include <ahead/target/op/pointwise.hpp>
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

namespace detail {

/// v, an operand or a number, as an element of the key's dtype holds it, in the type C that this dtype is computed in.
template <target::pointwise_key Key, class C, class T> [[gnu::always_inline]] constexpr C as_computed(T v) {
    if constexpr (has_kernels(Key.computed) || std::is_same_v<T, element_t<Key.computed>>) return static_cast<C>(v);
    else return static_cast<C>(math::convert<element_t<Key.computed>>(v));
}
/// A number beside tensors of f16 or bf16: as it is where it is computed with, as an element where it is compared.
template <target::pointwise_key Key, class C, class T> [[gnu::always_inline]] constexpr C number_as_computed(T v) {
    if constexpr (is_floating(Key.computed) && Key.loop.types[0] == dtype::b8) return as_computed<Key, C>(v);
    else return static_cast<C>(v);
}

/// The value of slot S, of type C, while computing element i of the innermost dim.
template <class Op, target::pointwise_key Key, std::size_t S, class C>
[[gnu::always_inline]] inline C slot_value(const auto& pointers, std::int64_t i) {
    using source = target::pointwise_slot::source;
    constexpr auto slot = Key.slots[S];
    if constexpr (slot.from == source::operand) {
        constexpr auto operand = static_cast<std::size_t>(slot.bits);
        constexpr auto stride =
            Key.loop.rank == 0 ? 0 : Key.loop.strides[operand + 1][static_cast<std::size_t>(Key.loop.rank - 1)];
        using T = element_t<Key.loop.types[operand + 1]>;
        return as_computed<Key, C>(reinterpret_cast<const T*>(pointers[operand])[i * stride]);
    } else if constexpr (slot.from == source::integer) {
        return number_as_computed<Key, C>(slot.bits);
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
template <class Op> constexpr bool runs_on_packets(const target::pointwise_key& key) {
    if (!vector_form<Op>::exists || !is_floating(key.computed) || !has_kernels(key.computed) ||
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

/// The packet of slot S at elements [i, i + L): contiguous operands come as lanes already, everything else is spread.
template <class Op, target::pointwise_key Key, class C, class Lanes, std::size_t S>
[[gnu::always_inline]] inline Lanes slot_lanes(const auto& spread, const auto& loaded) {
    if constexpr (Key.slots[S].from == target::pointwise_slot::source::operand) {
        constexpr auto operand = static_cast<std::size_t>(Key.slots[S].bits);
        if constexpr (Key.loop.rank > 0 &&
                      Key.loop.strides[operand + 1][static_cast<std::size_t>(Key.loop.rank - 1)] == 1) {
            constexpr auto position = [] {
                std::size_t before = 0;
                for (std::size_t o = 0; o < operand; ++o)
                    before += Key.loop.strides[o + 1][static_cast<std::size_t>(Key.loop.rank - 1)] == 1;
                return before;
            }();
            return loaded[position];
        } else {
            return Lanes::all(spread[S]);
        }
    } else {
        return Lanes::all(spread[S]);
    }
}

template <class Op, target::pointwise_key Key, class R, std::size_t... S, std::size_t... V>
[[gnu::always_inline]] inline void inner_packets(R* out, const auto& pointers, std::index_sequence<S...>,
                                                 std::index_sequence<V...>) {
    constexpr auto contiguous = [] {
        std::array<std::size_t, sizeof...(V) + 1> which{};
        std::size_t n = 0;
        for (std::size_t o = 0; Key.loop.rank > 0 && o < static_cast<std::size_t>(Key.loop.operands); ++o)
            if (Key.loop.strides[o + 1][static_cast<std::size_t>(Key.loop.rank - 1)] == 1) which[n++] = o;
        return which;
    }();
    constexpr std::int64_t n = Key.loop.rank == 0 ? 1 : Key.loop.sizes[static_cast<std::size_t>(Key.loop.rank - 1)];
    const std::array<R, sizeof...(S)> spread{slot_value<Op, Key, S, R>(pointers, 0)...};
    map<n>(
        [&](auto... x) __attribute__((always_inline)) {
            using lanes_type = std::remove_cvref_t<decltype(std::get<0>(std::tuple{x...}))>;
            const std::array<lanes_type, sizeof...(x)> loaded{x...};
            return vector_form<Op>::run(slot_lanes<Op, Key, R, lanes_type, S>(spread, loaded)...);
        },
        out, reinterpret_cast<const R*>(pointers[contiguous[V]])...);
}

template <class Op, target::pointwise_key Key> constexpr std::size_t contiguous_operands() {
    std::size_t n = 0;
    for (std::size_t o = 0; Key.loop.rank > 0 && o < static_cast<std::size_t>(Key.loop.operands); ++o)
        n += Key.loop.strides[o + 1][static_cast<std::size_t>(Key.loop.rank - 1)] == 1;
    return n;
}

template <class R, class T> [[gnu::always_inline]] constexpr R stored(T v) {
    if constexpr (is_half<R>) return R(static_cast<float>(v));
    else return static_cast<R>(v);
}

template <class Op, target::pointwise_key Key, class R>
[[gnu::always_inline]] inline void inner_loop(R* out, const auto& pointers) {
    constexpr auto slots = std::make_index_sequence<static_cast<std::size_t>(Key.parameters)>{};
    constexpr auto packed = contiguous_operands<Op, Key>();
    if constexpr (runs_on_packets<Op>(Key) && packed > 0) {
        inner_packets<Op, Key>(out, pointers, slots, std::make_index_sequence<packed>{});
    } else {
        using C = element_t<computed_as(Key.computed)>;
        constexpr std::int64_t n = Key.loop.rank == 0 ? 1 : Key.loop.sizes[static_cast<std::size_t>(Key.loop.rank - 1)];
        constexpr std::int64_t step =
            Key.loop.rank == 0 ? 0 : Key.loop.strides[0][static_cast<std::size_t>(Key.loop.rank - 1)];
        [&]<std::size_t... S>(std::index_sequence<S...>) __attribute__((always_inline)) {
            const auto elements = [&](std::int64_t begin, std::int64_t end) __attribute__((always_inline)) {
#if !defined(__clang__)
#pragma GCC ivdep // in place or apart: no element depends on another one's result
#endif
                for (std::int64_t i = begin; i < end; ++i)
                    out[i * step] = stored<R>(Op::template meaning<C>(slot_value<Op, Key, S, C>(pointers, i)...));
            };
            constexpr std::int64_t whole =
                n / 64 * 64; // g++ makes vectors of a loop only where none of it is left over
            if constexpr (whole > 0) elements(0, whole);
            if constexpr (whole < n) elements(whole, n);
        }(slots);
    }
}

template <class Op, target::pointwise_key Key> [[gnu::always_inline]] inline void all_elements(const auto& at) {
    auto* const out = at.template out<element_t<Key.loop.types[0]>>();
    const auto inputs = at.inputs;
    nest<Key.loop, Key.loop.rank - 1>([&](const auto& offsets) __attribute__((always_inline)) {
        auto pointers = inputs;
        for (std::size_t o = 0; o + 1 < offsets.size(); ++o)
            pointers[o] += offsets[o + 1] * static_cast<std::int64_t>(bytes_of(Key.loop.types[o + 1]));
        inner_loop<Op, Key>(out + offsets[0], pointers);
    });
}
template <class Op, target::pointwise_key Key> inline void all_elements_called(const auto& at) {
    all_elements<Op, Key>(at);
}

/// A few packets are worth no call, and neighbours that are inlined hand their results on in registers.
template <class Op> constexpr bool is_short(const target::pointwise_key& key) {
    return runs_on_packets<Op>(key) && key.loop.is_one_loop() &&
           key.loop.elements() * static_cast<std::int64_t>(bytes_of(key.computed)) <= 256;
}

} // namespace detail

/// out = Op::meaning(parameters...) element by element. `at` gives the operands in the order of the schema.
template <class Op, target::pointwise_key Key> [[gnu::always_inline]] inline void pointwise(const auto& at) {
    if constexpr (Key.loop.elements() == 0) return;
    else if constexpr (detail::is_short<Op>(Key)) detail::all_elements<Op, Key>(at);
    else detail::all_elements_called<Op, Key>(at);
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <class Op> struct kernel_for<device::pointwise<Op>> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) { kernel::pointwise<Op, Key>(at); }
};

} // namespace ahead::npu
