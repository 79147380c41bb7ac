// A graph that writes its inputs, run on the device and by the reference; what each input holds afterwards is compared,
// too.
// SPDX-License-Identifier: MIT
#pragma once
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

#include <array>
#include <vector>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

template <class Source, bool... Mutated> void check_like_reference(std::int32_t in_place, location where = location::current()) {
    using program = compiled<fx<Source>>;
    constexpr std::int32_t inputs = program::plan.inputs;
    static_assert(sizeof...(Mutated) == inputs);
    std::vector<host_tensor> given, wanted;
    std::uint64_t seed = 5;
    for (node_id id : program::captured())
        if (program::captured()[id].kind == node_kind::placeholder) given.push_back(random_tensor(program::captured().value_of(id).type, seed));
    wanted = reference<fx<Source>>(given);
    [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
        static_assert(((program::template input_port<I>::is_mutated == Mutated) && ...));
        check_equal(program::plan.inputs_written_in_place, in_place, where);
        std::tuple<std::array<float, runtime::tensor_input<static_type<typename program::template input_port<I>>>::extent>...> tensors;
        const auto fill = [](auto& to, const host_tensor& from) {
            for (std::size_t i = 0; i < to.size(); ++i) to[i] = from.data.template get<float>(static_cast<std::int64_t>(i));
        };
        (fill(std::get<I>(tensors), given[I]), ...);
        const auto weights = program::prepare();
        typename program::session run{weights};
        const auto outputs = run(std::get<I>(tensors)...);
        std::size_t next = 0;
        const auto same_output = [&](const auto& out) {
            const auto& expected = wanted[next++];
            bool same = true;
            for_each_index(sizes_of(expected.type), [&](const int_list& at) {
                same = same && is_close(out.storage().data()[position_of(std::remove_cvref_t<decltype(out)>::type::type, at)], expected.template get<double>(at));
            });
            check(same, "an output", where);
        };
        std::apply([&](const auto&... out) { (same_output(out), ...); }, outputs);
        const auto same_input = [&](const auto& now, const host_tensor& expected) {
            bool same = true;
            for (std::size_t i = 0; i < now.size(); ++i) same = same && is_close(now[i], expected.data.template get<double>(static_cast<std::int64_t>(i)));
            check(same, "an input", where);
        };
        (same_input(std::get<I>(tensors), Mutated ? wanted[next++] : given[I]), ...);
    }(std::make_integer_sequence<std::int32_t, inputs>{});
}

} // namespace test
