// SPDX-License-Identifier: MIT
// Operators on diagonals: diag, diag_embed, trace. Source: aten/src/ATen/native/TensorShape.cpp,
// TensorFactories.cpp, ReduceOps.cpp.
#pragma once
#include <ahead/aten/create/create.hpp>
#include <ahead/aten/shape/slice.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// The sizes of matrices whose diagonals, shifted by `offset`, are the rows of the first parameter.
constexpr bool infer_embedded(infer_context& c, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
    const auto& t = c.tensor(first_parameter);
    int a = 0, b = 0;
    if (t.rank == 0 || t.rank == max_rank) return c.refuse(fault::rank_is_wrong, "rank 1 to 7", print(t));
    if (!c.wrap_dim(dim1, t.rank + 1, a) || !c.wrap_dim(dim2, t.rank + 1, b)) return false;
    if (a == b) return c.refuse(fault::dimension_is_repeated, "two dims", short_text() << a);
    const auto size =
        (checked_int(t.size(t.rank - 1)) + (offset < 0 ? checked_int(0) - offset : checked_int(offset))).get();
    int_list sizes;
    for (int d = 0, from = 0; d <= t.rank; ++d) sizes.push_back(d == a || d == b ? size : t.size(from++));
    return c.result(tensor_of(t.type, sizes));
}
constexpr void evaluate_embedded(auto& c, std::int64_t offset, int a, int b) {
    c.compute_any([&](auto as) {
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            if (at[b] - at[a] != offset) return out.put(at, decltype(as){});
            int_list from;
            for (int d = 0; d < at.size; ++d)
                if (d != a && d != b) from.push_back(at[d]);
            from.push_back(offset < 0 ? at[b] : at[a]);
            out.put(at, in[from]);
        });
    });
}

} // namespace detail

/// diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1): the last dim as the diagonal of two new ones
struct diag_embed {
    static constexpr std::string_view name = "aten.diag_embed.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, offset, dim1, dim2 };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("offset", parameter_kind::integer, argument::of(0)),
                                           defaulted("dim1", parameter_kind::integer, argument::of(-2)),
                                           defaulted("dim2", parameter_kind::integer, argument::of(-1))};
    static constexpr bool infer(infer_context& c) {
        return detail::infer_embedded(c, c.integer(at::offset), c.integer(at::dim1), c.integer(at::dim2));
    }
    static constexpr void evaluate(auto& c) {
        const int rank = c.result_type().rank;
        detail::evaluate_embedded(c, c.integer(at::offset), wrapped_dim(c.integer(at::dim1), rank),
                                  wrapped_dim(c.integer(at::dim2), rank));
    }
};

/// diag(Tensor self, int diagonal=0): for a vector the matrix with this diagonal, for a matrix a copy of its diagonal
struct diag {
    static constexpr std::string_view name = "aten.diag.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, diagonal };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("diagonal", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        const auto shift = c.integer(at::diagonal);
        if (t.rank == 1) return detail::infer_embedded(c, shift, 0, 1);
        if (t.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 1 or 2", print(t));
        const auto rows = t.size(0) + (shift < 0 ? shift : 0), columns = t.size(1) - (shift > 0 ? shift : 0);
        const auto least = rows < columns ? rows : columns;
        return c.result(tensor_of(t.type, {least > 0 ? least : 0}));
    }
    static constexpr void evaluate(auto& c) {
        const auto shift = c.integer(at::diagonal);
        if (c.tensor(at::self).rank == 1) return detail::evaluate_embedded(c, shift, 0, 1);
        gather_elements(c, [&](const int_list& at, const tensor_type&) {
            return int_list{at[0] - (shift < 0 ? shift : 0), at[0] + (shift > 0 ? shift : 0)};
        });
    }
};

/// trace(Tensor self): the sum of a matrix's diagonal; in i64 for integers and bools
struct trace {
    static constexpr std::string_view name = "aten.trace.default"sv;
    static constexpr effects effect{.takes_complex = true};
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (t.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(t));
        return c.result(tensor_of(has_fractions(t.type) ? t.type : dtype::i64, {}));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto in = c.input(at::self, as);
            accumulator_t<decltype(as)> total{};
            for (std::int64_t k = 0; k < in.type().size(0) && k < in.type().size(1); ++k)
                total = math::add(total, static_cast<accumulator_t<decltype(as)>>(in[{k, k}]));
            c.output(0, as).put({}, math::convert<decltype(as)>(total));
        });
    }
};

using diagonal_ops = op_list<diag_embed, diag, trace>;

} // namespace ahead::aten
