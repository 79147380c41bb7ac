// SPDX-License-Identifier: MIT
// Programs that an Eigen expert writes for one small graph, every size fixed: for what is this small, the best peer.
// small_mlp, lenet and adds are those of run/.
#include <run/small_mlp.hpp>
#include <run/lenet.hpp>
#include <run/adds.hpp>

#include "rows.hpp"

namespace bench {

namespace {

layer layer_of(const row_tensors& t, const std::string& name) {
    layer of(0, 0, 1);
    of.weight = t.weights[name + ".weight"];
    of.bias = t.weights[name + ".bias"];
    return of;
}
mlp_tensors small_mlp_tensors(const row_tensors& t) {
    mlp_tensors all(16, 32, 32, 8);
    all.first = layer_of(t, "first"), all.second = layer_of(t, "second"), all.third = layer_of(t, "third");
    all.input = t.inputs[0];
    return all;
}
lenet_tensors lenet_row_tensors(const row_tensors& t) {
    return {layer_of(t, "conv1"), layer_of(t, "conv2"), layer_of(t, "fc1"),
            layer_of(t, "fc2"),   layer_of(t, "fc3"),   t.inputs[0]};
}
chain_tensors adds_tensors(const row_tensors& t) { return {t.inputs[0], t.inputs[1]}; }

/// One of run/.
template <class Subject, auto Tensors> struct of_run {
    Subject subject;
    explicit of_run(const row_tensors& t) : subject(Tensors(t)) {}
    void operator()() { subject(); }
    std::vector<float> outputs() const {
        const auto all = subject.outputs();
        return {all.begin(), all.end()};
    }
};

template <int N> struct product {
    using matrix = Eigen::Matrix<float, N, N, Eigen::RowMajor>;
    matrix x, w, y;
    explicit product(const row_tensors& t) : x(t.inputs[0].data()), w(t.weights["w"].data()) {}
    void operator()() {
        if constexpr (N <= 16) y.noalias() = x.lazyProduct(w);
        else y.noalias() = x * w;
    }
    std::vector<float> outputs() const { return {y.data(), y.data() + N * N}; }
};

template <int Rows, int Columns>
using rows_of = Eigen::Map<const Eigen::Matrix<float, Rows, Columns, Columns == 1 ? Eigen::ColMajor : Eigen::RowMajor>>;
template <int N> using row_array = Eigen::Array<float, N, 1>;

struct lstm {
    Eigen::Matrix<float, 128, 32> weight;
    Eigen::Matrix<float, 128, 1> of_x, bias;
    Eigen::Matrix<float, 32, 1> h, next_h;
    row_array<32> c, next_c;
    float x;

    explicit lstm(const row_tensors& t)
        : weight(rows_of<128, 32>(t.weights["weight_hh"].data())), of_x(t.weights["weight_ih"].data()),
          bias(rows_of<128, 1>(t.weights["bias_ih"].data()) + rows_of<128, 1>(t.weights["bias_hh"].data())),
          h(t.inputs[1].data()), c(t.inputs[2].data()), x(t.inputs[0][0]) {}

    void operator()() {
        const row_array<128> gates = weight.lazyProduct(h) + of_x * x + bias, open = gates.logistic();
        next_c = open.segment<32>(32) * c + open.segment<32>(0) * gates.segment<32>(64).tanh();
        next_h = open.segment<32>(96) * next_c.tanh();
    }
    std::vector<float> outputs() const {
        std::vector<float> all(next_h.data(), next_h.data() + 32);
        all.insert(all.end(), next_c.data(), next_c.data() + 32);
        return all;
    }
};

/// Each gate of 20 is padded to 32, so that vectors are whole.
struct gru {
    Eigen::Matrix<float, 96, 20> weight = decltype(weight)::Zero();
    row_array<96> of_x = row_array<96>::Zero(), bias_x = of_x, bias_h = of_x;
    Eigen::Matrix<float, 20, 1> h;
    row_array<32> old = row_array<32>::Zero(), next;
    float x;

    explicit gru(const row_tensors& t) : h(t.inputs[1].data()), x(t.inputs[0][0]) {
        for (int gate = 0; gate < 3; ++gate) {
            const auto padded = [&](row_array<96>& to, const tensor& all) {
                to.segment<20>(gate * 32) = row_array<20>(all.data() + gate * 20);
            };
            padded(of_x, t.weights["weight_ih"]);
            padded(bias_x, t.weights["bias_ih"]);
            padded(bias_h, t.weights["bias_hh"]);
            weight.middleRows<20>(gate * 32) = rows_of<60, 20>(t.weights["weight_hh"].data()).middleRows<20>(gate * 20);
        }
        old.head<20>() = h.array();
    }

    void operator()() {
        const row_array<96> from_h = weight.lazyProduct(h).array() + bias_h, from_x = of_x * x + bias_x;
        const row_array<64> open = (from_h.head<64>() + from_x.head<64>()).logistic();
        const row_array<32> fresh = (from_x.tail<32>() + open.head<32>() * from_h.tail<32>()).tanh();
        next = fresh + open.tail<32>() * (old - fresh);
    }
    std::vector<float> outputs() const { return {next.data(), next.data() + 20}; }
};

template <class Net> void add(const char* row) {
    entries().push_back({row, "eigen", 1, [](const row_tensors& t) { return std::make_unique<contending<Net>>(t); }});
}

[[maybe_unused]] const bool added = [] {
    add<product<8>>("gemm_8");
    add<product<16>>("gemm_16");
    add<product<32>>("gemm_32");
    add<of_run<eigen::small_mlp, small_mlp_tensors>>("small_mlp");
    add<of_run<eigen::lenet, lenet_row_tensors>>("lenet");
    add<lstm>("lstm_32");
    add<gru>("gru_20");
    add<of_run<eigen::adds, adds_tensors>>("adds");
    return true;
}();

} // namespace

} // namespace bench
