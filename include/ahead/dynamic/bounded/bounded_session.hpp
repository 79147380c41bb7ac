// SPDX-License-Identifier: MIT
// Running a bounded program: like session.hpp, but the inputs determine how many places of the symbol a run has.
// Invariant: a refused run changes nothing; a run at the bound takes exactly the steps of the program at the bound.
#pragma once
#include <ahead/dynamic/bounded/bounded_views.hpp>
#include <ahead/dynamic/bounded/run_bounded.hpp>
#include <ahead/runtime/session.hpp>
#include <optional>

namespace AHEAD_NAMESPACE::dynamic {

/// One arena, for the bound, followed by the states. Neither copied nor moved.
template <class Bounded> class bounded_session {
    using program = typename Bounded::program;
    template <std::int32_t Nth> using input = ahead::detail::bounded_input<Bounded, Nth>;
    using ports = std::make_integer_sequence<std::int32_t, program::plan.inputs>;

public:
    static constexpr std::size_t bytes = session<program>::bytes;

    explicit bounded_session(const prepared_weights<program>& weights)
        : constants_(weights.constants()), arena_(bytes, program::device.alignment) {
        runtime::begin_states<program>(constants_, states());
    }
    /// In the caller's memory, like session's.
    bounded_session(const prepared_weights<program>& weights, std::span<std::byte> given)
        : constants_(weights.constants()), arena_(given, bytes, program::device.alignment) {
        runtime::begin_states<program>(constants_, states());
    }
    bounded_session(const prepared_weights<program>&&) = delete; // give the weights a name
    bounded_session(const prepared_weights<program>&&, std::span<std::byte>) = delete;
    bounded_session(const bounded_session&) = delete; // as session
    bounded_session& operator=(const bounded_session&) = delete;
    ~bounded_session() {
        if (leases_ != 0)
            end_program(
                error(ahead::detail::held_outputs(leases_, "session", "its outputs gone before it (keep a copy())")));
    }

    using outputs =
        typename ahead::detail::bounded_outputs<Bounded,
                                                std::make_integer_sequence<std::int32_t, program::output_count>>::type;

    /// Runs once: takes one tensor per user input, in the graph's order; returns a tuple of one output per returned
    /// tensor. An input (an array, a span, a vector) with a dim that follows the symbol determines the size by its
    /// number of elements. If a dim of more than one place precedes the bounded dim, as in f32[8, s0, 3], the input has
    /// the memory of the bound, of which the first places of the dim are read; it does not determine the size. Throws
    /// before anything changes: element_counts_differ if the elements are not a whole number of places, or not all of
    /// the bound's memory; size_exceeds_bound, input_sizes_disagree, and the errors of a session's run.
    template <class... Inputs> outputs operator()(Inputs&&... inputs) { return run_at({}, inputs...); }
    /// The same with the number of places given, 1 to the bound; inputs that determine a number must agree.
    template <class... Inputs> outputs at(std::int64_t places, Inputs&&... inputs) { return run_at(places, inputs...); }
    /// The same, but returns the error instead of throwing it.
    template <class... Inputs> result<outputs> try_run(Inputs&&... inputs) {
        using checked = ahead::detail::checked_bounded_inputs<Bounded, Inputs&...>;
        static_cast<void>(require<checked>{});
        diagnosis d;
        if constexpr (checked::error.ok() && Bounded::accepted) {
            const auto places = run(ports{}, {}, d, inputs...);
            if (d.ok()) return all_outputs(std::make_integer_sequence<std::int32_t, program::output_count>{}, places);
        }
        return d;
    }
    /// The value that the next run reads from a weight that the graph writes, like session's.
    template <fixed_string Name> auto state() {
        using port = typename program::template state_port<Name>;
        static_cast<void>(require<port>{});
        return runtime::tensor_output<static_type<port>>{
            reinterpret_cast<const element_t<port::type.type>*>(states() + port::offset), leases_};
    }
    /// Resets every state to its value in the weights. Throws output_is_still_held.
    void reset() {
        if (leases_ != 0) raise(ahead::detail::held_outputs(leases_));
        runtime::begin_states<program>(constants_, states());
    }
    /// Whether outputs of an earlier run are alive.
    bool is_held() const { return leases_ != 0; }

private:
    std::byte* states() const { return arena_.begin() + program::plan.peak_bytes; }

    template <class... Inputs> outputs run_at(std::optional<std::int64_t> said, Inputs&... inputs) {
        using checked = ahead::detail::checked_bounded_inputs<Bounded, Inputs&...>;
        static_cast<void>(require<checked>{});
        if constexpr (checked::error.ok() && Bounded::accepted) {
            diagnosis d;
            const auto places = run(ports{}, said, d, inputs...);
            if (!d.ok()) raise(d);
            return all_outputs(std::make_integer_sequence<std::int32_t, program::output_count>{}, places);
        } else raise(ahead::detail::held_outputs(leases_));
    }
    /// The one size that all inputs, and `said` if it is given, agree on.
    template <std::int32_t... In>
    static std::int64_t find_places(std::optional<std::int64_t> said, diagnosis& d,
                                    const typename input<In>::view&... inputs) {
        std::int64_t found = said.value_or(-1);
        short_text of("the size given");
        const auto take = [&]<std::int32_t Nth>(std::integral_constant<std::int32_t, Nth>, const auto& given) {
            if (!d.ok()) return;
            const auto own = input<Nth>::places_of(given, d);
            if (own < 0 || !d.ok()) return;
            if (found >= 0 && own != found)
                refuse(d, fault::input_sizes_disagree,
                       short_text(Bounded::symbol) << " = " << found << ", as in " << of.view(), short_text() << own);
            else if (found < 0) of = input<Nth>::name();
            found = own;
        };
        if (said && (*said < Bounded::least || *said > Bounded::most)) {
            d.op = "run";
            d.name = Bounded::symbol;
            refuse(d, fault::size_exceeds_bound, short_text("from ") << Bounded::least << " to " << Bounded::most,
                   short_text() << *said);
        }
        (take(std::integral_constant<std::int32_t, In>{}, inputs), ...);
        if (d.ok() && found < 0) {
            d.op = "run";
            d.name = Bounded::symbol;
            refuse(d, fault::size_exceeds_bound, "at(size, inputs...): no input says it", "none");
        }
        if (d.ok()) d = {};
        return found;
    }
    template <std::int32_t... In, class... Inputs>
    std::int64_t run(std::integer_sequence<std::int32_t, In...>, std::optional<std::int64_t> said, diagnosis& d,
                     Inputs&... inputs) {
        if constexpr (sizeof...(In) > 0)
            if (!(has_size<In>(inputs, d) && ...)) return 0;
        return run_on<In...>(said, d, typename input<In>::view(inputs)...);
    }
    template <std::int32_t Nth, class Given> static bool has_size(const Given& given, diagnosis& d) {
        if constexpr (input<Nth>::follows) return true;
        else return input<Nth>::view::has_size(given, d);
    }
    template <std::int32_t... In>
    std::int64_t run_on(std::optional<std::int64_t> said, diagnosis& d, typename input<In>::view... inputs) {
        const auto places = find_places<In...>(said, d, inputs...);
        if (!d.ok()) return 0;
        const ahead::detail::run_underway now(is_running_);
        const std::array<ahead::detail::memory_range, sizeof...(In)> all{ahead::detail::memory_range{
            input<In>::data_of(inputs), input<In>::bytes_of(inputs), input<In>::port::is_mutated}...};
        const ahead::detail::session_memory own{{arena_.begin(), bytes},
                                                {constants_, prepared_weights<program>::bytes}};
        d.op = "run";
        if (!now.is_only_one)
            return refuse(d, fault::session_is_running, "one run at a time", "another one underway"), 0;
        d = {};
        if (leases_ != 0) return d = ahead::detail::held_outputs(leases_), 0;
        if (!ahead::detail::are_free<(false || ... || input<In>::port::is_mutated)>(all, own)) {
            d.op = "run";
            return ahead::detail::refuse_inputs<program>(all, own, d), 0;
        }
        const std::array<const std::byte*, sizeof...(In) + 1> externals{input<In>::data_of(inputs)...,
                                                                        program::plan.states > 0 ? states() : nullptr};
        const runtime::region_bases regions{externals.data(), constants_, arena_.begin()};
        constexpr auto first = program::plan.prepare_tasks, last = first + program::plan.run_tasks;
        if (places == Bounded::most) runtime::run_tasks<program, first, last>(regions, &d);
        else dynamic::run_bounded_tasks<Bounded, first, last>(regions, places, &d);
        return places;
    }
    template <std::int32_t... Out>
    outputs all_outputs(std::integer_sequence<std::int32_t, Out...>, std::int64_t places) {
        return outputs{output_at<Out>(places)...};
    }
    template <std::int32_t Nth> auto output_at(std::int64_t places) {
        using out = ahead::detail::bounded_output_of<Bounded, Nth>;
        using element = typename out::type::element;
        const auto* first = reinterpret_cast<const element*>(arena_.begin() + out::port::offset) +
                            out::value.moved * (places - Bounded::most);
        return typename out::view{first, places, leases_};
    }

    const std::byte* constants_;
    runtime::session_arena arena_;
    std::int32_t leases_ = 0;
    bool is_running_ = false; // checked in debug builds
};

} // namespace ahead::dynamic
