// What every consumer project builds: the umbrella in two translation units, and a graph made from a plain text file.
#include <ahead/version.hpp>
#if __has_include(<ahead/ahead.hpp>)
#include <ahead/ahead.hpp>
#endif

#include <cstdio>
#include <string_view>

struct model {
    static constexpr std::string_view text =
#include "model.fx"
        ;
};
static_assert(model::text.starts_with("class <lambda>"));
static_assert(model::text.ends_with("return (relu,)\n"));

int version_seen_elsewhere();

int main() {
    std::printf("ahead %d.%d.%d\n", ahead::version_major, ahead::version_minor, ahead::version_patch);
    return version_seen_elsewhere() == ahead::version_major ? 0 : 1;
}
