// SPDX-License-Identifier: MIT
// The kernel of npu.fused: one pass over memory, every step in registers. Steps with a vector form run it, the others
// run their meaning lane by lane.
// Invariant: a step gives the same bits as its operator's own kernel on packets; the choice of code depends only on the
// key.
#pragma once
#include <ahead/device/fused.hpp>
#include <ahead/kernels/eigen_kernels.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/nest.hpp>
#include <ahead/kernels/vector/small_floats.hpp>
#include <ahead/kernels/vector_form.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Call: key, the device::fused_key, and operators, those of its steps.
template <class Call, std::size_t S> struct fused_step_of {
    static constexpr const auto& step = Call::key.steps[S];
    using op = typename Call::operators::template at<S>;
    static constexpr bool on_packets = [] {
        if constexpr (vector_form<op>::exists) {
            device::pointwise_key key;
            key.slots = step.slots;
            return vector_form<op>::fits(key);
        } else {
            return false;
        }
    }();
};
/// The result of a step on packets for its parameters. g++ 12 crashes on it in an epilogue, which calls `run` directly.
template <class Step> [[gnu::always_inline]] inline auto run_step(auto... x) {
    using form = vector_form<typename Step::op>;
    if constexpr (requires { form::template run_of<Step::step.slots>(x...); })
        return form::template run_of<Step::step.slots>(x...);
    else return form::run(x...);
}

/// The dtype that results of steps are stored in. Sums and rows have the dtype of the computation, T.
template <class Call, class T> constexpr dtype dtype_of_steps() {
    if constexpr (requires { Call::key.loop; }) return Call::key.loop.types[0];
    else return std::is_same_v<T, double> ? dtype::f64 : dtype::f32;
}

/// Parameter P of step S, which is neither an operand nor the result of another step.
template <class Call, std::size_t S, class T, std::size_t P> [[gnu::always_inline]] constexpr T fused_constant() {
    using source = device::pointwise_slot::source;
    using here = fused_step_of<Call, S>;
    constexpr auto slot = here::step.slots[P];
    if constexpr (slot.from == source::integer) return static_cast<T>(slot.bits);
    else if constexpr (slot.from == source::real) return static_cast<T>(std::bit_cast<double>(slot.bits));
    else if constexpr (requires { here::op::template absent<T>(0); })
        return aten::within(dtype_of_steps<Call, T>(), here::op::template absent<T>(static_cast<int>(P)));
    else return T{};
}

/// The result of step S for L elements. values: results of the previous steps; loaded: the operands.
template <class Call, std::size_t S, class T, int L>
[[gnu::always_inline]] inline simd<T, L> fused_value(const simd<T, L>* values, const simd<T, L>* loaded) {
    using source = device::pointwise_slot::source;
    using here = fused_step_of<Call, S>;
    constexpr auto parameters = static_cast<std::size_t>(here::step.parameters);
    constexpr auto is_constant = [](std::size_t which) {
        return here::step.slots[which].from != source::operand && here::step.slots[which].from != source::step;
    };
    const auto parameter = [&](auto which) __attribute__((always_inline)) {
        constexpr auto slot = here::step.slots[which];
        if constexpr (slot.from == source::operand) return loaded[slot.bits];
        else if constexpr (slot.from == source::step) return values[slot.bits];
        else return simd<T, L>::all(fused_constant<Call, S, T, which>());
    };
    return [&]<std::size_t... P>(std::index_sequence<P...>) __attribute__((always_inline)) {
        if constexpr (here::on_packets) {
            return run_step<here>(parameter(std::integral_constant<std::size_t, P>{})...);
        } else {
            alignas(64) T given[parameters][L];
            const auto spread = [&](auto p) __attribute__((always_inline)) {
                if constexpr (!is_constant(p())) parameter(p).store(given[p]);
            };
            (spread(std::integral_constant<std::size_t, P>{}), ...);
            const auto element = [&](auto p, int i) __attribute__((always_inline)) -> T {
                if constexpr (is_constant(p())) return fused_constant<Call, S, T, p>();
                else return given[p][i];
            };
            alignas(64) T made[L];
            for (int i = 0; i < L; ++i)
                made[i] = static_cast<T>(aten::meaning_in<typename here::op, dtype_of_steps<Call, T>(), T>(
                    element(std::integral_constant<std::size_t, P>{}, i)...));
            return simd<T, L>::load(made);
        }
    }(std::make_index_sequence<parameters>{});
}

/// Whether a later step reads the result of step `s`.
constexpr bool is_read_again(const auto& key, int s) {
    for (auto k = static_cast<std::size_t>(s) + 1; k < static_cast<std::size_t>(key.count); ++k)
        for (const auto& slot : key.steps[k].slots)
            if (slot.from == device::pointwise_slot::source::step && slot.bits == s) return true;
    return false;
}

/// The first elements of the results: that of the last step, then those of other steps that are kept.
template <class T> using fused_results = std::array<T*, device::max_fused_results>;

/// Elements have type S in memory and are computed in T; the result of each step is rounded to S. Processes elements
/// from `at` on of the innermost dim, in Vectors adjacent vectors; Count elements of the last one are used. Each step
/// is done for all vectors before the next, to hide latencies. spread: the operands that are a single number there.
template <class Call, class S, class T, int L, int Vectors, int Count>
[[gnu::always_inline]] inline void fused_elements(const fused_results<S>& out, const auto& in, const auto& spread,
                                                  std::int64_t at) {
    constexpr const auto& loop = Call::key.loop;
    constexpr auto inner = static_cast<std::size_t>(loop.rank == 0 ? 0 : loop.rank - 1);
    constexpr auto operands = static_cast<int>(loop.operands), steps = static_cast<int>(Call::key.count);
    simd<T, L> loaded[Vectors][operands], values[Vectors][steps];
    unroll<operands>([&](auto k) __attribute__((always_inline)) {
        constexpr auto stride = loop.strides[k + 1][inner];
        unroll<Vectors>([&](int v) __attribute__((always_inline)) {
            if constexpr (stride == 1) {
                loaded[v][k] = load_as<T, L, Count>(in[k] + at + v * L, T(1));
            } else if constexpr (stride == 0) {
                loaded[v][k] = simd<T, L>::all(spread[k]);
            } else {
                alignas(64) T gathered[L];
                for (int i = 0; i < L; ++i)
                    gathered[i] = i < Count ? static_cast<T>(in[k][(at + v * L + i) * stride]) : T(1);
                loaded[v][k] = simd<T, L>::load(gathered);
            }
        });
    });
    unroll<steps>([&](auto s) __attribute__((always_inline)) {
        unroll<Vectors>([&](int v) __attribute__((always_inline)) {
            const auto value = fused_value<Call, s, T, L>(values[v], loaded[v]);
            if constexpr (is_read_again(Call::key, s)) values[v][s] = rounded_to<S>(value);
            else values[v][s] = value; // stores round
        });
    });
    constexpr auto step = loop.rank == 0 ? 1 : loop.strides[0][inner];
    unroll<steps>([&](auto s) __attribute__((always_inline)) {
        constexpr auto result = device::result_of_step(Call::key.results, steps, s);
        if constexpr (result >= 0)
            unroll<Vectors>([&](int v) __attribute__((always_inline)) {
                if constexpr (step == 1) {
                    store_as<Count>(values[v][s], out[result] + at + v * L);
                } else {
                    alignas(64) T made[L];
                    values[v][s].store(made);
                    for (int i = 0; i < Count; ++i) out[result][(at + v * L + i) * step] = static_cast<S>(made[i]);
                }
            });
    });
}

/// A program of one step is divided into vectors as in map: four at a time, then a last one that is not full.
template <class Call> [[gnu::always_inline]] inline void fused_inlined(const auto& at) {
    constexpr const auto& loop = Call::key.loop;
    constexpr auto operands = static_cast<std::size_t>(loop.operands);
    constexpr bool alone = Call::key.count == 1;
    using S = element_t<loop.types[0]>;
    using T = element_t<computed_as(loop.types[0])>;
    constexpr auto steps = static_cast<int>(Call::key.count);
    const auto inputs = at.inputs;
    const auto outputs = at.outputs;
    nest<Call::key.loop, loop.rank - 1>([&](const auto& offsets) __attribute__((always_inline)) {
        std::array<const S*, operands> in;
        std::array<T, operands> spread;
        unroll<static_cast<int>(operands)>([&](auto k) __attribute__((always_inline)) {
            in[k] = reinterpret_cast<const S*>(inputs[k]) + offsets[k + 1];
            if constexpr (loop.rank == 0 || loop.strides[k + 1][static_cast<std::size_t>(loop.rank) - 1] == 0)
                spread[k] = static_cast<T>(*in[k]);
        });
        fused_results<S> out{};
        unroll<steps>([&](auto s) __attribute__((always_inline)) {
            constexpr auto result = device::result_of_step(Call::key.results, steps, s);
            if constexpr (result >= 0) out[result] = reinterpret_cast<S*>(outputs[result]) + offsets[0];
        });
        in_vectors<T, device::innermost(loop), alone ? 4 : 2, alone ? 8 : 0, alone>(
            [&]<int L, int Vectors, int Count>(std::int64_t i)
                __attribute__((always_inline)) { fused_elements<Call, S, T, L, Vectors, Count>(out, in, spread, i); });
    });
}
template <class Call> inline void fused_called(const auto& at) { fused_inlined<Call>(at); }

} // namespace detail

/// The results of the program, element by element. `at` gives the operands in the order of the call. A program of a few
/// packets is inlined: a call would cost more.
template <class Call> [[gnu::always_inline]] inline void fused(const auto& at) {
    constexpr const auto& loop = Call::key.loop;
    if constexpr (loop.elements() == 0) return;
    else if constexpr (Call::key.choice == device::single_choice::eigen) eigen_loop<Call>::run(at);
    else if constexpr (loop.is_one_loop() &&
                       loop.elements() * static_cast<std::int64_t>(bytes_of(loop.types[0])) <= 256)
        detail::fused_inlined<Call>(at);
    else detail::fused_called<Call>(at);
}

template <> struct kernel_for<device::fused> {
    template <class Call> [[gnu::always_inline]] static void run_call(const auto& at) { kernels::fused<Call>(at); }
};

} // namespace ahead::kernels
