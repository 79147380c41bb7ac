// SPDX-License-Identifier: MIT
// A tensor in host memory for the reference interpreter: its type and its elements. host_bytes.hpp converts it to and
// from raw bytes.
// Invariant: an element is stored as float (also f8, f16 and bf16, after rounding), double or int64 according to the
// dtype; integers wrap to their width, u64 is stored as the int64 with the same bits, b8 is 0 or 1; a complex number is
// two doubles, rounded to float for c64.
#pragma once
#include <ahead/ir/walk.hpp>
#include <span>
#include <vector>

namespace AHEAD_NAMESPACE::detail {

/// Calls f with a value of the C++ type of the dtype.
template <class F> constexpr auto with_element(dtype type, F f) {
    switch (type) {
    case dtype::b8: return f(bool{});
    case dtype::u8: return f(std::uint8_t{});
    case dtype::i8: return f(std::int8_t{});
    case dtype::i16: return f(std::int16_t{});
    case dtype::i32: return f(std::int32_t{});
    case dtype::i64: return f(std::int64_t{});
    case dtype::u16: return f(std::uint16_t{});
    case dtype::u32: return f(std::uint32_t{});
    case dtype::u64: return f(std::uint64_t{});
    case dtype::f8_e4m3: return f(float8_e4m3{});
    case dtype::f8_e5m2: return f(float8_e5m2{});
    case dtype::f16: return f(float16{});
    case dtype::bf16: return f(bfloat16{});
    case dtype::f64: return f(double{});
    case dtype::c64: return f(complex64{});
    case dtype::c128: return f(complex128{});
    default: return f(float{});
    }
}
constexpr bool is_single(dtype type) { return type >= dtype::f8_e4m3 && type <= dtype::f32; }

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::interpreter {

/// The elements of one storage. Only the vector that matches the dtype is used.
struct host_buffer {
    dtype type = dtype::f32;
    std::vector<float> singles;
    std::vector<double> doubles;
    std::vector<std::int64_t> integers;

    constexpr host_buffer() = default;
    /// Zeros. Assigns new vectors because clang does not accept resize with libstdc++ 12 in constant expressions.
    constexpr host_buffer(dtype t, std::int64_t count) : type(t) {
        const auto n = static_cast<std::size_t>(count);
        if (detail::is_single(t)) singles = std::vector<float>(n, 0.0f);
        else if (t >= dtype::f64) doubles = std::vector<double>(is_complex(t) ? 2 * n : n, 0.0);
        else integers = std::vector<std::int64_t>(n, std::int64_t{0});
    }
    constexpr std::int64_t size() const {
        return static_cast<std::int64_t>(detail::is_single(type) ? singles.size()
                                         : type == dtype::f64    ? doubles.size()
                                         : is_complex(type)      ? doubles.size() / 2
                                                                 : integers.size());
    }
    template <class T> constexpr T get(std::int64_t position) const {
        const auto i = static_cast<std::size_t>(position);
        if (detail::is_single(type)) return math::convert<T>(singles[i]);
        if (type == dtype::f64) return math::convert<T>(doubles[i]);
        if (type == dtype::u64) return math::convert<T>(static_cast<std::uint64_t>(integers[i]));
        if (is_complex(type)) return math::convert<T>(complex128(doubles[2 * i], doubles[2 * i + 1]));
        return math::convert<T>(integers[i]);
    }
    template <class T> constexpr void put(std::int64_t position, T v) {
        const auto i = static_cast<std::size_t>(position);
        if (type == dtype::f32) singles[i] = math::convert<float>(v);
        else if (type == dtype::f64) doubles[i] = math::convert<double>(v);
        else if (type == dtype::i32) integers[i] = math::convert<std::int32_t>(v);
        else if (type == dtype::b8) integers[i] = math::convert<bool>(v);
        else if (type == dtype::i64) integers[i] = math::convert<std::int64_t>(v);
        else if (type == dtype::f16) singles[i] = math::convert<float16>(v);
        else if (type == dtype::bf16) singles[i] = math::convert<bfloat16>(v);
        else if (type == dtype::f8_e4m3) singles[i] = math::convert<float8_e4m3>(v);
        else if (type == dtype::f8_e5m2) singles[i] = math::convert<float8_e5m2>(v);
        else if (type == dtype::c64) put_complex(i, math::convert<complex128>(math::convert<complex64>(v)));
        else if (type == dtype::c128) put_complex(i, math::convert<complex128>(v));
        else integers[i] = put_integer(v);
    }
    /// Copies an element of another buffer of the same dtype to element `position`.
    constexpr void copy(std::int64_t position, const host_buffer& from, std::int64_t its_position) {
        const auto to = static_cast<std::size_t>(position), at = static_cast<std::size_t>(its_position);
        if (detail::is_single(type)) singles[to] = from.singles[at];
        else if (type == dtype::f64) doubles[to] = from.doubles[at];
        else if (is_complex(type)) put_complex(to, {from.doubles[2 * at], from.doubles[2 * at + 1]});
        else integers[to] = from.integers[at];
    }

private:
    constexpr void put_complex(std::size_t i, complex128 v) {
        doubles[2 * i] = v.re;
        doubles[2 * i + 1] = v.im;
    }
    /// Wraps v to the width of the dtype.
    template <class T> constexpr std::int64_t put_integer(T v) const {
        if (type == dtype::u64) return static_cast<std::int64_t>(math::convert<std::uint64_t>(v));
        const auto wide = math::convert<std::int64_t>(v);
        switch (type) {
        case dtype::u8: return static_cast<std::uint8_t>(wide);
        case dtype::i8: return static_cast<std::int8_t>(wide);
        case dtype::i16: return static_cast<std::int16_t>(wide);
        case dtype::u16: return static_cast<std::uint16_t>(wide);
        default: return static_cast<std::uint32_t>(wide);
        }
    }
};

struct host_tensor {
    tensor_type type;
    host_buffer data;

    constexpr host_tensor() = default;
    /// Zeros, contiguous.
    constexpr explicit host_tensor(const tensor_type& t) : type(t), data(t.type, element_count(t)) {
        make_contiguous(type);
    }
    template <class T> constexpr host_tensor(const tensor_type& t, std::initializer_list<T> values) : host_tensor(t) {
        std::int64_t i = 0;
        for (auto v : values) data.put(i++, v);
    }
    /// pre: `values` has as many elements as t.
    template <class T> constexpr host_tensor(const tensor_type& t, std::span<const T> values) : host_tensor(t) {
        std::int64_t i = 0;
        for (auto v : values) data.put(i++, v);
    }
    template <class T> constexpr T get(const int_list& at) const { return data.get<T>(position_of(type, at)); }
    template <class T> constexpr void put(const int_list& at, T v) { data.put(position_of(type, at), v); }
};

} // namespace ahead::interpreter

namespace AHEAD_NAMESPACE {
using interpreter::host_tensor;
} // namespace ahead
