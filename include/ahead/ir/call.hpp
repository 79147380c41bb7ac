// SPDX-License-Identifier: MIT
// A call with its arguments in schema order, for type rules, keys, meanings and converters.
// Invariant: it points only into the graph and the arguments that it was constructed from. Constructed after the
// arguments are bound (bind_arguments.hpp).
#pragma once
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::ir {

/// A dim or an index, where negative values count from the end.
constexpr std::int64_t wrapped(std::int64_t at, std::int64_t size) { return at < 0 ? at + size : at; }
/// The same for a dim; rank 0 counts as rank 1. pre: in range, as inference has checked
constexpr int wrapped_dim(std::int64_t dim, int rank) { return static_cast<int>(wrapped(dim, rank > 0 ? rank : 1)); }

/// A node's arguments in schema order, defaults filled in.
struct bound_arguments {
    const argument* at[max_parameters]{};
    const parameter* schema = nullptr;
};

/// A call with its arguments in schema order, for type rules, keys and converters. A parameter is identified by the
/// operator's name for it, c.integer(at::dim).
template <bool Mutable> class basic_call {
public:
    constexpr basic_call(basic_graph<Mutable> whole, node_id call, const bound_arguments& bound, diagnosis& why)
        : graph_(whole), node_(call), bound_(&bound), diagnosis_(&why) {}

    constexpr basic_graph<Mutable> in() const { return graph_; }
    constexpr node_id id() const { return node_; }
    /// Switches to another call of the graph, whose arguments are bound in the same bound_arguments.
    constexpr void rebind(node_id call) { node_ = call; }
    constexpr const argument& at(int i) const { return *bound_->at[i]; }
    constexpr bool is_given(int i) const { return at(i).kind != argument_kind::none; }
    constexpr bool is_tensor(int i) const { return at(i).kind == argument_kind::node; }
    constexpr const tensor_type& tensor(int i) const { return graph_.value_of(at(i)).type; }
    constexpr std::int64_t integer(int i) const { return at(i).integer(); }
    constexpr bool boolean(int i) const { return at(i).boolean(); }
    constexpr double real(int i) const { return to_real(at(i)); }
    constexpr dtype type(int i) const { return at(i).type(); }
    /// The number of the word given for parameter i, see number_of_word.
    constexpr std::int64_t word_number(int i) const { return number_of_word(bound_->schema[i], at(i)); }
    /// The word itself (ir/words.hpp), also if PyTorch gives it as a number.
    template <class Word> constexpr Word word(int i) const {
        return static_cast<Word>(at(i).kind == argument_kind::integer ? at(i).integer() : word_number(i));
    }
    /// A list of ints; a single int counts as a list of one, as for PyTorch's int[1] parameters. pre: at most max_rank
    /// entries, as in every int_list
    constexpr int_list ints(int i) const {
        int_list out;
        const auto& a = at(i);
        if (a.kind == argument_kind::integer) out.push_back(a.integer());
        for (std::int32_t k = 0; k < a.children.count; ++k) out.push_back(graph_[a.children[k]].integer());
        return out;
    }
    /// Entry k of such a list, which may have any length; and the length.
    constexpr std::int64_t int_at(int i, std::int32_t k) const {
        return at(i).kind == argument_kind::integer ? at(i).integer() : element(i, k).integer();
    }
    constexpr std::int32_t int_count(int i) const { return at(i).kind == argument_kind::integer ? 1 : list_size(i); }
    /// The type of result k. pre: inferred.
    constexpr const tensor_type& result_type(std::int32_t k = 0) const { return graph_.value_of(node_, k).type; }
    /// The block given for parameter i, as a separate graph.
    constexpr basic_graph<Mutable> block(int i) const { return graph_.inside(at(i).block()); }
    constexpr std::int32_t list_size(int i) const { return at(i).children.count; }
    constexpr const argument& element(int i, std::int32_t k) const { return graph_[at(i).children[k]]; }

    /// One result with a new storage.
    constexpr bool result(const tensor_type& t)
        requires Mutable
    {
        return results(1) && set(0, t);
    }
    /// One result in the storage of parameter i.
    constexpr bool view_result(const tensor_type& t, int i)
        requires Mutable
    {
        return results(1) && set_view(0, t, i);
    }
    /// For operators with several results: reserve, then set each.
    constexpr bool results(std::int64_t count)
        requires Mutable
    {
        auto& n = graph_[node_];
        if (n.values.count == count) return true; // inferred before
        return reserve_values(graph_, node_, count, *diagnosis_);
    }
    constexpr bool set(std::int32_t k, const tensor_type& t)
        requires Mutable
    {
        if (!check_type(t)) return false;
        const value_id id{graph_[node_].values.first + k};
        graph_[id] = {value_kind::tensor, t, id};
        return true;
    }
    constexpr bool set_view(std::int32_t k, const tensor_type& t, int i)
        requires Mutable
    {
        return set_view(k, t, at(i));
    }
    constexpr bool set_view(std::int32_t k, const tensor_type& t, const argument& of)
        requires Mutable
    {
        if (!check_type(t)) return false;
        graph_[graph_[node_].values[k]] = {value_kind::tensor, t, graph_.value_of(of).storage};
        return true;
    }

    constexpr bool refuse(fault what, const short_text& expected = {}, const short_text& found = {}) {
        return core::refuse(*diagnosis_, what, expected, found);
    }
    /// For a rule of a user's operator that no fault says: `c.refuse("a hop must divide the samples", ...)`.
    constexpr bool refuse(custom_rule rule, const short_text& expected = {}, const short_text& found = {}) {
        return core::refuse(*diagnosis_, rule, expected, found);
    }
    /// Refuses sizes that tensors cannot have, or entries that count or pad: what rules compute with must be looked at
    /// before.
    constexpr bool check_sizes(const int_list& sizes, std::string_view expected = "sizes from 0") {
        for (auto size : sizes)
            if (size < 0) return refuse(fault::size_is_negative, expected, short_text() << size);
        return true;
    }
    /// The check between numbers from users and the types of a graph: every result passes it, and so does every
    /// intermediate type that a rule computes with.
    constexpr bool check_type(const tensor_type& t) {
        if (is_addressable(t)) return true;
        const auto sizes = sizes_of(t);
        const bool strides_reach_too_far = is_addressable(tensor_of(t.type, sizes));
        return check_sizes(sizes) &&
               refuse(fault::tensor_is_too_large, "fewer than 2^48 elements", print(t, strides_reach_too_far));
    }
    /// A dim counted from either end, as PyTorch accepts it; rank 0 accepts 0 and -1.
    constexpr bool wrap_dim(std::int64_t dim, int rank, int& out) {
        const int n = rank > 0 ? rank : 1;
        if (dim < -n || dim >= n)
            return refuse(fault::dimension_is_out_of_range, short_text() << "a dim from " << -n << " to " << n - 1,
                          short_text() << dim);
        out = wrapped_dim(dim, rank);
        return true;
    }

    static constexpr double to_real(const argument& a) {
        return a.kind == argument_kind::real ? a.real() : static_cast<double>(a.bits);
    }

private:
    basic_graph<Mutable> graph_;
    node_id node_;
    const bound_arguments* bound_;
    diagnosis* diagnosis_;
};

} // namespace ahead::ir
