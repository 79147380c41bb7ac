// SPDX-License-Identifier: MIT
// npu.embedding_bag: rows of a matrix, selected by indices; summed, averaged or compared bag by bag.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

/// How the rows of a bag are combined, numbered as in PyTorch.
enum class bag_mode : std::uint8_t { sum, mean, largest };

/// `bags` bags over the `count` rows that indices select out of rows x columns; index, offset and note: i64 or i32.
struct embedding_bag_key {
    dtype type = dtype::f32, index = dtype::i64, offset = dtype::i64, note = dtype::i64;
    bag_mode mode = bag_mode::sum;
    bool scaled = false;     // a factor for each row
    bool has_last = false;   // the last bag's end is given, too
    bool notes_bags = false; // also returns for each index its bag
    std::int64_t rows = 0, columns = 0, count = 0, bags = 0;
    std::int64_t padding = -1; // the row that is ignored; below 0: none
    friend constexpr bool operator==(const embedding_bag_key&, const embedding_bag_key&) = default;
};
AHEAD_FIELDS(embedding_bag_key, type, index, offset, note, mode, scaled, has_last, notes_bags, rows, columns, count,
             bags, padding)

constexpr machine::work work_of(const embedding_bag_key& key) {
    machine::work out;
    out.vector = {key.count, key.columns, 4, 0};
    return out;
}

/// npu.embedding_bag(Tensor weight, Tensor indices, Tensor offsets, Tensor? scales, int mode, bool has_last, int
/// padding, bool notes_bags, bool wide_notes): weight[rows, columns], indices[count], offsets[bags], one more if
/// has_last, scales[count]; all contiguous; mode: a bag_mode. Results: the combined bags, [bags, columns]; the bag of
/// each index, empty unless notes_bags; the number of rows of each bag; and the rows that the largest elements came
/// from, [bags, columns], or zeros, [bags], in other modes. The last three are i64 if wide_notes, else i32.
struct embedding_bag {
    static constexpr std::string_view name = "npu.embedding_bag"sv;
    enum at : int { weight, indices, offsets, scales, mode, has_last, padding, notes_bags, wide_notes };
    static constexpr parameter schema[] = {
        required("weight", parameter_kind::tensor),     required("indices", parameter_kind::tensor),
        required("offsets", parameter_kind::tensor),    required("scales", parameter_kind::optional_tensor),
        required("mode", parameter_kind::integer),      required("has_last", parameter_kind::boolean),
        required("padding", parameter_kind::integer),   required("notes_bags", parameter_kind::boolean),
        required("wide_notes", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto& weight = c.tensor(at::weight);
        const auto type = c.boolean(at::wide_notes) ? dtype::i64 : dtype::i32;
        const auto bags = c.tensor(at::offsets).size(0) - c.boolean(at::has_last);
        const bool largest = static_cast<bag_mode>(c.integer(at::mode)) == bag_mode::largest;
        const auto made = tensor_of(weight.type, {bags, weight.size(1)}), of_bags = tensor_of(type, {bags});
        return c.results(4) && c.set(0, made) &&
               c.set(1, tensor_of(type, {c.boolean(at::notes_bags) ? c.tensor(at::indices).size(0) : 0})) &&
               c.set(2, of_bags) && c.set(3, largest ? tensor_of(type, sizes_of(made)) : of_bags);
    }
    static constexpr embedding_bag_key key(const call_view& c) {
        const auto& weight = c.tensor(at::weight);
        return {.type = weight.type,
                .index = c.tensor(at::indices).type,
                .offset = c.tensor(at::offsets).type,
                .note = c.result_type(2).type,
                .mode = static_cast<bag_mode>(c.integer(at::mode)),
                .scaled = c.is_given(at::scales),
                .has_last = c.boolean(at::has_last),
                .notes_bags = c.boolean(at::notes_bags),
                .rows = weight.size(0),
                .columns = weight.size(1),
                .count = c.tensor(at::indices).size(0),
                .bags = c.result_type().size(0),
                .padding = c.integer(at::padding)};
    }
};

} // namespace ahead::device
