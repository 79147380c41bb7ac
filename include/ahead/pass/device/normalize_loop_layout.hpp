// SPDX-License-Identifier: MIT
// Makes loops write their result in row-major order, where it had another layout and was copied to row-major order: the
// residual stream of a net that begins with a convolution keeps the order of its pixels from one addition to the next,
// and each norm copies it. Written in row-major order once, it needs no copy, and later calls may be fused with it.
// Law: the elements are the same. Every reader of the result is a loop, which reads any strides, a copy, or a call
// whose operand is contiguous afterwards; at least one copy is removed. Runs before the passes that fuse, which need
// rows.
#pragma once
#include <ahead/pass/config.hpp>
#include <ahead/pass/device/copies.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

class loop_layout_normalizer {
public:
    constexpr explicit loop_layout_normalizer(graph_editor& g) : g_(g), copies_(g) {}

    constexpr void run() {
        g_.eliminate_dead_code(); // views without readers, left by lowering
        for (node_id id : g_) {
            if (!g_.ok()) return;
            if (find(id)) write(id);
        }
        if (g_.changes() > 0) g_.eliminate_dead_code();
    }

private:
    static constexpr int most_readers = 16;
    struct reader {
        node_id of, by;    // a view, or the loop itself; its reader
        tensor_type type;  // the operand's type afterwards
        bool goes = false; // a copy of the whole, to be erased
    };
    graph_editor& g_;
    copy_finder copies_;
    tensor_type straight_, turned_; // the result in row-major order; the same, with its dims in the old memory order
    reader readers_[most_readers]{};
    int count_ = 0;

    constexpr bool find(node_id id) {
        if (!copies_.is_loop(id) || g_[id].constant || g_[id].values.count != 1) return false;
        const auto& type = g_.type_of(id);
        if (is_contiguous(type) || type.offset != 0 || extent_of(type) != element_count(type)) return false;
        straight_ = tensor_of(type.type, sizes_of(type));
        turned_ = straight_;
        for (int d = 0; d < type.rank; ++d) {
            int place = 0; // after dims of larger strides
            for (int other = 0; other < type.rank; ++other)
                place += type.stride(other) > type.stride(d) || (type.stride(other) == type.stride(d) && other < d);
            turned_.sizes.at[place] = straight_.sizes.at[d];
            turned_.strides.at[place] = straight_.strides.at[d];
        }
        count_ = 0;
        if (!find_readers(id)) return false;
        bool any = false;
        for (int i = 0; i < count_; ++i) any = any || readers_[i].goes;
        return any;
    }
    constexpr bool find_readers(node_id of) {
        for (std::int32_t k = 0; k < g_.use_count(of); ++k) {
            const auto by = g_.user(of, k);
            if (copies_.is_view(by)) {
                if (!find_readers(by)) return false;
                continue;
            }
            const auto& read = g_.type_of(of);
            const copy_reading reading(turned_, read);
            if (count_ == most_readers || !reading.ok() || g_[by].kind != node_kind::call) return false;
            auto& mine = readers_[count_++];
            mine = {of, by, read, false};
            mine.type.offset = reading.offset();
            for (int d = 0; d < read.rank; ++d) {
                if (reading.runs(d).count > 1) return false;
                if (reading.runs(d).count == 1) mine.type.strides.at[d] = reading.runs(d).at[0].stride;
            }
            const bool in_order = same_strides(mine.type, tensor_of(read.type, sizes_of(read)));
            mine.goes = copies_.is_copy(by) && in_order && !g_.is_returned(by);
            if (!copies_.is_copy(by) && !copies_.is_loop(by) && (!in_order || copies_.is_owner(of))) return false;
        }
        return true;
    }
    constexpr void write(node_id id) {
        copies_.keep_type(id);
        g_.set_type(id, straight_);
        g_.inserting_after(id);
        for (int i = 0; i < count_; ++i) {
            auto& mine = readers_[i];
            if (copies_.is_loop(mine.by)) copies_.keep_type(mine.by);
            if (mine.goes) mine.type = in_order(g_.type_of(mine.by), mine.type.offset);
            const bool is_itself = mine.of == id || mine.type == straight_;
            const auto as = is_itself ? id : copies_.make_view(argument::of(id), mine.type);
            if (!g_.ok()) return;
            if (mine.goes) g_.replace_all_uses_with(mine.by, as);
            else if (mine.of != id) g_.replace_all_uses_with(mine.of, as);
        }
    }
    static constexpr tensor_type in_order(tensor_type type, std::int64_t offset) {
        type.offset = offset;
        return type;
    }
};

} // namespace detail

struct normalize_loop_layout_pass {
    static constexpr std::string_view name = "normalize_loop_layout";
    static constexpr toggle config::* option = &config::fold_transposes;

    static constexpr bool applies(graph_view g, op_table ops) {
        return !calls_of(g, find_op<device::copy>(ops)).is_empty();
    }
    constexpr void operator()(graph_editor& g, const config&) const { detail::loop_layout_normalizer(g).run(); }
};
inline constexpr normalize_loop_layout_pass normalize_loop_layout;

} // namespace ahead::pass
