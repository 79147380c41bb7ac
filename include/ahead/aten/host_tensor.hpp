// SPDX-License-Identifier: MIT
// A tensor in ordinary memory for the reference interpreter: its type and its elements; and the way from and to raw bytes.
// Invariant: an element is kept as float, double or int64 according to the dtype; i32 is wrapped to 32 bits, b8 is 0 or 1.
#pragma once
#include <ahead/aten/walk.hpp>
#include <span>
#include <vector>

namespace ahead {

/// The elements of one storage. Only the vector that fits the dtype is used.
struct host_buffer {
    dtype type = dtype::f32;
    std::vector<float> singles;
    std::vector<double> doubles;
    std::vector<std::int64_t> integers;

    constexpr host_buffer() = default;
    /// Zeros; written so that clang takes it in constant expressions, which resize is not with libstdc++ 12.
    constexpr host_buffer(dtype t, std::int64_t count) : type(t) {
        const auto n = static_cast<std::size_t>(count);
        if (t == dtype::f32)
            singles = std::vector<float>(n, 0.0f);
        else if (t == dtype::f64)
            doubles = std::vector<double>(n, 0.0);
        else
            integers = std::vector<std::int64_t>(n, std::int64_t{0});
    }
    constexpr std::int64_t size() const {
        return static_cast<std::int64_t>(type == dtype::f32 ? singles.size() : type == dtype::f64 ? doubles.size() : integers.size());
    }
    template <class T>
    constexpr T get(std::int64_t position) const {
        const auto i = static_cast<std::size_t>(position);
        if (type == dtype::f32) return math::convert<T>(singles[i]);
        if (type == dtype::f64) return math::convert<T>(doubles[i]);
        return math::convert<T>(integers[i]);
    }
    template <class T>
    constexpr void put(std::int64_t position, T v) {
        const auto i = static_cast<std::size_t>(position);
        if (type == dtype::f32)
            singles[i] = math::convert<float>(v);
        else if (type == dtype::f64)
            doubles[i] = math::convert<double>(v);
        else if (type == dtype::i32)
            integers[i] = math::convert<std::int32_t>(v);
        else if (type == dtype::b8)
            integers[i] = math::convert<bool>(v);
        else
            integers[i] = math::convert<std::int64_t>(v);
    }
};

struct host_tensor {
    tensor_type type;
    host_buffer data;

    constexpr host_tensor() = default;
    /// Zeros, contiguous.
    constexpr explicit host_tensor(const tensor_type& t) : type(t), data(t.type, element_count(t)) { make_contiguous(type); }
    template <class T>
    constexpr host_tensor(const tensor_type& t, std::initializer_list<T> values) : host_tensor(t) {
        std::int64_t i = 0;
        for (auto v : values) data.put(i++, v);
    }
    /// pre: as many values as t has elements.
    template <class T>
    constexpr host_tensor(const tensor_type& t, std::span<const T> values) : host_tensor(t) {
        std::int64_t i = 0;
        for (auto v : values) data.put(i++, v);
    }
    template <class T>
    constexpr T get(const int_list& at) const {
        return data.get<T>(position_of(type, at));
    }
    template <class T>
    constexpr void put(const int_list& at, T v) {
        data.put(position_of(type, at), v);
    }
};

namespace detail {
template <dtype Type>
void copy_bytes_in(host_tensor& t, const std::byte* bytes) {
    for (std::int64_t i = 0; i < t.data.size(); ++i) {
        element_t<Type> v{};
        __builtin_memcpy(&v, bytes + static_cast<std::size_t>(i) * sizeof v, sizeof v);
        t.data.put(i, v);
    }
}
template <dtype Type>
void copy_bytes_out(const host_tensor& t, std::byte* bytes) {
    for_each_index(sizes_of(t.type), [&](const int_list& at) {
        const auto v = t.get<element_t<Type>>(at);
        __builtin_memcpy(bytes, &v, sizeof v);
        bytes += sizeof v;
    });
}
} // namespace detail

/// Row-major elements of the dtype. pre: bytes.size() is what t needs. False if the dtype does not run.
inline bool from_bytes(const tensor_type& t, std::span<const std::byte> bytes, host_tensor& out) {
    out = host_tensor(t);
    switch (t.type) {
    case dtype::f32:
        detail::copy_bytes_in<dtype::f32>(out, bytes.data());
        return true;
    case dtype::f64:
        detail::copy_bytes_in<dtype::f64>(out, bytes.data());
        return true;
    case dtype::i64:
        detail::copy_bytes_in<dtype::i64>(out, bytes.data());
        return true;
    case dtype::i32:
        detail::copy_bytes_in<dtype::i32>(out, bytes.data());
        return true;
    case dtype::b8:
        detail::copy_bytes_in<dtype::b8>(out, bytes.data());
        return true;
    default:
        return false;
    }
}

/// The inverse: writes element_count * bytes_of bytes in row-major order, whatever the strides.
inline bool to_bytes(const host_tensor& t, std::span<std::byte> bytes) {
    switch (t.type.type) {
    case dtype::f32:
        detail::copy_bytes_out<dtype::f32>(t, bytes.data());
        return true;
    case dtype::f64:
        detail::copy_bytes_out<dtype::f64>(t, bytes.data());
        return true;
    case dtype::i64:
        detail::copy_bytes_out<dtype::i64>(t, bytes.data());
        return true;
    case dtype::i32:
        detail::copy_bytes_out<dtype::i32>(t, bytes.data());
        return true;
    case dtype::b8:
        detail::copy_bytes_out<dtype::b8>(t, bytes.data());
        return true;
    default:
        return false;
    }
}

} // namespace ahead
