// SPDX-License-Identifier: MIT
// npu.prepare_block: the constants of a block's program, which prepare computes from the block's weights.
#pragma once
#include <ahead/device/block_needs.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.prepare_block(Tensor[] weights, int block, int bytes, int scratch): u8[bytes]. block: its number in the ATen
/// graph.
struct prepare_block {
    static constexpr std::string_view name = "npu.prepare_block"sv;
    enum at : int { weights, block, bytes, scratch };
    static constexpr parameter schema[] = {
        required("weights", parameter_kind::tensor_list), required("block", parameter_kind::integer),
        required("bytes", parameter_kind::integer), required("scratch", parameter_kind::integer)};
    static constexpr int blocks[] = {block};
    static constexpr bool states_needs(auto& call) {
        const block_needs* of = call.block_at(block);
        return of != nullptr && call.is("bytes", of->constant_bytes, bytes) &&
               call.is("scratch bytes", of->scratch_bytes, scratch);
    }
    static constexpr effects effect{};
    static constexpr bool infer(infer_context& c) { return c.result(tensor_of(dtype::u8, {c.integer(at::bytes)})); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return c.integer(at::scratch); }
    static constexpr machine::work work(const call_view&) { return {}; }
};

} // namespace ahead::device
