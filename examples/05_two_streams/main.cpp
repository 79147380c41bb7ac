// A custom pass that puts mm and abs on a stream of their own and lets sub wait for abs: the example of TorchAir's
// documentation, almost line by line. Prints the graph after the pass, what runs when and where, and whether the
// results are those of one stream.
#include <ahead/ahead.hpp>
#include <ahead/print/fx/print_fx.hpp>
#include <ahead/print/print_timeline.hpp>

#include <bit>
#include <cstdint>
#include <iostream>
#include <random>

using namespace ahead;

inline constexpr auto model = trace([](input<"x", f32<3, 3>> x) {
    auto product = mm(x, x);
    auto magnitude = abs(product);
    auto sum = add(magnitude, 1);
    auto difference = sub(x, product);
    return outputs(sum, difference);
});

// What stands between scope_enter and scope_exit runs on stream_1; what stands behind the wait runs when what stands
// before the record is done.
struct custom_pre_pass {
    static constexpr std::string_view name = "custom_pre_pass";
    constexpr void operator()(graph_editor& g, const config& options) const {
        const bool orders_data = options.mode == mode::max_autotune;
        node_id record;
        for (node_id node : g) {
            if (g.calls(node, "aten.mm.default")) {
                g.inserting_before(node);
                g.call("air.scope_enter.default", {strings({"_user_stream_label"}), strings({"stream_1"})});
            }
            if (g.calls(node, "aten.abs.default")) {
                g.inserting_after(node);
                record = g.call("air.record.default", {});
                g.inserting_after(record);
                g.call("air.scope_exit.default", {});
            }
            // The original waits before sub alone. But add reads abs from stream_1: max_autotune finds that wait
            // itself, while reduce_overhead takes streams as they are, and without it the program does not compile:
            // streams_race.
            if (g.calls(node, "aten.sub.Tensor") || (!orders_data && g.calls(node, "aten.add.Tensor"))) {
                g.inserting_before(node);
                g.call("air.wait.default", {nodes({record})});
            }
        }
    }
};
template <mode Mode> inline constexpr config tools_options{.mode = Mode};
template <mode Mode> using tools = toolchain<>::with_pre_pass<custom_pre_pass{}>::with_options<tools_options<Mode>>;
using two_streams = compiled<model, tools<mode::reduce_overhead>>;
using autotuned = compiled<model, tools<mode::max_autotune>>;
using one_stream = compiled<model>;

// The plan is a constant, so its order is one as well.
constexpr timeline_row row_of(std::string_view op) {
    for (const auto& row : two_streams::plan.timeline)
        if (two_streams::lowered_graph()[two_streams::plan_view().tasks[static_cast<std::size_t>(row.task)].node]
                .target == op)
            return row;
    return {};
}
static_assert(row_of("npu.matmul").stream == 1 && row_of("npu.abs.default").stream == 1 &&
              row_of("npu.sub.Tensor").stream == 0);
static_assert(row_of("npu.abs.default").end <= row_of("npu.sub.Tensor").start);

using bits = std::array<std::uint32_t, 9>;
template <class Program>
std::array<bits, 2> results(const std::array<float, 9>& x) {
    const auto weights = Program::prepare();
    typename Program::session run{weights};
    const auto [sum, difference] = run(x);
    return {std::bit_cast<bits>(sum.copy()), std::bit_cast<bits>(difference.copy())};
}

int main() {
    std::string text;
    print_fx(two_streams::optimized_graph(), readable_style(), text);
    text += '\n';
    printers::print_timeline_table<two_streams>(text);

    std::mt19937 random(std::random_device{}());
    std::uniform_real_distribution<float> any(-1, 1);
    std::array<float, 9> x{};
    for (auto& each : x) each = any(random);
    const auto expected = results<one_stream>(x);
    const bool same = results<two_streams>(x) == expected && results<autotuned>(x) == expected;
    std::cout << text << "\nsame as one stream: " << (same ? "yes" : "no") << '\n';
    return same ? 0 : 1;
}
