// Computing with dtypes that have no kernels of their own: f16 and bf16 are computed in f32 and rounded after every operator, small integers wrap, on the
// device and in the reference alike. The expected values were recorded from PyTorch 1.13.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/host_bytes.hpp>
#include <ahead/reference/interpreter.hpp>

#include <cmath>
#include <cstring>
#include <string>

using namespace ahead;
using namespace test;

#define CALL(name, what) "        " name " = torch.ops.aten." what "\n"
#define COMPUTED(type, more, names)                                                                                                        \
    "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"" type "[4]\", y: \"" type                                            \
    "[4]\"):\n" CALL("add", "add.Tensor(x, y)") CALL("sub", "sub.Tensor(x, y)") CALL("mul", "mul.Tensor(x, y)")                            \
        CALL("div", "div.Tensor(x, y)") CALL("gt", "gt.Tensor(x, y)") CALL("eq", "eq.Tensor(x, y)")                                        \
            CALL("largest", "maximum.default(x, y)") CALL("neg", "neg.default(x)") CALL("abs", "abs.default(x)")                           \
                CALL("sum", "sum.default(x)") CALL("amax", "amax.default(x)") CALL("argmax", "argmax.default(x)") more                     \
        "        return (add, sub, mul, div, gt, eq, largest, neg, abs, sum, amax, argmax" names ")\n"
#define WHOLE                                                                                                                              \
    CALL("flip", "bitwise_not.default(x)")                                                                                                 \
    CALL("relu", "relu.default(x)") CALL("prod", "prod.default(x)") CALL("cumsum", "cumsum.default(x, 0)") CALL("any_", "any.default(x)")
#define REAL                                                                                                                               \
    CALL("two", "mul.Tensor(y, add)")                                                                                                      \
    CALL("scaled", "add.Tensor(x, 0.1)") CALL("same", "eq.Scalar(x, 0.1)") CALL("rest", "rsub.Scalar(x, 1)")                               \
        CALL("third", "div.Tensor(x, 3)") CALL("mean", "mean.default(x)") CALL("pair", "slice.Tensor(x, 0, 0, 2)")                         \
            CALL("var", "var.correction(pair)") CALL("lse", "logsumexp.default(pair, [0])")
#define CURVES                                                                                                                             \
    CALL("sigmoid", "sigmoid.default(x)")                                                                                                  \
    CALL("exp", "exp.default(x)") CALL("sqrt", "sqrt.default(x)") CALL("relu", "relu.default(x)") CALL("tanh", "tanh.default(x)")          \
        CALL("cumsum", "cumsum.default(x, 0)")

struct in_i8 {
    static constexpr std::string_view text = COMPUTED("i8", WHOLE, ", flip, relu, prod, cumsum, any_");
};
struct in_u8 {
    static constexpr std::string_view text = COMPUTED("u8", WHOLE, ", flip, relu, prod, cumsum, any_");
};
struct in_i16 {
    static constexpr std::string_view text = COMPUTED("i16", WHOLE, ", flip, relu, prod, cumsum, any_");
};
struct in_f16 {
    static constexpr std::string_view text = COMPUTED("f16", REAL, ", two, scaled, same, rest, third, mean, var, lse");
};
struct in_bf16 {
    static constexpr std::string_view text =
        COMPUTED("bf16", REAL CURVES, ", two, scaled, same, rest, third, mean, var, lse, sigmoid, exp, sqrt, relu, tanh, cumsum");
};
struct mixed {
    static constexpr std::string_view text =
        "class GraphModule(torch.nn.Module):\n    def forward(self, a: \"u8[4]\", b: \"i8[4]\", c: \"f16[4]\", d: \"bf16[4]\", e: "
        "\"i16[4]\"):\n" CALL("ab", "add.Tensor(a, b)") CALL("cd", "add.Tensor(c, d)") CALL("bc", "add.Tensor(b, c)")
            CALL("ec", "add.Tensor(e, c)") CALL("v", "view.default(c, [2, 2])") CALL("mm", "mm.default(v, v)")
                CALL("soft", "_softmax.default(c, 0, False)") CALL("dd", "mul.Tensor(d, d)") CALL("largest", "nan_to_num.default(mm)")
                    CALL("largest_d", "nan_to_num.default(dd)") "        return (ab, cd, bc, ec, mm, soft, largest, largest_d)\n";
};

namespace {

using numbers = std::vector<double>;
using host = std::vector<host_tensor>;

// The device's outputs are the reference's bytes, and PyTorch's numbers.
template <class Source, class... In>
void computes(const char* name, const std::vector<std::string_view>& types, const std::vector<numbers>& expected, const In&... in) {
    using program = compiled<fx<Source>>;
    const auto weights = program::prepare();
    typename program::session run{weights};
    host given(sizeof...(In));
    [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
        (from_bytes(program::template input_port<I>::type, std::as_bytes(std::span(in)), given[I]), ...);
    }
    (std::make_integer_sequence<std::int32_t, sizeof...(In)>{});
    const auto by_reference = reference<fx<Source>>(given);
    std::size_t at = 0;
    const auto one = [&](const auto& output) {
        using type = typename std::remove_cvref_t<decltype(output)>::type;
        const auto where = std::string(name) + ", output " + std::to_string(at);
        std::array<std::byte, 256> referred{};
        to_bytes(by_reference[at], referred);
        check_equal(facts_of(type::type.type).annotation, types[at]);
        check(by_reference[at].type.type == type::type.type &&
                  std::memcmp(referred.data(), output.data(), output.elements().size_bytes()) == 0,
              where + ": the reference differs");
        check_equal(expected[at].size(), output.elements().size());
        for (std::size_t k = 0; k < expected[at].size(); ++k) {
            const auto got = static_cast<double>(output.data()[k]), wanted = expected[at][k];
            check(got == wanted || (std::isnan(got) && std::isnan(wanted)) ||
                      (types[at] == "f32" && std::fabs(got - wanted) <= 1e-6 * std::fabs(wanted)),
                  where + ": " + std::to_string(got) + " instead of " + std::to_string(wanted));
        }
        ++at;
    };
    std::apply([&](const auto&... output) { (one(output), ...); }, run(in...));
}

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

void small_integers() {
    const auto types = [](std::string_view t, std::string_view any) {
        return std::vector<std::string_view>{t, t, t, "f32", "b8", "b8", t, t, t, "i64", t, "i64", t, t, "i64", "i64", any};
    };
    computes<in_i8>("i8", types("i8", "b8"),
                    {{-56, 127, 14, 2},
                     {0, -127, 0, -8},
                     {16, -128, 49, -15},
                     {1, 128, 1, -0.6f},
                     {0, 0, 0, 0},
                     {1, 0, 1, 0},
                     {100, -1, 7, 5},
                     {-100, -128, -7, 3},
                     {100, -128, 7, 3},
                     {-24},
                     {100},
                     {0},
                     {-101, 127, -8, 2},
                     {100, 0, 7, 0},
                     {268800},
                     {100, -28, -21, -24},
                     {1}},
                    std::array<std::int8_t, 4>{100, -128, 7, -3}, std::array<std::int8_t, 4>{100, -1, 7, 5});
    computes<in_u8>("u8", types("u8", "u8"),
                    {{44, 1, 14, 254},
                     {100, 255, 0, 0},
                     {32, 0, 49, 1},
                     {2, 0, 1, 1},
                     {1, 0, 0, 0},
                     {0, 0, 1, 1},
                     {200, 1, 7, 255},
                     {56, 0, 249, 1},
                     {200, 0, 7, 255},
                     {462},
                     {255},
                     {3},
                     {55, 255, 248, 0},
                     {200, 0, 7, 255},
                     {0},
                     {200, 200, 207, 462},
                     {1}},
                    std::array<std::uint8_t, 4>{200, 0, 7, 255}, std::array<std::uint8_t, 4>{100, 1, 7, 255});
    computes<in_i16>("i16", types("i16", "b8"),
                     {{-5536, 32767, 14, 2},
                      {0, -32767, 0, -8},
                      {-5888, -32768, 49, -15},
                      {1, 32768, 1, -0.6f},
                      {0, 0, 0, 0},
                      {1, 0, 1, 0},
                      {30000, -1, 7, 5},
                      {-30000, -32768, -7, 3},
                      {30000, -32768, 7, 3},
                      {-2764},
                      {30000},
                      {0},
                      {-30001, 32767, -8, 2},
                      {30000, 0, 7, 0},
                      {20643840000.0},
                      {30000, -2768, -2761, -2764},
                      {1}},
                     std::array<std::int16_t, 4>{30000, -32768, 7, -3}, std::array<std::int16_t, 4>{30000, -1, 7, 5});
}

void halves() {
    std::vector<std::string_view> types = {"f16", "f16", "f16", "f16", "b8", "b8",  "f16", "f16", "f16", "f16",
                                           "f16", "i64", "f16", "f16", "b8", "f16", "f16", "f16", "f16", "f16"};
    computes<in_f16>("f16", types,
                     {{0.2998046875, 0.80078125, 1000.5, inf},
                      {-0.0999755859375, -5.80078125, 999.5, 49984},
                      {0.019989013671875, -8.25, 370, inf},
                      {0.5, -0.75732421875, 2702, 6},
                      {0, 0, 1, 1},
                      {0, 0, 0, 0},
                      {0.199951171875, 3.30078125, 1000, 60000},
                      {-0.0999755859375, 2.5, -1000, -60000},
                      {0.0999755859375, 2.5, 1000, 60000},
                      {60992},
                      {60000},
                      {3},
                      {0.0599365234375, 2.642578125, 370.25, inf},
                      {0.199951171875, -2.400390625, 1000, 60000},
                      {1, 0, 0, 0},
                      {0.89990234375, 3.5, -999, -60000},
                      {0.0333251953125, -0.83349609375, 333.25, 20000},
                      {15248},
                      {3.380859375},
                      {0.171630859375}},
                     std::array<float16, 4>{0.1f, -2.5f, 1000.0f, 60000.0f}, std::array<float16, 4>{0.2f, 3.3f, 0.37f, 10000.0f});
    for (auto& t : types) t = t == "f16" ? "bf16" : t;
    for (int k = 0; k < 6; ++k) types.push_back("bf16");
    computes<in_bf16>("bf16", types,
                      {{0.30078125, 0.796875, 1000, inf},
                       {-0.10009765625, -5.8125, 1000, 0},
                       {0.02001953125, -8.25, 370, inf},
                       {0.5, -0.7578125, 2704, 1},
                       {0, 0, 1, 0},
                       {0, 0, 0, 1},
                       {0.2001953125, 3.296875, 1000, bfloat16(3e38f)},
                       {-0.10009765625, 2.5, -1000, -bfloat16(3e38f)},
                       {0.10009765625, 2.5, 1000, bfloat16(3e38f)},
                       {bfloat16(3e38f)},
                       {bfloat16(3e38f)},
                       {3},
                       {0.060302734375, 2.625, 370, inf},
                       {0.2001953125, -2.40625, 1000, bfloat16(3e38f)},
                       {1, 0, 0, 0},
                       {0.8984375, 3.5, -1000, -bfloat16(3e38f)},
                       {0.033447265625, -0.83203125, 334, 0x1.2ep126},
                       {0x1.c4p125},
                       {3.375},
                       {0.171875},
                       {0.5234375, 0.07568359375, 1, 1},
                       {1.1015625, 0.08203125, inf, inf},
                       {0.31640625, nan, 31.625, 0x1.e2p63},
                       {0.10009765625, 0, 1000, bfloat16(3e38f)},
                       {0.099609375, -0.98828125, 1, 1},
                       {0.10009765625, -2.40625, 996, bfloat16(3e38f)}},
                      std::array<bfloat16, 4>{0.1f, -2.5f, 1000.0f, 3e38f}, std::array<bfloat16, 4>{0.2f, 3.3f, 0.37f, 3e38f});
}

void promoted() {
    computes<mixed>("mixed", {"i16", "f32", "f16", "f16", "f16", "f16", "f16", "bf16"},
                    {{300, -128, 14, 252},
                     {0.2000732421875, -5, 2000, bfloat16(3e38f) + 60000.0f},
                     {100.125, -130.5, 1007, 60000},
                     {2048, 97.5, 1000, 60000},
                     {-2500, -inf, inf, inf},
                     {0, 0, 0, 1},
                     {-2500, -65504, 65504, 65504},
                     {bfloat16(0.10009765625f * 0.10009765625f), 6.25, bfloat16(1e6f), 0x1.fep127}},
                    std::array<std::uint8_t, 4>{200, 0, 7, 255}, std::array<std::int8_t, 4>{100, -128, 7, -3},
                    std::array<float16, 4>{0.1f, -2.5f, 1000.0f, 60000.0f}, std::array<bfloat16, 4>{0.1f, -2.5f, 1000.0f, 3e38f},
                    std::array<std::int16_t, 4>{2049, 100, 0, 0});
}

} // namespace

int main() {
    small_integers();
    halves();
    promoted();
    return report();
}
