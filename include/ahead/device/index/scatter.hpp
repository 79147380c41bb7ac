// SPDX-License-Identifier: MIT
// npu.scatter: a tensor in which the elements of a view that index tensors select are overwritten, or combined with new
// ones, in place where the planner allows it: for example a key-value cache to which the newest position is added.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/index/gather.hpp>

namespace AHEAD_NAMESPACE::device {

/// How an old element and the one that is written to its place are combined.
enum class put_as : std::uint8_t { itself, sum, product, largest, smallest, mean };

/// Key of npu.scatter: the whole tensor, which is copied unless it is overwritten in place, and the loop that writes.
struct scatter_key {
    std::int64_t whole_bytes = 0;
    std::int64_t offset = 0; // where the view begins, in elements
    put_as put = put_as::itself;
    bool replaces = false; // the old element is not combined
    indexed_key places{};
    friend constexpr bool operator==(const scatter_key&, const scatter_key&) = default;
};
AHEAD_FIELDS(scatter_key, whole_bytes, offset, put, replaces, places)

/// npu.scatter(Tensor self, Tensor source, Tensor index, Tensor? index_1, Tensor? index_2, Tensor? index_3, int[] dims,
/// int[] into, bool wraps, int put, int[] size, int[] stride, int offset, bool replaces=False): self, which is dense,
/// with the elements of source written, one after the other, to places in the given view. source and the indices, i64
/// or i32, have the same sizes, with strides of 0 where they broadcast; indices select places in `dims` of the view;
/// into: the view's stride for each dim of source, 0 where only indices select the place. If a place is selected twice
/// the last element wins, unless they are combined; replaces: old elements are not combined.
struct scatter {
    static constexpr std::string_view name = "npu.scatter"sv;
    enum at : int {
        self,
        source,
        index,
        index_1,
        index_2,
        index_3,
        dims,
        into,
        wraps,
        put,
        size,
        stride,
        offset,
        replaces
    };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("source", parameter_kind::tensor),
                                           required("index", parameter_kind::tensor),
                                           required("index_1", parameter_kind::optional_tensor),
                                           required("index_2", parameter_kind::optional_tensor),
                                           required("index_3", parameter_kind::optional_tensor),
                                           required("dims", parameter_kind::int_list),
                                           required("into", parameter_kind::int_list),
                                           required("wraps", parameter_kind::boolean),
                                           required("put", parameter_kind::integer),
                                           required("size", parameter_kind::int_list),
                                           required("stride", parameter_kind::int_list),
                                           required("offset", parameter_kind::integer),
                                           defaulted("replaces", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        auto out = c.tensor(at::self);
        out.offset = 0;
        return c.result(out);
    }
    static constexpr scatter_key key(const call_view& c) {
        const given_indices indices(c, at::index);
        const auto& source = c.tensor(at::source);
        const auto part = tensor_of(source.type, c.ints(at::size), c.ints(at::stride));
        return {bytes_of(source.type, extent_of(c.result_type())), c.integer(at::offset),
                static_cast<put_as>(c.integer(at::put)), c.boolean(at::replaces),
                indexed_key_of(part, c.ints(at::dims), c.ints(at::into), source, indices.all(), c.boolean(at::wraps))};
    }
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return i == at::self && c.tensor(at::self) == c.result_type();
    }
    /// For a mean: how many elements each place received.
    static constexpr std::int64_t workspace(const scatter_key& k) {
        return k.put != put_as::mean
                   ? 0
                   : 8 * (k.whole_bytes / static_cast<std::int64_t>(bytes_of(k.places.loop.types[0])));
    }
    static constexpr machine::work work(const call_view& c) {
        const auto k = key(c);
        const bool is_mean = k.put == put_as::mean;
        return machine::times(1 + (k.replaces || is_mean) + is_mean, work_of(k.places, {2, true}));
    }
};

} // namespace ahead::device
