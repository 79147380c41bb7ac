// SPDX-License-Identifier: MIT
// Average pooling on the device against the reference, to the bit: windows that overlap, leave gaps, hang over edges and padding, with and without
// the padding counted, another divisor; adaptive ones of even and uneven sizes; one to three spatial dims, with and without a batch; wide ones, of whole vectors.
// So are images whose columns are repeated a whole number of times.
#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "harness.hpp"
#include "reference.hpp"

using namespace ahead;
using namespace ahead::rooms;

using test::check;

namespace {

struct of_f32 {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 3, 7, 9]"):
        avg_pool2d: "f32[2, 3, 3, 4]" = torch.ops.aten.avg_pool2d.default(arg0_1, [2, 2])
        avg_pool2d_1: "f32[2, 3, 4, 5]" = torch.ops.aten.avg_pool2d.default(arg0_1, [3, 3], [2, 2], [1, 1])
        avg_pool2d_2: "f32[2, 3, 4, 5]" = torch.ops.aten.avg_pool2d.default(arg0_1, [3, 3], [2, 2], [1, 1], False, False)
        avg_pool2d_3: "f32[2, 3, 4, 5]" = torch.ops.aten.avg_pool2d.default(arg0_1, [2, 3], [2, 2], [0, 1], True, True, 7)
        avg_pool2d_4: "f32[2, 3, 4, 5]" = torch.ops.aten.avg_pool2d.default(arg0_1, [2, 2], [2, 2], [0, 0], True)
        permute: "f32[2, 3, 9, 7]" = torch.ops.aten.permute.default(arg0_1, [0, 1, 3, 2])
        avg_pool2d_5: "f32[2, 3, 8, 3]" = torch.ops.aten.avg_pool2d.default(permute, [2, 3], [1, 2])
        _adaptive_avg_pool2d: "f32[2, 3, 5, 1]" = torch.ops.aten._adaptive_avg_pool2d.default(arg0_1, [5, 1])
        _adaptive_avg_pool2d_1: "f32[2, 3, 3, 4]" = torch.ops.aten._adaptive_avg_pool2d.default(arg0_1, [3, 4])
        _adaptive_avg_pool2d_2: "f32[2, 3, 9, 2]" = torch.ops.aten._adaptive_avg_pool2d.default(arg0_1, [9, 2])
        select: "f32[3, 7, 9]" = torch.ops.aten.select.int(arg0_1, 0, 1)
        _adaptive_avg_pool2d_3: "f32[3, 2, 2]" = torch.ops.aten._adaptive_avg_pool2d.default(select, [2, 2])
        avg_pool1d: "f32[3, 7, 5]" = torch.ops.aten.avg_pool1d.default(select, [3], [2], [1])
        adaptive_avg_pool1d: "f32[3, 7, 4]" = torch.ops.aten.adaptive_avg_pool1d.default(select, [4])
        return (avg_pool2d, avg_pool2d_1, avg_pool2d_2, avg_pool2d_3, avg_pool2d_4, avg_pool2d_5, _adaptive_avg_pool2d, _adaptive_avg_pool2d_1, _adaptive_avg_pool2d_2, _adaptive_avg_pool2d_3, avg_pool1d, adaptive_avg_pool1d)
)";
};
struct wide {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[1, 2, 7, 43]"):
        avg_pool2d: "f32[1, 2, 7, 43]" = torch.ops.aten.avg_pool2d.default(arg0_1, [3, 3], [1, 1], [1, 1])
        avg_pool2d_1: "f32[1, 2, 4, 22]" = torch.ops.aten.avg_pool2d.default(arg0_1, [3, 3], [2, 2], [1, 1], False, False)
        avg_pool2d_2: "f32[1, 2, 2, 14]" = torch.ops.aten.avg_pool2d.default(arg0_1, [3, 3], [3, 3])
        select: "f32[2, 7, 43]" = torch.ops.aten.select.int(arg0_1, 0, 0)
        avg_pool1d: "f32[2, 7, 21]" = torch.ops.aten.avg_pool1d.default(select, [2])
        slice_1: "f32[1, 2, 7, 36]" = torch.ops.aten.slice.Tensor(arg0_1, 3, 2, 38)
        _adaptive_avg_pool2d: "f32[1, 2, 3, 9]" = torch.ops.aten._adaptive_avg_pool2d.default(slice_1, [3, 9])
        upsample_nearest2d: "f32[1, 2, 7, 86]" = torch.ops.aten.upsample_nearest2d.default(arg0_1, [7, 86])
        upsample_nearest2d_1: "f32[1, 2, 14, 129]" = torch.ops.aten.upsample_nearest2d.default(arg0_1, [14, 129])
        return (avg_pool2d, avg_pool2d_1, avg_pool2d_2, avg_pool1d, _adaptive_avg_pool2d, upsample_nearest2d, upsample_nearest2d_1)
)";
};
struct of_volumes {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 2, 5, 6, 20]"):
        avg_pool3d: "f32[2, 2, 2, 3, 10]" = torch.ops.aten.avg_pool3d.default(arg0_1, [2, 2, 2])
        avg_pool3d_1: "f32[2, 2, 3, 3, 10]" = torch.ops.aten.avg_pool3d.default(arg0_1, [3, 3, 3], [2, 2, 2], [1, 1, 1])
        avg_pool3d_2: "f32[2, 2, 3, 4, 11]" = torch.ops.aten.avg_pool3d.default(arg0_1, [2, 3, 3], [2, 2, 2], [1, 1, 1], True, False)
        avg_pool3d_3: "f32[2, 2, 3, 4, 10]" = torch.ops.aten.avg_pool3d.default(arg0_1, [3, 2, 2], [2, 2, 2], [1, 1, 0], True, True)
        select: "f32[2, 5, 6, 20]" = torch.ops.aten.select.int(arg0_1, 0, 1)
        avg_pool3d_4: "f32[2, 2, 3, 10]" = torch.ops.aten.avg_pool3d.default(select, [2, 2, 2], [2, 2, 2], [0, 0, 0], False, True, 5)
        _adaptive_avg_pool3d: "f32[2, 2, 3, 4, 7]" = torch.ops.aten._adaptive_avg_pool3d.default(arg0_1, [3, 4, 7])
        adaptive_avg_pool3d: "f32[2, 2, 2, 3, 10]" = torch.ops.aten.adaptive_avg_pool3d.default(arg0_1, [2, 3, 10])
        max_pool3d: "f32[2, 2, 2, 3, 10]" = torch.ops.aten.max_pool3d.default(arg0_1, [2, 2, 2])
        return (avg_pool3d, avg_pool3d_1, avg_pool3d_2, avg_pool3d_3, avg_pool3d_4, _adaptive_avg_pool3d, adaptive_avg_pool3d, max_pool3d)
)";
};
struct of_f64 {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f64[2, 3, 7, 9]"):
        avg_pool2d: "f64[2, 3, 4, 5]" = torch.ops.aten.avg_pool2d.default(arg0_1, [3, 3], [2, 2], [1, 1])
        _adaptive_avg_pool2d: "f64[2, 3, 3, 4]" = torch.ops.aten._adaptive_avg_pool2d.default(arg0_1, [3, 4])
        return (avg_pool2d, _adaptive_avg_pool2d)
)";
};

// Images whose channels lie side by side: kernels give row-major order, and a copy brings it into the format that PyTorch gives.
struct channels_last {
    static constexpr std::string_view text = R"(
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 3, 6, 8]"):
        x: "f32[2, 3, 6, 8][144, 1, 24, 3]cpu" = torch.ops.aten.clone.default(arg0_1, memory_format = torch.channels_last)
        mean: "f32[2, 3, 3, 4][36, 1, 12, 3]cpu" = torch.ops.aten.avg_pool2d.default(x, [2, 2])
        adaptive: "f32[2, 3, 2, 1][6, 1, 3, 3]cpu" = torch.ops.aten._adaptive_avg_pool2d.default(x, [2, 1])
        largest = torch.ops.aten.max_pool2d_with_indices.default(x, [2, 2])
        values: "f32[2, 3, 3, 4][36, 1, 12, 3]cpu" = largest[0]
        places: "i64[2, 3, 3, 4][36, 1, 12, 3]cpu" = largest[1]
        here: "f32[2, 3, 3, 4][36, 1, 12, 3]cpu" = torch.ops.aten._to_copy.default(places, dtype = torch.float32)
        joined: "f32[2, 6, 6, 8][288, 1, 48, 6]cpu" = torch.ops.aten.cat.default([x, x], 1)
        padded: "f32[2, 3, 8, 9][216, 1, 27, 3]cpu" = torch.ops.aten.constant_pad_nd.default(x, [1, 0, 1, 1], 3)
        twice: "f32[3, 1, 1, 1]" = torch.ops.aten.full.default([3, 1, 1, 1], 2.0)
        convolved: "f32[2, 3, 6, 8][144, 1, 24, 3]cpu" = torch.ops.aten.convolution.default(x, twice, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 3)
        flipped: "f32[2, 3, 6, 8][144, 1, 24, 3]cpu" = torch.ops.aten.flip.default(x, [2])
        return (mean, adaptive, values, here, joined, padded, convolved, flipped)
)";
};

template <class Program>
constexpr int tasks_of(std::string_view target) {
    int count = 0;
    const auto g = Program::lowered_graph();
    for (node_id id : g)
        if (g[id].kind == node_kind::call && g[id].target == target) ++count;
    return count;
}
static_assert(tasks_of<compiled<fx<of_f32>>>("npu.average_pool2d") == 12 && tasks_of<compiled<fx<of_f64>>>("npu.average_pool2d") == 2 &&
              tasks_of<compiled<fx<of_volumes>>>("npu.average_pool2d") == 7 && tasks_of<compiled<fx<of_volumes>>>("npu.max_pool2d") == 1);
// Each by the kernel that it has in row-major order; where the windows divide the image, an adaptive mean is a mean over dims of a view.
constexpr bool runs_on_kernels(auto... once) { return ((tasks_of<compiled<fx<channels_last>>>(once) == 1) && ...); }
static_assert(runs_on_kernels("npu.average_pool2d", "npu.reduce", "npu.max_pool2d", "npu.concat", "npu.pad", "npu.convolution"));

template <class Program>
void agrees(const char* what) {
    constexpr auto type = Program::template input_port<0>::type;
    using T = element_t<type.type>;
    std::array<T, static_cast<std::size_t>(element_count(type))> input{};
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<T>(std::sin(static_cast<double>(7 * i)));
    const auto weights = Program::prepare();
    typename Program::session run{weights};
    std::vector<host_tensor> given, wanted;
    given.emplace_back(type);
    std::size_t next = 0;
    for_each_index(sizes_of(type), [&](const int_list& at) { given.back().put(at, input[next++]); });
    diagnosis d;
    check(interpret<aten::registry>(Program::captured(), given, wanted, d), what);
    std::size_t k = 0;
    const auto compare = [&](const auto& output) {
        const auto made = std::remove_cvref_t<decltype(output)>::type::type;
        bool same = true;
        for_each_index(sizes_of(made),
                       [&](const int_list& at) { same = same && output.storage().data()[position_of(made, at)] == wanted[k].template get<T>(at); });
        check(same, std::string(what) + ", result " + std::to_string(k));
        ++k;
    };
    std::apply([&](const auto&... output) { (compare(output), ...); }, run(input));
}

} // namespace

int main() {
    agrees<compiled<fx<of_f32>>>("f32");
    agrees<compiled<fx<wide>>>("wide");
    agrees<compiled<fx<of_volumes>>>("volumes");
    agrees<compiled<fx<of_f64>>>("f64");
    agrees<compiled<fx<channels_last>>>("channels last");
    return test::report();
}
