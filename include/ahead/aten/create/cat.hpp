// SPDX-License-Identifier: MIT
// Concatenation: cat along an existing dim, stack along a new one, block_diag along two; hstack, vstack and
// dstack.
// Source: aten/src/ATen/native/TensorShape.cpp.
#pragma once
#include <ahead/core/checked.hpp>
#include <ahead/ir/broadcast.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/type/memory_format.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Checks that the listed tensors can be joined: u16, u32 and u64 promote with no other integer, f8 types with nothing.
constexpr bool check_joined(infer_context& c, int list, dtype common) {
    for (std::int32_t k = 0; is_only_moved(common) && k < c.list_size(list); ++k)
        if (const auto& t = c.in().value_of(c.element(list, k)).type; t.type != common)
            return c.refuse(fault::dtypes_differ, facts_of(common).annotation, print(t));
    return true;
}

} // namespace detail

/// cat(Tensor[] tensors, int dim=0): joins along an existing dim; empty tensors of rank 1 are skipped; dtypes promote
struct cat {
    static constexpr std::string_view name = "aten.cat.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { tensors, dim };
    static constexpr parameter schema[] = {required("tensors", parameter_kind::tensor_list),
                                           defaulted("dim", parameter_kind::integer, argument::of(0))};
    static constexpr bool is_nothing(const tensor_type& t) { return t.rank == 1 && t.size(0) == 0; }
    static constexpr bool infer(infer_context& c) {
        if (c.list_size(at::tensors) == 0)
            return c.refuse(fault::argument_is_missing, "one tensor at least", "an empty list");
        int_list sizes = {0};
        common_dtype common;
        int dim = 0;
        bool first = true;
        bool channels_last = true; // whether all tensors are
        for (std::int32_t k = 0; k < c.list_size(at::tensors); ++k) {
            if (c.element(at::tensors, k).kind != argument_kind::node)
                return c.refuse(fault::argument_is_missing, "tensors", "None");
            const auto& t = c.in().value_of(c.element(at::tensors, k)).type;
            common.add(t);
            channels_last = channels_last && is_channels_last(t);
            if (t.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(t));
            if (is_nothing(t)) continue;
            if (first) {
                sizes = sizes_of(t);
                first = false;
                if (!c.wrap_dim(c.integer(at::dim), t.rank, dim)) return false;
                continue;
            }
            if (t.rank != sizes.size)
                return c.refuse(fault::rank_is_wrong, short_text() << "rank " << sizes.size, print(t));
            for (int d = 0; d < t.rank; ++d)
                if (d != dim && t.size(d) != sizes[d])
                    return c.refuse(fault::shapes_do_not_broadcast, short_text() << sizes[d] << " in dim " << d,
                                    print(t));
            sizes[dim] = (checked_int(sizes[dim]) + t.size(dim)).get();
        }
        auto out = tensor_of(common.get(), sizes);
        if (channels_last) make_channels_last(out);
        return detail::check_joined(c, at::tensors, common.get()) && c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto out = c.output(0, as);
            const int dim = wrapped_dim(c.integer(at::dim), out.type().rank);
            std::int64_t start = 0;
            for (std::int32_t k = 0; k < c.list_size(at::tensors); ++k) {
                const auto in = c.list_input(at::tensors, k, as);
                if (is_nothing(in.type())) continue;
                for_each_index(sizes_of(in.type()), [&](const int_list& at) {
                    int_list to = at;
                    to[dim] += start;
                    out.put(to, in[at]);
                });
                start += in.type().size(dim);
            }
        });
    }
};

/// stack(Tensor[] tensors, int dim=0): joins along a new dim; sizes and dtypes must be equal; the strides are those of
/// cat along the dim at the new one's position, after that dim is split
struct stack {
    static constexpr std::string_view name = "aten.stack.default"sv;
    static constexpr effects effect{.moves_elements = true};
    using at = cat::at;
    static constexpr auto& schema = cat::schema;
    static constexpr bool infer(infer_context& c) {
        if (c.list_size(at::tensors) == 0)
            return c.refuse(fault::argument_is_missing, "one tensor at least", "an empty list");
        int_list sizes;
        common_dtype common;
        int dim = 0;
        bool channels_last = true; // whether all tensors are
        for (std::int32_t k = 0; k < c.list_size(at::tensors); ++k) {
            if (c.element(at::tensors, k).kind != argument_kind::node)
                return c.refuse(fault::argument_is_missing, "tensors", "None");
            const auto& t = c.in().value_of(c.element(at::tensors, k)).type;
            common.add(t);
            channels_last = channels_last && is_channels_last(t);
            if (k == 0) sizes = sizes_of(t);
            else if (sizes_of(t) != sizes)
                return c.refuse(fault::shapes_do_not_broadcast, print(c.in().value_of(c.element(at::tensors, 0)).type),
                                print(t));
        }
        if (sizes.size == max_rank) return c.refuse(fault::rank_is_wrong, "at most 8 dims", "9");
        if (!c.wrap_dim(c.integer(at::dim), sizes.size + 1, dim)) return false;
        int_list joined;
        for (int d = 0; d <= sizes.size; ++d)
            joined.push_back(d == dim ? c.list_size(at::tensors) : sizes[d - (d > dim)]);
        auto out = tensor_of(common.get(), joined);
        if (channels_last && dim < sizes.size) {
            auto along = sizes;
            along[dim] = (checked_int(along[dim]) * c.list_size(at::tensors)).get();
            auto whole = tensor_of(common.get(), along);
            make_channels_last(whole);
            for (int d = 0; d < out.rank; ++d) out.strides.at[d] = whole.stride(d - (d > dim));
            out.strides.at[dim] *= sizes[dim];
        }
        return detail::check_joined(c, at::tensors, common.get()) && c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto out = c.output(0, as);
            const int dim = wrapped_dim(c.integer(at::dim), out.type().rank);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                int_list from;
                for (int d = 0; d < at.size; ++d)
                    if (d != dim) from.push_back(at[d]);
                out.put(at, c.list_input(at::tensors, static_cast<std::int32_t>(at[dim]), as)[from]);
            });
        });
    }
};

/// block_diag(Tensor[] tensors): puts matrices along the diagonal, zeros elsewhere; a vector is a row, a number is [1,
/// 1]; dtypes promote
struct block_diag {
    static constexpr std::string_view name = "aten.block_diag.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { tensors };
    static constexpr parameter schema[] = {required("tensors", parameter_kind::tensor_list)};
    static constexpr std::int64_t rows_of(const tensor_type& t) { return t.rank == 2 ? t.size(0) : 1; }
    static constexpr std::int64_t columns_of(const tensor_type& t) { return t.rank == 0 ? 1 : t.size(t.rank - 1); }
    static constexpr bool infer(infer_context& c) {
        checked_int rows = 0, columns = 0;
        common_dtype common;
        if (c.list_size(at::tensors) == 0)
            return c.refuse(fault::argument_is_missing, "one tensor at least", "an empty list");
        for (std::int32_t k = 0; k < c.list_size(at::tensors); ++k) {
            if (c.element(at::tensors, k).kind != argument_kind::node)
                return c.refuse(fault::argument_is_missing, "tensors", "None");
            const auto& t = c.in().value_of(c.element(at::tensors, k)).type;
            if (t.rank > 2) return c.refuse(fault::rank_is_wrong, "rank 2 at most", print(t));
            common.add(t);
            rows = rows + rows_of(t);
            columns = columns + columns_of(t);
        }
        return detail::check_joined(c, at::tensors, common.get()) &&
               c.result(tensor_of(common.get(), {rows.get(), columns.get()}));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, as); });
            std::int64_t row = 0, column = 0;
            for (std::int32_t k = 0; k < c.list_size(at::tensors); ++k) {
                const auto in = c.list_input(at::tensors, k, as);
                const int rank = in.type().rank;
                for_each_index(sizes_of(in.type()), [&](const int_list& at) {
                    out.put({row + (rank == 2 ? at[0] : 0), column + (rank == 0 ? 0 : at[rank - 1])}, in[at]);
                });
                row += rows_of(in.type());
                column += columns_of(in.type());
            }
        });
    }
};

namespace detail {

/// cat along dim Rank - 1 of tensors that are extended to at least Rank dims; if Rank is 1, vectors are joined along
/// their only dim.
template <int Rank> struct stack_along {
    static constexpr effects effect{.moves_elements = true};
    enum at : int { tensors };
    static constexpr auto& schema = block_diag::schema;
    /// The extended sizes: [] becomes [1], [1, 1] or [1, 1, 1], [n] becomes [n], [1, n] or [1, n, 1].
    static constexpr int_list seen(const tensor_type& t) {
        auto sizes = sizes_of(t);
        if (Rank > 1 && sizes.size == 1) sizes = {1, sizes[0]};
        while (sizes.size < Rank) sizes.push_back(1);
        return sizes;
    }
    static constexpr int dim_of(int rank) { return Rank == 1 ? rank > 1 : Rank == 2 ? 0 : 2; }
    static constexpr bool infer(infer_context& c) {
        if (c.list_size(at::tensors) == 0)
            return c.refuse(fault::argument_is_missing, "one tensor at least", "an empty list");
        int_list sizes;
        common_dtype common;
        for (std::int32_t k = 0; k < c.list_size(at::tensors); ++k) {
            if (c.element(at::tensors, k).kind != argument_kind::node)
                return c.refuse(fault::argument_is_missing, "tensors", "None");
            const auto& t = c.in().value_of(c.element(at::tensors, k)).type;
            common.add(t);
            auto own = seen(t);
            if (k == 0) {
                sizes = own;
                continue;
            }
            if (own.size != sizes.size)
                return c.refuse(fault::rank_is_wrong, short_text() << "rank " << sizes.size, print(t));
            const int dim = dim_of(own.size);
            const auto joined = (checked_int(sizes[dim]) + own[dim]).get();
            own[dim] = sizes[dim];
            if (own != sizes)
                return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(common.get(), sizes)), print(t));
            sizes[dim] = joined;
        }
        return check_joined(c, at::tensors, common.get()) && c.result(tensor_of(common.get(), sizes));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto out = c.output(0, as);
            const int dim = dim_of(out.type().rank);
            std::int64_t start = 0;
            for (std::int32_t k = 0; k < c.list_size(at::tensors); ++k) {
                const auto in = c.list_input(at::tensors, k, as);
                const auto sizes = seen(in.type());
                std::int64_t next = 0;
                for_each_index(sizes, [&](int_list at) {
                    at[dim] += start;
                    out.put(at, in[index_of(in.type(), next++)]);
                });
                start += sizes[dim];
            }
        });
    }
};

} // namespace detail

/// hstack(Tensor[] tensors): vectors along dim 0, other tensors along dim 1
struct hstack : detail::stack_along<1> {
    static constexpr std::string_view name = "aten.hstack.default"sv;
};
/// vstack(Tensor[] tensors): along dim 0; vectors are rows
struct vstack : detail::stack_along<2> {
    static constexpr std::string_view name = "aten.vstack.default"sv;
};
/// dstack(Tensor[] tensors): along dim 2; [m, n] becomes [m, n, 1], a vector becomes [1, n, 1]
struct dstack : detail::stack_along<3> {
    static constexpr std::string_view name = "aten.dstack.default"sv;
};

using cat_ops = op_list<cat, stack, block_diag, hstack, vstack, dstack>;

} // namespace ahead::aten
