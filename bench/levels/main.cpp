// SPDX-License-Identifier: MIT
// Programs compiled for several levels of x86-64, of which this machine's highest runs, against the same ones compiled
// with -march=native: nanoseconds of a run, by turns, and the ratio of medians. Each model's file, which CMake writes,
// registers both.
#include "levels.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

namespace {

using bench::model;

/// One program with memory of its own; weights and inputs are the same numbers for all.
class subject {
public:
    explicit subject(const model& of) : of_(of) {
        std::minstd_rand random(7);
        const auto fill = [&](const std::vector<bench::tensor>& like, auto& all) {
            for (const auto& t : like) {
                all.emplace_back((t.bytes + sizeof(float) - 1) / sizeof(float));
                if (!t.is_f32) continue;
                for (float& x : all.back()) { // of one dim, variances among them, 0.5 to 1.5
                    const auto any = static_cast<float>(random() % 2001) / 1000 - 1;
                    x = t.is_row ? 1 + any / 2 : any / 10;
                }
            }
        };
        std::vector<std::vector<float>> weights;
        fill(of.weights, weights);
        fill(of.inputs, inputs_);
        std::vector<const void*> from;
        for (const auto& w : weights) from.push_back(w.data());
        for (const auto& x : inputs_) given_.push_back(x.data());
        constants_ = memory(of.constant_bytes);
        arena_ = memory(of.arena_bytes);
        const auto scratch = memory(of.scratch_bytes);
        is_ready = of.prepare(from.data(), constants_.get(), scratch.get());
        of.reset(constants_.get(), arena_.get());
    }
    bool run() { return of_.run(given_.data(), constants_.get(), arena_.get()); }
    /// Nanoseconds of a run, of so many.
    double time(int runs) {
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < runs; ++i) run();
        const std::chrono::duration<double, std::nano> all = std::chrono::steady_clock::now() - begin;
        return all.count() / runs;
    }
    bool is_ready = false;

private:
    struct freed {
        void operator()(void* at) const { std::free(at); }
    };
    using block = std::unique_ptr<void, freed>;
    static block memory(std::size_t bytes) {
        const auto room = (bytes + 4095) / 4096 * 4096 + 4096;
        block out(std::aligned_alloc(4096, room));
        std::memset(out.get(), 0, room);
        return out;
    }
    const model& of_;
    std::vector<std::vector<float>> inputs_;
    std::vector<const void*> given_;
    block constants_, arena_;
};

double median(std::vector<double> all) {
    std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
    return all[all.size() / 2];
}

} // namespace

int main() {
    std::printf("model\tnative_ns\tlevels_ns\tratio\n");
    for (const auto& [name, native, levels] : bench::pairs()) {
        subject one(native), other(levels);
        if (!one.is_ready || !other.is_ready || !one.run() || !other.run())
            return std::fprintf(stderr, "%s does not run\n", name.c_str()), 1;
        const int runs = std::max(1, static_cast<int>(5e6 / one.time(3)));
        std::vector<double> of_one, of_other;
        for (int round = 0; round < 61; ++round) {
            of_one.push_back(one.time(runs));
            of_other.push_back(other.time(runs));
        }
        std::printf("%s\t%.0f\t%.0f\t%.3f\n", name.c_str(), median(of_one), median(of_other),
                    median(of_other) / median(of_one));
    }
}
