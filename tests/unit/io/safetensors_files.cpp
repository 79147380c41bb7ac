// load_safetensors and view_safetensors: files of every kind, and where the bytes lie that were read from them.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "rendered.hpp"
#include "safetensors_texts.hpp"

#include <ahead/io/safetensors.hpp>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>
#if defined(__linux__)
#include <sys/stat.h>
#endif

using namespace ahead;
using namespace test;
using namespace test::safetensors_texts;

static void files() {
    const auto folder = std::filesystem::temp_directory_path() / ("ahead_safetensors_" + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder);
    const auto path = folder / "net.safetensors";
    const auto text = safetensors("{" + entry("a", "U8", "[4]", "[0,4]") + "}", "abcd");
    std::ofstream(path, std::ios::binary) << text;
    check_equal(text_of(load_safetensors(path)), "a u8[4]=abcd; ");
    std::ofstream(path, std::ios::binary) << text.substr(0, text.size() - 1);
    check_throws<error>([&] { load_safetensors(path); }, "net.safetensors' is truncated: expected 4 bytes of data, found 3 bytes");
    std::filesystem::remove_all(folder);
    // fault: file_is_unreadable
    check_throws<error>([&] { load_safetensors(path); }, "net.safetensors' is unreadable");
    weights all;
    diagnosis d;
    check(!load_safetensors(std::filesystem::temp_directory_path(), all, d));
    check_fault(d, {fault::file_is_unreadable});
    // The first fault stays.
    check(!read_safetensors({}, all, d));
    check_fault(d, {fault::file_is_unreadable});
}

/// A header of as many bytes that the data begin at a multiple of 8, as the safetensors library writes it.
static std::string padded(std::string header) { return header.append((8 - header.size() % 8) % 8, ' '); }
static bool lies_in(const tensor_bytes& t, std::span<const std::byte> file, std::size_t at) { return t.bytes.data() == file.data() + at; }

static void views() {
    const auto header = padded("{" + entry("a", "F64", "[1]", "[0,8]") + "," + entry("b", "U8", "[1]", "[8,9]") + "," +
                               entry("c", "F32", "[1]", "[9,13]") + "," + entry("d", "I8", "[2]", "[13,15]") + "," +
                               entry("e", "F16", "[2]", "[16,20]") + "," + entry("f", "BOOL", "[1]", "[15,16]") + "}");
    const auto text = safetensors(header, "abcdefghiABCDjk\1lmno");
    alignas(64) static std::byte memory[1024];
    const auto at = 8 + header.size();
    const auto place = [&](std::size_t first) {
        std::memcpy(memory + first, text.data(), text.size());
        return std::span<const std::byte>(memory).subspan(first, text.size());
    };
    {
        const auto file = place(0);
        weights all = view_safetensors(file);
        check_equal(text_of(all), "a f64[1]=abcdefgh; b u8[1]=i; c f32[1]=ABCD; d i8[2]=jk; e f16[2]=lmno; f b8[1]=\1; ");
        check(hold(all, 1));
        check(lies_in(*all.find("a"), file, at) && lies_in(*all.find("b"), file, at + 8) && lies_in(*all.find("d"), file, at + 13) &&
              lies_in(*all.find("e"), file, at + 16) && lies_in(*all.find("f"), file, at + 15));
        const auto* c = all.find("c")->bytes.data();
        check(c < memory || c >= memory + sizeof memory, "what is misaligned is copied, alone");
        memory[at] = std::byte{'!'};
        check(text_of(*all.find("a"))[0] == '!', "seen, not copied");
        // What is read into memory of its own stays beside it, and what two sets see.
        all.add("g", dtype::u8, {1}, bytes_of_text("g"));
        weights merged;
        merged.merge(std::move(all));
        check(lies_in(*merged.find("a"), file, at) && text_of(*merged.find("c")) == "ABCD" && text_of(*merged.find("g")) == "g");
    }
    // One byte further, all but the bytes alone are copied.
    const auto file = place(1);
    const auto all = view_safetensors(file);
    check_equal(text_of(all), "a f64[1]=abcdefgh; b u8[1]=i; c f32[1]=ABCD; d i8[2]=jk; e f16[2]=lmno; f b8[1]=\1; ");
    check(hold(all, 1) && lies_in(*all.find("b"), file, at + 8) && !lies_in(*all.find("a"), file, at) &&
          !lies_in(*all.find("e"), file, at + 16));

    weights_tensor t;
    diagnosis d;
    const auto bytes = bytes_of_text("\2");
    check(!weights_tensor::see({"t", dtype::b8, {1}, bytes}, t, d) && t->name.empty());
    check_fault(d, {fault::weight_is_not_boolean});
}

#if defined(__linux__)
static std::string text_of_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
static std::size_t mappings_of(std::string_view path) {
    const auto maps = text_of_file("/proc/self/maps");
    std::size_t count = 0;
    for (auto at = maps.find(path); at != maps.npos; at = maps.find(path, at + 1)) ++count;
    return count;
}
static void mapped_files() {
    const auto folder = std::filesystem::temp_directory_path() / ("ahead_mapped_" + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder);
    const auto path = folder / "net.safetensors", pipe = folder / "pipe", twice = folder / "twice.safetensors";
    // Three times what a reader begins with, so that a pipe is read in several steps.
    std::string data(200'000, '\0');
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>('a' + i % 23);
    const auto text = safetensors(
        padded("{" + entry("a", "F32", "[25000]", "[0,100000]") + "," + entry("b", "F64", "[12500]", "[100000,200000]") + "}"), data);
    std::ofstream(path, std::ios::binary) << text;
    std::ofstream(twice, std::ios::binary) << text;
    const auto is_right = [&](const weights& all) {
        return all.size() == 2 && hold(all, 1) && text_of(*all.find("a")) + text_of(*all.find("b")) == data &&
               all.find("b")->bytes.data() == all.find("a")->bytes.data() + 100'000;
    };
    {
        weights all = load_safetensors(path);
        check(is_right(all) && mappings_of(path.native()) == 1, "one mapping, and both lie in it");
        weights moved = std::move(all), merged;
        merged.merge(std::move(moved));
        check(is_right(merged) && mappings_of(path.native()) == 1, "it goes with its tensors");
        std::filesystem::remove(path);
        check(is_right(merged), "a file may go: what is mapped stays");
        diagnosis d;
        check(!load_safetensors(twice, merged, d) && is_right(merged));
        check_fault(d, {fault::weight_is_defined_twice});
        check(mappings_of(twice.native()) == 0, "what is refused is given back");
    }
    check(mappings_of(path.native()) == 0, "given back");
    // What cannot be mapped is read, into one buffer.
    check(::mkfifo(pipe.c_str(), 0600) == 0);
    const auto from_pipe = [&](const std::string& sent) {
        std::thread sender([&] { std::ofstream(pipe, std::ios::binary) << sent; });
        weights all;
        diagnosis d;
        const bool ok = load_safetensors(pipe, all, d);
        sender.join();
        return std::pair(ok ? is_right(all) : all.size() == 0, d.what);
    };
    check(from_pipe(text) == std::pair(true, fault::none));
    check(from_pipe(text.substr(0, text.size() - 1)) == std::pair(true, fault::file_is_truncated));
    // Read, not mapped: the same bytes.
    aligned_memory memory;
    std::span<const std::byte> file;
    diagnosis d;
    check(read_file(twice, memory, file, d) && text_of(tensor_bytes{"", dtype::u8, {}, file}) == text && mappings_of(twice.native()) == 0);
    std::filesystem::remove_all(folder);
}
#endif

int main() {
    files();
    views();
#if defined(__linux__)
    mapped_files();
#endif
    return report();
}
