// SPDX-License-Identifier: MIT
// The arena's solver on problems from files: TSV, a row a file.
//     ahead_bench_arena [--steps n] [--least] FILE.CSV...
// A file has a line of names and then `id,lower,upper,size` for each buffer: bytes that are needed from time lower on
// and no longer at time upper. A number behind a dot in its name, as in A.1048576.csv, is the capacity that it is to fit into;
// without one, or with --least, as little as there can be is looked for.
//     --steps    the effort; patient unless it is said
// Exit code 1 where an answer is wrong or larger than the capacity, 2 where a file is no problem.
#include <ahead/plan/arena/check_offsets.hpp>
#include <ahead/plan/arena/offset_solver.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

using namespace ahead;
using namespace ahead::rooms;

struct request {
    effort most = effort::patient;
    bool least = false;
};

bool read_number(std::string_view text, std::int64_t& out) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
    return read.ec == std::errc{} && read.ptr == text.data() + text.size();
}

/// The last part of the file's name, behind its first dot, that is a number; 0: none is.
arena_size capacity_of(std::string_view path) {
    arena_size out = 0;
    const auto name = path.substr(path.rfind('/') + 1);
    for (auto dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1))
        if (arena_size number = 0; read_number(name.substr(dot + 1, name.find('.', dot + 1) - dot - 1), number))
            out = number;
    return out;
}

/// False: a line is none.
bool read_problem(const char* path, std::vector<arena_buffer>& out) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line)) return false;
    while (std::getline(file, line)) {
        std::int64_t number[4];
        std::string_view rest = line;
        for (auto& n : number) {
            const auto part = rest.substr(0, rest.find_first_of(",\r"));
            if (!read_number(part, n)) return false;
            rest.remove_prefix(std::min(part.size() + 1, rest.size()));
        }
        const auto [id, lower, upper, size] = number;
        if (lower < 0 || upper <= lower || upper > 1 << 30 || size < 0) return false;
        out.push_back({{static_cast<task_number>(lower), static_cast<task_number>(upper - 1)}, size, 0});
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
        return std::tie(a.live.first, a.live.last, a.bytes) < std::tie(b.live.first, b.live.last, b.bytes);
    });
    return true;
}

/// Whether the answer is one, and no larger than the capacity.
bool solve_file(const char* path, const request& asked) {
    std::vector<arena_buffer> buffers;
    if (!read_problem(path, buffers)) {
        std::fprintf(stderr, "%s: expected a line of names, then lines of id,lower,upper,size\n", path);
        std::exit(2);
    }
    const auto capacity = capacity_of(path);
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = solve_offsets(buffers, asked.most, asked.least ? 0 : capacity);
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    const auto verdict = check_offsets<disjoint_lifetimes>(buffers, {buffers.data()}, answer.region);
    const std::string_view name(path), gloss = print(verdict);
    std::printf("%s\t%zu\t%lld\t%lld\t%lld\t%.1f\t%.*s\n", std::string(name.substr(name.rfind('/') + 1)).c_str(),
                buffers.size(), static_cast<long long>(capacity), static_cast<long long>(answer.region),
                static_cast<long long>(answer.least), ms, static_cast<int>(gloss.size()), gloss.data());
    std::fflush(stdout);
    return verdict == offset_verdict::good && (capacity == 0 || answer.region <= capacity);
}

} // namespace

int main(int count, char** arguments) {
    request asked;
    std::vector<const char*> files;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = arguments[i];
        if (word == "--least") {
            asked.least = true;
        } else if (std::int64_t steps = 0; word == "--steps" && ++i < count && read_number(arguments[i], steps)) {
            asked.most = effort{steps};
        } else if (word.starts_with("--")) {
            std::fputs("usage: ahead_bench_arena [--steps n] [--least] FILE.CSV...\n", stderr);
            return 2;
        } else {
            files.push_back(arguments[i]);
        }
    }
    std::puts("instance\tbuffers\tcapacity\treached\tat_least\tms\tverdict");
    bool all = true;
    for (const auto* file : files) all = solve_file(file, asked) && all;
    return all ? 0 : 1;
}
