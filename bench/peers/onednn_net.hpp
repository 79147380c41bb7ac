// SPDX-License-Identifier: MIT
// oneDNN as its users call it: primitives made ahead, each in the formats that it chooses itself (format_tag::any),
// weights reordered ahead, activations, residuals and scales as post-ops; a run executes them in order. Arguments are
// put together ahead, too, for the C interface: the C++ one makes a vector of them each time.
#pragma once
#include <dnnl.hpp>

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "rows.hpp"

namespace bench {

/// What becomes of a result, in this order. sum: what the result is added to, in its place; add: another tensor.
struct tail {
    float scale = 1;
    dnnl::memory sum{}, add{};
    dnnl::algorithm then = dnnl::algorithm::undef;
    float then_alpha = 0, then_beta = 0;
};

class onednn_net {
public:
    using memory = dnnl::memory;
    using dims = memory::dims;
    using tag = memory::format_tag;
    using type = memory::data_type;

    void operator()() {
        for (const auto& step : steps_)
            dnnl_primitive_execute(step.primitive.get(), stream_.get(), static_cast<int>(step.arguments.size()),
                                   step.arguments.data());
        stream_.wait();
    }
    std::vector<float> outputs() const {
        std::vector<float> all;
        for (const auto& [result, plain] : results_) {
            auto stream = stream_;
            auto from = result, to = memory(plain, engine_);
            dnnl::reorder(from, to).execute(stream, from, to);
            stream.wait();
            const auto* at = static_cast<const float*>(to.get_data_handle());
            all.insert(all.end(), at, at + plain.get_size() / sizeof(float));
        }
        return all;
    }

protected:
    static memory::desc plain(const dims& sizes, type of = type::f32) {
        dims strides(sizes.size(), 1);
        for (std::size_t i = sizes.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * sizes[i];
        return {sizes, of, strides};
    }
    static memory::desc any(const dims& sizes, type of = type::f32) { return {sizes, of, tag::any}; }

    memory fresh(const memory::desc& desc) { return memory(desc, engine_); }
    /// The numbers in the layout that desc says.
    memory given(const tensor& from, const memory::desc& desc) {
        auto to = fresh(desc);
        std::memcpy(to.get_data_handle(), from.data(), from.size() * sizeof(float));
        return to;
    }
    memory given(const tensor& from, const dims& sizes) { return given(from, plain(sizes)); }
    /// What lies from an element on, seen as desc.
    memory part(memory& of, std::int64_t first, const memory::desc& desc) {
        kept_.push_back(of);
        return memory(desc, engine_, static_cast<float*>(of.get_data_handle()) + first);
    }
    /// Now, not in a run.
    memory prepared(memory from, const memory::desc& wanted) {
        if (from.get_desc() == wanted) return from;
        auto to = fresh(wanted);
        dnnl::reorder(from, to).execute(stream_, from, to);
        stream_.wait();
        return to;
    }
    /// In a run.
    memory reordered(memory from, const memory::desc& wanted) {
        if (from.get_desc() == wanted) return from;
        auto to = fresh(wanted);
        record(dnnl::reorder(from, to), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
        return to;
    }
    void result(const memory& of, const memory::desc& as) { results_.emplace_back(of, as); }

    /// x @ w + bias, batched as theirs is. packed: w is a weight and may be reordered ahead. into: a place for it.
    memory matmul(memory x, memory w, memory bias, const memory::desc& y, bool packed, const tail& with = {},
                  memory into = {}) {
        const auto weights = packed ? any(w.get_desc().dims(), weight_type(x)) : w.get_desc();
        const auto desc = bias ? dnnl::matmul::desc(x.get_desc(), weights, bias.get_desc(), y)
                               : dnnl::matmul::desc(x.get_desc(), weights, y);
        const dnnl::matmul::primitive_desc chosen(desc, attributes(with), engine_);
        if (!into) into = fresh(chosen.dst_desc());
        return computed(dnnl::matmul(chosen), x, prepared(w, chosen.weights_desc()), bias, into, with);
    }
    static type weight_type(const memory& x) {
        const auto element = x.get_desc().data_type();
        return element == type::u8 ? type::s8 : element;
    }
    /// x[m, in] @ w[in, out] + bias, w by its strides, as a matmul or, where that is asked for, as their inner product;
    /// in the element type of x, of bytes in s32.
    memory dense(memory x, const tensor& w, std::int64_t out, const dims& strides, const tensor* bias,
                 const tail& with = {}) {
        const auto rows = x.get_desc().dims()[0], in = x.get_desc().dims()[1];
        const auto element = x.get_desc().data_type();
        const auto y = plain({rows, out}, weight_type(x) == type::s8 ? type::s32 : element);
        if (!inner_products)
            return matmul(x, given(w, {{in, out}, type::f32, strides}), bias ? given(*bias, {1, out}) : memory(), y,
                          true, with);
        using inner_product = dnnl::inner_product_forward;
        const auto kind = dnnl::prop_kind::forward_inference;
        const auto weights = any({out, in}, weight_type(x));
        const inner_product::primitive_desc chosen(
            bias ? inner_product::desc(kind, x.get_desc(), weights, plain({out}), y)
                 : inner_product::desc(kind, x.get_desc(), weights, y),
            attributes(with), engine_);
        auto swapped = given(w, {{out, in}, type::f32, dims{strides[1], strides[0]}});
        return computed(inner_product(chosen), x, prepared(swapped, chosen.weights_desc()),
                        bias ? given(*bias, {out}) : memory(), fresh(chosen.dst_desc()), with);
    }
    /// PyTorch's linear, weight [out, in].
    memory linear(memory x, const row_tensors& t, const std::string& name, const tail& with = {}) {
        const auto& bias = t.weights[name + ".bias"];
        return dense(x, t.weights[name + ".weight"], static_cast<std::int64_t>(bias.size()),
                     {1, x.get_desc().dims()[1]}, &bias, with);
    }
    struct window {
        std::int64_t kernel, step, pad;
        std::int64_t groups = 1;
    };
    /// Square kernels, images [N, C, H, H]. What winograd has no kernel for is theirs of choice, in the format
    /// that winograd has. read: x in the format that it is read in.
    memory convolution(memory x, const row_tensors& t, const std::string& name, const window& w, dnnl::algorithm how,
                       const tail& with = {}, memory* read = nullptr) {
        const auto &weight = t.weights[name + ".weight"], &bias = t.weights[name + ".bias"];
        const auto from_sizes = x.get_desc().dims();
        const auto out = static_cast<std::int64_t>(bias.size()),
                   size = (from_sizes[2] + 2 * w.pad - w.kernel) / w.step + 1;
        const dims sizes = {from_sizes[0], out, size, size};
        const auto kernels = w.groups == 1
                                 ? dims{out, from_sizes[1], w.kernel, w.kernel}
                                 : dims{w.groups, out / w.groups, from_sizes[1] / w.groups, w.kernel, w.kernel};
        const auto choose = [&](dnnl::algorithm algorithm, const memory::desc& from, const memory::desc& to) {
            using convolution = dnnl::convolution_forward;
            return convolution::primitive_desc(convolution::desc(dnnl::prop_kind::forward_inference, algorithm, from,
                                                                 any(kernels), plain({out}), to, dims{w.step, w.step},
                                                                 dims{w.pad, w.pad}, dims{w.pad, w.pad}),
                                               attributes(with), engine_, true);
        };
        auto chosen = choose(how, any(x.get_desc().dims()), any(sizes));
        if (!chosen) chosen = choose(dnnl::algorithm::convolution_auto, x.get_desc(), {sizes, type::f32, tag::nChw16c});
        x = reordered(x, chosen.src_desc());
        if (read != nullptr) *read = x;
        auto y = with.sum ? reordered(with.sum, chosen.dst_desc()) : fresh(chosen.dst_desc());
        return computed(dnnl::convolution_forward(chosen), x, prepared(given(weight, kernels), chosen.weights_desc()),
                        given(bias, {out}), y, with);
    }
    memory pool(memory x, dnnl::algorithm how, const window& w) {
        const auto sizes = x.get_desc().dims();
        const auto size = (sizes[2] + 2 * w.pad - w.kernel) / w.step + 1;
        const dnnl::pooling_forward::primitive_desc chosen(
            dnnl::pooling_forward::desc(dnnl::prop_kind::forward_inference, how, x.get_desc(),
                                        any({sizes[0], sizes[1], size, size}), dims{w.step, w.step},
                                        dims{w.kernel, w.kernel}, dims{w.pad, w.pad}, dims{w.pad, w.pad}),
            engine_);
        auto y = fresh(chosen.dst_desc());
        record(dnnl::pooling_forward(chosen), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}});
        return y;
    }
    memory layer_norm(memory x, const row_tensors& t, const std::string& name) {
        using norm = dnnl::layer_normalization_forward;
        const norm::primitive_desc chosen(
            norm::desc(dnnl::prop_kind::forward_inference, x.get_desc(), 1e-5f,
                       dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift),
            engine_);
        auto y = fresh(x.get_desc());
        const auto width = x.get_desc().dims()[1];
        record(norm(chosen), {{DNNL_ARG_SRC, x},
                              {DNNL_ARG_DST, y},
                              {DNNL_ARG_SCALE, given(t.weights[name + ".weight"], {width})},
                              {DNNL_ARG_SHIFT, given(t.weights[name + ".bias"], {width})}});
        return y;
    }
    /// Of [heads, queries, 64] to [heads, positions, 64]; k_t is seen transposed, [heads, 64, positions].
    memory attention(memory q, memory k_t, memory v, memory into) {
        const auto sizes = q.get_desc().dims();
        auto scores =
            matmul(q, k_t, {}, plain({sizes[0], sizes[1], k_t.get_desc().dims()[2]}), false, {.scale = 0.125});
        const dnnl::softmax_forward::primitive_desc chosen(
            dnnl::softmax_forward::desc(dnnl::prop_kind::forward_inference, scores.get_desc(), 2), engine_);
        record(dnnl::softmax_forward(chosen), {{DNNL_ARG_SRC, scores}, {DNNL_ARG_DST, scores}});
        return matmul(scores, v, {}, into.get_desc(), false, {}, into);
    }
    /// x * y, and what follows.
    memory product(memory x, memory y, const dnnl::post_ops& rest) {
        dnnl::primitive_attr with;
        with.set_post_ops(rest);
        const dnnl::binary::primitive_desc chosen(
            dnnl::binary::desc(dnnl::algorithm::binary_mul, x.get_desc(), y.get_desc(), x.get_desc()), with, engine_);
        auto z = fresh(x.get_desc());
        record(dnnl::binary(chosen), {{DNNL_ARG_SRC_0, x}, {DNNL_ARG_SRC_1, y}, {DNNL_ARG_DST, z}});
        return z;
    }

    /// x + y, and `more` times + y.
    memory added(memory x, memory y, int more) {
        dnnl::post_ops after;
        for (int i = 0; i < more; ++i) after.append_binary(dnnl::algorithm::binary_add, y.get_desc());
        dnnl::primitive_attr with;
        with.set_post_ops(after);
        const dnnl::binary::primitive_desc chosen(
            dnnl::binary::desc(dnnl::algorithm::binary_add, x.get_desc(), y.get_desc(), x.get_desc()), with, engine_);
        auto z = fresh(x.get_desc());
        arguments all = {{DNNL_ARG_SRC_0, x}, {DNNL_ARG_SRC_1, y}, {DNNL_ARG_DST, z}};
        for (int i = 0; i < more; ++i) all.push_back({DNNL_ARG_ATTR_MULTIPLE_POST_OP(i) | DNNL_ARG_SRC_1, y});
        record(dnnl::binary(chosen), all);
        return z;
    }

    bool inner_products = false;
    dnnl::engine engine_{dnnl::engine::kind::cpu, 0};

    using arguments = std::vector<std::pair<int, memory>>;
    void record(const dnnl::primitive& primitive, const arguments& with) {
        steps_.push_back({primitive, {}});
        for (const auto& [at, argument] : with) {
            steps_.back().arguments.push_back({at, argument.get()});
            kept_.push_back(argument);
        }
    }

private:
    struct one_step {
        dnnl::primitive primitive;
        std::vector<dnnl_exec_arg_t> arguments;
    };

    static dnnl::primitive_attr attributes(const tail& with) {
        dnnl::primitive_attr all;
        dnnl::post_ops after;
        if (with.sum) after.append_sum(1);
        if (with.add) after.append_binary(dnnl::algorithm::binary_add, with.add.get_desc());
        if (with.then != dnnl::algorithm::undef) after.append_eltwise(1, with.then, with.then_alpha, with.then_beta);
        all.set_post_ops(after);
        if (with.scale != 1) all.set_output_scales(0, {with.scale});
        return all;
    }
    memory computed(const dnnl::primitive& primitive, memory x, memory w, memory bias, memory y, const tail& with) {
        arguments all = {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, w}, {DNNL_ARG_DST, y}};
        if (bias) all.push_back({DNNL_ARG_BIAS, bias});
        if (with.add) all.push_back({DNNL_ARG_ATTR_MULTIPLE_POST_OP(with.sum ? 1 : 0) | DNNL_ARG_SRC_1, with.add});
        record(primitive, all);
        return y;
    }

    dnnl::stream stream_{engine_};
    std::vector<memory> kept_;
    std::vector<one_step> steps_;
    std::vector<std::pair<memory, memory::desc>> results_;
};

template <class Net, class... How> void add_onednn(const std::string& row, const char* name, How... how) {
    entries().push_back(
        {row, name, 0, [how...](const row_tensors& t) { return std::make_unique<contending<Net>>(t, how...); }});
}

} // namespace bench
