// What the operators of core ATen that are the least like others refuse, by name: what was expected, what was found.
// SPDX-License-Identifier: MIT
#include "aten_run.hpp"
#include "harness.hpp"

#include "../precompiled.hpp"

using namespace test;

namespace {

struct refused_call {
    std::string_view parameters, call;
    fault what;
    std::string_view expected, found;
    std::vector<host_tensor> inputs{};
};

void refused(const refused_call& wrong) {
    const auto text = "def forward(self, " + std::string(wrong.parameters) + "):\n    r = torch.ops.aten." + std::string(wrong.call) + "\n    return (r,)\n";
    std::vector<host_tensor> outputs;
    const auto d = run<aten::registry>(text, wrong.inputs, outputs);
    check(d.what == wrong.what && d.expected.view() == wrong.expected && d.found.view() == wrong.found,
          std::string(wrong.call) + ": " + std::string(name_of(d.what)) + ", " + std::string(d.expected.view()) + ", " + std::string(d.found.view()));
}

void norms() {
    constexpr auto layer = "x : f32[2, 4], y : f32[2, 3], i : i64[2, 4], m : f32[2, 1], w : f32[4], v : f32[3]";
    refused({layer, "native_layer_norm_backward.default(y, x, [4], m, m, w, w, [True, True, True])", fault::shapes_do_not_broadcast, "f32[2, 4]", "f32[2, 3]"});
    refused({layer, "native_layer_norm_backward.default(i, x, [4], m, m, w, w, [True, True, True])", fault::dtypes_differ, "f32[2, 4]", "i64[2, 4]"});
    refused({layer, "native_layer_norm_backward.default(i, i, [4], m, m, w, w, [True, True, True])", fault::dtype_is_unsupported, "floating point", "i64[2, 4]"});
    refused({layer, "native_layer_norm_backward.default(x, x, [4], w, m, w, w, [True, True, True])", fault::shapes_do_not_broadcast, "f32[2, 1]", "f32[4]"});
    refused({layer, "native_layer_norm_backward.default(x, x, [4], m, m, v, w, [True, True, True])", fault::shapes_do_not_broadcast, "f32[4]", "f32[3]"});
    refused({layer, "native_layer_norm_backward.default(x, x, [4], m, m, w, w, [True, True])", fault::rank_is_wrong, "3 flags", "2"});

    constexpr auto group = "x : f32[2, 4, 3], m : f32[2, 2], w : f32[4]";
    refused({group, "native_group_norm_backward.default(x, x, m, m, w, 2, 4, 3, 3, [True, True, True])", fault::channels_differ, "channels divisible by 3", "f32[2, 4, 3]"});
    refused({group, "native_group_norm_backward.default(x, x, m, m, w, 2, 4, 4, 2, [True, True, True])", fault::element_counts_differ, "f32[2, 4, 3]", "2 x 4 x 4"});
    refused({group, "native_group_norm_backward.default(x, x, w, m, w, 2, 4, 3, 2, [True, True, True])", fault::shapes_do_not_broadcast, "f32[2, 2]", "f32[4]"});
    refused({group, "native_group_norm_backward.default(x, x, m, m, m, 2, 4, 3, 2, [True, True, True])", fault::shapes_do_not_broadcast, "f32[4]", "f32[2, 2]"});

    refused({group, "_native_batch_norm_legit.default(x, w, w, w, w, True, 0.1, 0.5)", fault::in_place_needs_alias_analysis, "_native_batch_norm_legit_functional",
             "running statistics written"});
    refused({group, "_native_batch_norm_legit.default(x, w, w, None, w, False, 0.1, 0.5)", fault::argument_has_wrong_kind, "running_mean: Tensor", "None"});
    refused({group, "_native_batch_norm_legit.no_stats(x, w, w, False, 0.1, 0.5)", fault::argument_is_missing, "running_mean and running_var, or training=True", "None"});
}

} // namespace

int main() {
    norms();
    return report();
}
