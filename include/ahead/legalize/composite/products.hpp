// SPDX-License-Identifier: MIT
// Products and transforms that PyTorch composes from other operators.
// Source: aten/src/ATen/native/LinearAlgebra.cpp, SpectralOps.cpp, torch/_refs/fft.
#pragma once
#include <ahead/legalize/composite/shapes.hpp>

namespace AHEAD_NAMESPACE::detail::composite {

constexpr term vecdot(auto& c) {
    auto x = c["x"];
    if (is_complex(x.type().type)) x = c("aten._conj.default", {x});
    return c("aten.sum.dim_IntList", {x * c["y"], int_list{c.integer("dim")}});
}
/// Powers 0 to N - 1 of each element, in a new dim.
constexpr term vander(auto& c) {
    const auto x = with_dims(c["x"], 1);
    auto sizes = sizes_of(x.type());
    const auto count = c.has("N") ? c.integer("N") : x.size(-1);
    sizes.push_back(count - 1);
    const auto powers =
        c("aten.cumprod.default", {c("aten.expand.default", {c("aten.unsqueeze.default", {x, -1}), sizes}), -1});
    sizes[sizes.size - 1] = 1;
    return c("aten.cat.default", {nodes({c.full(sizes, 1, powers.type().type).value.node(), powers.value.node()}), -1});
}
/// A chain of products, from the right if the result has fewer columns than rows, otherwise from the left.
constexpr term multi_dot(auto& c) {
    const auto count = c.count("tensors");
    const auto first = with_dims(c.element("tensors", 0), 2);
    const auto end = c.element("tensors", count - 1);
    const bool is_row = c.element("tensors", 0).type().rank == 1, is_column = end.type().rank == 1;
    const auto last = is_column ? c("aten.unsqueeze.default", {end, 1}) : end;
    const auto at = [&](std::int32_t k) { return k == 0 ? first : k == count - 1 ? last : c.element("tensors", k); };
    const auto mm = [&](const term& x, const term& y) { return c("aten.mm.default", {x, y}); };
    auto out = at(0);
    const auto rows = first.size(0), columns = last.size(1);
    if (columns < rows) { // from the right
        out = at(count - 1);
        for (auto k = count - 2; k >= 0; --k) out = mm(at(k), out);
    } else
        for (std::int32_t k = 1; k < count; ++k) out = mm(out, at(k));
    int_list sizes;
    if (!is_row) sizes.push_back(rows);
    if (!is_column) sizes.push_back(columns);
    return sizes.size == 2 ? out : c("aten.view.default", {out, sizes});
}

/// The norm for the inverse transform.
constexpr argument other_norm(auto& c) {
    const auto norm = c.text("norm");
    if (norm == "ortho") return c["norm"].value;
    return {.kind = argument_kind::string, .text = norm == "forward" ? "backward" : "forward"};
}
constexpr term transformed(auto& c, std::string_view target, const term& x, bool of_planes) {
    call_argument dims, sizes;
    if (of_planes) dims = int_list{-2, -1};
    if (c.has("dim")) dims = c.ints("dim");
    if (c.has("s")) sizes = c.ints("s");
    return c(target, {x, sizes, dims, other_norm(c)});
}
/// The transform of one half of a symmetric spectrum: the real transform of its conjugate.
constexpr term hfft(auto& c, std::string_view target, bool of_planes) {
    const auto x = c["self"];
    return transformed(c, target, is_complex(x.type().type) ? c("aten._conj.default", {x}) : x, of_planes);
}
constexpr term ihfft(auto& c, std::string_view target, bool of_planes) {
    return c("aten._conj.default", {transformed(c, target, c["self"], of_planes)});
}
constexpr term hfft2(auto& c) { return hfft(c, "aten.fft_irfft2.default", true); }
constexpr term hfftn(auto& c) { return hfft(c, "aten.fft_irfftn.default", false); }
constexpr term ihfft2(auto& c) { return ihfft(c, "aten.fft_rfft2.default", true); }
constexpr term ihfftn(auto& c) { return ihfft(c, "aten.fft_rfftn.default", false); }

/// Transforms frames back, multiplies by the window, adds them where they overlap, and divides by the summed squared
/// windows.
constexpr term istft(auto& c) {
    auto x = c["self"];
    const bool is_batch = x.type().rank == 3;
    if (!is_batch) x = c("aten.unsqueeze.default", {x, 0});
    const auto size = c.integer("n_fft"), hop = c.has("hop_length") ? c.integer("hop_length") : size / 4,
               wide = c.has("win_length") ? c.integer("win_length") : size, frames = x.size(2);
    const bool one_sided = c.has("onesided") ? c.boolean("onesided") : x.size(1) != size;
    const auto real = part_of(x.type().type);
    auto window = c.has("window") ? c["window"] : c.full({wide}, 1, real);
    if (wide < size)
        window = c("aten.constant_pad_nd.default",
                   {window, int_list{(size - wide) / 2, size - wide - (size - wide) / 2}, 0});
    const argument norm{.kind = argument_kind::string, .text = c.boolean("normalized") ? "ortho" : "backward"};
    auto lines = c("aten.transpose.int", {x, 1, 2});
    lines = one_sided ? c("aten.fft_irfft.default", {lines, size, -1, norm})
                      : c("aten.fft_ifft.default", {lines, size, -1, norm});
    if (!one_sided && !c.boolean("return_complex")) lines = c("aten.real.default", {lines});
    const auto length = size + hop * (frames - 1);
    const auto added = [&](const term& of) { // converts [B, frames, size] to [B, length]
        const auto all =
            c("aten.col2im.default", {c("aten.transpose.int", {of, 1, 2}), int_list{1, length}, int_list{1, size},
                                      int_list{1, 1}, int_list{0, 0}, int_list{1, hop}});
        return c("aten.view.default", {all, int_list{of.size(0), length}});
    };
    const auto squared = c("aten.expand.default", {window * window, int_list{1, frames, size}});
    const auto start = c.boolean("center") ? size / 2 : 0;
    const auto asked = c.has("length") ? start + c.integer("length") : c.boolean("center") ? length - size / 2 : length;
    const auto end = asked < length ? asked : length;
    const auto inside = [&](const term& of) { return c("aten.slice.Tensor", {of, 1, start, end}); };
    auto out = inside(added(lines * window)) / inside(added(squared));
    if (asked > length) out = c("aten.constant_pad_nd.default", {out, int_list{0, asked - length}, 0});
    return is_batch ? out : c("aten.squeeze.dim", {out, 0});
}

/// Each element of x multiplied by the whole of y, as a block at its position.
constexpr term kron(auto& c) {
    const auto x = c["self"], y = c["other"];
    const int rank = x.type().rank > y.type().rank ? x.type().rank : y.type().rank;
    if (2 * rank > max_rank)
        return c.refuse(fault::rank_is_wrong, short_text("rank ") << max_rank / 2 << " at most", short_text() << rank);
    int_list left, right, both;
    for (int d = -rank; d < 0; ++d) {
        const auto of = [&](const term& t) { return d + t.type().rank < 0 ? std::int64_t{1} : t.size(d); };
        left.push_back(of(x));
        left.push_back(1);
        right.push_back(1);
        right.push_back(of(y));
        both.push_back((checked_int(of(x)) * of(y)).get());
    }
    return c("aten.reshape.default",
             {c("aten.reshape.default", {x, left}) * c("aten.reshape.default", {y, right}), both});
}

} // namespace ahead::detail::composite
