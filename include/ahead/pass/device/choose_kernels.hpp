// SPDX-License-Identifier: MIT
// Calls of operators with several kernels (device/kernel_choice.hpp) get those that a choice file names as the fastest
// (device/choices.hpp). A call without a line keeps its rule's kernel, and so does a call whose weights are packed by
// each run or have other readers; lines without a call in the graph are ignored: tune/print_choices.hpp lists both.
// Invariant: keys are those of whole calls, before they are partitioned over cores, so that a file holds for any number
// of cores. Refuses (choice_is_malformed) a line that is not a key and a choice, or that repeats a key, and
// (choice_is_impossible) a choice that the key does not allow; both give the line number.
#pragma once
#include <ahead/device/choices.hpp>
#include <ahead/device/device_ops.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/editor.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

template <class Ops> struct chosen_ops;
template <class... Ops> struct chosen_ops<op_list<Ops...>> {
    using type = join<op_list<>, std::conditional_t<device::has_kernel_choice<Ops>, op_list<Ops>, op_list<>>...>;
};
/// Whether f.operator()<Op>() returns true for one of the operators that have several kernels.
template <class Ops> constexpr bool any_chosen_op(auto f) {
    return [&]<class... Op>(op_list<Op...>*) {
        return (f.template operator()<Op>() || ...);
    }(static_cast<typename chosen_ops<Ops>::type*>(nullptr));
}

/// Whether a line has a key of one of these operators and a choice, and no line above it has the same key.
template <class Ops>
constexpr bool check_line(const device::choice_table& all, const device::choice_line& line, diagnosis& d) {
    const auto malformed = [&](const short_text& expected, std::string_view found) {
        d.op = "config";
        d.name = "choices";
        return refuse(d, fault::choice_is_malformed, expected,
                      short_text("line ") << line.number << ": " << found.substr(0, 80));
    };
    if (line.choice.empty()) return malformed("key : choice # what was measured", line.key);
    const auto op = line.key.substr(0, line.key.find(' '));
    if (!any_chosen_op<Ops>([&]<class Op>() { return same_name(Op::name, op); }))
        return malformed("a key of an operator with several kernels, such as npu.matmul", op);
    if (const auto* first = all.find(line.key); first->number != line.number)
        return malformed(short_text("a key once, as in line ") << first->number, line.key);
    return true;
}

} // namespace detail

/// Calls f.operator()<Op>(call, its key) for each call of a device graph that may have a kernel other than its rule's.
/// Ops: the device operators with a key.
template <class Ops> constexpr void for_each_choice(graph_view g, op_table ops, diagnosis& d, auto f) {
    const auto is_packed_each_run = [&]<class Op>(const call_view& c) {
        if constexpr (!requires { typename Op::packer; }) return false;
        else {
            const auto& packer = g[c.at(Op::packed_operand).node()];
            return is_call_of<typename Op::packer>(packer) && (!packer.constant || packer.use_count != 1);
        }
    };
    for (node_id id : g) {
        if (!d.ok()) return;
        detail::any_chosen_op<Ops>([&]<class Op>() {
            if (!is_call_of<Op>(g[id])) return false;
            const typed_call c(g, id, ops, d);
            if (c.is_given(Op::at::choice) || is_packed_each_run.template operator()<Op>(c)) return true;
            if (const auto key = Op::key(c); device::has_alternatives(key)) f.template operator()<Op>(c, key);
            return true;
        });
    }
}

/// Whether each line of a choice file has a key and a choice; whether the key allows the choice is checked by the pass.
/// line: the first malformed line.
template <class Ops> constexpr bool check_choices(const device::choice_table& all, diagnosis& d, std::int32_t& line) {
    for (const auto& one : all.lines()) {
        line = one.number;
        if (!detail::check_line<Ops>(all, one, d)) return false;
    }
    return true;
}

/// Operators::device_ops: the device operators with a key.
template <class Operators = device::builtin_operators> struct choose_kernels_pass {
    static constexpr std::string_view name = "choose_kernels";
    using ops = typename Operators::device_ops;

    static constexpr bool is_on(const config& options) {
        return !options.choices.empty() || options.kernels == kernel_set::eigen;
    }
    constexpr void operator()(graph_editor& g, const config& options) const {
        if (options.kernels == kernel_set::eigen) g.put_on_eigen();
        const device::choice_table all(options.choices);
        if (std::int32_t line = 0; !check_choices<ops>(all, g.faults(), line)) return;
        for_each_choice<ops>(g.view(), g.operators(), g.faults(), [&]<class Op>(const call_view& c, auto key) {
            using choice = typename Op::kernel_choice;
            const auto* line = all.find(device::text_of_key<Op>(key).view());
            const auto i = number_of(names_of(choice{}), line != nullptr ? line->choice : "eigen");
            const bool is_allowed = i < names_of(choice{}).size() && allows(key, static_cast<choice>(i));
            if (line == nullptr && (options.kernels != kernel_set::eigen || !is_allowed)) return;
            if (!is_allowed)
                return g.refuse_at(c.id(), fault::choice_is_impossible, device::list_choices(key),
                                   short_text(line->choice) << ", in line " << line->number << " of the choices");
            if (i == 0 || is_by_rule(key, static_cast<choice>(i))) return;
            const auto number = static_cast<std::int64_t>(i);
            if constexpr (requires { typename Op::packer; })
                if (const auto packer = c.at(Op::packed_operand).node(); is_call_of<typename Op::packer>(g[packer]))
                    g.set_integer(packer, Op::packer::at::choice, number, "choice");
            g.set_integer(c.id(), Op::at::choice, number, "choice");
        });
    }

private:
    static constexpr std::size_t number_of(array_view<const std::string_view> names, std::string_view choice) {
        std::size_t i = 0;
        while (i < names.size() && !same_name(names[i], choice)) ++i;
        return i;
    }
};
template <class Operators = device::builtin_operators> inline constexpr choose_kernels_pass<Operators> choose_kernels;

} // namespace ahead::pass
