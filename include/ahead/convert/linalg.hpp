// SPDX-License-Identifier: MIT
// Converters of aten/linalg/: matrices of up to device::most_decomposed rows and columns become npu.decompose; the AI
// CPU takes larger and empty ones.
#pragma once
#include <ahead/aten/linalg/eigen.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/copy.hpp>
#include <ahead/device/linalg/decompose.hpp>

namespace AHEAD_NAMESPACE::convert {

/// Whether the kernels take the matrices of this tensor.
constexpr bool are_decomposed(const tensor_type& t) {
    const auto rows = t.size(t.rank - 2), columns = t.size(t.rank - 1);
    return element_count(t) > 0 && rows <= device::most_decomposed && columns <= device::most_decomposed;
}

struct linalg_eigh {
    using op = aten::linalg_eigh;
    using supported =
        cases<support<f32<3, 3>>, support<f64<2, 3, 5, 5>, word<"U">>, support<f32<2, 9, 9>, word<"l">, flag<false>>,
              support<f32<1, 1>>, support<strided<dtype::f64, ints<6, 6>, ints<1, 6>, 0>>>;
    static constexpr bool convert(convert_context& c) {
        if (!are_decomposed(c.aten.tensor(op::at::A))) return c.emit_ai_cpu_call();
        const bool vectors = c.aten.boolean(op::at::compute_v) && c.is_result_used(1);
        auto made = c.create<device::decompose>(
            {c.contiguous(c.operand(op::at::A)), argument::of(static_cast<int>(device::decomposition::symmetric_eigen)),
             argument::of(op::reads_upper(c.aten.at(op::at::UPLO))), argument::of(vectors)});
        if (!c.bind_result(made)) return false;
        made.result = 1;
        return !vectors || c.bind_result(made, 1);
    }
};

using linalg_converters = converter_list<linalg_eigh>;

} // namespace ahead::convert
