// SPDX-License-Identifier: MIT
// The passes that every compilation runs on its device graph, after lowering: fusion, layout, choice of kernels, and
// partitioning over cores.
#pragma once
#include <ahead/pass/device/fold_transposes.hpp>
#include <ahead/pass/device/choose_kernels.hpp>
#include <ahead/pass/device/fuse_attention.hpp>
#include <ahead/pass/device/fuse_epilogue.hpp>
#include <ahead/pass/device/fuse_pointwise.hpp>
#include <ahead/pass/device/fuse_reductions.hpp>
#include <ahead/pass/device/fuse_multi_output.hpp>
#include <ahead/pass/device/split_over_cores.hpp>
#include <ahead/pass/device/normalize_loop_layout.hpp>
#include <ahead/pass/device/swap_matmul_operands.hpp>
#include <ahead/pass/eliminate_duplicates.hpp>
#include <ahead/pass/pipeline.hpp>

namespace AHEAD_NAMESPACE::pass {

/// Operators::device_ops: the device operators with a key, a user's among them.
template <const machine::device& On, class Operators = device::builtin_operators>
inline constexpr auto device_builtin =
    eliminate_duplicates | fuse_pointwise | normalize_loop_layout | fuse_epilogue | fuse_reductions<On> |
    fuse_attention | fuse_multi_output | swap_matmul_operands<On> | fold_transposes | choose_kernels<Operators> |
    split_over_cores<On, Operators>;
template <const machine::device& On> using device_passes = std::remove_const_t<decltype(device_builtin<On>)>;

/// Whether a pipeline has other passes than the built-in ones.
template <class Passes> inline constexpr bool has_others = true;
template <const machine::device& On, class Operators>
inline constexpr bool has_others<
    pipeline<eliminate_duplicates_pass, fuse_pointwise_pass, normalize_loop_layout_pass, fuse_epilogue_pass,
             fuse_reductions_pass<On>, fuse_attention_pass, fuse_multi_output_pass, swap_matmul_operands_pass<On>,
             fold_transposes_pass, choose_kernels_pass<Operators>, split_over_cores_pass<On, Operators>>> = false;

} // namespace ahead::pass
