// SPDX-License-Identifier: MIT
// An operator of a user's own, which files of reject/ share, so that each has only its own mistake. Included with <>: files that are compiled at once
// are in namespaces, and this header comes before them.
#pragma once
#include <ahead/convert/convert.hpp>
#include <ahead/ir/infer.hpp>

namespace own {

struct twice {
    static constexpr std::string_view name = "my.twice.default";
    static constexpr ahead::parameter schema[] = {ahead::required("self", ahead::parameter_kind::tensor)};
    static constexpr bool infer(ahead::infer_context& c) { return c.result(c.tensor(0)); }
};
template <class Device> struct convert_relu {
    using op = ahead::aten::relu;
    static constexpr bool convert(ahead::convert_context& c) { return c.bind_result(c.create<Device>({c.operand(0)})); }
};
struct kernel_of_twice {
    template <auto Key> static void run(const auto& at) {
        for (std::int64_t i = 0; i < Key; ++i) at.template out<float>()[i] = 2 * at.template in<float>(0)[i];
    }
};

} // namespace own
