// SPDX-License-Identifier: MIT
// Tests whether two graphs mean the same, which a pass must preserve: runs both in the reference interpreter on the
// same random inputs. The result is evidence, not proof.
// Called by tests and by users that write passes.
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/core/math.hpp>
#include <ahead/reference/interpreter.hpp>

namespace AHEAD_NAMESPACE::interpreter {

/// A random tensor of the type: floating elements in [-1, 1), complex ones with such parts, integers from 0 to 3,
/// booleans.
constexpr host_tensor random_tensor(const tensor_type& type, std::uint64_t& state) {
    host_tensor out(type);
    for (std::int64_t i = 0; i < out.data.size(); ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const auto bits = static_cast<std::int64_t>(state >> 40); // 24 bits
        const auto next = [&] { return static_cast<double>(bits - (1 << 23)) / (1 << 23); };
        if (is_complex(type.type)) out.data.put(i, complex128(next(), 0.5 - next()));
        else if (is_floating(type.type)) out.data.put(i, next());
        else out.data.put(i, bits & (type.type == dtype::b8 ? 1 : 3));
    }
    return out;
}

/// Whether a equals b up to the order of summation: the difference is at most 1e-5 + 1e-4 |b|, or both are NaN. For f16
/// and bf16, where intermediate results may or may not be rounded: within four units in the last place.
constexpr bool is_close(double a, double b, dtype type = dtype::f32) {
    const double unit = type == dtype::f16 ? 0x1p-10 : type == dtype::bf16 ? 0x1p-7 : 0;
    return a == b || (a != a && b != b) ||
           math::abs(a - b) <= (unit > 0 ? unit : 1e-5) + (unit > 0 ? 4 * unit : 1e-4) * math::abs(b);
}

/// Refuses (outputs_differ) graphs whose outputs differ in number, dtype, sizes or in an element (is_close) for inputs
/// generated from `seed`, and everything that the reference refuses to run. pre: both graphs are typed, use Registry,
/// and have inputs of the same types in the same order. Table: the meanings of the operators; by default those of all
/// operators (reference/interpreter.hpp).
template <class Registry = aten::registry, class Table = reference_table<Registry>>
constexpr bool equivalent(graph_view before, graph_view after, std::uint64_t seed, diagnosis& d) {
    std::vector<host_tensor> inputs, wanted, got;
    const auto state_at = place_of_random_state(before, Registry::table);
    for (node_id id : before) {
        if (id == state_at)
            for (int k = 0; k < 2; ++k)
                inputs.push_back(random_tensor(tensor_of(dtype::i64, {}), seed)); // rng_seed, rng_offset
        if (before[id].kind != node_kind::call && before[id].kind != node_kind::output && !is_literal(before[id]))
            inputs.push_back(random_tensor(before.value_of(id).type, seed));
    }
    if (!interpret<Registry, Table>(before, inputs, wanted, d) || !interpret<Registry, Table>(after, inputs, got, d))
        return false;
    d.op = "output";
    if (wanted.size() != got.size())
        return refuse(d, fault::outputs_differ, short_text() << wanted.size() << " outputs",
                      short_text() << got.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        const auto sizes = sizes_of(wanted[k].type);
        if (wanted[k].type.type != got[k].type.type || sizes != sizes_of(got[k].type))
            return refuse(d, fault::outputs_differ, print(wanted[k].type), print(got[k].type));
        bool same = true;
        for_each_index(sizes, [&](const int_list& at) {
            const auto a = got[k].template get<complex128>(at), b = wanted[k].template get<complex128>(at);
            same = same && is_close(a.re, b.re, wanted[k].type.type) && is_close(a.im, b.im);
        });
        if (!same) return refuse(d, fault::outputs_differ, short_text("the elements of output ") << k, "others");
    }
    d.op = {};
    return true;
}
/// The same, without a diagnosis.
template <class Registry = aten::registry>
constexpr bool equivalent(graph_view before, graph_view after, std::uint64_t seed) {
    diagnosis d;
    return equivalent<Registry>(before, after, seed, d);
}

} // namespace ahead::interpreter

namespace AHEAD_NAMESPACE {
using interpreter::equivalent, interpreter::is_close, interpreter::random_tensor;
} // namespace ahead
