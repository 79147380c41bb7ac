// SPDX-License-Identifier: MIT
// Gradient operators of training graphs that have not been decomposed, expressed by other operators.
// Source: aten/src/ATen/native/cpu/Activation.cpp, BinaryOpsKernel.cpp, Loss.cpp, ReflectionPad.cpp,
// ReplicationPadding.cpp, AveragePool3d.cpp, DilatedMaxPool3d.cpp, EmbeddingBag.cpp; torch/_decomp/decompositions.py.
#pragma once
#include <ahead/legalize/composite/losses.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::detail::composite {

/// law(gradient, x), computed in f32 for f16 and bf16, and rounded once.
constexpr term rounded_once(auto& c, auto law) {
    const auto type = c["self"].type().type;
    const auto wide = [&](const term& x) { return is_half(type) ? c.converted(x, dtype::f32) : x; };
    return c.converted(law(wide(c["grad_output"]), wide(c["self"])), type);
}
constexpr term one_minus(const term& x) { return x.call("aten.rsub.Scalar", {x, 1}); }
/// e^x / (e^x + 1)
constexpr term odds_as_share(const term& x) {
    const auto odds = x.call("aten.exp.default", {x});
    return odds / (odds + 1);
}

constexpr term softplus_backward(auto& c) {
    return rounded_once(c, [&](const term& g, const term& x) {
        const auto scaled = x * c["beta"];
        return where(c("aten.gt.Scalar", {scaled, c["threshold"]}), g, g * odds_as_share(scaled));
    });
}
constexpr term mish_backward(auto& c) {
    return rounded_once(c, [&](const term& g, const term& x) {
        const auto t = c("aten.tanh.default", {c("aten.softplus.default", {x})});
        return g * (t + x * c("aten.sigmoid.default", {x}) * one_minus(t * t));
    });
}
/// The sigmoid of -x.
constexpr term log_sigmoid_backward(auto& c) {
    return rounded_once(c, [&](const term& g, const term& x) {
        const auto share = odds_as_share(-c("aten.abs.default", {x}));
        return g * where(c("aten.lt.Scalar", {x, 0}), one_minus(share), share);
    });
}
/// 1 / (x (1 - x)); 0 outside of [eps, 1 - eps], NaN outside of [0, 1].
constexpr term logit_backward(auto& c) {
    return rounded_once(c, [&](const term& g, const term& x) {
        const double low = c.has("eps") ? c.number("eps") : 0;
        const auto within =
            c("aten.logical_and.default", {c("aten.ge.Scalar", {x, low}), c("aten.le.Scalar", {x, 1 - low})});
        return where(within, g / (x * one_minus(x)), c.has("eps") ? 0.0 : std::numeric_limits<double>::quiet_NaN());
    });
}
constexpr term prelu_kernel_backward(auto& c) {
    const auto g = c["grad_output"], x = c["self"], kept = c("aten.gt.Scalar", {x, 0});
    c.give(0, 2, where(kept, g, c["weight"] * g));
    c.give(1, 2, where(c("aten.logical_not.default", {kept}), x * g, 0));
    return {};
}

/// The gradient of a two-operand loss with respect to self: slope(x, target), divided by the element count for a mean.
constexpr term gradient_of_loss(auto& c, auto slope) {
    const auto made = c["grad_output"] * slope(c["self"], c["target"]);
    return c.integer("reduction") == 1 ? made / static_cast<double>(element_count(c["self"].type())) : made;
}
constexpr term huber_loss_backward(auto& c) {
    const auto delta = c.number("delta");
    return gradient_of_loss(c, [&](const term& x, const term& y) {
        return c("aten.clamp.default", {x - y, -delta, delta});
    });
}
constexpr term smooth_l1_loss_backward(auto& c) {
    const auto beta = c.number("beta");
    return gradient_of_loss(c, [&](const term& x, const term& y) {
        if (beta != 0) return c("aten.clamp.default", {(x - y) / beta, -1.0, 1.0});
        return c("aten.where.ScalarOther", {c("aten.gt.Tensor", {x, y}), (x - y) * 0 + 1, -1.0});
    });
}
constexpr term soft_margin_loss_backward(auto& c) {
    return gradient_of_loss(c, [&](const term& x, const term& y) { return -y * odds_as_share(-y * x); });
}
constexpr term binary_cross_entropy_backward(auto& c) {
    return gradient_of_loss(c, [&](const term& x, const term& y) {
        const auto slope = (x - y) / c("aten.clamp_min.default", {one_minus(x) * x, 1e-12});
        return c.has("weight") ? slope * c["weight"] : slope;
    });
}
/// Views [N, C, H, W] as rows of classes.
constexpr term nll_loss2d_backward(auto& c) {
    const auto sizes = sizes_of(c["self"].type());
    if (sizes.size != 4) return c.refuse(fault::rank_is_wrong, "rank 4", short_text() << sizes.size);
    const auto flat = [&](const term& x) {
        return x.type().rank == 0 ? x : c("aten.reshape.default", {x, int_list{-1}});
    };
    const auto places = c("aten.permute.default", {c["self"], int_list{0, 2, 3, 1}});
    const auto rows = c("aten.reshape.default", {places, int_list{-1, sizes[1]}});
    const auto made =
        c("aten.nll_loss_backward.default", {flat(c["grad_output"]), rows, flat(c["target"]), c["weight"],
                                             c.integer("reduction"), c.integer("ignore_index"), c["total_weight"]});
    const auto back = c("aten.view.default", {made, int_list{sizes[0], sizes[2], sizes[3], sizes[1]}});
    return c("aten.contiguous.default", {c("aten.permute.default", {back, int_list{0, 3, 1, 2}})});
}

/// Adds each border element's gradient to the element it was copied from, one dim after the other.
template <bool Reflects> constexpr term padding_backward(auto& c) {
    auto g = c["grad_output"];
    const auto pad = c.ints("padding");
    const auto type = c["self"].type();
    for (int k = 0; 2 * k + 1 < pad.size && k < type.rank; ++k) {
        const int dim = type.rank - 1 - k;
        if (pad[2 * k] == 0 && pad[2 * k + 1] == 0) continue;
        const auto last = type.size(dim) - 1;
        auto from = c("aten.arange.default", {g.size(dim)}) - pad[2 * k];
        if (Reflects) {
            const auto behind = c("aten.rsub.Scalar", {c("aten.abs.default", {from}), last});
            from = c("aten.rsub.Scalar", {c("aten.abs.default", {behind}), last});
        } else {
            from = c("aten.clamp.default", {from, 0, last});
        }
        auto sizes = sizes_of(g.type());
        sizes[dim] = type.size(dim);
        g = c("aten.index_add.default", {c.full(sizes, 0, type.type), dim, from, g});
    }
    return g;
}

/// Adds each gradient to the element of its plane or volume that its index selects.
template <int Spatial> constexpr term max_pool_backward(auto& c) {
    const auto type = c["self"].type();
    std::int64_t places = 1;
    for (int d = 0; d < Spatial && d < type.rank; ++d) places *= type.size(type.rank - 1 - d);
    const int_list rows{places == 0 ? 0 : element_count(type) / places, places};
    const auto flat = [&](const term& x) { return c("aten.reshape.default", {x, int_list{rows[0], -1}}); };
    const auto sums =
        c("aten.scatter_add.default", {c.full(rows, 0, type.type), 1, flat(c["indices"]), flat(c["grad_output"])});
    return c("aten.view.default", {sums, sizes_of(type)});
}

/// [windows, places]: the weight of each place in each window of an adaptive mean.
constexpr term window_shares(auto& c, std::int64_t places, std::int64_t windows, dtype type) {
    const auto starts = c("aten.arange.default", {windows}) * places;
    const auto bound = [&](std::int64_t more) {
        return c("aten.view.default", {c("aten.floor_divide.default", {starts + more, windows}), int_list{windows, 1}});
    };
    const auto first = bound(0), behind = bound(places + windows - 1), place = c("aten.arange.default", {places});
    const auto inside =
        c("aten.logical_and.default", {c("aten.ge.Tensor", {place, first}), c("aten.lt.Tensor", {place, behind})});
    return c.converted(inside, type) / c.converted(behind - first, type);
}
/// Multiplies by these weights along each dim.
constexpr term adaptive_avg_pool3d_backward(auto& c) {
    const auto rank = c["self"].type().rank;
    if (rank < 4 || rank != c["grad_output"].type().rank || element_count(c["grad_output"].type()) == 0)
        return c.refuse(fault::rank_is_wrong, "elements of rank 4 or 5, as self", print(c["grad_output"].type()));
    return rounded_once(c, [&](term g, const term& x) {
        for (std::int64_t d = -3; d < 0; ++d) {
            const auto shares = window_shares(c, x.size(d), g.size(d), x.type().type);
            const auto last = c("aten.transpose.int", {g, d, -1});
            g = c("aten.transpose.int", {c("aten.matmul.default", {last, shares}), d, -1});
        }
        return c("aten.contiguous.default", {g});
    });
}

/// Adds each gradient, divided by the number of averaged elements, to all places of its window.
constexpr term avg_pool3d_backward(auto& c) {
    const auto type = c["self"].type();
    const auto three = [](const int_list& given) {
        return given.size == 1 ? int_list{given[0], given[0], given[0]} : given;
    };
    const auto kernel = three(c.ints("kernel_size")), padding = three(c.ints("padding"));
    const auto stride = c.ints("stride").size == 0 ? kernel : three(c.ints("stride"));
    if (type.rank < 4 || kernel.size != 3 || stride.size != 3 || padding.size != 3)
        return c.refuse(fault::rank_is_wrong, "rank 4 or 5", short_text() << type.rank);
    int_list in{1, 1}, out{-1, 1}, crop;
    for (int d = 0; d < 3; ++d) {
        in.push_back(type.size(type.rank - 3 + d));
        out.push_back(c["grad_output"].size(d - 3));
    }
    const auto ones = c.full(in, 1, type.type);
    const auto pooled = [&](const call_argument& divisor) {
        return c("aten.avg_pool3d.default",
                 {ones, kernel, stride, padding, c.boolean("ceil_mode"), c.boolean("count_include_pad"), divisor});
    };
    const auto g = c("aten.reshape.default", {c["grad_output"], out});
    const auto share =
        c.has("divisor_override") ? g / c.number("divisor_override") : g * (pooled(argument{}) / pooled(1));
    const int_list none{0, 0, 0};
    const auto sums =
        c("aten.convolution.default", {share, c.full({1, 1, kernel[0], kernel[1], kernel[2]}, 1, type.type), argument{},
                                       stride, none, int_list{1, 1, 1}, true, none, 1});
    for (int d = 2; d >= 0; --d) {
        crop.push_back(-padding[d]);
        crop.push_back(in[2 + d] + padding[d] - sums.size(d - 3));
    }
    return c("aten.view.default", {c("aten.constant_pad_nd.default", {sums, crop}), sizes_of(type)});
}

/// Adds gradient rows to the rows of the weight that a bag used: all of them, averaged, or the maximum by column.
constexpr term embedding_bag_backward(auto& c) {
    const auto g = c["grad"], indices = c["indices"];
    const auto zeros = c.full({c.integer("num_weights"), g.size(1)}, 0, g.type().type);
    if (c.boolean("scale_grad_by_freq") || (c.takes("sparse") && c.boolean("sparse")))
        return c.refuse(fault::argument_has_wrong_kind, "scale_grad_by_freq=False, sparse=False", "True");
    const auto mode = c.integer("mode"); // 0 sum, 1 mean, 2 max
    const auto column = [&](const term& x) { return c("aten.unsqueeze.default", {x, 1}); };
    if (mode == 2) { // empty bags have no maximum
        const auto kept = where(column(c("aten.ne.Scalar", {c["bag_size"], 0})), g, 0);
        return c("aten.scatter_add.default", {zeros, 0, c["maximum_indices"], kept});
    }
    auto bags = c["offset2bag"]; // PyTorch omits it for some sums
    if (c.takes("offsets") && bags.size(0) != indices.size(0)) {
        const auto places = c("aten.unsqueeze.default", {c("aten.arange.default", {indices.size(0)}), 1});
        bags = c("aten.sum.dim_IntList", {c("aten.ge.Tensor", {places, c["offsets"]}), int_list{1}}) - 1;
    }
    auto rows = c("aten.index_select.default", {g, 0, bags});
    if (mode == 1)
        rows = rows / column(c.converted(c("aten.index_select.default", {c["bag_size"], 0, bags}), g.type().type));
    if (c.has("per_sample_weights")) rows = rows * column(c["per_sample_weights"]);
    if (c.integer("padding_idx") >= 0)
        rows = where(column(c("aten.ne.Scalar", {indices, c.integer("padding_idx")})), rows, 0);
    return c("aten.index_add.default", {zeros, 0, indices, rows});
}

} // namespace ahead::detail::composite
