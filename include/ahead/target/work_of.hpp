// SPDX-License-Identifier: MIT
// What a call of a device operator asks for, read off its key: what the kernel of that key does, padding, copies and
// all, so that one calibration of products and of pointwise chains serves convolutions and rows, too. Called by
// program/timing.hpp.
// Invariant: bytes are not counted here but from the plan, which knows where they lie.
#pragma once
#include <ahead/target/ai_cpu.hpp>
#include <ahead/target/average_pool2d_op.hpp>
#include <ahead/target/device_ops.hpp>
#include <ahead/target/fused_op.hpp>
#include <ahead/target/pointwise_op.hpp>
#include <ahead/target/steps.hpp>
#include <ahead/target/work.hpp>

namespace AHEAD_NAMESPACE::target {

/// n is the dim that a kernel's vectors run along: columns, or k where there are so few columns that it takes dot
/// products.
constexpr work work_of(const matmul_key& key) {
    work out;
    if (is_dot_product(key)) {
        out.cube = {1, key.m * key.n, 1, key.k};
        out.vector = {key.m * key.n, nominal_lanes(key.type), 1, 8}; // each dot product's sum across its lanes
    } else {
        out.cube = {1, key.m, key.k, key.n};
        if (packs_on_the_fly(key)) out.scalar_steps = key.k * key.n;
    }
    if (!is_floating(key.type)) out = {.scalar_steps = 2 * key.m * key.n * key.k};
    return out;
}
constexpr work times(std::int64_t count, work one) {
    one.cube.count *= count;
    one.vector.count *= count;
    one.scalar_steps *= count;
    return one;
}
constexpr work work_of(const batch_matmul_key& key) { return times(key.batch, work_of(key.product)); }

/// Products of pixels and filters, the dim that vectors run along as n; what is copied around the input or turned on
/// its way out, besides.
constexpr work work_of(const convolution_key& given) {
    const auto key = with_rows_merged(given);
    const auto groups = key.batch * key.groups;
    const auto channels = channels_per_group(key), filters = filters_per_group(key), pixels = out_pixels(key);
    const auto depth = channels * key.kernel_h * key.kernel_w;
    const auto copied_rows = groups * channels * detail::padded_rows(key);
    work out;
    switch (algorithm_of(key)) {
    case convolution_algorithm::product: return times(key.groups, work_of(product_of(key)));
    case convolution_algorithm::tiny_map: {
        std::int64_t met = 0;
        for (std::int64_t h = 0; h < key.kernel_h; ++h)
            for (std::int64_t w = 0; w < key.kernel_w; ++w)
                for (std::int64_t p = 0; p < pixels; ++p) met += meets_input(key, h, w, p / out_w(key), p % out_w(key));
        out.cube = {groups, met, channels, filters};
        break;
    }
    case convolution_algorithm::channels_in_lanes:
        out.cube = {groups, pixels, depth, filters};
        if (detail::reads_padding(key)) out.vector = {copied_rows, detail::padded_columns(key), 2, 0};
        break;
    case convolution_algorithm::pixels_in_lanes: {
        const auto lanes = nominal_lanes(key.type);
        out.cube = {groups, filters, depth, out_h(key) * detail::vectors(out_w(key), lanes) * lanes};
        if (detail::copies_for_pixels(key))
            out.vector = {copied_rows * detail::phases(key), detail::phase_width(key), 2, 0};
        if (detail::copies_for_pixels(key) && key.stride_w > 1)
            out.scalar_steps = copied_rows * detail::phases(key) * detail::phase_width(key);
        return out;
    }
    }
    if (pixels > 1) out.scalar_steps += groups * pixels * filters;
    return out;
}

/// Pairs of columns taken apart in registers, a maximum being a comparison, a choice and one for NaN; else windows at
/// every column, of which some are picked. Where places are wanted, too, taps one by one, each a branch that is often
/// guessed wrong, which costs as much as ten instructions.
constexpr work work_of(const max_pool2d_key& key) {
    const auto outputs = key.planes * key.out_h * key.out_w;
    const bool pairs = key.kernel_h == 2 && key.kernel_w == 2 && key.stride_h == 2 && key.stride_w == 2 &&
                       key.pad_h == 0 && key.pad_w == 0;
    work out;
    if (key.indices) {
        out.scalar_steps = 10 * outputs * key.kernel_h * key.kernel_w;
    } else if (pairs) {
        out.vector = {key.planes * key.out_h, key.out_w, 4 + 3 * 3 + 2 + 1, 0};
    } else {
        out.vector = {key.planes * key.out_h, (key.out_w - 1) * key.stride_w + 1, 4 * key.kernel_h * key.kernel_w, 0};
        out.scalar_steps = 3 * outputs;
    }
    return out;
}

/// Every element of every window, one by one: each addition waits for the one before.
constexpr work work_of(const average_pool2d_key& key) {
    const auto elements = [](const average_pool2d_key::axis& a) {
        std::int64_t count = 0;
        for (std::int64_t i = 0; i < a.out; ++i) count += window_at(a, i).last - window_at(a, i).first;
        return count;
    };
    return {.scalar_steps = 4 * key.planes * elements(key.rows) * elements(key.columns)};
}

/// Additions that wait for one another where a row is summed: up to 32 partial sums, and what is left over.
constexpr std::int64_t waits_of_sum(std::int64_t count) {
    const std::int64_t together = count >= 32 ? 32 : 8;
    return together + count % together;
}

/// A sum or maximum of each row, the elements of one after the other where they are not enough for vectors.
constexpr work work_of(const reduce_key& key) {
    work out;
    const auto count = key.reduced.elements(), kept = key.kept.elements();
    const auto innermost = key.reduced.rank > 0 ? key.reduced.sizes[static_cast<std::size_t>(key.reduced.rank - 1)] : 1;
    const auto kept_innermost = key.kept.rank > 0 ? key.kept.sizes[static_cast<std::size_t>(key.kept.rank - 1)] : 1;
    const bool along = key.reduced.rank > 0 && key.reduced.strides[static_cast<std::size_t>(key.reduced.rank - 1)] == 1;
    if (along && innermost >= 8) out.vector = {kept, count, 2, waits_of_sum(innermost)};
    else if (!along && kept_innermost >= 8) out.vector = {count, kept, 2, 0};
    else out.scalar_steps = 2 * kept * count;
    return out;
}

/// The largest, then exp of the difference, its sum and a product; rows do not wait for one another.
constexpr work work_of(const softmax_key& key) {
    return {.vector = {key.rows, key.count, 2 + steps_named("aten.exp.default").count + 4 + 2, 0}};
}

/// Mean, variance and the row itself, in f64: two instructions where f32 takes one; three quotients and a root are
/// waited for.
constexpr work work_of(const layer_norm_key& key) { return {.vector = {key.rows, key.count, 2 * (2 + 4 + 5), 6}}; }

constexpr std::int64_t innermost(const auto& loop) {
    return loop.rank == 0 ? 1 : loop.sizes[static_cast<std::size_t>(loop.rank - 1)];
}

/// Rows of a loop over strided tensors; an operand with gaps between its elements is gathered one by one.
template <int Tensors>
constexpr work rows_of(const basic_strided_key<Tensors>& loop, steps each) {
    const auto elements = loop.elements();
    work out;
    if (elements == 0) return out;
    if (each.in_vectors) out.vector = {elements / innermost(loop), innermost(loop), each.count, 0};
    else out.scalar_steps = elements * each.count;
    for (std::size_t t = 0; loop.rank > 0 && t <= static_cast<std::size_t>(loop.operands); ++t)
        if (const auto stride = loop.strides[t][static_cast<std::size_t>(loop.rank - 1)];
            stride != 1 && (t == 0 || stride != 0))
            out.scalar_steps += elements;
    return out;
}
constexpr work work_of(const strided_key& copy) { return rows_of(copy, {1, true}); }

/// The instructions of a program of pointwise steps, in vectors and one by one. costs: by row of the device's registry.
struct program_steps {
    std::int64_t in_vectors = 0, one_by_one = 0;
};
constexpr program_steps steps_of(const std::array<fused_step, max_fused_steps>& program, std::int32_t count,
                                 const steps* costs) {
    program_steps out;
    for (std::int32_t s = 0; s < count; ++s) {
        const auto& cost = costs[program[static_cast<std::size_t>(s)].op.index];
        (cost.in_vectors ? out.in_vectors : out.one_by_one) += cost.count;
    }
    return out;
}
constexpr work work_of(const fused_key& key, const steps* costs) {
    const auto all = steps_of(key.steps, key.count, costs);
    auto out = rows_of(key.loop, {all.in_vectors, true});
    out.scalar_steps += all.one_by_one * key.loop.elements();
    return out;
}
/// What is done with the sums of a product or convolution, on top of it.
constexpr work with_epilogue(work out, const epilogue_key& key, std::int64_t elements, const steps* costs) {
    const auto all = steps_of(key.steps, key.count, costs);
    out.after = {1, elements, all.in_vectors, 0};
    out.scalar_steps += all.one_by_one * elements;
    return out;
}

constexpr std::int64_t elements_of_results(const call_view& c) {
    std::int64_t count = 0;
    for (std::int32_t k = 0; k < c.in()[c.id()].values.count; ++k) count += element_count(c.result_type(k));
    return count;
}

/// The elements that a meaning visits: of its results, and of its operands where there are more of those, as a window
/// or a sum reads them all. An operator that picks elements visits only what it gives.
template <class Op>
constexpr std::int64_t visited_elements(const call_view& c) {
    constexpr bool picks = [] {
        for (std::string_view name :
             {"embedding", "index", "index_select", "gather", "take", "select", "slice", "_unsafe_index"})
            if (same_name(base_of(Op::name), name)) return true;
        return false;
    }();
    std::int64_t operands = 0;
    for (int i = 0; !picks && i < static_cast<int>(std::size(Op::schema)); ++i)
        if (c.is_tensor(i)) operands += element_count(c.tensor(i));
    const auto made = elements_of_results(c);
    return made + (operands > made ? operands : 0);
}

template <class Op>
inline constexpr bool is_ai_cpu = false;
template <class Op>
inline constexpr bool is_ai_cpu<ahead::device::ai_cpu<Op>> = true;
template <class Op>
inline constexpr bool is_pointwise = false;
template <class Op>
inline constexpr bool is_pointwise<ahead::device::pointwise<Op>> = true;

/// Op: the device operator that is called. costs: by row of the device's registry, read by npu.fused.
template <class Op>
constexpr work work_of_call(const call_view& c, [[maybe_unused]] const steps* costs) {
    if constexpr (requires { Op::work(c); }) {
        return Op::work(c);
    } else if constexpr (is_pointwise<Op>) {
        return rows_of(Op::key(c).loop, steps_of<typename Op::meaning_of>());
    } else if constexpr (requires {
                             Op::key(c);
                             work_of(Op::key(c), costs);
                         }) {
        return work_of(Op::key(c), costs);
    } else if constexpr (requires {
                             work_of(Op::key(c));
                             Op::epilogue(c);
                         }) {
        const auto product = work_of(Op::key(c));
        return Op::has_epilogue(c) ? with_epilogue(product, Op::epilogue(c), elements_of_results(c), costs) : product;
    } else if constexpr (requires {
                             Op::key(c);
                             work_of(Op::key(c));
                         }) {
        return work_of(Op::key(c));
    } else if constexpr (is_ai_cpu<Op>) {
        return {.ai_cpu_elements = visited_elements<Op>(c)};
    } else {
        return {.vector = {1, elements_of_results(c), 1, 0}};
    }
}

/// Maker of a registry's costs, by row.
struct steps_maker {
    template <class Op>
    static constexpr steps cost() {
        if constexpr (is_pointwise<Op>) return steps_of<typename Op::meaning_of>();
        else return {};
    }
    template <class Op>
    static constexpr steps of = cost<Op>();
};

} // namespace ahead::target
