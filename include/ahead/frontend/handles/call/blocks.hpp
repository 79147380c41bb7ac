// SPDX-License-Identifier: MIT
// A call with blocks, which are lambdas of handles that return outputs(...): each lambda is recorded once, as a block.
// Invariant: as in call.hpp, a refusal is one error at the user's line. Called by functions/control.hpp.
#pragma once
#include <ahead/frontend/handles/call.hpp>
#include <ahead/frontend/handles/trace/refusals.hpp>

namespace AHEAD_NAMESPACE::detail {

/// "true_graph_0", "true_graph_1", ...: FX's names of the classes of blocks.
template <fixed_string Base> struct numbered_names {
    static constexpr std::size_t count = 100;
    static constexpr auto chars = [] {
        std::array<std::array<char, sizeof(Base.chars) + 2>, count> out{};
        for (std::size_t i = 0; i < count; ++i) {
            auto* at = out[i].data();
            for (const char c : Base.view()) *at++ = c;
            if (i > 9) *at++ = static_cast<char>('0' + i / 10);
            *at = static_cast<char>('0' + i % 10);
        }
        return out;
    }();
    static constexpr auto all = [] {
        std::array<std::string_view, count> out{};
        for (std::size_t i = 0; i < count; ++i) out[i] = {chars[i].data(), Base.view().size() + (i > 9 ? 2 : 1)};
        return out;
    }();
};

/// The type of a tensor in separate memory, as for block parameters and results of calls.
constexpr tensor_type at_begin(tensor_type type) {
    type.offset = 0;
    return type;
}
/// A list of tensor types.
template <class... Types> struct type_list {
    static constexpr std::size_t count = sizeof...(Types);
    static constexpr bool is_known = !(std::same_as<Types, unknown> || ...);
    static constexpr std::array<tensor_type, count> all() {
        if constexpr (is_known) return {at_begin(Types::type)...};
        else return {};
    }
};
template <class, class> struct joined_types;
template <class... A, class... B> struct joined_types<type_list<A...>, type_list<B...>> {
    using type = type_list<A..., B...>;
};
/// A slice of a tensor along its first dim.
template <class Type> struct slice_port {
    static constexpr tensor_type type = [] {
        auto out = at_begin(Type::type);
        remove_dim(out, 0);
        return out;
    }();
};
template <class Type> struct slice_of {
    using type = static_type<slice_port<Type>>;
};
template <> struct slice_of<unknown> {
    using type = unknown;
};

/// The results of lambda F for tensors of these types: is_block if it returns outputs(...).
template <class F, class Given> struct block {
    static constexpr bool is_captureless = std::is_empty_v<F> && std::is_default_constructible_v<F>;
    static constexpr bool is_block = false;
    static constexpr std::size_t count = 1;
};
template <class T> struct results_as_list {
    static constexpr bool is_outputs = false;
    using type = type_list<unknown>;
};
template <class... Types> struct results_as_list<outputs<Types...>> {
    static constexpr bool is_outputs = true;
    using type = type_list<Types...>;
};
template <class F, class... Types> struct block<F, type_list<Types...>> {
    static constexpr bool is_captureless = std::is_empty_v<F> && std::is_default_constructible_v<F>;
    using result = results_as_list<std::remove_cvref_t<decltype(std::declval<const F&>()(handle<Types>{}...))>>;
    static constexpr bool is_block = result::is_outputs;
    using results = typename result::type;
    static constexpr std::size_t count = results::count;
};

constexpr short_text print_types(array_view<const tensor_type> all) {
    short_text out;
    for (std::string_view between; const auto& type : all) {
        out << between << print(type, true).view();
        between = ", ";
    }
    return out;
}
/// Refuses (block_results_differ) a block whose results do not begin with `wanted`.
template <class Op, class Found, class Wanted> struct results_differ {
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = Op::name;
        constexpr auto found = Found::all();
        constexpr auto wanted = Wanted::all();
        bool same = found.size() >= wanted.size();
        for (std::size_t k = 0; same && k < wanted.size(); ++k) same = agrees({wanted[k], true, {}}, found[k]);
        if (!same) refuse(d, fault::block_results_differ, print_types(wanted), print_types(found));
        return d;
    }();
};
/// Refuses a predicate that is not a single bool.
template <class Op, class List> struct is_predicate {
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = Op::name;
        constexpr auto all = List::all();
        if (all.size() != 1 || all[0].type != dtype::b8 || element_count(all[0]) != 1)
            refuse(d, fault::dtype_is_unsupported, "a bool to go by", print_types(all));
        return d;
    }();
};

/// The results of a call of Op, with the types `inferred`. Count: after an error, the number of results to substitute.
template <class Op, class Types> struct block_call {
    static constexpr auto types = Types::all();
    static constexpr outcome<types.size()> value = [] {
        outcome<types.size()> out;
        for (auto type : types) {
            if (may_overlap_itself(type)) make_contiguous(type); // in separate memory
            out.results[static_cast<std::size_t>(out.count++)] = {value_kind::tensor, type, -1, 0};
        }
        return out;
    }();
    static constexpr call_facts facts{
        Op::name, op_facts<Op>::base, op_facts<Op>::hash, op_facts<Op>::id, {value.results.data(), types.size()}};
};
template <class Op, class Types>
using block_call_results = many_results<block_call<Op, Types>, std::make_index_sequence<Types::count>>;

/// The return value of a call: Results if its blocks are valid, otherwise the error. Checks: results_differ,
/// is_predicate, ...
template <class Results, class Blocks, class... Checks> struct checked_blocks;
template <class Results, class... Blocks, class... Checks>
struct checked_blocks<Results, std::tuple<Blocks...>, Checks...> {
    template <class First, class... Rest> static constexpr auto first_error() {
        if constexpr (!First::error.ok()) return no_results<require<First>>{};
        else if constexpr (sizeof...(Rest) > 0) return first_error<Rest...>();
        else return Results{};
    }
    static constexpr auto choose() {
        if constexpr (!(Blocks::is_captureless && ...)) return no_results<require<captures<Results>>>{};
        else if constexpr (!(Blocks::is_block && ...))
            return no_results<result_is_outputs<(Blocks::is_block && ...)>>{};
        else if constexpr (!(Blocks::results::is_known && ...)) return no_results<nothing>{};
        else return first_error<Checks...>();
    }
    using type = decltype(choose());
};

/// Records a lambda as a block.
template <fixed_string Base, class F, class... Types>
constexpr block_id record_block(recorder& trace, type_list<Types...>, std::int32_t line) {
    constexpr const auto& parameters = numbered_names<"arg">::all;
    const auto outside = trace.where();
    const auto b = trace.enter(Base.view(), numbered_names<Base>::all, line);
    [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
        std::tuple<handle<Types>...> given{
            handle<Types>{&trace, trace.placeholder(parameters[Nth], {}, input_role::user, at_begin(Types::type))}...};
        std::apply(F{}, given);
    }(std::index_sequence_for<Types...>{});
    trace.leave(outside);
    return b;
}

/// The arguments of the call: blocks first, or after a number of tensors, then lists. pre: as in the operator's schema
struct block_arguments {
    argument* out; // null while counting
    std::int32_t next = 0, next_element = 0;

    constexpr void add(const ops::any_handle& h) {
        if (out) out[next++] = argument::of(h.node);
    }
    constexpr void add(block_id b) {
        if (out) out[next++] = {.kind = argument_kind::block, .bits = b.index};
    }
    template <class... Types> constexpr void add(const tensors<Types...>& list) {
        if (!out) return;
        out[next++] = {.kind = argument_kind::list, .children = {next_element, sizeof...(Types)}};
        for (const auto& h : list.handles) out[next_element++] = argument::of(h.node);
    }
};
template <class Results, class... Args>
constexpr typename Results::all record_block_call(recorder& trace, std::int32_t line, const Args&... args) {
    constexpr auto count = static_cast<std::int32_t>(sizeof...(Args));
    constexpr auto size = (elements_in<Args> + ... + count);
    block_arguments writer{trace.reserve(size), 0, count};
    (writer.add(args), ...);
    return Results::get_all({&trace, trace.call(Results::facts, size, count, line)}, line);
}

} // namespace ahead::detail
