// A bounded program at several sizes against the reference of its text at each of them, in memory that holds NaN wherever a run has no business.
// SPDX-License-Identifier: MIT
#pragma once
#include "harness.hpp"
#include "reference.hpp"
#include "splitmix64.hpp"

#include <ahead/dynamic/bounded/compiled_bounded.hpp>
#include <ahead/frontend/fx/fx.hpp>
#include <ahead/ir/graph.hpp>
#include <ahead/reference/host_bytes.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <vector>

namespace test {

// The text with this number in place of the symbol, read at run time.
template <class Net> struct text_at {
    ahead::ir::heap_storage parsed{ahead::frontend::count_fx(Net::text)};
    ahead::ir::heap_storage typed{ahead::capacity{}};
    ahead::diagnosis error;
    text_at(std::string_view symbol, std::int64_t size) {
        const auto& op_rows = ahead::aten::registry::table;
        ahead::frontend::fx_style style;
        const ahead::ir::symbol_value symbols[] = {{symbol, size}};
        const auto inputs = ahead::detail::inputs_of<Net>();
        if (!ahead::frontend::read_fx(Net::text, op_rows, parsed.edit(), style, error)) return;
        const auto room = ahead::frontend::room_for_numbers(parsed.view(), symbols, inputs);
        typed = ahead::ir::heap_storage({room.nodes, room.arguments, room.values + ahead::frontend::count_fx(Net::text).values});
        ahead::ir::copy_graph(parsed.view(), typed.edit());
        ahead::frontend::describe_inputs(typed.edit(), inputs, error) && ahead::frontend::infer_symbolic_types(typed.edit(), op_rows, symbols, style.range_constraints, error);
    }
};

// Numbers of a tensor that hang on its name and the element alone: fewer rows are the first of more.
inline double number_of(std::string_view name, std::int64_t at, const ahead::tensor_type& type, std::int64_t integers) {
    const auto bits = splitmix64(static_cast<std::uint64_t>(at) * 1000003 + name.size() * 31 + static_cast<std::uint64_t>(name.back()));
    if (!ahead::ir::is_floating(type.type)) return static_cast<double>(static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(integers)));
    return static_cast<double>(bits % 2000) / 1000.0 - 1.0;
}

struct agreement_options {
    double absolute = 1e-5, relative = 1e-4;
    std::int64_t integers = 5; // integers are less
};

// Net, a source whose symbol "s0" has the bound of Program, at these sizes. Inputs follow the symbol in their first dim of more than one place.
template <class Program, class Net> struct bounded_agreement {
    using program = typename Program::program;
    static constexpr auto inputs = static_cast<std::size_t>(program::plan.inputs);
    agreement_options options;
    ahead::weights given;
    std::vector<std::vector<std::byte>> outputs; // of the last run, as they were copied

    explicit bounded_agreement(agreement_options o = {}) : options(o) {
        text_at<Net> at("s0", Program::most);
        const auto g = at.typed.view();
        for (ahead::node_id id : g) {
            const auto& n = g[id];
            if (n.kind == ahead::ir::node_kind::call || n.kind == ahead::ir::node_kind::output || n.role == ahead::ir::input_role::user) continue;
            if (ahead::ir::is_literal(n)) continue;
            const auto t = filled(n, g.value_of(id).type);
            std::vector<std::byte> bytes(static_cast<std::size_t>(t.data.size()) * ahead::ir::bytes_of(t.type.type));
            ahead::interpreter::to_bytes(t, bytes);
            std::vector<std::int64_t> sizes;
            for (auto s : ahead::ir::sizes_of(t.type)) sizes.push_back(s);
            given.add(std::string(n.weight), t.type.type, sizes, bytes);
        }
    }
    ahead::host_tensor filled(const ahead::ir::node& n, const ahead::tensor_type& type) const {
        ahead::host_tensor out(type);
        const bool is_variance = n.name.text.find("var") != std::string_view::npos;
        for (std::int64_t i = 0; i < out.data.size(); ++i) {
            const auto v = number_of(n.name.text, i, type, options.integers);
            out.data.put(i, is_variance ? std::fabs(v) + 0.5 : v);
        }
        return out;
    }

    // One run of a session in memory full of NaN, or of one that ran before.
    template <class Session> void check_size(Session& run, std::int64_t size, const location& where) {
        text_at<Net> at("s0", size);
        if (!check(at.error.ok(), "the text is read", where)) return;
        const auto g = at.typed.view();
        std::vector<ahead::host_tensor> of_graph, expected;
        std::vector<std::vector<std::byte>> bytes; // of user inputs, with NaN behind them
        std::vector<std::size_t> counts;
        for (ahead::node_id id : g) {
            const auto& n = g[id];
            if (n.kind == ahead::ir::node_kind::call || n.kind == ahead::ir::node_kind::output || ahead::ir::is_literal(n)) continue;
            of_graph.push_back(filled(n, g.value_of(id).type));
            if (n.role != ahead::ir::input_role::user) continue;
            const auto& t = of_graph.back();
            const auto used = static_cast<std::size_t>(t.data.size()) * ahead::ir::bytes_of(t.type.type);
            bytes.emplace_back(used + 4096, std::byte{0xFF});
            ahead::interpreter::to_bytes(t, std::span(bytes.back()).first(used));
            counts.push_back(static_cast<std::size_t>(t.data.size()));
        }
        ahead::diagnosis d;
        if (!check(ahead::interpreter::interpret<ahead::aten::registry>(g, of_graph, expected, d), "the reference runs", where)) return;
        lay_out(bytes, counts, size, std::make_integer_sequence<std::int32_t, static_cast<std::int32_t>(inputs)>{});
        [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
            const auto made = run.at(size, view_of<I>(bytes, counts)...);
            std::apply([&](const auto&... y) { std::size_t k = 0; (compare(y, expected[k++], size, where), ...); }, made);
        }(std::make_integer_sequence<std::int32_t, static_cast<std::int32_t>(inputs)>{});
    }
    template <class Session> void check_sizes(Session& run, std::initializer_list<std::int64_t> sizes, const location& where = location::current()) {
        for (auto size : sizes) check_size(run, size, where);
    }

private:
    // Inputs that have room for the bound: elements where they lie in it, NaN in between.
    template <std::int32_t... I> static void lay_out(auto& bytes, auto& counts, std::int64_t size, std::integer_sequence<std::int32_t, I...>) {
        const auto one = [&]<std::int32_t N>(std::integral_constant<std::int32_t, N>) {
            using input = ahead::detail::bounded_input<Program, N>;
            using type = typename input::type;
            if constexpr (input::follows && !type::is_compact) {
                constexpr auto each = sizeof(typename type::element);
                const auto room = static_cast<std::size_t>(ahead::ir::extent_of(type::type));
                std::vector<std::byte> out(room * each + 4096, std::byte{0xFF});
                for (std::int64_t i = 0; i < type::elements(size); ++i)
                    std::memcpy(out.data() + static_cast<std::size_t>(type::position(i, size)) * each, bytes[N].data() + static_cast<std::size_t>(i) * each, each);
                bytes[N] = std::move(out);
                counts[N] = room;
            }
        };
        (one(std::integral_constant<std::int32_t, I>{}), ...);
    }
    template <std::int32_t I> static auto view_of(const auto& bytes, const auto& counts) {
        using element = typename ahead::detail::bounded_input<Program, I>::type::element;
        const auto* first = reinterpret_cast<const element*>(bytes[I].data());
        return std::span<const element>(first, counts[I]);
    }
    void compare(const auto& y, const ahead::host_tensor& wanted, std::int64_t size, const location& where) {
        bool right = static_cast<std::int64_t>(y.size()) == wanted.data.size();
        for (int d = 0; d < wanted.type.rank; ++d) right = right && y.sizes()[static_cast<std::size_t>(d)] == wanted.type.size(d);
        std::int64_t i = 0;
        double worst = 0;
        for (const auto& v : y) {
            if (!right && i >= wanted.data.size()) break;
            const auto a = ahead::math::convert<double>(v), b = wanted.data.template get<double>(i++);
            right = right && (std::fabs(a - b) <= options.absolute + options.relative * std::fabs(b) || (std::isnan(a) && std::isnan(b)) || a == b);
            worst = std::fmax(worst, std::isnan(a) ? 1e30 : std::fabs(a - b));
        }
        check(right, "size " + std::to_string(size) + ", differs by " + std::to_string(worst), where);
    }
};

// Sizes from a session in memory full of NaN, each in one of its own, and all in one after the other.
template <class Program, class Net>
void check_bounded(std::initializer_list<std::int64_t> sizes, agreement_options options = {}, const location& where = location::current()) {
    bounded_agreement<Program, Net> of(options);
    const auto weights = Program::prepare(of.given);
    struct alignas(64) line {
        std::byte bytes[64];
    };
    std::vector<line> memory(Program::session::bytes / 64 + 2);
    const std::span<std::byte> all(memory[0].bytes, memory.size() * 64);
    const auto poison = [&] { std::memset(all.data(), 0xFF, Program::session::bytes); };
    for (auto size : sizes) {
        poison();
        typename Program::session run(weights, all);
        of.check_size(run, size, where);
    }
    poison();
    typename Program::session run(weights, all);
    for (auto size : sizes) of.check_size(run, size, where);
}

} // namespace test
