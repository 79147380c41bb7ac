// A folder with manifest.tsv and texts is a model: every text of it must parse and print back, blanks at line ends and blank lines aside; it must be
// typed if its operators are registered. The texts of one export, those that share what stands before the first dot of their names, must be one
// graph if they name the same operators; the manifest gives types and roles where a form has none.
// SPDX-License-Identifier: MIT
#pragma once
#include "files.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/ir/equal.hpp>

#include <algorithm>
#include <memory>

namespace corpus {

struct model_totals {
    int models = 0, texts = 0, same = 0, exact = 0, typed = 0, exports = 0, equal = 0, violations = 0;
};

class model_check {
public:
    model_check(const fs::path& folder, model_totals& sum) : folder_(folder), sum_(sum), rows_(read_table(folder / "manifest.tsv")) {}

    void run() {
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(folder_))
            if (entry.path().extension() == ".txt") files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        ++sum_.models;
        std::map<std::string, std::vector<std::unique_ptr<model_text>>> exports;
        for (const auto& file : files) {
            auto t = read(file);
            const auto name = file.filename().string();
            if (t) exports[name.substr(0, name.find('.'))].push_back(std::move(t));
        }
        for (const auto& [name, texts] : exports) compare(name, texts);
    }

private:
    struct model_text : parsed_text {
        std::string name;
        bool typed = false;
        model_text(std::string source, std::string file) : parsed_text(std::move(source), aten::registry::table), name(std::move(file)) {}
    };
    fs::path folder_;
    model_totals& sum_;
    std::vector<row> rows_;

    void violation(const std::string& name, const std::string& what) {
        ++sum_.violations;
        std::cout << "  !! " << name << ": " << what << '\n';
    }

    std::unique_ptr<model_text> read(const fs::path& file) {
        auto t = std::make_unique<model_text>(read_text(file), (folder_.filename() / file.filename()).string());
        ++sum_.texts;
        std::cout << t->name << ": ";
        if (!t->ok) {
            std::cout << "refused " << reason_of(t->error) << '\n';
            violation(t->name, "must be parsed");
            return nullptr;
        }
        const auto unknown = unknown_operators(t->storage.view());
        diagnosis d;
        t->typed = unknown.empty() && describe(*t, d) && infer_types(t->storage.edit(), aten::registry::table, d);
        sum_.typed += t->typed;
        if (t->typed)
            std::cout << "typed\n";
        else if (!unknown.empty())
            std::cout << "parsed (unknown operator " << unknown << ")\n";
        else {
            std::cout << "parsed, refused " << reason_of(d) << '\n';
            violation(t->name, "must be typed: its operators are known");
        }
        const auto printed = t->printed();
        sum_.exact += printed == t->text;
        if (normal(printed) == normal(t->text))
            ++sum_.same;
        else
            violation(t->name, "prints back differently" + difference(normal(t->text), normal(printed)));
        return t;
    }

    /// What the manifest says of the inputs: types where the text prints none, else they must be the same; roles and weights where the text is
    /// no ExportedProgram, else they must be the same.
    bool describe(model_text& t, diagnosis& d) {
        const auto g = t.storage.edit();
        for (node_id id : g) {
            auto& n = g[id];
            if (n.kind != node_kind::placeholder) continue;
            const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const row& r) {
                return r.at("role") != "output" &&
                       (r.at(column("placeholder")) == n.target || r.at(column("export_placeholder")) == n.target);
            });
            d.line = n.from.line;
            if (found == rows_.end()) return refuse(d, fault::parameter_is_not_a_placeholder, "an input that the manifest names", n.target);
            const auto& r = *found;
            const auto type = r.at("dtype") + r.at("shape");
            if (n.annotation.empty()) {
                annotation given;
                if (!read_annotation(type, given, d) || !reserve_values(g, id, 1, d)) return false;
                g.value_of(id) = {value_kind::tensor, given.type, n.values[0]};
            } else if (n.annotation.substr(0, type.size()) != type)
                return refuse(d, fault::annotation_differs_from_inference, std::string_view(type), n.annotation);
            const auto& role = r.at("role");
            const auto meant = role == "param"    ? input_role::parameter
                               : role == "buffer" ? input_role::buffer
                               : role == "const"  ? input_role::constant
                                                  : input_role::user;
            const std::string_view weight = meant == input_role::user ? std::string_view() : std::string_view(r.at("name"));
            if (t.style.form == fx_form::exported && (n.role != meant || n.weight != weight))
                return refuse(d, fault::signature_is_inconsistent, short_text(role) << " " << std::string_view(r.at("name")), n.weight);
            n.role = meant;
            n.weight = weight;
        }
        d.line = 0;
        return true;
    }
    /// Cases of single operators name their inputs in column "name".
    std::string column(const std::string& name) const { return rows_.front().contains(name) ? name : "name"; }

    /// The operators in the order of the text, read without the parser.
    static std::vector<std::string> operators_of(const std::string& text) {
        constexpr std::string_view prefix = "torch.ops.";
        std::vector<std::string> out;
        for (std::size_t at = 0; (at = text.find(prefix, at)) != text.npos;) {
            at += prefix.size();
            out.push_back(text.substr(at, text.find_first_of("(]", at) - at)); // "aten.add.Tensor"
        }
        return out;
    }

    void compare(const std::string& name, const std::vector<std::unique_ptr<model_text>>& texts) {
        if (!std::all_of(texts.begin(), texts.end(), [](const auto& t) { return t->typed; })) return;
        ++sum_.exports;
        std::size_t equal = 0;
        for (const auto& t : texts) {
            const auto found = first_difference(texts[0]->storage.view(), t->storage.view(), aten::registry::table);
            equal += !found.found;
            if (!found.found) continue;
            std::ostringstream what;
            what << "differs from " << texts[0]->name << " in the " << found.what.view() << ": " << found.left_is.view() << " there, "
                 << found.right_is.view() << " here";
            if (operators_of(texts[0]->text) == operators_of(t->text))
                violation(t->name, what.str());
            else
                std::cout << t->name << ": " << what.str() << '\n';
        }
        sum_.equal += equal == texts.size();
        std::cout << (folder_.filename() / name).string() << ": " << equal << " of " << texts.size() << " texts are one graph\n";
    }
};

} // namespace corpus
