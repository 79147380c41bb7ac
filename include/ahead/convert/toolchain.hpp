// SPDX-License-Identifier: MIT
// What a compilation may use besides the graph: device operators, converters to them, passes, and options. Called by npu/compiled.hpp.
#pragma once
#include <ahead/convert/builtin.hpp>
#include <ahead/pass/builtin.hpp>
#include <ahead/target/device.hpp>
#include <ahead/pass/written_decomposition.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

template <class DeviceOps, class Converters, class... Decompositions>
struct extension {
    using device_ops = DeviceOps;
    using converters = Converters;
    using decompositions = pass::decomposition_list<Decompositions...>;
};

/// What one of a user's structs adds to a toolchain.
template <class Mine>
constexpr auto extension_by() {
    if constexpr (requires {
                      typename Mine::op;
                      &Mine::convert;
                  })
        return extension<op_list<>, converter_list<Mine>>{};
    else if constexpr (requires { Mine::decomposition; })
        return extension<op_list<>, converter_list<>, written_decomposition<Mine>>{};
    else if constexpr (requires(decompose_context& c) { Mine::decompose(c); })
        return extension<op_list<>, converter_list<>, Mine>{};
    else if constexpr (requires(const call_view& c) { Mine::key(c); })
        return extension<op_list<Mine>, converter_list<>>{};
    else if constexpr (requires {
                           Mine::operands;
                           Mine::rule;
                       })
        return extension<op_list<device::pointwise<Mine>>, converter_list<convert::pointwise<Mine>>>{};
    else
        return extension<op_list<device::ai_cpu<Mine>>, converter_list<>>{};
}
template <class Mine>
using extension_of = decltype(extension_by<Mine>());

template <class Base, class List>
struct extended;
template <class Base, class... Ops>
struct extended<Base, op_list<Ops...>> {
    using type = typename Base::template with<Ops...>;
};
template <class Base, class... C>
struct extended<Base, converter_list<C...>> {
    using type = typename Base::template with<C...>;
};

/// Whether a user's own converter is in front of the built-in ones.
template <class Converters>
constexpr bool has_own(std::string_view op) {
    for (std::size_t i = 0; i + builtin_converters::table.size() < Converters::table.size(); ++i)
        if (same_name(Converters::table[i].op, op)) return true;
    return false;
}
/// The built-in passes, without the decompositions of operators that a user's own converter converts.
template <class Converters, class... D>
constexpr auto builtin_passes_for(pass::decomposition_list<D...>) {
    if constexpr ((!has_own<Converters>(D::op::name) && ...)) {
        return pass::builtin;
    } else {
        using left = pass::joined_decompositions<
            std::conditional_t<has_own<Converters>(D::op::name), pass::decomposition_list<>, pass::decomposition_list<D>>...>;
        return pass::builtin_with<typename left::builtin_pass>;
    }
}
template <class Converters>
inline constexpr auto builtin_passes = builtin_passes_for<Converters>(pass::builtin_decompositions{});
template <>
inline constexpr auto builtin_passes<builtin_converters> = pass::builtin;
template <class Tools>
inline constexpr auto builtin_passes_of = builtin_passes<typename Tools::converters>;
template <class Tools>
inline constexpr auto custom_passes_of = Tools::decompositions::as_custom();

/// Whether a toolchain has no member that looks like one of those that are read, and would be read by nobody.
template <class Tools>
inline constexpr bool says_what_is_read = !(requires { Tools::option; } || requires { Tools::pre_passes; } || requires { Tools::post_passes; } || requires { Tools::passes; } ||
                                          requires { Tools::devices; } || requires { Tools::mode; } || requires { Tools::streams; });

} // namespace detail

/// Lists of device operators, of converters, and of decompositions. `with` adds a user's own; of two converters for one operator the user's wins. It takes
///     converters                               struct { using op = ...; static constexpr bool convert(convert_context&); }
///     decompositions                           struct { using op = ...; static constexpr auto decomposition = [](any<"self"> x) { ... }; }, or decompose
///     device operators with a key              whose kernels are npu::kernel_for
///     pointwise operators (aten/pointwise.hpp) whose converter and kernel are made from their meaning
///     other operators with an evaluate         which the AI CPU runs as they are, one element at a time
/// As a struct it has a short name in symbols, and may say which passes run on the ATen graph before and after the built-in ones, which of these,
/// on which device, and where air.print writes (`static void print(std::string_view piece)`; to stdout where it does not say):
///     struct my_tools : toolchain<>::with<my::gelu, my::meter, my::convert_peak_meter> {
///         static constexpr auto post_pass = my::swap_adds{} | my::fold_scales{};
///         static constexpr config options{.remove_noop_ops = false};
///         static constexpr target::device device = target::ascend_910b2;
///     };
///     using program = compiled<net, my_tools>;
template <class DeviceOps = device::registry, class Converters = builtin_converters, class Decompositions = pass::decomposition_list<>>
struct toolchain {
    using device_registry = DeviceOps;
    using converters = Converters;
    using decompositions = Decompositions; // the user's own, which run before all passes
    static constexpr config options{};
    static constexpr target::device device = target::npu;
    static constexpr pass::pipeline<> pre_pass{}, post_pass{}; // a pass or several, pass/pipeline.hpp
    template <class... Mine>
    using with =
        toolchain<typename detail::extended<DeviceOps, join<typename detail::extension_of<Mine>::device_ops...>>::type,
                  typename detail::extended<Converters, join_converters<typename detail::extension_of<Mine>::converters...>>::type,
                  pass::joined_decompositions<typename detail::extension_of<Mine>::decompositions..., Decompositions>>;
};

} // namespace ahead
