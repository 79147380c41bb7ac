// SPDX-License-Identifier: MIT
// A text with symbols as sizes, compiled once for each gear: programs with one set of weights and one memory.
//     struct decoder { static constexpr char text[] = R"fx( ... x: "f32[s0, 16]" ... )fx"; };
//     using programs = compiled_gears<decoder, gears<"s0", 1, 8, 32>>;
//     const auto weights = programs::prepare(given);
//     programs::session run{weights};
//     const auto [y] = run.at<8>()(x);                          // s0 = 8; x: 8 * 16 elements
//     run.visit({n}, [&](auto gear) { auto [y] = gear(...); });   // the gear of n, found at run time; n must be a gear
// Invariant: each gear is bit-identical to the program that compiled<> makes of the text with its numbers. The memory
// of a session is that of the largest gear; gears share prepared constants wherever they would prepare the same ones.
#pragma once
#include <ahead/compile/compiled.hpp>
#include <ahead/dynamic/gears/at_gear.hpp>
#include <ahead/dynamic/gears/gears.hpp>
#include <ahead/dynamic/gears/same_constants.hpp>
#include <ahead/frontend/fx/fx.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE::detail {

template <class Programs> class geared_weights;
template <class Programs> class geared_session;
template <class Programs, std::int64_t... Values> struct named_gear;

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::dynamic {

/// The programs of Source for each of its gears. Source, as fx<> takes it, or with its own `importer`
/// (frontend/importer.hpp); Gears: gears.hpp. Reports one compile error: gears_are_impossible,
/// symbol_is_given_twice, symbol_is_unknown, symbol_is_out_of_range, and the errors of a program.
template <graph_source Source, class Gears, class Tools = toolchain<>, class Registry = aten::registry>
struct compiled_gears : require<Gears> {
    static constexpr std::size_t count = gears_of<Gears>.size();
    /// Gear Nth as a program: compiled<> of the text with the gear's numbers.
    template <std::size_t Nth>
    using program = compiled_graph<source_graph<ahead::detail::at_gear<Source, Gears, Nth>, Registry>, Tools>;
    static constexpr bool programs_accepted =
        count > 0 && ahead::detail::are_accepted<program, std::make_index_sequence<count>>::value;
    using weights_agree = ahead::detail::weights_of_gears<compiled_gears, programs_accepted>;
    static_assert(sizeof(require<weights_agree>) > 0);
    static constexpr bool accepted = programs_accepted && weights_agree::error.ok();
    /// The number of gears that sessions have: all, or, if one was refused, only the first, so that no second error
    /// follows.
    static constexpr std::size_t usable = programs_accepted ? count : 1;

    using declared = Gears;
    using symbol_row = std::array<std::int64_t, Gears::symbols.size()>;
    /// The gear with exactly these values; `count` if none has them.
    static constexpr std::size_t gear_of(const symbol_row& values) {
        std::size_t i = 0;
        while (i < count && gears_of<Gears>[i] != values) ++i;
        return i;
    }
    /// The smallest gear, in lexicographic order, none of whose values is less; `count` if it does not exist.
    static constexpr std::size_t gear_from(const symbol_row& values) {
        std::size_t best = count;
        for (std::size_t i = 0; i < count; ++i) {
            bool is_enough = true;
            for (std::size_t s = 0; s < values.size(); ++s) is_enough = is_enough && gears_of<Gears>[i][s] >= values[s];
            if (is_enough && (best == count || gears_of<Gears>[i] < gears_of<Gears>[best])) best = i;
        }
        return best;
    }

    using prepared = ahead::detail::geared_weights<compiled_gears>;
    using session = ahead::detail::geared_session<compiled_gears>;
    /// Like a program's prepare; for all gears.
    static prepared prepare(const weights& from = {}, runtime::prepare_options options = {}) {
        return prepared(from, options);
    }
};

} // namespace ahead::dynamic
namespace AHEAD_NAMESPACE::detail {

/// Calls f with each gear's number, as a constant.
template <class Programs> constexpr void for_each_gear(auto f) {
    [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
        (f(std::integral_constant<std::size_t, Nth>{}), ...);
    }(std::make_index_sequence<Programs::usable>{});
}

/// The gear with these values.
template <class Programs, std::int64_t... Values> struct named_gear {
    static constexpr bool is_row = sizeof...(Values) == Programs::declared::symbols.size();
    static constexpr std::size_t found = [] {
        if constexpr (is_row) return Programs::gear_of({Values...});
        else return Programs::count;
    }();
    static constexpr std::size_t number = found < Programs::usable ? found : 0;
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = "gears";
        if (found < Programs::count || !Programs::programs_accepted) return diagnosis{}; // or it was reported
        short_text values;
        ((values << (values.length == 0 ? "" : ", ") << Values), ...);
        refuse(d, fault::size_has_no_gear, print_gears<typename Programs::declared>(), values);
        return d;
    }();
};

/// The gear whose constants gear Nth reads: the first that would prepare the same.
template <class Programs, std::size_t Nth, std::size_t From = 0> constexpr std::size_t prepared_by() {
    if constexpr (From == Nth) return Nth;
    else if constexpr (same_constants<typename Programs::template program<From>,
                                      typename Programs::template program<Nth>>)
        return From;
    else return prepared_by<Programs, Nth, From + 1>();
}
/// The constants of the first Count gears.
template <class Programs, std::size_t Count> struct gear_constants : gear_constants<Programs, Count - 1> {
    static constexpr std::size_t Nth = Count - 1, from = prepared_by<Programs, Nth>();
    using weights_of_gear = prepared_weights<typename Programs::template program<Nth>>;
    weights_of_gear constants;

    gear_constants(const weights& given, const runtime::prepare_options& options)
        : gear_constants<Programs, Nth>(given, options), constants(make(given, options)) {}
    const auto& get(std::integral_constant<std::size_t, Nth>) const { return constants; }
    using gear_constants<Programs, Nth>::get;

private:
    weights_of_gear make(const weights& given, const runtime::prepare_options& options) const {
        if constexpr (from == Nth) return weights_of_gear(given, options);
        else
            return weights_of_gear::see(
                {get(std::integral_constant<std::size_t, from>{}).constants(), weights_of_gear::bytes});
    }
};
template <class Programs> struct gear_constants<Programs, 0> {
    gear_constants(const weights&, const runtime::prepare_options&) {}
    void get() const;
};

/// The constants of all gears. Movable.
template <class Programs> class geared_weights {
    template <std::size_t Nth> using of = prepared_weights<typename Programs::template program<Nth>>;

public:
    /// How many copies there are, one for all gears that prepare the same, and their bytes.
    static constexpr std::size_t copies = [] {
        std::size_t out = 0;
        for_each_gear<Programs>([&](auto i) { out += prepared_by<Programs, i>() == i; });
        return out;
    }();
    static constexpr std::size_t bytes = [] {
        std::size_t out = 0;
        for_each_gear<Programs>([&](auto i) { out += prepared_by<Programs, i>() == i ? of<i>::bytes : 0; });
        return out;
    }();

    /// Throws the errors of the parameters, and of the kernels that compute with them.
    explicit geared_weights(const weights& from, runtime::prepare_options options = {}) : all_(from, options) {}
    /// Gear Nth, for a session of its program. The data that it reads is destroyed with *this.
    template <std::size_t Nth> const of<Nth>& get() const {
        return all_.get(std::integral_constant<std::size_t, Nth>{});
    }

private:
    gear_constants<Programs, Programs::usable> all_;
};

/// The sessions of the first Count gears, each in the last bytes of `memory`: so the states, which end it, are shared.
template <class Programs, std::size_t Count> struct gear_sessions : gear_sessions<Programs, Count - 1> {
    static constexpr std::size_t Nth = Count - 1;
    session<typename Programs::template program<Nth>> gear;
    static_assert((Programs::session::bytes - decltype(gear)::bytes) %
                      Programs::template program<Nth>::device.alignment ==
                  0);

    gear_sessions(const geared_weights<Programs>& weights, std::span<std::byte> memory)
        : gear_sessions<Programs, Nth>(weights, memory),
          gear(weights.template get<Nth>(), runtime::region_memory(memory.last(gear.bytes), gear.bytes,
                                                                   Programs::template program<Nth>::device.alignment)) {
    }
    auto& get(std::integral_constant<std::size_t, Nth>) { return gear; }
    using gear_sessions<Programs, Nth>::get;
};
template <class Programs> struct gear_sessions<Programs, 0> {
    gear_sessions(const geared_weights<Programs>&, std::span<std::byte>) {}
    void get();
};

/// A session of all gears: they run in the same memory, one at a time, and share the states of the weights that the
/// graph writes. Neither copied nor moved, like a session.
template <class Programs> class geared_session {
    template <std::size_t Nth> using program = typename Programs::template program<Nth>;
    static constexpr std::int64_t alignment = program<0>::device.alignment;

public:
    /// Bytes of the largest gear.
    static constexpr std::size_t bytes = [] {
        std::size_t out = 0;
        for_each_gear<Programs>([&](auto i) { out = std::max(out, runtime::session<program<i>>::bytes); });
        return out;
    }();

    explicit geared_session(const geared_weights<Programs>& weights)
        : memory_(bytes, alignment), all_(weights, {memory_.begin(), bytes}) {}
    /// In the caller's memory, like a session's.
    geared_session(const geared_weights<Programs>& weights, std::span<std::byte> memory)
        : memory_(memory, bytes, alignment), all_(weights, {memory_.begin(), bytes}) {}
    geared_session(const geared_weights<Programs>&&) = delete; // give the weights a name
    geared_session(const geared_weights<Programs>&&, std::span<std::byte>) = delete;
    geared_session(const geared_session&) = delete;
    geared_session& operator=(const geared_session&) = delete;

    /// One gear of the session.
    template <std::size_t Nth> class gear {
    public:
        using program = typename Programs::template program<Nth>;
        static constexpr std::size_t number = Nth;
        /// The values of the symbols, in the order of the declaration.
        static constexpr auto values = values_of_gear<typename Programs::declared, Nth>();

        /// Like session::operator(). output_is_still_held if an output of any gear is held.
        template <class... Inputs> auto operator()(Inputs&&... inputs) const {
            if (of_->is_held_by_others(Nth)) raise(held_outputs(1));
            return session_()(std::forward<Inputs>(inputs)...);
        }
        template <class... Inputs> auto try_run(Inputs&&... inputs) const {
            using outcome = decltype(session_().try_run(std::forward<Inputs>(inputs)...));
            if (of_->is_held_by_others(Nth)) return outcome(held_outputs(1));
            return session_().try_run(std::forward<Inputs>(inputs)...);
        }
        /// Like session::state.
        template <fixed_string Name> auto state() const { return session_().template state<Name>(); }

    private:
        friend geared_session;
        explicit gear(geared_session& of) : of_(&of) {}
        runtime::session<program>& session_() const {
            return of_->all_.get(std::integral_constant<std::size_t, Nth>{});
        }
        geared_session* of_;
    };

    /// The gear with these values, in the order of the declaration. A compile error if it does not exist:
    /// size_has_no_gear.
    template <std::int64_t... Values> auto at() {
        using chosen = named_gear<Programs, Values...>;
        static_cast<void>(require<chosen>{});
        return gear<chosen::number>(*this);
    }
    /// Calls f(gear) with the gear that has exactly these values, found by comparing them; f returns the same type for
    /// each gear. Throws size_has_no_gear, and all that f throws.
    template <class F> decltype(auto) visit(const typename Programs::symbol_row& values, F&& f) {
        return visit_from<0>(values, f);
    }
    /// The same for the smallest gear none of whose values is less: the caller pads inputs and cuts outputs.
    template <class F> decltype(auto) visit_at_least(const typename Programs::symbol_row& values, F&& f) {
        const auto which = Programs::gear_from(values);
        if (which == Programs::count) refuse_sizes(values);
        return visit_from<0>(dynamic::gears_of<typename Programs::declared>[which], f);
    }
    /// Resets every state to its value in the weights. Throws output_is_still_held.
    void reset() {
        if (is_held_by_others(0)) raise(held_outputs(1));
        all_.get(std::integral_constant<std::size_t, 0>{}).reset();
    }

private:
    template <std::size_t Nth, class F> decltype(auto) visit_from(const typename Programs::symbol_row& values, F& f) {
        if constexpr (Nth + 1 < Programs::usable)
            if (values != gear<Nth>::values) return visit_from<Nth + 1>(values, f);
        if (Nth + 1 == Programs::usable && values != gear<Nth>::values) refuse_sizes(values);
        return f(gear<Nth>(*this));
    }
    [[noreturn, gnu::cold]] static void refuse_sizes(const typename Programs::symbol_row& values) {
        diagnosis d;
        d.op = "gears";
        refuse(d, fault::size_has_no_gear, print_gears<typename Programs::declared>(),
               print_gear<typename Programs::declared>(values));
        raise(d);
    }
    bool is_held_by_others(std::size_t but) {
        bool out = false;
        for_each_gear<Programs>([&](auto i) { out = out || (i != but && all_.get(i).is_held()); });
        return out;
    }

    runtime::session_arena memory_;
    gear_sessions<Programs, Programs::usable> all_;
};

} // namespace ahead::detail

namespace AHEAD_NAMESPACE {
using dynamic::compiled_gears;
} // namespace ahead
