// Launches of kernels that a test writes itself, without a compiled program: tensors of one i64, and a gate that a
// kernel waits at.
// SPDX-License-Identifier: MIT
#pragma once

#include <ahead/npu/graph.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace test {

using cell = ahead::npu::tensor<ahead::i64<>>;
inline cell make(ahead::npu::context& npu, std::int64_t value) { return npu.to_device<ahead::i64<>>(std::array{value}); }
inline std::int64_t value_of(const cell& c) { return c.copy()[0]; }

// Launches that run when they are made, and on threads.
inline constexpr ahead::npu::execution both_executions[] = {ahead::npu::execution::in_order, ahead::npu::execution::threads};

inline std::int64_t& at(std::byte* p) { return *reinterpret_cast<std::int64_t*>(p); }
inline std::int64_t at(const std::byte* p) { return *reinterpret_cast<const std::int64_t*>(p); }

// Kernels: what they are given, `constants` as the launch has it, and the result.
inline void plus_one(const std::byte* const* given, const std::byte*, std::byte* out) { at(out) = at(given[0]) + 1; }
inline void sum(const std::byte* const* given, const std::byte*, std::byte* out) { at(out) = at(given[0]) + at(given[1]); }
inline void add_in_place(const std::byte* const* given, const std::byte*, std::byte* out) {
    at(out) = at(const_cast<std::byte*>(given[1])) += at(given[0]);
}
inline void fails(const std::byte* const*, const std::byte*, std::byte*) { throw std::runtime_error("the kernel failed"); }

inline void refuses_negative(const std::byte* const* given, const std::byte*, std::byte* out) {
    if (at(given[0]) < 0) throw std::runtime_error("the kernel failed");
    at(out) = at(given[0]);
}

// Closed: a kernel waits at it. At most two seconds, so that a test ends whatever it finds.
struct gate {
    std::atomic<bool> is_open{false};
    void open() { is_open = true; }
    void pass() const {
        for (int i = 0; i < 2000 && !is_open; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
};
inline void pass_gate(const std::byte* const* given, const std::byte* gate_to_pass, std::byte* out) {
    reinterpret_cast<const gate*>(gate_to_pass)->pass();
    at(out) = at(given[0]) + 1;
}
inline const std::byte* constants(const gate& g) { return reinterpret_cast<const std::byte*>(&g); }

// read: tensors that are read; written: that are written, behind them; bytes: of the result, of which a cell shows the first eight.
struct raw_launch {
    ahead::runtime::kernel_function run = plus_one;
    std::vector<cell> read{}, written{};
    const std::byte* constants = nullptr;
    std::int64_t bytes = 8;
    std::string_view name = "raw";
    ahead::machine::demand takes{{1'000'000}};

    cell on(const ahead::npu::stream& s) const {
        std::vector<ahead::npu::operand> operands;
        const auto add = [&](const cell& c, bool is_written) {
            operands.push_back({c.memory().block(), reinterpret_cast<const std::byte*>(c.data()), is_written});
        };
        for (const auto& c : read) add(c, false);
        for (const auto& c : written) add(c, true);
        ahead::npu::launch_request what;
        what.name = ahead::short_text() << name;
        what.run = run;
        what.constants = constants;
        what.arena_bytes = bytes;
        what.operands = operands;
        what.takes = takes;
        auto& npu = s.npu();
        const auto block = npu.launch(s, what);
        return {ahead::npu::block_lease(npu, block), npu.address(block)};
    }
};

// Opens the gate a little later, from another thread.
struct opens_later {
    explicit opens_later(gate& g)
        : thread_([&g] {
              std::this_thread::sleep_for(std::chrono::milliseconds(30));
              g.open();
          }) {}
    ~opens_later() { thread_.join(); }

private:
    std::thread thread_;
};

} // namespace test
