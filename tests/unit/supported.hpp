// SPDX-License-Identifier: MIT
// Every case of the converters of a list, run: what the supported_*.cpp tests are written with.
#pragma once
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/npu/run_supported.hpp>

namespace test {

// Converters whose cases are tests; returns how many cases there were.
template <class Converter, class Tools = ahead::toolchain<>, class Registry = ahead::aten::registry>
std::size_t check_supported() {
    const auto results = ahead::run_supported<Converter, Tools, Registry>();
    for (const auto& result : results) check(result.wrong.empty(), result.call + ": " + result.wrong);
    return results.size();
}
template <class List>
struct converters;
template <class... C>
struct converters<ahead::converter_list<C...>> {
    static std::size_t check() {
        std::size_t count = 0;
        const auto one = [&]<class Converter>() {
            if constexpr (requires { typename Converter::supported; }) count += check_supported<Converter>();
        };
        (one.template operator()<C>(), ...);
        return count;
    }
};

} // namespace test
