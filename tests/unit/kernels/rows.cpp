// SPDX-License-Identifier: MIT
// Softmax, layer norm and batches of products: the kernels against naive loops over rows of every length, and compiled graphs of them and of
// products with a workspace against the reference.
#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "harness.hpp"
#include "reference.hpp"
#include "unit/kernel_buffer.hpp"

using namespace ahead;
using namespace ahead::rooms;

using test::buffer;
using test::check;

namespace {

bool is_near(double a, double b, double tolerance) { return a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= tolerance * (1 + std::fabs(b)); }

template <class T> inline constexpr double rounding = std::is_same_v<T, float> ? 1e-6 : 1e-14;

// ---- the kernels

template <device::softmax_key Key> void softmax_is_right(double offset) {
    using T = element_t<Key.type>;
    buffer<T> x(Key.rows * Key.count), out(Key.rows * Key.count);
    x.randomize();
    for (T& value : x) value = static_cast<T>(8 * value + static_cast<T>(offset));
    if (Key.rows > 2) {
        x[Key.count] = std::numeric_limits<T>::quiet_NaN();
        x[2 * Key.count] = -std::numeric_limits<T>::infinity();
    }
    kernels::softmax<Key>(x.data(), out.data());
    bool right = true;
    for (std::int64_t r = 0; r < Key.rows; ++r) {
        double largest = -std::numeric_limits<double>::infinity(), total = 0;
        for (std::int64_t i = 0; i < Key.count; ++i) {
            const double v = x[r * Key.count + i];
            if (v > largest || std::isnan(v)) largest = v;
        }
        for (std::int64_t i = 0; i < Key.count; ++i) total += std::exp(x[r * Key.count + i] - largest);
        for (std::int64_t i = 0; i < Key.count; ++i) {
            const double v = x[r * Key.count + i] - largest;
            right &= is_near(out[r * Key.count + i], Key.logarithm ? v - std::log(total) : std::exp(v) / total, rounding<T>);
        }
    }
    check(right, std::to_string(Key.count) + " a row");
}

template <device::layer_norm_key Key> void layer_norm_is_right(double offset) {
    using T = element_t<Key.type>;
    buffer<T> x(Key.rows * Key.count), out(Key.rows * Key.count), weight(Key.weight ? Key.count : 0), bias(Key.bias ? Key.count : 0);
    buffer<T> mean(Key.statistics ? Key.rows : 0), rstd(Key.statistics ? Key.rows : 0);
    x.randomize();
    weight.randomize();
    bias.randomize();
    for (T& value : x) value = static_cast<T>(value + static_cast<T>(offset));
    const double tolerance = std::is_same_v<T, float> ? rounding<T> : rounding<T> * (1 + offset); // in f64 the naive sums round, too
    kernels::layer_norm<Key>(x.data(), weight.data(), bias.data(), out.data(), mean.data(), rstd.data());
    constexpr auto eps = std::bit_cast<double>(Key.eps_bits);
    bool right = true;
    for (std::int64_t r = 0; r < Key.rows; ++r) {
        double m = 0, variance = 0;
        for (std::int64_t i = 0; i < Key.count; ++i) m += x[r * Key.count + i];
        m /= static_cast<double>(Key.count);
        for (std::int64_t i = 0; i < Key.count; ++i) variance += (x[r * Key.count + i] - m) * (x[r * Key.count + i] - m);
        const double scale = 1 / std::sqrt(variance / static_cast<double>(Key.count) + eps);
        for (std::int64_t i = 0; i < Key.count; ++i) {
            double y = (x[r * Key.count + i] - m) * scale;
            if (Key.weight) y *= weight[i];
            if (Key.bias) y += bias[i];
            right &= is_near(out[r * Key.count + i], y, tolerance);
        }
        if (Key.statistics) right &= is_near(mean[r], m, tolerance) && is_near(rstd[r], scale, tolerance);
    }
    check(right, std::to_string(Key.count) + " a row");
}

// A masked softmax of rows that is written out, times a number for each row: operands of every kind, each of which ends where memory does. The
// mask is for groups of two rows.
using device::pointwise_slot;
constexpr pointwise_slot operand(int k) { return {pointwise_slot::source::operand, k}; }
constexpr pointwise_slot step(int s) { return {pointwise_slot::source::step, s}; }
constexpr pointwise_slot number(device::reduction kind) { return {pointwise_slot::source::integer, static_cast<std::int64_t>(kind)}; }
constexpr pointwise_slot unscaled{pointwise_slot::source::integer, 1};

template <dtype Type, std::int64_t Count> struct masked_softmax {
    using operators = op_list<aten::add, device::reduce, aten::sub, aten::exp, device::reduce, aten::div, aten::mul>;
    static constexpr device::fused_rows_key key = [] {
        device::fused_rows_key k{Type, 6, Count, 3, {{{true, 6}, {true, 2}, {false, 6}}}, 0b10010, 7, {}};
        k.steps[0] = {3, {operand(0), operand(1), unscaled}};
        k.steps[1] = {2, {step(0), number(device::reduction::largest)}};
        k.steps[2] = {3, {step(0), step(1), unscaled}};
        k.steps[3] = {1, {step(2)}};
        k.steps[4] = {2, {step(3), number(device::reduction::sum)}};
        k.steps[5] = {2, {step(3), step(4)}};
        k.steps[6] = {2, {step(5), operand(2)}};
        return k;
    }();
};
template <dtype Type, std::int64_t Count> void fused_rows_are_right(bool in_place) {
    using call = masked_softmax<Type, Count>;
    using T = element_t<Type>;
    static_assert(device::fused_rows::workspace(call::key) == 0 && device::row_phases(call::key).may_overwrite(0));
    buffer<T> x(6 * Count), mask(2 * Count), scale(6), out(6 * Count);
    x.randomize();
    mask.randomize();
    scale.randomize();
    x[3 * Count] = std::numeric_limits<T>::quiet_NaN();
    T* const to = in_place ? x.data() : out.data();
    const std::vector<T> before(x.begin(), x.end());
    const kernels::ports<3, 1> ports{{reinterpret_cast<const std::byte*>(x.data()), reinterpret_cast<const std::byte*>(mask.data()),
                                  reinterpret_cast<const std::byte*>(scale.data())},
                                 {reinterpret_cast<std::byte*>(to)},
                                 nullptr};
    kernels::fused_rows<call>(ports);
    bool right = true;
    for (std::int64_t r = 0; r < 6; ++r) {
        std::vector<double> row(static_cast<std::size_t>(Count));
        double largest = -std::numeric_limits<double>::infinity(), total = 0;
        for (std::int64_t i = 0; i < Count; ++i) {
            auto& v = row[static_cast<std::size_t>(i)];
            v = before[static_cast<std::size_t>(r * Count + i)] + mask[r % 2 * Count + i];
            if (v > largest || std::isnan(v)) largest = v;
        }
        for (double v : row) total += std::exp(v - largest);
        for (std::int64_t i = 0; i < Count; ++i)
            right &= is_near(to[r * Count + i], std::exp(row[static_cast<std::size_t>(i)] - largest) / total * scale[r], rounding<T>);
    }
    check(right, std::to_string(Count) + " a row, fused");
}

template <dtype Type, std::int64_t Count> void rows_of() {
    if constexpr (Count > 1) {
        fused_rows_are_right<Type, Count>(false);
        fused_rows_are_right<Type, Count>(true);
    }
    softmax_is_right<device::softmax_key{.type = Type, .rows = 5, .count = Count}>(0);
    softmax_is_right<device::softmax_key{.type = Type, .logarithm = true, .rows = 5, .count = Count}>(100);
    constexpr auto eps = std::bit_cast<std::int64_t>(1e-5);
    layer_norm_is_right<device::layer_norm_key{.type = Type, .weight = true, .bias = true, .statistics = true, .rows = 4, .count = Count, .eps_bits = eps}>(0);
    layer_norm_is_right<device::layer_norm_key{.type = Type, .weight = Count % 2 == 0, .bias = Count % 3 == 0, .statistics = false, .rows = 4, .count = Count, .eps_bits = eps}>(50);
    layer_norm_is_right<device::layer_norm_key{.type = Type, .weight = false, .bias = true, .statistics = Count % 2 == 1, .rows = 4, .count = Count, .eps_bits = eps}>(30000); // the mean is many times as large as what is apart from it
}

// ---- compiled graphs

template <std::size_t Count> std::array<float, Count> values(int seed) {
    std::array<float, Count> out{};
    for (std::size_t i = 0; i < Count; ++i) out[i] = std::sin(static_cast<float>(static_cast<int>(i) * 7 + seed));
    return out;
}
host_tensor host(std::span<const float> from, const tensor_type& type) {
    host_tensor out(type);
    std::size_t next = 0;
    for_each_index(sizes_of(type), [&](const int_list& at) { out.put(at, from[next++]); });
    return out;
}
template <const auto& Net, class... Inputs> void agrees(const char* what, const Inputs&... inputs) {
    using Program = compiled<Net>;
    const auto weights = Program::prepare();
    std::vector<std::byte> room(Program::session::bytes + 2 * runtime::memory_alignment, std::byte{0xff});
    void* first = room.data();
    auto left = room.size();
    std::align(runtime::memory_alignment, Program::session::bytes, first, left);
    typename Program::session run{weights, {static_cast<std::byte*>(first), Program::session::bytes}};
    std::vector<host_tensor> given;
    [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
        (given.push_back(host(inputs, Program::template input_port<I>::type)), ...);
    }(std::make_integer_sequence<std::int32_t, sizeof...(Inputs)>{});
    const auto wanted = reference<Net>(given);
    std::size_t k = 0;
    bool same = true;
    std::apply(
        [&](const auto&... output) {
            const auto one = [&](const auto& o) {
                const auto type = std::remove_cvref_t<decltype(o)>::type::type;
                for_each_index(sizes_of(type), [&](const int_list& at) {
                    same = same && is_close(static_cast<double>(o.storage().data()[position_of(type, at)]), wanted[k].template get<double>(at));
                });
                ++k;
            };
            (one(output), ...);
        },
        run(inputs...));
    check(same, what);
    for (std::size_t i = static_cast<std::size_t>(static_cast<std::byte*>(first) - room.data()) + Program::session::bytes; i < room.size(); ++i)
        if (!check(room[i] == std::byte{0xff}, "behind the arena")) return;
}

// b is an input and lies transposed: the product packs it into its workspace, beside a tensor that is read later.
constexpr auto transposed = trace([](input<"x", f32<8, 40>> x, input<"y", f32<48, 40>> y) {
    const auto a = relu(x);
    return outputs(mm(a, t(y)), a);
});
constexpr auto attention = trace([](input<"q", f32<6, 10, 8>> q, input<"k", f32<6, 10, 8>> k) {
    const auto scores = bmm(q, transpose<1, 2>(k));
    return outputs(bmm(softmax<-1>(scores), k), softmax<1>(scores), log_softmax<0>(scores));
});
static_assert(compiled<transposed>::plan.peak_bytes >= (8 * 40 + 8 * 48 + 40 * 32) * 4);

} // namespace

int main() {
    rows_of<dtype::f32, 1>();
    rows_of<dtype::f32, 3>();
    rows_of<dtype::f32, 8>();
    rows_of<dtype::f32, 17>();
    if constexpr (test::every_key) {
        rows_of<dtype::f32, 48>();
        rows_of<dtype::f32, 131>();
        softmax_is_right<device::softmax_key{.type = dtype::f32, .rows = 5, .count = 1500}>(20); // two rows at a time
        rows_of<dtype::f32, 2100>(); // more than a block
        rows_of<dtype::f64, 6>();
        rows_of<dtype::f64, 37>();
    }
    agrees<transposed>("a transposed product", values<8 * 40>(1), values<48 * 40>(2));
    agrees<attention>("attention", values<6 * 10 * 8>(3), values<6 * 10 * 8>(4));
    return test::report();
}
