// What the checks of recorded printouts share: texts, tab-separated tables with a header line, .npy tensors, and how two texts differ.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/core/fault_names.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/io/npy.hpp>
#include <ahead/print/fx/print_fx.hpp>
#include <ahead/reference/host_tensor.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace corpus {

namespace fs = std::filesystem;
using namespace ahead;
using namespace ahead::rooms;

inline std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
}

// A line of a table: cell by column name.
using row = std::map<std::string, std::string>;

// The rows of a tab-separated table; none where there is no file.
inline std::vector<row> read_table(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    std::vector<std::string> columns;
    std::istringstream header(line);
    for (std::string column; std::getline(header, column, '\t');) columns.push_back(column);
    std::vector<row> rows;
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        row r;
        std::string cell;
        for (std::size_t i = 0; i < columns.size() && std::getline(cells, cell, '\t'); ++i) r[columns[i]] = cell;
        rows.push_back(r);
    }
    return rows;
}

// Without blanks at line ends, blank lines and comment lines.
inline std::string normal(const std::string& text) {
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        line.erase(line.find_last_not_of(' ') + 1);
        const auto first = line.find_first_not_of(' ');
        if (first != line.npos && line[first] != '#') out += line + '\n';
    }
    return out;
}

// Empty where `printed` is `text`; else the first line that differs, from just before the place.
inline std::string difference(const std::string& text, const std::string& printed) {
    std::istringstream left(text), right(printed);
    std::string l, r;
    while (true) {
        const bool more_left = static_cast<bool>(std::getline(left, l));
        const bool more_right = static_cast<bool>(std::getline(right, r));
        if (!more_left && !more_right) return {};
        if (!more_left) l = "(end)";
        if (!more_right) r = "(end)";
        if (l == r) continue;
        std::size_t at = 0;
        while (at < l.size() && at < r.size() && l[at] == r[at]) ++at;
        at = at > 40 ? at - 40 : 0;
        return "\n      text:    " + l.substr(at, 160) + "\n      printed: " + r.substr(at, 160);
    }
}

// A text with its graph, whose names and texts are views of it.
struct parsed_text {
    std::string text;
    heap_storage storage;
    fx_style style;
    diagnosis error;
    bool ok;

    parsed_text(std::string source, op_table op_rows)
        : text(std::move(source)), storage(count_fx(text)), ok(read_fx(text, op_rows, storage.edit(), style, error)) {}
    parsed_text(const parsed_text&) = delete;

    std::string printed() const {
        std::string out;
        print_fx(storage.view(), style, out);
        return out;
    }
};

// The operators of the graph that no row of the table has.
inline std::string unknown_operators(graph_view g) {
    std::map<std::string, int> names;
    for (node_id id : g)
        if (g[id].kind == node_kind::call && !g[id].op.exists()) ++names[std::string(g[id].target)];
    std::string out;
    for (const auto& [name, count] : names) out += (out.empty() ? "" : ", ") + name;
    return out;
}

// What kind of text is refused.
inline std::string_view kind_of(fault what) {
    switch (what) {
    case fault::text_is_not_a_graph:
        return "not a graph";
    case fault::text_is_malformed:
    case fault::text_has_no_return:
        return "malformed";
    case fault::operator_is_unknown:
    case fault::node_kind_is_unsupported:
        return "unknown operator";
    case fault::dimension_is_dynamic:
        return "dynamic dimension";
    case fault::input_type_is_missing:
        return "no types";
    case fault::dtype_is_unsupported:
        return "unknown dtype";
    case fault::weight_is_missing:
        return "no constants";
    case fault::name_is_undefined:
    case fault::name_is_defined_twice:
    case fault::signature_is_inconsistent:
    case fault::annotation_differs_from_inference:
        return "inconsistent";
    default:
        return "not typed";
    }
}

// The line, the kind and what was wrong: "5 inconsistent: name_is_undefined, expected ..., found ...".
inline std::string reason_of(const diagnosis& d) {
    std::ostringstream out;
    out << d.line << ' ' << kind_of(d.what) << ": " << name_of(d.what) << ", expected " << d.expected.view() << ", found "
        << d.found.view();
    return out.str();
}

// Whether the refusal says where and why.
inline bool is_complete(const diagnosis& d, const std::string& text) {
    const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
    return !d.ok() && d.line > 0 && d.line <= lines && d.expected.length > 0 && d.found.length > 0;
}

} // namespace corpus
