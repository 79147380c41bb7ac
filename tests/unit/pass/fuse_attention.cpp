// Two products and the softmax between them become one task: which do, which must not, and that every bit is that of the calls one by one.
// SPDX-License-Identifier: MIT
#include "fused_agreement.hpp"

#include <ahead/runtime/threads/threaded_session.hpp>

using namespace ahead;
using namespace test;

namespace {

inline constexpr config apart_options{.fuse_attention = false};
using apart = toolchain<>::with_options<apart_options>;
inline constexpr machine::device on_two_device = where_meeting_is_free(machine::npu, 2);
inline constexpr config on_two_options{.cores = 2};
using on_two = toolchain<>::with_device<on_two_device>::with_options<on_two_options>;

// As one task beside so many others; in two parts, if it is cut.
// written_out: the softmax is, whose powers are divided by their sum there.
template <const auto& Net> void is_attention(int others, bool cut = true, bool written_out = false, const location& where = location::current()) {
    using one = compiled<Net>;
    using several = compiled<Net, apart>;
    using parts = compiled<Net, on_two>;
    check_equal(tasks_of<one>("npu.attention"), 1, where);
    check_equal(one::plan.run_tasks, 1 + others, where);
    check_equal(tasks_of<several>("npu.attention"), 0, where);
    check_equal(tasks_of<parts>("npu.attention"), cut ? 2 : 1, where);
    const auto given = random_inputs(one::captured());
    const auto wanted = outputs_of<several>(given), made = outputs_of<one>(given);
    bool same = made.size() == wanted.size();
    for (std::size_t i = 0; same && i < made.size(); ++i) same = written_out ? std::fabs(made[i] - wanted[i]) <= 1e-6 : made[i] == wanted[i];
    check(same, "as apart", where);
    check(outputs_of<parts, threaded_session<parts>>(given) == made, "on two cores", where);
    const auto expected = reference<Net>(given);
    std::size_t i = 0;
    bool right = true;
    for (const auto& t : expected)
        for_each_index(sizes_of(t.type), [&](const int_list& at) {
            const auto x = t.template get<double>(at);
            right = right && i < wanted.size() && std::fabs(wanted[i] - x) <= 1e-5 + 1e-4 * std::fabs(x);
            ++i;
        });
    check(right && i == wanted.size(), "as the reference", where);
}
template <const auto& Net> constexpr bool stays = tasks_of<compiled<Net>>("npu.attention") == 0;

// Keys that lie as they are multiplied, and turned; rows that make several blocks of unlike height; values that lie turned.
constexpr auto plain = trace([](input<"q", f32<2, 12, 8>> q, input<"k", f32<2, 8, 20>> k, input<"v", f32<2, 20, 6>> v) { return outputs(bmm(softmax<2>(bmm(q, k)), v)); });
constexpr auto turned = trace([](input<"q", f32<3, 25, 8>> q, input<"k", f32<3, 17, 8>> k, input<"v", f32<3, 5, 17>> v) {
    return outputs(bmm(softmax<-1>(mul(bmm(q, permute<0, 2, 1>(k)), 0.35)), permute<0, 2, 1>(v)));
});
constexpr auto of_f64 = trace([](input<"q", f64<1, 50, 4>> q, input<"k", f64<1, 4, 16>> k, input<"v", f64<1, 16, 4>> v) { return outputs(bmm(softmax<2>(div(bmm(q, k), 3)), v)); });
// Heads: four dims, with a mask of each kind.
template <class Mask> constexpr auto heads = trace([](input<"q", f32<2, 3, 9, 8>> q, input<"k", f32<2, 3, 16, 8>> k, input<"v", f32<2, 3, 16, 4>> v, Mask m) {
    auto scores = mul(matmul(q, transpose<2, 3>(k)), 0.25);
    return outputs(matmul(softmax<-1>(add(scores, m)), v));
});
constexpr auto mask_for_all = heads<input<"m", f32<9, 16>>>;
constexpr auto mask_of_keys = heads<input<"m", f32<2, 1, 1, 16>>>;
constexpr auto mask_by_batch = heads<input<"m", f32<2, 1, 9, 16>>>;
constexpr auto mask_by_head = heads<input<"m", f32<2, 3, 9, 16>>>;
// A mask for each head, whatever the batch.
constexpr auto mask_of_heads = heads<input<"m", f32<1, 3, 9, 16>>>;
constexpr auto mask_of_rows = heads<input<"m", f32<9, 1>>>;
constexpr auto mask_alone = trace([](input<"q", f32<1, 40, 8>> q, input<"k", f32<1, 8, 20>> k, input<"v", f32<1, 20, 6>> v, input<"m", f32<40, 20>> m) {
    return outputs(bmm(softmax<2>(add(m, bmm(q, k))), v));
});
// PyTorch's own word for it, which writes the softmax out.
constexpr auto by_name = trace([](input<"q", f32<1, 2, 96, 8>> q, input<"k", f32<1, 2, 160, 8>> k, input<"v", f32<1, 2, 160, 8>> v) { return outputs(scaled_dot_product_attention(q, k, v)); });
constexpr auto causal = trace([](input<"q", f32<1, 2, 96, 8>> q, input<"k", f32<1, 2, 160, 8>> k, input<"v", f32<1, 2, 160, 8>> v) {
    return outputs(scaled_dot_product_attention(q, k, v, is_causal));
});
template <class Mask> constexpr auto masked = trace([](input<"q", f32<1, 2, 96, 8>> q, input<"k", f32<1, 2, 160, 8>> k, input<"v", f32<1, 2, 160, 8>> v, Mask m) {
    return outputs(scaled_dot_product_attention(q, k, v, m));
});
constexpr auto masked_by_numbers = masked<input<"m", f32<96, 160>>>;
constexpr auto masked_by_bools = masked<input<"m", b8<96, 160>>>;
// What lies between is read again; another dim; another function; a factor behind the mask; few rows, few keys.
constexpr auto kept = trace([](input<"q", f32<2, 12, 8>> q, input<"k", f32<2, 8, 20>> k, input<"v", f32<2, 20, 6>> v) {
    auto weights = softmax<2>(bmm(q, k));
    return outputs(bmm(weights, v), weights);
});
constexpr auto of_columns = trace([](input<"q", f32<2, 16, 8>> q, input<"k", f32<2, 8, 16>> k, input<"v", f32<2, 16, 6>> v) { return outputs(bmm(softmax<1>(bmm(q, k)), v)); });
constexpr auto logarithm = trace([](input<"q", f32<2, 12, 8>> q, input<"k", f32<2, 8, 20>> k, input<"v", f32<2, 20, 6>> v) { return outputs(bmm(log_softmax<2>(bmm(q, k)), v)); });
constexpr auto factor_last = trace([](input<"q", f32<2, 12, 8>> q, input<"k", f32<2, 8, 20>> k, input<"v", f32<2, 20, 6>> v, input<"m", f32<12, 20>> m) {
    return outputs(bmm(softmax<2>(mul(add(bmm(q, k), m), 0.5)), v));
});
constexpr auto one_query = trace([](input<"q", f32<2, 1, 8>> q, input<"k", f32<2, 8, 20>> k, input<"v", f32<2, 20, 6>> v) { return outputs(bmm(softmax<2>(bmm(q, k)), v)); });
constexpr auto few_keys = trace([](input<"q", f32<2, 12, 8>> q, input<"k", f32<2, 8, 5>> k, input<"v", f32<2, 5, 6>> v) { return outputs(bmm(softmax<2>(bmm(q, k)), v)); });
// A number for each row of a softmax that is written out is no mask, however many there are of it.
constexpr auto number_by_row = trace([](input<"q", f32<1, 160, 8>> q, input<"k", f32<1, 8, 160>> k, input<"v", f32<1, 160, 8>> v, input<"m", f32<1, 160, 1>> m) {
    auto scores = add(bmm(q, k), m);
    auto powers = exp(sub(scores, amax<2>(scores, keepdim)));
    return outputs(bmm(div(powers, sum<2>(powers, keepdim)), v));
});
static_assert(stays<number_by_row> && stays<kept> && stays<of_columns> && stays<logarithm> && stays<factor_last> && stays<one_query> && stays<few_keys>);
// The scores of one block are all the memory that it takes.
static_assert(compiled<plain>::plan.peak_bytes < compiled<plain, apart>::plan.peak_bytes);

// A query that sees no key gives zeros, and NaN where its own scores are, or the softmax is not PyTorch's safe one.
void rows_of_nothing() {
    using program = compiled<masked_by_numbers>;
    auto given = random_inputs(program::captured());
    constexpr auto infinity = std::numeric_limits<float>::infinity();
    for (std::int64_t k = 0; k < 160; ++k) given[3].put<float>({5, k}, -infinity);
    given[0].put<float>({0, 0, 7, 0}, std::numeric_limits<float>::quiet_NaN());
    const auto out = outputs_of<program>(given);
    bool zero = true, nan = true, others = true;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto row = i / 8 % 96;
        if (row == 5) zero = zero && out[i] == 0;
        else if (i / 8 == 7) nan = nan && std::isnan(out[i]);
        else others = others && std::isfinite(out[i]);
    }
    check(zero && nan && others);
    using usual = compiled<mask_for_all>;
    auto plain_given = random_inputs(usual::captured());
    for (std::int64_t k = 0; k < 16; ++k) plain_given[3].put<float>({2, k}, -infinity);
    check(std::isnan(outputs_of<usual>(plain_given)[2 * 4]));
}

} // namespace

int main() {
    is_attention<plain>(0);
    is_attention<turned>(0);
    is_attention<of_f64>(0);
    is_attention<mask_for_all>(0);
    is_attention<mask_of_keys>(0);
    is_attention<mask_by_batch>(0);
    is_attention<mask_by_head>(0, false);
    is_attention<mask_of_heads>(0);
    is_attention<mask_of_rows>(0);
    is_attention<mask_alone>(0);
    is_attention<by_name>(0, true, true);
    is_attention<causal>(0, true, true);
    is_attention<masked_by_numbers>(0, true, true);
    is_attention<masked_by_bools>(1, true, true);
    rows_of_nothing();
    return test::report();
}
