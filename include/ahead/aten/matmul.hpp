// SPDX-License-Identifier: MIT
// Matrix products: mm, addmm. Source: aten/src/ATen/native/native_functions.yaml, "mm", "addmm".
#pragma once
#include <ahead/ir/broadcast.hpp>

namespace ahead::aten {

/// The sizes of a[m, k] @ b[k, n], both of rank 2 and one dtype.
constexpr bool infer_product(infer_context& c, const tensor_type& a, const tensor_type& b, tensor_type& out) {
    if (a.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(a));
    if (b.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(b));
    if (a.size(1) != b.size(0))
        return c.refuse(fault::matmul_inner_extents_differ, short_text() << a.size(1) << " rows to follow " << print(a).view(), print(b));
    if (a.type != b.type) return c.refuse(fault::dtypes_differ, print(a), print(b));
    out = tensor_of(a.type, {a.size(0), b.size(1)});
    return true;
}

/// mm(Tensor self, Tensor mat2): [m, k] @ [k, n] -> [m, n]
struct mm {
    static constexpr std::string_view name = "aten.mm.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("mat2", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return infer_product(c, c.tensor(0), c.tensor(1), out) && c.result(out);
    }
};

/// addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1): beta*self + alpha*(mat1 @ mat2), self broadcast to [m, n]
struct addmm {
    static constexpr std::string_view name = "aten.addmm.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("mat1", parameter_kind::tensor),
                                           required("mat2", parameter_kind::tensor), defaulted("beta", parameter_kind::scalar, argument::of(1)),
                                           defaulted("alpha", parameter_kind::scalar, argument::of(1))};
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        if (!infer_product(c, c.tensor(1), c.tensor(2), out)) return false;
        if (c.tensor(0).type != out.type) return c.refuse(fault::dtypes_differ, print(out), print(c.tensor(0)));
        int_list sizes = sizes_of(out);
        if (!broadcast_into(c, sizes, c.tensor(0))) return false;
        if (sizes != sizes_of(out)) return c.refuse(fault::shapes_do_not_broadcast, print(out), print(c.tensor(0)));
        return c.result(out);
    }
};

} // namespace ahead::aten
