// SPDX-License-Identifier: MIT
// The parameters of a program: looked up among the weights, completed with the literals of the graph, and copied to
// where runs read them.
// Invariant: weights that do not fit are refused before anything is copied. Called by prepared_weights.hpp,
// session.hpp.
#pragma once
#include <ahead/core/nearest_name.hpp>
#include <ahead/ir/weights.hpp>
#include <ahead/runtime/launch/instantiate_kernels.hpp>
#include <ahead/runtime/launch/literals.hpp>
#include <cstring>

namespace AHEAD_NAMESPACE::runtime {

/// How weights are matched with a program's parameters.
struct prepare_options {
    /// Whether a weight whose name matches no parameter is refused or ignored; named as in PyTorch's load_state_dict. A
    /// parameter without a weight is refused either way.
    bool strict = true;
};

/// How a parameter is looked up: most programs have no name that is spelled as Python does, and need no code for it.
using find_weight = const tensor_bytes* (*)(const weights&, std::string_view);

} // namespace ahead::runtime
namespace AHEAD_NAMESPACE::detail {

inline const tensor_bytes* find_weight_of_path(const weights& from, std::string_view name) { return from.find(name); }
inline const tensor_bytes* find_weight_of_name(const weights& from, std::string_view name) {
    return from.find_named(name);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::runtime {

/// Finds every parameter in `from`, in port order; literals are not looked up. Refuses missing and superfluous weights
/// and weights of a different type; nothing has been changed then.
[[gnu::cold]] inline bool bind_weights(array_view<const runtime::prepare_input> wanted, const weights& from,
                                       const prepare_options& options, const std::byte** out, diagnosis& d,
                                       find_weight find = ahead::detail::find_weight_of_path) {
    std::size_t found = 0;
    const auto is_taken = [&](const tensor_bytes& t) {
        for (const auto& p : wanted)
            if (p.literal < 0 && p.name == t.name) return true;
        for (const auto& p : wanted) // its name may be spelled as Python does
            if (p.literal < 0 && find(from, p.name) == &t) return true;
        return false;
    };
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& [name, type, bytes, literal, copy_to, state_at] = wanted[i];
        if (literal >= 0) continue;
        const auto* tensor = find(from, name);
        d.name = name;
        if (const auto* unread = tensor ? nullptr : from.find_unread(name))
            return refuse(d, fault::weight_dtype_is_unknown, print(type), short_text(unread->dtype));
        if (!tensor) {
            nearest_name other{name}; // a name that no other parameter takes
            for (const auto& t : from)
                if (!is_taken(t)) other.offer(t.name);
            const auto* none = "no tensor of this name";
            return refuse(d, fault::weight_is_missing, print(type),
                          other.found.empty() ? none : short_text(none) << "; perhaps " << other.found);
        }
        if (tensor->type != type.type) return refuse(d, fault::weight_has_wrong_dtype, print(type), print(*tensor));
        bool same = tensor->sizes.size() == type.rank;
        for (int k = 0; same && k < type.rank; ++k) same = tensor->sizes[static_cast<std::size_t>(k)] == type.size(k);
        if (!same) return refuse(d, fault::weight_has_wrong_shape, print(type), print(*tensor));
        out[i] = tensor->bytes.data();
        ++found;
    }
    if (options.strict)
        for (const auto& tensor : from)
            if (!is_taken(tensor)) {
                d.name = std::string_view(tensor.name);
                return refuse(d, fault::weight_is_superfluous, short_text() << found << " parameters", print(tensor));
            }
    if (options.strict && !from.unread().empty()) {
        d.name = std::string_view(from.unread()[0].name);
        return refuse(d, fault::weight_is_superfluous, short_text() << found << " parameters",
                      short_text(from.unread()[0].dtype));
    }
    d.name = {};
    return true;
}

/// Adds the literals to the parameters of Program's prepare, which are in port order, and copies to the constant region
/// those that a run reads unchanged or that initialize a state.
template <class Program> void copy_parameters(const std::byte** parameters, std::byte* constants) {
    const auto& wanted = runtime::parameters<Program>::made.all;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i].literal >= 0) parameters[i] = runtime::literals<Program>::stored.bytes.data() + wanted[i].literal;
        if (wanted[i].copy_to >= 0 && wanted[i].bytes > 0)
            std::memcpy(constants + wanted[i].copy_to, parameters[i], static_cast<std::size_t>(wanted[i].bytes));
    }
}
/// The parameters of Program's prepare, in port order: those found in `from`, and literals; copied by copy_parameters.
/// Refuses what bind_weights refuses.
template <class Program>
bool place_parameters(const weights& from, const prepare_options& options, const std::byte** parameters,
                      std::byte* constants, diagnosis& d) {
    constexpr const auto& made = runtime::parameters<Program>::made;
    const auto find = made.has_paths ? ahead::detail::find_weight_of_path : ahead::detail::find_weight_of_name;
    if (!bind_weights(made.all, from, options, parameters, d, find)) return false;
    copy_parameters<Program>(parameters, constants);
    return true;
}
/// Initializes the states, Program::plan.state_bytes of memory, with the weights that the graph writes.
template <class Program> void begin_states(const std::byte* constants, std::byte* states) {
    if constexpr (Program::plan.states > 0)
        for (const auto& p : runtime::parameters<Program>::made.all)
            if (p.state_at >= 0)
                std::memcpy(states + p.state_at, constants + p.copy_to, static_cast<std::size_t>(p.bytes));
}

} // namespace ahead::runtime
