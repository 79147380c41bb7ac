// SPDX-License-Identifier: MIT
// The simulated device as a program uses it: streams, events, memory, and which graph is being captured.
//     // or npu::context npu({.run = npu::execution::threads});
//     npu::context npu;
//     auto side = npu.new_stream();
//     auto x = npu.to_device<f32<8>>(values);                     // tensors: device_tensor.hpp
//     auto y = side.launch([](auto a) { return relu(a); }, x);    // launch.hpp
//     npu::graph g(npu);                                          // capture and replay: graph.hpp
// What is launched on a stream runs in order. Order between streams comes from events and from the host's
// synchronize(), and is known when something is launched: a launch that would race with another one is refused
// (streams_race), whatever the machine would have done. Two executions with the same bits: in order, on the caller's
// thread; or each stream on a thread of its own, those that a graph was captured on as well when it is replayed, and
// those of a launched program's plan. The simulated clock is the same in both: that of the context's device, whatever
// device a program was planned for. Any thread may use it; calls take turns, but for who waits: other threads go on
// launching while one synchronizes or reads a tensor. A kernel does not call the device on whose thread it runs, and
// what a function of the host that a replay runs calls of it is refused.
// Invariant: a call that throws has changed nothing, but what a kernel that threw was to write: that has no value; a
// capture that cannot end is over; and where memory is short, the host has waited. Whatever a context made is gone
// before it.
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
