// What PyTorch took and gave, of recorded exports (main.cpp says what a model's folder holds), and how far from it a result is.
// A model is wrong where an element is further off than 1e-5 (f16: 2e-3, bf16: 1e-2) of the largest magnitude of its output; integers are exact.
// A quantised model may be one step off in a hundredth of its elements: folders that begin with q_.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/io/npy.hpp>
#include <ahead/reference/host_bytes.hpp>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>

namespace exports {

using namespace ahead;
using namespace ahead::rooms;
using std::filesystem::path;

inline std::optional<host_tensor> read_tensor(const path& file) {
    weights_tensor read;
    diagnosis d;
    if (!load_npy(file, read, d)) return std::nullopt;
    int_list sizes;
    for (auto size : read->sizes) sizes.push_back(size);
    host_tensor out;
    from_bytes(tensor_of(read->type, sizes), read->bytes, out);
    return out;
}

// in3.npy -> 3
inline std::optional<int> leaf_of(const path& file, std::string_view kind) {
    const auto stem = file.stem().string();
    int leaf = -1;
    if (file.extension() != ".npy" || !stem.starts_with(kind)) return std::nullopt;
    const auto read = std::from_chars(stem.data() + kind.size(), stem.data() + stem.size(), leaf);
    return read.ec == std::errc{} && read.ptr == stem.data() + stem.size() ? std::optional(leaf) : std::nullopt;
}

// By leaf of the arguments ("in") or of the result ("out"); what .npy cannot hold is missing.
inline std::map<int, host_tensor> read_leaves(const path& folder, std::string_view kind) {
    std::map<int, host_tensor> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (const auto leaf = leaf_of(entry.path(), kind))
            if (auto tensor = read_tensor(entry.path())) out.emplace(*leaf, std::move(*tensor));
    return out;
}

// How far `got` is from `wanted`; empty where it is near enough.
inline std::string difference(const host_tensor& got, const host_tensor& wanted, bool quantised) {
    if (got.type.type != wanted.type.type || sizes_of(got.type) != sizes_of(wanted.type))
        return "type " + std::string(print(got.type).view()) + " instead of " + std::string(print(wanted.type).view());
    double largest = 0, worst = 0;
    std::int64_t off = 0, all = 0;
    const auto type = wanted.type.type;
    const double tolerance = type == dtype::f16 ? 2e-3 : type == dtype::bf16 ? 1e-2 : is_floating(type) || is_complex(type) ? 1e-5 : 0;
    const auto compare = [&](double a, double b) {
        if (std::isfinite(b)) largest = std::max(largest, std::fabs(b));
        const double apart = a == b || (std::isnan(a) && std::isnan(b)) ? 0 : std::isfinite(a - b) ? std::fabs(a - b) : std::numeric_limits<double>::infinity();
        worst = std::max(worst, apart);
        ++all;
        off += apart != 0;
    };
    for_each_index(sizes_of(wanted.type), [&](const int_list& at) {
        if (is_complex(type)) {
            compare(got.get<complex128>(at).re, wanted.get<complex128>(at).re);
            compare(got.get<complex128>(at).im, wanted.get<complex128>(at).im);
        } else compare(got.get<double>(at), wanted.get<double>(at));
    });
    if (worst <= tolerance * std::max(largest, 1e-3)) return {};
    if (quantised && worst <= 0.05 * largest) return {};
    std::ostringstream out;
    out << off << " of " << all << " elements, by at most " << worst << " of " << largest;
    return out.str();
}

} // namespace exports
