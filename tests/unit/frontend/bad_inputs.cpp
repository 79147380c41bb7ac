// SPDX-License-Identifier: MIT
// What a newcomer may give at run time, and the sentence that answers it: another kind of file, weights of another dtype or shape, a vector
// of another size, a run while its last outputs are held, memory that does not do, a text that is no graph.
#include <ahead/ahead.hpp>
#include <ahead/frontend/fx/lost_write.hpp>

#include "harness.hpp"
#include "rendered.hpp"

#include <fstream>
#include <string>
#include <vector>

using namespace ahead;
using namespace ahead::rooms;
using test::check;
using test::check_equal;
using test::check_throws;

namespace {

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, param<"w", f32<3, 4>> w) { return outputs(mm(x, w)); });
using program = compiled<net>;

constexpr std::array<float, 12> w_values{};

void files() {
    check_throws<error>([] { load_safetensors("lenet.safetensors"); }, "file 'lenet.safetensors' is unreadable");
    check_throws<error>([] { load_safetensors("../examples/02_digits/images.npy"); },
                        "is malformed: expected a .safetensors file, found a .npy file");
    check_throws<error>([] { load_npy("../examples/02_digits/digits.safetensors"); },
                        "is malformed: expected a .npy file, found a .safetensors file");
    check_throws<error>([] { load_safetensors("../examples/02_digits/digits.txt"); },
                        "is malformed: expected a .safetensors file, found another file");
    const std::string zip = std::string("PK\x03\x04", 4) + std::string(40, '\x08') + "archive/data.pkl";
    diagnosis d;
    weights none_read;
    check(!read_safetensors(std::as_bytes(std::span(zip)), none_read, d));
    check_equal(test::sentence(d), "file is malformed: expected a .safetensors file, found a zip archive, as torch.save and numpy.savez write");

    const auto images = load_npy("../examples/02_digits/images.npy");
    check_equal(images->as<std::uint8_t>().size(), 78'400u);
    check_throws<error>([&] { images->as<float>(); },
                        "weight 'images' has the wrong dtype: expected float32, as it is read, found u8[100, 28, 28]");
    check_throws<error>([&] { images->as<bool>(); }, "wrong dtype");
    check_throws<error>([&] { images->as<signed char>(); }, "wrong dtype");
}

void weights_of_a_graph() {
    const auto refused = [](dtype type, std::vector<std::int64_t> sizes, std::size_t bytes, std::string_view sentence) {
        const std::vector<std::byte> zeros(bytes);
        check_throws<error>(
            [&] {
                weights given;
                given.add("w", type, sizes, zeros);
                program::prepare(given);
            },
            sentence);
    };
    refused(dtype::f64, {3, 4}, 96, "weight 'w' has the wrong dtype: expected f32[3, 4], found f64[3, 4]");
    refused(dtype::f32, {4, 3}, 48, "weight 'w' has the wrong shape: expected f32[3, 4], found f32[4, 3]");
    refused(dtype::f32, {3, 3}, 48, "weight 'w' bytes differ from shape: expected 36 bytes for f32[3, 3], found 48 bytes");
    check_throws<error>([] { program::prepare(); }, "weight 'w' is missing: expected f32[3, 4], found no tensor of this name");
}

void runs() {
    weights given;
    given.add("w", dtype::f32, {3, 4}, std::as_bytes(std::span(w_values)));
    const auto prepared = program::prepare(given);
    program::session run{prepared};

    // A vector and a span have their size when they come.
    std::vector<float> x(6, 1.0f);
    check(std::get<0>(run(x))(1, 3) == 0);
    check(std::get<0>(run(std::span(x)))(1, 3) == 0);
    check(std::get<0>(run(std::span<const float, 6>(x)))(1, 3) == 0);
    x.push_back(1);
    check_throws<error>([&] { run(x); }, "run 'input 0': element counts differ: expected 6 elements for f32[2, 3], found 7");
    check_throws<error>([&] { run(std::span(x).first(5)); }, "found 5");

    const std::array<float, 6> image{};
    const auto [kept] = run(image);
    check_throws<error>([&] { run(image); },
                        "output is still held: expected the outputs of the last run gone (keep a copy()), found 1 of them is alive");

    alignas(64) std::array<std::byte, 4096> memory{};
    check_throws<error>([&] { program::session(prepared, std::span(memory).subspan(4)); },
                        "memory is misaligned: expected an address that is a multiple of 64, found 4 bytes past one");
    check_throws<error>([&] { program::session(prepared, std::span(memory).first(8)); },
                        "memory is too small: expected 64 bytes, found 8 bytes");
}

std::string refusal_of(std::string_view text) {
    diagnosis d;
    fx_style style;
    heap_storage read(count_fx(text));
    if (!read_fx(text, aten::registry::table, read.edit(), style, d)) return test::sentence(d);
    auto room = room_for_numbers(read.view(), {}, array_view<const fx_input>{});
    room.values += static_cast<std::int32_t>(read.values.size());
    heap_storage storage(room);
    copy_graph(read.view(), storage.edit());
    infer_symbolic_types(storage.edit(), aten::registry::table, {}, {}, d);
    return test::sentence(d);
}

void texts() {
    // print(model) instead of its graph; the model's source
    check_equal(
        refusal_of("\nLeNet(\n  (fc1): Linear(in_features=400, out_features=120, bias=True)\n)\n"),
        "line 2: text is not a graph: expected 'graph():', 'ExportedProgram:', 'class ...:' or 'def forward(...):', found 'LeNet('");
    check_equal(refusal_of("class LeNet(nn.Module):\n    def __init__(self):\n        super().__init__()\n"),
                "line 2: text is not a graph: expected what PyTorch prints of a traced or exported model, found the source of a model");
    check_equal(refusal_of("def forward(self, x: \"f32[s0, 3]\"):\n    return (x,)\n"),
                "line 1: 'x': dimension is dynamic: expected constant sizes: numbers for its symbols (gears), or an export without dynamic_shapes, found f32[s0, 3]");
    check_equal(refusal_of("def forward(self, x: \"f32[2]\"):\n    y = torch.ops.aten.frobnicate.default(x)\n    return (y,)\n"),
                "line 2: 'y': operator aten.frobnicate.default is unknown: expected a registered operator: ATen's others export with .run_decompositions(), or your own, given to the registry, found aten.frobnicate.default");
    const auto unknown = [](const std::string& op) { return refusal_of("def forward(self, x: \"f32[2]\"):\n    y = torch.ops." + op + "(x)\n    return (y,)\n"); };
    check(unknown("aten.reluu.default").find("expected aten.relu.default, or another registered operator: ATen's others export with .run_decompositions(), found") != std::string::npos);
    check(unknown("aten.sofmtax.int").find("export with .run_decompositions()") != std::string::npos);
    check(unknown("aten._sofmtax.default").find("expected aten._softmax.default, or another registered operator: ATen's others export with .run_decompositions(), found") != std::string::npos);
    check(unknown("aten.relu.Tensor").find("expected aten.relu.default, or another registered operator: ATen's others export with .run_decompositions(), found") != std::string::npos); // another overload
    check(unknown("my.gelu.default").find("expected a registered operator, or your own, given to the registry, found my.gelu.default") != std::string::npos);
    // Operators of ATen that are not here: none of those that are is meant by them.
    for (const auto* name : {
        "aten.prims__low_memory_max_pool_with_offsets.default", "aten.glu_jvp.default", "aten.rrelu_with_noise.default", "aten.gaussian_nll_loss.default",
        "aten.special_airy_ai.default", "aten.segment_mean.default", "aten.geqrf.default", "aten.kron.default", "aten.special_bessel_j1.default", "aten.max_unpool1d.default",
        "aten.clip.default"})
        check_equal(std::string(similar_op(aten::registry::table, name)), "");
    const std::pair<const char*, const char*> slips[] = {
        {"aten.permut.default", "aten.permute.default"},         {"aten.convolutoin.default", "aten.convolution.default"},
        {"aten.add.Tenso", "aten.add.Tensor"},                   {"aten.layernorm.default", "aten.layer_norm.default"},
        {"aten.maxpool2d.default", "aten.max_pool2d.default"},   {"aten.view.defualt", "aten.view.default"},
        {"aten.sigmod.default", "aten.sigmoid.default"},         {"aten.addm.default", "aten.addmm.default"},
        {"aten.soft_plus.default", "aten.softplus.default"},     {"aten.squeeze.dimm", "aten.squeeze.dim"},
        {"aten.mean.dims", "aten.mean.dim"},                     {"aten.cat.Tensor", "aten.cat.default"},
        {"aten.native_layernorm.default", "aten.native_layer_norm.default"},
        {"aten.relu", "aten.relu.default"},                      {"aten.rleu.default", "aten.relu.default"},
        {"aten.reul.default", "aten.relu.default"},              {"aten.Relu.default", "aten.relu.default"},
        {"aten.rleu", "aten.relu.default"},                      {"aten.add", "aten.add.Tensor"},
        {"aten.add.default", "aten.add.Tensor"},                 {"aten.Conv2d.default", "aten.conv2d.default"},
        {"aten.view.Default", "aten.view.default"},              {"aten.dropout_.default", "aten.dropout.default"},
        {"aten.sigmiod", "aten.sigmoid.default"},                {"aten.clamp.tensor", "aten.clamp.Tensor"}};
    for (const auto& [slip, meant] : slips) check_equal(std::string(similar_op(aten::registry::table, slip)), meant);
    check_equal(refusal_of("def forward(self, x: \"f32[2]\"):\n    y = torch.ops.higher_order.strict_mode(x)\n    return (y,)\n"),
                "line 2: higher_order.strict_mode: node 'y' kind is unsupported: expected an operator of aten, of prims or of the registry given: "
                "torch.where for a branch, a loop written out, found a higher-order call, 'higher_order.strict_mode'");
    // Of a mask, of vmap, of a block that is not shown: what to do.
    const auto of = [](const std::string& lines) {
        return refusal_of("def forward(self, x: \"f32[2, 3]\", m: \"b8[2]\", v: \"f32[2, 3]\"):\n" + lines + "    return (y,)\n");
    };
    check_equal(of("    y = torch.ops.aten.index_put.default(x, [m], v)\n"),
                "line 2: aten.index_put.default 'y': dimension is dynamic: expected one value for all that the mask picks, or torch.where, found f32[2, 3]");
    check_equal(of("    y = torch.ops.aten.index.Tensor(x, [m])\n"),
                "line 2: aten.index.Tensor 'y': dimension is dynamic: expected indices of i64, or torch.where: how many a mask picks is what data says, found b8[2]");
    check_equal(of("    s = torch.ops.aten.select.int(x, 0, 0)\n    n: \"Sym(u0)\" = torch.ops.aten.item.default(s)\n    y = torch.ops.aten.full.default([n], 1)\n"),
                "line 3: aten.item.default 'n': element counts differ: expected 1 element, found f32[3]");
    check_equal(of("    s = torch.ops.aten.sum.default(x)\n    n: \"Sym(u0)\" = torch.ops.aten.item.default(s)\n    y: \"f32[u0]\" = torch.ops.aten.full.default([n], 1)\n"),
                "line 4: aten.full.default 'y': dimension is dynamic: expected a known number: what is read from a tensor is a tensor, for arithmetic, found u0");
    check_equal(of("    b = torch._functorch.predispatch._add_batch_dim(x, 0, 1)\n    y = torch.ops.aten.mean.default(b)\n"),
                "line 3: aten.mean.default: node 'y' kind is unsupported: expected elementwise calls and index within vmap, or an export with .run_decompositions(), found aten.mean.default");
    check_equal(of("    s = self.submod_1\n    y = torch.ops.higher_order.wrap_with_set_grad_enabled(False, s, x)\n"),
                "line 3: higher_order.wrap_with_set_grad_enabled 's': block is missing: expected class submod_1, as print_readable() shows it below, found none in the text");
    // What a form without a signature may have lost.
    const auto lost = [](std::string_view text) {
        diagnosis d;
        fx_style style;
        heap_storage storage(count_fx(text));
        check(read_fx(text, aten::registry::table, storage.edit(), style, d) && infer_types(storage.edit(), aten::registry::table, d), render(d));
        const auto found = find_lost_write(storage.view());
        return found.exists() ? std::string(print(storage.view()[found.buffer].name).view()) + " " + std::string(print(storage.view()[found.value].name).view()) : "";
    };
    check_equal(lost("def forward(self, b_m: \"f32[2]\", b_n: \"f32[3]\", x: \"f32[3]\"):\n    y: \"f32[3]\" = torch.ops.aten.add.Tensor(b_n, x)\n    return (y, x)\n"), "b_n y");
    check_equal(lost("def forward(self, b_n: \"f32[3]\", x: \"f32[3]\"):\n    y: \"f32[]\" = torch.ops.aten.sum.default(b_n)\n    return (y, b_n, x)\n"), "");
    const auto module = refusal_of("def forward(self, x: \"f32[2]\"):\n    y = self.fc1(x)\n    return (y,)\n");
    check(module.find("as make_fx and torch.export print, found a module, 'self.fc1'") != std::string::npos, module);
}

} // namespace

int main() {
    files();
    weights_of_a_graph();
    runs();
    texts();
    return test::report();
}
