// SPDX-License-Identifier: MIT
// Host parameters of the device: each launch and replay reads the value that was given before it, however many before it still run; an update waits for nobody and
// allocates nothing; what may change in a graph, and what did, can be asked; what cannot be right is refused by name.
#include "counted_allocations.hpp"
#include "device_refusal.hpp"
#include "json.hpp"
#include "raw_launch.hpp"

#include <ahead/ahead.hpp>
#include <ahead/dynamic/gears/compiled_gears.hpp>
#include <ahead/npu/compiled_graphs.hpp>
#include <ahead/npu/launch.hpp>
#include <ahead/print/print_capture.hpp>

#include <memory>

using namespace ahead;
using namespace test;

namespace {

using number = npu::host_parameter<i64<>>;
constexpr npu::execution both[] = {npu::execution::in_order, npu::execution::threads};

// A kernel that writes down what it reads, and where it is told to wait passes a gate before.
struct diary {
    gate passed;
    std::array<std::int64_t, 1000> read{};
    std::size_t count = 0;
};
void writes_down(const std::byte* const* given, const std::byte* in, std::byte* out) {
    auto& d = *reinterpret_cast<diary*>(const_cast<std::byte*>(in));
    d.passed.pass();
    d.read[d.count++] = at(out) = at(given[0]);
}
cell reads(const npu::stream& on, const cell& p, diary& into) { return raw_launch{writes_down, {p}, {}, reinterpret_cast<const std::byte*>(&into)}.on(on); }

bool holds(const diary& d, std::int64_t from, std::int64_t to) {
    bool ok = d.count == static_cast<std::size_t>(to - from);
    for (std::int64_t i = from; ok && i < to; ++i) ok = d.read[static_cast<std::size_t>(i - from)] == i;
    return ok;
}

// Of n replays that are queued, each reads the value that was given before it, and the host waited for none of them.
void replays_read_their_own(npu::execution how) {
    const auto d = std::make_unique<diary>();
    npu::context npu({.run = how});
    const auto side = npu.new_stream();
    number position(npu, -1);
    npu::graph g(npu);
    cell y;
    {
        npu::capture c(g, side);
        y = reads(side, position, *d);
        c.end();
    }
    check(position.copy() == std::array<std::int64_t, 1>{-1}); // a tensor as others
    if (how == npu::execution::in_order) d->passed.open();
    for (std::int64_t p = 0; p < 50; ++p) {
        position.update(p);
        g.replay(side);
    }
    check_equal(d->count, how == npu::execution::in_order ? std::size_t{50} : std::size_t{0}); // nothing has run yet
    d->passed.open();
    side.synchronize();
    check(holds(*d, 0, 50));
    check(y.copy() == std::array<std::int64_t, 1>{49});

    // More than a queue holds, and without an allocation, once streams know of each other.
    d->count = 0;
    const auto before = allocations.load();
    for (std::int64_t p = 0; p < 1000; ++p) {
        g.update(position, p);
        g.replay(side);
    }
    check_equal(allocations.load(), before);
    side.synchronize();
    check(holds(*d, 0, 1000));
    check(position.copy() == std::array<std::int64_t, 1>{999});
}

// On two streams without an event between them: both read it, each what was given before it, and so do launches that nobody captured.
void streams_read_their_own(npu::execution how) {
    const auto first = std::make_unique<diary>(), second = std::make_unique<diary>();
    npu::context npu({.run = how});
    const auto a = npu.new_stream(), b = npu.new_stream();
    const auto before = npu.launches();
    number position(npu, 0);
    if (how == npu::execution::in_order) first->passed.open();
    second->passed.open();
    for (std::int64_t p = 0; p < 20; ++p) {
        if (p > 0) position.update(p);
        static_cast<void>(reads(a, position, *first));
        static_cast<void>(reads(b, position, *second));
    }
    check_equal(npu.launches() - before, 59); // an update is one
    first->passed.open();
    npu.synchronize();
    check(holds(*first, 0, 20) && holds(*second, 0, 20));

    // What was launched with handles.
    position.update(5);
    const auto x = npu.to_device<f32<2>>(std::array{1.0f, 2.0f});
    const auto y = a.launch([](auto v, auto n) { return add(v, n); }, x, position);
    position.update(6);
    const auto z = a.launch([](auto v, auto n) { return mul(v, n); }, y, position);
    check(y.copy() == std::array{6.0f, 7.0f} && z.copy() == std::array{36.0f, 42.0f});
    // Several numbers, and of another dtype.
    npu::host_parameter<f32<2>> scale(npu, std::array{1.0f, 2.0f});
    scale.update(std::array{3.0f, 4.0f});
    check((b.launch([](auto v, auto s) { return mul(v, s); }, x, scale).copy() == std::array{3.0f, 8.0f}));
}

// What a reader throws is the reader's: the next one reads what was given.
void failures_stay_where_they_are(npu::execution how) {
    npu::context npu({.run = how});
    const auto side = npu.new_stream();
    number n(npu, 1);
    npu::graph g(npu);
    cell y;
    {
        npu::capture c(g, side);
        y = raw_launch{refuses_negative, {n}}.on(side);
        c.end();
    }
    n.update(-1);
    bool failed = false;
    try {
        g.replay(side); // in order, here
    } catch (const std::runtime_error&) {
        failed = true;
    }
    n.update(2);
    if (how == npu::execution::threads) check_throws<std::runtime_error>([&] { side.synchronize(); }, "the kernel failed");
    check_equal(failed, how == npu::execution::in_order);
    check(n.copy() == std::array<std::int64_t, 1>{2});
    g.replay(side);
    check(y.copy() == std::array<std::int64_t, 1>{2});
}

// What may change, and what did.
void graphs_say_what_changes() {
    npu::context npu;
    const auto side = npu.new_stream();
    const auto x = npu.to_device<i64<>>(std::array{std::int64_t{1}});
    number n(npu, 0), m(npu, 0), other(npu, 0);
    npu::graph g(npu);
    check_fault([&] { g.update(n, std::int64_t{1}); }, fault::graph_is_not_captured);
    cell y;
    {
        npu::capture c(g, side);
        y = raw_launch{test::sum, {raw_launch{test::sum, {n, x}}.on(side), m}}.on(side);
        check_refusal([&] { n.update(1); }, fault::call_is_illegal_in_capture);
        c.end();
    }
    const auto changed = [&](bool of_n, bool of_m) {
        const auto all = g.parameters();
        check(all.size() == 2 && all[0].has_changed == of_n && all[1].has_changed == of_m);
    };
    changed(true, true); // nothing was replayed
    g.replay(side);
    changed(false, false);
    m.update(7);
    changed(false, true);
    std::string text;
    print_capture(g, text);
    auto all = json_reader::read(text);
    check_equal(all["given"].items.size(), std::size_t{3});
    check(text.find("\"is_written\":false,\"is_updatable\":true,\"has_changed\":false,\"steps\":[0]") != text.npos &&
              text.find("\"is_written\":false,\"is_updatable\":true,\"has_changed\":true,\"steps\":[1]") != text.npos &&
              text.find("\"is_written\":false,\"steps\":[0]") != text.npos,
          text);
    g.replay(side);
    changed(false, false);
    check(y.copy() == std::array<std::int64_t, 1>{8});
    check(g.uses(n) && g.uses(m) && !g.uses(other));

    check_refusal([&] { g.update(other, std::int64_t{1}); }, fault::tensor_is_not_bound, "a host parameter that the capture was given");
    npu::context elsewhere;
    number foreign(elsewhere, 0), none;
    check_refusal([&] { g.update(foreign, std::int64_t{1}); }, fault::device_is_another);
    check_fault([&] { side.launch([](auto a) { return add(a, 1); }, foreign); }, fault::device_is_another);
    check_refusal([&] { none.update(1); }, fault::tensor_is_empty);
    check_refusal([&] { g.update(none, std::int64_t{1}); }, fault::tensor_is_not_bound);
    {
        // In a capture that others may update beside: not what it uses.
        npu::graph second(npu);
        second.capture_begin(side, {}, npu::capture_mode::relaxed);
        static_cast<void>(raw_launch{plus_one, {n}}.on(side));
        check_refusal([&] { n.update(1); }, fault::stream_is_captured);
        m.update(9);
        second.capture_end(side);
    }
    changed(false, true);
    npu.fail_at(1);
    check_fault([&] { m.update(10); }, fault::device_failed_as_told);
    g.replay(side);
    check(y.copy() == std::array<std::int64_t, 1>{10});

    auto small = machine::npu;
    small.streams = 1;
    npu::context one({.device = small});
    check_refusal([&] { number(one, 0); }, fault::device_streams_are_exceeded);
}

// Programs of a text whose number the host gives: one capture for all values, whether the value comes as a number, as a parameter or as a tensor.
struct scaled {
    static constexpr char text[] = R"fx(def forward(self, n: "Sym(s1)", x: "f32[s0]"):
    add: "Sym(s1 + 1)" = n + 1
    mul: "f32[s0]" = torch.ops.aten.mul.Scalar(x, add)
    select: "f32[]" = torch.ops.aten.select.int(x, 0, n)
    return (mul, select, n)
)fx";
    static constexpr symbol_value symbols[] = {host_symbol("s1")};
};
using gears_of_scaled = compiled_gears<scaled, gears<"s0", 4, 8>>;
using of_four = gears_of_scaled::program<0>;
using of_eight = gears_of_scaled::program<1>;
static_assert(gears_of_scaled::accepted && of_four::plan.inputs == 2 && of_four::plan.ai_cpu_tasks == 0);

void one_capture_serves_all_values(npu::execution how) {
    npu::context npu({.run = how});
    const auto side = npu.new_stream();
    const auto four = of_four::prepare();
    const auto eight = of_eight::prepare();
    npu::compiled_graphs<of_four, of_eight> net(npu, side, {}, four, eight);
    const auto x = npu.to_device<f32<4>>(std::array{1.0f, 2.0f, 3.0f, 4.0f});
    const auto w = npu.to_device<f32<8>>(std::array{1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f});
    long warm = 0;
    for (std::int64_t n = 0; n < 40; ++n) {
        if (n == 4) warm = allocations.load();
        {
            const auto [y, picked, same] = net(n % 4, x);
            check(y.copy()[1] == static_cast<float>(2 * (n % 4 + 1)) && picked.copy()[0] == static_cast<float>(n % 4 + 1));
            check_equal(same.copy()[0], n % 4);
        }
        const auto [y, picked, same] = net(n % 8, w);
        check(y.copy()[7] == static_cast<float>(8 * (n % 8 + 1)) && picked.copy()[0] == static_cast<float>(n % 8 + 1));
    }
    check_equal(allocations.load(), warm);
    check_equal(net.counters().captured, 2);
    check_equal(net.counters().replayed, 80);
    check_equal(net.counters().bound, 0);

    // A parameter of the caller's, and the number that was last given stays another's.
    number n(npu, 2);
    check_equal(std::get<0>(net(n, x)).copy()[0], 3.0f);
    n.update(3);
    check_equal(std::get<0>(net(n, x)).copy()[0], 4.0f);
    check_equal(std::get<0>(net(1, x)).copy()[0], 2.0f);
    const auto in_memory = npu.to_device<i64<>>(std::array{std::int64_t{2}});
    check_equal(std::get<1>(net(in_memory, x)).copy()[0], 3.0f);
    check_equal(net.counters().captured, 2);
    // An output that is the number is the one of its call.
    const auto held = std::get<2>(net(2, x));
    check_fault([&] { net(3, x); }, fault::output_is_still_held);
    check_equal(held.copy()[0], 2);
}

} // namespace

int main() {
    for (const auto how : both) {
        replays_read_their_own(how);
        streams_read_their_own(how);
        failures_stay_where_they_are(how);
    }
    graphs_say_what_changes();
    for (const auto how : both) one_capture_serves_all_values(how);
    return report();
}
