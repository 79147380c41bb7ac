// Recurrent networks on the device: one product with the inputs of all steps and one task for all steps, however many, in each direction of each layer; what
// runs them, and that it computes what the reference does.
// SPDX-License-Identifier: MIT
#include "fused_agreement.hpp"
#include "lowered.hpp"
#include "typed_reading.hpp"

using namespace ahead;
using namespace test;

namespace {

// The tasks of a network of so many steps, batch 3, 4 features, 5 states, as they are lowered.
std::string tasks_of_text(std::string_view op, int steps, int gates, int layers, bool both, bool batch_first, std::string_view type = "f32") {
    const auto number = [](auto n) { return std::to_string(n); };
    const int ways = both ? 2 : 1;
    const bool has_cells = op == "lstm";
    const std::string of(type), rows = number(gates * 5);
    std::string inputs = "x : " + of + (batch_first ? "[3, " + number(steps) + ", 4]" : "[" + number(steps) + ", 3, 4]") + ", h : " + of + "[" + number(layers * ways) + ", 3, 5]", list;
    for (int k = 0; k < layers * ways; ++k) {
        const auto name = [&](const char* of_what) { return of_what + number(k); };
        inputs += ", " + name("v") + " : " + of + "[" + rows + ", " + number(k < ways ? 4 : 5 * ways) + "], " + name("w") + " : " + of + "[" + rows + ", 5], " + name("b") + " : " + of + "[" + rows + "]";
        list += (k == 0 ? "" : ", ") + name("v") + ", " + name("w") + ", " + name("b") + ", " + name("b");
    }
    const std::string text = "def forward(self, " + inputs + "):\n    r = torch.ops.aten." + std::string(op) + ".input(x, " + (has_cells ? "[h, h]" : "h") + ", [" + list + "], True, " + number(layers) +
                             ", 0.0, False, " + (both ? "True" : "False") + ", " + (batch_first ? "True" : "False") + ")\n    g = r[0]\n    l = r[1]\n    return (g, l)\n";
    const typed_reading<capacity{128, 768, 288}> read(text);
    if (!check(read.error.ok(), text)) return {};
    return lowered(read.storage.view()).tasks();
}

void tasks() {
    const std::string layer = "npu.matmul npu.pack_matmul npu.recurrent ";
    for (int steps : {1, 3, 300, 100'000}) check_equal(tasks_of_text("lstm", steps, 4, 1, false, false), layer + "npu.concat ");
    check_equal(tasks_of_text("gru", 7, 3, 2, true, false), layer + layer + "npu.concat " + layer + layer + "npu.concat npu.concat ");
    check_equal(tasks_of_text("rnn_tanh", 7, 1, 1, false, true), "npu.copy " + layer + "npu.copy npu.concat ");
    check_equal(tasks_of_text("rnn_relu", 1, 1, 1, false, false), layer + "npu.concat ");
    check(tasks_of_text("lstm", 0, 4, 1, false, false).starts_with("aten.lstm.input"), "no steps: as its meaning says");
}

// Sums along k are taken in more than one part, vectors are whole and not, and the last steps hang on the first ones.
constexpr auto long_lstm = trace([](input<"x", f32<300, 2, 3>> x, input<"h", f32<1, 2, 35>> h, input<"c", f32<1, 2, 35>> c, param<"v", f32<140, 3>> v, param<"w", f32<140, 35>> w, param<"a", f32<140>> a,
                                   param<"b", f32<140>> b) {
    auto [y, hidden, cells] = lstm(x, h, c, tensors(v, mul(w, 0.2), a, b));
    return outputs(y, hidden, cells);
});
constexpr auto both_ways = trace([](input<"x", f64<2, 9, 3>> x, input<"h", f64<4, 2, 16>> h, param<"v", f64<48, 3>> v, param<"w", f64<48, 16>> w, param<"u", f64<48, 32>> u, param<"b", f64<48>> b) {
    auto [y, hidden] = gru<2, true, true>(x, h, tensors(v, w, b, b, v, w, b, b, u, w, b, b, u, w, b, b));
    return outputs(y, hidden);
});
// The weights of the state are given at each run, and packed by it.
constexpr auto given_weights = trace([](input<"x", f32<5, 1, 4>> x, input<"h", f32<1, 1, 66>> h, input<"v", f32<66, 4>> v, input<"w", f32<66, 66>> w) {
    auto [y, hidden] = rnn_tanh(x, h, tensors(v, mul(w, 0.1)));
    auto [z, last] = rnn_relu(x, h, tensors(v, mul(w, 0.1)));
    return outputs(y, hidden, z, last);
});

// States that are projections of what the cells show, in both directions of two layers, and of few columns.
constexpr auto projected = trace([](input<"x", f32<9, 2, 3>> x, input<"h", f32<4, 2, 5>> h, input<"c", f32<4, 2, 35>> c, param<"v", f32<140, 3>> v, param<"u", f32<140, 10>> u, param<"w", f32<140, 5>> w,
                                    param<"b", f32<140>> b, param<"p", f32<5, 35>> p) {
    const auto scaled = mul(p, 0.2);
    auto [y, hidden, cells] = lstm<2, true>(x, h, c, tensors(v, w, b, b, scaled, v, w, b, b, scaled, u, w, b, b, scaled, u, w, b, b, scaled));
    return outputs(y, hidden, cells);
});
constexpr auto projected_to_one = trace([](input<"x", f64<5, 3, 2>> x, input<"h", f64<1, 3, 1>> h, input<"c", f64<1, 3, 6>> c, input<"v", f64<24, 2>> v, input<"w", f64<24, 1>> w, input<"p", f64<1, 6>> p) {
    auto [y, hidden, cells] = lstm(x, h, c, tensors(v, w, p));
    return outputs(y, hidden, cells);
});

// Half floats are f32 in between.
constexpr auto halves = trace([](input<"x", f16<6, 1, 4>> x, input<"h", f16<1, 1, 9>> h, param<"v", f16<27, 4>> v, param<"w", f16<27, 9>> w) {
    auto [y, hidden] = gru(x, h, tensors(v, w));
    return outputs(y, hidden);
});

inline constexpr machine::device on_two_device = where_meeting_is_free(machine::npu, 2);
inline constexpr config on_two_options{.cores = 2};
using on_two = toolchain<>::with_device<on_two_device>::with_options<on_two_options>;

template <const auto& Net, class Tools = toolchain<>> void agrees(int recurrent, double absolute, const location& where = location::current()) {
    using program = compiled<Net, Tools>;
    check_equal(tasks_of<program>("npu.recurrent"), recurrent, where);
    check_equal(program::plan.ai_cpu_tasks, 0, where);
    const auto given = random_inputs(program::captured());
    const auto made = outputs_of<program>(given);
    std::size_t i = 0;
    double worst = 0;
    for (const auto& t : reference<Net>(given))
        for_each_index(sizes_of(t.type), [&](const int_list& at) {
            if (i < made.size()) worst = std::fmax(worst, std::fabs(made[i] - t.template get<double>(at)));
            ++i;
        });
    check_equal(made.size(), i, where);
    check(worst <= absolute, std::to_string(worst * 1e9) + "e-9", where);
}

} // namespace

int main() {
    tasks();
    agrees<long_lstm>(1, 2e-5);
    agrees<both_ways>(4, 1e-12);
    agrees<both_ways, on_two>(4, 1e-12);
    agrees<given_weights>(2, 2e-5);
    agrees<projected>(4, 2e-5);
    agrees<projected, on_two>(4, 2e-5);
    agrees<projected_to_one>(1, 1e-12);
    agrees<halves>(1, 1e-3);
    return report();
}
