// Tensors of every dtype go into programs and come out of them: what only moves elements keeps their bytes, whatever they mean, and conversions give
// PyTorch's values. What is expected of float, f16, bf16 and integers up to 64 bits was recorded from PyTorch 1.13, which has no u16, u32 and u64.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/text_sink.hpp>
#include <ahead/reference/host_bytes.hpp>
#include <ahead/reference/interpreter.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

// fault: dtype_is_unsupported
// fault: dtypes_differ
// fault: weight_has_wrong_dtype

using namespace ahead;
using namespace test;

// ---- the two halves, for all 65536 of each

namespace {

constexpr bool halves_at_compile_time() {
    return float16(0.1f).bits == 0x2e66 && float16(65519.0f).bits == 0x7bff && float16(65520.0f).bits == 0x7c00 &&
           float16(-70000.0f).bits == 0xfc00 && float16(0x1p-25f).bits == 0 && float16(0x1.8p-25f).bits == 1 &&
           float16(0x1.8p-24f).bits == 2 && float16(2049.0f).bits == 0x6800 && float16(2051.0f).bits == 0x6802 &&
           float16(-0.0f).bits == 0x8000 && float(float16::of_bits(1)) == 0x1p-24f && bfloat16(0.1f).bits == 0x3dcd &&
           bfloat16(257.0f).bits == 0x4380 && bfloat16(259.0f).bits == 0x4382 && bfloat16(3.4e38f).bits == 0x7f80;
}
static_assert(halves_at_compile_time() && sizeof(float16) == 2 && std::is_trivially_copyable_v<bfloat16>);

template <class Half>
bool goes_and_comes() {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = Half::of_bits(static_cast<std::uint16_t>(bits));
        if (Half(static_cast<float>(half)).bits != half.bits) return false;
    }
    return true;
}
// What lies between two neighbours goes to the nearer one, and to the even one from the middle.
template <class Half>
bool rounds_to_nearest(std::uint32_t last) {
    for (std::uint32_t bits = 0; bits < last; ++bits) {
        const float low = Half::of_bits(static_cast<std::uint16_t>(bits)), high = Half::of_bits(static_cast<std::uint16_t>(bits + 1));
        const float middle = low + (high - low) / 2;
        if (Half(middle).bits != bits + bits % 2 || Half(std::nextafterf(middle, low)).bits != bits ||
            Half(std::nextafterf(middle, high)).bits != bits + 1)
            return false;
    }
    return true;
}

// ---- moved

template <dtype T>
constexpr auto moved = trace([](input<"x", dense<T, 2, 3>> x, input<"y", dense<T, 2, 3>> y, input<"i", i64<4>> i, input<"s", dense<T>> s) {
    return outputs(x, permute<1, 0>(x), clone(permute<1, 0>(x)), slice<1, 1, 3>(y), cat<0>(x, y), stack<1>(tensors(x, y)),
                   constant_pad<1, 0, 0, 1>(y, 1), call<aten::flip>(call_site::current(), x, ints<0, 1>{}),
                   call<aten::index_select>(call_site::current(), x, integer<0>{}, i), call<aten::embedding>(call_site::current(), y, i),
                   call<aten::roll>(call_site::current(), y, integer<1>{}, integer<1>{}),
                   call<aten::slice_scatter>(call_site::current(), x, slice<1, 0, 1>(y), integer<1>{}, integer<1>{}, integer<2>{}), s,
                   call<aten::expand_copy>(call_site::current(), s, ints<2>{}));
});

// Which of 12 elements, x then y, each output holds; -1: the padding, 1; -2: s.
const std::vector<std::vector<int>> places = {{0, 1, 2, 3, 4, 5},
                                              {0, 3, 1, 4, 2, 5},
                                              {0, 3, 1, 4, 2, 5},
                                              {7, 8, 10, 11},
                                              {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                                              {0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11},
                                              {-1, 6, 7, 8, -1, 9, 10, 11, -1, -1, -1, -1},
                                              {5, 4, 3, 2, 1, 0},
                                              {3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2},
                                              {9, 10, 11, 6, 7, 8, 9, 10, 11, 6, 7, 8},
                                              {8, 6, 7, 11, 9, 10},
                                              {0, 6, 2, 3, 9, 5},
                                              {-2},
                                              {-2, -2}};

/// Compiled once for all dtypes: `all` are the elements of x and y and s, as bytes.
void check_moved(const void* got, std::size_t count, const void* all, const void* padding, dtype type, std::size_t output) {
    const auto size = bytes_of(type);
    const auto& wanted = places[output];
    check_equal(count, wanted.size());
    bool same = true;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        const auto from = wanted[k] == -1 ? padding : static_cast<const char*>(all) + static_cast<std::size_t>(wanted[k] == -2 ? 12 : wanted[k]) * size;
        same = same && std::memcmp(static_cast<const char*>(got) + k * size, from, size) == 0;
    }
    check(same, std::string(facts_of(type).annotation) + ", output " + std::to_string(output));
}
template <dtype T>
void moves() {
    using E = element_t<T>;
    using program = compiled<moved<T>>;
    static_assert(program::template input_port<0>::type.type == T && program::template output_port<4>::type == tensor_of(T, {4, 3}));
    // Bytes of all kinds: NaN with payloads, subnormal numbers, the sign alone.
    std::array<E, 13> all{};
    std::array<unsigned char, sizeof all> bytes{};
    for (std::size_t k = 0; k < sizeof all; ++k) bytes[k] = static_cast<unsigned char>(T == dtype::b8 ? k * k % 3 == 1 : 0xff - 29 * k * k);
    std::memcpy(all.data(), bytes.data(), sizeof all);
    std::array<E, 6> x{}, y{};
    std::copy_n(all.begin(), 6, x.begin());
    std::copy_n(all.begin() + 6, 6, y.begin());
    const std::int64_t i[] = {1, 0, 1, 0};
    const std::array<E, 1> s{all[12]};

    const auto weights = program::prepare();
    typename program::session run{weights};
    std::size_t at = 0;
    const auto padding = static_cast<E>(1);
    std::apply([&](const auto&... output) { (check_moved(output.data(), output.elements().size(), all.data(), &padding, T, at++), ...); }, run(x, y, i, s));
}

// ---- converted

#define TO(name, type) "        " name " = torch.ops.aten._to_copy.default(x, dtype = torch." type ")\n"
#define ALL_CONVERSIONS(from)                                                                                                              \
    "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"" from "\"):\n" TO("b", "bool") TO("c", "uint8") TO("d", "int8")      \
        TO("e", "int16") TO("f", "int32") TO("g", "int64") TO("h", "uint16") TO("i", "uint32") TO("j", "uint64") TO("k", "float16")        \
            TO("l", "bfloat16") TO("m", "float32") TO("n", "float64") "        return (b, c, d, e, f, g, h, i, j, k, l, m, n)\n"

struct from_f32 {
    static constexpr std::string_view text = ALL_CONVERSIONS("f32[12]");
};
struct from_f16 {
    static constexpr std::string_view text = ALL_CONVERSIONS("f16[12]");
};
struct from_bf16 {
    static constexpr std::string_view text = ALL_CONVERSIONS("bf16[12]");
};
struct from_i64 {
    static constexpr std::string_view text = ALL_CONVERSIONS("i64[12]");
};
struct from_u8 {
    static constexpr std::string_view text = ALL_CONVERSIONS("u8[12]");
};
struct from_i8 {
    static constexpr std::string_view text = ALL_CONVERSIONS("i8[12]");
};
struct from_i16 {
    static constexpr std::string_view text = ALL_CONVERSIONS("i16[12]");
};
struct from_u16 {
    static constexpr std::string_view text = ALL_CONVERSIONS("u16[12]");
};
struct from_u32 {
    static constexpr std::string_view text = ALL_CONVERSIONS("u32[12]");
};
struct from_u64 {
    static constexpr std::string_view text = ALL_CONVERSIONS("u64[12]");
};
struct from_b8 {
    static constexpr std::string_view text = ALL_CONVERSIONS("b8[12]");
};

using numbers = std::vector<double>; // which hold every expected value exactly

template <class To>
void check_converted(const To* got, const host_tensor& by_reference, const numbers& expected, const char* name, std::size_t output) {
    const std::string where = std::string(name) + " to output " + std::to_string(output);
    std::array<To, 12> referred{};
    to_bytes(by_reference, std::as_writable_bytes(std::span(referred)));
    check(std::memcmp(referred.data(), got, sizeof referred) == 0, where + ": the reference differs");
    for (std::size_t k = 0; k < expected.size(); ++k) {
        const auto as_double = static_cast<double>(got[k]);
        check(as_double == expected[k] && std::signbit(as_double) == std::signbit(expected[k]),
              where + ": " + std::to_string(as_double) + " instead of " + std::to_string(expected[k]));
    }
}
// expected: for each dtype in the order of the text; an empty list is not looked at. All are of 12 elements, zeros behind those given, so that the outputs
// of all programs have the same types.
template <class Source, class E, std::size_t N>
void converts(const char* name, const std::array<E, N>& given, const std::vector<numbers>& expected) {
    using program = compiled<fx<Source>>;
    static_assert(program::template output_port<0>::type.type == dtype::b8 && program::template output_port<9>::type.type == dtype::f16);
    const auto weights = program::prepare();
    typename program::session run{weights};
    std::array<E, 12> x{};
    std::copy(given.begin(), given.end(), x.begin());
    host_tensor input;
    from_bytes(program::template input_port<0>::type, std::as_bytes(std::span(x)), input);
    const auto by_reference = reference<fx<Source>>(array_view<const host_tensor>(&input, 1));
    std::size_t at = 0;
    std::apply([&](const auto&... output) { ((check_converted(output.data(), by_reference[at], expected[at], name, at), ++at), ...); }, run(x));
}

constexpr double infinity = std::numeric_limits<double>::infinity();

void conversions() {
    converts<from_f32>(
        "f32", std::array<float, 12>{0.0f, -0.0f, 1.5f, -1.5f, 127.6f, 200.2f, -129.9f, 2049.0f, 65519.0f, 0.1f, 3.1e-8f, -70000.0f},
        {{0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
         {0, 0, 1, 255, 127, 200, 127, 1, 239, 0, 0, 144},
         {0, 0, 1, -1, 127, -56, 127, 1, -17, 0, 0, -112},
         {0, 0, 1, -1, 127, 200, -129, 2049, -17, 0, 0, -4464},
         {0, 0, 1, -1, 127, 200, -129, 2049, 65519, 0, 0, -70000},
         {0, 0, 1, -1, 127, 200, -129, 2049, 65519, 0, 0, -70000},
         {0, 0, 1, 65535, 127, 200, 65407, 2049, 65519, 0, 0, 61072},
         {0, 0, 1, 4294967295.0, 127, 200, 4294967167.0, 2049, 65519, 0, 0, 4294897296.0},
         {0, 0, 1, 18446744073709551615.0, 127, 200},
         {0.0, -0.0, 1.5, -1.5, 127.625, 200.25, -129.875, 2048.0, 65504.0, 0.0999755859375, 5.960464477539063e-08, -infinity},
         {0.0, -0.0, 1.5, -1.5, 127.5, 200.0, -130.0, 2048.0, 65536.0, 0.10009765625, 3.096647560596466e-08, -70144.0},
         {0.0, -0.0, 1.5, -1.5, 127.5999984741211, 200.1999969482422, -129.89999389648438, 2049.0, 65519.0, 0.10000000149011612},
         {0.0, -0.0, 1.5, -1.5, 127.5999984741211, 200.1999969482422, -129.89999389648438, 2049.0, 65519.0, 0.10000000149011612}});
    converts<from_f16>("f16", std::array<float16, 6>{0.1f, -2.5f, 300.0f, 6.1e-5f, 65504.0f, 1.0f / 3},
                       {{1, 1, 1, 1, 1, 1},
                        {0, 254, 44, 0, 224, 0},
                        {0, -2, 44, 0, -32, 0},
                        {0, -2, 300, 0, -32, 0},
                        {0, -2, 300, 0, 65504, 0},
                        {0, -2, 300, 0, 65504, 0},
                        {0, 65534, 300, 0, 65504, 0},
                        {0, 4294967294.0, 300, 0, 65504, 0},
                        {},
                        {0.0999755859375, -2.5, 300.0, 6.097555160522461e-05, 65504.0, 0.333251953125},
                        {0.10009765625, -2.5, 300.0, 6.103515625e-05, 65536.0, 0.333984375},
                        {0.0999755859375, -2.5, 300.0, 6.097555160522461e-05, 65504.0, 0.333251953125},
                        {0.0999755859375, -2.5, 300.0, 6.097555160522461e-05, 65504.0, 0.333251953125}});
    converts<from_bf16>("bf16", std::array<bfloat16, 6>{0.1f, -2.5f, 300.0f, 3e38f, 1.0f / 3, 257.0f},
                        {{1, 1, 1, 1, 1, 1},
                         {0, 254, 44, 0, 0, 0},
                         {0, -2, 44, 0, 0, 0},
                         {0, -2, 300, 0, 0, 256},
                         {0, -2, 300},
                         {0, -2, 300, -9223372036854775808.0, 0, 256},
                         {},
                         {},
                         {},
                         {0.10009765625, -2.5, 300.0, infinity, 0.333984375, 256.0},
                         {0.10009765625, -2.5, 300.0},
                         {0.10009765625, -2.5, 300.0},
                         {0.10009765625, -2.5, 300.0}});
    const auto big = (std::int64_t{1} << 40) + 3;
    converts<from_i64>("i64", std::array<std::int64_t, 12>{0, -1, 127, 128, -129, 255, 256, 40000, -40000, 2049, 16777217, big},
                       {{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                        {0, 255, 127, 128, 127, 255, 0, 64, 192, 1, 1, 3},
                        {0, -1, 127, -128, 127, -1, 0, 64, -64, 1, 1, 3},
                        {0, -1, 127, 128, -129, 255, 256, -25536, 25536, 2049, 1, 3},
                        {0, -1, 127, 128, -129, 255, 256, 40000, -40000, 2049, 16777217, 3},
                        {0, -1, 127, 128, -129, 255, 256, 40000, -40000, 2049, 16777217, 1099511627779.0},
                        {0, 65535, 127, 128, 65407, 255, 256, 40000, 25536, 2049, 1, 3},
                        {0, 4294967295.0, 127, 128, 4294967167.0, 255, 256, 40000, 4294927296.0, 2049, 16777217, 3},
                        {0, 18446744073709551615.0, 127},
                        {0.0, -1.0, 127.0, 128.0, -129.0, 255.0, 256.0, 40000.0, -40000.0, 2048.0, infinity, infinity},
                        {0.0, -1.0, 127.0, 128.0, -129.0, 255.0, 256.0, 39936.0, -39936.0, 2048.0, 16777216.0, 1099511627776.0},
                        {0.0, -1.0, 127.0, 128.0, -129.0, 255.0, 256.0, 40000.0, -40000.0, 2049.0, 16777216.0, 1099511627776.0},
                        {0.0, -1.0, 127.0, 128.0, -129.0, 255.0, 256.0, 40000.0, -40000.0, 2049.0, 16777217.0, 1099511627779.0}});
    const auto whole = [](numbers b, numbers u8, numbers i8, numbers i16, numbers i32, numbers i64, numbers u16, numbers u32, numbers u64,
                          numbers real) { return std::vector<numbers>{b, u8, i8, i16, i32, i64, u16, u32, u64, real, real, real, real}; };
    converts<from_u8>("u8", std::array<std::uint8_t, 3>{0, 200, 255},
                      whole({0, 1, 1}, {0, 200, 255}, {0, -56, -1}, {0, 200, 255}, {0, 200, 255}, {0, 200, 255}, {0, 200, 255},
                            {0, 200, 255}, {0, 200, 255}, {0, 200, 255}));
    converts<from_i8>("i8", std::array<std::int8_t, 3>{0, -128, 127},
                      whole({0, 1, 1}, {0, 128, 127}, {0, -128, 127}, {0, -128, 127}, {0, -128, 127}, {0, -128, 127}, {0, 65408, 127},
                            {0, 4294967168.0, 127}, {}, {0, -128, 127}));
    converts<from_i16>("i16", std::array<std::int16_t, 3>{0, -32768, 256},
                       whole({0, 1, 1}, {0, 0, 0}, {0, 0, 0}, {0, -32768, 256}, {0, -32768, 256}, {0, -32768, 256}, {0, 32768, 256},
                             {0, 4294934528.0, 256}, {}, {0, -32768, 256}));
    converts<from_u16>("u16", std::array<std::uint16_t, 3>{0, 32768, 2048},
                       whole({0, 1, 1}, {0, 0, 0}, {0, 0, 0}, {0, -32768, 2048}, {0, 32768, 2048}, {0, 32768, 2048}, {0, 32768, 2048},
                             {0, 32768, 2048}, {0, 32768, 2048}, {0, 32768, 2048}));
    auto large = whole({0, 1, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, -2147483648.0, 1}, {0, 2147483648.0, 1}, {0, 0, 1},
                       {0, 2147483648.0, 1}, {0, 2147483648.0, 1}, {0, 2147483648.0, 1});
    large[9] = {0, infinity, 1};
    converts<from_u32>("u32", std::array<std::uint32_t, 3>{0, 2147483648u, 1}, large);
    auto largest = whole({0, 1, 1, 1}, {0, 0, 255, 1}, {0, 0, -1, 1}, {0, 0, -1, 1}, {0, 0, -1, 1}, {0, -9223372036854775808.0, -1, 1},
                         {0, 0, 65535, 1}, {0, 0, 4294967295.0, 1}, {0, 9223372036854775808.0, 18446744073709551615.0, 1},
                         {0, 9223372036854775808.0, 18446744073709551616.0, 1});
    largest[9] = {0, infinity, infinity, 1};
    converts<from_u64>("u64", std::array<std::uint64_t, 4>{0, std::uint64_t{1} << 63, ~std::uint64_t{0}, 1}, largest);
    converts<from_b8>("b8", std::array<bool, 2>{false, true},
                      whole({0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}));
}

// f32 beyond 2^63 is a u64; constants of any dtype, in the graph and from a file.
constexpr auto constants = trace([](input<"x", f32<2>> x, param<"h", f16<2>> h, param<"w", u16<2>> w) {
    return outputs(to<dtype::u64>(x), clone(h), clone(w), constant<"half", f16<2>>(x, {0.1f, -2}),
                   constant<"brain", bf16<2>>(x, {0.1f, 257}), constant<"small", i8<2>>(x, {-128, 127}),
                   constant<"word", u16<2>>(x, {1, 65535}), constant<"long", u32<2>>(x, {1, 4294967295u}),
                   constant<"longest", u64<>>(x, ~std::uint64_t{0}), constant<"byte", u8<2>>(x, {1, 200}),
                   constant<"short", i16<>>(x, std::int16_t{-3}));
});
void constants_of_any_dtype() {
    using program = compiled<constants>;
    const float16 h[] = {1.5f, float16::of_bits(0x7e01)};
    const std::uint16_t w[] = {40000, 1};
    weights given;
    given.add("h", dtype::f16, {2}, std::as_bytes(std::span(h)));
    given.add("w", dtype::u16, {2}, std::as_bytes(std::span(w)));
    check(given.find("h")->as<float16>()[1].bits == 0x7e01 && given.find("w")->as<std::uint16_t>()[0] == 40000);
    const auto refuses = [](auto f) {
        try {
            f();
        } catch (const error& e) {
            return e.what_happened.what == fault::weight_has_wrong_dtype;
        }
        return false;
    };
    check(refuses([&] { given.find("h")->as<bfloat16>(); }) && refuses([&] { given.find("h")->as<std::uint16_t>(); }) &&
          refuses([&] { given.find("w")->as<std::int16_t>(); }));
    const auto weights = program::prepare(given);
    program::session run{weights};
    const float x[] = {1e19f, 3.7f};
    const auto [u64s, f16s, u16s, half, brain, small, word, long_, longest, byte, short_] = run(x);
    check(u64s(0) == 9999999980506447872u && u64s(1) == 3);
    check(f16s(0).bits == h[0].bits && f16s(1).bits == 0x7e01 && u16s(0) == 40000);
    check(half(0).bits == 0x2e66 && half(1).bits == 0xc000 && brain(0).bits == 0x3dcd && brain(1).bits == 0x4380);
    check(small(0) == -128 && small(1) == 127 && word(1) == 65535 && long_(1) == 4294967295u && longest() == ~std::uint64_t{0} &&
          byte(1) == 200 && short_() == -3);
}

// ---- u16, u32, u64 and the f8: nothing but moved, and with no other integers

constexpr diagnosis looked_at(std::string_view call, std::string_view type) {
    text_buffer<512> text;
    for (auto part : {std::string_view("class GraphModule(torch.nn.Module):\n    def forward(self, x: \""), type,
                      std::string_view("[4]\", y: \"i32[4]\", m: \"b8[4]\"):\n        a = torch.ops.aten."), call,
                      std::string_view("\n        return (a,)\n")})
        text.append(part);
    graph_storage<capacity{8, 40, 16}> storage;
    fx_style style;
    diagnosis d;
    const auto& op_rows = aten::registry::table;
    if (!read_fx(text.view(), op_rows, storage.edit(), style, d) || !infer_types(storage.edit(), op_rows, d)) return d;
    const auto g = storage.view();
    for (node_id id : g)
        if (!check_dtypes(g, g[id], op_rows, d)) return d;
    return d;
}
constexpr std::string_view allowed[] = {"cat.default([x, x])",        "where.self(m, x, x)",  "permute.default(x, [0])",
                                        "to.dtype(x, torch.float32)", "index.Tensor(x, [y])", "fill.Scalar(x, 3)"};
constexpr std::string_view computed[] = {"add.Tensor(x, x)", "mul.Tensor(x, 0.5)", "argmax.default(x)", "sum.default(x)",
                                         "eq.Tensor(x, x)",  "sort.default(x)",    "relu.default(x)"};
constexpr bool are_only_moved(std::string_view type) {
    for (auto call : allowed)
        if (looked_at(call, type)) return false;
    for (auto call : computed)
        if (looked_at(call, type).what != fault::dtype_is_unsupported) return false;
    return looked_at("cat.default([x, y])", type).what == fault::dtypes_differ &&
           looked_at("where.self(m, x, y)", type).what == fault::dtypes_differ;
}
static_assert(are_only_moved("u16") && are_only_moved("u32") && are_only_moved("u64") && are_only_moved("f8e4m3fn") && are_only_moved("f8e5m2"));
static_assert(!looked_at("add.Tensor(x, x)", "u8") && !looked_at("argmax.default(x)", "bf16") && !looked_at("cat.default([x, y])", "i8"));

} // namespace

int main() {
    check(goes_and_comes<float16>() && goes_and_comes<bfloat16>());
    check(rounds_to_nearest<float16>(0x7bff) && rounds_to_nearest<bfloat16>(0x7f7f));
    moves<dtype::b8>();
    moves<dtype::u8>();
    moves<dtype::i8>();
    moves<dtype::i16>();
    moves<dtype::i32>();
    moves<dtype::i64>();
    moves<dtype::u16>();
    moves<dtype::u32>();
    moves<dtype::u64>();
    moves<dtype::f8_e4m3>();
    moves<dtype::f8_e5m2>();
    moves<dtype::f16>();
    moves<dtype::bf16>();
    moves<dtype::f32>();
    moves<dtype::f64>();
    moves<dtype::c64>();
    moves<dtype::c128>();
    conversions();
    constants_of_any_dtype();
    return report();
}
