// SPDX-License-Identifier: MIT
// Reads the signature that print(ExportedProgram) prints below the code: which inputs are weights and their names,
// which outputs are new values of inputs, ranges. Three spellings: "# inputs" and "# outputs" lists; input_specs=[...]
// on one line (to 2.6); parameters=[...] on many lines (2.1).
// Invariant: it names every input of the graph once, and every output in order. Called by read_fx.
#pragma once
#include <ahead/frontend/fx/reader.hpp>

namespace AHEAD_NAMESPACE::detail {

class signature_reader {
public:
    constexpr explicit signature_reader(fx_reader& r) : r_(r), c_(r.c) {
        for (std::int32_t i = 0; i <= r.g.last().index; ++i) // nodes of blocks come after them
            placeholders_ += r.g[node_id{i}].kind == node_kind::placeholder;
        results_ = returned_by(r.g);
    }

    /// pre: after the return line.
    constexpr bool read() {
        auto& style = r_.style;
        skip_to_text();
        const auto from = c_.at;
        if (!c_.accept("Graph signature:")) return r_.malformed("'Graph signature:'");
        c_.skip_spaces();
        if (c_.accept("ExportGraphSignature(")) {
            if (c_.peek() == '\n' ? !read_fields() : !read_specs()) return false;
        } else if (c_.peek() == '\n' || c_.done()) {
            if (!read_lists()) return false;
        } else return r_.malformed("the end of the line, or 'ExportGraphSignature('");
        r_.about(title);
        if (inputs_ != placeholders_)
            return inconsistent(short_text() << placeholders_ << " inputs, as the graph has", short_text() << inputs_);
        if (outputs_ != results_.count)
            return inconsistent(short_text() << results_.count << " outputs, as the graph returns", short_text()
                                                                                                        << outputs_);
        for (node_id id : r_.g) r_.g[id].from.made_by = {};
        return read_ranges() && finish(style, from);
    }

private:
    static constexpr std::string_view title = "Graph signature";

    fx_reader& r_;
    cursor& c_;
    std::int32_t placeholders_ = 0;
    id_range<argument_id> results_;
    std::int32_t inputs_ = 0;
    std::int32_t outputs_ = 0;

    constexpr bool inconsistent(const short_text& expected, const short_text& found) {
        return r_.fail(fault::signature_is_inconsistent, expected, found);
    }

    constexpr void skip_to_text() {
        while (!c_.done() && (c_.peek() == ' ' || c_.peek() == '\n' || c_.peek() == '#')) {
            if (c_.peek() == ' ') ++c_.at;
            else c_.next_line();
        }
    }
    /// Moves to the next `word` of this line; false if there is none.
    template <std::size_t Size> constexpr bool seek(const char (&word)[Size]) {
        while (true) {
            c_.skip_in_line_to(word[0]);
            if (c_.done() || c_.peek() == '\n') return false;
            if (c_.accept(word)) return true;
            ++c_.at;
        }
    }
    /// 'a.b', after its opening quote; also reads the closing one.
    constexpr std::string_view quoted() {
        const auto from = c_.at;
        c_.skip_in_line_to('\'');
        const auto text = c_.since(from);
        c_.accept('\'');
        return text;
    }

    constexpr bool input(std::string_view name, std::string_view kind, std::string_view target) {
        r_.about(name, title);
        auto role = input_role::user;
        if (same_text(kind, "PARAMETER")) role = input_role::parameter;
        else if (same_text(kind, "BUFFER")) role = input_role::buffer;
        else if (same_text(kind, "CONSTANT_TENSOR")) role = input_role::constant;
        else if (!same_text(kind, "USER_INPUT") && !same_text(kind, "TOKEN"))
            return r_.fail(fault::node_kind_is_unsupported, "a tensor input",
                           short_text() << "an input of kind " << kind);
        const auto id = r_.find_input(name);
        if (!id.exists() || r_.g[id].kind != node_kind::placeholder)
            return inconsistent("an input of the graph", short_text() << "'" << name << "'");
        auto& n = r_.g[id];
        if (n.from.made_by == title) return inconsistent("each input once", short_text() << "'" << name << "' again");
        n.from.made_by = title; // until all are read
        ++inputs_;
        n.role = role;
        n.weight = target;
        if (role != input_role::user && target.empty()) return r_.malformed("the weight's name, target='...'");
        return true;
    }
    /// Marks returned value i as the new value of the input or weight of this name.
    constexpr bool mark(std::int32_t i, std::string_view target, bool weight) {
        node_id written = weight ? node_id{} : r_.find_input(target);
        for (std::int32_t k = 0; weight && k <= r_.g.last().index && !written.exists(); ++k)
            if (const auto& n = r_.g[node_id{k}]; n.kind == node_kind::placeholder && same_text(n.weight, target))
                written = {k};
        if (!written.exists() || r_.g[written].kind != node_kind::placeholder ||
            (r_.g[written].role == input_role::user) == weight)
            return inconsistent(weight ? "a buffer of the graph" : "an input of the user's",
                                short_text() << "'" << target << "'");
        if (i < results_.count) r_.g[results_[i]].writes = written;
        return true;
    }
    /// Reads one output; the new value of an input (USER_INPUT_MUTATION) or of a weight (BUFFER_MUTATION,
    /// PARAMETER_MUTATION) is marked. A truncated kind is refused, because the write would be lost.
    constexpr bool output(std::string_view name, std::string_view kind = {}, std::string_view target = {}) {
        r_.about(name, title);
        const auto i = outputs_++;
        if (same_text(kind, "USER_INPUT_MUTATION")) {
            if (!mark(i, target, false)) return false;
        } else if (same_text(kind, "BUFFER_MUTATION") || same_text(kind, "PARAMETER_MUTATION")) {
            if (!mark(i, target, true)) return false;
        } else if (!kind.empty() && !same_text(kind, "USER_OUTPUT") && !same_text(kind, "TOKEN") &&
                   !same_text(kind, "LOSS_OUTPUT") &&
                   !same_text(kind, "GRADIENT_TO_PARAMETER") && !same_text(kind, "GRADIENT_TO_USER_INPUT"))
            return r_.fail(fault::node_kind_is_unsupported, "a tensor output",
                           short_text() << "an output of kind " << kind);
        if (i >= results_.count)
            return inconsistent(short_text() << results_.count << " outputs, as the graph returns",
                                short_text() << "more, '" << name << "'");
        const auto& a = r_.g[results_[i]];
        if (a.kind != argument_kind::node) return true;
        const auto& returned = r_.g[a.node()];
        const auto printed = returned.kind == node_kind::placeholder ? returned.target : returned.name.text;
        return same_text(printed, name) || same_text(returned.name.text, name) ||
               inconsistent(short_text() << "'" << printed << "', as the graph returns",
                            short_text() << "'" << name << "'");
    }

    /// name: KIND target='a.b' persistent=True, one per line.
    constexpr bool read_lists() {
        c_.next_line();
        bool outputs = false;
        while (true) {
            c_.skip_spaces();
            if (c_.done() || c_.starts_with("Range constraints")) return true;
            if (c_.peek() == '\n' || c_.peek() == '#') {
                if (c_.peek() == '#') outputs = c_.starts_with("# outputs");
                c_.next_line();
                continue;
            }
            const auto name = c_.name();
            r_.about(name, title);
            if (!r_.expect(": ")) return false;
            const auto kind = c_.name();
            if (kind.empty()) return r_.malformed("the kind of an input or output");
            const auto target = seek("target='") ? quoted() : std::string_view{};
            if (outputs ? !output(name, kind, target) : !input(name, kind, target)) return false;
            c_.next_line();
        }
    }

    /// input_specs=[InputSpec(kind=<InputKind.PARAMETER: 2>, arg=TensorArgument(name='p_w'), target='w',
    /// persistent=None), ...]
    constexpr bool read_specs() {
        while (seek("Spec(kind=<")) {
            const bool is_input = c_.accept("InputKind.");
            if (!is_input && !r_.expect("OutputKind.")) return false;
            const auto kind = c_.name();
            if (!seek("arg=")) return r_.malformed("'arg='");
            c_.skip(name_char);
            const auto name = c_.accept("(name='") ? quoted() : std::string_view{};
            if (!seek("target=")) return r_.malformed("'target='");
            const auto target = c_.accept('\'') ? quoted() : std::string_view{};
            if (is_input ? !input(name, kind, target) : !output(name, kind, target)) return false;
        }
        c_.next_line();
        return true;
    }

    /// parameters=['w'], user_inputs=['x'], user_outputs=['y'], inputs_to_parameters={'arg0': 'w'}, ... one per line.
    constexpr bool read_fields() {
        c_.next_line();
        std::int32_t mutations = 0;
        cursor user_outputs = c_;
        user_outputs.at = -1;
        while (true) {
            c_.skip_spaces();
            if (c_.done()) return r_.malformed("')' after the signature");
            if (c_.accept(')')) break;
            const auto key = c_.name();
            if (!r_.expect("=")) return false;
            const bool list = same_text(key, "user_inputs");
            const bool parameters = same_text(key, "inputs_to_parameters");
            const bool buffers = same_text(key, "inputs_to_buffers");
            if (same_text(key, "user_outputs")) user_outputs = c_;
            else if (same_text(key, "buffers_to_mutate")) {
                while (seek("'")) {
                    quoted();
                    if (c_.accept(": '") && !mark(mutations++, quoted(), true)) return false;
                }
            } else if (list || parameters || buffers) {
                while (seek("'")) {
                    const auto name = quoted();
                    const auto target = !list && c_.accept(": '") ? quoted() : std::string_view{};
                    if (!input(name, list ? "USER_INPUT" : parameters ? "PARAMETER" : "BUFFER", target)) return false;
                }
            }
            c_.next_line();
        }
        // Mutated buffers are returned first.
        const auto here = c_;
        outputs_ = mutations;
        if (user_outputs.at >= 0) {
            c_ = user_outputs;
            while (seek("'"))
                if (!output(quoted())) return false;
        }
        c_ = here;
        c_.next_line();
        return true;
    }

    constexpr bool read_ranges() {
        while (true) {
            skip_to_text();
            if (c_.done()) return true;
            if (c_.accept("Range constraints: ")) {
                r_.style.range_constraints = c_.rest_of_line(c_.at);
                if (!c_.starts_with("{")) return r_.malformed("'{'");
            } else if (!c_.accept("Equality constraints: ")) return r_.malformed("the end of the text");
            c_.next_line();
        }
    }
    constexpr bool finish(fx_style& style, std::int32_t from) {
        // From the start of its line, to keep the indent.
        while (from > 0 && c_.text[from - 1] == ' ') --from;
        style.signature = c_.part(from, c_.end);
        return true;
    }
};

} // namespace ahead::detail
