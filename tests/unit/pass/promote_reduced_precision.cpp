// f16 and bf16 on kernels: conversions in vectors, bit for bit; pointwise loops that round after every step; calls that become calls of f32 between
// conversions, none of them left to the AI CPU, and what stays as it is.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/kernels/kernels.hpp>
#include <ahead/reference/equivalent.hpp>
#include <ahead/reference/interpreter.hpp>

#include <bit>
#include <cmath>
#include <string>

using namespace ahead;
using namespace ahead::rooms;
using test::check, test::check_equal;

namespace {

// ---- conversions

template <class S, int N> void check_conversions() {
    std::int32_t wrong = 0;
    alignas(64) std::array<std::uint16_t, N> bits{};
    alignas(64) std::array<float, N> wide{};
    for (std::uint32_t first = 0; first < 65536; first += N) {
        for (std::uint32_t i = 0; i < N; ++i) bits[i] = static_cast<std::uint16_t>(first + i);
        kernels::load_as<float, N, N>(reinterpret_cast<const S*>(bits.data())).store(wide.data());
        for (std::uint32_t i = 0; i < N; ++i) {
            const float exact = S::of_bits(bits[i]);
            wrong += std::isnan(exact) ? !std::isnan(wide[i]) : std::bit_cast<std::uint32_t>(exact) != std::bit_cast<std::uint32_t>(wide[i]);
        }
    }
    alignas(64) std::array<S, N> narrow{};
    // All that lies halfway between two elements, next to it, and numbers of all sizes.
    const auto look_at = [&](std::uint32_t first, std::uint32_t step) {
        for (std::uint32_t i = 0; i < N; ++i) wide[i] = std::bit_cast<float>(first + i * step);
        kernels::store_as<N>(kernels::simd<float, N>::load(wide.data()), narrow.data());
        for (std::uint32_t i = 0; i < N; ++i) {
            const S exact(wide[i]);
            wrong += std::isnan(wide[i]) ? !std::isnan(static_cast<float>(narrow[i])) : exact.bits != narrow[i].bits;
        }
        const auto rounded = kernels::rounded_to<S>(kernels::simd<float, N>::load(wide.data()));
        rounded.store(wide.data());
        for (std::uint32_t i = 0; i < N; ++i) {
            const float exact = narrow[i];
            wrong += std::isnan(exact) ? !std::isnan(wide[i]) : std::bit_cast<std::uint32_t>(exact) != std::bit_cast<std::uint32_t>(wide[i]);
        }
    };
    for (std::uint64_t at = 0; at < std::uint64_t{1} << 32; at += 65537 * N) look_at(static_cast<std::uint32_t>(at), 65537);
    for (std::uint64_t at = 0; at < std::uint64_t{1} << 32; at += 4096 * N)
        for (std::uint32_t beside : {0u, 4095u, 1u}) look_at(static_cast<std::uint32_t>(at) + beside, 4096);
    check_equal(wrong, 0);
}

// ---- programs against the reference

template <class S> bool is_near(S a, S b, int places) {
    const float x = a, y = b;
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    const auto place = [](S v) { return v.bits & 0x8000u ? -static_cast<int>(v.bits & 0x7fffu) : static_cast<int>(v.bits); };
    return std::abs(place(a) - place(b)) <= places;
}
template <class S, std::size_t N> std::array<S, N> numbers(std::uint32_t seed, bool rare) {
    std::array<S, N> out{};
    for (auto& x : out) {
        seed = seed * 1664525u + 1013904223u;
        x = S(static_cast<float>(seed >> 8) / 4194304.0f - 2.0f);
    }
    if (rare) // infinities, NaN, what is subnormal, what overflows
        for (auto [at, bits] : {std::pair{3, 0x7c00}, {5, 0xff80}, {7, 0x7fff}, {11, 0x0003}, {13, 0x7bff}, {17, 0x8000}, {19, 0x7f7f}})
            out[static_cast<std::size_t>(at)] = S::of_bits(static_cast<std::uint16_t>(bits));
    return out;
}
// places: how far a result may be from the reference's, in units of the last place.
template <class Source, class S, std::size_t... Sizes> void check_program(int places, bool rare = false) {
    using program = compiled<fx<Source>>;
    static_assert(program::accepted && program::plan.ai_cpu_tasks == 0);
    const auto inputs = std::tuple{numbers<S, Sizes>(static_cast<std::uint32_t>(7 * Sizes + sizeof...(Sizes)), rare)...};
    std::vector<host_tensor> given;
    std::size_t port = 0;
    std::apply([&](const auto&... x) { (given.emplace_back(program::captured().value_of(node_id{static_cast<std::int32_t>(port++)}).type, std::span<const S>(x)), ...); }, inputs);
    const auto expected = reference<fx<Source>>(given);
    const auto weights = program::prepare();
    typename program::session run{weights};
    std::apply(
        [&](const auto&... x) {
            const auto made = std::get<0>(run(x...)).copy();
            std::int64_t k = 0, wrong = 0;
            for_each_index(sizes_of(expected[0].type), [&](const int_list& at) {
                wrong += !is_near(static_cast<S>(made[static_cast<std::size_t>(k++)]), S(expected[0].template get<float>(at)), places);
            });
            check_equal(wrong, 0);
        },
        inputs);
}

#define SOURCE(name, text_of) \
    struct name { \
        static constexpr std::string_view text = text_of; \
    }
// Rounded as the C++ operators are: the reference's bits.
#define EXACT(type) \
    "def forward(self, x: \"" type "[67]\", y: \"" type "[67]\"):\n    a = torch.ops.aten.add.Tensor(x, y)\n    b = torch.ops.aten.mul.Tensor(a, x)\n" \
    "    c = torch.ops.aten.sub.Tensor(b, 0.1)\n    d = torch.ops.aten.div.Tensor(c, y)\n    e = torch.ops.aten.relu.default(d)\n    f = torch.ops.aten.sqrt.default(e)\n" \
    "    return (f,)\n"
SOURCE(exact_f16, EXACT("f16"));
SOURCE(exact_bf16, EXACT("bf16"));
// Broadcast, turned, and of one element.
#define SPREAD(type) \
    "def forward(self, x: \"" type "[5, 9]\", y: \"" type "[9]\", z: \"" type "[9, 5]\"):\n    t = torch.ops.aten.t.default(z)\n    a = torch.ops.aten.add.Tensor(x, y)\n" \
    "    b = torch.ops.aten.mul.Tensor(a, t)\n    c = torch.ops.aten.clamp.default(b, None, 1.5)\n    return (c,)\n"
SOURCE(spread_f16, SPREAD("f16"));
SOURCE(spread_bf16, SPREAD("bf16"));
// In f32 between conversions, rounded once each: a place, as sums have another order.
#define LAYER(type) \
    "def forward(self, x: \"" type "[6, 16]\", w: \"" type "[16, 8]\", g: \"" type "[8]\", b: \"" type "[8]\"):\n    m = torch.ops.aten.addmm.default(b, x, w)\n" \
    "    n = torch.ops.aten.layer_norm.default(m, [8], g, b, 1e-05)\n    s = torch.ops.aten._softmax.default(n, -1, False)\n    h = torch.ops.aten.gelu.default(s)\n" \
    "    return (h,)\n"
SOURCE(layer_f16, LAYER("f16"));
SOURCE(layer_bf16, LAYER("bf16"));
#define IMAGE(type) \
    "def forward(self, x: \"" type "[1, 3, 9, 9]\", w: \"" type "[4, 3, 3, 3]\", b: \"" type "[4]\"):\n" \
    "    c = torch.ops.aten.convolution.default(x, w, b, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)\n    r = torch.ops.aten.relu.default(c)\n" \
    "    p = torch.ops.aten.max_pool2d_with_indices.default(r, [3, 3], [2, 2])\n    q = p[0]\n    m = torch.ops.aten.mean.dim(q, [2, 3])\n    return (m,)\n"
SOURCE(image_f16, IMAGE("f16"));
SOURCE(image_bf16, IMAGE("bf16"));
// Products of every kind, and what follows them: one of few rows, of many, a batch with its right side turned; infinities and NaN go through.
#define PRODUCTS(type) \
    "def forward(self, x: \"" type "[2, 10]\", w: \"" type "[10, 35]\", y: \"" type "[2, 35]\", b: \"" type "[35]\"):\n" \
    "    m = torch.ops.aten.addmm.default(b, x, w)\n    r = torch.ops.aten.relu.default(m)\n    o = torch.ops.aten.add.Tensor(r, y)\n    return (o,)\n"
SOURCE(products_f16, PRODUCTS("f16"));
SOURCE(products_bf16, PRODUCTS("bf16"));
#define BATCH(type) \
    "def forward(self, q: \"" type "[2, 15, 7]\", k: \"" type "[2, 19, 7]\"):\n    t = torch.ops.aten.transpose.int(k, 1, 2)\n    m = torch.ops.aten.bmm.default(q, t)\n" \
    "    return (m,)\n"
SOURCE(batch_f16, BATCH("f16"));
SOURCE(batch_bf16, BATCH("bf16"));
// Casts of every kind, from and to.
SOURCE(casts, R"fx(def forward(self, x: "f16[7]", i: "i64[7]", u: "u8[7]"):
    a = torch.ops.prims.convert_element_type.default(x, torch.bfloat16)
    b = torch.ops.prims.convert_element_type.default(i, torch.float16)
    c = torch.ops.prims.convert_element_type.default(u, torch.float32)
    d = torch.ops.prims.convert_element_type.default(x, torch.int8)
    e = torch.ops.aten._to_copy.default(x, dtype = torch.float64)
    f = torch.ops.aten._to_copy.default(x, dtype = torch.bool)
    return (a, b, c, d, e, f)
)fx");
using casting = compiled<fx<casts>>;
static_assert(casting::accepted && casting::plan.ai_cpu_tasks == 0);

void check_casts() {
    const std::array<float16, 7> x{float16(1.5f), float16(-0.0f), float16(300.0f), float16(-129.0f), float16(65504.0f), float16(INFINITY), float16(1e-7f)};
    const std::array<std::int64_t, 7> i{0, -1, 2049, 65519, 65520, 1 << 30, -7};
    const std::array<std::uint8_t, 7> u{0, 1, 2, 127, 128, 254, 255};
    const auto weights = casting::prepare();
    casting::session run{weights};
    const auto made = run(x, i, u);
    for (std::size_t k = 0; k < 7; ++k) {
        check(std::get<0>(made).copy()[k].bits == bfloat16(static_cast<float>(x[k])).bits);
        check(std::get<1>(made).copy()[k].bits == float16(static_cast<float>(i[k])).bits);
        check(std::get<2>(made).copy()[k] == static_cast<float>(u[k]));
        check(std::get<3>(made).copy()[k] == math::convert<std::int8_t>(x[k]));
        check(std::get<4>(made).copy()[k] == static_cast<double>(static_cast<float>(x[k])));
        check(std::get<5>(made).copy()[k] == (static_cast<float>(x[k]) != 0));
    }
}

// ---- what is widened

// The calls after the passes of this line on x, y: [4, 6], w: [6, 5], b: [5], i: i64[4], f: f32[6], c: i8[4, 6]; none of them for the AI CPU unless it is said.
void check_calls(std::string_view type, std::string line, std::string_view calls, std::int32_t on_ai_cpu = 0) {
    const std::string t(type);
    const auto text = "def forward(self, x: \"" + t + "[4, 6]\", y: \"" + t + "[4, 6]\", w: \"" + t + "[6, 5]\", b: \"" + t + "[5]\", i: \"i64[4]\", f: \"f32[6]\", c: \"i8[4, 6]\"):\n    o = torch.ops.aten." + line +
                "\n    return (o,)\n";
    const auto made = inspect_fx(text);
    if (!check(made.error.ok(), text + render(made.error))) return;
    std::string found;
    for (node_id n : made.optimized_graph())
        if (const auto& call = made.optimized_graph()[n]; call.kind == node_kind::call) found += std::string(base_of(call.target)) + " ";
    check_equal(found, calls);
    check_equal(made.plan().ai_cpu_tasks, on_ai_cpu);
    diagnosis d;
    check(equivalent(made.captured(), made.optimized_graph(), 3, d), text + render(d));
}
void widened() {
    constexpr std::string_view in = "convert_element_type ";
    for (std::string_view type : {"f16", "bf16"}) {
        check_calls(type, "mm.default(x, w)", "mm "); // products have kernels of their own
        check_calls(type, "addmm.default(b, x, w)", "addmm ");
        check_calls(type, "matmul.default(x, w)", "mm ");
        check_calls(type, "mv.default(w, b)", "unsqueeze mm view ");
        check_calls(type, "linear.default(x, y)", "linear ");
        check_calls(type, "addmm.default(b, x, w, beta = 2, alpha = 3)", "convert_element_type convert_element_type convert_element_type mm mul mul add convert_element_type ");
        check_calls(type, "sum.dim_IntList(x, [1], True)", std::string(in) + "sum " + std::string(in));
        check_calls(type, "mean.dim(x, [0])", std::string(in) + "mean " + std::string(in));
        check_calls(type, "amax.default(x, [1])", std::string(in) + "amax " + std::string(in));
        check_calls(type, "sum.dim_IntList(x, [1], True, dtype = torch.float32)", std::string(in) + "sum "); // as it is given
        check_calls(type, "add.Tensor(x, y)", "add ");                                                      // run in any dtype
        check_calls(type, "cumsum.default(x, 1)", "cumsum ");
        check_calls(type, "cat.default([x, y])", "cat ");                                                   // moved
        check_calls(type, "t.default(x)", "t ");
        check_calls(type, "sum.dim_IntList(c, [1], True)", "sum ", 1);                                      // of another rare dtype
        check_calls(type, "relu.default(x)\n    v = torch.ops.aten.sum.dim_IntList(x, [1])", "relu ");           // unread
        const auto t = std::string(type); // its places are of the dtype
        const auto grid = inspect_fx("def forward(self, x: \"" + t + "[1, 1, 3, 3]\", g: \"" + t + "[1, 2, 2, 2]\"):\n    o = torch.ops.aten.grid_sampler_2d.default(x, g, 0, 0, False)\n    return (o,)\n");
        check(grid.error.ok() && grid.plan().ai_cpu_tasks == 1);
        check_calls(type, "logcumsumexp.default(x, 1)", std::string(in) + "slice constant_pad_nd logaddexp slice constant_pad_nd logaddexp slice constant_pad_nd logaddexp " + std::string(in));
    }
    check_calls("f16", "_softmax.default(x, -1, True)", "_softmax ", 1); // of f16 alone
}
// A weight is converted once, by prepare.
constexpr char with_weight[] = R"fx(def forward(self, w: "f16[6]", x: "f16[4, 6]"):
    o = torch.ops.aten.layer_norm.default(x, [6], w)
    return (o,)
)fx";
// That of a product is packed as it is, f16.
constexpr char of_product[] = R"fx(def forward(self, w: "f16[60, 64]", x: "f16[4, 60]"):
    o = torch.ops.aten.mm.default(x, w)
    return (o,)
)fx";
void prepared() {
    constexpr fx_input inputs[] = {{"w", "w"}};
    const auto made = inspect_fx(with_weight, toolchain<>::options, inputs);
    check(made.error.ok() && made.plan().ai_cpu_tasks == 0, render(made.error));
    check_equal(made.plan().run_tasks, 3); // x to f32, the norm, its result to f16
    check_equal(made.plan().prepare_tasks, 1);
    config without;
    without.decompose = false;
    const auto left = inspect_fx(with_weight, without, inputs);
    check(left.error.ok() && left.plan().ai_cpu_tasks > 0, render(left.error));
    const auto product = inspect_fx(of_product, toolchain<>::options, inputs);
    check(product.error.ok() && product.plan().ai_cpu_tasks == 0, render(product.error));
    check_equal(product.plan().run_tasks, 1);
    check_equal(product.plan().prepare_tasks, 1);
    check_equal(product.plan().constant_bytes, 2 * 60 * 64);
}

} // namespace

int main() {
    constexpr int most = kernels::widest<float>;
    check_conversions<float16, most>();
    check_conversions<bfloat16, most>();
    check_conversions<float16, 4>();
    check_conversions<bfloat16, 4>();
    check_conversions<float16, 1>();
    check_conversions<bfloat16, 1>();
    check_program<exact_f16, float16, 67, 67>(0, true);
    check_program<exact_bf16, bfloat16, 67, 67>(0, true);
    check_program<spread_f16, float16, 45, 9, 45>(0);
    check_program<spread_bf16, bfloat16, 45, 9, 45>(0);
    check_program<layer_f16, float16, 96, 128, 8, 8>(2);
    check_program<layer_bf16, bfloat16, 96, 128, 8, 8>(2);
    check_program<image_f16, float16, 243, 108, 4>(2);
    check_program<image_bf16, bfloat16, 243, 108, 4>(2);
    check_program<products_f16, float16, 20, 350, 70, 35>(2);
    check_program<products_bf16, bfloat16, 20, 350, 70, 35>(2);
    check_program<products_f16, float16, 20, 350, 70, 35>(2, true);
    check_program<products_bf16, bfloat16, 20, 350, 70, 35>(2, true);
    check_program<batch_f16, float16, 210, 266>(1);
    check_program<batch_bf16, bfloat16, 210, 266>(1, true);
    check_casts();
    widened();
    prepared();
    return test::report();
}
