// SPDX-License-Identifier: MIT
// ahead: tensor graphs compiled by the C++ compiler. This is the public API; README.md in this folder is its map.
//
//   constexpr auto net = trace([](input<"x", f32<3, 3>> x) { return relu(x); });   // a graph in C++
//   using digits = compiled<fx<lenet>>;                             // one that PyTorch printed; or compiled<net>
//   static_assert(digits::plan.peak_bytes <= 32'768);
//   static_assert(digits::plan.makespan < 40us);
//   auto weights = digits::prepare(load_safetensors("lenet.safetensors"));
//   digits::session run{weights};
//   auto [logits] = run(image);
#pragma once
#include <ahead/core/build.hpp>   // first: it refuses what cannot compile the rest
#include <ahead/core/require.hpp> // next: an error names all files that lead to where it is
#include <ahead/frontend/fx/fx.hpp>
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>
#include <ahead/io/npy.hpp>
#include <ahead/io/safetensors.hpp>
#include <ahead/ir/static_node.hpp>
#include <ahead/pass/rewrite.hpp>                       // before compiled.hpp, for the same reason
#include <ahead/convert/toolchain.hpp>                  // too
#include <ahead/runtime/launch/instantiate_kernels.hpp> // too
#include <ahead/compile/compiled.hpp>
#include <ahead/version.hpp>
