// SPDX-License-Identifier: MIT
// The cases that a converter declares (convert/supported.hpp), tried: all of them are one graph, which is compiled, run
// on the device with random inputs, and compared with the reference.
// Law: a case holds if the results have the reference's dtypes, sizes and elements, and nothing of it ran on the AI
// CPU. A case that the operator's schema or type rule refuses does not compile: its number is the line of the error.
// Called by tests, built-in and users'; includes the reference, which compiled programs do without.
#pragma once
#include <ahead/convert/supported.hpp>
#include <ahead/core/decimal.hpp>
#include <ahead/program/compiled.hpp>
#include <ahead/reference/equivalent.hpp>
#include <memory>
#include <string>

namespace AHEAD_NAMESPACE {

/// What became of a declared case.
struct supported_result {
    std::string call;  // "aten.mm.default(f32[3, 4], f32[4, 5]), case 2"
    std::string wrong; // why it does not hold; empty where it does
};

namespace detail {

/// Names for that many tensors: "x00" to "x99".
inline constexpr auto case_names = [] {
    std::array<char, 300> out{};
    for (std::size_t i = 0; i < 100; ++i) {
        out[3 * i] = 'x';
        out[3 * i + 1] = static_cast<char>('0' + i / 10);
        out[3 * i + 2] = static_cast<char>('0' + i % 10);
    }
    return out;
}();
constexpr std::string_view case_name(std::int32_t i) { return {case_names.data() + 3 * i, 3}; }

/// Writes the tensors of the cases down as placeholders.
struct case_tensors {
    graph g;
    diagnosis& d;

    template <class T>
    constexpr void add(T) {
        if constexpr (requires { T::type; }) place(T::type, input_role::user);
    }
    template <class T>
    constexpr void add(weight<T>) {
        place(T::type, input_role::parameter);
    }
    template <class... T>
    constexpr void add(tensor_list<T...>) {
        (place(T::type, input_role::user), ...);
    }
    template <fixed_string Name, class T>
    constexpr void add(keyword<Name, T>) {
        add(T{});
    }

private:
    constexpr void place(const tensor_type& type, input_role role) {
        node n;
        n.kind = node_kind::placeholder;
        n.role = role;
        n.target = case_name(g.header().used.nodes);
        n.name = {n.target, 0};
        if (role == input_role::parameter) n.weight = n.target;
        node_id id;
        if (append_node(g, n, id, d) && reserve_values(g, id, 1, d))
            g.value_of(id) = {value_kind::tensor, type, g[id].values[0]};
    }
};

/// The arguments of one case, each tensor the next placeholder.
struct case_arguments {
    std::int32_t next_tensor;
    std::int32_t count = 0, used = 0;
    argument given[max_parameters]{}, elements[64]{};

    constexpr void put(const argument& a) { given[count++] = a; }
    template <class T>
        requires requires { T::type; }
    constexpr void add(T) {
        put(argument::of(node_id{next_tensor++}));
    }
    template <class T>
    constexpr void add(weight<T>) {
        put(argument::of(node_id{next_tensor++}));
    }
    template <class... T>
    constexpr void add(tensor_list<T...>) {
        put({.kind = argument_kind::list, .children = {used, sizeof...(T)}});
        for (std::size_t i = 0; i < sizeof...(T); ++i) elements[used++] = argument::of(node_id{next_tensor++});
    }
    template <std::int64_t... Values>
    constexpr void add(ints<Values...>) {
        put({.kind = argument_kind::list, .children = {used, sizeof...(Values)}});
        ((elements[used++] = argument::of(Values)), ...);
    }
    template <std::int64_t Value>
    constexpr void add(integer<Value>) {
        put(argument::of(Value));
    }
    template <bool Value>
    constexpr void add(flag<Value>) {
        put(argument::of(Value));
    }
    template <dtype Type>
    constexpr void add(dtype_is<Type>) {
        put(argument::of(Type));
    }
    template <fixed_string Text>
    constexpr void add(word<Text>) {
        put({.kind = argument_kind::string, .text = word<Text>::text.view()});
    }
    template <fixed_string Digits>
    constexpr void add(real<Digits>) {
        argument a{.kind = argument_kind::real};
        read_decimal(spelled<Digits>.view(), a.bits);
        put(a);
    }
    constexpr void add(none) { put({}); }
    template <fixed_string Name, class T>
    constexpr void add(keyword<Name, T>) {
        add(T{});
        given[count - 1].keyword = keyword<Name, T>::name.view();
    }

private:
    template <fixed_string Text>
    static constexpr fixed_string spelled = Text;
};

template <std::size_t Cases>
struct case_graph {
    static constexpr auto count = static_cast<std::int32_t>(Cases);
    graph_storage<capacity{24 * count + 1, 96 * count + 16, 32 * count}> storage;
    std::int32_t case_of[16 * Cases]{}; // by output
    diagnosis error;
};

/// The call, and a getitem for each of its tensors where there are several. Appends what is to be returned.
constexpr bool append_case(graph g, op_table ops, std::string_view op, std::int32_t line, const case_arguments& given,
                           argument* returned, std::int32_t& returns, diagnosis& d) {
    const auto append = [&](std::string_view target, array_view<const argument> arguments,
                            array_view<const argument> elements, node_id& id) {
        node n;
        n.op = find_op(ops, target);
        n.target = target;
        n.name = {base_of(target), g.header().used.nodes};
        n.from.line = line;
        if (!reserve_arguments(g, static_cast<std::int32_t>(arguments.size()), n.arguments, d) ||
            !append_node(g, n, id, d))
            return false;
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            auto a = arguments[static_cast<std::size_t>(i)];
            const auto from = a.children;
            if (from.count > 0 && !reserve_arguments(g, from.count, a.children, d)) return false;
            for (std::int32_t k = 0; k < from.count; ++k)
                set_argument(g, a.children[k], elements[static_cast<std::size_t>(from.first + k)], id);
            set_argument(g, n.arguments[i], a, id);
        }
        return infer_node(g, ops, id, d);
    };
    node_id call;
    if (!append(op, {given.given, static_cast<std::size_t>(given.count)}, given.elements, call)) return false;
    if (g[call].values.count == 1) {
        returned[returns++] = argument::of(call);
        return true;
    }
    for (std::int32_t k = 0; k < g[call].values.count; ++k) {
        if (g.value_of(call, k).kind != value_kind::tensor || element_count(g.value_of(call, k).type) == 0) continue;
        const argument pick[] = {argument::of(call), argument::of(k)};
        node_id picked;
        if (!append("operator.getitem", pick, {}, picked)) return false;
        returned[returns++] = argument::of(picked);
    }
    return true;
}

template <class List>
struct cases_of;
template <class... Supports>
struct cases_of<cases<Supports...>> {
    template <class... Arguments>
    static constexpr void place(case_tensors& out, support<Arguments...>) {
        (out.add(Arguments{}), ...);
    }
    template <class... Arguments>
    static constexpr void list(case_arguments& out, support<Arguments...>) {
        (out.add(Arguments{}), ...);
    }
    static constexpr auto graph_of(op_table ops, std::string_view op) {
        case_graph<sizeof...(Supports)> out;
        const auto g = out.storage.edit();
        case_tensors tensors{g, out.error};
        (place(tensors, Supports{}), ...);
        argument returned[16 * sizeof...(Supports)];
        std::int32_t returns = 0, line = 0, next_tensor = 0;
        const auto one = [&](auto declared) {
            if (!out.error.ok()) return;
            case_arguments given{next_tensor};
            list(given, declared);
            next_tensor = given.next_tensor;
            const auto before = returns;
            append_case(g, ops, op, ++line, given, returned, returns, out.error);
            for (auto k = before; k < returns; ++k) out.case_of[k] = line;
        };
        (one(Supports{}), ...);
        node n;
        n.kind = node_kind::output;
        n.name = {"output", 0};
        n.target = "output";
        node_id id;
        if (out.error.ok() && reserve_arguments(g, returns, n.arguments, out.error) && append_node(g, n, id, out.error))
            for (std::int32_t k = 0; k < returns; ++k) set_argument(g, n.arguments[k], returned[k], id);
        return out;
    }
};

/// The cases of Converter as a graph that can be compiled.
template <class Converter, class Registry>
struct supported_graph {
    using registry = Registry;
    static constexpr auto made =
        cases_of<typename Converter::supported>::graph_of(Registry::table, Converter::op::name);
    static constexpr const auto& storage = made.storage;
    static constexpr const diagnosis& error = made.error;
};

/// Whether Tools would ask this converter.
template <class Converter, class Tools>
constexpr bool is_used_by() {
    if constexpr (requires { &Converter::convert; })
        for (const auto& row : Tools::converters::table)
            if (same_name(row.op, Converter::op::name)) return row.convert == &Converter::convert;
    return true;
}

/// "" or what differs.
template <class Output>
std::string difference(const Output& got, const host_tensor& wanted) {
    using type = typename Output::type;
    if (type::type.type != wanted.type.type || sizes_of(type::type) != sizes_of(wanted.type))
        return std::string(print(type::type).view()) + " where the reference gives " +
               std::string(print(wanted.type).view());
    std::string out;
    for_each_index(sizes_of(wanted.type), [&](const int_list& at) {
        const auto a = got.storage()[static_cast<std::size_t>(position_of(type::type, at))];
        if (!out.empty() ||
            (is_floating(type::type.type) ? is_close(static_cast<double>(a), wanted.get<double>(at))
                                          : static_cast<std::int64_t>(a) == wanted.get<std::int64_t>(at)))
            return;
        out = "an element of " + std::string(print(type::type).view()) + " is " + std::to_string(+a) +
              ", the reference has " + std::to_string(wanted.get<double>(at));
    });
    return out;
}

} // namespace detail

/// Runs every case of Converter, or of a decomposition, with the converters and device operators of Tools, on inputs
/// made from `seed`. One result for each case.
template <class Converter, class Tools = toolchain<>, class Registry = aten::registry>
std::vector<supported_result> run_supported(std::uint64_t seed = 1) {
    static_assert(detail::is_used_by<Converter, Tools>(),
                  "run_supported: the toolchain has another converter for the operator");
    using front = detail::supported_graph<Converter, Registry>;
    using program = compiled_graph<front, Tools>;
    std::vector<supported_result> out;
    if constexpr (!program::accepted) return out; // was reported
    else {
        const auto g = program::captured();
        weights parameters;
        std::vector<host_tensor> given;
        std::vector<std::size_t> ports;
        for (node_id id : g) {
            const auto& n = g[id];
            if (n.kind == node_kind::placeholder) {
                const auto& t = given.emplace_back(random_tensor(g.value_of(id).type, seed));
                if (n.role == input_role::user) {
                    ports.push_back(given.size() - 1);
                    continue;
                }
                std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(t.type)) * bytes_of(t.type.type));
                to_bytes(t, bytes);
                const auto sizes = sizes_of(t.type);
                parameters.add(std::string(n.weight), t.type.type, {sizes.begin(), sizes.end()}, bytes);
            } else if (n.kind == node_kind::call && n.target == Converter::op::name) {
                auto& call = out.emplace_back().call;
                call.append(n.target).append("(");
                const auto add = [&](const argument& a) {
                    if (a.kind != argument_kind::node) return;
                    if (call.back() != '(') call.append(", ");
                    call.append(print(g.value_of(a).type).view());
                };
                for (std::int32_t i = 0; i < n.arguments.count; ++i) {
                    add(g.argument_of(n, i));
                    for (std::int32_t k = 0; k < g.argument_of(n, i).children.count; ++k)
                        add(g[g.argument_of(n, i).children[k]]);
                }
                call.append("), case ").append(std::to_string(n.from.line));
            }
        }
        const auto complain = [&](std::int32_t line, std::string what) {
            auto& wrong = out[static_cast<std::size_t>(line - 1)].wrong;
            if (wrong.empty()) wrong = std::move(what);
        };
        const auto device = program::lowered_graph();
        for (node_id id : device)
            if (device[id].kind == node_kind::call && !device[id].target.starts_with("npu."))
                complain(device[id].from.line, std::string(device[id].target) + " runs on the AI CPU");

        std::vector<host_tensor> wanted;
        diagnosis d;
        if (!interpret<Registry, detail::table_of_graph<front>>(g, given, wanted, d)) raise(d);
        const auto prepared = program::prepare(parameters);
        const auto run = std::make_unique<typename program::session>(prepared);
        const auto input = [&]<std::int32_t I>(std::integral_constant<std::int32_t, I>) {
            using type = tensor_input<static_type<typename program::template input_port<I>>>;
            auto elements = std::make_unique<std::array<typename type::element, type::extent>>();
            const auto& t = given[ports[I]];
            for_each_index(sizes_of(t.type), [&](const int_list& at) {
                const auto place = static_cast<std::size_t>(position_of(program::template input_port<I>::type, at));
                (*elements)[place] = t.template get<typename type::element>(at);
            });
            return elements;
        };
        [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
            const auto inputs = std::tuple(input(std::integral_constant<std::int32_t, I>{})...);
            const auto outputs = (*run)(as_stored(*std::get<I>(inputs))...);
            std::apply(
                [&](const auto&... each) {
                    std::size_t k = 0;
                    const auto compare = [&](const auto& output) {
                        if (auto what = detail::difference(output, wanted[k]); !what.empty())
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

} // namespace ahead
