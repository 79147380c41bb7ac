// SPDX-License-Identifier: MIT
// Rows of TSV as a picture: a bar for each row, as long as ahead is fast beside its best peer, by their minima.
#pragma once
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace bench {

/// Where more than one line of a row names a contender, its least time counts. False where nothing is drawn.
inline bool draw_rows(std::FILE* from, const char* file) {
    struct bar {
        std::string name, best;
        double ahead = 0, peer = 0;
    };
    std::vector<bar> bars;
    const auto bar_of = [&](const std::string& name) -> bar& {
        for (auto& known : bars)
            if (known.name == name) return known;
        return bars.emplace_back(bar{name, "", 0, 0});
    };
    char line[512], row[128], subject[128];
    for (int threads = 0; std::fgets(line, sizeof line, from) != nullptr;) {
        double least = 0;
        if (std::sscanf(line, "%127s %d %127s %*f %lf", row, &threads, subject, &least) != 4) continue;
        auto& at = bar_of(std::string(row) + (threads > 1 ? ", " + std::to_string(threads) + " cores" : ""));
        const bool ours = std::string(subject) == "ahead";
        auto& time = ours ? at.ahead : at.peer;
        if (time != 0 && time <= least) continue;
        time = least;
        if (!ours) at.best = subject;
    }
    std::erase_if(bars, [](const bar& b) { return b.ahead == 0 || b.peer == 0; });
    std::FILE* const out = bars.empty() ? nullptr : std::fopen(file, "w");
    if (out == nullptr) return std::fputs("no rows with ahead and a peer, or no file to write\n", stderr), false;

    constexpr int left = 170, unit = 200, most = 3, step = 20, top = 40; // longer bars are cut off at `most`
    const int bottom = top + step * static_cast<int>(bars.size());
    std::fprintf(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
                 "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                 "<text x=\"%d\" y=\"18\">speed of ahead, that of the best peer being 1</text>\n",
                 left + unit * most + 190, bottom + 16, left);
    for (int i = 0; i < static_cast<int>(bars.size()); ++i) {
        const auto& b = bars[static_cast<std::size_t>(i)];
        const double speed = b.peer / b.ahead, length = unit * (speed < most ? speed : most);
        const int y = top + step * i;
        std::fprintf(out,
                     "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                     "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
                     "<text x=\"%.1f\" y=\"%d\">%.2f, %s</text>\n",
                     left - 6, y + 12, b.name.c_str(), left, y, length, step - 5, speed < 1 ? "#d08050" : "#4080b0",
                     left + length + 5, y + 12, speed, b.best.c_str());
    }
    std::fprintf(out, "<path d=\"M%d %dV%d\" stroke=\"black\" stroke-dasharray=\"3\"/>\n</svg>\n", left + unit, top - 8,
                 bottom);
    return std::fclose(out) == 0;
}

} // namespace bench
