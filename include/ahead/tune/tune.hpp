// SPDX-License-Identifier: MIT
// The main program of a tuning executable (generate/write_tuning.hpp): measures each key's kernels and writes the
// choice file, which device/choices.hpp reads:
//     # Kernels of digits, measured with ahead 0.2.0 on AMD EPYC, vectors of 64 bytes, GCC 12.2.0, 2026-03-01.
//     npu.matmul m=8 n=512 k=784 bias packed ... : by_rule # by_rule 31.6, panels_of_16 43.6, panels_of_64 37.4
// The fastest times in microseconds follow the #. A kernel replaces the rule's choice only if it saves more than the
// measurement error, so that measuring again gives the same file.
// Invariant: the file is replaced as a whole when all is measured, or stays unchanged; keys are in the model's order.
#pragma once
#include <ahead/tune/measure.hpp>
#include <ahead/version.hpp>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

namespace AHEAD_NAMESPACE::tune {

using key_maker = tuned_key (*)();

inline constexpr const char* usage = "usage: NAME_tune [--seconds N] FILE\n"
                                     "Measures the kernels that the model's keys may have, and writes FILE.\n"
                                     "  --seconds N   how long it measures each key, about; 0.1 unless it is said\n";

/// The CPU's model name as the system reports it.
inline std::string machine_name() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("model name") && line.find(": ") != line.npos) return line.substr(line.find(": ") + 2);
    return "an unnamed machine";
}
inline std::string compiler_name() {
#ifdef __clang__
    return std::string("clang ") + __clang_version__;
#else
    return std::string("GCC ") + __VERSION__;
#endif
}
inline std::string today() {
    const auto now = std::time(nullptr);
    char text[16];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%d", std::localtime(&now))};
}
/// "31.6": the measurement is accurate to about three digits.
inline std::string print_time(double microseconds) {
    char text[32];
    const int size = std::snprintf(text, sizeof text,
                                   microseconds < 10    ? "%.2f"
                                   : microseconds < 100 ? "%.1f"
                                                        : "%.0f",
                                   microseconds);
    return {text, static_cast<std::size_t>(size)};
}

/// The line of a key in the choice file.
inline std::string print_line(const measured_key& key) {
    std::string out = key.text + " : " + std::string(key.kernels[key.chosen].choice) + " #";
    std::string_view between = " ";
    for (const auto& kernel : key.kernels) {
        ((out += between) += kernel.choice) += ' ' + print_time(kernel.fastest);
        between = ", ";
    }
    return out + '\n';
}
inline std::string print_head(std::string_view model) {
    return "# Kernels of " + std::string(model) + ", measured with ahead " + std::to_string(version_major) + '.' +
           std::to_string(version_minor) + '.' + std::to_string(version_patch) + " on " + machine_name() +
           ", vectors of " + std::to_string(kernels::widest<float> * 4) + " bytes, " + compiler_name() + ", " +
           today() + ".\n# key : choice # the fastest time of each of its kernels, in microseconds\n";
}

/// The whole program. keys: null-terminated. footprint: bytes of memory that a run of the model touches. Exit status: 0
/// if FILE is written; 1 if it cannot be written or a kernel is wrong; 2 if the arguments are wrong.
inline int run_main(const char* model, std::int64_t footprint, const key_maker* keys, int count, char** given) {
    measuring how;
    how.footprint = footprint;
    std::string path, wrong;
    for (int i = 1; i < count && wrong.empty(); ++i) {
        const std::string_view word = given[i];
        if (word == "--help") return std::fputs(usage, stdout), 0;
        if (word == "--seconds" && i + 1 < count) {
            char* end = nullptr;
            how.seconds_of_key = std::strtod(given[++i], &end);
            if (*end != '\0' || !(how.seconds_of_key >= 0)) wrong = "--seconds is a number from 0 on";
        } else if (word.starts_with("--")) wrong = "'" + std::string(word) + "' is no option, or nothing is behind it";
        else if (!path.empty()) wrong = "one file is written, not two";
        else path = word;
    }
    if (wrong.empty() && path.empty()) wrong = "no file is named";
    if (!wrong.empty()) return std::fprintf(stderr, "%s_tune: %s\n%s", model, wrong.c_str(), usage), 2;

    auto text = print_head(model);
    double by_rule = 0, chosen = 0;
    int others = 0, all = 0;
    for (; *keys != nullptr; ++keys) {
        const auto key = measure((*keys)(), how);
        for (const auto& kernel : key.kernels)
            if (!kernel.is_right)
                return std::fprintf(stderr, "%s_tune: %s makes something else of %s than its rule does\n", model,
                                    std::string(kernel.choice).c_str(), key.text.c_str()),
                       1;
        text += print_line(key);
        by_rule += key.kernels[0].fastest;
        chosen += key.kernels[key.chosen].fastest;
        others += key.chosen != 0;
        ++all;
    }
    const auto part = path + ".part";
    std::error_code failed;
    {
        std::ofstream out(part, std::ios::binary);
        out << text;
        out.close();
        if (out) std::filesystem::rename(part, path, failed);
        if (!out || failed) {
            std::filesystem::remove(part, failed);
            return std::fprintf(stderr, "%s_tune: '%s' cannot be written\n", model, path.c_str()), 1;
        }
    }
    std::printf("%s: %d of %d keys get another kernel than their rules'; one call of each takes %s us instead of %s\n",
                path.c_str(), others, all, print_time(chosen).c_str(), print_time(by_rule).c_str());
    return 0;
}

} // namespace ahead::tune
