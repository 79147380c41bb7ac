// Elements of an array as a tensor of the host.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/reference/host_tensor.hpp>

#include <array>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

template <class T, std::size_t Size>
inline host_tensor as_host(const tensor_type& type, const std::array<T, Size>& from) {
    host_tensor out(type);
    for (std::size_t i = 0; i < Size; ++i) out.data.put(static_cast<std::int64_t>(i), from[i]);
    return out;
}

} // namespace test
