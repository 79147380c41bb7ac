// SPDX-License-Identifier: MIT
// npu.pack_convolution: the weights of a convolution, in the layout that the kernel reads. Run once, by prepare.
#pragma once
#include <ahead/device/key/convolution_key.hpp>
#include <ahead/device/product/pack_matmul.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.pack_convolution(Tensor weight, int[] input, int[] stride, int[] padding, int[] dilation, int groups, int?
/// choice): weights packed for one input size.
struct pack_convolution {
    static constexpr std::string_view name = "npu.pack_convolution"sv;
    static constexpr bool is_prepared_for_bound = true;
    enum at : int { weight, input, stride, padding, dilation, groups, choice };
    static constexpr parameter schema[] = {
        required("weight", parameter_kind::tensor),           required("input", parameter_kind::int_list),
        required("stride", parameter_kind::int_list),         required("padding", parameter_kind::int_list),
        required("dilation", parameter_kind::int_list),       required("groups", parameter_kind::integer),
        defaulted("choice", parameter_kind::optional_integer)};
    template <class Call> static constexpr convolution_key key_of(const Call& c) {
        auto key = convolution_key_of(tensor_of(c.tensor(at::weight).type, c.ints(at::input)),
                                      sizes_of(c.tensor(at::weight)), c.ints(at::stride), c.ints(at::padding),
                                      c.ints(at::dilation), c.integer(at::groups), false);
        key.choice = choice_of<convolution_choice>(c, at::choice);
        return key;
    }
    static constexpr bool infer(infer_context& c) {
        return c.result(packed_tensor(c.tensor(at::weight).type, packed_elements(key_of(c))));
    }
    static constexpr convolution_key key(const call_view& c) { return key_of(c); }
};

} // namespace ahead::device
