// SPDX-License-Identifier: MIT
// Typed handles, with which users write graphs in C++. The type of a handle contains the full tensor type: dtype, sizes
// and strides, flat, so two tensors of one type have handles of one type, however they were computed. The value of a
// handle identifies the node in the current trace.
// Invariant: outside of trace() a handle refers to nothing.
#pragma once
#include <ahead/ir/node.hpp>
#include <ahead/ir/type/static_type.hpp>
#include <source_location>

namespace AHEAD_NAMESPACE::frontend {

class recorder; // record.hpp

/// The source location of a user's call, as a function's last, defaulted parameter.
using call_site = std::source_location;

/// The type of a refused call's result: every further use of it is accepted and records nothing.
struct unknown {};

/// The type of the operands of a rewrite rule (pass/rewrite.hpp): calls with them are recorded but not typed.
struct anything {
    static constexpr tensor_type type{};
};

} // namespace ahead::frontend
/// The functions on handles. Argument-dependent lookup finds them here, in the namespace of a handle's base: relu(x)
/// needs no using-declaration, and names such as abs and div cannot collide with the user's own.
namespace AHEAD_NAMESPACE::ops {

/// A node of the current trace, of any type.
struct any_handle {
    frontend::recorder* trace = nullptr;
    ir::node_id node;
};
/// Several of them (tensors in call_arguments.hpp).
struct any_handles {};

} // namespace ahead::ops
namespace AHEAD_NAMESPACE::frontend {

template <class T>
concept number = std::is_arithmetic_v<T>;

template <class Type> struct handle;

/// An operand of + - * / with its source location. An operator can obtain the location only by a conversion of an
/// operand; so the operators on two handles are friends with one parameter that is not deduced.
template <class Type> struct operand {
    const handle<Type>& tensor;
    call_site where;
    constexpr operand(const handle<Type>& t, call_site at = call_site::current()) : tensor(t), where(at) {}
};

/// A tensor of type dense<...> or strided<...> in the graph being traced.
template <class Type> struct handle : ops::any_handle {
    constexpr handle() = default;
    constexpr handle(recorder* recording, node_id id) : ops::any_handle{recording, id} {}
    static constexpr const tensor_type& type() { return Type::type; }

    // add, sub, mul and div are in functions/pointwise/arithmetic.hpp, the operators with numbers in operators.hpp in
    // the same folder.
    template <class Other> friend constexpr auto operator+(operand<Type> a, const handle<Other>& b) {
        return add(a.tensor, b, a.where);
    }
    template <class Other> friend constexpr auto operator-(operand<Type> a, const handle<Other>& b) {
        return sub(a.tensor, b, a.where);
    }
    template <class Other> friend constexpr auto operator*(operand<Type> a, const handle<Other>& b) {
        return mul(a.tensor, b, a.where);
    }
    template <class Other> friend constexpr auto operator/(operand<Type> a, const handle<Other>& b) {
        return div(a.tensor, b, a.where);
    }
};

/// A parameter of a traced lambda: a tensor passed to every run.
template <fixed_string Name, class Type> struct input : handle<Type> {
    static constexpr input_role role = input_role::user;
    static constexpr fixed_string name = Name;
    static constexpr std::string_view weight{};
    using tensor = Type;
    constexpr input(recorder* recording, node_id id) : handle<Type>(recording, id) {}
};

/// A parameter of a traced lambda: a tensor of the weight file, for example "fc1.weight". Its node is called
/// "p_fc1_weight" (parameter), "b_..." (buffer) or "c_..." (constant), as in torch.export.
template <fixed_string Name, class Type, input_role Role = input_role::parameter> struct param : handle<Type> {
    static constexpr input_role role = Role;
    static constexpr fixed_string weight_name = Name;
    static constexpr auto name = [] {
        char chars[sizeof(Name.chars) + 2]{Role == input_role::parameter ? 'p'
                                           : Role == input_role::buffer  ? 'b'
                                                                         : 'c',
                                           '_'};
        for (std::size_t place = 0; place < sizeof(Name.chars); ++place)
            chars[place + 2] = Name.chars[place] == '.' ? '_' : Name.chars[place];
        return fixed_string<sizeof(chars)>(chars);
    }();
    static constexpr std::string_view weight = weight_name.view();
    using tensor = Type;
    constexpr param(recorder* recording, node_id id) : handle<Type>(recording, id) {}
};

} // namespace ahead::frontend

namespace AHEAD_NAMESPACE {
using frontend::anything, frontend::call_site, frontend::handle, frontend::input, frontend::param;
} // namespace ahead
