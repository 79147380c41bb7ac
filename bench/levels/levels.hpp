// SPDX-License-Identifier: MIT
// What a written program's header says, as values. In standard C++ alone, as that is: nothing that is compiled for this
// machine is inline here.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct tensor {
    std::size_t bytes;
    bool is_f32, is_row; // of one dim at most
};
struct model {
    std::vector<tensor> inputs, weights;
    std::size_t constant_bytes, arena_bytes, scratch_bytes;
    bool (*prepare)(const void* const*, void*, void*);
    void (*reset)(const void*, void*);
    bool (*run)(const void* const*, const void*, void*);
};
struct model_pair {
    std::string name;
    model native, levels;
};
inline std::vector<model_pair>& pairs() {
    static std::vector<model_pair> all;
    return all;
}

template <std::size_t Count> std::span<const void* const, Count> as_many(const void* const* from) { return std::span<const void* const, Count>(from, Count); }
inline std::vector<tensor> tensors_of(const auto& ports) {
    std::vector<tensor> out;
    for (const auto& p : ports) {
        const std::string_view type = p.type;
        out.push_back({p.bytes, type.starts_with("f32["), type.find(',') == std::string_view::npos});
    }
    return out;
}

} // namespace bench
