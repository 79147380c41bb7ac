// SPDX-License-Identifier: MIT
// What whole models take beyond their weights: the arena, within 5 % of the largest set of bytes alive at once; workspace; and the
// caller's stack, measured by running on a painted one. Prints `model peak live constant workspace stack`, in bytes.
#include <ahead/ahead.hpp>

#include "harness.hpp"

#include <cstdio>
#include <string>
#include <ucontext.h>
#include <vector>

using namespace ahead;
using namespace ahead::rooms;
using test::check;

namespace {

struct digits_text {
    static constexpr std::string_view text =
#include "digits.fx"
        ;
};
struct silero_vad_text {
    static constexpr std::string_view text =
#include "silero_vad.fx"
        ;
};
using digits = compiled<fx<digits_text>>;
using silero_vad = compiled<fx<silero_vad_text>>;

template <class Program>
constexpr bool is_tight() {
    constexpr const auto& plan = Program::plan;
    return 100 * plan.peak_bytes <= 105 * plan.largest_live_bytes && plan.workspace_bytes <= plan.largest_live_bytes;
}
static_assert(is_tight<digits>() && is_tight<silero_vad>());
static_assert(digits::plan.peak_bytes <= 32'768);

#if defined(__SANITIZE_ADDRESS__)
constexpr bool address_sanitizer = true;
#elif defined(__has_feature)
constexpr bool address_sanitizer = __has_feature(address_sanitizer);
#else
constexpr bool address_sanitizer = false;
#endif

constexpr std::size_t stack_bytes = 1024 * 1024;
constexpr auto paint = std::byte{0xa5};

/// How many bytes of stack f() uses: calls it on a painted stack and looks how much paint is left. f must not throw.
template <class F>
std::size_t stack_of(F& f) {
    static ucontext_t here, there;
    static F* call;
    call = &f;
    std::vector<std::byte> stack(stack_bytes, paint);
    getcontext(&there);
    there.uc_stack.ss_sp = stack.data();
    there.uc_stack.ss_size = stack.size();
    there.uc_link = &here;
    makecontext(
        &there, [] { (*call)(); }, 0);
    swapcontext(&here, &there);
    std::size_t untouched = 0;
    while (untouched < stack.size() && stack[untouched] == paint) ++untouched;
    return stack.size() - untouched;
}

/// Weights of the right names and types, all zero.
template <class Program>
weights zeros() {
    weights out;
    const auto g = Program::captured();
    for (node_id id : g) {
        if (g[id].kind == node_kind::call || g[id].role == input_role::user || g[id].kind == node_kind::output) continue;
        const auto& type = g.value_of(id).type;
        const auto sizes = sizes_of(type);
        const std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(type)) * bytes_of(type.type));
        out.add(std::string(g[id].weight), type.type, {sizes.begin(), sizes.end()}, bytes);
    }
    return out;
}

template <class Program, class... Inputs>
void measure(const char* model, const Inputs&... inputs) {
    const auto source = zeros<Program>();
    const auto prepared = Program::prepare(source);
    typename Program::session run{prepared};
    auto running = [&] { run(inputs...); };
    auto preparing = [&] { Program::prepare(source); };
    running(); // what is bound at the first call of a function is not the run's
    const auto stack = stack_of(running);
    constexpr auto bound =
        static_cast<std::size_t>(machine::npu.max_stack_bytes) * (address_sanitizer ? 4 : 1); // its red zones are not the run's
    check(stack <= bound, std::to_string(stack));
    check(stack_of(preparing) <= bound);
    constexpr const auto& plan = Program::plan;
    std::printf("%s %lld %lld %lld %lld %zu\n", model, static_cast<long long>(plan.peak_bytes),
                static_cast<long long>(plan.largest_live_bytes), static_cast<long long>(plan.constant_bytes),
                static_cast<long long>(plan.workspace_bytes), stack);
}

} // namespace

int main() {
    // The measurement itself: an array of 20,000 bytes is seen, and little else.
    auto large = [] {
        volatile std::byte bytes[20'000];
        for (auto& b : bytes) b = std::byte{1};
    };
    const auto measured = stack_of(large);
    check(measured >= 20'000 && measured < 24'000, std::to_string(measured));

    std::printf("model peak live constant workspace stack\n");
    measure<digits>("digits", std::array<float, 784>{});
    measure<silero_vad>("silero_vad", std::array<float, 576>{}, std::array<float, 128>{}, std::array<float, 128>{});
    return test::report();
}
