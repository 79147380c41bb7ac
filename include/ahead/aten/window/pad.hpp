// SPDX-License-Identifier: MIT
// Padding. Lists start with the last dim: (left, right, top, bottom, ...); negative entries crop (constant_pad_nd
// only).
// Source: aten/src/ATen/native/PadNd.cpp, ReflectionPad.cpp, ReplicationPadding.cpp.
#pragma once
#include <ahead/aten/create/copy_elements.hpp>
#include <ahead/core/checked.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/type/memory_format.hpp>
#include <ahead/ir/walk.hpp>
#include <ahead/ir/words.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The paddings by dim: number of elements before and after.
struct paddings {
    int_list before, after;
};

/// The paddings in parameter `list`. pre: it has at most 2 entries per dim
constexpr paddings paddings_of(const auto& c, int list, int rank) {
    paddings out;
    for (int d = 0; d < rank; ++d) {
        const int pair = 2 * (rank - 1 - d);
        const bool is_given = pair + 1 < c.int_count(list);
        out.before.push_back(is_given ? c.int_at(list, pair) : 0);
        out.after.push_back(is_given ? c.int_at(list, pair + 1) : 0);
    }
    return out;
}

namespace detail {

/// Infers the padded tensor. Refuses a list of odd length, or for more dims than the tensor has.
constexpr bool infer_padded(infer_context& c, const tensor_type& x, int list, bool keeps_format = false) {
    if (c.int_count(list) % 2 != 0 || c.int_count(list) > 2 * x.rank)
        return c.refuse(fault::rank_is_wrong, "two paddings per dim", short_text() << c.int_count(list));
    const auto pad = paddings_of(c, list, x.rank);
    auto sizes = sizes_of(x);
    for (int d = 0; d < x.rank; ++d) {
        const auto size = sizes[d], before = pad.before[d], after = pad.after[d];
        sizes[d] = (checked_int(size) + before + after).get();
        if (before < -size || after < -size || sizes[d] < 0)
            return c.refuse(fault::padding_is_too_large, short_text() << "at most " << size << " cropped",
                            short_text() << (before < after ? before : after));
    }
    const auto out = tensor_of(x.type, sizes);
    return c.result(keeps_format ? in_format_of(x, out) : out);
}

} // namespace detail

/// constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0): images keep their memory format
struct constant_pad_nd {
    static constexpr std::string_view name = "aten.constant_pad_nd.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, pad, value };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("pad", parameter_kind::long_int_list),
                                           defaulted("value", parameter_kind::scalar, argument::of(0))};
    static constexpr bool infer(infer_context& c) { return detail::infer_padded(c, c.tensor(at::self), at::pad, true); }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            const auto pad = paddings_of(c, at::pad, in.type().rank);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                int_list from = at;
                bool inside = true;
                for (int d = 0; d < at.size; ++d) {
                    from[d] -= pad.before[d];
                    inside = inside && from[d] >= 0 && from[d] < in.type().size(d);
                }
                out.put(at, inside ? in[from] : c.number(at::value, as));
            });
        });
    }
};

namespace detail {

/// Type rule for padding the last `spatial` dims with the tensor's elements.
constexpr bool infer_edge_padding(infer_context& c, int self, int padding, int spatial, bool reflects) {
    const auto& x = c.tensor(self);
    if (x.rank != spatial + 1 && x.rank != spatial + 2)
        return c.refuse(fault::rank_is_wrong, short_text() << "rank " << spatial + 1 << " or " << spatial + 2,
                        print(x));
    if (c.int_count(padding) != 2 * spatial)
        return c.refuse(fault::rank_is_wrong, short_text() << 2 * spatial << " paddings",
                        short_text() << c.int_count(padding));
    for (int i = 0; i < 2 * spatial; ++i) {
        const auto size = x.size(x.rank - 1 - i / 2);
        if (reflects ? c.int_at(padding, i) >= size : size == 0)
            return c.refuse(fault::padding_is_too_large, short_text() << "less than " << size,
                            short_text() << c.int_at(padding, i));
    }
    return infer_padded(c, x, padding, spatial == 2);
}
/// Pads the last `Spatial` dims with the tensor's elements: reflected without the edge, or the edge replicated. Images
/// keep their memory format, volumes do not.
template <int Spatial, bool Reflects> struct edge_padding {
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, padding };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("padding", parameter_kind::long_int_list)};
    static constexpr bool infer(infer_context& c) {
        return infer_edge_padding(c, at::self, at::padding, Spatial, Reflects);
    }
    static constexpr void evaluate(auto& c) {
        const auto pad = paddings_of(c, at::padding, c.result_type().rank);
        gather_elements(c, [&](int_list from, const tensor_type& t) {
            for (int d = from.size - Spatial; d < from.size; ++d) {
                const auto last = t.size(d) - 1;
                auto& i = from[d];
                i -= pad.before[d];
                if (i < 0) i = Reflects ? -i : 0;
                if (i > last) i = Reflects ? 2 * last - i : last;
            }
            return from;
        });
    }
};

} // namespace detail

/// reflection_pad1d(Tensor self, SymInt[2] padding)
struct reflection_pad1d : detail::edge_padding<1, true> {
    static constexpr std::string_view name = "aten.reflection_pad1d.default"sv;
};

/// reflection_pad2d(Tensor self, SymInt[4] padding)
struct reflection_pad2d : detail::edge_padding<2, true> {
    static constexpr std::string_view name = "aten.reflection_pad2d.default"sv;
};

/// reflection_pad3d(Tensor self, SymInt[6] padding)
struct reflection_pad3d : detail::edge_padding<3, true> {
    static constexpr std::string_view name = "aten.reflection_pad3d.default"sv;
};

/// replication_pad1d(Tensor self, SymInt[2] padding)
struct replication_pad1d : detail::edge_padding<1, false> {
    static constexpr std::string_view name = "aten.replication_pad1d.default"sv;
};

/// replication_pad2d(Tensor self, SymInt[4] padding)
struct replication_pad2d : detail::edge_padding<2, false> {
    static constexpr std::string_view name = "aten.replication_pad2d.default"sv;
};

/// replication_pad3d(Tensor self, SymInt[6] padding)
struct replication_pad3d : detail::edge_padding<3, false> {
    static constexpr std::string_view name = "aten.replication_pad3d.default"sv;
};

/// The padding modes of pad.
enum class padding_word { constant, reflect, replicate, circular };

namespace schemas {
struct pad_by_word { // a separate struct, because a class cannot have an enumerator of its own name
    enum at : int { self, pad, mode, value };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("pad", parameter_kind::long_int_list),
        one_of<padding_word>(defaulted("mode", parameter_kind::string, argument_of_word<padding_word::constant>())),
        defaulted("value", parameter_kind::optional_real)};
};
} // namespace schemas

namespace detail {

/// The range of a dim of `size` elements that remains after negative paddings crop it.
struct kept_range {
    std::int64_t begin, count;
};
constexpr kept_range kept_by(const paddings& pad, int d, std::int64_t size) {
    const auto before = pad.before[d] < 0 ? -pad.before[d] : 0, after = pad.after[d] < 0 ? -pad.after[d] : 0;
    return {before, size - before - after};
}

} // namespace detail

/// pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None): pads with a constant, the reflected tensor,
/// its edge, or the tensor repeated circularly
struct pad : schemas::pad_by_word {
    static constexpr std::string_view name = "aten.pad.default"sv;
    static constexpr effects effect{.moves_elements = true};
    static constexpr bool infer(infer_context& c) {
        const auto& x = c.tensor(at::self);
        const auto mode = c.word<padding_word>(at::mode);
        if (mode == padding_word::constant) return detail::infer_padded(c, x, at::pad, true);
        if (c.is_given(at::value) && c.real(at::value) != 0)
            return c.refuse(fault::argument_is_unknown, "a value for mode constant only", "another mode");
        const bool reflects = mode == padding_word::reflect;
        const int count = c.int_count(at::pad);
        if (mode != padding_word::circular) switch (count) {
            case 2:
                return reflects ? detail::edge_padding<1, true>::infer(c) : detail::edge_padding<1, false>::infer(c);
            case 4:
                return reflects ? detail::edge_padding<2, true>::infer(c) : detail::edge_padding<2, false>::infer(c);
            case 6:
                return reflects ? detail::edge_padding<3, true>::infer(c) : detail::edge_padding<3, false>::infer(c);
            default: return c.refuse(fault::rank_is_wrong, "2, 4 or 6 paddings", short_text() << count);
            }
        if (count % 2 != 0 || count < 2 || count > 6 || (x.rank != count / 2 + 2 && x.rank != count / 2 + 1))
            return c.refuse(fault::rank_is_wrong, "two paddings for each dim but batch and channels, 6 at most",
                            short_text() << count << " for rank " << int(x.rank));
        if (!detail::infer_padded(c, x, at::pad)) return false;
        const auto by = paddings_of(c, at::pad, x.rank);
        for (int d = 0; d < x.rank; ++d) {
            const auto kept = detail::kept_by(by, d, x.size(d)).count;
            const auto most = by.before[d] > by.after[d] ? by.before[d] : by.after[d];
            if (most > kept)
                return c.refuse(fault::padding_is_too_large, short_text() << "at most " << kept, short_text() << most);
        }
        return true;
    }
    static constexpr void evaluate(auto& c) {
        const auto mode = c.template word<padding_word>(at::mode);
        const auto by = paddings_of(c, at::pad, c.result_type().rank);
        c.compute_any([&](auto as) {
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                auto from = at;
                bool inside = true;
                for (int d = 0; d < at.size; ++d) {
                    auto& i = from[d];
                    const auto last = in.type().size(d) - 1;
                    i -= by.before[d];
                    if (mode == padding_word::circular) {
                        const auto kept = detail::kept_by(by, d, last + 1);
                        i = kept.begin + (i - kept.begin + kept.count) % kept.count;
                    }
                    const bool reflects = mode == padding_word::reflect;
                    if (mode != padding_word::constant && i < 0) i = reflects ? -i : 0;
                    if (mode != padding_word::constant && i > last) i = reflects ? 2 * last - i : last;
                    inside = inside && i >= 0 && i <= last;
                }
                out.put(at, inside ? in[from] : c.is_given(at::value) ? c.number(at::value, as) : decltype(as){});
            });
        });
    }
};

using pad_ops = op_list<constant_pad_nd, pad, reflection_pad1d, reflection_pad2d, reflection_pad3d, replication_pad1d,
                        replication_pad2d, replication_pad3d>;

} // namespace ahead::aten
