// SPDX-License-Identifier: MIT
// Fourier transforms along any dims: of complex numbers, of real numbers to half of a spectrum, and back.
// Source: aten/src/ATen/native/SpectralOps.cpp, mkl/SpectralOps.cpp (fft_norm_mode, c2r's treatment of its operand).
// Invariant: computed in double precision, recursively by the sizes' prime factors, and rounded once.
// Results are row-major, as in PyTorch without MKL.
#pragma once
#include <ahead/aten/product/fourier_lines.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The factor of the sums: 1, 1 / sqrt(n) or 1 / n, where n is the number of elements along the dims.
enum class fft_normalization { none, by_root_n, by_n };

namespace detail {

/// The dims in parameter i; refuses a dim that is out of range, repeated or of size 0, and a normalization that PyTorch
/// does not define.
constexpr bool check_transform(infer_context& c, int i, int normalization, int_list& dims) {
    const auto& t = c.tensor(first_parameter);
    for (std::int32_t k = 0; k < c.int_count(i); ++k) {
        int d = 0;
        if (!c.wrap_dim(c.int_at(i, k), t.rank, d)) return false;
        for (auto other : dims)
            if (other == d) return c.refuse(fault::dimension_is_repeated, "dims once each", short_text() << d);
        if (t.rank == 0 || t.size(d) == 0)
            return c.refuse(fault::shapes_do_not_broadcast, "elements along the dims", print(t));
        dims.push_back(d);
    }
    const auto mode = c.integer(normalization);
    return (mode >= 0 && mode <= 2) ||
           c.refuse(fault::option_is_out_of_range, "a normalization from 0 to 2", short_text() << mode);
}
/// pre: checked
constexpr int_list transformed_dims(const auto& c, int i) {
    int_list dims;
    for (std::int32_t k = 0; k < c.int_count(i); ++k)
        dims.push_back(wrapped_dim(c.int_at(i, k), c.tensor(first_parameter).rank));
    return dims;
}
/// `sizes`: of all elements that are summed.
constexpr double scale_of(fft_normalization mode, const int_list& sizes, const int_list& dims) {
    double n = 1;
    for (auto d : dims) n *= static_cast<double>(sizes[static_cast<int>(d)]);
    return mode == fft_normalization::none ? 1 : mode == fft_normalization::by_n ? 1 / n : 1 / math::sqrt(n);
}

/// Writes the scaled spectrum to the result, element by element.
constexpr void put_spectrum(auto& c, const auto& spectrum, double scale) {
    const auto out = c.output(0, complex128{});
    for_each_index(sizes_of(out.type()), [&](const int_list& at) {
        const auto v = spectrum.at(at);
        out.put(at, complex128(v.re * scale, v.im * scale));
    });
}
/// Copies self's first elements in each dim, as many as `work` has, padded with zeros; elements from `end` on in dim
/// `bounded`, if given, are not written.
constexpr void take_elements(auto& c, auto& work, int_list sizes, bool conjugated = false, int bounded = -1,
                             std::int64_t end = 0) {
    const auto in = c.input(first_parameter, complex128{});
    if (bounded >= 0) sizes[bounded] = end;
    for_each_index(sizes, [&](const int_list& at) {
        bool is_inside = true;
        for (int d = 0; d < at.size; ++d) is_inside = is_inside && at[d] < in.type().size(d);
        const auto x = is_inside ? in[at] : complex128{};
        work.at(at) = conjugated ? conjugate(x) : x;
    });
}
/// The transform of self along the dims, with self cropped or padded to `sizes`.
constexpr void transform_all(auto& c, const int_list& sizes, const int_list& dims, fft_normalization by, bool forward) {
    spectrum work(c, sizes);
    take_elements(c, work, sizes);
    for (auto d : dims) work.transform(static_cast<int>(d), forward);
    put_spectrum(c, work, scale_of(by, sizes, dims));
}
/// The real numbers whose onesided spectrum is self or its conjugate.
constexpr void transform_to_real(auto& c, const int_list& dims, fft_normalization by, bool conjugated = false) {
    const auto out = c.output(0, double{});
    const auto sizes = sizes_of(out.type());
    const auto last = static_cast<int>(dims[dims.size - 1]);
    const auto half = sizes[last] / 2 + 1;
    spectrum work(c, sizes);
    take_elements(c, work, sizes, conjugated, last, half);
    for (auto d : dims)
        if (d != last) work.transform(static_cast<int>(d), false, half, last);
    work.mirror(last);
    work.transform(last, false);
    const auto scale = scale_of(by, sizes, dims);
    for_each_index(sizes, [&](const int_list& at) { out.put(at, work.at(at).re * scale); });
}

} // namespace detail

/// _fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward): c64 or c128, of self's sizes
struct fft_c2c {
    static constexpr std::string_view name = "aten._fft_c2c.default"sv;
    static constexpr effects effect{.takes_complex = true};
    enum at : int { self, dim, normalization, forward };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("dim", parameter_kind::int_list),
        required("normalization", parameter_kind::integer), required("forward", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        int_list dims;
        if (!is_complex(t.type)) return c.refuse(fault::dtype_is_unsupported, "complex numbers", print(t));
        return detail::check_transform(c, at::dim, at::normalization, dims) && c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return detail::spectrum_bytes(sizes_of(c.tensor(at::self)));
    }
    static constexpr void evaluate(auto& c) {
        detail::transform_all(c, sizes_of(c.tensor(at::self)), detail::transformed_dims(c, at::dim),
                              static_cast<fft_normalization>(c.integer(at::normalization)), c.boolean(at::forward));
    }
};

/// _fft_r2c(Tensor self, int[] dim, int normalization, bool onesided): c64 for f32, c128 for f64; onesided: the first n
/// / 2 + 1 along the last of the dims, which determine the rest; else all n
struct fft_r2c {
    static constexpr std::string_view name = "aten._fft_r2c.default"sv;
    static constexpr effects effect{.takes_complex = true};
    enum at : int { self, dim, normalization, onesided };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("dim", parameter_kind::int_list),
        required("normalization", parameter_kind::integer), required("onesided", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        int_list dims;
        if (t.type != dtype::f32 && t.type != dtype::f64)
            return c.refuse(fault::dtype_is_unsupported, "f32 or f64", print(t));
        if (!detail::check_transform(c, at::dim, at::normalization, dims)) return false;
        if (dims.size == 0) return c.refuse(fault::argument_is_missing, "one dim at least", "none");
        auto out = sizes_of(t);
        auto& last = out[static_cast<int>(dims[dims.size - 1])];
        if (c.boolean(at::onesided)) last = last / 2 + 1;
        return c.result(tensor_of(of_parts(t.type), out));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return detail::spectrum_bytes(sizes_of(c.tensor(at::self)));
    }
    static constexpr void evaluate(auto& c) {
        detail::transform_all(c, sizes_of(c.tensor(at::self)), detail::transformed_dims(c, at::dim),
                              static_cast<fft_normalization>(c.integer(at::normalization)), true);
    }
};

/// _fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size): the real numbers whose onesided spectrum
/// is self; backward, and not scaled if normalization is 0; the result has last_dim_size elements along the last of the
/// dims, self has last_dim_size / 2 + 1. Imaginary parts that must be 0 are ignored.
struct fft_c2r {
    static constexpr std::string_view name = "aten._fft_c2r.default"sv;
    static constexpr effects effect{.takes_complex = true};
    enum at : int { self, dim, normalization, last_dim_size };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("dim", parameter_kind::int_list),
        required("normalization", parameter_kind::integer), required("last_dim_size", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        int_list dims;
        if (!is_complex(t.type)) return c.refuse(fault::dtype_is_unsupported, "complex numbers", print(t));
        if (!detail::check_transform(c, at::dim, at::normalization, dims)) return false;
        if (dims.size == 0) return c.refuse(fault::argument_is_missing, "one dim at least", "none");
        const auto n = c.integer(at::last_dim_size);
        const auto last = static_cast<int>(dims[dims.size - 1]);
        if (n < 1) return c.refuse(fault::size_is_negative, "last_dim_size from 1", short_text() << n);
        if (t.size(last) != n / 2 + 1)
            return c.refuse(fault::shapes_do_not_broadcast, short_text() << n / 2 + 1 << " in dim " << last, print(t));
        auto out = sizes_of(t);
        out[last] = n;
        return c.result(tensor_of(part_of(t.type), out));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return detail::spectrum_bytes(sizes_of(c.result_type()));
    }
    static constexpr void evaluate(auto& c) {
        detail::transform_to_real(c, detail::transformed_dims(c, at::dim),
                                  static_cast<fft_normalization>(c.integer(at::normalization)));
    }
};

using fourier_ops = op_list<fft_c2c, fft_r2c, fft_c2r>;

} // namespace ahead::aten
