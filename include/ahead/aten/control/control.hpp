// SPDX-License-Identifier: MIT
// Control flow: calls that hold blocks, as torch.cond and torch.while_loop are exported. Read, typed, verified and
// printed; nothing runs them yet (control_flow_is_not_run). Source: torch/_higher_order_ops/cond.py, while_loop.py.
// Invariant: results have memory of their own, whatever a block returns.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Refuses (block_results_differ) a block that returns anything but tensors.
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
/// Whether it is one bool, which a branch or a loop can hang on.
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

} // namespace detail

/// higher_order.cond(Tensor pred, true_fn, false_fn, Tensor[] operands) -> Tensor[]: what true_fn returns of the
/// operands where pred, a bool of one element, is true, else what false_fn does. Both take all operands and return as
/// many tensors as each other, of equal dtypes, sizes and strides. Errors: block_parameters_differ,
/// block_results_differ.
struct cond {
    static constexpr std::string_view name = "higher_order.cond";
    enum at : int { pred, true_fn, false_fn, operands };
    static constexpr parameter schema[] = {
        required("pred", parameter_kind::tensor), required("true_fn", parameter_kind::block),
        required("false_fn", parameter_kind::block), required("operands", parameter_kind::tensor_list)};
    static constexpr effects effect{.blocks_take = at::operands};
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
            const auto type = detail::returned_type(c, at::true_fn, k),
                       other = detail::returned_type(c, at::false_fn, k);
            if (!agrees({type, true, {}}, other)) {
                const bool strides = type.type == other.type && sizes_of(type) == sizes_of(other);
                return c.refuse(fault::block_results_differ,
                                print(type, strides) << " as result " << k << " of " << print(no[no.own()].name).view()
                                                     << ", as of " << print(yes[yes.own()].name).view(),
                                print(other, strides));
            }
            if (!c.set(k, type)) return false;
        }
        return true;
    }
};

/// higher_order.while_loop(cond_fn, body_fn, Tensor[] carried_inputs, Tensor[] additional_inputs) -> Tensor[]: as long
/// as cond_fn gives true, a bool of one element, carried = body_fn(carried, additional). Both blocks take the carried
/// and the additional ones; body_fn returns as many as are carried, of their dtypes, sizes and strides. Errors: as
/// cond's.
struct while_loop {
    static constexpr std::string_view name = "higher_order.while_loop";
    enum at : int { cond_fn, body_fn, carried_inputs, additional_inputs };
    static constexpr parameter schema[] = {required("cond_fn", parameter_kind::block),
                                           required("body_fn", parameter_kind::block),
                                           required("carried_inputs", parameter_kind::tensor_list),
                                           required("additional_inputs", parameter_kind::tensor_list)};
    static constexpr effects effect{.blocks_take = at::carried_inputs};
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
        for (std::int32_t k = 0; k < carried; ++k) {
            auto type = c.in().value_of(c.element(at::carried_inputs, k)).type;
            type.offset = 0;
            const auto next = detail::returned_type(c, at::body_fn, k);
            if (!agrees({type, true, {}}, next))
                return c.refuse(fault::block_results_differ,
                                print(type, true) << " as result " << k << " of " << print(body[body.own()].name).view()
                                                  << ", as is carried",
                                print(next, true));
            if (!c.set(k, type)) return false;
        }
        return true;
    }
};

using control_ops = op_list<cond, while_loop>;

} // namespace ahead::aten
