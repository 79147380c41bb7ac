// SPDX-License-Identifier: MIT
// The importer of .pt2 archives, which torch.export.save writes: the program in models/model.json becomes the text that
// print(ExportedProgram) prints, which frontend/fx/ reads. At run time only: in inspect, 08_inspect and the generator.
//     const auto made = inspect<frontend::pt2_importer>(bytes_of_the_archive);
//     std::string text;
//     if (frontend::print_pt2(bytes_of_the_archive, text, d)) ...          // what PyTorch would print of it
// Invariant: the graph is that of the printed program. Lines are 0: an archive has none.
#pragma once
#include <ahead/frontend/fx/fx.hpp>
#include <ahead/frontend/pt2/print_program.hpp>

namespace AHEAD_NAMESPACE::frontend {

/// Appends the program of an archive as print(ExportedProgram) prints it. If it returns false, `d` says what the
/// archive lacks.
inline bool print_pt2(std::string_view archive, std::string& out, diagnosis& d) {
    io::pt2_archive entries;
    io::json_value program;
    return entries.open(archive, d) && entries.read("models/model.json", program, d) &&
           print_exported_program(program, out, d);
}

struct pt2_importer {
    static constexpr const text_format& format = pt2_format;
    static import_room count(std::string_view archive) {
        std::string text;
        diagnosis d;
        if (!print_pt2(archive, text, d)) return {};
        return {count_fx(text), static_cast<std::int32_t>(text.size())};
    }
    static bool read(std::string_view archive, op_table ops, graph g, array_view<char> characters, import_notes& notes,
                     diagnosis& d) {
        std::string text;
        if (!print_pt2(archive, text, d)) return false;
        std::copy(text.begin(), text.end(), characters.data());
        if (!fx_importer::read({characters.data(), text.size()}, ops, g, characters, notes, d)) {
            d.line = 0;
            return false;
        }
        for (auto& n : g.nodes()) n.from.line = 0;
        return true;
    }
};

} // namespace ahead::frontend
