// SPDX-License-Identifier: MIT
// A device operator of a user's own that is partitioned over cores, supports a bounded dim and has two kernels, because
// its struct says so: no file of the library names it.
#include "fused_agreement.hpp"

#include <ahead/aot/task.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/device/kernel_choice.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/dynamic/bounded/compiled_bounded.hpp>
#include <ahead/print/choice_report.hpp>
#include <ahead/tune/candidates.hpp>
#include <ahead/tune/measure.hpp>

using namespace ahead;
using namespace test;

namespace my {

/// my.flip(Tensor self): the elements of each row in reverse order.
struct flip {
    static constexpr std::string_view name = "my.flip.default";
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto& x = c.tensor(at::self);
        return c.result(tensor_of(x.type, sizes_of(x)));
    }
    static constexpr void evaluate(auto& c) {
        const auto x = c.input(at::self, float{});
        const auto out = c.output(0, float{});
        const int last = x.type().rank - 1;
        for_each_index(sizes_of(x.type()), [&](int_list at) {
            auto from = at;
            from[last] = x.type().size(last) - 1 - at[last];
            out.put(at, x[from]);
        });
    }
};

enum class flip_choice : std::uint8_t { by_rule, from_the_end };
inline constexpr std::string_view flip_choices[] = {"by_rule", "from_the_end"};
constexpr array_view<const std::string_view> names_of(flip_choice) { return flip_choices; }

struct flip_key {
    std::int64_t rows = 0, count = 0;
    flip_choice choice = flip_choice::by_rule;
    friend constexpr bool operator==(const flip_key&, const flip_key&) = default;
};
AHEAD_FIELDS(flip_key, rows, count, choice)
constexpr bool allows(const flip_key& key, flip_choice choice) { return choice == flip_choice::by_rule || key.count >= 4; }
constexpr bool is_by_rule(const flip_key&, flip_choice choice) { return choice == flip_choice::by_rule; }

/// npu.my_flip(Tensor x, int count, int? choice): rows of `count` elements.
struct device_flip : device::partitioned_rows<device_flip> {
    static constexpr std::string_view name = "npu.my_flip";
    enum at : int { x, count, choice };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor), required("count", parameter_kind::integer),
                                           defaulted("choice", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) { return flip::infer(c); }
    static constexpr flip_key key(const call_view& c) {
        return {element_count(c.tensor(at::x)) / c.integer(at::count), c.integer(at::count), device::choice_of<flip_choice>(c, at::choice)};
    }
    static constexpr machine::work work(const call_view& c) { return {.scalar_steps = 4 * element_count(c.tensor(at::x))}; }
    static constexpr device::bounded_call bounded(const auto& c) { return device::bounded_count<device_flip>(c, at::x, &flip_key::rows); }
    using kernel_choice = flip_choice;
    static constexpr device::operand_sizes operands(const flip_key& k) { return {.x = k.rows * k.count, .out = k.rows * k.count}; }
};

int runs_from_the_end = 0;

struct convert_flip {
    using op = flip;
    static constexpr bool convert(convert_context& c) {
        const auto& x = c.aten.tensor(0);
        return c.bind_result(c.create<device_flip>({c.contiguous(c.operand(0)), argument::of(x.size(x.rank - 1)), argument{}}));
    }
};

} // namespace my

template <> struct ahead::kernels::kernel_for<my::device_flip> {
    template <auto Key> static void run(const auto& at) {
        const auto* x = at.template in<float>(0);
        auto* out = at.template out<float>();
        my::runs_from_the_end += Key.choice == my::flip_choice::from_the_end;
        for (std::int64_t row = 0; row < Key.rows; ++row, x += Key.count, out += Key.count)
            for (std::int64_t i = 0; i < Key.count; ++i)
                if constexpr (Key.choice == my::flip_choice::from_the_end) out[Key.count - 1 - i] = x[i];
                else out[i] = x[Key.count - 1 - i];
    }
};

namespace {

struct operators : aten::registry::with<my::flip> {};
using base_tools = toolchain<>::with<my::flip, my::device_flip, my::convert_flip>;
inline constexpr machine::device three_cores = where_meeting_is_free(machine::npu, 3);
inline constexpr config on_three{.cores = 3};
inline constexpr std::string_view line = "npu.my_flip rows=12 count=64 : from_the_end\n";
inline constexpr config chosen_options{.choices = line};

struct text_of_net {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[12, 64]):
    relu = torch.ops.aten.relu.default(x)
    flip = torch.ops.my.flip.default(relu)
    neg = torch.ops.aten.neg.default(flip)
    return (neg,)
)fx";
};
using whole = compiled<fx<text_of_net, operators>, base_tools>;
using split = compiled<fx<text_of_net, operators>, base_tools::with_device<three_cores>::with_options<on_three>>;
using chosen = compiled<fx<text_of_net, operators>, base_tools::with_options<chosen_options>>;

void runs_on_cores() {
    check(tasks_of<whole>("npu.my_flip") == 1 && tasks_of<split>("npu.my_flip") == 3);
    const auto given = random_inputs(whole::captured());
    check(outputs_of<split>(given) == outputs_of<whole>(given));
}

void is_chosen() {
    const auto given = random_inputs(whole::captured());
    const auto expected = outputs_of<whole>(given);
    check(my::runs_from_the_end == 0);
    check(outputs_of<chosen>(given) == expected);
    check(my::runs_from_the_end > 0, "the choice of the file runs");
    const auto rows = report_choices<chosen>().rows;
    check(rows.size() == 1 && rows[0].key == "npu.my_flip rows=12 count=64" && rows[0].choice == "from_the_end");
    auto options = base_tools::options;
    options.choices = "npu.my_flip rows=12 count=64 : sideways\n";
    const auto refused = inspect_fx<base_tools, operators>(text_of_net::text, options);
    check(refused.error.what == fault::choice_is_impossible, name_of(refused.error.what));
    check_equal(refused.error.expected.view(), "by_rule, from_the_end");
}

struct call_to_tune : aot::written_call<my::device_flip> {
    static constexpr my::flip_key key{12, 64};
};

void is_tuned() {
    const auto key = tune::tuned<call_to_tune>();
    check_equal(key.text.view(), "npu.my_flip rows=12 count=64");
    check(key.kernels.size() == 2);
    const auto measured = tune::measure(key, {});
    check(measured.kernels.size() == 2 && measured.kernels[1].is_right && measured.kernels[1].choice == "from_the_end");
}

struct text_of_bounded {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 64]"):
    relu: "f32[s0, 64]" = torch.ops.aten.relu.default(x)
    flip: "f32[s0, 64]" = torch.ops.my.flip.default(relu)
    neg: "f32[s0, 64]" = torch.ops.aten.neg.default(flip)
    return (neg,)
)fx";
};
void is_bounded() {
    using program = compiled_bounded<text_of_bounded, bound<"s0", 40>, base_tools, operators>;
    const auto weights = program::prepare();
    program::session run{weights};
    std::vector<float> x(40 * 64);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97) - 20;
    for (const std::size_t rows : std::initializer_list<std::size_t>{1, 7, 16, 33, 40}) {
        const auto y = std::get<0>(run(std::span(x).first(rows * 64)));
        std::size_t wrong = y.size() != rows * 64;
        for (std::size_t i = 0; i < y.size(); ++i) {
            const auto from = x[i / 64 * 64 + 63 - i % 64];
            wrong += y[i] != -(from > 0 ? from : 0);
        }
        check(wrong == 0, std::to_string(rows) + " rows: " + std::to_string(wrong) + " wrong");
    }
}

} // namespace

int main() {
    is_bounded();
    runs_on_cores();
    is_chosen();
    is_tuned();
    return report();
}
