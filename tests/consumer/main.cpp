// What every consumer project builds: the umbrella in two translation units, a graph made from a plain text file and
// compiled, and weights in the program, which are seen where they lie, in both.
#include <ahead/version.hpp>
#if __has_include(<ahead/ahead.hpp>)
#include <ahead/ahead.hpp>
#endif

#include "model_weights.hpp"

#include <cstdio>
#include <string_view>

struct model {
    static constexpr std::string_view text =
#include "model.fx"
        ;
};
static_assert(model::text.starts_with("class <lambda>"));
static_assert(model::text.ends_with("return (relu,)\n"));

using program = ahead::compiled<ahead::fx<model>>;

int version_seen_elsewhere();
const void* weights_seen_elsewhere();

bool weights_are_right() {
    const auto file = model_weights();
    if (file.data() != weights_seen_elsewhere() || reinterpret_cast<std::uintptr_t>(file.data()) % 64 != 0) return false;
    ahead::weights all;
    ahead::diagnosis d;
    if (!ahead::view_safetensors(file, all, d)) {
        std::printf("%s\n", ahead::render(d).c_str());
        return false;
    }
    for (const auto& t : all)
        if (t.bytes.data() < file.data() || t.bytes.data() + t.bytes.size() > file.data() + file.size()) return false;
    std::printf("%zu weights, the first %s\n", all.size(), all.begin()->name.c_str());
    return all.size() > 0;
}

bool graph_runs() {
    const auto weights = program::prepare();
    program::session run{weights};
    const float x[9] = {-1, 2};
    const auto [y] = run(x);
    return y(0, 0) < 0.5f && y(0, 1) > 1.5f;
}

int main() {
    std::printf("ahead %d.%d.%d\n", ahead::version_major, ahead::version_minor, ahead::version_patch);
    return version_seen_elsewhere() == ahead::version_major && weights_are_right() && graph_runs() ? 0 : 1;
}
