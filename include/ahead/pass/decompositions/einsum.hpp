// SPDX-License-Identifier: MIT
// einsum and _trilinear, with a letter for each dim, tensor by tensor: diagonals, sums over letters that occur in one
// tensor only, and products of two tensors, as batches of matrix products if letters are summed over. Source:
// aten/src/ATen/native/Linear.cpp.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// Products of tensors whose dims have letters.
template <class Context> class lettered_product {
public:
    /// A tensor, and the letter of each of its dims.
    struct operand {
        argument value{};
        aten::einsum_term letters{};
    };
    static constexpr std::int32_t most_calls(int count) { return (23 + most_product_calls) * count + 2; }
    static constexpr bool takes(const aten::einsum_equation& whole, dtype type) {
        int letters = 0;
        for (int l = 0; l < aten::most_letters; ++l) {
            letters += whole.is_met[l];
            if (whole.is_met[l] && whole.sizes[l] == 0) return false;
        }
        return letters <= max_rank && has_products(type);
    }
    static constexpr void write(Context& c, const aten::einsum_equation& whole, array_view<const operand> given) {
        const auto count = given.size();
        operand left{};
        for (std::size_t k = 0; k < count && c.editor().ok(); ++k) {
            operand right = term(c, whole, given[k]);
            bool is_needed[aten::most_letters]{}; // after this product
            for (int d = 0; d < whole.result.size; ++d) is_needed[whole.result.letters[d]] = true;
            for (auto later = k + 1; later < count; ++later)
                for (int d = 0; d < given[later].letters.size; ++d) is_needed[given[later].letters.letters[d]] = true;
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
        // the dims in the order of the result's letters
        auto& letters = left.letters;
        int_list order;
        bool is_turned = false;
        for (int d = 0; d < whole.result.size; ++d) {
            order.push_back(letters.place_of(whole.result.letters[d]));
            is_turned = is_turned || order[d] != d;
        }
        c.bind_result(is_turned ? c.call("aten.permute.default", {left.value, order}) : left.value);
    }

private:
    static constexpr void leave_out(aten::einsum_term& letters, int dim) {
        for (int d = dim; d + 1 < letters.size; ++d) letters.letters[d] = letters.letters[d + 1];
        --letters.size;
    }
    /// Makes letters unique by diagonals, and removes dims of size 1 whose letter has a larger size elsewhere.
    static constexpr operand term(Context& c, const aten::einsum_equation& whole, operand out) {
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
    /// Sums over the letters that are not needed.
    static constexpr void add_up(Context& c, operand& x, const bool* is_needed) {
        int_list dims;
        aten::einsum_term kept;
        for (int d = 0; d < x.letters.size; ++d)
            if (is_needed[x.letters.letters[d]]) kept.letters[kept.size++] = x.letters.letters[d];
            else dims.push_back(d);
        if (dims.size > 0 && c.editor().ok()) x = {c.call(sum, {x.value, dims}), kept};
    }
    /// x with its dims in the order of the letters, reshaped to these sizes.
    static constexpr argument laid_out(Context& c, const operand& x, const aten::einsum_term& letters,
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
        if (!c.editor().ok() || ir::sizes_of(c.type_of(turned)) == sizes) return turned;
        return c.call(reshape, {turned, sizes});
    }
    /// The product of two tensors, summed over the letters of both that are not needed.
    static constexpr operand product(Context& c, const aten::einsum_equation& whole, const operand& a, const operand& b,
                                     const bool* is_needed) {
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
        const auto made = matrix_product(c, laid_out(c, a, left, of_a), laid_out(c, b, right, of_b));
        if (!c.editor().ok() || ir::sizes_of(c.type_of(made)) == sizes) return {made, all};
        return {c.call(view, {made, sizes}), all};
    }
};

struct einsum {
    using op = aten::einsum;
    using at = op::at;
    using product = lettered_product<decompose_context>;
    static constexpr bool takes_any_dtype = true; // except small floats
    static constexpr std::int32_t most_calls(const call_view& call) {
        return product::most_calls(call.list_size(at::tensors));
    }
    static constexpr bool when(const call_view& call) {
        return product::takes(aten::detail::equation_of(call, at::equation, at::tensors), call.result_type().type);
    }
    static constexpr void decompose(auto& c) {
        const auto whole = aten::detail::equation_of(c.aten, at::equation, at::tensors);
        fixed_buffer<product::operand> given(c.aten.list_size(at::tensors));
        for (std::int32_t k = 0; k < given.size(); ++k) {
            auto x = c.aten.element(at::tensors, k);
            x.keyword = {};
            given[k] = {x, whole.term(k, c.type_of(x).rank)};
        }
        product::write(c, whole, given.all());
    }
};

struct trilinear {
    using op = aten::trilinear;
    using at = op::at;
    using product = lettered_product<decompose_context>;
    static constexpr std::int32_t most_calls = product::most_calls(3);
    static constexpr bool takes_any_dtype = true; // except small floats
    static constexpr bool when(const call_view& call) {
        const int rank = op::rank_of(call);
        auto in_none = ~0u; // dims that all three have only by expansion
        for (int k = 0; k < 3; ++k) in_none &= op::dims_of(call, at::expand1 + k, rank);
        return in_none == 0 && product::takes(equation_of(call), call.result_type().type);
    }
    static constexpr void decompose(auto& c) {
        product::operand given[3]{};
        const int rank = op::rank_of(c.aten);
        for (int k = 0; k < 3; ++k) {
            given[k].value = c.operand(k);
            const auto added = op::dims_of(c.aten, at::expand1 + k, rank);
            for (int d = 0; d < rank; ++d)
                if (!(added >> d & 1)) given[k].letters.letters[given[k].letters.size++] = d;
        }
        product::write(c, equation_of(c.aten), array_view<const product::operand>(given));
    }

private:
    /// A letter for each dim that a tensor has.
    static constexpr aten::einsum_equation equation_of(const call_view& call) {
        aten::einsum_equation out;
        const auto sizes = op::sizes_before(call);
        const auto summed = op::dims_of(call, at::sumdim, sizes.size);
        for (int d = 0; d < sizes.size; ++d) {
            out.sizes[d] = sizes[d];
            out.is_met[d] = true;
            if (!(summed >> d & 1)) out.result.letters[out.result.size++] = d;
        }
        return out;
    }
};

} // namespace ahead::decomposition
