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
    if (type == ::ahead::dtype::bf16) {
        std::vector<::ahead::bfloat16> rounded;
        for (const float x : elements) rounded.push_back(::ahead::bfloat16(x));
        all.add(std::move(name), type, extents, std::as_bytes(std::span(rounded)));
    } else {
        all.add(std::move(name), type, extents, std::as_bytes(std::span(elements)));
    }
}

/// The tensors with the sizes that the graph gives them. Integers are counters, which no workload reads: 0.
template <class Compiled>::ahead::weights collected(const std::vector<named_tensor>& given) {
    ::ahead::weights all;
    const auto g = Compiled::captured();
    for (::ahead::node_id id : g) {
        if (g[id].weight.empty()) continue;
        const auto& type = g.value_of(id).type;
        const auto sizes = ::ahead::sizes_of(type);
        const std::vector<std::int64_t> extents(sizes.begin(), sizes.end());
        if (type.type == ::ahead::dtype::i64) {
            const std::vector<std::int64_t> zeros(static_cast<std::size_t>(::ahead::element_count(type)));
            all.add(std::string(g[id].weight), type.type, extents, std::as_bytes(std::span(zeros)));
        }
        for (const auto& [name, elements] : given)
            if (g[id].weight == name) add(all, std::string(name), type.type, extents, *elements);
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
