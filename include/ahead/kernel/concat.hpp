// SPDX-License-Identifier: MIT
// Concatenation: part after part is copied to its place, but for those that what computed them wrote there. What lies
// before the axis is looped over; from the axis on, a part is one block of the result. Called by program/lift.hpp;
// the key is in target/op/concat.hpp.
#pragma once
#include <ahead/kernel/copy.hpp>
#include <ahead/kernel/kernel_for.hpp>
#include <ahead/target/op/concat.hpp>

namespace AHEAD_NAMESPACE::npu::kernel {

namespace detail {

/// Dims [from, rank) of the copy.
constexpr target::copy_key dims_from(const target::copy_key& key, int from) {
    target::copy_key out{moved_as(key.type), 0, {}, {}};
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(key.rank); ++d) {
        out.sizes[static_cast<std::size_t>(out.rank)] = key.sizes[d];
        out.strides[static_cast<std::size_t>(out.rank++)] = key.strides[d];
    }
    return out;
}

template <class Call, int Part, int Dim, class T> inline void concat_part(const T* in, T* out) {
    constexpr const auto& key = Call::key;
    constexpr const auto& part = key.parts[Part];
    if constexpr (Dim == key.axis) {
        constexpr auto block = dims_from(part, Dim);
        copy<block>(in, out);
    } else {
        constexpr auto d = static_cast<std::size_t>(Dim);
        for (std::int64_t i = 0; i < part.sizes[d]; ++i)
            concat_part<Call, Part, Dim + 1>(in + i * part.strides[d], out + i * key.strides[d]);
    }
}

/// Of the result, where part `part` begins.
constexpr std::int64_t concat_offset(const target::concat_key& key, int part) {
    const auto axis = static_cast<std::size_t>(key.axis);
    std::int64_t before = 0;
    for (int k = 0; k < part; ++k) before += key.parts[static_cast<std::size_t>(k)].sizes[axis];
    return before * key.strides[axis];
}

} // namespace detail

/// Call::key is the target::concat_key. Semantics: aten.cat and aten.stack of tensors of one dtype.
template <class Call> inline void concat(const auto& at) {
    using T = element_t<moved_as(Call::key.parts[0].type)>;
    unroll<static_cast<int>(Call::key.count)>([&](auto k) __attribute__((always_inline)) {
        constexpr auto offset = detail::concat_offset(Call::key, k);
        const auto* part = at.template in<T>(k);
        auto* place = at.template out<T>() + offset;
        if (part != place) detail::concat_part<Call, k, 0>(part, place);
    });
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::concat> {
    template <class Call> static void run_call(const auto& at) { kernel::concat<Call>(at); }
};

} // namespace ahead::npu
