// SPDX-License-Identifier: MIT
// The passes that every compilation runs on its ATen graph, in TorchAir's order: the user's pre pass, the built-in
// passes, the user's post pass.
#pragma once
#include <ahead/pass/decompositions.hpp>
#include <ahead/pass/eliminate_dead_code.hpp>
#include <ahead/pass/eliminate_duplicates.hpp>
#include <ahead/pass/fold_batch_norm.hpp>
#include <ahead/pass/fold_casts.hpp>
#include <ahead/pass/fuse_quantized/fuse_quantized.hpp>
#include <ahead/pass/pipeline.hpp>
#include <ahead/pass/recompose.hpp>
#include <ahead/pass/remove_noop_ops.hpp>
#include <ahead/pass/promote_reduced_precision.hpp>

namespace AHEAD_NAMESPACE::pass {

/// The built-in passes with `Decompose` in place of the built-in decompositions. Converters: those for the operators
/// that remain.
template <class Decompose, class Converters>
inline constexpr auto builtin_with =
    remove_noop_ops | recompose | fold_batch_norm | fuse_quantized |
    promote_reduced_precision_pass<Converters, Decompose>{} | Decompose{} | fold_casts | eliminate_duplicates |
    eliminate_dead_code;
inline constexpr auto builtin = remove_noop_ops | recompose | fold_batch_norm | fuse_quantized | decompose |
                                fold_casts | eliminate_duplicates | eliminate_dead_code;

} // namespace ahead::pass
