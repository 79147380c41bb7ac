// SPDX-License-Identifier: MIT
// Rearrangements that PyTorch composes from views and joins.
// Source: aten/src/ATen/native/TensorShape.cpp, TensorTransformations.cpp, ReduceOps.cpp.
#pragma once
#include <ahead/legalize/composite/losses.hpp>

namespace AHEAD_NAMESPACE::detail::composite {

/// Adds dims up to at least `rank`, as numpy does: [n] becomes [1, n], and then [1, n, 1].
constexpr term with_dims(const term& x, int rank) {
    const auto& type = x.type();
    auto sizes = sizes_of(type);
    if (type.rank == 0)
        while (sizes.size < rank) sizes.push_back(1);
    if (type.rank == 1 && rank == 2) sizes = {1, type.size(0)};
    if (type.rank == 1 && rank == 3) sizes = {1, type.size(0), 1};
    if (type.rank == 2 && rank == 3) sizes.push_back(1);
    return x.call("aten.view.default", {x, sizes});
}
template <int Rank> constexpr term atleast(auto& c) { return with_dims(c["self"], Rank); }
template <int Rank> constexpr term atleast_each(auto& c) {
    for (std::int32_t k = 0; k < c.count("tensors"); ++k)
        c.give(k, c.count("tensors"), with_dims(c.element("tensors", k), Rank));
    return {};
}

constexpr term same(auto& c) { return c("aten.alias.default", {c["self"]}); }

constexpr int_list common_sizes(auto& c, const int_list& a, const int_list& b) {
    const auto& longer = a.size >= b.size ? a : b;
    const auto& shorter = a.size >= b.size ? b : a;
    auto out = longer;
    for (int i = 0; i < shorter.size; ++i) {
        auto& mine = out[longer.size - shorter.size + i];
        if (mine == 1) mine = shorter[i];
        else if (shorter[i] != 1 && shorter[i] != mine)
            c.refuse(fault::shapes_do_not_broadcast, short_text() << mine, short_text() << shorter[i]);
    }
    return out;
}
constexpr term broadcast_tensors(auto& c) {
    const auto count = c.count("tensors");
    int_list sizes;
    for (std::int32_t k = 0; k < count; ++k) sizes = common_sizes(c, sizes, sizes_of(c.element("tensors", k).type()));
    for (std::int32_t k = 0; k < count; ++k)
        c.give(k, count, c("aten.expand.default", {c.element("tensors", k), sizes}));
    return {};
}
/// Sums over the dims that `size` lacks, and over those where it has size 1.
constexpr term sum_to_size(auto& c) {
    const auto x = c["self"];
    const auto sizes = c.ints("size");
    if (sizes.size == 0) return c("aten.sum.default", {x});
    int_list dims;
    for (int d = 0; d < x.type().rank; ++d) {
        const int at = d - (x.type().rank - sizes.size);
        if (at < 0 || (sizes[at] == 1 && x.size(d) != 1)) dims.push_back(d);
    }
    return c("aten.view.default",
             {dims.size > 0 ? c("aten.sum.dim_IntList", {x, dims, true}) : c("aten.alias.default", {x}), sizes});
}

/// The differences of neighbours, applied n times.
constexpr term diff(auto& c) {
    auto x = c["self"];
    const int dim = c.dim("dim", x.type().rank);
    list_argument parts{fixed_buffer<argument>(1 + c.has("prepend") + c.has("append"))};
    std::int32_t count = 0;
    if (c.has("prepend")) parts.elements[count++] = c["prepend"].value;
    parts.elements[count++] = x.value;
    if (c.has("append")) parts.elements[count++] = c["append"].value;
    if (count > 1) x = c("aten.cat.default", {parts, dim});
    if (c.integer("n") == 0) return c("aten.clone.default", {x});
    for (std::int64_t n = 0; n < c.integer("n") && x.size(dim) > 0 && c.ok(); ++n) {
        const auto size = x.size(dim);
        const auto next = c("aten.slice.Tensor", {x, dim, 1, size}),
                   before = c("aten.slice.Tensor", {x, dim, 0, size - 1});
        x = x.type().type == dtype::b8 ? c("aten.logical_xor.default", {next, before}) : next - before;
    }
    return x;
}

template <int Dim> constexpr term flipped(auto& c) { return c("aten.flip.default", {c["self"], int_list{Dim}}); }
/// Lines become columns.
constexpr term column_stack(auto& c) {
    list_argument columns{fixed_buffer<argument>(c.count("tensors"))};
    for (std::int32_t k = 0; k < c.count("tensors"); ++k) {
        const auto x = c.element("tensors", k);
        columns.elements[k] =
            x.type().rank > 1 ? x.value : c("aten.reshape.default", {x, int_list{element_count(x.type()), 1}}).value;
    }
    return c("aten.cat.default", {columns, 1});
}
/// All pairs, triples, ... of elements of the lines, as rows.
constexpr term cartesian_prod(auto& c) {
    const auto count = c.count("tensors");
    if (count == 1) return c("aten.alias.default", {c.element("tensors", 0)});
    int_list sizes;
    for (std::int32_t k = 0; k < count && sizes.size < max_rank; ++k)
        sizes.push_back(element_count(c.element("tensors", k).type()));
    if (sizes.size < count)
        return c.refuse(fault::rank_is_wrong, short_text() << max_rank << " tensors at most", short_text() << count);
    list_argument lines{fixed_buffer<argument>(count)};
    for (std::int32_t k = 0; k < count; ++k) {
        int_list alone;
        for (int d = 0; d < count; ++d) alone.push_back(d == k ? sizes[d] : 1);
        const auto along = c("aten.view.default", {c.element("tensors", k), alone});
        lines.elements[k] = c("aten.reshape.default", {c("aten.expand.default", {along, sizes}), int_list{-1}}).value;
    }
    return c("aten.stack.default", {lines, 1});
}
/// Takes elements along one dim, where indices wrap around, and broadcasts the others; without a dim, from the flat
/// tensor.
constexpr term take_along_dim(auto& c) {
    auto x = c["self"], indices = c["indices"];
    if (!c.has("dim"))
        return c("aten.gather.default",
                 {c("aten.reshape.default", {x, int_list{-1}}), 0, c("aten.reshape.default", {indices, int_list{-1}})});
    const int rank = x.type().rank, dim = c.dim("dim", rank);
    if (indices.type().rank != rank)
        return c.refuse(fault::rank_is_wrong, short_text("rank ") << rank, print(indices.type()));
    auto of_x = sizes_of(x.type()), of_indices = sizes_of(indices.type());
    const auto along_x = of_x[dim], along_indices = of_indices[dim];
    of_x[dim] = of_indices[dim] = 1;
    auto sizes = common_sizes(c, of_x, of_indices);
    sizes[dim] = along_x;
    x = c("aten.expand.default", {x, sizes});
    sizes[dim] = along_indices;
    indices = c("aten.expand.default", {indices, sizes});
    if (along_x > 0) indices = c("aten.remainder.Scalar", {indices, along_x});
    return c("aten.gather.default", {x, dim, indices});
}
constexpr term diagflat(auto& c) {
    return c("aten.diag_embed.default", {c("aten.reshape.default", {c["self"], int_list{-1}}), c.integer("offset")});
}
constexpr term linalg_diagonal(auto& c) {
    return c("aten.diagonal.default", {c["A"], c.integer("offset"), c.integer("dim1"), c.integer("dim2")});
}
/// Transposed and conjugated.
constexpr term adjoint(auto& c) {
    const auto x = c["self"];
    const auto turned = x.type().rank < 2 ? c("aten.alias.default", {x}) : c("aten.transpose.int", {x, -2, -1});
    return is_complex(x.type().type) ? c("aten._conj.default", {turned}) : turned;
}
/// Splits each tensor into `num_chunks` chunks, the last ones padded with zeros, and concatenates corresponding chunks.
constexpr term chunk_cat(auto& c) {
    const auto count = c.count("tensors");
    const auto chunks = c.integer("num_chunks");
    const int dim = c.dim("dim", c.element("tensors", 0).type().rank);
    list_argument parts{fixed_buffer<argument>(count)};
    for (std::int32_t k = 0; k < count && c.ok(); ++k) {
        auto x = c.element("tensors", k);
        auto sizes = sizes_of(x.type());
        const auto size = (sizes[dim] + chunks - 1) / chunks;
        int_list padding, apart;
        for (int d = x.type().rank - 1; d > dim; --d) padding.push_back(0), padding.push_back(0);
        padding.push_back(0), padding.push_back(size * chunks - sizes[dim]);
        if (size * chunks != sizes[dim]) x = c("aten.constant_pad_nd.default", {x, padding, 0});
        for (int d = 0; d < dim; ++d) apart.push_back(sizes[d]);
        apart.push_back(chunks), apart.push_back(-1);
        parts.elements[k] = c("aten.reshape.default", {x, apart}).value;
    }
    return c("aten.cat.default", {parts, dim + 1});
}

/// Splits into a number of parts, or at the given indices, along dim `Dim`; hsplit of a line uses dim 0.
template <int Dim> constexpr term split_at(auto& c) {
    const auto x = c["self"];
    const int dim = Dim == 1 && x.type().rank == 1 ? 0 : Dim;
    return c("aten.tensor_split.indices", {x, c.ints("indices"), dim});
}
template <int Dim> constexpr term split_into(auto& c) {
    const auto x = c["self"];
    const int dim = Dim == 1 && x.type().rank == 1 ? 0 : Dim;
    return c("aten.tensor_split.sections", {x, c.integer("sections"), dim});
}
constexpr term unsafe_chunk(auto& c) {
    return c("aten.chunk.default", {c["self"], c.integer("chunks"), c.integer("dim")});
}

/// Writes a number to the diagonal; with wrap, a matrix that is taller than wide gets repeated diagonals below.
constexpr term fill_diagonal(auto& c) {
    const auto x = c["self"];
    const auto& type = x.type();
    std::int64_t step = 0, size = type.rank > 0 ? type.size(0) : 0;
    for (int d = 0; d < type.rank; ++d) {
        step += type.stride(d);
        size = type.size(d) < size ? type.size(d) : size;
    }
    const auto fill = [&](std::int64_t count, std::int64_t offset) {
        c("aten.fill_.Scalar",
          {c("aten.as_strided.default", {x, int_list{count}, int_list{step}, offset}), c["fill_value"]});
    };
    fill(size, type.offset);
    if (c.boolean("wrap") && type.rank == 2 && type.size(0) > type.size(1) + 1) {
        const auto apart = type.size(1) + 1;
        fill((element_count(type) + apart - 1) / apart - size, type.offset + type.stride(0) * apart);
    }
    return c("aten.alias.default", {x});
}

} // namespace ahead::detail::composite
