// Branches and a loop that are compiled, and how what they give is compared with the reference: shared by the tests of
// control flow.
// SPDX-License-Identifier: MIT
#pragma once
#include "block_texts.hpp"
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

#include <array>

namespace test::control_flow {

using namespace ahead;
using namespace ahead::rooms;

using row = std::array<float, 3>;
using boolean = std::array<bool, 1>;
using count = std::array<std::int64_t, 1>;

template <class T, std::size_t N> host_tensor host(const tensor_type& type, const std::array<T, N>& values) {
    host_tensor out(type);
    for (std::size_t i = 0; i < N; ++i) out.data.put(static_cast<std::int64_t>(i), values[i]);
    return out;
}
template <class Output> void same(const Output& got, const host_tensor& wanted, const location& where = location::current()) {
    bool all = sizes_of(Output::type::type) == sizes_of(wanted.type);
    for_each_index(sizes_of(wanted.type), [&](const int_list& at) {
        all = all && is_close(static_cast<double>(got.storage().data()[position_of(Output::type::type, at)]), wanted.get<double>(at));
    });
    check(all, {}, where);
}

struct nested_text {
    static constexpr std::string_view text = nested_branches;
};
inline constexpr auto nested = fx<nested_text>;
using nested_program = compiled<nested>;
inline constexpr tensor_type row_type = tensor_of(dtype::f32, {3}), flag_type = tensor_of(dtype::b8, {}), count_type = tensor_of(dtype::i64, {});

struct loop_text {
    static constexpr std::string_view text = power_loop;
};
inline constexpr auto loop = fx<loop_text>;
inline constexpr config ten_rounds_options{.loop_bound = 10};
using ten_rounds = toolchain<>::with_options<ten_rounds_options>;
inline constexpr config twenty_rounds_options{.loop_bound = 20};
using twenty_rounds = toolchain<>::with_options<twenty_rounds_options>;
using loop_program = compiled<loop, ten_rounds>;

} // namespace test::control_flow
