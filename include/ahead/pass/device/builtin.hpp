// SPDX-License-Identifier: MIT
// The passes that every compilation runs on its device graph, behind lowering: what is computed with its neighbours,
// by which kernel, and what on several cores.
#pragma once
#include <ahead/pass/device/absorb_copies.hpp>
#include <ahead/pass/device/choose_kernels.hpp>
#include <ahead/pass/device/fuse_attention.hpp>
#include <ahead/pass/device/fuse_epilogue.hpp>
#include <ahead/pass/device/fuse_pointwise.hpp>
#include <ahead/pass/device/fuse_rows.hpp>
#include <ahead/pass/device/join_loops.hpp>
#include <ahead/pass/device/split_over_cores.hpp>
#include <ahead/pass/device/straighten_loops.hpp>
#include <ahead/pass/device/turn_products.hpp>
#include <ahead/pass/eliminate_duplicates.hpp>
#include <ahead/pass/pipeline.hpp>

namespace AHEAD_NAMESPACE::pass {

template <const target::device& On>
inline constexpr auto device_builtin =
    eliminate_duplicates | fuse_pointwise | straighten_loops | fuse_epilogue | fuse_rows<On> | fuse_attention |
    join_loops | turn_products<On> | absorb_copies | choose_kernels | split_over_cores<On>;
template <const target::device& On> using device_passes = std::remove_const_t<decltype(device_builtin<On>)>;

/// Whether a pipeline has a user's passes, too.
template <class Passes> inline constexpr bool has_others = true;
template <const target::device& On>
inline constexpr bool
    has_others<pipeline<eliminate_duplicates_pass, fuse_pointwise_pass, straighten_loops_pass, fuse_epilogue_pass,
                        fuse_rows_pass<On>, fuse_attention_pass, join_loops_pass, turn_products_pass<On>,
                        absorb_copies_pass, choose_kernels_pass, split_over_cores_pass<On>>> = false;

} // namespace ahead::pass
