// SPDX-License-Identifier: MIT
// Running a program: prepared_weights holds the constant region, a session the arena and, of the weights that the graph writes, values of its
// own, which begin as the weights' ones. Weights are immutable and may serve many sessions
// on many threads; a session runs on one thread at a time. Nothing allocates after construction, and nothing at all if the caller
// brings the memory; of the caller's stack at most target::npu.max_stack_bytes are used (tests/unit/memory.cpp measures it).
#pragma once
#include <ahead/core/error.hpp>
#include <ahead/core/require.hpp>
#include <ahead/ir/weights.hpp>
#include <ahead/npu/lift.hpp>
#include <ahead/npu/literals.hpp>
#include <ahead/npu/views.hpp>
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
    region_memory(std::size_t bytes, std::int64_t alignment) : owned_(bytes, static_cast<std::size_t>(alignment)), begin_(owned_.get()) {}
    region_memory(std::span<std::byte> given, std::size_t bytes, std::int64_t alignment) : begin_(given.data()) {
        const auto past = reinterpret_cast<std::uintptr_t>(begin_) % static_cast<std::uintptr_t>(alignment);
        diagnosis d;
        if (given.size() < bytes) refuse(d, fault::memory_is_too_small, short_text() << bytes << " bytes", short_text() << given.size() << " bytes");
        else if (past != 0)
            refuse(d, fault::memory_is_misaligned, short_text("an address that is a multiple of ") << alignment, short_text() << past << " bytes past one");
        if (!d.ok()) raise(d);
    }
    std::byte* begin() const { return begin_; }

private:
    aligned_memory owned_;
    std::byte* begin_ = nullptr;
};

/// Finds every parameter in `from`, in port order; literals are not looked for. Refuses missing, superfluous, and differing ones, and changes
/// nothing then.
[[gnu::cold]] inline bool bind_weights(array_view<const npu::parameter> wanted, const weights& from, const std::byte** out, diagnosis& d) {
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
        if (!known) return refuse(d, fault::weight_is_superfluous, short_text() << found << " parameters", print(tensor));
    }
    d.name = {};
    return true;
}

/// The parameters of Program's prepare, in port order: those found in `from`, and literals. Those that a run reads as they are, or that a state begins
/// as, are copied to the constant region. Throws what bind_weights refuses.
template <class Program> void place_parameters(const weights& from, const std::byte** parameters, std::byte* constants) {
    const auto& wanted = npu::parameters<Program>::made.all;
    diagnosis d;
    if (!bind_weights(wanted, from, parameters, d)) raise(d);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i].literal >= 0) parameters[i] = npu::literals<Program>::stored.bytes.data() + wanted[i].literal;
        if (wanted[i].copy_to >= 0 && wanted[i].bytes > 0)
            std::memcpy(constants + wanted[i].copy_to, parameters[i], static_cast<std::size_t>(wanted[i].bytes));
    }
}
/// Copies the weights' values of what the graph writes to where a session that runs in `arena` keeps its own.
template <class Program> void begin_states(const std::byte* constants, std::byte* arena) {
    if constexpr (Program::plan.states > 0)
        for (const auto& p : npu::parameters<Program>::made.all)
            if (p.state_at >= 0) std::memcpy(arena + p.state_at, constants + p.copy_to, static_cast<std::size_t>(p.bytes));
}

/// The constant region of one program, filled. Movable; immutable.
template <class Program> class prepared_weights {
public:
    static constexpr std::size_t bytes = static_cast<std::size_t>(Program::plan.constant_bytes);

    explicit prepared_weights(const weights& from) : memory_(bytes, Program::device.alignment) { fill(from); }
    /// In the caller's memory, at least `bytes` of it, aligned to 64 or as the program's device asks for, which must outlive the object.
    prepared_weights(const weights& from, std::span<std::byte> given) : memory_(given, bytes, Program::device.alignment) { fill(from); }

    const std::byte* constants() const { return memory_.begin(); }

private:
    void fill(const weights& from) {
        const std::byte* parameters[static_cast<std::size_t>(Program::plan.parameters) + 1]{};
        place_parameters<Program>(from, parameters, memory_.begin());
        const region_memory scratch(static_cast<std::size_t>(Program::plan.scratch_bytes), Program::device.alignment);
        npu::run_tasks<Program, 0, Program::plan.prepare_tasks>({parameters, memory_.begin(), scratch.begin()});
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
            out << " of " << (std::is_floating_point_v<element> ? "f" : std::is_unsigned_v<element> ? "u" : "i") << 8 * sizeof(element);
        else out << " of a type of their own";
    } else {
        out << (std::is_arithmetic_v<Given> ? "a number" : "no array, span or vector");
    }
    return out;
}

/// What a run takes for user input I.
template <class Program, std::int32_t I>
using run_input = std::conditional_t<Program::template input_port<I>::is_mutated, tensor_in_out<static_type<typename Program::template input_port<I>>>,
                                     tensor_input<static_type<typename Program::template input_port<I>>>>;

/// Whether a run may be called with arguments of these types, references where they are lvalues.
template <class Program, class... Given> struct checked_inputs {
    template <std::int32_t I> using input_of = run_input<Program, I>;
    static constexpr bool counted = sizeof...(Given) == static_cast<std::size_t>(Program::plan.inputs);
    static constexpr short_text name_of(std::int32_t port) {
        const auto g = Program::lowered_graph();
        for (node_id id : g)
            if (g[id].kind == node_kind::placeholder && g[id].role == input_role::user && port-- == 0) return print(g[id].name);
        return {};
    }
    template <class One, std::int32_t I> static constexpr void check(diagnosis& d) {
        if (!d.ok() || std::is_convertible_v<One, input_of<I>>) return;
        using wanted = input_of<I>;
        d.name = name_of(I);
        if constexpr (std::is_convertible_v<One, tensor_input<static_type<typename Program::template input_port<I>>>>)
            refuse(d, fault::mutated_input_is_const, "a tensor that may be written", "one that is const, or temporary");
        refuse(d, fault::input_has_wrong_type,
               short_text(wanted::needs_order ? "as_stored(" : "") << wanted::extent << " elements of " << facts_of(Program::template input_port<I>::type.type).annotation
                                                                   << (wanted::needs_order ? ") in the order of its strides" : ""),
               describe_input<std::remove_cvref_t<One>>());
    }
    static constexpr diagnosis error = [] {
        diagnosis d;
        if constexpr (!Program::accepted) return d; // was reported
        d.op = "run";
        if constexpr (!counted) {
            d.name = name_of(std::min(static_cast<std::int32_t>(sizeof...(Given)), Program::plan.inputs - 1));
            refuse(d, fault::input_count_differs, short_text() << Program::plan.inputs << " inputs", short_text() << sizeof...(Given));
        } else {
            [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) { (check<Given, I>(d), ...); }
            (std::make_integer_sequence<std::int32_t, sizeof...(Given)>{});
        }
        return d;
    }();
};

template <class Program, class> struct outputs_of;
template <class Program, std::int32_t... I> struct outputs_of<Program, std::integer_sequence<std::int32_t, I...>> {
    using type = std::tuple<tensor_output<static_type<typename Program::template output_port<I>>>...>;
};
/// In place of an output of a refused program, so that what is done with it is no second error. Nothing of it is defined.
struct refused_output {
    const float& operator()(auto...) const;
    const float* data() const;
    const float* begin() const;
    const float* end() const;
    std::vector<float> copy() const;
    std::span<const float> elements() const;
};
template <class Program, std::int32_t... I>
    requires(!Program::accepted)
struct outputs_of<Program, std::integer_sequence<std::int32_t, I...>> {
    using type = std::tuple<std::conditional_t<(I >= 0), refused_output, void>...>;
};

} // namespace detail

/// How a session executes its plan: task after task on the caller's thread. Another one is on_threads (threaded_session.hpp).
struct in_order {
    /// The part of it that lives in a session of the program.
    template <class Program> struct execution {
        static void run(const npu::memory& m) {
            constexpr auto first = Program::plan.prepare_tasks;
            npu::run_tasks<Program, first, first + Program::plan.run_tasks>(m);
        }
    };
};

/// One arena, then the states. Neither copied nor moved, because outputs point into it; one that ends before its outputs are gone ends the program and says so
/// (output_is_still_held).
template <class Program, class Execution = in_order> class session {
public:
    static constexpr std::size_t bytes = static_cast<std::size_t>(Program::plan.peak_bytes + Program::plan.state_bytes);

    explicit session(const prepared_weights<Program>& weights) : constants_(weights.constants()), arena_(bytes, Program::device.alignment) { begin_states(); }
    /// In the caller's memory, at least `bytes` of it, aligned to 64 or as the program's device asks for, which must outlive the session.
    session(const prepared_weights<Program>& weights, std::span<std::byte> given)
        : constants_(weights.constants()), arena_(given, bytes, Program::device.alignment) {
        begin_states();
    }
    session(const prepared_weights<Program>&&) = delete; // give the weights a name: a session reads them as long as it lives
    session(const prepared_weights<Program>&&, std::span<std::byte>) = delete;
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    ~session() {
        if (leases_ != 0) end_program(error(held("session", "its outputs gone before it (keep a copy())")));
    }

    using outputs = typename detail::outputs_of<Program, std::make_integer_sequence<std::int32_t, Program::output_count>>::type;

    /// Runs once: one tensor per user input, in the graph's order; gives a tuple of one output per tensor returned. Arrays and spans have a
    /// size in their type, which must be the input's (input_has_wrong_type, input_count_differs). An input that the graph writes
    /// (Program::input_port<I>::is_mutated) holds its new value afterwards, and is no const (mutated_input_is_const).
    /// Throws before anything changes: output_is_still_held if an output of an earlier run is still alive, element_counts_differ for a vector of another size,
    /// memory_is_in_use for an input in the session's own memory, inputs_overlap where an input that is written shares memory with another, and, in debug builds,
    /// session_is_running where another thread runs it. A run that throws later, because an index is out of range, may have written such inputs in part.
    template <class... Inputs> outputs operator()(Inputs&&... inputs) {
        static_cast<void>(require<detail::checked_inputs<Program, Inputs...>>{});
        if constexpr (detail::checked_inputs<Program, Inputs...>::error.ok() && Program::accepted)
            return run(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{},
                       std::make_integer_sequence<std::int32_t, Program::output_count>{}, inputs...);
        else refuse_to_run();
    }

    /// What the next run finds in a weight that the graph writes, called as in the weights; a lease. A compile error for any other name (state_is_unknown).
    template <fixed_string Name> auto state() {
        using port = typename Program::template state_port<Name>;
        static_cast<void>(require<port>{});
        return tensor_output<static_type<port>>{reinterpret_cast<const element_t<port::type.type>*>(arena_.begin() + port::offset), leases_};
    }
    /// Every state as the weights have it. Throws output_is_still_held.
    void reset() {
        if (leases_ != 0) refuse_to_run();
        begin_states();
    }
    /// What executes its runs: of a profiled_session (profile.hpp), when each task of the last one ran.
    const auto& execution() const { return execution_; }

    /// The session runs in `given` from now on: at least `bytes` of it, aligned as the constructor asks for, which must outlive the session or the next
    /// move. States move along, also where old and new memory overlap; the old memory is the caller's again, or gone. Allocates nothing.
    /// Throws output_is_still_held, memory_is_too_small, memory_is_misaligned, and memory_is_in_use where constants lie in it; nothing has changed then.
    void update_feature_memory_base(std::span<std::byte> given) {
        refuse_use(given, bytes, "update_feature_memory_base", constants_, prepared_weights<Program>::bytes, "the constants");
        region_memory moved(given, bytes, Program::device.alignment);
        constexpr auto states = static_cast<std::size_t>(Program::plan.state_bytes);
        if constexpr (states > 0) std::memmove(moved.begin() + Program::plan.peak_bytes, arena_.begin() + Program::plan.peak_bytes, states);
        arena_ = std::move(moved);
    }
    /// The session reads its constants from `given` from now on, where they are copied to: at least prepared_weights::bytes of it, aligned likewise, not
    /// written while the session uses it. Then the prepared weights may go. Memory that holds the constants already is for prepared_weights(weights, memory).
    /// Throws as update_feature_memory_base does: memory_is_in_use where the arena lies in it, or the constants that the session reads.
    void set_const_memory_base(std::span<std::byte> given) {
        constexpr auto size = prepared_weights<Program>::bytes;
        refuse_use(given, size, "set_const_memory_base", constants_, size, "the constants");
        refuse_use(given, size, "set_const_memory_base", arena_.begin(), bytes, "what the session runs in");
        const region_memory moved(given, size, Program::device.alignment);
        if constexpr (size > 0) std::memcpy(moved.begin(), constants_, size);
        constants_ = moved.begin();
    }

private:
    /// What is given for a memory of `size` bytes may not be moved to, now, or where its bytes are some of those at `other`.
    void refuse_use(std::span<std::byte> given, std::size_t size, std::string_view op, const std::byte* other, std::size_t other_size, std::string_view what) const {
        if (leases_ != 0) refuse_to_run();
        if (given.size() < size || !overlap({given.data(), size}, {other, other_size})) return;
        diagnosis d;
        d.op = op;
        refuse(d, fault::memory_is_in_use, "memory that the session does not use", what);
        raise(d);
    }
    void begin_states() const { ahead::begin_states<Program>(constants_, arena_.begin()); }
    template <std::int32_t... In, std::int32_t... Out>
    outputs run(std::integer_sequence<std::int32_t, In...>, std::integer_sequence<std::int32_t, Out...>,
                const detail::run_input<Program, In>&... inputs) {
        const underway now(*this);
        if (leases_ != 0) refuse_to_run();
        const std::array<memory_range, sizeof...(In)> all{memory_range{reinterpret_cast<const std::byte*>(inputs.data()), sizeof(*inputs.data()) * std::remove_cvref_t<decltype(inputs)>::extent,
                                                                       Program::template input_port<In>::is_mutated}...};
        if constexpr (bytes > 0)
            for (const auto& input : all)
                if (overlap(input, {arena_.begin(), bytes})) refuse_input(all, {arena_.begin(), bytes}, "that of the session");
        if constexpr ((Program::template input_port<In>::is_mutated || ...)) {
            for (const auto& input : all)
                if (input.is_written && overlap(input, {constants_, prepared_weights<Program>::bytes})) refuse_input(all, {constants_, prepared_weights<Program>::bytes}, "that of the constants");
            refuse_overlaps(all);
        }
        const std::array<const std::byte*, sizeof...(In) + 1> externals{reinterpret_cast<const std::byte*>(inputs.data())..., nullptr};
        execution_.run({externals.data(), constants_, arena_.begin()});
        return outputs{output_at<Out>()...};
    }
    template <std::int32_t I> auto output_at() {
        using port = typename Program::template output_port<I>;
        return std::tuple_element_t<I, outputs>{reinterpret_cast<const element_t<port::type.type>*>(arena_.begin() + port::offset), leases_};
    }
    struct memory_range {
        const std::byte* begin;
        std::size_t bytes;
        bool is_written = false;
    };
    static bool overlap(const memory_range& a, const memory_range& b) {
        const std::less<const std::byte*> before;
        return a.bytes != 0 && b.bytes != 0 && before(a.begin, b.begin + b.bytes) && before(b.begin, a.begin + a.bytes);
    }
    /// The first of the inputs that lies in `of`.
    [[noreturn, gnu::cold]] static void refuse_input(std::span<const memory_range> all, const memory_range& of, std::string_view whose) {
        std::int32_t input = 0;
        while (!overlap(all[static_cast<std::size_t>(input)], of)) ++input;
        diagnosis d;
        d.op = "run";
        d.name = detail::checked_inputs<Program>::name_of(input);
        refuse(d, fault::memory_is_in_use, "memory of its own (keep a copy())", whose);
        raise(d);
    }
    static void refuse_overlaps(std::span<const memory_range> all) {
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t k = 0; k < all.size(); ++k) {
                const auto &written = all[i], &other = all[k];
                if (i == k || !written.is_written || !overlap(written, other)) continue;
                diagnosis d;
                d.op = "run";
                d.name = detail::checked_inputs<Program>::name_of(static_cast<std::int32_t>(i));
                refuse(d, fault::inputs_overlap, "memory of its own, because the graph writes it",
                       short_text("that of ") << detail::checked_inputs<Program>::name_of(static_cast<std::int32_t>(k)).view());
                raise(d);
            }
    }
    [[gnu::cold]] diagnosis held(std::string_view op, std::string_view expected) const {
        diagnosis d;
        d.op = op;
        refuse(d, fault::output_is_still_held, expected, short_text() << leases_ << (leases_ == 1 ? " of them is alive" : " of them are alive"));
        return d;
    }
    [[noreturn, gnu::cold]] void refuse_to_run() const { raise(held({}, "the outputs of the last run gone (keep a copy())")); }
    /// A run, from its begin to its end: in debug builds the one that there is.
    class underway {
    public:
        explicit underway(session& of) : of_(of) {
            if constexpr (is_debug_build)
                if (__atomic_exchange_n(&of_.is_running_, true, __ATOMIC_ACQUIRE)) { // <atomic> brings all of <unistd.h>
                    diagnosis d;
                    d.op = "run";
                    refuse(d, fault::session_is_running, "one run at a time", "another one underway");
                    raise(d);
                }
        }
        underway(const underway&) = delete;
        ~underway() {
            if constexpr (is_debug_build) __atomic_store_n(&of_.is_running_, false, __ATOMIC_RELEASE);
        }

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
