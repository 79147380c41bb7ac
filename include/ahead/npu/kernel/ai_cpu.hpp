// SPDX-License-Identifier: MIT
// The AI CPU: evaluates an operator's meaning on the bytes of the plan, one element at a time. Instantiated once per operator, not per
// shape: the call, a constant of the program, is read at run time. Called by npu/kernels.hpp.
// Invariant: allocates nothing; what a meaning keeps beside its tensors lies in the plan's workspace.
#pragma once
#include <ahead/aten/evaluate.hpp>
#include <ahead/core/error.hpp>

namespace ahead::npu::kernel {

/// One tensor's storage, to be read and written as any type. Its own operator-> , so that it stands where a pointer to a buffer does.
class raw_buffer {
public:
    raw_buffer(const tensor_type& t, const std::byte* first)
        : type_(t.type), origin_(const_cast<std::byte*>(first) - t.offset * static_cast<std::int64_t>(bytes_of(t.type))) {}
    const raw_buffer* operator->() const { return this; }
    template <class T> T get(std::int64_t position) const {
        return visit<T>([&](auto as) { return math::convert<T>(*at<decltype(as)>(position)); });
    }
    template <class T> void put(std::int64_t position, T v) const {
        visit<void>([&](auto as) { *at<decltype(as)>(position) = math::convert<decltype(as)>(v); });
    }

private:
    template <class T> T* at(std::int64_t position) const { return reinterpret_cast<T*>(origin_) + position; }
    template <class R, class F> R visit(F f) const {
        switch (type_) {
        case dtype::f32: return f(float{});
        case dtype::f64: return f(double{});
        case dtype::i32: return f(std::int32_t{});
        case dtype::b8: return f(bool{});
        case dtype::i64: return f(std::int64_t{});
        case dtype::u8: return f(std::uint8_t{});
        case dtype::i8: return f(std::int8_t{});
        case dtype::i16: return f(std::int16_t{});
        case dtype::u16: return f(std::uint16_t{});
        case dtype::u32: return f(std::uint32_t{});
        case dtype::u64: return f(std::uint64_t{});
        case dtype::f16: return f(float16{});
        case dtype::bf16: return f(bfloat16{});
        }
        __builtin_unreachable();
    }
    dtype type_;
    std::byte* origin_;
};

/// Where the task's tensors lie: `inputs` in the order of the call's arguments, those in lists included.
class plan_memory {
public:
    plan_memory(const std::byte* const* inputs, std::byte* const* outputs, std::byte* workspace)
        : inputs_(inputs), outputs_(outputs), workspace_(workspace) {}

    raw_buffer operand(const call_view& call, const argument& wanted) const {
        const auto g = call.in();
        const auto& n = g[call.id()];
        std::size_t at = 0;
        const auto passes = [&](const argument& a) {
            if (&a == &wanted) return true;
            at += a.kind == argument_kind::node;
            return false;
        };
        bool found = false;
        for (std::int32_t i = 0; i < n.arguments.count && !found; ++i) {
            const auto& a = g.argument_of(n, i);
            found = passes(a);
            for (std::int32_t k = 0; k < a.children.count && !found; ++k) found = passes(g[a.children[k]]);
        }
        return {g.value_of(wanted).type, inputs_[at]};
    }
    bool is_in_place() const { return inputs_[0] == outputs_[0]; }
    raw_buffer result(const call_view& call, std::int32_t k) const { return {call.result_type(k), outputs_[k]}; }
    template <class T> array_view<T> scratch(std::int64_t count) {
        const auto first = reinterpret_cast<T*>(workspace_);
        for (std::int64_t i = 0; i < count; ++i) std::construct_at(first + i);
        workspace_ += count * static_cast<std::int64_t>(sizeof(T));
        return {first, static_cast<std::size_t>(count)};
    }

private:
    const std::byte* const* inputs_;
    std::byte* const* outputs_;
    std::byte* workspace_;
};

/// Throws what the meaning refuses, such as index_is_out_of_range, with the operator's name and line.
template <class Op>
[[gnu::noinline]] void evaluate(graph_view g, node_id id, const bound_arguments& bound, const std::byte* const* inputs, std::byte* const* outputs,
                                std::byte* workspace) {
    diagnosis d;
    evaluation<plan_memory> context(call_view(g, id, bound, d), plan_memory(inputs, outputs, workspace));
    Op::evaluate(context);
    if (d.ok()) return;
    d.op = g[id].target;
    d.line = g[id].from.line;
    d.name = print(g[id].name);
    throw error(d);
}

} // namespace ahead::npu::kernel
