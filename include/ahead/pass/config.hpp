// SPDX-License-Identifier: MIT
// What a user may choose about a compilation. A constant of the toolchain's: `static constexpr config
// options{.remove_noop_ops = false};`.
// Invariant: an option that would have no effect in the chosen mode is refused, not ignored. Read by passes, by
// lowering and by compiled.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/effort.hpp>
#include <ahead/ir/core_limit.hpp>
#include <utility>

namespace AHEAD_NAMESPACE {

/// How a graph becomes tasks, under TorchAir's names.
enum class mode : std::uint8_t {
    max_autotune,    // the whole graph is compiled: operators are fused, and computed once where they are the same
    reduce_overhead, // one task per operator, as a captured stream has them: to tell a wrong pass from a wrong
                     // operator, and tasks from each other
};

/// On, off, or left to the mode.
class toggle {
public:
    constexpr toggle() = default;
    constexpr toggle(bool on) : value_(on ? 1 : 0) {}
    constexpr bool is_given() const { return value_ >= 0; }
    constexpr bool is_on() const { return value_ == 1; }

private:
    std::int8_t value_ = -1;
};

/// The built-in passes have the names that TorchAir gives them where it has them. All are on unless the mode knows
/// nothing of them.
struct config {
    ahead::mode mode = ahead::mode::max_autotune;
    std::int32_t streams = 1; // over how many a graph is spread that says nothing of streams itself
    std::int32_t cores = 1; // over how many of the device's a call is split, on streams that it takes for that; no more
                            // than the device says it has, and none of a graph that says something of streams itself
    std::int32_t aicore_num = 0, vectorcore_num = 0; // how many AI cores and vector cores of the device's a task may
                                                     // have where no scope of the graph says it; 0: all
    ahead::effort effort = ahead::effort::constant;  // how long the planner looks for less memory and better streams:
                                                     // constant, brisk, patient, or so many steps
    std::int64_t loop_bound = 0;      // how many rounds a while_loop may go; 0: not said, and none compiles
    bool check_passes = false;        // each pass is compared with what it began with, by running both on random
                                      // inputs while compiling (compile/checked_passes.hpp): for small graphs
    std::string_view choices = {};    // which kernels were measured to be the fastest, the text of a choice file
                                      // (device/choices.hpp); a call that it says nothing of has its rule's
    toggle remove_noop_ops = {};      // full slices, copies of the same type, views of the same shape
    toggle recompose = {};            // what PyTorch wrote out into the calls it was, where these have kernels
    toggle fold_batch_norm = {};      // what scales and shifts a convolution's channels into its weight and bias
    toggle decompose = {};            // what no kernel runs into what kernels run
    toggle fold_transposes = {};        // what only puts elements in another order, where a neighbour can do without
    toggle eliminate_dead_code = {};  // calls that nobody reads
    toggle eliminate_duplicates = {}; // the same call of the same operands again (common subexpressions)
    toggle fuse_attention = {};       // two products and the softmax between them as one task, block of rows by block
    toggle fuse_activation = {}; // what is taken of a product or convolution, element by element, as part of its task
    toggle fuse_pointwise = {};  // chains and trees of pointwise calls as one task that passes over memory once
    toggle fuse_quantized = {};  // products and convolutions of dequantised i8 as such of integers: a result that is
                                 // quantised again may be one step beside what f32 rounds to
    toggle fuse_residual = {};   // the same as fuse_activation with other tensors, such as a residual
    toggle fuse_reductions = {};       // reductions of rows and what is computed around them, as one task
    toggle remove_cat_ops = {};  // what is concatenated is computed where it goes, instead of copied there

    constexpr bool is_on(toggle config::* option) const;
    /// That a plan may use, of a graph that says nothing of them.
    constexpr std::int32_t most_streams() const { return streams < cores ? cores : streams; }
    constexpr core_limit limit() const { return {aicore_num, vectorcore_num}; }
};

/// An option by name, and whether reduce_overhead, which leaves operators as they are, has a use for it. max_autotune
/// has one for all.
struct option_row {
    std::string_view name;
    toggle config::* option;
    bool in_reduce_overhead;
};
inline constexpr option_row option_table[] = {
    {"remove_noop_ops", &config::remove_noop_ops, true},
    {"recompose", &config::recompose, false},
    {"fold_batch_norm", &config::fold_batch_norm, false},
    {"decompose", &config::decompose, true},
    {"eliminate_dead_code", &config::eliminate_dead_code, true},
    {"eliminate_duplicates", &config::eliminate_duplicates, false},
    {"fuse_attention", &config::fuse_attention, false},
    {"fold_transposes", &config::fold_transposes, false},
    {"fuse_activation", &config::fuse_activation, false},
    {"fuse_pointwise", &config::fuse_pointwise, false},
    {"fuse_quantized", &config::fuse_quantized, false},
    {"fuse_residual", &config::fuse_residual, false},
    {"fuse_reductions", &config::fuse_reductions, false},
    {"remove_cat_ops", &config::remove_cat_ops, true},
};

/// Whether the option's pass runs: as given, else if the mode has a use for it.
constexpr bool config::is_on(toggle config::* option) const {
    for (const auto& row : option_table)
        if (row.option == option && mode == ahead::mode::reduce_overhead && !row.in_reduce_overhead) return false;
    return !(this->*option).is_given() || (this->*option).is_on();
}

/// Refuses a mode that is none (mode_is_unknown), an option that the mode has no use for, on or off
/// (option_has_no_effect), and streams or cores below 1, a limit of cores, an effort or a loop bound below 0
/// (option_is_out_of_range).
constexpr bool check_config(const config& options, diagnosis& d) {
    if (options.mode != mode::max_autotune && options.mode != mode::reduce_overhead) {
        d.op = "config";
        d.name = "mode";
        return refuse(d, fault::mode_is_unknown, "max_autotune or reduce_overhead",
                      short_text("mode ") << static_cast<int>(options.mode));
    }
    for (const auto& [name, number] : {std::pair{std::string_view("streams"), options.streams},
                                       std::pair{std::string_view("cores"), options.cores}}) {
        if (number == 1 || (number > 1 && options.mode != mode::reduce_overhead)) continue;
        d.op = "config";
        d.name = name;
        return number < 1 ? refuse(d, fault::option_is_out_of_range, "at least 1", short_text() << number)
                          : refuse(d, fault::option_has_no_effect,
                                   "1 with mode reduce_overhead, which keeps the streams of the graph",
                                   short_text() << number);
    }
    for (const auto& [name, number] : {std::pair{std::string_view("aicore_num"), options.aicore_num},
                                       std::pair{std::string_view("vectorcore_num"), options.vectorcore_num}}) {
        if (number >= 0) continue;
        d.op = "config";
        d.name = name;
        return refuse(d, fault::option_is_out_of_range, "at least 1, or 0 for all of the device's",
                      short_text() << number);
    }
    if (const auto steps = static_cast<std::int64_t>(options.effort); steps < 0) {
        d.op = "config";
        d.name = "effort";
        return refuse(d, fault::option_is_out_of_range, "constant, brisk, patient, or at least 0 steps",
                      short_text() << steps);
    }
    if (options.loop_bound < 0) {
        d.op = "config";
        d.name = "loop_bound";
        return refuse(d, fault::option_is_out_of_range, "at least 1 round, or 0 where it is not said",
                      short_text() << options.loop_bound);
    }
    for (const auto& row : option_table) {
        if (options.mode == mode::max_autotune || row.in_reduce_overhead || !(options.*row.option).is_given()) continue;
        d.op = "config";
        d.name = row.name;
        return refuse(d, fault::option_has_no_effect, "left out: one task per operator",
                      "given, with mode reduce_overhead");
    }
    return true;
}

} // namespace ahead
