// SPDX-License-Identifier: MIT
// Fourier transforms in the user-level form of torch.fft: fft, rfft, irfft and their kin along one dim, two or any,
// with n or s elements: _fft_c2c, _fft_r2c and _fft_c2r (fourier.hpp) of the operand, cropped or padded with zeros, and
// converted. Also frequencies, and shifts that move frequency 0 to the middle.
// Source: aten/src/ATen/native/SpectralOps.cpp.
#pragma once
#include <ahead/aten/create/create.hpp>
#include <ahead/aten/product/fourier.hpp>
#include <ahead/aten/reduce/reduction.hpp>
#include <ahead/aten/shape/rearrange.hpp>
#include <ahead/ir/words.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The direction that is divided by the number of elements: None means backward; ortho divides both by its square root.
enum class fft_norm { none, backward, ortho, forward };

/// A transform's result: a whole spectrum, the half that determines a real tensor, or the real tensor of a half.
enum class fft_result { whole, half, real };

/// The parameters of a torch.fft call.
struct transform_plan {
    int_list dims;         // the last one is halved
    int_list sizes;        // of the operand, cropped or padded
    std::int64_t last = 0; // number of elements along the last of the dims, not halved
    fft_normalization by{};
};

namespace detail {

/// A kind of transform; dims: default number of dims, 0: all.
struct transform_kind {
    fft_result gives;
    bool is_forward;
    int dims;

    static constexpr int sizes_at = 1, dims_at = 2, norm_at = 3;
    /// Whether n and dim are single numbers.
    constexpr bool is_line() const { return dims == 1; }
    constexpr int dims_without(const auto& c) const {
        return dims > 0 ? dims : c.is_given(sizes_at) ? c.int_count(sizes_at) : int{c.tensor(first_parameter).rank};
    }
    /// The size in parameter 1 for entry k of the dims; the operand's size if it is not given, or -1.
    constexpr std::int64_t given_size(const auto& c, int k, std::int64_t own) const {
        if (!c.is_given(sizes_at)) return own;
        if (is_line()) return c.integer(sizes_at);
        return c.int_at(sizes_at, k) == -1 ? own : c.int_at(sizes_at, k);
    }
    /// pre: the dims are in range
    constexpr transform_plan plan_of(const auto& c) const {
        const auto& t = c.tensor(first_parameter);
        transform_plan out;
        if (is_line()) {
            out.dims.push_back(wrapped_dim(c.integer(dims_at), t.rank));
        } else if (c.is_given(dims_at)) {
            for (auto d : c.ints(dims_at)) out.dims.push_back(wrapped_dim(d, t.rank));
        } else {
            const int count = dims_without(c);
            for (int d = t.rank - count; d < t.rank; ++d) out.dims.push_back(d);
        }
        out.sizes = sizes_of(t);
        for (int k = 0; k < out.dims.size; ++k) {
            auto& size = out.sizes[static_cast<int>(out.dims[k])];
            const bool is_halved = gives == fft_result::real && k + 1 == out.dims.size;
            out.last =
                given_size(c, k, is_halved ? math::mul(std::int64_t{2}, math::sub(size, std::int64_t{1})) : size);
            size = is_halved ? (out.last < 0 ? 0 : out.last / 2 + 1) : out.last;
        }
        const auto norm = c.template word<fft_norm>(norm_at);
        out.by = norm == fft_norm::ortho                     ? fft_normalization::by_root_n
                 : (norm == fft_norm::forward) == is_forward ? fft_normalization::by_n
                                                             : fft_normalization::none;
        return out;
    }
    /// The dtype that the operand is converted to; complex if it is a half spectrum.
    constexpr dtype operand_type(dtype given) const {
        const auto type = has_fractions(given) ? given : dtype::f32;
        return gives == fft_result::real && !is_complex(type) ? of_parts(type) : type;
    }
    constexpr bool check_dims(infer_context& c) const {
        const auto& t = c.tensor(first_parameter);
        int d = 0;
        if (is_line())
            return t.rank > 0 ? c.wrap_dim(c.integer(dims_at), t.rank, d)
                              : c.refuse(fault::rank_is_wrong, "rank 1 at least", print(t));
        const int count = c.is_given(dims_at) ? c.int_count(dims_at) : dims_without(c);
        if (count > t.rank)
            return c.refuse(fault::rank_is_wrong, short_text("rank ") << count << " at least", print(t));
        if (c.is_given(sizes_at) && c.int_count(sizes_at) != count)
            return c.refuse(fault::rank_is_wrong, short_text() << count << " sizes, one for each dim",
                            short_text() << c.int_count(sizes_at));
        unsigned seen = 0;
        for (int k = 0; c.is_given(dims_at) && k < count; ++k) {
            if (!c.wrap_dim(c.int_at(dims_at, k), t.rank, d)) return false;
            if (seen >> d & 1) return c.refuse(fault::dimension_is_repeated, "dims once each", short_text() << d);
            seen |= 1u << d;
        }
        return true;
    }
    constexpr bool infer(infer_context& c) const {
        const auto& t = c.tensor(first_parameter);
        const auto type = operand_type(t.type);
        if (is_floating(t.type) && !has_kernels(t.type))
            return c.refuse(fault::dtype_is_unsupported, "f32, f64, integers or complex numbers", print(t));
        if (gives == fft_result::half && is_complex(type))
            return c.refuse(fault::dtype_is_unsupported, "real numbers: fft of complex ones", print(t));
        if (!check_dims(c)) return false;
        const auto plan = plan_of(c);
        if (plan.dims.size == 0 && gives != fft_result::whole)
            return c.refuse(fault::argument_is_missing, "one dim at least", "none");
        for (int k = 0; k < plan.dims.size; ++k) {
            const bool is_halved = gives == fft_result::real && k + 1 == plan.dims.size;
            const auto size = is_halved ? plan.last : plan.sizes[static_cast<int>(plan.dims[k])];
            if (size < 1)
                return c.refuse(fault::size_is_negative, short_text("sizes from 1 in dim ") << plan.dims[k],
                                short_text() << size);
        }
        auto sizes = plan.sizes;
        if (gives == fft_result::half) {
            sizes[static_cast<int>(plan.dims[plan.dims.size - 1])] = plan.last / 2 + 1;
        } else if (gives == fft_result::real) {
            sizes[static_cast<int>(plan.dims[plan.dims.size - 1])] = plan.last;
        }
        return c.result(tensor_of(gives == fft_result::real ? part_of(type)
                                  : is_complex(type)        ? type
                                                            : of_parts(type),
                                  sizes));
    }
    constexpr std::int64_t scratch_bytes(const call_view& c) const {
        return spectrum_bytes(gives == fft_result::real ? sizes_of(c.result_type()) : plan_of(c).sizes);
    }
};

/// Op's `at` names n or s, dim and norm.
template <class Op, fft_result Result, bool Forward, int Dims> struct transform_of {
    static constexpr transform_kind kind{Result, Forward, Dims};
    static constexpr effects effect{.takes_complex = true};

    static constexpr bool infer(infer_context& c) { return kind.infer(c); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return kind.scratch_bytes(c); }
    static constexpr void evaluate(auto& c) {
        const auto plan = kind.plan_of(c);
        if constexpr (Result == fft_result::real) transform_to_real(c, plan.dims, plan.by, Forward);
        else transform_all(c, plan.sizes, plan.dims, plan.by, Forward);
    }
};

} // namespace detail

namespace schemas {

inline constexpr parameter norm_option = one_of<fft_norm>(defaulted("norm", parameter_kind::optional_string));

/// Along one dim: (Tensor self, SymInt? n=None, int dim=-1, *, str? norm=None)
struct transformed_line {
    enum at : int { self, n, dim, norm };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("n", parameter_kind::optional_integer),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1)), norm_option};
};
/// Along several: (Tensor self, SymInt[1]? s=None, int[1]? dim=None, *, str? norm=None)
struct transformed_dims {
    enum at : int { self, s, dim, norm };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("s", parameter_kind::optional_int_list),
                                           defaulted("dim", parameter_kind::optional_int_list), norm_option};
};

} // namespace schemas

/// fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None): the spectrum of n elements along dim
struct fft_fft : schemas::transformed_line, detail::transform_of<fft_fft, fft_result::whole, true, 1> {
    static constexpr std::string_view name = "aten.fft_fft.default"sv;
};
/// fft_ifft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None): the inverse of fft_fft
struct fft_ifft : schemas::transformed_line, detail::transform_of<fft_ifft, fft_result::whole, false, 1> {
    static constexpr std::string_view name = "aten.fft_ifft.default"sv;
};
/// fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None): of real numbers, the first n / 2 + 1 of n
struct fft_rfft : schemas::transformed_line, detail::transform_of<fft_rfft, fft_result::half, true, 1> {
    static constexpr std::string_view name = "aten.fft_rfft.default"sv;
};
/// fft_irfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None): the n real numbers whose spectrum's first half
/// is self; n defaults to 2 * (size - 1)
struct fft_irfft : schemas::transformed_line, detail::transform_of<fft_irfft, fft_result::real, false, 1> {
    static constexpr std::string_view name = "aten.fft_irfft.default"sv;
};
/// fft_hfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None): the real spectrum of a signal whose first half is
/// self and whose other half is its conjugate
struct fft_hfft : schemas::transformed_line, detail::transform_of<fft_hfft, fft_result::real, true, 1> {
    static constexpr std::string_view name = "aten.fft_hfft.default"sv;
};
/// fft_ihfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None): the inverse of fft_hfft: the first half
struct fft_ihfft : schemas::transformed_line, detail::transform_of<fft_ihfft, fft_result::half, false, 1> {
    static constexpr std::string_view name = "aten.fft_ihfft.default"sv;
};

/// fft_fft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None)
struct fft_fft2 : schemas::transformed_dims, detail::transform_of<fft_fft2, fft_result::whole, true, 2> {
    static constexpr std::string_view name = "aten.fft_fft2.default"sv;
};
/// fft_ifft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None)
struct fft_ifft2 : schemas::transformed_dims, detail::transform_of<fft_ifft2, fft_result::whole, false, 2> {
    static constexpr std::string_view name = "aten.fft_ifft2.default"sv;
};
/// fft_rfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None)
struct fft_rfft2 : schemas::transformed_dims, detail::transform_of<fft_rfft2, fft_result::half, true, 2> {
    static constexpr std::string_view name = "aten.fft_rfft2.default"sv;
};
/// fft_irfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None)
struct fft_irfft2 : schemas::transformed_dims, detail::transform_of<fft_irfft2, fft_result::real, false, 2> {
    static constexpr std::string_view name = "aten.fft_irfft2.default"sv;
};
/// fft_fftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None): along the given dims, else along the
/// last dims, as many as s has, else along all
struct fft_fftn : schemas::transformed_dims, detail::transform_of<fft_fftn, fft_result::whole, true, 0> {
    static constexpr std::string_view name = "aten.fft_fftn.default"sv;
};
/// fft_ifftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None)
struct fft_ifftn : schemas::transformed_dims, detail::transform_of<fft_ifftn, fft_result::whole, false, 0> {
    static constexpr std::string_view name = "aten.fft_ifftn.default"sv;
};
/// fft_rfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None)
struct fft_rfftn : schemas::transformed_dims, detail::transform_of<fft_rfftn, fft_result::half, true, 0> {
    static constexpr std::string_view name = "aten.fft_rfftn.default"sv;
};
/// fft_irfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None)
struct fft_irfftn : schemas::transformed_dims, detail::transform_of<fft_irfftn, fft_result::real, false, 0> {
    static constexpr std::string_view name = "aten.fft_irfftn.default"sv;
};

namespace detail {

/// The frequencies of a whole or half spectrum of n samples with spacing d, in f32 unless another dtype is given.
template <class Op, bool Half> struct frequencies {
    enum at : int { n, d, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("n", parameter_kind::integer),
                                           defaulted("d", parameter_kind::real, argument::of(1.0)),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        const auto type = c.is_given(at::dtype) ? c.type(at::dtype) : dtype::f32;
        const auto n = c.integer(at::n);
        if (!is_floating(type))
            return c.refuse(fault::dtype_is_unsupported, "floating point", facts_of(type).annotation);
        if (n < 1) return c.refuse(fault::size_is_negative, "n from 1", short_text() << n);
        return c.result(tensor_of(type, {Half ? n / 2 + 1 : n}));
    }
    static constexpr void evaluate(auto& c) {
        const auto n = c.integer(at::n);
        const auto step = 1 / (static_cast<double>(n) * c.real(at::d));
        fill_with(c, [&](const int_list& at, auto as) {
            using T = decltype(as);
            const auto k = Half || at[0] < n - n / 2 ? at[0] : at[0] - n;
            return math::convert<T>(static_cast<accumulator_t<T>>(k) * math::convert<accumulator_t<T>>(step));
        });
    }
};

/// Cyclic shift of the given dims, or all, by half their size, so that frequency 0 is in the middle; Back undoes it.
template <class Op, bool Back> struct shifted_spectrum {
    static constexpr bool goes_back = Back;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::optional_int_list)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        return check_dims(c, at::dim, t.rank) && c.result(in_format_of(t, tensor_of(t.type, sizes_of(t))));
    }
    static constexpr void evaluate(auto& c) {
        const auto dims = reduced_dims(c, at::dim, c.tensor(at::self).rank);
        gather_elements(c, [&](int_list at, const tensor_type& t) {
            for (int d = 0; d < at.size; ++d)
                if (dims >> d & 1) at[d] = (at[d] + t.size(d) - (t.size(d) + Back) / 2) % t.size(d);
            return at;
        });
    }
};

} // namespace detail

/// fft_fftfreq(int n, float d=1.0, *, ScalarType? dtype=None, ...): 0, 1, .., -2, -1 divided by n d
struct fft_fftfreq : detail::frequencies<fft_fftfreq, false> {
    static constexpr std::string_view name = "aten.fft_fftfreq.default"sv;
};
/// fft_rfftfreq(int n, float d=1.0, *, ScalarType? dtype=None, ...): 0, 1, .., n / 2 divided by n d
struct fft_rfftfreq : detail::frequencies<fft_rfftfreq, true> {
    static constexpr std::string_view name = "aten.fft_rfftfreq.default"sv;
};
/// fft_fftshift(Tensor self, int[1]? dim=None): moves frequency 0 to the middle
struct fft_fftshift : detail::shifted_spectrum<fft_fftshift, false> {
    static constexpr std::string_view name = "aten.fft_fftshift.default"sv;
};
/// fft_ifftshift(Tensor self, int[1]? dim=None): the inverse of fft_fftshift
struct fft_ifftshift : detail::shifted_spectrum<fft_ifftshift, true> {
    static constexpr std::string_view name = "aten.fft_ifftshift.default"sv;
};

using transform_ops =
    op_list<fft_fft, fft_ifft, fft_rfft, fft_irfft, fft_hfft, fft_ihfft, fft_fft2, fft_ifft2, fft_rfft2, fft_irfft2,
            fft_fftn, fft_ifftn, fft_rfftn, fft_irfftn, fft_fftfreq, fft_rfftfreq, fft_fftshift, fft_ifftshift>;

} // namespace ahead::aten
