// SPDX-License-Identifier: MIT
// Programs as captured graphs: the first call of each program captures it, later calls replay it with the tensors that
// they are given.
//     npu::compiled_graphs<small, large> net(npu, side, {.capture_limit = 8}, small_weights, large_weights);
//     auto y = net(x);     // x: npu::tensor, whose type says which program; y: one tensor, or a tuple
// A program has three kinds of arguments. Parameters, its prepared weights, are used in place; other weights need
// another graph. Inputs that the graph writes are used in place. Inputs that it only reads are never written. Neither
// kind of input is copied, unless the options ask for it. Parameters that a program writes are states of the object:
// initialized once from the first weights, never copied, and shared by all programs with the same states, such as the
// gears of one graph. Outputs are leases: while a caller holds one, its memory is not reused, and no call writes it;
// net(net(x)) and net(x).copy() == net(z).copy() hold one until the expression ends. All graphs share a pool, so that
// their memory is that of the largest one. An i64[] input that is not written also accepts a number, net(x, position):
// a host parameter of the object, so that its value is not part of a key, and no graph is captured for it.
// Invariant: a call that throws has changed nothing; results equal those of a session under all options. One thread at
// a time uses an object.
#pragma once
#include <ahead/npu/graph_cache.hpp>
#include <ahead/npu/rebuilt_outputs.hpp>
#include <optional>

namespace AHEAD_NAMESPACE::npu {

namespace detail {

template <class Given>
inline constexpr bool is_number =
    std::signed_integral<std::remove_cvref_t<Given>> && !std::same_as<std::remove_cvref_t<Given>, bool>;
/// The argument type, with a number replaced by the tensor that it becomes.
template <class Given> using as_tensor = std::conditional_t<is_number<Given>, const tensor<i64<>>&, Given>;

template <class Program, class... Given> constexpr bool takes() {
    if constexpr (sizeof...(Given) != static_cast<std::size_t>(Program::plan.inputs)) return false;
    else return []<std::int32_t... Nth>(std::integer_sequence<std::int32_t, Nth...>) {
            return (is_tensor_of<Given, static_type<typename Program::template input_port<Nth>>>() && ...);
        }(std::make_integer_sequence<std::int32_t, sizeof...(Given)>{});
}

/// Selects the one program that takes such arguments. `error`: more than one takes them; or none does: then why the
/// only program does not, or, of several programs, the types that were given.
template <class First, class... Programs> struct choice {
    template <class... Given> struct of {
        static constexpr std::array<bool, 1 + sizeof...(Programs)> fits{takes<First, as_tensor<Given>...>(),
                                                                        takes<Programs, as_tensor<Given>...>()...};
        static constexpr std::size_t count = [] {
            std::size_t n = 0;
            for (bool one : fits) n += one;
            return n;
        }();
        static constexpr std::size_t index = [] {
            std::size_t i = 0;
            while (i < sizeof...(Programs) && !fits[i]) ++i;
            return fits[i] ? i : 0;
        }();
        using program = std::tuple_element_t<index, std::tuple<First, Programs...>>;
        static constexpr short_text found() {
            short_text out;
            ((out << (out.length == 0 ? "" : ", ")
                  << launch_inputs<program>::template found<as_tensor<Given>>().view()),
             ...);
            return out;
        }
        static constexpr diagnosis error = [] {
            diagnosis d;
            if (!(First::accepted && ... && Programs::accepted)) return d; // reported elsewhere
            d.op = "compiled_graphs";
            if (count == 1 || sizeof...(Programs) == 0) return launch_inputs<program, as_tensor<Given>...>::error;
            if (count > 1)
                refuse(d, fault::programs_take_the_same_inputs, "programs with inputs of different types",
                       short_text() << count << " that take these");
            else
                refuse(d, fault::input_has_wrong_type,
                       short_text("the inputs of one of ") << sizeof...(Programs) + 1 << " programs", found());
            return d;
        }();
    };
};

/// The index of the first program that keeps the same states as Program.
template <class Program, class... Programs> constexpr std::size_t state_owner() {
    std::size_t i = 0;
    static_cast<void>(((keep_the_same_states<Program, Programs>() || (++i, false)) || ...));
    return i;
}

template <class Program>
constexpr auto facts_of_inputs = []<std::int32_t... Nth>(std::integer_sequence<std::int32_t, Nth...>) {
    const auto facts = [](const tensor_type& type) { return input_facts{bytes_of(type.type, extent_of(type))}; };
    constexpr std::int64_t none = -1; // terminates the list
    if constexpr (Program::plan.states > 0)
        return std::array<input_facts, sizeof...(Nth) + 2>{facts(Program::template input_port<Nth>::type)...,
                                                           input_facts{Program::plan.state_bytes}, input_facts{none}};
    else
        return std::array<input_facts, sizeof...(Nth) + 1>{facts(Program::template input_port<Nth>::type)...,
                                                           input_facts{none}};
}
(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{});

} // namespace detail

/// Neither copied nor moved. Destroyed before its context; prepared weights outlive it, or use() replaces them first.
template <class... Programs> class compiled_graphs {
    static_assert(
        (requires { Programs::captured(); } && ...),
        "which outputs are inputs, the ATen graph says: of a program that was written while building take the "
        "described_program of NAME_graphs.hpp");

public:
    /// side: a stream of new_stream(), on which everything is captured and run. Throws option_is_out_of_range,
    /// option_has_no_effect, stream_is_default, device_memory_is_exhausted.
    compiled_graphs(context& npu, const stream& side, const graph_options& options,
                    const prepared_weights<Programs>&... weights)
        : cache_(npu, side, options, std::max({std::int64_t{1}, Programs::plan.peak_bytes...})), weights_(&weights...),
          frozen_{weights.constants()...} {
        for_each_program([&](auto i) {
            if constexpr (!has_states<i>) return;
            else if constexpr (owner<i> == i) {
                states_[i] = detail::allocate_states<at<i>>(npu);
                detail::reset_states<at<i>>(states_[i], frozen_[i]);
            } else states_[i] = states_[owner<i>];
        });
    }
    compiled_graphs(const compiled_graphs&) = delete;
    compiled_graphs& operator=(const compiled_graphs&) = delete;

    /// Runs the program that takes tensors of these types; a number is accepted for an i64[], a host parameter for a
    /// tensor of its type. Returns one tensor, or a tuple with one per output; outputs that share storage share memory,
    /// and an output that is an input, or a view of one, is the tensor given. Throws what stream::launch, graph::replay
    /// and, at a first call, npu::capture throw; stream_is_captured; output_is_still_held, unless held_outputs is keep;
    /// capture_limit_is_reached and frozen_parameters_have_moved if the options ask for it; call_would_capture after
    /// run_only(). Compile errors: input_has_wrong_type, input_count_differs, mutated_input_is_const,
    /// programs_take_the_same_inputs.
    template <class... Given> auto operator()(Given&&... given) {
        using chosen = typename detail::choice<Programs...>::template of<Given&&...>;
        static_cast<void>(require<chosen>{});
        if constexpr (chosen::error.ok() && (Programs::accepted && ...))
            return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
                return call<chosen::index, typename chosen::program>(
                    std::integer_sequence<bool, detail::is_number<Given>...>{},
                    tensor_of<chosen::index>(Nth, given)...);
            }(std::index_sequence_for<Given...>{});
    }

    /// Later calls of the program use these prepared weights, with a separate graph unless one was captured for them
    /// before. Throws frozen_parameters_have_moved.
    template <class Program>
        requires(std::same_as<Program, Programs> || ...)
    void use(const prepared_weights<Program>& weights) {
        constexpr auto index = index_of<Program>;
        check_frozen(index, weights.constants());
        std::get<index>(weights_) = &weights;
    }

    /// The state in a weight that Program writes, as the next call will find it: a tensor, as in npu::states. A compile
    /// error for any other name (state_is_unknown).
    template <class Program, fixed_string Name>
        requires(std::same_as<Program, Programs> || ...)
    auto state() const {
        return detail::state_in<Program, Name>(states_[index_of<Program>]);
    }
    /// Resets every state to its value in the weights. Waits for the replays.
    void reset_states() {
        for_each_program([&](auto i) {
            if constexpr (has_states<i> && owner<i> == i)
                detail::reset_states<at<i>>(states_[i], std::get<i>(weights_)->constants());
        });
    }

    /// Later calls only replay graphs that were captured before. A call that would capture, or run eagerly for lack of
    /// a graph, throws call_would_capture, which says why its graph is missing. Throws option_has_no_effect with
    /// force_eager. Corresponds to skip_guard_eval_unsafe in PyTorch, but no check is omitted: the compiler checked
    /// types and sizes, and the remaining checks (that tensors hold memory of this context, that written tensors
    /// overlap no others and no states, that the weights are the frozen ones) are one or two comparisons per tensor;
    /// without them a replay would write memory that is not its own. So no option skips them.
    void run_only(bool on = true) { cache_.run_only(on); }
    /// The next call captures its graph again, although no condition requires it; if that call is refused (also for an
    /// output that is still held), the call after it captures. Counted as recaptured_by_force, or as captured if there
    /// was no graph. Throws option_has_no_effect with force_eager.
    void force_recapture(bool next = true) { cache_.force_recapture(next); }

    /// Waits for the replays, and releases all graphs; states and held outputs stay. Later calls capture again.
    void reset() { cache_.reset(); }

    const graph_counters& counters() const { return cache_.counters(); }
    /// The report of the last successful call: print(net.last_call()).
    const graph_report& last_call() const { return cache_.last_call(); }
    /// Sets the listener that is told what each call does, in place of the previous one; print/log_graphs.hpp has one
    /// that writes log lines. It must outlive the calls, and must not call this object.
    void listen(graph_listener listener) { cache_.listen(listener); }
    /// The keys of the captured graphs.
    std::vector<graph_key> keys() const { return cache_.keys(); }
    /// The pool of all its graphs: for others to share, and for context::statistics().
    mempool_id pool() const { return cache_.pool(); }

private:
    template <std::size_t Nth> using at = std::tuple_element_t<Nth, std::tuple<Programs...>>;
    template <class Program>
    static constexpr std::size_t index_of = [] {
        std::size_t i = 0;
        static_cast<void>(((std::same_as<Program, Programs> || (++i, false)) || ...));
        return i;
    }();
    template <std::size_t Nth> static constexpr bool has_states = at<Nth>::plan.states > 0;
    template <std::size_t Nth> static constexpr std::size_t owner = detail::state_owner<at<Nth>, Programs...>();

    struct number {
        std::optional<host_parameter<i64<>>> parameter;
        std::int64_t value = 0;
    };

    graph_cache cache_;
    std::tuple<const prepared_weights<Programs>*...> weights_;
    std::array<const std::byte*, sizeof...(Programs)> frozen_;
    std::array<block_lease, sizeof...(Programs)> states_;          // of each program with states
    std::array<std::vector<number>, sizeof...(Programs)> numbers_; // of each program, by input

    /// Calls f with each program's number as a constant.
    template <class F> static void for_each_program(F f) {
        [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
            (f(std::integral_constant<std::size_t, Nth>{}), ...);
        }(std::index_sequence_for<Programs...>{});
    }
    /// The argument for input Nth of program Index as a tensor; a number becomes a host parameter with its value.
    template <std::size_t Index, class Given> const auto& tensor_of(std::size_t input, const Given& given) {
        if constexpr (detail::is_number<Given>) {
            auto& all = numbers_[Index];
            if (all.empty()) all.resize(static_cast<std::size_t>(at<Index>::plan.inputs));
            auto& own = all[input];
            if (!own.parameter) own.parameter.emplace(cache_.npu(), static_cast<std::int64_t>(given));
            else if (own.value != given) own.parameter->update(static_cast<std::int64_t>(given));
            own.value = given;
            return static_cast<const tensor<i64<>>&>(*own.parameter);
        } else return given;
    }
    void check_frozen(std::size_t program, const std::byte* constants) const {
        if (cache_.options().frozen_parameters && constants != frozen_[program])
            refuse_call(fault::frozen_parameters_have_moved, "compiled_graphs", short_text("program ") << program,
                        "the prepared weights that were frozen", "others");
    }
    template <std::size_t Index, class Program, bool... IsNumber, class... Types>
    auto call(std::integer_sequence<bool, IsNumber...>, const tensor<Types>&... given) {
        const auto began = cache_.now_if_heard();
        const auto* constants = std::get<Index>(weights_)->constants();
        check_frozen(Index, constants);
        const auto operands = detail::operands_of<Program>(cache_.npu(), states_[Index], given...);
        const auto memory = cache_.call({{Index, constants},
                                         &detail::request_of<Program>,
                                         operands,
                                         detail::facts_of_inputs<Program>.data(),
                                         &ahead::detail::name_of_input<Program>,
                                         began});
        return [&]<std::int32_t... Out>(std::integer_sequence<std::int32_t, Out...>) {
            constexpr std::array<bool, sizeof...(IsNumber) + 1> is_number{IsNumber..., false};
            if constexpr (sizeof...(Out) == 1) return rebuilt_output<Program, 0, is_number>(memory, given...);
            else return std::tuple{rebuilt_output<Program, Out, is_number>(memory, given...)...};
        }(std::make_integer_sequence<std::int32_t, Program::output_count>{});
    }
};

} // namespace ahead::npu
