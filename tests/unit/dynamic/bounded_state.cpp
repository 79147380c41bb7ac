// A step of a decoder: it writes where the position says into a cache that is the session's, and attends to as many positions as are written.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>
#include <ahead/dynamic/bounded/compiled_bounded.hpp>

#include <cmath>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

struct step {
    static constexpr char text[] = R"fx(def forward(self, s0: "Sym(s0)", at: "Sym(s1)", b_cache: "f32[20, 2, 4]", x: "f32[2, 4]", q: "f32[2, 1, 4]"):
    select: "f32[2, 4]" = torch.ops.aten.select.int(b_cache, 0, at)
    copy_: "f32[2, 4]" = torch.ops.aten.copy_.default(select, x)
    slice_1: "f32[s0, 2, 4]" = torch.ops.aten.slice.Tensor(b_cache, 0, 0, s0)
    k: "f32[2, s0, 4]" = torch.ops.aten.transpose.int(slice_1, 0, 1)
    t: "f32[2, 4, s0]" = torch.ops.aten.transpose.int(k, 1, 2)
    bmm: "f32[2, 1, s0]" = torch.ops.aten.bmm.default(q, t)
    softmax: "f32[2, 1, s0]" = torch.ops.aten._softmax.default(bmm, -1, False)
    out: "f32[2, 1, 4]" = torch.ops.aten.bmm.default(softmax, k)
    return (out,)
)fx";
    static constexpr fx_input inputs[] = {{"b_cache", "cache"}};
    static constexpr symbol_value symbols[] = {host_symbol("s1")};
};
using program = compiled_bounded<step, bound<"s0", 20>>;
static_assert(program::accepted && program::program::plan.states == 1);

} // namespace

int main() {
    std::vector<float> cache(20 * 2 * 4, std::nanf("")); // nothing is there yet
    weights given;
    given.add("cache", dtype::f32, {20, 2, 4}, std::as_bytes(std::span(cache)));
    const auto weights = program::prepare(given);
    program::session run{weights};
    for (std::int64_t at = 0; at < 20; ++at) {
        std::vector<float> x(8), q(8);
        for (std::size_t i = 0; i < 8; ++i) {
            x[i] = std::sin(static_cast<float>(8 * at) + static_cast<float>(i));
            q[i] = std::cos(static_cast<float>(3 * at) + static_cast<float>(i));
            cache[static_cast<std::size_t>(8 * at) + i] = x[i];
        }
        const auto [out] = run.at(at + 1, at, x, q);
        bool right = out.size() == 8;
        for (std::size_t h = 0; h < 2; ++h) {
            double sum = 0, wanted[4]{};
            for (std::size_t p = 0; p <= static_cast<std::size_t>(at); ++p) {
                double score = 0;
                for (std::size_t i = 0; i < 4; ++i) score += static_cast<double>(q[4 * h + i] * cache[8 * p + 4 * h + i]);
                sum += std::exp(score);
                for (std::size_t i = 0; i < 4; ++i) wanted[i] += std::exp(score) * static_cast<double>(cache[8 * p + 4 * h + i]);
            }
            for (std::size_t i = 0; i < 4; ++i) right = right && std::fabs(static_cast<double>(out(h, 0, i)) - wanted[i] / sum) < 1e-5;
        }
        check(right, std::to_string(at));
    }
    {
        const auto kept = run.state<"cache">();
        check(std::equal(kept.begin(), kept.end(), cache.begin()));
    }
    const std::vector<float> x(8, 5.f), q(8, 1.f);
    check_fault([&] { run.at(21, 0, x, q); }, fault::size_exceeds_bound);
    check_fault([&] { run.at(3, 20, x, q); }, fault::index_is_out_of_range);
    check(run.state<"cache">()(0, 0, 0) == cache[0], "what was refused has written nothing");
    run.reset();
    check(std::isnan(run.state<"cache">()(0, 0, 0)));
    return report();
}
