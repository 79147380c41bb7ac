// Calls that run_decompositions() wrote out are calls again: which ones are made, on which kernels, and that the
// numbers stay. Attention, products, norms and resized images, in texts as PyTorch prints them, read at run time.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "recomposed.hpp"

#include <cases/recorded_file.hpp>

using namespace ahead;
using namespace test;
using namespace test::recomposed;

namespace {

// F.scaled_dot_product_attention(q, k, v, mask) of [2, 4, 16, 32].
std::string attention_text(std::string_view type, std::string_view mask) {
    std::string text = R"(def forward(self, q: "f32[2, 16, 4, 32]", k: "f32[2, 24, 4, 32]", v: "f32[2, 24, 4, 32]", mask: "b8[2, 1, 16, 24]"):
    permute: "f32[2, 4, 16, 32]" = torch.ops.aten.permute.default(q, [0, 2, 1, 3])
    permute_1: "f32[2, 4, 24, 32]" = torch.ops.aten.permute.default(k, [0, 2, 1, 3])
    permute_2: "f32[2, 4, 24, 32]" = torch.ops.aten.permute.default(v, [0, 2, 1, 3])
    scalar_tensor: "f32[]" = torch.ops.aten.scalar_tensor.default(-inf, dtype = torch.float32, device = device(type='cpu'))
    scalar_tensor_1: "f32[]" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
    where: "f32[2, 1, 16, 24]" = torch.ops.aten.where.self(mask, scalar_tensor_1, scalar_tensor)
    mul: "f32[2, 4, 16, 32]" = torch.ops.aten.mul.Scalar(permute, 0.4204482076268573)
    permute_3: "f32[2, 4, 32, 24]" = torch.ops.aten.permute.default(permute_1, [0, 1, 3, 2])
    mul_1: "f32[2, 4, 32, 24]" = torch.ops.aten.mul.Scalar(permute_3, 0.4204482076268573)
    expand_2: "f32[2, 4, 16, 32]" = torch.ops.aten.expand.default(mul, [2, 4, 16, 32])
    clone: "f32[2, 4, 16, 32]" = torch.ops.aten.clone.default(expand_2, memory_format = torch.contiguous_format)
    view_10: "f32[8, 16, 32]" = torch.ops.aten.view.default(clone, [8, 16, 32])
    expand_3: "f32[2, 4, 32, 24]" = torch.ops.aten.expand.default(mul_1, [2, 4, 32, 24])
    clone_1: "f32[2, 4, 32, 24]" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format)
    view_11: "f32[8, 32, 24]" = torch.ops.aten.view.default(clone_1, [8, 32, 24])
    bmm: "f32[8, 16, 24]" = torch.ops.aten.bmm.default(view_10, view_11)
    view_12: "f32[2, 4, 16, 24]" = torch.ops.aten.view.default(bmm, [2, 4, 16, 24])
    add_3: "f32[2, 4, 16, 24]" = torch.ops.aten.add.Tensor(view_12, where)
    _softmax: "f32[2, 4, 16, 24]" = torch.ops.aten._softmax.default(add_3, -1, False)
    eq: "b8[2, 4, 16, 24]" = torch.ops.aten.eq.Scalar(add_3, -inf)
    logical_not: "b8[2, 4, 16, 24]" = torch.ops.aten.logical_not.default(eq)
    any_1: "b8[2, 4, 16, 1]" = torch.ops.aten.any.dim(logical_not, -1, True)
    logical_not_1: "b8[2, 4, 16, 1]" = torch.ops.aten.logical_not.default(any_1)
    full_like: "f32[2, 4, 16, 24]" = torch.ops.aten.full_like.default(_softmax, 0, pin_memory = False, memory_format = torch.preserve_format)
    where_1: "f32[2, 4, 16, 24]" = torch.ops.aten.where.self(logical_not_1, full_like, _softmax)
    expand_4: "f32[2, 4, 16, 24]" = torch.ops.aten.expand.default(where_1, [2, 4, 16, 24])
    view_13: "f32[8, 16, 24]" = torch.ops.aten.view.default(expand_4, [8, 16, 24])
    expand_5: "f32[2, 4, 24, 32]" = torch.ops.aten.expand.default(permute_2, [2, 4, 24, 32])
    clone_2: "f32[2, 4, 24, 32]" = torch.ops.aten.clone.default(expand_5, memory_format = torch.contiguous_format)
    view_14: "f32[8, 24, 32]" = torch.ops.aten.view.default(clone_2, [8, 24, 32])
    bmm_1: "f32[8, 16, 32]" = torch.ops.aten.bmm.default(view_13, view_14)
    view_15: "f32[2, 4, 16, 32]" = torch.ops.aten.view.default(bmm_1, [2, 4, 16, 32])
    permute_8: "f32[2, 16, 4, 32]" = torch.ops.aten.permute.default(view_15, [0, 2, 1, 3])
    clone_3: "f32[2, 16, 4, 32]" = torch.ops.aten.clone.default(permute_8, memory_format = torch.contiguous_format)
    view_16: "f32[2, 16, 128]" = torch.ops.aten.view.default(clone_3, [2, 16, 128])
    return (view_16,)
)";
    if (mask.empty()) text = replaced(replaced(replaced(text, "add_3: \"f32[2, 4, 16, 24]\" = torch.ops.aten.add.Tensor(view_12, where)\n    ", ""), "(add_3", "(view_12"), ", mask: \"b8[2, 1, 16, 24]\"", "");
    if (mask.empty()) text.erase(text.find("    scalar_tensor:"), text.find("    mul:") - text.find("    scalar_tensor:"));
    if (mask == "f32") text = replaced(replaced(text, "mask: \"b8[", "mask: \"f32["), "torch.ops.aten.where.self(mask, scalar_tensor_1, scalar_tensor)", "torch.ops.aten.mul.Tensor(mask, 1.5)");
    if (type == "f64") return replaced(replaced(text, "f32", "f64"), "torch.float32", "torch.float64");
    if (type != "f32") { // computed in f32, as PyTorch has it
        for (std::string_view t : {"q", "k", "v"}) text = replaced(text, " " + std::string(t) + ": \"f32", " " + std::string(t) + ": \"" + std::string(type));
        text = replaced(text, "    permute: ", "    q32: \"f32[2, 16, 4, 32]\" = torch.ops.aten._to_copy.default(q, dtype = torch.float32)\n    k32: \"f32[2, 24, 4, 32]\" = torch.ops.aten._to_copy.default(k, dtype = torch.float32)\n"
                                                "    v32: \"f32[2, 24, 4, 32]\" = torch.ops.aten._to_copy.default(v, dtype = torch.float32)\n    permute: ");
        for (std::string_view t : {"q", "k", "v"}) text = replaced(text, "permute.default(" + std::string(t) + ",", "permute.default(" + std::string(t) + "32,");
        text = replaced(text, "    return (view_16,)", "    back = torch.ops.aten._to_copy.default(view_16, dtype = torch." + std::string(type == "f16" ? "float16" : "bfloat16") + ")\n    return (back,)");
    }
    return text;
}

void attention() {
    constexpr auto see_nothing = [](std::size_t which, host_tensor& t) { // the second query of all heads
        for (std::int64_t i = 0; which == 3 && i < 24; ++i)
            if (t.type.type == dtype::b8) t.data.put(24 + i, false);
            else t.data.put(24 + i, -std::numeric_limits<double>::infinity());
    };
    for (std::string_view type : {"f32", "f64", "f16", "bf16"})
        for (std::string_view mask : {"", "b8", "f32"}) {
            const auto out = agrees(attention_text(type, mask), {{"npu.attention", 1}, {"npu.batch_matmul", 0}, {"npu.eq.Scalar", 0}}, see_nothing);
            for (std::int64_t i = 0; !mask.empty() && i < 128 && !out.empty(); ++i) check_equal(out[0].data.get<double>(128 + i), 0.0);
        }
    // What somebody else reads stays, and what is no safe softmax.
    const auto whole = attention_text("f32", "b8");
    agrees(replaced(whole, "return (view_16,)", "return (view_16, where_1)"), {{"npu.attention", 0}, {"npu.batch_matmul", 2}});
    agrees(replaced(whole, "full_like.default(_softmax, 0,", "full_like.default(_softmax, 1,"), {{"npu.attention", 0}});
    agrees(replaced(whole, "eq.Scalar(add_3, -inf)", "eq.Scalar(add_3, inf)"), {{"npu.attention", 0}});
}

void products() {
    // linear of what does not lie contiguously, and a @ w of three dims; a batch of one with a weight.
    agrees(R"(def forward(self, x: "f32[5, 3, 8]", w: "f32[7, 8]", b: "f32[7]"):
    permute: "f32[3, 5, 8]" = torch.ops.aten.permute.default(x, [1, 0, 2])
    permute_1: "f32[8, 7]" = torch.ops.aten.permute.default(w, [1, 0])
    expand: "f32[3, 5, 8]" = torch.ops.aten.expand.default(permute, [3, 5, 8])
    view: "f32[3, 5, 8]" = torch.ops.aten.view.default(expand, [3, 5, 8])
    expand_1: "f32[3, 8, 7]" = torch.ops.aten.expand.default(permute_1, [3, 8, 7])
    view_1: "f32[3, 8, 7]" = torch.ops.aten.view.default(expand_1, [3, 8, 7])
    bmm: "f32[3, 5, 7]" = torch.ops.aten.bmm.default(view, view_1)
    view_2: "f32[3, 5, 7]" = torch.ops.aten.view.default(bmm, [3, 5, 7])
    add: "f32[3, 5, 7]" = torch.ops.aten.add.Tensor(view_2, b)
    return (add,)
)",
           {{"npu.matmul", 1}, {"npu.batch_matmul", 0}, {"npu.add.Tensor", 0}});
    agrees(R"(def forward(self, x: "f32[1, 5, 8]", w: "f32[8, 7]"):
    expand_1: "f32[1, 8, 7]" = torch.ops.aten.expand.default(w, [1, 8, 7])
    bmm: "f32[1, 5, 7]" = torch.ops.aten.bmm.default(x, expand_1)
    return (bmm,)
)",
           {{"npu.matmul", 1}, {"npu.batch_matmul", 0}});
    agrees(R"(def forward(self, x: "f32[2, 5, 8]", w: "f32[2, 8, 7]"):
    bmm: "f32[2, 5, 7]" = torch.ops.aten.bmm.default(x, w)
    return (bmm,)
)",
           {{"npu.matmul", 0}, {"npu.batch_matmul", 1}});
}

// Texts that PyTorch 2.14 printed, which recorded.cpp runs besides.
std::vector<std::string> texts_of(std::string_view name) {
    std::vector<std::string> out;
    for (const auto& one : ::cases::read_recorded("recorded/exported_texts.txt"))
        if (one.name.starts_with(name)) out.push_back(one.text.substr(one.text.find("def forward"), one.text.find("Graph signature:") - one.text.find("def forward")));
    return out;
}
void norms() {
    const auto texts = texts_of("instance_norm ");
    if (check(texts.size() == 1)) agrees(texts[0], {{"npu.layer_norm", 1}, {"npu.reduce", 0}});
}
void resizes() {
    const auto texts = texts_of("resize ");
    if (!check(texts.size() == 6, std::to_string(texts.size()))) return;
    constexpr int calls[] = {4, 2, 2, 3, 4, 6}; // one for each dim
    for (std::size_t k = 0; k < 6; ++k) agrees(texts[k], {{"npu.resize", calls[k]}, {"npu.gather", 0}, {"npu.index_select", 0}, {"aten.index.Tensor", 0}});
    const auto &cubic = texts[1], &linear = texts[2], &volume = texts[3], &middle = texts[5];
    agrees(cubic, {{"aten.upsample_bicubic2d.default", 1}});
    agrees(linear, {{"aten.upsample_linear1d.default", 2}});
    agrees(volume, {{"aten.upsample_trilinear3d.default", 1}});
    agrees(texts[4], {{"aten.upsample_nearest1d.default", 1}, {"aten.upsample_nearest3d.default", 1}});
    agrees(middle, {{"aten._upsample_nearest_exact1d.default", 1}, {"aten._upsample_nearest_exact2d.default", 1}, {"aten._upsample_nearest_exact3d.default", 1}});
    // What stands behind one is no part of it, and what is read besides is there.
    agrees(replaced(cubic, "return (", "more = torch.ops.aten.add.Tensor(add_24, add_24)\n            return (more, "), {{"npu.resize", 2}});
    agrees(replaced(volume, "return (", "return (index_3, "), {{"npu.resize", 3}});
    // Other weights, places, edges and signs stay lookups.
    const auto stays = [&](const std::string& text, std::string_view what, std::string_view with) {
        check(text.find(what) != text.npos, std::string(what));
        agrees(replaced(text, what, with), {{"aten.upsample_bicubic2d.default", 0}, {"aten.upsample_trilinear3d.default", 0}});
    };
    stays(cubic, ", -0.75)", ", -0.5)");
    stays(cubic, ", 1.25)", ", 1.5)");
    stays(cubic, "mul.Tensor(_to_copy_1, 1.5)", "mul.Tensor(_to_copy_1, 1.4)");
    stays(cubic, "clamp.default(sub_2, 0, 4)", "clamp.default(sub_2, 1, 4)");
    stays(volume, "clamp.default(add_1, None, 2)", "clamp.default(add_1, None, 1)");
    stays(volume, "sub.Tensor(add_9, add_8)", "sub.Tensor(add_8, add_9)");
    stays(volume, "mul.Tensor(sub_4, clamp_6)", "mul.Tensor(sub_4, 0.5)");
}

} // namespace

int main() {
    norms();
    resizes();
    attention();
    products();
    return report();
}
