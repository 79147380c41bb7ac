// SPDX-License-Identifier: MIT
// npu.pack_matmul: the right side of a product, in the layout that the kernel reads. Run once, by prepare.
#pragma once
#include <ahead/device/key/matmul_key.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

/// A packed tensor is a row of numbers: only the kernels know its layout.
constexpr tensor_type packed_tensor(dtype type, std::int64_t elements) {
    auto out = tensor_of(type, {elements});
    out.layout = memory_layout::packed;
    return out;
}

/// npu.pack_matmul(Tensor b, int m, int? choice): b[k, n] packed for products with m rows.
struct pack_matmul {
    static constexpr std::string_view name = "npu.pack_matmul"sv;
    static constexpr bool is_prepared_for_bound = true;
    enum at : int { b, m, choice };
    static constexpr parameter schema[] = {required("b", parameter_kind::tensor),
                                           required("m", parameter_kind::integer),
                                           defaulted("choice", parameter_kind::optional_integer)};
    static constexpr matmul_key key_for(const tensor_type& b, std::int64_t m, matmul_choice choice) {
        matmul_key key{};
        key.type = b.type;
        key.m = m;
        key.k = b.size(0);
        key.n = b.size(1);
        key.packed = true;
        key.a_row = key.k;
        key.a_col = 1;
        key.b_row = b.stride(0);
        key.b_col = b.stride(1);
        key.choice = choice;
        key.m = rows_of_packing(key);
        return key;
    }
    template <class Call> static constexpr matmul_key key_in(const Call& c) {
        return key_for(c.tensor(at::b), c.integer(at::m), choice_of<matmul_choice>(c, at::choice));
    }
    static constexpr bool infer(infer_context& c) {
        return c.result(packed_tensor(c.tensor(at::b).type, packed_elements(key_in(c))));
    }
    static constexpr matmul_key key(const call_view& c) { return key_in(c); }
};

} // namespace ahead::device
