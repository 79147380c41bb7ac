// SPDX-License-Identifier: MIT
// Training of embeddings, and bags of embeddings. Sums accumulate in double and are rounded once.
// Source: aten/src/ATen/native/Embedding.cpp, EmbeddingBag.cpp; torch/_meta_registrations.py.
#pragma once
#include <ahead/aten/index/gather.hpp>
#include <ahead/aten/reduce/gradient_sums.hpp>
#include <ahead/ir/words.hpp>

namespace AHEAD_NAMESPACE::aten {

/// embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool
/// scale_grad_by_freq): the gradient of a weight of num_weights rows: adds each row of grad_output to the row of its
/// index, skips padding_idx, and with scale_grad_by_freq divides by the number of occurrences of the index
struct embedding_dense_backward {
    static constexpr std::string_view name = "aten.embedding_dense_backward.default"sv;
    enum at : int { grad_output, indices, num_weights, padding_idx, scale_grad_by_freq };
    static constexpr parameter schema[] = {
        required("grad_output", parameter_kind::tensor), required("indices", parameter_kind::tensor),
        required("num_weights", parameter_kind::integer), required("padding_idx", parameter_kind::integer),
        required("scale_grad_by_freq", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto& gradient = c.tensor(at::grad_output);
        const auto& indices = c.tensor(at::indices);
        if (!is_floating(gradient.type))
            return c.refuse(fault::dtype_is_unsupported, "floating point", print(gradient));
        if (!check_index(c, indices)) return false;
        auto sizes = sizes_of(indices);
        if (gradient.rank != sizes.size + 1)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << sizes.size + 1, print(gradient));
        sizes.push_back(gradient.size(sizes.size));
        if (sizes_of(gradient) != sizes)
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(gradient.type, sizes)), print(gradient));
        return c.result(tensor_of(gradient.type, {c.integer(at::num_weights), sizes[sizes.size - 1]}));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return 8 * (element_count(c.result_type()) + c.integer(at::num_weights));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto gradient = c.input(at::grad_output, as);
            const auto indices = c.input(at::indices, std::int64_t{});
            const auto rows = c.integer(at::num_weights), columns = c.result_type().size(1);
            auto sums = detail::sums_beside(c, c.result_type());
            auto counts = c.scratch(rows, std::int64_t{});
            const auto for_each_row = [&](auto f) {
                for_each_index(sizes_of(indices.type()), [&](const int_list& at) {
                    if (indices[at] == c.integer(at::padding_idx)) return;
                    if (const auto row = c.index(indices[at], rows)) f(at, *row);
                });
            };
            for_each_row([&](const int_list&, std::int64_t row) { ++counts[static_cast<std::size_t>(row)]; });
            for_each_row([&](int_list at, std::int64_t row) {
                const auto times = c.boolean(at::scale_grad_by_freq) ? counts[static_cast<std::size_t>(row)] : 1;
                at.push_back(0);
                for (std::int64_t k = 0; k < columns; ++k) {
                    at[at.size - 1] = k;
                    sums.add({row, k}, static_cast<double>(gradient[at]) / static_cast<double>(times));
                }
            });
            sums.round_into(c.output(0, as), as);
        });
    }
};

/// Reduction of a bag's rows. PyTorch passes it as a number.
enum class bag_reduction { sum, mean, max };

/// _embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool
/// sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1): (output,
/// offset2bag, bag_size, max_indices). Bag b has the rows of weight given by indices from offsets[b] to the next
/// offset. Row b of output is the sum, each row times its per_sample_weights, the mean or the maximum of the bag; 0 if
/// the bag is empty. offset2bag is the bag of each index; it is empty if plain sums do not need it, as on PyTorch's
/// CPU. bag_size does not count padding_idx. max_indices has the rows of the largest elements; for other modes one zero
/// per bag.
struct embedding_bag {
    static constexpr std::string_view name = "aten._embedding_bag.default"sv;
    enum at : int {
        weight,
        indices,
        offsets,
        scale_grad_by_freq,
        mode,
        sparse,
        per_sample_weights,
        include_last_offset,
        padding_idx
    };
    static constexpr parameter schema[] = {
        required("weight", parameter_kind::tensor),
        required("indices", parameter_kind::tensor),
        required("offsets", parameter_kind::tensor),
        defaulted("scale_grad_by_freq", parameter_kind::boolean, argument::of(false)),
        defaulted("mode", parameter_kind::integer, argument::of(static_cast<int>(bag_reduction::sum))),
        defaulted("sparse", parameter_kind::boolean, argument::of(false)),
        defaulted("per_sample_weights", parameter_kind::optional_tensor),
        defaulted("include_last_offset", parameter_kind::boolean, argument::of(false)),
        defaulted("padding_idx", parameter_kind::integer, argument::of(-1))};
    /// The ignored row; -1: none.
    static constexpr std::int64_t padding_of(const auto& c) {
        return c.is_given(at::padding_idx) ? c.integer(at::padding_idx) : -1;
    }
    /// Whether PyTorch fills offset2bag.
    static constexpr bool notes_bags(const auto& c) {
        const auto& weight = c.tensor(at::weight);
        return c.template word<bag_reduction>(at::mode) != bag_reduction::sum || padding_of(c) >= 0 ||
               (weight.type != dtype::f32 && !is_half(weight.type)) || weight.stride(1) != 1 ||
               (c.is_given(at::per_sample_weights) && c.tensor(at::per_sample_weights).stride(0) != 1);
    }
    static constexpr bool infer(infer_context& c) {
        const auto weight = c.tensor(at::weight), indices = c.tensor(at::indices), offsets = c.tensor(at::offsets);
        if (weight.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(weight));
        if (!is_floating(weight.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(weight));
        if (!check_index(c, indices) || !check_index(c, offsets)) return false;
        for (const auto* t : {&indices, &offsets})
            if (t->rank != 1) return c.refuse(fault::rank_is_wrong, "rank 1", print(*t));
        if (c.integer(at::mode) < 0 || c.integer(at::mode) > static_cast<int>(bag_reduction::max))
            return c.refuse(fault::argument_has_wrong_kind, "mode: 0 (sum), 1 (mean) or 2 (max)",
                            short_text() << c.integer(at::mode));
        const bool takes_last = c.boolean(at::include_last_offset);
        if (takes_last && offsets.size(0) == 0)
            return c.refuse(fault::element_counts_differ, "a last offset", print(offsets));
        if (c.is_given(at::per_sample_weights)) {
            const auto& scale = c.tensor(at::per_sample_weights);
            if (c.word<bag_reduction>(at::mode) != bag_reduction::sum)
                return c.refuse(fault::argument_is_unknown, "per_sample_weights for mode 0 (sum) only",
                                short_text() << c.integer(at::mode));
            if (scale.type != weight.type) return c.refuse(fault::dtypes_differ, print(weight), print(scale));
            if (sizes_of(scale) != sizes_of(indices))
                return c.refuse(fault::shapes_do_not_broadcast, print(indices), print(scale));
        }
        const auto bags = offsets.size(0) - takes_last;
        const auto type = indices.type == offsets.type ? indices.type : dtype::i64;
        const auto of_bags = tensor_of(type, {bags});
        const bool largest = c.word<bag_reduction>(at::mode) == bag_reduction::max;
        return c.results(4) && c.set(0, tensor_of(weight.type, {bags, weight.size(1)})) &&
               c.set(1, tensor_of(type, {notes_bags(c) ? indices.size(0) : 0})) && c.set(2, of_bags) &&
               c.set(3, largest ? tensor_of(type, {bags, weight.size(1)}) : of_bags);
    }
    static constexpr void evaluate(auto& c) {
        const auto mode = c.template word<bag_reduction>(at::mode);
        const auto indices = c.input(at::indices, std::int64_t{}), offsets = c.input(at::offsets, std::int64_t{});
        const auto notes = c.output(1, std::int64_t{}), sizes = c.output(2, std::int64_t{}),
                   origins = c.output(3, std::int64_t{});
        const auto count = indices.type().size(0), rows = c.tensor(at::weight).size(0);
        const auto bags = c.result_type().size(0), columns = c.result_type().size(1);
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto weight = c.input(at::weight, as);
            for (std::int64_t bag = 0; bag < bags; ++bag) {
                const bool is_last = bag + 1 == offsets.type().size(0);
                const auto first = c.index(offsets[{bag}], bag == 0 ? 1 : count + 1); // the first bag begins at 0
                const auto end = c.index(is_last ? count : offsets[{bag + 1}], count + 1);
                if (!first || !end) return;
                std::int64_t taken = 0;
                for (auto k = *first; k < *end; ++k) {
                    taken += indices[{k}] != padding_of(c);
                    if (!c.index(indices[{k}], rows)) return;
                    if (notes.type().size(0) > 0) notes.put({k}, bag);
                }
                sizes.put({bag}, taken);
                if (mode != bag_reduction::max) origins.put({bag}, 0);
                for (std::int64_t column = 0; column < columns; ++column) {
                    double total = 0;
                    std::int64_t origin = 0;
                    bool is_first = true;
                    for (auto k = *first; k < *end; ++k) {
                        const auto row = indices[{k}];
                        if (row == padding_of(c)) continue;
                        auto x = static_cast<double>(weight[{row, column}]);
                        if (c.is_given(at::per_sample_weights))
                            x *= static_cast<double>(c.input(at::per_sample_weights, as)[{k}]);
                        if (mode != bag_reduction::max) total += x;
                        else if (is_first || x > total) {
                            total = x;
                            origin = row;
                        }
                        is_first = false;
                    }
                    if (mode == bag_reduction::mean && taken > 0) total /= static_cast<double>(taken);
                    c.output(0, as).put({bag, column}, math::convert<T>(total));
                    if (mode == bag_reduction::max) origins.put({bag, column}, origin);
                }
            }
        });
    }
};

/// _embedding_bag_forward_only(...): _embedding_bag without gradients. PyTorch leaves bag_size of sums unspecified;
/// here it is the same.
struct embedding_bag_forward_only : embedding_bag {
    static constexpr std::string_view name = "aten._embedding_bag_forward_only.default"sv;
};

/// embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, bool
/// sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx): _embedding_bag; padding_idx None
/// means none; a negative padding_idx is refused here: count from the first row instead
struct embedding_bag_padding : embedding_bag {
    static constexpr std::string_view name = "aten.embedding_bag.padding_idx"sv;
    static constexpr parameter schema[] = {required("weight", parameter_kind::tensor),
                                           required("indices", parameter_kind::tensor),
                                           required("offsets", parameter_kind::tensor),
                                           required("scale_grad_by_freq", parameter_kind::boolean),
                                           required("mode", parameter_kind::integer),
                                           required("sparse", parameter_kind::boolean),
                                           required("per_sample_weights", parameter_kind::optional_tensor),
                                           required("include_last_offset", parameter_kind::boolean),
                                           required("padding_idx", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        if (c.is_given(at::padding_idx) && c.integer(at::padding_idx) < 0)
            return c.refuse(fault::argument_has_wrong_kind, "padding_idx from 0, or None",
                            short_text() << c.integer(at::padding_idx));
        return embedding_bag::infer(c);
    }
};

using embedding_ops =
    op_list<embedding_dense_backward, embedding_bag, embedding_bag_forward_only, embedding_bag_padding>;

} // namespace ahead::aten
