// SPDX-License-Identifier: MIT
// ahead-generate as a function: from the file of a graph to the sources of its program. A build compiles one main() for
// each toolchain, which calls it; ahead_add_model (cmake/) does both.
//     int main(int count, char** arguments) { return ahead::generate::run_main<ahead::toolchain<>>(count, arguments); }
// Exit status: 0 if the files are written, 1 if the graph is refused, or a file cannot be read or written, 2 if the
// arguments are wrong.
// Invariant: a file whose contents would not change is not written, so that nothing is recompiled for it; if a graph is
// refused, no file changes.
#pragma once
#include <ahead/core/error.hpp>
#include <ahead/frontend/any_importer.hpp>
#include <ahead/generate/input_rows.hpp>
#include <ahead/generate/progress.hpp>
#include <ahead/generate/write_program.hpp>
#include <ahead/generate/write_tuning.hpp>
#include <ahead/io/file.hpp>
#include <ahead/io/read_symbol.hpp>
#include <ahead/tune/inspect_choices.hpp>
#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace AHEAD_NAMESPACE::generate {

inline constexpr const char* usage =
    "usage: ahead-generate --name NAME [options] MODEL\n"
    "Writes the program of a graph as C++. MODEL is a .pt2 archive, a text that PyTorch printed, or a\n"
    "pbtxt, whose first message is node {...}. The files are NAME.hpp, NAME_interface.cpp, NAME_tasks.hpp,\n"
    "NAME_prepare.cpp, NAME_0.cpp and so on, NAME_program.hpp, NAME_graphs.hpp, NAME_manifest.hpp,\n"
    "NAME_verify.cpp.\n"
    "  --name NAME        a name in C++: of the namespace, and of the files\n"
    "  --out FOLDER       where the files go; here unless it is said\n"
    "  --inputs FILE      rows of inputs[], {\"arg0_1\", \"fc.weight\", \"f32[32, 16]\"}, ...: what the text does not "
    "say\n"
    "  --size SYMBOL=N    what a symbol of the text's sizes stands for; as often as it has symbols;\n"
    "                     SYMBOL=host: a number that is given at each run\n"
    "  --choices FILE     which kernels were measured to be the fastest (ahead/device/choices.hpp); what it says "
    "nothing\n"
    "                     of, and all where there is no such file, goes by rule, which is said\n"
    "  --tune             writes NAME_tune.cpp, a program that measures them and writes such a file, and nothing else\n"
    "  --units N          how many sources the tasks of a run are spread over, 1 unless it is said\n"
    "  --level N          the tasks are compiled for x86-64-vN, 1 to 4; as often as for several levels\n"
    "  --toolchain HEADER TYPE [REGISTRY]\n"
    "                     that this program was compiled with, as the sources are to name it\n"
    "  --verify-while-compiling\n"
    "                     NAME_verify.cpp does not compile where the verifier refuses the plan\n"
    "  --help             this text\n";

struct arguments {
    options asked;
    std::string model, out = ".", inputs, choices;
    std::vector<symbol_value> sizes; // views of the arguments
    bool wants_help = false, tunes = false;
    std::string wrong; // the error; empty: none
};
inline bool is_name(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9')) return false;
    }
    return !text.empty();
}
inline arguments read_arguments(int count, char** given) {
    arguments out;
    const auto value_of = [&](int& i) -> std::string {
        if (++i < count) return given[i];
        out.wrong = "no value after " + std::string(given[i - 1]);
        return {};
    };
    for (int i = 1; i < count && out.wrong.empty(); ++i) {
        const std::string word = given[i];
        if (word == "--help") out.wants_help = true;
        else if (word == "--verify-while-compiling") out.asked.verify_while_compiling = true;
        else if (word == "--name") out.asked.name = value_of(i);
        else if (word == "--out") out.out = value_of(i);
        else if (word == "--inputs") out.inputs = value_of(i);
        else if (word == "--choices") out.choices = value_of(i);
        else if (word == "--tune") out.tunes = true;
        else if (word == "--toolchain") {
            out.asked.header = value_of(i);
            out.asked.tools = value_of(i);
            if (i + 1 < count && std::string_view(given[i + 1]).find("::") != std::string_view::npos)
                out.asked.registry = given[++i];
        } else if (word == "--size") {
            const auto text = value_of(i);
            if (out.wrong.empty() && !read_symbol(given[i], out.sizes.emplace_back()))
                out.wrong = "--size is a symbol and a number, s0=4, or a host parameter, s1=host, not '" + text + "'";
        } else if (word == "--units") {
            const auto text = value_of(i);
            std::int64_t units = 0;
            if (read_natural(text, units) != text.size() || units < 1 || units > 1000)
                out.wrong = "--units is a number from 1 to 1000, not '" + text + "'";
            out.asked.units = static_cast<std::int32_t>(units);
        } else if (word == "--level") {
            const auto text = value_of(i);
            if (out.wrong.empty() && (text.size() != 1 || text[0] < '1' || text[0] > '4'))
                out.wrong = "--level is a number from 1 to 4, not '" + text + "'";
            else if (out.wrong.empty()) out.asked.levels.push_back(text[0] - '0');
        } else if (word.starts_with("--")) out.wrong = "'" + word + "' is no option";
        else if (!out.model.empty()) out.wrong = "one model at a time: '" + out.model + "' and '" + word + "'";
        else out.model = word;
    }
    if (!out.wrong.empty() || out.wants_help) return out;
    std::ranges::sort(out.asked.levels);
    if (std::ranges::adjacent_find(out.asked.levels) != out.asked.levels.end()) out.wrong = "a --level is given twice";
    else if (!is_name(out.asked.name)) out.wrong = "--name is a name in C++, not '" + out.asked.name + "'";
    else if (out.model.empty()) out.wrong = "no model is named";
    return out;
}

/// Whether the file has these contents. It is read in parts: it may have megabytes.
inline bool says(const std::filesystem::path& path, std::string_view text) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed) || std::filesystem::file_size(path, failed) != text.size())
        return false;
    std::ifstream in(path, std::ios::binary);
    std::array<char, 1 << 15> part;
    for (std::size_t at = 0; at < text.size();) {
        in.read(part.data(), static_cast<std::streamsize>(std::min(part.size(), text.size() - at)));
        const auto count = static_cast<std::size_t>(in.gcount());
        if (count == 0 || std::memcmp(part.data(), text.data() + at, count) != 0) return false;
        at += count;
    }
    return true;
}
/// Writes the files whose contents differ; returns whether all could be written.
inline bool write_files(const std::vector<file>& files, const std::string& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    for (const auto& one : files) {
        const auto path = std::filesystem::path(folder) / one.name;
        if (says(path, one.text)) continue;
        std::ofstream out(path, std::ios::binary);
        out << one.text;
        out.close();
        if (out) continue;
        std::filesystem::remove(path, failed); // half a file is worse than none
        std::fprintf(stderr, "ahead-generate: '%s' cannot be written\n", path.string().c_str());
        return false;
    }
    return true;
}

/// The name of a stage in progress messages.
constexpr std::string_view phase_of(inspect_stage stage) {
    if (stage <= inspect_stage::infer) return "read";
    if (stage <= inspect_stage::lower) return "passes";
    return stage == inspect_stage::plan ? "plan" : "verify";
}

/// Notes on the unused lines of a choice file, and on the keys that it lacks.
inline void say_choices(const std::string& path, bool is_there, const choice_report& report) {
    if (!is_there && report.rows.empty()) return;
    const auto say = [&](const std::string& note) {
        std::fprintf(stderr, "ahead-generate: %s: %s; ahead_tune measures them\n", path.c_str(), note.c_str());
    };
    if (is_there) report.each_note(say);
    else say("is not there: all keys go by their rules");
}

/// The whole program. Phases that take longer than a second are reported on stderr.
template <class Tools = toolchain<>, class Registry = aten::registry> int run_main(int count, char** given) {
    using tools = typename ahead::detail::kept_toolchain<Tools>::type;
    auto args = read_arguments(count, given);
    if (args.wants_help) return std::fputs(usage, stdout), 0;
    if (!args.wrong.empty()) return std::fprintf(stderr, "ahead-generate: %s\n%s", args.wrong.c_str(), usage), 2;
    args.asked.source = std::filesystem::path(args.model).filename().string();
    diagnosis d;
    aligned_memory memory, rows_memory, choices_memory;
    std::span<const std::byte> bytes, rows_bytes, choices_bytes;
    const auto text_of = [](std::span<const std::byte> all) {
        return std::string_view(reinterpret_cast<const char*>(all.data()), all.size());
    };
    const auto refused = [&](const std::string& path, std::string_view text) {
        const auto line = d.line; // as compilers write it, so that editors go there
        d.line = 0;
        std::fprintf(stderr, "%s%s: %s\n", path.c_str(), line > 0 ? (':' + std::to_string(line)).c_str() : "",
                     render(d).c_str());
        if (line > 0) std::fprintf(stderr, "    %.200s\n", std::string(source_text{path, text}.line(line)).c_str());
        return 1;
    };
    if (!read_file(args.model, memory, bytes, d)) return refused(args.model, {});
    std::vector<input_description> rows;
    if (!args.inputs.empty()) {
        if (!read_file(args.inputs, rows_memory, rows_bytes, d)) return refused(args.inputs, {});
        if (!read_input_rows(text_of(rows_bytes), rows, d)) return refused(args.inputs, text_of(rows_bytes));
    }
    config with = tools::options;
    const bool has_choices = !args.choices.empty() && std::filesystem::exists(args.choices);
    if (has_choices) {
        if (!read_file(args.choices, choices_memory, choices_bytes, d)) return refused(args.choices, {});
        with.choices = text_of(choices_bytes);
        if (std::int32_t line = 0;
            !pass::check_choices<typename tools::operators::device_ops>(device::choice_table(with.choices), d, line)) {
            d.line = line;
            return refused(args.choices, with.choices);
        }
    }
    progress shown("ahead-generate: " + args.model, std::chrono::seconds(1), stderr);
    const auto made = inspect<any_importer, tools, Registry>(
        text_of(bytes), with, {rows.data(), rows.size()}, {args.sizes.data(), args.sizes.size()},
        [&](inspect_stage stage) { shown.enter(phase_of(stage)); });
    if (d = made.error; !d.ok()) return refused(args.model, text_of(bytes));
    shown.enter("write");
    if (args.tunes)
        return write_files(write_tuning(tune::report_choices<tools, Registry>(made), made.plan(), args.asked), args.out)
                   ? 0
                   : 1;
    if (!args.choices.empty()) say_choices(args.choices, has_choices, tune::report_choices<tools, Registry>(made));
    const auto written = write_program<tools>(made, args.asked);
    if (args.asked.levels.size() > 1)
        for (const auto& file : written)
            for (const auto& header : eigen_headers)
                if (file.text.find(header.line) != file.text.npos)
                    return std::fprintf(stderr,
                                        "ahead-generate: %s has kernels of Eigen's, whose functions have one name at "
                                        "every level: give one --level\n",
                                        args.model.c_str()),
                           1;
    return write_files(written, args.out) ? 0 : 1;
}

} // namespace ahead::generate
