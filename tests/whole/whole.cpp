// SPDX-License-Identifier: MIT
// One whole model: its session's outputs against a sample of PyTorch's, to 1e-3 of the largest element, compiled in
// source or, with WRITTEN, written as C++ while building. Of constants, element i of placeholder k is splitmix64((k << 32) + i), made a number as make_input says.
#include "harness.hpp"
#include "splitmix64.hpp"

#include <ahead/ahead.hpp>

#include <cmath>
#include <cstring>
#include <sstream>
#include <vector>

using namespace ahead;
using namespace test;

#ifdef WRITTEN
#include "model_program.hpp"
using net = model::program;
#else
struct model {
    static constexpr char text[] =
#include "model.fx"
        ;
    static constexpr fx_input inputs[] = {
#include "model.inputs"
    };
};
using net = compiled<fx<model>>;
#endif

template <class T> static std::vector<std::byte> made(std::uint64_t k, const tensor_type& t, auto number) {
    std::vector<std::byte> out(sizeof(T) * static_cast<std::size_t>(element_count(t)));
    for (std::size_t i = 0; i < out.size() / sizeof(T); ++i) {
        const T x = number(splitmix64((k << 32) + i));
        std::memcpy(out.data() + i * sizeof(T), &x, sizeof(T));
    }
    return out;
}

// 0.5 to 1.5 of rank 0 and 1; of others, what keeps a product's size; integers are 0 or 1.
static std::vector<std::byte> make_input(std::uint64_t k, const tensor_type& t) {
    if (t.type == dtype::i64) return made<std::int64_t>(k, t, [](auto z) { return static_cast<std::int64_t>(z % 2); });
    check_equal(t.type, dtype::f32);
    const float most = t.rank < 2 ? 0 : std::sqrt(3.0f / static_cast<float>(element_count(t) / t.size(0)));
    return made<float>(k, t, [&](auto z) {
        const float u = static_cast<float>(z >> 40) / 16777216.0f;
        return t.rank < 2 ? 0.5f + u : (2 * u - 1) * most;
    });
}

// Lines of `output  dtype  shape  index  value`, where index may be absmax, which comes first, or mean.
static void compare(const char* file, std::size_t which, std::span<const float> ours) {
    std::ifstream sample(file);
    std::string line;
    double absmax = 0, worst = 0;
    int count = 0;
    while (std::getline(sample, line)) {
        std::istringstream words(line);
        std::string output, type, shape, index;
        double theirs = 0;
        if (!(words >> output >> type >> shape >> index >> theirs) || output != std::to_string(which)) continue;
        if (index == "absmax") absmax = theirs;
        if (index == "absmax" || index == "mean") continue;
        worst = std::max(worst, std::abs(static_cast<double>(ours[std::stoul(index)]) - theirs) / absmax);
        ++count;
    }
    std::cout << "output " << which << ": " << count << " elements, at most " << worst << " of the largest from PyTorch's\n";
    check(count > 0 && worst <= 1e-3);
}

// What the text's placeholders are, of which the program itself keeps no graph.
struct placeholder {
    tensor_type type;
    std::array<char, 64> weight; // its name; empty of the images
};
static constexpr std::size_t count_placeholders() {
    const auto g = net::lowered_graph(); // whose placeholders are the text's, in its order
    std::size_t count = 0;
    for (node_id id : g) count += g[id].kind == node_kind::placeholder;
    return count;
}
static constexpr auto list_placeholders() {
    std::array<placeholder, count_placeholders()> out{};
    const auto g = net::lowered_graph();
    std::size_t i = 0;
    for (node_id id : g) {
        if (g[id].kind != node_kind::placeholder) continue;
        out[i].type = g.value_of(id).type;
        if (g[id].role == input_role::parameter) std::ranges::copy(std::string_view(g[id].weight), out[i].weight.begin());
        ++i;
    }
    return out;
}

int main(int, char** arguments) {
    static constexpr auto placeholders = list_placeholders();
    weights given;
    std::vector<std::byte> images;
    std::uint64_t k = 0;
    for (const auto& [type, weight] : placeholders) {
        const auto sizes = sizes_of(type);
        auto bytes = make_input(k++, type);
        if (weight[0] != 0) given.add(weight.data(), type.type, {sizes.begin(), sizes.end()}, bytes);
        else images = std::move(bytes);
    }
    const auto prepared = net::prepare(given);
    net::session run{prepared};
    std::vector<float> x(images.size() / sizeof(float));
    std::memcpy(x.data(), images.data(), images.size());
    constexpr auto count = static_cast<std::size_t>(element_count(net::input_port<0>::type));
    const auto outputs = run(std::span<const float, count>(x));
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (compare(arguments[1], I, {std::get<I>(outputs).data(), static_cast<std::size_t>(element_count(net::output_port<I>::type))}), ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(outputs)>>{});
    return report();
}
