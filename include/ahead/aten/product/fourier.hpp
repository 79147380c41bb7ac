// SPDX-License-Identifier: MIT
// Fourier transforms, whose results are complex numbers: there is no dtype for these, so they are refused by name.
// Source: aten/src/ATen/native/SpectralOps.cpp.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// _fft_r2c(Tensor self, int[] dim, int normalization, bool onesided): refused
struct fft_r2c {
    static constexpr std::string_view name = "aten._fft_r2c.default";
    enum at : int { self, dim, normalization, onesided };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("dim", parameter_kind::int_list),
        required("normalization", parameter_kind::integer), required("onesided", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        return c.refuse(fault::dtype_is_unsupported,
                        "real numbers: two products with the matrices of cosines and sines", "a complex result");
    }
};

using fourier_ops = op_list<fft_r2c>;

} // namespace ahead::aten
