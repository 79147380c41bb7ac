// SPDX-License-Identifier: MIT
// Two threads against one, in the same run: TSV, a row a program.
//     ahead_bench_streams [program...]
// Exit code 1 where two independent chains of products of 512 x 512 are less than 1.7 times as fast on two threads, or
// a model takes more than 1.05 times as long as in order.
#include "streams.hpp"

#include <string_view>

namespace {

using namespace ahead;
using namespace ahead::rooms;

inline constexpr auto chains = trace(
    [](input<"x", f32<512, 512>> x, input<"y", f32<512, 512>> y, param<"a", f32<512, 512>> a,
       param<"b", f32<512, 512>> b) { return outputs(mm(mm(mm(mm(x, a), a), a), a), mm(mm(mm(mm(y, b), b), b), b)); });

bench::streams_row two_chains() {
    using one = compiled<chains, bench::spread_here<1>>;
    using two = compiled<chains, bench::spread_here<2>>;
    const auto make = []<class Program, class Session>() {
        return std::unique_ptr<bench::placed_program<Program, Session>>(
            new auto(bench::placed_at_random<Program, Session>()));
    };
    return bench::timed<one, two>([&] { return make.template operator()<one, one::session>(); },
                                  [&] { return make.template operator()<two, threaded_session<two>>(); });
}

} // namespace

int main(int count, char** arguments) {
    const auto wanted = [&](std::string_view name) {
        for (int i = 1; i < count; ++i)
            if (name == arguments[i]) return true;
        return count == 1;
    };
    bool ok = true;
    const auto print = [&](const char* name, const bench::streams_row& row, double limit) {
        std::printf("%s\t%d\t%.1f\t%.3f\t%.3f\n", name, row.streams, row.in_order_ns / 1000, row.ratio, row.predicted);
        std::fflush(stdout);
        ok = ok && row.ratio <= limit;
    };
    std::puts("program\tstreams\tin_order_us\tratio\tpredicted");
    if (wanted("two_chains")) print("two_chains", two_chains(), 1 / 1.7);
    for (const auto& model : bench::rows())
        if (wanted(model.name)) print(model.name.c_str(), model.run(), 1.05);
    return ok ? 0 : 1;
}
