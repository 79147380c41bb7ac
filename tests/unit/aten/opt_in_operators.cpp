// Operators of libraries above PyTorch, each of which has a header of its own: what torchvision and transformers gave (opt_in/*.txt), by their meaning, after the
// passes and on the device; what is refused, and in which words.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/core/error.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/torchvision.hpp>
#include <ahead/transformers.hpp>
#include <cases/device.hpp>
#include <cases/interpret.hpp>
#include <cases/recorded_file.hpp>

using namespace ahead;
using namespace ahead::rooms;
using test::check, test::check_equal;

namespace {

// The operators of both, as a program that calls both has them.
struct registry : aten::registry::with<torchvision::roi_align, torchvision::deform_conv2d, torchvision::nms, torchvision::nms_static,
                                       transformers::grouped_mm_fallback> {};
using tools = toolchain<>::with<torchvision::roi_align, torchvision::deform_conv2d, torchvision::nms, torchvision::nms_static, torchvision::samples_of_boxes, torchvision::sampled_columns, transformers::grouped_mm_fallback, transformers::products_of_all_groups>;

int recorded(const char* file) {
    const config all_passes;
    int count = 0;
    for (const auto& one : ::cases::read_recorded(file)) {
        ++count;
        for (const auto* options : {static_cast<const config*>(nullptr), &all_passes}) {
            const auto found = ::cases::interpret_text<registry>(one.text, one.tensors, options);
            check(found.what == ::cases::outcome::passed, one.name + (options ? ", after the passes: " : ": ") + found.why);
        }
        const auto made = inspect_fx<tools, registry>(one.text);
        if (!check(made.error.ok(), one.name + ": " + render(made.error))) continue;
        const bool data_decides = one.name.starts_with("nms") || one.name.ends_with("as many samples as elements") || one.text.find(", -1, ") != one.text.npos;
        check(made.plan().ai_cpu_tasks == data_decides, one.name);
    }
    return count;
}

// A detector's tail, on the device: the best boxes, their part of the image, and rows by experts.
struct detector {
    static constexpr std::string_view text = R"fx(def forward(self, image : f32[1, 2, 6, 6], offset : f32[1, 8, 5, 5], weight : f32[2, 2, 2, 2], bias : f32[2], boxes : f32[4, 4], scores : f32[4], matrices : f32[2, 8, 3], ends : i64[2]):
    nms_static = torch.ops.torchvision.nms_static.default(boxes, scores, 0.4, 4)
    getitem = nms_static[0]
    getitem_1 = nms_static[1]
    ones = torch.ops.aten.full.default([1, 1], 1.0)
    deform_conv2d = torch.ops.torchvision.deform_conv2d.default(image, weight, offset, ones, bias, 1, 1, 0, 0, 1, 1, 1, 1, False)
    full = torch.ops.aten.full.default([4, 1], 0.0)
    cat = torch.ops.aten.cat.default([full, boxes], 1)
    roi_align = torch.ops.torchvision.roi_align.default(deform_conv2d, cat, 1.0, 2, 2, 2, True)
    view = torch.ops.aten.view.default(roi_align, [4, 8])
    grouped_mm_fallback = torch.ops.transformers.grouped_mm_fallback.default(view, matrices, ends)
    return (getitem, getitem_1, grouped_mm_fallback)
)fx";
};

void on_device() {
    std::vector<host_tensor> inputs, wanted;
    const auto add = [&](dtype type, int_list sizes, auto value) {
        inputs.emplace_back(tensor_of(type, sizes));
        std::int64_t k = 0;
        for_each_index(sizes, [&](const int_list& at) { inputs.back().put(at, value(k++)); });
    };
    const auto wave = [](std::int64_t k) { return std::sin(static_cast<double>(7 * k % 31)); };
    add(dtype::f32, {1, 2, 6, 6}, wave);
    add(dtype::f32, {1, 8, 5, 5}, wave);
    add(dtype::f32, {2, 2, 2, 2}, wave);
    add(dtype::f32, {2}, wave);
    const double boxes[] = {0, 0, 3, 3, 0.2, 0, 3, 3, 1, 2, 4, 4.5, 3, 1, 5, 5};
    add(dtype::f32, {4, 4}, [&](std::int64_t k) { return boxes[k]; });
    add(dtype::f32, {4}, [](std::int64_t k) { return k == 1 ? 0.9 : 0.1 * static_cast<double>(k + 1); });
    add(dtype::f32, {2, 8, 3}, wave);
    add(dtype::i64, {2}, [](std::int64_t k) { return 1 + 2 * k; });
    static constexpr auto net = fx<detector, registry>;
    wanted = reference<net>(inputs);
    const auto got = ::cases::run_on_device<compiled<net, tools>>(inputs, weights{});
    check_equal(got.size(), std::size_t{3});
    for (std::size_t k = 0; k < got.size(); ++k) check_equal(::cases::difference(got[k], wanted[k]), std::string());
    check_equal(got[1].get<std::int64_t>(int_list{}), 3); // the first box is dropped for the second
    check_equal(got[0].get<std::int64_t>(int_list{0}), 1);
}

// Groups that are few are products of kernels, which give what the meaning gives: rows of one group, of none, behind the last, and ends that do not ascend.
void experts() {
    const auto text = [](const std::string& type, const std::string& sizes) {
        return "def forward(self, x : " + type + "[7, 4], w : " + type + sizes + ", ends : i32[3]):\n    made = torch.ops.transformers.grouped_mm_fallback.default(x, w, ends)\n    return (made,)\n";
    };
    const auto few = text("f32", "[3, 4, 5]");
    const auto made = inspect_fx<tools, registry>(few);
    check(made.error.ok() && made.plan().ai_cpu_tasks == 0, render(made.error));
    for (const auto& ends : {std::array{2, 2, 6}, std::array{0, 7, 7}, std::array{5, 3, 7}, std::array{9, 9, 9}, std::array{0, 0, 0}}) {
        std::vector<host_tensor> inputs, wanted, got;
        for (const auto& sizes : {int_list{7, 4}, int_list{3, 4, 5}}) {
            inputs.emplace_back(tensor_of(dtype::f32, sizes));
            std::int64_t k = 0;
            for_each_index(sizes, [&](const int_list& at) { inputs.back().put(at, std::sin(static_cast<double>(11 * k++ % 37))); });
        }
        inputs[1].put(int_list{1, 0, 0}, std::numeric_limits<double>::infinity()); // of one group alone
        inputs.emplace_back(tensor_of(dtype::i32, {3}));
        for (std::int64_t k = 0; k < 3; ++k) inputs.back().put(int_list{k}, ends[static_cast<std::size_t>(k)]);
        diagnosis d;
        check(interpret<registry>(made.captured(), inputs, wanted, d) && interpret<registry>(made.optimized_graph(), inputs, got, d), render(d));
        if (check_equal(got.size(), std::size_t{1})) check_equal(::cases::difference(got[0], wanted[0]), std::string());
    }
    for (const auto& [other, tasks] : {std::pair{text("f64", "[3, 4, 5]"), 0}, std::pair{text("f16", "[3, 4, 5]"), 1}, std::pair{text("f32", "[3, 4, 200000]"), 1}}) {
        const auto inspected = inspect_fx<tools, registry>(other);
        check(inspected.error.ok(), render(inspected.error));
        check_equal(inspected.plan().ai_cpu_tasks, tasks);
    }
}

// Of a call on x: f32[2, 4, 6, 6], r: f32[3, 5], w: f32[2, 4, 3, 3], o: f32[2, 18, 4, 4], b: f32[2], d: f32[7, 4], s: f32[7], m: f32[5, 8], e: f32[3, 8, 2], i: i32[3].
std::string refusal(const std::string& call) {
    const auto text = "def forward(self, x : f32[2, 4, 6, 6], r : f32[3, 5], w : f32[2, 4, 3, 3], o : f32[2, 18, 4, 4], b : f32[2], d : f32[7, 4], "
                      "s : f32[7], m : f32[5, 8], e : f32[3, 8, 2], i : i32[3]):\n    made = torch.ops." +
                      call + "\n    return (made,)\n";
    const auto made = inspect_fx<tools, registry>(text);
    return std::string(name_of(made.error.what)) + ": " + std::string(made.error.expected.view()) + ", " + std::string(made.error.found.view());
}
void refusals() {
    const auto is = [](const std::string& call, const std::string& why) { check_equal(call + " " + refusal(call), call + " " + why); };
    is("torchvision.nms.default(d, s, 0.5)", "dimension_is_dynamic: as many boxes as a size says: torchvision.nms_static(dets, scores, "
                                             "iou_threshold, size), as many as data says");
    is("torchvision.nms_static.default(r, s, 0.5, 4)", "shapes_do_not_broadcast: rows of 4, f32[3, 5]");
    is("torchvision.nms_static.default(d, b, 0.5, 4)", "shapes_do_not_broadcast: f32[7], f32[2]");
    is("torchvision.nms_static.default(d, s, 0.5, -1)", "size_is_negative: sizes from 0, -1");
    is("torchvision.roi_align.default(x, d, 1.0, 2, 2, 2, True)", "shapes_do_not_broadcast: rows of 5, f32[7, 4]");
    is("torchvision.roi_align.default(r, r, 1.0, 2, 2, 2, True)", "rank_is_wrong: rank 4, f32[3, 5]");
    is("torchvision.deform_conv2d.default(x, w, o, b, b, 1, 1, 1, 1, 1, 1, 1, 1, False)",
       "shapes_do_not_broadcast: f32[2, 18, 6, 6], f32[2, 18, 4, 4]");
    is("torchvision.deform_conv2d.default(x, w, o, b, b, 1, 1, 0, 0, 1, 1, 1, 3, False)",
       "split_sizes_do_not_add_up: channels that groups and offset_groups divide, f32[2, 4, 6, 6]");
    is("torchvision.deform_conv2d.default(x, w, o, b, b, 0, 1, 0, 0, 1, 1, 1, 1, False)",
       "stride_must_be_positive: strides and dilations from 1, 0");
    is("transformers.grouped_mm_fallback.default(m, e, b)", "dtype_is_unsupported: i32 or i64, f32[2]");
    is("transformers.grouped_mm_fallback.default(r, e, i)", "matmul_inner_extents_differ: 5 rows to follow f32[3, 5], f32[8, 2]");
    // as PyTorch prints them, with a size that data decides
    const auto printed = inspect_fx<tools, registry>("def forward(self, d: \"f32[7, 4]\", s: \"f32[7]\"):\n    nms: \"i64[u0]\" = "
                                                     "torch.ops.torchvision.nms.default(d, s, 0.5)\n    return (nms,)\n");
    check(printed.error.expected.view().starts_with("as many boxes"), render(printed.error));
}

} // namespace

int main() {
    check_equal(recorded("opt_in/torchvision.txt"), 11);
    check_equal(recorded("opt_in/transformers.txt"), 2);
    on_device();
    experts();
    refusals();
    return test::report();
}
