// The pass fold_batch_norm: every form before and after, where it must not fire, random chains on convolutions, and
// what is compiled.
// SPDX-License-Identifier: MIT
#include "fold_batch_norm_texts.hpp"
#include "harness.hpp"
#include "typed_reading.hpp"
#include "random_graph.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/print/fx/print_fx.hpp>
#include <ahead/reference/equivalent.hpp>
#include <ahead/reference/host_bytes.hpp>

#include <iostream>
#include <string>

using namespace ahead;
using namespace test;
using namespace test::batch_norm_texts;

namespace {

constexpr op_table op_rows = aten::registry::table;
using storage_type = graph_storage<capacity{64, 400, 80}>;
constexpr pass::pipeline<pass::fold_batch_norm_pass> fold;

// A typed text; placeholders whose names begin with "p_" are parameters.
template <class Storage>
constexpr bool read(std::string_view text, Storage& storage, fx_style& style, diagnosis& d) {
    const auto g = storage.edit();
    if (!read_fx(text, op_rows, g, style, d) || !infer_types(g, op_rows, d)) return false;
    for (node_id id : g)
        if (g[id].kind == node_kind::placeholder && print(g[id].name).view().substr(0, 2) == "p_") g[id].role = input_role::parameter;
    return true;
}
struct reading {
    storage_type storage;
    fx_style style;
    diagnosis error;
    constexpr explicit reading(std::string_view text) { read(text, storage, style, error); }
};

constexpr auto after(std::string_view text, const config& options = {}) { return listing_after<reading>(fold, text, options); }
constexpr bool applies(std::string_view text) {
    const reading r(text);
    return pass::any_applies(fold, config{}, r.storage.view(), op_rows);
}

void check_becomes(std::string_view text, std::string_view wanted) {
    check_equal(after(text).view(), wanted);
    check_equal(applies(text), text != wanted);
    const reading before(text), result(wanted);
    diagnosis d;
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
        check(before.error.ok() && result.error.ok() && equivalent(before.storage.view(), result.storage.view(), seed, d), d.found.view());
}

static_assert(applies(normalised) && after(normalised).view() == normalised_folded); // in the compiler too

// ---- where it must not fire

// A convolution `c` of four channels, three high and five wide, then the lines.
std::string around(std::string_view lines, std::string_view returned = "v", std::string_view transposed = "False") {
    std::string text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 4, 3, 5]", p_w: "f32[4, 4, 1, 1]", p_k: "f32[4, 1, 1]", k: "f32[4, 1, 1]", p_row: "f32[5]", p_column: "f32[3, 1]", p_batch: "f32[2, 1, 1, 1]", p_both: "f32[4, 1, 5]", p_int: "i64[4, 1, 1]", p_double: "f64[4, 1, 1]", p_4: "f32[4]", n: "f32[4]", p_large: "f32[1, 2, 1, 1, 1]", p_ones: "f32[1, 1, 1, 1, 1]"):
        c = torch.ops.aten.convolution.default(x, p_w, None, [1, 1], [0, 0], [1, 1], )fx";
    text.append(transposed).append(", [0, 0], 1)\n");
    text.append(lines);
    return text.append("        return (").append(returned).append(",)\n");
}
std::string one_call(std::string_view call, std::string_view returned = "v") {
    return around(std::string("        v = torch.ops.aten.").append(call).append("\n"), returned);
}
void check_stays(std::string_view text, const location& where = location::current()) {
    const reading r(text);
    check(r.error.ok(), r.error.found.view(), where);
    check(!applies(text), text, where);
    check_equal(after(text).view(), after(text, config{.fold_batch_norm = false}).view(), where);
}

void check_what_stays() {
    check(applies(one_call("mul.Tensor(c, p_k)"))); // but for what follows it would fire
    check(applies(one_call("add.Tensor(c, p_k, alpha = 1)")));
    for (std::string_view call :
         {"mul.Tensor(c, k)", "add.Tensor(c, k)", "mul.Tensor(c, c)", "sub.Tensor(p_k, c)", "add.Tensor(c, p_k, alpha = 2)",
          "sub.Tensor(c, p_k, alpha = 3)", "mul.Tensor(c, p_row)", "mul.Tensor(c, p_column)", "add.Tensor(c, p_batch)",
          "mul.Tensor(c, p_both)", "mul.Tensor(c, p_int)", "mul.Tensor(c, p_double)", "add.Tensor(c, p_large)", "add.Tensor(c, p_ones)", "mul.Tensor(c, 2.0)",
          "div.Tensor(c, p_k)"})
        check_stays(one_call(call));
    check_stays(one_call("mul.Tensor(c, p_k)", "v, c"));
    check_stays(around("        v = torch.ops.aten.mul.Tensor(c, p_k)\n        relu = torch.ops.aten.relu.default(c)\n", "v, relu"));
    check_stays(around("        r = torch.ops.aten.relu.default(c)\n        v = torch.ops.aten.mul.Tensor(r, p_k)\n"));
    check_stays(around("        k2 = torch.ops.aten.mul.Tensor(k, p_k)\n        v = torch.ops.aten.mul.Tensor(c, k2)\n"));
    check_stays(around("        v = torch.ops.aten.mul.Tensor(c, p_k)\n", "v", "True"));

    // Four channels out of one; the order of the elements is the input's, and the weight's.
    const auto laid_out = [](std::string x, std::string w, std::string_view rest) {
        return R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 4, 3, 5])fx" + x + R"fx(cpu", p_w: "f32[)fx" + w + R"fx(cpu", p_k: "f32[4, 1, 1][1, 1, 1]cpu", p_4: "f32[4][1]cpu"):
        c = torch.ops.aten.convolution.default(x, p_w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
)fx" + std::string(rest) + "        return (v,)\n";
    };
    constexpr std::string_view scaled = "        v = torch.ops.aten.mul.Tensor(c, p_k)\n";
    constexpr std::string_view norm_of_c =
        "        b = torch.ops.aten.native_batch_norm.default(c, p_4, p_4, p_4, p_4, False, 0.1, 1.5)\n        v = b[0]\n";
    const std::string rows = "[60, 15, 5, 1]", channels_last = "[60, 1, 20, 4]", weight = "4, 4, 1, 2][8, 2, 2, 1]";
    check(applies(laid_out(rows, weight, scaled)) && applies(laid_out(rows, weight, norm_of_c)));
    check(applies(laid_out(channels_last, weight, scaled)) && applies(laid_out(channels_last, weight, norm_of_c))); // both keep channels_last
    check_stays(laid_out(rows, "4, 4, 1, 2][8, 1, 8, 4]", scaled));
    check_stays(laid_out(rows, "1, 4, 1, 2][8, 2, 2, 1]", scaled));

    const auto norm = [](std::string_view call, std::string_view lines = "        v = b[0]\n", std::string_view returned = "v") {
        return around(std::string("        b = torch.ops.aten.").append(call).append("\n").append(lines), returned);
    };
    check(applies(norm("native_batch_norm.default(c, p_4, p_4, p_4, p_4, False, 0.1, 1.5)")));
    check_stays(norm("native_batch_norm.default(c, p_4, p_4, None, None, True, 0.1, 1.5)"));
    check_stays(norm("_native_batch_norm_legit_functional.default(c, p_4, p_4, p_4, p_4, True, 0.1, 1.5)"));
    check_stays(norm("native_batch_norm.default(c, n, p_4, p_4, p_4, False, 0.1, 1.5)"));
    check_stays(norm("native_batch_norm.default(c, p_4, n, p_4, p_4, False, 0.1, 1.5)"));
    check_stays(norm("_native_batch_norm_legit_no_training.default(c, p_4, p_4, n, p_4, 0.1, 1.5)"));
    check_stays(norm("_native_batch_norm_legit_no_training.default(c, p_4, p_4, p_4, n, 0.1, 1.5)"));
    check_stays(norm("native_batch_norm.default(c, p_4, p_4, p_4, p_4, False, 0.1, 1.5)", "        v = b[0]\n        w = b[1]\n", "v, w"));
    check_stays(norm("native_batch_norm.default(c, p_4, p_4, p_4, p_4, False, 0.1, 1.5)", "        v = b[0]\n", "v, c"));
}

// ---- random chains of steps on a convolution

struct chain {
    std::string text;
    int steps = 0;
    int folded = 0; // how many of them, the first ones, can be
};

chain write_chain(std::uint64_t seed) {
    random_choices random{seed * 2654435761u + 777};
    chain out;
    const bool batch = random.below(4) > 0, bias = random.below(2) == 0, transposed = random.below(12) == 0;
    const bool twice = random.below(12) == 0, returned = random.below(12) == 0;
    const int groups = transposed ? 1 : 1 + random.below(2);
    const int height = transposed ? 4 : 2, width = transposed ? 5 : 3; // as wide as there are channels: a row is no column
    const std::string channels = groups == 2 ? "4" : "3";
    std::string inputs = batch ? "x: \"f32[2, 2, 3, 4]\"" : "x: \"f32[2, 3, 4]\"", lines;
    const auto parameter = [&](const std::string& name, const std::string& sizes) { inputs += ", " + name + ": \"f32[" + sizes + "]\""; };
    const auto spelled = [&](int n) { return std::to_string(n); };
    parameter("p_w", transposed ? "2, 3, 2, 2" : groups == 2 ? "4, 1, 2, 2" : "3, 2, 2, 2");
    if (bias) parameter("p_b", channels);
    lines += "        c = torch.ops.aten.convolution.default(x, p_w, " + std::string(bias ? "p_b" : "None") + ", [1, 1], [0, 0], [1, 1], " +
             (transposed ? "True" : "False") + ", [0, 0], " + spelled(groups) + ")\n";
    std::string now = "c";
    out.steps = 1 + random.below(4);
    bool folds = !transposed && !twice && !returned;
    for (int i = 0; i < out.steps; ++i) {
        const auto result = "s" + spelled(i), p = "p_" + spelled(i);
        if (random.below(4) == 0) {
            const auto size = batch ? channels : spelled(height); // of dim 1
            const bool training = random.below(8) == 0, gamma = random.below(3) > 0, beta = random.below(3) > 0;
            if (gamma) parameter(p + "g", size);
            if (beta) parameter(p + "b", size);
            if (!training) parameter(p + "m", size);
            if (!training) parameter(p + "v", size);
            const auto affine = (gamma ? p + "g" : "None") + ", " + (beta ? p + "b" : "None") + ", ";
            if (training)
                lines += "        " + result + " = torch.ops.aten.native_batch_norm.default(" + now + ", " + affine + "None, None, True, 0.1, 1.5)\n";
            else if (random.below(2) == 0)
                lines += "        " + result + " = torch.ops.aten.native_batch_norm.default(" + now + ", " + affine + p + "m, " + p +
                         "v, False, 0.1, 1.5)\n";
            else
                lines += "        " + result + " = torch.ops.aten._native_batch_norm_legit_no_training.default(" + now + ", " + affine + p + "m, " +
                         p + "v, 0.1, 1.5)\n";
            now = "g" + spelled(i);
            lines += "        " + now + " = " + result + "[0]\n";
            folds = folds && batch && !training;
        } else {
            const std::string shapes[] = {channels + ", 1, 1", "1, 1", "1", "", spelled(width), spelled(height) + ", 1"};
            const int shape = random.below(3) > 0 ? 0 : random.below(6);
            const bool constant = random.below(8) > 0, first = random.below(3) == 0, has_alpha = random.below(12) == 0;
            auto k = constant ? p : "k" + spelled(i);
            parameter(k, shapes[shape]);
            if (random.below(3) == 0) { // a call of constants
                lines += "        e" + spelled(i) + " = torch.ops.aten.exp.default(" + k + ")\n";
                k = "e" + spelled(i);
            }
            const int op = random.below(3);
            constexpr std::string_view names[] = {"mul", "add", "sub"};
            lines += "        " + result + " = torch.ops.aten." + std::string(names[op]) + ".Tensor(" + (first ? k + ", " + now : now + ", " + k) +
                     (has_alpha && op > 0 ? ", alpha = 2)\n" : ")\n");
            now = result;
            folds = folds && shape < 4 && constant && !(op == 2 && first) && !(op > 0 && has_alpha);
        }
        if (folds) ++out.folded;
    }
    if (twice) lines += "        again = torch.ops.aten.relu.default(c)\n";
    lines += "        relu = torch.ops.aten.relu.default(" + now + ")\n";
    out.text = "class GraphModule(torch.nn.Module):\n    def forward(self, " + inputs + "):\n" + lines + "        return (relu, " +
               (twice ? "again, " : returned ? "c, " : "") + ")\n";
    return out;
}

void check_chain(int seed, int& fired, int& steps) {
    const auto chain = write_chain(static_cast<std::uint64_t>(seed));
    reading r(chain.text);
    if (!check(r.error.ok(), r.error.found.view())) {
        std::cout << chain.text;
        return;
    }
    const reading before = r;
    std::int32_t changes = 0;
    const auto count = [&](std::string_view, graph_view, std::int32_t more) { changes += more; };
    const bool ran = pass::run(fold, config{}, r.storage.edit(), op_rows, r.error, count);
    bool right = check(ran, r.error.found.view()) && check_equal(changes > 0, chain.folded > 0) && check_equal(applies(chain.text), chain.folded > 0);
    // The steps that are left are the last ones.
    int left = 0;
    const auto g = r.storage.view();
    for (node_id id : g) left += id.index < before.storage.header.used.nodes && print(g[id].name).view().substr(0, 1) == "s";
    right = check_equal(left, chain.steps - chain.folded) && right;
    diagnosis d;
    right = check(equivalent(before.storage.view(), r.storage.view(), static_cast<std::uint64_t>(seed), d), d.found.view()) && right;
    const auto first = changes;
    right = check(pass::run(fold, config{}, r.storage.edit(), op_rows, r.error, count) && changes == first) && right;
    if (!right) std::cout << chain.text;
    fired += first > 0;
    steps += chain.folded;
}

// ---- compiled

struct small_source {
    static constexpr std::string_view text = normalised;
    static constexpr fx_input inputs[] = {{"p_w", "w"}, {"p_b", "b"}, {"p_gamma", "gamma"}, {"p_beta", "beta"}, {"p_mean", "mean"}, {"p_var", "var"}};
};
struct decomposed_source {
    static constexpr std::string_view text = decomposed;
    static constexpr fx_input inputs[] = {{"p_w", "w"}, {"p_gamma", "gamma"}, {"p_beta", "beta"}, {"p_mean", "mean"}, {"p_var", "var"}};
};
inline constexpr config unfolded_options{.fold_batch_norm = false, .fuse_residual = false};
using unfolded = toolchain<>::with_options<unfolded_options>;

template <class Source>
void check_compiled() {
    using program = compiled_graph<fx_graph<Source>>;
    check_equal(program::plan.run_tasks, 1);
    check(compiled_graph<fx_graph<Source>, unfolded>::plan.run_tasks > 1);
    std::uint64_t state = 5;
    std::vector<host_tensor> given, wanted;
    weights parameters;
    const auto g = program::captured();
    for (node_id id : g) {
        if (g[id].kind != node_kind::placeholder) continue;
        given.push_back(random_tensor(g.value_of(id).type, state));
        if (g[id].role == input_role::user) continue;
        std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(given.back().type)) * sizeof(float));
        to_bytes(given.back(), bytes);
        const auto sizes = sizes_of(given.back().type);
        parameters.add(std::string(g[id].weight), dtype::f32, {sizes.begin(), sizes.end()}, bytes);
    }
    diagnosis d;
    check(interpret<aten::registry>(g, given, wanted, d));
    const auto prepared = program::prepare(parameters);
    typename program::session run{prepared};
    std::array<float, 75> x{};
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = given[0].data.template get<float>(static_cast<std::int64_t>(i));
    const auto made = run(x);
    const auto& got = std::get<0>(made);
    bool same = true;
    for (std::int64_t i = 0; i < 36; ++i) same = same && is_close(static_cast<double>(got.data()[i]), wanted[0].data.template get<double>(i));
    check(same);
}

} // namespace

int main() {
    check_becomes(normalised, normalised_folded);
    check_becomes(without_affine, without_affine_folded);
    check_becomes(decomposed, decomposed_folded);
    check_becomes(turned, turned_folded);
    check_equal(after(normalised, config{.fold_batch_norm = false}).view(), normalised);
    check_what_stays();

    // Without room for more calls it says so; the room that the pass asks for is enough for a chain of any length.
    const reading roomy(normalised);
    heap_storage full(roomy.storage.header.used);
    copy_graph(roomy.storage.view(), full.edit());
    diagnosis d;
    check(!pass::run(fold, config{}, full.edit(), op_rows, d));
    check_fault(d, {fault::graph_exceeds_capacity});
    for (int length : {20, 60, 200}) {
        std::string text = "def forward(self, x : f32[1, 4, 3, 3], p_w : f32[4, 4, 1, 1], p_s : f32[4, 1, 1]):\n"
                           "    c = torch.ops.aten.convolution.default(x, p_w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)\n";
        std::string last = "c";
        for (int k = 0; k < length; ++k) {
            const auto name = "m" + std::to_string(k);
            text += "    " + name + " = torch.ops.aten." + (k % 2 ? "mul" : "add") + ".Tensor(" + last + ", p_s)\n";
            last = name;
        }
        text += "    return (" + last + ",)\n";
        heap_storage parsed(count_fx(text));
        fx_style style;
        diagnosis refusal;
        check(read(text, parsed, style, refusal));
        heap_storage folded(pass::room_for_passes(fold, parsed.view(), op_rows, parsed.header.used));
        copy_graph(parsed.view(), folded.edit());
        check(pass::run(fold, config{}, folded.edit(), op_rows, refusal), name_of(refusal.what));
        const auto g = folded.view();
        check(g[g[g.last()].previous].target == "aten.convolution.default", last);
    }

    constexpr int chains = 1000;
    int fired = 0, steps = 0;
    for (int seed = 0; seed < chains; ++seed) check_chain(seed, fired, steps);
    std::cout << chains << " chains; fired on " << fired << ", steps folded " << steps << '\n';
    check(fired >= 200 && chains - fired >= 200);

    check_compiled<small_source>();
    check_compiled<decomposed_source>();
    return report();
}
