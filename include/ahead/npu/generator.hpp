// SPDX-License-Identifier: MIT
// Where random operators on the device draw from: a seed and an offset, two tensors in its memory. A launch that draws
// is given both and advances the offset in place, so a replay draws the next numbers, as a launch in its place would,
// and a new seed holds at once: nothing is baked into a graph.
//     npu::generator gen(npu, 5);
//     auto y = gen.launch(side, [](auto a) { return dropout(a, 0.5); }, x);      // an expression that draws
//     // a program that draws: behind its own inputs
//     auto z = side.launch(weights, image, gen.seed(), gen.offset());
// Invariant: two launches that draw from one generator come one behind the other; on two streams without an event
// between them that is a race, by name.
#pragma once
#include <ahead/npu/launch.hpp>

namespace AHEAD_NAMESPACE::npu {

struct generator_state {
    std::int64_t seed = 0;
    std::int64_t offset = 0; // numbers drawn so far, rounded up to 4 by each call
    friend bool operator==(const generator_state&, const generator_state&) = default;
};

/// Copies draw from the same state. One thread at a time uses it. Gone before its context.
class generator {
public:
    explicit generator(context& npu, std::int64_t seed = 0)
        : seed_(npu.to_device<i64<>>(std::array{seed})), offset_(npu.to_device<i64<>>(std::array{std::int64_t{0}})) {}

    /// What a launch that draws takes as its last two tensors.
    const tensor<i64<>>& seed() const { return seed_; }
    tensor<i64<>>& offset() { return offset_; }

    /// stream::launch of what draws: f is given the tensors `given`.
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

    /// The next launch, or replay, draws the first numbers of this seed. Waits for those that draw. Throws as
    /// set_state() does.
    void manual_seed(std::int64_t seed) { set_state({seed, 0}); }
    /// Throws call_is_illegal_in_capture while any graph is captured, and what the launches before it threw.
    void set_state(const generator_state& to) {
        check_no_capture("set_state");
        offset_.write(std::array{to.offset}); // waits for all that draw, so the second one cannot fail
        seed_.write(std::array{to.seed});
    }
    /// Waits for those that draw. Throws call_is_illegal_in_capture; tensor_has_no_value once a launch that drew from
    /// it has failed, until it is seeded.
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
