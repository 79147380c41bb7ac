// SPDX-License-Identifier: MIT
// A rule of a user's own operator, in words of its own: they stand where a fault of the library's has its hint.
// fault: custom
// expect: my.hops.default
// expect: expected<.*a multiple of 2
// expect: found<.*"3"
// expect: hint<.*the hop must divide the number o.*f samples
#include <ahead/ahead.hpp>

using namespace ahead;

namespace my {
struct hops {
    static constexpr std::string_view name = "my.hops.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("hop", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        const auto hop = c.integer(1), samples = c.tensor(0).size(0);
        if (samples % hop != 0)
            return c.refuse("the hop must divide the number of samples", short_text("a multiple of ") << hop, short_text() << samples);
        return c.result(c.tensor(0));
    }
};
} // namespace my
struct operators : aten::registry::with<my::hops> {};

#ifdef REJECT
constexpr std::int64_t hop = 2;
#else
constexpr std::int64_t hop = 1;
#endif
inline constexpr auto net = trace<operators>([](input<"x", f32<3>> x) { return outputs(call<my::hops>(call_site::current(), x, integer<hop>{})); });
static_assert(sizeof(net) > 0);
