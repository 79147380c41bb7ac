// SPDX-License-Identifier: MIT
// An operator of the user's own that is not in the registry given to trace.
// fault: operator_is_unknown
// expect: my.twice.default
// expect: in_tensor<[^"]*"twice"
// expect: at_line<29>
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

struct twice {
    static constexpr std::string_view name = "my.twice.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
};
#ifdef REJECT
struct operators : aten::registry {};
#else
struct operators : aten::registry::with<twice> {};
#endif

template <class A>
constexpr auto doubled(const handle<A>& x, call_site where = call_site::current()) {
    return call<twice>(where, x);
}

inline constexpr auto net = trace<operators>([](input<"x", f32<3>> x) {
    return outputs(doubled(relu(x)));
});
