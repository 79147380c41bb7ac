// SPDX-License-Identifier: MIT
// Softmax, layer norm and reductions on Eigen's arrays. Sums are computed in f64 and rounded once.
// Invariant: as in kernels/softmax.hpp, kernels/layer_norm.hpp and kernels/reduce.hpp; nothing is allocated.
// Called by those files for keys with the choice `eigen`.
#pragma once
#include <ahead/kernels/vector/packets.hpp> // before <Eigen/Core>: without warnings of g++ 12 about AVX-512 (PR105593)

#include <Eigen/Core>
#include <ahead/device/layer_norm.hpp>
#include <ahead/device/reduce.hpp>
#include <ahead/device/softmax.hpp>
#include <ahead/kernels/eigen_kernels.hpp>
#include <ahead/kernels/nest.hpp>
#include <bit>
#include <cmath>
#include <limits>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {
template <class T> using eigen_row = Eigen::Map<Eigen::Array<T, 1, Eigen::Dynamic>>;
template <class T> using const_eigen_row = Eigen::Map<const Eigen::Array<T, 1, Eigen::Dynamic>>;
} // namespace detail

template <device::softmax_key Key> struct eigen_kernel<Key> {
    template <class T> static void run(const T* x, T* out) {
        for (std::int64_t r = 0; r < Key.rows; ++r) {
            const detail::const_eigen_row<T> from(x + r * Key.count, Key.count);
            detail::eigen_row<T> to(out + r * Key.count, Key.count);
            auto largest = from.template maxCoeff<Eigen::PropagateNaN>();
            if (Key.safe && largest == -std::numeric_limits<T>::infinity()) largest = std::numeric_limits<T>::lowest();
            if constexpr (Key.logarithm) {
                const double sum = (from - largest).exp().template cast<double>().sum();
                to = (from - largest) - static_cast<T>(std::log(sum));
            } else {
                to = (from - largest).exp();
                const double sum = to.template cast<double>().sum();
                to *= Key.safe && sum == 0 ? T(0) : static_cast<T>(1 / sum);
            }
        }
    }
};

template <device::layer_norm_key Key> struct eigen_kernel<Key> {
    template <class T>
    static void run(const T* x, [[maybe_unused]] const T* weight, [[maybe_unused]] const T* bias, T* out,
                    [[maybe_unused]] T* mean, [[maybe_unused]] T* rstd) {
        constexpr auto eps = std::bit_cast<double>(Key.eps_bits);
        for (std::int64_t r = 0; r < Key.rows; ++r) {
            const auto from = detail::const_eigen_row<T>(x + r * Key.count, Key.count).template cast<double>();
            detail::eigen_row<T> to(out + r * Key.count, Key.count);
            const double middle = from.mean(), variance = (from - middle).square().mean();
            const double scale = 1 / std::sqrt(variance + eps);
            to = ((from - middle) * scale).template cast<T>();
            if constexpr (Key.weight) to *= detail::const_eigen_row<T>(weight, Key.count);
            if constexpr (Key.bias) to += detail::const_eigen_row<T>(bias, Key.count);
            if constexpr (Key.statistics) mean[r] = static_cast<T>(middle), rstd[r] = static_cast<T>(scale);
        }
    }
};

template <device::reduce_key Key> struct eigen_kernel<Key> {
    template <class T> static void run(const T* x, T* out) {
        constexpr auto kept = device::merged(Key.kept), reduced = device::merged(Key.reduced);
        nest<kept>([&](const auto& at) { *out++ = reduce_one<reduced>(x + at[0]); });
    }

private:
    template <device::merged_dims Reduced, class T> static T reduce_one(const T* x) {
        using kind = device::reduction;
        constexpr auto count = device::innermost(Reduced);
        constexpr auto stride = Reduced.rank > 0 ? Reduced.strides[0][std::max(1, Reduced.rank) - 1] : 1;
        using row = Eigen::Map<const Eigen::Array<T, 1, Eigen::Dynamic>, Eigen::Unaligned, Eigen::InnerStride<>>;
        double sum = Key.kind == kind::product ? 1 : 0;
        constexpr T infinity = std::numeric_limits<T>::infinity();
        T most = Key.kind == kind::largest ? -infinity : infinity;
        nest<Reduced, Reduced.rank - 1>([&](const auto& at) {
            const row from(x + at[0], count, Eigen::InnerStride<>(stride));
            if constexpr (Key.kind == kind::sum || Key.kind == kind::mean) sum += from.template cast<double>().sum();
            else if constexpr (Key.kind == kind::product) sum *= from.template cast<double>().prod();
            else if constexpr (Key.kind == kind::largest)
                most = joined(most, from.template maxCoeff<Eigen::PropagateNaN>(), [](T a, T b) { return a > b; });
            else most = joined(most, from.template minCoeff<Eigen::PropagateNaN>(), [](T a, T b) { return a < b; });
        });
        if constexpr (Key.kind == kind::mean) return static_cast<T>(sum / static_cast<double>(Reduced.elements()));
        else if constexpr (Key.kind == kind::sum || Key.kind == kind::product) return static_cast<T>(sum);
        else return most;
    }
    /// The better of the two; NaN if one is.
    template <class T> static T joined(T a, T b, auto is_better) {
        return std::isnan(a) || !(is_better(b, a) || std::isnan(b)) ? a : b;
    }
};

template <> struct has_eigen_kernel<device::softmax> {};
template <> struct has_eigen_kernel<device::layer_norm> {};
template <> struct has_eigen_kernel<device::reduce> {};

} // namespace ahead::kernels
