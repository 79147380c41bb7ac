// SPDX-License-Identifier: MIT
// nextafter depends on the dtype's representable numbers, so it does not have a meaning of elements alone, as pointwise
// do. Source: aten/src/ATen/native/BinaryOps.cpp, c10/util/BFloat16-math.h.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/core/math/special.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

/// nextafter(Tensor self, Tensor other): the next number of the dtype towards other
struct nextafter {
    static constexpr std::string_view name = "aten.nextafter.default"sv;
    enum at : int { self, other };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return pointwise<2, promotion::keep, domain::real>::infer(c); }
    static constexpr void evaluate(auto& c) {
        const auto type = c.result_type().type;
        c.compute_real([&](auto as) {
            const auto a = c.input(at::self, as), b = c.input(at::other, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                const auto x = a[broadcast_index(a.type(), at)], y = b[broadcast_index(b.type(), at)];
                if constexpr (std::same_as<decltype(as), float>) {
                    if (is_half(type)) return out.put(at, next_half(c, type, c.rounded(type, x), c.rounded(type, y)));
                }
                out.put(at, math::nextafter(x, y));
            });
        });
    }

private:
    /// For f16 and bf16, computed in f32, which represents all their numbers.
    static constexpr float next_half(const auto& c, dtype type, float x, float y) {
        const float least = type == dtype::f16 ? 0x1p-24f : 0x1p-133f, digits = type == dtype::f16 ? 0x1p-10f : 0x1p-7f;
        if (math::isnan(x) || math::isnan(y)) return x + y;
        if (x == y) return y;
        if (x == 0) return math::copysign(least, y);
        if (math::isinf(x)) return math::copysign(type == dtype::f16 ? 65504.0f : 0x1.fep127f, x);
        const auto bits = std::bit_cast<std::uint32_t>(x);
        const float power = std::bit_cast<float>(bits & 0xff80'0000u); // a power of two with the sign of x
        const bool outwards = (x < y) == (x > 0);
        float step = power * digits;
        if (!outwards && power == x) step /= 2; // the spacing below a power of two is half as large
        if (math::abs(step) < least) step = math::copysign(least, x);
        return c.rounded(type, outwards ? x + step : x - step);
    }
};

using nextafter_ops = op_list<nextafter>;

} // namespace ahead::aten
