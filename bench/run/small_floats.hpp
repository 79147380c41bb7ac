// SPDX-License-Identifier: MIT
// A product of 256 and a sum of a million in f16 and bf16, the product in i8, too, against the same in f32: whole
// numbers, which all of them have.
#pragma once
#include <ahead/ahead.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bench {

namespace small_floats {

inline constexpr std::size_t side = 256, many = 1 << 20;

template <class T> struct texts;
#define AHEAD_BENCH_TEXTS(element, dtype, product) \
    template <> struct texts<element> { \
        struct mm { \
            static constexpr std::string_view text = \
                "def forward(self, x: \"" dtype "[256, 256]\", y: \"" dtype "[256, 256]\"):\n" \
                "    z = torch.ops.aten." product ".default(x, y)\n    return (z,)\n"; \
        }; \
        struct add { \
            static constexpr std::string_view text = \
                "def forward(self, x: \"" dtype "[1048576]\", y: \"" dtype "[1048576]\"):\n" \
                "    z = torch.ops.aten.add.Tensor(x, y)\n    return (z,)\n"; \
        }; \
    }
AHEAD_BENCH_TEXTS(float, "f32", "mm");
AHEAD_BENCH_TEXTS(::ahead::float16, "f16", "mm");
AHEAD_BENCH_TEXTS(::ahead::bfloat16, "bf16", "mm");
AHEAD_BENCH_TEXTS(std::int8_t, "i8", "_int_mm");
#undef AHEAD_BENCH_TEXTS

template <class T, class Source, std::size_t Size> class subject_of {
    using program = ::ahead::compiled<::ahead::fx<Source>>;

public:
    explicit subject_of(int) : weights_(program::prepare()), run_(weights_), x_(Size), y_(Size) {
        for (std::size_t i = 0; i < Size; ++i) {
            x_[i] = T(static_cast<float>(i * 7 % 3) - 1);
            y_[i] = T(static_cast<float>(i * 5 % 3) - 1);
        }
    }
    void operator()() {
        const auto [z] = run_(std::span<const T, Size>(x_), std::span<const T, Size>(y_));
        output_ = z.data();
    }
    std::vector<float> outputs() const { return {output_, output_ + Size}; }

private:
    decltype(program::prepare()) weights_;
    typename program::session run_;
    std::vector<T> x_, y_;
    const std::conditional_t<std::is_integral_v<T>, std::int32_t, T>* output_ = nullptr;
};
template <class T> using product = subject_of<T, typename texts<T>::mm, side * side>;
template <class T> using sum = subject_of<T, typename texts<T>::add, many>;

} // namespace small_floats

} // namespace bench
