// The pass fuse_quantized: what it recognises and what it leaves alone, that both mean the same, and a whole quantised network as PyTorch prints it.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "lowered.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/print/fx/print_fx.hpp>
#include <ahead/reference/equivalent.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;
using storage_type = graph_storage<capacity{96, 700, 120}>;

// A typed text; placeholders whose names begin with "p_" are parameters.
struct reading {
    storage_type storage;
    fx_style style;
    diagnosis error;
    constexpr explicit reading(std::string_view text) {
        const auto g = storage.edit();
        if (!read_fx(text, op_rows, g, style, error) || !infer_types(g, op_rows, error)) return;
        for (node_id id : g)
            if (g[id].kind == node_kind::placeholder && print(g[id].name).view().substr(0, 2) == "p_") g[id].role = input_role::parameter;
    }
};

// One text of a few lines: inputs, calls, what is returned. Scales are powers of two, so that f32 rounds nothing and both ways give the same.
std::string text_of(std::string_view inputs, std::string_view calls, std::string_view returned) {
    std::string out = "class <lambda>(torch.nn.Module):\n    def forward(self, ";
    out += inputs;
    out += "):\n";
    for (std::size_t at = 0; at < calls.size();) {
        const auto end = std::min(calls.find('\n', at), calls.size());
        out += "        " + std::string(calls.substr(at, end - at)) + "\n";
        at = end + 1;
    }
    return out + "        return (" + std::string(returned) + ",)\n";
}
constexpr std::string_view q = "torch.ops.quantized_decomposed.";
std::string with_names(std::string text) { // %dq, %dc, %qt for the long names
    for (const auto& [mark, name] : {std::pair<std::string_view, std::string_view>{"%dqt", "dequantize_per_tensor.tensor"}, {"%dq", "dequantize_per_tensor.default"},
                                     {"%dc", "dequantize_per_channel.default"}, {"%qt", "quantize_per_tensor.tensor"}, {"%q", "quantize_per_tensor.default"}})
        for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at)) text.replace(at, mark.size(), std::string(q) + std::string(name));
    for (auto at = text.find("%a."); at != text.npos; at = text.find("%a.", at)) text.replace(at, 3, "torch.ops.aten.");
    return text;
}

// The listing behind the pass holds each of `parts`, and means what the text does; of no parts: nothing changes.
void becomes(std::string_view inputs, std::string_view calls, std::string_view returned, std::initializer_list<std::string_view> parts,
             std::source_location where = std::source_location::current()) {
    const auto text = with_names(text_of(inputs, calls, returned));
    reading before(text), after(text);
    if (!check(before.error.ok(), std::string(name_of(before.error.what)) + ": " + std::string(before.error.found.view()), where)) return;
    std::int32_t changes = 0;
    diagnosis d;
    const bool ok = pass::run(pass::pipeline<pass::fuse_quantized_pass>{}, config{}, after.storage.edit(), op_rows, d,
                              [&](std::string_view, graph_view, std::int32_t count) { changes = count; });
    check(ok && (changes > 0) == (parts.size() > 0), std::string(name_of(d.what)) + ", " + std::to_string(changes) + " changes", where);
    text_buffer<8192> listing;
    after.style.types = fx_types::inferred;
    pass::run(pass::pipeline<pass::eliminate_dead_code_pass>{}, config{}, after.storage.edit(), op_rows, d);
    print_fx(after.storage.view(), after.style, listing);
    for (const auto part : parts) check(listing.view().find(with_names(std::string(part))) != std::string_view::npos, listing.view(), where);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) check(equivalent(before.storage.view(), after.storage.view(), seed, d), d.found.view(), where);
}
void stays(std::string_view inputs, std::string_view calls, std::string_view returned, std::source_location where = std::source_location::current()) {
    becomes(inputs, calls, returned, {}, where);
}

constexpr std::string_view layer = R"(x: "u8[3, 8]", p_w: "i8[5, 8]", p_s: "f32[5]", p_z: "i64[5]", p_b: "f32[5]")";
constexpr std::string_view dx = R"(dx: "f32[3, 8]" = %dq(x, 0.5, 3, 0, 255, torch.uint8)
)", dw = R"(dw: "f32[5, 8]" = %dq(p_w, 0.25, 0, -127, 127, torch.int8)
)", lin = R"(y: "f32[3, 5]" = %a.linear.default(dx, dw, p_b)
)", quant = R"(r: "u8[3, 5]" = %q(y, 0.5, 7, 0, 255, torch.uint8))";
std::string lines(std::initializer_list<std::string_view> all) {
    std::string out;
    for (auto one : all) out += one;
    return out;
}

void products() {
    // all that there may be
    becomes(layer, lines({dx, "dw: \"f32[5, 8]\" = %dc(p_w, p_s, p_z, 0, -127, 127, torch.int8)\n", lin,
                          "a: \"f32[3, 5]\" = %a.relu.default(y)\nr: \"u8[3, 5]\" = %q(a, 0.5, 7, 0, 255, torch.uint8)"}),
            "r", {"torch.ops.air.quantized_linear.default(x, p_w, ", ", p_b, full", ", 0, 255, True, torch.uint8)"});
    // as little
    becomes(R"(x: "i8[3, 8]", p_w: "i8[5, 8]")",
            lines({"dx: \"f32[3, 8]\" = %dq(x, 0.5, 0, -128, 127, torch.int8)\n", dw, "y: \"f32[3, 5]\" = %a.linear.default(dx, dw)"}), "y",
            {"torch.ops.air.quantized_linear.default(x, p_w, ", ", None, None, None, None, 0, 0, False, torch.float32)"});
    // addmm of a weight that is turned behind or before it is dequantised, of one grid; a zero point of weights
    becomes(layer, lines({dx, "dw: \"f32[5, 8]\" = %dq(p_w, 0.25, 5, -127, 127, torch.int8)\nt: \"f32[8, 5]\" = %a.permute.default(dw, [1, 0])\n",
                          "y: \"f32[3, 5]\" = %a.addmm.default(p_b, dx, t)\n", quant}),
            "r", {"torch.ops.air.quantized_linear.default(x, p_w, "});
    becomes(R"(x: "u8[3, 8]", p_w: "i8[8, 5]", p_s: "f32[5]", p_z: "i64[5]")",
            lines({dx, "dw: \"f32[8, 5]\" = %dc(p_w, p_s, p_z, 1, -127, 127, torch.int8)\n", "y: \"f32[3, 5]\" = %a.mm.default(dx, dw)"}), "y",
            {"torch.ops.air.quantized_linear.default(x, t", "%a.t.default(p_w)"});
    // grids that are tensors, of inputs of the run even; a view between
    becomes(R"(x: "i8[3, 2, 4]", s: "f32[]", z: "i64[]", p_w: "i8[5, 8]", p_s: "f32[1]", p_z: "i64[1]", p_b: "f32[5]")",
            lines({"d: \"f32[3, 2, 4]\" = %dqt(x, s, z, -128, 127, torch.int8)\ndx: \"f32[3, 8]\" = %a.view.default(d, [3, 8])\n",
                   "dw: \"f32[5, 8]\" = %dqt(p_w, p_s, p_z, -127, 127, torch.int8)\n", lin, "r: \"i8[3, 5]\" = %qt(y, p_s, p_z, -128, 127, torch.int8)"}),
            "r", {"torch.ops.air.quantized_linear.default(view"});
    // what others read stays, and what quantises to others
    becomes(layer, lines({dx, dw, lin, "a: \"f32[3, 5]\" = %a.relu.default(y)\nb: \"f32[3, 5]\" = %a.neg.default(y)"}), "a, b",
            {"air.quantized_linear.default(", "False, torch.float32)", "%a.relu.default(quantized_linear"});
    becomes(layer, lines({dx, dw, lin, "r: \"i32[3, 5]\" = %q(y, 0.5, 7, -4000, 4000, torch.int32)"}), "r", {"False, torch.float32)", "%q("});
    becomes(layer, lines({dx, dw, lin, "b: \"f32[3, 8]\" = %a.neg.default(dx)\n", quant}), "r, b", {"air.quantized_linear.default(", "%dq("});
}

void left_alone() {
    stays(layer, lines({dx, "dw: \"f32[5, 8]\" = %a.mul.Tensor(p_w, 0.25)\n", lin}), "y");                                            // no grid
    stays(R"(x: "u8[3, 8]", w: "i8[5, 8]", p_b: "f32[5]")", lines({dx, "dw: \"f32[5, 8]\" = %dq(w, 0.25, 0, -127, 127, torch.int8)\n", lin}), "y"); // not constant
    stays(R"(x: "u8[3, 8]", p_w: "u8[5, 8]", p_b: "f32[5]")", lines({dx, "dw: \"f32[5, 8]\" = %dq(p_w, 0.25, 0, 0, 255, torch.uint8)\n", lin}), "y");
    stays(R"(x: "u8[3, 5]", p_w: "i8[5, 5]", p_s: "f32[5]", p_z: "i64[5]")", // a scale for each term
          "dx: \"f32[3, 5]\" = %dq(x, 0.5, 3, 0, 255, torch.uint8)\ndw: \"f32[5, 5]\" = %dc(p_w, p_s, p_z, 1, -127, 127, torch.int8)\n"
          "y: \"f32[3, 5]\" = %a.linear.default(dx, dw)", "y");
    stays(R"(x: "u8[3, 8]", p_t: "f32[3]", p_k: "i64[3]", p_w: "i8[5, 8]", p_b: "f32[5]")", // a scale for each row
          lines({"dx: \"f32[3, 8]\" = %dc(x, p_t, p_k, 0, 0, 255, torch.uint8)\n", dw, lin}), "y");
    stays(R"(x: "u8[3, 8]", p_w: "i8[5, 8]", p_b: "f32[1]")", lines({dx, dw, lin}), "y"); // a bias that broadcasts
    stays(layer, lines({dx, dw, "t: \"f32[8, 5]\" = %a.t.default(dw)\ny: \"f32[3, 5]\" = %a.addmm.default(p_b, dx, t, beta = 2)"}), "y");
    stays(R"(x: "u8[1, 33100]", p_w: "i8[1, 33100]")", // sums have no room
          "dx: \"f32[1, 33100]\" = %dq(x, 0.5, 3, 0, 255, torch.uint8)\ndw: \"f32[1, 33100]\" = %dq(p_w, 0.25, 0, -127, 127, torch.int8)\n"
          "y: \"f32[1, 1]\" = %a.linear.default(dx, dw)", "y");
    stays(R"(x: "u8[1, 4, 5, 5]", p_w: "i8[4, 1, 3, 3]")", // depthwise
          "dx: \"f32[1, 4, 5, 5]\" = %dq(x, 0.5, 3, 0, 255, torch.uint8)\ndw: \"f32[4, 1, 3, 3]\" = %dq(p_w, 0.25, 0, -127, 127, torch.int8)\n"
          "y: \"f32[1, 4, 3, 3]\" = %a.conv2d.default(dx, dw, None, [1, 1], [0, 0], [1, 1], 4)", "y");
    stays(R"(x: "u8[1, 4, 5, 5]", p_w: "i8[4, 2, 3, 3]")", // transposed
          "dx: \"f32[1, 4, 5, 5]\" = %dq(x, 0.5, 3, 0, 255, torch.uint8)\ndw: \"f32[4, 2, 3, 3]\" = %dq(p_w, 0.25, 0, -127, 127, torch.int8)\n"
          "y: \"f32[1, 2, 7, 7]\" = %a.convolution.default(dx, dw, None, [1, 1], [0, 0], [1, 1], True, [0, 0], 1)", "y");
    stays(layer, lines({"dx: \"f32[3, 8]\" = %dq(x, 0.5, 300, 0, 255, torch.uint8)\n", dw, lin}), "y"); // a zero that no element is
    stays(layer, lines({dx, "dw: \"f32[5, 8]\" = %dq(p_w, 0.25, -129, -127, 127, torch.int8)\n", lin}), "y");
    stays(R"(x: "u8[3, 8]", p_w: "i8[5, 8]", w: "i8[5, 8]", p_b: "f32[5]")", // what hangs on more than a weight
          lines({dx, "v: \"i8[5, 8]\" = %a.add.Tensor(p_w, w)\ndw: \"f32[5, 8]\" = %dq(v, 0.25, 0, -127, 127, torch.int8)\n", lin}), "y");
    const auto in_f32 = with_names(text_of(R"(x: "f32[2, 3]", p_w: "f32[4, 3]")", "y: \"f32[2, 4]\" = %a.linear.default(x, p_w)", "y"));
    const reading plain(in_f32);
    check(!pass::any_applies(pass::pipeline<pass::fuse_quantized_pass>{}, config{}, plain.storage.view(), op_rows));
    const auto whole = with_names(text_of(layer, lines({dx, dw, lin}), "y"));
    check(!pass::any_applies(pass::pipeline<pass::fuse_quantized_pass>{}, config{.fuse_quantized = false}, reading(whole).storage.view(), op_rows));
}

void convolutions() {
    constexpr std::string_view image = R"(x: "u8[2, 4, 6, 7]", p_w: "i8[6, 2, 3, 3]", p_s: "f32[6]", p_z: "i64[6]", p_b: "f32[6]")";
    constexpr std::string_view both = "dx: \"f32[2, 4, 6, 7]\" = %dq(x, 0.5, 3, 0, 255, torch.uint8)\ndw: \"f32[6, 2, 3, 3]\" = %dc(p_w, p_s, p_z, 0, -127, 127, torch.int8)\n";
    becomes(image, lines({both, "y: \"f32[2, 6, 3, 7]\" = %a.conv2d.default(dx, dw, p_b, [2, 1], [1, 1], [1, 1], 2)\na: \"f32[2, 6, 3, 7]\" = %a.relu.default(y)\n",
                          "r: \"i8[2, 6, 3, 7]\" = %q(a, 0.5, -7, -128, 127, torch.int8)"}),
            "r", {"torch.ops.air.quantized_convolution.default(x, p_w, ", ", -128, 127, True, torch.int8, ", "[2, 1], [1, 1], [1, 1], 2)"});
    becomes(image, lines({both, "y: \"f32[2, 6, 6, 7]\" = %a.convolution.default(dx, dw, None, [1, 1], [2, 1], [2, 1], False, [0, 0], 2)"}), "y",
            {"torch.ops.air.quantized_convolution.default(", "False, torch.float32, ", "[1, 1], [2, 1], [2, 1], 2)"});
    becomes(R"(x: "i8[1, 3, 9]", p_w: "i8[4, 3, 3]")",
            "dx: \"f32[1, 3, 9]\" = %dq(x, 0.5, -3, -128, 127, torch.int8)\ndw: \"f32[4, 3, 3]\" = %dq(p_w, 0.25, 0, -127, 127, torch.int8)\n"
            "y: \"f32[1, 4, 9]\" = %a.conv1d.default(dx, dw, None, [1], [1])", "y", {"[1], [1], [1], 1)"});
}

// Calls of the two operators that are refused: by the sentence that says why.
void refused(std::string_view inputs, std::string_view call, fault what, std::string_view expected, std::string_view found,
             std::source_location where = std::source_location::current()) {
    const reading r(text_of(inputs, "r = torch.ops.air." + std::string(call), "r"));
    check_fault(r.error, {.what = what, .expected = expected, .found = found}, where);
}
// A step that no 64 bits count the copies for: as its meaning says.
void beyond_counting() {
    const auto tasks_of = [](std::string_view stride) {
        const auto text = text_of(R"(x: "u8[1, 4, 6, 6]", f: "i8[5, 4, 3, 3]", k: "i32[5]", s: "f32[5]", z: "i32[1]")",
                                "r = torch.ops.air.quantized_convolution.default(x, f, k, s, None, None, None, None, 0, 0, False, torch.float32, z, [" + std::string(stride) + ", 1], [0, 0], [1, 1], 1)", "r");
        const reading r(text);
        check(r.error.ok(), name_of(r.error.what));
        return lowered(r.storage.view()).tasks();
    };
    check_equal(tasks_of("3"), "npu.pack_filters npu.quantized_convolution ");
    check_equal(tasks_of("4611686018427387904"), "air.quantized_convolution.default ");
}
void type_rules() {
    constexpr std::string_view of = R"(x: "u8[3, 8]", h: "i16[3, 8]", w: "i8[5, 8]", v: "i8[5, 7]", k: "i32[5]", s: "f32[5]", o: "f32[1]", i: "u8[1, 4, 2, 2]", f: "i8[5, 4, 3, 3]", z: "i32[1]")";
    using enum fault;
    refused(of, "quantized_linear.default(h, w, k, s, None, None, None, None, 0, 0, False, torch.float32)", dtype_is_unsupported, "i8 or u8", "i16[3, 8]");
    refused(of, "quantized_linear.default(x, x, k, s, None, None, None, None, 0, 0, False, torch.float32)", dtype_is_unsupported, "i8", "u8[3, 8]");
    refused(of, "quantized_linear.default(x, v, k, s, None, None, None, None, 0, 0, False, torch.float32)", matmul_inner_extents_differ, "8 columns", "i8[5, 7]");
    refused(of, "quantized_linear.default(x, w, s, s, None, None, None, None, 0, 0, False, torch.float32)", dtypes_differ, "i32[5]", "f32[5]");
    refused(of, "quantized_linear.default(x, w, k, o, None, None, None, None, 0, 0, False, torch.float32)", element_counts_differ, "f32[5]", "f32[1]");
    refused(of, "quantized_linear.default(x, w, k, s, None, None, o, None, 0, 255, False, torch.uint8)", argument_has_wrong_kind,
            "inverse and zero_point where dtype is i8 or u8, and there alone", "u8");
    refused(of, "quantized_linear.default(x, w, k, s, None, None, o, o, 0, 255, False, torch.int8)", argument_has_wrong_kind,
            "quant_min up to quant_max, numbers of dtype", "0 up to 255");
    refused(of, "quantized_linear.default(x, w, k, s, None, None, None, None, 0, 0, False, torch.int32)", dtype_is_unsupported, "f32, i8 or u8", "i32");
    refused(of, "quantized_convolution.default(i, f, k, s, None, None, None, None, 0, 0, False, torch.float32, z, [1, 1], [0, 0], [1, 1], 1)", window_does_not_fit,
            "3 elements, padding included", "u8[1, 4, 2, 2]");
    refused(of, "quantized_convolution.default(i, f, k, s, None, None, None, None, 0, 0, False, torch.float32, z, [1, 1], [1, 1], [1, 1], 2)", channels_differ,
            "8 channels", "4");
    refused(of, "quantized_convolution.default(i, f, k, s, None, None, None, None, 0, 0, False, torch.float32, k, [1, 1], [1, 1], [1, 1], 1)",
            element_counts_differ, "i32[1]", "i32[5]");
    refused(of, "quantized_convolution.default(i, w, k, s, None, None, None, None, 0, 0, False, torch.float32, z, [1, 1], [1, 1], [1, 1], 1)", rank_is_wrong,
            "a weight of rank 3 or 4", "i8[5, 8]");
}

// A small network as torch.export prints one that PT2E quantised for x86: activations of u8, weights of i8 for each channel.
struct network {
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_c1_b: "f32[8]", p_c2_b: "f32[8]", p_fc_b: "f32[10]", b_c1_w: "i8[8, 3, 3, 3]", b_c1_s: "f32[8]", b_c1_z: "i64[8]", b_c2_w: "i8[8, 8, 3, 3]", b_c2_s: "f32[8]", b_c2_z: "i64[8]", b_fc_w: "i8[10, 128]", b_fc_s: "f32[10]", b_fc_z: "i64[10]", x: "f32[2, 3, 8, 8]"):
            quantize_per_tensor: "u8[2, 3, 8, 8]" = torch.ops.quantized_decomposed.quantize_per_tensor.default(x, 0.0157, 127, 0, 255, torch.uint8);  x = None
            dequantize_per_tensor: "f32[2, 3, 8, 8]" = torch.ops.quantized_decomposed.dequantize_per_tensor.default(quantize_per_tensor, 0.0157, 127, 0, 255, torch.uint8);  quantize_per_tensor = None
            dequantize_per_channel: "f32[8, 3, 3, 3]" = torch.ops.quantized_decomposed.dequantize_per_channel.default(b_c1_w, b_c1_s, b_c1_z, 0, -128, 127, torch.int8);  b_c1_w = b_c1_s = b_c1_z = None
            conv2d: "f32[2, 8, 8, 8]" = torch.ops.aten.conv2d.default(dequantize_per_tensor, dequantize_per_channel, p_c1_b, [1, 1], [1, 1]);  dequantize_per_tensor = dequantize_per_channel = p_c1_b = None
            relu: "f32[2, 8, 8, 8]" = torch.ops.aten.relu.default(conv2d);  conv2d = None
            quantize_per_tensor_1: "u8[2, 8, 8, 8]" = torch.ops.quantized_decomposed.quantize_per_tensor.default(relu, 0.011, 0, 0, 255, torch.uint8);  relu = None
            dequantize_per_tensor_1: "f32[2, 8, 8, 8]" = torch.ops.quantized_decomposed.dequantize_per_tensor.default(quantize_per_tensor_1, 0.011, 0, 0, 255, torch.uint8);  quantize_per_tensor_1 = None
            dequantize_per_channel_1: "f32[8, 8, 3, 3]" = torch.ops.quantized_decomposed.dequantize_per_channel.default(b_c2_w, b_c2_s, b_c2_z, 0, -128, 127, torch.int8);  b_c2_w = b_c2_s = b_c2_z = None
            conv2d_1: "f32[2, 8, 8, 8]" = torch.ops.aten.conv2d.default(dequantize_per_tensor_1, dequantize_per_channel_1, p_c2_b, [1, 1], [1, 1]);  dequantize_per_channel_1 = p_c2_b = None
            add: "f32[2, 8, 8, 8]" = torch.ops.aten.add.Tensor(conv2d_1, dequantize_per_tensor_1);  conv2d_1 = dequantize_per_tensor_1 = None
            relu_1: "f32[2, 8, 8, 8]" = torch.ops.aten.relu.default(add);  add = None
            max_pool2d: "f32[2, 8, 4, 4]" = torch.ops.aten.max_pool2d.default(relu_1, [2, 2], [2, 2]);  relu_1 = None
            quantize_per_tensor_2: "u8[2, 8, 4, 4]" = torch.ops.quantized_decomposed.quantize_per_tensor.default(max_pool2d, 0.019, 0, 0, 255, torch.uint8);  max_pool2d = None
            dequantize_per_tensor_2: "f32[2, 8, 4, 4]" = torch.ops.quantized_decomposed.dequantize_per_tensor.default(quantize_per_tensor_2, 0.019, 0, 0, 255, torch.uint8);  quantize_per_tensor_2 = None
            view: "f32[2, 128]" = torch.ops.aten.view.default(dequantize_per_tensor_2, [2, 128]);  dequantize_per_tensor_2 = None
            dequantize_per_channel_2: "f32[10, 128]" = torch.ops.quantized_decomposed.dequantize_per_channel.default(b_fc_w, b_fc_s, b_fc_z, 0, -128, 127, torch.int8);  b_fc_w = b_fc_s = b_fc_z = None
            linear: "f32[2, 10]" = torch.ops.aten.linear.default(view, dequantize_per_channel_2, p_fc_b);  view = dequantize_per_channel_2 = p_fc_b = None
            quantize_per_tensor_3: "u8[2, 10]" = torch.ops.quantized_decomposed.quantize_per_tensor.default(linear, 0.02, 131, 0, 255, torch.uint8);  linear = None
            dequantize_per_tensor_3: "f32[2, 10]" = torch.ops.quantized_decomposed.dequantize_per_tensor.default(quantize_per_tensor_3, 0.02, 131, 0, 255, torch.uint8);  quantize_per_tensor_3 = None
            return (dequantize_per_tensor_3,)

Graph signature:
    # inputs
    p_c1_b: PARAMETER target='c1.bias'
    p_c2_b: PARAMETER target='c2.bias'
    p_fc_b: PARAMETER target='fc.bias'
    b_c1_w: BUFFER target='c1_weight' persistent=True
    b_c1_s: BUFFER target='c1_scales' persistent=True
    b_c1_z: BUFFER target='c1_zeros' persistent=True
    b_c2_w: BUFFER target='c2_weight' persistent=True
    b_c2_s: BUFFER target='c2_scales' persistent=True
    b_c2_z: BUFFER target='c2_zeros' persistent=True
    b_fc_w: BUFFER target='fc_weight' persistent=True
    b_fc_s: BUFFER target='fc_scales' persistent=True
    b_fc_z: BUFFER target='fc_zeros' persistent=True
    x: USER_INPUT

    # outputs
    dequantize_per_tensor_3: USER_OUTPUT

Range constraints: {}
)fx";
};
inline constexpr config in_f32_options{.fuse_quantized = false};
using in_f32 = toolchain<>::with_options<in_f32_options>;
using integers = compiled<fx<network>>;
using floats = compiled<fx<network>, in_f32>;

template <class Program> constexpr int count(std::string_view op) {
    int found = 0;
    for (const auto g = Program::lowered_graph(); node_id id : g) found += g[id].target == op;
    return found;
}
static_assert(count<integers>("npu.quantized_convolution") == 2 && count<integers>("npu.quantized_matmul") == 1 && count<integers>("npu.convolution") == 0);
static_assert(count<floats>("npu.quantized_convolution") == 0 && count<floats>("npu.convolution") == 2);

std::uint32_t bits = 7;
std::uint32_t random() { return bits = bits * 1664525 + 1013904223, bits >> 8; }
float uniform(float from, float to) { return from + (to - from) * static_cast<float>(random() % 65536) / 65536; }

template <class T> void add(weights& to, std::string name, dtype type, std::vector<std::int64_t> sizes, auto value) {
    std::int64_t count = 1;
    for (auto size : sizes) count *= size;
    std::vector<T> all(static_cast<std::size_t>(count));
    for (auto& x : all) x = static_cast<T>(value());
    to.add(std::move(name), type, std::move(sizes), std::as_bytes(std::span<const T>(all)));
}
void whole() {
    weights w;
    const auto grids = [&](std::string name, std::vector<std::int64_t> sizes, float step) {
        const auto n = sizes[0];
        add<std::int8_t>(w, name + "_weight", dtype::i8, sizes, [] { return static_cast<int>(random() % 255) - 127; });
        add<float>(w, name + "_scales", dtype::f32, {n}, [&] { return uniform(step / 2, step); });
        add<std::int64_t>(w, name + "_zeros", dtype::i64, {n}, [] { return 0; });
        add<float>(w, name + ".bias", dtype::f32, {n}, [] { return uniform(-0.3f, 0.3f); });
    };
    grids("c1", {8, 3, 3, 3}, 0.003f), grids("c2", {8, 8, 3, 3}, 0.002f), grids("fc", {10, 128}, 0.002f);
    const auto of_integers = integers::prepare(w);
    const auto of_floats = floats::prepare(w);
    integers::session by_integers(of_integers);
    floats::session by_floats(of_floats);
    std::array<float, 2 * 3 * 64> x{};
    int same = 0, all = 0, beyond = 0;
    for (int round = 0; round < 20; ++round) {
        for (float& one : x) one = uniform(-2, 2);
        const auto [a] = by_integers(x);
        const auto [b] = by_floats(x);
        for (int i = 0; i < 20; ++i, ++all) {
            const auto steps = std::lround((a.data()[i] - b.data()[i]) / 0.02f);
            same += steps == 0;
            beyond += std::abs(steps) > 1; // a step in one layer is less than half of one in the next
        }
    }
    check(beyond == 0 && same > all * 9 / 10, std::to_string(same) + " the same of " + std::to_string(all));
}

} // namespace

int main() {
    products();
    left_alone();
    convolutions();
    beyond_counting();
    type_rules();
    whole();
    return report();
}
