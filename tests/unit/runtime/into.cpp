// SPDX-License-Identifier: MIT
// Outputs that a run writes into the caller's memory: the same bits as leases, none left, nothing allocated, and every refusal before anything has changed.
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>
#include <ahead/dynamic/gears/compiled_gears.hpp>
#include <ahead/runtime/profile.hpp>
#include <ahead/runtime/threads/threaded_session.hpp>

#include <optional>

using namespace ahead;
using namespace test;

namespace {

/// Two layouts of one result, an input as it is, a state's new value, a bool and a tensor without elements.
inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, input<"i", i64<1>> i, param<"w", f32<3, 4>> w, param<"sum", f32<2, 4>, input_role::buffer> sum) {
    auto y = relu(mm(x, w));
    auto next = copy_(sum, add(sum, y));
    auto row = call<aten::index_select>(call_site::current(), next, integer<0>{}, i);
    return outputs(y, permute<1, 0>(y), x, row, gt(y, 1), slice<1, 2, 2>(x));
});
using program = compiled<net>;
inline constexpr config on_two_options{.streams = 2};
using on_two = toolchain<>::with_options<on_two_options>;
inline constexpr auto branches = trace([](input<"x", f32<8, 8>> x) { return outputs(mm(x, x), mm(abs(x), x)); });
using streamed = compiled<branches, on_two>;

constexpr std::array<float, 6> x{1, 2, 3, -1, -2, -3};
constexpr std::array<std::int64_t, 1> second{1}, past{2};

weights given() {
    constexpr std::array<float, 12> w{1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, -9};
    weights out;
    out.add("w", dtype::f32, {3, 4}, std::as_bytes(std::span(w)));
    out.add("sum", dtype::f32, {2, 4}, std::as_bytes(std::span(w)).first(32));
    return out;
}

/// What a run gives, in memory of as many kinds as a caller may have.
struct all_outputs {
    std::array<float, 8> y;
    std::vector<float> turned = std::vector<float>(8);
    float copied[6];
    std::array<std::byte, 4 * sizeof(float) + 1> row; // read from its second byte on
    std::array<bool, 8> large;
    std::array<float, 0> none;

    auto memory() { return into(y, turned, copied, row_bytes(), large, none); }
    std::span<std::byte>& row_bytes() { return bytes_ = std::span(row).subspan(1); }
    std::array<float, 4> row_read() const {
        std::array<float, 4> out;
        std::memcpy(out.data(), row.data() + 1, sizeof out);
        return out;
    }
    std::span<std::byte> bytes_;
};

template <class Session> void gives_what_leases_show() {
    const auto prepared = program::prepare(given());
    Session leases{prepared}, run{prepared};
    all_outputs out;
    const auto before = allocations.load();
    for (int i = 0; i < 3; ++i) {
        if (i < 2) run(out.memory(), x, second);
        else check(run.try_run(out.memory(), x, second).ok() && run.try_run(out.memory(), x, second).ok() && run.try_run(out.memory(), x, second).why().ok());
        const auto [y, turned, copied, row, large, none] = leases(x, second);
        check(y.copy() == out.y && large.copy() == out.large && none.size() == 0);
        check(std::equal(turned.begin(), turned.end(), out.turned.begin()) && std::equal(copied.begin(), copied.end(), out.copied));
        if (i < 2) check(row.copy() == out.row_read()); // the state goes on
    }
    check_equal(allocations.load(), before);
    check(!run.is_held() && out.turned[0] == out.y[0] && out.turned[1] == out.y[4]);
    check(run.template state<"sum">()(0, 0) != leases.template state<"sum">()(0, 0)); // five runs against three
    run.reset(); // no lease is left
}

void threads_write_into_it() {
    std::array<float, 64> m{}, first{}, other{};
    for (std::size_t i = 0; i < m.size(); ++i) m[i] = static_cast<float>(i % 7) - 3;
    const auto nothing = streamed::prepare();
    threaded_session<streamed> run{nothing};
    streamed::session leases{nothing};
    static_assert(streamed::plan.streams == 2);
    const auto before = allocations.load();
    run(into(first, other), m);
    check_equal(allocations.load(), before);
    const auto [a, b] = leases(m);
    check(a.copy() == first && b.copy() == other);
}
struct rows {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 4]"):
    relu: "f32[s0, 4]" = torch.ops.aten.relu.default(x)
    return (relu,)
)fx";
};
void gears_write_into_it() {
    using programs = compiled_gears<rows, gears<"s0", 1, 2>>;
    const auto prepared = programs::prepare();
    programs::session run{prepared};
    constexpr std::array<float, 8> given{-1, 1, 2, -2, 3, 4, -5, 6};
    std::array<float, 8> out{};
    run.at<2>()(into(out), given);
    check(out == std::array<float, 8>{0, 1, 2, 0, 3, 4, 0, 6});
    check(run.at<1>().try_run(into(std::span(out).first<4>()), std::span(given).last<4>()).ok());
    check(out == std::array<float, 8>{3, 4, 0, 6, 3, 4, 0, 6});
    const auto held = run.at<1>()(std::span(given).first<4>());
    check_fault([&] { run.at<2>()(into(out), given); }, fault::output_is_still_held);
    check_fault(run.at<2>().try_run(into(out), given).why(), {fault::output_is_still_held});
}

// fault: outputs_overlap
void refuses_and_changes_nothing() {
    alignas(64) static std::array<std::byte, prepared_weights<program>::bytes> constants;
    alignas(64) static std::array<std::byte, program::session::bytes> arena;
    const auto source = given();
    const prepared_weights<program> prepared(source, constants);
    program::session run{prepared, arena};
    all_outputs out;
    run(out.memory(), x, second);
    const auto sum = run.state<"sum">().copy();
    const auto y = out.y;
    const auto same = [&](location where = location::current()) { check(run.state<"sum">().copy() == sum && out.y == y, {}, where); };
    const auto refused = [&](fault what, std::string_view words, auto to, const auto& given_x, location where = location::current()) {
        check_fault([&] { run(to, given_x, second); }, what, words, where);
        check_fault(run.try_run(to, given_x, second).why(), {.what = what, .words = words}, where);
        same(where);
    };
    const auto in = [](auto& memory, std::size_t at) { return std::span<float, 8>(reinterpret_cast<float*>(memory.data() + at), 8); };

    std::vector<float> seven(7);
    refused(fault::element_counts_differ, "run 'output 1': element counts differ: expected 8 elements for f32[4, 2], found 7", into(out.y, seven, out.copied, out.row_bytes(), out.large, out.none), x);
    std::span<std::byte> few = std::span(out.row).first(15);
    refused(fault::memory_is_too_small, "expected 16 bytes, found 15", into(out.y, out.turned, out.copied, few, out.large, out.none), x);
    std::vector<float> five(5);
    refused(fault::element_counts_differ, "expected 6 elements", out.memory(), five);

    std::array<float, 8> inputs{1, 2, 3, -1, -2, -3, 4, 5};
    const std::span<const float, 6> given_x = std::span(inputs).first<6>();
    refused(fault::outputs_overlap, "run 'output 0': outputs overlap: expected memory of its own, because the run writes it, found that of x",
            into(inputs, out.turned, out.copied, out.row_bytes(), out.large, out.none), given_x);
    refused(fault::outputs_overlap, "'output 2'", into(out.y, out.turned, std::span(inputs).last<6>(), out.row_bytes(), out.large, out.none), given_x);
    check(inputs == std::array<float, 8>{1, 2, 3, -1, -2, -3, 4, 5});
    refused(fault::outputs_overlap, "found that of output 1", into(out.turned, out.turned, out.copied, out.row_bytes(), out.large, out.none), x);
    std::span<float, 8> twice = out.y;
    refused(fault::outputs_overlap, "found that of output 1", into(out.y, twice, out.copied, out.row_bytes(), out.large, out.none), x);
    auto in_arena = in(arena, 0), in_states = in(arena, arena.size() - 32), in_constants = in(constants, 0);
    refused(fault::memory_is_in_use, "run 'output 1': memory is in use: expected memory of its own (keep a copy()), found that of the session",
            into(out.y, in_arena, out.copied, out.row_bytes(), out.large, out.none), x);
    refused(fault::memory_is_in_use, "found that of the session", into(in_states, out.turned, out.copied, out.row_bytes(), out.large, out.none), x);
    refused(fault::memory_is_in_use, "found that of the constants", into(in_constants, out.turned, out.copied, out.row_bytes(), out.large, out.none), x);
    {
        const auto held = run.state<"sum">();
        check_fault([&] { run(out.memory(), x, second); }, fault::output_is_still_held);
        check(out.y == y);
    }
    // What a kernel refuses: the run was underway, and no output was written.
    check_fault([&] { run(out.memory(), x, past); }, fault::index_is_out_of_range);
    check_fault(run.try_run(out.memory(), x, past).why(), {fault::index_is_out_of_range});
    check(out.y == y);
    run(out.memory(), x, second);
}

/// What a graph writes is its caller's, and no output's.
inline constexpr auto writes = trace([](input<"x", f32<3>> given) { return outputs(add(copy_(given, mul(given, 2)), 1)); });
void written_inputs_are_others() {
    using doubles = compiled<writes>;
    const auto prepared = doubles::prepare();
    doubles::session run{prepared};
    std::array<float, 3> values{1, 2, 3}, out{};
    check_fault([&] { run(into(values), values); }, fault::outputs_overlap, "found that of output 0");
    check(values == std::array<float, 3>{1, 2, 3});
    run(into(out), values);
    check(values == std::array<float, 3>{2, 4, 6} && out == std::array<float, 3>{3, 5, 7});
}

} // namespace

int main() {
    gives_what_leases_show<program::session>();
    gives_what_leases_show<profiled_session<program>>();
    gives_what_leases_show<threaded_session<program>>();
    threads_write_into_it();
    gears_write_into_it();
    refuses_and_changes_nothing();
    written_inputs_are_others();
    return report();
}
