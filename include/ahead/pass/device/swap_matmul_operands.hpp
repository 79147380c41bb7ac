// SPDX-License-Identifier: MIT
// A product with weights whose rows were copied from columns, (X^T) W for each image of [K, M], becomes W^T X, which
// reads X in place: a batch of products with the weights on the left and transposed results. Layers that mix tokens,
// heads or channels along a dim that is not innermost copy to the innermost dim and back; with swapped operands neither
// copy remains.
// Law: the sums are of the same products, and an addend of each column becomes an addend of each row. All readers of
// the result read it transposed: copies, which are removed, loops, and calls whose operand is contiguous afterwards.
// The product stays if the cost model says that it takes less time with its copies; if the copy has other readers; and
// if it has an epilogue other than the addition of a row.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/device/product/batch_matmul.hpp>
#include <ahead/device/product/matmul.hpp>
#include <ahead/device/product/pack_matmul.hpp>
#include <ahead/machine/cost.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/device/copies.hpp>
#include <ahead/pass/device/pointwise_program.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

class product_turner {
public:
    constexpr product_turner(graph_editor& g, const machine::device& on)
        : g_(g), copies_(g), on_(on), matmul_(find_op<device::matmul>(g.operators())),
          pack_(find_op<device::pack_matmul>(g.operators())) {}

    constexpr void run() {
        g_.eliminate_dead_code(); // views without readers, left by lowering
        for (node_id id : g_) {
            if (!g_.ok()) return;
            if (g_[id].kind == node_kind::call && g_[id].op == matmul_ && !g_[id].constant && find(id)) write(id);
        }
        if (g_.changes() > 0) g_.eliminate_dead_code();
    }

private:
    static constexpr int most_readers = 8;
    using at = device::matmul::at;

    graph_editor& g_;
    copy_finder copies_;
    const machine::device& on_;
    op_id matmul_, pack_;
    // The match.
    std::int64_t images_ = 0, m_ = 0, n_ = 0, k_ = 0; // m: rows of an image; n: filters
    tensor_type x_;                                   // [images, k, m], as it is read
    argument from_, bias_, weight_;
    struct reader {
        node_id view;
        tensor_type type;
        node_id copy; // a copy that becomes a view, if there is one
        node_id loop; // a loop that reads it, if there is one
    };
    reader readers_[most_readers]{};
    int reader_count_ = 0;

    constexpr bool find(node_id id) {
        return find_rows(id) && find_weight(id) && find_bias(id) && find_readers(id) && pays();
    }
    constexpr bool find_rows(node_id id) {
        const auto& given = g_.argument_of(id, at::a);
        const auto& a = copies_.type_of(given);
        const auto copy = copies_.behind(given, id);
        if (!copy.exists() || !is_floating(a.type) || is_half(a.type)) return false;
        from_ = g_.argument_of(copy, 0);
        const copy_reading reading(copies_.type_of(from_), a);
        if (!reading.ok() || reading.runs(1).count != 1) return false;
        const auto &rows = reading.runs(0), &columns = reading.runs(1);
        if (rows.count < 1 || rows.count > 2 || rows.at[0].stride != 1 || columns.at[0].stride == 1) return false;
        m_ = rows.at[0].size;
        images_ = rows.count == 2 ? rows.at[1].size : 1;
        k_ = a.size(1);
        n_ = g_.argument_of(id, at::n).integer();
        x_ = tensor_of(a.type, {images_, k_, m_});
        if (rows.count == 2) x_.strides.at[0] = rows.at[1].stride;
        x_.strides.at[1] = columns.at[0].stride;
        x_.strides.at[2] = 1;
        x_.offset = reading.offset();
        return m_ >= device::fewest_panel_columns;
    }
    constexpr bool find_weight(node_id id) {
        const auto packed = g_.operand(id, at::b);
        if (g_[packed].kind != node_kind::call || g_[packed].op != pack_) return false;
        weight_ = g_.argument_of(packed, device::pack_matmul::at::b);
        return true;
    }
    /// Accepts no bias, a bias that is a row, or an epilogue that adds one to each row.
    constexpr bool find_bias(node_id id) {
        bias_ = {};
        const auto is_row = [&](const argument& a) {
            const auto& t = copies_.type_of(a);
            return element_count(t) == n_ && n_ > 1 && t.rank > 0 && t.size(t.rank - 1) == n_;
        };
        const auto& own = g_.argument_of(id, at::bias);
        const bool has_program =
            g_[id].arguments.count > at::program && g_.argument_of(id, at::program).kind != argument_kind::none;
        if (own.kind == argument_kind::node) {
            bias_ = own;
            return !has_program && is_row(own);
        }
        if (!has_program) return true;
        pointwise_program steps;
        steps.read(g_.view(), g_.argument_of(id, at::program));
        if (steps.steps != 1) return false;
        using code = device::fused_step_code;
        const auto& step = steps.codes[0];
        if (g_.operators()[static_cast<std::size_t>(step.op().index)].name != "npu.add.Tensor") return false;
        const int one = step.what(0), other = step.what(1);
        if (step.what(2) != code::one || one + other != 2 * code::first_operand + 1 || one == other) return false;
        bias_ = g_.argument_of(id, at::r0);
        return bias_.kind == argument_kind::node && is_row(bias_) &&
               g_.argument_of(id, at::r1).kind == argument_kind::none;
    }
    /// Maps each reader's view of the result to the transposed result.
    constexpr bool find_readers(node_id id) {
        reader_count_ = 0;
        const auto& out = g_.type_of(id);
        if (!is_contiguous(out) || out.offset != 0) return false;
        return find_readers_of(id, id);
    }
    constexpr bool find_readers_of(node_id product, node_id of) {
        for (std::int32_t k = 0; k < g_.use_count(of); ++k) {
            const auto id = g_.user(of, k);
            if (copies_.is_view(id)) {
                if (!find_readers_of(product, id)) return false;
                continue;
            }
            auto turned = tensor_of(x_.type, {images_, m_, n_});
            turned.strides.at[1] = 1;
            turned.strides.at[2] = m_;
            const auto& read = g_.type_of(of);
            const copy_reading reading(turned, read);
            if (of == product || !reading.ok() || reader_count_ == most_readers || g_[id].kind != node_kind::call)
                return false;
            auto& mine = readers_[reader_count_++];
            mine = {of, read, {}, {}};
            mine.type.offset = reading.offset();
            for (int d = 0; d < read.rank; ++d) {
                if (reading.runs(d).count > 1) return false;
                mine.type.strides.at[d] = reading.runs(d).count == 0 ? read.stride(d) : reading.runs(d).at[0].stride;
            }
            const auto usual = tensor_of(read.type, sizes_of(read));
            const bool lies_so = same_strides(mine.type, usual);
            if (copies_.is_copy(id)) {
                if (lies_so && !g_.is_returned(id)) mine.copy = id;
            } else if (copies_.is_loop(id)) {
                mine.loop = id;
            } else if (!lies_so) {
                return false;
            }
        }
        return true;
    }
    /// Compares both forms by the cost model: the bytes that both move, and those of the copies.
    constexpr bool pays() const {
        const auto bytes = [&](std::int64_t elements) { return bytes_of(x_.type, elements); };
        const auto read = bytes(images_ * m_ * k_), written = bytes(images_ * m_ * n_);
        const machine::footprint used{read + written, read + written};
        device::matmul_key usual{.type = x_.type, .m = images_ * m_, .n = n_, .k = k_, .packed = true};
        auto before = device::work_of(usual);
        before.moved_bytes = read + written;
        auto after = work_of(batch_key());
        after.moved_bytes = read + written;
        machine::work copies;
        copies.moved_bytes = 2 * read;
        auto time = machine::time_of(before, on_, used) + machine::time_of(copies, on_, used);
        for (int i = 0; i < reader_count_; ++i) {
            if (!readers_[i].copy.exists()) continue;
            copies.moved_bytes = 2 * written;
            time += machine::time_of(copies, on_, used);
        }
        return !(time < machine::time_of(after, on_, used));
    }
    constexpr device::batch_matmul_key batch_key() const {
        const auto& w = copies_.type_of(weight_);
        device::batch_matmul_key key;
        key.product = {.type = x_.type,
                       .m = n_,
                       .n = m_,
                       .k = k_,
                       .a_row = w.stride(1),
                       .a_col = w.stride(0),
                       .b_row = x_.stride(1),
                       .b_col = 1};
        key.batch = images_;
        return key;
    }
    constexpr void write(node_id id) {
        g_.inserting_before(id);
        const auto x = copies_.make_view(from_, x_);
        auto w = tensor_of(x_.type, {images_, n_, k_});
        const auto& given = copies_.type_of(weight_);
        w.strides.at[0] = 0;
        w.strides.at[1] = given.stride(1);
        w.strides.at[2] = given.stride(0);
        w.offset = given.offset;
        const auto left = copies_.make_view(weight_, w);
        argument bias = bias_;
        if (bias.kind == argument_kind::node) {
            auto row = tensor_of(x_.type, {n_});
            const auto& own = copies_.type_of(bias);
            row.strides.at[0] = own.stride(own.rank - 1);
            row.offset = own.offset;
            bias = argument::of(copies_.make_view(bias, row));
        }
        bias.keyword = {};
        const auto made = g_.call<device::batch_matmul>({left, x, argument{}, argument::of(false), bias});
        if (!g_.ok()) return;
        g_.rewriter().rename(made, id);
        for (int i = 0; i < reader_count_; ++i) {
            auto& mine = readers_[i];
            if (mine.loop.exists()) copies_.keep_type(mine.loop);
            const auto as = copies_.make_view(argument::of(made), mine.type);
            if (!g_.ok()) return;
            if (mine.copy.exists()) {
                auto type = g_.type_of(mine.copy);
                type.offset = mine.type.offset;
                g_.set_type(as, type);
                g_.replace_all_uses_with(mine.copy, as);
            } else {
                g_.replace_all_uses_with(mine.view, as);
            }
        }
    }
};

} // namespace detail

/// On: the device for which the cost is computed.
template <const machine::device& On> struct swap_matmul_operands_pass {
    static constexpr std::string_view name = "swap_matmul_operands";
    static constexpr toggle config::* option = &config::fold_transposes;

    static constexpr bool applies(graph_view g, op_table ops) {
        return !calls_of(g, find_op<device::copy>(ops)).is_empty() &&
               !calls_of(g, find_op<device::matmul>(ops)).is_empty();
    }
    constexpr void operator()(graph_editor& g, const config&) const { detail::product_turner(g, On).run(); }
};
template <const machine::device& On> inline constexpr swap_matmul_operands_pass<On> swap_matmul_operands;

} // namespace ahead::pass
