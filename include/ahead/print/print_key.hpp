// SPDX-License-Identifier: MIT
// The arguments by which a kernel is instantiated, as C++: keys as designated initialisers without defaults, operators
// by the names of their types. The printed text, compiled with <ahead/kernels/kernels.hpp>, is the same key again.
// Called by the writers of generated programs, and by users.
// Invariant: the text depends neither on the graph that a call was taken from, nor on the instruction set.
#pragma once
#include <ahead/core/enumerator_name.hpp>
#include <ahead/device/key/call_key.hpp>
#include <ahead/device/key/epilogue.hpp>
#include <ahead/ir/registry.hpp>
#include <charconv>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace AHEAD_NAMESPACE::detail {

/// A type in the compiler's spelling, with words around it. A constant, so that no code is made for each of hundreds of
/// types.
template <class Named> constexpr std::string_view words_of_type() { return __PRETTY_FUNCTION__; }

/// The type in C++ spelling, without the namespaces of instruction sets.
inline std::string name_in(std::string_view words) {
    constexpr std::string_view mark = "Named = ";
    words.remove_prefix(words.find(mark) + mark.size());
    std::string out;
    int open = 0; // brackets
    for (const char c : words) {
        if (open == 0 && (c == ';' || c == ']')) break;
        open += (c == '<' || c == '[' || c == '{') - (c == '>' || c == ']' || c == '}');
        out += c;
    }
    for (std::size_t at; (at = out.find("::isa_")) != out.npos;) out.erase(at, out.find("::", at + 2) - at);
    return out;
}
template <class Named> std::string type_name() { return name_in(words_of_type<Named>()); }

inline constexpr std::size_t most_enumerators = 32; // of an enumeration in a key
template <class Enum> const std::string& spelled_enumerator(Enum v) {
    static constexpr auto names = []<std::size_t... Nth>(std::index_sequence<Nth...>) {
        return std::array<std::string_view, sizeof...(Nth)>{enumerator_name<static_cast<Enum>(Nth)>()...};
    }(std::make_index_sequence<most_enumerators>{});
    static const auto spelled = [] {
        std::array<std::string, most_enumerators> out;
        for (std::size_t i = 0; i < out.size(); ++i) (out[i] = type_name<Enum>() + "::") += names[i];
        return out;
    }();
    return spelled[static_cast<std::size_t>(v)];
}

/// A tensor type in a key.
constexpr void fields(const tensor_type& k, const tensor_type& usual, auto f) {
    f("type", k.type, usual.type);
    f("layout", k.layout, usual.layout);
    f("quant", k.quant, usual.quant);
    f("rank", k.rank, usual.rank);
    f("sizes", k.sizes.at, usual.sizes.at);
    f("strides", k.strides.at, usual.strides.at);
    f("offset", k.offset, usual.offset);
}

class key_printer {
public:
    explicit key_printer(std::string& out) : out_(out) {}

    template <class T> void print(const T& v) {
        if constexpr (std::is_same_v<T, bool>) out_ += v ? "true" : "false";
        else if constexpr (std::is_enum_v<T>) out_ += spelled_enumerator(v);
        else if constexpr (std::is_same_v<T, std::string_view>) print_text(v);
        else if constexpr (std::is_integral_v<T>) print_number(v);
        else if constexpr (requires { append_short(out_, v); }) append_short(out_, v);
        else print_fields(v, T{});
    }
    template <class T> void print_fields(const T& v, const T& usual) {
        out_ += '{';
        std::string_view before = ".";
        fields(v, usual, [&](std::string_view name, const auto& member, const auto& as_usual) {
            if (is_same(member, as_usual)) return;
            print_name(before, name);
            print(member);
            before = ", .";
        });
        out_ += '}';
    }
    /// Up to the last element without its default value. A class that contains an array has two braces.
    template <class T, std::size_t Size> void print(const std::array<T, Size>& all) { print_array(all.data(), Size); }
    template <class T, std::size_t Size> void print(const T (&all)[Size]) { print_array(all, Size); }
    template <class T> void print(const std::vector<T>& all) { print_array(all.data(), all.size()); }

private:
    template <class T> static bool is_same(const T& a, const T& b) {
        if constexpr (requires { bool{a == b}; }) {
            return a == b;
        } else {
            bool same = true;
            fields(a, b, [&](std::string_view, const auto& x, const auto& y) { same = same && is_same(x, y); });
            return same;
        }
    }
    template <class T, std::size_t Size>
    static bool is_same(const std::array<T, Size>& a, const std::array<T, Size>& b) {
        for (std::size_t i = 0; i < Size; ++i)
            if (!is_same(a[i], b[i])) return false;
        return true;
    }
    template <class T> static bool is_same(const std::vector<T>& a, const std::vector<T>&) {
        for (const auto& entry : a)
            if (!is_same(entry, T{})) return false;
        return true;
    }
    template <class T, std::size_t Size> static bool is_same(const T (&a)[Size], const T (&b)[Size]) {
        for (std::size_t i = 0; i < Size; ++i)
            if (!is_same(a[i], b[i])) return false;
        return true;
    }
    template <class T> void print_array(const T* all, std::size_t size) {
        while (size > 0 && is_same(all[size - 1], T{})) --size;
        out_ += "{{";
        for (std::size_t i = 0; i < size; ++i) {
            if (i > 0) out_ += ", ";
            print(all[i]);
        }
        out_ += "}}";
    }
    /// ", .name = " in one append: a model has a million of them.
    void print_name(std::string_view before, std::string_view name) {
        char text[64];
        const auto size = before.size() + name.size() + 3;
        if (size > sizeof text) {
            ((out_ += before) += name) += " = ";
            return;
        }
        std::memcpy(text, before.data(), before.size());
        std::memcpy(text + before.size(), name.data(), name.size());
        std::memcpy(text + size - 3, " = ", 3);
        out_.append(text, size);
    }
    void print_number(auto v) {
        if (std::is_same_v<decltype(v), std::int64_t> && v == std::numeric_limits<std::int64_t>::min()) {
            out_ += "-9223372036854775807 - 1"; // whose digits alone are too large for a literal
            return;
        }
        char text[24];
        out_.append(text, std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(v)).ptr);
    }
    void print_text(std::string_view text) {
        const auto is_plain = [](char c) { return c >= ' ' && c < 127 && c != '"' && c != '\\'; };
        out_ += '"';
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto begin = i;
            while (i < text.size() && is_plain(text[i])) ++i;
            out_ += text.substr(begin, i - begin);
            if (i == text.size()) break;
            out_ += '\\';
            if (text[i] == '"' || text[i] == '\\') out_ += text[i];
            else
                for (const int shift : {6, 3, 0})
                    out_ += static_cast<char>('0' + (static_cast<unsigned char>(text[i]) >> shift & 7));
        }
        out_ += '"';
    }
    std::string& out_;
};

/// A device::call_key whose size is known only at run time.
struct any_call {
    std::vector<device::call_part> arguments;
    std::vector<tensor_type> operands, results;
    explicit any_call(const device::call_size& size)
        : arguments(static_cast<std::size_t>(size.arguments)), operands(static_cast<std::size_t>(size.operands)),
          results(static_cast<std::size_t>(size.results)) {}
};
void fields(const any_call& k, const any_call&, auto f) {
    f("arguments", k.arguments, std::vector<device::call_part>{});
    f("operands", k.operands, std::vector<tensor_type>{});
    f("results", k.results, std::vector<tensor_type>{});
}

inline std::string type_of_call(const device::call_size& size) {
    std::string out = "ahead::device::call_key<ahead::device::call_size{";
    out += std::to_string(size.arguments) + ", " + std::to_string(size.operands) + ", " + std::to_string(size.results);
    return out + "}>";
}
template <class Key> std::string key_type(const Key&) { return type_name<Key>(); }
template <device::call_size Size> std::string key_type(const device::call_key<Size>&) { return type_of_call(Size); }

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// "ahead::device::softmax_key{.rows = 8, .count = 64}". key: of a device operator, or a part of one.
template <class Key> std::string print_key(const Key& key) {
    auto out = detail::key_type(key);
    detail::key_printer(out).print_fields(key, Key{});
    return out;
}

/// "ahead::op_list<ahead::aten::add, ahead::aten::relu>"
template <class... Ops> std::string print_operators(op_list<Ops...>) {
    std::string out = "ahead::op_list<", between;
    ((out += between + detail::type_name<Ops>(), between = ", "), ...);
    return out + ">";
}

/// The arguments of kernel_for for a call (kernels/kernel_for.hpp), as C++. An empty text: the call does not have it.
struct printed_call {
    std::string op;  // the device operator: "ahead::device::matmul"
    std::string key; // or the call without its graph
    std::string epilogue;
    std::string operators; // of steps: "ahead::op_list<...>"
};

} // namespace ahead::printers
namespace AHEAD_NAMESPACE::detail {

/// The printed parts that depend on the device operator; print_call prints the others.
struct printed_operator {
    std::string_view type, meaning;              // as words_of_type; meaning: that of a fused key's step
    std::size_t parameters;                      // of its schema
    std::string (*key)(const call_view&);        // null: the call without its graph is the key
    std::string (*epilogue)(const call_view&);   // null: none
    device::step_ops (*steps)(const call_view&); // null: none
};
struct printed_operator_maker {
    template <class Op> static std::string key_of(const call_view& c) { return print_key(Op::key(c)); }
    template <class Op> static std::string epilogue_of(const call_view& c) {
        return Op::has_epilogue(c) ? print_key(Op::epilogue(c)) : std::string();
    }
    template <class Op> static constexpr printed_operator make() {
        printed_operator out{words_of_type<Op>(), {}, std::size(Op::schema), nullptr, nullptr, nullptr};
        if constexpr (requires { typename Op::meaning_of; }) out.meaning = words_of_type<typename Op::meaning_of>();
        if constexpr (requires(const call_view& c) { Op::key(c); }) out.key = &key_of<Op>;
        if constexpr (requires(const call_view& c) { Op::epilogue(c); }) out.epilogue = &epilogue_of<Op>;
        if constexpr (requires(const call_view& c) { Op::step_ops(c); }) out.steps = &Op::step_ops;
        return out;
    }
    template <class Op> static constexpr printed_operator of = make<Op>();
};
inline std::string print_call_by_itself(graph_view g, node_id id, std::size_t parameters,
                                        const bound_arguments& bound) {
    const auto size = device::size_of_call(g, id, parameters, bound);
    any_call own(size);
    device::take_call(g, id, parameters, bound, own);
    auto out = type_of_call(size);
    key_printer(out).print_fields(own, own);
    return out;
}
inline std::string print_steps(const device::step_ops& steps, const printed_operator* rows) {
    if (steps.count == 0) return {};
    std::string out;
    std::string_view between = "ahead::op_list<";
    for (std::size_t s = 0; s < static_cast<std::size_t>(steps.count); ++s) {
        (out += between) += name_in(rows[steps.row[s].index].meaning);
        between = ", ";
    }
    return out + '>';
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// The kernel of call `id` of a device graph, whose operators are those of Registry. pre: a task
template <class Registry> printed_call print_call(graph_view g, node_id id) {
    constexpr const auto& rows = Registry::template rows_of<detail::printed_operator_maker>;
    const auto row = static_cast<std::size_t>(g[id].op.index);
    const auto& op = rows[row];
    bound_arguments bound;
    diagnosis d;
    bind_arguments(g, id, Registry::table[row], bound, d);
    const call_view c(g, id, bound, d);
    printed_call out{detail::name_in(op.type), {}, {}, {}};
    out.key = op.key != nullptr ? op.key(c) : detail::print_call_by_itself(g, id, op.parameters, bound);
    if (op.epilogue != nullptr) out.epilogue = op.epilogue(c);
    if (op.steps != nullptr) out.operators = detail::print_steps(op.steps(c), rows.data());
    return out;
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_key;
} // namespace ahead
