// SPDX-License-Identifier: MIT
// Dropout: keeps elements with some probability, and divides them by it. Source: aten/src/ATen/native/Dropout.cpp.
#pragma once
#include <ahead/aten/random/inductor.hpp>

namespace AHEAD_NAMESPACE::aten {

/// native_dropout(Tensor input, float p, bool? train) -> (input * mask / (1 - p), mask); the mask is true with
/// probability 1 - p. Without training: (input, ones).
struct native_dropout {
    static constexpr std::string_view name = "aten.native_dropout.default"sv;
    enum at : int { input, p, train };
    static constexpr effects effect{.has_side_effect = true, .is_random = true, .random_where = at::train};
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("p", parameter_kind::real),
                                           required("train", parameter_kind::optional_boolean)};
    static constexpr bool trains(const auto& c) { return !c.is_given(at::train) || c.boolean(at::train); }
    static constexpr random_draw draw(const auto& c) {
        return {trains(c) ? distribution::dropout : distribution::none, c.at(at::p)};
    }
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::input);
        return check_draw(c, {distribution::dropout, c.at(at::p)}, t.type) && c.results(2) &&
               c.set(0, like(t, t.type)) && c.set(1, like(t, dtype::b8));
    }
    static constexpr void evaluate(auto& c) {
        const bool training = trains(c);
        auto numbers = training ? c.draw(element_count(c.result_type())) : random_numbers(0, 0);
        const double kept = 1 - c.real(at::p);
        std::int64_t next = 0;
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::input, as), out = c.output(0, as);
            const auto scale = math::convert<T>(kept > 0 ? 1 / kept : 0.);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                const bool keep = !training || numbers.template uniform<float>(next++) < static_cast<float>(kept);
                out.put(at, training ? in[at] * static_cast<T>(keep) * scale : in[at]);
                if (c.call().in()[c.call().id()].values.count > 1) c.output(1, bool{}).put(at, keep);
            });
        });
    }
};

/// dropout(Tensor input, float p, bool train) -> input * mask / (1 - p); the mask is true with probability 1 - p.
/// Without training: input.
struct dropout {
    static constexpr std::string_view name = "aten.dropout.default"sv;
    static constexpr effects effect = native_dropout::effect;
    enum at : int { input, p, train };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("p", parameter_kind::real),
                                           required("train", parameter_kind::boolean)};
    static constexpr random_draw draw(const auto& c) { return native_dropout::draw(c); }
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::input);
        if (!check_draw(c, {distribution::dropout, c.at(at::p)}, t.type)) return false;
        return native_dropout::trains(c) ? c.result(like(t, t.type)) : c.view_result(t, at::input);
    }
    static constexpr void evaluate(auto& c) { native_dropout::evaluate(c); }
};

using random_ops = join<drawing_ops, inductor_drawing_ops, op_list<native_dropout, dropout>>;

} // namespace ahead::aten
