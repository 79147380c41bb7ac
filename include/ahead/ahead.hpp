// SPDX-License-Identifier: MIT
// ahead: tensor graphs compiled by the C++ compiler. This is the public API, and a map of the house:
//
//   core/          faults, diagnoses, and the one bridge from a diagnosis to a compile error; maths; knows no tensors
//   ir/            the graph as a value: nodes, edits, inference, registry, weights; type/ has tensor types;
//                  typed<net>::node<"mm">, any node as a type
//   aten/          what each operator is, by families: schema, type rule, meaning
//   air/           the library's own operators: print, scopes, events
//   frontend/      handles/  trace([](input<"x", f32<3, 3>> x) { ... })   a graph in C++            -> captured graph
//                  fx/       fx<source>                                    a graph PyTorch printed   -> captured graph
//   pass/          graph -> graph: writes and random numbers made functional, the built-in passes, fusion of the device
//                  graph (device/); graph_editor, rules
//                  and pipelines for your own; config
//   target/        the machine as data: devices (presets.hpp), their cost model; device operators and the keys their
//                  kernels are instantiated by
//   convert/       ATen -> device operators, one to one, one file per family; toolchain
//   plan/          tasks, streams and events, lifetimes, offsets, timeline; check.hpp verifies every plan
//   kernel/        one kernel for each device operator; the only Eigen includes
//   program/       compiled<net>, prepare, session, which owns the arena and the weights that its graph writes;
//                  threaded_session.hpp (not included here, nor is what follows) runs each stream of a program on a
//                  thread of its own; inspect_fx.hpp takes a text the same way, to its verified plan, at run time;
//                  written/ is a program that was written as C++ while building
//   reference/     host tensors and the interpreter that computes by meaning alone
//   npu/           the device at run time: launch.hpp launches on streams, graph.hpp captures and replays,
//                  compiled_graphs.hpp captures whole programs at their first call, launch/states.hpp is what programs
//                  write of their weights
//   differential/  compare_with_reference.hpp names the first task that computes something else than the reference
//   torch_npu/     torch_npu's operators, by families, and what compiles them; opt-in: torch_npu.hpp
//   io/            .npy and .safetensors readers; printers, dumps, log lines, traces for viewers, a report of one page;
//                  generate/ writes a program as C++
//
//   using digits = compiled<fx<lenet>>;                             // or compiled<net>
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
#include <ahead/pass/rewrite.hpp> // before compiled.hpp, for the same reason
#include <ahead/program/compiled.hpp>
#include <ahead/version.hpp>
