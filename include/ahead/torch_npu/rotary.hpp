// SPDX-License-Identifier: MIT
// torch_npu's rotary position embeddings: x * cos + rotated(x) * sin over the last dim, whose size is even.
#pragma once
#include <ahead/torch_npu/expansion.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

/// The elements that are rotated with each other: the two halves, or each even element and the next one.
enum class rotation { half, interleave };

namespace detail {

/// Checks that the cosines and sines broadcast to x and have its dtype.
constexpr bool check_rotated(infer_context& c, int x, int cos, int sin) {
    const auto& t = c.tensor(x);
    if (!check_floating(c, x) || !check_rank(c, x, 3, 4)) return false;
    if (t.size(t.rank - 1) % 2 != 0)
        return c.refuse(fault::split_sizes_do_not_add_up, "two halves of a last dim of even size", print(t));
    for (int i : {cos, sin})
        if (!check_same_dtype(c, i, x) || !check_broadcasts_to(c, i, sizes_of(t))) return false;
    return true;
}
/// element(index) is the input to rotate.
constexpr void evaluate_rotated(auto& c, int x, int cos, int sin, rotation how, std::int32_t result, auto element) {
    const auto cosines = c.input(cos, float{}), sines = c.input(sin, float{});
    const auto out = c.output(result, float{});
    const auto& t = c.tensor(x);
    const int last = t.rank - 1;
    const auto half = t.size(last) / 2;
    for_each_index(sizes_of(t), [&](const int_list& i) {
        auto partner = i;
        const bool is_first = how == rotation::half ? i[last] < half : i[last] % 2 == 0;
        const auto step = how == rotation::half ? half : 1;
        partner[last] += is_first ? step : -step;
        const double turned = is_first ? -element(partner) : element(partner);
        out.put(i, static_cast<float>(element(i) * static_cast<double>(cosines[broadcast_index(cosines.type(), i)]) +
                                      turned * static_cast<double>(sines[broadcast_index(sines.type(), i)])));
    });
}
constexpr void evaluate_rotated(auto& c, int x, int cos, int sin, rotation how, std::int32_t result = 0) {
    const auto in = c.input(x, float{});
    evaluate_rotated(c, x, cos, sin, how, result, [&](const int_list& i) { return static_cast<double>(in[i]); });
}

/// Reshapes the last dim to pairs, [.., D / 2, 2].
constexpr argument pairs_of(decompose_context& c, const argument& x) {
    if (!c.editor().ok()) return x;
    auto sizes = sizes_of(c.type_of(x));
    sizes[sizes.size - 1] /= 2;
    sizes.push_back(2);
    return c.call(reshape, {x, sizes});
}
inline constexpr std::int32_t calls_to_rotate = 13;
constexpr void expand_rotated(decompose_context& c, const argument& x, int cos, int sin, rotation how,
                              std::int32_t result = 0) {
    if (!c.editor().ok()) return;
    const auto sizes = sizes_of(c.type_of(x));
    const auto from = how == rotation::half ? x : pairs_of(c, x);
    if (!c.editor().ok()) return;
    const int dim = c.type_of(from).rank - 1;
    const auto size = c.type_of(from).size(dim);
    const auto negative = c.call("aten.neg.default", {part(c, from, dim, size / 2, size)});
    const auto first = part(c, from, dim, 0, size / 2);
    auto turned = c.call("aten.cat.default", {nodes({negative.node(), first.node()}), dim});
    if (how == rotation::interleave) turned = c.call(reshape, {turned, sizes});
    finish(c, c.call(add, {c.call(mul, {x, wide(c, cos)}), c.call(mul, {turned, wide(c, sin)})}), result);
}

} // namespace detail

/// npu_rotary_mul(Tensor self, Tensor r1, Tensor r2, str rotary_mode='half', Tensor? rotate=None): self * r1 +
/// rotated(self) * r2. self: rank 3 or 4; r1 and r2 broadcast to it. The matrix `rotate` is refused
struct npu_rotary_mul {
    static constexpr std::string_view name = "npu.npu_rotary_mul.default"sv;
    enum at : int { self, r1, r2, rotary_mode, rotate };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("r1", parameter_kind::tensor),
        required("r2", parameter_kind::tensor),
        one_of<rotation>(defaulted("rotary_mode", parameter_kind::string, argument_of_word<rotation::half>())),
        defaulted("rotate", parameter_kind::optional_tensor)};
    static constexpr std::int32_t most_calls = detail::calls_to_rotate;
    static constexpr bool infer(infer_context& c) {
        return refuse_given(c, at::rotate, "rotate") && detail::check_rotated(c, at::self, at::r1, at::r2) &&
               c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_rotated(c, at::self, at::r1, at::r2, c.template word<rotation>(at::rotary_mode));
    }
    static constexpr void expand(decompose_context& c) {
        detail::expand_rotated(c, wide(c, at::self), at::r1, at::r2, c.aten.template word<rotation>(at::rotary_mode));
    }
};

/// npu_interleave_rope(Tensor x, Tensor cos, Tensor sin): moves the even elements before the odd ones, then rotates by
/// halves. x: [B, N, S, D]; cos and sin broadcast to it
struct npu_interleave_rope {
    static constexpr std::string_view name = "npu.npu_interleave_rope.default"sv;
    enum at : int { x, cos, sin };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("cos", parameter_kind::tensor),
                                           required("sin", parameter_kind::tensor)};
    static constexpr std::int32_t most_calls = detail::calls_to_rotate + 3;
    static constexpr bool infer(infer_context& c) {
        return check_rank(c, at::x, 4, 4) && detail::check_rotated(c, at::x, at::cos, at::sin) &&
               c.result(like(c.tensor(at::x), c.tensor(at::x).type));
    }
    static constexpr void evaluate(auto& c) {
        const auto in = c.input(at::x, float{});
        const auto half = in.type().size(3) / 2;
        detail::evaluate_rotated(c, at::x, at::cos, at::sin, rotation::half, 0, [&](int_list i) {
            i[3] = i[3] < half ? 2 * i[3] : 2 * (i[3] - half) + 1;
            return static_cast<double>(in[i]);
        });
    }
    static constexpr void expand(decompose_context& c) {
        const auto apart = c.call("aten.transpose.int", {detail::pairs_of(c, wide(c, at::x)), -1, -2});
        const auto sorted = c.call(reshape, {apart, sizes_of(c.aten.tensor(at::x))});
        detail::expand_rotated(c, sorted, at::cos, at::sin, rotation::half);
    }
};

/// Layout of query and key in npu_apply_rotary_pos_emb; cosines and sines broadcast in every layout.
enum class rotated_layout { BSND, SBND, BNSD, TND };

/// npu_apply_rotary_pos_emb(Tensor query, Tensor key, Tensor cos, Tensor sin, str layout='BSND', str
/// rotary_mode='half'): both rotated. query and key: rank 3 or 4; cos and sin broadcast to both
struct npu_apply_rotary_pos_emb {
    static constexpr std::string_view name = "npu.npu_apply_rotary_pos_emb.default"sv;
    enum at : int { query, key, cos, sin, layout, rotary_mode };
    static constexpr parameter schema[] = {
        required("query", parameter_kind::tensor),
        required("key", parameter_kind::tensor),
        required("cos", parameter_kind::tensor),
        required("sin", parameter_kind::tensor),
        one_of<rotated_layout>(defaulted("layout", parameter_kind::string, argument_of_word<rotated_layout::BSND>())),
        one_of<rotation>(defaulted("rotary_mode", parameter_kind::string, argument_of_word<rotation::half>()))};
    static constexpr std::int32_t most_calls = 2 * detail::calls_to_rotate;
    static constexpr bool infer(infer_context& c) {
        const bool is_flat = c.template word<rotated_layout>(at::layout) == rotated_layout::TND;
        for (int i : {at::query, at::key})
            if (!check_rank(c, i, is_flat ? 3 : 4, is_flat ? 3 : 4) || !detail::check_rotated(c, i, at::cos, at::sin))
                return false;
        return c.results(2) && c.set(0, like(c.tensor(at::query), c.tensor(at::query).type)) &&
               c.set(1, like(c.tensor(at::key), c.tensor(at::key).type));
    }
    static constexpr void evaluate(auto& c) {
        for (int i : {at::query, at::key})
            detail::evaluate_rotated(c, i, at::cos, at::sin, c.template word<rotation>(at::rotary_mode), i);
    }
    static constexpr void expand(decompose_context& c) {
        for (int i : {at::query, at::key})
            if (c.is_result_used(i))
                detail::expand_rotated(c, wide(c, i), at::cos, at::sin, c.aten.template word<rotation>(at::rotary_mode),
                                       i);
    }
};

using rotary_ops = op_list<npu_rotary_mul, npu_interleave_rope, npu_apply_rotary_pos_emb>;

} // namespace ahead::torch_npu
