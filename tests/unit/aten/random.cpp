// Random operators: the numbers are a function of seed and offset, which are two more inputs of a run; every run draws
// the next ones.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "host_values.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/core/random_numbers.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/pass/functionalise_random.hpp>
#include <ahead/reference/equivalent.hpp>

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

constexpr op_table op_rows = aten::registry::table;
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
    const bool written = pass::functionalise(g, op_rows, d);
    const auto room = pass::room_to_functionalise_random(g, op_rows);
    check(written && pass::functionalise_random(g, op_rows, d) && verify(g, d), std::string(name_of(d.what)) + ": " + std::string(d.found.view()),
          where);
    check(!pass::has_random(g, op_rows) && g.header().used.nodes <= room.nodes && g.header().used.arguments <= room.arguments &&
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
    check(r.error.ok() && pass::functionalise_random(r.storage.edit(), op_rows, r.error));
    std::set<std::string> seen;
    for (node_id id : r.storage.view()) check(seen.insert(std::string(print(r.storage.view()[id].name).view())).second);
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
    check(!pass::functionalise_random(storage.edit(), registry::table, d));
    check_fault(d, {.what = fault::random_operator_is_unknown, .line = 2, .op = dice::name});
}

// fault: distribution_is_impossible
void check_refused(std::string_view body, fault what, std::string_view expected, std::string_view found, int line = 2,
                   location where = location::current()) {
    const auto text = graph_of(body);
    const reading r(text);
    check_fault(r.error, {.what = what, .line = line, .expected = expected, .found = found}, where);
    check(!r.error.op.view().empty(), "the diagnosis names the operator", where);
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
    own_random_operators_are_refused();
    refusals();
    device_draws_what_the_reference_draws();
    return report();
}
