// SPDX-License-Identifier: MIT
// npu.cast: the elements of a tensor in another dtype.
#pragma once
#include <ahead/device/bounded.hpp>
#include <ahead/device/key/strided_key.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/ir/broadcast.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.cast(Tensor self, ScalarType dtype): as aten._to_copy; dense, its dims in self's order.
struct cast : partitioned_loop {
    static constexpr std::string_view name = "npu.cast"sv;
    enum at : int { self, dtype };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dtype", parameter_kind::dtype)};
    static constexpr bool infer(infer_context& c) { return c.result(like(c.tensor(at::self), c.type(at::dtype))); }
    /// Whether it handles both dtypes: types that can be computed with, none of them complex.
    static constexpr bool takes(ir::dtype from, ir::dtype to) {
        return !is_only_moved(from) && !is_only_moved(to) && !is_complex(from) && !is_complex(to);
    }
    static constexpr strided_key key(const call_view& c) {
        const std::array operands{&c.tensor(at::self)};
        return strided_key_of(c.result_type(), operands);
    }
    static constexpr machine::work work(const call_view& c) { return rows_of(key(c), {1, true}); }
    static constexpr bool is_elementwise = true;
    static constexpr bounded_call bounded(const auto& c) { return bounded_loop(c); }
};

} // namespace ahead::device
