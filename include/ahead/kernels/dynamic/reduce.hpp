// SPDX-License-Identifier: MIT
// Reductions over fewer positions of a dim than the key says. Called by dynamic/bounded/run_bounded.hpp.
// Invariant: sums and products in f64, or i64, rounded once, as in kernels/reduce.hpp; the order in which elements are
// joined depends only on the key and the positions. Nothing after the given positions is read.
#pragma once
#include <ahead/kernels/dynamic/dynamic_kernel_for.hpp>
#include <ahead/kernels/reduce.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Calls f(offset) for each position of the dims [Dim, End); dim Bounded has `places` positions.
template <device::dim_list Dims, std::int32_t Bounded, std::int32_t End, std::int32_t Dim = 0, class F>
[[gnu::always_inline]] inline void each_fewer_place(std::int64_t places, const F& f, std::int64_t at = 0) {
    if constexpr (Dim >= End) {
        f(at);
    } else {
        constexpr auto d = static_cast<std::size_t>(Dim);
        const std::int64_t size = Dim == Bounded ? places : Dims.sizes[d];
        for (std::int64_t i = 0; i < size; ++i, at += Dims.strides[d])
            each_fewer_place<Dims, Bounded, End, Dim + 1>(places, f, at);
    }
}

} // namespace detail

/// As reduce<Key>, if reduced dim Dim has `places` positions.
template <device::reduce_key Key, std::int32_t Dim, class T = element_t<Key.type>>
inline void reduce_of_places(const T* x, T* out, std::int64_t places) {
    using joins = detail::reducer<Key.kind, T>;
    using S = typename joins::S;
    constexpr auto kept = Key.kept, reduced = Key.reduced;
    constexpr auto last = static_cast<std::size_t>(kept.rank == 0 ? 0 : kept.rank - 1);
    constexpr bool side_by_side = kept.rank > 0 && kept.strides[last] == 1;
    constexpr std::int64_t columns = side_by_side ? kept.sizes[last] : 1, most = 64;
    std::int64_t count = places;
    for (std::int32_t d = 0; d < reduced.rank; ++d)
        if (d != Dim) count *= reduced.sizes[static_cast<std::size_t>(d)];
    detail::each_fewer_place<kept, -1, side_by_side ? kept.rank - 1 : kept.rank>(0, [&](std::int64_t from) {
        for (std::int64_t column = 0; column < columns; column += most) {
            const auto some = std::min(most, columns - column);
            S joined[most];
            std::fill_n(joined, some, joins::start());
            detail::each_fewer_place<reduced, Dim, reduced.rank>(places, [&](std::int64_t at) {
                const T* const row = x + from + at + column;
                for (std::int64_t i = 0; i < some; ++i) joins::join(joined[i], static_cast<S>(row[i]));
            });
            for (std::int64_t i = 0; i < some; ++i) *out++ = joins::finish(joined[i], count);
        }
    });
}

template <> struct dynamic_kernel_for<device::reduce> {
    template <class Call> static void run(const auto& at, const runtime_extents& of) {
        constexpr auto key = Call::key;
        using T = element_t<key.type>;
        kernels::reduce_of_places<key, Call::dynamic_dim>(at.template in<T>(0), at.template out<T>(), of.terms);
    }
};

} // namespace ahead::kernels
