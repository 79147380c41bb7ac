// SPDX-License-Identifier: MIT
// einsum, tensor by tensor: diagonals, sums over letters that nobody else has, and products of two, batches of matrices
// where letters are added up over. Source: aten/src/ATen/native/Linear.cpp.
#pragma once
#include <ahead/pass/decompositions/words.hpp>

namespace AHEAD_NAMESPACE::decomposition {

struct einsum {
    using op = aten::einsum;
    using at = op::at;
    static constexpr std::int32_t most_calls(const call_view& call) { return 24 * call.list_size(at::tensors) + 2; }
    static constexpr bool when(const call_view& call) {
        const auto whole = aten::detail::equation_of(call, at::equation, at::tensors);
        int letters = 0;
        for (int l = 0; l < aten::most_letters; ++l) {
            letters += whole.is_met[l];
            if (whole.is_met[l] && whole.sizes[l] == 0) return false;
        }
        return letters <= max_rank && is_floating(call.result_type().type);
    }
    static constexpr void decompose(decompose_context& c) {
        const auto whole = aten::detail::equation_of(c.aten, at::equation, at::tensors);
        const int count = c.aten.list_size(at::tensors);
        operand left{};
        for (int k = 0; k < count && c.editor().ok(); ++k) {
            operand right = term(c, whole, k);
            bool is_needed[aten::most_letters]{}; // behind this product
            for (int d = 0; d < whole.result.size; ++d) is_needed[whole.result.letters[d]] = true;
            for (int later = k + 1; later < count; ++later) {
                const auto letters = letters_of(c, whole, later);
                for (int d = 0; d < letters.size; ++d) is_needed[letters.letters[d]] = true;
            }
            if (k > 0) {
                bool here[aten::most_letters]{}, there[aten::most_letters]{};
                for (int l = 0; l < aten::most_letters; ++l) {
                    here[l] = is_needed[l] || right.letters.place_of(l) >= 0;
                    there[l] = is_needed[l] || left.letters.place_of(l) >= 0;
                }
                add_up(c, left, here);
                add_up(c, right, there);
                left = product(c, whole, left, right, is_needed);
            } else left = right;
            if (k + 1 == count) add_up(c, left, is_needed);
        }
        if (!c.editor().ok()) return;
        // what of the result nobody has but with one element
        auto& letters = left.letters;
        int_list order;
        bool is_turned = false;
        for (int d = 0; d < whole.result.size; ++d) {
            order.push_back(letters.place_of(whole.result.letters[d]));
            is_turned = is_turned || order[d] != d;
        }
        c.finish(is_turned ? c.call("aten.permute.default", {left.value, order}) : left.value);
    }

private:
    /// A tensor, and the letter of each of its dims.
    struct operand {
        argument value{};
        aten::einsum_term letters{};
    };
    static constexpr aten::einsum_term letters_of(decompose_context& c, const aten::einsum_equation& whole, int k) {
        return whole.term(k, c.aten.in().value_of(c.aten.element(at::tensors, k)).type.rank);
    }
    static constexpr void leave_out(aten::einsum_term& letters, int dim) {
        for (int d = dim; d + 1 < letters.size; ++d) letters.letters[d] = letters.letters[d + 1];
        --letters.size;
    }
    /// Tensor k, each letter once; a dim of size 1 whose letter has more elements elsewhere goes.
    static constexpr operand term(decompose_context& c, const aten::einsum_equation& whole, int k) {
        operand out{c.aten.element(at::tensors, k), letters_of(c, whole, k)};
        out.value.keyword = {};
        auto& letters = out.letters;
        for (int d = letters.size - 1; d >= 0 && c.editor().ok(); --d) {
            const int first = letters.place_of(letters.letters[d]);
            if (first == d) continue;
            const int letter = letters.letters[d];
            out.value = c.call("aten.diagonal.default", {out.value, 0, first, d});
            leave_out(letters, d);
            leave_out(letters, first);
            letters.letters[letters.size++] = letter;
            d = letters.size;
        }
        for (int d = letters.size - 1; d >= 0 && c.editor().ok(); --d) {
            if (c.type_of(out.value).size(d) == whole.sizes[letters.letters[d]]) continue;
            out.value = c.call("aten.select.int", {out.value, d, 0});
            leave_out(letters, d);
        }
        return out;
    }
    /// Without the letters that are not needed.
    static constexpr void add_up(decompose_context& c, operand& x, const bool* is_needed) {
        int_list dims;
        aten::einsum_term kept;
        for (int d = 0; d < x.letters.size; ++d)
            if (is_needed[x.letters.letters[d]]) kept.letters[kept.size++] = x.letters.letters[d];
            else dims.push_back(d);
        if (dims.size > 0 && c.editor().ok()) x = {c.call(sum, {x.value, dims}), kept};
    }
    /// x with its dims in the order of the letters, and of these sizes.
    static constexpr argument laid_out(decompose_context& c, const operand& x, const aten::einsum_term& letters,
                                       const int_list& sizes) {
        int_list order;
        bool is_turned = false;
        for (int d = 0; d < letters.size; ++d) {
            const int place = x.letters.place_of(letters.letters[d]);
            if (place < 0) continue;
            is_turned = is_turned || place != order.size;
            order.push_back(place);
        }
        const auto turned = is_turned ? c.call("aten.permute.default", {x.value, order}) : x.value;
        if (!c.editor().ok() || ahead::sizes_of(c.type_of(turned)) == sizes) return turned;
        return c.call(reshape, {turned, sizes});
    }
    /// The product of two, added up over the letters of both that are not needed.
    static constexpr operand product(decompose_context& c, const aten::einsum_equation& whole, const operand& a,
                                     const operand& b, const bool* is_needed) {
        if (!c.editor().ok()) return {};
        aten::einsum_term batch, rows, columns, inner, all;
        const auto put = [](aten::einsum_term& to, int letter) { to.letters[to.size++] = letter; };
        for (int d = 0; d < a.letters.size; ++d) {
            const int l = a.letters.letters[d];
            put(b.letters.place_of(l) < 0 ? rows : is_needed[l] ? batch : inner, l);
        }
        for (int d = 0; d < b.letters.size; ++d)
            if (a.letters.place_of(b.letters.letters[d]) < 0) put(columns, b.letters.letters[d]);
        for (const auto* part : {&batch, &rows, &columns})
            for (int d = 0; d < part->size; ++d) put(all, part->letters[d]);
        const auto sizes = whole.sizes_of(all);
        if (inner.size == 0) { // element by element
            auto left = sizes, right = sizes;
            for (int d = batch.size + rows.size; d < all.size; ++d) left[d] = 1;
            for (int d = batch.size; d < batch.size + rows.size; ++d) right[d] = 1;
            return {c.call(mul, {laid_out(c, a, all, left), laid_out(c, b, all, right)}), all};
        }
        const auto count = [&](const aten::einsum_term& letters) {
            std::int64_t out = 1;
            for (auto size : whole.sizes_of(letters)) out *= size;
            return out;
        };
        auto left = batch, right = batch;
        for (const auto* part : {&rows, &inner})
            for (int d = 0; d < part->size; ++d) put(left, part->letters[d]);
        for (const auto* part : {&inner, &columns})
            for (int d = 0; d < part->size; ++d) put(right, part->letters[d]);
        int_list of_a{count(rows), count(inner)}, of_b{count(inner), count(columns)};
        if (batch.size > 0) {
            of_a = {count(batch), of_a[0], of_a[1]};
            of_b = {count(batch), of_b[0], of_b[1]};
        }
        const auto made = c.call(batch.size > 0 ? bmm : mm, {laid_out(c, a, left, of_a), laid_out(c, b, right, of_b)});
        if (!c.editor().ok() || ahead::sizes_of(c.type_of(made)) == sizes) return {made, all};
        return {c.call(view, {made, sizes}), all};
    }
};

} // namespace ahead::decomposition
