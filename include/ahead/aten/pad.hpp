// SPDX-License-Identifier: MIT
// Padding. Lists count from the last dim: (left, right, top, bottom, ...); negative entries crop (constant_pad_nd only).
// Source: aten/src/ATen/native/PadNd.cpp, ReflectionPad.cpp, ReplicationPadding.cpp.
#pragma once
#include <ahead/aten/registry.hpp>
#include <ahead/aten/walk.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The entry of a padding list before dim d; the one after it is the next.
constexpr std::int64_t padding_before(const int_list& pad, int rank, int d) {
    const int i = 2 * (rank - 1 - d);
    return i < pad.size ? pad[i] : 0;
}
constexpr std::int64_t padding_after(const int_list& pad, int rank, int d) {
    const int i = 2 * (rank - 1 - d) + 1;
    return i < pad.size ? pad[i] : 0;
}

/// Whether a list of paddings has 2 entries per dim, of which the tensor has enough; the padded sizes.
constexpr bool padded_sizes(infer_context& c, const int_list& pad, int_list& sizes) {
    const auto& x = c.tensor(0);
    if (pad.size % 2 != 0 || pad.size > 2 * x.rank) return c.refuse(fault::rank_is_wrong, "two paddings per dim", short_text() << pad.size);
    sizes = sizes_of(x);
    for (int d = 0; d < x.rank; ++d) {
        sizes[d] += padding_before(pad, x.rank, d) + padding_after(pad, x.rank, d);
        if (sizes[d] < 0) return c.refuse(fault::padding_is_too_large, "at most the size cropped", short_text() << sizes[d]);
    }
    return true;
}

/// constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0)
struct constant_pad_nd {
    static constexpr std::string_view name = "aten.constant_pad_nd.default";
    static constexpr effects effect{.moves_elements = true};
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("pad", parameter_kind::int_list),
                                           defaulted("value", parameter_kind::scalar, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        return padded_sizes(c, c.ints(1), sizes) && c.result(tensor_of(c.tensor(0).type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        c.compute([&](auto as) {
            const auto in = c.input(0, as);
            const auto out = c.output(0, as);
            const auto pad = c.ints(1);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                int_list from = at;
                bool inside = true;
                for (int d = 0; d < at.size; ++d) {
                    from[d] -= padding_before(pad, at.size, d);
                    inside = inside && from[d] >= 0 && from[d] < in.type().size(d);
                }
                out.put(at, inside ? in[from] : c.number(2, as));
            });
        });
    }
};

/// Padding of the last `Spatial` dims with elements of the tensor itself: mirrored without the edge, or the edge repeated.
template <int Spatial, bool Reflects>
struct edge_padding {
    static constexpr effects effect{.moves_elements = true};
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("padding", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) {
        const auto& x = c.tensor(0);
        const auto pad = c.ints(1);
        if (x.rank != Spatial + 1 && x.rank != Spatial + 2)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << Spatial + 1 << " or " << Spatial + 2, print(x));
        if (pad.size != 2 * Spatial)
            return c.refuse(fault::rank_is_wrong, short_text() << 2 * Spatial << " paddings", short_text() << pad.size);
        for (int i = 0; i < pad.size; ++i) {
            const auto size = x.size(x.rank - 1 - i / 2);
            if (Reflects ? pad[i] >= size : size == 0)
                return c.refuse(fault::padding_is_too_large, short_text() << "less than " << size, short_text() << pad[i]);
        }
        int_list sizes;
        return padded_sizes(c, pad, sizes) && c.result(tensor_of(x.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        c.compute([&](auto as) {
            const auto in = c.input(0, as);
            const auto out = c.output(0, as);
            const auto pad = c.ints(1);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                int_list from = at;
                for (int d = at.size - Spatial; d < at.size; ++d) {
                    const auto last = in.type().size(d) - 1;
                    auto& i = from[d];
                    i -= padding_before(pad, at.size, d);
                    if (i < 0) i = Reflects ? -i : 0;
                    if (i > last) i = Reflects ? 2 * last - i : last;
                }
                out.put(at, in[from]);
            });
        });
    }
};

/// reflection_pad1d(Tensor self, SymInt[2] padding)
struct reflection_pad1d : edge_padding<1, true> {
    static constexpr std::string_view name = "aten.reflection_pad1d.default";
};
/// reflection_pad2d(Tensor self, SymInt[4] padding)
struct reflection_pad2d : edge_padding<2, true> {
    static constexpr std::string_view name = "aten.reflection_pad2d.default";
};
/// reflection_pad3d(Tensor self, SymInt[6] padding)
struct reflection_pad3d : edge_padding<3, true> {
    static constexpr std::string_view name = "aten.reflection_pad3d.default";
};
/// replication_pad1d(Tensor self, SymInt[2] padding)
struct replication_pad1d : edge_padding<1, false> {
    static constexpr std::string_view name = "aten.replication_pad1d.default";
};
/// replication_pad2d(Tensor self, SymInt[4] padding)
struct replication_pad2d : edge_padding<2, false> {
    static constexpr std::string_view name = "aten.replication_pad2d.default";
};
/// replication_pad3d(Tensor self, SymInt[6] padding)
struct replication_pad3d : edge_padding<3, false> {
    static constexpr std::string_view name = "aten.replication_pad3d.default";
};

using pad_ops =
    op_list<constant_pad_nd, reflection_pad1d, reflection_pad2d, reflection_pad3d, replication_pad1d, replication_pad2d, replication_pad3d>;

} // namespace ahead::aten
