// SPDX-License-Identifier: MIT
// A whole model as a row: its program, written as C++ while building, against the same text run by libtorch. Each
// model's file, which CMake writes, registers it. One input, the images; all else are weights, filled by their ranks.
#pragma once
#include <ahead/runtime/threads/threaded_session.hpp>
#include <peers/rows.hpp>
#include <run/program.hpp>

namespace bench {

inline std::vector<row>& whole_rows() {
    static std::vector<row> all;
    return all;
}

inline std::vector<named_tensor> weights_of(const row_tensors& t) { return all_of(t.weights); }
inline std::vector<const tensor*> inputs_of(const row_tensors& t) { return {&t.inputs.at(0)}; }

/// 0.5 to 1.5 of rank 0 and 1; of others, what keeps a product's size; integers are 0 or 1.
template <class Program> row_tensors whole_tensors() {
    row_tensors t;
    const auto g = Program::lowered_graph();
    for (::ahead::node_id id : g) {
        if (g[id].kind != ::ahead::ir::node_kind::placeholder) continue;
        const auto& type = g.value_of(id).type;
        const auto count = static_cast<std::size_t>(::ahead::element_count(type));
        const double scale =
            type.rank < 2 ? 0.5 : std::sqrt(3 * static_cast<double>(type.size(0)) / static_cast<double>(count));
        if (g[id].role != ::ahead::ir::input_role::parameter) {
            t.inputs.push_back(random_tensor(1000, count));
            continue;
        }
        const std::string name(g[id].weight);
        t.weights.add(name, count, scale, type.rank < 2 ? 1 : 0);
        if (type.type != ::ahead::dtype::f32)
            for (float& x : t.weights[name]) x = x > 0 ? 1 : 0;
    }
    return t;
}

#ifdef AHEAD_BENCH_LIBTORCH // of a model's file, where it was found
std::unique_ptr<contender> run_by_libtorch(std::string_view text, const row_tensors& t);
#endif

/// text: of the same graph.
template <class Program> bool add_whole(const char* name, std::string_view text) {
    whole_rows().push_back({name, whole_tensors<Program>, 1e-3, {.placements = 1, .rounds = 2}});
    using subject = program<Program, ::ahead::threaded_session<Program>>;
    entries().push_back(
        {name, "ahead", 1, [](const row_tensors& t) { return std::make_unique<contending<subject>>(t); }});
#ifdef AHEAD_BENCH_LIBTORCH
    entries().push_back({name, "libtorch", 1, [text](const row_tensors& t) { return run_by_libtorch(text, t); }});
#else
    static_cast<void>(text);
#endif
    return true;
}

} // namespace bench
