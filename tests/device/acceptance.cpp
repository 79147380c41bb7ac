// SPDX-License-Identifier: MIT
// Rules of TorchAir's own tests that no other test here shows: operands that are what is written, outputs by gears and as views of inputs at places that a symbol
// says, views under another dtype, one node returned twice, and what a capture refuses of other devices.
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/dynamic/gears/compiled_gears.hpp>
#include <ahead/npu/compiled_graphs.hpp>
#include <ahead/print/print_inplace.hpp>

#include <numeric>

using namespace ahead;
using namespace test;

namespace {

// ---- f(x, x), which writes x: one copy where it reads what it has written, none where each element is read before

struct product_with_itself {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 2]):
    mm = torch.ops.aten.mm.default(x, x)
    copy_ = torch.ops.aten.copy_.default(x, mm)
    return ()
)fx";
};
struct squares_itself {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 2]):
    mul_ = torch.ops.aten.mul_.Tensor(x, x)
    return ()
)fx";
};
struct copies_itself {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 2]):
    copy_ = torch.ops.aten.copy_.default(x, x)
    sin = torch.ops.aten.sin.default(x)
    return (sin,)
)fx";
};
template <class Source> std::array<float, 4> written(std::string_view decisions, std::int32_t tasks, location where = location::current()) {
    using program = compiled<fx<Source>>;
    std::string text;
    print_inplace<program>(text);
    check_equal(text, decisions, where);
    check_equal(program::plan.run_tasks, tasks, where);
    const auto prepared = program::prepare();
    typename program::session run{prepared};
    std::array<float, 4> x{1, 2, 3, 4};
    run(x);
    return x;
}
void operands_that_are_written() {
    check(written<product_with_itself>("x: copied at the end; mm reads the old value while it writes\nin place 0 (0 bytes), missed 1 (16 bytes)\n", 2) ==
          std::array<float, 4>{7, 10, 15, 22});
    check(written<squares_itself>("mul_: writes an input of the run\nx: written by mul_\nin place 1 (16 bytes), missed 0 (0 bytes)\n", 1) ==
          std::array<float, 4>{1, 4, 9, 16});
    // Onto itself: nothing is written at all, and the input need not be one that may be.
    using nothing = compiled<fx<copies_itself>>;
    static_assert(nothing::plan.inputs_written == 0 && nothing::plan.run_tasks == 1 && !nothing::input_port<0>::is_mutated);
}

// ---- outputs by gears: sizes, places in the input that the symbol says, one node returned twice

struct last_row_text {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
    sub: "Sym(s0 - 1)" = sym_size_int - 1
    slice_1: "f32[1, 3]" = torch.ops.aten.slice.Tensor(x, 0, sub, sym_size_int)
    mul: "Sym(3*s0)" = sym_size_int * 3
    view: "f32[3*s0]" = torch.ops.aten.view.default(x, [mul])
    permute: "f32[3, s0]" = torch.ops.aten.permute.default(x, [1, 0])
    relu: "f32[s0, 3]" = torch.ops.aten.relu.default(x)
    permute_1: "f32[3, s0]" = torch.ops.aten.permute.default(relu, [1, 0])
    return (slice_1, view, permute, relu, relu, permute_1)
)fx";
};
using last_row = compiled_gears<last_row_text, gears<"s0", 2, 5>>;
template <std::size_t Size> std::array<float, Size> counted() {
    std::array<float, Size> out{};
    std::iota(out.begin(), out.end(), -2.f);
    return out;
}
template <std::int64_t Rows> void views_of_what_is_given(last_row::session& run, auto& net, npu::context& npu) {
    constexpr auto size = static_cast<std::size_t>(3 * Rows);
    const auto values = counted<size>();
    const auto x = npu.to_device<f32<Rows, 3>>(values);
    const auto [row, flat, turned, y, again, y_turned] = net(x);
    // Of the input: the caller's tensor, and no copy.
    check(row.data() == x.data() + 3 * (Rows - 1) && flat.data() == x.data() && turned.data() == x.data());
    check(row.sizes() == std::array<std::int64_t, 2>{1, 3} && flat.sizes() == std::array<std::int64_t, 1>{3 * Rows} && turned.sizes() == std::array<std::int64_t, 2>{3, Rows});
    check(turned.strides() == std::array<std::int64_t, 2>{1, 3});
    // One node returned twice, and a view of it: one memory.
    check(y.data() == again.data() && y.data() == y_turned.data() && y.data() != x.data() && y.memory().block() == again.memory().block());
    const auto [s_row, s_flat, s_turned, s_y, s_again, s_y_turned] = run.template at<Rows>()(values);
    check(row.copy() == s_row.copy() && flat.copy() == s_flat.copy() && turned.copy() == s_turned.copy());
    check(y.copy() == s_y.copy() && again.copy() == s_again.copy() && y_turned.copy() == s_y_turned.copy() && s_y.data() == s_again.data());
    check(row.copy()[2] == values[size - 1] && turned.copy()[1] == values[3] && y.copy()[0] == 0);
}
void outputs_of_gears(npu::execution how) {
    const auto prepared = last_row::prepare();
    last_row::session run{prepared};
    npu::context npu({.run = how});
    const auto side = npu.new_stream();
    npu::compiled_graphs<last_row::program<0>, last_row::program<1>> net(npu, side, {}, prepared.get<0>(), prepared.get<1>());
    for (int i = 0; i < 2; ++i) {
        views_of_what_is_given<2>(run, net, npu);
        views_of_what_is_given<5>(run, net, npu);
    }
    check(net.counters() == npu::graph_counters{.captured = 2, .replayed = 4, .bound = net.counters().bound});
}

// ---- views under another dtype, returned: copies, of the graph's

struct parts_text {
    static constexpr std::string_view text = R"fx(def forward(self, z : c64[2], x : f32[3, 2]):
    view_as_real = torch.ops.aten.view_as_real.default(z)
    view_as_complex = torch.ops.aten.view_as_complex.default(x)
    select = torch.ops.aten.select.int(view_as_real, 1, 1)
    return (view_as_real, view_as_complex, select, view_as_real)
)fx";
};
void views_under_another_dtype() {
    using parts = compiled<fx<parts_text>>;
    const auto prepared = parts::prepare();
    npu::context npu;
    const auto side = npu.new_stream();
    npu::compiled_graphs<parts> net(npu, side, {}, prepared);
    const auto z = npu.to_device<static_type<parts::input_port<0>>>(std::array<complex64, 2>{complex64{1, 2}, complex64{3, 4}});
    const auto x = npu.to_device<f32<3, 2>>(std::array<float, 6>{1, -1, 2, -2, 3, -3});
    for (int i = 0; i < 2; ++i) {
        const auto [real, complex, imaginary, again] = net(z, x);
        check(real.copy() == std::array<float, 4>{1, 2, 3, 4} && complex.copy() == std::array<complex64, 3>{complex64{1, -1}, complex64{2, -2}, complex64{3, -3}});
        check(imaginary.copy() == std::array<float, 2>{2, 4} && imaginary.data() == real.data() + 1 && again.data() == real.data());
        check(static_cast<const void*>(real.data()) != z.data());
    }
}

// ---- a capture, and what is of another device: refused, and it goes on

void other_devices_in_a_capture(npu::execution how) {
    npu::context npu({.run = how}), second({.run = how});
    const auto side = npu.new_stream(), elsewhere = second.new_stream();
    const std::array<float, 2> values{1, 2};
    const auto x = npu.to_device<f32<2>>(values), far = second.to_device<f32<2>>(values);
    npu::graph g(npu);
    npu::tensor<f32<2>> y;
    {
        npu::capture c(g, side);
        const auto sum = [](auto a, auto b) { return add(a, b); };
        check_fault([&] { c.launch(sum, x, far); }, fault::device_is_another);
        check_fault([&] { g.replay(elsewhere); }, fault::device_is_another);
        npu::event there;
        there.record(elsewhere);
        check_fault([&] { c.wait(there); }, fault::device_is_another);
        // Another device captures at the same time.
        npu::graph of_second(second);
        of_second.capture_begin(elsewhere);
        const auto doubled = elsewhere.launch(sum, far, far);
        of_second.capture_end(elsewhere);
        of_second.replay(elsewhere);
        check(doubled.copy() == std::array<float, 2>{2, 4});
        y = c.launch(sum, x, x);
        c.end();
    }
    g.replay(side);
    check(y.copy() == std::array<float, 2>{2, 4});
}

} // namespace

int main() {
    operands_that_are_written();
    for (const auto how : {npu::execution::in_order, npu::execution::threads}) {
        outputs_of_gears(how);
        other_devices_in_a_capture(how);
    }
    views_under_another_dtype();
    return report();
}
