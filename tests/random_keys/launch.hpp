// SPDX-License-Identifier: MIT
// What a written unit of random keys is made of: kernels, called on tensors that lie one behind the other in a table. Included by what write.cpp writes.
#pragma once
#include <ahead/aot/task.hpp>

#include <string_view>
#include <vector>

namespace test {

/// A kernel on memory whose externals are its operands and its results, and whose arena is its workspace. False where it refuses.
using launch_function = bool (*)(const ahead::runtime::region_bases& m, ahead::diagnosis& d);

struct written_case {
    std::uint64_t seed, text; // text: number_of it
    std::vector<launch_function> tasks; // in the order of the device graph
};

template <class Call, std::size_t Operands, std::size_t Results> bool launch(const ahead::runtime::region_bases& m, ahead::diagnosis& d) {
    struct table {
        ahead::runtime::address at[Operands + Results + 1];
    };
    static constexpr auto all = [] {
        table out{};
        for (std::size_t i = 0; i < Operands + Results; ++i) out.at[i] = ahead::aot::input(static_cast<std::int32_t>(i));
        out.at[Operands + Results] = ahead::aot::workspace(0);
        return out;
    }();
    return ahead::aot::call<Call, Results>({Call::op::name, "", 0}, all.at, m, &d);
}

/// A unit's cases, which main runs (run_cases.cpp).
struct written_unit {
    written_unit(std::string_view family, std::vector<written_case> cases);
};

} // namespace test
