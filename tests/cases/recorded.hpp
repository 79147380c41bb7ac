// A recorded case: a folder with manifest.tsv (role, name, npy, dtype, shape, ...), its texts, and what PyTorch put in and got out.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/reference/host_bytes.hpp>
#include <corpus/files.hpp>

#include <algorithm>

namespace cases {

using namespace ahead;
using namespace ahead::rooms;
using corpus::fs::path;

enum class outcome : std::uint8_t { passed, failed, uncovered };

struct verdict {
    outcome what = outcome::passed;
    std::string why;
};

struct recorded {
    path folder;
    std::map<std::string, host_tensor> by_placeholder; // inputs, and the weights of a model, by every name that a text may call them
    ahead::weights parameters;                         // a model's, by their own names
    std::vector<host_tensor> inputs, outputs;          // in order
};

inline std::string text_of(const diagnosis& d) {
    std::ostringstream out;
    out << name_of(d.what) << " (" << d.op.view() << " expected " << d.expected.view() << ", found " << d.found.view() << ")";
    return out.str();
}

// Faults that say what a case needs and the library does not have, rather than that something is wrong.
inline outcome outcome_of(fault what) {
    switch (what) {
    case fault::operator_is_unknown:
    case fault::operator_has_no_meaning:
    case fault::argument_is_unsupported:
    case fault::dtype_is_unsupported:
    case fault::dimension_is_dynamic:
    case fault::in_place_needs_alias_analysis: return outcome::uncovered;
    default: return outcome::failed;
    }
}
inline verdict refused(const char* step, const diagnosis& d) { return {outcome_of(d.what), step + (": " + text_of(d))}; }

// The largest set is `set`: models have two of inputs and outputs.
inline recorded read_case(const path& folder, std::string_view set = "0") {
    recorded out;
    out.folder = folder;
    for (const auto& line : corpus::read_table(folder / "manifest.tsv")) {
        const auto column = [&](const char* name) {
            const auto at = line.find(name);
            return at == line.end() ? std::string() : at->second;
        };
        if (const auto own = column("set"); (own == "0" || own == "1") && own != set) continue;
        weights_tensor file;
        diagnosis d;
        host_tensor tensor;
        if (!load_npy(folder / column("npy"), file, d)) throw error(d);
        int_list sizes;
        for (auto size : file->sizes) sizes.push_back(size);
        from_bytes(tensor_of(file->type, sizes), file->bytes, tensor);
        const auto role = column("role");
        if (role == "output") {
            out.outputs.push_back(std::move(tensor));
            continue;
        }
        for (const char* name : {"placeholder", "export_placeholder", "name"})
            if (!column(name).empty()) out.by_placeholder[column(name)] = tensor;
        if (role == "input") out.inputs.push_back(std::move(tensor));
        else if (const auto* taken = out.parameters.find(column("name")); taken && role == "const" && std::ranges::equal(taken->bytes, file->bytes))
            continue; // a constant stands there once for every text that has it
        else if (!out.parameters.add(column("name"), file->type, file->sizes, file->bytes, d)) throw error(d);
    }
    return out;
}

// Empty where all elements agree: |a - b| <= 1e-5 + 1e-4 |b|, of either part of a complex number; integers exactly.
inline std::string difference(const host_tensor& got, const host_tensor& wanted) {
    if (got.type.type != wanted.type.type || sizes_of(got.type) != sizes_of(wanted.type))
        return "type " + std::string(print(got.type).view()) + " instead of " + std::string(print(wanted.type).view());
    std::string found;
    for_each_index(sizes_of(wanted.type), [&](const int_list& at) {
        if (!found.empty()) return;
        std::ostringstream values;
        bool equal = false;
        const auto compare = [&](auto a, auto b, bool same) {
            equal = same;
            values << a << " instead of " << b;
        };
        const auto near = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= 1e-5 + 1e-4 * std::fabs(b); };
        if (is_complex(wanted.type.type)) {
            const auto a = got.get<complex128>(at), b = wanted.get<complex128>(at);
            if (near(a.re, b.re)) compare(a.im, b.im, near(a.im, b.im));
            else compare(a.re, b.re, false);
        } else if (is_floating(wanted.type.type)) {
            const auto a = got.get<double>(at), b = wanted.get<double>(at);
            compare(a, b, near(a, b));
        } else {
            const auto a = got.get<std::int64_t>(at), b = wanted.get<std::int64_t>(at);
            compare(a, b, a == b);
        }
        if (equal) return;
        found = values.str() + " at [";
        for (auto i : at) found += std::to_string(i) + ",";
        found.back() = ']';
    });
    return found;
}
inline verdict compared(const std::vector<host_tensor>& got, const recorded& given) {
    if (got.size() != given.outputs.size())
        return {outcome::failed, std::to_string(got.size()) + " outputs instead of " + std::to_string(given.outputs.size())};
    for (std::size_t k = 0; k < got.size(); ++k)
        if (const auto found = difference(got[k], given.outputs[k]); !found.empty()) return {outcome::failed, "output " + std::to_string(k) + ": " + found};
    return {};
}

} // namespace cases
