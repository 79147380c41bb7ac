// SPDX-License-Identifier: MIT
// The kernel of npu.fused_rows: row by row, each in the phases of device/key/row_phases.hpp, so that a row stays in a
// near cache. A phase goes through the row once, step by step in registers, and passes on the results of its
// reductions.
// Invariant: a step, including a reduction, gives the same bits as its operator's own kernel; an element of an operand
// is read before that of the result's row is written.
#pragma once
#include <ahead/device/fused_rows.hpp>
#include <ahead/kernels/fused.hpp>
#include <ahead/kernels/reduce.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Call: key, the device::fused_rows_key, and operators, those of its steps.
template <class Call> struct fused_row {
    static constexpr const device::fused_rows_key& key = Call::key;
    static constexpr device::row_phases phases{key};
    static constexpr int steps = static_cast<int>(key.step_count), operands = static_cast<int>(key.operands);
    static constexpr std::int64_t block = 32; // elements between two calls of a reduction, see row_result
    using T = element_t<key.type>;
    using source = device::pointwise_slot::source;
    static constexpr bool is_wide = phases.is_wide;

    const T* in[operands]{}; // the current row
    fused_results<T> out{};  // the current row of each result, or its number
    T* workspace = nullptr;
    T number[steps]{}; // results of steps with one value per row

    [[gnu::always_inline]] void run() {
        unroll<static_cast<int>(phases.phases)>([&](auto p) __attribute__((always_inline)) {
            find_numbers<p>();
            go_through<p>();
        });
        find_numbers<static_cast<int>(phases.phases)>();
        unroll<steps>([&](auto s) __attribute__((always_inline)) {
            constexpr auto result = result_of(s);
            if constexpr (result >= 0 && !phases.wide[s]) *out[result] = number[s];
        });
    }

private:
    static constexpr const auto& slots_of(int s) { return key.steps[static_cast<std::size_t>(s)].slots; }

    static constexpr int result_of(int s) { return device::result_of_step(key.results, steps, s); }
    /// Whether it is read by a step that phase Phase computes for every element.
    template <int Phase> static constexpr bool is_read(source from, int which) {
        for (int s = 0; s < steps; ++s)
            if (phases.wide[s] && phases.when[s] == Phase)
                for (const auto& slot : slots_of(s))
                    if (slot.from == from && slot.bits == which) return true;
        return false;
    }
    /// Whether step r is a reduction that is joined in phase Phase.
    template <int Phase> static constexpr bool ends_with(int r) {
        return key.reduces(r) && phases.when[r] == Phase + 1;
    }
    template <int Phase> static constexpr bool is_joined(int s) {
        for (int r = 0; r < steps; ++r)
            if (ends_with<Phase>(r) && slots_of(r)[0].from == source::step && slots_of(r)[0].bits == s) return true;
        return false;
    }
    template <int Phase> static constexpr bool computes(int s) { return phases.wide[s] && phases.when[s] == Phase; }

    /// The initial state of reduction R if phase Phase joins it; else a dummy.
    template <int Phase, int R> static constexpr auto begin_result() {
        if constexpr (ends_with<Phase>(R))
            return row_result<reducer<static_cast<device::reduction>(slots_of(R)[1].bits), T>, key.count>{};
        else return 0;
    }
    /// The buffer of step s until it is read again.
    template <int S> T* buffer() const {
        if constexpr (key.is_kept(S)) return out[result_of(S)];
        constexpr auto row = phases.buffer[S] - 1 - is_wide;
        return row < 0 ? out[0] : workspace + row * device::bytes_of_buffer(key) / static_cast<std::int64_t>(sizeof(T));
    }

    /// Computes the steps with one value per row that are due in this phase.
    template <int Phase> [[gnu::always_inline]] void find_numbers() {
        unroll<steps>([&](auto s) __attribute__((always_inline)) {
            if constexpr (!phases.wide[s] && !key.reduces(s) && phases.when[s] == Phase) {
                using step = fused_step_of<Call, s>;
                const auto given = [&](auto p) __attribute__((always_inline)) -> T {
                    constexpr auto slot = step::step.slots[p];
                    if constexpr (slot.from == source::operand) return *in[slot.bits];
                    else if constexpr (slot.from == source::step) return number[slot.bits];
                    else return fused_constant<Call, s, T, p>();
                };
                [&]<std::size_t... P>(std::index_sequence<P...>) __attribute__((always_inline)) {
                    if constexpr (step::on_packets) {
                        using vector = simd<T, narrowest_vector<T>>;
                        alignas(64) T made[narrowest_vector<T>];
                        run_step<step>(vector::all(given(std::integral_constant<std::size_t, P>{}))...).store(made);
                        number[s] = made[0];
                    } else {
                        number[s] = static_cast<T>(
                            step::op::template meaning<T>(given(std::integral_constant<std::size_t, P>{})...));
                    }
                }(std::make_index_sequence<static_cast<std::size_t>(step::step.parameters)>{});
            }
        });
    }
    template <int Phase> [[gnu::always_inline]] void go_through() {
        [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
            std::tuple results{begin_result<Phase, R>()...};
            constexpr auto whole = key.count / block * block;
            for (std::int64_t at = 0; at < whole; at += block) go_on<Phase, block>(results, at);
            if constexpr (whole < key.count) go_on<Phase, key.count - whole>(results, whole);
            const auto finish = [&](auto r) __attribute__((always_inline)) {
                if constexpr (ends_with<Phase>(r)) number[r] = std::get<r>(results).finish(key.count);
            };
            (finish(std::integral_constant<int, R>{}), ...);
        }(std::make_integer_sequence<int, steps>{});
    }
    /// Processes Count elements of the row, at most a block of them.
    template <int Phase, std::int64_t Count> [[gnu::always_inline]] void go_on(auto& results, std::int64_t at) {
        alignas(64) T joined[steps][block]; // results of steps that reductions read; else unused
        unroll<steps>([&](auto r) __attribute__((always_inline)) {
            if constexpr (ends_with<Phase>(r) && slots_of(r)[0].from == source::operand)
                std::get<r>(results).template join<Count>(in[slots_of(r)[0].bits] + at);
        });
        in_vectors<T, Count, 2, 0, false>([&]<int L, int Vectors, int Some>(std::int64_t i) __attribute__((
                                              always_inline)) { vectors<Phase, L, Vectors, Some>(at + i, joined, i); });
        unroll<steps>([&](auto r) __attribute__((always_inline)) {
            if constexpr (ends_with<Phase>(r) && slots_of(r)[0].from == source::step)
                std::get<r>(results).template join<Count>(joined[slots_of(r)[0].bits]);
        });
    }
    /// Processes Vectors adjacent vectors; Count elements of the last one are used. at: the index of the first element
    /// in the row.
    template <int Phase, int L, int Vectors, int Count>
    [[gnu::always_inline]] void vectors(std::int64_t at, T (&joined)[steps][block], std::int64_t in_block) {
        using vector = simd<T, L>;
        vector loaded[Vectors][operands], values[Vectors][steps];
        unroll<operands>([&](auto k) __attribute__((always_inline)) {
            if constexpr (is_read<Phase>(source::operand, k))
                unroll<Vectors>([&](int v) __attribute__((always_inline)) {
                    if constexpr (key.read[k].wide)
                        loaded[v][k] = vector::template load_first<Count>(in[k] + at + v * L, T(1));
                    else loaded[v][k] = vector::all(*in[k]);
                });
        });
        unroll<steps>([&](auto s) __attribute__((always_inline)) {
            if constexpr (is_read<Phase>(source::step, s) && !computes<Phase>(s))
                unroll<Vectors>([&](int v) __attribute__((always_inline)) {
                    if constexpr (phases.wide[s])
                        values[v][s] = vector::template load_first<Count>(buffer<s>() + at + v * L, T(1));
                    else values[v][s] = vector::all(number[s]);
                });
        });
        unroll<steps>([&](auto s) __attribute__((always_inline)) {
            if constexpr (computes<Phase>(s))
                unroll<Vectors>([&](int v) __attribute__((always_inline)) {
                    values[v][s] = fused_value<Call, s, T, L>(values[v], loaded[v]);
                });
        });
        unroll<steps>([&](auto s) __attribute__((always_inline)) {
            if constexpr (computes<Phase>(s))
                unroll<Vectors>([&](int v) __attribute__((always_inline)) {
                    if constexpr (is_joined<Phase>(s))
                        values[v][s].template store_first<Count>(joined[s] + in_block + v * L);
                    if constexpr (phases.buffer[s] > 0)
                        values[v][s].template store_first<Count>(buffer<s>() + at + v * L);
                    if constexpr (result_of(s) >= 0)
                        values[v][s].template store_first<Count>(out[result_of(s)] + at + v * L);
                });
        });
    }
};

} // namespace detail

/// Computes the rows of the results, one after the other. `at` gives the operands in the order of the call.
template <class Call> inline void fused_rows(const auto& at) {
    constexpr const auto& key = Call::key;
    using rows = detail::fused_row<Call>;
    using T = typename rows::T;
    if constexpr (key.rows * key.count > 0) {
        for (std::int64_t r = 0; r < key.rows; ++r) {
            rows here;
            unroll<rows::operands>([&](auto k) __attribute__((always_inline)) {
                constexpr auto read = key.read[k];
                here.in[k] = at.template in<T>(k) + r % read.rows * (read.wide ? key.count : 1);
            });
            unroll<rows::steps>([&](auto s) __attribute__((always_inline)) {
                constexpr auto result = device::result_of_step(key.results, rows::steps, s);
                if constexpr (result >= 0)
                    here.out[result] = at.template out<T>(result) + r * (rows::phases.wide[s] ? key.count : 1);
            });
            here.workspace = reinterpret_cast<T*>(at.workspace);
            here.run();
        }
    }
}

template <> struct kernel_for<device::fused_rows> {
    template <class Call> [[gnu::always_inline]] static void run_call(const auto& at) { kernels::fused_rows<Call>(at); }
};

} // namespace ahead::kernels
