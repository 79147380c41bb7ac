// SPDX-License-Identifier: MIT
// cat, stack, embedding, index_select, index, index_copy and index_put on the device against the reference, exactly: every dtype that runs, every dim, operands that are
// slices, permuted, broadcast, empty or constant; none of it on the AI CPU. An index out of range is refused, whatever lies behind the table.
#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

#include <array>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "harness.hpp"
#include "reference.hpp"
#include "unit/kernel_buffer.hpp"

using namespace ahead;
using namespace ahead::rooms;

using test::check;

namespace {

template <class Program>
constexpr int tasks_of(std::string_view target) {
    int count = 0;
    const auto g = Program::lowered_graph();
    for (node_id id : g)
        if (g[id].kind == node_kind::call && g[id].target == target) ++count;
    return count;
}
template <class Program>
constexpr bool runs_on_kernels() {
    return Program::plan.ai_cpu_tasks == 0;
}

/// Small numbers at random; integers are from 0 to 4.
template <class Program, std::int32_t I>
auto input_of() {
    constexpr auto type = Program::template input_port<I>::type;
    using T = element_t<type.type>;
    std::array<T, static_cast<std::size_t>(element_count(type))> out{};
    for (T& x : out) x = static_cast<T>(test::random_bits() % (std::is_same_v<T, bool> ? 2 : 5));
    return out;
}
template <class Program>
void agrees(const char* what) {
    static_assert(runs_on_kernels<Program>());
    const auto weights = Program::prepare();
    typename Program::session run{weights};
    [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
        const auto inputs = std::tuple{input_of<Program, I>()...};
        std::vector<host_tensor> given, wanted;
        const auto add = [&](const auto& from, const tensor_type& type) {
            given.emplace_back(type);
            std::size_t next = 0;
            for_each_index(sizes_of(type), [&](const int_list& at) { given.back().put(at, from[next++]); });
        };
        (add(std::get<I>(inputs), Program::template input_port<I>::type), ...);
        diagnosis d;
        check(interpret<aten::registry>(Program::captured(), given, wanted, d), what);
        std::size_t k = 0;
        bool same = true;
        const auto compare = [&](const auto& output) {
            using T = std::remove_cvref_t<decltype(output)>::element;
            const auto type = std::remove_cvref_t<decltype(output)>::type::type;
            for_each_index(sizes_of(type), [&](const int_list& at) {
                same = same && output.storage().data()[position_of(type, at)] == wanted[k].template get<T>(at);
            });
            ++k;
        };
        std::apply([&](const auto&... output) { (compare(output), ...); }, run(std::get<I>(inputs)...));
        check(same, what);
    }
    (std::make_integer_sequence<std::int32_t, Program::plan.inputs>{});
}

// ---- cat and stack

template <template <std::int64_t...> class T>
constexpr auto joined = trace([](input<"x", T<2, 3, 4>> x, input<"y", T<2, 5, 4>> y, input<"z", T<2, 1, 4>> z,
                                 input<"nothing", T<0>> nothing) {
    return outputs(cat<1>(x, y, z), cat<-2>(z, x), cat<0>(x, x), cat<2>(tensors(x, x, x, x, x)), cat<1>(x, nothing, y),
                   stack<0>(tensors(x, x)), stack<1>(tensors(x, x, x)), stack<-1>(tensors(x, x)));
});
using joined_f32 = compiled<joined<f32>>;
static_assert(tasks_of<joined_f32>("npu.concat") == 8);

// Parts that do not lie in row-major order: permuted, cut out, spread over a dim, turned; as large as a tile that is turned in registers.
constexpr auto strided_parts = trace([](input<"x", f32<5, 19, 17>> x, input<"row", f32<1, 17>> row, input<"whole", f32<5, 17, 19>> whole) {
    const auto turned = transpose<1, 2>(x);
    return outputs(cat<1>(turned, whole), cat<2>(whole, turned),
                   cat<0>(expand<3, 17>(row), slice<0, 1, 4>(permute<1, 0>(slice<0, 0, 17>(select<0, 2>(turned))))),
                   stack<1>(tensors(turned, whole)), stack<2>(tensors(slice<1, 0, 19, 2>(x), slice<1, 0, 19, 2>(x))));
});

struct with_constants {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 3]"):
        ones: "f32[2, 3]" = torch.ops.aten.full.default([2, 3], 1.0)
        cat: "f32[2, 6]" = torch.ops.aten.cat.default([ones, ones], 1)
        cat_1: "f32[2, 6]" = torch.ops.aten.cat.default([arg0_1, ones], 1)
        cat_2: "f32[4, 6]" = torch.ops.aten.cat.default([cat, cat_1])
        return (cat_2,)
)";
};
static_assert(compiled<fx<with_constants>>::plan.run_tasks == 2); // prepare joins the constants

// ---- embedding

struct table_of_f32 {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[5, 7]", arg1_1: "i64[2, 3]", arg2_1: "i32[4]", arg3_1: "i64[]", arg4_1: "f32[7, 5]", arg5_1: "i64[0]"):
        embedding: "f32[2, 3, 7]" = torch.ops.aten.embedding.default(arg0_1, arg1_1)
        embedding_1: "f32[4, 7]" = torch.ops.aten.embedding.default(arg0_1, arg2_1)
        embedding_2: "f32[7]" = torch.ops.aten.embedding.default(arg0_1, arg3_1)
        t: "f32[5, 7]" = torch.ops.aten.t.default(arg4_1)
        t_1: "i64[3, 2]" = torch.ops.aten.t.default(arg1_1)
        embedding_3: "f32[3, 2, 7]" = torch.ops.aten.embedding.default(t, t_1)
        embedding_4: "f32[0, 7]" = torch.ops.aten.embedding.default(arg0_1, arg5_1)
        return (embedding, embedding_1, embedding_2, embedding_3, embedding_4)
)";
};
struct table_of_i64 {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "i64[5, 3]", arg1_1: "i64[2]", arg2_1: "f64[6, 2]", arg3_1: "b8[5, 1]"):
        embedding: "i64[2, 3]" = torch.ops.aten.embedding.default(arg0_1, arg1_1)
        embedding_1: "f64[2, 2]" = torch.ops.aten.embedding.default(arg2_1, arg1_1)
        embedding_2: "b8[2, 1]" = torch.ops.aten.embedding.default(arg3_1, arg1_1)
        return (embedding, embedding_1, embedding_2)
)";
};
// Rows and columns of an image; a window's; one dim; indices from the end; a table by columns.
struct indexed {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 3, 5, 6]", arg1_1: "i64[4, 1]", arg2_1: "i64[3]", arg3_1: "i32[2, 3, 1, 1]", arg4_1: "i32[2, 2]", arg5_1: "i64[]", arg6_1: "f32[6, 5]", arg7_1: "i64[0]"):
        _unsafe_index: "f32[2, 3, 4, 3]" = torch.ops.aten._unsafe_index.Tensor(arg0_1, [None, None, arg1_1, arg2_1])
        index: "f32[2, 3, 2, 3, 2, 2]" = torch.ops.aten.index.Tensor(arg0_1, [None, None, arg3_1, arg4_1])
        sub: "i64[3]" = torch.ops.aten.sub.Tensor(arg2_1, 5)
        index_2: "f32[2, 3, 5, 3]" = torch.ops.aten.index.Tensor(arg0_1, [None, None, None, sub])
        index_3: "f32[3]" = torch.ops.aten.index.Tensor(arg6_1, [arg5_1, sub])
        t: "f32[5, 6]" = torch.ops.aten.t.default(arg6_1)
        index_4: "f32[2, 2, 6]" = torch.ops.aten.index.Tensor(t, [arg4_1])
        index_5: "f32[2, 3, 0, 6]" = torch.ops.aten.index.Tensor(arg0_1, [None, None, arg7_1])
        index_select: "f32[5, 3]" = torch.ops.aten.index_select.default(t, -1, arg2_1)
        index_select_1: "f32[2, 3, 1, 6]" = torch.ops.aten.index_select.default(arg0_1, 2, arg5_1)
        return (_unsafe_index, index, index_2, index_3, index_4, index_5, index_select, index_select_1)
)";
};
// Along each dim; values that broadcast; indices that repeat, count from the end, or are a number; a self by columns; nothing at all.
struct written {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[5, 5, 6]", arg1_1: "i64[3]", arg2_1: "f32[3, 5, 6]", arg3_1: "f32[5, 3, 6]", arg4_1: "f32[5, 5, 1]", arg5_1: "i64[]", arg6_1: "f32[5, 1]", arg7_1: "b8[5]", arg8_1: "b8[3]", arg9_1: "i64[0]", arg10_1: "i32[3]", arg11_1: "f32[6, 1]"):
        index_copy: "f32[5, 5, 6]" = torch.ops.aten.index_copy.default(arg0_1, 0, arg1_1, arg2_1)
        index_copy_1: "f32[5, 5, 6]" = torch.ops.aten.index_copy.default(index_copy, -2, arg1_1, arg3_1)
        index_copy_2: "b8[5]" = torch.ops.aten.index_copy.default(arg7_1, 0, arg1_1, arg8_1)
        index_put: "f32[5, 5, 6]" = torch.ops.aten.index_put.default(arg0_1, [arg1_1], arg2_1)
        sub: "i64[3]" = torch.ops.aten.sub.Tensor(arg1_1, 5)
        index_put_1: "f32[5, 5, 6]" = torch.ops.aten.index_put.default(arg0_1, [None, sub], arg3_1)
        index_put_2: "f32[5, 5, 6]" = torch.ops.aten.index_put.default(arg0_1, [None, None, arg5_1], arg6_1)
        permute: "f32[6, 5, 5]" = torch.ops.aten.permute.default(arg0_1, [2, 0, 1])
        index_put_3: "f32[6, 5, 5]" = torch.ops.aten.index_put.default(permute, [None, arg5_1], arg11_1)
        slice_1: "f32[6, 0, 5]" = torch.ops.aten.slice.Tensor(permute, 1, 0, 0)
        index_copy_3: "f32[6, 5, 5]" = torch.ops.aten.index_copy.default(permute, 1, arg9_1, slice_1)
        index_put_5: "f32[5, 5, 6]" = torch.ops.aten.index_put.default(arg0_1, [None, None, arg10_1], arg4_1)
        return (index_copy_1, index_copy_2, index_put, index_put_1, index_put_2, index_put_3, index_copy_3, index_put_5)
)";
};
// Into a part of a tensor, which is read behind it: a slice, one of several, what lies apart and is written as before.
struct written_back {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[4, 5, 6]", arg1_1: "i64[2]", arg2_1: "f32[2, 2, 6]", arg3_1: "f32[2, 6]", arg4_1: "f32[4, 2, 2]"):
        slice_1: "f32[2, 5, 6]" = torch.ops.aten.slice.Tensor(arg0_1, 0, 1, 3)
        index_put: "f32[2, 5, 6]" = torch.ops.aten.index_put.default(slice_1, [None, arg1_1], arg2_1)
        slice_scatter: "f32[4, 5, 6]" = torch.ops.aten.slice_scatter.default(arg0_1, index_put, 0, 1, 3)
        neg: "f32[2, 5, 6]" = torch.ops.aten.neg.default(index_put)
        select: "f32[5, 6]" = torch.ops.aten.select.int(arg0_1, 0, 3)
        index_copy: "f32[5, 6]" = torch.ops.aten.index_copy.default(select, 0, arg1_1, arg3_1)
        select_scatter: "f32[4, 5, 6]" = torch.ops.aten.select_scatter.default(arg0_1, index_copy, 0, 3)
        slice_2: "f32[4, 5, 2]" = torch.ops.aten.slice.Tensor(arg0_1, 2, 1, 3)
        index_copy_1: "f32[4, 5, 2]" = torch.ops.aten.index_copy.default(slice_2, 1, arg1_1, arg4_1)
        slice_scatter_1: "f32[4, 5, 6]" = torch.ops.aten.slice_scatter.default(arg0_1, index_copy_1, 2, 1, 3)
        slice_3: "f32[2, 5, 6]" = torch.ops.aten.slice.Tensor(arg0_1, 0, 0, 2)
        index_put_1: "f32[2, 5, 6]" = torch.ops.aten.index_put.default(slice_3, [None, arg1_1], arg2_1)
        slice_scatter_2: "f32[4, 5, 6]" = torch.ops.aten.slice_scatter.default(arg0_1, index_put_1, 0, 2, 4)
        return (slice_scatter, neg, select_scatter, slice_scatter_1, slice_scatter_2)
)";
};
static_assert(tasks_of<compiled<fx<written_back>>>("npu.scatter") == 4 && tasks_of<compiled<fx<written_back>>>("npu.scatter_view") == 2);
// A cache of keys: a step writes one position of its first rows where it lies, and reads them all.
struct cache_step {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, cache: "f32[4, 2, 64, 8]", q: "f32[2, 2, 1, 8]", k: "f32[2, 2, 1, 8]", position: "i64[1]"):
        slice_1: "f32[2, 2, 64, 8]" = torch.ops.aten.slice.Tensor(cache, 0, 0, 2)
        index_put_: "f32[2, 2, 64, 8]" = torch.ops.aten.index_put_.default(slice_1, [None, None, position], k)
        transpose: "f32[2, 2, 8, 64]" = torch.ops.aten.transpose.int(slice_1, 2, 3)
        matmul: "f32[2, 2, 1, 64]" = torch.ops.aten.matmul.default(q, transpose)
        return (matmul,)
)";
    static constexpr fx_input inputs[] = {{"cache", "cache"}};
};
void a_cache_is_written_where_it_lies() {
    using program = compiled<fx<cache_step>>;
    static_assert(runs_on_kernels<program>() && program::plan.run_tasks == 2 && program::plan.states_written_in_place == 1);
    static_assert(program::plan.peak_bytes == 2 * 2 * 64 * 4); // the result alone
    std::array<float, 4 * 2 * 64 * 8> zeros{};
    weights given;
    given.add("cache", dtype::f32, {4, 2, 64, 8}, std::as_bytes(std::span(zeros)));
    const auto prepared = program::prepare(given);
    program::session run{prepared};
    std::array<float, 32> q{}, k{};
    for (std::int64_t at : {3, 60, -1}) {
        q.fill(1.0f), k.fill(static_cast<float>(at));
        run(q, k, std::array<std::int64_t, 1>{at});
    }
    k.fill(0);
    const auto [y] = run(q, k, std::array<std::int64_t, 1>{0});
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t p = 0; p < 64; ++p)
            check(y.data()[64 * row + p] == (p == 3 ? 24 : p == 60 ? 480 : p == 63 ? -8 : 0), "what was written, and nothing else");
    const auto cache = run.state<"cache">();
    for (std::size_t i = 2 * 2 * 64 * 8; i < zeros.size(); ++i) check(cache.data()[i] == 0, "other rows are as they were");
}
void writes_are_checked() {
    using program = compiled<fx<cache_step>>;
    std::array<float, 4 * 2 * 64 * 8> ones{};
    ones.fill(1);
    weights given;
    given.add("cache", dtype::f32, {4, 2, 64, 8}, std::as_bytes(std::span(ones)));
    const auto prepared = program::prepare(given);
    program::session run{prepared};
    for (const std::int64_t bad : {std::int64_t{64}, std::int64_t{-65}, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
        const auto refused = run.try_run(std::array<float, 32>{}, std::array<float, 32>{}, std::array<std::int64_t, 1>{bad});
        check(!refused.ok() && refused.why().what == fault::index_is_out_of_range && refused.why().op.view() == "aten.index_put.default" &&
                  refused.why().line == 5,
              "an index out of range");
    }
    const auto cache = run.state<"cache">();
    for (float x : cache.elements()) check(x == 1, "nothing was written");
}

struct two_lookups {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[5, 7]", arg1_1: "i64[2]", arg2_1: "i64[2]"):
        embedding: "f32[2, 7]" = torch.ops.aten.embedding.default(arg0_1, arg1_1)
        embedding_1: "f32[2, 7]" = torch.ops.aten.embedding.default(arg0_1, arg2_1)
        return (embedding, embedding_1)
)";
};

struct one_dim {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[5, 7]", arg1_1: "i64[2]"):
        index: "f32[5, 2]" = torch.ops.aten.index.Tensor(arg0_1, [None, arg1_1])
        return (index,)
)";
};

// From the end, too, but no further.
void indices_may_count_from_the_end() {
    using program = compiled<fx<one_dim>>;
    const auto weights = program::prepare();
    program::session run{weights};
    std::array<float, 35> table{};
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i);
    {
        const auto [out] = run(table, std::array<std::int64_t, 2>{-7, -1});
        for (std::size_t i = 0; i < 5; ++i)
            check(out.data()[2 * i] == table[7 * i] && out.data()[2 * i + 1] == table[7 * i + 6], "from the end");
    }
    for (const std::int64_t bad : {std::int64_t{7}, std::int64_t{-8}}) {
        bool refused = false;
        try {
            static_cast<void>(run(table, std::array<std::int64_t, 2>{1, bad}));
        } catch (const error& e) {
            refused = e.what_happened.what == fault::index_is_out_of_range && e.what_happened.op.view() == "aten.index.Tensor" &&
                      e.what_happened.expected.view() == (bad < 0 ? "an index from -7 on" : "an index below 7");
        }
        check(refused, "an index out of range");
    }
}

void indices_are_checked() {
    using program = compiled<fx<two_lookups>>;
    const auto weights = program::prepare();
    program::session run{weights};
    const std::array<float, 35> table{};
    const std::array<std::int64_t, 2> good{4, 0};
    for (const std::int64_t bad :
         {std::int64_t{5}, std::int64_t{-1}, std::int64_t{-6}, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
        bool refused = false;
        try {
            static_cast<void>(run(table, good, std::array<std::int64_t, 2>{1, bad}));
        } catch (const error& e) {
            refused = e.what_happened.what == fault::index_is_out_of_range && e.what_happened.line == 5 &&
                      e.what_happened.op.view() == "aten.embedding.default";
        }
        check(refused, "an index out of range");
    }
}

} // namespace

int main() {
    agrees<joined_f32>("f32");
    if constexpr (test::every_key) {
        agrees<compiled<joined<f64>>>("f64");
        agrees<compiled<joined<i64>>>("i64");
        agrees<compiled<joined<i32>>>("i32");
        agrees<compiled<joined<b8>>>("b8");
    }
    agrees<compiled<strided_parts>>("strided parts");
    agrees<compiled<fx<with_constants>>>("constants");
    agrees<compiled<fx<table_of_f32>>>("rows of f32");
    agrees<compiled<fx<table_of_i64>>>("rows of i64, f64 and b8");
    agrees<compiled<fx<indexed>>>("indices");
    agrees<compiled<fx<written>>>("slices written");
    agrees<compiled<fx<written_back>>>("slices written into a part");
    a_cache_is_written_where_it_lies();
    writes_are_checked();
    indices_are_checked();
    indices_may_count_from_the_end();
    return test::report();
}
