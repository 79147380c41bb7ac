// SPDX-License-Identifier: MIT
// Everything that can be wrong with what a user gives us, one sentence each; the gloss says what to do.
// Invariant: every enumerator is named by a file in tests/reject, tests/unit or tests/device that provokes it.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace AHEAD_NAMESPACE {

enum class fault : std::uint8_t {
    none,

    // text
    text_is_not_a_graph,   // paste print(gm.graph), print_readable() or print(ExportedProgram), from its first line to
                           // its return
    text_is_malformed,     // the line is not what PyTorch prints: look for a cut line or an edited bracket
    text_has_no_return,    // the text ends before its return line: paste all of it
    name_is_undefined,     // a line uses a name that no line above defines
    name_is_defined_twice, // two lines define the same name
    operator_is_unknown,   // no registered operator has this name: append yours to the registry
    node_kind_is_unsupported, // methods, modules and other higher-order calls than cond are not ATen: export or
                              // decompose the model first
    dimension_is_dynamic,     // a symbolic size: give its symbol a number (gears), or export with static shapes
    symbol_is_unknown,        // no type of the text says a symbol of this name
    symbol_is_given_twice,    // each symbol stands for one number
    symbol_is_out_of_range,   // the export's range constraints exclude the number
    host_parameter_is_fixed,  // what a kernel is made for, a size among it, is known when the graph is compiled: give
                              // the symbol a number, or gears
    gears_are_impossible,     // 2 to 100 values from 1 on for each symbol, and at most 100 combinations
    size_has_no_gear,         // take one of the sizes that were compiled, or visit_at_least and pad
    bound_is_impossible,      // a bound is 3 at least: of fewer sizes make gears
    size_changes_the_graph,   // a bounded graph is the same calls at each size, and its sizes are in proportion to the
                              // symbol: make gears
    call_is_not_bounded,      // this call is computed for whole tensors only, or for other dims: make gears
    annotation_differs_from_inference, // the printed type is not what the operator gives: the text was edited, or the
                                       // type rule is wrong
    signature_is_inconsistent,         // the graph signature names an input or output that the graph does not have
    block_is_missing,       // the form shows no bodies of branches and loops: paste print_readable(), with its
                            // nested classes, or print(ExportedProgram)
    input_type_is_missing,  // this form prints no types: give one per placeholder
    graph_exceeds_capacity, // the storage given is smaller than the graph
    // operators
    argument_is_missing,     // the operator's schema needs this argument
    argument_is_unknown,     // the operator's schema has no such argument
    argument_is_given_twice, // by its place and by its name, or twice by its name: leave one out
    argument_has_wrong_kind, // for example a list where the schema says int, or a word that the schema does not list
    dtypes_differ,           // cast one operand
    dtype_is_unsupported,    // this operator is not defined, or does not run, for the dtype
    shapes_do_not_broadcast, // sizes must be equal or 1, counted from the last dimension
    matmul_inner_extents_differ, // columns of the left operand must equal rows of the right one
    rank_is_wrong,               // the operator is defined for tensors of another rank
    dimension_is_out_of_range,   // dims count from -rank to rank-1
    dimension_is_repeated,       // each dim may appear once
    element_counts_differ,       // a view keeps the number of elements
    view_needs_a_copy,           // the strides do not allow this view: use reshape, or clone first
    channels_differ,             // input channels must equal weight channels times groups
    window_does_not_fit,         // the kernel is larger than the padded input
    padding_is_too_large,        // reflection pads less than the size, pooling at most half the kernel
    stride_must_be_positive,     // strides and steps are at least 1
    size_is_negative, // sizes, counts and paddings are 0 at least; only view and expand take -1, for a size that they
                      // can tell
    tensor_is_too_large, // its elements, and the places in its storage that its strides reach, must be fewer than 2^48
    split_sizes_do_not_add_up,     // split sizes must add up to the size of the dim
    distribution_is_impossible,    // a probability lies from 0 to 1, high is above low, a standard deviation is not
                                   // negative
    index_is_out_of_range,         // getitem or select past the end
    matrix_is_singular,            // it has no inverse: linalg_inv_ex says which ones have none
    result_is_not_a_tensor,        // use getitem to pick one result first
    in_place_needs_alias_analysis, // the write cannot be made functional: use the functional operator
    summarize_size_is_invalid, // print shows this many elements at each end of a dim: a positive number, or -1 for all
    wait_is_on_nothing,        // wait takes records and tensors, at least one
    scope_keys_and_values_differ, // scope_enter takes as many values as keys
    operator_has_no_meaning,      // the reference cannot run it: give the operator struct an evaluate
    // blocks
    block_parameters_differ,      // a branch or loop body takes as many tensors as its call gives, of their types
    block_results_differ,         // branches return tensors, as many as each other and of the same types
    operand_is_outside_its_block, // a branch or loop body reads its parameters and its own nodes: what it needs from
                                  // outside is an operand of its call
    control_flow_is_not_run,      // branches and loops are not run here: compiled<fx<text>> runs them
    block_draws_numbers, // how many random numbers a run takes is known beforehand: draw them outside, and give
                         // them to the block
    loop_has_no_bound,   // how long a run takes is known beforehand: say how many rounds a while_loop may go
    loop_exceeds_bound,  // a loop went on beyond the rounds that config.loop_bound, or while_() of a capture,
                         // allows
    // streams
    scope_is_not_entered,           // every scope_exit leaves a scope that a scope_enter above it entered
    scope_is_not_left,              // every scope_enter is followed by its own scope_exit
    wait_comes_before_its_record,   // a wait stands below the record or the tensor that it waits for
    tagged_event_is_in_use,         // a tagged event is recorded again only after something waited for it
    tagged_event_is_not_in_use,     // a tagged event is recorded before something waits for it
    rewrite_crosses_streams,        // a pass moves calls within their stream only, or moves the scopes as well
    core_limit_is_out_of_range,     // _op_aicore_num and _op_vectorcore_num are numbers, from 1 to as many cores as the
                                    // device has
    super_kernel_option_is_invalid, // options of a super kernel are key=value, of keys and values that CANN knows, with
                                    // colons between them
    super_kernel_is_apart, // strict-scope-check=abort: the calls of a super kernel are kernels that follow one another
                           // on one stream, with no event between them
    mode_has_no_wait_tensor, // npu_wait_tensor is for max_autotune: use record and wait, or tagged events
    // handles
    lambda_has_captures, // pass what you captured as a parameter or a constant
    // compilation
    mode_is_unknown,           // choose one of the modes that config names
    option_has_no_effect,      // what else was chosen leaves this option no use: leave it out
    option_is_out_of_range,    // the option's values are named
    choice_is_malformed,       // a line of a choice file is `key : choice # what was measured`: build ahead_tune again
    choice_is_impossible,      // the key has no such kernel: build ahead_tune again
    operator_has_no_converter, // register a converter for the operator
    operator_has_no_kernel,    // the device operator does not run for these dtypes
    constant_is_written, // constants are part of the graph and never written: make the tensor a buffer of the model, or
                         // an input
    state_has_two_names, // the graph writes a weight that it also reads as another input: let it read the weight once
    parameter_is_not_a_placeholder, // the parameter list names a placeholder the graph does not have
    graph_is_broken,      // a pass left a graph that cannot be: an operand below its user, a lost node, a wrong type
    outputs_differ,       // a pass, or one of two graphs said to be equivalent, returns something else
    rewrite_changes_type, // a rule puts something of another dtype or shape in a call's place
    node_is_in_use,       // a pass erases a node that others read: replace its uses first
    sources_are_outdated, // a program was written by another ahead, or planned for other options or another device than
                          // its toolchain says now: write it again, with ahead_add_model or ahead_export_model
    processor_is_too_old, // the model is compiled for none of the instruction sets that it has: ISA v1 is any x86-64
    plan_is_broken,       // an internal invariant: the checker refused the plan
    streams_race, // one stream writes what another one reads or writes at the same time: record an event, and wait for
                  // it
    memory_is_reused_too_early, // bytes are given to another tensor while a stream may still use the one before
    stream_is_not_forked,       // a stream begins before the run: its first call waits for no event
    stream_is_not_joined, // the run ends before a stream is done: the main stream waits for no event behind its last
                          // call
    wait_is_never_met,    // nothing records the event before it is waited for: a deadlock
    device_is_impossible, // the toolchain's device describes no machine: the first number that cannot be is named
    device_streams_are_exceeded, // the graph, or config, names more streams than the device has
    device_events_are_exceeded,  // the plan needs more events than the device has: fewer streams
    device_memory_is_exceeded, // arena and constants need more memory than the device has: a smaller batch, or another
                               // device

    // weights (run time)
    weight_is_missing,       // the file holds no tensor of this name
    weight_is_superfluous,   // the graph has no parameter of this name
    weight_has_wrong_shape,  // the file belongs to another model
    weight_has_wrong_dtype,  // convert the file
    file_is_unreadable,      // check path and permissions
    file_is_unwritable,      // check path and permissions, and whether the disk is full
    file_is_truncated,       // copy the file again
    file_is_malformed,       // not a .npy or .safetensors file, or damaged
    header_is_oversized,     // the header claims more bytes than the format allows or the file has
    tensors_overlap,         // two tensors of the file share bytes
    offsets_are_invalid,     // a tensor's byte range is not inside the data, or not of its size
    tensors_leave_a_hole,    // bytes between two tensors belong to none: the file is damaged
    file_has_trailing_bytes, // bytes after the last tensor belong to none: one tensor per .npy, or the file is damaged
    file_is_big_endian,      // write the file again in little endian: array.astype('<f4') in NumPy
    weight_dtype_is_unknown, // the file spells a dtype that cannot be read: convert the file
    weight_is_defined_twice, // two tensors have this name: rename one
    weight_is_not_boolean,   // a bool tensor holds a byte other than 0 and 1: the file is damaged
    weight_bytes_differ_from_shape, // the bytes given must be the product of the sizes times the bytes of the dtype
    // running
    input_count_differs,  // a run takes one tensor per input of the graph, in the graph's order
    input_has_wrong_type, // give an array, a span or a vector of the input's elements: their dtype and number are part
                          // of its type
    size_exceeds_bound,   // the size that inputs have, or that was said, is one from 1 to the bound
    input_sizes_disagree, // all inputs that follow a symbol have the same number of its places
    mutated_input_is_const, // the graph writes this input: give an array, a span or a vector that may be written
    inputs_overlap,         // an input that the graph writes needs memory that no other input looks at
    output_count_differs,   // into() takes one memory per output of the graph, in the graph's order
    output_has_wrong_type,  // give into() an array, a span or a vector of the output's elements that may be written
    outputs_overlap,        // an output that is written into your memory is there alone: no input, no other output
    memory_is_too_small,    // give at least session::bytes, or prepared_weights::bytes
    memory_is_misaligned,   // align the memory as the device asks for, to 64 bytes or more
    memory_is_in_use, // constants and what a session runs in are memories of their own: give bytes, and inputs, that
                      // hold neither
    state_is_unknown, // state<"name"> is of a weight that the graph writes, called as in the weights
    output_is_still_held, // release or copy the previous outputs before running again, and before the session ends
    session_is_running,   // a session runs on one thread at a time: make another one of the same weights
    steps_are_malformed,  // the steps to dump are numbers and ranges of numbers: "0|1|2-5"
    // the device at run time
    stream_is_default,          // capture on a stream of new_stream(); a graph may then be replayed on the default one
    stream_is_captured,         // what is captured has not run: end the capture before you wait for it or ask after it
    stream_is_destroyed,        // no call takes the handle of a stream after destroy(), or its unique_stream: make
                                // another one
    trace_is_underway,          // a context has one trace at a time: end that one first
    call_is_illegal_in_capture, // the host reads, writes and allocates before capture_begin() or after capture_end()
    capture_is_underway,        // a device captures one graph at a time: end that capture first
    capture_has_not_begun,      // capture_end() ends what capture_begin() of the same graph began
    capture_ends_on_another_stream, // give capture_end() the stream that capture_begin() was given
    event_is_outside_the_capture, // in a capture, wait for events that were recorded in it, and nowhere else for these
    graph_is_captured_already,    // a graph is captured once: make another one, or reset() it
    graph_is_not_captured,        // end a capture before replay() and pool()
    graph_is_part_of_another,     // what a node of another graph runs keeps the tensors that it was captured with
    stream_is_not_captured,       // graphs and functions of the host become nodes between capture_begin() and
                                  // capture_end()
    call_is_illegal_in_callback,  // a function of the host that a replay runs leaves the device alone
    tensor_is_not_bound,          // a graph is bound to other tensors in place of those that its capture was given
    pool_handle_is_invalid,       // a pool is what graph_pool_handle(), or pool() of a captured graph, gave
    pool_is_recording,            // a pool takes the memory of one capture at a time
    pool_is_not_recording,        // end what was begun
    device_memory_is_exhausted,   // drop tensors, reset graphs, or give the device more memory_bytes
    memory_is_still_held,  // a replay would overwrite a tensor of another graph in the same pool: drop it, or copy it
                           // first
    tensor_is_empty,       // it was moved from, or never made
    program_keeps_states,  // a program whose graph writes its weights is launched with npu::states, which own them
    program_has_constants, // prepare the program, and launch what prepare() gave
    tensor_has_no_value,   // nothing has written it: replay the graph whose capture made it, or write it
    device_is_another,     // streams, events, graphs and tensors are used with the device that made them
    capture_limit_is_reached,      // another graph would be one more than capture_limit: raise it, or choose another
                                   // when_full
    call_would_capture,            // run_only() lets calls replay what was captured: call before it, or run_only(false)
    frozen_parameters_have_moved,  // other prepared weights than those that were frozen: leave frozen_parameters out
    programs_take_the_same_inputs, // which program is called is known by its inputs: make an object for each one
    device_failed_as_told,         // fail_at() asked for it; nothing has changed
};

} // namespace ahead
