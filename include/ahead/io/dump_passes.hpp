// SPDX-License-Identifier: MIT
// A compiled program's graphs as numbered files: as written, after every pass with what it did, optimized, and on the device. At run time.
// Invariant: all files or an exception that names the one that cannot be; what stood in the folder before is then as it was. Called by users.
#pragma once
#include <ahead/core/error.hpp>
#include <ahead/io/print_dot.hpp>
#include <ahead/io/print_passes.hpp>
#include <ahead/io/print_pbtxt.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ahead {

namespace detail {

/// Texts and the files they are to be in: folder/NNN_name_stage.ending.
class graph_dump {
public:
    graph_dump(const std::filesystem::path& folder, std::string_view name) : folder_(folder), name_(name) {}

    /// A stage may have several files.
    void begin_stage(std::string_view stage) {
        std::string number = std::to_string(++stages_ - 1);
        number.insert(0, number.size() < 3 ? 3 - number.size() : 0, '0');
        stage_ = number + "_" + plain(name_) + "_" + plain(stage);
    }
    void add(std::string_view ending, std::string text) { files_.push_back({folder_ / (stage_ + std::string(ending)), std::move(text)}); }
    std::vector<std::filesystem::path> write() const {
        std::error_code failed;
        std::filesystem::create_directories(folder_, failed);
        if (!std::filesystem::is_directory(folder_, failed)) refuse_path(folder_, "a folder");
        open_all();
        std::vector<std::filesystem::path> paths;
        for (const auto& file : files_) {
            std::ofstream out(file.path, std::ios::binary);
            out << file.text;
            out.close();
            if (!out) refuse_path(file.path, "room for the file");
            paths.push_back(file.path);
        }
        return paths;
    }

private:
    struct written_file {
        std::filesystem::path path;
        std::string text;
    };
    std::filesystem::path folder_;
    std::string name_, stage_;
    std::vector<written_file> files_;
    int stages_ = 0;

    /// Names of passes may be any text.
    static std::string plain(std::string_view text) {
        std::string out(text);
        for (char& c : out) {
            const bool fits =
                (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
            if (!fits) c = '_';
        }
        return out;
    }
    [[noreturn]] static void refuse_path(const std::filesystem::path& path, std::string_view expected) {
        diagnosis d;
        d.name = std::string_view(path.string());
        refuse(d, fault::file_is_unwritable, expected);
        throw error(d);
    }
    /// Whether each can be written, before the first one is.
    void open_all() const {
        std::vector<std::filesystem::path> made;
        for (const auto& file : files_) {
            std::error_code ignored;
            const bool is_new = !std::filesystem::exists(file.path, ignored);
            if (std::ofstream(file.path, std::ios::app)) {
                if (is_new) made.push_back(file.path);
                continue;
            }
            for (const auto& path : made) std::filesystem::remove(path, ignored);
            refuse_path(file.path, "a file that may be written");
        }
    }
};

inline std::string fx_text(graph_view g) {
    std::string out;
    print_fx(g, readable_style(), out);
    return out;
}
inline std::string pbtxt_text(graph_view g, op_table ops) {
    std::string out;
    print_pbtxt(g, ops, out);
    return out;
}

} // namespace detail

/// Writes into `folder`, which is made if it is not there, and returns the files in this order:
///     000_graph_original.txt and .pbtxt        the graph as written
///     001_graph_after_functionalise.txt        then every pass that is on, in its order, whether or not it changed something:
///     002_graph_after_remove_noop_ops.txt      what print_passes says it did, as a comment, and the graph as FX text
///     NNN_graph_optimized.txt and .pbtxt       what is converted
///     NNN_graph_device.pbtxt and .dot          what is planned and run
/// The .txt files are texts that fx<> and parse_fx read. `name` stands for "graph". Throws error (file_is_unwritable) with the path; nothing is
/// written then.
template <class Program>
requires requires { typename Program::passes; }
std::vector<std::filesystem::path> dump_passes(const std::filesystem::path& folder, std::string_view name = "graph") {
    using imported = typename Program::imported;
    constexpr op_table ops = imported::registry::table;
    const graph_view captured = Program::captured(), functional = imported::storage.view();
    const auto counted = [](graph_view g) { return std::to_string(g.header().live_nodes); };

    detail::graph_dump dump(folder, name);
    dump.begin_stage("original");
    dump.add(".txt", "# original graph: " + counted(captured) + " nodes\n" + detail::fx_text(captured));
    dump.add(".pbtxt", detail::pbtxt_text(captured, ops));

    const bool is_functional = captured.nodes().data() == functional.nodes().data();
    dump.begin_stage("after_functionalise");
    dump.add(".txt", "# functionalise: " + (is_functional ? "nothing to do" : counted(captured) + " -> " + counted(functional) + " nodes") +
                         "\n" + detail::fx_text(functional));

    heap_storage storage(pass::room_for_passes(typename Program::passes{}, functional, ops, functional.header().used));
    copy_graph(functional, storage.edit());
    std::string text;
    detail::pass_log<std::string> log(storage.view(), text);
    diagnosis d; // stays empty: these passes ran when the program was compiled
    static_cast<void>(pass::run(typename Program::passes{}, Program::tools::options, storage.edit(), ops, d,
                                [&](std::string_view pass, graph_view now, std::int32_t changes) {
                                    text = "# ";
                                    log.print(pass, now, changes);
                                    if (changes == 0) print_fx(now, readable_style(), text);
                                    dump.begin_stage("after_" + std::string(pass));
                                    dump.add(".txt", text);
                                }));

    const graph_view optimized = Program::optimized_graph(), device = Program::lowered_graph();
    dump.begin_stage("optimized");
    dump.add(".txt", detail::fx_text(optimized));
    dump.add(".pbtxt", detail::pbtxt_text(optimized, ops));
    dump.begin_stage("device");
    dump.add(".pbtxt", detail::pbtxt_text(device, Program::device_registry::table));
    std::string dot;
    print_dot(device, dot);
    dump.add(".dot", dot);
    return dump.write();
}

} // namespace ahead
