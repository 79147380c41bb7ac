// SPDX-License-Identifier: MIT
// Converters of aten/normalise/softmax.hpp: npu.softmax of rows. A dim other than the last is made the last by a copy,
// and the result is copied back.
#pragma once
#include <ahead/aten/normalise/softmax.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/softmax.hpp>

namespace AHEAD_NAMESPACE::convert {

template <class Op, bool Logarithm> struct softmax {
    using op = Op;
    using supported =
        cases<support<f32<3, 7>, integer<1>, flag<false>>, support<f64<2, 5, 3>, integer<-2>, flag<false>>,
              support<f32<9>, integer<0>, flag<false>>, support<f32<4, 2>, integer<0>, flag<false>>>;
    static constexpr bool convert(convert_context& c) {
        const auto& t = c.aten.tensor(op::at::self);
        const auto& out = c.aten.result_type();
        if (t.type != out.type || element_count(t) == 0) return c.emit_ai_cpu_call();
        const int last = t.rank - 1;
        const auto dim = wrapped_dim(c.aten.integer(op::at::dim), t.rank);
        const auto along_last = [&](const argument& rows, std::int64_t count) {
            return c.create<device::softmax>({rows, argument::of(count), argument::of(Logarithm), {}});
        };
        if (t.rank < 2 || dim == last)
            return c.bind_result(along_last(c.contiguous(c.operand(op::at::self)), t.rank > 0 ? t.size(last) : 1));
        const auto turned = [&](const argument& whole) { return c.contiguous(c.transposed_view(whole, dim, last)); };
        return c.bind_result(turned(along_last(turned(c.operand(op::at::self)), t.size(dim))));
    }
};

using softmax_converters = converter_list<softmax<aten::softmax, false>, softmax<aten::log_softmax, true>>;

} // namespace ahead::convert
