// SPDX-License-Identifier: MIT
// Matrix products: mm, addmm, bmm, baddbmm, addbmm, matmul, mv, dot, vdot, addmv, linear.
// Source: aten/src/ATen/native/native_functions.yaml, LinearAlgebra.cpp, Linear.cpp.
#pragma once
#include <ahead/aten/product/product.hpp>

namespace AHEAD_NAMESPACE::aten {

/// mm(Tensor self, Tensor mat2): [m, k] @ [k, n] -> [m, n]
struct mm : product {
    static constexpr std::string_view name = "aten.mm.default"sv;
    enum at : int { self, mat2 };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("mat2", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return infer_product(c, c.tensor(at::self), c.tensor(at::mat2), out) && c.result(out);
    }
};

/// addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1): beta*self + alpha*(mat1 @ mat2),
/// self broadcast to [m, n]
struct addmm : biased_product {
    static constexpr std::string_view name = "aten.addmm.default"sv;
    enum at : int { self, mat1, mat2, beta, alpha };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("mat1", parameter_kind::tensor),
        required("mat2", parameter_kind::tensor), schemas::beta_option, schemas::alpha_option};
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return infer_product(c, c.tensor(at::mat1), c.tensor(at::mat2), out) &&
               check_bias(c, c.tensor(at::self), out) && c.result(out);
    }
};

/// bmm(Tensor self, Tensor mat2): [b, m, k] @ [b, k, n] -> [b, m, n]
struct bmm : product {
    static constexpr std::string_view name = "aten.bmm.default"sv;
    using at = mm::at;
    static constexpr auto& schema = mm::schema;
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return infer_batch(c, c.tensor(at::self), c.tensor(at::mat2), out) && c.result(out);
    }
};

/// baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)
struct baddbmm : biased_product {
    static constexpr std::string_view name = "aten.baddbmm.default"sv;
    enum at : int { self, batch1, batch2, beta, alpha };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("batch1", parameter_kind::tensor),
        required("batch2", parameter_kind::tensor), schemas::beta_option, schemas::alpha_option};
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return infer_batch(c, c.tensor(at::batch1), c.tensor(at::batch2), out) &&
               check_bias(c, c.tensor(at::self), out) && c.result(out);
    }
};

/// addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1): sums the products of the batch
struct addbmm {
    static constexpr std::string_view name = "aten.addbmm.default"sv;
    static constexpr effects effect{.takes_complex = true};
    using at = baddbmm::at;
    static constexpr auto& schema = baddbmm::schema;
    static constexpr bool infer(infer_context& c) {
        tensor_type all;
        if (!infer_batch(c, c.tensor(at::batch1), c.tensor(at::batch2), all)) return false;
        const auto out = tensor_of(all.type, {all.size(1), all.size(2)});
        return check_bias(c, c.tensor(at::self), out) && c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            using T = decltype(as);
            const auto a = c.input(at::batch1, as);
            const auto b = c.input(at::batch2, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                accumulator_t<T> sum{};
                for (std::int64_t k = 0; k < a.type().size(0); ++k)
                    sum = math::add(sum, sum_of_products<T>(a, {k, at[0], 0}, 2, b, {k, 0, at[1]}, 1));
                out.put(at, biased<T>(c, at, sum));
            });
        });
    }
};

/// matmul(Tensor self, Tensor other): numpy's matmul
struct matmul : product {
    static constexpr std::string_view name = "aten.matmul.default"sv;
    enum at : int { self, other };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return infer_matmul(c, c.tensor(at::self), c.tensor(at::other), out) && c.result(out);
    }
};

/// mv(Tensor self, Tensor vec): [m, k] @ [k] -> [m]
struct mv : matmul {
    static constexpr std::string_view name = "aten.mv.default"sv;
    enum at : int { self, vec };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("vec", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        if (c.tensor(at::self).rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(c.tensor(at::self)));
        if (c.tensor(at::vec).rank != 1) return c.refuse(fault::rank_is_wrong, "rank 1", print(c.tensor(at::vec)));
        return matmul::infer(c);
    }
};

/// dot(Tensor self, Tensor tensor): [k] @ [k] -> []
struct dot : matmul {
    static constexpr std::string_view name = "aten.dot.default"sv;
    enum at : int { self, tensor };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("tensor", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        for (int i : {at::self, at::tensor})
            if (c.tensor(i).rank != 1) return c.refuse(fault::rank_is_wrong, "rank 1", print(c.tensor(i)));
        return matmul::infer(c);
    }
};

/// vdot(Tensor self, Tensor other): dot with self conjugated if it is complex
struct vdot : dot {
    static constexpr std::string_view name = "aten.vdot.default"sv;
    enum at : int { self, other };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::tensor)};
    static constexpr void evaluate(auto& c) {
        if (!is_complex(c.result_type().type)) return dot::evaluate(c);
        const auto a = c.input(at::self, complex128{}), b = c.input(at::other, complex128{});
        complex128 sum;
        for (std::int64_t k = 0; k < a.type().size(0); ++k) sum = sum + conjugate(a[{k}]) * b[{k}];
        c.output(0, complex128{}).put({}, sum);
    }
};

/// addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1)
struct addmv : biased_product {
    static constexpr std::string_view name = "aten.addmv.default"sv;
    enum at : int { self, mat, vec, beta, alpha };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("mat", parameter_kind::tensor),
        required("vec", parameter_kind::tensor), schemas::beta_option, schemas::alpha_option};
    static constexpr bool infer(infer_context& c) {
        if (c.tensor(at::mat).rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(c.tensor(at::mat)));
        if (c.tensor(at::vec).rank != 1) return c.refuse(fault::rank_is_wrong, "rank 1", print(c.tensor(at::vec)));
        tensor_type out;
        return infer_matmul(c, c.tensor(at::mat), c.tensor(at::vec), out) && check_bias(c, c.tensor(at::self), out) &&
               c.result(out);
    }
};

/// linear(Tensor input, Tensor weight, Tensor? bias=None): input @ weight^T + bias; weight is [out, in]
struct linear {
    static constexpr std::string_view name = "aten.linear.default"sv;
    static constexpr effects effect{.takes_complex = true};
    enum at : int { input, weight, bias };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("weight", parameter_kind::tensor),
                                           defaulted("bias", parameter_kind::optional_tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto& x = c.tensor(at::input);
        const auto& w = c.tensor(at::weight);
        if (x.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(x));
        if (w.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(w));
        if (x.size(x.rank - 1) != w.size(1))
            return c.refuse(fault::matmul_inner_extents_differ, short_text() << x.size(x.rank - 1) << " columns",
                            print(w));
        if (x.type != w.type) return c.refuse(fault::dtypes_differ, print(x), print(w));
        if (x.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(x));
        auto sizes = sizes_of(x);
        sizes[x.rank - 1] = w.size(0);
        const auto out = tensor_of(x.type, sizes);
        return (!c.is_given(at::bias) || check_bias(c, c.tensor(at::bias), out)) && c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            using T = decltype(as);
            const auto x = c.input(at::input, as);
            const auto w = c.input(at::weight, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                auto sum = sum_of_products<T>(x, at, at.size - 1, w, {at[at.size - 1], 0}, 1);
                if (c.is_given(at::bias)) {
                    const auto bias = c.input(at::bias, as);
                    sum = math::add(sum, static_cast<accumulator_t<T>>(bias[broadcast_index(bias.type(), at)]));
                }
                out.put(at, math::convert<T>(sum));
            });
        });
    }
};

/// bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None): for each row of both, the sum of x_i w_oij
/// y_j; weight is [out, in1, in2]
struct bilinear {
    static constexpr std::string_view name = "aten.bilinear.default"sv;
    enum at : int { input1, input2, weight, bias };
    static constexpr parameter schema[] = {
        required("input1", parameter_kind::tensor), required("input2", parameter_kind::tensor),
        required("weight", parameter_kind::tensor), defaulted("bias", parameter_kind::optional_tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto &x = c.tensor(at::input1), &y = c.tensor(at::input2), &w = c.tensor(at::weight);
        if (!is_floating(x.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(x));
        for (const auto* t : {&y, &w})
            if (t->type != x.type) return c.refuse(fault::dtypes_differ, print(x), print(*t));
        if (x.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(x));
        if (w.rank != 3) return c.refuse(fault::rank_is_wrong, "rank 3", print(w));
        auto sizes = sizes_of(x), other = sizes;
        other[x.rank - 1] = w.size(2);
        if (sizes[x.rank - 1] != w.size(1))
            return c.refuse(fault::matmul_inner_extents_differ, short_text() << x.size(x.rank - 1) << " columns",
                            print(w));
        if (sizes_of(y) != other)
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(x.type, other)), print(y));
        sizes[x.rank - 1] = w.size(0);
        const auto out = tensor_of(x.type, sizes);
        return (!c.is_given(at::bias) || check_bias(c, c.tensor(at::bias), out)) && c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto x = c.input(at::input1, as), y = c.input(at::input2, as), w = c.input(at::weight, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                double sum = 0;
                const int last = at.size - 1;
                auto left = at, right = at;
                for (left[last] = 0; left[last] < w.type().size(1); ++left[last])
                    for (right[last] = 0; right[last] < w.type().size(2); ++right[last])
                        sum += static_cast<double>(x[left]) * static_cast<double>(y[right]) *
                               static_cast<double>(w[{at[last], left[last], right[last]}]);
                if (c.is_given(at::bias)) {
                    const auto bias = c.input(at::bias, as);
                    sum += static_cast<double>(bias[broadcast_index(bias.type(), at)]);
                }
                out.put(at, math::convert<decltype(as)>(sum));
            });
        });
    }
};

/// _int_mm(Tensor self, Tensor mat2): mm of i8, in i32
struct int_mm : product {
    static constexpr std::string_view name = "aten._int_mm.default"sv;
    using at = mm::at;
    static constexpr auto& schema = mm::schema;
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        if (!infer_product(c, c.tensor(at::self), c.tensor(at::mat2), out)) return false;
        if (out.type != dtype::i8) return c.refuse(fault::dtype_is_unsupported, "i8", print(c.tensor(at::self)));
        return c.result(tensor_of(dtype::i32, sizes_of(out)));
    }
};

/// _weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales): self @ mat2^T of [m, k] and i8[n, k], each column
/// times its scale in scales [n]
struct weight_int8pack_mm {
    static constexpr std::string_view name = "aten._weight_int8pack_mm.default"sv;
    enum at : int { self, mat2, scales };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("mat2", parameter_kind::tensor),
                                           required("scales", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &w = c.tensor(at::mat2), &scales = c.tensor(at::scales);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (w.type != dtype::i8) return c.refuse(fault::dtype_is_unsupported, "i8", print(w));
        if (scales.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(scales));
        for (const auto* one : {&t, &w})
            if (one->rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(*one));
        if (w.size(1) != t.size(1))
            return c.refuse(fault::matmul_inner_extents_differ, short_text() << t.size(1) << " columns", print(w));
        if (sizes_of(scales) != int_list{w.size(0)})
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(t.type, {w.size(0)})), print(scales));
        return c.result(tensor_of(t.type, {t.size(0), w.size(0)}));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto x = c.input(at::self, as), w = c.input(at::mat2, as), scales = c.input(at::scales, as);
            for_each_index(sizes_of(c.result_type()), [&](const int_list& at) {
                const double sum = sum_of_products<decltype(as)>(x, {at[0], 0}, 1, w, {at[1], 0}, 1);
                c.output(0, as).put(at, math::convert<decltype(as)>(sum * static_cast<double>(scales[{at[1]}])));
            });
        });
    }
};

using matmul_ops = op_list<int_mm, weight_int8pack_mm, mm, addmm, bmm, baddbmm, addbmm, matmul, mv, dot, vdot, addmv,
                           linear, bilinear>;

} // namespace ahead::aten
