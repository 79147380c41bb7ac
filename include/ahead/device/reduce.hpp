// SPDX-License-Identifier: MIT
// npu.reduce: sums, means, extremes over dims. The key lists the dims that are kept and those that are reduced, with
// their strides.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/device/kernel_choice.hpp>
#include <ahead/device/key/strided_key.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

enum class reduction : std::uint8_t { sum, mean, largest, smallest, product };

struct dim_list {
    std::int32_t rank = 0;
    std::array<std::int64_t, max_rank> sizes{}, strides{}; // strides in elements
    friend constexpr bool operator==(const dim_list&, const dim_list&) = default;
    constexpr std::int64_t elements() const {
        std::int64_t n = 1;
        for (std::int32_t d = 0; d < rank; ++d) n *= sizes[static_cast<std::size_t>(d)];
        return n;
    }
};
/// Its text in a choice file: "3x4@12x1", sizes and strides.
constexpr void add_text(auto& out, const dim_list& dims) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims.rank); ++d)
        out.add(d == 0 ? "" : "x"), out.add(dims.sizes[d]);
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims.rank); ++d)
        out.add(d == 0 ? "@" : "x"), out.add(dims.strides[d]);
}
AHEAD_FIELDS(dim_list, rank, sizes, strides)

/// The same dims, as few as possible: sizes of 1 are dropped, adjacent dims that are contiguous in memory are merged.
using merged_dims = basic_strided_key<1>;
constexpr merged_dims merged(const dim_list& dims) {
    merged_dims out;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims.rank); ++d) out.add(dims.sizes[d], {dims.strides[d]});
    return out;
}
constexpr bool is_contiguous_inside(const merged_dims& dims) {
    return dims.rank > 0 && dims.strides[0][static_cast<std::size_t>(dims.rank - 1)] == 1;
}

struct reduce_key {
    dtype type = dtype::f32;
    reduction kind = reduction::sum;
    single_choice choice = single_choice::by_rule;
    dim_list kept{}, reduced{};
    friend constexpr bool operator==(const reduce_key&, const reduce_key&) = default;
};
AHEAD_FIELDS(reduce_key, type, kind, choice, kept, reduced)
constexpr bool takes_eigen(const reduce_key& key) {
    return (key.type == dtype::f32 || key.type == dtype::f64) && key.kept.elements() > 0 && key.reduced.elements() > 0;
}

/// Dependent additions where a row is summed: up to 32 partial sums, and the remainder.
constexpr std::int64_t waits_of_sum(std::int64_t count) {
    const std::int64_t together = count >= 32 ? 32 : 8;
    return together + count % together;
}

/// A sum or maximum of each row; element by element if a row is too short for vectors.
constexpr machine::work work_of(const reduce_key& key) {
    machine::work out;
    const auto count = key.reduced.elements(), kept = key.kept.elements();
    const auto rows = merged(key.reduced), columns = merged(key.kept);
    const auto length = innermost(rows);
    if (is_contiguous_inside(rows) && length >= 8) out.vector = {kept, count, 2, waits_of_sum(length)};
    else if (is_contiguous_inside(columns) && innermost(columns) >= 8) out.vector = {count, kept, 2, 0};
    else out.scalar_steps = 2 * kept * count;
    return out;
}

/// npu.reduce(Tensor x, int[] dims, int kind, bool keepdim): sum, mean, ... over the dims, in row-major order.
struct reduce {
    static constexpr std::string_view name = "npu.reduce"sv;
    using meaning_of = reduce; // as a step of npu.fused_rows
    enum at : int { x, dims, kind, keepdim, choice };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor), required("dims", parameter_kind::int_list),
        required("kind", parameter_kind::integer), required("keepdim", parameter_kind::boolean),
        defaulted("choice", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        const auto dims = c.ints(at::dims);
        for (int d = 0; d < c.tensor(at::x).rank; ++d) {
            bool reduced = false;
            for (auto r : dims) reduced = reduced || r == d;
            if (!reduced) sizes.push_back(c.tensor(at::x).size(d));
            else if (c.boolean(at::keepdim)) sizes.push_back(1);
        }
        return c.result(tensor_of(c.tensor(at::x).type, sizes));
    }
    static constexpr reduce_key key(const call_view& c) {
        reduce_key key;
        key.type = c.tensor(at::x).type;
        key.kind = static_cast<reduction>(c.integer(at::kind));
        const auto dims = c.ints(at::dims);
        for (int d = 0; d < c.tensor(at::x).rank; ++d) {
            bool reduced = false;
            for (auto r : dims) reduced = reduced || r == d;
            auto& list = reduced ? key.reduced : key.kept;
            list.sizes[static_cast<std::size_t>(list.rank)] = c.tensor(at::x).size(d);
            list.strides[static_cast<std::size_t>(list.rank++)] = c.tensor(at::x).stride(d);
        }
        key.choice = choice_of<single_choice>(c, at::choice);
        return key;
    }
    using kernel_choice = single_choice;
    static constexpr operand_sizes operands(const reduce_key& k) {
        operand_sizes out{.type = k.type, .x = 1, .out = k.kept.elements()};
        for (const auto* dims : {&k.kept, &k.reduced})
            for (std::size_t d = 0; d < static_cast<std::size_t>(dims->rank); ++d)
                out.x += (dims->sizes[d] - 1) * dims->strides[d];
        return out;
    }
    /// Partitioned along the outermost dim that is not reduced.
    static constexpr partition find_partition(const call_view& c) {
        const auto& x = c.tensor(at::x);
        const int dim = partitioned_dim(c);
        return dim < x.rank ? partition{x.size(dim), loop_tile, first_wide_dim(c.result_type())} : partition{};
    }
    static constexpr node_id part(auto& p, const call_view& c, slice_bounds s) {
        p.slice(at::x, partitioned_dim(c), s);
        return p.make();
    }
    /// Fewer of the outermost dim that is kept; or fewer of a dim that is reduced.
    static constexpr bounded_call bounded(const auto& c) {
        if (!c.is_sound()) return {};
        const auto x = c.given(at::x);
        const auto is_reduced = [&](int d) {
            for (std::int32_t k = 0; k < c.at(at::dims).children.count; ++k)
                if (c.of.full[c.at(at::dims).children[k]].integer() == d) return true;
            return false;
        };
        if (!is_reduced(x.dim))
            return c.are_results_prefixes()
                       ? c.pieces(element_count(c.type(at::x)) / c.of.bound)
                       : c.refuse("a bounded dim that is kept, outermost in the result", ahead::print(c.result_type()));
        if (is_f8(c.type(at::x).type) || is_half(c.type(at::x).type))
            return c.refuse("a bounded dim that is kept, or f32 or f64", ahead::print(c.type(at::x)));
        bounded_call out{.how = bounded_call::way::dynamic, .in = dynamic_extent::terms, .terms = x.each};
        for (int d = 0; d < x.dim; ++d) out.dim += is_reduced(d);
        return out;
    }

private:
    static constexpr int partitioned_dim(const call_view& c) {
        const auto& x = c.tensor(at::x);
        for (int d = 0; d < x.rank; ++d) {
            bool reduced = false;
            for (auto r : c.ints(at::dims)) reduced = reduced || r == d;
            if (!reduced && x.size(d) > 1) return d;
        }
        return x.rank;
    }
};

} // namespace ahead::device
