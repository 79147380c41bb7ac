// SPDX-License-Identifier: MIT
// Results instead of exceptions, in a program that has exceptions: what is refused by a result is thrown by the other form, in the same words.
#include "consumer/no_exceptions/refusals.hpp"
#include "refusal.hpp"

#include "harness.hpp"

#include <memory>

using test::check;
using test::check_equal;
using test::check_fault;

namespace {

void values() {
    result<std::unique_ptr<int>> made(std::make_unique<int>(3));
    check(made.ok() && **made == 3 && made->get() != nullptr && made.why().ok());
    const auto taken = *std::move(made);
    check(*taken == 3);
    diagnosis d;
    refuse(d, fault::rank_is_wrong, "2", "3");
    const result<int> none(d);
    check(!none);
    check_fault(none.why(), {fault::rank_is_wrong});
    check_fault([&] { static_cast<void>(none.value()); }, fault::rank_is_wrong, "expected 2, found 3");
    check_fault([&] { static_cast<void>(result<int>(d).value()); }, fault::rank_is_wrong);
}

template <class Session, class Weights> void says_the_same(const Weights& weights) {
    Session run{weights};
    for (const auto& [i, k] : {std::pair{two_indices{0, 3}, one_index{0}}, std::pair{two_indices{0, 1}, one_index{-3}}, std::pair{two_indices{9, 9}, one_index{9}}}) {
        const auto refused = run.try_run(i, k);
        check(!refused.ok());
        const auto thrown = check_fault([&] { run(i, k); }, fault::index_is_out_of_range);
        if (thrown) check_equal(std::string(thrown->what()), render(refused.why()));
    }
}

} // namespace

int main() {
    check_equal(first_failure(), "");
    values();
    const auto prepared = lookup::prepare(table_weights());
    says_the_same<lookup::session>(prepared);
    says_the_same<profiled_session<lookup>>(prepared);
    const auto spread = spread_lookup::prepare(table_weights());
    says_the_same<threaded_session<spread_lookup>>(spread);
    check_fault([] { folded::prepare(with_indices(-4)); }, fault::index_is_out_of_range, "found -4");
    return test::report();
}
