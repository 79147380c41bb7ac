// SPDX-License-Identifier: MIT
// The passes that every compilation runs on its device graph, behind lowering: what is computed with its neighbours.
#pragma once
#include <ahead/pass/device/fuse_epilogue.hpp>
#include <ahead/pass/device/fuse_pointwise.hpp>
#include <ahead/pass/device/fuse_rows.hpp>
#include <ahead/pass/device/join_loops.hpp>
#include <ahead/pass/pipeline.hpp>

namespace AHEAD_NAMESPACE::pass {

inline constexpr auto device_builtin = fuse_pointwise | fuse_epilogue | fuse_rows | join_loops;
using device_passes = std::remove_const_t<decltype(device_builtin)>;

} // namespace ahead::pass
