// Random graphs, written as FX text by the compiler itself, compiled, run on the device and by the reference: the same numbers.
// They hold pointwise operators with broadcasting and promotion, views of views, copies, reductions, products, joins, in-place operators and
// several outputs. The coverage is printed; an operator of the list that no graph holds fails the test.
// SPDX-License-Identifier: MIT
#include <harness.hpp>
#include <random_graph.hpp>

#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

#include <cstdint>
#include <memory>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

template <std::uint64_t Seed> struct random_source {
    static constexpr written made = write_graph(Seed);
    static constexpr std::string_view text{made.text.data(), made.size};
};

template <class Output> void compare(std::string_view text, const Output& output, const host_tensor& wanted) {
    bool same = true;
    for_each_index(sizes_of(wanted.type), [&](const int_list& at) {
        same = same && is_close(static_cast<double>(output.storage().data()[position_of(Output::type::type, at)]), wanted.get<double>(at));
    });
    if (!check(same && sizes_of(Output::type::type) == sizes_of(wanted.type))) std::cout << text;
}

int graphs_that_write = 0, graphs_that_do_not = 0, inputs_written_in_place = 0, inputs_written_by_a_copy = 0;

template <std::uint64_t Seed> void run_seed() {
    using net = compiled<fx<random_source<Seed>>>;
    constexpr std::string_view text = random_source<Seed>::text;
    random_choices random{Seed};
    std::vector<host_tensor> given;
    diagnosis d;
    for (node_id id : net::captured()) {
        if (net::captured()[id].kind != node_kind::placeholder) break;
        host_tensor t(net::captured().value_of(id).type);
        for (std::int64_t i = 0; i < t.data.size(); ++i) t.data.put(i, random.below(2000) * 1e-3 - 1);
        if (t.type.type == dtype::i64)
            for (std::int64_t i = 0; i < t.data.size(); ++i) t.data.put(i, random.below(7) - 3);
        given.push_back(t);
    }
    std::vector<host_tensor> wanted;
    constexpr auto written = static_cast<std::size_t>(net::plan.inputs_written);
    if (!check(interpret<aten::registry>(net::captured(), given, wanted, d) && wanted.size() == 3 + written)) return;
    ++(written > 0 ? graphs_that_write : graphs_that_do_not);
    inputs_written_in_place += net::plan.inputs_written_in_place;
    inputs_written_by_a_copy += net::plan.inputs_written - net::plan.inputs_written_in_place;

    const auto weights = net::prepare();
    typename net::session run{weights};
    const auto input = [&]<std::int32_t I>(std::integral_constant<std::int32_t, I>) {
        using type = runtime::tensor_input<static_type<typename net::template input_port<I>>>;
        auto elements = std::make_unique<std::array<typename type::element, type::extent>>();
        for (std::size_t i = 0; i < type::extent; ++i) (*elements)[i] = given[I].data.template get<typename type::element>(static_cast<std::int64_t>(i));
        return elements;
    };
    for (int twice = 0; twice < 2; ++twice) {
        const auto x0 = input(std::integral_constant<std::int32_t, 0>{});
        const auto x1 = input(std::integral_constant<std::int32_t, 1>{});
        const auto x2 = input(std::integral_constant<std::int32_t, 2>{});
        const auto [a, b, c] = run(*x0, *x1, *x2);
        compare(text, a, wanted[0]);
        compare(text, b, wanted[1]);
        compare(text, c, wanted[2]);
        std::size_t next = 3; // what was written, in the order of the inputs; the others are as they were
        const auto compare_input = [&]<std::int32_t I>(std::integral_constant<std::int32_t, I>, const auto& elements) {
            const auto& now = net::template input_port<I>::is_mutated ? wanted[next++] : given[I];
            bool same = true;
            for (std::size_t i = 0; i < elements.size(); ++i)
                same = same && is_close(static_cast<double>(elements[i]), now.data.template get<double>(static_cast<std::int64_t>(i)));
            if (!check(same, "an input")) std::cout << text;
        };
        compare_input(std::integral_constant<std::int32_t, 0>{}, *x0);
        compare_input(std::integral_constant<std::int32_t, 1>{}, *x1);
        compare_input(std::integral_constant<std::int32_t, 2>{}, *x2);
    }
}

} // namespace

int main() {
    constexpr int seeds = 14;
    std::array<int, operators> used{};
    [&]<std::uint64_t... S>(std::integer_sequence<std::uint64_t, S...>) {
        (run_seed<S>(), ...);
        for (std::size_t op = 0; op < operators; ++op) ((used[op] += random_source<S>::made.used[op]), ...);
    }(std::make_integer_sequence<std::uint64_t, seeds>{});
    std::cout << seeds << " graphs of " << calls << " calls; uses of each operator:";
    for (int uses : used) {
        std::cout << ' ' << uses;
        check(uses > 0);
    }
    std::cout << "\n" << graphs_that_write << " write inputs, " << graphs_that_do_not << " do not; inputs written in place " << inputs_written_in_place
              << ", by a copy " << inputs_written_by_a_copy << '\n';
    check(graphs_that_write > 0 && graphs_that_do_not > 0 && inputs_written_in_place > 0 && inputs_written_by_a_copy > 0);
    return test::report();
}
