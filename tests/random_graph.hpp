// Random graphs as FX text, written by a constexpr function: pointwise operators with broadcasting and promotion, views of views, copies,
// reductions, products, joins, in-place operators on whole tensors, views and inputs, calls that change nothing, calls made twice, several outputs.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace test {

struct random_choices {
    std::uint64_t state;
    constexpr std::uint64_t next() {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return state >> 33;
    }
    constexpr int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
};

// A tensor that the text has defined.
struct made {
    int rows = 0, columns = 0;
    bool is_integer = false;
    bool owns = true; // nothing else sees its bytes
    bool overlaps = false; // several elements may be one in memory, so that no in-place operator may write it
};

inline constexpr int graph_inputs = 3;
inline constexpr int calls = 24;
inline constexpr int operators = 28;

struct written {
    std::array<char, 6000> text{};
    std::size_t size = 0;
    std::array<int, operators> used{};
    std::size_t last_line = 0; // where the last call begins
    bool last_can_be_repeated = false;
    made last;

    constexpr void put(std::string_view s) {
        for (char c : s) text[size++] = c;
    }
    constexpr void put(int number) {
        if (number > 9) put(number / 10);
        text[size++] = static_cast<char>('0' + number % 10);
    }
    constexpr void name(int i) {
        put(i < graph_inputs ? "x" : "v");
        put(i);
    }
    constexpr void call(int result, std::string_view op, int self) {
        put("        ");
        name(result);
        put(" = torch.ops.aten.");
        put(op);
        put("(");
        name(self);
    }
    constexpr void type(const made& t) {
        put(t.is_integer ? "\"i64[" : "\"f32[");
        put(t.rows);
        put(", ");
        put(t.columns);
        put("]\"");
    }
};

constexpr written write_graph(std::uint64_t seed) {
    random_choices random{seed * 2654435761u + 12345};
    written out;
    std::array<made, graph_inputs + calls> tensors{};
    std::array<bool, graph_inputs + calls> read{};
    out.put("class GraphModule(torch.nn.Module):\n    def forward(self");
    for (int i = 0; i < graph_inputs; ++i) {
        auto& t = tensors[static_cast<std::size_t>(i)];
        t = {1 + random.below(4), 1 + random.below(5), i == 2, false};
        out.put(", ");
        out.name(i);
        out.put(": ");
        out.type(t);
    }
    out.put("):\n");
    const auto at = [&](int i) -> made& { return tensors[static_cast<std::size_t>(i)]; };
    for (int made_now = graph_inputs; made_now < graph_inputs + calls;) {
        const int op = random.below(operators);
        const auto line = out.size;
        // Mostly what nobody has read yet, so that little is computed in vain.
        int a = random.below(made_now);
        if (random.below(4) > 0)
            for (int i = 0; i < made_now; ++i)
                if (!read[static_cast<std::size_t>(i)]) a = i;
        if (op > 25 && random.below(2) == 0) a = random.below(graph_inputs);
        const int b = random.below(made_now);
        made t = at(a);
        const made u = at(b);
        const bool broadcasts = (t.rows == u.rows || t.rows == 1 || u.rows == 1) && (t.columns == u.columns || t.columns == 1 || u.columns == 1);
        constexpr std::string_view unary[] = {"sigmoid.default", "tanh.default", "relu.default", "neg.default", "abs.default", "sin.default"};
        constexpr std::string_view binary[] = {"add.Tensor", "sub.Tensor", "mul.Tensor", "maximum.default"};
        constexpr std::string_view folds[] = {"sum.dim_IntList", "amax.default", "mean.dim"};
        if (op < 6) {
            if (t.is_integer && op == 2) continue;
            out.call(made_now, unary[op], a);
            if (op < 2 || op == 5) t.is_integer = false;
            t.owns = true;
        } else if (op < 10) {
            if (!broadcasts) continue;
            out.call(made_now, binary[op - 6], a);
            out.put(", ");
            out.name(b);
            t = {t.rows > u.rows ? t.rows : u.rows, t.columns > u.columns ? t.columns : u.columns, t.is_integer && u.is_integer, true};
        } else if (op < 13) {
            if (op == 12 && t.is_integer) continue;
            out.call(made_now, folds[op - 10], a);
            out.put(random.below(2) ? ", [0], True" : ", [-2], True");
            t.rows = 1;
            t.owns = true;
        } else if (op == 13) {
            out.call(made_now, "permute.default", a);
            out.put(", [1, 0]");
            t = {t.columns, t.rows, t.is_integer, false, t.overlaps};
            at(a).owns = false;
        } else if (op == 14) {
            if (t.columns < 2) continue;
            out.call(made_now, "slice.Tensor", a);
            out.put(", 1, 1, 9223372036854775807");
            --t.columns;
            t.owns = false;
            at(a).owns = false;
        } else if (op == 15) {
            if (t.rows != 1) continue;
            out.call(made_now, "expand.default", a);
            out.put(", [3, ");
            out.put(t.columns);
            out.put("]");
            t.rows = 3;
            t.owns = false;
            t.overlaps = true;
            at(a).owns = false;
        } else if (op == 16) {
            if (t.rows * t.columns > 12) continue;
            out.call(made_now, "reshape.default", a);
            out.put(", [");
            out.put(t.columns);
            out.put(", ");
            out.put(t.rows);
            out.put("]");
            t = {t.columns, t.rows, t.is_integer, false, t.overlaps};
            at(a).owns = false;
        } else if (op == 17) {
            out.call(made_now, "clone.default", a);
            t.owns = true;
        } else if (op == 18) {
            if (t.columns != u.rows || t.is_integer || u.is_integer) continue;
            out.call(made_now, "mm.default", a);
            out.put(", ");
            out.name(b);
            t = {t.rows, u.columns, false, true};
        } else if (op == 19) {
            if (t.columns != u.columns || t.rows + u.rows > 6) continue;
            out.put("        ");
            out.name(made_now);
            out.put(" = torch.ops.aten.cat.default([");
            out.name(a);
            out.put(", ");
            out.name(b);
            out.put("]");
            t = {t.rows + u.rows, t.columns, t.is_integer && u.is_integer, true};
        } else if (op == 20) {
            if (!t.owns || t.is_integer || read[static_cast<std::size_t>(a)]) continue;
            out.call(made_now, "relu_.default", a);
            at(a).owns = false;
            t.owns = false;
        } else if (op == 21) {
            if (t.is_integer) continue;
            out.call(made_now, "_softmax.default", a);
            out.put(", 1, False");
            t.owns = true;
        } else if (op == 22) {
            out.call(made_now, "mul.Scalar", a);
            out.put(", 3");
            t.owns = true;
        } else if (op == 23) {
            out.call(made_now, "flip.default", a);
            out.put(", [1]");
            t.owns = true;
        } else if (op == 24) { // what changes nothing
            const int which = random.below(5);
            constexpr std::string_view nothing[] = {"slice.Tensor", "repeat.default", "constant_pad_nd.default", "alias.default", "expand.default"};
            constexpr std::string_view rest[] = {", 1", ", [1, 1]", ", [0, 0]", "", ", [-1, -1]"};
            out.call(made_now, nothing[which], a);
            out.put(rest[which]);
            t.owns = which == 1 || which == 2;
            if (!t.owns) at(a).owns = false;
        } else if (op == 26) { // of anything: an input, a view, what was read before
            if (t.is_integer || t.overlaps) continue;
            out.call(made_now, "sin_.default", a);
            at(a).owns = false;
            t.owns = false;
        } else if (op == 27) {
            if (t.overlaps || a == b || !u.owns || (u.is_integer < t.is_integer) || (u.rows != t.rows && u.rows != 1) || (u.columns != t.columns && u.columns != 1)) continue;
            out.call(made_now, "copy_.default", a);
            out.put(", ");
            out.name(b);
            at(a).owns = false;
            t.owns = false;
        } else { // the line above once more
            if (!out.last_can_be_repeated) continue;
            const auto from = out.last_line, to = out.size;
            out.put("        ");
            out.name(made_now);
            std::size_t equals = from;
            while (out.text[equals] != '=') ++equals;
            out.put(" ");
            for (auto i = equals; i + 2 < to; ++i) out.text[out.size++] = out.text[i]; // without its ")" and end
            t = out.last;
        }
        if (t.owns) t.overlaps = false;
        out.last_line = line;
        out.last_can_be_repeated = op != 20 && op < 26; // what writes does not repeat itself
        out.last = t;
        out.put(")\n");
        ++out.used[static_cast<std::size_t>(op)];
        read[static_cast<std::size_t>(a)] = true;
        if ((op >= 6 && op < 10) || op == 18 || op == 19 || op == 27) read[static_cast<std::size_t>(b)] = true;
        at(made_now++) = t;
    }
    out.put("        return (");
    for (int i = graph_inputs + calls - 3; i < graph_inputs + calls; ++i) {
        out.name(i);
        out.put(", ");
    }
    out.put(")\n");
    return out;
}

} // namespace test
