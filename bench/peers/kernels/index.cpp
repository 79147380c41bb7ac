// SPDX-License-Identifier: MIT
// What is picked or put by index, and what is moved.
#include "kernels.hpp"

namespace {

using namespace bench;

constexpr filled below_1024{.ids = 1024};
/// Permuted and copied: permute_copy leaves its result as the input lies.
constexpr made_text permuted(std::string_view type, std::string_view order) {
    made_text out;
    (out += "def forward(self, a: \"") += type;
    (out += "\"):\n    p = torch.ops.aten.permute.default(a, ") += order;
    return out += ")\n    z = torch.ops.aten.clone.default(p, memory_format = torch.contiguous_format)\n"
                  "    return (z,)\n";
}
constexpr made_text turned(std::string_view type) { return permuted(type, "[1, 0]"); }

[[maybe_unused]] const bool added[] = {
    add_kernel(
        "select_rows", [] { return call({"f32[1024, 1024]", "i64[1024]"}, "index_select.default(a, 0, b)"); },
        below_1024),
    add_kernel(
        "index_rows", [] { return call({"f32[1024, 1024]", "i64[1024]"}, "index.Tensor(a, [b])"); }, below_1024),
    add_kernel(
        "gather_dim0", [] { return call({"f32[1024, 1024]", "i64[1024, 1024]"}, "gather.default(a, 0, b)"); },
        below_1024),
    add_kernel(
        "gather_dim1", [] { return call({"f32[1024, 1024]", "i64[1024, 1024]"}, "gather.default(a, 1, b)"); },
        below_1024),
    add_kernel("embedding", [] { return call({"f32[1024, 768]", "i64[2048]"}, "embedding.default(a, b)"); }, below_1024,
               {.bytes = 2 * 2048 * 768 * 4}),
    add_kernel("embedding_bag",
               [] {
                   return call({"f32[1024, 256]", "i64[4096]", "i64[1]"},
                               "_embedding_bag_forward_only.default(a, b, c)", 1);
               },
               {.ids = 1}, {.bytes = 4096 * 256 * 4}),
    add_kernel(
        "embedding_backward",
        [] { return call({"f32[2048, 768]", "i64[2048]"}, "embedding_dense_backward.default(a, b, 1024, -1, False)"); },
        below_1024),
    add_kernel(
        "index_put_rows",
        [] { return call({"f32[1024, 1024]", "i64[1024]", "f32[1024, 1024]"}, "index_put.default(a, [b], c, True)"); },
        below_1024),
    add_kernel(
        "index_add",
        [] { return call({"f32[1024, 1024]", "i64[1024]", "f32[1024, 1024]"}, "index_add.default(a, 0, b, c)"); },
        below_1024),
    add_kernel(
        "scatter_add_dim0",
        [] {
            return call({"f32[1024, 1024]", "i64[1024, 1024]", "f32[1024, 1024]"}, "scatter_add.default(a, 0, b, c)");
        },
        below_1024),
    add_kernel(
        "scatter_add_dim1",
        [] {
            return call({"f32[1024, 1024]", "i64[1024, 1024]", "f32[1024, 1024]"}, "scatter_add.default(a, 1, b, c)");
        },
        below_1024),
    add_kernel("tril", [] { return call({"f32[1024, 1024]"}, "tril.default(a)"); }),
    add_kernel("masked_fill",
               [] { return call({"f32[1024, 1024]", "b8[1024, 1024]"}, "masked_fill.Scalar(a, b, 0.5)"); }),
    add_kernel("transpose_8", [] { return turned("i8[2048, 2048]"); }, {.ids = 100}),
    add_kernel("transpose_16", [] { return turned("f16[2048, 2048]"); }),
    add_kernel("transpose_32", [] { return turned("f32[2048, 2048]"); }),
    add_kernel("permute_210", [] { return permuted("f32[64, 64, 256]", "[2, 1, 0]"); }),
    add_kernel("permute_0213", [] { return permuted("f32[8, 128, 12, 64]", "[0, 2, 1, 3]"); }),
    add_kernel("cat_dim1", [] { return call({"f32[512, 512]", "f32[512, 512]"}, "cat.default([a, b], 1)"); }),
    add_kernel("flip_dim1", [] { return call({"f32[1024, 1024]"}, "flip.default(a, [1])"); }),
    add_kernel("roll_dim1", [] { return call({"f32[1024, 1024]"}, "roll.default(a, [3], [1])"); }),
    add_kernel("where",
               [] { return call({"b8[1024, 1024]", "f32[1024, 1024]", "f32[1024, 1024]"}, "where.self(a, b, c)"); }),
    add_kernel("to_f16", [] { return call({"f32[1024, 1024]"}, "_to_copy.default(a, dtype = torch.float16)"); }),
};

} // namespace
