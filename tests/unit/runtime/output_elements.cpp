// SPDX-License-Identifier: MIT
// What a run gives, whatever its strides: elements in the order of their indices, sizes, strides, copies that go in again; and what a debug build refuses:
// indices that are out of range, two runs of one session at once. A session that ends before its outputs ends the program, in every build.
#undef NDEBUG
int p = 0; // a user's own, in scope of every header: none of them shadows it
#include <ahead/ahead.hpp>

#include "harness.hpp"
#include "refusal.hpp"

#include <csignal>
#include <optional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace ahead;
using namespace ahead::rooms;
using test::check;
using test::check_equal;
using test::check_fault;

namespace {

using six = std::array<float, 6>;

/// A tensor's elements by range-for, by its iterators backwards, by number, by copy() and by index, all the same, and these.
template <class Tensor> void is_in_order(const Tensor& y, const std::vector<float>& wanted, const test::location& where = test::location::current()) {
    static_assert(Tensor::extent == Tensor::size());
    check_equal(y.size(), wanted.size(), where);
    check(std::equal(y.begin(), y.end(), wanted.begin(), wanted.end()), "by iteration", where);
    const auto kept = y.copy();
    check(std::equal(kept.begin(), kept.end(), wanted.begin(), wanted.end()), "by copy()", where);
    bool is_right = y.end() - y.begin() == static_cast<std::ptrdiff_t>(wanted.size());
    for (auto i = y.end(); i != y.begin();) {
        --i;
        const auto number = i - y.begin();
        is_right = is_right && *i == wanted[static_cast<std::size_t>(number)] && y.begin()[number] == *i && *(y.begin() + number) == *i;
    }
    check(is_right, "by iterators", where);
}

template <class Tensor>
concept gives_data = requires(const Tensor& of) { of.data(); } || requires(const Tensor& of) { of.elements(); };

inline constexpr auto turned = trace([](input<"x", f32<2, 3>> x) {
    auto y = add(x, 0.5);
    return outputs(permute<1, 0>(y), y, slice<1, 0, 3, 2>(y), expand<2, 2, 3>(y));
});
using turning = compiled<turned>;

void order_of_elements() {
    const auto weights = turning::prepare();
    turning::session run{weights};
    const auto [t, y, sliced, spread] = run(six{0, 1, 2, 3, 4, 5});
    is_in_order(t, {0.5f, 3.5f, 1.5f, 4.5f, 2.5f, 5.5f});
    is_in_order(y, {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f});
    is_in_order(sliced, {0.5f, 2.5f, 3.5f, 5.5f});
    is_in_order(spread, {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f});
    check(t(2, 0) == 2.5f && t(0, 1) == 3.5f && sliced(1, 1) == 5.5f && spread(1, 1, 2) == 5.5f);

    using both = std::array<std::int64_t, 2>;
    using turned_type = std::remove_cvref_t<decltype(t)>;
    static_assert(turned_type::sizes() == both{3, 2} && turned_type::strides() == both{1, 3} && !turned_type::is_contiguous());
    check(t.storage().size() == 6 && sliced.storage().size() == 6 && spread.storage().size() == 6);
    check(y.sizes() == both{2, 3} && y.strides() == both{3, 1} && y.is_contiguous());
    check(sliced.sizes() == both{2, 2} && sliced.strides() == both{3, 2} && sliced.size() == 4 && spread.strides()[0] == 0 && spread.size() == 12);
    check(t.storage().data() == y.data() && y.elements().data() == y.storage().data());
    // What is not in order where it lies is not given as if it were.
    using plain_type = std::remove_cvref_t<decltype(y)>;
    static_assert(gives_data<plain_type> && !gives_data<turned_type>);
    static_assert(std::random_access_iterator<decltype(t.begin())> && std::contiguous_iterator<decltype(y.begin())>);
}

/// What comes out transposed goes in again by copy().
struct fed_back {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, h: "f32[3, 3]", b: "f32[3, 3]"):
        add: "f32[3, 3]" = torch.ops.aten.add.Tensor(h, b)
        t: "f32[3, 3]" = torch.ops.aten.t.default(add)
        return (t,)
)fx";
};
/// The same, of an input that lies transposed.
struct fed_turned {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, h: "f32[2, 3][1, 2]", b: "f32[2, 3][3, 1]"):
        add: "f32[2, 3][1, 2]" = torch.ops.aten.add.Tensor(h, b)
        return (add,)
)fx";
};
void states_fed_back() {
    {
        using program = compiled<fx<fed_back>>;
        const auto weights = program::prepare();
        program::session run{weights};
        std::array<float, 9> h{};
        for (int step = 0; step < 2; ++step) h = std::get<0>(run(h, std::array<float, 9>{0, 1, 2, 3, 4, 5, 6, 7, 8})).copy();
        check(h == std::array<float, 9>{0, 4, 8, 4, 8, 12, 8, 12, 16}); // as PyTorch
    }
    using program = compiled<fx<fed_turned>>;
    const auto weights = program::prepare();
    program::session run{weights};
    six h{0, 10, 20, 30, 40, 50}; // h(0, 0), h(1, 0), h(0, 1), ...
    const six b{0, 1, 2, 3, 4, 5};
    static_assert(!std::is_convertible_v<six&, runtime::tensor_input<static_type<program::input_port<0>>>>, "in which order?");
    {
        const auto [sum] = run(as_stored(h), b);
        is_in_order(sum, {0, 21, 42, 13, 34, 55});
        check(!sum.is_contiguous() && sum.strides()[1] == 2);
        std::copy(sum.storage().begin(), sum.storage().end(), h.begin());
    }
    is_in_order(std::get<0>(run(as_stored(h), b)), {0, 22, 44, 16, 38, 60});
    program::session other{weights};
    const auto [sum] = run(as_stored(h), b);
    is_in_order(std::get<0>(other(sum, b)), {0, 23, 46, 19, 42, 65}); // an output of the type says how it lies
    const std::vector<float> too_many(7);
    check_fault([&] { other(as_stored(too_many), b); }, fault::element_counts_differ, "found 7");
}

void indices() {
    const auto weights = turning::prepare();
    turning::session run{weights};
    const auto [t, y, sliced, spread] = run(six{});
    check_fault([&] { static_cast<void>(t(3, 0)); }, fault::index_is_out_of_range, "f32[3, 2]: index is out of range: expected an index from 0 to 2 in dim 0, found 3");
    check_fault([&] { static_cast<void>(y(0, -1)); }, fault::index_is_out_of_range, "in dim 1, found -1");
    check_fault([&] { static_cast<void>(spread(1, 1, 3)); }, fault::index_is_out_of_range);
}

// ---- states

inline constexpr auto counting = trace([](input<"x", f32<2, 3>> x, param<"c", f32<2, 3>> c) {
    copy_(c, add(c, x));
    return outputs(sum<0, 1>(c));
});
void states() {
    using program = compiled<counting>;
    weights given;
    const six zeros{};
    given.add("c", dtype::f32, {2, 3}, std::as_bytes(std::span(zeros)));
    const auto weights = program::prepare(given);
    program::session run{weights};
    run(six{0, 1, 2, 3, 4, 5});
    const auto c = run.state<"c">();
    is_in_order(c, {0, 1, 2, 3, 4, 5});
    check_fault([&] { static_cast<void>(c(2, 0)); }, fault::index_is_out_of_range);
}

// ---- sessions that end too early

inline constexpr auto plain = trace([](input<"x", f32<4>> x) { return outputs(add(cumsum<0>(x), 1)); });
using program = compiled<plain>;
using four = std::array<float, 4>;

/// What f() says on stderr before it ends by a signal; what it gives otherwise is an empty text.
template <class F> std::string last_words(F f) {
    int ends[2];
    if (pipe(ends) != 0) return "no pipe";
    std::fflush(nullptr);
    const auto child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        f();
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char some[256];
    for (ssize_t size = 0; (size = read(ends[0], some, sizeof some)) > 0;) text.append(some, static_cast<std::size_t>(size));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? text : std::string();
}
auto outlives() {
    const auto weights = program::prepare();
    program::session run{weights};
    return run(four{1, 2, 3, 4});
}
void outputs_outlive_nothing() {
    const std::string_view words = "ahead: session: output is still held: expected its outputs gone before it (keep a copy()), found 1 of them is alive";
    check(last_words([] { outlives(); }).find(words) != std::string::npos, "an output returned");
    check(last_words([] {
              const auto weights = program::prepare();
              std::optional<program::session> run(std::in_place, weights);
              const auto [y] = (*run)(four{});
              run.reset();
          }).find(words) != std::string::npos,
          "a session destroyed");
    check(last_words([] {
              const auto weights = program::prepare();
              program::session run{weights};
              const auto [y] = run(four{});
          }).empty(),
          "outputs that are gone before");
    static_assert(!std::is_constructible_v<program::session, prepared_weights<program>>, "weights that nobody holds");
    static_assert(!std::is_constructible_v<program::session, prepared_weights<program>, std::span<std::byte>>);
    static_assert(std::is_constructible_v<program::session, prepared_weights<program>&>);
}

// ---- inputs that lie in the session

void inputs_in_the_arena() {
    const auto weights = program::prepare();
    alignas(64) static std::byte memory[program::session::bytes + 64];
    program::session run(weights, memory);
    const auto first = reinterpret_cast<const float*>(memory);
    const auto lies_at = [&](std::size_t at) { return std::span<const float, 4>(first + at, 4); };
    const auto words = "run 'x': memory is in use: expected memory of its own (keep a copy()), found that of the session";
    check_fault([&] { run(lies_at(0)); }, fault::memory_is_in_use, words);
    check_fault([&] { run(lies_at(program::session::bytes / 4 - 1)); }, fault::memory_is_in_use);
    run(lies_at(program::session::bytes / 4)); // behind it
    program::session other{weights};
    other(lies_at(0)); // another one's
    // The elements of an output that is gone.
    const float* gone = std::get<0>(run(four{})).data();
    check_fault([&] { run(std::span<const float, 4>(gone, 4)); }, fault::memory_is_in_use, words);
    const auto [y] = run(four{1, 1, 1, 1});
    is_in_order(y, {2, 3, 4, 5});
}
inline constexpr auto writing = trace([](input<"x", f32<4>> x, param<"w", f32<4>> w) {
    auto y = mul(x, w);
    copy_(x, y);
    return outputs(add(y, 1));
});
void written_inputs_in_the_constants() {
    using writer = compiled<writing>;
    weights given;
    const four w{1, 2, 3, 4};
    given.add("w", dtype::f32, {4}, std::as_bytes(std::span(w)));
    alignas(64) static std::byte constants[prepared_weights<writer>::bytes + 64];
    const prepared_weights<writer> weights(given, constants);
    writer::session run{weights};
    check_fault([&] { run(std::span<float, 4>(reinterpret_cast<float*>(constants), 4)); }, fault::memory_is_in_use, "found that of the constants");
    four x{1, 1, 1, 1};
    is_in_order(std::get<0>(run(x)), {2, 3, 4, 5});
}

// ---- two threads

void (*while_it_runs)() = nullptr;
inline void print_tools(std::string_view) {
        if (while_it_runs) while_it_runs();
    }
using tools = toolchain<>::with_print<print_tools>;
inline constexpr auto printing = trace([](input<"x", f32<4>> x) {
    print<"{}">(x);
    return outputs(add(x, 1));
});
void two_threads() {
    using printer = compiled<printing, tools>;
    const auto weights = printer::prepare();
    static std::optional<printer::session> run;
    run.emplace(weights);
    static int refused = 0; // once for each piece of the text
    while_it_runs = [] {
        // fault: session_is_running
        std::thread([] { check_fault([] { (*run)(four{}); }, fault::session_is_running, "run: session is running: expected one run at a time, found another one underway"); }).join();
        ++refused;
    };
    is_in_order(std::get<0>((*run)(four{})), {1, 1, 1, 1});
    while_it_runs = nullptr;
    is_in_order(std::get<0>((*run)(four{})), {1, 1, 1, 1});
    check(refused > 0);
    run.reset();
}

} // namespace

int main() {
    order_of_elements();
    states_fed_back();
    indices();
    states();
    outputs_outlive_nothing();
    inputs_in_the_arena();
    written_inputs_in_the_constants();
    two_threads();
    return test::report();
}
