// SPDX-License-Identifier: MIT
// What a compilation may use besides the graph: device operators, converters to them, passes, and options. Called by
// program/compiled.hpp.
#pragma once
#include <ahead/convert/builtin.hpp>
#include <ahead/convert/extension.hpp>
#include <ahead/convert/usual_tools.hpp>
#include <ahead/pass/builtin.hpp>

namespace AHEAD_NAMESPACE {

template <class DeviceOps, class Converters, class Decompositions> struct toolchain;

namespace detail {

template <class Base, class List> struct extended;
template <class Base, class... Ops> struct extended<Base, op_list<Ops...>> {
    using type = typename Base::template with<Ops...>;
};
template <class Base, class... C> struct extended<Base, converter_list<C...>> {
    using type = typename Base::template with<C...>;
};

/// Whether a user's own converter is in front of the built-in ones.
template <class Converters> constexpr bool has_own(std::string_view op) {
    for (std::size_t i = 0; i + builtin_converters::table.size() < Converters::table.size(); ++i)
        if (same_name(Converters::table[i].op, op)) return true;
    return false;
}
template <class Converters>
inline constexpr auto all_builtin_passes =
    pass::builtin_with<std::remove_const_t<decltype(pass::decompose)>, Converters>;
/// The built-in passes, without the decompositions of operators that a user's own converter converts.
template <class Converters, class... D> constexpr auto builtin_passes_for(pass::decomposition_list<D...>) {
    if constexpr ((!has_own<Converters>(D::op::name) && ...)) {
        return all_builtin_passes<Converters>;
    } else {
        using left =
            join<std::conditional_t<has_own<Converters>(D::op::name), pass::decomposition_list<>,
                                                           pass::decomposition_list<D>>...>;
        return pass::builtin_with<typename left::builtin_pass, Converters>;
    }
}
template <class Converters>
inline constexpr auto builtin_passes = builtin_passes_for<Converters>(pass::builtin_decompositions{});
template <> inline constexpr auto builtin_passes<builtin_converters> = all_builtin_passes<builtin_converters>;
template <class Tools> inline constexpr auto builtin_passes_of = builtin_passes<typename Tools::converters>;
template <class Tools> inline constexpr auto custom_passes_of = Tools::decompositions::as_custom();

/// Whether a toolchain has no member that looks like one of those that are read, and would be read by nobody.
template <class Tools>
inline constexpr bool says_what_is_read = !(
    requires { Tools::option; } || requires { Tools::device_pass; } || requires { Tools::device_passes; } ||
    requires { Tools::pre_passes; } || requires { Tools::post_passes; } || requires { Tools::passes; } ||
    requires { Tools::pattern_passes; } || requires { Tools::patterns; } || requires { Tools::devices; } ||
    requires { Tools::mode; } || requires { Tools::streams; });

/// Whether what it says is of the types that are read: constants, and text for air.print.
template <class Tools>
concept says_constants = requires {
    { &Tools::options } -> std::same_as<const config*>;
    typename std::bool_constant<(Tools::options.streams, true)>;
    { &Tools::device } -> std::same_as<const target::device*>;
    typename std::bool_constant<(Tools::device.cores, true)>;
};
template <class Tools>
concept prints_text = !requires { &Tools::print; } || requires(std::string_view piece) { Tools::print(piece); };

/// Tools without what was refused of them: whoever compiles with them adds no second error.
template <class Tools> struct refused_toolchain : Tools {
    static constexpr bool is_refused = true;
};
template <class Base, class... Extensions> struct with_extensions {
    using tools = toolchain<
        typename extended<typename Base::device_registry, join<typename Extensions::device_ops...>>::type,
        typename extended<typename Base::converters, join<typename Extensions::converters...>>::type,
        join<typename Extensions::decompositions..., typename Base::decompositions>>;
    using type = std::conditional_t<(Extensions::is_refused || ...), refused_toolchain<tools>, tools>;
};
template <class Tools> inline constexpr bool is_refused_toolchain = requires { Tools::is_refused; };

} // namespace detail

/// Lists of device operators, of converters, and of decompositions. `with` adds a user's own; of two converters for one
/// operator the user's wins. It takes
///     converters struct { using op = ...; static constexpr bool convert(convert_context&); }
///     decompositions struct { using op = ...; static constexpr auto decomposition = [](any<"self"> x) { ... }; }, or
///     decompose
///     device operators with a key              whose kernels are npu::kernel_for
///     pointwise operators (aten/pointwise/pointwise.hpp) whose converter and kernel are made from their meaning
///     other operators with an evaluate         which the AI CPU runs as they are, one element at a time
/// As a struct it has a short name in symbols, and may say which passes run on the ATen graph and on the device graph
/// before and after the built-in ones, which of these, on which device, and where air.print writes (`static void
/// print(std::string_view piece)`; to stdout where it does not say):
///     struct my_tools : toolchain<>::with<my::gelu, my::meter, my::convert_peak_meter> {
///         static constexpr auto post_pass = my::swap_adds{} | my::fold_scales{};
///         static constexpr config options{.remove_noop_ops = false};
///         static constexpr target::device device = target::ascend_910b2;
///     };
///     using program = compiled<net, my_tools>;
template <class DeviceOps = device::registry, class Converters = builtin_converters,
          class Decompositions = pass::decomposition_list<>>
struct toolchain : usual_tools {
    using device_registry = DeviceOps;
    using converters = Converters;
    using decompositions = Decompositions;                     // the user's own, which run before all passes
    static constexpr pass::pipeline<> pattern_pass{};          // rules for what the user's own stand for, before them
    static constexpr pass::pipeline<> pre_pass{}, post_pass{}; // a pass or several, pass/pipeline.hpp
    static constexpr pass::pipeline<> device_pre_pass{}, device_post_pass{}; // the same of the device graph
    template <class... Mine>
    using with = typename detail::with_extensions<toolchain, detail::extension_of<Mine>...>::type;
};

/// The contract of a toolchain, as a whole.
template <class Tools>
concept toolchain_like =
    detail::says_what_is_read<Tools> && detail::says_constants<Tools> && detail::prints_text<Tools>;
/// One error that says what a toolchain says, where Tools is none.
template <class Tools> struct checked_toolchain {
    static constexpr bool is_read = detail::says_what_is_read<Tools>, is_typed = detail::says_constants<Tools>;
    static_assert(
        is_read,
        "a toolchain says options, device, pre_pass, post_pass and print, pattern_pass, and of its device graph "
        "device_pre_pass and device_post_pass: another name is read by nobody");
    static_assert(!is_read || is_typed,
                  "a toolchain says: static constexpr config options; static constexpr target::device device");
    static_assert(!is_read || !is_typed || toolchain_like<Tools>,
                  "a toolchain may say where air.print writes: static void print(std::string_view piece)");
};

namespace detail {
/// Tools, or, after the error, one with which nothing is compiled where its constants are none.
template <class Tools> struct kept_toolchain {
    using type = std::conditional_t<is_reported<checked_toolchain<Tools>> && says_constants<Tools>, Tools,
                                    refused_toolchain<toolchain<>>>;
};
template <toolchain_like Tools> struct kept_toolchain<Tools> {
    using type = Tools;
};
} // namespace detail

} // namespace ahead
