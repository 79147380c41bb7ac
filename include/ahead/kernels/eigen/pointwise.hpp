// SPDX-License-Identifier: MIT
// Pointwise loops on Eigen's arrays: a block of elements at a time, each step an expression over the block. Operators
// without an expression here run their meaning element by element.
// Invariant: every operand of a block is read before its results are written, so that they may have the same memory;
// nothing is allocated. Called by kernels/fused.hpp and kernels/pointwise.hpp for keys with the choice `eigen`.
#pragma once
#include <ahead/kernels/vector/packets.hpp> // before <Eigen/Core>: without warnings of g++ 12 about AVX-512 (PR105593)

#include <Eigen/Core>
#include <ahead/device/pointwise.hpp>
#include <ahead/kernels/eigen_kernels.hpp>
#include <ahead/kernels/fused.hpp>
#include <ahead/kernels/nest.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::kernels {

/// The result of Op as an expression over Eigen's arrays: static auto run(parameters...), arrays or numbers. There is
/// none for sqrt and rsqrt: the square root of infinity is NaN in Eigen 3.4 with SSE.
template <class Op> struct eigen_expression;
template <> struct eigen_expression<aten::relu> {
    static auto run(const auto& x) {
        using T = typename std::remove_cvref_t<decltype(x)>::Scalar;
        return (x <= T(0)).select(T(0), x);
    }
};
template <> struct eigen_expression<aten::neg> {
    static auto run(const auto& x) { return -x; }
};
template <> struct eigen_expression<aten::abs> {
    static auto run(const auto& x) { return x.abs(); }
};
template <> struct eigen_expression<aten::reciprocal> {
    static auto run(const auto& x) { return x.inverse(); }
};
template <> struct eigen_expression<aten::exp> {
    static auto run(const auto& x) { return x.exp(); }
};
template <> struct eigen_expression<aten::log> {
    static auto run(const auto& x) { return x.log(); }
};
template <> struct eigen_expression<aten::sin> {
    static auto run(const auto& x) { return x.sin(); }
};
template <> struct eigen_expression<aten::cos> {
    static auto run(const auto& x) { return x.cos(); }
};
template <> struct eigen_expression<aten::tanh> {
    static auto run(const auto& x) { return x.tanh(); }
};
template <> struct eigen_expression<aten::sigmoid> {
    static auto run(const auto& x) { return x.logistic(); }
};
template <> struct eigen_expression<aten::silu> {
    static auto run(const auto& x) { return x * x.logistic(); }
};
template <> struct eigen_expression<aten::floor> {
    static auto run(const auto& x) { return x.floor(); }
};
template <> struct eigen_expression<aten::ceil> {
    static auto run(const auto& x) { return x.ceil(); }
};
template <> struct eigen_expression<aten::maximum> {
    static auto run(const auto& x, const auto& y) { return (x >= y || x.isNaN()).select(x, y); }
};
template <> struct eigen_expression<aten::minimum> {
    static auto run(const auto& x, const auto& y) { return (x <= y || x.isNaN()).select(x, y); }
};
template <> struct eigen_expression<aten::mul> {
    static auto run(const auto& x, const auto& y) { return x * y; }
};
template <> struct eigen_expression<aten::mul_scalar> : eigen_expression<aten::mul> {};
template <> struct eigen_expression<aten::div> {
    static auto run(const auto& x, const auto& y) { return x / y; }
};
template <> struct eigen_expression<aten::div_scalar> : eigen_expression<aten::div> {};
template <> struct eigen_expression<aten::add> {
    static auto run(const auto& x, const auto& y, const auto& alpha) { return x + y * alpha; }
};
template <> struct eigen_expression<aten::add_scalar> : eigen_expression<aten::add> {};
template <> struct eigen_expression<aten::sub> {
    static auto run(const auto& x, const auto& y, const auto& alpha) { return x - y * alpha; }
};
template <> struct eigen_expression<aten::sub_scalar> : eigen_expression<aten::sub> {};

namespace detail {

inline constexpr int eigen_block = 128; // elements; a block of every operand and step is on the stack
/// Blocks have whole packets: elements by themselves would be computed by the standard library, and where a block ends
/// depends on the number of cores.
constexpr Eigen::Index whole_packets(Eigen::Index count) { return (count + 15) / 16 * 16; }
template <class T> using eigen_values = Eigen::Array<T, Eigen::Dynamic, 1, Eigen::ColMajor, eigen_block, 1>;

/// The result of step S of Call for a block. values: the results of the steps before it; loaded: the operands.
template <class Call, std::size_t S, class T>
void eigen_step(eigen_values<T>* values, const eigen_values<T>* loaded, Eigen::Index count) {
    using source = device::pointwise_slot::source;
    using here = fused_step_of<Call, S>;
    using op = typename here::op;
    // A reference to a block, or a number.
    const auto parameter = [&](auto which) -> decltype(auto) {
        constexpr auto slot = here::step.slots[which];
        constexpr auto place = static_cast<std::size_t>(slot.bits);
        if constexpr (slot.from == source::operand) return (loaded[place]);
        else if constexpr (slot.from == source::step) return (static_cast<const eigen_values<T>&>(values[place]));
        else return fused_constant<Call, S, T, which>();
    };
    const auto element = [](const auto& of, Eigen::Index i) -> T {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(of)>, T>) return of;
        else return of[i];
    };
    [&]<std::size_t... P>(std::index_sequence<P...>) {
        if constexpr (requires { sizeof(eigen_expression<op>); }) {
            values[S] = eigen_expression<op>::run(parameter(std::integral_constant<std::size_t, P>{})...);
        } else {
            values[S].resize(count);
            for (Eigen::Index i = 0; i < count; ++i)
                values[S][i] = static_cast<T>(aten::meaning_in<op, dtype_of_steps<Call, T>(), T>(
                    element(parameter(std::integral_constant<std::size_t, P>{}), i)...));
        }
    }(std::make_index_sequence<static_cast<std::size_t>(here::step.parameters)>{});
}

} // namespace detail

template <class Call> struct eigen_loop {
    static void run(const auto& at) {
        constexpr auto loop = Call::key.loop;
        constexpr auto inner = static_cast<std::size_t>(loop.rank == 0 ? 0 : loop.rank - 1);
        constexpr auto operands = static_cast<int>(loop.operands), steps = static_cast<int>(Call::key.count);
        constexpr Eigen::Index step = loop.rank == 0 ? 1 : loop.strides[0][inner];
        using T = element_t<loop.types[0]>;
        using stride = Eigen::InnerStride<>;
        using row = Eigen::Map<detail::eigen_values<T>, Eigen::Unaligned, stride>;
        using const_row = Eigen::Map<const detail::eigen_values<T>, Eigen::Unaligned, stride>;
        const auto inputs = at.inputs;
        const auto outputs = at.outputs;
        nest<loop, loop.rank - 1>([&](const auto& offsets) {
            for (Eigen::Index begin = 0; begin < device::innermost(loop); begin += detail::eigen_block) {
                const auto count = std::min<Eigen::Index>(detail::eigen_block, device::innermost(loop) - begin);
                const auto room = detail::whole_packets(count);
                detail::eigen_values<T> loaded[operands == 0 ? 1 : operands], values[steps];
                unroll<operands>([&](auto k) {
                    constexpr Eigen::Index apart = loop.rank == 0 ? 0 : loop.strides[k + 1][inner];
                    const auto* const from = reinterpret_cast<const T*>(inputs[k]) + offsets[k + 1] + begin * apart;
                    if constexpr (apart == 0) {
                        loaded[k].setConstant(room, *from);
                    } else {
                        loaded[k].setOnes(room);
                        loaded[k].head(count) = const_row(from, count, stride(apart));
                    }
                });
                unroll<steps>([&](auto s) { detail::eigen_step<Call, s, T>(values, loaded, room); });
                unroll<steps>([&](auto s) {
                    constexpr auto result = device::result_of_step(Call::key.results, steps, s);
                    if constexpr (result >= 0)
                        row(reinterpret_cast<T*>(outputs[result]) + offsets[0] + begin * step, count, stride(step)) =
                            values[s].head(count);
                });
            }
        });
    }
};

template <> struct has_eigen_kernel<device::fused> {};
template <class Op> struct has_eigen_kernel<device::pointwise<Op>> {};

} // namespace ahead::kernels
