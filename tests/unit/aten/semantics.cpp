// Corners of ATen operators: which indices, dtypes, words and sizes PyTorch takes, what it makes of them, and in which order results lie in memory.
// Expected values are PyTorch 1.13's own; where it differs from later ones, the later one's, and a comment says so.
// SPDX-License-Identifier: MIT
#include "unit/aten_run.hpp"
#include "harness.hpp"
#include "rendered.hpp"
#include <ahead/aten/aten.hpp>
#include <random>

namespace AHEAD_NAMESPACE::aten {

using corner_ops = op_list<mm, addmm, linear, conv1d, convolution, clone, to_copy, cat, stack, linspace, empty, zeros_like, ones_like, embedding, gather,
                        index_select, take, index, scatter_src, scatter_value, scatter_add, scatter_reduce, index_put, index_add, index_copy, nll_loss_forward,
                        nll_loss_backward, native_layer_norm, group_norm, native_group_norm, native_batch_norm, max_pool2d, max_pool2d_with_indices, avg_pool2d,
                        adaptive_avg_pool2d, flip, roll, any_dims, norm_scalar, norm_dim, sort, sort_stable, argsort, topk, upsample_nearest2d_sized, chunk,
                        unfold, constant_pad_nd, add, add_scalar, sub, rsub_scalar, in_place<add>, nan_to_num, hardtanh, clamp, addcmul, rsub, pow_scalar, where,
                        masked_fill_scalar, masked_fill_tensor, threshold_backward, leaky_relu_backward, in_place<masked_fill_scalar>, getitem>;

} // namespace AHEAD_NAMESPACE::aten

using namespace test;

namespace {

using op_set = ahead::aten::corner_ops;

constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
constexpr host_tensor typed(dtype type, int_list sizes, std::initializer_list<double> values) { return {tensor_of(type, sizes), values}; }
const host_tensor none = f32s({1}, {0});

bool is(std::string_view text, std::vector<host_tensor> inputs, const host_tensor& wanted) { return gives<op_set>(text, std::move(inputs), wanted); }
bool refused(fault what, std::string_view text, std::vector<host_tensor> inputs = {}) { return refuses<op_set>(text, std::move(inputs)) == what; }

// Several results of one call.
std::vector<host_tensor> results(std::string_view parameters, std::string_view call, int count, std::vector<host_tensor> inputs) {
    std::string text = "class <lambda>(torch.nn.Module):\n    def forward(self, " + std::string(parameters) + "):\n        all = torch.ops." + std::string(call) + "\n";
    std::string returned;
    for (int k = 0; k < count; ++k) {
        const auto number = std::to_string(k);
        text.append("        r").append(number).append(" = all[").append(number).append("]\n"); // g++ 12 warns of + with -O2
        returned.append("r").append(number).append(", ");
    }
    std::vector<host_tensor> outputs;
    const auto d = run<op_set>(text + "        return (" + returned + ")\n", inputs, outputs);
    check(d.ok(), text + render(d));
    if (d) outputs = std::vector<host_tensor>(static_cast<std::size_t>(count));
    return outputs;
}
bool same(const host_tensor& a, const host_tensor& b) {
    bool equal = a.type.type == b.type.type && sizes_of(a.type) == sizes_of(b.type);
    if (equal)
        for_each_index(sizes_of(a.type), [&](const int_list& at) {
            const auto x = a.get<double>(at), y = b.get<double>(at);
            equal = equal && (x == y || (x != x && y != y) || math::abs(x - y) <= 1e-6 * math::abs(y));
        });
    return equal;
}

// A text whose only call is annotated is accepted only with the strides that the operator gives.
bool typed_as(std::string_view parameters, std::string_view annotation, std::string_view call) {
    const std::string text = "class <lambda>(torch.nn.Module):\n    def forward(self, " + std::string(parameters) + "):\n        r: \"" + std::string(annotation) +
                             "\" = torch.ops." + std::string(call) + "\n        return (r,)\n";
    diagnosis d;
    fx_style style;
    heap_storage storage(count_fx(text));
    return read_fx(text, op_set::table, storage.edit(), style, d) && infer_types(storage.edit(), op_set::table, d);
}

// Where an index below 0 counts from the end: take, index, index_put. Elsewhere it is out of range.
void indices() {
    const auto x = f32s({3}, {10, 11, 12}), one = f32s({1}, {1}), table = f32s({3, 2}, {0, 1, 2, 3, 4, 5});
    const auto at = [](int k) { return i64s({1}, {k}); };
#define OF_X(call) ONE_CALL("x: \"f32[3]\", k: \"i64[1]\", s: \"f32[1]\"", call)
    check(is(OF_X("aten.take.default(x, k)"), {x, at(-3), one}, f32s({1}, {10})) && is(OF_X("aten.index.Tensor(x, [k])"), {x, at(-1), one}, f32s({1}, {12})));
    check(is(OF_X("aten.index_put.default(x, [k], s, True)"), {x, at(-1), one}, f32s({3}, {10, 11, 13})));
    const std::string_view wrapping[] = {OF_X("aten.take.default(x, k)"), OF_X("aten.index.Tensor(x, [k])"), OF_X("aten.index_put.default(x, [k], s)")};
    const std::string_view strict[] = {OF_X("aten.gather.default(x, 0, k)"),      OF_X("aten.index_select.default(x, 0, k)"),
                                       OF_X("aten.scatter.src(x, 0, k, s)"),      OF_X("aten.scatter.value(x, 0, k, 1)"),
                                       OF_X("aten.scatter_add.default(x, 0, k, s)"), OF_X("aten.scatter_reduce.two(x, 0, k, s, 'sum')"),
                                       OF_X("aten.index_add.default(x, 0, k, s)"), OF_X("aten.index_copy.default(x, 0, k, s)")};
    const auto sentence = [&](std::string_view text, const std::vector<host_tensor>& inputs) {
        std::vector<host_tensor> outputs;
        return test::sentence(run<op_set>(text, inputs, outputs));
    };
    for (const auto text : wrapping) {
        check(sentence(text, {x, at(3), one}).ends_with("index is out of range: expected an index below 3, found 3"), text);
        check(sentence(text, {x, at(-4), one}).ends_with("index is out of range: expected an index from -3 on, found -4"), text);
    }
    for (const auto text : strict) {
        check(sentence(text, {x, at(3), one}).ends_with("index is out of range: expected an index below 3, found 3"), text);
        check(sentence(text, {x, at(-1), one}).ends_with("index is out of range: expected an index from 0 on, found -1"), text);
    }
    constexpr auto lookup = ONE_CALL("w: \"f32[3, 2]\", k: \"i64[1]\"", "aten.embedding.default(w, k)");
    check(is(lookup, {table, at(2)}, f32s({1, 2}, {4, 5})) && refused(fault::index_is_out_of_range, lookup, {table, at(-1)}) &&
          refused(fault::index_is_out_of_range, lookup, {table, at(3)}));
}

// i64 everywhere. i32 for embedding, index_select and index_add; for gather, scatters, index and index_put in later versions; classes may be bytes.
void index_dtypes() {
#define AT(type, call) ONE_CALL("x: \"f32[3]\", k: \"" type "[1]\", s: \"f32[1]\"", call)
#define EVERYWHERE(type)                                                                                                                               \
    AT(type, "aten.gather.default(x, 0, k)"), AT(type, "aten.index_select.default(x, 0, k)"), AT(type, "aten.scatter.src(x, 0, k, s)"),                  \
        AT(type, "aten.scatter.value(x, 0, k, 1)"), AT(type, "aten.scatter_add.default(x, 0, k, s)"), AT(type, "aten.scatter_reduce.two(x, 0, k, s, 'sum')"), \
        AT(type, "aten.index_add.default(x, 0, k, s)"), AT(type, "aten.index.Tensor(x, [k])"), AT(type, "aten.index_put.default(x, [k], s)")
    const auto x = f32s({3}, {10, 11, 12}), s = f32s({1}, {1});
    const auto runs = [&](std::string_view text, const host_tensor& k) {
        std::vector<host_tensor> outputs;
        check(run<op_set>(text, std::vector{x, k, s}, outputs).ok(), text);
    };
    for (const auto text : {EVERYWHERE("i64"), AT("i64", "aten.take.default(x, k)"), AT("i64", "aten.index_copy.default(x, 0, k, s)")}) runs(text, i64s({1}, {2}));
    for (const auto text : {EVERYWHERE("i32")}) runs(text, typed(dtype::i32, {1}, {2}));
    check(is(ONE_CALL("w: \"f32[2, 1]\", k: \"i32[1]\"", "aten.embedding.default(w, k)"), {f32s({2, 1}, {3, 4}), typed(dtype::i32, {1}, {1})}, f32s({1, 1}, {4})));
    const auto unsupported = fault::dtype_is_unsupported;
    for (const auto text : {EVERYWHERE("i16"), EVERYWHERE("f32"), AT("i32", "aten.take.default(x, k)"), AT("i32", "aten.index_copy.default(x, 0, k, s)")})
        check(refused(unsupported, text), text);

    const auto rows = f32s({2, 3}, {-2, -1, -0.5, -3, -4, -5});
#define BACKWARD(type) ONE_CALL("g: \"f32[]\", x: \"f32[2, 3]\", t: \"" type "[2]\", w: \"f32[]\"", "aten.nll_loss_backward.default(g, x, t, None, 1, -100, w)")
#define FORWARD(type) ONE_CALL("x: \"f32[2, 3]\", t: \"" type "[2]\"", "aten.nll_loss_forward.default(x, t, None, 1, -100)")
    check(same(results("x: \"f32[2, 3]\", t: \"u8[2]\"", "aten.nll_loss_forward.default(x, t, None, 1, -100)", 2, {rows, typed(dtype::u8, {2}, {1, 2})})[0], f32s({}, {3})) &&
          is(BACKWARD("u8"), {f32s({}, {1}), rows, typed(dtype::u8, {2}, {1, 2}), f32s({}, {2})}, f32s({2, 3}, {0, -0.5, 0, 0, 0, -0.5})));
    for (const auto text : {FORWARD("i32"), FORWARD("i16"), FORWARD("b8"), FORWARD("f32"), BACKWARD("i32"), BACKWARD("i16"), BACKWARD("b8"), BACKWARD("f32")})
        check(refused(unsupported, text), text);
    std::vector<host_tensor> outputs;
    check_equal(std::string(run<op_set>(FORWARD("i32"), std::vector<host_tensor>{}, outputs).expected.view()), "classes of i64 or u8");
}

// Ignored samples lose nothing; a target is a class, not counted from the end.
void targets() {
    const auto x = f32s({2, 3}, {-2, -1, -0.5, -3, -4, -5});
    const auto loss = [&](const host_tensor& t, int reduction) {
        return results("x: \"f32[2, 3]\", t: \"i64[2]\"", "aten.nll_loss_forward.default(x, t, None, " + std::to_string(reduction) + ", -100)", 2, {x, t});
    };
    const auto some = i64s({2}, {-100, 1}), all = i64s({2}, {-100, -100});
    check(same(loss(some, 0)[0], f32s({2}, {0, 4})) && same(loss(some, 0)[1], f32s({}, {0})));
    check(same(loss(some, 1)[0], f32s({}, {4})) && same(loss(some, 2)[1], f32s({}, {1})));
    check(same(loss(all, 0)[0], f32s({2}, {0, 0})) && same(loss(all, 1)[0], f32s({}, {nan})) && same(loss(all, 2)[0], f32s({}, {0})));
    check(same(results("x: \"f32[3]\", t: \"i64[]\"", "aten.nll_loss_forward.default(x, t, None, 0, -100)", 2, {f32s({3}, {-1, -2, -3}), i64s({}, {-100})})[0], f32s({}, {0})));
    constexpr auto forward = "class <lambda>(torch.nn.Module):\n    def forward(self, x: \"f32[2, 3]\", t: \"i64[2]\"):\n"
                             "        all = torch.ops.aten.nll_loss_forward.default(x, t, None, 1, -100)\n        r = all[0]\n        return (r,)\n";
    constexpr auto backward = ONE_CALL("g: \"f32[]\", x: \"f32[2, 3]\", t: \"i64[2]\", w: \"f32[]\"", "aten.nll_loss_backward.default(g, x, t, None, 1, -100, w)");
    for (int wrong : {-1, -3, 3}) {
        check(refused(fault::index_is_out_of_range, forward, {x, i64s({2}, {0, wrong})}));
        check(refused(fault::index_is_out_of_range, backward, {f32s({}, {1}), x, i64s({2}, {0, wrong}), f32s({}, {2})}));
    }
}

// Scalars beside integers: alpha of add and sub must be one; beta and alpha of products lose what they have behind the point.
void scalars() {
    const auto x = i64s({2}, {1, 2});
#define OF_INTEGERS(call) ONE_CALL("x: \"i64[2]\"", call)
    check(refused(fault::argument_has_wrong_kind, OF_INTEGERS("aten.add.Tensor(x, x, alpha = 0.5)"), {x}) &&
          refused(fault::argument_has_wrong_kind, OF_INTEGERS("aten.add.Tensor(x, x, alpha = 2.0)"), {x}) &&
          refused(fault::argument_has_wrong_kind, OF_INTEGERS("aten.add.Scalar(x, 1, 0.5)"), {x}) &&
          refused(fault::argument_has_wrong_kind, OF_INTEGERS("aten.add_.Tensor(x, x, alpha = 0.5)"), {x}) &&
          refused(fault::argument_has_wrong_kind, OF_INTEGERS("aten.sub.Tensor(x, x, alpha = 0.5)"), {x}) &&
          refused(fault::argument_has_wrong_kind, OF_INTEGERS("aten.rsub.Scalar(x, 1, 0.5)"), {x}));
    check(is(OF_INTEGERS("aten.add.Tensor(x, 1.5, alpha = 0.5)"), {x}, f32s({2}, {1.75, 2.75})) && is(OF_INTEGERS("aten.add.Tensor(x, x, alpha = 2)"), {x}, i64s({2}, {3, 6})));
    check(is(ONE_CALL("x: \"i64[1, 1]\", y: \"i64[1, 1]\"", "aten.addmm.default(x, y, y, beta = 0.5)"), {i64s({1, 1}, {10}), i64s({1, 1}, {3})}, i64s({1, 1}, {9})) &&
          is(ONE_CALL("x: \"i64[1, 1]\", y: \"i64[1, 1]\"", "aten.addmm.default(x, y, y, beta = 2.0)"), {i64s({1, 1}, {10}), i64s({1, 1}, {3})}, i64s({1, 1}, {29})) &&
          is(ONE_CALL("x: \"i64[2]\", k: \"i64[1]\"", "aten.index_add.default(x, 0, k, k, alpha = 1.5)"), {x, i64s({1}, {1})}, i64s({2}, {1, 3})));

    // Products and sums of integers are two's complement.
    const host_tensor large(tensor_of(dtype::i64, {1, 1}), {std::int64_t{1} << 62});
    check(is(ONE_CALL("x: \"i64[1, 1]\", y: \"i64[1, 1]\"", "aten.mm.default(x, y)"), {large, i64s({1, 1}, {6})}, host_tensor(tensor_of(dtype::i64, {1, 1}), {std::numeric_limits<std::int64_t>::min()})) &&
          is(ONE_CALL("x: \"i64[1, 1, 1]\", y: \"i64[1, 1, 1]\"", "aten.conv1d.default(x, y)"), {host_tensor(tensor_of(dtype::i64, {1, 1, 1}), {std::int64_t{1} << 62}), i64s({1, 1, 1}, {4})},
             i64s({1, 1, 1}, {0})));
}

void dtypes() {
    // No bools. PyTorch 1.13's max_pool2d refuses all integers, later ones bools alone.
    const auto unsupported = fault::dtype_is_unsupported;
    check(refused(unsupported, ONE_CALL("x: \"b8[2, 2]\"", "aten.mm.default(x, x)")) && refused(unsupported, ONE_CALL("x: \"b8[2, 2]\"", "aten.linear.default(x, x)")) &&
          refused(unsupported, ONE_CALL("x: \"b8[1, 1, 2, 2]\"", "aten.convolution.default(x, x, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)")) &&
          refused(unsupported, ONE_CALL("x: \"b8[1, 2, 2]\"", "aten.max_pool2d.default(x, [2, 2])")) &&
          refused(unsupported, ONE_CALL("x: \"b8[1, 2, 2]\"", "aten.avg_pool2d.default(x, [2, 2])")) &&
          refused(unsupported, ONE_CALL("x: \"i64[1, 2, 2]\"", "aten._adaptive_avg_pool2d.default(x, [1, 1])")) && refused(unsupported, ONE_CALL("x: \"b8[2]\"", "aten.addcmul.default(x, x, x)")));
    check(is(ONE_CALL("x: \"i64[1, 2, 2]\"", "aten.max_pool2d.default(x, [2, 2])"), {i64s({1, 2, 2}, {0, 3, 1, 2})}, i64s({1, 1, 1}, {3})) &&
          is(ONE_CALL("x: \"i64[1, 2]\"", "aten.linear.default(x, x)"), {i64s({1, 2}, {1, 2})}, i64s({1, 1}, {5})));
    check(refused(unsupported, ONE_CALL("x: \"i64[2]\"", "aten.norm.Scalar(x, 2)")) && refused(unsupported, ONE_CALL("x: \"i64[2]\"", "aten.norm.ScalarOpt_dim(x, 2, [0])")));

    // The mean of integers is rounded down.
    check(is(ONE_CALL("x: \"i64[1]\", k: \"i64[2]\", s: \"i64[2]\"", "aten.scatter_reduce.two(x, 0, k, s, 'mean', include_self = False)"),
             {i64s({1}, {1}), i64s({2}, {0, 0}), i64s({2}, {-1, -2})}, i64s({1}, {-2})) &&
          is(ONE_CALL("x: \"i64[1]\", k: \"i64[2]\", s: \"i64[2]\"", "aten.scatter_reduce.two(x, 0, k, s, 'mean')"), {i64s({1}, {-4}), i64s({2}, {0, 0}), i64s({2}, {-1, -2})},
             i64s({1}, {-3})) &&
          refused(unsupported, ONE_CALL("x: \"b8[1]\", k: \"i64[1]\"", "aten.scatter_reduce.two(x, 0, k, x, 'mean')")));

    // The largest number is the dtype's own.
    check(is(ONE_CALL("x: \"f16[3]\"", "aten.nan_to_num.default(x)"), {typed(dtype::f16, {3}, {inf, -inf, nan})}, typed(dtype::f16, {3}, {65504, -65504, 0})) &&
          is(ONE_CALL("x: \"bf16[2]\"", "aten.nan_to_num.default(x)"), {typed(dtype::bf16, {2}, {inf, -inf})}, typed(dtype::bf16, {2}, {0x1.fep127, -0x1.fep127})) &&
          is(ONE_CALL("x: \"f16[1]\"", "aten.nan_to_num.default(x, 1.0, 1e10)"), {typed(dtype::f16, {1}, {inf})}, typed(dtype::f16, {1}, {inf})) &&
          is(ONE_CALL("x: \"f32[1]\"", "aten.nan_to_num.default(x)"), {f32s({1}, {-inf})}, f32s({1}, {std::numeric_limits<float>::lowest()})));

    // Beside an integer dtype both ends are integers first.
    check(is(ONE_CALL("x: \"f32[1]\"", "aten.linspace.default(0.9, 5.7, 4, dtype = torch.int64)"), {none}, i64s({4}, {0, 1, 3, 5})) &&
          is(ONE_CALL("x: \"f32[1]\"", "aten.linspace.default(-0.9, 5.7, 5, dtype = torch.int32)"), {none}, typed(dtype::i32, {5}, {0, 1, 2, 3, 5})) &&
          refused(unsupported, ONE_CALL("x: \"f32[1]\"", "aten.linspace.default(0, 1, 4, dtype = torch.bool)")));

    // What an integer cannot hold: NaN and what is too large are the smallest i32 or i64, as on x86; smaller dtypes take the lowest bits of an i32.
    const auto odd = typed(dtype::f64, {6}, {nan, 3e9, -3e9, 1e30, 2147483647.5, -2147483648.5});
    check(is(ONE_CALL("x: \"f64[6]\"", "aten._to_copy.default(x, dtype = torch.int32)"), {odd},
             typed(dtype::i32, {6}, {-0x1p31, -0x1p31, -0x1p31, -0x1p31, 2147483647, -0x1p31})) &&
          is(ONE_CALL("x: \"f64[3]\"", "aten._to_copy.default(x, dtype = torch.int64)"), {typed(dtype::f64, {3}, {nan, 9.3e18, 0x1.fffffffffffffp62})},
             typed(dtype::i64, {3}, {-0x1p63, -0x1p63, 0x1.fffffffffffffp62})) &&
          is(ONE_CALL("x: \"f32[5]\"", "aten._to_copy.default(x, dtype = torch.int16)"), {f32s({5}, {300, 70000, -1, 3e9, nan})}, typed(dtype::i16, {5}, {300, 4464, -1, 0, 0})) &&
          is(ONE_CALL("x: \"f32[3]\"", "aten._to_copy.default(x, dtype = torch.uint8)"), {f32s({3}, {300, -1, 1e30})}, typed(dtype::u8, {3}, {44, 255, 0})));
}

void bounds() {
    // min(max(x, low), high), also where low is above high; NaN wins as a bound.
    check(is(ONE_CALL("x: \"f32[4]\"", "aten.hardtanh.default(x, 1, -1)"), {f32s({4}, {-2, 0, nan, 2})}, f32s({4}, {-1, -1, nan, -1})) &&
          is(ONE_CALL("x: \"i64[3]\"", "aten.hardtanh.default(x, -0.5, 1.5)"), {i64s({3}, {-2, 0, 2})}, i64s({3}, {0, 0, 1})) &&
          refused(fault::dtype_is_unsupported, ONE_CALL("x: \"u8[1]\"", "aten.hardtanh.default(x, -1, 1)")));
    check(refused(fault::argument_is_missing, ONE_CALL("x: \"f32[1]\"", "aten.clamp.default(x)")));
    // An empty list of dims reduces none; no list, all.
    check(is(ONE_CALL("x: \"f32[2, 2]\"", "aten.any.dims(x, [])"), {f32s({2, 2}, {0, 1, 2, 0})}, b8s({2, 2}, {0, 1, 1, 0})) &&
          is(ONE_CALL("x: \"f32[2, 2]\"", "aten.any.dims(x)"), {f32s({2, 2}, {0, 1, 2, 0})}, b8s({}, {1})) &&
          is(ONE_CALL("x: \"f32[2, 2]\"", "aten.any.dims(x, [0, 1], True)"), {f32s({2, 2}, {0, 0, 0, 0})}, b8s({1, 1}, {0})));
    // A number counts as one element.
    check(is(ONE_CALL("x: \"f32[]\"", "aten.unfold.default(x, 0, 1, 1)"), {f32s({}, {5})}, f32s({1}, {5})) &&
          is(ONE_CALL("x: \"f32[]\"", "aten.unfold.default(x, -1, 0, 3)"), {f32s({}, {5})}, f32s({0}, {})) &&
          refused(fault::window_does_not_fit, ONE_CALL("x: \"f32[]\"", "aten.unfold.default(x, 0, 2, 1)"), {f32s({}, {5})}));
    // An empty dim has as many chunks as were asked for.
    for (const auto& chunk : results("x: \"f32[2, 0]\"", "aten.chunk.default(x, 3, 1)", 3, {f32s({2, 0}, {})})) check(sizes_of(chunk.type) == int_list{2, 0});
    // One element is its own mean, and nothing is left of it.
    const auto normal = results("x: \"f32[1]\", w: \"f32[1]\"", "aten.native_layer_norm.default(x, [1], w, w, 1e-05)", 3, {f32s({1}, {3}), f32s({1}, {2})});
    check(same(normal[0], f32s({1}, {2})) && same(normal[1], f32s({1}, {3})) && same(normal[2], f32s({1}, {316.2277660168})));
    // The mean of no elements is 0 here, and their deviation none.
    const auto nothing = results("x: \"f32[2, 0]\"", "aten.native_layer_norm.default(x, [0], None, None, 1e-05)", 3, {f32s({2, 0}, {})});
    check(same(nothing[0], f32s({2, 0}, {})) && same(nothing[1], f32s({2, 1}, {0, 0})) && same(nothing[2], f32s({2, 1}, {nan, nan})));
    const auto planes = results("x: \"f32[2, 0, 3]\"", "aten.native_layer_norm.default(x, [0, 3], None, None, 1e-05)", 3, {f32s({2, 0, 3}, {})});
    check(same(planes[1], f32s({2, 1, 1}, {0, 0})) && same(planes[2], f32s({2, 1, 1}, {nan, nan})));
    const auto groups = results("x: \"f32[1, 2, 0]\"", "aten.native_group_norm.default(x, None, None, 1, 2, 0, 2, 1e-05)", 3, {f32s({1, 2, 0}, {})});
    check(same(groups[1], f32s({1, 2}, {0, 0})) && same(groups[2], f32s({1, 2}, {nan, nan})));
    const auto no_rows = results("x: \"f32[0, 3]\"", "aten.native_layer_norm.default(x, [3], None, None, 1e-05)", 3, {f32s({0, 3}, {})});
    check(same(no_rows[1], f32s({0, 1}, {})) && same(no_rows[2], f32s({0, 1}, {})));
}

void pools() {
    // A window wholly in padding: the smallest number, and the place where it would have begun.
    const auto x = f32s({1, 1, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    const auto pooled = results("x: \"f32[1, 1, 4, 4]\"", "aten.max_pool2d_with_indices.default(x, [2, 2], [1, 1], [1, 1], [5, 5])", 2, {x});
    check(same(pooled[0], f32s({1, 1, 1, 1}, {-inf})) && same(pooled[1], i64s({1, 1, 1, 1}, {20})));
    const auto whole = typed(dtype::i32, {1, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    check(is(ONE_CALL("x: \"i32[1, 4, 4]\"", "aten.max_pool2d.default(x, [2, 2], [1, 1], [1, 1], [5, 5])"), {whole}, typed(dtype::i32, {1, 1, 1}, {-0x1p31})));
    // Nothing but the batch may be empty.
    const auto too_small = fault::window_does_not_fit;
    check(refused(too_small, ONE_CALL("x: \"i64[1, 1, 0, 0]\"", "aten.avg_pool2d.default(x, [2, 2], [2, 2], [1, 1], False, False)")) &&
          refused(too_small, ONE_CALL("x: \"f32[1, 0, 2, 2]\"", "aten.max_pool2d.default(x, [2, 2])")) && refused(too_small, ONE_CALL("x: \"f32[0, 2, 2]\"", "aten.avg_pool2d.default(x, [2, 2])")) &&
          refused(too_small, ONE_CALL("x: \"f32[1, 1, 0, 2]\"", "aten._adaptive_avg_pool2d.default(x, [0, 1])")) &&
          is(ONE_CALL("x: \"f32[0, 1, 2, 2]\"", "aten.avg_pool2d.default(x, [2, 2])"), {f32s({0, 1, 2, 2}, {})}, f32s({0, 1, 1, 1}, {})));
}

// Images keep their memory format where PyTorch keeps it.
void formats() {
    constexpr auto images = "x: \"f32[2, 3, 4, 4][48, 1, 12, 3]cpu\", n: \"f32[2, 3, 4, 4]\", v: \"f32[3]\", k: \"i64[1]\", s: \"f32[1]\"";
    const auto keeps = [&](std::string_view annotation, std::string_view call) { check(typed_as(images, annotation, call), call); };
    for (const auto call : {"aten.max_pool2d.default(x, [2, 2])", "aten.avg_pool2d.default(x, [2, 2])", "aten._adaptive_avg_pool2d.default(x, [2, 2])"})
        keeps("f32[2, 3, 2, 2][12, 1, 6, 3]cpu", call);
    keeps("f32[2, 6, 4, 4][96, 1, 24, 6]cpu", "aten.cat.default([x, x], 1)");
    keeps("f32[4, 3, 4, 4][48, 1, 12, 3]cpu", "aten.cat.default([x, x])");
    keeps("f32[2, 6, 4, 4][96, 16, 4, 1]cpu", "aten.cat.default([x, n], 1)");
    keeps("f32[2, 3, 4, 4][48, 16, 4, 1]cpu", "aten.group_norm.default(x, 3)"); // as fake tensors lie; what runs keeps the format
    keeps("f32[2, 3, 8, 8][192, 1, 24, 3]cpu", "aten.upsample_nearest2d.default(x, [8, 8])");
    keeps("f32[2, 3, 6, 6][108, 1, 18, 3]cpu", "aten.constant_pad_nd.default(x, [1, 1, 1, 1])");
    for (const auto call : {"aten.flip.default(x, [1])", "aten.index_put.default(x, [k], s)", "aten.pow.Scalar(2, x)"}) keeps("f32[2, 3, 4, 4][48, 1, 12, 3]cpu", call);
    keeps("f32[2, 3, 4, 4][48, 16, 4, 1]cpu", "aten.roll.default(x, [1], [1])"); // as fake tensors lie
    keeps("i64[2, 3, 4, 4][48, 1, 12, 3]cpu", "aten.argsort.default(x, 1)");
    // masked_fill is row-major; where two operands lie otherwise the first that TensorIterator is given decides.
    for (const auto call : {"aten.masked_fill.Scalar(x, b, 0)", "aten.masked_fill.Tensor(x, b, z)"}) {
        check(typed_as("x: \"f32[2, 3, 4, 4][48, 1, 12, 3]cpu\", b: \"b8[2, 3, 4, 4][48, 1, 12, 3]cpu\", z: \"f32[]\"", "f32[2, 3, 4, 4][48, 16, 4, 1]cpu", call), call);
    }
    check(typed_as("x: \"f32[2, 3, 4, 4][48, 1, 12, 3]cpu\", b: \"b8[2, 3, 4, 4]\"", "f32[2, 3, 4, 4][48, 1, 12, 3]cpu", "aten.masked_fill_.Scalar(x, b, 0)"));
    constexpr auto last = "f32[2, 3, 4, 4][48, 1, 12, 3]cpu", rows = "f32[2, 3, 4, 4][48, 16, 4, 1]cpu";
    for (const auto call : {"aten.rsub.Tensor(n, x)", "aten.threshold_backward.default(n, x, 0)", "aten.leaky_relu_backward.default(n, x, 0.1, False)", "aten.sub.Tensor(x, n)"})
        keeps(last, call);
    for (const auto call : {"aten.rsub.Tensor(x, n)", "aten.threshold_backward.default(x, n, 0)", "aten.leaky_relu_backward.default(x, n, 0.1, False)", "aten.sub.Tensor(n, x)"})
        keeps(rows, call);
    const auto second = [&](std::string_view annotation, std::string_view call) {
        const auto text = "class <lambda>(torch.nn.Module):\n    def forward(self, " + std::string(images) + "):\n        all = torch.ops." + std::string(call) + "\n        r: \"" +
                          std::string(annotation) + "\" = all[0]\n        return (r,)\n";
        std::vector<host_tensor> outputs;
        const host_tensor inputs[] = {host_tensor(tensor_of(dtype::f32, {2, 3, 4, 4})), host_tensor(tensor_of(dtype::f32, {2, 3, 4, 4})), f32s({3}, {1, 1, 1}), i64s({1}, {0}), none};
        check(run<op_set>(text, inputs, outputs).ok(), call);
    };
    second("f32[2, 3, 2, 2][12, 1, 6, 3]cpu", "aten.max_pool2d_with_indices.default(x, [2, 2])");
    second("f32[2, 3, 4, 4][48, 1, 12, 3]cpu", "aten.native_batch_norm.default(x, None, None, v, v, False, 0.1, 1e-05)");
    second("f32[2, 3, 4, 4][48, 1, 12, 3]cpu", "aten.native_batch_norm.default(x, v, v, None, None, True, 0.1, 1e-05)");
    second("f32[2, 3, 4, 4][48, 16, 4, 1]cpu", "aten.native_batch_norm.default(n, None, None, v, v, False, 0.1, 1e-05)");
    second("f32[2, 3, 4, 4][48, 1, 12, 3]cpu", "aten.sort.default(x, 1)");

    check(typed_as("x: \"f32[2, 3, 4, 4, 4]\"", "f32[2, 3, 4, 4, 4][192, 1, 48, 12, 3]cpu", "aten.clone.default(x, memory_format = torch.channels_last_3d)") &&
          typed_as("x: \"f32[2, 3, 4, 4]\"", "f32[2, 3, 4, 4][48, 1, 12, 3]cpu", "aten.empty.memory_format([2, 3, 4, 4], memory_format = torch.channels_last)") &&
          typed_as("x: \"f32[2, 3][1, 2]cpu\"", "f32[2, 3][1, 2]cpu", "aten.zeros_like.default(x, memory_format = torch.preserve_format)") &&
          typed_as("x: \"f32[2, 3][1, 2]cpu\"", "f32[2, 3][3, 1]cpu", "aten._to_copy.default(x, memory_format = torch.contiguous_format)"));
    check(refused(fault::rank_is_wrong, ONE_CALL("x: \"f32[2, 3]\"", "aten.clone.default(x, memory_format = torch.channels_last)")) &&
          refused(fault::rank_is_wrong, ONE_CALL("x: \"f32[2, 3, 4, 4]\"", "aten._to_copy.default(x, memory_format = torch.channels_last_3d)")) &&
          refused(fault::argument_has_wrong_kind, ONE_CALL("x: \"f32[2, 3]\"", "aten.clone.default(x, memory_format = torch.blocked_format)")) &&
          refused(fault::argument_has_wrong_kind, ONE_CALL("x: \"f32[2, 3]\"", "aten.ones_like.default(x, memory_format = torch.sparse_format)")));
}

// Sorting is stable (PyTorch 1.13's sort without `stable` is not, later ones' is).
void order() {
    std::mt19937 random(3);
    for (const std::int64_t size : {1, 2, 3, 63, 64, 65, 1000, 65536}) {
        host_tensor x(tensor_of(dtype::i64, {size}));
        for (std::int64_t i = 0; i < size; ++i) x.data.put(i, static_cast<std::int64_t>(random() % (size < 100 ? 5 : 1000)));
        const auto parameter = "x: \"i64[" + std::to_string(size) + "]\"";
        for (const bool descending : {false, true}) {
            std::vector<std::int64_t> places(static_cast<std::size_t>(size));
            for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::int64_t>(i);
            std::sort(places.begin(), places.end(), [&](auto a, auto b) {
                const auto p = x.get<std::int64_t>({a}), q = x.get<std::int64_t>({b});
                return p == q ? a < b : descending == (p > q);
            });
            const auto sorted = results(parameter, descending ? "aten.sort.default(x, -1, True)" : "aten.sort.stable(x, stable = True)", 2, {x});
            bool equal = sorted.size() == 2;
            for (std::int64_t i = 0; equal && i < size; ++i)
                equal = sorted[1].get<std::int64_t>({i}) == places[static_cast<std::size_t>(i)] && sorted[0].get<std::int64_t>({i}) == x.get<std::int64_t>({sorted[1].get<std::int64_t>({i})});
            check(equal, parameter);
        }
    }
    check(is(ONE_CALL("x: \"f32[5]\"", "aten.argsort.default(x, 0, True)"), {f32s({5}, {1, nan, 3, nan, 1})}, i64s({5}, {1, 3, 2, 0, 4})));
    // Among equal elements topk names those that PyTorch's selection finds first.
    host_tensor ties(tensor_of(dtype::i64, {40}));
    for (std::int64_t i = 0; i < 40; ++i) ties.data.put(i, 1 + i % 2);
    check(same(results("x: \"i64[40]\"", "aten.topk.default(x, 3)", 2, {ties})[1], i64s({3}, {23, 21, 19})) &&
          same(results("x: \"i64[40]\"", "aten.topk.default(x, 3, -1, False)", 2, {ties})[1], i64s({3}, {32, 18, 16})));
    check(same(results("x: \"f32[4]\"", "aten.topk.default(x, 2)", 2, {f32s({4}, {1, nan, 3, nan})})[0], f32s({2}, {nan, nan})));
    check(same(results("x: \"f32[2]\"", "aten.topk.default(x, 0)", 2, {f32s({2}, {1, 2})})[0], f32s({0}, {})));
}

// How many pairs of a line are compared, whatever its order: n log n to sort it, as many again to select.
void comparisons() {
    using entry = std::pair<std::int64_t, std::int64_t>;
    constexpr std::int64_t size = 4096, most = 12 * size;
    std::mt19937 random(5);
    for (int kind = 0; kind < 5; ++kind) {
        std::vector<entry> line, spare(static_cast<std::size_t>(size));
        for (std::int64_t i = 0; i < size; ++i) line.emplace_back(kind == 0 ? i : kind == 1 ? -i : kind == 2 ? 0 : static_cast<std::int64_t>(random() % (kind == 3 ? 5 : 1'000'000)), i);
        std::int64_t compared = 0;
        const auto before = [&](const entry& x, const entry& y) { return ++compared, x.first < y.first; };
        for (const std::int64_t count : {1, 60, 100, 2048, 4096}) {
            auto first = line;
            select_first(first.data(), size, count, true, before);
            check(compared <= 2 * most, std::to_string(count) + " selected: " + std::to_string(compared));
            compared = 0;
        }
        sort_stably(line.data(), spare.data(), size, before);
        check(compared <= most, "sorted: " + std::to_string(compared));
    }
}

// The same in constant evaluation.
constexpr bool sorts() {
    constexpr std::string_view text = ONE_CALL("x: \"i64[7]\"", "aten.argsort.default(x)");
    return gives<aten::sort_ops>(text, {i64s({7}, {2, 1, 2, 0, 1, 3, 0})}, i64s({7}, {3, 6, 1, 4, 0, 2, 5}));
}
static_assert(sorts());

} // namespace

int main() {
    indices();
    index_dtypes();
    targets();
    scalars();
    dtypes();
    bounds();
    pools();
    formats();
    order();
    comparisons();
    check(sorts());
    return report();
}
