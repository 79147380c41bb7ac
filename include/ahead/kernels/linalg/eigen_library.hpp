// SPDX-License-Identifier: MIT
// Eigen's dense decompositions, and matrices in a kernel's workspace. Called by the kernels of this folder.
// Invariant: the kernels allocate nothing: the objects of Eigen have room for all that they keep, and are in the
// workspace of the plan.
// Eigen's functions have the same names in builds for different machines, and those of decompositions are not inlined:
// objects for several instruction sets that are linked into one program must not include this.
#pragma once
#include <ahead/core/build.hpp>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized" // gcc.gnu.org/PR105593: AVX-512 intrinsics of g++ 12
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#if !defined(EIGEN_USE_AVX512_TRSM_KERNELS)
#define EIGEN_USE_AVX512_TRSM_KERNELS 0 // those of Eigen 5 allocate
#endif
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Householder>
#include <Eigen/SVD>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>

namespace AHEAD_NAMESPACE::kernels::detail {

using matrix_map = Eigen::Map<Eigen::MatrixXd>; // column-major
using vector_map = Eigen::Map<Eigen::VectorXd>;
/// At most Room rows and columns, stored in the object.
template <int Room>
using small_matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, Room, Room>;

/// The parts of a workspace, each aligned for a vector.
class workspace_parts {
public:
    explicit workspace_parts(std::byte* first) : next_(first) {}
    double* doubles(std::int64_t count) {
        auto* const out = reinterpret_cast<double*>(next_);
        next_ += (count * 8 + 63) / 64 * 64;
        return out;
    }
    matrix_map matrix(std::int64_t rows, std::int64_t columns) { return {doubles(rows * columns), rows, columns}; }
    std::byte* rest() const { return next_; }

private:
    std::byte* next_;
};

/// Reads a row-major matrix. Returns whether all of its elements are finite.
template <class T> inline bool read_rows(const T* x, matrix_map& to) {
    bool is_finite = true;
    for (std::int64_t i = 0; i < to.rows(); ++i)
        for (std::int64_t k = 0; k < to.cols(); ++k) {
            to(i, k) = static_cast<double>(*x++);
            is_finite = is_finite && std::isfinite(to(i, k));
        }
    return is_finite;
}
/// Writes a column-major matrix.
template <class T> inline void write_columns(const auto& from, T* out) {
    for (std::int64_t k = 0; k < from.cols(); ++k)
        for (std::int64_t i = 0; i < from.rows(); ++i) *out++ = static_cast<T>(from(i, k));
}
template <class T> inline void write_nan(T* out, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) out[i] = std::numeric_limits<T>::quiet_NaN();
}

} // namespace ahead::kernels::detail
