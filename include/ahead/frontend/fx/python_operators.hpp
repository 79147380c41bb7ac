// SPDX-License-Identifier: MIT
// Python's operators: FX's names, and the signs in its text: operator.add, "+". Called by reader.hpp, statement.hpp,
// print/fx/code.hpp.
#pragma once
#include <ahead/frontend/fx/text/characters.hpp>

namespace AHEAD_NAMESPACE::detail {

struct python_operator {
    std::string_view sign; // as Python writes it
    std::string_view name; // as FX names the target
    bool unary = false;
};
inline constexpr python_operator python_operators[] = {
    {"+", "operator.add"},          {"-", "operator.sub"},       {"*", "operator.mul"},  {"/", "operator.truediv"},
    {"//", "operator.floordiv"},    {"%", "operator.mod"},       {"**", "operator.pow"}, {"@", "operator.matmul"},
    {"&", "operator.and_"},         {"|", "operator.or_"},       {"^", "operator.xor"},  {"<<", "operator.lshift"},
    {">>", "operator.rshift"},      {"==", "operator.eq"},       {"!=", "operator.ne"},  {"<", "operator.lt"},
    {"<=", "operator.le"},          {">", "operator.gt"},        {">=", "operator.ge"},  {"-", "operator.neg", true},
    {"~", "operator.invert", true}, {"+", "operator.pos", true},
};
/// Functions of numbers: the spelling in Python's text, and the operator name here.
struct python_function {
    std::string_view spelled, name;
};
inline constexpr python_function python_functions[] = {
    {"torch.sym_max", "operator.sym_max"},
    {"torch.sym_min", "operator.sym_min"},
    {"torch.sym_float", "operator.sym_float"},
    {"math_trunc", "operator.trunc"},
    {"math_floor", "operator.floor"},
    {"math_ceil", "operator.ceil"},
    {"math.trunc", "operator.trunc"},
    {"math.floor", "operator.floor"},
    {"math.ceil", "operator.ceil"},
    {"round", "operator.round"},
};
/// The target's name; empty if Python has no such operator.
constexpr std::string_view python_operator_of_sign(std::string_view sign, bool unary) {
    for (const auto& op : python_operators)
        if (op.unary == unary && same_text(op.sign, sign)) return op.name;
    return {};
}
/// The sign of a target; empty if it has none.
constexpr std::string_view python_sign_of(std::string_view target, bool unary) {
    for (const auto& op : python_operators)
        if (op.unary == unary && same_text(op.name, target)) return op.sign;
    return {};
}

} // namespace ahead::detail
