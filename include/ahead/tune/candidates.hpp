// SPDX-License-Identifier: MIT
// The kernels that a call may use, each as a function over the same tensors: the candidates that tuning compares.
// Invariant: the first is the rule's choice; each of the others is a distinct kernel (device::is_alternative); all
// apply the call's epilogue to their results. Instantiated by sources that generate/write_tuning.hpp writes.
#pragma once
#include <ahead/aot/task.hpp>
#include <ahead/device/choices.hpp>
#include <ahead/kernels/kernels.hpp>
#include <array>
#include <cstddef>

namespace AHEAD_NAMESPACE::tune {

/// The buffers that a kernel runs on: its operands, the weights in their original layout and packed by this kernel, the
/// bias, the epilogue's operands, the result, the workspace.
struct tensors {
    const std::byte *x = nullptr, *weight = nullptr;
    std::byte* packed = nullptr; // the weights in their original layout if the kernel packs nothing
    const std::byte* bias = nullptr;
    std::array<const std::byte*, device::max_epilogue_operands> others{};
    std::byte *out = nullptr, *work = nullptr;
};

/// One kernel. Sizes in bytes.
struct candidate {
    std::string_view choice;
    void (*pack)(const tensors&) = nullptr; // null: nothing is packed
    void (*run)(const tensors&) = nullptr;
    std::int64_t packed = 0, work = 0;
};
/// A key and all of its kernels. Sizes in elements; others: sizes of the epilogue's operands.
struct tuned_key {
    device::key_text text;
    dtype type = dtype::f32;
    std::int64_t x = 0, weight = 0, bias = 0, out = 0;
    std::array<std::int64_t, device::max_epilogue_operands> others{};
    array_view<const candidate> kernels;
};

namespace detail {

/// Number of elements that a strided matrix spans.
constexpr std::int64_t reach(std::int64_t rows, std::int64_t columns, std::int64_t row, std::int64_t column) {
    return rows == 0 || columns == 0 ? 0 : (rows - 1) * row + (columns - 1) * column + 1;
}
constexpr void set_sizes(tuned_key& out, const device::matmul_key& key) {
    out.type = key.type;
    out.x = reach(key.m, key.k, key.a_row, key.a_col);
    out.weight = reach(key.k, key.n, key.b_row, key.b_col);
    out.bias = key.bias ? reach(key.m, key.n, key.bias_row, key.bias_col) : 0;
    out.out = key.m * key.n;
}
constexpr void set_sizes(tuned_key& out, const device::batch_matmul_key& key) {
    set_sizes(out, key.product);
    const auto last = [&](std::int64_t step, std::int64_t outer) {
        return key.inner == 0 ? (key.batch - 1) * step : (key.inner - 1) * step + (key.batch / key.inner - 1) * outer;
    };
    out.x += last(key.a_step, key.a_outer);
    out.weight += last(key.b_step, key.b_outer);
    out.out *= key.batch;
}
constexpr void set_sizes(tuned_key& out, const device::convolution_key& key) {
    out.type = key.type;
    out.x = (key.batch - 1) * device::image_of_input(key) + key.in_channels * key.in_h * key.in_w;
    out.weight = key.out_channels * device::channels_per_group(key) * key.kernel_h * key.kernel_w;
    out.bias = key.bias ? key.out_channels : 0;
    out.out = key.batch * key.out_channels * device::out_pixels(key);
}

constexpr std::int64_t columns_of(const device::matmul_key& key) { return key.n; }
constexpr std::int64_t columns_of(const device::batch_matmul_key& key) { return key.product.n; }
constexpr std::int64_t columns_of(const device::convolution_key& key) { return key.out_channels; }
constexpr std::int64_t elements_of(device::epilogue_reading read, std::int64_t columns, std::int64_t all) {
    return read == device::epilogue_reading::place ? all : read == device::epilogue_reading::column ? columns : 1;
}

template <device::matmul_key Key, class T> void pack(const T* from, T* to) { kernels::pack_matmul<Key>(from, to); }
template <device::convolution_key Key, class T> void pack(const T* from, T* to) {
    kernels::pack_convolution<Key>(from, to);
}
constexpr std::int64_t elements_packed(const device::matmul_key& key) {
    return key.packed ? device::packed_elements(key) : 0;
}
constexpr std::int64_t elements_packed(const device::batch_matmul_key&) { return 0; }
constexpr std::int64_t elements_packed(const device::convolution_key& key) { return device::packed_elements(key); }

/// The call with the given choice of kernel.
template <class Call, auto Choice> struct chosen_call : Call {
    static constexpr auto key = [] {
        auto out = Call::key;
        device::choice_in(out) = Choice;
        return out;
    }();
};
template <class Call> candidate candidate_of() {
    using op = typename Call::op;
    constexpr auto key = Call::key;
    constexpr auto sizes = [] {
        tuned_key out;
        set_sizes(out, Call::key);
        return out;
    }();
    candidate out;
    if constexpr (constexpr auto packed = elements_packed(key); packed > 0) {
        using T = element_t<sizes.type>;
        out.packed = bytes_of(sizes.type, packed);
        out.pack = [](const tensors& t) {
            pack<Call::key>(reinterpret_cast<const T*>(t.weight), reinterpret_cast<T*>(t.packed));
        };
    }
    out.work = op::workspace(key);
    out.run = [](const tensors& t) {
        constexpr std::size_t given = sizes.bias > 0 ? 3 : 2;
        kernels::ports<given + device::max_epilogue_operands, 1> at{{t.x, t.packed}, {t.out}, t.work};
        if constexpr (given == 3) at.inputs[2] = t.bias;
        std::copy(t.others.begin(), t.others.end(), at.inputs.begin() + given);
        runtime::run_on<Call>(at);
    };
    return out;
}

template <class Call> struct kernels_of {
    using key_type = std::remove_cvref_t<decltype(Call::key)>;
    using choice = std::remove_cvref_t<decltype(device::choice_in(std::declval<key_type&>()))>;
    static constexpr auto names = device::names_of(choice{});
    static constexpr bool is_candidate(std::size_t i) {
        return i == 0 || device::is_alternative(Call::key, static_cast<choice>(i));
    }
    static constexpr std::size_t count = [] {
        std::size_t out = 0;
        for (std::size_t i = 0; i < names.size(); ++i) out += is_candidate(i);
        return out;
    }();
    static inline const std::array<candidate, count> all = [] {
        std::array<candidate, count> out;
        std::size_t next = 0;
        [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
            const auto add = [&]<std::size_t At>() {
                if constexpr (is_candidate(At)) {
                    out[next] = candidate_of<chosen_call<Call, static_cast<choice>(At)>>();
                    out[next++].choice = names[At];
                }
            };
            (add.template operator()<Nth>(), ...);
        }(std::make_index_sequence<names.size()>{});
        return out;
    }();
};

} // namespace detail

/// The key of a call (a written_call) with its kernels.
template <class Call> tuned_key tuned() {
    tuned_key out;
    out.text = device::text_of_key<typename Call::op>(Call::key);
    detail::set_sizes(out, Call::key);
    for (std::int32_t i = 0; i < Call::epilogue.operands; ++i) {
        const auto at = static_cast<std::size_t>(i);
        out.others[at] = detail::elements_of(Call::epilogue.read[at], detail::columns_of(Call::key), out.out);
    }
    out.kernels = {detail::kernels_of<Call>::all.data(), detail::kernels_of<Call>::count};
    return out;
}

} // namespace ahead::tune
