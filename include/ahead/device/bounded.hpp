// SPDX-License-Identifier: MIT
// How a call is computed for fewer places of a bounded dim: whole, if its tensors do not follow the symbol; in
// consecutive pieces, each the call of a smaller key at a later address; or as one call of fewer places. A device
// operator that supports a bounded dim has
//     static constexpr bounded_call bounded(const auto& c);  // or c.refuse(expected, found)
// c: the call at the bound and at one size less, whose queries dynamic/bounded/bounded_calls.hpp has. pre: some tensor
// of it follows the symbol. An operator whose result is prepared for the bound at any size has
//     static constexpr bool is_prepared_for_bound = true;
// Law: memory after the given places is never read, and elements do not depend on the number of places, except through
// the order of a product's sums. A call for which no rule guarantees this is refused (call_is_not_bounded).
// Called by dynamic/bounded/bounded_rules.hpp.
#pragma once
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

/// The extent of a call, in addition to rows, that is known at run time.
enum class dynamic_extent : std::uint8_t { rows, columns, terms };

struct bounded_call {
    enum class way : std::uint8_t { whole, pieces, dynamic };
    way how = way::whole;
    std::int32_t levels = 0; // pieces: the largest has 16^levels places of the symbol
    // dynamic: how many of each per place of the symbol; 0: as many as at the bound
    dynamic_extent in = dynamic_extent::rows;
    std::int64_t rows = 0, columns = 0, terms = 0;
    std::int32_t dim = 0; // of a reduction: which of the reduced dims
    friend constexpr bool operator==(const bounded_call&, const bounded_call&) = default;
};

/// A loop over strided tensors, whose dims are counted from the last: each follows the symbol in the same dims as the
/// result, or is the same at all places.
constexpr bounded_call bounded_loop(const auto& c) {
    if (!c.is_sound()) return {};
    const auto out = c.result();
    bool ok = out.follows();
    for (std::int32_t k = 1; k < c.results(); ++k)
        ok = ok && c.result(k).dim == out.dim && c.result(k).each == out.each;
    for_each_operand(c.of.full, c.own().arguments, [&](const argument& a) {
        const auto own = c.given(a);
        const int dim = out.dim - (c.result_type().rank - c.type_of(a).rank);
        if (own.follows()) ok = ok && own.dim == dim && own.each == out.each;
        else ok = ok && (dim < 0 || c.type_of(a).size(dim) == 1);
    });
    return ok ? c.pieces()
              : c.refuse("operands that follow the symbol where the result does", ahead::print(c.result_type()));
}

/// `count` is the outermost extent of tensor x and of the results in Op's key: a piece has less of it.
template <class Op, class Key> constexpr bounded_call bounded_count(const auto& c, int x, std::int64_t Key::*count) {
    if (!c.is_sound()) return {};
    auto full = c.template key<Op>();
    const auto less = c.template key<Op>(true);
    bool ok = c.follows(x) && c.is_prefix(x) && c.are_results_prefixes();
    const auto each = full.*count - less.*count;
    ok = ok && each * c.of.bound == full.*count;
    full.*count = less.*count;
    ok = ok && full == less;
    for (std::int32_t i = 0; i < c.arguments(); ++i) ok = ok && (i == x || !c.follows(i));
    return ok ? c.pieces(element_count(c.type(x)) / c.of.bound)
              : c.refuse("a bounded dim outside of what one step computes", ahead::print(c.result_type()));
}

/// Whether the epilogue of a product or a convolution reads either as many elements as there are results, following the
/// symbol like these, or elements that are the same for all places. r0: its first operand.
constexpr bool has_bounded_epilogue(const auto& c, int r0, int end) {
    const auto step = c.step_of(c.result(), c.result_type());
    bool ok = true;
    for (int i = r0; i < end && c.is_tensor(i); ++i)
        ok = ok && (c.follows(i) ? c.is_prefix(i) && c.step_of(c.given(i), c.type(i)) == step
                                 : element_count(c.type(i)) < element_count(c.result_type()));
    return ok;
}

/// Whether argument 0, alone among the operands, and the result follow the symbol in their outermost dim.
constexpr bool follows_in_first_operand(const auto& c, int operands) {
    if (!c.is_sound()) return false;
    const auto x = c.given(0);
    bool ok = c.follows(0) && x.dim == 0 && c.is_prefix(0) && c.are_results_prefixes() && c.result().dim == 0;
    for (int i = 1; i < operands; ++i) ok = ok && !c.follows(i);
    if (!ok) static_cast<void>(c.refuse("rows or images that follow the symbol", ahead::print(c.result_type())));
    return ok;
}

} // namespace ahead::device
