// SPDX-License-Identifier: MIT
// einsum: products of elements whose letters agree, summed over the letters that the result does not have. The equation
// is parsed during type inference, at compile time. Source: aten/src/ATen/native/Linear.cpp.
#pragma once
#include <ahead/aten/product/product.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The letters of a term, one per dim: A to Z are 0 to 25, a to z are 26 to 51; the dims of "..." have the numbers from
/// 52 on, aligned so that the last dim is most_letters - 1.
inline constexpr int most_letters = 52 + max_rank;
struct einsum_term {
    int letters[max_rank]{};
    int size = 0;
    constexpr int place_of(int letter) const {
        for (int d = 0; d < size; ++d)
            if (letters[d] == letter) return d;
        return -1;
    }
};

namespace detail {

constexpr int letter_of(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1; }

/// The end of the inputs' terms, and whether the equation has an explicit result.
struct einsum_sides {
    std::size_t end;
    bool has_result;
};
constexpr einsum_sides sides_of(std::string_view equation) {
    for (std::size_t i = 0; i + 1 < equation.size(); ++i)
        if (equation[i] == '-' && equation[i + 1] == '>') return {i, true};
    return {equation.size(), false};
}
constexpr int count_terms(std::string_view equation) {
    int count = 1;
    for (std::size_t i = 0; i < sides_of(equation).end; ++i) count += equation[i] == ',';
    return count;
}
/// The text of term k; the result's text if k is the number of terms.
constexpr std::string_view text_of_term(std::string_view equation, int k) {
    const auto sides = sides_of(equation);
    if (k == count_terms(equation)) return sides.has_result ? equation.substr(sides.end + 2) : std::string_view{};
    std::size_t begin = 0, end = 0;
    for (; end < sides.end && (equation[end] != ',' || k > 0); ++end)
        if (equation[end] == ',') {
            --k;
            begin = end + 1;
        }
    return equation.substr(begin, end - begin);
}

/// Parses a term in which "..." means `ellipsis` dims; false if it is invalid or has more than max_rank dims.
constexpr bool read_term(std::string_view text, int ellipsis, einsum_term& out) {
    bool is_seen = false;
    out.size = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ') continue;
        const auto letter = letter_of(text[i]);
        if (letter < 0 && (is_seen || text.substr(i, 3) != "...")) return false;
        const int dims = letter < 0 ? ellipsis : 1;
        if (out.size + dims > max_rank) return false;
        for (int d = 0; d < dims; ++d) out.letters[out.size++] = letter < 0 ? most_letters - dims + d : letter;
        if (letter >= 0) continue;
        is_seen = true;
        i += 2;
    }
    return true;
}
/// The number of dims that "..." means in a term of a tensor of this rank; -1 if there is none, or it would be
/// negative.
constexpr int dims_of_ellipsis(std::string_view text, int rank) {
    int letters = 0;
    for (char c : text) letters += letter_of(c) >= 0;
    return text.find('.') == text.npos || letters > rank ? -1 : rank - letters;
}

} // namespace detail

/// A parsed equation with the letters' sizes.
struct einsum_equation {
    std::string_view text;
    einsum_term result{};
    bool fits = true;                   // whether the result has at most max_rank dims
    std::int64_t sizes[most_letters]{}; // by letter; a letter of a 0-size dim has size 0
    bool is_met[most_letters]{};

    /// The letters of tensor k.
    static constexpr einsum_term term(std::string_view text, int k, int rank) {
        einsum_term out;
        const auto mine = detail::text_of_term(text, k);
        detail::read_term(mine, detail::dims_of_ellipsis(mine, rank), out);
        return out;
    }
    constexpr einsum_term term(int k, int rank) const { return term(text, k, rank); }
    /// The letters that are summed over. pre: at most max_rank, as inference has checked
    constexpr einsum_term summed() const {
        einsum_term out;
        for (int l = 0; l < most_letters; ++l)
            if (is_met[l] && result.place_of(l) < 0) out.letters[out.size++] = l;
        return out;
    }
    constexpr int_list sizes_of(const einsum_term& letters) const {
        int_list out;
        for (int d = 0; d < letters.size; ++d) out.push_back(sizes[letters.letters[d]]);
        return out;
    }
};

namespace detail {

/// Sizes and result of an equation that inference has checked.
constexpr einsum_equation equation_of(const auto& c, int equation, int tensors) {
    einsum_equation out;
    out.text = c.at(equation).text;
    int times[most_letters]{}, ellipsis = 0;
    const int count = c.list_size(tensors);
    for (int k = 0; k < count; ++k) {
        const auto& t = c.in().value_of(c.element(tensors, k)).type;
        const auto letters = out.term(k, t.rank);
        const int dots = dims_of_ellipsis(text_of_term(out.text, k), t.rank);
        if (dots > ellipsis) ellipsis = dots;
        for (int d = 0; d < letters.size; ++d) {
            const int l = letters.letters[d];
            ++times[l];
            if (!out.is_met[l] || out.sizes[l] == 1) out.sizes[l] = t.size(d);
            out.is_met[l] = true;
        }
    }
    if (sides_of(out.text).has_result) {
        read_term(text_of_term(out.text, count), ellipsis, out.result);
        return out;
    }
    for (int l = most_letters - ellipsis; l < most_letters; ++l) out.result.letters[out.result.size++] = l;
    for (int l = 0; l < 52; ++l) {
        if (times[l] != 1) continue;
        if (out.result.size < max_rank) out.result.letters[out.result.size++] = l;
        else out.fits = false;
    }
    return out;
}

} // namespace detail

/// einsum(str equation, Tensor[] tensors, *, int[]? path=None): "ij,jk->ik" is a product of matrices. A repeated letter
/// in a term is a diagonal, "..." means dims that broadcast; without an explicit result, the result has the letters
/// that occur once, in alphabetical order, capitals first. Tensors have one dtype; the result is row-major
struct einsum {
    static constexpr std::string_view name = "aten.einsum.default"sv;
    static constexpr effects effect{.takes_complex = true};
    enum at : int { equation, tensors, path };
    static constexpr parameter schema[] = {required("equation", parameter_kind::string),
                                           required("tensors", parameter_kind::tensor_list),
                                           defaulted("path", parameter_kind::optional_int_list)};
    static constexpr bool infer(infer_context& c) {
        const std::string_view text = c.at(at::equation).text;
        const int count = c.list_size(at::tensors);
        const auto refuse_equation = [&](const short_text& expected) {
            return c.refuse(fault::argument_has_wrong_kind, expected, text);
        };
        if (count == 0 || detail::count_terms(text) != count)
            return refuse_equation(short_text("an equation of ") << count << " terms before ->");
        std::int64_t sizes[most_letters]{};
        bool is_met[most_letters]{};
        int ellipsis = 0;
        for (int k = 0; k < count; ++k) {
            if (c.element(at::tensors, k).kind != argument_kind::node)
                return c.refuse(fault::argument_is_missing, "a tensor for every term", "None");
            const auto& t = c.in().value_of(c.element(at::tensors, k)).type;
            const auto& first = c.in().value_of(c.element(at::tensors, 0)).type;
            const auto mine = detail::text_of_term(text, k);
            const int dots = detail::dims_of_ellipsis(mine, t.rank);
            einsum_term letters;
            if (t.type != first.type) return c.refuse(fault::dtypes_differ, print(first), print(t));
            if (t.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(t));
            if (!detail::read_term(mine, dots < 0 ? 0 : dots, letters))
                return refuse_equation("terms of letters and at most one ...");
            if (letters.size != t.rank)
                return c.refuse(fault::rank_is_wrong, short_text("a tensor with the dims of ") << mine, print(t));
            if (dots > ellipsis) ellipsis = dots;
            for (int d = 0; d < t.rank; ++d) {
                const int l = letters.letters[d];
                const bool is_new = !is_met[l] || sizes[l] == 1;
                const bool is_diagonal = letters.place_of(l) != d;
                if (is_diagonal ? t.size(d) != t.size(letters.place_of(l))
                                : !is_new && t.size(d) != 1 && t.size(d) != sizes[l])
                    return c.refuse(fault::shapes_do_not_broadcast,
                                    short_text() << sizes[l] << " elements in dim " << d, print(t));
                if (is_new) sizes[l] = t.size(d);
                is_met[l] = true;
            }
        }
        einsum_term said;
        const auto behind = detail::text_of_term(text, count);
        if (!detail::read_term(behind, ellipsis, said))
            return refuse_equation("a result of letters and at most one ...");
        for (int d = 0; d < said.size; ++d)
            if (!is_met[said.letters[d]] || said.place_of(said.letters[d]) != d)
                return refuse_equation("a result of letters of the terms, each once");
        int letters = 0;
        for (bool met : is_met) letters += met;
        if (letters > 2 * max_rank) return refuse_equation("at most 16 letters");
        const auto whole = detail::equation_of(c, at::equation, at::tensors);
        if (!whole.fits) return refuse_equation("a result of at most 8 dims");
        if (letters - whole.result.size > max_rank) return refuse_equation("at most 8 letters to add up over");
        auto type = c.in().value_of(c.element(at::tensors, 0)).type.type;
        const bool is_sum = count == 1 && letters > whole.result.size; // a sum of integers is i64
        if (is_sum && !has_fractions(type)) type = dtype::i64;
        return c.result(tensor_of(type, whole.sizes_of(whole.result)));
    }
    static constexpr void evaluate(auto& c) {
        const auto whole = detail::equation_of(c, at::equation, at::tensors);
        const auto summed = whole.summed();
        c.compute_any([&](auto as) {
            using T = decltype(as);
            const auto out = c.output(0, as);
            std::int64_t place[most_letters]{};
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                for (int d = 0; d < at.size; ++d) place[whole.result.letters[d]] = at[d];
                accumulator_t<T> sum{};
                for_each_index(whole.sizes_of(summed), [&](const int_list& more) {
                    for (int d = 0; d < more.size; ++d) place[summed.letters[d]] = more[d];
                    accumulator_t<T> product{1};
                    for (std::int32_t k = 0; k < c.list_size(at::tensors); ++k) {
                        const auto in = c.list_input(at::tensors, k, as);
                        const auto letters = whole.term(k, in.type().rank);
                        int_list i;
                        for (int d = 0; d < letters.size; ++d)
                            i.push_back(in.type().size(d) == 1 ? 0 : place[letters.letters[d]]);
                        product = math::mul(product, static_cast<accumulator_t<T>>(in[i]));
                    }
                    sum = math::add(sum, product);
                });
                out.put(at, math::convert<T>(sum));
            });
        });
    }
};

using einsum_ops = op_list<einsum>;

} // namespace ahead::aten
