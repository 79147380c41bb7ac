// SPDX-License-Identifier: MIT
// Evaluates tensors whose numbers follow from the graph alone: arange, and pointwise calls on it.
// Law: a number is what PyTorch computes; f32 numbers are rounded to f32 on request, and otherwise computed in double.
// Invariant: the graph is not changed. Called by pass/recompose/resizes.hpp.
#pragma once
#include <ahead/core/math/elementary.hpp>
#include <ahead/pass/recompose/value_reader.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// A template, so that only compilations that run the pass instantiate it.
template <class Editor> class counted_numbers : value_reader {
public:
    constexpr explicit counted_numbers(Editor& g) : value_reader(g) { start(false); }

    /// Clears all numbers; from now on f32 numbers are rounded if `rounds`.
    constexpr void start(bool rounds) {
        rounds_ = rounds;
        used_ = 1;
        numbers_ = fixed_buffer<double>(64);
        begin_ = fixed_buffer<std::int64_t>(g_.view().header().used.nodes);
    }

    constexpr double& operator[](std::int64_t i) { return numbers_[i]; }
    constexpr double operator[](std::int64_t i) const { return numbers_[i]; }
    /// Allocates `count` numbers, all zero, and returns the index of the first.
    constexpr std::int64_t take(std::int64_t count) {
        if (used_ + count > numbers_.size()) {
            fixed_buffer<double> more(2 * (used_ + count));
            for (std::int64_t i = 0; i < used_; ++i) more[i] = numbers_[i];
            numbers_ = static_cast<fixed_buffer<double>&&>(more);
        }
        used_ += count;
        return used_ - count;
    }
    /// The index of the numbers of a tensor that can be evaluated here, in row-major order; -1 if they are not known.
    constexpr std::int64_t read(node_id n, int depth = 0) {
        if (!n.exists() || depth == most_depth || n.index >= begin_.size() || g_[n].kind != node_kind::call ||
            g_[n].values.count != 1 || g_[n].arguments.count == 0)
            return -1;
        if (begin_[n.index] == 0) {
            const auto begin = element_count(type_of(n)) <= most_numbers ? compute(n, depth + 1) : -1;
            begin_[n.index] = begin;
        }
        return begin_[n.index];
    }
    /// Whether argument i of n is a number.
    constexpr bool is_real(node_id n, std::int32_t i, double& out) const {
        if (i >= g_[n].arguments.count) return false;
        const auto& a = g_.argument_of(n, i);
        if (a.kind == argument_kind::real) out = a.real();
        else if (a.kind == argument_kind::integer) out = static_cast<double>(a.integer());
        else return false;
        return true;
    }

private:
    static constexpr int most_depth = 64;
    static constexpr std::int64_t most_numbers = 1 << 14; // of a tensor: no dim that is resized has more
    struct named {
        std::string_view name;
        char op;
    };
    fixed_buffer<double> numbers_;
    std::int64_t used_ = 1; // count of used numbers
    fixed_buffer<std::int64_t> begin_; // by node: the index of its numbers; 0: not evaluated yet; -1: not known
    bool rounds_ = false;

    constexpr std::int64_t compute(node_id n, int depth) {
        if (const auto from = reshaped_from(n); from.exists()) return read(from, depth);
        const auto& type = type_of(n);
        const auto count = element_count(type);

        const auto map = [&](const auto& f) { // f(i) for each element
            const auto out = take(count);
            for (std::int64_t i = 0; i < count; ++i) {
                const double x = f(i);
                const bool narrow = rounds_ && type.type == dtype::f32 && x < 1e30 && x > -1e30;
                numbers_[out + i] = narrow ? static_cast<double>(static_cast<float>(x)) : x;
            }
            return out;
        };
        double first = 0, second = 0;
        if (g_.calls(n, "aten.arange.start_step")) {
            if (!is_real(n, 0, first) || !counts_by_one(n)) return -1;
            return map([&](std::int64_t i) { return first + static_cast<double>(i); });
        }
        if (g_.calls(n, "aten.cat.default")) return g_[n].arguments.count == 1 ? read_cat(n, count, depth) : -1;
        const auto x = read(g_.operand(n, 0), depth);
        if (g_.calls(n, "aten._to_copy.default") || g_.calls(n, "prims.convert_element_type.default"))
            return x < 0 ? -1 : map([&](std::int64_t i) {
                const auto number = numbers_[x + i];
                if (is_floating(type.type)) return number;
                return number < 1e15 && number > -1e15 ? static_cast<double>(static_cast<std::int64_t>(number)) : -1;
            });
        for (std::int32_t k = 0; k < g_[n].arguments.count; ++k)
            if (g_.argument_of(n, k).keyword.size() > 0) return -1;
        const auto y = read(g_.operand(n, 1), depth);
        const auto of = [&](int k) { return g_.operand(n, k).exists() ? element_count(type_of(g_.operand(n, k))) : 0; };
        if (g_.calls(n, "aten.slice.Tensor")) { // along the first dim
            if (x < 0 || g_[n].arguments.count != 4 || !is_number(n, 1, 0) || !is_real(n, 2, first) || first < 0 ||
                count == 0)
                return -1;
            return x + static_cast<std::int64_t>(first) * (count / type.size(0));
        }
        for (const auto& row :
             {named{"aten.add.Tensor", '+'}, {"aten.sub.Tensor", '-'}, {"aten.mul.Tensor", '*'}})
            if (g_.calls(n, row.name)) {
                const bool is_left = is_real(n, 0, first), is_right = is_real(n, 1, second);
                if (g_[n].arguments.count != 2 || (!is_left && (x < 0 || of(0) != count)) ||
                    (!is_right && (y < 0 || of(1) != count)))
                    return -1;
                return map([&](std::int64_t i) {
                    const double a = is_left ? first : numbers_[x + i], b = is_right ? second : numbers_[y + i];
                    return row.op == '+' ? a + b : row.op == '-' ? a - b : a * b;
                });
            }
        if (x < 0 || of(0) != count) return -1;
        if (g_.calls(n, "aten.floor.default")) return map([&](std::int64_t i) { return math::floor(numbers_[x + i]); });
        if (g_.calls(n, "aten.clamp.default")) {
            const bool has_least = is_real(n, 1, first), has_most = is_real(n, 2, second);
            return map([&](std::int64_t i) {
                const auto number = numbers_[x + i];
                return has_least && number < first ? first : has_most && number > second ? second : number;
            });
        }
        return -1;
    }
    /// Concatenates along the first dim.
    constexpr std::int64_t read_cat(node_id n, std::int64_t count, int depth) {
        const auto& parts = g_.argument_of(n, 0).children;
        const auto part_of = [&](std::int32_t k) {
            const auto& a = g_.view()[parts[k]];
            return a.kind == argument_kind::node ? a.node() : node_id{};
        };
        for (std::int32_t k = 0; k < parts.count; ++k)
            if (read(part_of(k), depth) < 0) return -1;
        const auto out = take(count);
        auto to = out;
        for (std::int32_t k = 0; k < parts.count; ++k) {
            const auto from = read(part_of(k), depth);
            for (std::int64_t i = 0; i < element_count(type_of(part_of(k))); ++i) numbers_[to++] = numbers_[from + i];
        }
        return out;
    }
};

} // namespace ahead::pass::detail
