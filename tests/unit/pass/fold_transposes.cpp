// Copies that only put elements in another order go where a neighbour can do without: which do, which must not, and that the numbers are the same.
// SPDX-License-Identifier: MIT
#include "fused_agreement.hpp"

#include <ahead/pass/device/read_through.hpp>
#include <ahead/runtime/threads/threaded_session.hpp>

using namespace ahead;
using namespace test;

namespace {

inline constexpr config kept_options{.fold_transposes = false};
using kept = toolchain<>::with_options<kept_options>;
inline constexpr machine::device on_two_device = where_meeting_is_free(machine::npu, 2);
inline constexpr config on_two_options{.cores = 2};
using on_two = toolchain<>::with_device<on_two_device>::with_options<on_two_options>;

// So many copies before, and after; outputs as with them and as the reference's, on two cores as well.
template <const auto& Net> void absorbs(int before, int after, const location& where = location::current()) {
    using program = compiled<Net>;
    using plain = compiled<Net, kept>;
    using parts = compiled<Net, on_two>;
    check_equal(tasks_of<plain>("npu.copy"), before, where);
    check_equal(tasks_of<program>("npu.copy"), after, where);
    const auto given = random_inputs(program::captured());
    const auto wanted = outputs_of<plain>(given), made = outputs_of<program>(given);
    bool same = made.size() == wanted.size();
    for (std::size_t i = 0; same && i < made.size(); ++i) same = std::fabs(made[i] - wanted[i]) <= 1e-5 + 1e-5 * std::fabs(wanted[i]);
    check(same, "as with copies", where);
    check(outputs_of<parts, threaded_session<parts>>(given) == made, "on two cores", where);
    std::size_t i = 0;
    bool right = true;
    for (const auto& t : reference<Net>(given))
        for_each_index(sizes_of(t.type), [&](const int_list& at) {
            const auto x = t.template get<double>(at);
            right = right && i < made.size() && std::fabs(made[i] - x) <= 1e-5 + 1e-4 * std::fabs(x);
            ++i;
        });
    check(right && i == made.size(), "as the reference", where);
}

// q, k and v of one product, [2, 17, 3 * 2 * 12], as heads.
template <int Which, class A> constexpr auto heads_of(const A& all) { return select<0, Which>(permute<2, 0, 3, 1, 4>(reshape<2, 17, 3, 2, 12>(all))); }
template <class A> constexpr auto beside(const A& heads) { return reshape<2, 17, 24>(transpose<1, 2>(heads)); }

constexpr auto attended = trace([](input<"x", f32<2, 17, 24>> x, param<"w", f32<72, 24>> w, param<"p", f32<24, 24>> p) {
    const auto all = linear(x, w);
    const auto scores = mul(matmul(heads_of<0>(all), transpose<2, 3>(heads_of<1>(all))), 0.25);
    return outputs(linear(beside(matmul(softmax<-1>(scores), heads_of<2>(all))), p));
});
// The same without a softmax: two batches of products.
constexpr auto multiplied = trace([](input<"x", f32<2, 17, 24>> x, param<"w", f32<72, 24>> w, param<"p", f32<24, 24>> p) {
    const auto all = linear(x, w);
    const auto scores = tanh(matmul(heads_of<0>(all), transpose<2, 3>(heads_of<1>(all))));
    return outputs(linear(beside(matmul(scores, heads_of<2>(all))), p));
});
// One image: its heads are cut by rows.
constexpr auto one_image = trace([](input<"x", f32<1, 40, 24>> x, param<"w", f32<72, 24>> w, param<"p", f32<24, 24>> p) {
    const auto all = permute<2, 0, 3, 1, 4>(reshape<1, 40, 3, 2, 12>(linear(x, w)));
    const auto scores = mul(matmul(select<0, 0>(all), transpose<2, 3>(select<0, 1>(all))), 0.25);
    return outputs(linear(reshape<1, 40, 24>(transpose<1, 2>(matmul(softmax<-1>(scores), select<0, 2>(all)))), p));
});
// A mask for each image, for each head.
template <class Mask> constexpr auto masked = trace([](input<"x", f32<2, 17, 24>> x, param<"w", f32<72, 24>> w, param<"p", f32<24, 24>> p, Mask m) {
    const auto all = linear(x, w);
    const auto scores = add(matmul(heads_of<0>(all), transpose<2, 3>(heads_of<1>(all))), m);
    return outputs(linear(beside(matmul(softmax<-1>(scores), heads_of<2>(all))), p));
});
constexpr auto masked_images = masked<input<"m", f32<2, 1, 17, 17>>>;
constexpr auto masked_heads = masked<input<"m", f32<2, 2, 17, 17>>>;
// What a product gives is read turned: the other one of the two is given.
constexpr auto turned = trace([](input<"a", f32<3, 9, 5>> a, input<"b", f32<3, 5, 7>> b) { return outputs(mul(reshape<3, 63>(transpose<1, 2>(bmm(a, b))), 2)); });
// The copy is an output; somebody else reads it; a batch lies in three lists; few columns, turned.
constexpr auto returned = trace([](input<"x", f32<2, 17, 24>> x, input<"y", f32<4, 12, 9>> y) {
    const auto heads = reshape<4, 17, 12>(transpose<1, 2>(reshape<2, 17, 2, 12>(tanh(x))));
    return outputs(bmm(heads, y), heads);
});
constexpr auto read_twice = trace([](input<"x", f32<2, 17, 24>> x, input<"y", f32<4, 12, 9>> y) {
    const auto heads = reshape<4, 17, 12>(transpose<1, 2>(reshape<2, 17, 2, 12>(tanh(x))));
    return outputs(bmm(heads, y), sum<1>(heads));
});
constexpr auto three_lists = trace([](input<"x", f32<2, 5, 3, 2, 2, 8>> x, input<"y", f32<12, 8, 9>> y) {
    return outputs(bmm(reshape<12, 10, 8>(permute<0, 3, 2, 1, 4, 5>(x)), y));
});
constexpr auto few_turned = trace([](input<"a", f32<3, 2, 5>> a, input<"b", f32<3, 5, 7>> b) { return outputs(mul(reshape<3, 14>(transpose<1, 2>(bmm(a, b))), 2)); });
// Copies of copies: two that cancel as far as strides say, and windows.
constexpr auto windows = trace([](input<"x", f32<2, 6, 8, 5>> x, param<"w", f32<5, 5>> w) {
    const auto rows = reshape<2, 48, 5>(permute<0, 2, 1, 3>(x));
    return outputs(linear(reshape<24, 4, 5>(permute<0, 1, 3, 2, 4, 5>(reshape<2, 4, 2, 3, 2, 5>(rows))), w));
});

// Heads are mixed, and the dim of heads is not the innermost one: the weights stand on the left. With a bias, without.
constexpr auto mixed_heads = trace([](input<"x", f32<2, 4, 6, 7>> x, input<"y", f32<2, 5, 6, 7>> y, param<"w", f32<5, 4>> w, param<"b", f32<5>> b) {
    const auto made = linear(permute<0, 2, 3, 1>(tanh(x)), w, b);
    return outputs(mul(y, permute<0, 3, 1, 2>(made)));
});
constexpr auto mixed_tokens = trace([](input<"x", f32<2, 10, 8>> x, input<"y", f32<2, 10, 8>> y, param<"w", f32<10, 10>> w) {
    return outputs(mul(y, transpose<1, 2>(linear(transpose<1, 2>(tanh(x)), w))));
});
constexpr auto one_list = trace([](input<"x", f32<1, 10, 24>> x, param<"w", f32<16, 10>> w, param<"b", f32<16>> b) {
    return outputs(softmax<-1>(transpose<1, 2>(linear(transpose<1, 2>(tanh(x)), w, b))));
});
// Near misses: what follows is more than a bias; an output lies as PyTorch has it; the product's rows are what is wanted.
constexpr auto gated_tokens = trace([](input<"x", f32<2, 10, 8>> x, input<"y", f32<2, 10, 8>> y, param<"w", f32<10, 10>> w) {
    return outputs(mul(y, transpose<1, 2>(gelu(linear(transpose<1, 2>(tanh(x)), w)))));
});
constexpr auto turned_output = trace([](input<"x", f32<2, 10, 8>> x, param<"w", f32<10, 10>> w) { return outputs(transpose<1, 2>(linear(transpose<1, 2>(tanh(x)), w))); });
constexpr auto rows_wanted = trace([](input<"x", f32<2, 10, 8>> x, param<"w", f32<10, 10>> w) { return outputs(softmax<-1>(linear(transpose<1, 2>(tanh(x)), w))); });

// A residual stream that begins with a convolution lies by pixels; norms want rows. Two additions and two norms.
template <class A, class W, class B> constexpr auto norm(const A& x, const W& w, const B& b) { return layer_norm<6>(x, w, b); }
constexpr auto stream = trace([](input<"x", f32<2, 3, 4, 5>> x, param<"c", f32<6, 3, 1, 1>> c, param<"p", f32<1, 20, 6>> p, param<"w", f32<6, 6>> w,
                                 param<"g", f32<6>> g, param<"b", f32<6>> b) {
    const auto first = add(transpose<1, 2>(reshape<2, 6, 20>(conv2d(x, c))), p);
    const auto second = add(first, linear(norm(first, g, b), w));
    return outputs(linear(norm(second, g, b), w));
});
// The stream is an output as well: it stays as PyTorch has it.
constexpr auto stream_returned = trace([](input<"x", f32<2, 3, 4, 5>> x, param<"c", f32<6, 3, 1, 1>> c, param<"p", f32<1, 20, 6>> p, param<"w", f32<6, 6>> w,
                                          param<"g", f32<6>> g, param<"b", f32<6>> b) {
    const auto first = add(transpose<1, 2>(reshape<2, 6, 20>(conv2d(x, c))), p);
    return outputs(linear(norm(first, g, b), w), first);
});

// Some channels of each image, as a convolution reads them: of several taps, pointwise, depthwise, a product. Every other channel, or one image again and again: it copies.
template <class Weight, std::int64_t Step = 1> constexpr auto of_channels = trace([](input<"x", f32<3, 8, 6, 5>> x, Weight w) {
    return outputs(conv2d(slice<1, 2, (Step == 1 ? 6 : 8), Step>(tanh(x)), w));
});
constexpr auto of_some = of_channels<param<"w", f32<5, 4, 3, 3>>>;
constexpr auto of_some_pointwise = of_channels<param<"w", f32<5, 4, 1, 1>>>;
constexpr auto of_some_apart = of_channels<param<"w", f32<5, 3, 3, 3>>, 2>;
constexpr auto of_one_pixel = trace([](input<"x", f32<3, 8, 1, 1>> x, param<"w", f32<5, 4, 1, 1>> w) { return outputs(conv2d(slice<1, 2, 6>(tanh(x)), w)); });
constexpr auto of_one_repeated = trace([](input<"x", f32<1, 4, 6, 5>> x, param<"w", f32<5, 4, 3, 3>> w) { return outputs(conv2d(expand<3, 4, 6, 5>(tanh(x)), w)); });
constexpr auto depthwise_of_some = trace([](input<"x", f32<3, 8, 6, 5>> x, param<"w", f32<4, 1, 3, 3>> w) {
    return outputs(conv2d<padding<1, 1>, groups<4>>(slice<1, 2, 6>(tanh(x)), w));
});

// A copy's dims, read as other dims: whole ones, parts of them, several as one, and what no strides say.
constexpr tensor_type strided_type(std::initializer_list<std::int64_t> sizes, std::initializer_list<std::int64_t> strides) {
    auto out = tensor_of(dtype::f32, int_list(sizes));
    int d = 0;
    for (auto stride : strides) out.strides.at[d++] = stride;
    return out;
}
constexpr auto copied = strided_type({4, 6, 5}, {1, 4, 24});
constexpr bool reads_as(const tensor_type& read, int d, std::initializer_list<pass::detail::stride_run> runs) {
    const pass::detail::copy_reading reading(copied, read);
    pass::detail::stride_runs wanted;
    for (const auto& run : runs) wanted.add(run);
    return reading.ok() && reading.runs(d) == wanted;
}
static_assert(reads_as(tensor_of(dtype::f32, {4, 6, 5}), 1, {{6, 4}}));
static_assert(reads_as(tensor_of(dtype::f32, {24, 5}), 0, {{6, 4}, {4, 1}}));
static_assert(reads_as(tensor_of(dtype::f32, {4, 2, 3, 5}), 1, {{2, 12}}));
static_assert(reads_as(strided_type({3, 4}, {10, 30}), 0, {{3, 8}}));
static_assert(reads_as(tensor_of(dtype::f32, {8, 15}), 1, {{5, 24}, {3, 4}}));
static_assert(!pass::detail::copy_reading(copied, tensor_of(dtype::f32, {20, 6})).ok()); // 5, and one of the next
static_assert(!pass::detail::copy_reading(copied, strided_type({4}, {0})).ok());
static_assert([] {
    auto part = strided_type({4, 2, 5}, {30, 5, 1}); // rows 3 and 4
    part.offset = 15;
    const pass::detail::copy_reading reading(copied, part);
    part.sizes.at[1] = 4; // beyond row 5
    return reading.ok() && reading.offset() == 12 && !pass::detail::copy_reading(copied, part).ok();
}());

} // namespace

int main() {
    absorbs<attended>(4, 0);
    absorbs<multiplied>(4, 0);
    absorbs<one_image>(1, 0);
    absorbs<masked_images>(4, 0);
    absorbs<masked_heads>(4, 0);
    absorbs<turned>(1, 0);
    absorbs<returned>(1, 1);
    absorbs<read_twice>(1, 1);
    absorbs<three_lists>(1, 1);
    absorbs<few_turned>(1, 1);
    absorbs<windows>(2, 1);
    absorbs<mixed_heads>(1, 0);
    absorbs<mixed_tokens>(1, 0);
    absorbs<one_list>(2, 0);
    absorbs<gated_tokens>(1, 1);
    absorbs<rows_wanted>(1, 1);
    absorbs<turned_output>(1, 1);
    absorbs<stream>(2, 0);
    absorbs<stream_returned>(1, 1);
    absorbs<of_some>(1, 0);
    absorbs<of_some_pointwise>(1, 0);
    absorbs<of_some_apart>(1, 1);
    absorbs<of_one_pixel>(1, 0);
    absorbs<of_one_repeated>(1, 1);
    absorbs<depthwise_of_some>(1, 0);
    return test::report();
}
