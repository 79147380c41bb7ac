// SPDX-License-Identifier: MIT
// Tests the cases that a converter declares (convert/supported.hpp): builds one graph of all cases, compiles it, runs
// it on the device with random inputs, and compares it with the reference.
// Law: a case holds if the results have the reference's dtypes, sizes and elements, and no part of it ran on the AI
// CPU. A case that the operator's schema or type rule refuses does not compile: the line of the error is its number.
// Called by tests, built-in and users'; includes the reference, which compiled programs do not need.
#pragma once
#include <ahead/compile/compiled.hpp>
#include <ahead/core/decimal.hpp>
#include <ahead/differential/case_graph.hpp>
#include <ahead/reference/equivalent.hpp>
#include <ahead/reference/host_bytes.hpp>
#include <memory>
#include <string>

namespace AHEAD_NAMESPACE::differential {

/// The outcome of a declared case.
struct supported_result {
    std::string call;  // "aten.mm.default(f32[3, 4], f32[4, 5]), case 2"
    std::string wrong; // why the case fails; empty if it holds
};

} // namespace ahead::differential
namespace AHEAD_NAMESPACE::detail {

/// Whether Tools selects this converter for its operator.
template <class Converter, class Tools> constexpr bool is_used_by() {
    if constexpr (requires { &Converter::convert; })
        for (const auto& row : Tools::converters::table)
            if (same_name(row.op, Converter::op::name)) return row.convert == &Converter::convert;
    return true;
}

/// Empty if equal, else a description of the difference.
template <class Output> std::string difference(const Output& got, const host_tensor& expected) {
    using type = typename Output::type;
    if (type::type.type != expected.type.type || sizes_of(type::type) != sizes_of(expected.type))
        return std::string(print(type::type).view()) + " where the reference gives " +
               std::string(print(expected.type).view());
    std::string out;
    const auto compare = [&](auto a, auto b, bool same) {
        if (!same && out.empty())
            out = "an element of " + std::string(print(type::type).view()) + " is " + std::to_string(a) +
                  ", the reference has " + std::to_string(b);
    };
    for_each_index(sizes_of(expected.type), [&](const int_list& at) {
        const auto a = got.storage()[static_cast<std::size_t>(position_of(type::type, at))];
        if constexpr (is_complex(type::type.type)) {
            const auto b = expected.get<complex128>(at);
            compare(a.re, b.re, is_close(static_cast<double>(a.re), b.re));
            compare(a.im, b.im, is_close(static_cast<double>(a.im), b.im));
        } else if constexpr (is_floating(type::type.type)) {
            const auto b = expected.get<double>(at);
            compare(static_cast<double>(a), b, is_close(static_cast<double>(a), b));
        } else {
            const auto b = expected.get<std::int64_t>(at);
            compare(static_cast<std::int64_t>(a), b, static_cast<std::int64_t>(a) == b);
        }
    });
    return out;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::differential {

/// Runs every case of Converter, or of a decomposition, with the converters and device operators of Tools, on inputs
/// made from `seed`. One result for each case.
template <class Converter, class Tools = toolchain<>, class Registry = aten::registry>
std::vector<supported_result> run_supported(std::uint64_t seed = 1) {
    static_assert(detail::is_used_by<Converter, Tools>(),
                  "run_supported: the toolchain has another converter for the operator");
    using front = detail::supported_graph<Converter, Registry>;
    using program = compiled_graph<front, Tools>;
    std::vector<supported_result> out;
    if constexpr (!program::accepted) return out; // the error was already reported
    else {
        const auto g = program::captured();
        weights parameters;
        std::vector<host_tensor> tensors;
        std::vector<std::size_t> ports;
        for (node_id id : g) {
            const auto& n = g[id];
            if (n.kind == node_kind::placeholder) {
                const auto& t = tensors.emplace_back(random_tensor(g.value_of(id).type, seed));
                if (n.role == input_role::user) {
                    ports.push_back(tensors.size() - 1);
                    continue;
                }
                std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(t.type)) * bytes_of(t.type.type));
                to_bytes(t, bytes);
                const auto sizes = sizes_of(t.type);
                parameters.add(std::string(n.weight), t.type.type, {sizes.begin(), sizes.end()}, bytes);
            } else if (n.kind == node_kind::call && n.target == Converter::op::name) {
                auto& call = out.emplace_back().call;
                call.append(n.target).append("(");
                for_each_operand(g, n.arguments, [&](const argument& a) {
                    if (call.back() != '(') call.append(", ");
                    call.append(print(g.value_of(a).type).view());
                });
                call.append("), case ").append(std::to_string(n.from.line));
            }
        }
        const auto complain = [&](std::int32_t line, std::string what) {
            auto& wrong = out[static_cast<std::size_t>(line - 1)].wrong;
            if (wrong.empty()) wrong = std::move(what);
        };
        const auto device = program::lowered_graph();
        for (node_id id : device)
            if (device[id].kind == node_kind::call && !is_of_device(device[id].target))
                complain(device[id].from.line, std::string(device[id].target) + " runs on the AI CPU");

        std::vector<host_tensor> expected;
        diagnosis d;
        if (!interpret<Registry, detail::table_of_graph<front>>(g, tensors, expected, d)) raise(d);
        const auto prepared = program::prepare(parameters);
        const auto run = std::make_unique<typename program::session>(prepared);
        const auto input = [&]<std::int32_t Nth>(std::integral_constant<std::int32_t, Nth>) {
            using type = runtime::tensor_input<static_type<typename program::template input_port<Nth>>>;
            auto elements = std::make_unique<std::array<typename type::element, type::extent>>();
            const auto& t = tensors[ports[Nth]];
            for_each_index(sizes_of(t.type), [&](const int_list& at) {
                const auto place = static_cast<std::size_t>(position_of(program::template input_port<Nth>::type, at));
                (*elements)[place] = t.template get<typename type::element>(at);
            });
            return elements;
        };
        [&]<std::int32_t... Nth>(std::integer_sequence<std::int32_t, Nth...>) {
            const auto inputs = std::tuple(input(std::integral_constant<std::int32_t, Nth>{})...);
            const auto outputs = (*run)(as_stored(*std::get<Nth>(inputs))...);
            std::apply(
                [&](const auto&... each) {
                    std::size_t k = 0;
                    const auto compare = [&](const auto& output) {
                        if (auto what = detail::difference(output, expected[k]); !what.empty())
                            complain(front::made.case_of[k], std::move(what));
                        ++k;
                    };
                    (compare(each), ...);
                },
                outputs);
        }(std::make_integer_sequence<std::int32_t, program::plan.inputs>{});
        return out;
    }
}

} // namespace ahead::differential

namespace AHEAD_NAMESPACE {
using differential::run_supported;
} // namespace ahead
