// SPDX-License-Identifier: MIT
// Memory of the caller that a run writes its outputs into, so that no lease is left:
//     std::array<float, 10> logits;
//     run(ahead::into(logits), image);
// Invariant: the compiler checks from its type whether it may be written; output_memory checks before a run whether it
// is large enough. Called by session.hpp.
#pragma once
#include <ahead/runtime/checked_inputs.hpp>
#include <ahead/runtime/memory/memory_range.hpp>
#include <cstring>

namespace AHEAD_NAMESPACE::runtime {

/// The arguments of into(), by reference: use the object only in the call that it is made for.
template <class... Given> struct output_memory {
    std::tuple<Given&...> all;
};
/// Takes one memory per output, in the graph's order: a writable array, span or vector with exactly as many elements as
/// the output, of its dtype; or at least as many std::byte as the output has, which need not be aligned.
template <class... Given> output_memory<std::remove_reference_t<Given>...> into(Given&&... memory) {
    return {{memory...}};
}

} // namespace ahead::runtime
namespace AHEAD_NAMESPACE::detail {

/// Memory for a tensor of this type: its elements contiguous, in the order of its indices.
template <class Type, class Given> struct output_place {
    using all = runtime::tensor_elements<Type>;
    using element = typename all::element;
    static constexpr std::size_t bytes = all::extent * sizeof(element);
    static constexpr std::int64_t size = static_size<std::remove_cv_t<Given>>(); // -1: known only at run time

    template <class Wanted> static constexpr bool is_of() {
        if constexpr (requires(Given& given) { std::data(given), std::size(given); })
            return std::same_as<decltype(std::data(std::declval<Given&>())), Wanted*>;
        else return false;
    }
    static constexpr bool is_bytes = is_of<std::byte>();
    static constexpr bool is_const = is_of<const element>() || is_of<const std::byte>();
    static constexpr bool fits = is_bytes
                                     ? size < 0 || size >= static_cast<std::int64_t>(bytes)
                                     : is_of<element>() && (size < 0 || size == static_cast<std::int64_t>(all::extent));

    static memory_range range_of(Given& given) {
        return {reinterpret_cast<const std::byte*>(std::data(given)), bytes, true};
    }
    /// Whether it is large enough, if its type does not say so.
    static bool has_size(Given& given, std::int32_t output, diagnosis& d) {
        const auto found = std::size(given);
        if (!d.ok() || size >= 0 || (is_bytes ? found >= bytes : found == all::extent)) return d.ok();
        d.op = "run";
        d.name = short_text("output ") << output;
        if constexpr (is_bytes)
            return refuse(d, fault::memory_is_too_small, short_text() << bytes << " bytes", short_text() << found);
        return refuse(d, fault::element_counts_differ,
                      short_text() << all::extent << " elements for " << print(Type::type).view(),
                      short_text() << found);
    }
    /// pre: `first` is the first element of such a tensor; the two memories do not overlap
    static void copy(const std::byte* first, std::byte* to) {
        if constexpr (bytes == 0) return;
        else if constexpr (all::is_contiguous()) std::memcpy(to, first, bytes);
        else
            for (std::size_t i = 0; i < all::extent; ++i)
                std::memcpy(to + i * sizeof(element),
                            first + all::position(i) * static_cast<std::int64_t>(sizeof(element)), sizeof(element));
    }
};

/// Whether a run may be called with arguments of these types and write its outputs into memory of those types.
template <class Program, class Memory, class... Inputs> struct checked_run;
template <class Program, class... Given, class... Inputs>
struct checked_run<Program, runtime::output_memory<Given...>, Inputs...> {
    template <std::int32_t Nth, class One>
    using place = output_place<static_type<typename Program::template output_port<Nth>>, One>;

    template <std::int32_t Nth, class One> static constexpr void check_output(diagnosis& d) {
        using output = place<Nth, One>;
        if (!d.ok() || output::fits) return;
        d.name = short_text("output ") << Nth;
        if constexpr (output::is_bytes)
            refuse(d, fault::output_has_wrong_type, short_text() << output::bytes << " bytes",
                   short_text() << output::size << " bytes");
        refuse(d, fault::output_has_wrong_type,
               short_text() << output::all::extent << " elements of "
                            << facts_of(Program::template output_port<Nth>::type.type).annotation
                            << (output::is_const ? " that may be written" : ""),
               describe_input<std::remove_cv_t<One>>() << (output::is_const ? " that are const" : ""));
    }
    static constexpr diagnosis error = [] {
        diagnosis d = checked_inputs<Program, Inputs...>::error;
        if (!d.ok() || !Program::accepted) return d;
        d.op = "run";
        if constexpr (sizeof...(Given) != static_cast<std::size_t>(Program::output_count)) {
            refuse(d, fault::output_count_differs, short_text() << Program::output_count << " memories, one per output",
                   short_text() << sizeof...(Given));
        } else {
            [&]<std::int32_t... Nth>(std::integer_sequence<std::int32_t, Nth...>) {
                (check_output<Nth, Given>(d), ...);
            }(std::make_integer_sequence<std::int32_t, sizeof...(Given)>{});
        }
        return d;
    }();
};

} // namespace ahead::detail

namespace AHEAD_NAMESPACE {
using runtime::into;
} // namespace ahead
