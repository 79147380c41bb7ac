// Reads every FX text below the folders given and prints a line for each:
//     <file>: typed | parsed (<line> <why it is not typed>) | refused <line> <reason>
// A crash, or a refusal without line or reason, fails; so does whatever contradicts INDEX.tsv, INCONSISTENT.tsv or the manifest of a model
// (printouts.hpp, models.hpp). A parsed text must print back equal to itself, up to blanks at line ends, blank lines and comment lines.
// Run where -DAHEAD_FX_CORPUS names folders: the texts are not part of the project.
// SPDX-License-Identifier: MIT
#include "models.hpp"
#include "printouts.hpp"

int main(int argc, char** argv) {
    namespace fs = std::filesystem;
    corpus::printout_totals printouts;
    corpus::model_totals models;
    for (int i = 1; i < argc; ++i) {
        const fs::path root = argv[i];
        if (!fs::is_directory(root)) {
            std::cout << root.string() << " is no folder\n";
            return 1;
        }
        std::map<fs::path, std::vector<fs::path>> folders;
        for (const auto& entry : fs::recursive_directory_iterator(root))
            if (entry.path().extension() == ".txt") folders[entry.path().parent_path()].push_back(entry.path());
        for (auto& [folder, files] : folders) {
            std::sort(files.begin(), files.end());
            if (fs::exists(folder / "manifest.tsv")) {
                corpus::model_check(folder, models).run();
                continue;
            }
            corpus::printout_check check(folder, printouts);
            for (const auto& file : files) check.run(file);
        }
    }
    for (const auto& [kind, count] : printouts.kinds) std::cout << count << ' ' << kind << '\n';
    const auto& p = printouts;
    const auto& m = models;
    std::cout << p.files << " printouts: " << p.typed << " typed, " << p.parsed << " parsed, " << p.refused << " refused; "
              << p.executed_same << " of " << p.executed << " give the recorded outputs; " << p.violations << " violations\n"
              << m.models << " models, " << m.texts << " texts: " << m.typed << " typed, " << m.same << " print back (" << m.exact
              << " byte for byte), " << m.equal << " of " << m.exports << " exports are one graph in all texts; " << m.violations
              << " violations" << std::endl;
    return p.violations + m.violations == 0 && p.files + m.texts > 0 ? 0 : 1;
}
