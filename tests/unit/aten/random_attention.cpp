// Attention that drops shares: PyTorch's kernels with their gradients, as they are written, as functions of seed and
// offset, and as products.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "host_values.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/pass/functionalise_random.hpp>
#include <ahead/reference/equivalent.hpp>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;

// PyTorch's kernels of attention with their gradients, of f64[1, 2, 3, 4]: attention's result, and the gradients of query, key and value for `dy`.
struct attention_kernel {
    std::string_view forward, backward;
};
constexpr attention_kernel attention_kernels[] = {
    {"flash_attention.default(q, k, v, 0.4", "flash_attention_backward.default(dy, q, k, v, y, r[1], None, None, 3, 3, 0.4, False, r[6], r[7]"},
    {"efficient_attention.default(q, k, v, None, True, 0.4", "efficient_attention_backward.default(dy, q, k, v, None, y, r[1], r[2], r[3], 0.4, "
                                                             "[True, True, True, False]"},
    {"cudnn_attention.default(q, k, v, None, True, 0.4", "cudnn_attention_backward.default(dy, q, k, v, y, r[1], r[6], r[7], None, None, None, 3, 3, 0.4, "
                                                         "False"},
    {"fused_attention_overrideable.default(q, k, v, None, 0.4", "fused_attention_overrideable_backward.default(dy, q, k, v, None, [True, True, True, False], y, "
                                                                "r[1], None, None, 3, 3, 0.4, False, r[6], r[7]"},
};
std::string attention_text(const attention_kernel& of) {
    std::string out = "def forward(self, q : f64[1, 2, 3, 4], k : f64[1, 2, 3, 4], v : f64[1, 2, 3, 4], dy : f64[1, 2, 3, 4]):\n"
                      "    before = torch.ops.aten.rand.default([3])\n"
                      "    r = torch.ops.aten._scaled_dot_product_";
    out.append(of.forward).append(", scale = 0.7)\n    y = r[0]\n");
    std::string backward(of.backward);
    for (int k = 1; k < 8; ++k) { // what is picked stands on lines of its own
        const auto number = std::to_string(k), name = "r[" + number + "]";
        const auto at = backward.find(name);
        if (at == backward.npos) continue;
        backward.replace(at, name.size(), "r_" + number);
        out.append("    r_" + number + " = " + name + "\n");
    }
    return out.append("    g = torch.ops.aten._scaled_dot_product_")
        .append(backward)
        .append(", scale = 0.7)\n    dq = g[0]\n    dk = g[1]\n    dv = g[2]\n    return (y, dq, dk, dv)\n");
}
// CUDA's flash kernel prints both numbers as one u64[2], and its gradient is given that: the same is dropped.
void flash_as_cuda_prints_it() {
    const auto results_of = [](const std::string& text) {
        graph_storage<capacity{512, 8192, 640}> storage;
        fx_style style;
        diagnosis d;
        std::uint64_t bits = 9;
        std::vector<host_tensor> inputs, outputs;
        for (int i = 0; i < 4; ++i) inputs.push_back(random_tensor(tensor_of(dtype::f64, {1, 2, 3, 4}), bits));
        for (std::int64_t v : {77, 12}) inputs.push_back(as_host(tensor_of(dtype::i64, {}), std::array{v}));
        const bool ran = read_fx(text, op_rows, storage.edit(), style, d) && infer_printed_types(storage.edit(), op_rows, d) &&
                         interpret<aten::registry>(storage.view(), inputs, outputs, d);
        check(ran, std::string(name_of(d.what)) + ": " + text);
        return outputs;
    };
    const auto text = attention_text(attention_kernels[0]);
    auto printed = text;
    for (const std::string_view name : {"r_6", "r_7"})
        printed.insert(printed.find(std::string(name) + " = ") + 3, name == "r_6" ? ": u64[2]" : ": u64[]");
    const auto one = results_of(text), other = results_of(printed);
    check(one.size() == other.size() && one.size() >= 4);
    for (std::size_t k = 0; k < one.size() && k < other.size(); ++k)
        for (std::int64_t i = 0; i < element_count(one[k].type); ++i) check(one[k].data.get<double>(i) == other[k].data.get<double>(i), "another number");
}
void attention_drops_shares() {
    using large_reading = typed_reading<capacity{512, 8192, 640}>;
    for (const auto& kernel : attention_kernels) {
        const auto text = attention_text(kernel);
        const large_reading before(text);
        large_reading after(text);
        if (!check(before.error.ok() && after.error.ok(), std::string(name_of(before.error.what)) + ": " + text)) continue;

        // As it is written, as functions of seed and offset, and as products.
        diagnosis d;
        const auto g = after.storage.edit();
        const auto room = pass::room_to_functionalise_random(g, op_rows);
        const bool written = pass::has_random(g, op_rows) && pass::functionalise_random(g, op_rows, d) && verify(g, d) && !pass::has_random(g, op_rows);
        if (!check(written, std::string(name_of(d.what)) + ": " + text)) continue;
        check(g.header().used.nodes <= room.nodes && g.header().used.arguments <= room.arguments && g.header().used.values <= room.values, "room");
        const bool same = equivalent(before.storage.view(), g, 5, d);
        if (!check(same, std::string(name_of(d.what)) + ": " + text)) continue;
        heap_storage decomposed(pass::room_for_passes(pass::builtin, g, op_rows, pass::room_to_functionalise(g, op_rows)));
        copy_graph(g, decomposed.edit());
        const bool still = pass::run(pass::builtin, config{}, decomposed.edit(), op_rows, d) && equivalent(before.storage.view(), decomposed.view(), 6, d);
        check(still, std::string(name_of(d.what)) + ": " + text);
        for (node_id id : decomposed.view()) check(!decomposed.view()[id].target.starts_with("aten._scaled_dot"), "not decomposed");

        // The gradients are those of what was computed: of dy's product with y, by differences.
        std::uint64_t bits = 9;
        std::vector<host_tensor> inputs, outputs;
        for (int i = 0; i < 4; ++i) inputs.push_back(random_tensor(tensor_of(dtype::f64, {1, 2, 3, 4}), bits));
        for (std::int64_t v : {77, 12}) inputs.push_back(as_host(tensor_of(dtype::i64, {}), std::array{v}));
        const auto product = [&] {
            diagnosis why;
            outputs.clear();
            const bool ran = interpret<aten::registry>(before.storage.view(), inputs, outputs, why);
            double sum = 0;
            check(ran, name_of(why.what));
            for (std::int64_t i = 0; ran && i < 24; ++i) sum += outputs[0].data.get<double>(i) * inputs[3].data.get<double>(i);
            return sum;
        };
        product();
        const auto given = outputs;
        if (given.empty()) continue;
        int dropped = 0;
        for (std::size_t t = 0; t < 3; ++t)
            for (std::int64_t i = 0; i < 24; i += 5) {
                const double at_i = inputs[t].data.get<double>(i), step = 1e-5;
                inputs[t].data.put(i, at_i + step);
                const double above = product();
                inputs[t].data.put(i, at_i - step);
                const double slope = (above - product()) / (2 * step);
                inputs[t].data.put(i, at_i);
                int_list at{0, i / 12, i / 4 % 3, i % 4};
                const double found = given[1 + t].get<double>(at);
                check(std::abs(found - slope) < 1e-5, text + std::to_string(found) + " instead of " + std::to_string(slope));
                dropped += std::abs(slope) < 1e-12;
            }
        check(dropped < 10, "all was dropped");
    }

    // The shares themselves: values are unit vectors, so that rows of the result are shares, 0 or scaled up.
    const std::string text = "def forward(self, q : f64[2, 3, 4], v : f64[4, 4]):\n"
                             "    y = torch.ops.aten.scaled_dot_product_attention.default(q, q, q, None, 0.25)\n"
                             "    s = torch.ops.aten.scaled_dot_product_attention.default(q, v, v, dropout_p = 0.25)\n"
                             "    t = torch.ops.aten.scaled_dot_product_attention.default(q, v, v)\n    return (s, t)\n";
    const large_reading r(text);
    std::uint64_t bits = 3;
    std::vector<host_tensor> outputs, inputs{random_tensor(tensor_of(dtype::f64, {2, 3, 4}), bits), host_tensor(tensor_of(dtype::f64, {4, 4}))};
    for (std::int64_t i = 0; i < 16; ++i) inputs[1].data.put(i, i % 5 == 0 ? 1.0 : 0.0);
    for (std::int64_t v : {77, 12}) inputs.push_back(as_host(tensor_of(dtype::i64, {}), std::array{v}));
    diagnosis d = r.error;
    check(d.ok() && interpret<aten::registry>(r.storage.view(), inputs, outputs, d), std::string(name_of(d.what)));
    random_numbers drawn(77, 12 + numbers_taken(2 * 3 * 3));
    int kept = 0;
    for (std::int64_t i = 0; i < 24 && outputs.size() == 3; ++i) {
        const bool keeps = drawn.uniform<float>(i) < 0.75f;
        kept += keeps;
        const double share = outputs[0].data.get<double>(i), whole = outputs[1].data.get<double>(i);
        check(std::abs(share - (keeps ? whole / 0.75 : 0)) < 1e-12, std::to_string(share));
    }
    check(kept > 10 && kept < 24 && outputs.size() == 3 && outputs[2].data.get<std::int64_t>(0) == 12 + numbers_taken(18) + numbers_taken(24));

    // Halves stay halves beside what hides a share.
    for (std::string hides : {"None, 0.25, True", "m, 0.25", "h, 0.25"}) {
        const std::string halves = "def forward(self, q : f16[1, 2, 3, 4], m : b8[3, 3], h : f16[3, 3]):\n"
                                   "    y = torch.ops.aten.scaled_dot_product_attention.default(q, q, q, " +
                                   hides + ")\n    return (y,)\n";
        const large_reading of_halves(halves);
        check(of_halves.error.ok(), hides + ": " + std::string(of_halves.error.found.view()));
    }
}

} // namespace

int main() {
    attention_drops_shares();
    flash_as_cuda_prints_it();
    return report();
}
