// SPDX-License-Identifier: MIT
// Random tensors as pure functions: pass/functionalise_random.hpp replaces aten's random operators by these. Each takes
// the run's rng_seed and rng_offset, both i64 of rank 0, and `before`, the count of numbers that earlier calls of the
// run take; element i in row-major order is computed from number rng_offset + before + i.
// Invariant: equal arguments give equal elements. Source: rngprims.philox_rand of torch/_prims/rng_prims.py; the
// numbers are those of core/random_numbers.hpp.
#pragma once
#include <ahead/aten/create/copy.hpp>
#include <ahead/core/decimal.hpp>
#include <ahead/core/random_numbers.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::aten {

/// The distribution of a random tensor's elements; it has up to two parameters.
enum class distribution : std::uint8_t {
    none,      // nothing is drawn
    uniform,   // from `first` to `second`
    normal,    // with mean `first` and standard deviation `second`
    integers,  // from `first` to `second` - 1
    shuffled,  // a permutation of 0 to `first` - 1
    bernoulli, // true with probability `first`, a number or a tensor
    samples,   // `first` indices of each row of self, with its elements as weights; `second`: with replacement
    dropout,   // self, dropped with probability `first`, else scaled up
};

/// Writes result 0. `uniform` is below `second` except after rounding; `integers` take 64 bits each. pre: `what` is
/// uniform, normal or integers
constexpr void evaluate_random(auto& c, distribution what, random_numbers numbers, const argument& first,
                               const argument& second) {
    std::int64_t next = 0;
    if (what == distribution::integers) {
        const auto low = first.integer();
        const auto range = static_cast<std::uint64_t>(math::sub(second.integer(), low));
        c.compute([&](auto as) {
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                out.put(at, math::convert<decltype(as)>(math::add(low, numbers.below(next++, range))));
            });
        });
        return;
    }
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto a = math::convert<T>(call_view::to_real(first)), b = math::convert<T>(call_view::to_real(second));
        const auto out = c.output(0, as);
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            out.put(at, what == distribution::uniform ? a + (b - a) * numbers.template uniform<T>(next)
                                                      : a + b * numbers.template normal<T>(next));
            ++next;
        });
    });
}

/// A uniformly random permutation of 0 to n - 1: each position, from the front, takes one of the remaining numbers.
/// Needs n times 8 bytes.
constexpr void evaluate_shuffled(auto& c, random_numbers numbers) {
    const auto n = element_count(c.result_type());
    auto left = c.scratch(n, std::int64_t{});
    for (std::int64_t i = 0; i < n; ++i) left[static_cast<std::size_t>(i)] = i;
    c.compute([&](auto as) {
        const auto out = c.output(0, as);
        for (std::int64_t i = 0; i < n; ++i) {
            auto& taken = left[static_cast<std::size_t>(i + numbers.below(i, static_cast<std::uint64_t>(n - i)))];
            out.put({i}, math::convert<decltype(as)>(taken));
            taken = left[static_cast<std::size_t>(i)];
        }
    });
}

/// Draws indices of each row of the tensor at parameter `weights`, with its elements as weights; an index is repeated
/// only if `replaces`. Needs the row in doubles.
constexpr void evaluate_samples(auto& c, random_numbers numbers, int weights, bool replaces) {
    const auto as = std::int64_t{};
    const auto in = c.input(weights, double{});
    const auto out = c.output(0, as);
    const auto count = in.type().size(in.type().rank - 1), samples = out.type().size(out.type().rank - 1);
    auto left = c.scratch(count, 0.0);
    auto rows = sizes_of(in.type());
    rows[rows.size - 1] = 1;
    std::int64_t next = 0;
    for_each_index(rows, [&](int_list at) {
        auto& place = at[at.size - 1];
        double sum = 0;
        for (place = 0; place < count; ++place) {
            const auto w = in[at];
            if (!(w >= 0 && w <= std::numeric_limits<double>::max()))
                return c.refuse(fault::distribution_is_impossible, "finite probabilities from 0 on",
                                print_decimal(std::bit_cast<std::int64_t>(w)).view());
            sum += left[static_cast<std::size_t>(place)] = w;
        }
        for (place = 0; place < samples; ++place) {
            auto wanted = numbers.template uniform<double>(next++) * sum;
            std::int64_t taken = -1; // the last one, if rounding went past the sum
            for (std::int64_t k = 0; k < count; ++k) {
                const auto w = left[static_cast<std::size_t>(k)];
                if (!(w > 0)) continue;
                taken = k;
                if (wanted < w) break;
                wanted -= w;
            }
            if (taken < 0)
                return c.refuse(fault::distribution_is_impossible,
                                replaces ? "a probability above 0" : "as many probabilities above 0 as samples",
                                short_text() << place);
            out.put(at, taken);
            if (replaces) continue;
            left[static_cast<std::size_t>(taken)] = 0;
            sum = 0;
            for (std::int64_t k = 0; k < count; ++k) sum += left[static_cast<std::size_t>(k)];
        }
    });
}

namespace schemas {
inline constexpr parameter seed_tensor = required("rng_seed", parameter_kind::tensor),
                           offset_tensor = required("rng_offset", parameter_kind::tensor),
                           numbers_before = required("before", parameter_kind::integer);
/// The first parameters of all these operators.
struct random_state {
    enum at : int { rng_seed, rng_offset, before };
};
} // namespace schemas

namespace detail {

/// The random numbers that a call's arguments select.
constexpr random_numbers numbers_of(auto& c) {
    using at = schemas::random_state::at;
    const auto as = std::int64_t{};
    return {c.input(at::rng_seed, as)[{}], math::add(c.input(at::rng_offset, as)[{}], c.integer(at::before))};
}

constexpr bool check_random_state(infer_context& c) {
    using at = schemas::random_state::at;
    for (int i : {at::rng_seed, at::rng_offset})
        if (c.tensor(i).type != dtype::i64 || c.tensor(i).rank != 0)
            return c.refuse(fault::argument_has_wrong_kind, "i64[]", print(c.tensor(i)));
    return true;
}

/// The result type of num_samples indices per row of a tensor.
constexpr bool infer_samples(infer_context& c, int self, int num_samples, int replacement) {
    const auto& t = c.tensor(self);
    const auto samples = c.integer(num_samples);
    if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
    if (t.rank != 1 && t.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 1 or 2", print(t));
    if (samples < 1) return c.refuse(fault::size_is_negative, "num_samples from 1", short_text() << samples);
    if (samples > t.size(t.rank - 1) && !c.boolean(replacement))
        return c.refuse(fault::distribution_is_impossible,
                        short_text() << t.size(t.rank - 1) << " samples at most without replacement",
                        short_text() << samples);
    auto sizes = sizes_of(t);
    sizes[t.rank - 1] = samples;
    return c.result(tensor_of(dtype::i64, sizes));
}

/// A tensor of these sizes and strides, with distribution What(first, second).
template <distribution What> struct philox_random {
    enum at : int { rng_seed, rng_offset, before, size, stride, first, second, dtype };
    static constexpr parameter schema[] = {schemas::seed_tensor,
                                           schemas::offset_tensor,
                                           schemas::numbers_before,
                                           required("size", parameter_kind::int_list),
                                           required("stride", parameter_kind::int_list),
                                           required("first", parameter_kind::scalar),
                                           required("second", parameter_kind::scalar),
                                           required("dtype", parameter_kind::dtype)};
    static constexpr bool infer(infer_context& c) {
        if (!check_random_state(c)) return false;
        auto type = tensor_of(c.type(at::dtype), c.ints(at::size));
        const auto strides = c.ints(at::stride);
        if (strides.size != type.rank)
            return c.refuse(fault::rank_is_wrong, short_text() << type.rank << " strides",
                            short_text() << strides.size);
        for (int d = 0; d < type.rank; ++d) type.strides[static_cast<std::size_t>(d)] = strides[d];
        return c.result(type);
    }
    static constexpr void evaluate(auto& c) {
        evaluate_random(c, What, numbers_of(c), c.at(at::first), c.at(at::second));
    }
};

} // namespace detail

/// philox.uniform(Tensor rng_seed, Tensor rng_offset, int before, int[] size, int[] stride, Scalar first, Scalar
/// second, ScalarType dtype): uniform from first to second
struct philox_uniform : detail::philox_random<distribution::uniform> {
    static constexpr std::string_view name = "philox.uniform.default"sv;
};

/// philox.normal(Tensor rng_seed, Tensor rng_offset, int before, int[] size, int[] stride, Scalar first, Scalar second,
/// ScalarType dtype): normal with mean first and standard deviation second
struct philox_normal : detail::philox_random<distribution::normal> {
    static constexpr std::string_view name = "philox.normal.default"sv;
};

/// philox.randint(Tensor rng_seed, Tensor rng_offset, int before, int[] size, int[] stride, Scalar first, Scalar
/// second, ScalarType dtype): integers from first to second - 1
struct philox_randint : detail::philox_random<distribution::integers> {
    static constexpr std::string_view name = "philox.randint.default"sv;
};

/// philox.randperm(Tensor rng_seed, Tensor rng_offset, int before, int n, ScalarType dtype): permutation of 0 to n - 1
struct philox_randperm {
    static constexpr std::string_view name = "philox.randperm.default"sv;
    enum at : int { rng_seed, rng_offset, before, n, dtype };
    static constexpr parameter schema[] = {schemas::seed_tensor, schemas::offset_tensor, schemas::numbers_before,
                                           required("n", parameter_kind::integer),
                                           required("dtype", parameter_kind::dtype)};
    static constexpr bool infer(infer_context& c) {
        return detail::check_random_state(c) && c.result(tensor_of(c.type(at::dtype), {c.integer(at::n)}));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return 8 * element_count(c.result_type()); }
    static constexpr void evaluate(auto& c) { evaluate_shuffled(c, detail::numbers_of(c)); }
};

/// philox.multinomial(Tensor rng_seed, Tensor rng_offset, int before, Tensor self, int num_samples, bool replacement):
/// see aten's multinomial
struct philox_multinomial {
    static constexpr std::string_view name = "philox.multinomial.default"sv;
    enum at : int { rng_seed, rng_offset, before, self, num_samples, replacement };
    static constexpr parameter schema[] = {schemas::seed_tensor,
                                           schemas::offset_tensor,
                                           schemas::numbers_before,
                                           required("self", parameter_kind::tensor),
                                           required("num_samples", parameter_kind::integer),
                                           required("replacement", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        return detail::check_random_state(c) && detail::infer_samples(c, at::self, at::num_samples, at::replacement);
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        const auto& t = c.tensor(at::self);
        return 8 * t.size(t.rank - 1);
    }
    static constexpr void evaluate(auto& c) {
        evaluate_samples(c, detail::numbers_of(c), at::self, c.boolean(at::replacement));
    }
};

using philox_ops = op_list<philox_uniform, philox_normal, philox_randint, philox_randperm, philox_multinomial>;

} // namespace ahead::aten
