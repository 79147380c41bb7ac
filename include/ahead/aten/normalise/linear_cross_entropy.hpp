// SPDX-License-Identifier: MIT
// F.linear_cross_entropy by chunks of the batch: cross entropy of scores that are a matrix product, without storing all
// scores at once. The chunk size and the accumulation dtype affect only rounding; here sums accumulate in double.
// Source: torch/nn/modules/linear_cross_entropy.py.
#pragma once
#include <ahead/aten/normalise/class_loss.hpp>
#include <ahead/aten/product/product.hpp>

namespace AHEAD_NAMESPACE::aten {

enum class linear_loss_reduction { mean, sum };

namespace detail {

/// The common part of both operators.
struct linear_loss {
    enum at : int { input, linear_weight, target, linear_bias, weight };
    /// Whether target has probabilities of all classes.
    static constexpr bool is_of_probabilities(const auto& c) { return is_floating(c.tensor(at::target).type); }
    static constexpr bool infer_operands(infer_context& c) {
        const auto &x = c.tensor(at::input), &w = c.tensor(at::linear_weight), &target = c.tensor(at::target);
        if (!is_floating(x.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(x));
        tensor_type scores;
        auto turned = w;
        if (w.rank == 2) turned = tensor_of(w.type, {w.size(1), w.size(0)});
        if (!infer_product(c, x, turned, scores)) return false;
        if (c.is_given(at::linear_bias) && !check_operand(c, c.tensor(at::linear_bias), tensor_of(w.type, {w.size(0)})))
            return false;
        if (!is_of_probabilities(c) && target.type != dtype::i64)
            return c.refuse(fault::dtype_is_unsupported, "classes of i64, or probabilities", print(target));
        const auto wanted = is_of_probabilities(c) ? scores : tensor_of(dtype::i64, {x.size(0)});
        return check_operand(c, target, wanted) && check_class_weight(c, at::weight, x, w.size(0));
    }
    /// Calls put(sample, its loss, the weight of its target), for each sample in order.
    static constexpr void for_each_loss(auto& c, std::int64_t ignored, auto put) {
        c.compute_real([&](auto as) {
            const auto x = c.input(at::input, as), w = c.input(at::linear_weight, as);
            const auto classes = w.type().size(0);
            const auto score = [&](std::int64_t sample, std::int64_t k) {
                double sum = sum_of_products<decltype(as)>(x, {sample, 0}, 1, w, {k, 0}, 1);
                if (c.is_given(at::linear_bias)) sum += static_cast<double>(c.input(at::linear_bias, as)[{k}]);
                return sum;
            };
            for (std::int64_t sample = 0; sample < x.type().size(0); ++sample) {
                std::int64_t own = -1;
                if (!is_of_probabilities(c)) {
                    const auto given = c.input(at::target, std::int64_t{})[{sample}];
                    if (given == ignored) {
                        put(sample, 0.0, 0.0);
                        continue;
                    }
                    const auto which = c.index(given, classes);
                    if (!which) return;
                    own = *which;
                }
                double largest = -math::detail::infinity, sum = 0, loss = 0;
                for (std::int64_t k = 0; k < classes; ++k)
                    if (const double s = score(sample, k); s > largest || math::isnan(s)) largest = s;
                for (std::int64_t k = 0; k < classes; ++k) sum += math::exp(score(sample, k) - largest);
                largest += math::log(sum);
                for (std::int64_t k = 0; k < classes; ++k) {
                    double share = k == own;
                    if (own < 0) share = static_cast<double>(c.input(at::target, as)[{sample, k}]);
                    if (share != 0) loss -= (score(sample, k) - largest) * share * class_weight(c, at::weight, k);
                }
                put(sample, loss, own < 0 ? 1.0 : class_weight(c, at::weight, own));
            }
        });
    }
};

} // namespace detail

/// torch_nn::_linear_cross_entropy_batch_chunked(Tensor input, Tensor linear_weight, Tensor target, Tensor?
/// linear_bias, Tensor? weight, str reduction, int ignore_index, float label_smoothing, int batch_chunk_size, str
/// acc_policy, ScalarType acc_dtype, bool allow_retain_graph, bool compute_input_grad, bool compute_linear_weight_grad,
/// bool compute_linear_bias_grad): the mean or sum of the losses of [N, D] and [C, D]; results 1 to 3, the gradients,
/// are empty; a call that requests gradients is refused
struct linear_cross_entropy : detail::linear_loss {
    static constexpr std::string_view name = "torch_nn._linear_cross_entropy_batch_chunked.default"sv;
    enum at : int {
        input,
        linear_weight,
        target,
        linear_bias,
        weight,
        reduction,
        ignore_index,
        label_smoothing,
        batch_chunk_size,
        acc_policy,
        acc_dtype,
        allow_retain_graph,
        compute_input_grad,
        compute_linear_weight_grad,
        compute_linear_bias_grad
    };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("linear_weight", parameter_kind::tensor),
                                           required("target", parameter_kind::tensor),
                                           required("linear_bias", parameter_kind::optional_tensor),
                                           required("weight", parameter_kind::optional_tensor),
                                           one_of<linear_loss_reduction>(required("reduction", parameter_kind::string)),
                                           required("ignore_index", parameter_kind::integer),
                                           required("label_smoothing", parameter_kind::real),
                                           required("batch_chunk_size", parameter_kind::integer),
                                           required("acc_policy", parameter_kind::string),
                                           required("acc_dtype", parameter_kind::dtype),
                                           required("allow_retain_graph", parameter_kind::boolean),
                                           required("compute_input_grad", parameter_kind::boolean),
                                           required("compute_linear_weight_grad", parameter_kind::boolean),
                                           required("compute_linear_bias_grad", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        if (!infer_operands(c)) return false;
        for (int i : {at::compute_input_grad, at::compute_linear_weight_grad, at::compute_linear_bias_grad})
            if (c.boolean(i))
                return c.refuse(fault::argument_is_unsupported,
                                short_text() << schema[i].name << ": False, or cross_entropy of linear", "True");
        if (c.real(at::label_smoothing) != 0)
            return c.refuse(fault::argument_is_unsupported, "label_smoothing: 0, as PyTorch has it here",
                            "another number");
        const auto type = c.tensor(at::input).type;
        return c.results(4) && c.set(0, tensor_of(type, {})) && c.set(1, tensor_of(type, {0, 0})) &&
               c.set(2, tensor_of(type, {0, 0})) && c.set(3, tensor_of(type, {0}));
    }
    static constexpr void evaluate(auto& c) {
        double total = 0, weights = 0;
        for_each_loss(c, c.integer(at::ignore_index), [&](std::int64_t, double loss, double weighed) {
            total += loss;
            weights += weighed;
        });
        const bool means = c.template word<linear_loss_reduction>(at::reduction) == linear_loss_reduction::mean;
        c.output(0, double{}).put({}, means ? total / weights : total);
    }
};

/// torch_nn::_linear_cross_entropy_batch_chunked_no_reduction(Tensor input, Tensor linear_weight, Tensor target,
/// Tensor? linear_bias, Tensor? weight, int ignore_index, int batch_chunk_size, str acc_policy, ScalarType acc_dtype):
/// the losses [N] of [N, D] and [C, D]
struct linear_cross_entropy_none : detail::linear_loss {
    static constexpr std::string_view name = "torch_nn._linear_cross_entropy_batch_chunked_no_reduction.default"sv;
    enum at : int {
        input,
        linear_weight,
        target,
        linear_bias,
        weight,
        ignore_index,
        batch_chunk_size,
        acc_policy,
        acc_dtype
    };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("linear_weight", parameter_kind::tensor),
                                           required("target", parameter_kind::tensor),
                                           required("linear_bias", parameter_kind::optional_tensor),
                                           required("weight", parameter_kind::optional_tensor),
                                           required("ignore_index", parameter_kind::integer),
                                           required("batch_chunk_size", parameter_kind::integer),
                                           required("acc_policy", parameter_kind::string),
                                           required("acc_dtype", parameter_kind::dtype)};
    static constexpr bool infer(infer_context& c) {
        const auto& x = c.tensor(at::input);
        return infer_operands(c) && c.result(tensor_of(x.type, {x.size(0)}));
    }
    static constexpr void evaluate(auto& c) {
        for_each_loss(c, c.integer(at::ignore_index),
                      [&](std::int64_t sample, double loss, double) { c.output(0, double{}).put({sample}, loss); });
    }
};

using linear_cross_entropy_ops = op_list<linear_cross_entropy, linear_cross_entropy_none>;

} // namespace ahead::aten
