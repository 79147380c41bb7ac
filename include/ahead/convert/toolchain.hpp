// SPDX-License-Identifier: MIT
// The parts of a compilation other than the graph: device operators, converters to them, passes, and options. Called by
// compile/compiled.hpp.
#pragma once
#include <ahead/convert/builtin.hpp>
#include <ahead/convert/default_toolchain.hpp>
#include <ahead/convert/extension.hpp>
#include <ahead/pass/builtin.hpp>

namespace AHEAD_NAMESPACE::detail {

template <class Base, class List> struct extended;
template <class Base, class... Ops> struct extended<Base, op_list<Ops...>> {
    using type = typename Base::template with<Ops...>;
};
template <class Base, class... C> struct extended<Base, convert::converter_list<C...>> {
    using type = typename Base::template with<C...>;
};

/// Whether one of a user's converters precedes the built-in ones.
template <class Converters> constexpr bool has_own(std::string_view op) {
    for (std::size_t i = 0; i + convert::builtin_converters::table.size() < Converters::table.size(); ++i)
        if (same_name(Converters::table[i].op, op)) return true;
    return false;
}
template <class Converters>
inline constexpr auto all_builtin_passes =
    pass::builtin_with<std::remove_const_t<decltype(pass::decompose)>, Converters>;
/// The built-in passes, without the decompositions of operators that a user's converter handles.
template <class Converters, class... D> constexpr auto builtin_passes_for(pass::decomposition_list<D...>) {
    if constexpr ((!has_own<Converters>(D::op::name) && ...)) {
        return all_builtin_passes<Converters>;
    } else {
        using left = join<std::conditional_t<has_own<Converters>(D::op::name), pass::decomposition_list<>,
                                             pass::decomposition_list<D>>...>;
        return pass::builtin_with<typename left::builtin_pass, Converters>;
    }
}
template <class Converters>
inline constexpr auto builtin_passes = builtin_passes_for<Converters>(pass::builtin_decompositions{});
template <>
inline constexpr auto builtin_passes<convert::builtin_converters> = all_builtin_passes<convert::builtin_converters>;
template <class Tools> inline constexpr auto builtin_passes_of = builtin_passes<typename Tools::converters>;
template <class Tools> inline constexpr auto custom_passes_of = Tools::decompositions::as_custom();

/// The default operators of a toolchain: device operators, those of them with a key (device_ops), converters, and
/// decompositions that run before all passes.
struct usual_operators : device::builtin_operators {
    using device_registry = device::registry;
    using converters = convert::builtin_converters;
    using decompositions = pass::decomposition_list<>;
    static constexpr bool is_refused = false;
};
/// The same with a user's operators first. It is a struct so that symbols and errors name only these.
template <class Base, class... Mine> struct operators_with {
    using device_ops = join<typename Base::device_ops, typename extension_of<Mine>::device_ops...>;
    using device_registry =
        typename extended<typename Base::device_registry, join<typename extension_of<Mine>::device_ops...>>::type;
    using converters =
        typename extended<typename Base::converters, join<typename extension_of<Mine>::converters...>>::type;
    using decompositions = join<typename extension_of<Mine>::decompositions..., typename Base::decompositions>;
    static constexpr bool is_refused = Base::is_refused || (extension_of<Mine>::is_refused || ...);
};

struct default_settings : default_toolchain {
    static constexpr pass::pipeline<> pattern_pass{}, pre_pass{}, post_pass{}, device_pre_pass{}, device_post_pass{};
};
template <const auto& Options>
inline constexpr bool is_constant_config =
    std::same_as<decltype(Options), const config&> && requires { typename std::bool_constant<(Options.streams > 0)>; };
template <const auto& On>
inline constexpr bool is_constant_device =
    std::same_as<decltype(On), const machine::device&> && requires { typename std::bool_constant<(On.cores > 0)>; };
template <auto Print>
inline constexpr bool takes_text = std::is_convertible_v<decltype(Print), void (*)(std::string_view)>;
template <const auto& Options> struct checked_options {
    static_assert(is_constant_config<Options>, "with_options<...> takes a constexpr ahead::config");
};
template <const auto& On> struct checked_device {
    static_assert(is_constant_device<On>, "with_device<...> takes a constexpr ahead::machine::device");
};
template <auto Print> struct checked_print {
    static_assert(takes_text<Print>, "with_print<f> takes a function, void f(std::string_view piece)");
};

/// Base's settings with other options.
template <class Base, const auto& Options> struct set_options : Base {
    static constexpr const config& options = Options;
};
template <class Base, const auto& On> struct set_device : Base { static constexpr const machine::device& device = On; };
/// Base with this setting; if it is wrong, Base without it, after Error.
template <class Error, bool IsRight, class Base, class Set>
using set_if = std::conditional_t<is_reported<Error> && IsRight, Set, Base>;
template <auto... P>
using pipeline_of =
    join<pass::pipeline<>, typename pass::detail::as_pipeline<std::remove_const_t<decltype(P)>>::type...>;
template <class Base, auto... P> struct set_pattern_pass : Base { static constexpr pipeline_of<P...> pattern_pass{}; };
template <class Base, auto... P> struct set_pre_pass : Base { static constexpr pipeline_of<P...> pre_pass{}; };
template <class Base, auto... P> struct set_post_pass : Base { static constexpr pipeline_of<P...> post_pass{}; };
template <class Base, auto... P> struct set_device_pre_pass : Base {
    static constexpr pipeline_of<P...> device_pre_pass{};
};
template <class Base, auto... P> struct set_device_post_pass : Base {
    static constexpr pipeline_of<P...> device_post_pass{};
};
template <class Base, auto Print> struct set_print : Base {
    static constexpr void print(std::string_view piece) { Print(piece); }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::convert {

/// The parts of a compilation other than the graph. It is named by an alias, and its changes to `toolchain<>` are made
/// by name; a struct that derives from it is refused, since a misspelt member of it would be ignored:
///     inline constexpr config on_two{.streams = 2};
///     using my_tools = toolchain<>::with<my::gelu, my::meter, my::convert_peak_meter>::with_options<on_two>
///         ::with_device<machine::ascend_910b2>::with_post_pass<my::swap_adds{}, my::fold_scales{}>;
///     using program = compiled<net, my_tools>;
/// `with` adds a user's operators; of two converters for one operator the user's wins. It takes
///     converters struct { using op = ...; static constexpr bool convert(convert_context&); }
///     decompositions struct { using op = ...; static constexpr auto decomposition = [](any<"self"> x) { ... }; }, or
///     decompose
///     device operators with a key              whose kernels are kernels::kernel_for
///     pointwise operators (aten/pointwise/pointwise.hpp) whose converter and kernel are made from their meaning
///     other operators with an evaluate         which the AI CPU runs as they are, one element at a time
/// Passes are those of pass/pipeline.hpp, or pipelines of them: pattern_pass are rules for the calls that the user's
/// operators replace, before all others; pre_pass and post_pass run before and after the built-in ones; device_pre_pass
/// and device_post_pass are the same for the device graph. air.print writes to stdout, or to the function given to
/// with_print.
template <class Operators = ahead::detail::usual_operators, class Settings = ahead::detail::default_settings>
struct toolchain : Settings {
    using device_registry = typename Operators::device_registry;
    using converters = typename Operators::converters;
    using decompositions = typename Operators::decompositions;
    using operators = Operators;

    template <class... Mine> using with = toolchain<ahead::detail::operators_with<Operators, Mine...>, Settings>;
    // `const auto&`: g++ 15 and 16 refuse a reference to the exact type if the argument depends on a template
    // parameter.
    template <const auto& Options>
    using with_options =
        toolchain<Operators, ahead::detail::set_if<ahead::detail::checked_options<Options>,
                                                   ahead::detail::is_constant_config<Options>, Settings,
                                                   ahead::detail::set_options<Settings, Options>>>;
    template <const auto& On>
    using with_device =
        toolchain<Operators,
                  ahead::detail::set_if<ahead::detail::checked_device<On>, ahead::detail::is_constant_device<On>,
                                        Settings, ahead::detail::set_device<Settings, On>>>;
    template <auto... P>
    using with_pattern_pass = toolchain<Operators, ahead::detail::set_pattern_pass<Settings, P...>>;
    template <auto... P> using with_pre_pass = toolchain<Operators, ahead::detail::set_pre_pass<Settings, P...>>;
    template <auto... P> using with_post_pass = toolchain<Operators, ahead::detail::set_post_pass<Settings, P...>>;
    template <auto... P>
    using with_device_pre_pass = toolchain<Operators, ahead::detail::set_device_pre_pass<Settings, P...>>;
    template <auto... P>
    using with_device_post_pass = toolchain<Operators, ahead::detail::set_device_post_pass<Settings, P...>>;
    template <auto Print>
    using with_print =
        toolchain<Operators,
                  ahead::detail::set_if<ahead::detail::checked_print<Print>, ahead::detail::takes_text<Print>, Settings,
                                        ahead::detail::set_print<Settings, Print>>>;
};

} // namespace ahead::convert
namespace AHEAD_NAMESPACE::detail {

template <class Tools> inline constexpr bool is_toolchain = false;
template <class Operators, class Settings>
inline constexpr bool is_toolchain<convert::toolchain<Operators, Settings>> = true;

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::convert {

template <class Tools>
concept toolchain_like = ahead::detail::is_toolchain<Tools>;
/// One error that says what a toolchain is, if Tools is not one.
template <class Tools> struct checked_toolchain {
    static_assert(toolchain_like<Tools>,
                  "a toolchain is an alias, as in `using tools = ahead::toolchain<>::with<...>::with_options<...>`, "
                  "not a struct that derives from it: what that says is read by nobody");
};

} // namespace ahead::convert
namespace AHEAD_NAMESPACE::detail {

struct refused_operators : usual_operators {
    static constexpr bool is_refused = true;
};
template <class Tools>
concept derives_from_toolchain = requires(const Tools* it) {
    []<class Operators, class Settings>(const convert::toolchain<Operators, Settings>*) {}(it);
};
/// Tools after the error, if it derives from a toolchain; else a toolchain that compiles nothing.
template <class Tools> struct kept_toolchain {
    using type = std::conditional_t<is_reported<convert::checked_toolchain<Tools>> && derives_from_toolchain<Tools>,
                                    Tools, convert::toolchain<refused_operators>>;
};
template <convert::toolchain_like Tools> struct kept_toolchain<Tools> { using type = Tools; };

} // namespace ahead::detail

namespace AHEAD_NAMESPACE {
using convert::toolchain;
} // namespace ahead
