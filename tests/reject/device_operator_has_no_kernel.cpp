// SPDX-License-Identifier: MIT
// A user's device operator whose kernel is forgotten.
// fault: operator_has_no_kernel
// expect: operator_has_no_kernel
// expect: npu.twice
// expect: kernels::kernel_for
// expect: at_line<35>
#include <ahead/ahead.hpp>
#include <reject/own_operator.hpp>

using namespace ahead;

struct device_twice : own::twice {
    static constexpr std::string_view name = "npu.twice";
    static constexpr std::int64_t key(const call_view& c) { return element_count(c.tensor(0)); }
};
struct convert_twice {
    using op = own::twice;
    static constexpr bool convert(convert_context& c) { return c.bind_result(c.create<device_twice>({c.operand(0)})); }
};
#ifndef REJECT
template <> struct ahead::kernels::kernel_for<device_twice> {
    template <auto Key> static void run(const auto& at) {
        for (std::int64_t i = 0; i < Key; ++i) at.template out<float>()[i] = 2 * at.template in<float>(0)[i];
    }
};
#endif
struct operators : aten::registry::with<own::twice> {};
using tools = toolchain<>::with<device_twice, convert_twice>;

template <class A> constexpr auto doubled(const handle<A>& x, call_site where = call_site::current()) {
    return call<own::twice>(where, x);
}
inline constexpr auto net = trace<operators>([](input<"x", f32<3>> x) {
    return outputs(doubled(x));
});
static_assert(sizeof(compiled<net, tools>) > 0);
