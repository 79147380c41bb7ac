// SPDX-License-Identifier: MIT
// npu.<op> for every pointwise ATen operator: the same schema and type rule, and a key for its kernel. The kernel is
// generated from the operator's meaning, so a pointwise operator needs nothing else on the device.
#pragma once
#include <ahead/core/math/convert.hpp>
#include <ahead/device/key/pointwise_key.hpp>
#include <ahead/ir/complex_literal.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::device {

template <std::size_t Size> struct spelling {
    char chars[Size + 5];
    std::size_t size;
};
/// "npu.add.Tensor" for "aten.add.Tensor", "npu.my.gelu.default" for "my.gelu.default".
template <std::size_t Size> constexpr spelling<Size> spell(const char* name) {
    spelling<Size> out{};
    for (char c : {'n', 'p', 'u', '.'}) out.chars[out.size++] = c;
    const bool aten =
        Size > 5 && name[0] == 'a' && name[1] == 't' && name[2] == 'e' && name[3] == 'n' && name[4] == '.';
    for (std::size_t i = aten ? 5 : 0; i < Size; ++i) out.chars[out.size++] = name[i];
    return out;
}

namespace detail {

/// The properties of a pointwise operator that its key depends on.
struct pointwise_facts {
    int operands, mask;
    std::size_t parameters;
    promotion rule;
};
/// The dtype that the meaning is evaluated in.
constexpr dtype computed_by(const call_view& c, const pointwise_facts& of) {
    common_dtype common;
    for (int i = 0; i < of.operands; ++i) {
        if (i == of.mask || !c.is_given(i)) continue;
        if (c.is_tensor(i)) common.add(c.tensor(i));
        else common.add(c.at(i));
    }
    const auto type = common.get();
    if (is_complex(type)) return type; // abs and angle return real numbers
    if (c.result_type().type != dtype::b8) return c.result_type().type;
    return of.rule == promotion::to_real && !is_floating(type) ? dtype::f32 : type;
}
/// One function for all operators; as a template, a native program with many operators would contain hundreds of
/// copies.
constexpr pointwise_key pointwise_key_of(const call_view& c, const pointwise_facts& of) {
    using source = pointwise_slot::source;
    pointwise_key key;
    key.computed = computed_by(c, of);
    key.parameters = static_cast<std::int32_t>(of.parameters);
    std::array<const tensor_type*, max_strided> tensors{};
    std::int64_t operands = 0;
    for (int i = 0; i < key.parameters; ++i) {
        auto& slot = key.slots[static_cast<std::size_t>(i)];
        const auto& a = c.at(i);
        if (c.is_tensor(i)) {
            tensors[static_cast<std::size_t>(operands)] = &c.tensor(i);
            slot = {source::operand, operands++};
        } else if (a.kind == argument_kind::complex) {
            slot = {source::complex, std::bit_cast<std::int64_t>(math::convert<complex64>(complex_of(a)))};
        } else if (a.kind == argument_kind::real) {
            slot = {source::real, a.bits};
        } else if (a.kind == argument_kind::string || a.kind == argument_kind::word) {
            slot = {source::integer, c.word_number(i)};
        } else if (a.kind == argument_kind::integer || a.kind == argument_kind::boolean) {
            slot = {source::integer, a.bits};
        }
    }
    key.loop = strided_key_of(c.result_type(), array_view(tensors.data(), static_cast<std::size_t>(operands)));
    if (c.in().header().on_eigen && takes_eigen(key)) key.choice = single_choice::eigen;
    return key;
}

} // namespace detail

/// Op: an operator struct with `operands`, `rule`, `mask` and `meaning`, see aten/pointwise/pointwise.hpp.
template <class Op> struct pointwise {
    static_assert(Op::operands < max_strided && std::size(Op::schema) <= max_pointwise_parameters,
                  "a pointwise operator on the device has at most 3 operands and 6 parameters: give it an evaluate, or "
                  "a device operator of its own");
    using meaning_of = Op;
    using graph_choice = single_choice;
    static constexpr auto spelled = spell<Op::name.size()>(Op::name.data());
    static constexpr std::string_view name{spelled.chars, spelled.size};
    static constexpr auto& schema = Op::schema;
    static constexpr bool (&infer)(infer_context&) = Op::infer;
    static constexpr effects effect{.is_elementwise_device_op = true,
                                    .takes_complex = ahead::detail::effects_of<Op>.takes_complex ||
                                                     ahead::detail::effects_of<Op>.moves_elements};
    static_assert(
        [] {
            for (const auto& parameter : Op::schema)
                if (takes_text(parameter) && parameter.words.empty()) return false;
            return true;
        }(),
        "a pointwise operator lists the words that it takes: its meaning knows them by number");

    static constexpr pointwise_key key(const call_view& c) {
        return detail::pointwise_key_of(c, {Op::operands, Op::mask, std::size(Op::schema), Op::rule});
    }
    static constexpr machine::steps steps = machine::steps_of<Op>();
    static constexpr machine::work work(const call_view& c) { return rows_of(key(c).loop, steps); }
    /// An operand of the result's type is read at the place that is written.
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return i < static_cast<int>(std::size(schema)) && c.is_tensor(i) && c.tensor(i) == c.result_type();
    }
};

} // namespace ahead::device
