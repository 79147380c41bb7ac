// SPDX-License-Identifier: MIT
// _linalg_check_errors, which PyTorch calls after linalg_inv_ex and its like where the model calls linalg.inv.
// Source: aten/src/ATen/native/BatchLinearAlgebra.cpp.
#pragma once
#include <ahead/aten/linalg/factor.hpp>

namespace AHEAD_NAMESPACE::aten {

/// _linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> (): refuses the run if an element of info,
/// i32, is not 0, as the operators with check_errors do
struct linalg_check_errors {
    static constexpr std::string_view name = "aten._linalg_check_errors.default"sv;
    static constexpr effects effect{.has_side_effect = true, .picks_results = true};
    enum at : int { info, api_name, is_matrix };
    static constexpr parameter schema[] = {required("info", parameter_kind::tensor),
                                           required("api_name", parameter_kind::string),
                                           required("is_matrix", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::info);
        return t.type == dtype::i32 ? c.results(0) : c.refuse(fault::dtype_is_unsupported, "i32", print(t));
    }
    static constexpr void evaluate(auto& c) {
        const auto info = c.input(at::info, std::int32_t{});
        const bool is_cholesky = c.at(at::api_name).text.ends_with("cholesky");
        for_each_index(sizes_of(info.type()), [&](const int_list& of) {
            if (const auto place = info[of]; place == 0) return;
            else if (is_cholesky) detail::refuse_indefinite(c, place);
            else detail::refuse_singular(c, place);
        });
    }
};

using check_ops = op_list<linalg_check_errors>;

} // namespace ahead::aten
