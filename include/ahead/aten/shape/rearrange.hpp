// SPDX-License-Identifier: MIT
// Copies that move elements: repeat, tile, repeat_interleave, flip, roll, tril, triu, channel_shuffle, pixel_shuffle
// and its inverse. Results are contiguous except where PyTorch keeps the memory format. Source:
// aten/src/ATen/native/TensorShape.cpp, TensorTransformations.cpp, TriangularOps.cpp, PixelShuffle.cpp, Repeat.cpp.
#pragma once
#include <ahead/aten/create/copy.hpp>
#include <ahead/aten/reduce/reduction.hpp>
#include <ahead/aten/shape/permute.hpp>
#include <ahead/core/checked.hpp>

namespace AHEAD_NAMESPACE::aten {

/// repeat(Tensor self, SymInt[] repeats): tiles copies along each dim; new dims come first
struct repeat {
    static constexpr std::string_view name = "aten.repeat.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, repeats };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("repeats", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        auto sizes = c.ints(at::repeats);
        if (sizes.size < t.rank)
            return c.refuse(fault::rank_is_wrong, short_text() << int(t.rank) << " repeats at least",
                            short_text() << sizes.size);
        if (!c.check_sizes(sizes, "repeats from 0")) return false;
        for (int own = 0; own < t.rank; ++own) {
            auto& size = sizes[sizes.size - t.rank + own];
            size = (checked_int(size) * t.size(own)).get();
        }
        return c.result(tensor_of(t.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        gather_elements(c, [](const int_list& at, const tensor_type& t) {
            int_list from;
            for (int d = 0; d < t.rank; ++d) from.push_back(at[at.size - t.rank + d] % t.size(d));
            return from;
        });
    }
};

/// tile(Tensor self, SymInt[] dims): like repeat, but a shorter list applies to the last dims
struct tile {
    static constexpr std::string_view name = "aten.tile.default"sv;
    static constexpr effects effect{.moves_elements = true};
    using at = schemas::with_dims::at;
    static constexpr auto& schema = schemas::with_dims::schema;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        const auto times = c.ints(at::dims);
        if (!c.check_sizes(times, "repeats from 0")) return false;
        int_list sizes;
        const int rank = times.size > t.rank ? times.size : t.rank;
        for (int d = 0; d < rank; ++d) {
            const int own = d - (rank - t.rank), given = d - (rank - times.size);
            sizes.push_back((checked_int(own < 0 ? 1 : t.size(own)) * (given < 0 ? 1 : times[given])).get());
        }
        return c.result(tensor_of(t.type, sizes));
    }
    static constexpr void evaluate(auto& c) { repeat::evaluate(c); }
};

/// repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None): each element
/// `repeats` times
struct repeat_interleave {
    static constexpr std::string_view name = "aten.repeat_interleave.self_int"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, repeats, dim, output_size };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("repeats", parameter_kind::integer),
        defaulted("dim", parameter_kind::optional_integer), defaulted("output_size", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        const checked_int repeats = c.integer(at::repeats);
        if (!c.check_sizes({repeats.get()}, "repeats from 0")) return false;
        if (!c.is_given(at::dim)) return c.result(tensor_of(t.type, {(repeats * element_count(t)).get()}));
        int dim = 0;
        if (!c.wrap_dim(c.integer(at::dim), t.rank, dim)) return false;
        auto sizes = sizes_of(t);
        if (t.rank == 0) sizes.push_back(1);
        sizes[dim] = (repeats * sizes[dim]).get();
        return c.result(tensor_of(t.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        const auto repeats = c.integer(at::repeats);
        gather_elements(c, [&](const int_list& at, const tensor_type& t) {
            if (!c.is_given(at::dim)) return index_of(t, at[0] / repeats);
            int_list from = at;
            from[wrapped_dim(c.integer(at::dim), at.size)] /= repeats;
            from.size = t.rank;
            return from;
        });
    }
};

/// flip(Tensor self, int[] dims): reverses each of the dims
struct flip : schemas::with_dims {
    static constexpr std::string_view name = "aten.flip.default"sv;
    static constexpr effects effect{.moves_elements = true};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        return check_dims(c, at::dims, t.rank) && c.result(like(t, t.type));
    }
    static constexpr void evaluate(auto& c) {
        gather_elements(c, [&](int_list at, const tensor_type& t) {
            if (at.size > 0)
                for (auto given : c.ints(at::dims)) {
                    const int d = wrapped_dim(given, at.size);
                    at[d] = t.size(d) - 1 - at[d];
                }
            return at;
        });
    }
};

/// prims.rev(Tensor a, int[] dims): flip
struct rev : flip {
    static constexpr std::string_view name = "prims.rev.default"sv;
    enum at : int { a, dims };
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor),
                                           required("dims", parameter_kind::int_list)};
};

/// rot90(Tensor self, int k=1, int[] dims=[0,1]): k rotations by 90 degrees, from the first dim towards the second
struct rot90 {
    static constexpr std::string_view name = "aten.rot90.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, k, dims };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("k", parameter_kind::integer, argument::of(1)),
                                           defaulted("dims", parameter_kind::optional_int_list)};
    /// One of the two dims; [0, 1] unless given.
    static constexpr int dim_of(const auto& c, int which) {
        return c.is_given(at::dims) ? wrapped_dim(c.ints(at::dims)[which], c.tensor(at::self).rank) : which;
    }
    static constexpr std::int64_t turns(const auto& c) { return (c.integer(at::k) % 4 + 4) % 4; }
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (t.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(t));
        if (c.is_given(at::dims) && c.ints(at::dims).size != 2)
            return c.refuse(fault::rank_is_wrong, "2 dims", short_text() << c.ints(at::dims).size);
        if (!check_dims(c, at::dims, t.rank)) return false;
        auto sizes = sizes_of(t);
        if (turns(c) % 2 == 1) std::swap(sizes[dim_of(c, 0)], sizes[dim_of(c, 1)]);
        return c.result(tensor_of(t.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        const int a = dim_of(c, 0), b = dim_of(c, 1);
        gather_elements(c, [&](int_list at, const tensor_type& t) {
            const auto row = at[a], column = at[b];
            const auto k = turns(c);
            at[a] = k == 0 ? row : k == 1 ? column : k == 2 ? t.size(a) - 1 - row : t.size(a) - 1 - column;
            at[b] = k == 0 ? column : k == 1 ? t.size(b) - 1 - row : k == 2 ? t.size(b) - 1 - column : row;
            return at;
        });
    }
};

/// roll(Tensor self, SymInt[1] shifts, int[1] dims=[]): cyclic shift; without dims in row-major order
struct roll {
    static constexpr std::string_view name = "aten.roll.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, shifts, dims };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("shifts", parameter_kind::int_list),
                                           defaulted("dims", parameter_kind::int_list, {.kind = argument_kind::list})};
    static constexpr bool infer(infer_context& c) {
        const auto shifts = c.ints(at::shifts);
        const auto dims = c.ints(at::dims);
        if (dims.size == 0 ? shifts.size != 1 : dims.size != shifts.size)
            return c.refuse(fault::rank_is_wrong, "as many shifts as dims", short_text() << shifts.size);
        for (auto given : dims) {
            int d = 0;
            if (!c.wrap_dim(given, c.tensor(at::self).rank, d)) return false;
        }
        const auto& t = c.tensor(at::self);
        return c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        const auto shifts = c.ints(at::shifts);
        const auto dims = c.ints(at::dims);
        auto back = [](std::int64_t i, std::int64_t shift, std::int64_t size) {
            return (i + size - shift % size) % size;
        };
        gather_elements(c, [&](int_list at, const tensor_type& t) {
            if (dims.size == 0) {
                std::int64_t k = 0;
                for (int d = 0; d < at.size; ++d) k = k * t.size(d) + at[d];
                return index_of(t, back(k, shifts[0], element_count(t)));
            }
            for (int i = 0; i < dims.size && at.size > 0; ++i) {
                const int d = wrapped_dim(dims[i], at.size);
                at[d] = back(at[d], shifts[i], t.size(d));
            }
            return at;
        });
    }
};

namespace detail {

/// Zeroes one side of a diagonal.
template <bool Lower> struct triangle {
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, diagonal };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("diagonal", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (t.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(t));
        return c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                const auto right = at[at.size - 1] - at[at.size - 2];
                out.put(at,
                        (Lower ? right <= c.integer(at::diagonal) : right >= c.integer(at::diagonal)) ? in[at] : as);
            });
        });
    }
};

} // namespace detail

/// tril(Tensor self, int diagonal=0): zero above the diagonal
struct tril : detail::triangle<true> {
    static constexpr std::string_view name = "aten.tril.default"sv;
};

/// triu(Tensor self, int diagonal=0): zero below the diagonal
struct triu : detail::triangle<false> {
    static constexpr std::string_view name = "aten.triu.default"sv;
};

/// channel_shuffle(Tensor self, SymInt groups): [N, g * k, ..], channel i * k + j moves to j * g + i
struct channel_shuffle {
    static constexpr std::string_view name = "aten.channel_shuffle.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, groups };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("groups", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        const auto groups = c.integer(at::groups);
        if (t.rank < 3) return c.refuse(fault::rank_is_wrong, "rank 3 at least", print(t));
        if (groups < 1 || t.size(1) % groups != 0)
            return c.refuse(fault::channels_differ, "channels divisible by groups, from 1", print(t));
        return c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        const auto groups = c.integer(at::groups);
        gather_elements(c, [&](int_list at, const tensor_type& t) {
            at[1] = at[1] % groups * (t.size(1) / groups) + at[1] / groups;
            return at;
        });
    }
};

/// pixel_shuffle(Tensor self, int upscale_factor): [..., C*r*r, H, W] -> [..., C, H*r, W*r]
struct pixel_shuffle {
    static constexpr std::string_view name = "aten.pixel_shuffle.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, upscale_factor };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("upscale_factor", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        const auto r = c.integer(at::upscale_factor);
        if (t.rank < 3) return c.refuse(fault::rank_is_wrong, "rank 3 at least", print(t));
        const auto per_channel = (checked_int(r) * r).get();
        if (r < 1 || t.size(t.rank - 3) % per_channel != 0)
            return c.refuse(fault::channels_differ, "channels divisible by the factor squared", print(t));
        auto sizes = sizes_of(t);
        sizes[t.rank - 3] /= per_channel;
        for (int d : {t.rank - 2, t.rank - 1}) sizes[d] = (checked_int(sizes[d]) * r).get();
        return c.result(in_format_of(t, tensor_of(t.type, sizes)));
    }
    static constexpr void evaluate(auto& c) {
        const auto r = c.integer(at::upscale_factor);
        gather_elements(c, [&](int_list at, const tensor_type&) {
            auto& w = at[at.size - 1];
            auto& h = at[at.size - 2];
            auto& channel = at[at.size - 3];
            channel = (channel * r + h % r) * r + w % r;
            h /= r;
            w /= r;
            return at;
        });
    }
};

/// pixel_unshuffle(Tensor self, int downscale_factor): [..., C, H*r, W*r] -> [..., C*r*r, H, W]
struct pixel_unshuffle {
    static constexpr std::string_view name = "aten.pixel_unshuffle.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, downscale_factor };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("downscale_factor", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        const auto r = c.integer(at::downscale_factor);
        if (t.rank < 3) return c.refuse(fault::rank_is_wrong, "rank 3 at least", print(t));
        if (r < 1 || t.size(t.rank - 2) % r != 0 || t.size(t.rank - 1) % r != 0)
            return c.refuse(fault::window_does_not_fit, "height and width divisible by the factor, from 1", print(t));
        auto sizes = sizes_of(t);
        sizes[t.rank - 3] = (checked_int(r) * r * sizes[t.rank - 3]).get();
        for (int d : {t.rank - 2, t.rank - 1}) sizes[d] /= r;
        return c.result(in_format_of(t, tensor_of(t.type, sizes)));
    }
    static constexpr void evaluate(auto& c) {
        const auto r = c.integer(at::downscale_factor);
        gather_elements(c, [&](int_list at, const tensor_type&) {
            auto& channel = at[at.size - 3];
            at[at.size - 1] = at[at.size - 1] * r + channel % r;
            at[at.size - 2] = at[at.size - 2] * r + channel / r % r;
            channel /= r * r;
            return at;
        });
    }
};

using rearrange_ops = op_list<rot90, repeat, tile, repeat_interleave, flip, rev, roll, tril, triu, channel_shuffle,
                              pixel_shuffle, pixel_unshuffle>;

} // namespace ahead::aten
