// SPDX-License-Identifier: MIT
// Products of all pairs: outer, addr. Source: aten/src/ATen/native/LinearAlgebra.cpp.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/ir/broadcast.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Checks for two vectors of one dtype, not b8: [n] and [m] give [n, m].
constexpr bool check_outer(infer_context& c, const tensor_type& a, const tensor_type& b) {
    for (const auto* t : {&a, &b}) {
        if (t->rank != 1) return c.refuse(fault::rank_is_wrong, "rank 1", print(*t));
        if (t->type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(*t));
    }
    return a.type == b.type || c.refuse(fault::dtypes_differ, print(a), print(b));
}

} // namespace detail

/// outer(Tensor self, Tensor vec2)
struct outer {
    static constexpr std::string_view name = "aten.outer.default"sv;
    static constexpr effects effect{.takes_complex = true};
    enum at : int { self, vec2 };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("vec2", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto &a = c.tensor(at::self), &b = c.tensor(at::vec2);
        return detail::check_outer(c, a, b) && c.result(tensor_of(a.type, {a.size(0), b.size(0)}));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto a = c.input(at::self, as), b = c.input(at::vec2, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()),
                           [&](const int_list& at) { out.put(at, math::mul(a[{at[0]}], b[{at[1]}])); });
        });
    }
};

/// addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1): beta * self + alpha * outer(vec1,
/// vec2); self broadcasts, and is not read if beta is 0
struct addr {
    static constexpr std::string_view name = "aten.addr.default"sv;
    static constexpr effects effect{.takes_complex = true};
    enum at : int { self, vec1, vec2, beta, alpha };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("vec1", parameter_kind::tensor),
        required("vec2", parameter_kind::tensor), defaulted("beta", parameter_kind::scalar, argument::of(1)),
        defaulted("alpha", parameter_kind::scalar, argument::of(1))};
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &a = c.tensor(at::vec1), &b = c.tensor(at::vec2);
        if (!detail::check_outer(c, a, b)) return false;
        if (t.type != a.type) return c.refuse(fault::dtypes_differ, print(t), print(a));
        const auto out = tensor_of(a.type, {a.size(0), b.size(0)});
        auto sizes = sizes_of(out);
        if (t.rank > 2 || !broadcast_into(c, sizes, t) || sizes != sizes_of(out))
            return c.refuse(fault::shapes_do_not_broadcast, print(out), print(t));
        if (!has_fractions(t.type) &&
            (c.at(at::beta).kind == argument_kind::real || c.at(at::alpha).kind == argument_kind::real))
            return c.refuse(fault::argument_has_wrong_kind, "beta and alpha: int, beside integers", "float");
        return c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            using T = decltype(as);
            const auto t = c.input(at::self, as), a = c.input(at::vec1, as), b = c.input(at::vec2, as);
            const auto out = c.output(0, as);
            const T beta = c.number(at::beta, as), alpha = c.number(at::alpha, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                const T product = math::mul(alpha, math::mul(a[{at[0]}], b[{at[1]}]));
                out.put(at,
                        beta == T{} ? product : math::add(math::mul(beta, t[broadcast_index(t.type(), at)]), product));
            });
        });
    }
};

using outer_ops = op_list<outer, addr>;

} // namespace ahead::aten
