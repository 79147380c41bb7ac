// SPDX-License-Identifier: MIT
// torch.fft's transforms and torch.stft, as the three basic transforms.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// Converts the operand, cuts it and pads it with zeros; then calls _fft_c2c, _fft_r2c or _fft_c2r. The backward
/// spectrum of a real tensor is the conjugate of the forward one.
template <class Op> struct transform {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = max_rank + 5;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool when(const call_view& call) {
        const auto plan = Op::kind.plan_of(call);
        return plan.dims.size > 0 &&
               call.tensor(at::self).rank - first_filled(call.tensor(at::self), plan) <= max_rank / 2;
    }
    static constexpr void decompose(auto& c) {
        const auto& t = c.aten.tensor(at::self);
        const auto plan = Op::kind.plan_of(c.aten);
        const auto type = Op::kind.operand_type(t.type);
        const auto by = static_cast<std::int64_t>(plan.by);
        auto x = c.operand(at::self);
        if (type != t.type) x = c.call("prims.convert_element_type.default", {x, type});
        x = resized(c, x, plan);
        const auto conjugated = [&](const argument& of) { return c.call("aten._conj_physical.default", {of}); };
        if (Op::kind.gives == aten::fft_result::real) {
            if (Op::kind.is_forward) x = conjugated(x);
            return c.bind_result(c.call("aten._fft_c2r.default", {x, plan.dims, by, plan.last}));
        }
        if (is_complex(type))
            return c.bind_result(c.call("aten._fft_c2c.default", {x, plan.dims, by, Op::kind.is_forward}));
        x = c.call("aten._fft_r2c.default", {x, plan.dims, by, Op::kind.gives == aten::fft_result::half});
        c.bind_result(Op::kind.is_forward ? x : conjugated(x));
    }

private:
    /// The first dim that is padded; a list of paddings has two entries per dim, so it holds half as many dims.
    static constexpr int first_filled(const tensor_type& t, const aten::transform_plan& plan) {
        int d = 0;
        while (d < t.rank && plan.sizes[d] <= t.size(d)) ++d;
        return d;
    }
    static constexpr argument resized(decompose_context& c, argument x, const aten::transform_plan& plan) {
        const auto& t = c.aten.tensor(at::self);
        int_list added;
        for (int d = 0; d < t.rank; ++d)
            if (plan.sizes[d] < t.size(d)) x = c.call("aten.slice.Tensor", {x, d, 0, plan.sizes[d]});
        for (int d = t.rank - 1; d >= first_filled(t, plan); --d) {
            added.push_back(0);
            added.push_back(plan.sizes[d] > t.size(d) ? plan.sizes[d] - t.size(d) : 0);
        }
        return added.size > 0 ? c.call("aten.constant_pad_nd.default", {x, added}) : x;
    }
};

/// Views of the frames, times the window padded with zeros on both sides, transformed.
struct short_time {
    using op = aten::stft;
    using at = op::at;
    static constexpr std::int32_t most_calls = 8;
    static constexpr bool takes_any_dtype = true;
    static constexpr void decompose(auto& c) {
        const auto p = op::plan_of(c.aten);
        const int last = c.aten.tensor(at::self).rank; // of the frames
        auto x = c.call("aten.unfold.default", {c.operand(at::self), last - 1, p.n_fft, p.hop});
        if (c.aten.is_given(at::window) || p.window < p.n_fft) x = c.call(mul, {x, window(c, p)});
        const int_list dims{last};
        const auto by = static_cast<std::int64_t>(p.by);
        x = op::reads_complex(c.aten) ? c.call("aten._fft_c2c.default", {x, dims, by, true})
                                      : c.call("aten._fft_r2c.default", {x, dims, by, p.onesided});
        if (!p.gives_complex) x = c.call("aten.view_as_real.default", {x});
        c.bind_result(c.call("aten.transpose.int", {x, last - 1, last}));
    }

private:
    static constexpr argument window(decompose_context& c, const aten::short_time_plan& p) {
        auto w = c.aten.is_given(at::window) ? c.operand(at::window)
                                             : c.call("aten.full.default", {int_list{p.window}, 1.0});
        if (!c.aten.is_given(at::window) && p.type == dtype::c128)
            w = c.call("prims.convert_element_type.default", {w, dtype::f64});
        return p.window == p.n_fft ? w
                                   : c.call("aten.constant_pad_nd.default",
                                            {w, int_list{p.window_begin(), p.n_fft - p.window - p.window_begin()}});
    }
};

} // namespace ahead::decomposition
