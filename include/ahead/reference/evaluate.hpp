// SPDX-License-Identifier: MIT
// The interface that an operator's evaluate uses: its inputs (element by element, through strides), its attributes, and
// the outputs to fill. An operator struct has `static constexpr void evaluate(auto& c)`, or is pointwise and has a
// meaning (aten/pointwise/pointwise.hpp).
// Invariant: evaluate writes every element of every output it owns; it reads no output.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/core/random_numbers.hpp>
#include <ahead/ir/complex_literal.hpp>
#include <ahead/reference/host_tensor.hpp>
#include <optional>

namespace AHEAD_NAMESPACE::interpreter {

/// The elements of one tensor, converted to T from any dtype. Buffer is a pointer to an object with get<T>(position)
/// and put(position, T).
template <class T, class Buffer> class elements {
public:
    constexpr elements(const tensor_type& t, Buffer data, T) : type_(&t), data_(data) {}
    constexpr const tensor_type& type() const { return *type_; }
    constexpr T operator[](const int_list& at) const { return data_->template get<T>(position_of(*type_, at)); }
    constexpr void put(const int_list& at, T v) const { data_->put(position_of(*type_, at), v); }
    constexpr T at_position(std::int64_t position) const { return data_->template get<T>(position); }
    constexpr void put_position(std::int64_t position, T v) const { data_->put(position, v); }

private:
    const tensor_type* type_;
    Buffer data_;
};

/// The reference's memory: one buffer per storage of the graph.
class host_memory {
public:
    /// `offset`: the offset of the run's next random number; may be null if the graph draws none.
    constexpr explicit host_memory(std::vector<host_buffer>& storages, std::int64_t seed = 0,
                                   std::int64_t* offset = nullptr)
        : storages_(&storages), seed_(seed), offset_(offset) {}
    constexpr random_numbers draw(std::int64_t count) const {
        const random_numbers out(seed_, *offset_);
        *offset_ = math::add(*offset_, numbers_taken(count));
        return out;
    }
    constexpr host_buffer* operand(const basic_call<false>& call, const argument& a) const {
        return of(call.in().value_of(a));
    }
    constexpr host_buffer* result(const basic_call<false>& call, std::int32_t k) const {
        return of(call.in().value_of(call.id(), k));
    }
    template <class T> constexpr std::vector<T> scratch(std::int64_t count) const {
        return std::vector<T>(static_cast<std::size_t>(count), T{});
    }

private:
    constexpr host_buffer* of(const value& v) const { return &(*storages_)[static_cast<std::size_t>(v.storage.index)]; }
    std::vector<host_buffer>* storages_;
    std::int64_t seed_ = 0;
    std::int64_t* offset_ = nullptr;
};

} // namespace ahead::interpreter
namespace AHEAD_NAMESPACE::detail {

/// v rounded to the dtype; computation is in T.
template <class T> constexpr T rounded(dtype type, T v) {
    return with_element(type, [&](auto as) { return math::convert<T>(math::convert<decltype(as)>(v)); });
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::interpreter {

/// Memory gives access to the buffers: operand(call, argument), result(call, k), scratch<T>(count).
template <class Memory> class evaluation {
public:
    constexpr evaluation(basic_call<false> call, Memory memory) : call_(call), memory_(memory) {}

    constexpr const basic_call<false>& call() const { return call_; }
    constexpr graph_view in() const { return call_.in(); }
    constexpr const argument& at(int i) const { return call_.at(i); }
    constexpr bool is_given(int i) const { return call_.is_given(i); }
    constexpr bool is_tensor(int i) const { return call_.is_tensor(i); }
    constexpr const tensor_type& tensor(int i) const { return call_.tensor(i); }
    constexpr std::int64_t integer(int i) const { return call_.integer(i); }
    constexpr bool boolean(int i) const { return call_.boolean(i); }
    constexpr double real(int i) const { return call_.real(i); }
    template <class Word> constexpr Word word(int i) const { return call_.template word<Word>(i); }
    constexpr int_list ints(int i) const { return call_.ints(i); }
    constexpr std::int64_t int_at(int i, std::int32_t k) const { return call_.int_at(i, k); }
    constexpr std::int32_t int_count(int i) const { return call_.int_count(i); }
    constexpr std::int32_t list_size(int i) const { return call_.list_size(i); }
    constexpr const argument& element(int i, std::int32_t k) const { return call_.element(i, k); }
    constexpr const tensor_type& result_type(std::int32_t k = 0) const { return call_.result_type(k); }

    /// The tensor given for parameter i, element k of the list given for it, and result k; the value of `as` is
    /// ignored, only its type counts: c.input(at::self, float{}).
    template <class T> constexpr auto input(int i, T as) const { return input_of(at(i), as); }
    /// Whether result 0 shares the memory of parameter 0, the call's first tensor.
    constexpr bool is_in_place() const {
        if constexpr (requires { memory_.is_in_place(); }) return memory_.is_in_place();
        else return false;
    }
    template <class T> constexpr auto list_input(int i, std::int32_t k, T as) const {
        return input_of(element(i, k), as);
    }
    template <class T> constexpr auto output(std::int32_t k, T as) const {
        return elements(result_type(k), memory_.result(call_, k), as);
    }
    /// Scratch memory: `count` elements T{}, valid until evaluate returns. An operator that calls this declares an
    /// upper bound with `static constexpr std::int64_t scratch_bytes(const call_view&)`.
    template <class T> constexpr auto scratch(std::int64_t count, T) { return memory_.template scratch<T>(count); }
    /// The next `count` random numbers of the run. The reference generates them; on the device they are operands.
    constexpr random_numbers draw(std::int64_t count) {
        if constexpr (requires { memory_.draw(count); }) return memory_.draw(count);
        else return {0, 0}; // the operator draws nothing
    }
    /// The number given for parameter i, or the number of the word given for it (number_of_word), as T.
    template <class T> constexpr T number(int i, T) const {
        const auto& a = at(i);
        if (a.kind == argument_kind::complex) return math::convert<T>(complex_of(a));
        if (a.kind == argument_kind::real) return math::convert<T>(a.real());
        if (a.kind == argument_kind::integer || a.kind == argument_kind::boolean) return math::convert<T>(a.bits);
        return static_cast<T>(call_.word_number(i));
    }

    /// v rounded to the dtype.
    template <class T> static constexpr T rounded(dtype type, T v) { return detail::rounded(type, v); }

    /// Checks an index into a dim that is read from data; returns nothing, after a refusal, if it is out of range.
    constexpr std::optional<std::int64_t> index(std::int64_t given, std::int64_t size) {
        return index_from(0, given, size);
    }
    /// The same for operators where a negative index counts from the end.
    constexpr std::optional<std::int64_t> wrapped_index(std::int64_t given, std::int64_t size) {
        return index_from(-size, given, size);
    }

    /// Refuses conditions that depend on the contents of tensors, which no typing rule can check.
    constexpr void refuse(fault what, const short_text& expected, const short_text& found) {
        call_.refuse(what, expected, found);
    }
    constexpr void refuse(custom_rule rule, const short_text& expected = {}, const short_text& found = {}) {
        call_.refuse(rule, expected, found);
    }

    /// Calls f(T{}) with the C++ type in which the dtype is computed: its own type; float for f8, f16 and bf16; int64
    /// for other integers.
    template <class F> constexpr void compute(dtype type, F f) const {
        switch (type) {
        case dtype::f32:
        case dtype::f8_e4m3:
        case dtype::f8_e5m2:
        case dtype::f16:
        case dtype::bf16: f(float{}); break;
        case dtype::f64: f(double{}); break;
        case dtype::i32: f(std::int32_t{}); break;
        case dtype::b8: f(bool{}); break;
        default: f(std::int64_t{}); break;
        }
    }
    /// For operators that only move elements: uses complex128 for c64 and c128, and the type that compute uses for the
    /// other dtypes. The dtype is that of result 0.
    template <class F> constexpr void compute_any(F f) const {
        if (is_complex(result_type().type)) f(complex128{});
        else compute(f);
    }
    /// For operators that exist only for floating point.
    template <class F> constexpr void compute_real(dtype type, F f) const {
        if (type == dtype::f64) f(double{});
        else f(float{});
    }
    /// The same with the dtype of result 0.
    template <class F> constexpr void compute(F f) const { compute(result_type().type, f); }
    template <class F> constexpr void compute_real(F f) const { compute_real(result_type().type, f); }

private:
    constexpr std::optional<std::int64_t> index_from(std::int64_t first, std::int64_t given, std::int64_t size) {
        if (given >= first && given < size) return wrapped(given, size);
        call_.refuse(fault::index_is_out_of_range, expected_index(first, given, size), short_text() << given);
        return std::nullopt;
    }
    template <class T> constexpr auto input_of(const argument& a, T as) const {
        return elements(call_.in().value_of(a).type, memory_.operand(call_, a), as);
    }
    basic_call<false> call_;
    Memory memory_;
};
using evaluate_context = evaluation<host_memory>;

} // namespace ahead::interpreter
namespace AHEAD_NAMESPACE::detail {

inline constexpr int max_meaning_parameters = 6;

/// The common dtype of a pointwise call's operands, in which its meaning is computed.
constexpr dtype computed_dtype(const evaluate_context& c, int operands, int mask, promotion rule) {
    common_dtype common;
    for (int i = 0; i < operands; ++i) {
        if (i == mask || !c.is_given(i)) continue;
        if (c.is_tensor(i)) common.add(c.tensor(i));
        else common.add(c.at(i));
    }
    const auto type = common.get();
    return rule == promotion::to_real && !has_fractions(type) ? dtype::f32 : type;
}

/// The parameters of the common loop for one pointwise operator: the number of parameters, a bit mask of the parameters
/// whose numbers are rounded to f16 and bf16, and the operand of rank 0 that is a number.
struct pointwise_parameters {
    int count;
    unsigned rounded;
    int scalar;
};
template <class Op> constexpr pointwise_parameters parameters_of() {
    constexpr auto parameters = std::size(Op::schema);
    return {static_cast<int>(parameters), aten::bits_of(Op::numbers, Op::operands, parameters),
            aten::keeps_scalar<Op>(1) ? 1 : -1};
}

/// The common loop of all pointwise operators, in dtype `type`, computed as T. `absent[i]` is the value for a None.
template <class T, class R>
constexpr void run_pointwise(const evaluate_context& c, dtype type, pointwise_parameters given, const T* absent,
                             R (*f)(const T*)) {
    std::array<T, max_meaning_parameters> x{};
    std::array<bool, max_meaning_parameters> varies{};
    for (int i = 0; i < given.count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        varies[k] = c.is_tensor(i);
        if (!varies[k]) x[k] = c.is_given(i) ? c.number(i, T{}) : absent[k];
        const bool is_element =
            is_half(type) ? (given.rounded >> i & 1) != 0 : std::is_same_v<R, bool> && is_complex(type);
        if (!varies[k] && is_element) x[k] = rounded(type, x[k]);
    }
    const auto out = c.output(0, R{});
    for_each_index(sizes_of(out.type()), [&](const int_list& at) {
        for (int i = 0; i < given.count; ++i) {
            if (!varies[static_cast<std::size_t>(i)]) continue;
            const auto in = c.input(i, T{});
            auto& v = x[static_cast<std::size_t>(i)];
            v = in[broadcast_index(in.type(), at)];
            const bool is_number = i == given.scalar && is_half(type) && is_floating(in.type().type);
            if (in.type().type != type && !has_kernels(type) && !is_number) v = rounded(type, v);
        }
        out.put(at, f(x.data()));
    });
}

template <class Op, dtype Type, class T, std::size_t... Nth>
constexpr auto apply_meaning(const T* x, std::index_sequence<Nth...>) {
    return aten::meaning_in<Op, Type, T>(x[Nth]...);
}

template <class Op, class T> constexpr void evaluate_elementwise(const evaluate_context& c, dtype type) {
    constexpr int parameters = static_cast<int>(std::size(Op::schema));
    static_assert(parameters <= max_meaning_parameters);
    std::array<T, max_meaning_parameters> absent{};
    if constexpr (requires { Op::template absent<T>(1); })
        for (int i = 0; i < parameters; ++i)
            absent[static_cast<std::size_t>(i)] = aten::within(type, Op::template absent<T>(i));
    using indices = std::make_index_sequence<parameters>;
    using result = decltype(apply_meaning<Op, dtype::f32>(absent.data(), indices{}));
    result (*f)(const T*) = [](const T* x) { return apply_meaning<Op, dtype::f32>(x, indices{}); };
    constexpr bool in_steps = []<std::size_t... Nth>(std::index_sequence<Nth...>) {
        return requires(const T* x) { Op::template stepwise<T>(aten::step_rounding<dtype::f16>{}, x[Nth]...); };
    }
    (indices{});
    if constexpr (in_steps && std::is_same_v<T, float>) {
        if (type == dtype::f16) f = [](const T* x) { return apply_meaning<Op, dtype::f16>(x, indices{}); };
        if (type == dtype::bf16) f = [](const T* x) { return apply_meaning<Op, dtype::bf16>(x, indices{}); };
    }
    run_pointwise<T, result>(c, type, parameters_of<Op>(), absent.data(), f);
}

/// Evaluates a pointwise operator by its meaning; instantiated only for the types in its domain.
template <class Op> constexpr void evaluate_meaning(evaluate_context& c) {
    using aten::contains;
    auto type = computed_dtype(c, Op::operands, Op::mask, Op::rule);
    // div with a rounding mode keeps integers; without one it is plain div
    if (Op::rule == promotion::keep && is_floating(c.result_type().type) && !has_fractions(type))
        type = c.result_type().type;
    if (Op::mask >= 0) type = c.result_type().type;
    constexpr bool real_only = Op::rule == promotion::to_real;
    const auto as = computed_as(type);
    if (as == dtype::f32) {
        if constexpr (contains(Op::accepts, dtype::f32)) evaluate_elementwise<Op, float>(c, type);
    } else if (as == dtype::c128) {
        constexpr auto effect = effects_of<Op>;
        if constexpr (effect.takes_complex || effect.moves_elements) evaluate_elementwise<Op, complex128>(c, type);
    } else if (as == dtype::f64) {
        if constexpr (contains(Op::accepts, dtype::f64)) evaluate_elementwise<Op, double>(c, type);
    } else if (as == dtype::i32) {
        if constexpr (!real_only && contains(Op::accepts, dtype::i32)) evaluate_elementwise<Op, std::int32_t>(c, type);
    } else if (as == dtype::b8) {
        if constexpr (!real_only && contains(Op::accepts, dtype::b8)) evaluate_elementwise<Op, bool>(c, type);
    } else {
        if constexpr (!real_only && contains(Op::accepts, dtype::i64)) evaluate_elementwise<Op, std::int64_t>(c, type);
    }
}

} // namespace ahead::detail
