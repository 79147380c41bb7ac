// SPDX-License-Identifier: MIT
// The AI CPU: evaluates an operator's meaning on the bytes of the plan, one element at a time. Instantiated once per
// operator, not per shape: the call, by itself (device/key/call_key.hpp), is read at run time. Called by
// runtime/launch/instantiate_kernels.hpp.
// Invariant: allocates nothing; data that a meaning keeps in addition to its tensors is stored in the plan's workspace.
#pragma once
#include <ahead/device/ai_cpu.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/reference/evaluate.hpp>
#include <new>

namespace AHEAD_NAMESPACE::kernels {

/// Elements of the dtypes without kernels, for which element loops do not instantiate separate code.
class rare_elements {
public:
    [[gnu::noinline]] static float small_float(dtype type, const std::byte* at) {
        switch (type) {
        case dtype::f16: return *reinterpret_cast<const float16*>(at);
        case dtype::bf16: return *reinterpret_cast<const bfloat16*>(at);
        case dtype::f8_e4m3: return *reinterpret_cast<const float8_e4m3*>(at);
        default: return *reinterpret_cast<const float8_e5m2*>(at);
        }
    }
    [[gnu::noinline]] static void put_small(dtype type, std::byte* at, float v) {
        switch (type) {
        case dtype::f16: *reinterpret_cast<float16*>(at) = v; return;
        case dtype::bf16: *reinterpret_cast<bfloat16*>(at) = v; return;
        case dtype::f8_e4m3: *reinterpret_cast<float8_e4m3*>(at) = v; return;
        default: *reinterpret_cast<float8_e5m2*>(at) = v; return;
        }
    }
    [[gnu::noinline]] static complex128 complex(dtype type, const std::byte* at) {
        if (type == dtype::c128) return *reinterpret_cast<const complex128*>(at);
        return complex128(*reinterpret_cast<const complex64*>(at));
    }
    [[gnu::noinline]] static void put_complex(dtype type, std::byte* at, complex128 v) {
        if (type == dtype::c128) *reinterpret_cast<complex128*>(at) = v;
        else *reinterpret_cast<complex64*>(at) = math::convert<complex64>(v);
    }
    /// u64 is returned as the int64 with the same bits.
    [[gnu::noinline]] static std::int64_t integer(dtype type, const std::byte* at) {
        switch (type) {
        case dtype::u8: return *reinterpret_cast<const std::uint8_t*>(at);
        case dtype::i8: return *reinterpret_cast<const std::int8_t*>(at);
        case dtype::i16: return *reinterpret_cast<const std::int16_t*>(at);
        case dtype::u16: return *reinterpret_cast<const std::uint16_t*>(at);
        case dtype::u32: return *reinterpret_cast<const std::uint32_t*>(at);
        default: return *reinterpret_cast<const std::int64_t*>(at);
        }
    }
    [[gnu::noinline]] static void put_integer(dtype type, std::byte* at, std::int64_t v) {
        switch (bytes_of(type)) {
        case 1: *reinterpret_cast<std::uint8_t*>(at) = static_cast<std::uint8_t>(v); return;
        case 2: *reinterpret_cast<std::uint16_t*>(at) = static_cast<std::uint16_t>(v); return;
        case 4: *reinterpret_cast<std::uint32_t*>(at) = static_cast<std::uint32_t>(v); return;
        default: *reinterpret_cast<std::int64_t*>(at) = v; return;
        }
    }
};

/// One tensor's storage, read and written as any type. Has its own operator->, so that it can replace a pointer to a
/// buffer.
class raw_buffer {
public:
    raw_buffer(const tensor_type& t, const std::byte* first)
        : type_(t.type),
          origin_(const_cast<std::byte*>(first) - t.offset * static_cast<std::int64_t>(bytes_of(t.type))) {}
    const raw_buffer* operator->() const { return this; }
    template <class T> T get(std::int64_t position) const {
        switch (type_) {
        case dtype::f32: return math::convert<T>(*at<float>(position));
        case dtype::f64: return math::convert<T>(*at<double>(position));
        case dtype::i32: return math::convert<T>(*at<std::int32_t>(position));
        case dtype::b8: return math::convert<T>(*at<bool>(position));
        case dtype::i64: return math::convert<T>(*at<std::int64_t>(position));
        case dtype::u64: return math::convert<T>(*at<std::uint64_t>(position));
        default:
            if (is_complex(type_)) return math::convert<T>(rare_elements::complex(type_, byte(position)));
            return is_floating(type_) ? math::convert<T>(rare_elements::small_float(type_, byte(position)))
                                      : math::convert<T>(rare_elements::integer(type_, byte(position)));
        }
    }
    template <class T> void put(std::int64_t position, T v) const {
        switch (type_) {
        case dtype::f32: *at<float>(position) = math::convert<float>(v); return;
        case dtype::f64: *at<double>(position) = math::convert<double>(v); return;
        case dtype::i32: *at<std::int32_t>(position) = math::convert<std::int32_t>(v); return;
        case dtype::b8: *at<bool>(position) = math::convert<bool>(v); return;
        case dtype::i64: *at<std::int64_t>(position) = math::convert<std::int64_t>(v); return;
        default:
            if (is_complex(type_)) rare_elements::put_complex(type_, byte(position), math::convert<complex128>(v));
            else if (is_floating(type_)) rare_elements::put_small(type_, byte(position), math::convert<float>(v));
            else rare_elements::put_integer(type_, byte(position), math::convert<std::int64_t>(v));
        }
    }

private:
    template <class T> T* at(std::int64_t position) const { return reinterpret_cast<T*>(origin_) + position; }
    std::byte* byte(std::int64_t position) const {
        return origin_ + position * static_cast<std::int64_t>(bytes_of(type_));
    }
    dtype type_;
    std::byte* origin_;
};

/// The tensors of a call by itself: its operands are the first nodes of its graph, in the order of `inputs`.
class plan_memory {
public:
    plan_memory(const std::byte* const* inputs, std::byte* const* outputs, std::byte* workspace)
        : inputs_(inputs), outputs_(outputs), workspace_(workspace) {}

    raw_buffer operand(const call_view& call, const argument& wanted) const {
        return {call.in().value_of(wanted).type, inputs_[wanted.node().index]};
    }
    bool is_in_place() const { return inputs_[0] == outputs_[0]; }
    raw_buffer result(const call_view& call, std::int32_t k) const { return {call.result_type(k), outputs_[k]}; }
    template <class T> array_view<T> scratch(std::int64_t count) {
        const auto first = reinterpret_cast<T*>(workspace_);
        for (std::int64_t i = 0; i < count; ++i) ::new (first + i) T();
        workspace_ += count * static_cast<std::int64_t>(sizeof(T));
        return {first, static_cast<std::size_t>(count)};
    }

private:
    const std::byte* const* inputs_;
    std::byte* const* outputs_;
    std::byte* workspace_;
};

/// Refuses what the meaning refuses, such as index_is_out_of_range.
template <class Op>
[[gnu::noinline]] bool evaluate(const call_view& call, const std::byte* const* inputs, std::byte* const* outputs,
                                std::byte* workspace, diagnosis& d) {
    evaluation<plan_memory> context(call, plan_memory(inputs, outputs, workspace));
    Op::evaluate(context);
    return d.ok();
}

template <class Op> struct kernel_for<device::ai_cpu<Op>> {
    static constexpr bool refuses = true;
    /// d: the diagnosis that the call uses, too.
    static bool run(const call_view& call, const auto& at, diagnosis& d) {
        return kernels::evaluate<Op>(call, at.inputs.data(), at.outputs.data(), at.workspace, d);
    }
};

} // namespace ahead::kernels
