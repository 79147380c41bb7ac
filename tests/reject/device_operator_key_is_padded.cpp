// SPDX-License-Identifier: MIT
// A device operator whose key has padding between its members and at its end: clang reads such template arguments wrong.
// expect: the key of a device operator has padding
// expect: my::device_twice
#include <ahead/ahead.hpp>
#include <reject/own_operator.hpp>

using namespace ahead;

namespace my {
struct length {
    dtype type = dtype::f32;
#ifndef REJECT
    bool is_odd = false;
#endif
    std::int64_t count = 0;
#ifdef REJECT
    bool is_odd = false;
#endif
};
#ifdef REJECT
AHEAD_FIELDS(length, type, count, is_odd)
#else
AHEAD_FIELDS(length, type, is_odd, count)
#endif
struct device_twice {
    static constexpr std::string_view name = "npu.twice";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
    static constexpr length key(const call_view& c) {
        length out;
        out.count = element_count(c.tensor(0));
        return out;
    }
};
} // namespace my
template <> struct ahead::kernels::kernel_for<my::device_twice> {
    template <auto Key> static void run(const auto& at) {
        for (std::int64_t i = 0; i < Key.count; ++i) at.template out<float>()[i] = 2 * at.template in<float>(0)[i];
    }
};
using tools = toolchain<>::with<my::device_twice, own::convert_relu<my::device_twice>>;

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(relu(x)); });
static_assert(sizeof(compiled<net, tools>) > 0);
