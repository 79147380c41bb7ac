// SPDX-License-Identifier: MIT
// Insertion positions in a sorted row: searchsorted, bucketize. NaN comes last.
// Source: aten/src/ATen/native/Bucketization.cpp.
#pragma once
#include <ahead/ir/broadcast.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>
#include <ahead/ir/words.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The side of equal elements.
enum class search_side { none, left, right };

namespace detail {

/// The first index in [0, size) whose element is >= x, or > x if `right`; get(k) is element k.
constexpr std::int64_t place_among(std::int64_t size, bool right, auto x, auto get) {
    std::int64_t low = 0, high = size;
    while (low < high) {
        const auto middle = low + (high - low) / 2;
        const auto y = get(middle);
        if (right ? y > x : y >= x) high = middle;
        else low = middle + 1;
    }
    return low;
}

constexpr bool check_searched(infer_context& c, const tensor_type& sorted, const tensor_type& t) {
    if (sorted.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(sorted));
    return sorted.type == t.type || c.refuse(fault::dtypes_differ, print(sorted), print(t));
}

} // namespace detail

/// searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None,
/// Tensor? sorter=None): the positions of self's elements in the corresponding row of sorted_sequence, or in its only
/// row; sorter is the permutation that sorts each row
struct searchsorted {
    static constexpr std::string_view name = "aten.searchsorted.Tensor"sv;
    enum at : int { sorted_sequence, self, out_int32, right, side, sorter };
    static constexpr parameter schema[] = {required("sorted_sequence", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor),
                                           defaulted("out_int32", parameter_kind::boolean, argument::of(false)),
                                           defaulted("right", parameter_kind::boolean, argument::of(false)),
                                           one_of<search_side>(defaulted("side", parameter_kind::optional_string)),
                                           defaulted("sorter", parameter_kind::optional_tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto &sorted = c.tensor(at::sorted_sequence), &t = c.tensor(at::self);
        if (!detail::check_searched(c, sorted, t)) return false;
        if (sorted.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(sorted));
        if (sorted.rank > 1) {
            if (t.rank != sorted.rank)
                return c.refuse(fault::rank_is_wrong, short_text() << "rank " << int(sorted.rank), print(t));
            for (int d = 0; d + 1 < t.rank; ++d)
                if (t.size(d) != sorted.size(d))
                    return c.refuse(fault::shapes_do_not_broadcast, print(sorted), print(t));
        }
        if (c.is_given(at::sorter)) {
            const auto& order = c.tensor(at::sorter);
            if (order.type != dtype::i64) return c.refuse(fault::dtype_is_unsupported, "places of i64", print(order));
            if (sizes_of(order) != sizes_of(sorted))
                return c.refuse(fault::shapes_do_not_broadcast, print(sorted), print(order));
        }
        if (c.boolean(at::right) && c.word<search_side>(at::side) == search_side::left)
            return c.refuse(fault::argument_has_wrong_kind, "side: right, or right=False", "left");
        return c.result(tensor_of(c.boolean(at::out_int32) ? dtype::i32 : dtype::i64, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        const bool right = c.boolean(at::right) || c.template word<search_side>(at::side) == search_side::right;
        c.compute(c.tensor(at::self).type, [&](auto as) {
            const auto sorted = c.input(at::sorted_sequence, as), in = c.input(at::self, as);
            const int last = sorted.type().rank - 1;
            const auto size = sorted.type().size(last);
            for_each_index(sizes_of(in.type()), [&](const int_list& at) {
                int_list row = at;
                if (last == 0) row = {0};
                const auto place = detail::place_among(size, right, in[at], [&](std::int64_t k) {
                    row[last] = k;
                    if (c.is_given(at::sorter)) {
                        const auto from = c.index(c.input(at::sorter, std::int64_t{})[row], size);
                        row[last] = from ? *from : 0;
                    }
                    return sorted[row];
                });
                c.output(0, std::int64_t{}).put(at, place);
            });
        });
    }
};

/// bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False): searchsorted in
/// boundaries
struct bucketize {
    static constexpr std::string_view name = "aten.bucketize.Tensor"sv;
    enum at : int { self, boundaries, out_int32, right };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("boundaries", parameter_kind::tensor),
                                           defaulted("out_int32", parameter_kind::boolean, argument::of(false)),
                                           defaulted("right", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &sorted = c.tensor(at::boundaries);
        if (sorted.rank != 1) return c.refuse(fault::rank_is_wrong, "rank 1", print(sorted));
        return detail::check_searched(c, sorted, t) &&
               c.result(tensor_of(c.boolean(at::out_int32) ? dtype::i32 : dtype::i64, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        c.compute(c.tensor(at::self).type, [&](auto as) {
            const auto sorted = c.input(at::boundaries, as), in = c.input(at::self, as);
            for_each_index(sizes_of(in.type()), [&](const int_list& at) {
                c.output(0, std::int64_t{})
                    .put(at, detail::place_among(sorted.type().size(0), c.boolean(at::right), in[at],
                                                 [&](std::int64_t k) { return sorted[{k}]; }));
            });
        });
    }
};

namespace detail {

/// Searches one number in a row, in the dtype that both promote to.
template <class Op> struct search_of_number {
    static constexpr dtype common_of(const auto& c) {
        common_dtype common;
        common.add(c.tensor(Op::sorted));
        common.add(c.at(Op::number));
        return common.get();
    }
    static constexpr bool infer(infer_context& c) {
        const auto& sorted = c.tensor(Op::sorted);
        if (sorted.type == dtype::b8 || is_only_moved(sorted.type))
            return c.refuse(fault::dtype_is_unsupported, "numbers", print(sorted));
        if (sorted.rank != 1) return c.refuse(fault::rank_is_wrong, "rank 1", print(sorted));
        return c.result(tensor_of(c.boolean(Op::at::out_int32) ? dtype::i32 : dtype::i64, {}));
    }
    static constexpr void search(auto& c, bool right, auto place) {
        c.compute(common_of(c), [&](auto as) {
            const auto sorted = c.input(Op::sorted, as);
            const auto size = sorted.type().size(0);
            c.output(0, std::int64_t{})
                .put({}, place_among(size, right, c.number(Op::number, as),
                                     [&](std::int64_t k) { return sorted[{place(k, size)}]; }));
        });
    }
};

} // namespace detail

/// searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None,
/// Tensor? sorter=None): the position of one number in one row
struct searchsorted_scalar : detail::search_of_number<searchsorted_scalar> {
    static constexpr std::string_view name = "aten.searchsorted.Scalar"sv;
    enum at : int { sorted_sequence, self, out_int32, right, side, sorter };
    static constexpr int sorted = at::sorted_sequence, number = at::self;
    static constexpr parameter schema[] = {required("sorted_sequence", parameter_kind::tensor),
                                           required("self", parameter_kind::scalar),
                                           defaulted("out_int32", parameter_kind::boolean, argument::of(false)),
                                           defaulted("right", parameter_kind::boolean, argument::of(false)),
                                           one_of<search_side>(defaulted("side", parameter_kind::optional_string)),
                                           defaulted("sorter", parameter_kind::optional_tensor)};
    static constexpr bool infer(infer_context& c) {
        if (!search_of_number::infer(c)) return false;
        if (c.boolean(at::right) && c.word<search_side>(at::side) == search_side::left)
            return c.refuse(fault::argument_has_wrong_kind, "side: right, or right=False", "left");
        if (!c.is_given(at::sorter)) return true;
        const auto& order = c.tensor(at::sorter);
        if (order.type != dtype::i64) return c.refuse(fault::dtype_is_unsupported, "places of i64", print(order));
        return sizes_of(order) == sizes_of(c.tensor(sorted)) ||
               c.refuse(fault::shapes_do_not_broadcast, print(c.tensor(sorted)), print(order));
    }
    static constexpr void evaluate(auto& c) {
        const bool on_right = c.boolean(at::right) || c.template word<search_side>(at::side) == search_side::right;
        search(c, on_right, [&](std::int64_t k, std::int64_t size) {
            if (!c.is_given(at::sorter)) return k;
            const auto from = c.index(c.input(at::sorter, std::int64_t{})[{k}], size);
            return from ? *from : std::int64_t{0};
        });
    }
};

/// bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False)
struct bucketize_scalar : detail::search_of_number<bucketize_scalar> {
    static constexpr std::string_view name = "aten.bucketize.Scalar"sv;
    enum at : int { self, boundaries, out_int32, right };
    static constexpr int sorted = at::boundaries, number = at::self;
    static constexpr parameter schema[] = {required("self", parameter_kind::scalar),
                                           required("boundaries", parameter_kind::tensor),
                                           defaulted("out_int32", parameter_kind::boolean, argument::of(false)),
                                           defaulted("right", parameter_kind::boolean, argument::of(false))};
    static constexpr void evaluate(auto& c) {
        search(c, c.boolean(at::right), [](std::int64_t k, std::int64_t) { return k; });
    }
};

using search_ops = op_list<searchsorted, searchsorted_scalar, bucketize, bucketize_scalar>;

} // namespace ahead::aten
