// SPDX-License-Identifier: MIT
// Reads at data-dependent indices along a dim: embedding, gather, index_select; take. In take negative indices count
// from the end; elsewhere, as in PyTorch, they are out of range. An index out of range is an error at run time. The
// allowed index dtypes follow PyTorch per operator, the later version if versions differ: i64, and i32 except in take,
// index_copy and losses. Source: aten/src/ATen/native/TensorAdvancedIndexing.cpp, Embedding.cpp, ScatterGatherChecks.h.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Checks the dtype of indices; an empty tensor may have any dtype.
constexpr bool check_index(infer_context& c, const tensor_type& t) {
    if (t.type == dtype::i64 || t.type == dtype::i32 || element_count(t) == 0) return true;
    return c.refuse(fault::dtype_is_unsupported, "indices of i64 or i32", print(t));
}

/// For operators that take only i64.
constexpr bool check_long_index(infer_context& c, const tensor_type& t) {
    return t.type == dtype::i64 || c.refuse(fault::dtype_is_unsupported, "indices of i64", print(t));
}

/// embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False):
/// rows of weight
struct embedding {
    static constexpr std::string_view name = "aten.embedding.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { weight, indices, padding_idx, scale_grad_by_freq, sparse };
    static constexpr parameter schema[] = {
        required("weight", parameter_kind::tensor), required("indices", parameter_kind::tensor),
        defaulted("padding_idx", parameter_kind::integer, argument::of(-1)),
        defaulted("scale_grad_by_freq", parameter_kind::boolean, argument::of(false)),
        defaulted("sparse", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        const auto& weight = c.tensor(at::weight);
        if (weight.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(weight));
        if (!check_index(c, c.tensor(at::indices))) return false;
        auto sizes = sizes_of(c.tensor(at::indices));
        if (sizes.size == max_rank)
            return c.refuse(fault::rank_is_wrong, "rank 7 at most", print(c.tensor(at::indices)));
        sizes.push_back(weight.size(1));
        return c.result(tensor_of(weight.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto weight = c.input(at::weight, as);
            const auto indices = c.input(at::indices, std::int64_t{});
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                int_list i = at;
                --i.size;
                if (const auto row = c.index(indices[i], weight.type().size(0)))
                    out.put(at, weight[{*row, at[at.size - 1]}]);
            });
        });
    }
};

/// one_hot(Tensor self, int num_classes=-1): rows of the identity matrix, in i64. num_classes must be given
struct one_hot {
    static constexpr std::string_view name = "aten.one_hot.default"sv;
    enum at : int { self, num_classes };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("num_classes", parameter_kind::integer, argument::of(-1))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        const auto classes = c.integer(at::num_classes);
        if (!check_long_index(c, t)) return false;
        if (classes == -1) return c.refuse(fault::dimension_is_dynamic, "num_classes", "as many as data says");
        if (!c.check_sizes({classes}, "num_classes from 0")) return false;
        auto sizes = sizes_of(t);
        if (sizes.size == max_rank) return c.refuse(fault::rank_is_wrong, "rank 7 at most", print(t));
        sizes.push_back(classes);
        return c.result(tensor_of(dtype::i64, sizes));
    }
    static constexpr void evaluate(auto& c) {
        const auto classes = c.input(at::self, std::int64_t{});
        const auto out = c.output(0, std::int64_t{});
        for_each_index(sizes_of(classes.type()), [&](int_list at) {
            const auto mine = c.index(classes[at], c.integer(at::num_classes));
            if (!mine) return;
            at.push_back(0);
            for (auto& k = at[at.size - 1]; k < c.integer(at::num_classes); ++k) out.put(at, k == *mine);
        });
    }
};

/// gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False): out[i][j] = self[index[i][j]][j] for dim 0
struct gather {
    static constexpr std::string_view name = "aten.gather.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, dim, index, sparse_grad };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           required("index", parameter_kind::tensor),
                                           defaulted("sparse_grad", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        const auto& index = c.tensor(at::index);
        int dim = 0;
        if (!check_index(c, index) || !c.wrap_dim(c.integer(at::dim), t.rank, dim)) return false;
        const auto out = tensor_of(t.type, sizes_of(index));
        if (element_count(index) == 0) return c.result(out); // whatever its rank
        if (t.rank != index.rank && t.rank + index.rank > 1)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << int(t.rank), print(index));
        for (int d = 0; d < t.rank && d < index.rank; ++d)
            if (d != dim && index.size(d) > t.size(d))
                return c.refuse(fault::shapes_do_not_broadcast, print(t), print(index));
        return c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto self = c.input(at::self, as);
            const auto index = c.input(at::index, std::int64_t{});
            const auto out = c.output(0, as);
            const int rank = self.type().rank;
            const int dim = wrapped_dim(c.integer(at::dim), rank);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                int_list from = at;
                from.size = rank;
                const auto i = c.index(index[at], rank > 0 ? self.type().size(dim) : 1);
                if (!i) return;
                from[dim] = *i;
                out.put(at, self[from]);
            });
        });
    }
};

/// index_select(Tensor self, int dim, Tensor index): index of rank 0 or 1
struct index_select {
    static constexpr std::string_view name = "aten.index_select.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, dim, index };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           required("index", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        int dim = 0;
        if (!check_index(c, c.tensor(at::index)) || !c.wrap_dim(c.integer(at::dim), t.rank, dim)) return false;
        if (c.tensor(at::index).rank > 1)
            return c.refuse(fault::rank_is_wrong, "rank 0 or 1", print(c.tensor(at::index)));
        auto sizes = sizes_of(t);
        if (t.rank > 0) sizes[dim] = element_count(c.tensor(at::index));
        return c.result(tensor_of(t.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto self = c.input(at::self, as);
            const auto index = c.input(at::index, std::int64_t{});
            const auto out = c.output(0, as);
            const int dim = wrapped_dim(c.integer(at::dim), self.type().rank);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                int_list from = at;
                if (at.size > 0) {
                    const auto i =
                        c.index(index.type().rank == 0 ? index[{}] : index[{at[dim]}], self.type().size(dim));
                    if (!i) return;
                    from[dim] = *i;
                }
                out.put(at, self[from]);
            });
        });
    }
};

/// take(Tensor self, Tensor index): elements by row-major index
struct take {
    static constexpr std::string_view name = "aten.take.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, index };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("index", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        return check_long_index(c, c.tensor(at::index)) &&
               c.result(tensor_of(c.tensor(at::self).type, sizes_of(c.tensor(at::index))));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto self = c.input(at::self, as);
            const auto index = c.input(at::index, std::int64_t{});
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                if (const auto i = c.wrapped_index(index[at], element_count(self.type())))
                    out.put(at, self[index_of(self.type(), *i)]);
            });
        });
    }
};

using gather_ops = op_list<embedding, one_hot, gather, index_select, take>;

} // namespace ahead::aten
