// SPDX-License-Identifier: MIT
// hash_tensor: a bitwise hash of a tensor. Source: aten/src/ATen/native/ReduceOps.cpp, SharedReduceOps.h.
#pragma once
#include <ahead/aten/reduce/reduction.hpp>

namespace AHEAD_NAMESPACE::aten {

/// hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0): the exclusive or, in u64, of the
/// elements' bits: integers as i64, floats as f64. mode must be 0
struct hash_tensor {
    static constexpr std::string_view name = "aten.hash_tensor.default"sv;
    static constexpr effects effect{.moves_elements = true}; // bits: other operators do not compute with u64
    enum at : int { self, dim, keepdim, mode };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor),
        defaulted("dim", parameter_kind::optional_int_list, {.kind = argument_kind::list}),
        defaulted("keepdim", parameter_kind::boolean, argument::of(false)),
        defaulted("mode", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (is_complex(t.type)) return c.refuse(fault::dtype_is_unsupported, "real numbers", print(t));
        if (c.integer(at::mode) != 0)
            return c.refuse(fault::argument_has_wrong_kind, "mode: 0", short_text() << c.integer(at::mode));
        return infer_reduced(c, at::dim, at::keepdim, dtype::u64, true);
    }
    static constexpr void evaluate(auto& c) {
        const auto& t = c.tensor(at::self);
        const bool is_real = is_floating(t.type);
        const auto reals = c.input(at::self, double{});
        const auto integers = c.input(at::self, std::int64_t{});
        for_each_reduced(
            t, reduced_dims(c, at::dim, t.rank), c.boolean(at::keepdim), [&](const int_list& at, auto walk) {
                std::uint64_t hash = 0;
                walk([&](const int_list& i) {
                    hash ^= is_real ? std::bit_cast<std::uint64_t>(reals[i]) : static_cast<std::uint64_t>(integers[i]);
                });
                c.output(0, std::uint64_t{}).put(at, hash);
            });
    }
};

using hash_tensor_ops = op_list<hash_tensor>;

} // namespace ahead::aten
