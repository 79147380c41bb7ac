// SPDX-License-Identifier: MIT
// Random operators: rand, randn, randint and randperm, their _like forms, uniform, normal, bernoulli. A call takes the
// next numbers of the run: its element count, rounded up to a multiple of four (see core/random_numbers.hpp). They
// derive from rng_seed and rng_offset, two inputs that follow the graph's inputs: pass/functionalise_random.hpp adds
// them, and the reference reads them directly.
// Invariant: the numbers differ from those that PyTorch draws for the same seed; the distributions are the same.
// Source: aten/src/ATen/native/Distributions.cpp.
#pragma once
#include <ahead/aten/create/create.hpp>
#include <ahead/aten/random/draw.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace schemas {
inline constexpr parameter generator_option = defaulted("generator", parameter_kind::generator);
inline constexpr parameter self_tensor = required("self", parameter_kind::tensor);
inline constexpr parameter long_option = defaulted("dtype", parameter_kind::optional_dtype, argument::of(dtype::i64));
} // namespace schemas

/// rand(SymInt[] size, *, ScalarType? dtype=None, ...): uniform in [0, 1)
struct rand : detail::random<rand>, schemas::sized {
    static constexpr std::string_view name = "aten.rand.default"sv;
    static constexpr random_draw draw(const auto&) {
        return {distribution::uniform, argument::of(0.), argument::of(1.)};
    }
};

/// rand_like(Tensor self, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct rand_like : detail::random<rand_like>, schemas::like_self {
    static constexpr std::string_view name = "aten.rand_like.default"sv;
    static constexpr random_draw draw(const auto& c) { return rand::draw(c); }
};

/// randn(SymInt[] size, *, ScalarType? dtype=None, ...): normal with mean 0 and variance 1
struct randn : detail::random<randn>, schemas::sized {
    static constexpr std::string_view name = "aten.randn.default"sv;
    static constexpr random_draw draw(const auto&) {
        return {distribution::normal, argument::of(0.), argument::of(1.)};
    }
};

/// randn_like(Tensor self, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct randn_like : detail::random<randn_like>, schemas::like_self {
    static constexpr std::string_view name = "aten.randn_like.default"sv;
    static constexpr random_draw draw(const auto& c) { return randn::draw(c); }
};

/// uniform(Tensor self, float from=0, float to=1, *, Generator? generator=None): like self, whose elements are not
/// read; `to` itself can only result from rounding
struct uniform : detail::random<uniform> {
    static constexpr std::string_view name = "aten.uniform.default"sv;
    enum at : int { self, from, to, generator };
    static constexpr parameter schema[] = {
        schemas::self_tensor, defaulted("from", parameter_kind::real, argument::of(0.)),
        defaulted("to", parameter_kind::real, argument::of(1.)), schemas::generator_option};
    static constexpr random_draw draw(const auto& c) { return {distribution::uniform, c.at(at::from), c.at(at::to)}; }
};

/// normal_functional(Tensor self, float mean=0, float std=1, *, Generator? generator=None): like self, whose elements
/// are not read
struct normal_functional : detail::random<normal_functional> {
    static constexpr std::string_view name = "aten.normal_functional.default"sv;
    enum at : int { self, mean, std, generator };
    static constexpr parameter schema[] = {
        schemas::self_tensor, defaulted("mean", parameter_kind::real, argument::of(0.)),
        defaulted("std", parameter_kind::real, argument::of(1.)), schemas::generator_option};
    static constexpr random_draw draw(const auto& c) { return {distribution::normal, c.at(at::mean), c.at(at::std)}; }
};

/// normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, ScalarType? dtype=None, ...)
struct normal_float_float : detail::random<normal_float_float> {
    static constexpr std::string_view name = "aten.normal.float_float"sv;
    enum at : int { mean, std, size, generator, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("mean", parameter_kind::real),
                                           required("std", parameter_kind::real),
                                           required("size", parameter_kind::int_list),
                                           schemas::generator_option,
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
    static constexpr random_draw draw(const auto& c) { return {distribution::normal, c.at(at::mean), c.at(at::std)}; }
};

/// randint(SymInt high, SymInt[] size, *, ScalarType? dtype=long, ...): integers from 0 to high - 1
struct randint : detail::random<randint, dtype::i64> {
    static constexpr std::string_view name = "aten.randint.default"sv;
    enum at : int { high, size, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("high", parameter_kind::integer),
                                           required("size", parameter_kind::int_list),
                                           schemas::long_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
    static constexpr random_draw draw(const auto& c) {
        return {distribution::integers, argument::of(0), c.at(at::high)};
    }
};

/// randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=long, ...): integers from low to high - 1
struct randint_low : detail::random<randint_low, dtype::i64> {
    static constexpr std::string_view name = "aten.randint.low"sv;
    enum at : int { low, high, size, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("low", parameter_kind::integer),
                                           required("high", parameter_kind::integer),
                                           required("size", parameter_kind::int_list),
                                           schemas::long_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
    static constexpr random_draw draw(const auto& c) { return {distribution::integers, c.at(at::low), c.at(at::high)}; }
};

/// randperm(SymInt n, *, ScalarType? dtype=long, ...): a random permutation of 0 to n - 1
struct randperm : detail::random<randperm, dtype::i64> {
    static constexpr std::string_view name = "aten.randperm.default"sv;
    enum at : int { n, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("n", parameter_kind::integer), schemas::long_option,
                                           schemas::layout_option, schemas::device_option, schemas::pin_memory_option};
    static constexpr random_draw draw(const auto& c) { return {distribution::shuffled, c.at(at::n)}; }
};

/// bernoulli(Tensor self, *, Generator? generator=None): 1 with the probability in self's element, else 0.
/// Probabilities are clamped to [0, 1], and have steps of 2^-24.
struct bernoulli : detail::random_row_major<bernoulli> {
    static constexpr std::string_view name = "aten.bernoulli.default"sv;
    enum at : int { self, generator };
    static constexpr parameter schema[] = {schemas::self_tensor, schemas::generator_option};
    static constexpr random_draw draw(const auto& c) { return {distribution::bernoulli, c.at(at::self)}; }
};

/// bernoulli.p(Tensor self, float p, *, Generator? generator=None): 1 with probability p, in steps of 2^-24, else 0;
/// like self, whose elements are not read
struct bernoulli_p : detail::random_row_major<bernoulli_p> {
    static constexpr std::string_view name = "aten.bernoulli.p"sv;
    enum at : int { self, p, generator };
    static constexpr parameter schema[] = {schemas::self_tensor,
                                           defaulted("p", parameter_kind::real, argument::of(0.5)),
                                           schemas::generator_option}; // bernoulli_'s default
    static constexpr random_draw draw(const auto& c) { return {distribution::bernoulli, c.at(at::p)}; }
};

/// multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None): i64 indices of
/// each row of self, [n] or [m, n], with its elements as weights. Without replacement indices are distinct; this
/// requires at least num_samples weights above 0.
struct multinomial {
    static constexpr std::string_view name = "aten.multinomial.default"sv;
    static constexpr effects effect = detail::draws;
    enum at : int { self, num_samples, replacement, generator };
    static constexpr parameter schema[] = {schemas::self_tensor, required("num_samples", parameter_kind::integer),
                                           defaulted("replacement", parameter_kind::boolean, argument::of(false)),
                                           schemas::generator_option};
    static constexpr random_draw draw(const auto& c) {
        return {distribution::samples, c.at(at::num_samples), c.at(at::replacement)};
    }
    static constexpr bool infer(infer_context& c) {
        return detail::infer_samples(c, at::self, at::num_samples, at::replacement);
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_draw(c, draw(c)); }
};

namespace detail {

/// Operators that overwrite self, whose elements are not read, and return it.
template <class Op> struct random_in_place {
    using at = typename Op::at;
    static constexpr auto& schema = Op::schema;
    static constexpr effects effect{
        .view_of = at::self, .mutates = at::self, .has_side_effect = true, .is_random = true};
    static constexpr random_draw draw(const auto& c) { return Op::draw(c); }
    static constexpr bool infer(infer_context& c) {
        return check_draw(c, draw(c), c.tensor(at::self).type) && c.view_result(c.tensor(at::self), at::self);
    }
    static constexpr void evaluate(auto& c) { evaluate_draw(c, draw(c)); }
};

} // namespace detail

/// uniform_(Tensor(a!) self, float from=0, float to=1, *, Generator? generator=None)
struct uniform_in_place : detail::random_in_place<uniform> {
    static constexpr std::string_view name = "aten.uniform_.default"sv;
};

/// normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None)
struct normal_in_place : detail::random_in_place<normal_functional> {
    static constexpr std::string_view name = "aten.normal_.default"sv;
};

/// bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None)
struct bernoulli_in_place : detail::random_in_place<bernoulli_p> {
    static constexpr std::string_view name = "aten.bernoulli_.float"sv;
};

using drawing_ops =
    op_list<rand, rand_like, randn, randn_like, uniform, normal_functional, normal_float_float, randint, randint_low,
            randperm, multinomial, bernoulli, bernoulli_p, uniform_in_place, normal_in_place, bernoulli_in_place>;

} // namespace ahead::aten
