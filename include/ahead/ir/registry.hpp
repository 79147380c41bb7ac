// SPDX-License-Identifier: MIT
// A registry is a list of operator structs and the table made from it. An operator struct has
//     static constexpr std::string_view name;   // as FX prints it after "torch.ops."
//     static constexpr parameter schema[];      // PyTorch's own parameter names and defaults
//     static constexpr bool infer(infer_context&);
//     static constexpr effects effect;          // only where it views, mutates or has side effects
// and `static constexpr void evaluate(auto& c)`, its naive meaning (reference/evaluate.hpp): for the reference
// interpreter, and for the AI CPU. Users append theirs: `using my_ops = aten::registry::with<my::op>;` and pass it
// where a registry is taken.
#pragma once
#include <ahead/ir/op.hpp>
#include <utility>

namespace AHEAD_NAMESPACE {

namespace detail {
template <class Op> inline constexpr effects effects_of{};
template <class Op>
    requires requires { Op::effect; }
inline constexpr effects effects_of<Op> = Op::effect;

constexpr void complete_row(op_row& row) {
    const char* text = row.name.data();
    row.picks_results = row.effect.picks_results || (text[0] == 'o' && same_name(row.name, "operator.getitem")) ||
                        (text[0] == 'n' && text[1] == 'p' && text[2] == 'u' && text[3] == '.');
}
} // namespace detail

/// What every operator struct has.
template <class Op>
concept operator_like = requires(infer_context& c, std::string_view name, array_view<const parameter> schema, bool ok) {
    name = Op::name;
    schema = Op::schema;
    ok = Op::infer(c);
};
/// A user's operator, or one error that says what an operator struct is.
template <class Op, bool IsOne = operator_like<Op>> struct checked_operator {
    static_assert(
        IsOne, "an operator struct has: static constexpr std::string_view name; static constexpr parameter schema[]; "
               "static constexpr bool infer(infer_context&)");
    struct type { // in its place, so that no second error follows
        static constexpr std::string_view name{};
        static constexpr array_view<const parameter> schema{};
        static constexpr bool infer(infer_context&) { return false; }
    };
};
template <class Op> struct checked_operator<Op, true> {
    using type = Op;
};

template <class Op> constexpr op_row row_of() {
    op_row row{Op::name, Op::schema, &Op::infer, detail::effects_of<Op>};
    detail::complete_row(row);
    return row;
}

namespace detail {
template <std::size_t I, class Op> struct indexed_op {
    using type = Op;
};
template <class Sequence, class... Ops> struct op_index;
template <std::size_t... I, class... Ops> struct op_index<std::index_sequence<I...>, Ops...> : indexed_op<I, Ops>... {};
template <std::size_t I, class Op> indexed_op<I, Op> op_at(const indexed_op<I, Op>&);
} // namespace detail

namespace detail {
/// The places of rows sorted by the length of their names, by counting.
constexpr void sort_rows(const op_row* rows, std::uint16_t* position, std::size_t size) {
    constexpr std::size_t longest = 255; // a longer name is no constant expression
    std::uint16_t next[longest + 2]{};
    for (std::size_t i = 0; i < size; ++i) ++next[rows[i].name.size() + 1];
    for (std::size_t i = 1; i <= longest; ++i) next[i] = static_cast<std::uint16_t>(next[i] + next[i - 1]);
    for (std::size_t i = 0; i < size; ++i) position[next[rows[i].name.size()]++] = static_cast<std::uint16_t>(i);
}
} // namespace detail

template <class... Ops> struct op_list {
    static constexpr std::size_t size = sizeof...(Ops);
    template <class... More> using with = op_list<Ops..., typename checked_operator<More>::type...>;
    /// The operator struct at a position of the list.
    template <std::size_t I>
    using at = typename decltype(detail::op_at<I>(
        std::declval<detail::op_index<std::index_sequence_for<Ops...>, Ops...>>()))::type;

private:
    struct sorted {
        std::array<op_row, size> rows{};
        std::array<std::uint16_t, size> position{}; // of the row's operator in the list
    };
    static constexpr sorted sort() {
        sorted out;
        op_row rows[] = {{Ops::name, Ops::schema, &Ops::infer, detail::effects_of<Ops>}...};
        for (auto& row : rows) detail::complete_row(row);
        std::uint16_t position[size]{};
        detail::sort_rows(rows, position, size);
        for (std::size_t i = 0; i < size; ++i) {
            out.rows[i] = rows[position[i]];
            out.position[i] = position[i];
        }
        return out;
    }
    static constexpr sorted sorted_ = sort();

public:
    /// One row per operator, sorted for find_op; an op_id is an index into it.
    static constexpr op_table table{sorted_.rows};
    /// Maker::of<Op> for every operator, in the order of the table's rows.
    template <class Maker> static constexpr auto rows_of = [] {
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

namespace detail {
template <class... Lists> struct joined;
template <class... A> struct joined<op_list<A...>> {
    using type = op_list<A...>;
};
template <class... A, class... B, class... Rest> struct joined<op_list<A...>, op_list<B...>, Rest...>
    : joined<op_list<A..., B...>, Rest...> {};
template <class... A, class... B, class... C, class... D, class... E, class... F, class... G, class... H, class... Rest>
struct joined<op_list<A...>, op_list<B...>, op_list<C...>, op_list<D...>, op_list<E...>, op_list<F...>, op_list<G...>,
              op_list<H...>, Rest...> : joined<op_list<A..., B..., C..., D..., E..., F..., G..., H...>, Rest...> {
}; // in large steps, because every step is a name of its own
} // namespace detail

/// Several lists as one.
template <class... Lists> using join = typename detail::joined<Lists...>::type;

} // namespace ahead
