// SPDX-License-Identifier: MIT
// Unique elements: result sizes depend on data, so that all of these are refused, by name.
// Source: aten/src/ATen/native/Unique.cpp.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

struct each_once {
    static constexpr bool infer(infer_context& c) {
        return c.refuse(fault::dimension_is_dynamic, "as many elements as a size says: sort, or bincount",
                        "as many as data says");
    }
};
inline constexpr parameter self_parameter = required("self", parameter_kind::tensor);
constexpr parameter option(std::string_view name, bool value) {
    return defaulted(name, parameter_kind::boolean, argument::of(value));
}

} // namespace detail

/// _unique(Tensor self, bool sorted=True, bool return_inverse=False): refused
struct unique : detail::each_once {
    static constexpr std::string_view name = "aten._unique.default"sv;
    enum at : int { self, sorted, return_inverse };
    static constexpr parameter schema[] = {detail::self_parameter, detail::option("sorted", true),
                                           detail::option("return_inverse", false)};
};
/// _unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False): refused
struct unique2 : detail::each_once {
    static constexpr std::string_view name = "aten._unique2.default"sv;
    enum at : int { self, sorted, return_inverse, return_counts };
    static constexpr parameter schema[] = {detail::self_parameter, detail::option("sorted", true),
                                           detail::option("return_inverse", false),
                                           detail::option("return_counts", false)};
};
/// unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False): refused
struct unique_dim : detail::each_once {
    static constexpr std::string_view name = "aten.unique_dim.default"sv;
    enum at : int { self, dim, sorted, return_inverse, return_counts };
    static constexpr parameter schema[] = {detail::self_parameter, required("dim", parameter_kind::integer),
                                           detail::option("sorted", true), detail::option("return_inverse", false),
                                           detail::option("return_counts", false)};
};
/// unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None): refused
struct unique_consecutive : detail::each_once {
    static constexpr std::string_view name = "aten.unique_consecutive.default"sv;
    enum at : int { self, return_inverse, return_counts, dim };
    static constexpr parameter schema[] = {detail::self_parameter, detail::option("return_inverse", false),
                                           detail::option("return_counts", false),
                                           defaulted("dim", parameter_kind::optional_integer)};
};
/// unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False): refused
struct unique_dim_consecutive : detail::each_once {
    static constexpr std::string_view name = "aten.unique_dim_consecutive.default"sv;
    enum at : int { self, dim, return_inverse, return_counts };
    static constexpr parameter schema[] = {detail::self_parameter, required("dim", parameter_kind::integer),
                                           detail::option("return_inverse", false),
                                           detail::option("return_counts", false)};
};

using unique_ops = op_list<unique, unique2, unique_dim, unique_consecutive, unique_dim_consecutive>;

} // namespace ahead::aten
