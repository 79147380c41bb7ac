// SPDX-License-Identifier: MIT
// A user's pointwise operator with more operands than a loop on the device has.
// expect: at most 3 operands
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/device/pointwise.hpp>

using namespace ahead;

#ifdef REJECT
inline constexpr int operands = 4;
#else
inline constexpr int operands = 3;
#endif
struct sum_of_all : aten::pointwise<operands, promotion::keep> {
    static constexpr std::string_view name = "my.sum_of_all.default";
    static constexpr auto schema = [] {
        std::array<parameter, operands> out{};
        constexpr std::string_view names[] = {"a", "b", "c", "d"};
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = required(names[i], parameter_kind::tensor);
        return out;
    }();
    template <class... T> static constexpr auto meaning(T... x) { return (x + ...); }
};
static_assert(device::pointwise<sum_of_all>::name == "npu.my.sum_of_all.default");
