// SPDX-License-Identifier: MIT
// Calls of blocks: each block is a program, Call::held<number>, which runs on the task's operands and writes its
// results.
// Invariant: the predicate is read when the task runs; no state is kept between runs. Called by
// runtime/launch/instantiate_kernels.hpp.
#pragma once
#include <ahead/device/blocks/cond.hpp>
#include <ahead/device/blocks/prepare_block.hpp>
#include <ahead/device/blocks/scan.hpp>
#include <ahead/device/blocks/while_loop.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <cstring>

namespace AHEAD_NAMESPACE::kernels {

template <class Call, int At> using block_at = typename Call::template held<Call::key.arguments[At].bits>;
/// The number of a task's operands that precede the constants of its blocks.
template <class Ports, class... Blocks>
inline constexpr std::size_t given_before_constants =
    std::tuple_size_v<decltype(Ports::inputs)> - (std::size_t{Blocks::has_constants} + ... + 0);
/// The constants of block number Place, which follow the `given` first operands; null if it has none.
template <std::size_t Place, class... Blocks>
const std::byte* constants_of(const auto& at, [[maybe_unused]] std::size_t given) {
    constexpr bool has[] = {Blocks::has_constants...};
    constexpr auto before = [] {
        std::size_t count = 0;
        for (std::size_t i = 0; i < Place; ++i) count += has[i];
        return count;
    }();
    if constexpr (has[Place]) return at.inputs[given + before];
    else return nullptr;
}
template <class Ports> inline constexpr std::size_t results_of = std::tuple_size_v<decltype(Ports::outputs)>;

/// Initializes the first results with the first operands, which have the same types.
template <class Block, std::size_t Carried> void begin_carried(const auto& at) {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        (std::memcpy(at.outputs[K], at.inputs[K],
                     static_cast<std::size_t>(Block::template input_bytes<static_cast<std::int32_t>(K)>())),
         ...);
    }(std::make_index_sequence<Carried>{});
}

template <> struct kernel_for<device::prepare_block> {
    static constexpr bool refuses = true;
    template <class Call> static bool run_call(const auto& at, diagnosis& d) {
        using own = kernels::block_at<Call, device::prepare_block::block>;
        return own::prepare(at.inputs.data(), at.outputs[0], at.workspace, d);
    }
};

template <> struct kernel_for<device::cond> {
    static constexpr bool refuses = true;
    template <class Call> static bool run_call(const auto& at, diagnosis& d) {
        using ports = std::remove_cvref_t<decltype(at)>;
        using yes = kernels::block_at<Call, device::cond::yes>;
        using no = kernels::block_at<Call, device::cond::no>;
        constexpr auto given = kernels::given_before_constants<ports, yes, no>, results = kernels::results_of<ports>;
        std::array<const std::byte*, given + results> externals{}; // one more than needed, in place of the predicate
        for (std::size_t i = 1; i < given; ++i) externals[i - 1] = at.inputs[i];
        for (std::size_t k = 0; k < results; ++k) externals[given - 1 + k] = at.outputs[k];
        if (*at.template in<bool>(0))
            return yes::run(externals.data(), kernels::constants_of<0, yes, no>(at, given), at.workspace, d);
        return no::run(externals.data(), kernels::constants_of<1, yes, no>(at, given), at.workspace, d);
    }
};

template <> struct kernel_for<device::while_loop> {
    static constexpr bool refuses = true;
    template <class Call> static bool run_call(const auto& at, diagnosis& d) {
        using op = device::while_loop;
        using ports = std::remove_cvref_t<decltype(at)>;
        using test = kernels::block_at<Call, op::test>;
        using body = kernels::block_at<Call, op::body>;
        constexpr auto given = kernels::given_before_constants<ports, test, body>, carried = kernels::results_of<ports>;
        constexpr auto bound = Call::key.arguments[op::bound].bits;
        kernels::begin_carried<body, carried>(at);
        std::array<const std::byte*, given + 1> externals{}; // for the test; those of the body are a prefix
        for (std::size_t k = 0; k < carried; ++k) externals[k] = at.outputs[k];
        for (std::size_t i = carried; i < given; ++i) externals[i] = at.inputs[i];
        const auto* flag = at.workspace + Call::key.arguments[op::flag].bits;
        externals[given] = flag;
        const auto* of_test = kernels::constants_of<0, test, body>(at, given);
        const auto* of_body = kernels::constants_of<1, test, body>(at, given);
        for (std::int64_t round = 0;; ++round) {
            if (!test::run(externals.data(), of_test, at.workspace, d)) return false;
            if (!*reinterpret_cast<const bool*>(flag)) return true;
            if (round == bound)
                return refuse(d, fault::loop_exceeds_bound, short_text("at most ") << bound << " rounds",
                              "another one");
            if (!body::run(externals.data(), of_body, at.workspace, d)) return false;
        }
    }
};

template <> struct kernel_for<device::scan> {
    static constexpr bool refuses = true;
    template <class Call> static bool run_call(const auto& at, diagnosis& d) {
        using op = device::scan;
        using ports = std::remove_cvref_t<decltype(at)>;
        using combine = kernels::block_at<Call, op::combine>;
        constexpr auto given = kernels::given_before_constants<ports, combine>, results = kernels::results_of<ports>;
        constexpr auto carried = static_cast<std::size_t>(Call::key.arguments[op::carried].bits);
        constexpr auto sliced = static_cast<std::size_t>(Call::key.arguments[op::sliced].bits);
        kernels::begin_carried<combine, carried>(at);
        std::array<const std::byte*, given + results - carried + 1> externals{};
        for (std::size_t k = 0; k < carried; ++k) externals[k] = at.outputs[k];
        for (std::size_t i = carried; i < given; ++i) externals[i] = at.inputs[i];
        for (std::size_t k = carried; k < results; ++k) externals[given + k - carried] = at.outputs[k];
        const auto* constants = kernels::constants_of<0, combine>(at, given);
        constexpr auto step_of = [](const tensor_type& type) { return bytes_of(type.type, type.stride(0)); };
        for (std::int64_t step = 0; step < Call::key.arguments[op::steps].bits; ++step) {
            if (!combine::run(externals.data(), constants, at.workspace, d)) return false;
            for (std::size_t i = carried; i < carried + sliced; ++i) externals[i] += step_of(Call::key.operands[i]);
            for (std::size_t k = carried; k < results; ++k)
                externals[given + k - carried] += step_of(Call::key.results[k]);
        }
        return true;
    }
};

} // namespace ahead::kernels
