// SPDX-License-Identifier: MIT
// A registry is a list of operator structs and the table made from it. An operator struct has
//     static constexpr std::string_view name;     // as FX prints it after "torch.ops."
//     static constexpr parameter schema[];        // PyTorch's own parameter names and defaults
//     static constexpr bool infer(infer_context&);
// and one meaning, for the reference and for the device, unless it only makes views, is there for its side effect, or
// leaves all to its converter:
//     static constexpr void evaluate(auto& c);    // reference/evaluate.hpp
//     template <class T> static constexpr T meaning(T x, ...);    // of an aten::pointwise, and absent<T>(i) for a None
//     using functional = Op;                      // another operator, whose result is written into the first operand
// It may have
//     enum at : int { self, dim };                // the parameters by name, in the schema's order
//     static constexpr effects effect;            // where it views, mutates or has side effects
//     static constexpr std::int64_t scratch_bytes(const call_view&);    // where evaluate asks for scratch: at most
//     static constexpr bool may_overwrite(const call_view&, int i);     // result 0 may take parameter i's memory
//     static constexpr auto derivative = [](const auto& self, ...) { ... };   // its gradients, pass/derivative.hpp
//     static constexpr bool is_expensive = true;  // its meaning is a series or the C library, machine/steps.hpp
//     static constexpr machine::steps steps;       // what an element costs, exactly
//     static constexpr aten::random_draw draw(const auto& c);           // what one with effect.is_random draws
// Device operators have further members, device/device_ops.hpp. Users append operators, `using my_ops =
// aten::registry::with<my::op>;`, and pass the result wherever a registry is taken.
#pragma once
#include <ahead/core/enumerator_name.hpp>
#include <ahead/core/require.hpp>
#include <ahead/ir/op.hpp>
#include <concepts>
#include <utility>

namespace AHEAD_NAMESPACE::detail {

template <class Op> inline constexpr effects effects_of{};
template <class Op>
    requires requires { Op::effect; }
inline constexpr effects effects_of<Op> = Op::effect;

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// The members that every operator struct has. The library's structs are not checked further here
/// (tests/static/parameters.test.cpp checks them).
template <class Op>
concept operator_shaped =
    requires(infer_context& c, std::string_view name, array_view<const parameter> schema, bool ok) {
        name = Op::name;
        schema = Op::schema;
        ok = Op::infer(c);
    };

    } // namespace ahead::ir
    namespace AHEAD_NAMESPACE::detail {

    template <class Op>
    concept says_evaluate = requires {
        &Op::evaluate;
    }
    || requires { &Op::template evaluate<infer_context>; };
    template <class Op>
    concept is_pointwise = requires {
        Op::operands;
        Op::rule;
        Op::accepts;
};
template <class Op>
concept says_functional = requires { typename Op::functional; };
/// The number of meanings that an operator declares; with none it is a view, or its converter implements it.
template <class Op> inline constexpr int meanings = says_evaluate<Op> + is_pointwise<Op> + says_functional<Op>;

template <class Op>
concept members_fit =
    (!requires { Op::effect; } ||
     requires { requires std::same_as<std::remove_cvref_t<decltype(Op::effect)>, effects>; }) &&
    (!is_pointwise<Op> || // an enumerator of `at` hides a base's member of its name
     requires { requires std::same_as<decltype(Op::operands), decltype(Op::mask)>; }) &&
    (!requires { &Op::scratch_bytes; } ||
     requires(const call_view& c) { requires std::same_as<decltype(Op::scratch_bytes(c)), std::int64_t>; }) &&
    (!requires { &Op::may_overwrite; } ||
     requires(const call_view& c) { requires std::same_as<decltype(Op::may_overwrite(c, 0)), bool>; });

template <class At>
concept enumeration_of_int = std::is_enum_v<At> && requires { At{0}; };

/// Whether the enumerators of At are the schema's names, in order and complete.
template <class At, std::size_t... Nth>
constexpr bool are_names_of(array_view<const parameter> schema, std::index_sequence<Nth...>) {
    const std::string_view names[] = {enumerator_name<static_cast<At>(Nth)>()..., {}};
    for (std::size_t i = 0; i < sizeof...(Nth); ++i)
        if (!names[i].empty() && (i >= schema.size() || names[i] != schema[i].name)) return false;
    return true;
}
template <class Op, class At> constexpr bool names_agree() {
    if constexpr (!enumeration_of_int<At>) return false;
    else return are_names_of<At>(Op::schema, std::make_index_sequence<std::size(Op::schema) + 1>{});
}
template <class Op>
concept names_parameters = !requires { typename Op::at; } || names_agree<Op, typename Op::at>();

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// The contract in the comment at the beginning of this file.
template <class Op>
concept operator_like =
    operator_shaped<Op> && detail::meanings<Op> <= 1 && detail::members_fit<Op> && detail::names_parameters<Op>;
/// If Op does not satisfy the contract, one error that states it.
template <class Op, bool IsOne = operator_like<Op>> struct checked_operator {
    static constexpr bool is_whole = operator_shaped<Op>, has_one_meaning = detail::meanings<Op> <= 1,
                          fits = detail::members_fit<Op>;
    static_assert(
        is_whole,
        "an operator struct has: static constexpr std::string_view name; static constexpr parameter schema[]; "
        "static constexpr bool infer(infer_context&)");
    static_assert(!is_whole || has_one_meaning,
                  "an operator has one meaning at most: static constexpr void evaluate(auto& c); or the meaning of an "
                  "aten::pointwise; or using functional = another operator");
    static_assert(
        !is_whole || !has_one_meaning || fits,
        "an operator may have: static constexpr effects effect; std::int64_t scratch_bytes(const call_view&); "
        "bool may_overwrite(const call_view&, int); and no parameter that hides a pointwise one's operands or mask");
    static_assert(!is_whole || !has_one_meaning || !fits || IsOne,
                  "an operator may name its parameters: enum at : int { ... }, with the names of its schema in their "
                  "order");
};
template <class Op> struct checked_operator<Op, true> {};

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

/// A substitute for an operator that violates the contract, so that no second error follows.
template <class Op> struct refused_operator {
    static constexpr std::string_view name{};
    static constexpr array_view<const parameter> schema{};
    static constexpr bool infer(infer_context&) { return false; }
};
template <operator_shaped Op> struct refused_operator<Op> {
    static constexpr std::string_view name = Op::name;
    static constexpr array_view<const parameter> schema = Op::schema;
    static constexpr bool infer(infer_context& c) { return Op::infer(c); }
};
template <class Op> struct kept_operator {
    using type = std::conditional_t<is_reported<checked_operator<Op>>, refused_operator<Op>, Op>;
};
template <operator_like Op> struct kept_operator<Op> {
    using type = Op;
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

template <class Op> constexpr op_row row_of() {
    static_assert(std::size(Op::schema) <= max_parameters, "an operator has no more parameters than max_parameters");
    return {Op::name, Op::schema, &Op::infer, detail::effects_of<Op>, detail::is_pointwise<Op>};
}

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

template <std::size_t Nth, class Op> struct indexed_op { using type = Op; };
template <class Sequence, class... Ops> struct op_index;
template <std::size_t... Nth, class... Ops>
struct op_index<std::index_sequence<Nth...>, Ops...> : indexed_op<Nth, Ops>... {};
template <std::size_t Nth, class Op> indexed_op<Nth, Op> op_at(const indexed_op<Nth, Op>&);

/// Computes the positions of rows sorted by name length, with a counting sort.
constexpr void sort_rows(const op_row* rows, std::uint16_t* position, std::size_t size) {
    constexpr std::size_t longest = 255; // a longer name is not a constant expression
    std::uint16_t next[longest + 2]{};
    for (std::size_t i = 0; i < size; ++i) ++next[rows[i].name.size() + 1];
    for (std::size_t i = 1; i <= longest; ++i) next[i] = static_cast<std::uint16_t>(next[i] + next[i - 1]);
    for (std::size_t i = 0; i < size; ++i) position[next[rows[i].name.size()]++] = static_cast<std::uint16_t>(i);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// The operator struct at a position of a list. A member template of the list would be copied for each Nth, and g++ 12
/// searches all of its free memory for each copy of more than 512 operators: half of the compile time for a graph of
/// thousands.
template <class List, std::size_t Nth>
using op_of = typename decltype(detail::op_at<Nth>(std::declval<typename List::index>()))::type;

template <class... Ops> struct op_list {
    static constexpr std::size_t size = sizeof...(Ops);
    template <class... More> using with = op_list<Ops..., typename detail::kept_operator<More>::type...>;
    using index = detail::op_index<std::index_sequence_for<Ops...>, Ops...>;
    /// The same for a short list.
    template <std::size_t Nth> using at = op_of<op_list, Nth>;

private:
    struct sorted {
        op_row rows[size];
        std::uint16_t position[size]; // by row: the operator's position in the list
    };
    static constexpr sorted sorted_ = []<std::size_t... Nth>(std::index_sequence<Nth...>) {
        const op_row rows[] = {
            {Ops::name, Ops::schema, &Ops::infer, detail::effects_of<Ops>, detail::is_pointwise<Ops>}...};
        std::uint16_t position[size]{};
        detail::sort_rows(rows, position, size);
        return sorted{{rows[position[Nth]]...}, {position[Nth]...}};
    }(std::make_index_sequence<size>{});

public:
    /// One row per operator, sorted for find_op; an op_id is an index into it.
    static constexpr op_table table{sorted_.rows, size};
    /// Maker::of<Op> for every operator, in the order of the table's rows.
    template <class Maker>
    static constexpr auto rows_of = [] {
        using entry = std::remove_const_t<decltype(Maker::template of<at<0>>)>; // spelled out: clang deduces no array
                                                                                // of over 256 elements
        const std::array<entry, size> in_list_order{Maker::template of<Ops>...};
        auto by_row = in_list_order;
        for (std::size_t place = 0; place < size; ++place) by_row[place] = in_list_order[sorted_.position[place]];
        return by_row;
    }();
    /// The list position of a row: at<position_of(id)> is its operator.
    static constexpr std::size_t position_of(op_id id) { return sorted_.position[static_cast<std::size_t>(id.index)]; }
};

/// Maker::of<Op> for the operator of List that has this name; null if none has.
template <class List, class Maker> constexpr const auto* find_made(std::string_view name) {
    const auto op = find_op(List::table, name);
    return op.exists() ? &List::template rows_of<Maker>[static_cast<std::size_t>(op.index)] : nullptr;
}

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

/// Joins lists of any one template. In large steps, because every step creates a new name.
template <class... Lists> struct joined;
template <template <class...> class List, class... A> struct joined<List<A...>> {
    using type = List<A...>;
};
template <template <class...> class List, class... A, class... B, class... Rest>
struct joined<List<A...>, List<B...>, Rest...> : joined<List<A..., B...>, Rest...> {};
template <template <class...> class List, class... A, class... B, class... C, class... D, class... E, class... F,
          class... G, class... H, class... Rest>
struct joined<List<A...>, List<B...>, List<C...>, List<D...>, List<E...>, List<F...>, List<G...>, List<H...>, Rest...>
    : joined<List<A..., B..., C..., D..., E..., F..., G..., H...>, Rest...> {};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// Joins several lists: of operators, of converters, of decompositions.
template <class... Lists> using join = typename detail::joined<Lists...>::type;

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::op_list;
} // namespace ahead
