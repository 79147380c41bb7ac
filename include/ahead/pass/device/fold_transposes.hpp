// SPDX-License-Identifier: MIT
// Removes copies that only permute elements, where a neighbour can read or write the other layout: batches of products
// and attention read q, k and v directly from the one product that computes all three, and write heads next to each
// other, as the next product reads them; a convolution reads some of the channels of each image; a copy of a copy reads
// the source of the inner copy.
// Law: every element is computed from the same elements in the same way. A copy is removed only if it has no other
// reader, no call in between writes its source, and its reader is on its stream in its segment and equally constant. It
// stays if strides cannot express the access, or if a product would have to pack more than the copy moves.
#pragma once
#include <ahead/device/convolution.hpp>
#include <ahead/device/product/attention.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/device/copies.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

class transpose_folder {
public:
    constexpr explicit transpose_folder(graph_editor& g)
        : g_(g), copies_(g), product_(find_op<device::batch_matmul>(g.operators())),
          attention_(find_op<device::attention>(g.operators())),
          convolution_(find_op<device::convolution>(g.operators())) {}

    constexpr void run() {
        g_.eliminate_dead_code(); // views without readers, left by lowering
        for (node_id id : g_) {
            if (!g_.ok()) return;
            if (g_[id].constant) continue;
            const auto op = g_[id].op;
            if (op == copies_.copy_op()) join_copies(id);
            else if (op == product_ || op == attention_) absorb(id);
            else if (op == convolution_) read_images(id);
        }
        if (g_.changes() > 0) g_.eliminate_dead_code();
    }

private:
    static constexpr int most_operands = 3;
    /// A batch of matrices as an operand, with its strides.
    struct matrices {
        argument from;
        std::int64_t sizes[3]{}; // matrices, rows, columns
        stride_runs batch;
        std::int64_t row = 0, column = 0, offset = 0;
        bool is_absorbed = false;
    };

    graph_editor& g_;
    copy_finder copies_;
    op_id product_, attention_, convolution_;

    constexpr const tensor_type& type_of(const argument& a) const { return copies_.type_of(a); }

    /// Makes a copy of a copy read the inner copy's source.
    constexpr void join_copies(node_id id) {
        const auto given = g_.argument_of(id, 0);
        const auto inner = copies_.behind(given, id);
        if (!inner.exists()) return;
        const auto from = g_.argument_of(inner, 0);
        const auto& read = type_of(given);
        const copy_reading reading(type_of(from), read);
        if (!reading.ok()) return;
        tensor_type type = read; // a dim for each run
        type.rank = 0;
        type.offset = reading.offset();
        for (int d = 0; d < read.rank; ++d) {
            const auto& runs = reading.runs(d);
            if (type.rank + runs.count > max_rank) return;
            for (int i = runs.count; i-- > 0; ++type.rank) {
                type.sizes.at[type.rank] = runs.at[i].size;
                type.strides.at[type.rank] = runs.at[i].stride;
            }
        }
        const auto before = g_.type_of(id);
        g_.inserting_before(id);
        g_.replace_operand(id, 0, copies_.make_view(from, type));
        g_.infer(id);
        stand_for(id, before);
    }
    /// Makes all readers of `id` read it under this type.
    constexpr void stand_for(node_id id, const tensor_type& type) {
        if (!g_.ok() || g_.type_of(id) == type) return;
        g_.inserting_after(id);
        const auto as = copies_.make_view(argument::of(id), type);
        if (g_.ok()) g_.replace_all_uses_with(id, as, 0, as);
    }

    /// Makes a convolution read images that are not contiguous with each other.
    constexpr void read_images(node_id id) {
        using at = device::convolution::at;
        const auto given = g_.argument_of(id, at::x);
        const auto copy = copies_.behind(given, id);
        if (!copy.exists()) return;
        const auto from = g_.argument_of(copy, 0);
        auto type = type_of(given);
        const copy_reading reading(type_of(from), type);
        if (!reading.ok()) return;
        for (int d = 0; d < type.rank; ++d) {
            const auto& runs = reading.runs(d);
            if (runs.count > 1 || (d > 0 && runs.count == 1 && runs.at[0].stride != type.stride(d))) return;
            if (runs.count == 1 && runs.at[0].stride == 0) return; // one image repeated
        }
        if (reading.runs(0).count == 1) type.strides.at[0] = reading.runs(0).at[0].stride;
        type.offset = reading.offset();
        g_.inserting_before(id);
        g_.replace_operand(id, at::x, copies_.make_view(from, type));
    }

    constexpr matrices read_in_place(const argument& a, node_id reader) const {
        const auto& own = type_of(a);
        const auto copy = copies_.behind(a, reader);
        if (copy.exists()) {
            const auto& from = g_.argument_of(copy, 0);
            const copy_reading reading(type_of(from), own);
            if (reading.ok() && reading.runs(0).count <= 2 && reading.runs(1).count <= 1 &&
                reading.runs(2).count <= 1) {
                const auto stride = [&](int d, std::int64_t usual) {
                    return reading.runs(d).count == 0 ? usual : reading.runs(d).at[0].stride;
                };
                return {from,
                        {own.size(0), own.size(1), own.size(2)},
                        reading.runs(0),
                        stride(1, own.size(2)),
                        stride(2, 1),
                        reading.offset(),
                        true};
            }
        }
        return as_it_lies(a);
    }
    /// The number of matrices in a list; 0 if the batch is not one of lists.
    static constexpr std::int64_t list_of(const matrices& m) { return m.batch.count == 2 ? m.batch.at[0].size : 0; }
    /// Makes a view with lists of `inner` matrices; 3 dims, without lists, if `inner` is 0.
    constexpr node_id make(const matrices& m, std::int64_t inner) {
        tensor_type type = tensor_of(type_of(m.from).type, {m.sizes[0], m.sizes[1], m.sizes[2]});
        const auto step = m.batch.count == 0 ? m.sizes[1] * m.sizes[2] : m.batch.at[0].stride;
        if (inner > 0) {
            type = tensor_of(type.type, {m.sizes[0] / inner, inner, m.sizes[1], m.sizes[2]});
            type.strides.at[0] = m.batch.count == 2 ? m.batch.at[1].stride : step * inner;
        }
        type.strides.at[type.rank - 3] = step;
        type.strides.at[type.rank - 2] = m.row;
        type.strides.at[type.rank - 1] = m.column;
        type.offset = m.offset;
        return copies_.make_view(m.from, type);
    }

    /// How the single reader of a batch's result, a copy, reads it.
    struct taking {
        node_id copy;
        std::int64_t inner = 0;
        bool rows_first = false, is_turned = false;
    };
    constexpr taking result_taken(node_id id) const {
        auto at = id;
        while (g_[at].use_count == 1 && (at == id || g_[at].op == copies_.view_op())) at = g_.user(at);
        if (at == id || g_[at].op != copies_.copy_op() || g_[at].constant || !copies_.streams().together(id, at))
            return {};
        const auto& out = g_.type_of(id);
        const auto& read = g_.type_of(g_.operand(at, 0));
        if (out.rank != 3 || read.offset != 0 || element_count(read) != element_count(out)) return {};
        const auto batch = out.size(0), m = out.size(1), n = out.size(2);
        const auto runs = runs_of(read);
        std::int64_t inner = 0;
        for (int i = 0; i < runs.count; ++i) {
            const auto& run = runs.at[i];
            const auto count = run.stride == m * n ? run.size : run.stride == n && run.size % m == 0 ? run.size / m : 0;
            if (count > 1 && batch % count == 0) inner = count;
        }
        const auto are = [&](std::initializer_list<stride_run> wanted) { // the innermost first
            stride_runs all;
            for (const auto& run : wanted) all.add(run);
            return all == runs;
        };
        const stride_run rows{m, n}, columns{n, 1};
        if (are({rows, columns, {batch, m * n}})) return {at, 0, false, true};
        if (inner == 0) return {};
        const stride_run heads{inner, m * n}, lists{batch / inner, inner * m * n};
        if (are({columns, heads, rows, lists})) return {at, inner, true, false};
        if (are({rows, heads, columns, lists})) return {at, inner, true, true};
        return {};
    }
    static constexpr matrices turned(matrices m) {
        std::swap(m.sizes[1], m.sizes[2]);
        std::swap(m.row, m.column);
        return m;
    }
    /// The number of elements that a product packs.
    static constexpr std::int64_t packed(const matrices& a, const matrices& b, dtype type) {
        const device::matmul_key key{.type = type,
                                     .m = a.sizes[1],
                                     .n = b.sizes[2],
                                     .k = a.sizes[2],
                                     .a_row = a.row,
                                     .a_col = a.column,
                                     .b_row = b.row,
                                     .b_col = b.column};
        return device::packs_on_the_fly(key) ? key.k * key.n : 0;
    }

    /// Makes a batch of products or an attention read and write in place where possible.
    constexpr void absorb(node_id id) {
        const bool is_attention = g_[id].op == attention_;
        const int count = is_attention ? 3 : 2, flag = is_attention ? int{device::attention::at::rows_first}
                                                                    : int{device::batch_matmul::at::rows_first};
        if (g_.type_of(id).rank != 3) return;
        const auto type = g_.type_of(id).type;
        matrices all[most_operands];
        std::int64_t inner = 0;
        bool changes = false;
        for (int i = 0; i < count; ++i) {
            const auto given = g_.argument_of(id, i);
            all[i] = read_in_place(given, id);
            const auto list = list_of(all[i]);
            if (list > 0 && inner > 0 && list != inner) all[i] = as_it_lies(given);
            else if (list > 0) inner = list;
            changes = changes || all[i].is_absorbed;
        }
        auto out = g_[id].arguments.count > flag ? result_taken(id) : taking{};
        if (out.is_turned && (is_attention || !is_floating(type) || g_[id].arguments.count <= flag)) out = {};
        if (out.copy.exists() && out.rows_first && inner > 0 && out.inner != inner) out = {};
        if (out.is_turned) {
            const auto a = turned(all[1]), b = turned(all[0]);
            if (b.sizes[2] < device::fewest_panel_columns || is_half(type) ||
                packed(a, b, type) > packed(all[0], all[1], type) + a.sizes[1] * b.sizes[2])
                out = {};
            else all[0] = a, all[1] = b;
        }
        if (!changes && !out.copy.exists()) return;
        if (out.rows_first) inner = out.inner;
        const auto before = g_.type_of(id);
        g_.inserting_before(id);
        for (int i = 0; i < count; ++i) g_.replace_operand(id, i, make(all[i], inner));
        if (!g_.ok()) return;
        if (out.rows_first) g_.rewriter().set(g_[id].arguments[flag].index, argument_kind::boolean, true);
        g_.infer(id);
        if (!out.copy.exists()) return stand_for(id, before);
        g_.inserting_before(out.copy);
        auto as = g_.type_of(out.copy);
        const auto made = copies_.make_view(argument::of(id), as);
        if (g_.ok()) g_.replace_all_uses_with(out.copy, made);
    }
    constexpr matrices as_it_lies(const argument& a) const {
        const auto& own = type_of(a);
        matrices out{a, {own.size(0), own.size(1), own.size(2)}, {}, own.stride(1), own.stride(2), own.offset, false};
        out.batch.add({own.size(0), own.stride(0)});
        return out;
    }
};

} // namespace detail

struct fold_transposes_pass {
    static constexpr std::string_view name = "fold_transposes";
    static constexpr toggle config::* option = &config::fold_transposes;

    static constexpr bool applies(graph_view g, op_table ops) {
        return !calls_of(g, find_op<device::copy>(ops)).is_empty();
    }
    constexpr void operator()(graph_editor& g, const config&) const { detail::transpose_folder(g).run(); }
};
inline constexpr fold_transposes_pass fold_transposes;

} // namespace ahead::pass
