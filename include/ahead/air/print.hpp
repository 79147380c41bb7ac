// SPDX-License-Identifier: MIT
// air.print: the graph form of torchair.ops.npu_print. It has no result that a node could read, but it is not pruned
// (has_side_effect). It stays in program order and sees its tensors as they are at that point, before or after an
// in-place operator.
// Invariant: the number of placeholders equals the number of tensors. The reference does not print; kernels/print.hpp
// does.
#pragma once
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::air {

/// The number of occurrences of `what` in the text.
constexpr std::int32_t count_in(std::string_view text, std::string_view what) {
    std::int32_t count = 0;
    for (std::size_t at = 0; !what.empty() && (at = text.find(what, at)) != text.npos; at += what.size()) ++count;
    return count;
}

/// air.print(Tensor[] tensors, str msg_format, str placeholder, int summarize_size, bool tensor_detail=False) -> ():
/// prints one line, the format with its placeholders replaced by the tensors. Of dims with more than 2 * summarize_size
/// elements only those at the ends are shown; -1 shows all. With tensor_detail a tensor is shown with its dtype and
/// shape: tensor([1 2], dtype=torch.float32, shape=[2]).
struct print {
    static constexpr std::string_view name = "air.print.default"sv;
    enum at : int { tensors, msg_format, placeholder, summarize_size, tensor_detail };
    static constexpr parameter schema[] = {
        required("tensors", parameter_kind::tensor_list), required("msg_format", parameter_kind::string),
        required("placeholder", parameter_kind::string), required("summarize_size", parameter_kind::integer),
        defaulted("tensor_detail", parameter_kind::boolean, argument::of(false))};
    static constexpr effects effect{.has_side_effect = true, .picks_results = true};
    static constexpr bool infer(infer_context& c) {
        if (c.list_size(at::tensors) == 0)
            return c.refuse(fault::argument_is_missing, "at least one tensor input", "an empty list");
        for (std::int32_t k = 0; k < c.list_size(at::tensors); ++k)
            if (c.element(at::tensors, k).kind != argument_kind::node)
                return c.refuse(fault::argument_is_missing, "tensors", "None");
        const auto summarize = c.integer(at::summarize_size);
        if (summarize < -1 || summarize == 0)
            return c.refuse(fault::summarize_size_is_invalid, "a positive number, or -1 for all elements",
                            short_text() << summarize);
        if (const auto places = count_in(c.at(at::msg_format).text, c.at(at::placeholder).text);
            places != c.list_size(at::tensors))
            return c.refuse(fault::argument_is_missing, short_text() << places << " tensors, one per placeholder",
                            short_text() << c.list_size(at::tensors));
        return c.results(0);
    }
};

} // namespace ahead::air
