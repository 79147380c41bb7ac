// SPDX-License-Identifier: MIT
// A product with i8 weights: every tile gives the same bits; partitioned over cores, at fewer rows than a bound, with a kernel that a choice file names, and measured
// by tuning.
#include "fused_agreement.hpp"

#include <ahead/aot/task.hpp>
#include <ahead/dynamic/bounded/compiled_bounded.hpp>
#include <ahead/kernels/product/weight_int8_matmul.hpp>
#include <ahead/print/choice_report.hpp>
#include <ahead/tune/candidates.hpp>
#include <ahead/tune/measure.hpp>

#include <vector>

using namespace ahead;
using namespace test;

namespace {

template <class T> struct operands {
    std::vector<T> a, scales;
    std::vector<std::int8_t> weight;
    operands(std::int64_t m, std::int64_t n, std::int64_t k) {
        for (std::int64_t i = 0; i < m * k; ++i) a.push_back(static_cast<T>(i * 37 % 101 - 50) / 32);
        for (std::int64_t i = 0; i < n; ++i) scales.push_back(static_cast<T>(i % 5 - 2) / 4);
        for (std::int64_t i = 0; i < n * k; ++i) weight.push_back(static_cast<std::int8_t>(i * 61 % 256 - 128));
    }
};

// Against sums in double; each tile against the rule's, to the bit. All numbers of a product are multiples of 2^-5, so that sums in double are exact.
template <device::weight_int8_key Key> void tiles_agree() {
    using T = element_t<Key.type>;
    constexpr auto name = device::text_of_key<device::weight_int8_matmul>(Key);
    const operands<T> on(Key.m, Key.n, Key.k);
    std::vector<T> first(static_cast<std::size_t>(Key.m * Key.n)), other(first.size());
    kernels::weight_int8_matmul<Key>(on.a.data(), on.weight.data(), on.scales.data(), first.data());
    std::size_t wrong = 0;
    for (std::int64_t i = 0; i < Key.m; ++i)
        for (std::int64_t j = 0; j < Key.n; ++j) {
            double sum = 0;
            for (std::int64_t l = 0; l < Key.k; ++l)
                sum += static_cast<double>(on.a[static_cast<std::size_t>(i * Key.k + l)]) * on.weight[static_cast<std::size_t>(j * Key.k + l)];
            const double expected = sum * static_cast<double>(on.scales[static_cast<std::size_t>(j)]);
            const double off = static_cast<double>(first[static_cast<std::size_t>(i * Key.n + j)]) - expected;
            wrong += !(std::fabs(off) <= 1e-4 * (1 + std::fabs(expected)));
        }
    check(wrong == 0, std::string(name.view()) + ": " + std::to_string(wrong) + " wrong");
    const auto agrees = [&]<device::int8_tile Choice>() {
        constexpr auto chosen = [] {
            auto key = Key;
            key.choice = Choice;
            return key;
        }();
        if constexpr (device::allows(Key, Choice)) {
            kernels::weight_int8_matmul<chosen>(on.a.data(), on.weight.data(), on.scales.data(), other.data());
            check(other == first, std::string(name.view()) + ": another tile, other bits");
        }
    };
    agrees.template operator()<device::int8_tile::columns_of_2>();
    agrees.template operator()<device::int8_tile::columns_of_4>();
    agrees.template operator()<device::int8_tile::columns_of_8>();
}

inline constexpr machine::device three_cores = where_meeting_is_free(machine::npu, 3);
inline constexpr config on_three{.cores = 3};
using three = toolchain<>::with_device<three_cores>::with_options<on_three>;

template <char Rows> struct text_of_net {
    static constexpr char rows = Rows;
    static constexpr auto written = [] {
        text_buffer<600> out;
        out.append(R"fx(def forward(self, p_w: "i8[99, 70]", p_s: "f32[99]", x: "f32[)fx");
        out.append(std::string_view(&rows, 1));
        out.append(R"fx(, 70]"):
    relu = torch.ops.aten.relu.default(x)
    _weight_int8pack_mm = torch.ops.aten._weight_int8pack_mm.default(relu, p_w, p_s)
    neg = torch.ops.aten.neg.default(_weight_int8pack_mm)
    return (neg,)
)fx");
        return out;
    }();
    static constexpr std::string_view text = written.view();
};
template <char Rows> void runs_on_cores() {
    using whole = compiled<fx<text_of_net<Rows>>>;
    using split = compiled<fx<text_of_net<Rows>>, three>;
    check_equal(tasks_of<whole>("npu.weight_int8_matmul"), 1);
    check_equal(tasks_of<split>("npu.weight_int8_matmul"), 3);
    const auto given = random_inputs(whole::captured());
    check(outputs_of<split>(given) == outputs_of<whole>(given));
}

inline constexpr config chosen_options{.choices = "npu.weight_int8_matmul m=1 n=99 k=70 : columns_of_4\n"};
void is_chosen() {
    using program = compiled<fx<text_of_net<'1'>>, toolchain<>::with_options<chosen_options>>;
    const auto rows = report_choices<program>().rows;
    check(rows.size() == 1 && rows[0].choice == "columns_of_4");
}

struct call_to_tune : aot::written_call<device::weight_int8_matmul> {
    static constexpr device::weight_int8_key key{.m = 1, .n = 64, .k = 96};
};
void is_tuned() {
    const auto key = tune::tuned<call_to_tune>();
    check_equal(key.text.view(), "npu.weight_int8_matmul m=1 n=64 k=96");
    const auto measured = tune::measure(key, {.seconds_of_key = 0.01});
    check(measured.kernels.size() == 3 && measured.kernels[1].is_right && measured.kernels[2].is_right);
}

struct text_of_bounded {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 70]", w: "i8[5, 70]", s: "f32[5]"):
    _weight_int8pack_mm = torch.ops.aten._weight_int8pack_mm.default(x, w, s)
    return (_weight_int8pack_mm,)
)fx";
};
void is_bounded() {
    using program = compiled_bounded<text_of_bounded, bound<"s0", 40>>;
    const auto weights = program::prepare();
    program::session run{weights};
    const operands<float> on(40, 5, 70);
    std::vector<float> expected(200);
    kernels::weight_int8_matmul<device::weight_int8_key{.m = 40, .n = 5, .k = 70}>(on.a.data(), on.weight.data(), on.scales.data(), expected.data());
    for (const std::size_t rows : std::initializer_list<std::size_t>{1, 7, 16, 33, 40}) {
        const auto y = std::get<0>(run(std::span(on.a).first(rows * 70), std::span<const std::int8_t, 350>(on.weight), std::span<const float, 5>(on.scales)));
        check(y.size() == rows * 5 && std::equal(y.begin(), y.end(), expected.begin()), std::to_string(rows) + " rows");
    }
}

} // namespace

using product_key = device::weight_int8_key;

int main() {
    tiles_agree<product_key{.m = 1, .n = 19, .k = 37}>();
    tiles_agree<product_key{.m = 2, .n = 17, .k = 64}>();
    tiles_agree<product_key{.m = 7, .n = 3, .k = 5}>();
    tiles_agree<product_key{.type = dtype::f64, .m = 5, .n = 8, .k = 21}>();
    tiles_agree<product_key{.m = 3, .n = 4, .k = 0}>();
    tiles_agree<product_key{.m = 0, .n = 4, .k = 3}>();
    runs_on_cores<'1'>();
    runs_on_cores<'6'>();
    is_chosen();
    is_tuned();
    is_bounded();
    return report();
}
