// Bags of embeddings on their kernel, against the reference: sums, means and largest elements, of rows of every width, with numbers of their own, without one
// row, with the last end given, and what is refused.
// SPDX-License-Identifier: MIT
#include "fused_agreement.hpp"

using namespace ahead;
using namespace test;

namespace {

struct sums {
    static constexpr char text[] = R"fx(def forward(self, w: "f32[9, 37]", i: "i64[7]", o: "i64[3]"):
    r = torch.ops.aten._embedding_bag.default(w, i, o)
    y: "f32[3, 37]" = r[0]
    n: "i64[3]" = r[2]
    z: "i64[3]" = r[3]
    return (y, n, z)
)fx";
};
struct scaled {
    static constexpr char text[] = R"fx(def forward(self, w: "f32[9, 70]", i: "i32[7]", o: "i64[3]", s: "f32[7]"):
    r = torch.ops.aten._embedding_bag.default(w, i, o, False, 0, False, s, False, 3)
    y: "f32[3, 70]" = r[0]
    b: "i64[7]" = r[1]
    n: "i64[3]" = r[2]
    return (y, b, n)
)fx";
};
struct means {
    static constexpr char text[] = R"fx(def forward(self, w: "f64[9, 13]", i: "i32[7]", o: "i32[4]"):
    r = torch.ops.aten._embedding_bag.default(w, i, o, False, 1, False, None, True, 2)
    y: "f64[3, 13]" = r[0]
    b: "i32[7]" = r[1]
    n: "i32[3]" = r[2]
    return (y, b, n)
)fx";
};
struct largest {
    static constexpr char text[] = R"fx(def forward(self, w: "f32[9, 5]", i: "i64[7]", o: "i64[3]"):
    r = torch.ops.aten._embedding_bag_forward_only.default(w, i, o, False, 2)
    y: "f32[3, 5]" = r[0]
    b: "i64[7]" = r[1]
    n: "i64[3]" = r[2]
    m: "i64[3, 5]" = r[3]
    return (y, b, n, m)
)fx";
};
struct halves {
    static constexpr char text[] = R"fx(def forward(self, w: "f16[9, 8]", i: "i64[7]", o: "i64[3]"):
    r = torch.ops.aten.embedding_bag.padding_idx(w, i, o, False, 0, False, None, False, None)
    y: "f16[3, 8]" = r[0]
    return (y,)
)fx";
};

// Bags of four rows, none and three, one row of them met twice; of the last form, which gives its end, the same.
std::vector<host_tensor> inputs_of(graph_view g) {
    auto given = random_inputs(g);
    constexpr int rows[] = {2, 8, 3, 2, 0, 3, 7}, begins[] = {0, 4, 4, 7};
    for (std::int64_t k = 0; k < 7; ++k) given[1].data.put(k, rows[k]);
    for (std::int64_t k = 0; k < given[2].data.size(); ++k) given[2].data.put(k, begins[k]);
    return given;
}

template <class Source> void agrees(double tolerance, const location& where = location::current()) {
    using program = compiled<fx<Source>>;
    check_equal(tasks_of<program>("npu.embedding_bag"), 1, where);
    check_equal(program::plan.ai_cpu_tasks, 0, where);
    const auto given = inputs_of(program::captured());
    const auto made = outputs_of<program>(given);
    std::vector<host_tensor> wanted;
    diagnosis d;
    if (!check(interpret<aten::registry>(program::captured(), given, wanted, d), render(d), where)) return;
    std::size_t i = 0;
    bool right = true;
    for (const auto& t : wanted)
        for (std::int64_t k = 0; k < t.data.size(); ++k, ++i) right = right && i < made.size() && std::fabs(made[i] - t.data.get<double>(k)) <= tolerance;
    check(right && i == made.size(), Source::text, where);
}

void refusals() {
    using program = compiled<fx<sums>>;
    const auto weights = program::prepare();
    program::session run{weights};
    const std::vector<float> w(9 * 37, 1.f);
    std::array<std::int64_t, 7> rows{1, 2, 3, 4, 5, 6, 7};
    std::array<std::int64_t, 3> begins{0, 3, 5};
    const auto refused = [&](const char* expected, const char* found, const location& where = location::current()) {
        const auto made = run.try_run(std::span<const float, 9 * 37>(w.data(), 9 * 37), rows, begins);
        if (!check(!made.ok(), "refused", where)) return;
        check_equal(std::string(name_of(made.why().what)), "index_is_out_of_range", where);
        check_equal(std::string(made.why().expected.view()), expected, where);
        check_equal(std::string(made.why().found.view()), found, where);
    };
    begins[0] = 1;
    refused("an index below 1", "1");
    begins = {0, 8, 7};
    refused("an index below 8", "8");
    begins = {0, 3, 5};
    rows[6] = 9;
    refused("an index below 9", "9");
    rows[6] = -1;
    refused("an index from 0 on", "-1");
    rows[6] = 0;
    const auto [y, n, z] = run(std::span<const float, 9 * 37>(w.data(), 9 * 37), rows, begins);
    check_equal(y(0, 36), 3.f);
    check_equal(n(2), std::int64_t{2});
}

} // namespace

int main() {
    agrees<sums>(1e-6);
    agrees<scaled>(1e-6);
    agrees<means>(1e-14);
    agrees<largest>(0);
    agrees<halves>(2e-3);
    refusals();
    return report();
}
