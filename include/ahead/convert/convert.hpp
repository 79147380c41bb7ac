// SPDX-License-Identifier: MIT
// ATen graph -> device graph. Results in another value's storage become views, whatever the operator. Every other call
// goes to the converter with its operator's name, a struct { using op = aten::mm; static constexpr bool
// convert(convert_context&); }; without one, the AI CPU runs it if the device's registry has its ATen name; else it is
// refused. A converter with `static constexpr bool takes_any_dtype = true` is also called for dtypes without kernels.
// Invariant: a converted value has the dtype, sizes and strides of its ATen value. Called by lower.hpp.
#pragma once
#include <ahead/convert/lower/lowering_state.hpp>
#include <ahead/convert/rounded_beside.hpp>
#include <ahead/convert/supported.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/pass/old_context_names.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::convert {

/// The interface that a converter uses: the typed ATen call, and the device graph in which it creates calls.
class convert_context : public pass::old_context_names<convert_context> {
public:
    constexpr convert_context(const call_view& call, lowering_state& state, diagnosis& d)
        : aten(call), state_(&state), out_(state.out), made_(state.made), diagnosis_(&d) {}

    call_view aten;

    /// The device value of tensor parameter i. pre: aten.is_tensor(i)
    constexpr argument operand(int i) const { return operand(aten.at(i)); }
    constexpr argument operand(const argument& a) const {
        return made_[aten.in()[a.node()].values.first + a.result].as_argument();
    }
    constexpr const tensor_type& type_of(const argument& a) const { return out_.value_of(a).type; }
    /// Whether the value depends on parameters and constants alone, so that its task runs in prepare.
    constexpr bool is_constant(const argument& a) const { return out_.node_pool()[a.bits].constant; }

    constexpr bool is_result_used(std::int64_t k) const { return ir::is_result_used(aten.in(), aten.id(), k); }

    /// For calls of blocks: the state of the lowering, and the needs of a block; null if the block was not planned.
    constexpr const lowering_state& state() const { return *state_; }
    constexpr const device::block_needs* needs_of(block_id b) const {
        for (const auto& one : state_->blocks)
            if (one.block == b) return &one;
        return nullptr;
    }

    /// The device graph created so far.
    constexpr graph_view out() const { return out_; }

    /// A list as an argument of a device call.
    constexpr argument list(const int_list& values) {
        argument out{.kind = argument_kind::list};
        if (!diagnosis_->ok() || !reserve_arguments(out_, values.size, out.children, *diagnosis_)) return out;
        for (int i = 0; i < values.size; ++i) out_[out.children[i]] = argument::of(values[i]);
        return out;
    }
    /// The value in row-major order; a copy in new memory unless it is contiguous already.
    constexpr argument contiguous(const argument& a) {
        return is_contiguous(type_of(a)) ? a : create("npu.copy", array_view(&a, 1));
    }

    /// Appends a device call and infers it. The result is None after a refusal; bind_result() reports that.
    template <class DeviceOp> constexpr argument create(std::initializer_list<argument> arguments) {
        return create(DeviceOp::name, array_view(arguments.begin(), arguments.size()));
    }
    /// The same for an operator given by name, such as the device::pointwise "npu.maximum.default".
    constexpr argument create(std::string_view device_op, array_view<const argument> arguments) {
        const auto id = append(device_op, arguments.size());
        if (!id.exists()) return {};
        set_operands(id, arguments);
        return infer_node(out_, state_->device_ops, id, *diagnosis_) ? argument::of(id) : argument{};
    }
    /// As bind_result(create<DeviceOp>(arguments)), but cheaper: the ATen call's one result passes on its type, which
    /// the device operator's rule would infer as well. Arguments that are left out are None.
    template <class DeviceOp> constexpr bool create_result(std::initializer_list<argument> arguments) {
        const auto id = append(DeviceOp::name, std::size(DeviceOp::schema));
        if (!id.exists() || !reserve_values(out_, id, 1, *diagnosis_)) return false;
        set_operands(id, array_view(arguments.begin(), arguments.size()));
        adopt_result_type(id);
        return true;
    }
    /// The same, for a device operator whose first argument is a list of tensors.
    template <class DeviceOp>
    constexpr argument create_list(array_view<const argument> tensors, std::initializer_list<argument> rest) {
        const auto id = append_list<DeviceOp>(tensors, rest);
        return id.exists() && infer_node(out_, state_->device_ops, id, *diagnosis_) ? argument::of(id) : argument{};
    }
    /// Creates the device call that computes all results of the ATen call, with their types.
    template <class DeviceOp>
    constexpr bool create_results(array_view<const argument> tensors, std::initializer_list<argument> rest) {
        const auto id = append_list<DeviceOp>(tensors, rest);
        const auto& wanted = aten.in().node_pool()[aten.id().index].values;
        if (!id.exists() || !reserve_values(out_, id, wanted.count, *diagnosis_)) return false;
        for (std::int32_t k = 0; k < wanted.count; ++k) {
            const auto value = out_[id].values[k];
            out_[value] = {value_kind::tensor, aten.result_type(k), value};
            if (!bind_result(argument::of(id, k), k)) return false;
        }
        return true;
    }
    /// Creates the device::pointwise of this operator, "npu.add.Tensor" for "aten.add.Tensor", with the same arguments:
    /// it has the same type rule, so its result has the ATen call's type. rounded: a bit for each number parameter that
    /// is rounded to f16 or bf16 if the tensors of the call have that dtype.
    constexpr bool create_same(unsigned rounded = 0) {
        const node* nodes = aten.in().node_pool();
        const auto& from = nodes[aten.id().index];
        const auto op = form_of(from);
        if (!op.exists()) return refuse(fault::operator_has_no_kernel, "a device::pointwise of it", from.target);
        const auto count = static_cast<std::int32_t>(state_->device_ops.data()[op.index].schema.size());
        const auto id = append(op, count);
        if (!id.exists() || !reserve_values(out_, id, 1, *diagnosis_)) return false;
        argument* pool = out_.argument_pool();
        node* created = out_.node_pool();
        auto place = created[id.index].arguments.first;
        bool constant = true;
        for (std::int32_t i = 0; i < count; ++i, ++place) {
            argument a = aten.at(i);
            if (a.kind == argument_kind::node) {
                const auto& operand = made_[nodes[a.bits].values.first + a.result];
                a.bits = operand.node;
                a.result = operand.result;
                constant = constant && created[operand.node].constant;
            } else if ((rounded >> i & 1) != 0) {
                a = ahead::detail::rounded_beside(aten, a);
            }
            a.keyword = {};
            a.owner = id;
            ahead::detail::place_argument(pool, created, {place}, a);
        }
        created[id.index].constant = constant;
        adopt_result_type(id);
        return true;
    }
    /// A view of the same bytes under another type; not a task.
    constexpr argument view(const argument& of, const tensor_type& type) {
        auto viewed = create("npu.view", array_view(&of, 1));
        if (viewed.kind == argument_kind::node) out_.value_of(viewed).type = type;
        return viewed;
    }

    /// A row-major tensor viewed with other sizes of as many elements, from the same offset in its storage.
    constexpr argument reshaped(const argument& of, const int_list& sizes) {
        auto type = tensor_of(type_of(of).type, sizes);
        type.offset = type_of(of).offset;
        return view(of, type);
    }
    /// A view with two dims exchanged.
    constexpr argument transposed_view(const argument& of, std::int64_t d, std::int64_t e) {
        if (of.kind != argument_kind::node) return of;
        auto type = type_of(of);
        std::swap(type.sizes.at[d], type.sizes.at[e]);
        std::swap(type.strides.at[d], type.strides.at[e]);
        return view(of, type);
    }

    /// A call of the ATen operator, whose meaning the AI CPU evaluates. Refuses one that the registry does not contain.
    constexpr bool emit_ai_cpu_call() {
        const auto from = aten.in();
        const auto& wanted = from[aten.id()];
        node n = unlinked(wanted);
        n.op = find_op(state_->device_ops, wanted.target);
        n.from.made_by = "convert";
        n.from.lowered_from = aten.id();
        if (!n.op.exists())
            return refuse(fault::operator_has_no_converter, "a converter for the operator", wanted.target);
        node_id id;
        if (!reserve_arguments(out_, wanted.arguments.count, n.arguments, *diagnosis_) ||
            !append_node(out_, n, id, *diagnosis_))
            return false;
        bool constant =
            !state_->device_ops[static_cast<std::size_t>(n.op.index)].effect.has_side_effect; // each run has it
        const auto set = [&](argument_id to, argument a) {
            if (a.kind == argument_kind::node) {
                const auto keyword = a.keyword;
                a = operand(a);
                a.keyword = keyword;
                constant = constant && is_constant(a);
            }
            set_argument(out_, to, a, id);
        };
        for (std::int32_t i = 0; i < wanted.arguments.count; ++i) {
            const auto& given = from.argument_of(wanted, i);
            auto copy = given;
            if (given.children.count > 0 && !reserve_arguments(out_, given.children.count, copy.children, *diagnosis_))
                return false;
            for (std::int32_t k = 0; k < given.children.count; ++k) set(copy.children[k], from[given.children[k]]);
            set(n.arguments[i], copy);
        }
        if (!infer_node(out_, state_->device_ops, id, *diagnosis_)) return false;
        out_[id].constant = constant;
        for (std::int32_t k = 0; k < wanted.values.count; ++k)
            if (!bind_result(argument::of(id, k), k)) return false;
        return true;
    }

    /// Binds `made` to result k of the ATen call.
    constexpr bool bind_result(const argument& made, std::int32_t k = 0) {
        if (!diagnosis_->ok()) return false;
        const auto& wanted = aten.result_type(k);
        const auto& got = type_of(made);
        if (!(got == wanted) && (got.layout != memory_layout::strided || got.type != wanted.type ||
                                 sizes_of(got) != sizes_of(wanted) || !same_strides(got, wanted)))
            return refuse(fault::converter_result_differs, print(wanted, true), print(got, true));
        made_[aten.in()[aten.id()].values.first + k] = {made.node().index, made.result};
        return true;
    }
    /// The same for a row-major value where the ATen result may have another dense order of dims, such as
    /// channels_last.
    constexpr bool bind_row_major(argument value, std::int32_t k = 0) {
        if (!diagnosis_->ok()) return false;
        return bind_result(laid_out_as(value, aten.result_type(k)), k);
    }
    /// A value with the strides of `layout`, which has its sizes: dense, its dims in any order. A copy unless it has
    /// these strides already.
    constexpr argument laid_out_as(const argument& value, const tensor_type& layout) {
        if (value.kind != argument_kind::node || same_strides(type_of(value), layout)) return value;
        auto turned = type_of(value); // its dims by decreasing stride in `layout`
        for (int d = 0; d < layout.rank; ++d) {
            int place = 0;
            for (int other = 0; other < layout.rank; ++other)
                place +=
                    layout.stride(other) > layout.stride(d) || (layout.stride(other) == layout.stride(d) && other < d);
            turned.sizes.at[place] = type_of(value).sizes.at[d];
            turned.strides.at[place] = type_of(value).strides.at[d];
        }
        const auto copy = contiguous(view(value, turned));
        return diagnosis_->ok() ? view(copy, layout) : copy;
    }
    /// Appends a call for the ATen call, with all arguments still None; returns no id if there was a fault already or
    /// there is not enough room.
    constexpr node_id append(op_id op, std::int32_t arguments) {
        node_id id;
        node n = nothing;
        if (!diagnosis_->ok() || !reserve_arguments(out_, arguments, n.arguments, *diagnosis_)) return id;
        const auto& from = aten.in().node_pool()[aten.id().index];
        n.op = op;
        n.target = state_->device_ops.data()[op.index].name;
        n.name = from.name;
        n.from = from.from;
        n.from.made_by = "convert";
        n.from.lowered_from = aten.id();
        append_node(out_, n, id, *diagnosis_);
        return id;
    }
    constexpr bool refuse(fault what, const short_text& expected = {}, const short_text& found = {}) {
        return core::refuse(*diagnosis_, what, expected, found);
    }
    constexpr bool refuse(custom_rule rule, const short_text& expected = {}, const short_text& found = {}) {
        return core::refuse(*diagnosis_, rule, expected, found);
    }

private:
    /// "npu.add.Tensor" for a call of "aten.add.Tensor"; none if the device's registry does not contain it.
    constexpr op_id form_of(const node& call) {
        auto& form = state_->device_form[call.op.index];
        if (form == 0) {
            short_text name("npu.");
            name << without_aten(call.target);
            form = static_cast<std::int16_t>(find_op(state_->device_ops, name.view()).index + 1);
        }
        return {form - 1};
    }

    /// Appends a device call whose first argument is a list of tensors; returns no id if there is not enough room.
    template <class DeviceOp>
    constexpr node_id append_list(array_view<const argument> tensors, std::initializer_list<argument> rest) {
        argument list{.kind = argument_kind::list};
        const auto id = append(DeviceOp::name, rest.size() + 1);
        if (!id.exists() ||
            !reserve_arguments(out_, static_cast<std::int32_t>(tensors.size()), list.children, *diagnosis_))
            return {};
        bool constant = true;
        for (std::size_t k = 0; k < tensors.size(); ++k) {
            constant = constant && is_constant(tensors[k]);
            set_argument(out_, list.children[static_cast<std::int32_t>(k)], tensors[k], id);
        }
        auto next = out_[id].arguments.first;
        set_argument(out_, {next++}, list, id);
        for (const auto& a : rest) set_argument(out_, {next++}, a, id); // attributes
        out_[id].constant = constant;
        return id;
    }
    /// The same for an operator given by name, which the device must have.
    constexpr node_id append(std::string_view name, std::size_t arguments) {
        const auto op = state_->find(name);
        if (op.exists()) return append(op, static_cast<std::int32_t>(arguments));
        refuse(fault::operator_has_no_kernel, "a registered device operator", name);
        return {};
    }

    /// Sets the arguments of a call that has none yet; the call is constant if all of them are.
    constexpr void set_operands(node_id id, array_view<const argument> arguments) {
        argument* own = out_.argument_pool();
        node* nodes = out_.node_pool();
        auto place = nodes[id.index].arguments.first;
        bool constant = true;
        for (argument a : arguments) {
            a.keyword = {}; // an ATen argument may have been given by name
            a.owner = id;
            if (a.kind == argument_kind::node) constant = constant && nodes[a.bits].constant;
            ahead::detail::place_argument(own, nodes, {place++}, a);
        }
        // Arguments that are left out are None. They are written, too: g++ 12 refuses to read an uninitialized element
        // in a constant.
        for (const auto& all = nodes[id.index].arguments; place < all.first + all.count; ++place)
            own[place] = {.owner = id};
        nodes[id.index].constant = constant;
    }
    /// Gives the call's one value, which is reserved but not typed, the type of the ATen call's result.
    constexpr void adopt_result_type(node_id id) {
        const auto from = aten.in();
        const auto& wanted = from.value_of(aten.id());
        const value_id result{out_.node_pool()[id.index].values.first};
        out_[result] = wanted;
        out_[result].storage = result;
        made_[from.node_pool()[aten.id().index].values.first] = {id.index, 0};
    }

    static constexpr node nothing{};
    lowering_state* state_;
    graph out_;
    device_value* made_;
    diagnosis* diagnosis_;
};

/// The converters that a compilation uses. `with<Mine>` puts a user's converters before the built-in ones: the first
/// one for an operator wins.
template <class... Converters> struct converter_list {
    template <class... More> using with = converter_list<More..., Converters...>;

private:
    static constexpr std::array<converter_row, sizeof...(Converters)> rows_{
        converter_row{Converters::op::name, &Converters::convert, ahead::detail::takes_any_dtype<Converters>}...};

public:
    static constexpr converter_table table{rows_};
};

} // namespace ahead::convert

namespace AHEAD_NAMESPACE {
using convert::convert_context;
} // namespace ahead
