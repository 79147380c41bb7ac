// SPDX-License-Identifier: MIT
// Reads the inputs of a node of a pbtxt text, which are results of earlier nodes, and the values of its attributes,
// which become arguments.
// Invariant: every input is read by one argument. Called by read_pbtxt.hpp for each node: begin, then inputs and
// values, then end.
#pragma once
#include <ahead/core/name_index.hpp>
#include <ahead/frontend/pbtxt/results.hpp>
#include <ahead/ir/complex_literal.hpp>

namespace AHEAD_NAMESPACE::detail {

class pbtxt_values {
public:
    /// has_types: nodes above have the results that the text states; otherwise typing decides how many they have.
    constexpr pbtxt_values(pbtxt_reader& r, graph g, bool has_types, diagnosis& d)
        : r_(r), g_(g), d_(d), has_types_(has_types) {}

    /// The names of the nodes, in text order.
    constexpr const std::vector<std::string_view>& names() const { return names_; }
    constexpr void begin(node_id id) {
        id_ = id;
        inputs_.clear();
    }
    constexpr void end(std::string_view name) {
        index_.insert(name, names_.size());
        names_.push_back(name);
    }
    constexpr node_id find(std::string_view name) const {
        const auto found = index_.find(name, [this](std::size_t i) { return names_[i]; });
        return {found == name_index::none ? -1 : static_cast<std::int32_t>(found)};
    }

    /// "name" or "name:k" of an earlier node.
    constexpr bool find_result(std::string_view text, node_id& node, std::int32_t& result) {
        result = 0;
        const auto colon = text.rfind(':');
        const bool numbered = colon != text.npos && colon + 1 < text.size() && text.size() - colon < 8;
        for (auto i = colon + 1; numbered && i < text.size(); ++i) {
            if (text[i] < '0' || text[i] > '9')
                return r_.fail(fault::name_is_undefined, "the name of a node above", text);
            result = result * 10 + (text[i] - '0');
        }
        node = find(numbered ? text.substr(0, colon) : text);
        if (!node.exists()) return r_.fail(fault::name_is_undefined, "the name of a node above", text);
        if (has_types_ && result > 0 && result >= g_[node].values.count)
            return r_.fail(fault::index_is_out_of_range, short_text("one of ") << g_[node].values.count << " results",
                           text);
        return true;
    }
    constexpr bool read_input() {
        std::string_view text;
        edge input;
        if (!r_.colon() || !r_.string(text) || !find_result(text, input.node, input.result)) return false;
        if (!has_types_ && input.result > 0 && !pbtxt_words::picks_one(g_[id_].target))
            return r_.fail(fault::result_is_not_a_tensor, "operator.getitem, which picks one of several results", text);
        inputs_.push_back(input);
        return true;
    }

    /// One value, without the braces around it.
    constexpr bool read(argument& a) {
        const auto word = r_.word();
        if (word == "func") return read_function(a);
        if (word == "list") return read_plain_list(a);
        if (word.empty()) return r_.malformed("a value: i, f, b, s, type, placeholder, list or func");
        return read_scalar(word, a);
    }
    /// Stores them as the arguments of the node.
    constexpr bool keep(const std::vector<argument>& all, id_range<argument_id>& out) {
        if (!r_.placed(reserve_arguments(g_, static_cast<std::int32_t>(all.size()), out, d_))) return false;
        for (std::int32_t i = 0; i < out.count; ++i) set_argument(g_, out[i], all[static_cast<std::size_t>(i)], id_);
        return true;
    }
    constexpr bool all_are_read() {
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (!inputs_[i].used)
                return r_.fail(fault::text_is_malformed, "every input to be read",
                               short_text("input ") << i << " that is not");
        return true;
    }

private:
    /// The target of an `input`.
    struct edge {
        node_id node;
        std::int32_t result = 0;
        bool used = false;
    };
    pbtxt_reader& r_;
    graph g_;
    diagnosis& d_;
    bool has_types_;
    std::vector<std::string_view> names_;
    name_index index_;         // of names_
    std::vector<edge> inputs_; // of the current node
    node_id id_;
    int depth_ = 0;

    constexpr bool read_scalar(std::string_view word, argument& a) {
        if (!r_.colon()) return false;
        if (word == "i") {
            a.kind = argument_kind::integer;
            return r_.integer(a.bits);
        }
        if (word == "f") {
            a.kind = argument_kind::real;
            return r_.real(a.bits, a.text);
        }
        if (word == "b") {
            bool value = false;
            if (!r_.boolean(value)) return false;
            a = argument::of(value);
            return true;
        }
        if (word == "s") {
            a.kind = argument_kind::string;
            return r_.string(a.text);
        }
        if (word == "type") {
            a.kind = argument_kind::dtype;
            return read_pbtxt_type(r_, a.bits, false);
        }
        if (word == "placeholder") return read_input_number(a);
        return r_.fail(fault::text_is_malformed, "a value: i, f, b, s, type, placeholder, list or func", word);
    }
    constexpr bool read_input_number(argument& a) {
        std::string_view text;
        if (!r_.string(text)) return false;
        std::size_t number = 0;
        for (char c : text) {
            if (c < '0' || c > '9' || text.size() > 6)
                return r_.fail(fault::text_is_malformed, "the number of an input", text);
            number = number * 10 + static_cast<std::size_t>(c - '0');
        }
        if (text.empty() || number >= inputs_.size() || inputs_[number].used)
            return r_.fail(fault::index_is_out_of_range,
                           short_text("one of ") << inputs_.size() << " inputs, each read once", text);
        inputs_[number].used = true;
        a = argument::of(inputs_[number].node, inputs_[number].result);
        return true;
    }
    constexpr bool read_plain_list(argument& a) {
        a.kind = argument_kind::list;
        if (!r_.open()) return false;
        std::vector<argument> children;
        while (!r_.accept('}')) {
            argument child;
            const auto word = r_.word();
            if (word != "i" && word != "f" && word != "b" && word != "s") return r_.malformed("i, f, b, s or '}'");
            if (!read_scalar(word, child)) return false;
            children.push_back(child);
        }
        return keep(children, a.children);
    }
    constexpr bool read_function(argument& a) {
        std::string_view name;
        if (!r_.open() || !r_.field("name") || !r_.string(name)) return false;
        if (name == pbtxt_words::write) return read_write(a);
        bool known = false;
        for (std::size_t i = 0; i < std::size(pbtxt_words::functions); ++i)
            if (!pbtxt_words::functions[i].empty() && pbtxt_words::functions[i] == name)
                a.kind = static_cast<argument_kind>(i), known = true;
        if (!known)
            return r_.fail(fault::text_is_malformed,
                           "None, dtype, device, layout, memory_format, slice, list, tuple, word or complex", name);
        if (a.kind == argument_kind::block)
            return r_.fail(fault::control_flow_is_not_run, "a graph without blocks, which FX text can hold", name);
        if (++depth_ > 16) return r_.fail(fault::text_is_malformed, "lists in lists to a depth of 16", "more");
        std::vector<argument> children;
        bool indexed = false;
        while (!r_.accept('}')) {
            std::string_view key;
            if (!r_.block("attr") || !r_.field("key") || !r_.string(key) || !r_.block("value")) return false;
            if (key == "text") {
                if (!r_.text(a.text)) return false;
            } else if (key == "index" && a.kind == argument_kind::device) {
                indexed = true;
                if (!r_.field("i") || !r_.integer(a.bits)) return false;
            } else {
                argument child;
                if (key != (short_text() << children.size()).view())
                    return r_.fail(fault::text_is_malformed, short_text("element ") << children.size(), key);
                if (!read(child)) return false;
                children.push_back(child);
            }
            if (!r_.close() || !r_.close()) return false;
        }
        --depth_;
        if (a.kind != argument_kind::slice && !is_list(a) && !children.empty())
            return r_.fail(fault::text_is_malformed, short_text(name) << " without elements", "some");
        if (a.kind == argument_kind::device && !indexed)
            return r_.fail(fault::text_is_malformed, "the device's index", "none");
        if (std::int64_t re = 0, im = 0; a.kind == argument_kind::complex &&
                                         (length_of_complex(a.text) != a.text.size() || !read_complex(a.text, re, im)))
            return r_.fail(fault::text_is_malformed, "a complex number", a.text);
        if (a.kind == argument_kind::dtype) {
            const auto type = dtype_named(a.text);
            if (!type) return r_.fail(fault::dtype_is_unsupported, "a dtype as torch spells it", a.text);
            a.bits = static_cast<std::int64_t>(*type);
        }
        return keep(children, a.children);
    }
    constexpr bool read_write(argument& a) {
        const auto attr = [&](std::string_view wanted) {
            std::string_view key;
            if (!r_.block("attr") || !r_.field("key") || !r_.string(key) || !r_.block("value")) return false;
            return key == wanted || r_.fail(fault::text_is_malformed, wanted, key);
        };
        std::string_view text;
        node_id to;
        std::int32_t result = 0;
        if (g_[id_].kind != node_kind::output)
            return r_.fail(fault::text_is_malformed, "a write in what the graph returns", "one in a call");
        if (!attr("to") || !r_.text(text) || !find_result(text, to, result) || !r_.close() || !r_.close()) return false;
        if (g_[to].kind == node_kind::call) return r_.fail(fault::text_is_malformed, "an input of the graph", text);
        if (!attr("value") || !r_.field("placeholder") || !read_input_number(a) || !r_.close() || !r_.close())
            return false;
        a.writes = to;
        return r_.close();
    }
};

} // namespace ahead::detail
