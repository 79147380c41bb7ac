// SPDX-License-Identifier: MIT
// A compiled program's graphs as numbered files: as written, after every pass with its effect, optimized, and on the
// device. At run time.
// Invariant: all files are written, or an exception with the path that failed is thrown and the folder is as before.
// Called by users.
#pragma once
#include <ahead/print/dump/written_files.hpp>
#include <ahead/print/pbtxt/print_pbtxt.hpp>
#include <ahead/print/print_dot.hpp>
#include <ahead/print/print_passes.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Texts and their file names: folder/NNN_name_stage_rank_0.ending.
class graph_dump {
public:
    graph_dump(const std::filesystem::path& folder, std::string_view name, std::int32_t rank_id)
        : folder_(folder), name_(name), rank_("_rank_" + std::to_string(rank_id)) {}

    /// A stage may have several files.
    void begin_stage(std::string_view stage) {
        std::string number = std::to_string(++stages_ - 1);
        number.insert(0, number.size() < 3 ? 3 - number.size() : 0, '0');
        stage_ = number + "_" + file_name_of(name_) + "_" + file_name_of(stage) + rank_;
    }
    void add(std::string_view ending, std::string text) { files_.add(stage_ + std::string(ending), std::move(text)); }
    std::vector<std::filesystem::path> write() const { return files_.write(folder_); }

private:
    std::filesystem::path folder_;
    std::string name_, rank_, stage_;
    written_files files_;
    int stages_ = 0;
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

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// Writes into `folder`, which is created if it does not exist, and returns the files in this order:
///     000_graph_original_rank_0.txt and .pbtxt    the graph as written
///     001_graph_after_functionalise_rank_0.txt    then every enabled pass, in its order, whether or not it
///     002_graph_after_remove_noop_ops_rank_0.txt  changed something: print_passes' description as a comment,
///     ...                                         and the graph as FX text
///     NNN_graph_optimized_rank_0.txt and .pbtxt   the graph that is converted
///     NNN_graph_device_rank_0.pbtxt and .dot      the graph that is planned and run
/// The .txt files are texts that fx<> and read_fx parse. `name` replaces "graph", rank_id, from 0, is that of the
/// process that dumps. Throws error (file_is_unwritable) with the path; then no file is written.
template <class Program>
    requires requires { typename Program::passes; }
std::vector<std::filesystem::path> dump_passes(const std::filesystem::path& folder, std::string_view name = "graph",
                                               std::int32_t rank_id = 0) {
    using imported = typename Program::imported;
    constexpr op_table ops = imported::registry::table;
    const graph_view captured = Program::captured(), functional = imported::storage.view();
    const auto counted = [](graph_view g) { return std::to_string(g.header().live_nodes); };

    detail::graph_dump dump(folder, name, rank_id);
    dump.begin_stage("original");
    dump.add(".txt", "# original graph: " + counted(captured) + " nodes\n" + detail::fx_text(captured));
    dump.add(".pbtxt", detail::pbtxt_text(captured, ops));

    const bool is_functional = captured.nodes().data() == functional.nodes().data();
    dump.begin_stage("after_functionalise");
    dump.add(".txt",
             "# functionalise: " +
                 (is_functional ? "nothing to do" : counted(captured) + " -> " + counted(functional) + " nodes") +
                 "\n" + detail::fx_text(functional));

    heap_storage storage(pass::room_for_passes(typename Program::passes{}, functional, ops, functional.header().used));
    copy_graph(functional, storage.edit());
    std::string text;
    detail::pass_log<std::string> log(storage.view(), text);
    diagnosis d; // stays empty: these passes ran when the program was compiled
    static_cast<void>(pass::run(typename Program::passes{}, {Program::tools::options, Program::tools::device},
                                storage.edit(), ops, d,
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

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::dump_passes;
} // namespace ahead
