// SPDX-License-Identifier: MIT
// The state of random operators on the device: a seed and an offset, two tensors in its memory. A launch that draws
// takes both and advances the offset in place. So a replay draws the next numbers, as a launch in its place would, and
// a new seed takes effect at once: no number is a constant of a graph.
//     npu::generator gen(npu, 5);
//     auto y = gen.launch(side, [](auto a) { return dropout(a, 0.5); }, x);      // an expression that draws
//     // a program that draws takes them after its own inputs
//     auto z = side.launch(weights, image, gen.seed(), gen.offset());
// Invariant: launches that draw from one generator must be ordered; on two streams without an event between them
// they are refused as a race (streams_race).
#pragma once
#include <ahead/npu/launch.hpp>

namespace AHEAD_NAMESPACE::npu {

struct generator_state {
    std::int64_t seed = 0;
    std::int64_t offset = 0; // numbers drawn so far; each call rounds up to 4
    friend bool operator==(const generator_state&, const generator_state&) = default;
};

/// Copies share the state. Used by one thread at a time. Destroyed before its context.
class generator {
public:
    explicit generator(context& npu, std::int64_t seed = 0)
        : seed_(npu.to_device<i64<>>(std::array{seed})), offset_(npu.to_device<i64<>>(std::array{std::int64_t{0}})) {}

    /// The last two tensors that a launch that draws takes.
    const tensor<i64<>>& seed() const { return seed_; }
    tensor<i64<>>& offset() { return offset_; }

    /// stream::launch of an expression that draws: f is given the tensors `given`.
    template <class F, class... Given> auto launch(const stream& on, F&& f, Given&&... given) {
        using what = detail::launched<std::remove_cvref_t<F>, std::remove_cvref_t<Given>...>;
        static_cast<void>(require<what>{});
        if constexpr (what::error.ok()) {
            using program = typename what::program;
            using checked = detail::launch_inputs<program, Given&&..., const tensor<i64<>>&, tensor<i64<>>&>;
            static_cast<void>(require<checked>{});
            if constexpr (checked::error.ok() && program::accepted)
                return detail::launch_program<program>(on, what::constants(f), what::states(f), given..., seed_,
                                                       offset_);
        }
    }

    /// The next launch or replay draws the first numbers of this seed. Waits for launches that draw. Throws as
    /// set_state() does.
    void manual_seed(std::int64_t seed) { set_state({seed, 0}); }
    /// Throws call_is_illegal_in_capture while any graph is captured, and what earlier launches threw.
    void set_state(const generator_state& to) {
        check_no_capture("set_state");
        offset_.write(std::array{to.offset}); // waits for all that draw, so that the second write cannot fail
        seed_.write(std::array{to.seed});
    }
    /// Waits for launches that draw. Throws call_is_illegal_in_capture; tensor_has_no_value after a launch that drew
    /// from the generator has failed, until it is seeded.
    generator_state get_state() const {
        check_no_capture("get_state");
        return {seed_.copy()[0], offset_.copy()[0]};
    }

private:
    tensor<i64<>> seed_, offset_;

    void check_no_capture(const short_text& op) const {
        if (seed_.memory().npu()->capturing())
            refuse_call(fault::call_is_illegal_in_capture, op, {}, "no capture underway", "one");
    }
};

} // namespace ahead::npu
