// SPDX-License-Identifier: MIT
// Reductions along one dim that also return indices, and scans: argmax, argmin, max.dim, min.dim, cumsum, cumprod,
// cummax, cummin. Of equal elements the first wins; NaN beats every number. Source: aten/src/ATen/native/ReduceOps.cpp,
// TensorCompare.cpp.
#pragma once
#include <ahead/aten/reduce/reduction.hpp>

namespace AHEAD_NAMESPACE::aten {

template <bool Largest> constexpr bool beats(auto x, auto best) {
    if (math::isnan(best)) return false;
    return math::isnan(x) || (Largest ? best < x : x < best);
}

namespace detail {

/// The best of the elements taken so far, and its index among them.
template <class T> struct best_of {
    T value{};
    std::int64_t index = -1, next = 0;
    /// `better`: whether x beats the best so far.
    constexpr void take(T x, bool better) {
        if (index < 0 || better) {
            value = x;
            index = next;
        }
        ++next;
    }
};
/// Calls f(at, best) for every element `at` of the reduced first parameter.
template <bool Largest, class T> constexpr void for_each_best(auto& c, int dim, int keepdim, T as, auto f) {
    const auto in = c.input(first_parameter, as);
    for_each_reduced(in.type(), reduced_dims(c, dim, in.type().rank), c.boolean(keepdim),
                     [&](const int_list& at, auto walk) {
                         best_of<T> best;
                         walk([&](const int_list& i) {
                             const T x = in[i];
                             best.take(x, beats<Largest>(x, best.value));
                         });
                         f(at, best);
                     });
}

template <bool Largest> struct arg_of : schemas::reduce_optional_dim {
    static constexpr bool infer(infer_context& c) { return infer_reduced(c, at::dim, at::keepdim, dtype::i64, true); }
    static constexpr void evaluate(auto& c) {
        c.compute(c.tensor(at::self).type, [&](auto as) {
            const auto out = c.output(0, std::int64_t{});
            for_each_best<Largest>(c, at::dim, at::keepdim, as,
                                   [&](const int_list& at, const auto& best) { out.put(at, best.index); });
        });
    }
};

} // namespace detail

/// argmax(Tensor self, int? dim=None, bool keepdim=False): index along dim, or in row-major order
struct argmax : detail::arg_of<true> {
    static constexpr std::string_view name = "aten.argmax.default"sv;
};

/// argmin(Tensor self, int? dim=None, bool keepdim=False)
struct argmin : detail::arg_of<false> {
    static constexpr std::string_view name = "aten.argmin.default"sv;
};

namespace detail {

template <bool Largest> struct extreme_along : schemas::reduce_dim {
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::self);
        if (!check_dims(c, at::dim, t.rank)) return false;
        const auto dims = reduced_dims(c, at::dim, t.rank);
        const auto sizes = sizes_without(t, dims, c.boolean(at::keepdim));
        if (reduced_count(t, dims) == 0) return c.refuse(fault::window_does_not_fit, "at least one element", print(t));
        return c.results(2) && c.set(0, tensor_of(t.type, sizes)) && c.set(1, tensor_of(dtype::i64, sizes));
    }
    static constexpr void evaluate(auto& c) {
        c.compute([&](auto as) {
            for_each_best<Largest>(c, at::dim, at::keepdim, as, [&](const int_list& at, const auto& best) {
                c.output(0, as).put(at, best.value);
                c.output(1, std::int64_t{}).put(at, best.index);
            });
        });
    }
};

} // namespace detail

/// max.dim(Tensor self, int dim, bool keepdim=False): (values, indices)
struct max_dim : detail::extreme_along<true> {
    static constexpr std::string_view name = "aten.max.dim"sv;
};

/// min.dim(Tensor self, int dim, bool keepdim=False): (values, indices)
struct min_dim : detail::extreme_along<false> {
    static constexpr std::string_view name = "aten.min.dim"sv;
};

namespace detail {

template <bool Product> struct scan {
    static constexpr effects effect{.takes_complex = true};
    enum at : int { self, dim, dtype };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           defaulted("dtype", parameter_kind::optional_dtype)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (!check_dims(c, at::dim, t.rank)) return false;
        const auto type = c.is_given(at::dtype) ? c.type(at::dtype) : has_fractions(t.type) ? t.type : dtype::i64;
        return c.result(tensor_of(type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            const auto size = in.type().rank > 0 ? in.type().size(wrapped_dim(c.integer(at::dim), in.type().rank)) : 1;
            for_each_reduced(in.type(), reduced_dims(c, at::dim, in.type().rank), true,
                             [&](const int_list&, auto walk) {
                                 accumulator_t<T> total = Product;
                                 if (size > 0)
                                     walk([&](const int_list& i) {
                                         const auto x = static_cast<accumulator_t<T>>(in[i]);
                                         total = Product ? math::mul(total, x) : math::add(total, x);
                                         out.put(i, math::convert<T>(total));
                                     });
                             });
        });
    }
};

} // namespace detail

/// cumsum(Tensor self, int dim, *, ScalarType? dtype=None)
struct cumsum : detail::scan<false> {
    static constexpr std::string_view name = "aten.cumsum.default"sv;
};

/// cumprod(Tensor self, int dim, *, ScalarType? dtype=None)
struct cumprod : detail::scan<true> {
    static constexpr std::string_view name = "aten.cumprod.default"sv;
};

namespace detail {

template <bool Largest> struct scan_extreme {
    enum at : int { self, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::self);
        if (!check_dims(c, at::dim, t.rank)) return false;
        return c.results(2) && c.set(0, tensor_of(t.type, sizes_of(t))) && c.set(1, tensor_of(dtype::i64, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        c.compute([&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::self, as);
            for_each_reduced(in.type(), reduced_dims(c, at::dim, in.type().rank), true,
                             [&](const int_list&, auto walk) {
                                 best_of<T> best;
                                 walk([&](const int_list& i) {
                                     const T x = in[i];
                                     best.take(x, math::isnan(x) || !beats<Largest>(best.value, x));
                                     c.output(0, as).put(i, best.value);
                                     c.output(1, std::int64_t{}).put(i, best.index);
                                 });
                             });
        });
    }
};

} // namespace detail

/// cummax(Tensor self, int dim): (values, indices); of equal elements, the last so far
struct cummax : detail::scan_extreme<true> {
    static constexpr std::string_view name = "aten.cummax.default"sv;
};

/// cummin(Tensor self, int dim): (values, indices)
struct cummin : detail::scan_extreme<false> {
    static constexpr std::string_view name = "aten.cummin.default"sv;
};

/// logcumsumexp(Tensor self, int dim): log of the cumulative sum of e^self; floating point, complex numbers
struct logcumsumexp {
    static constexpr std::string_view name = "aten.logcumsumexp.default"sv;
    static constexpr effects effect{.takes_complex = true};
    enum at : int { self, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (!has_fractions(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        return check_dims(c, at::dim, t.rank) && c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        if (is_complex(c.result_type().type)) return evaluate_complex(c);
        c.compute_real([&](auto as) {
            const auto in = c.input(at::self, as);
            for_each_reduced(
                in.type(), reduced_dims(c, at::dim, in.type().rank), true, [&](const int_list&, auto walk) {
                    double total = -math::detail::infinity;
                    walk([&](const int_list& i) {
                        const auto x = static_cast<double>(in[i]);
                        const auto larger = x > total || math::isnan(x) ? x : total;
                        const auto other = x > total || math::isnan(x) ? total : x;
                        total = math::isinf(larger) ? larger : larger + math::log1p(math::exp(other - larger));
                        c.output(0, as).put(i, math::convert<decltype(as)>(total));
                    });
                });
        });
    }
    static constexpr void evaluate_complex(auto& c) {
        const auto in = c.input(at::self, complex128{});
        for_each_reduced(in.type(), reduced_dims(c, at::dim, in.type().rank), true, [&](const int_list&, auto walk) {
            complex128 total(-math::detail::infinity, 0);
            walk([&](const int_list& i) {
                const complex128 x = in[i];
                const bool grows = !(total.re > x.re);
                const auto larger = grows ? x : total, other = grows ? total : x;
                total = larger + math::log1p(math::exp(other - larger)); // adds to the larger one's angle, as PyTorch
                c.output(0, complex128{}).put(i, total);
            });
        });
    }
};

using arg_reduce_ops = op_list<argmax, argmin, max_dim, min_dim, cumsum, cumprod, cummax, cummin, logcumsumexp>;

} // namespace ahead::aten
