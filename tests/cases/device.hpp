// Runs a compiled text on the device with recorded tensors. The generated files hold many texts each and register them by name.
// SPDX-License-Identifier: MIT
#pragma once
#include "recorded.hpp"

#include <ahead/npu/compiled.hpp>
#include <ahead/frontend/text.hpp>

namespace cases {

using runner = verdict (*)(const recorded&);

// What is compiled of the folder of this name: one runner per text.
struct compiled_text {
    std::string folder, text;
    runner run;
};
inline std::vector<compiled_text>& compiled_texts() {
    static std::vector<compiled_text> all;
    return all;
}

template <class Net, std::int32_t I> auto input_of(std::vector<std::vector<std::byte>>& bytes) {
    using type = static_type<typename Net::template input_port<I>>;
    using given = typename tensor_input<type>::element;
    using element = std::conditional_t<Net::template input_port<I>::is_mutated, given, const given>;
    return std::span<element, tensor_input<type>::extent>(reinterpret_cast<element*>(bytes[I].data()), tensor_input<type>::extent);
}

template <class Output> host_tensor copied(const Output& output) {
    auto type = Output::type::type;
    host_tensor out(type);
    for_each_index(sizes_of(type), [&](const int_list& at) { out.put(at, output.data()[position_of(type, at)]); });
    return out;
}

// One of `Source`s with the members of an fx source. Refused ones are not instantiated further, so that the file compiles.
template <class Source, class Tools = toolchain<>> verdict run_text(const recorded& given) {
    using front = fx_graph<Source>;
    using imported = detail::functional<front>;
    if constexpr (!front::error.ok()) return refused("import", front::error);
    else if constexpr (!imported::error.ok()) return refused("functionalise", imported::error);
    else if constexpr (!detail::lowered_of<imported, Tools>.error.ok()) return refused("convert", detail::lowered_of<imported, Tools>.error);
    else {
        using net = compiled_graph<front, Tools>;
        if (given.inputs.size() != static_cast<std::size_t>(net::plan.inputs)) return {outcome::failed, std::to_string(net::plan.inputs) + " inputs"};
        std::vector<std::vector<std::byte>> bytes;
        for (const auto& input : given.inputs) {
            bytes.emplace_back(static_cast<std::size_t>(element_count(input.type)) * bytes_of(input.type.type) + 1);
            to_bytes(input, bytes.back());
        }
        std::vector<host_tensor> outputs;
        try {
            const auto weights = net::prepare(given.parameters);
            std::vector<std::byte> memory(net::session::bytes + 2 * memory_alignment, std::byte{0xff}); // nobody may rely on zeros
            void* first = memory.data();
            std::size_t room = memory.size();
            std::align(memory_alignment, net::session::bytes, first, room);
            typename net::session run{weights, {static_cast<std::byte*>(first), net::session::bytes}};
            [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
                std::apply([&](const auto&... output) { (outputs.push_back(copied(output)), ...); }, run(input_of<net, I>(bytes)...));
            }(std::make_integer_sequence<std::int32_t, net::plan.inputs>{});
        } catch (const std::exception& e) {
            return {outcome::failed, e.what()};
        }
        return compared(outputs, given);
    }
}

template <class Source> struct registration {
    registration(const char* folder, const char* text) { compiled_texts().push_back({folder, text, &run_text<Source>}); }
};

// The same text with all passes off, and with each alone off.
struct no_passes : toolchain<> {
    static constexpr config options = [] {
        config out;
        for (const auto& row : option_table) out.*row.option = false;
        return out;
    }();
};
template <std::size_t Option> struct without : toolchain<> {
    static constexpr config options = [] {
        config out;
        out.*option_table[Option].option = false;
        return out;
    }();
};
template <class Source> struct variation {
    variation(const char* folder, const std::string& text) {
        compiled_texts().push_back({folder, text + " without passes", &run_text<Source, no_passes>});
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (compiled_texts().push_back({folder, text + " without " + std::string(option_table[I].name), &run_text<Source, without<I>>}), ...);
        }(std::make_index_sequence<std::size(option_table)>{});
    }
};

} // namespace cases
