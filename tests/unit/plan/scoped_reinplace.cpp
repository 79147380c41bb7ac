// What is computed in place where streams share a tensor: a result takes the memory of an operand, or of the input that it is the new value of, only if every
// reader of the old value is known to come before it, on whichever stream; and then also across streams. The same bits as on one stream.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/print_inplace.hpp>
#include <ahead/runtime/threads/threaded_session.hpp>

using namespace ahead;
using namespace test;

namespace {

// streams, records and waits are what the graph says
inline constexpr config one_by_one_options{.mode = mode::reduce_overhead};
using one_by_one = toolchain<>::with_options<one_by_one_options>;

/// A graph without its lines about streams.
template <class Scoped> struct on_one_stream {
    static constexpr auto made = [] {
        std::array<char, Scoped::text.size()> out{};
        std::size_t size = 0;
        for (std::size_t at = 0; at < Scoped::text.size();) {
            const auto line = Scoped::text.substr(at, Scoped::text.find('\n', at) - at + 1);
            at += line.size();
            if (line.find("torch.ops.air.") != line.npos) continue;
            for (char c : line) out[size++] = c;
        }
        return std::pair(out, size);
    }();
    static constexpr std::string_view text{made.first.data(), made.second};
};

using square = std::array<float, 9>;
constexpr square x_values{1, -2, 3, 0.5f, -5, 6, 7, 8, -9}, y_values{2, 2, 1, 1, 0, -1, 4, -4, 0.25f};

/// Outputs, then what the inputs hold.
template <class Session, class Program> std::vector<float> ran() {
    const auto prepared = Program::prepare();
    Session run{prepared};
    auto x = x_values, y = y_values;
    std::vector<float> out;
    const auto keep = [&](const auto&... each) { (out.insert(out.end(), each.begin(), each.end()), ...); };
    if constexpr (Program::plan.inputs == 2) std::apply(keep, run(x, y));
    else std::apply(keep, run(x));
    keep(x, y);
    return out;
}
template <class Scoped> void decides(std::string_view wanted, std::int32_t streams, location where = location::current()) {
    using program = compiled<fx<Scoped>, one_by_one>;
    using plain = compiled<fx<on_one_stream<Scoped>>, one_by_one>;
    check_equal(program::plan.streams, streams, where);
    std::string text;
    print_inplace<program>(text);
    check_equal(text, wanted, where);
    const auto expected = ran<typename plain::session, plain>();
    check(plain::plan.streams == 1 && ran<typename program::session, program>() == expected, "the same bits", where);
    for (int i = 0; i < 20; ++i) check(ran<threaded_session<program>, program>() == expected, "the same bits on threads", where);
}

struct users_on_one_stream { // and a view of the result on another one
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['1'])
    x2 = torch.ops.aten.add.Tensor(x, 1.0)
    x3 = torch.ops.aten.add.Tensor(x2, 2.0)
    r = torch.ops.air.record.default()
    u = torch.ops.air.scope_exit.default()
    w = torch.ops.air.wait.default([r])
    x4 = torch.ops.aten.view.default(x3, [9])
    return (x4,)
)fx";
};
struct read_later_on_the_main_stream {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['1'])
    x2 = torch.ops.aten.add.Tensor(x, 1.0)
    r = torch.ops.air.record.default()
    x3 = torch.ops.aten.add.Tensor(x2, 2.0)
    r_1 = torch.ops.air.record.default()
    u = torch.ops.air.scope_exit.default()
    w = torch.ops.air.wait.default([r])
    x4 = torch.ops.aten.add.Tensor(x2, 1.0)
    w_1 = torch.ops.air.wait.default([r_1])
    x5 = torch.ops.aten.add.Tensor(x4, x3)
    return (x5,)
)fx";
};
struct handed_on { // to a second stream, behind an event
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['1'])
    x2 = torch.ops.aten.add.Tensor(x, 1.0)
    x3 = torch.ops.aten.add.Tensor(x2, 2.0)
    r = torch.ops.air.record.default()
    u = torch.ops.air.scope_exit.default()
    e_1 = torch.ops.air.scope_enter.default(['_user_stream_label'], ['2'])
    w = torch.ops.air.wait.default([r])
    x4 = torch.ops.aten.mul.Tensor(x3, 2.0)
    r_1 = torch.ops.air.record.default()
    u_1 = torch.ops.air.scope_exit.default()
    w_1 = torch.ops.air.wait.default([r_1])
    x5 = torch.ops.aten.view.default(x4, [9])
    return (x5,)
)fx";
};
struct read_on_two_streams { // x2, by 1 and by 2, in no order
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['1'])
    x2 = torch.ops.aten.add.Tensor(x, 1.0)
    r = torch.ops.air.record.default()
    x3 = torch.ops.aten.add.Tensor(x2, 2.0)
    r_1 = torch.ops.air.record.default()
    u = torch.ops.air.scope_exit.default()
    e_1 = torch.ops.air.scope_enter.default(['_user_stream_label'], ['2'])
    w = torch.ops.air.wait.default([r])
    x4 = torch.ops.aten.mul.Tensor(x2, 2.0)
    r_2 = torch.ops.air.record.default()
    u_1 = torch.ops.air.scope_exit.default()
    w_1 = torch.ops.air.wait.default([r_1, r_2])
    x5 = torch.ops.aten.view.default(x4, [9])
    return (x5, x3)
)fx";
};
struct read_on_the_main_stream_too { // x2 and x3: the one by the main stream, the other by it and by 2
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['1'])
    x2 = torch.ops.aten.add.Tensor(x, 1.0)
    x3 = torch.ops.aten.add.Tensor(x2, 2.0)
    r = torch.ops.air.record.default()
    u = torch.ops.air.scope_exit.default()
    e_1 = torch.ops.air.scope_enter.default(['_user_stream_label'], ['2'])
    w = torch.ops.air.wait.default([r])
    x4 = torch.ops.aten.mul.Tensor(x3, 2.0)
    r_1 = torch.ops.air.record.default()
    u_1 = torch.ops.air.scope_exit.default()
    w_1 = torch.ops.air.wait.default([r])
    x5 = torch.ops.aten.add.Tensor(x2, x3)
    w_2 = torch.ops.air.wait.default([r_1])
    return (x5, x4)
)fx";
};
struct input_is_written_on_a_stream { // and seen on the main one
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['1'])
    a = torch.ops.aten.add_.Tensor(x, 1.0)
    r = torch.ops.air.record.default()
    u = torch.ops.air.scope_exit.default()
    w = torch.ops.air.wait.default([r])
    s = torch.ops.aten.sum.default(x)
    return (s,)
)fx";
};
struct input_is_written_on_two { // one behind the other
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['1'])
    a = torch.ops.aten.add_.Tensor(x, 1.0)
    r = torch.ops.air.record.default()
    u = torch.ops.air.scope_exit.default()
    w = torch.ops.air.wait.default([r])
    m = torch.ops.aten.mul_.Tensor(x, 2.0)
    s = torch.ops.aten.sum.default(m)
    return (s,)
)fx";
};
struct inputs_on_streams_of_their_own { // y's new value reads that of x
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3], y : f32[3, 3]):
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['1'])
    a = torch.ops.aten.add_.Tensor(x, 1.0)
    r = torch.ops.air.record.default()
    u = torch.ops.air.scope_exit.default()
    e_1 = torch.ops.air.scope_enter.default(['_user_stream_label'], ['2'])
    w = torch.ops.air.wait.default([r])
    b = torch.ops.aten.add_.Tensor(y, x)
    m = torch.ops.aten.mul_.Tensor(y, 2.0)
    r_1 = torch.ops.air.record.default()
    u_1 = torch.ops.air.scope_exit.default()
    w_1 = torch.ops.air.wait.default([r_1])
    s = torch.ops.aten.sum.default(x)
    return (s,)
)fx";
};
struct old_value_is_read_elsewhere { // by the main stream, in no order with the write
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    n = torch.ops.aten.exp.default(x)
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['1'])
    a = torch.ops.aten.add.Tensor(x, 1.0)
    r = torch.ops.air.record.default()
    u = torch.ops.air.scope_exit.default()
    m = torch.ops.aten.mm.default(x, n)
    w = torch.ops.air.wait.default([r])
    c = torch.ops.aten.copy_.default(x, a)
    return (m,)
)fx";
};

} // namespace

int main() {
    decides<users_on_one_stream>("x2: in memory of its own; x is an input\nx3: in place of x2\nin place 1 (36 bytes), missed 0 (0 bytes)\n", 2);
    decides<read_later_on_the_main_stream>("x2: in memory of its own; x is an input\nx3: in memory of its own; x2 is read again by x4\n"
                                           "x4: in memory of its own; x2 is read on another stream by x3\nx5: in place of x4\n"
                                           "in place 1 (36 bytes), missed 2 (72 bytes)\n",
                                           2);
    decides<handed_on>("x2: in memory of its own; x is an input\nx3: in place of x2\nx4: in place of x3\nin place 2 (72 bytes), missed 0 (0 bytes)\n", 3);
    decides<read_on_two_streams>("x2: in memory of its own; x is an input\nx3: in memory of its own; x2 is read again by x4\n"
                                 "x4: in memory of its own; x2 is read on another stream by x3\nin place 0 (0 bytes), missed 2 (72 bytes)\n",
                                 3);
    decides<read_on_the_main_stream_too>("x2: in memory of its own; x is an input\nx3: in memory of its own; x2 is read again by x5\n"
                                         "x4: in memory of its own; x3 is read again by x5\nx5: in place of x2\nin place 1 (36 bytes), missed 2 (72 bytes)\n",
                                         3);
    decides<input_is_written_on_a_stream>("a: writes an input of the run\nx: written by a\nin place 1 (36 bytes), missed 0 (0 bytes)\n", 2);
    decides<input_is_written_on_two>("a: in memory of its own; x is an input\nm: writes an input of the run\nx: written by m\n"
                                     "in place 1 (36 bytes), missed 0 (0 bytes)\n",
                                     2);
    decides<inputs_on_streams_of_their_own>("a: writes an input of the run\nb: in memory of its own; y is an input; a is an input\nm: writes an input of the run\n"
                                            "x: written by a\ny: written by m\nin place 2 (72 bytes), missed 0 (0 bytes)\n",
                                            3);
    decides<old_value_is_read_elsewhere>("n: in memory of its own; x is an input\na: in memory of its own; x is an input\n"
                                         "x: copied at the end; a comes before m, which reads the old value\nin place 0 (0 bytes), missed 1 (36 bytes)\n",
                                         2);
    return report();
}
