// SPDX-License-Identifier: MIT
// Products and convolutions get the kernels that a choice file names as the fastest (device/choices.hpp). A call
// without a line keeps its rule's kernel, and so does a call whose weights are packed by each run or have other
// readers; lines without a call in the graph are ignored: tune/print_choices.hpp lists both.
// Invariant: keys are those of whole calls, before they are partitioned over cores, so that a file holds for any number
// of cores. Refuses (choice_is_malformed) a line that is not a key and a choice, or that repeats a key, and
// (choice_is_impossible) a choice that the key does not allow; both give the line number.
#pragma once
#include <ahead/device/choices.hpp>
#include <ahead/device/convolution.hpp>
#include <ahead/device/pack_convolution.hpp>
#include <ahead/device/product/batch_matmul.hpp>
#include <ahead/device/product/matmul.hpp>
#include <ahead/device/product/pack_matmul.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/editor.hpp>

namespace AHEAD_NAMESPACE::pass {

/// The operators that have choices: `op`, the operator; `packed`, its operand that `packer` may have made.
struct choosing_matmul {
    using op = device::matmul;
    using packer = device::pack_matmul;
    static constexpr int packed = op::at::b;
};
struct choosing_batch_matmul {
    using op = device::batch_matmul;
    using packer = device::pack_matmul; // never used
    static constexpr int packed = op::at::b;
};
struct choosing_convolution {
    using op = device::convolution;
    using packer = device::pack_convolution;
    static constexpr int packed = op::at::packed;
};

/// Calls f(choosing, call, its key) for each call of a device graph that may have a kernel other than its rule's.
constexpr void for_each_choice(graph_view g, op_table ops, diagnosis& d, auto f) {
    const auto look = [&]<class Choosing>(Choosing, node_id id) {
        using op = typename Choosing::op;
        if (g[id].kind != node_kind::call || !same_name(g[id].target, op::name)) return;
        bound_arguments bound;
        bind_typed(g, id, ops[static_cast<std::size_t>(g[id].op.index)], bound);
        const call_view c(g, id, bound, d);
        if (c.is_given(op::at::choice)) return;
        const auto& packer = g[c.at(Choosing::packed).node()];
        if (same_name(packer.target, Choosing::packer::name) && (!packer.constant || packer.use_count != 1)) return;
        const auto key = op::key(c);
        if (device::has_alternatives(key)) f(Choosing{}, c, key);
    };
    for (node_id id : g) {
        if (!d.ok()) return;
        look(choosing_matmul{}, id);
        look(choosing_batch_matmul{}, id);
        look(choosing_convolution{}, id);
    }
}

namespace detail {

inline constexpr std::string_view chosen_ops[] = {device::matmul::name, device::batch_matmul::name,
                                                  device::convolution::name};
/// Whether a line has a key of one of these operators and a choice, and no line above it has the same key.
constexpr bool check_line(const device::choice_table& all, const device::choice_line& line, diagnosis& d) {
    const auto malformed = [&](const short_text& expected, std::string_view found) {
        d.op = "config";
        d.name = "choices";
        return refuse(d, fault::choice_is_malformed, expected,
                      short_text("line ") << line.number << ": " << found.substr(0, 80));
    };
    if (line.choice.empty()) return malformed("key : choice # what was measured", line.key);
    const auto op = line.key.substr(0, line.key.find(' '));
    bool is_ours = false;
    for (const auto name : chosen_ops) is_ours = is_ours || same_name(name, op);
    if (!is_ours) return malformed("a key of npu.matmul, npu.batch_matmul or npu.convolution", op);
    if (const auto* first = all.find(line.key); first->number != line.number)
        return malformed(short_text("a key once, as in line ") << first->number, line.key);
    return true;
}

} // namespace detail

/// Whether each line of a choice file has a key and a choice; whether the key allows the choice is checked by the pass.
/// line: the first malformed line.
constexpr bool check_choices(const device::choice_table& all, diagnosis& d, std::int32_t& line) {
    for (const auto& one : all.lines()) {
        line = one.number;
        if (!detail::check_line(all, one, d)) return false;
    }
    return true;
}

struct choose_kernels_pass {
    static constexpr std::string_view name = "choose_kernels";

    static constexpr bool is_on(const config& options) { return !options.choices.empty(); }
    constexpr void operator()(graph_editor& g, const config& options) const {
        const device::choice_table all(options.choices);
        if (std::int32_t line = 0; !check_choices(all, g.faults(), line)) return;
        for_each_choice(
            g.view(), g.operators(), g.faults(), [&]<class Choosing>(Choosing, const call_view& c, auto key) {
                using op = typename Choosing::op;
                const auto* line = all.find(device::text_of_key<op>(key).view());
                if (line == nullptr) return;
                using choice = std::remove_cvref_t<decltype(device::choice_in(key))>;
                const auto names = device::names_of(choice{});
                std::size_t i = 0;
                while (i < names.size() && !same_name(names[i], line->choice)) ++i;
                if (i == names.size() || !device::allows(key, static_cast<choice>(i)))
                    return g.refuse_at(c.id(), fault::choice_is_impossible, device::list_choices(key),
                                       short_text(line->choice) << ", in line " << line->number << " of the choices");
                if (i == 0 || device::is_by_rule(key, static_cast<choice>(i))) return;
                const auto number = static_cast<std::int64_t>(i);
                const auto packer = c.at(Choosing::packed).node();
                if (same_name(g[packer].target, Choosing::packer::name))
                    g.set_integer(packer, Choosing::packer::at::choice, number, "choice");
                g.set_integer(c.id(), op::at::choice, number, "choice");
            });
    }
};
inline constexpr choose_kernels_pass choose_kernels;

} // namespace ahead::pass
