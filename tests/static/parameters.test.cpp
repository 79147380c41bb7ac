// SPDX-License-Identifier: MIT
// Every operator that ahead has keeps the contract of ir/registry.hpp: its parameters are named as its schema names them, and it has one meaning.
#include <ahead/ahead.hpp>

using namespace ahead;
using namespace ahead::rooms;

// A name that no enumerator has is none, and one that the schema has elsewhere is seen.
namespace {
struct whole {
    enum at : int { self, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("dim", parameter_kind::integer)};
};
struct begins : whole {
    enum at : int { self };
};
struct unnamed {
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
};
struct exchanged : whole {
    enum at : int { dim, self };
};
struct misspelt : whole {
    enum at : int { self, dims };
};
struct longer : whole {
    enum at : int { self, dim, keepdim };
};
} // namespace
static_assert(std::size(unnamed::schema) == 1);
static_assert(enumerator_name<whole::dim>() == "dim" && enumerator_name<whole::at{2}>().empty());
static_assert(detail::names_parameters<whole> && detail::names_parameters<begins> && detail::names_parameters<unnamed>);
static_assert(!detail::names_parameters<exchanged> && !detail::names_parameters<misspelt> && !detail::names_parameters<longer>);

// Words are what their enumeration says, in its order; where None may be given, without the enumerator that stands for it.
static_assert(words_of<aten::approximation>.size() == 2 && words_of<aten::approximation>[1] == "tanh" && aten::gelu::schema[1].words.size() == 2);
static_assert(aten::gelu::schema[1].value.get().text == "none" && number_of_word(aten::gelu::schema[1], aten::gelu::schema[1].value.get()) == 0);
static_assert(aten::div_mode::schema[2].words.size() == 2 && aten::div_mode::schema[2].words[0] == "trunc");
static_assert(number_of_word(aten::div_mode::schema[2], {.kind = argument_kind::string, .text = "floor"}) == static_cast<int>(aten::rounding::floor) &&
              number_of_word(aten::div_mode::schema[2], {}) == static_cast<int>(aten::rounding::none));
static_assert(aten::scatter_reduce::schema[4].words.size() == 5 && aten::scatter_reduce::schema[4].words[4] == "amin");

enum class five_words { aardvark, b_1, c, d, e };
static_assert(words_of<five_words>.size() == 5 && words_of<five_words>[0] == "aardvark" && words_of<five_words>[1] == "b_1" && words_of<five_words>[4] == "e");
namespace {
enum class unnamed_words { none, dark, light };
namespace inner {
namespace {
enum class deeper_words { none, deep };
}
} // namespace inner
} // namespace
static_assert(words_of<unnamed_words>.size() == 3 && words_of<unnamed_words>[0] == "none" && words_of<unnamed_words>[2] == "light");
static_assert(words_of<inner::deeper_words>.size() == 2 && words_of<inner::deeper_words>[1] == "deep");
// PyTorch's memory formats are no C++ names: the enumeration agrees with the list, behind "torch.".
constexpr bool formats_agree() {
    std::size_t same = 0;
    for (std::size_t k = 0; k < std::size(aten::schemas::memory_formats); ++k)
        same += k < words_of<aten::format>.size() && aten::schemas::memory_formats[k].substr(6) == words_of<aten::format>[k];
    for (auto word : aten::schemas::own_formats)
        for (auto format : aten::schemas::memory_formats) same += word == format;
    return same == words_of<aten::format>.size() + std::size(aten::schemas::own_formats);
}
static_assert(formats_agree());
static_assert(static_cast<int>(aten::loss_reduction::none) == 0 && words_of<aten::loss_reduction>.size() == 3);

// A parameter's name may hide what a pointwise operator's base has: then it is none.
namespace {
struct shown : aten::pointwise<1, promotion::keep> {
    static constexpr std::string_view name = "my.shown.default";
    enum at : int { self, limit };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("limit", parameter_kind::scalar)};
    template <class T> static constexpr T meaning(T x, T limit) { return x < limit ? x : limit; }
};
struct hidden : shown {
    enum at : int { self, mask };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("mask", parameter_kind::scalar)};
};
} // namespace
static_assert(operator_like<shown> && !operator_like<hidden> && detail::names_parameters<hidden>);

// Operators that are refused by name whatever they are given.
template <class Op, class... Refused> constexpr bool is_one_of(op_list<Refused...>) { return (std::same_as<Op, Refused> || ...); }
using always_refused = join<op_list<aten::nonzero, aten::masked_select, aten::to_quantised, aten::to_quantised_tensor, aten::to_quantised_dynamic,
                                    aten::to_quantised_channels>,
                            aten::unique_ops>;

// One meaning, but where there is nothing to compute: in views, in what is for its side effect, and in what its blocks say.
template <class Op>
constexpr bool keeps_contract() {
    constexpr auto effect = detail::effects_of<Op>;
    static_assert(operator_like<Op>);
    static_assert(!std::string_view(Op::name).starts_with("aten.") || requires { typename Op::at; }, "names its parameters");
    static_assert(is_one_of<Op>(always_refused{}) ||
                  detail::meanings<Op> == 1 || effect.view_of >= 0 || effect.has_side_effect || effect.blocks_take >= 0);
    static_assert(!effect.is_random || requires(const call_view& c) { Op::draw(c); });
    return true;
}
template <std::size_t... I>
constexpr bool all_keep_contract(std::index_sequence<I...>) {
    const bool keep[] = {keeps_contract<aten::registry::at<I>>()...};
    for (bool one : keep)
        if (!one) return false;
    return true;
}
static_assert(all_keep_contract(std::make_index_sequence<aten::registry::size>{}));

// The device's own keep the contract of device/device_operator.hpp; npu.view is no task, npu.print and what the AI CPU runs have no key.
template <std::size_t... I>
constexpr bool all_are_device_operators(std::index_sequence<I...>) {
    const bool are[] = {(!requires(const call_view& c) { device::own_ops::at<I>::key(c); } || device::device_operator_like<device::own_ops::at<I>>)...};
    int keyed = 0;
    for (bool one : {requires(const call_view& c) { device::own_ops::at<I>::key(c); }...}) keyed += one;
    for (bool one : are)
        if (!one) return false;
    return keyed + 6 == device::own_ops::size;
}
static_assert(all_are_device_operators(std::make_index_sequence<device::own_ops::size>{}));

// Their keys list all members for printing: so much is said by the sizes of those listed.
template <class K> constexpr bool lists_all_members() {
    if constexpr (std::default_initializable<K> && requires(const K& k) { fields(k, k, [](auto, const auto&, const auto&) {}); }) {
        std::size_t end = 0;
        const auto after = [](std::size_t at, std::size_t align) { return (at + align - 1) / align * align; };
        fields(K{}, K{}, [&]<class T>(std::string_view, const T&, const T&) { end = after(end, alignof(T)) + sizeof(T); });
        return after(end, alignof(K)) == sizeof(K);
    } else {
        return true;
    }
}
template <std::size_t... I> constexpr bool all_list_their_members(std::index_sequence<I...>) {
    const auto of = []<class Op>(std::type_identity<Op>) {
        if constexpr (requires(const call_view& c) { Op::key(c); }) return lists_all_members<std::remove_cvref_t<decltype(Op::key(std::declval<const call_view&>()))>>();
        else return true;
    };
    return (of(std::type_identity<device::own_ops::at<I>>{}) && ...);
}
static_assert(all_list_their_members(std::make_index_sequence<device::own_ops::size>{}));

// The device's name their parameters as their schemas do.
template <std::size_t... I>
constexpr bool all_name_parameters(std::index_sequence<I...>) {
    const bool do_so[] = {detail::names_parameters<device::registry::at<I>>...};
    for (bool one : do_so)
        if (!one) return false;
    return true;
}
static_assert(all_name_parameters(std::make_index_sequence<device::registry::size>{}));

// What several operators begin with is where each of them has it.
template <class Shared, class... Ops>
constexpr bool begin_alike() {
    return (detail::names_agree<Ops, typename Shared::at>() && ...);
}
static_assert(begin_alike<aten::scattered, aten::slice_scatter, aten::select_scatter, aten::diagonal_scatter, aten::as_strided_scatter>());
static_assert(begin_alike<aten::indexed, aten::index, aten::unsafe_index, aten::index_put>());
static_assert(begin_alike<aten::scattered_along, aten::scatter_src, aten::scatter_add, aten::scatter_reduce>());
static_assert(begin_alike<aten::index_slices, aten::index_add, aten::index_copy>());
static_assert(begin_alike<aten::convolved, aten::convolution, aten::conv1d, aten::conv2d>());
static_assert(begin_alike<aten::schemas::batch_norm, aten::native_batch_norm, aten::native_batch_norm_functional>());
static_assert(begin_alike<aten::schemas::random_state, aten::philox_uniform, aten::philox_normal, aten::philox_randint, aten::philox_randperm>());

template <class... Ops>
constexpr bool are_biased = ((int{Ops::at::self} == aten::biased_parameters::self && int{Ops::at::beta} == aten::biased_parameters::beta &&
                              int{Ops::at::alpha} == aten::biased_parameters::alpha) &&
                             ...);
static_assert(are_biased<aten::addmm, aten::baddbmm, aten::addbmm, aten::addmv>);
static_assert(int{aten::rsub::at::alpha} == aten::schemas::with_alpha::alpha && int{aten::add_scalar::at::alpha} == aten::schemas::with_alpha::alpha);
