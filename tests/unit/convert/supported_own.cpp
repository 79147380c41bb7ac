// SPDX-License-Identifier: MIT
// Cases that users declare beside their own converters: those that hold, and those that must be reported.
#include "unit/supported.hpp"

using namespace ahead;
using ahead::cases; // tests have a namespace of that name as well
using namespace test;

namespace {

// In the place of the built-in converter: a + alpha * b as one product of alpha and a sum, where alpha is 2.
struct add_doubled {
    using op = aten::add;
    using supported =
        cases<support<f32<2, 2>, f32<2, 1>, keyword<"alpha", integer<2>>>, support<f64<3>, weight<f64<3>>, keyword<"alpha", real<"2.0">>>>;
    static constexpr bool convert(convert_context& c) {
        if (c.aten.real(2) != 2) return c.create_same();
        const auto twice = c.create<device::pointwise<aten::add>>({c.operand(1), c.operand(1), argument::of(1)});
        return c.bind_result(c.create<device::pointwise<aten::add>>({c.operand(0), twice, argument::of(1)}));
    }
};
// It forgets alpha.
struct add_only {
    using op = aten::add;
    using supported = cases<support<f32<2, 2>, f32<2, 2>>, support<f32<2, 2>, f32<2, 1>, keyword<"alpha", integer<2>>>>;
    static constexpr bool convert(convert_context& c) {
        return c.bind_result(c.create<device::pointwise<aten::add>>({c.operand(0), c.operand(1), argument::of(1)}));
    }
};
// It says more than it does.
struct cat_by_meaning {
    using op = aten::cat;
    using supported = cases<support<tensor_list<f32<2, 2>, f32<3, 2>>>>;
    static constexpr bool convert(convert_context& c) { return c.emit_ai_cpu_call(); }
};

template <class Converter>
using tools = toolchain<>::with<Converter>;

} // namespace

int main() {
    check_equal(check_supported<add_doubled, tools<add_doubled>>(), std::size_t{2});

    const auto forgets = run_supported<add_only, tools<add_only>>();
    check(forgets.size() == 2 && forgets[0].wrong.empty());
    check_equal(forgets[1].call, "aten.add.Tensor(f32[2, 2], f32[2, 1]), case 2");
    check(forgets[1].wrong.starts_with("an element of f32[2, 2] is "), forgets[1].wrong);

    const auto slow = run_supported<cat_by_meaning, tools<cat_by_meaning>>();
    check(slow.size() == 1);
    check_equal(slow[0].call, "aten.cat.default(f32[2, 2], f32[3, 2]), case 1");
    check_equal(slow[0].wrong, "aten.cat.default runs on the AI CPU");
    return report();
}
