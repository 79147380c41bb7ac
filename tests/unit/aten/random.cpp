// Random operators: the numbers are a function of seed and offset, which are two more inputs of a run; every run draws the next ones.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>
#include <ahead/core/random_numbers.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/pass/functionalise_random.hpp>

#include <set>

using namespace ahead;
using namespace test;

namespace {

// The known answers of the paper's authors, kat_vectors of Random123: philox4x32, 10 rounds.
static_assert(philox({0, 0, 0, 0}, {0, 0}) == philox_counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
static_assert(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
              philox_counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
static_assert(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
              philox_counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
static_assert(numbers_taken(0) == 0 && numbers_taken(1) == 4 && numbers_taken(4) == 4 && numbers_taken(5) == 8);

using state = std::array<std::int64_t, 1>;

// Number k of a seed is the same, whichever offset it is reached from and in whichever order.
constexpr bool numbers_depend_on_their_place_only() {
    random_numbers all(42, 0), odd(42, 7), back(42, 0);
    for (std::int64_t i = 0; i < 40; ++i)
        if (all.bits32(i + 7) != odd.bits32(i) || back.bits64(39 - i) != random_numbers(42, 39 - i).bits64(0)) return false;
    return random_numbers(43, 0).bits32(0) != random_numbers(42, 0).bits32(0) &&
           random_numbers(42 + (1ll << 32), 0).bits32(0) != random_numbers(42, 0).bits32(0);
}
static_assert(numbers_depend_on_their_place_only());
static_assert(random_numbers(0, 0).bits32(0) == 0x6627e8d5 && random_numbers(0, 0).bits32(3) == 0x9b00dbd8);
static_assert(random_numbers(7, 0).bits64(2) == (std::uint64_t{philox({0, 0, 0, 0}, {7, 0})[2]} << 32 | philox({0, 0, 1, 0}, {7, 0})[2]));
static_assert(random_numbers(7, 5 + (std::int64_t{3} << 34)).bits32(0) == philox({1, 3, 0, 0}, {7, 0})[1]);
static_assert(random_numbers(0, 0).uniform<float>(0) == static_cast<float>(0x6627e8d5 >> 8) / 16777216.f);

// ---- what a run draws

struct all_of_them {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3], p : f32[7]):
    rand = torch.ops.aten.rand.default([2, 3], device = device(type='cpu'), pin_memory = False)
    randn = torch.ops.aten.randn.default([5], dtype = torch.float64)
    rand_like = torch.ops.aten.rand_like.default(x, pin_memory = False)
    randn_like = torch.ops.aten.randn_like.default(x)
    uniform = torch.ops.aten.uniform.default(x, -2.0, 3.0)
    normal_functional = torch.ops.aten.normal_functional.default(x, 10.0, 0.5)
    normal = torch.ops.aten.normal.float_float(1.0, 2.0, [3], generator = None)
    randint = torch.ops.aten.randint.default(10, [4])
    randint_1 = torch.ops.aten.randint.low(-3, 3, [9], dtype = torch.int32)
    randperm = torch.ops.aten.randperm.default(6, device = device(type='cpu'))
    bernoulli = torch.ops.aten.bernoulli.default(p)
    bernoulli_1 = torch.ops.aten.bernoulli.p(x, 0.25)
    native_dropout = torch.ops.aten.native_dropout.default(x, 0.5, True)
    getitem = native_dropout[0]
    getitem_1 = native_dropout[1]
    dropout = torch.ops.aten.dropout.default(x, 0.1, True)
    inductor_seeds = torch.ops.prims.inductor_seeds.default(3, device(type='cpu'))
    inductor_seed = torch.ops.prims.inductor_seed.default(device(type='cpu'))
    lookup_seed = torch.ops.prims.inductor_lookup_seed.default(inductor_seeds, 2)
    inductor_random = torch.ops.prims.inductor_random.default([2, 3], lookup_seed, 'randn')
    inductor_randint = torch.ops.prims.inductor_randint.default(-5, 5, [3], inductor_seed, offset = 4)
    multinomial = torch.ops.aten.multinomial.default(p, 5)
    multinomial_1 = torch.ops.aten.multinomial.default(p, 9, True)
    return (rand, randn, rand_like, randn_like, uniform, normal_functional, normal, randint, randint_1, randperm, bernoulli, bernoulli_1, getitem, getitem_1, dropout, inductor_seeds, inductor_seed, inductor_random, inductor_randint, multinomial, multinomial_1)
)fx";
};

const std::array<float, 6> x{1, -2, 3, -4, 5, 6};
const std::array<float, 7> p{0, 1, 0.5, 0.5, 0.5, 1, 0};

template <class T, std::size_t Size>
host_tensor as_host(const tensor_type& type, const std::array<T, Size>& from) {
    host_tensor out(type);
    for (std::size_t i = 0; i < Size; ++i) out.data.put(static_cast<std::int64_t>(i), from[i]);
    return out;
}

// The reference takes the graph as it is written, the device what became of it: the same bits, and the same new offset.
void device_draws_what_the_reference_draws() {
    using program = compiled<fx<all_of_them>>;
    static_assert(program::plan.inputs == 4 && program::input_port<3>::is_mutated && !program::input_port<2>::is_mutated);
    const auto weights = program::prepare();
    program::session run{weights};
    for (std::int64_t start : {0, 3, 1 << 20}) {
        const state seed{1234567890123};
        state offset{start};
        const auto outputs = run(x, p, seed, offset);
        const auto wanted = reference<fx<all_of_them>>(
            std::vector<host_tensor>{as_host(tensor_of(dtype::f32, {2, 3}), x), as_host(tensor_of(dtype::f32, {7}), p),
                                     as_host(tensor_of(dtype::i64, {}), seed), as_host(tensor_of(dtype::i64, {}), state{start})});
        std::size_t next = 0;
        const auto same = [&](const auto& out) {
            const auto& expected = wanted[next++];
            std::int64_t i = 0;
            for (auto v : out)
                check(static_cast<double>(v) == expected.data.template get<double>(i++), std::string("output ") + std::to_string(next - 1));
        };
        std::apply([&](const auto&... out) { (same(out), ...); }, outputs);
        check_equal(wanted.size(), std::size_t{22});
        check(offset[0] == wanted.back().data.get<std::int64_t>(0) && offset[0] == start + 8 * 6 + 2 * 4 + 12 + 8 + 8 + 8 + 8 + 8 + 4 + 4 + 8 + 12);
    }
}

// ---- the graph

constexpr op_table ops = aten::registry::table;
using reading = typed_reading<capacity{64, 900, 96}>;

std::string graph_of(std::string_view body) {
    std::string out = "def forward(self, x : f32[4, 6], i : i64[4]):\n";
    for (std::size_t at = 0; at < body.size();) {
        const auto end = body.find(';', at);
        out += "    " + std::string(body.substr(at, end - at)) + "\n";
        at = end + 1;
    }
    return out;
}

// Made functional the graph means the same; printed with its types.
std::string functional_form(std::string_view body, location where = location::current()) {
    const auto text = graph_of(body);
    const reading before(text);
    reading after(text);
    check(after.error.ok(), name_of(after.error.what), where);
    diagnosis d = after.error;
    const auto g = after.storage.edit();
    const bool written = functionalise(g, ops, d);
    const auto room = room_to_functionalise_random(g, ops);
    check(written && functionalise_random(g, ops, d) && verify(g, d), std::string(name_of(d.what)) + ": " + std::string(d.found.view()),
          where);
    check(!has_random(g, ops) && g.header().used.nodes <= room.nodes && g.header().used.arguments <= room.arguments &&
              g.header().used.values <= room.values,
          "room", where);
    for (std::uint64_t seed : {1u, 2u, 3u})
        check(equivalent(before.storage.view(), g, seed, d), std::string(name_of(d.what)) + std::string(d.expected.view()), where);
    text_buffer<8192> out;
    after.style.types = fx_types::inferred;
    print_fx(g, after.style, out);
    return std::string(out.view());
}
void graphs() {
    check_equal(functional_form("a = torch.ops.aten.rand_like.default(x); b = torch.ops.aten.randn.default([5]); return (a, b);"),
                R"(def forward(self, x : f32[4, 6], i : i64[4], rng_seed : i64[], rng_offset : i64[]):
    uniform_7: f32[4, 6] = torch.ops.philox.uniform.default(rng_seed, rng_offset, 0, [4, 6], [6, 1], 0.0, 1.0, torch.float32)
    normal_8: f32[5] = torch.ops.philox.normal.default(rng_seed, rng_offset, 24, [5], [1], 0.0, 1.0, torch.float32)
    add_9: i64[] = torch.ops.aten.add.Tensor(rng_offset, 32)
    return (uniform_7, normal_8, add_9)
)");
    check_equal(functional_form("a = torch.ops.prims.inductor_seeds.default(2, device(type='cpu')); b = torch.ops.prims.inductor_lookup_seed.default(a, 1); "
                                "c = torch.ops.prims.inductor_random.default([2], b, 'rand'); return (c,);"),
                R"(def forward(self, x : f32[4, 6], i : i64[4], rng_seed : i64[], rng_offset : i64[]):
    randint_8: i64[2] = torch.ops.philox.randint.default(rng_seed, rng_offset, 0, [2], [1], 0, 9223372036854775807, torch.int64)
    b: i64[] = torch.ops.prims.inductor_lookup_seed.default(randint_8, 1)
    c: f32[2] = torch.ops.prims.inductor_random.default([2], b, 'rand')
    add_9: i64[] = torch.ops.aten.add.Tensor(rng_offset, 4)
    return (c, add_9)
)");
    check_equal(functional_form("a = torch.ops.aten.dropout.default(x, 0.75, True); return (a,);"),
                R"(def forward(self, x : f32[4, 6], i : i64[4], rng_seed : i64[], rng_offset : i64[]):
    uniform_6: f32[4, 6] = torch.ops.philox.uniform.default(rng_seed, rng_offset, 0, [4, 6], [6, 1], 0.0, 1.0, torch.float32)
    lt_7: b8[4, 6] = torch.ops.aten.lt.Scalar(uniform_6, 0.25)
    mul_8: f32[4, 6] = torch.ops.aten.mul.Tensor(x, lt_7)
    mul_9: f32[4, 6] = torch.ops.aten.mul.Tensor(mul_8, 4.0)
    add_10: i64[] = torch.ops.aten.add.Tensor(rng_offset, 24)
    return (mul_9, add_10)
)");
    check_equal(functional_form("a = torch.ops.aten.dropout.default(x, 0.5, False); n = torch.ops.aten.native_dropout.default(a, 0.5, "
                                "False); b = n[0]; c = n[1]; return (b, c);"),
                R"(def forward(self, x : f32[4, 6], i : i64[4]):
    clone_7: f32[4, 6] = torch.ops.aten.clone.default(x)
    ones_8: b8[4, 6] = torch.ops.aten.ones.default([4, 6], dtype = torch.bool)
    return (clone_7, ones_8)
)");
    check_equal(functional_form("a = torch.ops.aten.rand.default([0, 3]); return (a,);"), // the state goes on, by nothing
                R"(def forward(self, x : f32[4, 6], i : i64[4], rng_seed : i64[], rng_offset : i64[]):
    uniform_6: f32[0, 3] = torch.ops.philox.uniform.default(rng_seed, rng_offset, 0, [0, 3], [3, 1], 0.0, 1.0, torch.float32)
    add_7: i64[] = torch.ops.aten.add.Tensor(rng_offset, 0)
    return (uniform_6, add_7)
)");
}

// Written in place first, then drawn: the calls draw in the order in which they stand.
void in_place() {
    check_equal(functional_form("a = torch.ops.aten.uniform_.default(x, -1.0, 1.0); b = torch.ops.aten.select.int(x, 0, 1);"
                                "n = torch.ops.aten.normal_.default(b); e = torch.ops.aten.empty.memory_format([3]);"
                                "f = torch.ops.aten.bernoulli_.float(e, 0.25); g = torch.ops.aten.rand.default([2]); return (a, n, f, g);"),
                R"(def forward(self, x : f32[4, 6], i : i64[4], rng_seed : i64[], rng_offset : i64[]):
    uniform_12: f32[4, 6] = torch.ops.philox.uniform.default(rng_seed, rng_offset, 0, [4, 6], [6, 1], -1.0, 1.0, torch.float32)
    b: f32[6] = torch.ops.aten.select.int(uniform_12, 0, 1)
    normal_13: f32[6] = torch.ops.philox.normal.default(rng_seed, rng_offset, 24, [6], [1], 0.0, 1.0, torch.float32)
    e: f32[3] = torch.ops.aten.empty.memory_format([3])
    uniform_14: f32[3] = torch.ops.philox.uniform.default(rng_seed, rng_offset, 32, [3], [1], 0.0, 1.0, torch.float32)
    lt_15: b8[3] = torch.ops.aten.lt.Scalar(uniform_14, 0.25)
    convert_element_type_16: f32[3] = torch.ops.prims.convert_element_type.default(lt_15, torch.float32)
    uniform_17: f32[2] = torch.ops.philox.uniform.default(rng_seed, rng_offset, 36, [2], [1], 0.0, 1.0, torch.float32)
    as_strided_scatter_9: f32[4, 6] = torch.ops.aten.as_strided_scatter.default(uniform_12, normal_13, [6], [1], 6)
    add_18: i64[] = torch.ops.aten.add.Tensor(rng_offset, 40)
    return (as_strided_scatter_9, normal_13, convert_element_type_16, uniform_17, as_strided_scatter_9, add_18)
)");
    const auto even = functional_form("e = torch.ops.aten.zeros.default([3]); f = torch.ops.aten.bernoulli_.float(e); return (f, e);");
    check(even.find(", 0.5)") != even.npos, even);
}

// A name that the graph has is not taken twice.
void names() {
    const auto text =
        std::string("def forward(self, rng_seed : f32[2]):\n    a = torch.ops.aten.rand_like.default(rng_seed)\n    return (a,)\n");
    reading r(text);
    check(r.error.ok() && functionalise_random(r.storage.edit(), ops, r.error));
    std::set<std::string> seen;
    for (node_id id : r.storage.view()) check(seen.insert(std::string(print(r.storage.view()[id].name).view())).second);
}

// ---- attention that drops shares

// PyTorch's kernels of attention with their gradients, of f64[1, 2, 3, 4]: attention's result, and the gradients of query, key and value for `dy`.
struct attention_kernel {
    std::string_view forward, backward;
};
constexpr attention_kernel attention_kernels[] = {
    {"flash_attention.default(q, k, v, 0.4", "flash_attention_backward.default(dy, q, k, v, y, r[1], None, None, 3, 3, 0.4, False, r[6], r[7]"},
    {"efficient_attention.default(q, k, v, None, True, 0.4", "efficient_attention_backward.default(dy, q, k, v, None, y, r[1], r[2], r[3], 0.4, "
                                                             "[True, True, True, False]"},
    {"cudnn_attention.default(q, k, v, None, True, 0.4", "cudnn_attention_backward.default(dy, q, k, v, y, r[1], r[6], r[7], None, None, None, 3, 3, 0.4, "
                                                         "False"},
    {"fused_attention_overrideable.default(q, k, v, None, 0.4", "fused_attention_overrideable_backward.default(dy, q, k, v, None, [True, True, True, False], y, "
                                                                "r[1], None, None, 3, 3, 0.4, False, r[6], r[7]"},
};
std::string attention_text(const attention_kernel& of) {
    std::string out = "def forward(self, q : f64[1, 2, 3, 4], k : f64[1, 2, 3, 4], v : f64[1, 2, 3, 4], dy : f64[1, 2, 3, 4]):\n"
                      "    before = torch.ops.aten.rand.default([3])\n"
                      "    r = torch.ops.aten._scaled_dot_product_";
    out.append(of.forward).append(", scale = 0.7)\n    y = r[0]\n");
    std::string backward(of.backward);
    for (int k = 1; k < 8; ++k) { // what is picked stands on lines of its own
        const auto number = std::to_string(k), name = "r[" + number + "]";
        const auto at = backward.find(name);
        if (at == backward.npos) continue;
        backward.replace(at, name.size(), "r_" + number);
        out.append("    r_" + number + " = " + name + "\n");
    }
    return out.append("    g = torch.ops.aten._scaled_dot_product_")
        .append(backward)
        .append(", scale = 0.7)\n    dq = g[0]\n    dk = g[1]\n    dv = g[2]\n    return (y, dq, dk, dv)\n");
}
// CUDA's flash kernel prints both numbers as one u64[2], and its gradient is given that: the same is dropped.
void flash_as_cuda_prints_it() {
    const auto results_of = [](const std::string& text) {
        graph_storage<capacity{512, 8192, 640}> storage;
        fx_style style;
        diagnosis d;
        std::uint64_t bits = 9;
        std::vector<host_tensor> inputs, outputs;
        for (int i = 0; i < 4; ++i) inputs.push_back(random_tensor(tensor_of(dtype::f64, {1, 2, 3, 4}), bits));
        for (std::int64_t v : {77, 12}) inputs.push_back(as_host(tensor_of(dtype::i64, {}), std::array{v}));
        const bool ran = read_fx(text, ops, storage.edit(), style, d) && infer_printed_types(storage.edit(), ops, d) &&
                         interpret<aten::registry>(storage.view(), inputs, outputs, d);
        check(ran, std::string(name_of(d.what)) + ": " + text);
        return outputs;
    };
    const auto text = attention_text(attention_kernels[0]);
    auto printed = text;
    for (const std::string_view name : {"r_6", "r_7"})
        printed.insert(printed.find(std::string(name) + " = ") + 3, name == "r_6" ? ": u64[2]" : ": u64[]");
    const auto one = results_of(text), other = results_of(printed);
    check(one.size() == other.size() && one.size() >= 4);
    for (std::size_t k = 0; k < one.size() && k < other.size(); ++k)
        for (std::int64_t i = 0; i < element_count(one[k].type); ++i) check(one[k].data.get<double>(i) == other[k].data.get<double>(i), "another number");
}
void attention_drops_shares() {
    using large_reading = typed_reading<capacity{512, 8192, 640}>;
    for (const auto& kernel : attention_kernels) {
        const auto text = attention_text(kernel);
        const large_reading before(text);
        large_reading after(text);
        if (!check(before.error.ok() && after.error.ok(), std::string(name_of(before.error.what)) + ": " + text)) continue;

        // As it is written, as functions of seed and offset, and as products.
        diagnosis d;
        const auto g = after.storage.edit();
        const auto room = room_to_functionalise_random(g, ops);
        const bool written = has_random(g, ops) && functionalise_random(g, ops, d) && verify(g, d) && !has_random(g, ops);
        if (!check(written, std::string(name_of(d.what)) + ": " + text)) continue;
        check(g.header().used.nodes <= room.nodes && g.header().used.arguments <= room.arguments && g.header().used.values <= room.values, "room");
        const bool same = equivalent(before.storage.view(), g, 5, d);
        if (!check(same, std::string(name_of(d.what)) + ": " + text)) continue;
        heap_storage decomposed(pass::room_for_passes(pass::builtin, g, ops, room_to_functionalise(g, ops)));
        copy_graph(g, decomposed.edit());
        const bool still = pass::run(pass::builtin, config{}, decomposed.edit(), ops, d) && equivalent(before.storage.view(), decomposed.view(), 6, d);
        check(still, std::string(name_of(d.what)) + ": " + text);
        for (node_id id : decomposed.view()) check(!decomposed.view()[id].target.starts_with("aten._scaled_dot"), "not decomposed");

        // The gradients are those of what was computed: of dy's product with y, by differences.
        std::uint64_t bits = 9;
        std::vector<host_tensor> inputs, outputs;
        for (int i = 0; i < 4; ++i) inputs.push_back(random_tensor(tensor_of(dtype::f64, {1, 2, 3, 4}), bits));
        for (std::int64_t v : {77, 12}) inputs.push_back(as_host(tensor_of(dtype::i64, {}), std::array{v}));
        const auto product = [&] {
            diagnosis why;
            outputs.clear();
            const bool ran = interpret<aten::registry>(before.storage.view(), inputs, outputs, why);
            double sum = 0;
            check(ran, name_of(why.what));
            for (std::int64_t i = 0; ran && i < 24; ++i) sum += outputs[0].data.get<double>(i) * inputs[3].data.get<double>(i);
            return sum;
        };
        product();
        const auto given = outputs;
        if (given.empty()) continue;
        int dropped = 0;
        for (std::size_t t = 0; t < 3; ++t)
            for (std::int64_t i = 0; i < 24; i += 5) {
                const double at_i = inputs[t].data.get<double>(i), step = 1e-5;
                inputs[t].data.put(i, at_i + step);
                const double above = product();
                inputs[t].data.put(i, at_i - step);
                const double slope = (above - product()) / (2 * step);
                inputs[t].data.put(i, at_i);
                int_list at{0, i / 12, i / 4 % 3, i % 4};
                const double found = given[1 + t].get<double>(at);
                check(std::abs(found - slope) < 1e-5, text + std::to_string(found) + " instead of " + std::to_string(slope));
                dropped += std::abs(slope) < 1e-12;
            }
        check(dropped < 10, "all was dropped");
    }

    // The shares themselves: values are unit vectors, so that rows of the result are shares, 0 or scaled up.
    const std::string text = "def forward(self, q : f64[2, 3, 4], v : f64[4, 4]):\n"
                             "    y = torch.ops.aten.scaled_dot_product_attention.default(q, q, q, None, 0.25)\n"
                             "    s = torch.ops.aten.scaled_dot_product_attention.default(q, v, v, dropout_p = 0.25)\n"
                             "    t = torch.ops.aten.scaled_dot_product_attention.default(q, v, v)\n    return (s, t)\n";
    const large_reading r(text);
    std::uint64_t bits = 3;
    std::vector<host_tensor> outputs, inputs{random_tensor(tensor_of(dtype::f64, {2, 3, 4}), bits), host_tensor(tensor_of(dtype::f64, {4, 4}))};
    for (std::int64_t i = 0; i < 16; ++i) inputs[1].data.put(i, i % 5 == 0 ? 1.0 : 0.0);
    for (std::int64_t v : {77, 12}) inputs.push_back(as_host(tensor_of(dtype::i64, {}), std::array{v}));
    diagnosis d = r.error;
    check(d.ok() && interpret<aten::registry>(r.storage.view(), inputs, outputs, d), std::string(name_of(d.what)));
    random_numbers drawn(77, 12 + numbers_taken(2 * 3 * 3));
    int kept = 0;
    for (std::int64_t i = 0; i < 24 && outputs.size() == 3; ++i) {
        const bool keeps = drawn.uniform<float>(i) < 0.75f;
        kept += keeps;
        const double share = outputs[0].data.get<double>(i), whole = outputs[1].data.get<double>(i);
        check(std::abs(share - (keeps ? whole / 0.75 : 0)) < 1e-12, std::to_string(share));
    }
    check(kept > 10 && kept < 24 && outputs.size() == 3 && outputs[2].data.get<std::int64_t>(0) == 12 + numbers_taken(18) + numbers_taken(24));

    // Halves stay halves beside what hides a share.
    for (std::string hides : {"None, 0.25, True", "m, 0.25", "h, 0.25"}) {
        const std::string halves = "def forward(self, q : f16[1, 2, 3, 4], m : b8[3, 3], h : f16[3, 3]):\n"
                                   "    y = torch.ops.aten.scaled_dot_product_attention.default(q, q, q, " +
                                   hides + ")\n    return (y,)\n";
        const large_reading of_halves(halves);
        check(of_halves.error.ok(), hides + ": " + std::string(of_halves.error.found.view()));
    }
}

// A random operator that nobody makes a function of.
// fault: random_operator_is_unknown
struct dice {
    static constexpr std::string_view name = "my.dice.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr effects effect{.has_side_effect = true, .is_random = true};
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
};
void own_random_operators_are_refused() {
    struct registry : aten::registry::with<dice> {};
    const auto text = std::string("def forward(self, x : f32[2]):\n    a = torch.ops.my.dice.default(x)\n    return (a,)\n");
    heap_storage storage({32, 128, 32});
    fx_style style;
    diagnosis d;
    check(read_fx(text, registry::table, storage.edit(), style, d) && infer_types(storage.edit(), registry::table, d));
    check(!functionalise_random(storage.edit(), registry::table, d) && d.what == fault::random_operator_is_unknown &&
          d.op.view() == dice::name && d.line == 2);
}

// fault: distribution_is_impossible
void check_refused(std::string_view body, fault what, std::string_view expected, std::string_view found, int line = 2,
                   location where = location::current()) {
    const auto text = graph_of(body);
    const reading r(text);
    check_equal(name_of(r.error.what), name_of(what), where);
    check_equal(r.error.expected.view(), expected, where);
    check_equal(r.error.found.view(), found, where);
    check(!r.error.op.view().empty() && r.error.line == line, r.error.op.view(), where);
}
void refusals() {
    using enum fault;
    check_refused("a = torch.ops.aten.bernoulli.p(x, 1.5); return (a,);", distribution_is_impossible, "a probability from 0 to 1", "1.5");
    check_refused("a = torch.ops.aten.bernoulli.p(x, -1); return (a,);", distribution_is_impossible, "a probability from 0 to 1", "-1.0");
    check_refused("a = torch.ops.aten.dropout.default(x, 2.0, True); return (a,);", distribution_is_impossible, "a probability from 0 to 1",
                  "2.0");
    check_refused("a = torch.ops.aten.native_dropout.default(x, -0.1, False); return (a,);", distribution_is_impossible,
                  "a probability from 0 to 1", "-0.1");
    check_refused("q = torch.ops.aten.view.default(x, [1, 2, 3, 4]); a = torch.ops.aten.scaled_dot_product_attention.default(q, q, q, None, 1.5); "
                  "return (a,);",
                  distribution_is_impossible, "a dropout_p from 0 to 1", "1.5", 3);
    check_refused("q = torch.ops.aten.view.default(x, [1, 2, 3, 4]); a = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(q, q, q, 0.5); "
                  "b = a[0]; return (b,);",
                  distribution_is_impossible, "dropout_p=0: PyTorch's kernel has no dropout", "0.5", 3);
    check_refused("a = torch.ops.aten.randint.low(3, 3, [2]); return (a,);", distribution_is_impossible, "high above low, 3", "3");
    check_refused("a = torch.ops.aten.randint.default(0, [2]); return (a,);", distribution_is_impossible, "high above low, 0", "0");
    check_refused("a = torch.ops.aten.uniform.default(x, 1.0, 0.0); return (a,);", distribution_is_impossible, "high from low on", "0.0");
    check_refused("a = torch.ops.aten.normal_functional.default(x, 0.0, -1.0); return (a,);", distribution_is_impossible,
                  "a standard deviation from 0 on", "-1.0");
    check_refused("a = torch.ops.aten.rand.default([2], dtype = torch.int64); return (a,);", dtype_is_unsupported, "a floating-point dtype",
                  "i64");
    check_refused("a = torch.ops.aten.randn_like.default(i); return (a,);", dtype_is_unsupported, "a floating-point dtype", "i64");
    check_refused("a = torch.ops.aten.dropout.default(i, 0.5, True); return (a,);", dtype_is_unsupported, "a floating-point dtype", "i64");
    check_refused("a = torch.ops.aten.randperm.default(-1); return (a,);", size_is_negative, "sizes from 0", "-1");
    check_refused("a = torch.ops.aten.bernoulli.p(x, 0.5, generator = i); return (a,);", argument_has_wrong_kind,
                  "generator: None, since numbers come from rng_seed and rng_offset", "Tensor");
}

} // namespace

int main() {
    graphs();
    in_place();
    names();
    attention_drops_shares();
    flash_as_cuda_prints_it();
    own_random_operators_are_refused();
    refusals();
    device_draws_what_the_reference_draws();
    return report();
}
