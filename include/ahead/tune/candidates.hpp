// SPDX-License-Identifier: MIT
// The kernels that a call may use, each as a function over the same tensors: the candidates that tuning compares.
// Invariant: the first is the rule's choice; each of the others is a distinct kernel (device::is_alternative); all
// apply the call's epilogue to their results. Instantiated by sources that generate/write_tuning.hpp writes.
#pragma once
#include <ahead/aot/task.hpp>
#include <ahead/device/choices.hpp>
#include <ahead/device/key/epilogue.hpp>
#include <ahead/kernels/eigen/products.hpp>
#include <ahead/kernels/eigen/rows.hpp>
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
    device::operand_sizes sizes;
    std::array<std::int64_t, device::max_epilogue_operands> others{};
    array_view<const candidate> kernels;
};

namespace detail {

constexpr std::int64_t elements_of(device::epilogue_reading read, const device::operand_sizes& sizes) {
    return read == device::epilogue_reading::place    ? sizes.out
           : read == device::epilogue_reading::column ? sizes.columns
                                                      : 1;
}

template <device::matmul_key Key, class T> void pack(const T* from, T* to) { kernels::pack_matmul<Key>(from, to); }
template <device::convolution_key Key, class T> void pack(const T* from, T* to) {
    kernels::pack_convolution<Key>(from, to);
}

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
    constexpr device::operand_sizes sizes = op::operands(key);
    candidate out;
    if constexpr (sizes.packed > 0) {
        using T = element_t<sizes.type>;
        out.packed = bytes_of(sizes.type, sizes.packed);
        out.pack = [](const tensors& t) {
            pack<Call::key>(reinterpret_cast<const T*>(t.weight), reinterpret_cast<T*>(t.packed));
        };
    }
    if constexpr (requires { op::workspace(key); }) out.work = op::workspace(key);
    out.run = [](const tensors& t) {
        constexpr device::operand_sizes of = op::operands(Call::key);
        kernels::ports<3 + device::max_epilogue_operands, 1> at{{t.x}, {t.out}, t.work};
        std::size_t given = 1;
        if constexpr (of.weight > 0) at.inputs[given++] = t.packed;
        if constexpr (of.bias > 0) at.inputs[given++] = t.bias;
        std::copy(t.others.begin(), t.others.end(), at.inputs.begin() + given);
        runtime::run_on<Call>(at);
    };
    return out;
}

template <class Call> struct kernels_of {
    using key_type = std::remove_cvref_t<decltype(Call::key)>;
    using choice = std::remove_cvref_t<decltype(device::choice_in(std::declval<key_type&>()))>;
    static constexpr auto names = names_of(choice{});
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
    out.sizes = Call::op::operands(Call::key);
    for (std::size_t i = 0; i < static_cast<std::size_t>(Call::epilogue.operands); ++i)
        out.others[i] = detail::elements_of(Call::epilogue.read[i], out.sizes);
    out.kernels = {detail::kernels_of<Call>::all.data(), detail::kernels_of<Call>::count};
    return out;
}

} // namespace ahead::tune
