// SPDX-License-Identifier: MIT
// Converters of aten/random/philox.hpp and inductor.hpp: random numbers that are a function of a seed become
// npu.random. multinomial, which may refuse a row, goes to the AI CPU.
#pragma once
#include <ahead/aten/random/inductor.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/cast.hpp>
#include <ahead/device/random.hpp>

namespace AHEAD_NAMESPACE::convert {

/// How a random tensor is drawn, and the offset of its first number.
struct random_source {
    device::randomness kind = device::randomness::uniform;
    argument seed{}, offset{};
    std::int64_t before = 0;
    argument first = argument::of(0.), second = argument::of(1.);
};

/// Floats without kernels are drawn as f32, as their meaning computes them.
constexpr bool convert_random(convert_context& c, const random_source& from) {
    const auto& wanted = c.aten.result_type();
    const auto drawn = from.kind >= device::randomness::integers ? dtype::i64
                       : wanted.type == dtype::f64               ? dtype::f64
                                                                 : dtype::f32;
    if (!is_dense(wanted) || !device::cast::takes(drawn, wanted.type)) return c.emit_ai_cpu_call();
    auto made = c.create<device::random>({from.seed, from.offset, argument::of(from.before),
                                          argument::of(static_cast<int>(from.kind)), from.first, from.second,
                                          c.list(sizes_of(wanted)), argument::of(drawn)});
    if (drawn != wanted.type) made = c.create<device::cast>({made, argument::of(wanted.type)});
    return c.bind_row_major(made);
}

template <class Op, device::randomness Kind> struct philox {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    using real_cases = cases<
        support<i64<>, i64<>, integer<4>, ints<9, 15>, ints<15, 1>, real<"0.0">, real<"1.0">, dtype_is<dtype::f32>>,
        support<i64<>, i64<>, integer<0>, ints<3, 50>, ints<1, 3>, real<"-1.5">, real<"2.0">, dtype_is<dtype::f64>>,
        support<i64<>, i64<>, integer<8>, ints<70>, ints<1>, real<"3.0">, real<"4.0">, dtype_is<dtype::bf16>>,
        support<i64<>, i64<>, integer<0>, ints<>, ints<>, real<"0.0">, real<"0.5">, dtype_is<dtype::f16>>,
        support<i64<>, i64<>, integer<0>, ints<0, 3>, ints<3, 1>, real<"0.0">, real<"1.0">, dtype_is<dtype::f32>>>;
    using integer_cases = cases<
        support<i64<>, i64<>, integer<4>, ints<9, 15>, ints<15, 1>, integer<-5>, integer<100>, dtype_is<dtype::i64>>,
        support<i64<>, i64<>, integer<0>, ints<3, 50>, ints<1, 3>, integer<0>, integer<3>, dtype_is<dtype::i8>>,
        support<i64<>, i64<>, integer<0>, ints<70>, ints<1>, integer<0>, integer<2>, dtype_is<dtype::b8>>,
        support<i64<>, i64<>, integer<0>, ints<70>, ints<1>, integer<0>, integer<300>, dtype_is<dtype::u8>>,
        support<i64<>, i64<>, integer<0>, ints<70>, ints<1>, integer<-3>, integer<90>, dtype_is<dtype::f32>>,
        support<i64<>, i64<>, integer<0>, ints<70>, ints<1>, integer<0>, integer<1>, dtype_is<dtype::i32>>>;
    using supported = std::conditional_t<Kind == device::randomness::integers, integer_cases, real_cases>;
    static constexpr bool convert(convert_context& c) {
        using at = typename Op::at;
        return convert_random(c, {Kind, c.operand(at::rng_seed), c.operand(at::rng_offset), c.aten.integer(at::before),
                                  c.aten.at(at::first), c.aten.at(at::second)});
    }
};

struct inductor_random {
    using op = aten::inductor_random;
    using supported = cases<support<ints<5, 33>, i64<>, word<"rand">>,
                            support<ints<130>, i64<>, word<"randn">, keyword<"offset", integer<7>>>>;
    static constexpr bool convert(convert_context& c) {
        const bool is_normal = c.aten.word<aten::inductor_mode>(op::at::mode) == aten::inductor_mode::randn;
        return convert_random(c, {.kind = is_normal ? device::randomness::normal : device::randomness::uniform,
                                  .seed = c.operand(op::at::seed),
                                  .before = c.aten.integer(op::at::offset)});
    }
};
struct inductor_randint {
    using op = aten::inductor_randint;
    using supported = cases<support<integer<-3>, integer<1000>, ints<5, 33>, i64<>>,
                            support<integer<0>, integer<1>, ints<130>, i64<>, keyword<"offset", integer<7>>>>;
    static constexpr bool convert(convert_context& c) {
        return convert_random(c, {.kind = device::randomness::integers,
                                  .seed = c.operand(op::at::seed),
                                  .before = c.aten.integer(op::at::offset),
                                  .first = c.aten.at(op::at::low),
                                  .second = c.aten.at(op::at::high)});
    }
};

struct randperm {
    using op = aten::philox_randperm;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<i64<>, i64<>, integer<4>, integer<77>, dtype_is<dtype::i64>>,
                            support<i64<>, i64<>, integer<0>, integer<9>, dtype_is<dtype::f16>>,
                            support<i64<>, i64<>, integer<0>, integer<0>, dtype_is<dtype::i32>>>;
    static constexpr bool convert(convert_context& c) {
        return convert_random(c, {.kind = device::randomness::shuffled,
                                  .seed = c.operand(op::at::rng_seed),
                                  .offset = c.operand(op::at::rng_offset),
                                  .before = c.aten.integer(op::at::before),
                                  .first = argument::of(0),
                                  .second = argument::of(0)});
    }
};

using random_converters = converter_list<
    philox<aten::philox_uniform, device::randomness::uniform>, philox<aten::philox_normal, device::randomness::normal>,
    philox<aten::philox_randint, device::randomness::integers>, randperm, inductor_random, inductor_randint>;

} // namespace ahead::convert
