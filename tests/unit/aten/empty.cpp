// Tensors without elements and tensors of rank 0 go through every family of operators, in and out of programs: the printed types are PyTorch's, so are
// the values, recorded from PyTorch 1.13, and the device gives the reference's. What takes the largest of nothing is refused.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/host_bytes.hpp>
#include <ahead/reference/interpreter.hpp>

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

// fault: window_does_not_fit

using namespace ahead;
using namespace test;

#define GRAPH(parameters, body) "class GraphModule(torch.nn.Module):\n    def forward(self, " parameters "):\n" body
#define CALL(name, type, what) "        " name ": \"" type "\" = torch.ops.aten." what "\n"
#define RETURN(names) "        return (" names ")\n"

// e: f32[0, 3], z: f32[2, 0], one: f32[1, 3]
#define EMPTY_INPUTS "e: \"f32[0, 3]\", z: \"f32[2, 0]\", one: \"f32[1, 3]\", i: \"i64[0]\""

struct products {
    static constexpr std::string_view text = GRAPH(
        EMPTY_INPUTS,
        CALL("a", "f32[2, 3]", "mm.default(z, e)") CALL("row", "f32[3]", "select.int(one, 0, 0)")
            CALL("b", "f32[2, 3]", "addmm.default(row, z, e)") CALL("t", "f32[3, 1]", "permute.default(one, [1, 0])")
                CALL("c", "f32[0, 1]", "mm.default(e, t)") CALL("d", "f32[0, 1]", "linear.default(e, one)")
                    CALL("zt", "f32[0, 2]", "permute.default(z, [1, 0])") CALL("et", "f32[3, 0]", "permute.default(e, [1, 0])")
                        CALL("f", "f32[2, 3]", "linear.default(z, et, row)") CALL("b3", "f32[0, 1, 3]", "unsqueeze.default(e, 1)")
                            CALL("b4", "f32[0, 3, 1]", "unsqueeze.default(e, 2)") CALL("g", "f32[0, 1, 1]", "bmm.default(b3, b4)")
                                CALL("b5", "f32[1, 2, 0]", "unsqueeze.default(z, 0)") CALL("b6", "f32[1, 0, 3]", "unsqueeze.default(e, 0)")
                                    CALL("h", "f32[1, 2, 3]", "bmm.default(b5, b6)") CALL("v", "f32[0]", "select.int(e, 1, 0)")
                                        CALL("k", "f32[2]", "mv.default(z, v)") RETURN("a, b, c, d, f, g, h, k"));
};
struct reductions {
    static constexpr std::string_view text = GRAPH(
        EMPTY_INPUTS,
        CALL("a", "f32[]", "sum.default(e)") CALL("b", "f32[3]", "sum.dim_IntList(e, [0])") CALL("c", "f32[0]", "sum.dim_IntList(e, [1])")
            CALL("d", "f32[]", "prod.default(e)") CALL("f", "f32[]", "mean.default(e)") CALL("g", "f32[3]", "mean.dim(e, [0])")
                CALL("h", "f32[1, 3]", "mean.dim(e, [0], True)") CALL("k", "f32[0]", "amax.default(e, [1])")
                    CALL("l", "i64[0]", "argmax.default(e, 1)") CALL("m", "b8[]", "any.default(e)") CALL("n", "b8[]", "all.default(e)")
                        CALL("o", "f32[0, 3]", "cumsum.default(e, 0)") CALL("p", "f32[3]", "logsumexp.default(e, [0])")
                            CALL("q", "f32[]", "var.correction(e)") CALL("r", "i64[]", "sum.default(i)")
                                CALL("s", "i64[]", "prod.default(i)") RETURN("a, b, c, d, f, g, h, k, l, m, n, o, p, q, r, s"));
};
struct layers {
    static constexpr std::string_view text = GRAPH(
        "x: \"f32[0, 2, 6, 6]\", w: \"f32[3, 2, 3, 3]\", e: \"f32[0, 3]\", z: \"f32[2, 0]\", s: \"f32[2]\", i: \"f32[1, 2, 6, 6]\", v: \"f32[0, 2, 3, 3]\"",
        CALL("a", "f32[0, 3, 4, 4]", "convolution.default(x, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)")
            CALL("r", "f32[0, 3, 4, 4]", "relu.default(a)") CALL("b", "f32[0, 2, 3, 3]", "max_pool2d.default(x, [2, 2], [2, 2])") CALL(
                "c", "f32[0, 2, 3, 3]", "avg_pool2d.default(x, [2, 2], [2, 2])") CALL("d", "f32[0, 2, 1, 1]",
                                                                                      "_adaptive_avg_pool2d.default(x, [1, 1])")
                CALL("f", "f32[0, 3]", "_softmax.default(e, 0, False)") CALL("g", "f32[0, 3]", "_softmax.default(e, 1, False)")
                    CALL("h", "f32[2, 0]", "_log_softmax.default(z, 1, False)") CALL("k", "f32[0, 3]", "layer_norm.default(e, [3])") CALL(
                        "l", "f32[2, 0]",
                        "layer_norm.default(z, [0])") CALL("o", "f32[1, 0, 4, 4]", "convolution.default(i, v, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)") "        n = torch.ops.aten._native_batch_norm_legit_no_training.default(x, s, s, s, "
                                                      "s, 0.1, 1e-05)\n        m: \"f32[0, 2, 6, 6]\" = n[0]\n" RETURN("r, o, b, c, d, f, g, "
                                                                                                                       "h, k, l, m"));
};
struct moves {
    static constexpr std::string_view text = GRAPH(
        EMPTY_INPUTS,
        CALL("a", "f32[1, 3]", "cat.default([e, one])") CALL("none", "f32[0]", "select.int(e, 1, 1)")
            CALL("b", "f32[1, 3]", "cat.default([none, one, e])") CALL("c", "f32[0, 3]", "cat.default([e, e])")
                CALL("d", "f32[2, 0, 3]", "stack.default([e, e])") CALL("f", "f32[2, 2]", "constant_pad_nd.default(z, [1, 1], 7.0)")
                    CALL("g", "f32[0, 3]", "expand.default(one, [0, 3])") CALL("h", "f32[3, 0]", "permute.default(e, [1, 0])")
                        CALL("k", "f32[3, 0]", "clone.default(h)") CALL("l", "f32[0, 3]", "index_select.default(one, 0, i)")
                            CALL("m", "f32[0, 3]", "embedding.default(one, i)") CALL("n", "f32[0, 3]", "index.Tensor(one, [i])")
                                CALL("o", "f32[0, 3]", "flip.default(e, [0])") CALL("p", "f32[0]", "view.default(e, [0])")
                                    CALL("q", "f32[7, 0]", "view.default(z, [7, 0])") CALL("r", "f32[0, 3]", "slice.Tensor(one, 0, 1, 1)")
                                        CALL("s", "f32[0, 3]", "tril.default(e)") CALL("u", "f32[0, 6]", "repeat.default(e, [4, 2])")
                                            CALL("v", "f32[0, 3]", "full.default([0, 3], 2.0)")
                                                CALL("w", "i64[0, 3]", "_to_copy.default(e, dtype = torch.int64)")
                                                    CALL("x", "i64[0]", "arange.default(0)")
                                                        RETURN("e, z, i, a, b, c, d, f, g, h, k, l, m, n, o, p, q, r, s, u, v, w, x"));
};
struct elements_of_nothing {
    static constexpr std::string_view text =
        GRAPH(EMPTY_INPUTS, CALL("a", "f32[0, 3]", "add.Tensor(e, one)") CALL("b", "f32[0, 3]", "relu.default(a)")
                                CALL("c", "b8[0, 3]", "gt.Scalar(e, 0)") CALL("d", "f32[0, 3]", "where.self(c, e, one)")
                                    CALL("f", "f32[2, 0]", "tanh.default(z)") CALL("g", "f32[2, 0]", "mul.Tensor(f, 2.0)")
                                        CALL("h", "f32[2, 0]", "exp.default(g)") CALL("k", "f32[0]", "div.Tensor(i, 2)")
                                            CALL("l", "i64[0]", "add.Tensor(i, i)") RETURN("b, d, h, k, l"));
};
struct rank_zero {
    static constexpr std::string_view text = GRAPH(
        "s: \"f32[]\", n: \"i64[]\", d: \"f64[]\", one: \"f32[1, 3]\", b: \"b8[]\"",
        CALL("a", "f32[]", "add.Tensor(s, s)") CALL("c", "f32[]", "sum.default(s)") CALL("f", "f32[]", "_softmax.default(s, 0, False)")
            CALL("g", "i64[]", "argmax.default(s)") CALL("h", "f32[1]", "unsqueeze.default(s, 0)")
                CALL("k", "f32[]", "cumsum.default(s, 0)") CALL("l", "f32[1, 1]", "view.default(s, [1, 1])")
                    CALL("m", "f32[2, 2]", "expand.default(s, [2, 2])") CALL("o", "f32[2]", "stack.default([s, s])")
                        CALL("p", "f32[]", "mean.dim(s, [0])") CALL("q", "f32[]", "gather.default(s, 0, n)")
                            CALL("r", "f32[1, 3]", "add.Tensor(n, one)") CALL("t", "f32[1, 3]", "add.Tensor(d, one)")
                                CALL("u", "f64[]", "mul.Tensor(d, s)") CALL("v", "f32[]", "clone.default(s)")
                                    CALL("w", "f32[]", "where.self(b, s, a)") CALL("x", "i64[]", "_to_copy.default(s, dtype = torch.int64)")
                                        CALL("y", "f32[3]", "index.Tensor(one, [n])") CALL("z", "f32[]", "relu.default(s)")
                                            RETURN("s, n, b, a, c, f, g, h, k, l, m, o, p, q, r, t, u, v, w, x, y, z"));
};

namespace {

using numbers = std::vector<double>;

template <class Source, class... In>
void gives(const std::vector<numbers>& expected, const In&... in) {
    using program = compiled<fx<Source>>;
    std::vector<host_tensor> given(sizeof...(In));
    [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
        (from_bytes(program::template input_port<I>::type, std::as_bytes(std::span(in)), given[static_cast<std::size_t>(I)]), ...);
    }
    (std::make_integer_sequence<std::int32_t, sizeof...(In)>{});
    const auto by_reference = reference<fx<Source>>(given);
    const auto weights = program::prepare();
    typename program::session run{weights};
    check_equal(by_reference.size(), expected.size());
    check_equal(static_cast<std::size_t>(program::output_count), expected.size());
    std::size_t at = 0;
    const auto one = [&](const auto& output) {
        using type = typename std::remove_cvref_t<decltype(output)>::type;
        const auto where = "output " + std::to_string(at);
        const auto& referred = by_reference[at];
        check(referred.type.type == type::type.type && sizes_of(referred.type) == sizes_of(type::type), where);
        check(static_cast<std::size_t>(element_count(type::type)) == expected[at].size() && output.elements().size() == expected[at].size(),
              where);
        for (std::size_t k = 0; k < expected[at].size(); ++k) {
            const auto same = [&](double got) { return got == expected[at][k] || (std::isnan(got) && std::isnan(expected[at][k])); };
            check(same(static_cast<double>(output.data()[k])),
                  where + " of the device: " + std::to_string(static_cast<double>(output.data()[k])));
            check(same(referred.data.template get<double>(static_cast<std::int64_t>(k))), where + " of the reference");
        }
        ++at;
    };
    std::apply([&](const auto&... output) { (one(output), ...); }, run(in...));
}

constexpr double inf = std::numeric_limits<double>::infinity(), no_number = std::numeric_limits<double>::quiet_NaN();

// In handles, too: an empty tensor comes in as an empty array, span or vector.
constexpr auto in_handles = trace([](input<"e", f32<0, 3>> e, input<"w", f32<3, 2>> w, input<"s", f32<>> s) {
    return outputs(mm(e, w) + s, sum(e) + s, cat<0>(e, permute<1, 0>(w) * s, e));
});

// The largest, or the place of the largest, of nothing.
constexpr std::string_view largest_of_nothing[] = {GRAPH(EMPTY_INPUTS, "        a = torch.ops.aten.amax.default(e, [0])\n" RETURN("a,")),
                                                   GRAPH(EMPTY_INPUTS, "        a = torch.ops.aten.argmax.default(e)\n" RETURN("a,")),
                                                   GRAPH(EMPTY_INPUTS, "        a = torch.ops.aten.argmax.default(e, 0)\n" RETURN("a,")),
                                                   GRAPH(EMPTY_INPUTS, "        a = torch.ops.aten.max.default(e)\n" RETURN("a,")),
                                                   GRAPH(EMPTY_INPUTS, "        a = torch.ops.aten.amin.default(z, [1])\n" RETURN("a,"))};

} // namespace

int main() {
    const std::array<float, 0> none{};
    const std::array<std::int64_t, 0> no_index{};
    const std::array<float, 3> one{1, 2, 3};
    gives<products>({{0, 0, 0, 0, 0, 0}, {1, 2, 3, 1, 2, 3}, {}, {}, {1, 2, 3, 1, 2, 3}, {}, {0, 0, 0, 0, 0, 0}, {0, 0}}, none, none, one,
                    no_index);
    gives<reductions>({{0},
                       {0, 0, 0},
                       {},
                       {1},
                       {no_number},
                       {no_number, no_number, no_number},
                       {no_number, no_number, no_number},
                       {},
                       {},
                       {0},
                       {1},
                       {},
                       {-inf, -inf, -inf},
                       {no_number},
                       {0},
                       {1}},
                      none, none, one, no_index);
    gives<layers>({{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}, none, std::array<float, 54>{}, none, none, std::array<float, 2>{1, 1}, std::array<float, 72>{}, none);
    gives<moves>({{}, {}, {}, {1, 2, 3}, {1, 2, 3}, {}, {}, {7, 7, 7, 7}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}, none,
                 none, one, no_index);
    gives<elements_of_nothing>({{}, {}, {}, {}, {}}, none, none, one, no_index);
    gives<rank_zero>({{2.5},      {0},   {1},   {5},       {2.5},           {1},    {0},   {2.5}, {2.5}, {2.5},     {2.5, 2.5, 2.5, 2.5},
                      {2.5, 2.5}, {2.5}, {2.5}, {1, 2, 3}, {1.5, 2.5, 3.5}, {1.25}, {2.5}, {2.5}, {2},   {1, 2, 3}, {2.5}},
                     std::array<float, 1>{2.5f}, std::array<std::int64_t, 1>{0}, std::array<double, 1>{0.5}, one,
                     std::array<bool, 1>{true});

    const auto weights = compiled<in_handles>::prepare();
    compiled<in_handles>::session run{weights};
    const float w[] = {1, 2, 3, 4, 5, 6}, s[] = {2};
    for (int form = 0; form < 2; ++form) {
        const auto look = [&](const auto& e) {
            auto [m, total, joined] = run(e, w, s);
            check(m.elements().empty() && m.begin() == m.end() && m.copy().empty() && total() == 2);
            check_equal(joined(0, 1), 6.0f);
            check_equal(joined(1, 2), 12.0f);
        };
        if (form == 0)
            look(std::vector<float>{});
        else
            look(std::span<const float, 0>{});
    }
    check_throws([&] { run(std::vector<float>{1}, w, s); }, "0 elements");

    for (auto text : largest_of_nothing) {
        heap_storage storage(count_fx(text));
        fx_style style;
        diagnosis d;
        check(read_fx(text, aten::registry::table, storage.edit(), style, d) && !infer_types(storage.edit(), aten::registry::table, d), text);
        check_fault(d, {fault::window_does_not_fit});
    }
    return report();
}
