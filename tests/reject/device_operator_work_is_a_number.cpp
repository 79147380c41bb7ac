// SPDX-License-Identifier: MIT
// A device operator that says its work as a number.
// expect: a device operator may have: .*machine::work work
// expect: my::device_twice
#include <ahead/ahead.hpp>
#include <reject/own_operator.hpp>

using namespace ahead;

namespace my {
struct device_twice {
    static constexpr std::string_view name = "npu.twice";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
    static constexpr std::int64_t key(const call_view& c) { return element_count(c.tensor(0)); }
#ifdef REJECT
    static constexpr std::int64_t work(const call_view&) { return 64; }
#else
    static constexpr machine::work work(const call_view&) { return {.scalar_steps = 64}; }
#endif
};
} // namespace my
template <> struct ahead::kernels::kernel_for<my::device_twice> : own::kernel_of_twice {};
using tools = toolchain<>::with<my::device_twice, own::convert_relu<my::device_twice>>;

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(relu(x)); });
static_assert(sizeof(compiled<net, tools>) > 0);
