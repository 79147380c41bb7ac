// SPDX-License-Identifier: MIT
// Joins device operators to kernels: one kernel_for per operator, forwarding typed pointers. The operator chose the
// key.
#pragma once
#include <ahead/target/op/print.hpp>
#include <ahead/kernel/ai_cpu.hpp>
#include <ahead/kernel/average_pool2d.hpp>
#include <ahead/kernel/concat.hpp>
#include <ahead/kernel/convolution.hpp>
#include <ahead/kernel/embedding.hpp>
#include <ahead/kernel/fused.hpp>
#include <ahead/kernel/layer_norm.hpp>
#include <ahead/kernel/matmul.hpp>
#include <ahead/kernel/max_pool2d.hpp>
#include <ahead/kernel/pad.hpp>
#include <ahead/kernel/pointwise.hpp>
#include <ahead/kernel/print.hpp>
#include <ahead/kernel/reduce.hpp>
#include <ahead/kernel/softmax.hpp>
#include <ahead/kernel/strided.hpp>
#include <ahead/kernel/write.hpp>
#include <ahead/program/lift.hpp>
#include <ahead/target/op/ai_cpu.hpp>
#include <ahead/target/device_ops.hpp>
#include <ahead/target/op/embedding.hpp>
#include <ahead/target/op/pointwise.hpp>

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::copy> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) { kernel::strided_copy<Key>(at); }
};
template <> struct kernel_for<device::concat> {
    template <class Call> static void run_call(const auto& at) { kernel::concat<Call>(at); }
};
template <> struct kernel_for<device::embedding> {
    static constexpr bool refuses = true;
    static bool run(graph_view g, node_id id, const bound_arguments&, const auto& at, diagnosis& d) {
        return kernel::embedding(g, id, at.inputs[0], at.inputs[1], at.outputs[0], d);
    }
};
template <> struct kernel_for<device::assign> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) { kernel::assign<Key>(at); }
};
template <> struct kernel_for<device::scatter_view> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) { kernel::scatter_view<Key>(at); }
};
/// A call's epilogue, as its kernel takes it.
template <class Call> struct lifted_epilogue {
    using registry = typename Call::registry;
    static constexpr bool exists = Call::of_call(Call::op::has_epilogue);
    static constexpr target::epilogue_key epilogue = Call::of_call(Call::op::epilogue);
};
/// For a result whose columns lie Plane elements apart; the epilogue's operands are the task's from `first` on.
template <class Call, class T, std::int64_t Columns, std::int64_t Plane>
[[gnu::always_inline]] inline auto epilogue_of([[maybe_unused]] const auto& at, [[maybe_unused]] std::size_t first) {
    if constexpr (lifted_epilogue<Call>::exists) {
        kernel::epilogue<lifted_epilogue<Call>, T, Columns, Plane> after{at.template out<T>(), {}};
        for (std::size_t k = 0; k < static_cast<std::size_t>(after.operands); ++k)
            after.from.at[k] = at.template in<T>(first + k);
        return after;
    } else {
        return kernel::no_epilogue{};
    }
}
template <> struct kernel_for<device::matmul> {
    template <class Call> [[gnu::always_inline]] static void run_call(const auto& at) {
        constexpr auto key = Call::key;
        using T = element_t<key.type>;
        kernel::matmul<key>(at.template in<T>(0), at.template in<T>(1), at.template in_or_null<T>(2),
                            at.template out<T>(), at.workspace, epilogue_of<Call, T, key.n, 1>(at, key.bias ? 3 : 2));
    }
};
template <> struct kernel_for<device::batch_matmul> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.product.type>;
        kernel::batch_matmul<Key>(at.template in<T>(0), at.template in<T>(1), at.template out<T>(), at.workspace);
    }
};
template <> struct kernel_for<device::pack_matmul> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernel::pack_matmul<Key>(at.template in<T>(0), at.template out<T>());
    }
};
template <> struct kernel_for<device::convolution> {
    template <class Call> [[gnu::always_inline]] static void run_call(const auto& at) {
        constexpr auto key = Call::key;
        using T = element_t<key.type>;
        kernel::convolution<key>(at.template in<T>(0), at.template in<T>(1), at.template in_or_null<T>(2),
                                 at.template out<T>(), at.workspace,
                                 epilogue_of<Call, T, key.out_channels, target::out_pixels(key)>(at, key.bias ? 3 : 2));
    }
};
template <> struct kernel_for<device::pack_convolution> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernel::pack_convolution<Key>(at.template in<T>(0), at.template out<T>());
    }
};
template <class Op> struct kernel_for<device::pointwise<Op>> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) { kernel::pointwise<Op, Key>(at); }
};
template <> struct kernel_for<device::fused> {
    template <class Call> [[gnu::always_inline]] static void run_call(const auto& at) { kernel::fused<Call>(at); }
};
/// Without a key: it reads the call.
template <class Op> struct kernel_for<device::ai_cpu<Op>> {
    static constexpr bool refuses = true;
    static bool run(graph_view g, node_id id, const bound_arguments& bound, const auto& at, diagnosis& d) {
        return kernel::evaluate<Op>(g, id, bound, at.inputs.data(), at.outputs.data(), at.workspace, d);
    }
};
template <> struct kernel_for<device::print> {
    template <class Call> static void run_call(const auto& at) {
        if constexpr (requires { Call::tools::print(std::string_view{}); })
            kernel::print(Call::g, Call::key, at.inputs.data(), &Call::tools::print);
        else kernel::print(Call::g, Call::key, at.inputs.data(), &kernel::print_to_stdout);
    }
};
template <> struct kernel_for<device::max_pool2d> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        std::int64_t* indices = nullptr;
        if constexpr (Key.indices) indices = at.template out<std::int64_t>(1);
        kernel::max_pool2d<Key>(at.template in<T>(0), at.template out<T>(), indices, at.workspace);
    }
};
template <> struct kernel_for<device::average_pool2d> {
    template <auto Key> static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernel::average_pool2d<Key>(at.template in<T>(0), at.template out<T>());
    }
};
template <> struct kernel_for<device::pad> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernel::pad<Key>(at.template in<T>(0), at.template out<T>());
    }
};
template <> struct kernel_for<device::softmax> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernel::softmax<Key>(at.template in<T>(0), at.template out<T>());
    }
};
template <> struct kernel_for<device::layer_norm> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        T *mean = nullptr, *rstd = nullptr;
        if constexpr (Key.statistics) mean = at.template out<T>(1), rstd = at.template out<T>(2);
        kernel::layer_norm<Key>(at.template in<T>(0), at.template in_or_null<T>(1),
                                at.template in_or_null<T>(Key.weight ? 2 : 1), at.template out<T>(), mean, rstd);
    }
};
template <> struct kernel_for<device::reduce> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernel::reduce<Key>(at.template in<T>(0), at.template out<T>());
    }
};

} // namespace ahead::npu
