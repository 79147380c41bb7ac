// SPDX-License-Identifier: MIT
// Complex numbers: construction from real ones, their parts, conjugates. In PyTorch some of these are views of the same
// bytes under another dtype, or with a conjugate bit. Here they are copies, because a storage has one dtype: neither
// the copies nor, after copying, their sources may be written (ir/check_copied_views.hpp).
// Source: aten/src/ATen/native/UnaryOps.cpp, ComplexHelper.h, TensorFactories.cpp (complex, polar).
#pragma once
#include <ahead/aten/create/copy.hpp>
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

inline constexpr effects of_complex{.takes_complex = true},
    of_seen_complex{.takes_complex = true, .copies_a_view = true};

constexpr bool check_complex(infer_context& c, const tensor_type& t) {
    return is_complex(t.type) || c.refuse(fault::dtype_is_unsupported, "complex numbers", print(t));
}
/// Checks that t's dtype is that of parts of complex numbers; PyTorch's complex32 does not exist here.
constexpr bool check_parts(infer_context& c, const tensor_type& t) {
    return t.type == dtype::f32 || t.type == dtype::f64 ||
           c.refuse(fault::dtype_is_unsupported, "f32 or f64, as c64 and c128 have", print(t));
}

/// One part of complex numbers.
template <bool Imaginary> struct part : schemas::unary {
    static constexpr effects effect = of_seen_complex;
    static constexpr void evaluate(auto& c) {
        const auto in = c.input(at::self, complex128{});
        const auto out = c.output(0, double{});
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            const auto v = in[at];
            out.put(at, Imaginary ? v.im : v.re);
        });
    }
};

/// The conjugates; for real numbers, self.
struct conjugates : schemas::unary {
    static constexpr effects effect = of_seen_complex;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        return is_complex(t.type) ? c.result(like(t, t.type)) : c.view_result(t, at::self);
    }
    static constexpr void evaluate(auto& c) {
        const auto in = c.input(at::self, complex128{}), out = c.output(0, complex128{});
        for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, conjugate(in[at])); });
    }
};

/// Base of operators that make a complex number of two real ones, from tensors that broadcast.
template <class Op> struct of_two {
    static constexpr effects effect = of_complex;
    static constexpr bool infer(infer_context& c) {
        enum { first, second };
        const auto &a = c.tensor(first), &b = c.tensor(second);
        if (!check_parts(c, a)) return false;
        if (a.type != b.type) return c.refuse(fault::dtypes_differ, print(a), print(b));
        if (!infer_pointwise<2, promotion::keep>(c)) return false;
        auto out = c.result_type();
        out.type = of_parts(a.type);
        return c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        const auto a = c.input(0, double{}), b = c.input(1, double{});
        const auto out = c.output(0, complex128{});
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            out.put(at, Op::number(a[broadcast_index(a.type(), at)], b[broadcast_index(b.type(), at)]));
        });
    }
};

} // namespace detail

/// real(Tensor(a) self) -> Tensor(a): a copy; self if it is real
struct real : detail::part<false> {
    static constexpr std::string_view name = "aten.real.default"sv;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        return is_complex(t.type) ? c.result(like(t, part_of(t.type))) : c.view_result(t, at::self);
    }
};

/// imag(Tensor(a) self) -> Tensor(a): a copy; self must be complex
struct imag : detail::part<true> {
    static constexpr std::string_view name = "aten.imag.default"sv;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        return detail::check_complex(c, t) && c.result(like(t, part_of(t.type)));
    }
};

/// view_as_real(Tensor(a) self) -> Tensor(a): c64[..] to f32[.., 2], c128 to f64; a row-major copy
struct view_as_real : schemas::unary {
    static constexpr std::string_view name = "aten.view_as_real.default"sv;
    static constexpr effects effect = detail::of_seen_complex;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (!detail::check_complex(c, t)) return false;
        auto sizes = sizes_of(t);
        if (sizes.size == max_rank) return c.refuse(fault::rank_is_wrong, "at most 8 dims", "9");
        sizes.push_back(2);
        return c.result(tensor_of(part_of(t.type), sizes));
    }
    static constexpr void evaluate(auto& c) {
        const auto in = c.input(at::self, complex128{});
        const auto out = c.output(0, double{});
        for_each_index(sizes_of(in.type()), [&](int_list at) {
            const auto v = in[at];
            at.push_back(0);
            out.put(at, v.re);
            at[at.size - 1] = 1;
            out.put(at, v.im);
        });
    }
};

/// view_as_complex(Tensor(a) self) -> Tensor(a): f32[.., 2] to c64[..], f64 to c128; a row-major copy. The last dim's
/// stride must be 1, the others even.
struct view_as_complex : schemas::unary {
    static constexpr std::string_view name = "aten.view_as_complex.default"sv;
    static constexpr effects effect = detail::of_seen_complex;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (!detail::check_parts(c, t)) return false;
        if (t.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", "rank 0");
        if (t.size(t.rank - 1) != 2) return c.refuse(fault::shapes_do_not_broadcast, "2 in the last dim", print(t));
        bool fits = t.stride(t.rank - 1) == 1 && t.offset % 2 == 0;
        auto sizes = sizes_of(t);
        --sizes.size;
        for (int d = 0; d < sizes.size; ++d) fits = fits && t.stride(d) % 2 == 0;
        if (!fits) return c.refuse(fault::view_needs_a_copy, "pairs that lie together: clone first", print(t, true));
        return c.result(tensor_of(of_parts(t.type), sizes));
    }
    static constexpr void evaluate(auto& c) {
        const auto in = c.input(at::self, double{});
        const auto out = c.output(0, complex128{});
        for_each_index(sizes_of(out.type()), [&](int_list at) {
            auto from = at;
            from.push_back(0);
            const auto re = in[from];
            from[at.size] = 1;
            out.put(at, complex128(re, in[from]));
        });
    }
};

/// _conj(Tensor(a) self) -> Tensor(a): a copy of the conjugates; self if it is real
struct lazy_conj : detail::conjugates {
    static constexpr std::string_view name = "aten._conj.default"sv;
};
/// conj(Tensor(a) self) -> Tensor(a): a copy of the conjugates; self if it is real
struct conj : detail::conjugates {
    static constexpr std::string_view name = "aten.conj.default"sv;
};

/// _conj_physical(Tensor self): the conjugates; a copy of self if it is real
struct copied_conj : takes_complex<unary<promotion::keep>> {
    static constexpr std::string_view name = "aten._conj_physical.default"sv;
    template <class T> static constexpr T meaning(T x) {
        if constexpr (is_complex_number<T>) return conjugate(x);
        else return x;
    }
};
/// conj_physical(Tensor self): the conjugates; self if it is real
struct conj_physical : detail::conjugates {
    static constexpr std::string_view name = "aten.conj_physical.default"sv;
    static constexpr effects effect = detail::of_complex;
};
/// resolve_conj(Tensor(a) self) -> Tensor(a): self, because conjugate bits do not exist here
struct resolve_conj : views, schemas::unary {
    static constexpr std::string_view name = "aten.resolve_conj.default"sv;
    static constexpr bool infer(infer_context& c) { return c.view_result(c.tensor(at::self), at::self); }
};

/// complex(Tensor real, Tensor imag): c64 for f32, c128 for f64; they broadcast
struct complex : detail::of_two<complex> {
    static constexpr std::string_view name = "aten.complex.default"sv;
    enum at : int { real, imag };
    static constexpr parameter schema[] = {required("real", parameter_kind::tensor),
                                           required("imag", parameter_kind::tensor)};
    static constexpr complex128 number(double re, double im) { return {re, im}; }
};

/// polar(Tensor abs, Tensor angle): abs * (cos(angle) + i sin(angle)); c64 for f32, c128 for f64; they broadcast
struct polar : detail::of_two<polar> {
    static constexpr std::string_view name = "aten.polar.default"sv;
    enum at : int { abs, angle };
    static constexpr parameter schema[] = {required("abs", parameter_kind::tensor),
                                           required("angle", parameter_kind::tensor)};
    static constexpr complex128 number(double size, double turn) {
        return {size * math::cos(turn), size * math::sin(turn)};
    }
};

/// The operators defined by a one-line meaning.
using complex_pointwise_ops = op_list<copied_conj>;
using complex_ops =
    op_list<real, imag, view_as_real, view_as_complex, lazy_conj, conj, conj_physical, resolve_conj, complex, polar>;

} // namespace ahead::aten
