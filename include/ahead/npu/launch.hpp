// SPDX-License-Identifier: MIT
// Launching on a stream: one operator, any expression of handles, or a program with its prepared weights.
//     auto y = side.launch([](auto a, auto b) { return add(a, b); }, x, step);     // npu::tensor in, npu::tensor out
//     auto z = side.launch(weights, image);                                         // weights: program::prepare(...)
// What is launched is a compiled program, so the eager device and a compiled graph run the same kernels. A launch gets
// memory from the stream's pool, its results lie there, and hold it.
// Invariant: a launch that does not fit the types of its tensors does not compile.
#pragma once
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>
#include <ahead/npu/device_tensor.hpp>
#include <ahead/program/compiled.hpp>
#include <ahead/program/stream_threads.hpp>

namespace AHEAD_NAMESPACE::npu {

namespace detail {

template <std::size_t I> constexpr auto input_name() {
    if constexpr (I < 10) return fixed_string<4>({'i', 'n', static_cast<char>('0' + I), 0});
    else return fixed_string<5>({'i', 'n', static_cast<char>('0' + I / 10), static_cast<char>('0' + I % 10), 0});
}

/// The calls that F makes of tensors of these types, as trace() takes it.
template <class F, class... Types> struct eager_signature {
    static constexpr std::int32_t members = sizeof...(Types);
    template <std::size_t... I> static constexpr auto call(recorder& trace, std::index_sequence<I...>) {
        return F{}(bind<ahead::input<input_name<I>(), Types>>(trace)...);
    }
    template <class Input> static constexpr Input bind(recorder& trace) {
        return {&trace, trace.placeholder(Input::name.view(), {}, input_role::user, Input::tensor::type)};
    }
    using result = decltype(call(std::declval<recorder&>(), std::index_sequence_for<Types...>{}));
    static constexpr void run(recorder& trace) {
        const auto returned = call(trace, std::index_sequence_for<Types...>{});
        if constexpr (!ahead::detail::is_outputs<result>) static_cast<void>(outputs(returned));
    }
};
template <class T> inline constexpr bool is_refused = std::same_as<T, handle<unknown>>;

template <class F, class... Types> constexpr auto choose_eager() {
    if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>) {
        return ahead::detail::refused_trace<require<ahead::detail::captures<F>>>{};
    } else {
        using signature = eager_signature<F, Types...>;
        if constexpr (is_refused<typename signature::result>)
            return ahead::detail::refused_trace<ahead::detail::nothing_to_report>{};
        else return ahead::detail::filled_trace<signature, aten::registry>{};
    }
}
template <class F, class... Types> struct eager_front : decltype(choose_eager<F, Types...>()) {
    using registry = aten::registry;
    static constexpr diagnosis error{};
    static_assert(sizeof(typename eager_front::refusal) > 0);
};

template <class T> struct tensor_type_of;
template <class Type> struct tensor_type_of<tensor<Type>> {
    using type = Type;
};

/// Whether a program may be launched with references to tensors of these types.
template <class Program, class... Given> struct launch_inputs {
    template <class One, std::int32_t I> static constexpr void check(diagnosis& d) {
        using port = typename Program::template input_port<I>;
        using wanted = static_type<port>;
        if (!d.ok()) return;
        d.name = ahead::detail::checked_inputs<Program>::name_of(I);
        if constexpr (!std::same_as<std::remove_cvref_t<One>, tensor<wanted>>)
            refuse(d, fault::input_has_wrong_type, ahead::print(port::type), found<One>());
        else if (port::is_mutated &&
                 (!std::is_lvalue_reference_v<One> || std::is_const_v<std::remove_reference_t<One>>))
            refuse(d, fault::mutated_input_is_const, "a tensor that may be written", "one that is const, or temporary");
        else d.name = {};
    }
    template <class One> static constexpr short_text found() {
        if constexpr (requires { typename tensor_type_of<std::remove_cvref_t<One>>::type; })
            return ahead::print(tensor_type_of<std::remove_cvref_t<One>>::type::type);
        else return "what is no tensor of the device";
    }
    static constexpr diagnosis error = [] {
        diagnosis d;
        if constexpr (!Program::accepted) return d; // was reported
        d.op = "launch";
        if constexpr (Program::plan.states > 0) {
            refuse(d, fault::program_keeps_states, "a program that writes no weights",
                   short_text() << Program::plan.states << " of them");
        } else if constexpr (sizeof...(Given) != static_cast<std::size_t>(Program::plan.inputs)) {
            refuse(d, fault::input_count_differs, short_text() << Program::plan.inputs << " tensors",
                   short_text() << sizeof...(Given));
        } else {
            [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
                (check<Given, I>(d), ...);
            }(std::make_integer_sequence<std::int32_t, sizeof...(Given)>{});
        }
        return d;
    }();
};

template <class Program> void run_program(const std::byte* const* externals, const std::byte* constants,
                                          std::byte* arena) {
    constexpr auto first = Program::plan.prepare_tasks;
    run_tasks<Program, first, first + Program::plan.run_tasks>({externals, constants, arena});
}
/// The same on threads: Launched::run_stream<s> for each stream s of the plan that has steps.
template <class Program, class Launched> struct launched_streams {
    static constexpr auto all = []<std::int32_t... S>(std::integer_sequence<std::int32_t, S...>) {
        return std::array<plan_streams::stream_function, sizeof...(S)>{
            (stream_steps<Program, S>::count > 0 ? &Launched::template run_stream<S> : nullptr)...};
    }(std::make_integer_sequence<std::int32_t, Program::plan.streams>{});
    static constexpr plan_streams made{Program::plan.streams, Program::plan.events, all.data()};
};
/// Null where the plan has one stream.
template <class Program, class Launched> constexpr const plan_streams* streams_of() {
    if constexpr (Program::plan.streams > 1) return &launched_streams<Program, Launched>::made;
    else return nullptr;
}
/// A program that leaves its outputs where its plan puts them.
template <class Program> struct whole_arena {
    template <std::int32_t Stream> static void run_stream(const memory& m, stream_event* events,
                                                          stream_progress& now) noexcept {
        npu::run_stream<Program, Stream>(m, events, now);
    }
};

/// The program of a launch of F, and whether F is prepared weights or an expression.
template <class F, class... Given> struct launched {
    template <class... T> static auto make(const tensor<T>&...) -> compiled_graph<eager_front<F, T...>>;
    using program = decltype(make(std::declval<const Given&>()...));
    static const std::byte* constants(const F&) { return nullptr; }
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = "launch";
        if (program::plan.constant_bytes != 0)
            refuse(d, fault::program_has_constants, "an expression without constant tensors",
                   short_text() << program::plan.constant_bytes << " bytes of them");
        return d;
    }();
};
template <class Program, class... Given> struct launched<prepared_weights<Program>, Given...> {
    using program = Program;
    static const std::byte* constants(const prepared_weights<Program>& w) { return w.constants(); }
    static constexpr diagnosis error{};
};

/// What a launch of Program takes of a device that it may not have been planned for. Throws what check_limits refuses,
/// and memory_is_misaligned.
template <class Program> target::demand takes_on(const target::device& on) {
    diagnosis d;
    if (on.alignment < Program::device.alignment) {
        d.name = on.name;
        refuse(d, fault::memory_is_misaligned,
               short_text("memory at multiples of ") << Program::device.alignment << " bytes",
               short_text("of ") << on.alignment);
    }
    if (!d.ok() || !check_limits(Program::plan, on, d))
        refuse_call(d.what, "launch", short_text() << d.name.view(), d.expected, d.found);
    return demand_of_run(Program::plan_view(), ahead::detail::task_work<Program>, on);
}

/// Whether a run reads user input `port`, and does not only write it.
constexpr bool is_read(graph_view g, std::int32_t port) {
    for (node_id id : g) {
        if (g[id].kind != node_kind::placeholder || g[id].role != input_role::user || port-- != 0) continue;
        for (auto use = g[id].first_use; use.exists(); use = g[use].next_use)
            if (const auto& user = g[g[use].owner]; user.target != device::assign::name || use != user.arguments[0])
                return true;
    }
    return false;
}

/// What a launch of Program reads and writes. Called with tensors of the right types. Throws tensor_is_empty,
/// device_is_another, inputs_overlap.
template <class Program, class... Types> auto operands_of(const context& npu, const tensor<Types>&... given) {
    const context* const owners[] = {given.memory().npu()..., &npu};
    for (const auto* one : owners) {
        if (one == nullptr)
            refuse_call(fault::tensor_is_empty, "launch", {}, "tensors that hold memory", "one that does not");
        if (one != &npu)
            refuse_call(fault::device_is_another, "launch", {}, "tensors of the stream's context", "one of another");
    }
    return [&]<std::int32_t... In>(std::integer_sequence<std::int32_t, In...>) {
        constexpr bool written[] = {Program::template input_port<In>::is_mutated..., false};
        constexpr bool read[] = {is_read(Program::lowered_graph(), In)..., false};
        const std::array<const std::byte*, sizeof...(In)> ends{
            reinterpret_cast<const std::byte*>(given.data() + tensor<Types>::storage_extent)...};
        const std::array<operand, sizeof...(In)> operands{operand{given.memory().block(),
                                                                  reinterpret_cast<const std::byte*>(given.data()),
                                                                  written[In], written[In] && read[In]}...};
        for (std::size_t i = 0; i < sizeof...(In); ++i)
            for (std::size_t k = 0; written[i] && k < sizeof...(In); ++k)
                if (i != k && operands[i].address < ends[k] && operands[k].address < ends[i])
                    refuse_call(fault::inputs_overlap, "launch",
                                ahead::detail::checked_inputs<Program>::name_of(static_cast<std::int32_t>(i)),
                                "memory of its own, because the graph writes it", "that of another input");
        return operands;
    }(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{});
}

/// A launch of Program without its operands.
template <class Program> launch_request request_of(const std::byte* constants) {
    const graph_view g = Program::lowered_graph();
    launch_request what;
    what.name = g[Program::plan_view().tasks[static_cast<std::size_t>(Program::plan.prepare_tasks)].node].target;
    if (Program::plan.run_tasks > 1) what.name = short_text() << Program::plan.run_tasks << " tasks";
    what.run = &run_program<Program>;
    what.streams = streams_of<Program, whole_arena<Program>>();
    what.constants = constants;
    what.arena_bytes = std::max<std::int64_t>(Program::plan.peak_bytes, 1);
    constexpr auto takes = demand_of_run(Program::plan_view(), ahead::detail::task_work<Program>, Program::device);
    what.takes = takes;
    what.planned_for = &Program::device;
    what.takes_on = &takes_on<Program>;
    what.launches = Program::tools::options.mode == mode::reduce_overhead ? Program::plan.run_tasks : 1;
    return what;
}

/// Output I of a launch of Program, in its memory.
template <class Program, std::int32_t I> auto output_in(const block_lease& memory) {
    using port = typename Program::template output_port<I>;
    return tensor<static_type<port>>(memory, memory.npu()->address(memory.block()) + port::offset);
}

/// Where the outputs of a launch lie in its memory: where the plan has put them, or, where they are small beside the
/// rest and share nothing, in front of it, where they are copied to when all has run. So the rest is one piece again
/// when the launch is over, however many such outputs are held.
template <class Program> struct kept_outputs {
    static constexpr std::size_t count = static_cast<std::size_t>(Program::output_count);
    static constexpr std::int64_t arena_bytes = std::max<std::int64_t>(Program::plan.peak_bytes, 1);
    /// A tensor without elements has the last byte at most.
    template <class Port> static constexpr launch_output in_arena() {
        const auto begin = std::min(Port::offset, arena_bytes - 1);
        return {begin, begin + std::max<std::int64_t>(
                                   extent_of(Port::type) * static_cast<std::int64_t>(bytes_of(Port::type.type)), 1)};
    }
    static constexpr std::array<launch_output, count> planned =
        []<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
            return std::array<launch_output, count>{in_arena<typename Program::template output_port<I>>()...};
        }(std::make_integer_sequence<std::int32_t, Program::output_count>{});
    static constexpr std::array<launch_output, count> packed = [] {
        auto out = planned;
        std::int64_t at = 0;
        for (auto& o : out) {
            o = {at, at + o.end - o.begin};
            at = (o.end + Program::device.alignment - 1) / Program::device.alignment * Program::device.alignment;
        }
        return out;
    }();
    /// Bytes in front of the arena; 0 where the outputs stay in it.
    static constexpr std::int64_t front = [] {
        for (const auto& o : planned)
            for (const auto& other : planned)
                if (&o != &other && o.begin < other.end && other.begin < o.end) return std::int64_t{0};
        const auto bytes = count == 0 ? 0
                                      : (packed[count - 1].end + Program::device.alignment - 1) /
                                            Program::device.alignment * Program::device.alignment;
        return 4 * bytes <= arena_bytes ? bytes : 0;
    }();
    static constexpr const auto& all = front > 0 ? packed : planned;

    static void run(const std::byte* const* externals, const std::byte* constants, std::byte* memory) {
        run_program<Program>(externals, constants, memory + front);
        pack(memory);
    }
    /// Stream 0 sees the end of all others.
    template <std::int32_t Stream> static void run_stream(const npu::memory& m, stream_event* events,
                                                          stream_progress& now) noexcept {
        npu::run_stream<Program, Stream>({m.externals, m.constants, m.arena + front}, events, now);
        if (Stream == 0 && !now.stopped) pack(m.arena);
    }
    static void pack(std::byte* memory) {
        for (std::size_t i = 0; front > 0 && i < count; ++i)
            std::memcpy(memory + packed[i].begin, memory + front + planned[i].begin,
                        static_cast<std::size_t>(planned[i].end - planned[i].begin));
    }
};
/// The tensor of an output that a launch has left. Takes over its holder.
template <class Program, std::int32_t I> auto output_at(context& npu, const launch_outputs& kept) {
    using port = typename Program::template output_port<I>;
    const auto& output = kept.all[static_cast<std::size_t>(I)];
    return tensor<static_type<port>>(block_lease(npu, output.block), kept.memory + output.begin);
}

/// Called with tensors of the right types.
template <class Program, class... Types> auto launch_program(const stream& on, const std::byte* constants,
                                                             const tensor<Types>&... given) {
    auto& npu = on.npu();
    const auto operands = operands_of<Program>(npu, given...);
    auto what = request_of<Program>(constants);
    what.operands = operands;
    what.run = &kept_outputs<Program>::run;
    what.streams = streams_of<Program, kept_outputs<Program>>();
    what.arena_bytes += kept_outputs<Program>::front;
    return [&]<std::int32_t... Out>(std::integer_sequence<std::int32_t, Out...>) {
        auto all = kept_outputs<Program>::all;
        launch_outputs kept{all};
        what.outputs = &kept;
        npu.launch(on.number(), what);
        if constexpr (sizeof...(Out) == 1) return output_at<Program, 0>(npu, kept);
        else return std::tuple{output_at<Program, Out>(npu, kept)...};
    }(std::make_integer_sequence<std::int32_t, Program::output_count>{});
}

} // namespace detail

/// f: prepared weights, which must outlive the launch, and the replays of a graph that captures it; or a captureless
/// lambda over handles. given: npu::tensor of this context. Gives a tensor per output: one, or a tuple. An input that
/// the graph writes takes a tensor that is not const. Throws streams_race, tensor_is_empty, tensor_has_no_value,
/// device_is_another, inputs_overlap, device_memory_is_exhausted, and in order what a kernel throws; where the program
/// was planned for another device than the context's, whose clock counts, and does not fit there,
/// device_streams_are_exceeded, device_events_are_exceeded, device_memory_is_exceeded, memory_is_misaligned. A compile
/// error: input_count_differs, input_has_wrong_type, mutated_input_is_const, program_keeps_states,
/// program_has_constants, lambda_has_captures.
template <class F, class... Given> auto stream::launch(F&& f, Given&&... given) const {
    using what = detail::launched<std::remove_cvref_t<F>, std::remove_cvref_t<Given>...>;
    using program = typename what::program;
    using checked = detail::launch_inputs<program, Given&&...>;
    static_cast<void>(require<checked>{});
    static_cast<void>(require<what>{});
    if constexpr (checked::error.ok() && what::error.ok() && program::accepted)
        return detail::launch_program<program>(*this, what::constants(f), given...);
}

} // namespace ahead::npu
