// SPDX-License-Identifier: MIT
// The static description of a tensor: dtype, sizes, strides and offset in its storage.
// Invariant: element (i0, i1, ...) is at offset + i0*strides[0] + i1*strides[1] + ... elements into the storage.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <ahead/ir/type/dtype.hpp>
#include <ahead/ir/type/int_list.hpp>
#include <array>
#include <initializer_list>

namespace AHEAD_NAMESPACE::ir {

/// Order of the elements in memory: strided as PyTorch's tensors, or repacked by a device operator for its kernel.
enum class memory_layout : std::uint8_t { strided, packed };

/// Reserved for quantised tensors; only `none` exists so far.
enum class quantisation : std::uint8_t { none };

struct tensor_type {
    dtype type = dtype::f32;
    memory_layout layout = memory_layout::strided;
    quantisation quant = quantisation::none;
    std::uint8_t rank = 0;
    per_dim<std::int64_t> sizes{};
    per_dim<std::int64_t> strides{}; // in elements
    std::int64_t offset = 0;         // in elements, into the storage

    constexpr std::int64_t size(int d) const { return sizes.at[d]; }
    constexpr std::int64_t stride(int d) const { return strides.at[d]; }
    // Not defaulted: g++ 12 refuses std::array's == on classes of a constexpr object as a modification of it.
    constexpr bool operator==(const tensor_type& other) const {
        if (type != other.type || layout != other.layout || quant != other.quant || rank != other.rank ||
            offset != other.offset)
            return false;
        for (int d = 0; d < rank; ++d)
            if (sizes.at[d] != other.sizes.at[d] || strides.at[d] != other.strides.at[d]) return false;
        return true;
    }
};

constexpr int rank_of(const tensor_type& t) { return t.rank; }

constexpr std::int64_t element_count(const tensor_type& t) {
    std::int64_t n = 1;
    for (int d = 0; d < t.rank; ++d) n *= t.size(d);
    return n;
}

/// Sets row-major strides, as torch.empty does: a size below 1 counts as 1. They wrap if the type is not addressable.
constexpr void make_contiguous(tensor_type& t) {
    std::int64_t step = 1;
    for (int d = t.rank; d-- > 0;) {
        t.strides.at[d] = step;
        const auto size = t.size(d);
        if (size > 1) static_cast<void>(__builtin_mul_overflow(step, size, &step));
    }
    t.offset = 0;
}

/// More elements than fit into the memory of any machine.
inline constexpr std::int64_t element_limit = std::int64_t{1} << 48;

/// Whether no size is negative, and the number of elements (ignoring sizes of 0), every stride, and the extent in the
/// storage are below 2^48: products of a size and its stride, and sums of a few of these, then fit into int64. True for
/// the type of every value in a graph.
constexpr bool is_addressable(const tensor_type& t) {
    if (t.offset < 0 || t.offset >= element_limit) return false;
    std::int64_t count = 1;
    auto last = t.offset;
    for (int d = 0; d < t.rank; ++d) {
        const auto size = t.size(d), stride = t.strides.at[d];
        if (size < 0 || stride < 0 || stride >= element_limit) return false;
        if (size < 2) continue;
        if (size > (element_limit - 1) / count || stride > element_limit / (size - 1)) return false;
        count *= size;
        last += (size - 1) * stride;
    }
    return last < element_limit;
}

/// A contiguous tensor of these sizes in a new storage.
constexpr tensor_type tensor_of(dtype type, const int_list& sizes) {
    tensor_type t;
    t.type = type;
    t.rank = static_cast<std::uint8_t>(sizes.size);
    for (int d = 0; d < sizes.size; ++d) t.sizes.at[d] = sizes.at[d];
    make_contiguous(t);
    return t;
}

constexpr int_list sizes_of(const tensor_type& t) {
    int_list sizes;
    sizes.size = t.rank;
    for (int d = 0; d < t.rank; ++d) sizes.at[d] = t.size(d);
    return sizes;
}

constexpr int_list strides_of(const tensor_type& t) {
    int_list strides;
    strides.size = t.rank;
    for (int d = 0; d < t.rank; ++d) strides.at[d] = t.stride(d);
    return strides;
}

/// The same with these strides, one for each size.
constexpr tensor_type tensor_of(dtype type, const int_list& sizes, const int_list& strides) {
    auto out = tensor_of(type, sizes);
    for (int d = 0; d < out.rank; ++d) out.strides[static_cast<std::size_t>(d)] = strides[d];
    return out;
}

/// Makes it the view without dim, at index 0 of dim.
constexpr void remove_dim(tensor_type& t, int dim) {
    for (int d = dim; d + 1 < t.rank; ++d) {
        t.sizes[static_cast<std::size_t>(d)] = t.sizes[static_cast<std::size_t>(d) + 1];
        t.strides[static_cast<std::size_t>(d)] = t.stride(d + 1);
    }
    --t.rank;
    t.sizes[t.rank] = 0;
    t.strides[t.rank] = 0;
}
/// Makes it the view with a dim of size 1 before dim, its stride as in PyTorch. pre: t.rank < max_rank
constexpr void insert_dim(tensor_type& t, int dim) {
    const auto stride = dim < t.rank ? t.size(dim) * t.stride(dim) : 1;
    for (int d = t.rank++; d > dim; --d) {
        t.sizes[static_cast<std::size_t>(d)] = t.sizes[static_cast<std::size_t>(d) - 1];
        t.strides[static_cast<std::size_t>(d)] = t.stride(d - 1);
    }
    t.sizes[static_cast<std::size_t>(dim)] = 1;
    t.strides[static_cast<std::size_t>(dim)] = stride;
}

/// Whether the strides are row-major, including those of dims of size 1.
constexpr bool has_row_major_strides(const tensor_type& t) {
    std::int64_t step = 1;
    for (int d = t.rank; d-- > 0;) {
        if (t.strides.at[d] != step) return false;
        const auto size = t.size(d);
        if (size > 1) step *= size;
    }
    return true;
}

/// Whether the elements are in row-major order in memory, without gaps; sizes 0 and 1 make strides irrelevant.
constexpr bool is_contiguous(const tensor_type& t) {
    std::int64_t step = 1;
    for (int d = t.rank; d-- > 0;) {
        const auto size = t.size(d);
        if (size == 1) continue;
        if (t.strides.at[d] != step) return element_count(t) == 0;
        step *= size;
    }
    return true;
}

/// Whether two tensors of the same sizes have their elements in the same order in memory; sizes 0 and 1 make strides
/// irrelevant.
constexpr bool same_strides(const tensor_type& a, const tensor_type& b) {
    if (element_count(a) == 0) return true;
    for (int d = 0; d < a.rank; ++d)
        if (a.size(d) > 1 && a.stride(d) != b.stride(d)) return false;
    return true;
}

/// Elements from the first to one past the last one touched: the size that the storage needs after the offset.
constexpr std::int64_t extent_of(const tensor_type& t) {
    std::int64_t last = 0;
    for (int d = 0; d < t.rank; ++d) {
        const auto size = t.size(d);
        if (size == 0) return 0;
        last += (size - 1) * t.strides.at[d];
    }
    return last + 1;
}

/// Whether the elements are contiguous in some order of the dims, without gaps or overlaps.
constexpr bool is_dense(const tensor_type& t) {
    // Every stride above 0 must be the product of the sizes of the dims with smaller strides.
    std::int64_t covered = 1;
    for (int placed = 0, wanted = 0; wanted < t.rank; ++wanted) {
        bool found = false;
        for (int d = 0; d < t.rank; ++d) {
            if (t.size(d) == 1 || t.stride(d) != covered) continue;
            if (__builtin_mul_overflow(covered, t.size(d), &covered)) return false;
            ++placed;
            found = true;
            break;
        }
        if (!found) {
            int ones = 0;
            for (int d = 0; d < t.rank; ++d) ones += t.size(d) == 1;
            return placed + ones == t.rank;
        }
    }
    return true;
}

/// "f32[2, 3]" as FX prints it; with strides, "f32[2, 3][3, 1]".
constexpr short_text print(const tensor_type& t, bool with_strides = false) {
    short_text out;
    out << facts_of(t.type).annotation << "[";
    for (int d = 0; d < t.rank; ++d) out << (d ? ", " : "") << t.size(d);
    out << "]";
    if (with_strides) {
        out << "[";
        for (int d = 0; d < t.rank; ++d) out << (d ? ", " : "") << t.stride(d);
        out << "]";
    }
    return out;
}

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::element_count, ir::is_contiguous, ir::print, ir::tensor_of, ir::tensor_type;
} // namespace ahead
