// SPDX-License-Identifier: MIT
// frexp: elementwise, but not pointwise in this library, because it has two results.
// Source: aten/src/ATen/native/UnaryOps.cpp.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

/// frexp.Tensor(Tensor self): (mantissa, exponent): self = mantissa * 2^exponent, |mantissa| in [1/2, 1), exponent in
/// i32; for 0, infinities and NaN the mantissa is self and the exponent 0
struct frexp {
    static constexpr std::string_view name = "aten.frexp.Tensor"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::self);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        return c.results(2) && c.set(0, tensor_of(t.type, sizes_of(t))) && c.set(1, tensor_of(dtype::i32, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto in = c.input(at::self, as);
            for_each_index(sizes_of(in.type()), [&](const int_list& at) {
                auto x = in[at];
                std::int32_t exponent = 0;
                if (x != 0 && !math::isnan(x) && !math::isinf(x)) {
                    for (; math::abs(x) >= 1; x /= 2) ++exponent;
                    for (; math::abs(x) < decltype(as)(0.5); x *= 2) --exponent;
                }
                c.output(0, as).put(at, x);
                c.output(1, std::int32_t{}).put(at, exponent);
            });
        });
    }
};

using frexp_ops = op_list<frexp>;

} // namespace ahead::aten
