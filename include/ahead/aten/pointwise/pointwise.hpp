// SPDX-License-Identifier: MIT
// Defines pointwise operators: a struct with a name, one of the bases below, and a one-line meaning,
//     struct sin : unary<promotion::to_real> {
//         static constexpr std::string_view name = "aten.sin.default"sv;
//         template <class T> static constexpr T meaning(T x) { return math::sin(x); }
//     };
// meaning takes one value per parameter of the schema: first the operands, which broadcast and promote, then the
// attributes, converted to the computation type; a word is passed as its number, which as_word converts to an
// enumerator (ir/words.hpp). For a None the operator's absent<T>(i) is passed. The reference and the device kernels are
// both generated from meaning.
// Invariant: meaning equals PyTorch's, including NaN and integers. Integer division by zero, an error in PyTorch, gives
// 0.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/ir/broadcast.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/words.hpp>
#include <ahead/machine/steps.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The dtypes in which an operator computes.
enum class domain : std::uint8_t {
    any,
    number,   // not bool
    operands, // bool operands are refused, even together with a float
    real,     // floating point
    fraction, // floating point and complex numbers
    whole,    // integers and bool
    integers, // integers, not bool
};

constexpr bool contains(domain accepted, dtype t) {
    switch (accepted) {
    case domain::any: return true;
    case domain::number:
    case domain::operands: return t != dtype::b8;
    case domain::real: return is_floating(t);
    case domain::fraction: return has_fractions(t);
    case domain::whole: return !is_floating(t);
    case domain::integers: return !is_floating(t) && t != dtype::b8;
    }
    return false;
}

/// The numbers (Python scalars) that are rounded to f16 or bf16 when operands have these dtypes. PyTorch converts a
/// scalar operand to a tensor; other scalars are kernel parameters, which stay in f32. Exceptions: products and
/// quotients treat a scalar operand like a parameter; sums and shrink functions treat a parameter like an operand.
enum class rounded_numbers : std::uint8_t { none, operands, all };

/// `numbers` as bits, one per parameter, for an operator with `operands` operands.
constexpr unsigned bits_of(rounded_numbers numbers, int operands, std::size_t parameters) {
    if (numbers == rounded_numbers::none) return 0;
    return (1u << (numbers == rounded_numbers::all ? static_cast<int>(parameters) : operands)) - 1;
}
/// Whether operand i, a tensor of rank 0 while others are f16 or bf16, stays in f32 for Op: the second operand of a
/// product or a quotient.
template <class Op> constexpr bool keeps_scalar(int i) { return Op::numbers == rounded_numbers::none && i == 1; }

/// Rounding of a step within an operator: none. Like std::identity, without the cost of including <functional>.
struct unrounded {
    constexpr auto operator()(auto v) const { return v; }
};
/// Rounding of a step to f16 or bf16, both computed in f32.
template <dtype Half> struct step_rounding {
    constexpr float operator()(float v) const { return static_cast<float>(element_t<Half>(v)); }
};
/// The meaning of Op for elements of dtype Type, computed as T. If PyTorch computes f16 and bf16 step by step and
/// rounds each step, Op also has `stepwise`, a meaning with the rounding of a step as an argument.
template <class Op, dtype Type, class T> [[gnu::always_inline]] constexpr auto meaning_in(auto... x) {
    if constexpr (is_half(Type) && requires { Op::template stepwise<T>(step_rounding<Type>{}, x...); })
        return Op::template stepwise<T>(step_rounding<Type>{}, x...);
    else return Op::template meaning<T>(x...);
}

namespace detail {

constexpr bool is_bool(const infer_context& c, int i) {
    return c.is_tensor(i) ? c.tensor(i).type == dtype::b8 : c.at(i).kind == argument_kind::boolean;
}

/// Whether PyTorch would compute in complex32, which is not supported: f16 operands with complex ones of rank 0 only.
template <int Operands> constexpr bool needs_complex32(const infer_context& c) {
    bool halves = false, complex = false;
    for (int i = 0; i < Operands; ++i) {
        if (!c.is_tensor(i) || c.tensor(i).rank == 0) continue;
        halves = halves || c.tensor(i).type == dtype::f16;
        complex = complex || is_complex(c.tensor(i).type);
    }
    return halves && !complex;
}

} // namespace detail

constexpr bool refuse_dtype(infer_context& c, dtype t,
                            std::string_view expected = "a dtype the operator is defined for") {
    return c.refuse(fault::dtype_is_unsupported, expected, facts_of(t).annotation);
}

/// The value for a None, for dtype `type` computed as T: finite values are clamped to the dtype's range.
template <class T> constexpr T within(dtype type, T v) {
    const auto largest = math::convert<T>(type == dtype::f16 ? 65504.0 : 0x1.fep127);
    if (!is_half(type) || math::isinf(v)) return v;
    return v > largest ? largest : v < -largest ? -largest : v;
}

/// The part of a pointwise operator that does not depend on its meaning, so that type rules are shared.
template <int Operands, promotion Rule, domain Accepts = domain::any> struct pointwise {
    static constexpr int operands = Operands;
    static constexpr promotion rule = Rule;
    static constexpr domain accepts = Accepts;
    static constexpr int mask = -1; // an operand of bools that does not take part in promotion
    static constexpr auto numbers = rounded_numbers::operands;

    static constexpr bool infer(infer_context& c) {
        if constexpr (Accepts == domain::operands)
            for (int i = 0; i < Operands; ++i)
                if (detail::is_bool(c, i))
                    return refuse_dtype(c, dtype::b8, "numbers; use logical_not or bitwise_xor for bool");
        if (!infer_pointwise<Operands, Rule>(c)) return false;
        const auto made = c.result_type().type;
        if (is_complex(made) && detail::needs_complex32<Operands>(c)) return refuse_dtype(c, dtype::f16, "f32 or f64");
        if constexpr (Accepts != domain::any && Rule == promotion::keep)
            if (!contains(Accepts, made)) return refuse_dtype(c, made);
        return true;
    }
};

namespace schemas {
struct unary {
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
};
struct binary {
    enum at : int { self, other };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor_or_scalar),
                                           required("other", parameter_kind::tensor_or_scalar)};
};
struct with_scalar {
    enum at : int { self, other };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::scalar)};
};
struct with_alpha {
    enum at : int { self, other, alpha };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor_or_scalar),
                                           required("other", parameter_kind::tensor_or_scalar),
                                           defaulted("alpha", parameter_kind::scalar, argument::of(1))};
};
struct scalar_with_alpha {
    enum at : int { self, other, alpha };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::scalar),
                                           defaulted("alpha", parameter_kind::scalar, argument::of(1))};
};
} // namespace schemas

template <promotion Rule, domain Accepts = domain::any> struct unary : pointwise<1, Rule, Accepts>, schemas::unary {};

template <promotion Rule, domain Accepts = domain::any> struct binary : pointwise<2, Rule, Accepts>, schemas::binary {};

/// The .Scalar overload of an operator: the same meaning; the second operand is a Python number.
template <class Op> struct scalar_overload : pointwise<2, Op::rule, Op::accepts>, schemas::with_scalar {
    static constexpr effects effect{.takes_complex = ahead::detail::effects_of<Op>.takes_complex};
    static constexpr auto numbers = Op::numbers;
    template <class T> static constexpr auto meaning(T x, T y) { return Op::meaning(x, y); }
};

/// Operators with alpha, which must be an integer for integer operands. Source: alpha_check in
/// aten/src/ATen/native/BinaryOps.h.
template <domain Accepts = domain::any> struct scaled : pointwise<2, promotion::keep, Accepts> {
    static constexpr auto numbers = rounded_numbers::all;
    static constexpr effects effect{.takes_complex = true};
    static constexpr bool infer(infer_context& c) {
        if (!pointwise<2, promotion::keep, Accepts>::infer(c)) return false;
        if (has_fractions(c.result_type().type) || c.at(schemas::with_alpha::alpha).kind != argument_kind::real)
            return true;
        return c.refuse(fault::argument_has_wrong_kind, "alpha: int, beside integers", "float");
    }
};

/// A pointwise operator whose meaning supports complex numbers as well.
template <class Base> struct takes_complex : Base { static constexpr effects effect{.takes_complex = true}; };

/// A pointwise operator whose results are real, also for complex numbers.
template <class Base> struct gives_real : Base {
    static constexpr effects effect{.takes_complex = true};
    static constexpr bool infer(infer_context& c) {
        if (!Base::infer(c)) return false;
        auto out = c.result_type();
        if (!is_complex(out.type)) return true;
        out.type = part_of(out.type);
        return c.result(out);
    }
};

/// A pointwise operator whose result takes the strides of its second operand if the two differ: PyTorch passes that
/// operand to TensorIterator first.
template <class Base> struct second_first : Base {
    static constexpr bool infer(infer_context& c) {
        if (!Base::infer(c)) return false;
        enum { first, second };
        if (!c.is_tensor(first) || !c.is_tensor(second)) return true;
        auto out = c.result_type();
        const std::array operands{&c.tensor(second), &c.tensor(first)};
        set_result_strides(out, operands);
        return c.result(out);
    }
};

namespace detail {
template <class Op> inline constexpr bool is_elementwise = requires { Op::operands; };
/// Type rule of an operator that writes the result of `infer` into tensor `self`: same sizes, castable dtype.
constexpr bool infer_in_place(infer_context& c, int self_at, bool (*infer)(infer_context&)) {
    if (!c.is_tensor(self_at)) return c.refuse(fault::argument_has_wrong_kind, "self: Tensor", "a number");
    const auto self = c.tensor(self_at);
    if (!infer(c)) return false;
    const auto made = c.result_type();
    if (sizes_of(made) != sizes_of(self)) return c.refuse(fault::shapes_do_not_broadcast, print(self), print(made));
    if (facts_of(made.type).category > facts_of(self.type).category || is_complex(made.type) != is_complex(self.type))
        return c.refuse(fault::dtypes_differ, print(self), print(made));
    return c.view_result(self, self_at);
}
/// The in-place name: "aten.relu_.default" for "aten.relu.default".
template <std::size_t Size> struct in_place_name {
    char text[Size]{};
    constexpr explicit in_place_name(std::string_view name) {
        const auto dot = name.rfind('.');
        for (std::size_t i = 0; i < Size; ++i) text[i] = i < dot ? name[i] : i == dot ? '_' : name[i - 1];
    }
};
} // namespace detail

/// The operator that writes its result into its first operand, "aten.relu_.default". The dtype must be castable, as in
/// PyTorch.
template <class Op> struct in_place {
    using functional = Op;
    using at = typename Op::at;
    static constexpr detail::in_place_name<Op::name.size() + 1> spelled{Op::name};
    static constexpr std::string_view name{spelled.text, std::size(spelled.text)};
    static constexpr auto& schema = Op::schema;
    static constexpr effects effect{.view_of = at::self,
                                    .mutates = at::self,
                                    .takes_complex = ahead::detail::effects_of<Op>.takes_complex,
                                    .is_elementwise = detail::is_elementwise<Op>};
    static constexpr bool infer(infer_context& c) { return detail::infer_in_place(c, at::self, Op::infer); }
};

/// An operator whose operands broadcast; operand Mask is a tensor of bools; the others promote.
template <int Operands, int Mask> struct masked {
    static constexpr effects effect{.moves_elements = true};
    static constexpr int operands = Operands;
    static constexpr auto numbers = rounded_numbers::operands;
    static constexpr promotion rule = promotion::keep;
    static constexpr domain accepts = domain::any;
    static constexpr int mask = Mask;
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        common_dtype common;
        std::array<const tensor_type*, Operands> tensors{};
        std::size_t count = 0;
        for (int i = 0; i < Operands; ++i) {
            if (!c.is_tensor(i)) {
                common.add(c.at(i));
                continue;
            }
            const auto& t = c.tensor(i);
            if (!broadcast_into(c, sizes, t)) return false;
            tensors[count++] = &t;
            if (i != Mask) common.add(t);
            else if (t.type != dtype::b8 && t.type != dtype::u8) return refuse_dtype(c, t.type, "b8");
        }
        auto out = tensor_of(common.get(), sizes);
        for (int i = 0; is_only_moved(out.type) && i < Operands; ++i)
            if (i != Mask && c.is_tensor(i) && c.tensor(i).type != out.type)
                return c.refuse(fault::dtypes_differ, facts_of(out.type).annotation, print(c.tensor(i)));
        set_result_strides(out, array_view(tensors.data(), count));
        return c.result(out);
    }
};

} // namespace ahead::aten
