// SPDX-License-Identifier: MIT
// Converters of cat and stack (aten/create/cat.hpp): npu.concat if all tensors have one dtype. Tensors that contribute
// no elements are left out.
#pragma once
#include <ahead/aten/create/cat.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/concat.hpp>

namespace AHEAD_NAMESPACE::convert {

template <class Op, bool NewDim> struct concat {
    using op = Op;
    using alike =
        cases<support<tensor_list<f32<2, 3>, f32<2, 3>>>, support<tensor_list<f64<3>, f64<3>, f64<3>>, integer<-1>>,
              support<tensor_list<i64<2, 1>, i64<2, 1>>, integer<1>>, support<tensor_list<b8<4>>>>;
    using unlike = cases<support<tensor_list<f32<2, 3>, f32<4, 3>>>,
                         support<tensor_list<f64<2, 1, 3>, f64<2, 4, 3>, f64<2, 2, 3>>, integer<-2>>,
                         support<tensor_list<f32<0>, f32<2, 2>, f32<2, 1>>, integer<1>>,
                         support<tensor_list<f32<1>, f32<2>, f32<1>, f32<1>, f32<1>, f32<1>, f32<1>, f32<1>, f32<1>,
                                             f32<1>, f32<1>, f32<1>, f32<1>, f32<1>, f32<1>, f32<3>, f32<1>>>,
                         support<tensor_list<strided<dtype::i64, ints<2, 3>, ints<1, 2>, 0>, i64<2, 2>>, integer<1>>>;
    using supported = std::conditional_t<NewDim, alike, unlike>;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        const auto& out = c.aten.result_type();
        fixed_buffer<argument> parts(c.aten.list_size(op::at::tensors));
        std::int64_t count = 0;
        for (std::int32_t k = 0; k < c.aten.list_size(op::at::tensors); ++k) {
            const auto& given = c.aten.element(op::at::tensors, k);
            const auto& type = c.aten.in().value_of(given).type;
            if (type.type != out.type) return c.emit_ai_cpu_call();
            if (!NewDim && aten::cat::is_nothing(type)) continue;
            parts[count++] = c.operand(given);
        }
        if (element_count(out) == 0) return c.emit_ai_cpu_call();
        const auto dim = argument::of(wrapped_dim(c.aten.integer(op::at::dim), out.rank));
        bool makes_dim = NewDim;
        const auto join = [&](std::int64_t from, std::int64_t size) {
            const array_view<const argument> some(parts.data() + from, static_cast<std::size_t>(size));
            return c.create_list<device::concat>(some, {dim, argument::of(makes_dim)});
        };
        // Too many parts for one call are joined in groups, then the groups are; remove_cat_ops makes all of them write
        // into one buffer.
        while (count > device::max_concat_parts) {
            std::int64_t groups = 0;
            for (std::int64_t from = 0; from < count; from += device::max_concat_parts) {
                const auto size = count - from < device::max_concat_parts ? count - from : device::max_concat_parts;
                parts[groups++] = size == 1 && !makes_dim ? parts[from] : join(from, size);
            }
            count = groups;
            makes_dim = false;
        }
        return c.bind_row_major(join(0, count));
    }
};

using concat_converters = converter_list<concat<aten::cat, false>, concat<aten::stack, true>>;

} // namespace ahead::convert
