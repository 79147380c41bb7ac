// Fusing on random graphs. Law: what is computed is the same expression: with every fused program written out, each output is the same tree of the
// same operators, numbers and inputs as without fusing; and no task is added. How often each kind fires is counted. The kernels of fused
// calls are compared with the reference in unit/fuse*.cpp and differential/.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "lowered.hpp"
#include "random_graph.hpp"

#include <ahead/ahead.hpp>
#include <ahead/core/fault_names.hpp>

#include <bit>
#include <cstdint>
#include <iostream>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table device_ops = device::registry::table;

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    a = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9u;
    return a ^ (a >> 31);
}
constexpr std::uint64_t of_number(double x) { return mix(7, std::bit_cast<std::uint64_t>(x)); }
std::uint64_t of_text(std::string_view text) {
    std::uint64_t hash = text.size();
    for (char c : text) hash = mix(hash, static_cast<unsigned char>(c));
    return hash;
}
constexpr std::uint64_t nothing = 1;

// A number for every value of a device graph, which stands for the expression that it is.
class expressions {
public:
    explicit expressions(graph_view g) : g_(g), of_(g.header().used.values) {
        std::uint64_t inputs_met = 0;
        for (node_id id : g) {
            if (g[id].kind == node_kind::output) continue;
            kept_ = {};
            const auto hash = g[id].kind == node_kind::call ? of_call(id) : mix(3, ++inputs_met);
            for (std::int32_t k = 0; k < g[id].values.count; ++k)
                of_[g[id].values.first + k] = k == 0 ? hash : kept_[static_cast<std::size_t>(k)] != 0 ? kept_[static_cast<std::size_t>(k)] : mix(hash, static_cast<std::uint64_t>(k));
            several_ += kept_[1] != 0;
            if (g[id].kind == node_kind::call && g[id].target != "npu.view") ++tasks_;
        }
    }
    int tasks() const { return tasks_; }
    int several() const { return several_; } // loops of several results
    std::vector<std::uint64_t> outputs() const {
        std::vector<std::uint64_t> out;
        const auto& last = g_[g_.last()];
        for (std::int32_t i = 0; i < last.arguments.count; ++i) out.push_back(of(g_.argument_of(last, i)));
        return out;
    }

private:
    graph_view g_;
    fixed_buffer<std::uint64_t> of_;
    int tasks_ = 0, several_ = 0;
    std::array<std::uint64_t, device::max_fused_results> kept_{}; // of the call at hand: what its results are but the first

    std::uint64_t of(const argument& a) const {
        switch (a.kind) {
        case argument_kind::node:
            return of_[g_[a.node()].values.first + a.result];
        case argument_kind::integer:
        case argument_kind::real:
            return of_number(call_view::to_real(a));
        case argument_kind::none:
            return nothing;
        case argument_kind::list: {
            std::uint64_t hash = 5;
            for (std::int32_t k = 0; k < a.children.count; ++k) hash = mix(hash, of(g_[a.children[k]]));
            return hash;
        }
        default:
            return mix(static_cast<std::uint64_t>(a.kind), mix(static_cast<std::uint64_t>(a.bits), of_text(a.text)));
        }
    }
    // Of so many elements at a time.
    static std::uint64_t of_reduction(std::uint64_t x, std::int64_t kind, std::int64_t count) {
        return mix(mix(mix(of_text(device::reduce::name), x), static_cast<std::uint64_t>(kind)), static_cast<std::uint64_t>(count));
    }
    std::uint64_t of_call(node_id id) {
        const auto& n = g_[id];
        const auto& row = device_ops[static_cast<std::size_t>(n.op.index)];
        bound_arguments bound;
        diagnosis d;
        bind_arguments(g_, id, row, bound, d);
        const call_view call(g_, id, bound, d);
        const auto size = static_cast<int>(row.schema.size());
        if (n.target == "npu.view") { // the same elements in the same order are the same, whatever their shape
            const auto& from = g_.value_of(g_.argument_of(n, 0));
            const auto& to = g_.value_of(id).type;
            const bool same = is_contiguous(from.type) && is_contiguous(to) && element_count(from.type) == element_count(to) &&
                              from.type.offset == to.offset;
            const auto inside = of(g_.argument_of(n, 0));
            return same ? inside : mix(inside, of_text(print(to, true).view()) + static_cast<std::uint64_t>(to.offset));
        }
        if (n.target == device::reduce::name)
            return of_reduction(of(call.at(device::reduce::x)), call.integer(device::reduce::kind),
                                element_count(call.tensor(device::reduce::x)) / element_count(g_.value_of(id).type));
        const bool has_rows = n.target == device::fused_rows::name, is_loop = has_rows || n.target == device::fused::name;
        const int first = has_rows ? device::fused_rows::a0 : 0;
        int program = 0;
        while (program < size && row.schema[static_cast<std::size_t>(program)].name != "program") ++program;
        const bool has_program = program < size && call.is_given(program);
        const int after = program < size && !is_loop ? program - device::max_epilogue_operands : size;
        std::uint64_t hash = of_text(n.target);
        if (is_loop)
            hash = 0;
        else
            for (int i = 0; i < after; ++i) hash = mix(hash, of(call.at(i)));
        if (!has_program) return hash;
        std::array<device::fused_step, device::max_fused_steps> steps{};
        const auto count = device::read_steps(call, program, steps);
        const auto op_rows = device::ops_of_steps(call, program);
        std::array<std::uint64_t, device::max_fused_steps> made{};
        for (std::int32_t s = 0; s < count; ++s) {
            const auto& step = steps[static_cast<std::size_t>(s)];
            auto now = of_text(device_ops[static_cast<std::size_t>(op_rows.row[static_cast<std::size_t>(s)].index)].name);
            for (int i = 0; i < step.parameters; ++i) {
                const auto& slot = step.slots[static_cast<std::size_t>(i)];
                using source = device::pointwise_slot::source;
                const auto operand = [&](std::int64_t k) {
                    return is_loop ? of(call.at(first + static_cast<int>(k))) : k == 0 ? hash : of(call.at(after + static_cast<int>(k) - 1));
                };
                now = mix(now, slot.from == source::operand   ? operand(slot.bits)
                               : slot.from == source::step    ? made[static_cast<std::size_t>(slot.bits)]
                               : slot.from == source::integer ? of_number(static_cast<double>(slot.bits))
                               : slot.from == source::real    ? of_number(std::bit_cast<double>(slot.bits))
                                                              : nothing);
            }
            if (has_rows && (call.integer(device::fused_rows::reductions) >> s & 1) != 0) {
                const auto& x = step.slots[0];
                const auto k = static_cast<std::size_t>(x.bits);
                now = of_reduction(x.from == device::pointwise_slot::source::step ? made[k] : of(call.at(first + static_cast<int>(k))),
                                   step.slots[1].bits, call.integer(device::fused_rows::count));
            }
            made[static_cast<std::size_t>(s)] = now;
            if (!is_loop) continue;
            if (const auto k = device::result_of_step(call.integer(program + 1), count, s); k > 0) kept_[static_cast<std::size_t>(k)] = now;
        }
        return made[static_cast<std::size_t>(count - 1)];
    }
};

// Products and convolutions with what may follow them: the graphs for fuse_activation.
std::string write_products(std::uint64_t seed) {
    random_choices random{seed * 2654435761u + 99};
    std::string text = "def forward(self, x : f32[4, 4], w : f32[4, 4], b : f32[4], p : f32[1, 4, 3, 3], k : f32[4, 4, 1, 1]):\n";
    constexpr std::string_view calls[] = {"mm.default($, w)", "addmm.default(b, $, w)", "linear.default($, w, b)",
                                          "relu.default($)",  "relu.default($)",        "sigmoid.default($)",
                                          "add.Tensor($, @)", "mul.Scalar($, 3)",       "permute.default($, [1, 0])",
                                          "clone.default($)"};
    constexpr std::string_view maps[] = {"convolution.default($, k, b, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)", "relu.default($)",
                                         "add.Tensor($, @)"};
    const auto chain = [&](std::string_view name, std::string_view first, array_view<const std::string_view> among) {
        std::string last(first);
        for (int i = 0; i < 6; ++i) {
            const auto call = among[static_cast<std::size_t>(random.below(static_cast<int>(among.size())))];
            const auto other = i == 0 || random.below(3) > 0 ? std::string(first) : std::string(name) + std::to_string(random.below(i));
            const auto result = std::string(name) + std::to_string(i);
            text += "    " + result + " = torch.ops.aten.";
            for (char c : call) text += c == '$' ? last : c == '@' ? other : std::string(1, c);
            text += "\n";
            last = result;
        }
        return last;
    };
    const auto matrix = chain("m", "x", calls), map = chain("n", "p", maps);
    return text + "    return (" + matrix + ", " + map + ")\n";
}

// Reductions of rows, of rows in rows, and what may be computed around them: the graphs for fuse_reductions.
std::string write_rows(std::uint64_t seed) {
    random_choices random{seed * 2654435761u + 7};
    std::string text = "def forward(self, x : f32[4, 5, 12], w : f32[12], m : f32[5, 12], c : f32[5, 1]):\n";
    constexpr std::string_view calls[] = {"mean.dim($, [2], True)",          "amax.default($, [2], True)",   "sum.dim_IntList($, [1, 2], True)",
                                          "sum.dim_IntList($, [-1], True)", "sum.dim_IntList($, [1], True)", "sub.Tensor(@, $)",
                                          "mul.Tensor($, @)",                "add.Tensor($, @)",             "div.Tensor($, @)",
                                          "exp.default($)",                  "add.Tensor($, w)",             "mul.Tensor($, m)",
                                          "sub.Tensor($, c)",                "rsqrt.default($)"};
    std::string last = "x", before = "x";
    for (int i = 0; i < 14; ++i) {
        const auto call = calls[static_cast<std::size_t>(random.below(static_cast<int>(std::size(calls))))];
        const auto other = i < 2 || random.below(3) > 0 ? before : "r" + std::to_string(random.below(i));
        const auto result = "r" + std::to_string(i);
        text += "    " + result + " = torch.ops.aten.";
        for (char c : call) text += c == '$' ? last : c == '@' ? other : std::string(1, c);
        text += "\n";
        if (random.below(3) > 0) before = last;
        last = result;
    }
    return text + "    return (" + last + ", " + before + ")\n";
}

} // namespace

int main() {
    constexpr int graphs = 1000;
    constexpr config off{.fuse_activation = false, .fuse_pointwise = false, .fuse_reductions = false},
        pointwise{.fuse_activation = false, .fuse_reductions = false}, activation{.fuse_pointwise = false, .fuse_reductions = false},
        rows{.fuse_activation = false, .fuse_pointwise = false}, all{};
    const auto& op_rows = aten::registry::table;
    const auto run = [&](std::string_view what, auto write) {
        std::array<int, 5> fired{};
        int tasks_apart = 0, tasks_fused = 0;
        for (std::uint64_t seed = 0; seed < graphs; ++seed) {
            const auto text = write(seed);
            heap_storage parsed(count_fx(text));
            diagnosis d;
            fx_style style;
            if (!check(read_fx(text, op_rows, parsed.edit(), style, d) && infer_types(parsed.edit(), op_rows, d), text)) return fired;
            heap_storage functional(pass::room_to_functionalise(parsed.view(), op_rows));
            copy_graph(parsed.view(), functional.edit());
            if (!check(pass::functionalise(functional.edit(), op_rows, d), text)) return fired;
            const lowered apart(functional.view(), toolchain<>{}, off);
            if (!check(apart.error.ok(), name_of(apart.error.what))) return fired;
            const expressions wanted(apart.storage.view());
            std::size_t which = 0;
            for (const auto& options : {pointwise, activation, rows, all}) {
                const lowered fused(functional.view(), toolchain<>{}, options);
                if (!check(fused.error.ok(), name_of(fused.error.what))) return fired;
                const expressions got(fused.storage.view());
                if (!check(got.outputs() == wanted.outputs(), "another expression") || !check(got.tasks() <= wanted.tasks()))
                    std::cout << text;
                fired[which++] += got.tasks() < wanted.tasks();
                if (which != 4) continue;
                tasks_fused += got.tasks();
                fired[4] += got.several() > 0;
            }
            tasks_apart += wanted.tasks();
        }
        std::cout << graphs << " graphs " << what << "; fired on: fuse_pointwise " << fired[0] << ", fuse_activation " << fired[1]
                  << ", fuse_reductions " << fired[2] << ", all " << fired[3] << "; of several results " << fired[4] << "; tasks " << tasks_apart << " -> " << tasks_fused << '\n';
        return fired;
    };
    const auto any = run("of all kinds", [](std::uint64_t seed) {
        const auto made = write_graph(seed);
        return std::string(made.text.data(), made.size);
    });
    const auto products = run("of products", write_products);
    const auto reductions = run("of rows", write_rows);
    check(any[0] >= 200 && products[0] >= 200);
    check(products[1] >= 200);
    check(reductions[2] >= 200);
    check(any[3] >= 200 && products[3] >= 200 && reductions[3] >= 200);
    check(any[4] >= 50 && reductions[4] >= 50);
    return report();
}
