// SPDX-License-Identifier: MIT
// Control flow: calls that hold blocks, as torch.cond, torch.while_loop and scan are exported. Each block is compiled
// as a separate program (compile/compiled_block.hpp). Source: torch/_higher_order_ops/cond.py, while_loop.py, scan.py.
// Invariant: results have separate memory, whatever a block returns.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Refuses (block_results_differ) a block that returns anything other than tensors.
constexpr bool check_results(infer_context& c, int block) {
    const auto in = c.block(block);
    const auto all = returned_by(in);
    for (std::int32_t k = 0; k < all.count; ++k)
        if (!ahead::detail::is_tensor_argument(in, in[all[k]]))
            return c.refuse(fault::block_results_differ,
                            short_text("tensors returned by ") << print(in[in.own()].name).view(),
                            ahead::detail::spelled(in[all[k]].kind));
    return true;
}
/// Whether t is a bool of one element, which a branch or a loop can depend on.
constexpr bool check_is_bool(infer_context& c, const tensor_type& t, std::string_view what) {
    if (t.type != dtype::b8) return c.refuse(fault::dtype_is_unsupported, short_text("a bool as ") << what, print(t));
    return element_count(t) == 1 ||
           c.refuse(fault::element_counts_differ, short_text("1 element in ") << what, print(t));
}
/// The type of result k that a block returns. pre: check_results
constexpr tensor_type returned_type(const infer_context& c, int block, std::int32_t k) {
    const auto in = c.block(block);
    auto type = in.value_of(in[returned_by(in)[k]]).type;
    type.offset = 0;
    return type;
}

/// Sets the types of the first results, the carried ones, to the types of the tensors of `list`. Refuses
/// (block_results_differ) a block that returns other types. pre: check_results, and the results are reserved
constexpr bool set_carried(infer_context& c, int list, int block) {
    const auto body = c.block(block);
    for (std::int32_t k = 0; k < c.list_size(list); ++k) {
        auto type = c.in().value_of(c.element(list, k)).type;
        type.offset = 0;
        const auto next = returned_type(c, block, k);
        if (!agrees({type, true, {}}, next))
            return c.refuse(fault::block_results_differ,
                            print(type, true) << " as result " << k << " of " << print(body[body.own()].name).view()
                                              << ", as is carried",
                            print(next, true));
        if (!c.set(k, type)) return false;
    }
    return true;
}

} // namespace detail

/// higher_order.cond(Tensor pred, true_fn, false_fn, Tensor[] operands) -> Tensor[]: true_fn(operands) if pred, a bool
/// of one element, is true, else false_fn(operands). Both blocks take all operands and return the same number of
/// tensors, of equal dtypes, sizes and strides. Errors: block_parameters_differ, block_results_differ.
struct cond {
    static constexpr std::string_view name = "higher_order.cond"sv;
    enum at : int { pred, true_fn, false_fn, operands };
    static constexpr parameter schema[] = {
        required("pred", parameter_kind::tensor), required("true_fn", parameter_kind::block),
        required("false_fn", parameter_kind::block), required("operands", parameter_kind::tensor_list)};
    static constexpr effects effect{.blocks_take = at::operands, .blocks_keep = at::operands};
    static constexpr bool infer(infer_context& c) {
        if (!detail::check_is_bool(c, c.tensor(at::pred), "pred") || !detail::check_results(c, at::true_fn) ||
            !detail::check_results(c, at::false_fn))
            return false;
        const auto yes = c.block(at::true_fn), no = c.block(at::false_fn);
        const auto count = returned_by(yes).count, others = returned_by(no).count;
        if (count != others)
            return c.refuse(fault::block_results_differ,
                            short_text() << count << " results, as of " << print(yes[yes.own()].name).view(),
                            short_text() << others << " of " << print(no[no.own()].name).view());
        if (!c.results(count)) return false;
        for (std::int32_t k = 0; k < count; ++k) {
            auto type = detail::returned_type(c, at::true_fn, k);
            const auto other = detail::returned_type(c, at::false_fn, k);
            if (!agrees({type, true, {}}, other)) {
                const bool strides = type.type == other.type && sizes_of(type) == sizes_of(other);
                return c.refuse(fault::block_results_differ,
                                print(type, strides) << " as result " << k << " of " << print(no[no.own()].name).view()
                                                     << ", as of " << print(yes[yes.own()].name).view(),
                                print(other, strides));
            }
            if (may_overlap_itself(type)) make_contiguous(type); // an expanded tensor gets separate memory
            if (!c.set(k, type)) return false;
        }
        return true;
    }
};

/// higher_order.while_loop(cond_fn, body_fn, Tensor[] carried_inputs, Tensor[] additional_inputs) -> Tensor[]: while
/// cond_fn returns true, a bool of one element, carried = body_fn(carried, additional). Both blocks take the carried
/// and the additional inputs; body_fn returns the carried ones, with their dtypes, sizes and strides. Errors: those of
/// cond.
struct while_loop {
    static constexpr std::string_view name = "higher_order.while_loop"sv;
    enum at : int { cond_fn, body_fn, carried_inputs, additional_inputs };
    static constexpr parameter schema[] = {required("cond_fn", parameter_kind::block),
                                           required("body_fn", parameter_kind::block),
                                           required("carried_inputs", parameter_kind::tensor_list),
                                           required("additional_inputs", parameter_kind::tensor_list)};
    static constexpr effects effect{
        .blocks_take = at::carried_inputs, .blocks_keep = at::additional_inputs, .blocks_carry = at::body_fn};
    static constexpr bool infer(infer_context& c) {
        if (!detail::check_results(c, at::cond_fn) || !detail::check_results(c, at::body_fn)) return false;
        const auto test = c.block(at::cond_fn), body = c.block(at::body_fn);
        const auto carried = c.list_size(at::carried_inputs);
        if (const auto all = returned_by(test); all.count != 1)
            return c.refuse(fault::block_results_differ,
                            short_text("1 result of ") << print(test[test.own()].name).view(),
                            short_text() << all.count);
        if (const auto all = returned_by(body); all.count != carried)
            return c.refuse(fault::block_results_differ,
                            short_text() << carried << " results of " << print(body[body.own()].name).view()
                                         << ", as many as are carried",
                            short_text() << all.count);
        if (!detail::check_is_bool(c, detail::returned_type(c, at::cond_fn, 0), print(test[test.own()].name).view()) ||
            !c.results(carried))
            return false;
        return detail::set_carried(c, at::carried_inputs, at::body_fn);
    }
};

/// higher_order.scan(combine_fn, Tensor[] init, Tensor[] xs, Tensor[] additional_inputs) -> Tensor[]: for each i of the
/// first dim of xs, in order: carry, y = combine_fn(carry, x[i] of each of xs, additional). The carry begins as init.
/// Returns the last carry and the y of all steps, stacked to [steps, ...], row-major. combine_fn returns the carry
/// first, with init's dtypes, sizes and strides. Errors: those of cond; block_parameters_differ if the first dims of xs
/// differ or xs is empty.
struct scan {
    static constexpr std::string_view name = "higher_order.scan"sv;
    enum at : int { combine_fn, init, xs, additional_inputs };
    static constexpr parameter schema[] = {
        required("combine_fn", parameter_kind::block), required("init", parameter_kind::tensor_list),
        required("xs", parameter_kind::tensor_list), required("additional_inputs", parameter_kind::tensor_list)};
    static constexpr effects effect{.blocks_take = at::init,
                                    .blocks_slice = at::xs,
                                    .blocks_keep = at::additional_inputs,
                                    .blocks_carry = at::combine_fn};
    static constexpr bool infer(infer_context& c) {
        if (!detail::check_results(c, at::combine_fn)) return false;
        if (c.list_size(at::xs) == 0) return c.refuse(fault::block_parameters_differ, "xs to go along", "none");
        std::int64_t steps = -1;
        for (std::int32_t k = 0; k < c.list_size(at::xs); ++k) {
            const auto size = c.in().value_of(c.element(at::xs, k)).type.size(0);
            if (steps >= 0 && size != steps)
                return c.refuse(fault::block_parameters_differ, short_text() << steps << " slices of each of xs",
                                short_text() << size);
            steps = size;
        }
        const auto body = c.block(at::combine_fn);
        const auto carried = c.list_size(at::init), all = returned_by(body).count;
        if (all < carried)
            return c.refuse(fault::block_results_differ,
                            short_text("at least ")
                                << carried << " results of " << print(body[body.own()].name).view() << ", the carry",
                            short_text() << all);
        if (!c.results(all) || !detail::set_carried(c, at::init, at::combine_fn)) return false;
        for (std::int32_t k = carried; k < all; ++k) {
            const auto one = detail::returned_type(c, at::combine_fn, k);
            if (one.rank == max_rank)
                return c.refuse(fault::rank_is_wrong, short_text() << "at most " << max_rank - 1 << " dims",
                                print(one));
            int_list sizes;
            sizes.push_back(steps);
            for (const auto size : sizes_of(one)) sizes.push_back(size);
            if (!c.set(k, tensor_of(one.type, sizes))) return false;
        }
        return true;
    }
};

using control_ops = op_list<cond, while_loop, scan>;

} // namespace ahead::aten
