// SPDX-License-Identifier: MIT
// A text that PyTorch printed, as statements: what is called, by which words. For libtorch's side of whole models; what
// it does not know ends the program.
#pragma once
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

[[noreturn]] inline void refuse(const std::string& what) {
    std::fprintf(stderr, "libtorch cannot run the text: %s\n", what.c_str());
    std::abort();
}

/// A value of a text: a number, a list, a name, what stands in quotes.
struct word {
    enum class kind { number, name, string, list } is = kind::name;
    std::string text;
    std::vector<word> parts; // of a list
    std::string key;         // of a keyword argument, whose value the rest is
};

class line_reader {
public:
    explicit line_reader(std::string_view line) : rest_(line) {}
    bool accept(std::string_view word) {
        skip();
        if (rest_.substr(0, word.size()) != word) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    /// Letters, digits, dots and underscores.
    std::string name() {
        skip();
        std::size_t n = 0;
        while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) || rest_[n] == '_' ||
                                    rest_[n] == '.' || rest_[n] == '-' || rest_[n] == '+'))
            ++n;
        std::string all(rest_.substr(0, n));
        rest_.remove_prefix(n);
        return all;
    }
    /// To what closes them.
    std::vector<word> list(char close) {
        std::vector<word> all;
        while (!accept(std::string_view(&close, 1))) {
            all.push_back(value());
            accept(",");
        }
        return all;
    }
    std::string string() {
        rest_.remove_prefix(1);
        const auto size = rest_.find_first_of("\"'");
        std::string all(rest_.substr(0, size));
        rest_.remove_prefix(size + 1);
        return all;
    }
    char next() {
        skip();
        return rest_.empty() ? '\0' : rest_[0];
    }

private:
    void skip() {
        while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
    }
    word value() {
        if (accept("[")) return {word::kind::list, "", list(']'), ""};
        if (next() == '\'') return {word::kind::string, string(), {}, ""};
        word w{word::kind::name, name(), {}, ""};
        if (w.text.empty()) refuse(std::string(rest_.substr(0, 60)));
        if (accept("(")) return list(')'), word{word::kind::name, w.text, {}, ""}; // device(...)
        if (accept("=")) {
            auto given = value();
            given.key = w.text;
            return given;
        }
        if (std::isdigit(static_cast<unsigned char>(w.text[0])) || w.text[0] == '-') w.is = word::kind::number;
        return w;
    }
    std::string_view rest_;
};

struct statement {
    std::string out, target; // of getitem: none
    std::vector<word> arguments;
};

/// name: "type" = torch.ops.aten.op.overload(...), name = other[index], return (...)
inline std::vector<statement> read_text(std::string_view text) {
    std::vector<statement> all;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
        end = std::min(text.find('\n', at), text.size());
        line_reader line(text.substr(at, end - at));
        if (line.next() == '#' || line.accept("class ") || line.accept("def ") || line.next() == '\0') continue;
        statement s;
        if (line.accept("return (")) {
            s.target = "return";
            s.arguments = line.list(')');
            all.push_back(std::move(s));
            break;
        }
        s.out = line.name();
        if (line.accept(":")) line.next(), line.string();
        if (!line.accept("=")) continue;
        s.target = line.name();
        if (line.accept("(")) s.arguments = line.list(')');
        else if (line.accept("[")) {
            s.arguments = line.list(']');
            s.arguments.insert(s.arguments.begin(), word{word::kind::name, s.target, {}, ""});
            s.target.clear();
        } else continue; // deletions
        all.push_back(std::move(s));
    }
    return all;
}

} // namespace bench
