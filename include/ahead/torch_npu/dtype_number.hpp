// SPDX-License-Identifier: MIT
// torch_npu's schemas pass dtypes as torch's dtype numbers. Quantised dtypes map to their underlying integers.
// Source: c10/core/ScalarType.h.
#pragma once
#include <ahead/torch_npu/expansion.hpp>
#include <optional>

namespace AHEAD_NAMESPACE::torch_npu {

/// The dtype of a number; none for a dtype that this library does not have.
constexpr std::optional<dtype> dtype_of_number(std::int64_t number) {
    switch (number) {
    case 0: return dtype::u8;
    case 1: return dtype::i8;
    case 2: return dtype::i16;
    case 3: return dtype::i32;
    case 4: return dtype::i64;
    case 5: return dtype::f16;
    case 6: return dtype::f32;
    case 7: return dtype::f64;
    case 11: return dtype::b8;
    case 12: return dtype::i8;  // qint8
    case 13: return dtype::u8;  // quint8
    case 14: return dtype::i32; // qint32
    case 15: return dtype::bf16;
    default: return {};
    }
}
/// Reads the dtype from parameter i; `otherwise` if it is not given. Refuses dtypes that `fits` rejects.
constexpr bool read_dtype(infer_context& c, int i, dtype otherwise, dtype& out, bool (*fits)(dtype),
                          std::string_view expected) {
    const auto said = c.is_given(i) ? dtype_of_number(c.integer(i)) : otherwise;
    if (!said || !fits(*said))
        return c.refuse(fault::dtype_is_unsupported, expected, short_text("dtype ") << c.integer(i));
    out = *said;
    return true;
}

} // namespace ahead::torch_npu
