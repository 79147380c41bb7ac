// SPDX-License-Identifier: MIT
// npu.matmul: one matrix product, followed by element-wise steps. Its key is key/matmul_key.hpp.
// Invariant: the result's bits depend on the operands, the key and the epilogue alone.
#pragma once
#include <ahead/device/bounded.hpp>
#include <ahead/device/key/epilogue.hpp>
#include <ahead/device/key/matmul_key.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/device/product/pack_matmul.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

/// n is the dim that a kernel's vectors run along: columns, or k if there are so few columns that it computes dot
/// products.
constexpr machine::work work_of(const matmul_key& key) {
    machine::work out;
    if (is_dot_product(key)) {
        out.cube = {1, key.m * key.n, 1, key.k};
        out.vector = {key.m * key.n, nominal_lanes(computed_as(key.type)), 1,
                      8}; // the sum of each dot product across its lanes
    } else {
        out.cube = {1, key.m, key.k, key.n};
        if (packs_on_the_fly(key)) out.scalar_steps = key.k * key.n;
    }
    if (!is_floating(key.type)) out = {.scalar_steps = 2 * key.m * key.n * key.k};
    return out;
}

/// a[m, k] @ b[k, n]; b strided, or packed.
constexpr matmul_key key_of_product(const tensor_type& a, const tensor_type& b, std::int64_t n) {
    matmul_key key{};
    key.type = a.type;
    key.m = a.size(0);
    key.k = a.size(1);
    key.n = n;
    key.packed = b.layout == memory_layout::packed;
    key.a_row = a.stride(0);
    key.a_col = a.stride(1);
    key.b_row = key.packed ? n : b.stride(0);
    key.b_col = key.packed ? 1 : b.stride(1);
    return key;
}

/// The operands on which tuning measures a product.
constexpr operand_sizes operands_of(const matmul_key& key) {
    const auto reach = [](std::int64_t rows, std::int64_t columns, std::int64_t row, std::int64_t column) {
        return rows == 0 || columns == 0 ? 0 : (rows - 1) * row + (columns - 1) * column + 1;
    };
    return {.type = key.type,
            .x = reach(key.m, key.k, key.a_row, key.a_col),
            .weight = reach(key.k, key.n, key.b_row, key.b_col),
            .bias = key.bias ? reach(key.m, key.n, key.bias_row, key.bias_col) : 0,
            .out = key.m * key.n,
            .packed = key.packed ? packed_elements(key) : 0,
            .columns = key.n};
}

/// Fewer rows, columns or terms of a product of a and b, whose last dims are those of the product.
constexpr bounded_call bounded_product(const matmul_key& key, const auto& a, const auto& b, int first) {
    const bool columns = b.follows_in(first + 1), terms = a.follows_in(first + 1);
    if (terms != b.follows_in(first) || (columns && terms) || (a.follows() && b.follows() && a.each != b.each))
        return {};
    if ((columns || terms) && (!is_floating(key.type) || is_half(key.type) || key.packed)) return {};
    if (terms && key.b_col != 1) return {};
    return {.how = bounded_call::way::dynamic,
            .in = columns ? dynamic_extent::columns
                  : terms ? dynamic_extent::terms
                          : dynamic_extent::rows,
            .rows = a.follows_in(first) ? a.each : 0,
            .columns = columns ? b.each : 0,
            .terms = terms ? b.each : 0};
}

/// npu.matmul(Tensor a, Tensor b, Tensor? bias, int n, Tensor? r0, Tensor? r1, Tensor? r2, Scalar[]? program,
/// int? choice): a[m, k] @ b[k, n] + bias, then the steps of the program; b strided, or packed by npu.pack_matmul.
struct matmul : takes_epilogue<matmul> {
    static constexpr std::string_view name = "npu.matmul"sv;
    enum at : int { a, b, bias, n, r0, r1, r2, program, choice };
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor),
                                           required("b", parameter_kind::tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("n", parameter_kind::integer),
                                           defaulted("r0", parameter_kind::optional_tensor),
                                           defaulted("r1", parameter_kind::optional_tensor),
                                           defaulted("r2", parameter_kind::optional_tensor),
                                           defaulted("program", parameter_kind::real_list),
                                           defaulted("choice", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        if (c.in().is_typed(c.id())) return true; // typed as its epilogue's result, which may have another shape
        return c.result(tensor_of(c.tensor(at::a).type, {c.tensor(at::a).size(0), c.integer(at::n)}));
    }
    static constexpr matmul_key key(const call_view& c) {
        auto key = key_of_product(c.tensor(at::a), c.tensor(at::b), c.integer(at::n));
        key.bias = c.is_given(at::bias);
        if (key.bias) {
            const auto& bias = c.tensor(at::bias);
            const auto stride = [&](int from_last) {
                const int d = bias.rank - 1 - from_last;
                return d < 0 || bias.size(d) == 1 ? std::int64_t{0} : bias.stride(d);
            };
            key.bias_row = stride(1);
            key.bias_col = stride(0);
        }
        key.choice = choice_of<matmul_choice>(c, at::choice);
        return key;
    }
    static constexpr std::int64_t workspace(const matmul_key& k) {
        return static_cast<std::int64_t>(workspace_bytes(k));
    }
    using kernel_choice = matmul_choice;
    using packer = pack_matmul;
    static constexpr int packed_operand = at::b;
    static constexpr operand_sizes operands(const matmul_key& k) { return operands_of(k); }
    /// Partitioned by rows, or by columns if there is one row.
    static constexpr partition find_partition(const call_view& c) {
        const auto own = key(c);
        if (!is_floating(own.type) || is_dot_product(own)) return {};
        if (own.packed && !is_packed_by<packer>(c, at::b)) return {};
        return own.m == 1 ? partition{own.n, panel_width(own), 1} : partition{own.m, fewest_rows, 0};
    }
    static constexpr node_id part(auto& p, const call_view& c, slice_bounds s) {
        const auto own = key(c);
        const bool columns = own.m == 1;
        const auto m = columns ? 1 : s.count, n = columns ? s.count : own.n, first = columns ? s.begin : s.begin * n;
        if (!columns) p.slice(at::a, 0, s);
        if (own.packed) {
            auto of_part = own;
            of_part.m = m;
            if (columns || rows_of_packing(of_part) != rows_of_packing(own)) {
                auto packed = p.maker_of(at::b);
                if (columns) packed.slice(packer::at::b, 1, s);
                packed.set(packer::at::m, m);
                p.set(at::b, argument::of(packed.make()));
            }
        } else if (columns) {
            p.slice(at::b, 1, s);
        }
        if (own.bias) {
            const auto& added = p.type(at::bias);
            const int d = added.rank - (columns ? 1 : 2);
            if (d >= 0 && added.size(d) != 1) p.slice(at::bias, d, s);
        }
        if (columns) p.set(at::n, n);
        for (int i = at::r0; i < at::program && p.is_tensor(i); ++i) {
            const auto count = element_count(p.type(i));
            if (count == own.m * own.n) p.block(i, first, {m, n});
            else if (columns && count == own.n) p.block(i, s.begin, {n});
        }
        return p.make();
    }
    /// The first rows of a product: those of a, and of the epilogue's operands. Fewer columns or terms only without a
    /// bias and an epilogue.
    static constexpr bounded_call bounded(const auto& c) {
        if (!c.has_sound_values(2) || !c.has_equal_numbers(at::n)) return {};
        const auto key = c.template key<matmul>();
        const auto a = c.given(at::a), b = c.given(at::b), out = c.result();
        const auto made = bounded_product(key, a, b, 0);
        const auto rank = c.result_type().rank;
        bool ok = made.how == bounded_call::way::dynamic && is_contiguous(c.result_type());
        if (made.in != dynamic_extent::rows) {
            ok = ok && !key.bias && !c.is_tensor(at::r0) && !c.is_given(at::program) &&
                 c.result_type().size(rank - 1) == key.n && out.follows_in(rank - 1) == (made.columns > 0) &&
                 out.dims == (made.columns > 0) + (made.rows > 0);
            if (ok && made.rows > 0) ok = out.each == a.each && c.result_type().stride(out.dim) == key.n;
            return ok ? made
                      : c.refuse("a product whose rows follow the symbol, or one by itself",
                                 ahead::print(c.result_type()));
        }
        ok = ok && c.has_equal_numbers() && c.are_results_prefixes() &&
             c.step_of(out, c.result_type()) == a.each * key.n;
        if (ok && c.follows(at::bias))
            ok = c.given(at::bias).dim == c.type(at::bias).rank - 2 && c.given(at::bias).each == a.each;
        if (!ok || !has_bounded_epilogue(c, at::r0, at::program))
            return c.refuse("a product whose rows follow the symbol", ahead::print(c.result_type()));
        return made;
    }
};

} // namespace ahead::device
