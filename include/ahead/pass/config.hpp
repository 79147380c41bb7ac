// SPDX-License-Identifier: MIT
// The compilation options of the user, a constant of the toolchain:
// `static constexpr config options{.remove_noop_ops = false};`.
// Invariant: an option that would have no effect in the chosen mode is refused, not ignored. Read by passes, by
// lowering and by compiled.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/effort.hpp>
#include <ahead/ir/core_limit.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::pass {

/// How a graph becomes tasks, with TorchAir's names.
enum class mode : std::uint8_t {
    max_autotune,    // the whole graph is compiled: operators are fused, equal calls are computed once
    reduce_overhead, // one task per operator, as in a captured stream: to tell a wrong pass from a wrong operator, and
                     // tasks from each other
};

/// Which kernels calls have that no choice file names.
enum class kernel_set : std::uint8_t {
    tuned, // those that the rules select
    eigen, // those on Eigen's expressions, where there are some: #include <ahead/eigen.hpp>
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

/// The built-in passes have TorchAir's names where TorchAir has them. All are on, except those that have no effect in
/// the mode.
struct config {
    pass::mode mode = pass::mode::max_autotune;
    std::int32_t streams = 1; // number of streams for a graph that does not assign streams itself
    std::int32_t cores = 1; // number of device cores that a call is split over, on streams added for that; at most as
                            // many as the device has; without effect on a graph that assigns streams
    std::int32_t aicore_num = 0, vectorcore_num = 0; // numbers of AI cores and vector cores that a task may use where
                                                     // no scope of the graph sets them; 0: all
    core::effort effort = core::effort::constant;    // how long the planner searches for less memory and better
                                                     // streams: constant, brisk, patient, or a number of steps
    std::int64_t loop_bound = 0;      // bound on the rounds of a while_loop; 0: not given, and a while_loop is refused
    bool check_passes = false;        // compares the graph before and after each pass by running both on random inputs
                                      // while compiling (compile/checked_passes.hpp): for small graphs
    std::string_view choices = {};    // the fastest kernels by measurement, as the text of a choice file
                                      // (device/choices.hpp); other calls use their rule's kernel
    kernel_set kernels = kernel_set::tuned;
    toggle remove_noop_ops = {};      // removes full slices, copies of the same type, views of the same shape
    toggle recompose = {};            // restores calls that PyTorch decomposed and that have kernels
    toggle fold_batch_norm = {};      // folds scales and shifts of a convolution's channels into weight and bias
    toggle decompose = {};            // replaces calls without kernels by calls with kernels
    toggle fold_transposes = {};        // removes permuting copies that a neighbour can do without
    toggle eliminate_dead_code = {};  // removes calls without readers
    toggle eliminate_duplicates = {}; // removes repeated calls with the same operands (common subexpressions)
    toggle fuse_attention = {};       // two products and the softmax between them as one task, by blocks of rows
    toggle fuse_activation = {}; // pointwise calls on the result of a product or convolution join its task
    toggle fuse_pointwise = {};  // chains and trees of pointwise calls as one task that passes over memory once
    toggle fuse_quantized = {};  // products and convolutions of dequantised i8 as integer ones; a requantised result
                                 // may differ by one step from the one rounded from f32
    toggle fuse_residual = {};   // as fuse_activation, with other tensors such as a residual
    toggle fuse_reductions = {};       // row reductions and the calls around them as one task
    toggle remove_cat_ops = {};  // operands of a concatenation are computed in place, not copied

    constexpr bool is_on(toggle config::* option) const;
    /// The most streams that a plan may use for a graph that does not assign streams.
    constexpr std::int32_t most_streams() const { return streams < cores ? cores : streams; }
    constexpr core_limit limit() const { return {aicore_num, vectorcore_num}; }
};

/// An option by name, and whether it has an effect in reduce_overhead, which leaves operators as they are. All options
/// have an effect in max_autotune.
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

/// Whether the option's pass runs: as given, else whether it has an effect in the mode.
constexpr bool config::is_on(toggle config::* option) const {
    for (const auto& row : option_table)
        if (row.option == option && mode == pass::mode::reduce_overhead && !row.in_reduce_overhead) return false;
    return !(this->*option).is_given() || (this->*option).is_on();
}

/// Refuses an unknown mode (mode_is_unknown), an option without effect in the mode, on or off (option_has_no_effect),
/// and streams or cores below 1, a core limit, an effort or a loop bound below 0 (option_is_out_of_range).
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

} // namespace ahead::pass

namespace AHEAD_NAMESPACE {
using pass::config, pass::kernel_set, pass::mode, pass::toggle;
} // namespace ahead
