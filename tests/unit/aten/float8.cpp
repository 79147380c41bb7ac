// The two f8: what every one of their 256 is as a float, how floats are rounded to them, and tensors of them in programs, which move and convert them. The
// numbers expected are from the definition of the formats, those of conversions to other dtypes follow from them.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/host_bytes.hpp>
#include <ahead/reference/interpreter.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

using namespace ahead;
using namespace test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

// ---- the formats

static_assert(float8_e4m3(1.0f).bits == 0x38 && float8_e4m3(448.0f).bits == 0x7e && float8_e4m3(464.0f).bits == 0x7e && float8_e4m3(464.1f).bits == 0x7f &&
              float8_e4m3(-480.0f).bits == 0xff && float8_e4m3(-infinity).bits == 0xff && float8_e4m3(-0.0f).bits == 0x80 &&
              float8_e4m3(0x1p-10f).bits == 0 && float8_e4m3(0x1.8p-10f).bits == 1 && float8_e4m3(0x1.8p-9f).bits == 2 && float8_e4m3(0x1p-149f).bits == 0);
static_assert(float8_e5m2(1.0f).bits == 0x3c && float8_e5m2(57344.0f).bits == 0x7b && float8_e5m2(61439.0f).bits == 0x7b && float8_e5m2(61440.0f).bits == 0x7c &&
              float8_e5m2(-65536.0f).bits == 0xfc && float8_e5m2(infinity).bits == 0x7c && float8_e5m2(nan).bits == 0x7f && float8_e5m2(-nan).bits == 0xff &&
              float8_e5m2(0x1p-17f).bits == 0 && float8_e5m2(0x1.8p-17f).bits == 1 && float8_e5m2(0x1.8p-16f).bits == 2);
static_assert(sizeof(float8_e4m3) == 1 && std::is_trivially_copyable_v<float8_e5m2> && float(float8_e4m3::of_bits(1)) == 0x1p-9f &&
              float(float8_e5m2::of_bits(0x83)) == -0x1.8p-15f);

// Written from the tables of the formats: sign, exponent, mantissa; `last` is the largest number's bits.
double formula(unsigned bits, int mantissa_bits, int bias) {
    const auto exponent = static_cast<int>(bits % 128 >> mantissa_bits), mantissa = static_cast<int>(bits % (1u << mantissa_bits));
    const double part = mantissa / std::pow(2.0, mantissa_bits);
    const double size = exponent == 0 ? part * std::pow(2.0, 1 - bias) : (1 + part) * std::pow(2.0, exponent - bias);
    return bits < 128 ? size : -size;
}
template <class F8>
void all_patterns(int mantissa_bits, int bias, unsigned last, unsigned infinite) {
    for (unsigned bits = 0; bits < 256; ++bits) {
        const float value = F8::of_bits(static_cast<std::uint8_t>(bits));
        const auto size = bits % 128;
        const std::string what = "bits " + std::to_string(bits) + " are " + std::to_string(value);
        check(std::signbit(value) == (bits >= 128), what);
        if (size <= last) check(static_cast<double>(value) == formula(bits, mantissa_bits, bias), what);
        else if (size == infinite) check(std::isinf(value), what);
        else check(std::isnan(value), what);
        const auto back = F8(value).bits;
        check(std::isnan(value) ? back % 128 == 127 && back / 128 == bits / 128 : back == bits, what + ", back " + std::to_string(back));
    }
}
// From the middle of two neighbours to the even one, from beside it to the nearer one; `last` and what would follow it are neighbours too.
template <class F8>
void ties(int mantissa_bits, int bias, unsigned last) {
    for (unsigned bits = 0; bits <= last; ++bits)
        for (unsigned sign : {0u, 128u}) {
            const auto low = static_cast<float>(formula(sign + bits, mantissa_bits, bias)), high = static_cast<float>(formula(sign + bits + 1, mantissa_bits, bias));
            const float middle = low + (high - low) / 2;
            check(F8(middle).bits == sign + bits + bits % 2 && F8(std::nextafterf(middle, low)).bits == sign + bits &&
                      F8(std::nextafterf(middle, high)).bits == sign + bits + 1,
                  "above bits " + std::to_string(sign + bits));
        }
}

// ---- converted by programs

#define TO(name, type) "        " name " = torch.ops.aten._to_copy.default(x, dtype = torch." type ")\n"
#define GRAPH(from) "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"" from "\"):\n"
#define FROM_F8(from)                                                                                                                       \
    GRAPH(from) TO("a", "float32") TO("b", "float64") TO("c", "float16") TO("d", "bfloat16") TO("e", "int32") TO("f", "uint8")              \
        TO("g", "bool") TO("h", "float8_e4m3fn") TO("i", "float8_e5m2")                                                                     \
            "        j = torch.ops.aten.to.dtype(x, torch.uint64)\n        return (a, b, c, d, e, f, g, h, i, j)\n"
#define TO_F8(from)                                                                                                                         \
    GRAPH(from) TO("a", "float8_e4m3fn") "        b = torch.ops.aten.to.dtype(x, torch.float8_e5m2)\n        return (a, b)\n"

struct from_e4m3 {
    static constexpr char text[] = FROM_F8("f8e4m3fn[6]");
};
struct from_e5m2 {
    static constexpr char text[] = FROM_F8("f8e5m2[6]");
};
struct from_f32 {
    static constexpr char text[] = TO_F8("f32[6]");
};
struct from_f64 {
    static constexpr char text[] = TO_F8("f64[6]");
};
struct from_f16 {
    static constexpr char text[] = TO_F8("f16[6]");
};
struct from_i64 {
    static constexpr char text[] = TO_F8("i64[6]");
};
struct from_b8 {
    static constexpr char text[] = TO_F8("b8[6]");
};

// What the compiled program gives is what the reference gives, byte by byte, and what is expected.
template <class Source, class E, std::size_t N>
void converts(const std::array<E, N>& x, const std::vector<std::vector<double>>& expected) {
    using program = compiled<fx<Source>>;
    const auto weights = program::prepare();
    typename program::session run{weights};
    host_tensor input;
    from_bytes(program::template input_port<0>::type, std::as_bytes(std::span(x)), input);
    const auto by_reference = reference<fx<Source>>(array_view<const host_tensor>(&input, 1));
    std::size_t output = 0;
    const auto one = [&](const auto& got) {
        const auto size = got.elements().size_bytes();
        std::vector<std::byte> referred(size);
        to_bytes(by_reference[output], referred);
        const std::string where = std::string(Source::text).substr(50, 20) + ", output " + std::to_string(output);
        check(std::memcmp(referred.data(), got.data(), size) == 0, where + ": the reference differs");
        for (std::size_t k = 0; k < N; ++k) {
            const auto v = static_cast<double>(got.elements()[k]), wanted = expected[output][k];
            check((std::isnan(v) && std::isnan(wanted)) || (v == wanted && std::signbit(v) == std::signbit(wanted)), where + ": " + std::to_string(v));
        }
        ++output;
    };
    std::apply([&](const auto&... got) { (one(got), ...); }, run(x));
}
void conversions() {
    constexpr double inf = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> e4m3 = {0.0, -0.0, 1.5, -2.25, 0x1p-9, 448};
    converts<from_e4m3>(std::array<float8_e4m3, 6>{0.0f, -0.0f, 1.5f, -2.25f, 0x1p-9f, 448.0f},
                        {e4m3, e4m3, e4m3, e4m3, {0, 0, 1, -2, 0, 448}, {0, 0, 1, 254, 0, 192}, {0, 0, 1, 1, 1, 1}, e4m3, {0.0, -0.0, 1.5, -2, 0x1p-9, 448},
                         {0, 0, 1, 18446744073709551614.0, 0, 448}});
    const std::vector<double> e5m2 = {0x1p-16, -0.75, 3, -57344, inf, 0};
    converts<from_e5m2>(std::array<float8_e5m2, 6>{0x1p-16f, -0.75f, 3.0f, -57344.0f, infinity, 0.0f},
                        {e5m2, e5m2, e5m2, e5m2, {0, 0, 3, -57344, -2147483648.0, 0}, {0, 0, 3, 0, 0, 0}, {1, 1, 1, 1, 1, 0},
                         {0.0, -0.75, 3, -none, none, 0}, e5m2, {0, 0, 3, 18446744073709494272.0, 9223372036854775808.0, 0}});
    converts<from_f32>(std::array<float, 6>{0.3f, -17.0f, 464.0f, 1e9f, nan, 0x1p-17f},
                       {{0.3125, -17 + 1, 448, none, none, 0.0}, {0.3125, -16, 448, inf, none, 0.0}});
    converts<from_f64>(std::array<double, 6>{0.3, -19.0, 448.0, -1e300, 61440, 0x1p-9},
                       {{0.3125, -20, 448, none, none, 0x1p-9}, {0.3125, -20, 448, -inf, inf, 0x1p-9}});
    converts<from_f16>(std::array<float16, 6>{0.3f, -19.0f, 448.0f, -65504.0f, 1.0f, 0.0f},
                       {{0.3125, -20, 448, none, 1, 0}, {0.3125, -20, 448, -inf, 1, 0}});
    converts<from_i64>(std::array<std::int64_t, 6>{0, -1, 17, 464, 465, std::int64_t{1} << 40},
                       {{0, -1, 16, 448, none, none}, {0, -1, 16, 448, 448, inf}});
    converts<from_b8>(std::array<bool, 6>{true, false, true, false, true, true}, {{1, 0, 1, 0, 1, 1}, {1, 0, 1, 0, 1, 1}});
}

// ---- weights, constants, prints

std::string printed;
inline void print_to_text(std::string_view piece) { printed += piece; }
using to_text = toolchain<>::with_print<print_to_text>;
constexpr auto held = trace([](input<"x", f8_e4m3<2>> x, param<"w", f8_e5m2<3>> w) {
    ops::print<"{} {}", 3, true>(x, w);
    return outputs(permute<0>(x), clone(w), constant<"c", f8_e4m3<2>>(x, {0.3f, -500.0f}), constant<"d", f8_e5m2<>>(x, 5.0f));
});
void weights_and_constants() {
    const std::string header = R"({"w":{"dtype":"F8_E5M2","shape":[3],"data_offsets":[0,3]},"v":{"dtype":"F8_E4M3","shape":[],"data_offsets":[3,4]}} )";
    std::string file(8, '\0');
    file[0] = static_cast<char>(header.size());
    file += header + "\x3c\xfd\x7b\x38";
    auto given = read_safetensors(std::as_bytes(std::span(file)));
    check(given.find("v")->as<float8_e4m3>()[0] == 1.0f && given.find("w")->as<float8_e5m2>()[2] == 57344.0f);
    check_throws<error>([&] { given.find("v")->as<float8_e5m2>(); }, "expected float8_e5m2, as it is read, found f8e4m3fn[]");
    check_throws<error>([&] { given.find("v")->as<std::uint8_t>(); }, "expected unsigned8");
    check_throws<error>([&] { given.find("w")->as<float16>(); }, "expected float16");
    using program = compiled<held, to_text>;
    const auto weights = program::prepare(given, {.strict = false});
    program::session run{weights};
    const auto [x, w, c, d] = run(std::array<float8_e4m3, 2>{1.5f, -448.0f});
    check(x(1) == -448.0f && w(0).bits == 0x3c && w(1).bits == 0xfd && w(2).bits == 0x7b); // NaN with its payload
    check(c(0) == 0.3125f && c(1).bits == 0xff && d() == 5.0f);
    check_equal(printed, "tensor([1.5 -448], dtype=torch.float8_e4m3fn, shape=[2]) tensor([1 nan 57344], dtype=torch.float8_e5m2, shape=[3])\n");
    std::string out;
    diagnosis why;
    check(!print_npy(dtype::f8_e5m2, std::array{std::int64_t{1}}, std::as_bytes(std::span(file)).first(1), out, why));
    check_fault(why, {.what = fault::weight_dtype_is_unknown, .found = "f8e5m2"});
}

} // namespace

int main() {
    all_patterns<float8_e4m3>(3, 7, 0x7e, 0x7f + 1);
    all_patterns<float8_e5m2>(2, 15, 0x7b, 0x7c);
    ties<float8_e4m3>(3, 7, 0x7e);
    ties<float8_e5m2>(2, 15, 0x7b);
    conversions();
    weights_and_constants();
    return report();
}
