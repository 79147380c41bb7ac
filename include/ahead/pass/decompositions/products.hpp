// SPDX-License-Identifier: MIT
// Scaled products and products of higher ranks, as products that have kernels.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// beta * self + alpha * (a @ b), if a factor is not 1, which the kernels do not support, and always for batches; or
/// for complex numbers, with factors that are not complex. beta 0 leaves self out, as PyTorch does.
template <class Op, bool Batch, bool Complex = false> struct scaled_product {
    using op = Op;
    using at = aten::biased_parameters::at;
    static constexpr bool takes_any_dtype = Complex;
    static constexpr std::int32_t most_calls = most_product_calls + 3;
    static constexpr bool when(const call_view& call) {
        const auto type = call.result_type().type;
        const auto &beta = call.at(at::beta), &alpha = call.at(at::alpha);
        const auto is_real = [](const argument& a) {
            return a.kind == argument_kind::integer || a.kind == argument_kind::real;
        };
        if (Complex)
            return is_complex(type) && is_real(beta) && is_real(alpha) && element_count(call.tensor(at::a)) > 0 &&
                   element_count(call.tensor(at::b)) > 0;
        return is_floating(type) && (Batch || !is_one(beta) || !is_one(alpha));
    }
    static constexpr void decompose(auto& c) {
        const auto product = scaled(c, matrix_product(c, c.operand(at::a), c.operand(at::b)), c.operand(at::alpha));
        c.bind_result(is_zero(c.aten.at(at::beta))
                     ? product
                     : c.call(add, {scaled(c, c.operand(at::self), c.operand(at::beta)), product}));
    }
};

/// Products of complex numbers.
template <class Op> struct complex_product {
    using op = Op;
    static constexpr bool takes_any_dtype = true, is_of_complex = true;
    static constexpr std::int32_t most_calls = most_product_calls;
    static constexpr bool when(const call_view& call) {
        return element_count(call.tensor(Op::at::self)) > 0 &&
               element_count(call.tensor(Op::at::mat2)) > 0;
    }
    static constexpr void decompose(auto& c) {
        c.bind_result(matrix_product(c, c.operand(Op::at::self), c.operand(Op::at::mat2)));
    }
};

/// The same by a weight [out, in], and a bias.
template <class Op> struct complex_linear {
    using op = Op;
    using at = typename Op::at;
    static constexpr bool takes_any_dtype = true;
    static constexpr std::int32_t most_calls = most_product_calls + 4;
    static constexpr bool when(const call_view& call) {
        return is_complex(call.result_type().type) && call.tensor(at::weight).rank == 2 &&
               element_count(call.result_type()) > 0 && element_count(call.tensor(at::weight)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto w = c.aten.tensor(at::weight);
        const auto rows = element_count(c.aten.result_type()) / w.size(0);
        const auto x = c.call(reshape, {c.operand(at::input), int_list{rows, w.size(1)}});
        auto out = matrix_product(c, x, c.call("aten.t.default", {c.operand(at::weight)}));
        if (c.aten.is_given(at::bias)) out = c.call(add, {out, c.operand(at::bias)});
        c.bind_result(c.call(view, {out, sizes_of(c.aten.result_type())}));
    }
};

/// Python's a @ b: matrices and operands that can be viewed as matrices use mm, batches that broadcast use bmm, a
/// vector is a row or column.
template <class Op> struct product {
    using op = Op;
    static constexpr bool takes_any_dtype = true; // it is one product, rounded as that is
    using at = aten::product::at;
    static constexpr std::int32_t most_calls = most_product_calls + 8;
    static constexpr bool when(const call_view& call) {
        return has_fractions(call.result_type().type) && element_count(call.tensor(at::a)) > 0 &&
               element_count(call.tensor(at::b)) > 0;
    }
    static constexpr void decompose(auto& c) {
        auto a = c.operand(at::a), b = c.operand(at::b);
        if (std::same_as<Op, aten::vdot> && is_complex(c.type_of(a).type))
            a = c.call("aten._conj_physical.default", {a});
        if (c.type_of(a).rank == 1) a = c.call("aten.unsqueeze.default", {a, 0});
        if (c.type_of(b).rank == 1) b = c.call("aten.unsqueeze.default", {b, 1});
        if (!c.editor().ok()) return;
        const auto out = sizes_of(c.aten.result_type());
        const auto m = c.type_of(a).size(c.type_of(a).rank - 2), k = c.type_of(b).size(c.type_of(b).rank - 2);
        const auto n = c.type_of(b).size(c.type_of(b).rank - 1);
        argument made;
        if (c.type_of(b).rank == 2) {
            if (c.type_of(a).rank > 2) a = c.call(reshape, {a, int_list{element_count(c.type_of(a)) / k, k}});
            made = matrix_product(c, a, b);
        } else {
            int_list batch;
            for (int d = 0; d < out.size; ++d) batch.push_back(out[d]);
            batch.size -= (c.aten.tensor(at::a).rank > 1) + (c.aten.tensor(at::b).rank > 1);
            const auto as_batch = [&](const argument& whole, std::int64_t rows, std::int64_t columns) {
                auto sizes = batch;
                sizes.push_back(rows);
                sizes.push_back(columns);
                std::int64_t count = 1;
                for (auto size : batch) count *= size;
                const bool spread = sizes_of(c.type_of(whole)) != sizes;
                const auto all = spread ? c.call(expand, {whole, sizes}) : whole;
                return batch.size == 1 ? all : c.call(reshape, {all, int_list{count, rows, columns}});
            };
            const auto left = as_batch(a, m, k), right = as_batch(b, k, n);
            made = matrix_product(c, left, right);
        }
        if (!c.editor().ok()) return;
        c.bind_result(sizes_of(c.type_of(made)) == out ? made : c.call(view, {made, out}));
    }
};

/// x @ weight, viewed as [in1, out * in2], times y, summed.
struct bilinear {
    using op = aten::bilinear;
    using at = op::at;
    static constexpr std::int32_t most_calls = 9;
    static constexpr bool when(const call_view& call) {
        return element_count(call.result_type()) > 0 && element_count(call.tensor(at::weight)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto w = c.aten.tensor(at::weight);
        const auto out = sizes_of(c.aten.result_type());
        const auto rows = element_count(c.aten.result_type()) / w.size(0);
        const auto turned = c.call("aten.permute.default", {c.operand(at::weight), int_list{1, 0, 2}});
        const auto x = c.call(reshape, {c.operand(at::input1), int_list{rows, w.size(1)}});
        const auto y = c.call(reshape, {c.operand(at::input2), int_list{rows, 1, w.size(2)}});
        const auto half = c.call(mm, {x, c.call(reshape, {turned, int_list{w.size(1), w.size(0) * w.size(2)}})});
        const auto both = c.call(mul, {c.call(view, {half, int_list{rows, w.size(0), w.size(2)}}), y});
        const auto sums = c.call(view, {c.call(sum, {both, int_list{2}}), out});
        c.bind_result(c.aten.is_given(at::bias) ? c.call(add, {sums, c.operand(at::bias)}) : sums);
    }
};

/// The dims that stay as rows of one operand and columns of the other, and a product of these.
template <class Op> struct contraction {
    using op = Op;
    static constexpr bool takes_any_dtype = true; // except small floats
    static constexpr std::int32_t most_calls = most_product_calls + 5;
    static constexpr bool when(const call_view& call) {
        return has_products(call.result_type().type) && element_count(call.tensor(Op::at::self)) > 0 &&
               element_count(call.tensor(Op::at::other)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto as_matrix = [&](int which) {
            const auto t = c.aten.tensor(which);
            int_list order, gone;
            unsigned mask = 0;
            std::int64_t inner = 1;
            for (auto given : Op::dims_of(c.aten, which)) {
                gone.push_back(wrapped_dim(given, t.rank));
                mask |= 1u << gone[gone.size - 1];
                inner *= t.size(static_cast<int>(gone[gone.size - 1]));
            }
            if (which == Op::at::other) order = gone;
            for (int d = 0; d < t.rank; ++d)
                if (!(mask >> d & 1)) order.push_back(d);
            for (int k = 0; which == Op::at::self && k < gone.size; ++k) order.push_back(gone[k]);
            bool turns = false;
            for (int d = 0; d < order.size; ++d) turns = turns || order[d] != d;
            const auto outer = element_count(t) / inner;
            const auto turned = turns ? c.call("aten.permute.default", {c.operand(which), order}) : c.operand(which);
            return c.call(reshape, {turned, which == Op::at::self ? int_list{outer, inner} : int_list{inner, outer}});
        };
        const auto a = as_matrix(Op::at::self), b = as_matrix(Op::at::other);
        c.bind_result(c.call(view, {matrix_product(c, a, b), sizes_of(c.aten.result_type())}));
    }
};

/// All products of two vectors, as a column times a row, scaled and added to beta * self.
template <class Op> struct outer_product {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 5;
    static constexpr void decompose(auto& c) {
        const auto product = [&](int column, int row) {
            return c.call(mul, {c.call("aten.unsqueeze.default", {c.operand(column), 1}), c.operand(row)});
        };
        if constexpr (std::same_as<Op, aten::outer>) {
            c.bind_result(product(at::self, at::vec2));
        } else {
            const auto made = scaled(c, product(at::vec1, at::vec2), c.operand(at::alpha));
            c.bind_result(is_zero(c.aten.at(at::beta))
                         ? made
                         : c.call(add, {scaled(c, c.operand(at::self), c.operand(at::beta)), made}));
        }
    }
};

} // namespace ahead::decomposition
