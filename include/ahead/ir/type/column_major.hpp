// SPDX-License-Identifier: MIT
// Types of column-major matrices, the order of LAPACK, in which PyTorch returns decompositions. Called by aten/linalg/
// and device/linalg/.
#pragma once
#include <ahead/ir/type/tensor_type.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::ir {

/// Column-major matrices of these sizes after the batch dims of `of`, with its dtype.
constexpr tensor_type in_columns(const tensor_type& of, std::int64_t rows, std::int64_t columns) {
    auto sizes = sizes_of(of);
    sizes[of.rank - 2] = columns;
    sizes[of.rank - 1] = rows;
    auto out = tensor_of(of.type, sizes);
    std::swap(out.sizes.at[of.rank - 2], out.sizes.at[of.rank - 1]);
    std::swap(out.strides.at[of.rank - 2], out.strides.at[of.rank - 1]);
    return out;
}

} // namespace ahead::ir
