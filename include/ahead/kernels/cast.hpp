// SPDX-License-Identifier: MIT
// The kernel of npu.cast: f16 and bf16 to and from f32 in vectors if both are contiguous in the innermost dim, all
// other casts element by element.
// Invariant: the same bits as aten._to_copy, except for signalling NaNs (vector/small_floats.hpp).
#pragma once
#include <ahead/core/math/convert.hpp>
#include <ahead/device/cast.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/nest.hpp>
#include <ahead/kernels/vector/packet_math.hpp>
#include <ahead/kernels/vector/small_floats.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// x as To, converted through the type that elements are converted in: aten::compute_copy.
template <class To, class From> [[gnu::always_inline]] inline To cast_element(From x) {
    using through = std::conditional_t<std::is_integral_v<To> && !std::is_same_v<To, bool> && sizeof(To) < 4,
                                       std::int32_t, std::conditional_t<is_small_float<To>, float, To>>;
    return math::convert<To>(math::convert<through>(x));
}
template <class A, class B>
inline constexpr bool widens_or_rounds =
    (std::is_same_v<A, float> && is_small_float<B>) || (std::is_same_v<B, float> && is_small_float<A>);

} // namespace detail

/// Key: the strided_key of the result and self.
template <auto Key> inline void cast(const auto& at) {
    using To = element_t<Key.types[0]>;
    using From = element_t<Key.types[1]>;
    constexpr auto inner = static_cast<std::size_t>(std::max(1, Key.rank) - 1);
    constexpr auto size = device::innermost(Key), to = Key.strides[0][inner], from = Key.strides[1][inner];
    if constexpr (Key.elements() > 0)
        nest<Key, Key.rank - 1>([&](const auto& offsets) __attribute__((always_inline)) {
            const From* const x = at.template in<From>(0) + offsets[1];
            To* const y = at.template out<To>() + offsets[0];
            if constexpr (detail::widens_or_rounds<To, From> && (size == 1 || (to == 1 && from == 1)))
                in_vectors<float, size, 4, 8, true>(
                    [&]<int L, int Vectors, int Count>(std::int64_t i) __attribute__((always_inline)) {
                        unroll<Vectors>([&](int v) __attribute__((always_inline)) {
                            store_as<Count>(load_as<float, L, Count>(x + i + v * L), y + i + v * L);
                        });
                    });
            else
                for (std::int64_t i = 0; i < size; ++i) y[i * to] = detail::cast_element<To>(x[i * from]);
        });
}

template <> struct kernel_for<device::cast> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) { kernels::cast<Key>(at); }
};

} // namespace ahead::kernels
