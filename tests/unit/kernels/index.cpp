// SPDX-License-Identifier: MIT
// Where extremes are, order, what there is so far, and reads and writes at indices: the kernels against naive loops, and compiled graphs against the reference. Ties, NaNs, rows of every length,
// indices that repeat, broadcast, count from the end or are out of range.
#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
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

// ---- where extremes are

/// Few numbers, so that many are equal, both zeros, and, `one_in` of them at random, NaN.
template <class T> void fill(buffer<T>& x, unsigned one_in) {
    for (T& value : x) {
        value = static_cast<T>(test::random_bits() % 7);
        if constexpr (std::is_floating_point_v<T>) {
            if (value == 3) value = -0.0f;
            if (one_in > 0 && test::random_bits() % one_in == 0) value = std::numeric_limits<T>::quiet_NaN();
            if (test::random_bits() % 50 == 0) value = -std::numeric_limits<T>::infinity();
        }
    }
}

template <device::arg_reduce_key Key> void places_are_right() {
    using T = element_t<Key.type>;
    const auto kept = Key.outer * Key.inner;
    for (const unsigned one_in : {0u, 200u, 3u, 1u}) {
        buffer<T> x(kept * Key.count), values(Key.values ? kept : 0);
        buffer<std::int64_t> places(kept);
        fill(x, one_in);
        if constexpr (Key.values) kernels::arg_reduce<Key>(x.data(), places.data(), values.data());
        else kernels::arg_reduce<Key>(x.data(), places.data());
        bool right = true;
        for (std::int64_t o = 0; o < Key.outer; ++o)
            for (std::int64_t i = 0; i < Key.inner; ++i) {
                const auto at = [&](std::int64_t k) { return x[(o * Key.count + k) * Key.inner + i]; };
                std::int64_t best = 0;
                for (std::int64_t k = 1; k < Key.count; ++k)
                    if (aten::beats<Key.largest>(at(k), at(best))) best = k;
                right &= places[o * Key.inner + i] == best;
                if constexpr (Key.values) {
                    const T given = values[o * Key.inner + i], wanted = at(best);
                    right &= given == wanted || (given != given && wanted != wanted);
                }
            }
        check(right, std::to_string(Key.outer) + " x " + std::to_string(Key.count) + " x " + std::to_string(Key.inner));
    }
}
template <dtype Type, bool Largest, bool Values> void places_of() {
    places_are_right<device::arg_reduce_key{Type, Largest, Values, 3, 1, 1}>();
    places_are_right<device::arg_reduce_key{Type, Largest, Values, 21, 10, 1}>();
    places_are_right<device::arg_reduce_key{Type, Largest, Values, 2, 256, 1}>();
    places_are_right<device::arg_reduce_key{Type, Largest, Values, 2, 1301, 1}>();
    places_are_right<device::arg_reduce_key{Type, Largest, Values, 2, 9, 77}>();
}
void extremes_are_found() {
    places_of<dtype::f32, true, true>();
    if constexpr (test::every_key) {
        places_of<dtype::f32, false, false>();
        places_of<dtype::f64, true, false>();
        places_of<dtype::f64, false, true>();
        places_of<dtype::i32, true, false>();
        places_of<dtype::i64, false, true>();
        places_of<dtype::i16, true, true>();
        places_of<dtype::u8, false, false>();
        places_of<dtype::b8, true, true>();
        places_are_right<device::arg_reduce_key{dtype::f32, true, true, 0, 4, 3}>();
        places_are_right<device::arg_reduce_key{dtype::f32, true, true, 2, 3, 0}>();
    }
}

// ---- order

template <device::sort_key Key> void order_is_right() {
    using T = element_t<Key.type>;
    const auto all = Key.outer * Key.count * Key.inner, kept = Key.outer * Key.kept * Key.inner;
    buffer<T> x(all), values(Key.values ? kept : 0);
    buffer<std::int64_t> places(kept);
    buffer<std::byte> work(device::sort::workspace(Key));
    fill(x, all == 0 ? 0 : 20);
    kernels::sort<Key>(x.data(), places.data(), values.data(), work.data());
    bool right = true;
    for (std::int64_t o = 0; o < Key.outer; ++o)
        for (std::int64_t i = 0; i < Key.inner; ++i) {
            std::vector<std::pair<T, std::int64_t>> line;
            for (std::int64_t k = 0; k < Key.count; ++k) line.emplace_back(x[(o * Key.count + k) * Key.inner + i], k);
            const auto before = [](const auto& a, const auto& b) { return Key.descending ? aten::beats<true>(a.first, b.first) : aten::beats<true>(b.first, a.first); };
            if (Key.kind == device::ordering::all)
                std::sort(line.begin(), line.end(), [&](const auto& a, const auto& b) { return before(a, b) || (!before(b, a) && a.second < b.second); });
            else select_first(line.data(), Key.count, Key.kept, Key.kind == device::ordering::first, before);
            for (std::int64_t k = 0; k < Key.kept; ++k) {
                const auto to = (o * Key.kept + k) * Key.inner + i;
                const auto [value, place] = line[static_cast<std::size_t>(k)];
                right &= places[to] == place;
                if constexpr (Key.values)
                    right &= (values[to] == value && std::signbit(static_cast<double>(values[to])) == std::signbit(static_cast<double>(value))) || (value != value && values[to] != values[to]);
            }
        }
    check(right, std::to_string(Key.outer) + " x " + std::to_string(Key.count) + " x " + std::to_string(Key.inner) + " in order");
}
template <dtype Type, bool Descending> void order_of() {
    using enum device::ordering;
    order_is_right<device::sort_key{Type, all, Descending, true, 2, 64, 1, 64}>();
    order_is_right<device::sort_key{Type, all, Descending, false, 2, 300, 3, 300}>();
    order_is_right<device::sort_key{Type, first, Descending, true, 2, 300, 1, 3}>();
    order_is_right<device::sort_key{Type, selected, Descending, true, 1, 40, 2, 7}>();
}
void orders_are_found() {
    order_of<dtype::f32, false>();
    order_of<dtype::f32, true>();
    if constexpr (test::every_key) {
        order_of<dtype::f64, true>();
        order_of<dtype::i64, false>();
        order_of<dtype::i16, true>();
        order_of<dtype::u8, true>();
        order_of<dtype::b8, false>();
        order_is_right<device::sort_key{dtype::f32, device::ordering::all, false, true, 3, 1, 5, 1}>();
        order_is_right<device::sort_key{dtype::f32, device::ordering::all, false, true, 2, 0, 3, 0}>();
        order_is_right<device::sort_key{dtype::f32, device::ordering::first, false, true, 2, 5, 1, 0}>();
    }
}

// A factor may put windows behind the last element: what they weigh is nothing.
void windows_may_be_empty() {
    constexpr device::resize_key key{.type = dtype::f32, .filter = device::resize_filter::antialiased_linear, .factor_bits = std::bit_cast<std::int64_t>(1.0), .outer = 1, .from = 10, .inner = 1, .to = 20};
    buffer<float> x(10), out(20);
    buffer<std::byte> work(device::resize::workspace(key));
    std::fill(x.begin(), x.end(), 1.0f);
    std::fill(work.begin(), work.end(), std::byte{0x7f});
    kernels::resize<key>(x.data(), out.data(), work.data());
    for (std::int64_t i = 0; i < 20; ++i) check(out[i] == (i < 10 ? 1.0f : 0.0f), "element " + std::to_string(i));
}

// ---- what there is so far

template <device::cumulate_key Key> void sums_are_right() {
    using T = element_t<Key.type>;
    const auto all = Key.outer * Key.count * Key.inner;
    buffer<T> x(all), out(all);
    fill(x, all == 0 ? 0 : 100);
    kernels::cumulate<Key>(x.data(), out.data());
    bool right = true;
    for (std::int64_t o = 0; o < Key.outer; ++o)
        for (std::int64_t i = 0; i < Key.inner; ++i) {
            constexpr bool product = Key.kind == device::reduction::product;
            accumulator_t<T> total = product;
            for (std::int64_t k = 0; k < Key.count; ++k) {
                const auto at = (o * Key.count + k) * Key.inner + i;
                total = product ? math::mul(total, static_cast<accumulator_t<T>>(x[at])) : math::add(total, static_cast<accumulator_t<T>>(x[at]));
                const auto wanted = static_cast<T>(total);
                right &= out[at] == wanted || (out[at] != out[at] && wanted != wanted);
            }
        }
    kernels::cumulate<Key>(x.data(), x.data()); // in place
    for (std::int64_t i = 0; i < all; ++i) right &= x[i] == out[i] || (x[i] != x[i] && out[i] != out[i]);
    check(right, std::to_string(Key.outer) + " x " + std::to_string(Key.count) + " x " + std::to_string(Key.inner) + ", so far");
}
template <dtype Type, device::reduction Kind> void sums_of() {
    sums_are_right<device::cumulate_key{Type, Kind, 1, 1, 1}>();
    sums_are_right<device::cumulate_key{Type, Kind, 7, 13, 1}>();
    sums_are_right<device::cumulate_key{Type, Kind, 2, 5, 77}>();
    sums_are_right<device::cumulate_key{Type, Kind, 2, 3, 1100}>(); // in strips
    sums_are_right<device::cumulate_key{Type, Kind, 2, 0, 3}>();
}
void sums_are_found() {
    sums_of<dtype::f32, device::reduction::sum>();
    if constexpr (test::every_key) {
        sums_of<dtype::f32, device::reduction::product>();
        sums_of<dtype::f64, device::reduction::sum>();
        sums_of<dtype::i32, device::reduction::sum>();
        sums_of<dtype::i64, device::reduction::product>();
    }
}

// ---- reads and writes at indices

/// Numbers that are rounded when they are added, some of them NaN; integers are from 0 to 4.
template <class Program, std::int32_t I> auto input_of() {
    constexpr auto type = Program::template input_port<I>::type;
    using T = element_t<type.type>;
    std::array<T, static_cast<std::size_t>(element_count(type))> out{};
    for (T& x : out) {
        const auto bits = test::random_bits();
        if constexpr (std::is_floating_point_v<T>) x = bits % 40 == 0 ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(bits % 1000) / 7;
        else x = static_cast<T>(bits % (std::is_same_v<T, bool> ? 2 : 5));
    }
    return out;
}
template <class Program> auto random_inputs() {
    return []<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
        return std::tuple{input_of<Program, I>()...};
    }(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{});
}
/// What the reference makes of them.
template <class Program> diagnosis expect(const auto& inputs, std::vector<host_tensor>& wanted) {
    std::vector<host_tensor> given;
    [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
        const auto add = [&](const auto& from, const tensor_type& type) {
            given.emplace_back(type);
            std::size_t next = 0;
            for_each_index(sizes_of(type), [&](const int_list& at) { given.back().put(at, from[next++]); });
        };
        (add(std::get<I>(inputs), Program::template input_port<I>::type), ...);
    }(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{});
    diagnosis d;
    interpret<aten::registry>(Program::captured(), given, wanted, d);
    return d;
}
template <class Source> void agrees(const char* what) {
    using program = compiled<fx<Source>>;
    static_assert(program::plan.ai_cpu_tasks == 0);
    const auto weights = program::prepare();
    typename program::session run{weights};
    for (int round = 0; round < 3; ++round) {
        const auto inputs = random_inputs<program>();
        std::vector<host_tensor> wanted;
        if (const auto d = expect<program>(inputs, wanted); !check(d.ok(), std::string(what) + ": " + render(d))) return;
        std::size_t k = 0;
        const auto compare = [&](const auto& output) {
            using T = typename std::remove_cvref_t<decltype(output)>::element;
            const auto type = std::remove_cvref_t<decltype(output)>::type::type;
            bool same = true;
            for_each_index(sizes_of(type), [&](const int_list& at) {
                const auto got = output.storage().data()[position_of(type, at)], all = wanted[k].template get<T>(at);
                same = same && (got == all || (got != got && all != all));
            });
            check(same, std::string(what) + ", output " + std::to_string(k++));
        };
        std::apply([&](const auto&... in) { std::apply([&](const auto&... out) { (compare(out), ...); }, run(in...)); }, inputs);
    }
}
#define GRAPH(name, inputs, lines, results)                                                                                                            \
    struct name {                                                                                                                                      \
        static constexpr std::string_view text = "def forward(self, " inputs "):\n" lines "    return (" results ")\n";                              \
    };
#define LINE(out, call) "    " out " = torch.ops.aten." call "\n"

// Dims of each kind, indices that are broadcast by views, an index smaller than self and source, strided self, numbers, nothing.
GRAPH(reads, "x : f32[5, 7, 6], i : i64[5, 3, 6], j : i32[2, 7, 4], k : i64[5, 1, 1], n : i64[], s : f64[6], e : f32[5, 0], z : i64[3, 0], m : i64[4]",
      LINE("a", "gather.default(x, 1, i)") LINE("b", "gather.default(x, -1, j)") LINE("w", "expand.default(k, [5, 7, 6])") LINE("c", "gather.default(x, 0, w)")
      LINE("p", "permute.default(x, [2, 0, 1])") LINE("d", "gather.default(p, 1, j)") LINE("f", "gather.default(s, 0, n)") LINE("g", "gather.default(e, 0, z)")
      LINE("h", "take.default(p, i)") LINE("q", "index.Tensor(x, [k, None, m])") LINE("r", "index.Tensor(p, [m, m, m])") LINE("t", "index.Tensor(p, [None, m, m])")
      LINE("u", "sub.Tensor(m, 5)") LINE("v", "index.Tensor(x, [m, u])"), "a, b, c, d, f, g, h, q, r, t, v")

GRAPH(along, "x : f32[5, 7, 6], i : i64[5, 9, 6], s : f32[6, 9, 6], k : i32[5, 1, 6], n : i64[1], y : f32[6], t : f32[1], e : f32[0, 5], z : i64[0, 3], v : f32[0, 4], b : b8[5, 7, 6], c : b8[5, 9, 6]",
      LINE("a", "scatter_add.default(x, 1, i, s)") LINE("d", "scatter.src(x, -2, i, s)") LINE("w", "expand.default(k, [5, 9, 6])") LINE("f", "scatter_add.default(x, 1, w, s)")
      LINE("p", "permute.default(x, [0, 2, 1])") LINE("q", "permute.default(i, [0, 2, 1])") LINE("r", "permute.default(s, [0, 2, 1])") LINE("g", "scatter_add.default(p, 2, q, r)")
      LINE("h", "scatter_add.default(y, 0, n, t)") LINE("l", "scatter_add.default(e, 1, z, v)") LINE("m", "scatter.src(b, 1, i, c)") LINE("o", "scatter_add.default(b, 1, i, c)")
      LINE("u", "scatter_reduce.two(x, 1, i, s, 'amax')") LINE("aa", "scatter_reduce.two(x, 1, i, s, 'amin')") LINE("ab", "scatter_reduce.two(x, 1, i, s, 'prod')")
      LINE("ac", "scatter_reduce.two(x, 1, i, s, 'sum')"), "a, d, f, g, h, l, m, o, u, aa, ab, ac")

// Slices of rows, of single elements, of a number; added to what is computed, and to what is read beside it.
GRAPH(slices, "x : f32[5, 7, 33], i : i64[9], s : f32[9, 7, 33], j : i32[4], t : f32[5, 4, 33], n : i64[], u : f32[5, 7, 1], y : i64[6], k : i64[6], v : f32[5, 7, 5], w : f32[4, 7, 5]",
      LINE("a", "index_add.default(x, 0, i, s)") LINE("b", "index_add.default(x, -2, j, t, alpha = -0.5)") LINE("c", "index_add.default(x, 2, n, u)")
      LINE("d", "index_add.default(y, 0, k, y, alpha = 9007199254740993)") LINE("f", "neg.default(v)") LINE("g", "index_add.default(f, 0, j, w)") LINE("h", "neg.default(y)")
      LINE("l", "index_add.default(h, 0, k, h)") LINE("o", "transpose.int(v, 0, 2)") LINE("p", "slice.Tensor(o, 2, 1, 5)") LINE("q", "index_add.default(o, 2, j, p)"),
      "a, b, c, d, g, l, q")

// Two indices that broadcast, with a None before, between and behind; sums; an index that is a number; an order of dims that is not row-major; what broadcasts.
GRAPH(puts_at, "x : f32[2, 3, 8, 8], i : i64[3, 2, 1, 1], j : i64[3, 2], s : f32[2, 3, 3, 2, 3, 2], y : f64[5, 6, 5], k : i64[4], l : i32[3, 1], v : f64[3, 4, 6], n : i64[], u : f64[6], b : b8[5, 5], m : b8[4], e : i64[0], q : f64[0, 6], f : i8[5, 5], g : i8[4]",
      LINE("a", "index_put.default(x, [None, None, i, j], s, True)") LINE("c", "index_put.default(y, [l, None, k], v)") LINE("d", "index_put.default(y, [l, None, k], v, True)")
      LINE("h", "index_put.default(y, [n, None, k], u, True)") LINE("o", "index_put.default(b, [k, k], m)") LINE("p", "index_put.default(b, [k, k], m, True)")
      LINE("r", "permute.default(y, [2, 0, 1])") LINE("t", "index_put.default(r, [k, k], u, True)") LINE("w", "index_put.default(y, [e, None, e], q)")
      LINE("z", "sub.Tensor(k, 5)") LINE("aa", "index_put.default(y, [z, None, k], u)") LINE("ab", "index_put.default(f, [k, z], g, True)"), "a, c, d, h, o, p, t, w, aa, ab")


// ---- indices out of range

GRAPH(bad_gather, "x : f32[5, 3], i : i64[2, 3]", LINE("r", "gather.default(x, 0, i)"), "r,")
GRAPH(bad_take, "x : f32[5, 3], i : i64[2, 3]", LINE("r", "take.default(x, i)"), "r,")
GRAPH(bad_index, "x : f32[5, 3], i : i64[2, 1], j : i32[2]", LINE("r", "index.Tensor(x, [i, j])") LINE("y", "index.Tensor(x, [j, j])"), "r, y")
GRAPH(bad_scatter, "x : f32[5, 3], i : i64[2, 3], s : f32[2, 3]", LINE("n", "neg.default(x)") LINE("r", "scatter_add.default(n, 0, i, s)"), "r,")
GRAPH(bad_copy, "x : f32[5, 3], i : i64[2], s : f32[2, 3]", LINE("r", "index_copy.default(x, 0, i, s)"), "r,")
GRAPH(bad_add, "x : f32[5, 3], i : i64[3], s : f32[5, 3]", LINE("r", "index_add.default(x, 1, i, s)"), "r,")
GRAPH(bad_put, "x : f32[5, 3], i : i64[2, 1], j : i64[3], s : f32[2, 3]", LINE("r", "index_put.default(x, [i, j], s, True)"), "r,")

/// One index after the other is one that is out of range: refused in the words of the reference.
template <class Source> void refuses(const char* what) {
    using program = compiled<fx<Source>>;
    static_assert(program::plan.ai_cpu_tasks == 0);
    const auto weights = program::prepare();
    typename program::session run{weights};
    const auto zeros = [&] {
        auto inputs = random_inputs<program>();
        std::apply([](auto&... each) { (each.fill(0), ...); }, inputs);
        return inputs;
    };
    int refused = 0;
    for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{-6}, std::int64_t{-16}, std::int64_t{3}, std::int64_t{5}, std::int64_t{15}, std::int64_t{1} << 31}) {
        const auto one = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
            for (std::size_t at = 0; at < std::get<I>(zeros()).size(); ++at) {
                auto inputs = zeros();
                using T = typename std::remove_cvref_t<decltype(std::get<I>(inputs))>::value_type;
                if constexpr (std::is_integral_v<T>) {
                    std::get<I>(inputs)[at] = static_cast<T>(bad);
                    std::vector<host_tensor> wanted;
                    const auto expected = expect<program>(inputs, wanted);
                    const auto got = std::apply([&](const auto&... in) { return run.try_run(in...); }, inputs);
                    check(got.ok() == expected.ok() && (got.ok() || render(got.why()) == render(expected)), std::string(what) + ": " + (got.ok() ? "is taken" : render(got.why())) + " where the reference says " + render(expected));
                    refused += !got.ok();
                }
            }
        };
        [&]<std::size_t... I>(std::index_sequence<I...>) { (one(std::integral_constant<std::size_t, I>{}), ...); }(std::make_index_sequence<program::plan.inputs>{});
    }
    check(refused >= 6, what);
}

/// What is written where it lies is as it was where an index is out of range.
struct refused_state {
    static constexpr std::string_view text = "def forward(self, x : f32[5, 4], i : i64[3], s : f32[3, 4]):\n"
                                             "    add = torch.ops.aten.index_add_.default(x, 0, i, s)\n    all = torch.ops.aten.sum.default(x)\n    return (all,)\n";
    static constexpr fx_input inputs[] = {{"x", "x"}};
};
void nothing_is_written() {
    using program = compiled<fx<refused_state>>;
    static_assert(program::plan.ai_cpu_tasks == 0 && program::plan.states_written_in_place == 1);
    std::array<float, 20> ones{};
    ones.fill(1);
    weights given;
    given.add("x", dtype::f32, {5, 4}, std::as_bytes(std::span(ones)));
    const auto prepared = program::prepare(given);
    program::session run{prepared};
    std::array<float, 12> source{};
    source.fill(0.5f);
    check(!run.try_run(std::array<std::int64_t, 3>{0, 1, 5}, source).ok() && !run.try_run(std::array<std::int64_t, 3>{0, -1, 2}, source).ok(), "indices out of range");
    {
        const auto unwritten = run.state<"x">();
        for (float x : unwritten.elements()) check(x == 1, "nothing was written");
    }
    check(run.try_run(std::array<std::int64_t, 3>{2, 4, 2}, source).ok(), "indices in range");
    const auto x = run.state<"x">();
    for (std::int64_t row = 0; row < 5; ++row)
        for (std::int64_t column = 0; column < 4; ++column) check(x(row, column) == (row == 2 ? 2 : row == 4 ? 1.5f : 1), "what was added, and nothing else");
}

} // namespace

int main() {
    extremes_are_found();
    sums_are_found();
    orders_are_found();
    windows_may_be_empty();
    agrees<reads>("reads");
    agrees<along>("writes along a dim");
    agrees<slices>("slices added");
    agrees<puts_at>("writes at a list of indices");
    refuses<bad_gather>("gather");
    refuses<bad_take>("take");
    refuses<bad_index>("index");
    refuses<bad_scatter>("scatter_add");
    refuses<bad_copy>("index_copy");
    refuses<bad_add>("index_add");
    refuses<bad_put>("index_put");
    nothing_is_written();
    return test::report();
}
