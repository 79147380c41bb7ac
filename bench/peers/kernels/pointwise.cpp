// SPDX-License-Identifier: MIT
// Functions of each of 65,536 numbers, which lie in the cache; sums of a million halves.
#include "kernels.hpp"

namespace {

using namespace bench;

constexpr made_text of_each(std::string_view operation) { return call({"f32[65536]"}, operation); }

constexpr filled positive{.low = 0.01, .high = 10}, wide{.low = -8, .high = 8};

[[maybe_unused]] const bool added[] = {
    add_kernel(
        "exp", [] { return of_each("exp.default(a)"); }, wide),
    add_kernel(
        "log", [] { return of_each("log.default(a)"); }, positive),
    add_kernel(
        "log2", [] { return of_each("log2.default(a)"); }, positive),
    add_kernel(
        "log1p", [] { return of_each("log1p.default(a)"); }, positive),
    add_kernel(
        "expm1", [] { return of_each("expm1.default(a)"); }, wide),
    add_kernel(
        "sin", [] { return of_each("sin.default(a)"); }, wide),
    add_kernel(
        "cos", [] { return of_each("cos.default(a)"); }, wide),
    add_kernel(
        "pow", [] { return call({"f32[65536]", "f32[65536]"}, "pow.Tensor_Tensor(a, b)"); }, positive),
    add_kernel(
        "erf", [] { return of_each("erf.default(a)"); }, wide),
    add_kernel(
        "tanh", [] { return of_each("tanh.default(a)"); }, wide),
    add_kernel(
        "sigmoid", [] { return of_each("sigmoid.default(a)"); }, wide),
    add_kernel(
        "silu", [] { return of_each("silu.default(a)"); }, wide),
    add_kernel(
        "mish", [] { return of_each("mish.default(a)"); }, wide),
    add_kernel(
        "gelu", [] { return of_each("gelu.default(a)"); }, wide),
    add_kernel(
        "gelu_tanh", [] { return of_each("gelu.default(a, approximate = 'tanh')"); }, wide),
    add_kernel(
        "rsqrt", [] { return of_each("rsqrt.default(a)"); }, positive),
    add_kernel("add_1m_f32", [] { return call({"f32[1048576]", "f32[1048576]"}, "add.Tensor(a, b)"); }),
    add_kernel("add_1m_f16", [] { return call({"f16[1048576]", "f16[1048576]"}, "add.Tensor(a, b)"); }),
    add_kernel("add_1m_bf16", [] { return call({"bf16[1048576]", "bf16[1048576]"}, "add.Tensor(a, b)"); }),
    add_kernel("silu_1m_bf16", [] { return call({"bf16[1048576]"}, "silu.default(a)"); }, {.tolerance = 0.01}),
    add_kernel("add_1m_i8", [] { return call({"i8[1048576]", "i8[1048576]"}, "add.Tensor(a, b)"); }, {.ids = 50}),
    add_kernel(
        "silu_backward", [] { return call({"f32[65536]", "f32[65536]"}, "silu_backward.default(a, b)"); }, wide),
    add_kernel(
        "gelu_backward", [] { return call({"f32[65536]", "f32[65536]"}, "gelu_backward.default(a, b)"); }, wide),
    add_kernel("sigmoid_backward", [] { return call({"f32[65536]", "f32[65536]"}, "sigmoid_backward.default(a, b)"); }),
    add_kernel("tanh_backward", [] { return call({"f32[65536]", "f32[65536]"}, "tanh_backward.default(a, b)"); }),
};

} // namespace
