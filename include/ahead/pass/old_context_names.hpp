// SPDX-License-Identifier: MIT
// The names that the functions of conversion and decomposition contexts had in 0.1, kept for one version. An empty base
// of convert_context and decompose_context; a function that the context does not have is an error only where it is
// called.
#pragma once
#include <ahead/ir/node.hpp>

namespace AHEAD_NAMESPACE::pass {

template <class Context> struct old_context_names {
    [[deprecated("it is called bind_result")]] constexpr auto finish(const argument& made, std::int32_t k = 0) {
        return self().bind_result(made, k);
    }
    [[deprecated("it is called bind_row_major")]] constexpr auto finish_row_major(argument made, std::int32_t k = 0) {
        return self().bind_row_major(made, k);
    }
    [[deprecated("it is called emit_ai_cpu_call")]] constexpr auto run_meaning() { return self().emit_ai_cpu_call(); }
    [[deprecated("it is called transposed_view")]] constexpr auto turned(const argument& of, std::int64_t d,
                                                                         std::int64_t e) {
        return self().transposed_view(of, d, e);
    }

private:
    constexpr Context& self() { return static_cast<Context&>(*this); }
};

} // namespace ahead::pass
