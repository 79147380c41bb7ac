// SPDX-License-Identifier: MIT
// npu.index_copy: a tensor with the slices of a view of it that indices name written anew, in place where the planner
// allows it: a key-value cache with the newest position in it.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/target/key/strided_key.hpp>

namespace AHEAD_NAMESPACE::target {

/// Key of npu.index_copy: a whole that is copied unless it is overwritten in place, and a loop over one slice.
struct index_copy_key {
    dtype index = dtype::i64; // or i32
    bool wraps = false;       // an index below 0 counts from the end
    std::int64_t whole_bytes = 0;
    std::int64_t offset = 0;                   // of the view, in elements
    std::int64_t slices = 0, stride = 0;       // of the view along its dim
    std::int64_t count = 0, source_stride = 0; // of what is written
    strided_key slice{};                       // result: a slice of the view; operand: one of the source
    friend constexpr bool operator==(const index_copy_key&, const index_copy_key&) = default;
};
/// f(name, value, default) for each field.
constexpr void fields(const index_copy_key& k, const index_copy_key& usual, auto f) {
    f("index", k.index, usual.index);
    f("wraps", k.wraps, usual.wraps);
    f("whole_bytes", k.whole_bytes, usual.whole_bytes);
    f("offset", k.offset, usual.offset);
    f("slices", k.slices, usual.slices);
    f("stride", k.stride, usual.stride);
    f("count", k.count, usual.count);
    f("source_stride", k.source_stride, usual.source_stride);
    f("slice", k.slice, usual.slice);
}

} // namespace ahead::target

namespace AHEAD_NAMESPACE::device {

/// npu.index_copy(Tensor self, Tensor index, Tensor source, int dim, bool wraps, int[] size, int[] stride, int offset):
/// self, dense, with source in the slices along dim of the view of it that is given. index: i64 or i32, contiguous, of
/// rank 1; source broadcasts to the view with as many slices as there are indices.
struct index_copy {
    static constexpr std::string_view name = "npu.index_copy";
    enum at : int { self, index, source, dim, wraps, size, stride, offset };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor),     required("index", parameter_kind::tensor),
        required("source", parameter_kind::tensor),   required("dim", parameter_kind::integer),
        required("wraps", parameter_kind::boolean),   required("size", parameter_kind::int_list),
        required("stride", parameter_kind::int_list), required("offset", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        auto out = c.tensor(at::self);
        out.offset = 0;
        return c.result(out);
    }
    static constexpr target::index_copy_key key(const call_view& c) {
        const auto& source = c.tensor(at::source);
        const auto dim = static_cast<int>(c.integer(at::dim));
        auto slice = tensor_of(source.type, c.ints(at::size), c.ints(at::stride)), from = source;
        const int own = dim - (slice.rank - source.rank); // below 0: source broadcasts over it
        target::index_copy_key key{.index = c.tensor(at::index).type, .wraps = c.boolean(at::wraps)};
        key.slices = slice.size(dim);
        key.stride = slice.stride(dim);
        remove_dim(slice, dim);
        if (own >= 0) {
            key.source_stride = source.size(own) == 1 ? 0 : source.stride(own);
            remove_dim(from, own);
        }
        key.whole_bytes = bytes_of(source.type, extent_of(c.result_type()));
        key.offset = c.integer(at::offset);
        key.count = element_count(c.tensor(at::index));
        const std::array operands{&from};
        key.slice = target::strided_key_of(slice, operands);
        return key;
    }
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return i == at::self && c.tensor(at::self) == c.result_type();
    }
};

} // namespace ahead::device
