// SPDX-License-Identifier: MIT
// Matrix products and convolutions by Eigen's coefficient-wise product: the result is computed in tiles, and a
// convolution as the product of its filters and the columns that im2col copies.
// Invariant: an element is one sum along k, in the order of k; nothing is allocated. Which columns are computed in
// vectors depends on their numbers alone, so that parts of a product have the bits of the whole.
// Called by kernels/product/matmul.hpp and kernels/convolution/convolution.hpp for keys with the choice `eigen`.
#pragma once
#include <ahead/kernels/vector/packets.hpp> // before <Eigen/Core>: without warnings of g++ 12 about AVX-512 (PR105593)

#include <Eigen/Core>
#include <ahead/device/convolution.hpp>
#include <ahead/device/product/batch_matmul.hpp>
#include <ahead/kernels/eigen_kernels.hpp>
#include <ahead/kernels/epilogue.hpp>
#include <ahead/kernels/product/matmul_tiles.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// A strided matrix: by columns if its rows are adjacent, else by rows. Strides are run-time numbers, since Eigen takes
/// a constant stride of 0, which a broadcast dim has, for none.
template <class T, std::int64_t Row, std::int64_t Column>
auto eigen_matrix(const T* from, std::int64_t rows, std::int64_t columns) {
    constexpr bool by_columns = Row == 1 && Column != 1;
    using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, by_columns ? Eigen::ColMajor : Eigen::RowMajor>;
    if constexpr (by_columns || Column == 1) {
        return Eigen::Map<const matrix, Eigen::Unaligned, Eigen::OuterStride<>>(
            from, rows, columns, Eigen::OuterStride<>(by_columns ? Column : Row));
    } else {
        using stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
        return Eigen::Map<const matrix, Eigen::Unaligned, stride>(from, rows, columns, stride(Row, Column));
    }
}

inline constexpr std::int64_t eigen_rows = 8, eigen_columns = 64; // of a tile

/// Writes the first `count` sums of a row of a tile to `to`, or the result of `after` on them.
template <bool Along, class T, class After>
inline void store_sums(const T* sums, std::int64_t count, T* to, const After& after) {
    if constexpr (!After::exists) {
        std::copy(sums, sums + count, to);
    } else {
        constexpr int L = widest<T>;
        std::int64_t j = 0;
        const auto store = [&](auto some) {
            const simd<T, L> vector[1]{simd<T, L>::load(sums + j)};
            after.template store<Along, some()>(vector, to + j);
        };
        for (; j + L <= count; j += L) store(std::integral_constant<int, L>{});
        unroll<L>([&](auto rest) {
            if constexpr (rest > 0)
                if (rest == count - j) store(rest);
        });
    }
}

/// out = a * b + bias, or the result of `after` on that. bias(tile, i, j) adds the bias to the tile from row i and
/// column j on. Along: whether the epilogue's columns are those of b, otherwise the rows of a.
template <bool Along, class T, class After>
void eigen_product(const auto& a, const auto& b, auto bias, T* out, std::int64_t out_row, const After& after) {
    alignas(64) Eigen::Matrix<T, eigen_rows, eigen_columns, Eigen::RowMajor> sums;
    for (std::int64_t i = 0; i < a.rows(); i += eigen_rows) {
        const auto rows = std::min(eigen_rows, std::int64_t{a.rows()} - i);
        for (std::int64_t j = 0; j < b.cols(); j += eigen_columns) {
            const auto columns = std::min(eigen_columns, std::int64_t{b.cols()} - j);
            auto tile = sums.topLeftCorner(rows, columns);
            tile = a.middleRows(i, rows).lazyProduct(b.middleCols(j, columns));
            bias(tile, i, j);
            for (std::int64_t r = 0; r < rows; ++r)
                store_sums<Along>(sums.data() + r * eigen_columns, columns, out + (i + r) * out_row + j, after);
        }
    }
}

} // namespace detail

/// b: strided, or packed: its rows one after the other.
template <device::matmul_key Key> struct eigen_kernel<Key> {
    template <class T, class After, class Rows>
    static void run(const T* a, const T* b, const T* bias, T* out, After after, Rows rows) {
        const auto m = detail::count_rows<Key>(rows);
        const auto add_bias = [&](auto& tile, std::int64_t i, std::int64_t j) {
            if constexpr (Key.bias)
                tile += detail::eigen_matrix<T, Key.bias_row, Key.bias_col>(bias + i * Key.bias_row + j * Key.bias_col,
                                                                            tile.rows(), tile.cols());
        };
        constexpr auto b_row = Key.packed ? Key.n : Key.b_row, b_col = Key.packed ? 1 : Key.b_col;
        detail::eigen_product<true>(detail::eigen_matrix<T, Key.a_row, Key.a_col>(a, m, Key.k),
                                    detail::eigen_matrix<T, b_row, b_col>(b, Key.k, Key.n), add_bias, out,
                                    device::row_of_out(Key), after);
    }
};

/// One image and group: weights as they are; `columns` has room for device::im2col_pixels columns of the input.
template <device::convolution_key Key> struct eigen_kernel<Key> {
    template <class T, class After>
    static void run(const T* x, const T* weight, const T* bias, T* out, After after, T* columns) {
        constexpr auto filters = device::filters_per_group(Key), taps = Key.kernel_h * Key.kernel_w,
                       depth = device::channels_per_group(Key) * taps, pixels = device::out_pixels(Key);
        const auto add_bias = [&](auto& tile, std::int64_t i, std::int64_t) {
            if constexpr (Key.bias)
                tile.colwise() += Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>(bias + i, tile.rows());
        };
        const auto w = detail::eigen_matrix<T, depth, 1>(weight, filters, depth);
        for (std::int64_t first = 0; first < pixels; first += device::im2col_pixels) {
            const auto count = std::min(device::im2col_pixels, pixels - first);
            for (std::int64_t d = 0; d < depth; ++d)
                copy_column(x + d / taps * Key.in_h * Key.in_w, d % taps / Key.kernel_w, d % Key.kernel_w, first, count,
                            columns + d * device::im2col_pixels);
            detail::eigen_product<false>(w, detail::eigen_matrix<T, device::im2col_pixels, 1>(columns, depth, count),
                                         add_bias, out + first, pixels, after);
        }
    }

private:
    /// The elements of a plane that tap (h, w) meets for pixels [first, first + count); 0 in the padding.
    template <class T>
    static void copy_column(const T* plane, std::int64_t h, std::int64_t w, std::int64_t first, std::int64_t count,
                            T* to) {
        for (std::int64_t i = 0; i < count; ++i) {
            const auto y = (first + i) / device::out_w(Key), x = (first + i) % device::out_w(Key);
            const auto row = y * Key.stride_h - Key.pad_h + h * Key.dilation_h,
                       column = x * Key.stride_w - Key.pad_w + w * Key.dilation_w;
            to[i] = device::meets_input(Key, h, w, y, x) ? plane[row * Key.in_w + column] : T(0);
        }
    }
};

template <> struct has_eigen_kernel<device::matmul> {};
template <> struct has_eigen_kernel<device::batch_matmul> {};
template <> struct has_eigen_kernel<device::convolution> {};

} // namespace ahead::kernels
