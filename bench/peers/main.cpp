// SPDX-License-Identifier: MIT
// ahead against its peers, those that were found when this was built: TSV on standard output, one line a contender of
// each row, after its outputs agreed with ahead's, where it computes them.
//     ahead_bench_peers [--threads N] [--isolated] [--peer NAME]... [row...]
//     ahead_bench_peers --svg FILE < rows.tsv
// --threads: 1, or 2, where each contender is timed in a process of its own: pools of threads that spin disturb each
// other, and what else runs disturbs them: with both cores not free for it, it says little. --isolated: calls are kept
// from overlapping in the core, by fences. --peer: these contenders, ahead being one, in one process. The ratio is
// ahead's time over the contender's: in one process of medians round by round, else of minima. --svg: draws ahead
// beside the best contender of each row.
// Exit code 1 where outputs differ; that contender is not timed.
#include <run/compare.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "rows.hpp"
#include "svg.hpp"

namespace {

using namespace bench;

struct request {
    bool isolated = false;
    std::vector<std::string> peers, rows;
};

bool among(const std::vector<std::string>& names, const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

struct in_time { // what is timed of a contender
    contender* made;
    bool isolated;
    void operator()() const {
#if defined(__x86_64__)
        if (isolated) asm volatile("mfence\n\tlfence" ::: "memory");
#endif
        (*made)();
    }
};

/// time_together, for as many as there are.
template <std::size_t Count = 1>
void time_all(const schedule& plan, std::vector<in_time>& all, std::vector<blocks>& samples) {
    if constexpr (Count < 8)
        if (all.size() > Count) return time_all<Count + 1>(plan, all, samples);
    std::array<blocks, Count> more;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        time_together(plan, more, all[I]...);
    }(std::make_index_sequence<Count>{});
    for (std::size_t i = 0; i < Count; ++i) std::move(more[i].begin(), more[i].end(), std::back_inserter(samples[i]));
}

std::vector<const entry*> entries_of(const row& of, const request& wanted, int for_threads) {
    std::vector<const entry*> all;
    for (const auto& one : entries())
        if (one.row == of.name && (one.threads == 0 || one.threads == for_threads) && among(wanted.peers, one.name))
            all.push_back(&one);
    std::stable_sort(all.begin(), all.end(),
                     [](const entry* a, const entry* b) { return (a->name == "ahead") > (b->name == "ahead"); });
    return all;
}

void print(const row& of, const char* name, const timing& time, double ratio) {
    std::printf("%s\t%d\t%s\t%.1f\t%.1f\t", of.name.c_str(), threads, name, time.median_ns, time.min_ns);
    if (ratio > 0) std::printf("%.3f\n", ratio);
    else std::puts("-");
    std::fflush(stdout);
}

/// All that are asked for, in this process; false where one disagrees.
bool together(const row& of, const request& wanted) {
    const auto tensors = of.tensors();
    const auto reference = entries_of(of, {false, {"ahead"}, {}}, 1).at(0)->make(tensors);
    (*reference)();
    auto chosen = entries_of(of, wanted, threads);
    std::vector<blocks> samples(chosen.size());
    std::vector<std::unique_ptr<contender>> placed; // all kept, so that each placement has pages of its own
    bool agree = true;
    for (int i = 0; i < of.plan.placements; ++i) {
        std::vector<in_time> timed;
        for (std::size_t k = 0; k < chosen.size();) {
            auto made = chosen[k]->make(tensors);
            (*made)();
            const bool compared = !chosen[k]->computes_less;
            const double difference = compared ? disagreement(*reference, *made) : 0;
            if (difference <= of.tolerance) {
                timed.push_back({made.get(), wanted.isolated});
                placed.push_back(std::move(made));
                ++k;
                continue;
            }
            std::fprintf(stderr, "%s: %s differs from ahead by %g of the largest output; not timed\n", of.name.c_str(),
                         chosen[k]->name.c_str(), difference);
            agree = false;
            chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(k));
            samples.erase(samples.begin() + static_cast<std::ptrdiff_t>(k));
        }
        if (!timed.empty()) time_all(of.plan, timed, samples);
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const bool beside_ahead = chosen[0]->name == "ahead" && chosen.size() > 1;
        print(of, chosen[i]->name.c_str(), summary(samples[i]),
              beside_ahead ? paired_ratio(samples[0], samples[i]) : 0);
    }
    return agree;
}

/// Each in a process of its own, twice over, since the machine is not the same for them.
bool apart(const row& of, const request& wanted) {
    const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
    std::vector<std::pair<std::string, timing>> times;
    bool agree = true;
    for (int round = 0; round < 2; ++round)
        for (const auto* one : entries_of(of, wanted, threads)) {
            const auto command = self + " --threads " + std::to_string(threads) +
                                 (wanted.isolated ? " --isolated" : "") + " --peer " + one->name + " " + of.name;
            std::FILE* const lines = popen(command.c_str(), "r");
            char line[256];
            timing time{};
            bool found = false;
            while (lines != nullptr && std::fgets(line, sizeof line, lines) != nullptr)
                found |= std::sscanf(line, "%*s %*d %*s %lf %lf", &time.median_ns, &time.min_ns) == 2;
            if (lines == nullptr || pclose(lines) != 0 || !found) {
                agree = false;
                continue;
            }
            const auto known = std::find_if(times.begin(), times.end(), [&](auto& t) { return t.first == one->name; });
            if (known == times.end()) times.emplace_back(one->name, time);
            else
                known->second = {std::min(known->second.median_ns, time.median_ns),
                                 std::min(known->second.min_ns, time.min_ns)};
        }
    for (const auto& [name, time] : times)
        print(of, name.c_str(), time, times[0].first == "ahead" ? times[0].second.min_ns / time.min_ns : 0);
    return agree;
}

/// OpenMP, libtorch and malloc read these when they are loaded.
void with_environment(char** arguments) {
    const auto count = std::to_string(threads);
    constexpr auto* mark = "AHEAD_BENCH_PEERS_THREADS"; // that this process was started with all of it
    if (const char* const set = std::getenv(mark); set != nullptr && set == count) return;
    setenv(mark, count.c_str(), 1);
    setenv("OMP_NUM_THREADS", count.c_str(), 1);
    setenv("OPENBLAS_NUM_THREADS", count.c_str(), 1);
    setenv("ATEN_CPU_CAPABILITY", "avx512", 0); // where there is none, it takes what there is
    // Huge pages for what they allocate, too, and what they free stays in the process.
    setenv("GLIBC_TUNABLES",
           "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=2000000000:glibc.malloc.trim_threshold=4000000000", 0);
    execv("/proc/self/exe", arguments);
}

} // namespace

int main(int count, char** arguments) {
    request wanted;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        const bool more = i + 1 < count;
        if (argument == "--svg" && more) return draw_rows(stdin, arguments[i + 1]) ? 0 : 1;
        if (argument == "--threads" && more) threads = std::atoi(arguments[++i]);
        else if (argument == "--peer" && more) wanted.peers.emplace_back(arguments[++i]);
        else if (argument == "--isolated") wanted.isolated = true;
        else wanted.rows.emplace_back(argument);
    }
    if (threads < 1 || threads > 2) return std::fputs("--threads 1 or 2\n", stderr), 2;
    for (const auto& name : wanted.rows)
        if (std::none_of(all_rows().begin(), all_rows().end(), [&](const row& r) { return r.name == name; }))
            return std::fprintf(stderr, "no row %s\n", name.c_str()), 2;
    with_environment(arguments);

    std::string who;
    for (const auto& peer : present()) who += (who.empty() ? "" : ", ") + peer;
    for (const char* peer : {"onednn", "libtorch", "xnnpack"})
        if (who.find(peer) == std::string::npos) who += std::string(who.empty() ? "" : ", ") + peer + " not found";
    std::printf("# peers: %s\nrow\tthreads\tsubject\tmedian_ns\tmin_ns\tratio\n", who.c_str());
    std::fflush(stdout);
    bool agree = true;
    for (const auto& each : all_rows())
        if (among(wanted.rows, each.name))
            agree &= threads == 1 || wanted.peers.size() == 1 ? together(each, wanted) : apart(each, wanted);
    return agree ? 0 : 1;
}
