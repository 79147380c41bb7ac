// SPDX-License-Identifier: MIT
// npu.<op> for every pointwise ATen operator: the same schema and type rule, and a key for its kernel. A pointwise operator needs
// nothing else on the device: its kernel is made from its meaning.
#pragma once
#include <ahead/target/pointwise_key.hpp>

namespace ahead::device {

/// Op: an operator struct with `operands`, `rule`, `mask` and `meaning`, see aten/pointwise.hpp.
template <class Op> struct pointwise {
    using meaning_of = Op;
    static constexpr auto spelled = [] {
        std::array<char, Op::name.size()> out{};
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = Op::name[i];
        constexpr std::string_view room = "npu.";
        for (std::size_t i = 0; i < room.size(); ++i) out[i + 1] = room[i];
        return out;
    }();
    /// "npu.add.Tensor" for "aten.add.Tensor".
    static constexpr std::string_view name{spelled.data() + 1, spelled.size() - 1};
    static constexpr auto& schema = Op::schema;
    static constexpr bool infer(infer_context& c) { return Op::infer(c); }

    /// The dtype that the meaning is evaluated in.
    static constexpr dtype computed(const call_view& c) {
        common_dtype common;
        for (int i = 0; i < Op::operands; ++i) {
            if (i == Op::mask || !c.is_given(i)) continue;
            if (c.is_tensor(i)) common.add(c.tensor(i));
            else common.add(c.at(i));
        }
        const auto type = common.get();
        if (c.result_type().type != dtype::b8) return c.result_type().type;
        return Op::rule == promotion::to_real && !is_floating(type) ? dtype::f32 : type;
    }
    static constexpr target::pointwise_key key(const call_view& c) {
        using source = target::pointwise_slot::source;
        target::pointwise_key key;
        key.computed = computed(c);
        key.parameters = static_cast<std::int32_t>(std::size(schema));
        std::array<const tensor_type*, target::max_strided> tensors{};
        std::int64_t operands = 0;
        for (int i = 0; i < key.parameters; ++i) {
            auto& slot = key.slots[static_cast<std::size_t>(i)];
            const auto& a = c.at(i);
            if (c.is_tensor(i)) {
                tensors[static_cast<std::size_t>(operands)] = &c.tensor(i);
                slot = {source::operand, operands++};
            } else if (a.kind == argument_kind::real) {
                slot = {source::real, a.bits};
            } else if (a.kind == argument_kind::string || a.kind == argument_kind::word) {
                slot = {source::integer, a.text == "floor" ? 2 : a.text == "none" ? 0 : 1};
            } else if (a.kind == argument_kind::integer || a.kind == argument_kind::boolean) {
                slot = {source::integer, a.bits};
            }
        }
        key.loop = target::strided_key_of(c.result_type(), std::span(tensors.data(), static_cast<std::size_t>(operands)));
        return key;
    }
    /// An operand of the result's own type, read at the very place it is written.
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return i < static_cast<int>(std::size(schema)) && c.is_tensor(i) && c.tensor(i) == c.result_type();
    }
};

} // namespace ahead::device
