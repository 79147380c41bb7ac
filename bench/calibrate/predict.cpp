// SPDX-License-Identifier: MIT
// Measured and predicted time of a run of every model, their ratio, and the median over the models of how far off the
// prediction is.
//     ahead_bench_predict [--tasks]
// Exit code 1 where a model is off by more than 2x, or the median by more than 25 %.
#include "predict.hpp"

#include <cmath>
#include <string_view>

int main(int count, char** arguments) {
    const bool with_tasks = count > 1 && std::string_view(arguments[1]) == "--tasks";
    std::puts("model\tmeasured_us\tpredicted_us\tratio");
    std::vector<double> off;
    for (const auto& model : bench::models()) {
        const auto p = model.run();
        const double ratio = p.predicted_ns / p.measured_ns;
        off.push_back(std::exp(std::fabs(std::log(ratio))));
        std::printf("%s\t%.2f\t%.2f\t%.3f\n", model.name.c_str(), p.measured_ns / 1000, p.predicted_ns / 1000, ratio);
        if (with_tasks)
            for (const auto& task : p.tasks)
                std::printf("    %-28s %-22s %10.3f %10.3f\n", task.op.c_str(), task.type.c_str(),
                            task.measured_ns / 1000, task.predicted_ns / 1000);
        std::fflush(stdout);
    }
    if (off.empty()) {
        std::fputs("no models: name their folders in AHEAD_BENCH_MODELS\n", stderr);
        return 1;
    }
    std::sort(off.begin(), off.end());
    const double median = (off[(off.size() - 1) / 2] + off[off.size() / 2]) / 2;
    std::printf("median\t\t\t%.3f\nworst\t\t\t%.3f\n", median, off.back());
    return median <= 1.25 && off.back() <= 2 ? 0 : 1;
}
