// SPDX-License-Identifier: MIT
// Finds where two tensors that should be equal differ, element by element. Called by checker.hpp.
// Invariant: a tensor does not differ from itself, whatever the options and its elements are.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/differential/report.hpp>
#include <ahead/reference/host_tensor.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace AHEAD_NAMESPACE::differential {

/// The device is right if |got - expected| <= atol + rtol * |expected| for floating and complex elements, and NaN where
/// NaN is expected; integers and booleans must be equal.
struct differential_options {
    double rtol = 1e-3, atol = 1e-5;
    /// Overwrites wrong elements with the right ones before the next task runs, so that each task is verified
    /// independently. Without it, every task that reads a wrong tensor diverges as well.
    bool repairs = true;
    /// See prepare_options.
    bool strict = true;
};

/// Refuses (option_is_out_of_range) a tolerance that is negative, infinite or NaN: nothing or everything would pass.
inline bool check_tolerances(const differential_options& options, diagnosis& d) {
    const auto check_tolerance = [&](std::string_view name, double value) {
        if (value >= 0 && std::isfinite(value)) return true;
        d.op = "differential_options";
        d.name = name;
        return refuse(d, fault::option_is_out_of_range, "a finite number, 0 or more",
                      short_text() << (std::isnan(value) ? "NaN"
                                       : value < 0       ? "one below 0"
                                                         : "infinity"));
    };
    return check_tolerance("rtol", options.rtol) && check_tolerance("atol", options.atol);
}

} // namespace ahead::differential
namespace AHEAD_NAMESPACE::detail {

/// An element as text in the format of its dtype, with the fewest digits that identify it.
inline std::string element_text(const host_tensor& t, std::int64_t k) {
    if (is_complex(t.type.type)) {
        const auto v = t.data.get<complex128>(k);
        const auto part = [](double x) {
            char text[32];
            return std::string(text, std::to_chars(text, text + sizeof text, x).ptr);
        };
        return "(" + part(v.re) + (std::signbit(v.im) ? "" : "+") + part(v.im) + "j)";
    }
    if (t.type.type == dtype::u64) return std::to_string(t.data.get<std::uint64_t>(k));
    if (!is_floating(t.type.type)) return std::to_string(t.data.get<std::int64_t>(k));
    char text[32];
    const auto end = t.type.type == dtype::f64 ? std::to_chars(text, text + sizeof text, t.data.get<double>(k)).ptr
                                               : std::to_chars(text, text + sizeof text, t.data.get<float>(k)).ptr;
    return {text, end};
}

/// The distance of two elements: 0 if they are equal or both NaN; else infinity if either is NaN or infinite.
inline double distance(double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const auto apart = std::abs(a - b);
    return std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
}

/// The distance of element k in two tensors of one dtype.
inline double distance_at(const host_tensor& got, const host_tensor& wanted, std::int64_t k) {
    if (is_complex(got.type.type)) {
        const auto a = got.data.get<complex128>(k), b = wanted.data.get<complex128>(k);
        return std::hypot(distance(a.re, b.re), distance(a.im, b.im));
    }
    const auto apart = distance(got.data.get<double>(k), wanted.data.get<double>(k));
    if (is_floating(got.type.type) || got.data.get<std::int64_t>(k) == wanted.data.get<std::int64_t>(k)) return apart;
    return std::max(1.0, apart); // covers unequal integers beyond 2^53
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::differential {

/// Fills the element fields of a divergence: `wrong` is 0 if the tensors agree. Raises `largest` to the largest
/// distance.
/// pre: both are contiguous, of one dtype and of the same sizes
inline divergence find_difference(const host_tensor& got, const host_tensor& wanted,
                                  const differential_options& options, double& largest) {
    divergence out;
    out.type = print(wanted.type).view();
    const bool is_exact = !has_fractions(wanted.type.type);
    const auto size_of = [&](std::int64_t k) {
        const auto v = wanted.data.get<complex128>(k);
        return std::hypot(v.re, v.im);
    };
    for (std::int64_t k = 0; k < got.data.size(); ++k) {
        const auto apart = detail::distance_at(got, wanted, k);
        if (apart == 0) continue; // also for NaN and NaN
        largest = std::max(largest, apart);
        if (!is_exact && std::isfinite(apart) && apart <= options.atol + options.rtol * size_of(k)) continue;
        out.max_difference = std::max(out.max_difference, apart);
        if (out.wrong++ > 0) continue;
        const auto at = index_of(wanted.type, k);
        out.index.assign(at.begin(), at.end());
        out.expected = detail::element_text(wanted, k);
        out.got = detail::element_text(got, k);
    }
    return out;
}

} // namespace ahead::differential
