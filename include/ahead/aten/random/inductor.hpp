// SPDX-License-Identifier: MIT
// Inductor's random numbers: seeds are drawn once, and each tensor is a function of one seed. Element i is computed
// from number offset + i of the seed's sequence (core/random_numbers.hpp), so that equal seeds give equal bits; the
// numbers differ from PyTorch's. Source: torch/_inductor/inductor_prims.py.
#pragma once
#include <ahead/aten/random/random.hpp>
#include <ahead/ir/words.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace schemas {
inline constexpr parameter on_device = required("device", parameter_kind::device);
} // namespace schemas

namespace detail {

/// Draws seeds: integers from 0 to 2^63 - 2.
template <class Op> struct inductor_draw {
    static constexpr effects effect = draws;
    static constexpr random_draw draw(const auto&) {
        return {distribution::integers, argument::of(0), argument::of(std::numeric_limits<std::int64_t>::max())};
    }
    static constexpr bool infer(infer_context& c) {
        if constexpr (requires { Op::at::count; }) return c.result(tensor_of(dtype::i64, {c.integer(Op::at::count)}));
        else return c.result(tensor_of(dtype::i64, {}));
    }
    static constexpr void evaluate(auto& c) { evaluate_draw(c, draw(c)); }
};

constexpr bool check_seed(infer_context& c, int seed) {
    const auto& t = c.tensor(seed);
    return (t.type == dtype::i64 && t.rank == 0) || c.refuse(fault::argument_has_wrong_kind, "i64[]", print(t));
}

} // namespace detail

/// prims.inductor_seed(Device device): one seed, i64[]
struct inductor_seed : detail::inductor_draw<inductor_seed> {
    static constexpr std::string_view name = "prims.inductor_seed.default"sv;
    enum at : int { device };
    static constexpr parameter schema[] = {schemas::on_device};
};
/// prims.inductor_seeds(int count, Device device): i64[count]
struct inductor_seeds : detail::inductor_draw<inductor_seeds> {
    static constexpr std::string_view name = "prims.inductor_seeds.default"sv;
    enum at : int { count, device };
    static constexpr parameter schema[] = {required("count", parameter_kind::integer), schemas::on_device};
};

/// prims.inductor_lookup_seed(Tensor seeds, int index): a copy of that seed
struct inductor_lookup_seed {
    static constexpr std::string_view name = "prims.inductor_lookup_seed.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { seeds, index };
    static constexpr parameter schema[] = {required("seeds", parameter_kind::tensor),
                                           required("index", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::seeds);
        const auto index = c.integer(at::index);
        if (t.type != dtype::i64 || t.rank != 1)
            return c.refuse(fault::argument_has_wrong_kind, "seeds, an i64 of rank 1", print(t));
        if (index < 0 || index >= t.size(0))
            return c.refuse(fault::index_is_out_of_range, short_text() << t.size(0) << " seeds", short_text() << index);
        return c.result(tensor_of(dtype::i64, {}));
    }
    static constexpr void evaluate(auto& c) {
        const auto as = std::int64_t{};
        c.output(0, as).put({}, c.input(at::seeds, as)[{c.integer(at::index)}]);
    }
};

/// Distribution of inductor_random: uniform from 0 to 1, or normal with mean 0 and variance 1.
enum class inductor_mode { rand, randn };

/// prims.inductor_random(SymInt[] size, Tensor seed, str mode, *, int offset=0): f32
struct inductor_random {
    static constexpr std::string_view name = "prims.inductor_random.default"sv;
    enum at : int { size, seed, mode, offset };
    static constexpr parameter schema[] = {required("size", parameter_kind::int_list),
                                           required("seed", parameter_kind::tensor),
                                           one_of<inductor_mode>(required("mode", parameter_kind::string)),
                                           defaulted("offset", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        return detail::check_seed(c, at::seed) && c.result(tensor_of(dtype::f32, c.ints(at::size)));
    }
    static constexpr void evaluate(auto& c) {
        const bool is_normal = c.template word<inductor_mode>(at::mode) == inductor_mode::randn;
        evaluate_random(c, is_normal ? distribution::normal : distribution::uniform,
                        {c.input(at::seed, std::int64_t{})[{}], c.integer(at::offset)}, argument::of(0.),
                        argument::of(1.));
    }
};

/// prims.inductor_randint(SymInt low, SymInt high, SymInt[] size, Tensor seed, *, int offset=0): i64, from low to
/// high - 1
struct inductor_randint {
    static constexpr std::string_view name = "prims.inductor_randint.default"sv;
    enum at : int { low, high, size, seed, offset };
    static constexpr parameter schema[] = {
        required("low", parameter_kind::integer), required("high", parameter_kind::integer),
        required("size", parameter_kind::int_list), required("seed", parameter_kind::tensor),
        defaulted("offset", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        return detail::check_seed(c, at::seed) &&
               check_draw(c, {distribution::integers, c.at(at::low), c.at(at::high)}, dtype::i64) &&
               c.result(tensor_of(dtype::i64, c.ints(at::size)));
    }
    static constexpr void evaluate(auto& c) {
        evaluate_random(c, distribution::integers, {c.input(at::seed, std::int64_t{})[{}], c.integer(at::offset)},
                        c.at(at::low), c.at(at::high));
    }
};

/// Operators that draw, and operators that are functions of seeds.
using inductor_drawing_ops = op_list<inductor_seed, inductor_seeds>;
using inductor_ops = op_list<inductor_lookup_seed, inductor_random, inductor_randint>;

} // namespace ahead::aten
