// A long text arrives whole: every character, in order, although no literal is longer than 15000.
#include <string_view>

struct long_text {
    static constexpr std::string_view text =
#include "long.fx"
        ;
};

constexpr std::string_view unit = "x; [y] \\n ${z} @w@ \"q\" ";
constexpr std::string_view short_line = "a short line;\n";
static_assert(long_text::text.size() == 70'000);
static_assert(long_text::text.starts_with(short_line));
static_assert(long_text::text.substr(3000 * short_line.size(), unit.size()) == unit);
static_assert(long_text::text.substr(3000 * short_line.size() + 999 * unit.size(), unit.size() + 1 + short_line.size()) ==
              "x; [y] \\n ${z} @w@ \"q\" \na short line;\n");
static_assert(long_text::text.ends_with('\n'));
