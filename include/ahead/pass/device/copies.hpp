// SPDX-License-Identifier: MIT
// Finds the copy that an operand reads, if that operand's reader is the only one. Called by the passes that remove
// copies, fold_transposes.hpp, swap_matmul_operands.hpp and normalize_loop_layout.hpp.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/device/assign.hpp>
#include <ahead/device/copy.hpp>
#include <ahead/device/fused.hpp>
#include <ahead/device/view.hpp>
#include <ahead/pass/device/pointwise_program.hpp>
#include <ahead/pass/device/read_through.hpp>
#include <ahead/pass/editor.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

class copy_finder {
public:
    constexpr explicit copy_finder(graph_editor& g)
        : g_(g), copy_(find_op<device::copy>(g.operators())), view_(find_op<device::view>(g.operators())),
          fused_(find_op<device::fused>(g.operators())), streams_(g.view()),
          writes_ports_(!calls_of(g.view(), find_op<device::assign>(g.operators())).is_empty()) {}

    constexpr op_id copy_op() const { return copy_; }
    constexpr op_id view_op() const { return view_; }
    constexpr const air::stream_map& streams() const { return streams_; }
    constexpr const tensor_type& type_of(const argument& a) const { return g_.view().value_of(a).type; }
    /// The copy that an operand is, or is a view of, if it has no other reader; none if there is none or it must stay.
    constexpr node_id behind(const argument& a, node_id reader) const {
        for (auto id = a.node(); g_[id].kind == node_kind::call && g_[id].use_count == 1; id = g_.operand(id, 0)) {
            if (g_[id].op == view_) continue;
            const bool stays = g_[id].op != copy_ || g_[id].constant || !streams_.together(id, reader) ||
                               (writes_ports_ && g_[owner_of(g_.operand(id, 0))].kind != node_kind::call);
            return stays ? node_id{} : id;
        }
        return {};
    }
    constexpr bool is_copy(node_id id) const { return g_[id].kind == node_kind::call && g_[id].op == copy_; }
    constexpr bool is_owner(node_id id) const { return !is_view(id); }
    constexpr bool is_view(node_id id) const { return g_[id].kind == node_kind::call && g_[id].op == view_; }
    /// A loop or pointwise call: it reads operands of any strides.
    constexpr bool is_loop(node_id id) const {
        return g_[id].kind == node_kind::call &&
               (g_[id].op == fused_ || is_elementwise_device_call(g_.view(), g_.operators().data(), g_[id]));
    }
    /// Turns a pointwise call into npu.fused, whose results keep their types when the operands change.
    constexpr void keep_type(node_id loop) {
        if (g_[loop].op == fused_) return;
        pointwise_program made;
        made.read_call(g_.view(), g_.operators(), loop, fused_);
        auto calls = g_.rewriter();
        calls.become(loop, fused_, made.operands + 1);
        for (std::int32_t k = 0; k < made.operands; ++k)
            calls.set_operand(loop, k, made.operand[k].node, made.operand[k].result);
        made.write(calls, loop, made.operands, "program");
    }
    constexpr node_id make_view(const argument& of, const tensor_type& type) {
        auto from = of;
        from.keyword = {};
        const auto made = g_.call<device::view>({from});
        g_.set_type(made, type);
        return made;
    }

private:
    graph_editor& g_;
    op_id copy_, view_, fused_;
    air::stream_map streams_;
    bool writes_ports_; // inputs or states

    /// Looks through views: the call or placeholder that owns the bytes.
    constexpr node_id owner_of(node_id id) const {
        while (g_[id].kind == node_kind::call && g_[id].op == view_) id = g_.operand(id, 0);
        return id;
    }
};

} // namespace ahead::pass::detail
