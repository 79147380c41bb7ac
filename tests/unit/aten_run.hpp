// Runs FX text through parse, inference and the reference with the operators given: what the aten_* tests are written with. At run time memory is
// poisoned (poisoned.hpp).
// SPDX-License-Identifier: MIT
#pragma once
#include "../poisoned.hpp"
#include <ahead/frontend/fx/read_fx.hpp>

// The text of a graph of one call; a macro because g++ 12 compares nothing but string literals in the lexer's constant expressions.
#define ONE_CALL(parameters, call)                                                                                                         \
    "class <lambda>(torch.nn.Module):\n    def forward(self, " parameters "):\n        result = torch.ops." call                           \
    "\n        return (result,)\n"

namespace test {

using namespace ahead;
using namespace ahead::rooms;

template <class Ops>
constexpr diagnosis run(std::string_view text, std::span<const host_tensor> inputs, std::vector<host_tensor>& outputs) {
    diagnosis d;
    fx_style style;
    heap_storage storage(count_fx(text));
    const auto g = storage.edit();
    if (!read_fx(text, Ops::table, g, style, d) || !infer_types(g, Ops::table, d)) return d;
    if (std::is_constant_evaluated()) interpret<Ops>(g, inputs, outputs, d);
    else interpret_poisoned<Ops>(g, inputs, outputs, d);
    return d;
}

/// Whether the call gives these values, within 1e-6 relative.
template <class Ops>
constexpr bool gives(std::string_view text, std::vector<host_tensor> inputs, const host_tensor& wanted) {
    std::vector<host_tensor> outputs;
    if (run<Ops>(text, inputs, outputs)) return false;
    if (outputs.size() != 1 || outputs[0].type.type != wanted.type.type || sizes_of(outputs[0].type) != sizes_of(wanted.type)) return false;
    bool equal = true;
    for_each_index(sizes_of(wanted.type), [&](const int_list& at) {
        const double a = outputs[0].get<double>(at);
        const double b = wanted.get<double>(at);
        equal = equal && (a == b || (a != a && b != b) || math::abs(a - b) <= 1e-6 * math::abs(b));
    });
    return equal;
}

/// The fault with which inference or the reference refuses the call; inputs are zeros where none are given.
template <class Ops>
constexpr fault refuses(std::string_view text, std::vector<host_tensor> inputs = {}) {
    std::vector<host_tensor> outputs;
    return run<Ops>(text, inputs, outputs).what;
}

constexpr host_tensor f32s(int_list sizes, std::initializer_list<double> values) { return {tensor_of(dtype::f32, sizes), values}; }
constexpr host_tensor i64s(int_list sizes, std::initializer_list<int> values) { return {tensor_of(dtype::i64, sizes), values}; }
constexpr host_tensor b8s(int_list sizes, std::initializer_list<int> values) { return {tensor_of(dtype::b8, sizes), values}; }

} // namespace test
