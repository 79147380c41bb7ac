// SPDX-License-Identifier: MIT
// Layers of the field on one core and split over two, in the same run: TSV, a row a layer.
//     ahead_bench_cores [layer...]
// Exit code 1 where a layer takes more than 1 / 1.8 of its time on one core.
#include "streams.hpp"

#include <string_view>

namespace {

using namespace ahead;
using namespace ahead::rooms;

template <std::int32_t Cores> inline constexpr config on_cores_options{.cores = Cores};
template <std::int32_t Cores>
using on_cores = toolchain<>::with_device<machine::xeon_2core>::with_options<on_cores_options<Cores>>;

template <int N>
inline constexpr auto gemm = trace([](input<"x", f32<N, N>> x, param<"w", f32<N, N>> w) { return outputs(mm(x, w)); });
// 784, 512, 512, 10 for 32 at once.
inline constexpr auto mlp = trace([](input<"x", f32<32, 784>> x, param<"u", f32<784, 512>> u, param<"a", f32<512>> a,
                                     param<"v", f32<512, 512>> v, param<"b", f32<512>> b, param<"w", f32<512, 10>> w) {
    return outputs(mm(relu(addmm(b, relu(addmm(a, x, u)), v)), w));
});
// A residual block of ResNet's first stage, batch norms folded.
inline constexpr auto block = trace([](input<"x", f32<1, 64, 56, 56>> x, param<"v", f32<64, 64, 3, 3>> v,
                                       param<"a", f32<64>> a, param<"w", f32<64, 64, 3, 3>> w, param<"b", f32<64>> b) {
    return outputs(relu(add(conv2d<padding<1, 1>>(relu(conv2d<padding<1, 1>>(x, v, a)), w, b), x)));
});
// What follows attention in a layer of BERT-base, for 128 tokens and for one.
template <int Tokens>
inline constexpr auto feed_forward =
    trace([](input<"x", f32<Tokens, 768>> x, param<"v", f32<768, 3072>> v, param<"a", f32<3072>> a,
             param<"w", f32<3072, 768>> w, param<"b", f32<768>> b, param<"s", f32<768>> s, param<"t", f32<768>> t) {
        return outputs(layer_norm<768>(add(x, addmm(b, gelu(addmm(a, x, v)), w)), s, t));
    });
// Its attention, 12 heads of 64.
inline constexpr auto attention =
    trace([](input<"q", f32<12, 128, 64>> q, input<"k", f32<12, 128, 64>> k, input<"v", f32<12, 128, 64>> v) {
        return outputs(bmm(softmax<2>(mul(bmm(q, permute<0, 2, 1>(k)), 0.125)), v));
    });
inline constexpr auto pointwise =
    trace([](input<"x", f32<1000000>> x, input<"y", f32<1000000>> y) { return outputs(mul(sigmoid(add(x, y)), y)); });

template <const auto& Net> bench::streams_row on_two() {
    using one = compiled<Net, on_cores<1>>;
    using two = compiled<Net, on_cores<2>>;
    const auto make = []<class Program, class Session>() {
        return std::unique_ptr<bench::placed_program<Program, Session>>(
            new auto(bench::placed_at_random<Program, Session>()));
    };
    return bench::timed<one, two>([&] { return make.template operator()<one, typename one::session>(); },
                                  [&] { return make.template operator()<two, threaded_session<two>>(); });
}

} // namespace

int main(int count, char** arguments) {
    const bench::named_row layers[] = {
        {"gemm_512", on_two<gemm<512>>},
        {"gemm_1024", on_two<gemm<1024>>},
        {"mlp_b32", on_two<mlp>},
        {"block", on_two<block>},
        {"ffn_128", on_two<feed_forward<128>>},
        {"ffn_1", on_two<feed_forward<1>>},
        {"attention_128", on_two<attention>},
        {"pointwise_1m", on_two<pointwise>},
    };
    bool ok = true;
    std::puts("layer\tstreams\tone_core_us\tratio\tpredicted");
    for (const auto& [name, run] : layers) {
        bool wanted = count == 1;
        for (int i = 1; i < count; ++i) wanted = wanted || name == arguments[i];
        if (!wanted) continue;
        const auto row = run();
        std::printf("%s\t%d\t%.1f\t%.3f\t%.3f\n", name.c_str(), row.streams, row.in_order_ns / 1000, row.ratio,
                    row.predicted);
        std::fflush(stdout);
        ok = ok && row.ratio <= 1 / 1.8;
    }
    return ok ? 0 : 1;
}
