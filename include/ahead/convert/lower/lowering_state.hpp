// SPDX-License-Identifier: MIT
// The state of a lowering, and the rows of converters that it uses. Made by lower.hpp, used by convert.hpp.
#pragma once
#include <ahead/device/block_needs.hpp>
#include <ahead/ir/mutated_weights.hpp>
#include <ahead/ir/operator_map.hpp>

namespace AHEAD_NAMESPACE::convert {

class convert_context;
using convert_function = bool (*)(convert_context&);

/// A converter, and the ATen operator that it converts.
struct converter_row {
    std::string_view op;
    convert_function convert = nullptr;
    bool takes_any_dtype = false; // else the AI CPU runs calls with dtypes that have no kernels
};
using converter_table = array_view<const converter_row>;

/// The device value of an ATen value.
struct device_value {
    std::int32_t node = -1;
    std::int32_t result = 0;
    constexpr argument as_argument() const { return argument::of(node_id{node}, result); }
};

/// The state of a lowering: its input, its output, and the operators that it has looked up.
struct lowering_state {
    graph out;
    op_table device_ops;
    converter_table converters;
    device_value* made;                       // by ATen value
    operator_map<converter_row> converter_of; // a row's number, since g++ 12 with -fsanitize=undefined cannot compare
                                              // functions in constants
    op_table ops;                             // ATen's
    const mutated_weights& written;           // of the ATen graph
    array_view<const device::block_needs> blocks; // those of the graph's calls; empty if they were not planned
    std::int64_t loop_bound = 0;              // of config
    fixed_buffer<std::int16_t> device_form;   // by ATen operator: the row + 1 of "npu.<op>"
    op_id created{};                          // the last operator created by name, often also the next

    /// The device's operator of this name; none if it does not exist.
    constexpr op_id find(std::string_view name) {
        if (!created.exists() || !same_name(device_ops.data()[created.index].name, name))
            created = find_op(device_ops, name);
        return created;
    }
};

} // namespace ahead::convert

namespace AHEAD_NAMESPACE {
using convert::convert_context;
} // namespace ahead
