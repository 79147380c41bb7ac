// SPDX-License-Identifier: MIT
// Operators that move elements, as copies of views and lookups: flip, roll, triangles, diagonals, repeats, parts of
// complex numbers; constants; gradients of views and lookups.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

constexpr std::string_view contiguous = "aten.contiguous.default", unsqueeze = "aten.unsqueeze.default",
                           where = "aten.where.self";

/// `from`, `from` + `step` and so on, up to `end`.
constexpr argument counted(decompose_context& c, std::int64_t from, std::int64_t end, std::int64_t step = 1) {
    return c.call("aten.arange.start_step", {from, end, step, dtype::i64});
}

/// One of Inductor's seeds.
struct looked_up_seed {
    using op = aten::inductor_lookup_seed;
    static constexpr std::int32_t most_calls = 1;
    static constexpr void decompose(auto& c) {
        c.bind_result(c.call("aten.select.int", {c.operand(op::at::seeds), 0, c.aten.integer(op::at::index)}));
    }
};

/// A copy of the view that the operator's name without _copy gives.
struct permute_copy {
    using op = aten::permute_copy;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool takes_any_dtype = true;
    static constexpr void decompose(auto& c) {
        const auto seen = c.call("aten.permute.default", {c.operand(op::at::self), c.aten.ints(op::at::dims)});
        c.bind_result(c.call(contiguous, {seen}));
    }
};
struct expand_copy {
    using op = aten::expand_copy;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool takes_any_dtype = true;
    static constexpr void decompose(auto& c) {
        const auto seen = c.call(expand, {c.operand(op::at::self), sizes_of(c.aten.result_type())});
        c.bind_result(c.call(contiguous, {seen}));
    }
};

/// Lookups in reverse order, one dim after the other.
template <class Op> struct flip {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 2 * max_rank;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool when(const call_view& call) {
        return gives_contiguous_elements(call) && call.ints(at::dims).size > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.result_type();
        auto x = c.operand(first_parameter);
        for (auto given : c.aten.ints(at::dims)) {
            const int d = wrapped_dim(given, t.rank);
            if (t.size(d) == 1) continue;
            x = c.call("aten.index_select.default", {x, d, counted(c, t.size(d) - 1, -1, -1)});
        }
        c.bind_result(x);
    }
};

/// A dim rotated: its last `shift` elements come first.
constexpr argument rolled(auto& c, const argument& x, int d, std::int64_t shift) {
    const auto size = c.type_of(x).size(d), ahead = ((shift % size) + size) % size;
    if (ahead == 0) return x;
    const auto last = c.call("aten.slice.Tensor", {x, d, size - ahead, size});
    const auto first = c.call("aten.slice.Tensor", {x, d, 0, size - ahead});
    return c.editor().ok() ? c.call("aten.cat.default", {nodes({last.node(), first.node()}), d}) : x;
}

/// Rotates one dim after the other.
struct roll {
    using op = aten::roll;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3 * max_rank + 2;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool when(const call_view& call) {
        return gives_contiguous_elements(call) && call.result_type().rank > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.result_type();
        const auto shifts = c.aten.ints(at::shifts), dims = c.aten.ints(at::dims);
        auto x = c.operand(at::self);
        if (dims.size == 0) x = c.call(reshape, {x, int_list{-1}});
        for (int i = 0; i < shifts.size && c.editor().ok(); ++i)
            x = rolled(c, x, dims.size == 0 ? 0 : wrapped_dim(dims[i], t.rank), shifts[i]);
        c.bind_result(c.call(reshape, {x, sizes_of(t)}));
    }
};

/// Exchanges the halves of dims.
template <class Op> struct shifted_spectrum {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 3 * max_rank + 1;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool when(const call_view& call) { return gives_contiguous_elements(call); }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.result_type();
        const auto dims = aten::reduced_dims(c.aten, at::dim, t.rank);
        auto x = c.operand(at::self);
        for (int d = 0; d < t.rank && c.editor().ok(); ++d)
            if (dims >> d & 1) x = rolled(c, x, d, (t.size(d) + Op::goes_back) / 2);
        c.bind_result(c.call(reshape, {x, sizes_of(t)}));
    }
};

/// One of the two real numbers of a complex number.
template <class Op, int Which> struct part_of_complex {
    using op = Op;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool when(const call_view& call) {
        const auto& t = call.tensor(first_parameter);
        return is_complex(t.type) && t.rank < max_rank && is_contiguous(call.result_type());
    }
    static constexpr void decompose(auto& c) {
        const auto both = c.call("aten.view_as_real.default", {c.operand(first_parameter)});
        c.bind_result(c.call("aten.select.int", {both, -1, Which}));
    }
};

/// Conjugates, by the name that has a kernel.
template <class Op> struct conjugates {
    using op = Op;
    static constexpr std::int32_t most_calls = 1;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool when(const call_view& call) { return is_complex(call.tensor(first_parameter).type); }
    static constexpr void decompose(auto& c) {
        c.bind_result(c.call("aten._conj_physical.default", {c.operand(first_parameter)}));
    }
};

/// Zeros on one side of a diagonal of the last two dims.
template <class Op, bool Lower> struct triangle {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 8;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool when(const call_view& call) { return element_count(call.result_type()) > 0; }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.result_type();
        const auto rows = c.call(unsqueeze, {counted(c, 0, t.size(t.rank - 2)), 1});
        const auto right = c.call(sub, {counted(c, 0, t.size(t.rank - 1)), rows});
        const auto kept = c.call(Lower ? "aten.le.Scalar" : "aten.ge.Scalar", {right, c.aten.integer(at::diagonal)});
        c.bind_result(c.call(where, {kept, c.operand(at::self), full_of(c, {}, argument::of(0), t.type)}));
    }
};

/// Each row as the diagonal of a matrix of zeros, in the last two dims.
struct diag_embed {
    using op = aten::diag_embed;
    using at = op::at;
    static constexpr std::int32_t most_calls = 7;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool when(const call_view& call) {
        const int rank = call.result_type().rank;
        return call.integer(at::offset) == 0 && wrapped_dim(call.integer(at::dim1), rank) == rank - 2 &&
               wrapped_dim(call.integer(at::dim2), rank) == rank - 1 && element_count(call.result_type()) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.result_type();
        const auto places = counted(c, 0, t.size(t.rank - 1));
        const auto is_diagonal = c.call("aten.eq.Tensor", {c.call(unsqueeze, {places, 1}), places});
        const auto rows = c.call(unsqueeze, {c.operand(at::self), -2});
        c.bind_result(c.call(where, {is_diagonal, rows, full_of(c, {}, argument::of(0), t.type)}));
    }
};

/// Each slice repeated, with its copies in sequence.
struct repeat_interleave {
    using op = aten::repeat_interleave;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool when(const call_view& call) {
        return call.result_type().rank < max_rank && element_count(call.result_type()) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.result_type();
        const auto repeats = c.aten.integer(at::repeats);
        const int dim = c.aten.is_given(at::dim) ? wrapped_dim(c.aten.integer(at::dim), t.rank) : 0;
        int_list apart, spread;
        for (int d = 0; d < t.rank; ++d) {
            apart.push_back(d == dim ? t.size(d) / repeats : t.size(d));
            spread.push_back(apart[apart.size - 1]);
            if (d != dim) continue;
            apart.push_back(1);
            spread.push_back(repeats);
        }
        const auto seen = c.call(expand, {c.call(reshape, {c.operand(at::self), apart}), spread});
        c.bind_result(c.call(reshape, {seen, sizes_of(t)}));
    }
};

/// A tensor of rank 0 at every position.
struct fill_tensor {
    using op = aten::fill_tensor;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool when(const call_view& call) { return is_contiguous(call.result_type()); }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.result_type();
        auto value = c.operand(at::value);
        if (c.type_of(value).type != t.type) value = c.call("prims.convert_element_type.default", {value, t.type});
        c.bind_result(c.call(contiguous, {c.call(expand, {value, sizes_of(t)})}));
    }
};

/// Rows added to zeros at their indices.
struct embedding_gradient {
    using op = aten::embedding_dense_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 8;
    static constexpr bool when(const call_view& call) {
        return !call.boolean(at::scale_grad_by_freq) && element_count(call.tensor(at::grad_output)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.result_type();
        const auto padding = c.aten.integer(at::padding_idx);
        const auto index = c.call(reshape, {c.operand(at::indices), int_list{-1}});
        auto rows = c.call(reshape, {c.operand(at::grad_output), int_list{-1, t.size(1)}});
        if (padding >= 0) {
            const auto kept = c.call(unsqueeze, {c.call("aten.ne.Scalar", {index, padding}), 1});
            rows = c.call(where, {kept, rows, full_of(c, {}, argument::of(0), t.type)});
        }
        const auto zeros = full_of(c, sizes_of(t), argument::of(0), t.type);
        c.bind_result(c.call("aten.index_add.default", {zeros, 0, index, rows}));
    }
};

/// The gradient of a view, written into zeros.
template <class Op> struct gradient_of_view {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr void decompose(auto& c) {
        const auto& t = c.aten.result_type();
        const auto zeros = c.call("aten.full.default", {sizes_of(t), 0, t.type});
        if constexpr (requires { at::step; })
            c.bind_result(
                c.call("aten.slice_scatter.default", {zeros, c.operand(at::grad_output), c.operand(at::dim),
                                                      c.operand(at::start), c.operand(at::end), c.operand(at::step)}));
        else
            c.bind_result(c.call("aten.select_scatter.default",
                            {zeros, c.operand(at::grad_output), c.operand(at::dim), c.operand(at::index)}));
    }
};

} // namespace ahead::decomposition
