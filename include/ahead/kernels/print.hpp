// SPDX-License-Identifier: MIT
// Prints tensors, on the AI CPU: numbers in Python's format, nested brackets, only the ends of long dims. Allocates
// nothing: the text goes to the sink in pieces, the last of which ends the line. Called by
// runtime/launch/instantiate_kernels.hpp for air.print.
#pragma once
#include <ahead/core/decimal.hpp>
#include <ahead/core/math.hpp>
#include <ahead/device/print.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <bit>
#include <cstddef>
#include <cstdio>

namespace AHEAD_NAMESPACE::kernels {

/// Takes the next piece of the printed text.
using print_sink = void (*)(std::string_view);

inline void print_to_stdout(std::string_view piece) {
    std::fwrite(piece.data(), 1, piece.size(), stdout);
    if (!piece.empty() && piece.back() == '\n') std::fflush(stdout);
}

namespace detail {

/// As Python's repr, but whole numbers without a point.
inline void print_number(double v, print_sink sink) {
    const auto text = print_decimal(std::bit_cast<std::int64_t>(v));
    const auto all = text.view();
    sink(all.ends_with(".0") ? all.substr(0, all.size() - 2) : all);
}
inline void print_whole(std::uint64_t magnitude, bool negative, print_sink sink) {
    char digits[20];
    std::size_t first = sizeof digits;
    do digits[--first] = static_cast<char>('0' + magnitude % 10);
    while ((magnitude /= 10) != 0);
    if (negative) sink("-");
    sink({digits + first, sizeof digits - first});
}
inline void print_whole(std::int64_t v, print_sink sink) {
    print_whole(v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v), v < 0, sink);
}

/// "(1-2j)"
inline void print_complex(complex128 v, print_sink sink) {
    sink("(");
    print_number(v.re, sink);
    if (!math::signbit(v.im)) sink("+");
    print_number(v.im, sink);
    sink("j)");
}

inline void print_element(const std::byte* storage, dtype type, std::int64_t at, print_sink sink) {
    const auto read = [&](auto as) { return reinterpret_cast<const decltype(as)*>(storage)[at]; };
    const auto whole = [&](std::int64_t v) { print_whole(v, sink); };
    switch (type) {
    case dtype::f32: return print_number(static_cast<double>(read(float{})), sink);
    case dtype::f64: return print_number(read(double{}), sink);
    case dtype::i32: return whole(read(std::int32_t{}));
    case dtype::b8: return whole(read(bool{}));
    case dtype::i64: return whole(read(std::int64_t{}));
    case dtype::u8: return whole(read(std::uint8_t{}));
    case dtype::i8: return whole(read(std::int8_t{}));
    case dtype::i16: return whole(read(std::int16_t{}));
    case dtype::u16: return whole(read(std::uint16_t{}));
    case dtype::u32: return whole(read(std::uint32_t{}));
    case dtype::u64: return print_whole(read(std::uint64_t{}), false, sink);
    case dtype::c64: return print_complex(complex128(read(complex64{})), sink);
    case dtype::c128: return print_complex(read(complex128{}), sink);
    case dtype::f8_e4m3: return print_number(static_cast<double>(read(float8_e4m3{})), sink);
    case dtype::f8_e5m2: return print_number(static_cast<double>(read(float8_e5m2{})), sink);
    case dtype::f16: return print_number(static_cast<double>(read(float16{})), sink);
    case dtype::bf16: return print_number(static_cast<double>(read(bfloat16{})), sink);
    }
}

/// Prints dim d and the dims inside it, from element `at` on.
inline void print_dims(const std::byte* first, const tensor_type& t, int d, std::int64_t at, std::int64_t ends,
                       print_sink sink) {
    if (d == t.rank) return print_element(first, t.type, at, sink);
    const std::string_view between = d + 1 == t.rank ? " " : "\n ";
    const auto size = t.size(d);
    const bool shortened = ends > 0 && size > 2 * ends;
    sink("[");
    for (std::int64_t i = 0; i < size; ++i) {
        if (i > 0) sink(between);
        if (shortened && i == ends) {
            sink("...");
            sink(between);
            i = size - ends;
        }
        print_dims(first, t, d + 1, at + i * t.stride(d), ends, sink);
    }
    sink("]");
}

/// "dtype=torch.float32, shape=[2, 3]"
inline void print_type(const tensor_type& t, print_sink sink) {
    sink("dtype=");
    sink(facts_of(t.type).torch);
    sink(", shape=[");
    for (int d = 0; d < t.rank; ++d) {
        if (d > 0) sink(", ");
        print_whole(t.size(d), sink);
    }
    sink("]");
}

/// Prints text that is escaped as by Python's repr.
inline void print_text(std::string_view text, print_sink sink) {
    for (std::size_t at; (at = text.find('\\')) != text.npos && at + 1 < text.size(); text.remove_prefix(at + 2)) {
        sink(text.substr(0, at));
        const char c = text[at + 1];
        sink(c == 'n'                             ? "\n"
             : c == 't'                           ? "\t"
             : c == '\\' || c == '\'' || c == '"' ? text.substr(at + 1, 1)
                                                  : text.substr(at, 2));
    }
    sink(text);
}

} // namespace detail

/// Prints one line: the call air.print(tensors, format, placeholder, summarize, detailed), by itself. inputs: the first
/// element of each tensor in the list.
[[gnu::noinline]] inline void print(const call_view& call, const std::byte* const* inputs, print_sink sink) {
    const auto placeholder = call.at(2).text;
    const bool detailed = call.boolean(4);
    auto format = call.at(1).text;
    for (std::int32_t k = 0; k < call.list_size(0); ++k) {
        const auto at = format.find(placeholder);
        detail::print_text(format.substr(0, at), sink);
        const auto& type = call.in().value_of(call.element(0, k)).type;
        if (detailed) sink("tensor(");
        detail::print_dims(inputs[k], type, 0, 0, call.integer(3), sink);
        if (detailed) {
            sink(", ");
            detail::print_type(type, sink);
            sink(")");
        }
        format.remove_prefix(at + placeholder.size());
    }
    detail::print_text(format, sink);
    sink("\n");
}

/// Prints to the toolchain's `print`, or to stdout.
template <> struct kernel_for<device::print> {
    template <class Call> static void run_call(const auto& at) {
        kernels::print_sink sink = &kernels::print_to_stdout;
        if constexpr (requires { Call::tools::print(std::string_view{}); }) sink = &Call::tools::print;
        diagnosis unused;
        kernels::print(Call::view(unused), at.inputs.data(), sink);
    }
};

} // namespace ahead::kernels
