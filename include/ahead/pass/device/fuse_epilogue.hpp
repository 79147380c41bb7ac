// SPDX-License-Identifier: MIT
// Fuses the pointwise steps after a product or convolution into its task: the sums go through the steps before they are
// written. The steps are an npu.fused loop or a single pointwise call.
// Law: the steps compute what the calls would, in the same dtype and order; the dtype is not f16 or bf16, which are
// rounded between calls. The product moves to the position of the steps, where their other operands are available. Only
// the steps read the product, perhaps through views of other shapes; it is as constant as they are, and on their stream
// in their segment.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/device/convolution.hpp>
#include <ahead/device/fused.hpp>
#include <ahead/device/product/matmul.hpp>
#include <ahead/device/view.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/device/pointwise_program.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

class epilogue_giver {
public:
    constexpr epilogue_giver(graph_editor& g, const config& options)
        : g_(g), calls_(g.rewriter()), nodes_(g.view().node_pool()), alone_(options.is_on(&config::fuse_activation)),
          with_others_(options.is_on(&config::fuse_residual)), view_(find_op<device::view>(g.operators())),
          fused_(find_op<device::fused>(g.operators())), matmul_(find_op<device::matmul>(g.operators())),
          convolution_(find_op<device::convolution>(g.operators())), streams_(g.view()) {}

    constexpr void run() {
        if (!alone_ && !with_others_) return;
        for (auto id = g_.view().first().index; id >= 0 && g_.ok(); id = nodes_[id].next.index)
            if (may_follow(nodes_[id])) give({id});
    }

private:
    using code = device::fused_step_code;
    static constexpr std::int32_t most_views = 4;
    static constexpr std::int32_t most_to_extend = 16; // the most program entries that may be written a second time

    /// A product that may take the steps, the views between it and the steps (last one first), and the index of the
    /// steps' operand that is the product.
    struct site {
        node_id product;
        node_id views[most_views]{};
        std::int32_t view_count = 0;
        std::int32_t sum = 0;
    };

    graph_editor& g_;
    call_rewriter calls_;
    const node* nodes_;
    bool alone_, with_others_; // steps that read only the product; steps with other operands
    op_id view_, fused_, matmul_, convolution_;
    air::stream_map streams_;

    constexpr const node& at(node_id id) const { return nodes_[id.index]; }
    constexpr bool is_product(node_id id) const {
        const auto op = nodes_[id.index].op.index;
        return op >= 0 && (op == matmul_.index || op == convolution_.index);
    }
    constexpr std::int32_t after(node_id product) const {
        return nodes_[product.index].op.index == matmul_.index ? device::matmul::after : device::convolution::after;
    }
    /// Null if it has none yet.
    constexpr const argument* program_of(node_id product) const {
        const auto place = after(product) + device::max_epilogue_operands;
        if (place >= at(product).arguments.count) return nullptr;
        const auto& list = g_.argument_of(product, place);
        return list.kind == argument_kind::none ? nullptr : &list;
    }
    /// A quick test: whether these are steps that follow a product.
    constexpr bool may_follow(const node& n) const {
        const auto g = g_.view();
        if (n.op.index < 0 || (n.op.index != fused_.index && !is_elementwise_device_call(g, g_.operators().data(), n)))
            return false;
        const argument* arguments = g.argument_pool();
        for (auto i = n.arguments.first; i < n.arguments.first + n.arguments.count; ++i) {
            if (arguments[i].kind != argument_kind::node) continue;
            auto id = arguments[i].node();
            while (at(id).op.index >= 0 && at(id).op.index == view_.index)
                id = arguments[at(id).arguments.first].node();
            if (is_product(id)) return true;
        }
        return false;
    }
    /// Fuses the steps into the last of the products that only they read.
    constexpr void give(node_id root) {
        pointwise_program made;
        made.read_call(g_.view(), g_.operators(), root, fused_);
        if (!(made.operands == 1 ? alone_ : with_others_)) return;
        site best;
        for (std::int32_t k = 0; k < made.operands; ++k)
            if (const auto here = site_of(root, made, k); here.product.exists() && here.product > best.product)
                best = here;
        if (best.product.exists()) join(root, made, best);
    }
    constexpr const tensor_type& type_of(const pointwise_operand& a) const { return g_.type_of({a.node}, a.result); }
    /// Whether `reader` is the only reader of the node, which has one result.
    constexpr bool is_read_alone(node_id id, node_id reader) const {
        const argument* arguments = g_.view().argument_pool();
        for (auto use = nodes_[id.index].first_use.index; use >= 0; use = arguments[use].next_use.index)
            if (arguments[use].owner.index != reader.index) return false;
        return nodes_[id.index].values.count == 1;
    }
    /// The source of operand k of the steps; without a product if it may not take them.
    constexpr site site_of(node_id root, const pointwise_program& steps, std::int32_t k) const {
        const auto g = g_.view();
        site here;
        here.sum = k;
        node_id id{steps.operand[k].node};
        auto reader = root;
        for (; at(id).op == view_ && here.view_count < most_views; id = g_.operand(id, 0)) {
            if (!is_read_alone(id, reader) || !streams_.together(id, root)) return {};
            here.views[here.view_count++] = reader = id;
        }
        if (at(id).kind != node_kind::call || !is_product(id) || !is_read_alone(id, reader) ||
            at(id).constant != at(root).constant || !streams_.together(id, root))
            return {};
        const auto& type = type_of(steps.operand[k]);
        const auto& sums = g.value_of(id).type;
        if (!(type == g.value_of(root).type) || !is_contiguous(type) || type.offset != 0 || type.type != sums.type ||
            is_half(type.type) || element_count(type) != element_count(sums))
            return {};
        std::int32_t operands = steps.operands - 1;
        if (const auto* program = program_of(id)) { // an earlier epilogue, in another shape
            if (here.view_count == 0 || program->children.count > most_to_extend) return {};
            const auto before = static_cast<std::int32_t>(g[program->children[0]].bits);
            operands += operands_of(id);
            if (before + steps.steps > device::max_fused_steps ||
                program->children.count - 1 - before + steps.constants > code::max_constants)
                return {};
        }
        if (operands > device::max_epilogue_operands) return {};
        for (std::int32_t other = 0; other < steps.operands; ++other)
            if (other != k && !can_be_read(type_of(steps.operand[other]), type, sums)) return {};
        here.product = id;
        return here;
    }
    /// Whether an epilogue can read an operand of this type, in steps with results of type `result`; `sums` is the
    /// product's type.
    static constexpr bool can_be_read(const tensor_type& type, const tensor_type& result, const tensor_type& sums) {
        if (type == result) return true; // which is in row-major order
        if (type.type != result.type || !is_contiguous(type)) return false;
        const auto count = element_count(type);
        if (count == 1 || (count == element_count(result) && sizes_of(type) == sizes_of(result))) return true;
        const bool matrix = sums.rank == 2;
        if (!matrix && sizes_of(result) != sizes_of(sums)) return false;
        // the dim of columns, or of filters, counted from the last one
        const int from_last = matrix ? 0 : sums.rank - 2;
        const int column = type.rank - 1 - from_last;
        return column >= 0 && result.size(result.rank - 1 - from_last) == sums.size(1) && type.size(column) == count &&
               count == sums.size(1);
    }
    constexpr std::int32_t operands_of(node_id product) const {
        std::int32_t count = 0;
        while (count < device::max_epilogue_operands && g_.operand(product, after(product) + count).exists()) ++count;
        return count;
    }
    /// Turns `root` into the product, and erases the product.
    constexpr void join(node_id root, const pointwise_program& steps, const site& here) {
        const auto product = here.product;
        const auto place_of_program = after(product) + device::max_epilogue_operands;
        const auto taken = operands_of(product);
        const auto* program = program_of(product);
        if (program == nullptr && here.sum == 0 && at(root).op == fused_) { // valid unchanged in the product
            const auto entries = calls_.take_list(root, steps.operands);
            take_over(root, steps, here, taken);
            calls_.set_list(root, place_of_program, entries, {});
            return;
        }
        pointwise_program all;
        if (program != nullptr) all.read(g_.view(), *program);
        std::int32_t what[device::max_fused_operands]{}; // by operand of the steps: its code
        for (std::int32_t k = 0; k < steps.operands; ++k)
            what[k] = k != here.sum   ? code::first_operand + 1 + taken + (k < here.sum ? k : k - 1)
                      : all.steps > 0 ? code::first_step + all.steps - 1
                                      : code::first_operand;
        all.append(steps, what);
        take_over(root, steps, here, taken);
        all.write(calls_, root, place_of_program, {});
    }
    /// Makes `root` the product, with the product's operands followed by the other operands of the steps.
    constexpr void take_over(node_id root, const pointwise_program& steps, const site& here, std::int32_t taken) {
        auto next = after(here.product) + taken;
        calls_.become(root, here.product, after(here.product) + device::max_epilogue_operands + 1);
        for (std::int32_t k = 0; k < steps.operands; ++k)
            if (k != here.sum) calls_.set_operand(root, next++, steps.operand[k].node, steps.operand[k].result);
        calls_.rename(root, here.product);
        for (std::int32_t v = 0; v < here.view_count; ++v) g_.erase_node(here.views[v]);
        g_.erase_node(here.product);
    }
};

} // namespace detail

struct fuse_epilogue_pass {
    static constexpr std::string_view name = "fuse_epilogue";

    static constexpr bool applies(graph_view g, op_table ops) {
        return !calls_of(g, find_op<device::matmul>(ops)).is_empty() ||
               !calls_of(g, find_op<device::convolution>(ops)).is_empty();
    }
    constexpr void operator()(graph_editor& g, const config& options) const {
        detail::epilogue_giver(g, options).run();
    }
};
inline constexpr fuse_epilogue_pass fuse_epilogue;

} // namespace ahead::pass
