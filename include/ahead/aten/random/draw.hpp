// SPDX-License-Identifier: MIT
// The common part of random operators: what a call draws, which draws are valid, and how they are evaluated.
// Invariant: a call that draws is never removed, moved or shared (has_side_effect), because later calls would draw
// other numbers. Used by random.hpp and dropout.hpp; pass/functionalise_random.hpp asks each operator for its
// random_draw.
#pragma once
#include <ahead/aten/random/philox.hpp>
#include <ahead/core/decimal.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The distribution of a call's draw, with its two parameters.
struct random_draw {
    distribution what = distribution::none;
    argument first{}, second{};
};

namespace detail {

inline constexpr effects draws{.has_side_effect = true, .is_random = true};

} // namespace detail

/// Refuses impossible distributions, and dtypes that a distribution does not support.
constexpr bool check_draw(infer_context& c, const random_draw& draw, dtype type) {
    const auto first = draw.first.kind == argument_kind::node ? 0 : call_view::to_real(draw.first),
               second = call_view::to_real(draw.second);
    const auto impossible = [&](std::string_view expected, double found) {
        return c.refuse(fault::distribution_is_impossible, expected,
                        print_decimal(std::bit_cast<std::int64_t>(found)).view());
    };
    switch (draw.what) {
    case distribution::uniform:
        if (!(first <= second)) return impossible("high from low on", second);
        break;
    case distribution::normal:
        if (!(second >= 0)) return impossible("a standard deviation from 0 on", second);
        break;
    case distribution::integers:
        if (draw.first.integer() >= draw.second.integer())
            return c.refuse(fault::distribution_is_impossible, short_text("high above low, ") << draw.first.integer(),
                            short_text() << draw.second.integer());
        return true;
    case distribution::bernoulli:
    case distribution::dropout:
        if (!(first >= 0 && first <= 1)) return impossible("a probability from 0 to 1", first);
        break;
    default: return true;
    }
    if (is_floating(type)) return true;
    return c.refuse(fault::dtype_is_unsupported, "a floating-point dtype", facts_of(type).annotation);
}

namespace detail {

/// The evaluate of all random operators except dropout.
constexpr void evaluate_draw(auto& c, const random_draw& draw) {
    const auto count = element_count(c.result_type());
    auto numbers = c.draw(count);
    if (draw.what == distribution::shuffled) return evaluate_shuffled(c, numbers);
    if (draw.what == distribution::samples) return evaluate_samples(c, numbers, first_parameter, draw.second.bits != 0);
    if (draw.what != distribution::bernoulli) return evaluate_random(c, draw.what, numbers, draw.first, draw.second);
    std::int64_t next = 0;
    c.compute([&](auto as) {
        const auto out = c.output(0, as);
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            const auto number = numbers.template uniform<float>(next++);
            const bool is_true = draw.first.kind == argument_kind::node
                                     ? static_cast<double>(number) < c.input(first_parameter, double{})[at]
                                     : number < static_cast<float>(call_view::to_real(draw.first));
            out.put(at, static_cast<decltype(as)>(is_true));
        });
    });
}

/// A random operator with one result. Names of Op's parameters define its type: self, with an optional memory_format,
/// or size, or n for rank 1; the dtype comes from parameter dtype, else from self, else it is Default.
template <class Op, dtype Default = dtype::f32> struct random {
    static constexpr effects effect = draws;
    static constexpr bool infer(infer_context& c) {
        using at = typename Op::at;
        auto type = Default;
        if constexpr (requires { at::self; }) type = c.tensor(at::self).type;
        if constexpr (requires { at::dtype; })
            if (c.is_given(at::dtype)) type = c.type(at::dtype);
        if (!check_draw(c, Op::draw(c), type)) return false;
        if constexpr (requires { at::memory_format; })
            return result_like(c, c.tensor(at::self), type, at::memory_format);
        else if constexpr (requires { at::self; }) return result_like(c, c.tensor(at::self), type);
        else if constexpr (requires { at::size; }) return c.result(tensor_of(type, c.ints(at::size)));
        else return c.result(tensor_of(type, {c.integer(at::n)}));
    }
    static constexpr void evaluate(auto& c) { evaluate_draw(c, Op::draw(c)); }
};

/// The same in row-major order, whatever the strides of self are.
template <class Op> struct random_row_major : random<Op> {
    static constexpr bool infer(infer_context& c) {
        if (!random<Op>::infer(c)) return false;
        const auto made = c.result_type();
        return c.result(tensor_of(made.type, sizes_of(made)));
    }
};

} // namespace detail

} // namespace ahead::aten
