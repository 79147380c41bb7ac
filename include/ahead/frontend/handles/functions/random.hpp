// SPDX-License-Identifier: MIT
// Random operators on handles. A program that calls one takes two more inputs, after the others and both i64 of rank 0:
// the seed, and the offset of the next number, which the run advances.
//     inline constexpr auto net = trace([](input<"x", f32<4, 8>> x) {
//         return outputs(dropout(x, 0.1), randn_like(x));
//     });
//     std::array<std::int64_t, 1> seed{42}, offset{0};
//     auto [y, noise] = run(x, seed, offset);        // the next run draws the next numbers
// The numbers are not those that PyTorch draws for the same seed (core/random_numbers.hpp defines them); the
// distributions are the same.
// Errors: distribution_is_impossible, at compiled<> if a number given here causes it; dtype_is_unsupported.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

// With the given sizes, in f32. The handle is any tensor of the trace: it identifies the trace.

/// Uniform in [0, 1).
template <std::int64_t... Sizes, class A>
constexpr auto rand(const handle<A>& beside, call_site where = call_site::current()) {
    return call_in<aten::rand>(beside, where, ints<Sizes...>{});
}
/// Normal, with mean 0 and variance 1.
template <std::int64_t... Sizes, class A>
constexpr auto randn(const handle<A>& beside, call_site where = call_site::current()) {
    return call_in<aten::randn>(beside, where, ints<Sizes...>{});
}
/// Integers from Low to High - 1, in i64.
template <std::int64_t Low, std::int64_t High, std::int64_t... Sizes, class A>
constexpr auto randint(const handle<A>& beside, call_site where = call_site::current()) {
    return call_in<aten::randint_low>(beside, where, integer<Low>{}, integer<High>{}, ints<Sizes...>{});
}
/// A random permutation of 0 to Count - 1, in i64.
template <std::int64_t Count, class A>
constexpr auto randperm(const handle<A>& beside, call_site where = call_site::current()) {
    return call_in<aten::randperm>(beside, where, integer<Count>{});
}

// With the dtype and sizes of x, which is floating point.

/// Uniform in [0, 1).
template <class A> constexpr auto rand_like(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::rand_like>(where, x);
}
/// Normal, with mean 0 and variance 1.
template <class A> constexpr auto randn_like(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::randn_like>(where, x);
}
/// Uniform in [from, to).
template <class A>
constexpr auto uniform(const handle<A>& x, double from, double to, call_site where = call_site::current()) {
    return call<aten::uniform>(where, x, from, to);
}
/// Normal, with this mean and standard deviation.
template <class A>
constexpr auto normal(const handle<A>& x, double mean, double deviation, call_site where = call_site::current()) {
    return call<aten::normal_functional>(where, x, mean, deviation);
}
/// 1 with the probability in the same element of x, otherwise 0; with p, the same probability everywhere.
template <class A> constexpr auto bernoulli(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::bernoulli>(where, x);
}
template <class A> constexpr auto bernoulli(const handle<A>& x, double p, call_site where = call_site::current()) {
    return call<aten::bernoulli_p>(where, x, p);
}
/// x / (1 - p) for kept elements, 0 for dropped ones, with probability p. For inference, where it would return x, leave
/// it out.
template <class A> constexpr auto dropout(const handle<A>& x, double p = 0.5, call_site where = call_site::current()) {
    return call<aten::dropout>(where, x, p, flag<true>{});
}
/// The same, and the mask of kept elements, a tensor of b8: auto [y, mask] = native_dropout(x, 0.1).
template <class A> constexpr auto native_dropout(const handle<A>& x, double p, call_site where = call_site::current()) {
    return frontend::call_all<aten::native_dropout, 2>(where, x, p, flag<true>{});
}
/// Samples indices of each row of x, with probability proportional to its elements; without replacement they are
/// distinct.
template <std::int64_t Samples, bool Replacement = false, class A>
constexpr auto multinomial(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::multinomial>(where, x, integer<Samples>{}, flag<Replacement>{});
}

} // namespace ahead::ops
