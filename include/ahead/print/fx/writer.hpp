// SPDX-License-Identifier: MIT
// The pieces of FX text: names, values, annotations, results. Both printed forms are made of them.
// Invariant: a real prints with the digits that it was parsed with, or with the fewest that parse back to the same
// double.
// Called by print_fx only.
#pragma once
#include <ahead/core/decimal.hpp>
#include <ahead/frontend/fx/style.hpp>
#include <ahead/ir/blocks.hpp>
#include <ahead/print/text_sink.hpp>

namespace AHEAD_NAMESPACE::detail {

inline constexpr std::string_view builtin_prefix = "operator.";
/// Whether the target has the prefix "torch.ops.": Python's operators and functorch's markers do not.
constexpr bool is_torch_operator(std::string_view target) {
    return target.substr(0, builtin_prefix.size()) != builtin_prefix && target.substr(0, 7) != "torch._";
}

template <text_sink Sink> class fx_writer {
public:
    constexpr fx_writer(graph_view g, const fx_style& style, Sink& out) : g_(g), style_(style), out_(out) {}
    constexpr graph_view view() const { return g_; }
    constexpr const fx_style& style() const { return style_; }

    // ---- pieces

    template <class... Parts> constexpr void put(Parts... parts) { (out_.append(std::string_view(parts)), ...); }
    constexpr void put_number(std::int64_t number) { put((short_text() << number).view()); }
    constexpr void put_name(label l) {
        put(l.text);
        if (l.number != 0) {
            put("_");
            put_number(l.number);
        }
    }
    constexpr void indent(std::int32_t size) {
        for (std::int32_t i = 0; i < size; ++i) put(" ");
    }
    constexpr bool listing() const { return style_.form == fx_form::listing; }

    constexpr void put_elements(id_range<argument_id> range) {
        for (std::int32_t i = 0; i < range.count; ++i) {
            if (i > 0) put(", ");
            put_value(g_[range[i]]);
        }
    }
    constexpr void put_string(std::string_view text) {
        // Like Python's repr: double quotes if the text contains a single quote.
        bool apostrophe = false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '\\') ++i;
            else if (text[i] == '\'') apostrophe = true;
        }
        const std::string_view quote = apostrophe ? "\"" : "'";
        put(quote, text, quote);
    }
    constexpr void put_device(const argument& a) {
        // The text is the type, "cuda", with the index in bits; or all of it, "cuda:0".
        const auto colon = a.text.find(':');
        const auto type = a.text.substr(0, colon);
        const bool indexed = colon == a.text.npos && a.bits >= 0;
        if (!listing()) put("device(type='", type, "'");
        else put(type);
        if (indexed || colon != a.text.npos) {
            put(listing() ? ":" : ", index=");
            if (indexed) put_number(a.bits);
            else put(a.text.substr(colon + 1));
        }
        if (!listing()) put(")");
    }
    constexpr void put_value(const argument& a, bool result = false) {
        switch (a.kind) {
        case argument_kind::none: put("None"); break;
        case argument_kind::node:
            if (listing() && !result) put("%");
            put_name(g_[a.node()].name);
            if (a.result > 0) put("[", (short_text() << a.result).view(), "]"); // of a device graph
            break;
        case argument_kind::block:
            if (listing()) put("%");
            put_name(g_[a.block()].name);
            break;
        case argument_kind::integer: put_number(a.bits); break;
        case argument_kind::real: a.text.empty() ? put(print_decimal(a.bits).view()) : put(a.text); break;
        case argument_kind::boolean: put(a.boolean() ? "True" : "False"); break;
        case argument_kind::string: listing() ? put(a.text) : put_string(a.text); break;
        case argument_kind::dtype: put(a.text.empty() ? facts_of(a.type()).torch : a.text); break;
        case argument_kind::device: put_device(a); break;
        case argument_kind::layout:
        case argument_kind::memory_format:
        case argument_kind::complex:
        case argument_kind::word: put(a.text); break;
        case argument_kind::slice:
            put("slice(");
            put_elements(a.children);
            put(")");
            break;
        case argument_kind::list:
            put("[");
            put_elements(a.children);
            put("]");
            break;
        case argument_kind::tuple:
            put("(");
            put_elements(a.children);
            put(a.children.count == 1 ? ",)" : ")");
            break;
        }
    }

    constexpr std::string_view annotation_of(node_id id, short_text& made) const {
        const auto& n = g_[id];
        if (style_.types == fx_types::printed) return n.annotation;
        if (n.values.count != 1 || g_.value_of(id).kind != value_kind::tensor || holds_blocks(g_, n)) return {};
        made = ahead::print(g_.value_of(id).type);
        return made.view();
    }
    constexpr void put_annotation(node_id id, bool parameter = false) {
        short_text made;
        const auto text = annotation_of(id, made);
        if (text.empty()) return;
        put(parameter && style_.spaced_colon ? " : " : ": ");
        style_.quoted&& text.substr(0, 6) != "torch." ? put("\"", text, "\"") : put(text);
    }

    /// Calls print(writer) with a writer for a block, in the block's style.
    template <class Print> constexpr void print_inside(graph_view block, const fx_style& style, Print print) {
        fx_writer inner(block, style, out_);
        print(inner);
    }

    // ---- results

    constexpr void put_results(const node& n) {
        put("return ");
        if (style_.unflatten) put("pytree.tree_unflatten(");
        if (n.arguments.count == 1) {
            put_result(g_[n.arguments[0]], style_.expanded_return);
        } else { // of a device graph: flat
            put("(");
            for (std::int32_t i = 0; i < n.arguments.count; ++i) {
                if (i > 0) put(", ");
                put_result(g_[n.arguments[i]]);
            }
            put(")");
        }
        put(style_.unflatten ? ", self._out_spec)\n" : "\n");
    }
    /// A listing leaves out the "%" here.
    constexpr void put_result(const argument& a, bool expanded = false) {
        const bool list = a.kind == argument_kind::list;
        if (!list && a.kind != argument_kind::tuple) {
            put_value(a, true);
            return;
        }
        put(list ? "[" : "(");
        for (std::int32_t i = 0; i < a.children.count; ++i) {
            const auto& child = g_[a.children[i]];
            if (expanded) {
                put("\n");
                indent(style_.body_indent + 4);
            } else if (i > 0) put(", ");
            put_result(child);
            if (!expanded) continue;
            put(",");
            if (child.kind == argument_kind::node && !child.text.empty()) put("  ", child.text);
        }
        if (expanded) {
            put("\n");
            indent(style_.body_indent);
        } else if (a.children.count == 1 && !list) put(",");
        put(list ? "]" : ")");
    }

private:
    graph_view g_;
    const fx_style& style_;
    Sink& out_;
};

} // namespace ahead::detail
