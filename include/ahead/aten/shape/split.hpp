// SPDX-License-Identifier: MIT
// Views of all parts, one result each: split, chunk, split_with_sizes, tensor_split, unbind; and split_with_sizes_copy.
// Invariant: every result except those of copies aliases the storage of self. Source:
// aten/src/ATen/native/TensorShape.cpp.
#pragma once
#include <ahead/aten/shape/slice.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Sets the results to pieces of the first parameter along a dim, of at most `each` elements; `empty` pieces if the dim
/// has size 0.
constexpr bool infer_pieces(infer_context& c, int dim, std::int64_t each, std::int64_t empty = 1) {
    const auto whole = c.tensor(first_parameter);
    const auto size = whole.size(dim);
    if (each < 0 || (each == 0 && size != 0))
        return c.refuse(fault::stride_must_be_positive, "pieces of 1 at least", short_text() << each);
    const auto count = size == 0 ? empty : pieces_of(size, each);
    const auto argument = c.at(first_parameter);
    if (!c.results(count)) return false;
    for (std::int64_t k = 0; k < count; ++k) {
        const auto left = size - k * each;
        if (!c.set_view(static_cast<std::int32_t>(k), sliced(whole, dim, k * each, left < each ? left : each),
                        argument))
            return false;
    }
    return true;
}

} // namespace detail

/// split.Tensor(Tensor self, SymInt split_size, int dim=0): the last piece may be smaller
struct split : views {
    static constexpr std::string_view name = "aten.split.Tensor"sv;
    enum at : int { self, split_size, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("split_size", parameter_kind::integer),
                                           defaulted("dim", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        int dim = 0;
        return find_dim(c, at::dim, c.tensor(at::self), dim) && detail::infer_pieces(c, dim, c.integer(at::split_size));
    }
};

/// unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0): split
struct unsafe_split : split {
    static constexpr std::string_view name = "aten.unsafe_split.Tensor"sv;
};

/// chunk(Tensor self, int chunks, int dim=0): at most `chunks` pieces of equal size; the last may be smaller
struct chunk : views {
    static constexpr std::string_view name = "aten.chunk.default"sv;
    enum at : int { self, chunks, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("chunks", parameter_kind::integer),
                                           defaulted("dim", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        int dim = 0;
        const auto& t = c.tensor(at::self);
        if (!find_dim(c, at::dim, t, dim)) return false;
        const auto chunks = c.integer(at::chunks);
        if (chunks < 1) return c.refuse(fault::stride_must_be_positive, "1 chunk at least", short_text() << chunks);
        return detail::infer_pieces(c, dim, pieces_of(t.size(dim), chunks), chunks);
    }
};

namespace detail {

/// Copies: the results are row-major copies instead of views.
template <bool Copies> struct sized_pieces {
    enum at : int { self, split_sizes, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("split_sizes", parameter_kind::long_int_list),
                                           defaulted("dim", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        const auto whole = c.tensor(at::self);
        const auto pieces = c.int_count(at::split_sizes);
        int dim = 0;
        if (!find_dim(c, at::dim, whole, dim)) return false;
        checked_int sum = 0;
        for (std::int32_t k = 0; k < pieces; ++k) {
            if (!c.check_sizes({c.int_at(at::split_sizes, k)}, "split sizes from 0")) return false;
            sum = sum + c.int_at(at::split_sizes, k);
        }
        if (sum.get() != whole.size(dim))
            return c.refuse(fault::split_sizes_do_not_add_up, short_text() << whole.size(dim),
                            short_text() << sum.get());
        const auto argument = c.at(at::self);
        if (!c.results(pieces)) return false;
        std::int64_t start = 0;
        for (std::int32_t k = 0; k < pieces; start += c.int_at(at::split_sizes, k++)) {
            const auto piece = sliced(whole, dim, start, c.int_at(at::split_sizes, k));
            if (!(Copies ? c.set(k, tensor_of(piece.type, sizes_of(piece))) : c.set_view(k, piece, argument)))
                return false;
        }
        return true;
    }
};

} // namespace detail

/// split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0)
struct split_with_sizes : views, detail::sized_pieces<false> {
    static constexpr std::string_view name = "aten.split_with_sizes.default"sv;
};

/// split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0)
struct split_with_sizes_copy : detail::sized_pieces<true> {
    static constexpr std::string_view name = "aten.split_with_sizes_copy.default"sv;
    static constexpr effects effect{.moves_elements = true};
    static constexpr void evaluate(auto& c) {
        if (c.int_count(at::split_sizes) == 0) return;
        c.compute_any([&](auto as) {
            const auto in = c.input(at::self, as);
            const int dim = wrapped_dim(c.integer(at::dim), in.type().rank);
            std::int64_t start = 0;
            for (std::int32_t k = 0; k < c.int_count(at::split_sizes); start += c.int_at(at::split_sizes, k++)) {
                const auto out = c.output(k, as);
                for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                    auto from = at;
                    from[dim] += start;
                    out.put(at, in[from]);
                });
            }
        });
    }
};

/// tensor_split.sections(Tensor self, SymInt sections, int dim=0): `sections` pieces; if the sizes cannot be equal, the
/// first pieces have one element more
struct tensor_split_sections : views {
    static constexpr std::string_view name = "aten.tensor_split.sections"sv;
    enum at : int { self, sections, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("sections", parameter_kind::integer),
                                           defaulted("dim", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        const auto whole = c.tensor(at::self);
        const auto count = c.integer(at::sections);
        int dim = 0;
        if (!find_dim(c, at::dim, whole, dim)) return false;
        if (count < 1) return c.refuse(fault::stride_must_be_positive, "1 section at least", short_text() << count);
        const auto argument = c.at(at::self);
        if (!c.results(count)) return false;
        std::int64_t start = 0;
        for (std::int64_t k = 0; k < count; ++k) {
            const auto size = whole.size(dim) / count + (k < whole.size(dim) % count);
            if (!c.set_view(static_cast<std::int32_t>(k), sliced(whole, dim, start, size), argument)) return false;
            start += size;
        }
        return true;
    }
};

/// tensor_split.indices(Tensor self, SymInt[] indices, int dim=0): the slices between these bounds, one more than there
/// are bounds; bounds are clamped as in Python
struct tensor_split_indices : views {
    static constexpr std::string_view name = "aten.tensor_split.indices"sv;
    enum at : int { self, indices, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("indices", parameter_kind::long_int_list),
                                           defaulted("dim", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        const auto whole = c.tensor(at::self);
        const auto bounds = c.int_count(at::indices);
        int dim = 0;
        if (!find_dim(c, at::dim, whole, dim)) return false;
        const auto argument = c.at(at::self);
        const auto size = whole.size(dim);
        if (!c.results(bounds + 1)) return false;
        std::int64_t start = 0;
        for (std::int32_t k = 0; k <= bounds; ++k) {
            const auto given = k < bounds ? wrapped(c.int_at(at::indices, k), size) : size;
            const auto end = given < 0 ? 0 : given < size ? given : size;
            if (!c.set_view(k, sliced(whole, dim, start, end > start ? end - start : 0), argument)) return false;
            start = end;
        }
        return true;
    }
};

/// unbind.int(Tensor self, int dim=0): one result per index of the dim
struct unbind : views {
    static constexpr std::string_view name = "aten.unbind.int"sv;
    enum at : int { self, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        const auto whole = c.tensor(at::self);
        int dim = 0;
        if (!find_dim(c, at::dim, whole, dim)) return false;
        const auto argument = c.at(at::self);
        if (!c.results(whole.size(dim))) return false;
        for (std::int32_t k = 0; k < whole.size(dim); ++k) {
            auto out = sliced(whole, dim, k, 1);
            remove_dim(out, dim);
            if (!c.set_view(k, out, argument)) return false;
        }
        return true;
    }
};

/// unbind_copy.int(Tensor self, int dim=0): one copied result per index of the dim
struct unbind_copy {
    static constexpr std::string_view name = "aten.unbind_copy.int"sv;
    static constexpr effects effect{.moves_elements = true};
    using at = unbind::at;
    static constexpr auto& schema = unbind::schema;
    static constexpr bool infer(infer_context& c) {
        const auto whole = c.tensor(at::self);
        int dim = 0;
        if (!find_dim(c, at::dim, whole, dim) || !c.results(whole.size(dim))) return false;
        int_list sizes;
        for (int d = 0; d < whole.rank; ++d)
            if (d != dim) sizes.push_back(whole.size(d));
        for (std::int32_t k = 0; k < whole.size(dim); ++k)
            if (!c.set(k, tensor_of(whole.type, sizes))) return false;
        return true;
    }
    static constexpr void evaluate(auto& c) {
        const auto& whole = c.tensor(at::self);
        const int dim = wrapped_dim(c.integer(at::dim), whole.rank);
        if (whole.size(dim) == 0) return;
        c.compute_any([&](auto as) {
            const auto in = c.input(at::self, as);
            for (std::int32_t k = 0; k < whole.size(dim); ++k) {
                const auto out = c.output(k, as);
                for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                    int_list from;
                    for (int d = 0; d < whole.rank; ++d) from.push_back(d == dim ? k : at[d - (d > dim)]);
                    out.put(at, in[from]);
                });
            }
        });
    }
};

using split_ops = op_list<split, unsafe_split, chunk, split_with_sizes, split_with_sizes_copy, tensor_split_sections,
                          tensor_split_indices, unbind, unbind_copy>;

} // namespace ahead::aten
