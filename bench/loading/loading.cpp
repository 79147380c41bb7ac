// SPDX-License-Identifier: MIT
// Weights from a .safetensors file of 256 MiB, which the system has in its cache: each way of loading it in a process
// of its own, beside a copy of as many bytes between buffers that are there: TSV on standard output, the best of five.
//     ahead_bench_loading [FOLDER for the file, which is removed; else that for temporary ones]
// mapped: loaded; mapped_and_read: and every byte read; read_file_and_read: the same of memory that the file was read
// into. of_copy: the time over that of the copy; peak_mib: of the process, pages that it only maps as well.
#include <ahead/io/safetensors.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr std::size_t tensors = 16, tensor_bytes = std::size_t{16} << 20, all_bytes = tensors * tensor_bytes;

void write_file(const std::string& path) {
    std::string header = "{";
    for (std::size_t i = 0; i < tensors; ++i)
        header += (i > 0 ? ",\"w" : "\"w") + std::to_string(i) +
                  "\":{\"dtype\":\"F32\",\"shape\":[1024,4096],\"data_offsets\":[" + std::to_string(i * tensor_bytes) +
                  "," + std::to_string((i + 1) * tensor_bytes) + "]}";
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::ofstream file(path, std::ios::binary);
    const std::uint64_t length = header.size();
    file.write(reinterpret_cast<const char*>(&length), 8).write(header.data(), static_cast<std::streamsize>(length));
    const std::vector<char> data(tensor_bytes, 1);
    for (std::size_t i = 0; i < tensors; ++i) file.write(data.data(), static_cast<std::streamsize>(data.size()));
}

/// What of every byte depends.
std::uint64_t read_all(const std::byte* from, std::size_t bytes) {
    std::uint64_t sum[8]{};
    for (std::size_t i = 0; i + 64 <= bytes; i += 64) {
        std::uint64_t line[8];
        std::memcpy(line, from + i, 64);
        for (int k = 0; k < 8; ++k) sum[k] += line[k];
    }
    return sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
}
std::uint64_t read_all(const ahead::weights& all) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < tensors; ++i) {
        const auto* const tensor = all.find("w" + std::to_string(i));
        sum += read_all(tensor->bytes.data(), tensor->bytes.size());
    }
    return sum;
}

struct figures {
    double ms = 0, peak_mib = 0;
};
/// Of f(), in a process of its own.
template <class F> figures measured(const F& f) {
    int ends[2];
    if (pipe(ends) != 0) return {};
    const auto child = fork();
    if (child == 0) {
        const auto start = std::chrono::steady_clock::now();
        const volatile std::uint64_t sum = f();
        static_cast<void>(sum);
        figures made{std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(), 0};
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        made.peak_mib = static_cast<double>(used.ru_maxrss) / 1024;
        _exit(write(ends[1], &made, sizeof made) == sizeof made ? 0 : 1);
    }
    figures made;
    if (read(ends[0], &made, sizeof made) != sizeof made) made = {};
    close(ends[0]), close(ends[1]);
    waitpid(child, nullptr, 0);
    return made;
}
template <class F> figures best_of_five(const F& f) {
    auto best = measured(f);
    for (int i = 1; i < 5; ++i)
        if (const auto next = measured(f); next.ms < best.ms) best = next;
    return best;
}

} // namespace

int main(int count, char** arguments) {
    const auto folder = count > 1 ? std::filesystem::path(arguments[1]) : std::filesystem::temp_directory_path();
    const auto path = (folder / ("ahead_bench_loading_" + std::to_string(getpid()) + ".safetensors")).string();
    write_file(path);
    // Before there is anything that a process which begins here would have, too.
    const auto mapped =
        best_of_five([&] { return std::uint64_t{ahead::load_safetensors(path).find("w0") != nullptr}; });
    const auto seen = best_of_five([&] { return read_all(ahead::load_safetensors(path)); });
    const auto taken = best_of_five([&] {
        ahead::aligned_memory memory;
        std::span<const std::byte> file;
        ahead::diagnosis d;
        if (!ahead::read_file(path, memory, file, d)) return std::uint64_t{0};
        return read_all(ahead::view_safetensors(file));
    });
    std::vector<std::byte> from(all_bytes, std::byte{1}), to(all_bytes);
    double copy_ms = 1e30;
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        std::memcpy(to.data(), from.data(), all_bytes);
        copy_ms = std::min(copy_ms,
                           std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::printf("way\tms\tof_copy\tpeak_mib\ncopy\t%.2f\t1.000\t-\n", copy_ms);
    const auto print = [&](const char* way, const figures& f) {
        std::printf("%s\t%.2f\t%.3f\t%.0f\n", way, f.ms, f.ms / copy_ms, f.peak_mib);
    };
    print("mapped", mapped);
    print("mapped_and_read", seen);
    print("read_file_and_read", taken);
    std::filesystem::remove(path);
    return 0;
}
