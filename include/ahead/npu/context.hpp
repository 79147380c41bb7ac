// SPDX-License-Identifier: MIT
// The simulated device as a program uses it: streams, events, memory, and which graph is being captured.
//     // or npu::context npu({.run = npu::execution::threads});
//     npu::context npu;
//     auto side = npu.new_stream();
//     auto x = npu.to_device<f32<8>>(values);                     // tensors: device_tensor.hpp
//     auto y = side.launch([](auto a) { return relu(a); }, x);    // launch.hpp
//     npu::graph g(npu);                                          // capture and replay: graph.hpp
// Launches on a stream run in order. Order between streams comes from events and from the host's synchronize(), and is
// known at launch time: a launch that would race with another one is refused (streams_race), whether or not the race
// would have happened. There are two kinds of execution with bit-identical results: in order, on the caller's thread;
// or on threads: one for each stream, one for each stream of a graph's capture when it is replayed, and one for each
// stream of a launched program's plan. The simulated clock is the same in both: that of the context's device, whatever
// device a program was planned for. Any thread may use a context; calls are serialized, except that other threads can
// launch while one synchronizes or reads a tensor. A kernel must not call the device on whose thread it runs; calls
// from a host function that a replay runs are refused.
// Invariant: a call that throws has changed nothing, except that the outputs of a kernel that threw have no value, that
// a capture that cannot end is over, and that the host has waited if memory was short. Everything that a context made
// is destroyed before it.
#pragma once
#include <ahead/npu/context/captures.hpp>
#include <ahead/npu/context/events.hpp>
#include <ahead/npu/context/interface.hpp>
#include <ahead/npu/context/launches.hpp>
#include <ahead/npu/context/nodes.hpp>
#include <ahead/npu/context/pools.hpp>
#include <ahead/npu/context/replays.hpp>
#include <ahead/npu/context/streams.hpp>
#include <ahead/npu/context/transfers.hpp>
#include <ahead/npu/context/updates.hpp>
#include <ahead/npu/context/waits.hpp>
