// SPDX-License-Identifier: MIT
// The kernels that a key may have, each as a function over the same tensors: what is measured against each other.
// Invariant: the first is the rule's; each of the others is a kernel of its own (target::is_alternative). Instantiated
// by sources that io/generate/write_tuning.hpp writes.
#pragma once
#include <ahead/kernel/convolution/convolution.hpp>
#include <ahead/kernel/product/matmul.hpp>
#include <ahead/target/choices.hpp>
#include <array>
#include <cstddef>

namespace AHEAD_NAMESPACE::tune {

/// What a kernel is run on: its operands, weights as they lie and as it packed them, bias or null, result, workspace.
struct tensors {
    const std::byte *x = nullptr, *weight = nullptr;
    std::byte* packed = nullptr; // weights as they lie, where nothing is packed
    const std::byte* bias = nullptr;
    std::byte *out = nullptr, *work = nullptr;

    template <class T> static const T* as(const std::byte* p) { return reinterpret_cast<const T*>(p); }
    template <class T> static T* as(std::byte* p) { return reinterpret_cast<T*>(p); }
};

/// A kernel. Sizes in bytes.
struct candidate {
    std::string_view choice;
    void (*pack)(const tensors&) = nullptr; // null: nothing is packed
    void (*run)(const tensors&) = nullptr;
    std::int64_t packed = 0, work = 0;
};
/// A key and all of its kernels. Sizes in elements.
struct tuned_key {
    target::key_text text;
    dtype type = dtype::f32;
    std::int64_t x = 0, weight = 0, bias = 0, out = 0;
    array_view<const candidate> kernels;
};

namespace detail {

/// Elements that a strided matrix reaches.
constexpr std::int64_t reach(std::int64_t rows, std::int64_t columns, std::int64_t row, std::int64_t column) {
    return rows == 0 || columns == 0 ? 0 : (rows - 1) * row + (columns - 1) * column + 1;
}
template <target::matmul_key Key> candidate candidate_of() {
    using T = element_t<Key.type>;
    candidate out;
    if constexpr (Key.packed) {
        out.packed = bytes_of(Key.type, target::packed_elements(Key));
        out.pack = [](const tensors& t) {
            npu::kernel::pack_matmul<Key>(tensors::as<T>(t.weight), tensors::as<T>(t.packed));
        };
    }
    out.work = static_cast<std::int64_t>(target::workspace_bytes(Key));
    out.run = [](const tensors& t) {
        npu::kernel::matmul<Key>(tensors::as<T>(t.x), tensors::as<const T>(t.packed), tensors::as<T>(t.bias),
                                 tensors::as<T>(t.out), t.work);
    };
    return out;
}
template <target::batch_matmul_key Key> candidate candidate_of() {
    using T = element_t<Key.product.type>;
    candidate out;
    out.work = static_cast<std::int64_t>(target::workspace_bytes(Key.product));
    out.run = [](const tensors& t) {
        npu::kernel::batch_matmul<Key>(tensors::as<T>(t.x), tensors::as<const T>(t.packed), tensors::as<T>(t.out),
                                       t.work);
    };
    return out;
}
template <target::convolution_key Key> candidate candidate_of() {
    using T = element_t<Key.type>;
    candidate out;
    out.packed = bytes_of(Key.type, target::packed_elements(Key));
    out.pack = [](const tensors& t) {
        npu::kernel::pack_convolution<Key>(tensors::as<T>(t.weight), tensors::as<T>(t.packed));
    };
    out.work = static_cast<std::int64_t>(target::workspace_bytes(Key));
    out.run = [](const tensors& t) {
        npu::kernel::convolution<Key>(tensors::as<T>(t.x), tensors::as<const T>(t.packed), tensors::as<T>(t.bias),
                                      tensors::as<T>(t.out), t.work);
    };
    return out;
}

constexpr void set_sizes(tuned_key& out, const target::matmul_key& key) {
    out.type = key.type;
    out.x = reach(key.m, key.k, key.a_row, key.a_col);
    out.weight = reach(key.k, key.n, key.b_row, key.b_col);
    out.bias = key.bias ? reach(key.m, key.n, key.bias_row, key.bias_col) : 0;
    out.out = key.m * key.n;
}
constexpr void set_sizes(tuned_key& out, const target::batch_matmul_key& key) {
    set_sizes(out, key.product);
    out.x += (key.batch - 1) * key.a_step;
    out.weight += (key.batch - 1) * key.b_step;
    out.out *= key.batch;
}
constexpr void set_sizes(tuned_key& out, const target::convolution_key& key) {
    out.type = key.type;
    out.x = key.batch * key.in_channels * key.in_h * key.in_w;
    out.weight = key.out_channels * target::channels_per_group(key) * key.kernel_h * key.kernel_w;
    out.bias = key.bias ? key.out_channels : 0;
    out.out = key.batch * key.out_channels * target::out_pixels(key);
}

template <auto Key, auto Choice> constexpr auto chosen() {
    auto key = Key;
    target::choice_in(key) = Choice;
    return key;
}
template <auto Key> struct kernels_of {
    using key_type = std::remove_cvref_t<decltype(Key)>;
    using choice = std::remove_cvref_t<decltype(target::choice_in(std::declval<key_type&>()))>;
    static constexpr auto names = target::names_of(choice{});
    static constexpr bool is_candidate(std::size_t i) {
        return i == 0 || target::is_alternative(Key, static_cast<choice>(i));
    }
    static constexpr std::size_t count = [] {
        std::size_t out = 0;
        for (std::size_t i = 0; i < names.size(); ++i) out += is_candidate(i);
        return out;
    }();
    static inline const std::array<candidate, count> all = [] {
        std::array<candidate, count> out;
        std::size_t next = 0;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const auto add = [&]<std::size_t At>() {
                if constexpr (is_candidate(At)) {
                    out[next] = candidate_of<chosen<Key, static_cast<choice>(At)>()>();
                    out[next++].choice = names[At];
                }
            };
            (add.template operator()<I>(), ...);
        }(std::make_index_sequence<names.size()>{});
        return out;
    }();
};

} // namespace detail

/// Key, of Op's calls, with its kernels.
template <class Op, auto Key> tuned_key tuned() {
    tuned_key out;
    out.text = target::text_of_key<Op>(Key);
    detail::set_sizes(out, Key);
    out.kernels = {detail::kernels_of<Key>::all.data(), detail::kernels_of<Key>::count};
    return out;
}

} // namespace ahead::tune
