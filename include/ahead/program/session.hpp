// SPDX-License-Identifier: MIT
// Running a program: prepared_weights holds the constant region, a session the arena and, of the weights that the graph
// writes, values of its own, which begin as the weights' ones. Weights are immutable and may serve many sessions on
// many threads; a session runs on one thread at a time. Nothing allocates after construction, and nothing at all if the
// caller brings the memory; of the caller's stack at most target::npu.max_stack_bytes are used (tests/unit/memory.cpp
// measures it).
#pragma once
#include <ahead/core/require.hpp>
#include <ahead/core/result.hpp>
#include <ahead/ir/weights.hpp>
#include <ahead/program/lift.hpp>
#include <ahead/program/literals.hpp>
#include <ahead/program/views.hpp>
#include <algorithm>
#include <cstring>
#include <functional>
#include <tuple>

namespace AHEAD_NAMESPACE {

inline constexpr std::size_t memory_alignment = static_cast<std::size_t>(target::npu.alignment);
static_assert(memory_alignment == aligned_memory::alignment);

/// Memory of the program's own, or the caller's: aligned as the device asks for, 64 bytes or more, either way.
class region_memory {
public:
    region_memory(std::size_t bytes, std::int64_t alignment)
        : owned_(bytes, static_cast<std::size_t>(alignment)), begin_(owned_.get()) {}
    /// Throws what fits() refuses.
    region_memory(std::span<std::byte> given, std::size_t bytes, std::int64_t alignment) : begin_(given.data()) {
        if (diagnosis d; !fits(given, bytes, alignment, d)) raise(d);
    }
    /// Whether the caller's memory does: memory_is_too_small, memory_is_misaligned.
    static bool fits(std::span<std::byte> given, std::size_t bytes, std::int64_t alignment, diagnosis& d) {
        const auto past = reinterpret_cast<std::uintptr_t>(given.data()) % static_cast<std::uintptr_t>(alignment);
        if (given.size() < bytes)
            return refuse(d, fault::memory_is_too_small, short_text() << bytes << " bytes",
                          short_text() << given.size() << " bytes");
        return past == 0 ||
               refuse(d, fault::memory_is_misaligned, short_text("an address that is a multiple of ") << alignment,
                      short_text() << past << " bytes past one");
    }
    std::byte* begin() const { return begin_; }

private:
    aligned_memory owned_;
    std::byte* begin_ = nullptr;
};

/// Finds every parameter in `from`, in port order; literals are not looked for. Refuses missing, superfluous, and
/// differing ones, and changes nothing then.
[[gnu::cold]] inline bool bind_weights(array_view<const npu::parameter> wanted, const weights& from,
                                       const std::byte** out, diagnosis& d) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& [name, type, bytes, literal, copy_to, state_at] = wanted[i];
        if (literal >= 0) continue;
        const auto* tensor = from.find(name);
        d.name = name;
        if (!tensor) return refuse(d, fault::weight_is_missing, print(type), "no tensor of this name");
        if (tensor->type != type.type) return refuse(d, fault::weight_has_wrong_dtype, print(type), print(*tensor));
        bool same = tensor->sizes.size() == type.rank;
        for (int k = 0; same && k < type.rank; ++k) same = tensor->sizes[static_cast<std::size_t>(k)] == type.size(k);
        if (!same) return refuse(d, fault::weight_has_wrong_shape, print(type), print(*tensor));
        out[i] = tensor->bytes.data();
        ++found;
    }
    for (const auto& tensor : from) {
        bool known = false;
        for (const auto& p : wanted) known = known || (p.literal < 0 && p.name == tensor.name);
        d.name = std::string_view(tensor.name);
        if (!known)
            return refuse(d, fault::weight_is_superfluous, short_text() << found << " parameters", print(tensor));
    }
    d.name = {};
    return true;
}

/// The parameters of Program's prepare, in port order: those found in `from`, and literals. Those that a run reads as
/// they are, or that a state begins as, are copied to the constant region. Refuses what bind_weights refuses.
template <class Program> bool place_parameters(const weights& from, const std::byte** parameters, std::byte* constants,
                                               diagnosis& d) {
    const auto& wanted = npu::parameters<Program>::made.all;
    if (!bind_weights(wanted, from, parameters, d)) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i].literal >= 0) parameters[i] = npu::literals<Program>::stored.bytes.data() + wanted[i].literal;
        if (wanted[i].copy_to >= 0 && wanted[i].bytes > 0)
            std::memcpy(constants + wanted[i].copy_to, parameters[i], static_cast<std::size_t>(wanted[i].bytes));
    }
    return true;
}
/// Copies the weights' values of what the graph writes to where a session that runs in `arena` keeps its own.
template <class Program> void begin_states(const std::byte* constants, std::byte* arena) {
    if constexpr (Program::plan.states > 0)
        for (const auto& p : npu::parameters<Program>::made.all)
            if (p.state_at >= 0)
                std::memcpy(arena + p.state_at, constants + p.copy_to, static_cast<std::size_t>(p.bytes));
}

/// The constant region of one program, filled. Movable; immutable.
template <class Program> class prepared_weights {
public:
    static constexpr std::size_t bytes = static_cast<std::size_t>(Program::plan.constant_bytes);

    /// Throws what a parameter is refused for, and what a kernel refuses that computes with them.
    explicit prepared_weights(const weights& from) : memory_(bytes, Program::device.alignment) { fill_or_raise(from); }
    /// In the caller's memory, at least `bytes` of it, aligned to 64 or as the program's device asks for, which must
    /// outlive the object.
    prepared_weights(const weights& from, std::span<std::byte> given)
        : memory_(given, bytes, Program::device.alignment) {
        fill_or_raise(from);
    }
    /// The same, and never throws.
    static result<prepared_weights> make(const weights& from) {
        prepared_weights out(region_memory(bytes, Program::device.alignment));
        if (diagnosis d; !out.fill(from, d)) return d;
        return out;
    }
    static result<prepared_weights> make(const weights& from, std::span<std::byte> given) {
        diagnosis d;
        if (!region_memory::fits(given, bytes, Program::device.alignment, d)) return d;
        prepared_weights out(region_memory(given, bytes, Program::device.alignment));
        if (!out.fill(from, d)) return d;
        return out;
    }

    const std::byte* constants() const { return memory_.begin(); }

private:
    explicit prepared_weights(region_memory memory) : memory_(std::move(memory)) {}
    void fill_or_raise(const weights& from) {
        if (diagnosis d; !fill(from, d)) raise(d);
    }
    bool fill(const weights& from, diagnosis& d) {
        const std::byte* parameters[static_cast<std::size_t>(Program::plan.parameters) + 1]{};
        if (!place_parameters<Program>(from, parameters, memory_.begin(), d)) return false;
        const region_memory scratch(static_cast<std::size_t>(Program::plan.scratch_bytes), Program::device.alignment);
        return npu::run_tasks<Program, 0, Program::plan.prepare_tasks>({parameters, memory_.begin(), scratch.begin()},
                                                                       &d);
    }

    region_memory memory_;
};

namespace detail {

/// "5 elements of f64", as far as the type says it.
template <class Given> constexpr short_text describe_input() {
    short_text out;
    if constexpr (requires { Given::type::type.rank; }) {
        out << print(Given::type::type, !Given::is_contiguous()).view();
    } else if constexpr (requires(const Given& given) { std::data(given); }) {
        using element = std::remove_cvref_t<decltype(*std::data(std::declval<const Given&>()))>;
        constexpr auto size = static_size<Given>();
        if constexpr (size >= 0) out << size << " elements";
        else out << "elements";
        if constexpr (std::same_as<element, bool>) out << " of b8";
        else if constexpr (is_half<element>) out << (std::same_as<element, float16> ? " of f16" : " of bf16");
        else if constexpr (std::is_arithmetic_v<element>)
            out << " of "
                << (std::is_floating_point_v<element> ? "f"
                    : std::is_unsigned_v<element>     ? "u"
                                                      : "i")
                << 8 * sizeof(element);
        else out << " of a type of their own";
    } else {
        out << (std::is_arithmetic_v<Given> ? "a number" : "no array, span or vector");
    }
    return out;
}

/// What a run takes for user input I.
template <class Program, std::int32_t I>
using run_input = std::conditional_t<Program::template input_port<I>::is_mutated,
                                     tensor_in_out<static_type<typename Program::template input_port<I>>>,
                                     tensor_input<static_type<typename Program::template input_port<I>>>>;

/// The names of the user inputs: what a run says of them must not bring the graph into the program.
template <class Program>
inline constexpr auto input_names = [] {
    std::array<label, static_cast<std::size_t>(Program::plan.inputs)> out{};
    std::size_t count = 0;
    const auto g = Program::lowered_graph();
    for (node_id id : g)
        if (g[id].kind == node_kind::placeholder && g[id].role == input_role::user && count < out.size())
            out[count++] = g[id].name;
    return out;
}();

/// Whether a run may be called with arguments of these types, references where they are lvalues.
template <class Program, class... Given> struct checked_inputs {
    template <std::int32_t I> using input_of = run_input<Program, I>;
    static constexpr bool counted = sizeof...(Given) == static_cast<std::size_t>(Program::plan.inputs);
    /// Empty where the program has no such input.
    static constexpr short_text name_of(std::int32_t port) {
        const auto& names = input_names<Program>;
        return port >= 0 && static_cast<std::size_t>(port) < names.size() ? print(names[static_cast<std::size_t>(port)])
                                                                          : short_text();
    }
    template <class One, std::int32_t I> static constexpr void check(diagnosis& d) {
        if (!d.ok() || std::is_convertible_v<One, input_of<I>>) return;
        using wanted = input_of<I>;
        d.name = name_of(I);
        if constexpr (std::is_convertible_v<One, tensor_input<static_type<typename Program::template input_port<I>>>>)
            refuse(d, fault::mutated_input_is_const, "a tensor that may be written", "one that is const, or temporary");
        refuse(d, fault::input_has_wrong_type,
               short_text(wanted::needs_order ? "as_stored(" : "")
                   << wanted::extent << " elements of "
                   << facts_of(Program::template input_port<I>::type.type).annotation
                   << (wanted::needs_order ? ") in the order of its strides" : ""),
               describe_input<std::remove_cvref_t<One>>());
    }
    static constexpr diagnosis error = [] {
        diagnosis wrong;
        if constexpr (!Program::accepted) return wrong; // was reported
        wrong.op = "run";
        if constexpr (!counted) {
            wrong.name = name_of(std::min(static_cast<std::int32_t>(sizeof...(Given)), Program::plan.inputs - 1));
            refuse(wrong, fault::input_count_differs, short_text() << Program::plan.inputs << " inputs",
                   short_text() << sizeof...(Given));
        } else {
            [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
                (check<Given, I>(wrong), ...);
            }(std::make_integer_sequence<std::int32_t, sizeof...(Given)>{});
        }
        return wrong;
    }();
};

template <class Program, class> struct outputs_of;
template <class Program, std::int32_t... I> struct outputs_of<Program, std::integer_sequence<std::int32_t, I...>> {
    using type = std::tuple<tensor_output<static_type<typename Program::template output_port<I>>>...>;
};
/// In place of an output of a refused program, so that what is done with it is no second error. Nothing of it is
/// defined.
struct refused_output {
    using element = float;
    using type = dense<dtype::f32>;
    static constexpr std::size_t extent = 1, storage_extent = 1;
    const float& operator()(auto...) const;
    const float* data() const;
    const float* begin() const;
    const float* end() const;
    std::vector<float> copy() const;
    std::span<const float> elements() const;
    std::span<const float> storage() const;
    static constexpr std::size_t size() { return extent; }
    static constexpr std::array<std::int64_t, 0> sizes() { return {}; }
    static constexpr std::array<std::int64_t, 0> strides() { return {}; }
    static constexpr bool is_contiguous() { return true; }
};
template <class Program, std::int32_t... I>
    requires(!Program::accepted)
struct outputs_of<Program, std::integer_sequence<std::int32_t, I...>> {
    using type = std::tuple<std::conditional_t<(I >= 0), refused_output, void>...>;
};

} // namespace detail

/// How a session executes its plan: task after task on the caller's thread. Another one is on_threads
/// (threaded_session.hpp).
struct in_order {
    /// The part of it that lives in a session of the program.
    template <class Program> struct execution {
        /// As run_tasks: false where a kernel refuses what it is given.
        static bool run(const npu::memory& m, diagnosis* d) {
            constexpr auto first = Program::plan.prepare_tasks;
            return npu::run_tasks<Program, first, first + Program::plan.run_tasks>(m, d);
        }
    };
};

/// One arena, then the states. Neither copied nor moved, because outputs point into it; one that ends before its
/// outputs are gone ends the program and says so (output_is_still_held).
template <class Program, class Execution = in_order> class session {
public:
    static constexpr std::size_t bytes = static_cast<std::size_t>(Program::plan.peak_bytes + Program::plan.state_bytes);

    explicit session(const prepared_weights<Program>& weights)
        : constants_(weights.constants()), arena_(bytes, Program::device.alignment) {
        begin_states();
    }
    /// In the caller's memory, at least `bytes` of it, aligned to 64 or as the program's device asks for, which must
    /// outlive the session. Throws what fits() refuses.
    session(const prepared_weights<Program>& weights, std::span<std::byte> given)
        : constants_(weights.constants()), arena_(given, bytes, Program::device.alignment) {
        begin_states();
    }
    session(const prepared_weights<Program>&&) =
        delete; // give the weights a name: a session reads them as long as it lives
    session(const prepared_weights<Program>&&, std::span<std::byte>) = delete;
    /// Whether the caller's memory does: memory_is_too_small, memory_is_misaligned.
    static bool fits(std::span<std::byte> given, diagnosis& d) {
        return region_memory::fits(given, bytes, Program::device.alignment, d);
    }
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    ~session() {
        if (leases_ != 0) end_program(error(held("session", "its outputs gone before it (keep a copy())")));
    }

    using outputs =
        typename detail::outputs_of<Program, std::make_integer_sequence<std::int32_t, Program::output_count>>::type;

    /// Runs once: one tensor per user input, in the graph's order; gives a tuple of one output per tensor returned.
    /// Arrays and spans have a size in their type, which must be the input's (input_has_wrong_type,
    /// input_count_differs). An input that the graph writes (Program::input_port<I>::is_mutated) holds its new value
    /// afterwards, and is no const (mutated_input_is_const). Throws before anything changes: output_is_still_held if an
    /// output of an earlier run is still alive, element_counts_differ for a vector of another size, memory_is_in_use
    /// for an input in the session's own memory, inputs_overlap where an input that is written shares memory with
    /// another, and, in debug builds, session_is_running where another thread runs it. A run that throws later, because
    /// an index is out of range, may have written such inputs in part.
    template <class... Inputs> outputs operator()(Inputs&&... inputs) {
        static_cast<void>(require<detail::checked_inputs<Program, Inputs...>>{});
        if constexpr (detail::checked_inputs<Program, Inputs...>::error.ok() && Program::accepted)
            return run(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{}, inputs...);
        else raise(held());
    }
    /// The same, and gives what it would have thrown: for programs without exceptions, and for those who expect to be
    /// refused. It throws nothing itself; what a print of the toolchain throws passes through.
    template <class... Inputs> result<outputs> try_run(Inputs&&... inputs) {
        static_cast<void>(require<detail::checked_inputs<Program, Inputs...>>{});
        if constexpr (detail::checked_inputs<Program, Inputs...>::error.ok() && Program::accepted)
            return try_run_on(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{}, inputs...);
        else return held();
    }

    /// What the next run finds in a weight that the graph writes, called as in the weights; a lease. A compile error
    /// for any other name (state_is_unknown).
    template <fixed_string Name> auto state() {
        using port = typename Program::template state_port<Name>;
        static_cast<void>(require<port>{});
        return tensor_output<static_type<port>>{
            reinterpret_cast<const element_t<port::type.type>*>(arena_.begin() + port::offset), leases_};
    }
    /// Every state as the weights have it. Refuses output_is_still_held.
    bool reset(diagnosis& d) {
        if (leases_ != 0) return d = held(), false;
        begin_states();
        return true;
    }
    /// Throws what it refuses.
    void reset() {
        if (diagnosis d; !reset(d)) raise(d);
    }
    /// What executes its runs: of a profiled_session (profile.hpp), when each task of the last one ran.
    const auto& execution() const { return execution_; }

    /// The session runs in `given` from now on: at least `bytes` of it, aligned as the constructor asks for, which must
    /// outlive the session or the next move. States move along, also where old and new memory overlap; the old memory
    /// is the caller's again, or gone. Allocates nothing. Refuses output_is_still_held, memory_is_too_small,
    /// memory_is_misaligned, and memory_is_in_use where constants lie in it; nothing has changed then.
    bool update_feature_memory_base(std::span<std::byte> given, diagnosis& d) {
        if (!is_unused(given, bytes, "update_feature_memory_base", {constants_, prepared_weights<Program>::bytes},
                       "the constants", d) ||
            !fits(given, d))
            return false;
        constexpr auto states = static_cast<std::size_t>(Program::plan.state_bytes);
        if constexpr (states > 0)
            std::memmove(given.data() + Program::plan.peak_bytes, arena_.begin() + Program::plan.peak_bytes, states);
        arena_ = region_memory(given, bytes, Program::device.alignment);
        return true;
    }
    /// The session reads its constants from `given` from now on, where they are copied to: at least
    /// prepared_weights::bytes of it, aligned likewise, not written while the session uses it. Then the prepared
    /// weights may go. Memory that holds the constants already is for prepared_weights(weights, memory). Refuses what
    /// update_feature_memory_base does: memory_is_in_use where the arena lies in it, or the constants that the session
    /// reads.
    bool set_const_memory_base(std::span<std::byte> given, diagnosis& d) {
        constexpr auto size = prepared_weights<Program>::bytes;
        if (!is_unused(given, size, "set_const_memory_base", {constants_, size}, "the constants", d) ||
            !is_unused(given, size, "set_const_memory_base", {arena_.begin(), bytes}, "what the session runs in", d) ||
            !region_memory::fits(given, size, Program::device.alignment, d))
            return false;
        if constexpr (size > 0) std::memcpy(given.data(), constants_, size);
        constants_ = given.data();
        return true;
    }
    /// The same. Throw what they refuse.
    void update_feature_memory_base(std::span<std::byte> given) {
        if (diagnosis d; !update_feature_memory_base(given, d)) raise(d);
    }
    void set_const_memory_base(std::span<std::byte> given) {
        if (diagnosis d; !set_const_memory_base(given, d)) raise(d);
    }

private:
    struct memory_range {
        const std::byte* begin;
        std::size_t bytes;
        bool is_written = false;
    };
    static bool overlap(const memory_range& a, const memory_range& b) {
        const std::less<const std::byte*> before;
        return a.bytes != 0 && b.bytes != 0 && before(a.begin, b.begin + b.bytes) && before(b.begin, a.begin + a.bytes);
    }
    /// Whether memory of `size` bytes may be moved to now, and its bytes are none of the other's.
    bool is_unused(std::span<std::byte> given, std::size_t size, std::string_view op, const memory_range& other,
                   std::string_view what, diagnosis& d) const {
        if (leases_ != 0) return d = held(), false;
        if (given.size() < size || !overlap({given.data(), size}, other)) return true;
        d.op = op;
        return refuse(d, fault::memory_is_in_use, "memory that the session does not use", what);
    }
    void begin_states() const { ahead::begin_states<Program>(constants_, arena_.begin()); }
    template <std::int32_t... In>
    outputs run(std::integer_sequence<std::int32_t, In...>, const detail::run_input<Program, In>&... inputs) {
        execute([](const diagnosis& what) { raise(what); }, std::integer_sequence<std::int32_t, In...>{}, inputs...);
        return all_outputs(std::make_integer_sequence<std::int32_t, Program::output_count>{});
    }
    template <std::int32_t... In, class... Inputs>
    result<outputs> try_run_on(std::integer_sequence<std::int32_t, In...> ports, Inputs&... inputs) {
        diagnosis d;
        if ((detail::run_input<Program, In>::has_size(inputs, d) && ...))
            execute([&](const diagnosis& what) { d = what; }, ports, inputs...);
        if (!d.ok()) return d;
        return all_outputs(std::make_integer_sequence<std::int32_t, Program::output_count>{});
    }
    /// A run, or refuse_with(why it is none).
    template <class Refuse, std::int32_t... In>
    void execute(Refuse refuse_with, std::integer_sequence<std::int32_t, In...>,
                 const detail::run_input<Program, In>&... inputs) {
        const underway now(*this);
        const std::array<memory_range, sizeof...(In)> all{
            memory_range{reinterpret_cast<const std::byte*>(inputs.data()),
                         sizeof(*inputs.data()) * std::remove_cvref_t<decltype(inputs)>::extent,
                         Program::template input_port<In>::is_mutated}...};
        if (!now.is_only_one || leases_ != 0 || !are_free<(Program::template input_port<In>::is_mutated || ...)>(all))
            return refuse_with(refusal_of(all, now));
        const std::array<const std::byte*, sizeof...(In) + 1> externals{
            reinterpret_cast<const std::byte*>(inputs.data())..., nullptr};
        const npu::memory memory{externals.data(), constants_, arena_.begin()};
        if constexpr (npu::kernels_refuse<Program>) {
            if (diagnosis d; !execution_.run(memory, &d)) refuse_with(d);
        } else {
            execution_.run(memory, nullptr);
        }
    }
    template <std::int32_t... Out> outputs all_outputs(std::integer_sequence<std::int32_t, Out...>) {
        return outputs{output_at<Out>()...};
    }
    template <std::int32_t I> auto output_at() {
        using port = typename Program::template output_port<I>;
        return std::tuple_element_t<I, outputs>{
            reinterpret_cast<const element_t<port::type.type>*>(arena_.begin() + port::offset), leases_};
    }
    memory_range own_memory() const { return {arena_.begin(), bytes}; }
    memory_range constant_memory() const { return {constants_, prepared_weights<Program>::bytes}; }
    /// Whether no input lies in the session's memory, and none that is written in the constants or in another input.
    template <bool AnyWritten> bool are_free(std::span<const memory_range> all) const {
        bool out = true;
        for (const auto& input : all) {
            out = out && !overlap(input, own_memory());
            if constexpr (AnyWritten) {
                if (!input.is_written) continue;
                out = out && !overlap(input, constant_memory());
                for (const auto& other : all) out = out && (&input == &other || !overlap(input, other));
            }
        }
        return out;
    }
    /// What is wrong with a run on these inputs.
    [[gnu::cold]] diagnosis refusal_of(std::span<const memory_range> all, const auto& now) const {
        diagnosis d;
        d.op = "run";
        if (!now.is_only_one) refuse(d, fault::session_is_running, "one run at a time", "another one underway");
        if (!d.ok()) return d;
        if (leases_ != 0) return held();
        const auto name_of = [&](const memory_range& input) {
            return detail::checked_inputs<Program>::name_of(static_cast<std::int32_t>(&input - all.data()));
        };
        for (const auto& input : all) {
            if (!d.ok()) break;
            d.name = name_of(input);
            if (overlap(input, own_memory()))
                refuse(d, fault::memory_is_in_use, "memory of its own (keep a copy())", "that of the session");
            if (input.is_written && overlap(input, constant_memory()))
                refuse(d, fault::memory_is_in_use, "memory of its own (keep a copy())", "that of the constants");
            for (const auto& other : all)
                if (input.is_written && &input != &other && overlap(input, other))
                    refuse(d, fault::inputs_overlap, "memory of its own, because the graph writes it",
                           short_text("that of ") << name_of(other).view());
        }
        return d;
    }
    [[gnu::cold]] diagnosis held(std::string_view op = {},
                                 std::string_view expected = "the outputs of the last run gone (keep a copy())") const {
        diagnosis d;
        d.op = op;
        refuse(d, fault::output_is_still_held, expected,
               short_text() << leases_ << (leases_ == 1 ? " of them is alive" : " of them are alive"));
        return d;
    }
    /// A run, from its begin to its end; in debug builds it is known whether it is the only one.
    class underway {
    public:
        explicit underway(session& of) : of_(of) {
            if constexpr (is_debug_build)
                is_only_one =
                    !__atomic_exchange_n(&of_.is_running_, true, __ATOMIC_ACQUIRE); // <atomic> brings all of <unistd.h>
        }
        underway(const underway&) = delete;
        ~underway() {
            if constexpr (is_debug_build)
                if (is_only_one) __atomic_store_n(&of_.is_running_, false, __ATOMIC_RELEASE);
        }
        bool is_only_one = true;

    private:
        session& of_;
    };

    const std::byte* constants_;
    region_memory arena_;
    std::int32_t leases_ = 0;
    bool is_running_ = false; // looked at in debug builds
    [[no_unique_address]] typename Execution::template execution<Program> execution_;
};

} // namespace ahead
