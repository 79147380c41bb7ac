// One program by two doors: written while building and compiled in source. The same plan, the same constants, the same bits, wherever a program is
// taken; and what the interface alone gives.
// SPDX-License-Identifier: MIT
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "ten_rounds.hpp"
#include "two_streams.hpp"

#include "branches_graphs.hpp"
#include "digits.hpp"
#include "digits_graphs.hpp"
#include "digits_weights.hpp"
#include "numbers_program.hpp"
#include "rare_program.hpp"
#include "silero_vad_graphs.hpp"

#include <ahead/ahead.hpp>
#include <ahead/differential/compare_with_reference.hpp>
#include <ahead/ir/equal.hpp>
#include <ahead/machine/presets.hpp>
#include <ahead/npu/compiled_graphs.hpp>
#include <ahead/npu/graph.hpp>
#include <ahead/npu/launch.hpp>
#include <ahead/print/chrome_trace.hpp>
#include <ahead/print/print_timeline.hpp>
#include <ahead/print/report/html_report.hpp>
#include <ahead/runtime/profile.hpp>
#include <ahead/runtime/threads/threaded_session.hpp>
#include <ahead/tune/print_choices.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

struct digits_text {
    static constexpr char text[] =
#include "digits.fx"
        ;
};
// With kernels that are not its rules'.
inline constexpr config digits_tools_options{.choices =
#include "digits_choices.fx"
    };
using digits_tools = toolchain<>::with_options<digits_tools_options>;
struct silero_text {
    static constexpr char text[] =
#include "silero_vad.fx"
        ;
};

// A state, a constant that the AI CPU makes, indices that a kernel may refuse, several outputs of several dtypes, and a size that is a symbol.
struct rare_text {
    static constexpr char text[] =
#include "rare.fx"
        ;
    static constexpr fx_input inputs[] = {
#include "rare.rows"
    };
    static constexpr symbol_value symbols[] = {{"s0", 4}};
};

// Branches in a branch, a loop and a scan, which read weights and hold constants.
struct branches_text {
    static constexpr char text[] =
#include "branches.fx"
        ;
    static constexpr fx_input inputs[] = {
#include "branches.rows"
    };
};

// NaN and an infinity, random draws, one node returned twice, a view of the input.
struct numbers_text {
    static constexpr char text[] =
#include "numbers.fx"
        ;
    static constexpr symbol_value symbols[] = {{"s0", 4}};
};

// Numbers of no meaning, the same for both doors.
template <class Program> weights some_weights() {
    weights out;
    std::uint32_t state = 1;
    for (const auto& p : runtime::parameters<Program>::made.all) {
        if (p.literal >= 0) continue;
        std::vector<float> all(static_cast<std::size_t>(element_count(p.type)));
        for (auto& v : all) v = static_cast<float>((state = state * 1664525 + 1013904223) >> 8) / 16777216.0f - 0.5f;
        const auto sizes = sizes_of(p.type);
        out.add(std::string(p.name), p.type.type, {sizes.begin(), sizes.end()}, std::as_bytes(std::span(all)));
    }
    return out;
}
template <class Program> auto some_inputs() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        const auto one = []<class Port>(Port) {
            std::vector<element_t<Port::type.type>> all(static_cast<std::size_t>(element_count(Port::type)));
            for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<element_t<Port::type.type>>(static_cast<double>(i * 37 % 101) / 101 - 0.3);
            return all;
        };
        return std::tuple{one(typename Program::template input_port<I>{})...};
    }(std::make_index_sequence<static_cast<std::size_t>(Program::plan.inputs)>{});
}
template <class Outputs> std::vector<float> listed(const Outputs& outputs) {
    std::vector<float> out;
    std::apply([&](const auto&... each) { (out.insert(out.end(), each.begin(), each.end()), ...); }, outputs);
    return out;
}
template <class Program, template <class> class Session> std::vector<float> run_twice(const prepared_weights<Program>& weights) {
    Session<Program> run{weights};
    const auto x = some_inputs<Program>();
    std::apply([&](const auto&... each) { static_cast<void>(run(each...)); }, x);
    return std::apply([&](const auto&... each) { return listed(run(each...)); }, x);
}
template <class Program> using plain_session = session<Program>;

template <class Written, class Described, class InSource> void same_program() {
    static_assert(Written::plan.run_tasks == InSource::plan.run_tasks && Written::plan.makespan == InSource::plan.makespan);
    static_assert(static_cast<const plan::plan_summary&>(Written::plan) == static_cast<const plan::plan_summary&>(InSource::plan) && Written::summary == InSource::summary);
    static_assert(std::same_as<ir::static_type<typename Written::template output_port<0>>, ir::static_type<typename InSource::template output_port<0>>>);
    static_assert(timing<Written, machine::ascend_910b2>::makespan == timing<InSource, machine::ascend_910b2>::makespan);

    for (const graph_view g : {Written::lowered_graph(), Described::captured(), Described::optimized_graph()}) {
        diagnosis d;
        check_equal(verify(g, d) ? "" : render(d), "");
    }
    const auto given = some_weights<InSource>();
    const auto mine = Written::prepare(given);
    const auto other = InSource::prepare(given);
    const auto wanted = run_twice<InSource, plain_session>(other);
    check(!wanted.empty());
    check(run_twice<Written, plain_session>(mine) == wanted);
    check(run_twice<Written, threaded_session>(mine) == wanted);
    check(run_twice<Written, profiled_session>(mine) == wanted);

    std::string pages[2], traces[2], timelines[2];
    print_report<Described>(pages[0]);
    print_report<InSource>(pages[1]);
    check(pages[0] == pages[1]);
    print_trace<Written>(traces[0]);
    print_trace<InSource>(traces[1]);
    check(traces[0] == traces[1]);
    print_timeline<Written>(timelines[0]);
    print_timeline<InSource>(timelines[1]);
    check(timelines[0] == timelines[1]);

    const auto compared = differential::differential_run<Described>(given).on_random_inputs(1);
    check(compared.ok());

    check(!Written::try_prepare(weights{}) && Written::try_prepare(weights{}).why().what == InSource::try_prepare(weights{}).why().what);
}

void branches_programs() {
    using written = branches::program;
    using in_source = compiled<fx<branches_text>, user::ten_rounds>;
    static_assert(static_cast<const plan::plan_summary&>(written::plan) == static_cast<const plan::plan_summary&>(in_source::plan) && written::plan.makespan == in_source::plan.makespan);
    check(structurally_equal(branches::described_program::captured(), in_source::captured(), aten::registry::table));
    std::array<float, 16> w{};
    std::array<float, 8> x{};
    std::array<float, 24> xs{};
    const std::array<float, 4> b{1, 2, 3, 4};
    for (std::size_t i = 0; i < 16; ++i) w[i] = 0.3f * (static_cast<float>(i % 5) - 2);
    for (std::size_t i = 0; i < 8; ++i) x[i] = static_cast<float>(i) / 4 - 1;
    for (std::size_t i = 0; i < 24; ++i) xs[i] = 0.02f * static_cast<float>(i);
    weights given;
    given.add("layer.w", dtype::f32, {4, 4}, std::as_bytes(std::span(w)));
    given.add("layer.b", dtype::f32, {4}, std::as_bytes(std::span(b)));
    const auto built = written::prepare(given);
    const auto prepared = in_source::prepare(given);
    written::session run{built};
    in_source::session wanted{prepared};
    for (const bool yes : {true, false})
        for (std::int64_t rounds = 0; rounds < 4; ++rounds) {
            const std::array<bool, 1> p{yes};
            const std::array<std::int64_t, 1> n{rounds};
            const auto [h, y] = run(x, p, n, xs);
            const auto [h_wanted, y_wanted] = wanted(x, p, n, xs);
            check(std::memcmp(h.data(), h_wanted.data(), sizeof(float) * 8) == 0 && std::memcmp(y.data(), y_wanted.data(), sizeof(float) * 24) == 0);
        }
    const std::array<bool, 1> p{true};
    const std::array<std::int64_t, 1> n{11};
    check_equal(render(run.try_run(x, p, n, xs).why()), render(wanted.try_run(x, p, n, xs).why()));
}

template <class Program> std::string rare_runs(std::string& state) {
    weights given;
    const std::array<float, 4> counter{1, 2, 3, 4};
    given.add("state.counter", dtype::f32, {4}, std::as_bytes(std::span(counter)));
    const auto prepared = Program::prepare(given);
    typename Program::session run{prepared};
    const std::array<float, 12> x{5, 1, 4, 2, 8, 3, 0, 7, 6, 9, 11, 10};
    std::string out;
    for (const std::array<std::int64_t, 2> places : {std::array<std::int64_t, 2>{0, 3}, {2, -1}, {1, 4}}) {
        const auto y = run.try_run(x, places);
        if (!y) {
            out += render(y.why());
            continue;
        }
        for (const float v : std::get<0>(*y)) out += std::to_string(v) + ' ';
        for (const auto v : std::get<1>(*y)) out += std::to_string(v) + ' ';
    }
    for (const float v : run.template state<"state.counter">()) state += std::to_string(static_cast<int>(v)) + ' ';
    return out;
}
void rare_programs() {
    static_assert(rare::program::plan.states == 1 && rare::program::plan.ai_cpu_tasks > 0);
    std::string states[2];
    const auto wanted = rare_runs<compiled<fx<rare_text>>>(states[0]);
    check_equal(rare_runs<rare::program>(states[1]), wanted);
    check_equal(states[0], states[1]);
    check_equal(states[1], "1 8 15 22 ");
    check(wanted.find("line 6: aten.index.Tensor") != wanted.npos, wanted);

    // On the device, with states of its own.
    const std::array<float, 4> counter{1, 2, 3, 4};
    weights given;
    given.add("state.counter", dtype::f32, {4}, std::as_bytes(std::span(counter)));
    const auto prepared = rare::program::prepare(given);
    npu::context npu;
    npu::states<rare::program> counts(npu, prepared);
    const auto tensor = npu.to_device<f32<4, 3>>(std::array<float, 12>{});
    const auto places = npu.to_device<i64<2>>(std::array<std::int64_t, 2>{0, 3});
    for (int i = 0; i < 2; ++i) npu.default_stream().launch(counts, tensor, places);
    check_equal(counts.state<"state.counter">().copy()[3], 22.0f);

    // By the interface alone.
    const void* from[] = {counter.data()};
    alignas(64) std::byte constants[rare::constant_bytes + 1], scratch[rare::scratch_bytes + 1], arena[rare::arena_bytes];
    check(rare::weights_count == 1 && rare::weights[0].name == "state.counter" && rare::prepare(from, constants, scratch));
    rare::reset(constants, arena);
    const std::array<float, 12> x{};
    const std::array<std::int64_t, 2> good{0, 3}, bad{0, 4};
    const void* inputs[] = {x.data(), good.data()};
    check(rare::run(inputs, constants, arena) && rare::run(inputs, constants, arena));
    float last = 0;
    std::memcpy(&last, arena + rare::outputs[2].offset + 3 * sizeof(float), sizeof last);
    check_equal(last, 22.0f);
    inputs[1] = bad.data();
    check(!rare::run(inputs, constants, arena));
}

/// The bits of two runs, and how far the draws have gone.
template <class Program> std::string numbers_runs() {
    const auto prepared = Program::prepare();
    typename Program::session run{prepared};
    const std::array<float, 12> x{5, 1, 4, 2, 8, 3, 0, 7, 6, 9, 11, 10};
    const std::array<std::int64_t, 1> seed{7};
    std::array<std::int64_t, 1> offset{0};
    std::string out;
    for (int i = 0; i < 2; ++i) {
        const auto [filled, ends, row, again] = run(x, seed, offset);
        const auto append = [&](const auto& y) { out.append(reinterpret_cast<const char*>(y.data()), y.size() * sizeof(y.data()[0])); };
        append(filled), append(ends), append(row), append(again);
        check(filled.data() == again.data() && std::isinf(ends(1)) && ends(0) < 0 && row(5) == 6);
        check(std::count_if(filled.begin(), filled.end(), [](float v) { return std::isnan(v); }) > 0);
    }
    return out + std::to_string(offset[0]);
}
void numbers_programs() { check(numbers_runs<numbers::program>() == numbers_runs<compiled<fx<numbers_text>>>()); }

void on_the_device() {
    const auto given = some_weights<digits::program>();
    const auto prepared = digits::program::prepare(given);
    const auto wanted = run_twice<digits::program, plain_session>(prepared);
    const auto image = std::get<0>(some_inputs<digits::program>());
    npu::context npu;
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<1, 1, 28, 28>>(std::span<const float, 784>(image.data(), 784));
    auto y = s.launch(prepared, x);
    npu.synchronize();
    const auto launched = y.copy();
    check(std::equal(launched.begin(), launched.end(), wanted.begin(), wanted.end()));
    const auto described = digits::described_program::prepare(given);
    npu::compiled_graphs<digits::described_program> net(npu, s, {}, described);
    for (int i = 0; i < 3; ++i) {
        const auto again = net(x).copy();
        check(std::equal(again.begin(), again.end(), wanted.begin(), wanted.end()));
    }
    check(net.counters() == npu::graph_counters{.captured = 1, .replayed = 3});
}

/// Whether an array of so many compiles.
template <std::size_t Count> concept digits_run_with = requires(const void* (&given)[Count]) { digits::run(given, nullptr, nullptr); };
template <std::size_t Count> concept digits_prepared_from = requires(const void* (&given)[Count]) { digits::prepare(given, nullptr, nullptr); };

// Weights that were prepared while building, read where they lie; and the interface alone, without a word of ahead's.
void built_in(const char* weight_file) {
    const auto prepared = digits::program::prepare(load_safetensors(weight_file));
    const auto built = prepared_weights<digits::program>::see({digits::constants(), digits::constant_bytes});
    const auto wanted = run_twice<digits::program, plain_session>(prepared);
    check(run_twice<digits::program, plain_session>(built) == wanted);

    alignas(digits::alignment) static std::byte arena[digits::arena_bytes];
    const auto image = std::get<0>(some_inputs<digits::program>());
    const void* inputs[] = {image.data()};
    static_assert(digits_run_with<1> && !digits_run_with<2>, "as many as there are inputs");
    static_assert(digits_prepared_from<digits::weights_count> && !digits_prepared_from<digits::weights_count - 1>);
    const auto before = allocations.load();
    digits::reset(digits::constants(), arena);
    check(digits::run(inputs, digits::constants(), arena));
    check_equal(allocations.load(), before);
    std::vector<float> logits(digits::outputs[0].bytes / sizeof(float));
    std::memcpy(logits.data(), arena + digits::outputs[0].offset, digits::outputs[0].bytes);
    check(logits == wanted);

    const auto weights = load_safetensors(weight_file);
    std::vector<const void*> from;
    for (const auto& port : digits::weights) from.push_back(weights.find(port.name)->bytes.data());
    std::vector<std::byte> memory(digits::constant_bytes + digits::scratch_bytes + 2 * digits::alignment);
    void* first = memory.data();
    std::size_t room = memory.size();
    std::align(digits::alignment, digits::constant_bytes, first, room);
    check(digits::prepare(std::span<const void* const, digits::weights_count>(from), first, static_cast<std::byte*>(first) + digits::constant_bytes));
    check(digits::run(inputs, first, arena) && std::memcmp(arena + digits::outputs[0].offset, wanted.data(), digits::outputs[0].bytes) == 0);

    check(digits::inputs[0].name == "x" && digits::inputs[0].type == "f32[1, 1, 28, 28]" && digits::weights[0].name == "conv1.weight");
    std::array<std::byte, 100> small{};
    check_throws<error>([&] { static_cast<void>(prepared_weights<digits::program>::see(small)); }, "memory is too small: expected 254784 bytes, found 100 bytes");
}

// README's ten lines, of which these are C++.
void ten_lines() {
    const auto image = std::get<0>(some_inputs<digits::program>());
#include "planned_while_building_1.inc"
    const auto built = prepared_weights<digits::program>::see({digits::constants(), digits::constant_bytes});
    const auto wanted = run_twice<digits::program, plain_session>(built);
    check(std::memcmp(arena + digits::outputs[0].offset, wanted.data(), digits::outputs[0].bytes) == 0);
}

} // namespace

int main(int, char** arguments) {
    same_program<digits::program, digits::described_program, compiled<fx<digits_text>, digits_tools>>();
    check_equal(tune::report_choices<compiled<fx<digits_text>, digits_tools>>().notes(), "");
    check(structurally_equal(digits::program::lowered_graph(), compiled<fx<digits_text>, digits_tools>::lowered_graph(), device::registry::table));
    check(digits::program::plan.constant_bytes != compiled<fx<digits_text>>::plan.constant_bytes, "panels of other widths hold other numbers of columns");
    same_program<silero_vad::program, silero_vad::described_program, compiled<fx<silero_text>, user::two_streams>>();
    branches_programs();
    rare_programs();
    numbers_programs();
    on_the_device();
    built_in(arguments[1]);
    ten_lines();
    return report();
}
