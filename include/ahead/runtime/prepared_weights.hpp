// SPDX-License-Identifier: MIT
// The constant region of one program, filled. Immutable: it may serve many sessions on many threads.
// Invariant: everything that a run reads in it is present from construction to destruction.
#pragma once
#include <ahead/core/result.hpp>
#include <ahead/runtime/launch/parameters.hpp>
#include <ahead/runtime/memory/region_memory.hpp>

namespace AHEAD_NAMESPACE::runtime {

/// Movable.
template <class Program> class prepared_weights {
public:
    static constexpr std::size_t bytes = static_cast<std::size_t>(Program::plan.constant_bytes);

    /// Throws if a parameter is refused, or if a kernel that computes with the parameters refuses.
    explicit prepared_weights(const weights& from, prepare_options options = {})
        : memory_(bytes, Program::device.alignment) {
        fill_or_raise(from, options);
    }
    /// In the caller's memory, at least `bytes` of it, aligned to 64 or as the program's device requires; it must
    /// outlive the object.
    prepared_weights(const weights& from, std::span<std::byte> memory, prepare_options options = {})
        : memory_(memory, bytes, Program::device.alignment) {
        fill_or_raise(from, options);
    }
    /// The same, but never throws: returns the error.
    static result<prepared_weights> make(const weights& from, prepare_options options = {}) {
        prepared_weights out(region_memory(bytes, Program::device.alignment));
        if (diagnosis d; !out.fill(from, options, d)) return d;
        return out;
    }
    static result<prepared_weights> make(const weights& from, std::span<std::byte> memory,
                                         prepare_options options = {}) {
        diagnosis d;
        if (!region_memory::fits(memory, bytes, Program::device.alignment, d)) return d;
        prepared_weights out(region_memory(memory, bytes, Program::device.alignment));
        if (!out.fill(from, options, d)) return d;
        return out;
    }

    /// Constants that prepare made earlier, for example at build time: `bytes` of them, with the same alignment. They
    /// are read in place and must outlive the object. Throws what region_memory::fits refuses.
    static prepared_weights see(std::span<const std::byte> stored) {
        return prepared_weights(
            region_memory({const_cast<std::byte*>(stored.data()), stored.size()}, bytes, Program::device.alignment));
    }

    const std::byte* constants() const { return memory_.begin(); }

private:
    explicit prepared_weights(region_memory memory) : memory_(std::move(memory)) {}
    void fill_or_raise(const weights& from, const prepare_options& options) {
        if (diagnosis d; !fill(from, options, d)) raise(d);
    }
    bool fill(const weights& from, const prepare_options& options, diagnosis& d) {
        const std::byte* parameters[static_cast<std::size_t>(Program::plan.parameters) + 1]{};
        if (!place_parameters<Program>(from, options, parameters, memory_.begin(), d)) return false;
        const region_memory scratch(static_cast<std::size_t>(Program::plan.scratch_bytes), Program::device.alignment);
        return runtime::run_tasks<Program, 0, Program::plan.prepare_tasks>(
            {parameters, memory_.begin(), scratch.begin()}, &d);
    }

    region_memory memory_;
};

} // namespace ahead::runtime

namespace AHEAD_NAMESPACE {
using runtime::prepared_weights;
} // namespace ahead
