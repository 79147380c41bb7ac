// PyTorch's answers as this repository holds them, a file of text for each family (recorded/*.txt), many cases one behind the other:
//     == <overload> <number of the case> [what is special about it]
//     the text of the graph, as print_readable() prints it with types, or print(ExportedProgram)
//     -- <placeholder> <type>
//     its elements in row-major order, on one line, which is empty where there are none
//     -- out <type>
//     the elements that PyTorch gave; once per output, in order
// The values are PyTorch 1.13's, those of exported_texts.txt, norms.txt and pseudo_inverse.txt 2.14's; f32 in nine digits: the same bits. A complex number is two, the real part first.
// SPDX-License-Identifier: MIT
#pragma once
#include "recorded.hpp"

#include <ahead/ir/type/annotation.hpp>

#include <charconv>

namespace cases {

struct recorded_text {
    std::string name, text; // "add.Tensor 3 broadcast"
    recorded tensors;
};

// One of their tensors: the type that its head says, the elements of the next line.
inline host_tensor read_elements(std::string_view type, std::string_view line) {
    annotation printed;
    diagnosis d;
    if (!read_annotation(type, printed, d)) throw error(d);
    host_tensor out(printed.type);
    const auto* at = line.data();
    for_each_index(sizes_of(out.type), [&](const int_list& index) {
        const auto next = [&](auto value) {
            while (at != line.data() + line.size() && *at == ' ') ++at;
            const auto read = std::from_chars(at, line.data() + line.size(), value);
            if (read.ec != std::errc{}) throw std::runtime_error("no number for " + std::string(type) + " in: " + std::string(line.substr(0, 80)));
            at = read.ptr;
            return value;
        };
        if (is_complex(out.type.type)) {
            const auto real = next(double{});
            out.put(index, complex128(real, next(double{})));
        } else if (is_floating(out.type.type)) out.put(index, next(double{}));
        else out.put(index, next(std::int64_t{}));
    });
    if (at != line.data() + line.size()) throw std::runtime_error("more numbers than " + std::string(type) + " has");
    return out;
}

inline std::vector<recorded_text> read_recorded(const path& file) {
    std::vector<recorded_text> out;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("== ")) {
            out.push_back({line.substr(3), {}, {}});
            continue;
        }
        if (out.empty()) throw std::runtime_error(file.string() + ": begins with no case");
        auto& now = out.back();
        if (!line.starts_with("-- ")) {
            now.text += line + '\n';
            continue;
        }
        const auto end = line.find(' ', 3);
        const auto name = line.substr(3, end - 3), type = line.substr(end + 1);
        if (!std::getline(lines, line)) throw std::runtime_error(file.string() + ": ends without the elements of " + name);
        auto tensor = read_elements(type, line);
        if (name == "out") {
            now.tensors.outputs.push_back(std::move(tensor));
            continue;
        }
        now.tensors.by_placeholder[name] = tensor;
        now.tensors.inputs.push_back(std::move(tensor));
    }
    return out;
}

} // namespace cases
