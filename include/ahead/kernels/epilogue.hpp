// SPDX-License-Identifier: MIT
// The epilogue that products and convolutions apply to sums before they write them: nothing, or the steps of
// device/key/epilogue.hpp, on the lanes that hold the sums. Steps of an instruction or two are done in registers;
// longer ones run over a copy of the sums, compiled once for a kernel.
// Invariant: a step gives the same bits as in npu.fused; the operands of an element are read before it is stored.
// Called by matmul.hpp and convolution.hpp, which pass vectors of sums and their destination.
#pragma once
#include <ahead/device/key/epilogue.hpp>
#include <ahead/kernels/fused.hpp>
#include <algorithm>
#include <cstring>

namespace AHEAD_NAMESPACE::kernels {

/// The sums are the result.
struct no_epilogue {
    static constexpr bool exists = false, is_long = false;
    static constexpr int operands = 0;
};

namespace detail {
template <class Call, std::size_t S> constexpr bool is_short_step() {
    using step = fused_step_of<Call, S>;
    if constexpr (step::on_packets) return vector_form<typename step::op>::is_short;
    else return false;
}
} // namespace detail

/// Call: epilogue, a device::epilogue_key, and operators, those of its steps. The result is stored at `out`, its
/// columns (the elements of a product's row, the filters of a convolution) Plane elements apart.
template <class Call, class T, std::int64_t Columns, std::int64_t Plane> struct epilogue {
    static constexpr bool exists = true;
    static constexpr const device::epilogue_key& key = Call::epilogue;
    static constexpr int operands = static_cast<int>(key.operands), steps = static_cast<int>(key.count);
    using operators = typename Call::operators;

    /// Whether the steps are long enough for a separate loop.
    static constexpr bool is_long = ![]<std::size_t... S>(std::index_sequence<S...>) {
        return sizeof...(S) <= 4 && (detail::is_short_step<epilogue, S>() && ...);
    }(std::make_index_sequence<static_cast<std::size_t>(steps)>{});

    /// The addresses of the operands of one element.
    struct places {
        const T* at[operands + 1];
    };

    const T* out;
    places from; // the operands' first elements

    [[gnu::always_inline]] places at(const T* to) const {
        places here = from;
        unroll<operands>([&](auto k) __attribute__((always_inline)) {
            if constexpr (read_of<k> == reading::place) here.at[k] += to - out;
            if constexpr (read_of<k> == reading::column) here.at[k] += (to - out) / Plane % Columns;
        });
        return here;
    }

    /// The steps on one vector, of which Count elements are used. Along: whether columns run along the lanes; else all
    /// lanes belong to one column.
    template <bool Along, int Count, int L>
    [[gnu::always_inline]] static simd<T, L> finish(const simd<T, L>& sums, const places& here) {
        simd<T, L> loaded[operands + 1], values[steps];
        loaded[0] = sums;
        unroll<operands>([&](auto k) __attribute__((always_inline)) {
            if constexpr (is_spread<k, Along>) loaded[k + 1] = simd<T, L>::all(*here.at[k]);
            else loaded[k + 1] = simd<T, L>::template load_first<Count>(here.at[k], T(1));
        });
        unroll<steps>([&](auto s) __attribute__((always_inline)) {
            values[s] = detail::fused_value<epilogue, s, T, L>(values, loaded);
        });
        return values[steps - 1];
    }
    /// to[0 .. Count) = the steps on the first Count elements of `sums`.
    template <bool Along, int Count, int L, int Vectors>
    [[gnu::always_inline]] void store(const simd<T, L> (&sums)[Vectors], T* to) const {
        const auto here = at(to);
        if constexpr (!is_long) {
            constexpr int count = std::min(Count, Vectors * L), whole = count / L, rest = count % L;
            simd<T, L> made[whole + 1];
            unroll<whole>([&](int v) __attribute__((always_inline)) {
                made[v] = finish<Along, L>(sums[v], behind<Along>(here, v * L));
            });
            if constexpr (rest > 0) made[whole] = finish<Along, rest>(sums[whole], behind<Along>(here, whole * L));
            unroll<whole>([&](int v) __attribute__((always_inline)) { made[v].store(to + v * L); });
            if constexpr (rest > 0) made[whole].template store_first<rest>(to + whole * L);
        } else {
            alignas(64) T copied[Vectors * L];
            unroll<Vectors>([&](int v) __attribute__((always_inline)) { sums[v].store(copied + v * L); });
            run<Along>(copied, here, to, Count);
        }
    }
    /// to[0 .. count) = the steps on sums[0 .. count); they may be the same.
    template <bool Along> [[gnu::noinline]] static void run(const T* sums, places here, T* to, int count) {
        constexpr int L = widest<T>, block = 64;
        int i = 0;
        for (; i + block <= count; i += block)
            step_by_step<Along, block>(sums + i, behind<Along>(here, i), to + i, block);
        if (const int vectors = (count - i) / L * L; vectors > 0) {
            step_by_step<Along, block>(sums + i, behind<Along>(here, i), to + i, vectors);
            i += vectors;
        }
        if (i == count) return;
        const auto rest = sizeof(T) * static_cast<std::size_t>(count - i);
        alignas(64) T filled[operands + 1][L];
        for (auto& row : filled) std::fill_n(row, L, T(1));
        std::memcpy(filled[operands], sums + i, rest);
        unroll<operands>([&](auto k) __attribute__((always_inline)) {
            if constexpr (!is_spread<k, Along>) {
                std::memcpy(filled[k], here.at[k] + i, rest);
                here.at[k] = filled[k];
            }
        });
        alignas(64) T made[L];
        step_by_step<Along, L>(filled[operands], here, made, L);
        std::memcpy(to + i, made, rest);
    }
    /// Whether `finish_row` may process the sums of many pixels, since no operand has an element for each.
    static constexpr bool fits_rows() { return !is_long && !has_places; }
    /// The steps on the first Count of a row of sums, whose columns begin at that of `to`. pre: fits_rows()
    template <int Count, int L, int Vectors>
    [[gnu::always_inline]] void finish_row(simd<T, L> (&sums)[Vectors], const T* to) const {
        const auto here = at(to);
        constexpr int count = std::min(Count, Vectors * L), whole = count / L, rest = count % L;
        unroll<whole>([&](int v) __attribute__((always_inline)) {
            sums[v] = finish<true, L>(sums[v], behind<true>(here, v * L));
        });
        if constexpr (rest > 0) sums[whole] = finish<true, rest>(sums[whole], behind<true>(here, whole * L));
    }
    /// turned[pixel][Width] = the steps on its first Count sums, whose columns begin at that of `to`; a row has
    /// RowPixels pixels, rows are OutWidth apart.
    template <int Count, int Width, int Pixels, int RowPixels, std::int64_t OutWidth>
    [[gnu::always_inline]] void finish_turned(T* turned, const T* to) const {
        const auto first = at(to);
        alignas(64) T gathered[operands + 1][has_places ? Pixels * Width : 1];
        places here = first;
        unroll<operands>([&](auto k) __attribute__((always_inline)) {
            if constexpr (read_of<k> == reading::place) {
                here.at[k] = gathered[k];
                for (int o = 0; o < Count; ++o)
                    unroll<Pixels>([&](int p) __attribute__((always_inline)) {
                        gathered[k][p * Width + o] = first.at[k][o * Plane + p / RowPixels * OutWidth + p % RowPixels];
                    });
            }
        });
        if constexpr (is_long && operands == 0 && Count == Width) return run<true>(turned, {}, turned, Pixels * Width);
        for (int p = 0; p < Pixels; ++p) {
            T* const row = turned + p * Width;
            if constexpr (!is_long) {
                constexpr int L = lanes_within<T>(Width);
                unroll<Width / L>([&](auto v) __attribute__((always_inline)) {
                    constexpr int count = std::clamp(Count - v * L, 0, L);
                    finish<true, count>(simd<T, L>::load(row + v * L), behind<true>(here, v * L)).store(row + v * L);
                });
            } else {
                run<true>(row, here, row, Count);
            }
            unroll<operands>([&](auto k) __attribute__((always_inline)) {
                if constexpr (read_of<k> == reading::place) here.at[k] += Width;
            });
        }
    }

private:
    using reading = device::epilogue_reading;
    using source = device::pointwise_slot::source;
    template <int K> static constexpr reading read_of = key.read[static_cast<std::size_t>(K)];
    /// Whether all lanes read one element of operand K.
    template <int K, bool Along>
    static constexpr bool is_spread = read_of<K> == reading::number || (read_of<K> == reading::column && !Along);

    static constexpr bool has_places = [] {
        for (std::size_t k = 0; k < static_cast<std::size_t>(operands); ++k)
            if (key.read[k] == reading::place) return true;
        return false;
    }();

    template <bool Along> [[gnu::always_inline]] static places behind(places here, std::int64_t elements) {
        unroll<operands>([&](auto k) __attribute__((always_inline)) {
            if constexpr (!is_spread<k, Along>) here.at[k] += elements;
        });
        return here;
    }
    /// The same for whole vectors, at most Block elements, each step for all of them before the next: a step that calls
    /// a function of the C library can then overlap several calls.
    template <bool Along, int Block>
    [[gnu::always_inline]] static void step_by_step(const T* sums, const places& here, T* to, int count) {
        constexpr int L = widest<T>;
        alignas(64) T values[steps][Block];
        const int whole = count & -L; // so that g++, too, knows it and vectorizes the loop
        unroll<steps>([&](auto s) __attribute__((always_inline)) {
            using step = detail::fused_step_of<epilogue, s>;
            T* const made = s + 1 == steps ? to : values[s];
            const auto vector = [&](auto p, int i) __attribute__((always_inline)) { // of parameter p
                constexpr auto slot = step::step.slots[p];
                if constexpr (slot.from == source::step) return simd<T, L>::load(values[slot.bits] + i);
                else if constexpr (slot.from != source::operand)
                    return simd<T, L>::all(detail::fused_constant<epilogue, s, T, p>());
                else if constexpr (slot.bits == 0) return simd<T, L>::load(sums + i);
                else if constexpr (is_spread<static_cast<int>(slot.bits) - 1, Along>)
                    return simd<T, L>::all(*here.at[slot.bits - 1]);
                else return simd<T, L>::load(here.at[slot.bits - 1] + i);
            };
            const auto element = [&](auto p, int i) __attribute__((always_inline)) -> T {
                constexpr auto slot = step::step.slots[p];
                if constexpr (slot.from == source::step) return values[slot.bits][i];
                else if constexpr (slot.from != source::operand) return detail::fused_constant<epilogue, s, T, p>();
                else if constexpr (slot.bits == 0) return sums[i];
                else if constexpr (is_spread<static_cast<int>(slot.bits) - 1, Along>) return *here.at[slot.bits - 1];
                else return here.at[slot.bits - 1][i];
            };
            [&]<std::size_t... P>(std::index_sequence<P...>) __attribute__((always_inline)) {
                if constexpr (step::on_packets) {
                    for (int v = 0; v < whole; v += L)
                        vector_form<typename step::op>::run(vector(std::integral_constant<std::size_t, P>{}, v)...)
                            .store(made + v);
                } else {
#if !defined(__clang__)
#pragma GCC ivdep // in place or disjoint: no element depends on another one's result
#endif
                    for (int i = 0; i < whole; ++i)
                        made[i] = static_cast<T>(
                            step::op::template meaning<T>(element(std::integral_constant<std::size_t, P>{}, i)...));
                }
            }(std::make_index_sequence<static_cast<std::size_t>(step::step.parameters)>{});
        });
    }
};

/// The epilogue of a kernel, by its Call; for a result whose columns are Plane elements apart. The operands of the
/// epilogue are the task's from `first` on.
template <class Call, class T, std::int64_t Columns, std::int64_t Plane>
[[gnu::always_inline]] inline auto epilogue_of([[maybe_unused]] const auto& at, [[maybe_unused]] std::size_t first) {
    if constexpr (Call::epilogue.count > 0) {
        epilogue<Call, T, Columns, Plane> after{at.template out<T>(), {}};
        for (std::size_t k = 0; k < static_cast<std::size_t>(after.operands); ++k)
            after.from.at[k] = at.template in<T>(first + k);
        return after;
    } else {
        return no_epilogue{};
    }
}

} // namespace ahead::kernels
