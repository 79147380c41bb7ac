// SPDX-License-Identifier: MIT
// A kernel that may refuse what it is given, but does not say whether it did.
// expect: One that refuses says static constexpr bool refuses = true, returns bool
// expect: kernel_for<my::device_twice>
#include <ahead/ahead.hpp>
#include <reject/own_operator.hpp>

using namespace ahead;

namespace my {
struct device_twice {
    static constexpr std::string_view name = "npu.twice";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
    static constexpr std::int64_t key(const call_view& c) { return element_count(c.tensor(0)); }
};
} // namespace my
template <> struct ahead::kernels::kernel_for<my::device_twice> {
    static constexpr bool refuses = true;
#ifdef REJECT
    template <auto Key> static void run(const auto& at, diagnosis&) {
#else
    template <auto Key> static bool run(const auto& at, diagnosis&) {
#endif
        for (std::int64_t i = 0; i < Key; ++i) at.template out<float>()[i] = 2 * at.template in<float>(0)[i];
#ifndef REJECT
        return true;
#endif
    }
};
using tools = toolchain<>::with<my::device_twice, own::convert_relu<my::device_twice>>;

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(relu(x)); });
using program = compiled<net, tools>;
int main() {
    const auto weights = program::prepare();
    program::session run{weights};
    const auto [y] = run(std::array<float, 3>{});
}
