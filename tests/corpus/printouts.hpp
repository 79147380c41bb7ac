// A folder of printouts that other programs made: what becomes of each text, and whether that is what its class (INDEX.tsv) asks for.
//   aten             must be parsed and print back; with static dims and types printed, and all operators registered, it must be typed and agree
//                    with its annotations; where <folder>_io holds recorded outputs, the reference must give them
//   anything else    must be refused with line and reason, or not be typed for an operator that nobody registered; what INCONSISTENT.tsv names must be refused.
//                    Branches and loops (hop) are read, and refused where they are typed; calls of guards are passed over
// SPDX-License-Identifier: MIT
#pragma once
#include "../fx_essence.hpp"
#include "files.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/reference/host_bytes.hpp>
#include <ahead/reference/interpreter.hpp>

#include <set>

namespace corpus {

struct printout_totals {
    int files = 0, parsed = 0, typed = 0, refused = 0, violations = 0;
    int executed = 0, executed_same = 0;
    std::map<std::string, int> kinds; // why texts are refused, or parsed only
};

class printout_check {
public:
    printout_check(const fs::path& folder, printout_totals& sum) : folder_(folder), sum_(sum) {
        for (const auto& r : read_table(folder / "INDEX.tsv")) index_[r.at("file")] = r;
        std::ifstream names(folder / "INCONSISTENT.tsv"); // no header
        for (std::string line; std::getline(names, line);) inconsistent_.insert(line.substr(0, line.find('\t')));
    }

    void run(const fs::path& file) {
        const auto name = file.filename().string();
        const auto known = index_.find(name);
        const row facts = known == index_.end() ? row{} : known->second;
        parsed_text t(read_text(file), aten::registry::table);
        const auto g = t.storage.edit();
        auto d = t.error;
        const bool typed = t.ok && type(t, d);
        const bool refused = !t.ok || d.what == fault::weight_is_missing || kind_of(d.what) == "inconsistent";
        ++sum_.files;
        ++(typed ? sum_.typed : refused ? sum_.refused : sum_.parsed);
        if (!typed) ++sum_.kinds[std::string(refused ? "refused, " : "parsed, ").append(kind_of(d.what))];
        std::cout << name << ": " << (typed ? "typed" : refused ? "refused " + reason_of(d) : "parsed (" + reason_of(d) + ")") << '\n';

        if (!typed && !is_complete(d, t.text)) violation("is refused without line or reason");
        const bool has_guards = t.text.find("_guards_fn") != t.text.npos; // which count among the users of inputs, and are not printed
        if (t.ok && (has_guards ? classes_of(t.printed()) != classes_of(t.text) : normal(t.printed()) != normal(t.text)))
            violation("prints back differently" + difference(normal(t.text), normal(t.printed())));
        if (known == index_.end()) return;
        const auto& kind = facts.at("class");
        if (inconsistent_.contains(name) || kind != "aten") {
            // Operators of other libraries are read, since a registry may have them, and are refused where they are typed.
            const bool is_foreign = !inconsistent_.contains(name) && t.ok && !typed && !unknown_operators(g).empty();
            const bool is_read = !inconsistent_.contains(name) && t.ok && !typed && (kind == "hop" || has_guards);
            if (!refused && !is_foreign && !is_read)
                violation("must be refused: " + (inconsistent_.contains(name) ? "it contradicts itself" : "its class is " + kind));
            return;
        }
        if (refused) violation("must be parsed: its class is aten");
        const auto unknown = unknown_operators(g);
        const bool has_types = facts.at("format") == "F2" || facts.at("format") == "F3";
        const bool is_static = facts.at("dynamic") == "n";
        if (!unknown.empty()) std::cout << "  not registered: " << unknown << '\n';
        if (has_types && is_static && unknown.empty() && !typed) violation("must be typed: its dims are static and its operators known");
        if (!is_static && typed) violation("must not be typed: its dims are dynamic");
        if (typed) execute(name.substr(0, name.find('.')), g);
    }

private:
    /// What each class of a text says; the printer has those of blocks in the order in which they are called.
    static std::multiset<std::string> classes_of(const std::string& text) {
        std::multiset<std::string> out;
        for (std::size_t begin = 0, end = 0; begin != text.npos; begin = end) {
            end = text.find("\n    class ", begin + 1);
            out.insert(test::essence(text.substr(begin, end - begin)));
        }
        return out;
    }

    fs::path folder_;
    printout_totals& sum_;
    std::map<std::string, row> index_;
    std::set<std::string> inconsistent_;

    void violation(const std::string& what) {
        ++sum_.violations;
        std::cout << "  !! " << what << '\n';
    }

    /// Types the graph and checks its annotations. Texts bring no weights: a graph with constants is refused at the first one.
    static bool type(parsed_text& t, diagnosis& d) {
        const auto g = t.storage.edit();
        for (node_id id : g)
            if (g[id].kind == node_kind::get_attr) {
                d.line = g[id].from.line;
                return refuse(d, fault::weight_is_missing, short_text() << "the constant " << g[id].weight, "no weights, only a text");
            }
        return infer_types(g, aten::registry::table, d);
    }

    static bool read_tensor(const fs::path& path, host_tensor& out) {
        weights_tensor file;
        diagnosis d;
        if (!load_npy(path, file, d)) return false;
        const tensor_bytes& bytes = *file;
        int_list sizes;
        for (auto size : bytes.sizes) sizes.push_back(size);
        from_bytes(tensor_of(bytes.type, sizes), bytes.bytes, out);
        return true;
    }

    /// Largest |got - wanted| / (1e-5 + 1e-4 |wanted|), at most 1 for equal tensors; integers exactly.
    static double error_of(const host_tensor& got, const host_tensor& wanted) {
        if (got.type.type != wanted.type.type || sizes_of(got.type) != sizes_of(wanted.type)) return INFINITY;
        double worst = 0;
        for_each_index(sizes_of(wanted.type), [&](const int_list& at) {
            const auto a = got.get<double>(at);
            const auto b = wanted.get<double>(at);
            if (a == b || (std::isnan(a) && std::isnan(b))) return;
            const auto error = is_floating(wanted.type.type) ? std::fabs(a - b) / (1e-5 + 1e-4 * std::fabs(b)) : INFINITY;
            worst = std::isnan(error) ? INFINITY : std::max(worst, error);
        });
        return worst;
    }

    /// Runs the reference on recorded inputs. The manifest names inputs in the order of the placeholders, outputs by their place.
    void execute(const std::string& name, graph_view g) {
        fs::path recorded = folder_;
        recorded += "_io";
        recorded /= name;
        const auto rows = read_table(recorded / "manifest.tsv");
        if (rows.empty()) return;
        std::vector<host_tensor> inputs, wanted, outputs;
        for (const auto& r : rows) {
            host_tensor tensor;
            if (!read_tensor(recorded / r.at("npy"), tensor)) return violation("cannot read " + r.at("npy"));
            (r.at("role") == "input" ? inputs : wanted).push_back(std::move(tensor));
        }
        ++sum_.executed;
        diagnosis d;
        if (!interpret<aten::registry>(g, inputs, outputs, d)) return violation("is not executed: " + reason_of(d));
        if (outputs.size() != wanted.size())
            return violation(std::to_string(outputs.size()) + " outputs, recorded " + std::to_string(wanted.size()));
        double worst = 0;
        for (std::size_t i = 0; i < wanted.size(); ++i) worst = std::max(worst, error_of(outputs[i], wanted[i]));
        if (!(worst <= 1)) return violation("gives other outputs than recorded: " + std::to_string(worst) + " times the tolerance");
        ++sum_.executed_same;
        std::cout << "  executed: " << wanted.size() << " outputs as recorded, " << worst << " of the tolerance\n";
    }
};

} // namespace corpus
