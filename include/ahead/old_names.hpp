// SPDX-License-Identifier: MIT
// Types, functions and passes that had other names in 0.1, for one version: a program that includes this compiles as it
// did, with a warning for each of them. Nothing of the library includes it. Old members are where the new ones are
// (pass/old_context_names.hpp, compiled.hpp), but for those of config, which have no second name.
#pragma once
#include <ahead/aot/verify_written.hpp>
#include <ahead/convert/default_toolchain.hpp>
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/machine/presets.hpp>
#include <ahead/pass/device/builtin.hpp>
#include <ahead/pass/promote_reduced_precision.hpp>

namespace AHEAD_NAMESPACE {

using namespace ops;   // ahead::relu(x) is relu(x), which argument-dependent lookup finds
using namespace rooms; // names that are in a room's namespace now

using choice [[deprecated("it is called toggle")]] = toggle;
using usual_tools [[deprecated("it is called default_toolchain")]] = default_toolchain;
template <class Program>
[[deprecated("it is called verify_plan")]] constexpr diagnosis judge_plan() {
    return verify_plan<Program>();
}
template <class Program> [[deprecated("it is called verify_written")]] diagnosis judge_written() {
    return verify_written<Program>();
}

namespace [[deprecated("devices are in machine, device operators and their keys in device")]] target {
using namespace machine;
using namespace device;
} // namespace target
namespace machine {
[[deprecated("it is called xeon_2core")]] inline constexpr const device& this_machine = xeon_2core;
} // namespace machine
namespace [[deprecated("it is called aot")]] written {
using namespace aot;
} // namespace written

namespace npu {
namespace [[deprecated("it is called kernels")]] kernel {
using namespace kernels;
} // namespace kernel
using memory [[deprecated("it is called region_bases")]] = runtime::region_bases;
using parameter [[deprecated("it is called prepare_input")]] = runtime::prepare_input;
} // namespace npu

namespace pass {
[[deprecated("it is called fold_transposes")]] inline constexpr auto absorb_copies = fold_transposes;
[[deprecated("it is called normalize_loop_layout")]] inline constexpr auto straighten_loops = normalize_loop_layout;
[[deprecated("it is called fuse_multi_output")]] inline constexpr auto join_loops = fuse_multi_output;
template <class Converters, class Decompose>
using widen_small_floats_pass [[deprecated("it is called promote_reduced_precision_pass")]] =
    promote_reduced_precision_pass<Converters, Decompose>;
template <const machine::device& On>
[[deprecated("it is called fuse_reductions")]] inline constexpr auto fuse_rows = fuse_reductions<On>;
template <const machine::device& On>
[[deprecated("it is called swap_matmul_operands")]] inline constexpr auto turn_products = swap_matmul_operands<On>;
} // namespace pass

} // namespace ahead
