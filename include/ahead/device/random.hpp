// SPDX-License-Identifier: MIT
// npu.random: random numbers as a function of a seed and an offset.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>
#include <bit>

namespace AHEAD_NAMESPACE::device {

enum class randomness : std::uint8_t {
    uniform,  ///< from `first` to `second`
    normal,   ///< of mean `first` and standard deviation `second`
    integers, ///< from `first` to `second` - 1
    shuffled, ///< 0 to count - 1, each once
};

/// Element i of out[count] is computed from number rng_offset + before + i; rng_offset is 0 if it is not given.
struct random_key {
    dtype type = dtype::f32;
    randomness kind = randomness::uniform;
    bool has_offset = false;
    std::int64_t before = 0, count = 0;
    std::int64_t first = 0, second = 0; // integers, or the bits of doubles
    friend constexpr bool operator==(const random_key&, const random_key&) = default;
};
AHEAD_FIELDS(random_key, type, kind, has_offset, before, count, first, second)

/// Ten rounds for every four numbers, or for every two of 64 bits; a logarithm, a sine and a cosine for two normal
/// numbers, and a remainder for each integer.
constexpr machine::work work_of(const random_key& key) {
    machine::work out;
    out.vector = {1, key.count, key.type == dtype::f32 ? 40 : 80, 0};
    if (key.kind == randomness::integers || key.kind == randomness::shuffled) out.scalar_steps = 24 * key.count;
    if (key.kind != randomness::normal) return out;
    if (key.type == dtype::f32) out.vector.steps += 80;
    else out.scalar_steps = 100 * key.count;
    return out;
}

/// npu.random(Tensor rng_seed, Tensor? rng_offset, int before, int kind, Scalar first, Scalar second, int[] size,
/// ScalarType dtype): seed and offset are i64 of rank 0; kind: a `randomness`. f32 or f64; integers are i64.
struct random {
    static constexpr std::string_view name = "npu.random"sv;
    enum at : int { rng_seed, rng_offset, before, kind, first, second, size, dtype };
    static constexpr parameter schema[] = {
        required("rng_seed", parameter_kind::tensor), required("rng_offset", parameter_kind::optional_tensor),
        required("before", parameter_kind::integer),  required("kind", parameter_kind::integer),
        required("first", parameter_kind::scalar),    required("second", parameter_kind::scalar),
        required("size", parameter_kind::int_list),   required("dtype", parameter_kind::dtype)};
    static constexpr bool infer(infer_context& c) { return c.result(tensor_of(c.type(at::dtype), c.ints(at::size))); }
    static constexpr random_key key(const call_view& c) {
        const auto kind = static_cast<randomness>(c.integer(at::kind));
        const auto bits = [&](int i) {
            return kind >= randomness::integers ? c.integer(i) : std::bit_cast<std::int64_t>(c.real(i));
        };
        return {c.type(at::dtype),
                kind,
                c.is_given(at::rng_offset),
                c.integer(at::before),
                element_count(c.result_type()),
                bits(at::first),
                bits(at::second)};
    }
};

} // namespace ahead::device
