// SPDX-License-Identifier: MIT
// An operator of the user's own that says its scratch memory in another type, so that the plan would not see it.
// expect: an operator may have: static constexpr effects effect; std::int64_t scratch_bytes
// expect: my::op
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

namespace my {
struct op {
    static constexpr std::string_view name = "my.op.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
#ifdef REJECT
    static constexpr double scratch_bytes(const call_view&) { return 8; }
#else
    static constexpr std::int64_t scratch_bytes(const call_view&) { return 8; }
#endif
};
} // namespace my
struct registry : aten::registry::with<my::op> {};

inline constexpr auto net = trace<registry>([](input<"x", f32<3>> x) { return outputs(relu(call<my::op>(call_site::current(), x))); });
