// SPDX-License-Identifier: MIT
// Several kernels for one key. An operator that has them has
//     using kernel_choice = E;              // an enumeration, whose 0 is by_rule, the kernel that the key selects
//     enum at : int { ..., choice };        // its optional parameter that selects another, which key() reads;
//                                           // a converter gives None for it
//     static constexpr operand_sizes operands(const K&);     // what tuning measures the kernels on
// its key K has the member `choice`, and the functions of these names, found by argument-dependent lookup, say
//     array_view<const std::string_view> names_of(E);        // the names of the choices
//     bool allows(const K&, E);                              // whether the key may have that kernel
//     bool is_by_rule(const K&, E);                          // whether it is the kernel of the rule; pre: allowed
// If its weights are packed by another operator, it also has
//     using packer = Packer;                // a device operator with the parameter `choice`
//     static constexpr int packed_operand = at::b;
// Invariant: all kernels of a key give the same result, within the documented errors.
// A choice is one of the key: a bounded call with a dynamic extent runs its dynamic kernel (kernels/dynamic/) at any
// size.
// Called by pass/device/choose_kernels.hpp, which sets choices, and by tune/, which measures them.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/call.hpp>

namespace AHEAD_NAMESPACE::device {

/// The operands of a call for its key, in elements; 0: it has none of that kind.
struct operand_sizes {
    dtype type = dtype::f32;
    std::int64_t x = 0, weight = 0, bias = 0, out = 0;
    std::int64_t packed = 0;  // of packed weights; 0: they are read as they are
    std::int64_t columns = 0; // that an operand of the epilogue with one element for each column has
};

/// The kernel that parameter i selects; the rule's if it is absent.
template <class Choice> constexpr Choice choice_of(const auto& c, int i) {
    return c.is_given(i) ? static_cast<Choice>(c.integer(i)) : Choice::by_rule;
}

template <class Key>
requires requires(Key& key) { key.choice; }
constexpr auto& choice_in(Key& key) { return key.choice; }

/// The choices of an operator with one tuned kernel.
enum class single_choice : std::uint8_t {
    by_rule,
    eigen, ///< on Eigen's arrays (kernels/eigen/)
};
inline constexpr std::string_view single_choice_names[] = {"by_rule", "eigen"};
constexpr array_view<const std::string_view> names_of(single_choice) { return single_choice_names; }
/// A key that has them says with takes_eigen(key) whether there is the second one.
template <class Key> constexpr bool allows(const Key& key, single_choice choice) {
    return choice == single_choice::by_rule || takes_eigen(key);
}
template <class Key> constexpr bool is_by_rule(const Key&, single_choice choice) {
    return choice == single_choice::by_rule;
}

template <class Op>
concept has_kernel_choice = requires {
    typename Op::kernel_choice;
};

/// Whether keys of the operator may have the choice `eigen`. graph_choice: of an operator for whose calls the graph says
/// it (graph_header::on_eigen), not a parameter.
template <class Op>
concept may_be_on_eigen = requires { Op::kernel_choice::eigen; } || requires { Op::graph_choice::eigen; };
/// Whether the call has Eigen's kernel.
template <may_be_on_eigen Op> constexpr bool is_on_eigen(const call_view& c) {
    auto key = Op::key(c);
    const auto choice = choice_in(key);
    return choice == decltype(choice)::eigen;
}

/// Whether `choice` is a kernel that the key allows and that differs from the one its rule selects.
template <class Key> constexpr bool is_alternative(const Key& key, auto choice) {
    return allows(key, choice) && !is_by_rule(key, choice);
}
template <class Key> constexpr bool has_alternatives(Key key) {
    using choice = std::remove_cvref_t<decltype(choice_in(key))>;
    for (std::size_t i = 1; i < names_of(choice{}).size(); ++i)
        if (is_alternative(key, static_cast<choice>(i))) return true;
    return false;
}
/// Whether tuning measures the key: it has a kernel other than the rule's and Eigen's.
template <class Key> constexpr bool is_tuned(Key key) {
    using choice = std::remove_cvref_t<decltype(choice_in(key))>;
    for (std::size_t i = 1; i < names_of(choice{}).size(); ++i)
        if (names_of(choice{})[i] != "eigen" && is_alternative(key, static_cast<choice>(i))) return true;
    return false;
}
/// The choices that the key allows, as "by_rule, filters_by_1".
template <class Key> constexpr short_text list_choices(Key key) {
    using choice = std::remove_cvref_t<decltype(choice_in(key))>;
    short_text out;
    for (std::size_t i = 0; i < names_of(choice{}).size(); ++i)
        if (allows(key, static_cast<choice>(i))) out << (i == 0 ? "" : ", ") << names_of(choice{})[i];
    return out;
}

} // namespace ahead::device
