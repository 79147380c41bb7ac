// SPDX-License-Identifier: MIT
// Operators that the AI CPU runs: it evaluates the operator's meaning instead of running a kernel on the vector or cube
// unit. An ATen operator in a device graph or in a plan table is one of these; all others are called npu.*.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

constexpr std::int64_t elements_of_results(const call_view& c) {
    std::int64_t count = 0;
    for (std::int32_t k = 0; k < c.in()[c.id()].values.count; ++k) count += element_count(c.result_type(k));
    return count;
}

/// Whether an operator picks elements: it then visits only the elements that it returns.
constexpr bool picks_elements(std::string_view operator_name) {
    for (std::string_view name :
         {"embedding", "index", "index_select", "gather", "take", "select", "slice", "_unsafe_index"})
        if (same_name(base_of(operator_name), name)) return true;
    return false;
}
/// The elements that evaluating an operator visits: those of its results, and if its operands have more, those too,
/// since a window or a sum reads them all. picks: only those of its results.
constexpr std::int64_t visited_elements(const call_view& c, std::size_t parameters, bool picks) {
    std::int64_t operands = 0;
    for (int i = 0; !picks && i < static_cast<int>(parameters); ++i)
        if (c.is_tensor(i)) operands += element_count(c.tensor(i));
    const auto elements = elements_of_results(c);
    return elements + (operands > elements ? operands : 0);
}

namespace detail {
using ahead::detail::says_evaluate;
constexpr bool has_no_meaning(infer_context& c) {
    return c.refuse(fault::operator_has_no_converter, "a converter for the operator", c.in()[c.id()].target);
}
} // namespace detail

/// Op: an ATen operator struct with an evaluate (reference/evaluate.hpp). The same name, schema and type rule on the
/// device.
template <class Op> struct ai_cpu : Op {
    using meaning_of = Op;
    static constexpr bool on_ai_cpu = true;
    static constexpr effects effect{.has_side_effect = ahead::detail::effects_of<Op>.has_side_effect,
                                    .picks_results = true,
                                    .moves_elements = ahead::detail::effects_of<Op>.moves_elements,
                                    .takes_complex = ahead::detail::effects_of<Op>.takes_complex};
    static constexpr bool (&infer)(infer_context&) = detail::says_evaluate<Op> ? Op::infer : detail::has_no_meaning;
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        if constexpr (requires { Op::scratch_bytes(c); }) return Op::scratch_bytes(c);
        else return 0;
    }
    static constexpr bool picks = picks_elements(Op::name);
    static constexpr machine::work work(const call_view& c) {
        if constexpr (requires { Op::work(c); }) return Op::work(c);
        else return {.ai_cpu_elements = visited_elements(c, std::size(Op::schema), picks)};
    }
};

} // namespace ahead::device
