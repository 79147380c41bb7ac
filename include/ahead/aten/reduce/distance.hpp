// SPDX-License-Identifier: MIT
// Distances: p-norms of differences, computed in double, between rows and of whole tensors; and renorm, which limits
// norms. Source: aten/src/ATen/native/Distance.cpp, Normalization.cpp.
#pragma once
#include <ahead/aten/reduce/norm.hpp>
#include <ahead/core/checked.hpp>
#include <ahead/ir/broadcast.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

constexpr bool check_distance(infer_context& c, const tensor_type& t, double p) {
    if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
    return p >= 0 || c.refuse(fault::argument_has_wrong_kind, "p from 0", "a number below 0");
}

/// The distance of the rows at a and b; their last index is the column.
constexpr double distance_of(double p, const auto& x, int_list a, const auto& y, int_list b) {
    return norm_of(p, [&](auto g) {
        for (std::int64_t k = 0; k < x.type().size(a.size - 1); ++k) {
            a[a.size - 1] = b[b.size - 1] = k;
            g(static_cast<double>(x[a]) - static_cast<double>(y[b]));
        }
    });
}

} // namespace detail

/// _cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode): the distances [.., P, R] of the rows of [.., P, M]
/// and [.., R, M]; leading dims broadcast. p >= 0, inf included. compute_mode is ignored: differences are always
/// computed directly.
struct cdist_forward {
    static constexpr std::string_view name = "aten._cdist_forward.default"sv;
    enum at : int { x1, x2, p, compute_mode };
    static constexpr parameter schema[] = {required("x1", parameter_kind::tensor),
                                           required("x2", parameter_kind::tensor), required("p", parameter_kind::real),
                                           required("compute_mode", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        const auto &a = c.tensor(at::x1), &b = c.tensor(at::x2);
        if (!detail::check_distance(c, a, c.real(at::p))) return false;
        if (b.type != a.type) return c.refuse(fault::dtypes_differ, print(a), print(b));
        for (const auto* t : {&a, &b})
            if (t->rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(*t));
        if (b.size(b.rank - 1) != a.size(a.rank - 1))
            return c.refuse(fault::shapes_do_not_broadcast, print(a), print(b));
        if (c.is_given(at::compute_mode) && (c.integer(at::compute_mode) < 0 || c.integer(at::compute_mode) > 2))
            return c.refuse(fault::argument_has_wrong_kind, "compute_mode: 0, 1, 2 or None",
                            short_text() << c.integer(at::compute_mode));
        int_list sizes;
        for (const auto* t : {&a, &b}) {
            auto batch = tensor_of(t->type, sizes_of(*t));
            batch.rank -= 2;
            if (!broadcast_into(c, sizes, batch)) return false;
        }
        sizes.push_back(a.size(a.rank - 2));
        sizes.push_back(b.size(b.rank - 2));
        return c.result(tensor_of(a.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto x = c.input(at::x1, as), y = c.input(at::x2, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                const auto row = [&](const tensor_type& t, std::int64_t k) {
                    auto i = broadcast_index(t, at, t.rank - 2, at.size - 2);
                    i.push_back(k);
                    i.push_back(0);
                    return i;
                };
                out.put(at, math::convert<decltype(as)>(detail::distance_of(
                                c.real(at::p), x, row(x.type(), at[at.size - 2]), y, row(y.type(), at[at.size - 1]))));
            });
        });
    }
};

/// _pdist_forward(Tensor self, float p=2): the distances of all pairs of rows of [N, M], in the order (0, 1), (0, 2),
/// ..: N (N - 1) / 2 of them. p >= 0, inf included.
struct pdist_forward {
    static constexpr std::string_view name = "aten._pdist_forward.default"sv;
    enum at : int { self, p };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("p", parameter_kind::real, argument::of(2.0))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (t.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(t));
        const auto rows = t.size(0);
        return detail::check_distance(c, t, c.real(at::p)) &&
               c.result(tensor_of(t.type, {(checked_int(rows) * (rows - 1) / 2).get()}));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto x = c.input(at::self, as);
            const auto out = c.output(0, as);
            const auto rows = x.type().size(0);
            std::int64_t next = 0;
            for (std::int64_t a = 0; a < rows; ++a)
                for (auto b = a + 1; b < rows; ++b)
                    out.put({next++},
                            math::convert<decltype(as)>(detail::distance_of(c.real(at::p), x, {a, 0}, x, {b, 0})));
        });
    }
};

/// pdist(Tensor self, float p=2): _pdist_forward
struct pdist : pdist_forward {
    static constexpr std::string_view name = "aten.pdist.default"sv;
};

/// cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None): _cdist_forward
struct cdist : cdist_forward {
    static constexpr std::string_view name = "aten.cdist.default"sv;
    static constexpr parameter schema[] = {required("x1", parameter_kind::tensor),
                                           required("x2", parameter_kind::tensor),
                                           defaulted("p", parameter_kind::real, argument::of(2.0)),
                                           defaulted("compute_mode", parameter_kind::optional_integer)};
};

/// cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08): the sum of x1 x2 along dim, divided by the
/// norms, which are at least eps; both broadcast, equal dtypes
struct cosine_similarity {
    static constexpr std::string_view name = "aten.cosine_similarity.default"sv;
    enum at : int { x1, x2, dim, eps };
    static constexpr parameter schema[] = {required("x1", parameter_kind::tensor),
                                           required("x2", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::integer, argument::of(1)),
                                           defaulted("eps", parameter_kind::real, argument::of(1e-8))};
    static constexpr tensor_type broadcast_type(const auto& c) {
        const auto &a = c.tensor(at::x1), &b = c.tensor(at::x2);
        auto out = tensor_of(a.type, sizes_of(a.rank < b.rank ? b : a));
        const auto& shorter = a.rank < b.rank ? a : b;
        for (int d = 0; d < shorter.rank; ++d)
            if (auto& size = out.sizes[static_cast<std::size_t>(out.rank - shorter.rank + d)]; size == 1)
                size = shorter.size(d);
        return out;
    }
    static constexpr bool infer(infer_context& c) {
        const auto &a = c.tensor(at::x1), &b = c.tensor(at::x2);
        int_list sizes;
        int along = 0;
        if (a.type != b.type) return c.refuse(fault::dtypes_differ, print(a), print(b));
        if (!is_floating(a.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(a));
        if (!broadcast_into(c, sizes, a) || !broadcast_into(c, sizes, b)) return false;
        const auto both = tensor_of(a.type, sizes);
        return c.wrap_dim(c.integer(at::dim), both.rank, along) &&
               c.result(tensor_of(a.type, sizes_without(both, 1u << along, false)));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto x = c.input(at::x1, as), y = c.input(at::x2, as);
            const auto both = broadcast_type(c);
            for_each_reduced(both, 1u << wrapped_dim(c.integer(at::dim), both.rank), false,
                             [&](const int_list& at, auto walk) {
                                 double xx = 0, yy = 0, xy = 0;
                                 walk([&](const int_list& i) {
                                     const auto a = static_cast<double>(x[broadcast_index(x.type(), i)]);
                                     const auto b = static_cast<double>(y[broadcast_index(y.type(), i)]);
                                     xx += a * a;
                                     yy += b * b;
                                     xy += a * b;
                                 });
                                 const auto norm = [&](double squares) {
                                     const double root = math::sqrt(squares), least = c.real(cosine_similarity::eps);
                                     return root < least ? least : root;
                                 };
                                 c.output(0, as).put(at, math::convert<decltype(as)>(xy / (norm(xx) * norm(yy))));
                             });
        });
    }
};

/// dist(Tensor self, Tensor other, Scalar p=2): the p-norm of self - other, which broadcast; equal dtypes. p >= 0, inf
/// included.
struct dist {
    static constexpr std::string_view name = "aten.dist.default"sv;
    static constexpr effects effect{.takes_complex = true};
    enum at : int { self, other, p };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::tensor),
                                           defaulted("p", parameter_kind::scalar, argument::of(2))};
    static constexpr bool infer(infer_context& c) {
        const auto &a = c.tensor(at::self), &b = c.tensor(at::other);
        int_list sizes;
        if (a.type != b.type) return c.refuse(fault::dtypes_differ, print(a), print(b));
        auto out = tensor_of(is_complex(a.type) ? part_of(a.type) : a.type, {});
        return detail::check_distance(c, out, c.real(at::p)) && broadcast_into(c, sizes, a) &&
               broadcast_into(c, sizes, b) && c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        const auto take = [&](auto as) {
            const auto x = c.input(at::self, as), y = c.input(at::other, as);
            const auto &longer = x.type().rank < y.type().rank ? y.type() : x.type(),
                       &shorter = x.type().rank < y.type().rank ? x.type() : y.type();
            auto sizes = sizes_of(longer);
            for (int d = 0; d < shorter.rank; ++d)
                if (auto& size = sizes[sizes.size - shorter.rank + d]; size == 1) size = shorter.size(d);
            const auto norm = detail::norm_of(c.real(at::p), [&](auto g) {
                for_each_index(sizes, [&](const int_list& at) {
                    const auto from = x[broadcast_index(x.type(), at)], to = y[broadcast_index(y.type(), at)];
                    if constexpr (is_complex_number<decltype(as)>) g(math::magnitude(from - to));
                    else g(static_cast<double>(from) - static_cast<double>(to));
                });
            });
            c.output(0, double{}).put({}, norm);
        };
        if (is_complex(c.tensor(at::self).type)) take(complex128{});
        else c.compute_real(take);
    }
};

/// renorm(Tensor self, Scalar p, int dim, Scalar maxnorm): slices along dim whose p-norm exceeds maxnorm are scaled by
/// maxnorm / (norm + 1e-7)
struct renorm {
    static constexpr std::string_view name = "aten.renorm.default"sv;
    enum at : int { self, p, dim, maxnorm };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("p", parameter_kind::scalar),
        required("dim", parameter_kind::integer), required("maxnorm", parameter_kind::scalar)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        int dim = 0;
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (!(c.real(at::p) > 0)) return c.refuse(fault::argument_has_wrong_kind, "p above 0", "another number");
        if (!(c.real(at::maxnorm) >= 0))
            return c.refuse(fault::argument_has_wrong_kind, "maxnorm from 0", "another number");
        if (t.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(t));
        return c.wrap_dim(c.integer(at::dim), t.rank, dim) && c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        const auto& t = c.tensor(at::self);
        const int dim = wrapped_dim(c.integer(at::dim), t.rank);
        const double most = c.real(at::maxnorm);
        c.compute_real([&](auto as) {
            const auto in = c.input(at::self, as);
            for_each_reduced(t, ~(1u << dim), false, [&](const int_list&, auto walk) {
                const double norm = detail::norm_of(
                    c.real(at::p), [&](auto g) { walk([&](const int_list& i) { g(static_cast<double>(in[i])); }); });
                const double scale = norm > most ? most / (norm + 1e-7) : 1;
                walk([&](const int_list& i) {
                    c.output(0, as).put(i, math::convert<decltype(as)>(static_cast<double>(in[i]) * scale));
                });
            });
        });
    }
};

/// embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type): renorm of the rows given by indices
struct embedding_renorm {
    static constexpr std::string_view name = "aten.embedding_renorm.default"sv;
    enum at : int { self, indices, max_norm, norm_type };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("indices", parameter_kind::tensor),
        required("max_norm", parameter_kind::real), required("norm_type", parameter_kind::real)};
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &index = c.tensor(at::indices);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (t.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(t));
        if (index.type != dtype::i64 && index.type != dtype::i32)
            return c.refuse(fault::dtype_is_unsupported, "indices of i64 or i32", print(index));
        return c.result(like(t, t.type));
    }
    static constexpr void evaluate(auto& c) {
        const double most = c.real(at::max_norm);
        c.compute_real([&](auto as) {
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            const auto columns = in.type().size(1);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, in[at]); });
            const auto indices = c.input(at::indices, std::int64_t{});
            for_each_index(sizes_of(indices.type()), [&](const int_list& at) {
                const auto row = c.index(indices[at], in.type().size(0));
                if (!row) return;
                const double norm = detail::norm_of(c.real(embedding_renorm::norm_type), [&](auto g) {
                    for (std::int64_t k = 0; k < columns; ++k) g(static_cast<double>(in[{*row, k}]));
                });
                if (!(norm > most)) return;
                const double scale = most / (norm + 1e-7);
                for (std::int64_t k = 0; k < columns; ++k)
                    out.put({*row, k}, math::convert<decltype(as)>(static_cast<double>(in[{*row, k}]) * scale));
            });
        });
    }
};

using distance_ops =
    op_list<cdist_forward, pdist_forward, pdist, cdist, cosine_similarity, dist, renorm, embedding_renorm>;

} // namespace ahead::aten
