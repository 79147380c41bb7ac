// Runs a compiled text on the device with recorded tensors. The generated files hold many texts each and register them by name.
// SPDX-License-Identifier: MIT
#pragma once
#include "recorded.hpp"

#include <ahead/compile/compiled.hpp>
#include <ahead/frontend/fx/fx.hpp>
#include <ahead/ir/equal.hpp>
#include <ahead/reference/host_bytes.hpp>

namespace cases {

using runner = verdict (*)(const recorded&);

// What is compiled of the folder of this name: one runner per text, and per setting of a text that is compiled under several.
struct compiled_text {
    std::string folder, text;
    runner run;
    std::string setting{};      // "decompose off"; empty where all are on
    bool is_same_graph = false; // on the device, as with all on
};
inline std::vector<compiled_text>& compiled_texts() {
    static std::vector<compiled_text> all;
    return all;
}

template <class Net, std::int32_t I> auto input_of(std::vector<std::vector<std::byte>>& bytes) {
    using type = static_type<typename Net::template input_port<I>>;
    using given = typename runtime::tensor_input<type>::element;
    using element = std::conditional_t<Net::template input_port<I>::is_mutated, given, const given>;
    if constexpr (!has_row_major_strides(type::type)) { // its elements are taken as they lie
        const auto row_major = bytes[I];
        std::size_t next = 0;
        for_each_index(sizes_of(type::type), [&](const int_list& at) {
            std::memcpy(bytes[I].data() + static_cast<std::size_t>(position_of(type::type, at)) * sizeof(given), row_major.data() + next++ * sizeof(given), sizeof(given));
        });
    }
    return detail::run_input<Net, I>(std::span<element, runtime::tensor_input<type>::extent>(reinterpret_cast<element*>(bytes[I].data()), runtime::tensor_input<type>::extent));
}

template <class Output> host_tensor copied(const Output& output) {
    auto type = Output::type::type;
    host_tensor out(type);
    for_each_index(sizes_of(type), [&](const int_list& at) { out.put(at, output.storage().data()[position_of(type, at)]); });
    return out;
}

// The text's graph on the device.
template <class Source, class Tools, class Registry = aten::registry>
inline constexpr const auto& lowered_by = detail::lowered_of<detail::optimized<fx_graph<Source, Registry>, Tools>, Tools>;

// The outputs of a program, run once in memory of which nobody may rely on zeros. Throws what refuses.
template <class Net> std::vector<host_tensor> run_on_device(const std::vector<host_tensor>& inputs, const weights& parameters) {
    std::vector<std::vector<std::byte>> bytes;
    for (const auto& input : inputs) {
        bytes.emplace_back(static_cast<std::size_t>(element_count(input.type)) * bytes_of(input.type.type) + 1);
        to_bytes(input, bytes.back());
    }
    const auto weights = Net::prepare(parameters);
    std::vector<std::byte> memory(Net::session::bytes + 2 * runtime::memory_alignment, std::byte{0xff});
    void* first = memory.data();
    std::size_t room = memory.size();
    std::align(runtime::memory_alignment, Net::session::bytes, first, room);
    typename Net::session run{weights, {static_cast<std::byte*>(first), Net::session::bytes}};
    std::vector<host_tensor> outputs;
    [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
        std::apply([&](const auto&... output) { (outputs.push_back(copied(output)), ...); }, run(input_of<Net, I>(bytes)...));
    }(std::make_integer_sequence<std::int32_t, Net::plan.inputs>{});
    return outputs;
}

// One of `Source`s with the members of an fx source. Refused ones are not instantiated further, so that the file compiles.
template <class Source, class Tools = toolchain<>, class Registry = aten::registry>
verdict run_text(const recorded& given) {
    using front = fx_graph<Source, Registry>;
    using imported = detail::functional<front>;
    if constexpr (!front::error.ok()) return refused("import", front::error);
    else if constexpr (!imported::error.ok()) return refused("functionalise", imported::error);
    else if constexpr (!detail::optimized<front, Tools>::error.ok()) return refused("passes", detail::optimized<front, Tools>::error);
    else if constexpr (!lowered_by<Source, Tools, Registry>.error.ok()) return refused("convert", lowered_by<Source, Tools, Registry>.error);
    else {
        using net = compiled_graph<front, Tools>;
        auto inputs = given.inputs;
        if (place_of_random_state(net::captured(), front::registry::table).exists()) inputs.insert(inputs.end(), 2, host_tensor(tensor_of(dtype::i64, {})));
        if (inputs.size() != static_cast<std::size_t>(net::plan.inputs)) return {outcome::failed, std::to_string(net::plan.inputs) + " inputs"};
        try {
            return compared(run_on_device<net>(inputs, given.parameters), given);
        } catch (const std::exception& e) {
            return {outcome::failed, e.what()};
        }
    }
}

template <class Source> struct registration {
    registration(const char* folder, const char* text) { compiled_texts().push_back({folder, text, &run_text<Source>}); }
};

// The same text with all passes off, and with each alone off.
inline constexpr config no_passes_options = [] {
        config out;
        for (const auto& row : pass::option_table) out.*row.option = false;
        return out;
    }();
using no_passes = toolchain<>::with_options<no_passes_options>;
template <std::size_t Option> inline constexpr config without_options = [] {
        config out;
        out.*pass::option_table[Option].option = false;
        return out;
    }();
template <std::size_t Option> using without = toolchain<>::with_options<without_options<Option>>;

// Whether two device graphs are one: equal node by node, and constant at the same nodes. Needs, plan and kernels are made of these alone.
template <class Lowered, class Other> constexpr bool same_graph(const Lowered& left, const Other& right) {
    if (!left.error.ok() || !right.error.ok()) return false;
    const graph_view a = left.graph.view(), b = right.graph.view();
    auto at = a.first(), other = b.first();
    for (; at.exists() && other.exists(); at = a[at].next, other = b[other].next)
        if (a[at].constant != b[other].constant) return false;
    return structurally_equal(a, b, toolchain<>::device_registry::table);
}

template <class Source> struct variation {
    variation(const char* folder, const char* text) {
        add<no_passes>(folder, text, "all passes off");
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (add<without<I>>(folder, text, std::string(pass::option_table[I].name) + " off"), ...);
        }(std::make_index_sequence<std::size(pass::option_table)>{});
    }

private:
    // Where the setting changes nothing, the program that there is already is run again.
    template <class Tools> static void add(const char* folder, const char* text, const std::string& setting) {
        constexpr bool same = same_graph(lowered_by<Source, toolchain<>>, lowered_by<Source, Tools>);
        compiled_texts().push_back({folder, text, &run_text<Source, std::conditional_t<same, toolchain<>, Tools>>, setting, same});
    }
};

} // namespace cases
