// SPDX-License-Identifier: MIT
// Branches and loops in a graph written in C++, named as torch.cond and similar functions. A block is a captureless
// lambda of handles that returns outputs(...): it receives all tensors that it needs as parameters.
//     auto [y] = cond(p, [](auto x) { return outputs(sin(x)); }, [](auto x) { return outputs(cos(x)); }, tensors(x));
// Errors of a block are those of its calls; block_results_differ if blocks do not return what the call requires.
#pragma once
#include <ahead/aten/control.hpp>
#include <ahead/frontend/handles/call/blocks.hpp>

namespace AHEAD_NAMESPACE::detail {

template <class P, class Yes, class No, class Given> struct cond_call {
    using yes = block<Yes, Given>;
    using no = block<No, Given>;
    using results =
        typename checked_blocks<block_call_results<aten::cond, typename yes::results>, std::tuple<yes, no>,
                                is_predicate<aten::cond, type_list<P>>,
                                results_differ<aten::cond, typename no::results, typename yes::results>,
                                results_differ<aten::cond, typename yes::results, typename no::results>>::type;
    using given_back = all_of<results, yes::count>;
};
template <class Test, class Body, class Carried, class Given> struct while_call {
    using all = typename joined_types<Carried, Given>::type;
    using test = block<Test, all>;
    using body = block<Body, all>;
    using results = typename checked_blocks<block_call_results<aten::while_loop, Carried>, std::tuple<test, body>,
                                            is_predicate<aten::while_loop, typename test::results>,
                                            results_differ<aten::while_loop, typename body::results, Carried>,
                                            results_differ<aten::while_loop, Carried, typename body::results>>::type;
    using given_back = all_of<results, Carried::count>;
};
/// The carry, followed by a tensor of stacked slices for each further result of the block.
template <class Results, class Carried, class First> struct scan_results {
    static constexpr std::size_t count = Results::count;
    static constexpr std::array<tensor_type, count> all() {
        auto out = Results::all();
        for (std::size_t k = Carried::count; k < count; ++k) {
            int_list sizes{First::type.size(0)};
            for (const auto size : sizes_of(out[k])) sizes.push_back(size);
            out[k] = tensor_of(out[k].type, sizes);
        }
        return out;
    }
};
template <class Combine, class Carried, class First, class Slices, class Given> struct scan_call {
    using all = typename joined_types<typename joined_types<Carried, Slices>::type, Given>::type;
    using combine = block<Combine, all>;
    using results =
        typename checked_blocks<block_call_results<aten::scan, scan_results<typename combine::results, Carried, First>>,
                                std::tuple<combine>,
                                results_differ<aten::scan, typename combine::results, Carried>>::type;
    using given_back = all_of<results, combine::count>;
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ops {

/// The results of `yes` for the tensors if pred, a bool of one element, is true, otherwise those of `no`: the same
/// number and types. A tuple.
template <class P, class Yes, class No, class... Types>
constexpr typename detail::cond_call<P, Yes, No, detail::type_list<Types...>>::given_back
cond(const handle<P>& pred, Yes, No, const tensors<Types...>& given, call_site where = call_site::current()) {
    using given_types = detail::type_list<Types...>;
    using results = typename detail::cond_call<P, Yes, No, given_types>::results;
    if constexpr (results::is_known) {
        auto& trace = *pred.trace;
        const auto line = static_cast<std::int32_t>(where.line());
        const auto first = detail::record_block<"true_graph_", Yes>(trace, given_types{}, line);
        const auto second = detail::record_block<"false_graph_", No>(trace, given_types{}, line);
        return detail::record_block_call<results>(trace, line, pred, first, second, given);
    } else {
        static_cast<void>(typename results::refusal{});
        return {};
    }
}
/// While `test` gives true, a bool of one element: carried = body(carried, given). Returns the last carried tensors, a
/// tuple. Both blocks take the carried tensors and then the given ones. Compiles with config{.loop_bound = rounds}.
template <class Test, class Body, class... Carried, class... Types>
constexpr
    typename detail::while_call<Test, Body, detail::type_list<Carried...>, detail::type_list<Types...>>::given_back
    while_loop(Test, Body, const tensors<Carried...>& carried, const tensors<Types...>& given = {},
               call_site where = call_site::current()) {
    using call = detail::while_call<Test, Body, detail::type_list<Carried...>, detail::type_list<Types...>>;
    using results = typename call::results;
    if constexpr (results::is_known) {
        auto& trace = *carried.handles[0].trace;
        const auto line = static_cast<std::int32_t>(where.line());
        const auto test = detail::record_block<"while_loop_cond_graph_", Test>(trace, typename call::all{}, line);
        const auto body = detail::record_block<"while_loop_body_graph_", Body>(trace, typename call::all{}, line);
        return detail::record_block_call<results>(trace, line, test, body, carried, given);
    } else {
        static_cast<void>(typename results::refusal{});
        return {};
    }
}
/// For each i along the first dims of xs: carry, y = combine(carry, x[i] of each of xs, given). Returns a tuple: the
/// last carry, which starts as init, and each y, stacked over all steps.
template <class Combine, class... Init, class X, class... Xs, class... Types>
constexpr typename detail::scan_call<
    Combine, detail::type_list<Init...>, X,
    detail::type_list<typename detail::slice_of<X>::type, typename detail::slice_of<Xs>::type...>,
    detail::type_list<Types...>>::given_back
scan(Combine, const tensors<Init...>& init, const tensors<X, Xs...>& xs, const tensors<Types...>& given = {},
     call_site where = call_site::current()) {
    using call =
        detail::scan_call<Combine, detail::type_list<Init...>, X,
                          detail::type_list<typename detail::slice_of<X>::type, typename detail::slice_of<Xs>::type...>,
                          detail::type_list<Types...>>;
    using results = typename call::results;
    if constexpr (results::is_known) {
        auto& trace = *xs.handles[0].trace;
        const auto line = static_cast<std::int32_t>(where.line());
        const auto combine = detail::record_block<"scan_combine_graph_", Combine>(trace, typename call::all{}, line);
        return detail::record_block_call<results>(trace, line, combine, init, xs, given);
    } else {
        static_cast<void>(typename results::refusal{});
        return {};
    }
}

} // namespace ahead::ops
