// SPDX-License-Identifier: MIT
// The library's subject: a graph, written with handles or as PyTorch printed it, compiled, prepared, run by a session.
// A workload says with weights_of(tensors) and inputs_of(tensors) what its graph gets.
#pragma once
#include <ahead/ahead.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weights.hpp"

namespace bench {

/// A weight under the name that the graph knows it by.
struct named_tensor {
    std::string_view name;
    const tensor* elements;
};

inline std::vector<named_tensor> all_of(const model_weights& weights) {
    std::vector<named_tensor> all;
    for (const auto& [name, elements] : weights) all.push_back({name, &elements});
    return all;
}

/// Floats under a name, in the element type that the graph wants.
inline void add(::ahead::weights& all, std::string name, ::ahead::dtype type, const std::vector<std::int64_t>& extents,
                const tensor& elements) {
    const auto as = [&]<class T>(T) {
        const std::vector<T> converted(elements.begin(), elements.end());
        all.add(std::move(name), type, extents, std::as_bytes(std::span(converted)));
    };
    switch (type) {
    case ::ahead::dtype::bf16: return as(::ahead::bfloat16());
    case ::ahead::dtype::i64: return as(std::int64_t());
    case ::ahead::dtype::i8: return as(std::int8_t());
    default: all.add(std::move(name), type, extents, std::as_bytes(std::span(elements)));
    }
}

/// As it was given, or, of a program that was written, as it is planned: its placeholders are the same.
template <class Compiled> constexpr ::ahead::graph_view graph_with_weights() {
    if constexpr (requires { Compiled::captured(); }) return Compiled::captured();
    else return Compiled::lowered_graph();
}

/// The tensors with the sizes that the graph gives them. Integers that are not given are counters, which no workload
/// reads: 0.
template <class Compiled>::ahead::weights collected(const std::vector<named_tensor>& given) {
    ::ahead::weights all;
    const auto g = graph_with_weights<Compiled>();
    for (::ahead::node_id id : g) {
        if (g[id].weight.empty()) continue;
        const auto& type = g.value_of(id).type;
        const auto sizes = ::ahead::ir::sizes_of(type);
        const std::vector<std::int64_t> extents(sizes.begin(), sizes.end());
        const auto known = std::ranges::find(given, g[id].weight, &named_tensor::name);
        if (known != given.end()) add(all, std::string(known->name), type.type, extents, *known->elements);
        else if (type.type == ::ahead::dtype::i64)
            add(all, std::string(g[id].weight), type.type, extents,
                tensor(static_cast<std::size_t>(::ahead::element_count(type))));
    }
    return all;
}

/// A compiled graph as a subject; its constants, arena and inputs lie in the object.
template <class Compiled, class Session = typename Compiled::session> class program {
public:
    using compiled = Compiled;

    template <class Tensors>
    explicit program(const Tensors& tensors)
        : weights_(collected<Compiled>(weights_of(tensors)), constants_), run_(weights_, arena_) {
        const auto from = inputs_of(tensors);
        std::size_t i = 0;
        const auto fill = [&](auto& to) { // ids come as floats, too
            std::transform(from.at(i)->begin(), from.at(i)->end(), to.begin(),
                           [&](float x) { return static_cast<std::remove_reference_t<decltype(to[0])>>(x); });
            ++i;
        };
        std::apply([&](auto&... to) { (fill(to), ...); }, inputs_);
    }

    void operator()() {
        std::apply(
            [&](const auto&... given) {
                std::apply([&](const auto&... made) { outputs_ = {made.data()...}; }, run_(given...));
            },
            inputs_);
    }
    /// All outputs of the last run, one after the other; the arena keeps them until the next.
    std::vector<float> outputs() const {
        std::vector<float> all;
        [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
            (append<I>(all), ...);
        }(std::make_integer_sequence<std::int32_t, Compiled::output_count>{});
        return all;
    }

private:
    template <std::int32_t I> void append(std::vector<float>& all) const {
        using port = typename Compiled::template output_port<I>;
        const auto* const from = static_cast<const ::ahead::element_t<port::type.type>*>(outputs_[I]);
        for (std::int64_t i = 0; i < ::ahead::element_count(port::type); ++i)
            all.push_back(static_cast<float>(from[i]));
    }
    template <std::int32_t... I>
    static auto inputs_type(std::integer_sequence<std::int32_t, I...>) -> std::tuple<
        std::array<::ahead::element_t<Compiled::template input_port<I>::type.type>,
                   static_cast<std::size_t>(::ahead::element_count(Compiled::template input_port<I>::type))>...>;

    alignas(64) std::byte
        constants_[static_cast<std::size_t>(Compiled::plan.constant_bytes) + 1]; // + 1: there may be none
    alignas(64) std::byte arena_[static_cast<std::size_t>(Compiled::plan.peak_bytes) + 1];
    alignas(64) decltype(inputs_type(std::make_integer_sequence<std::int32_t, Compiled::plan.inputs>{})) inputs_;
    ::ahead::prepared_weights<Compiled> weights_;
    Session run_;
    std::array<const void*, static_cast<std::size_t>(Compiled::output_count)> outputs_{};
};

} // namespace bench
