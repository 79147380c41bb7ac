// Writes verses: a small GPT, character by character, greedily. The graph is one step, as torch.fx gave it: a character
// for each row and its position in, the next one out. Its caches of 128 positions are states of the session, written
// where they lie. The number of rows is a symbol, compiled for one row and for four: two programs with one set of
// weights, in one memory.
//     10_generate [beginning [beginning beginning beginning]]
#include <ahead/ahead.hpp>
#include <ahead/dynamic/gears/compiled_gears.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

struct decoder {
    static constexpr char text[] =
#include "decoder.fx"
        ;
    static constexpr ahead::fx_input inputs[] = {
#include "decoder.rows"
    };
};
using decoders = ahead::compiled_gears<decoder, ahead::gears<"s0", 1, 4>>;
using four_rows = decoders::program<1>;
static_assert(four_rows::plan.states_written_in_place == 4 && decoders::prepared::copies == 1);

constexpr std::string_view characters = "\n !',-.:;?ABDILMNORSTWabcdefghiklmnoprstuvwxy";
constexpr std::int64_t positions = 128;

/// What follows each beginning, as many characters in all as there are positions.
template <class Gear> std::vector<std::string> generate(Gear gear, const std::vector<std::string>& beginnings) {
    std::vector<std::string> verses(beginnings.size());
    std::array<std::int64_t, Gear::values[0]> next{};
    for (std::int64_t at = 0; at < positions; ++at) {
        for (std::size_t row = 0; row < next.size(); ++row) {
            const auto given = static_cast<std::size_t>(at);
            if (given < beginnings[row].size())
                next[row] = static_cast<std::int64_t>(characters.find(beginnings[row][given]));
            verses[row] += characters[static_cast<std::size_t>(next[row])];
        }
        const auto [logits, best] = gear(next, std::array<std::int64_t, 1>{at});
        std::copy(best.begin(), best.end(), next.begin());
    }
    return verses;
}

int main(int count, char** arguments) {
    std::vector<std::string> beginnings(arguments + 1, arguments + count);
    if (beginnings.empty()) beginnings = {"Shall I ", "Love's not ", "So long as ", "O no! it"};
    for (const auto& one : beginnings)
        if (one.empty() || one.size() > positions || one.find_first_not_of(characters) != one.npos)
            return std::fprintf(stderr, "'%s': 1 to %d of these characters: %s\n", one.c_str(),
                                static_cast<int>(positions), characters.data()),
                   2;

    auto weights = ahead::load_safetensors("decoder.safetensors");
    const std::vector<float> zeros(4 * 4 * 128 * 12);
    for (const char* cache : {"k0", "v0", "k1", "v1"}) // empty at first
        weights.add(cache, ahead::dtype::f32, {4, 4, 128, 12}, std::as_bytes(std::span(zeros)));
    const auto prepared = decoders::prepare(weights);
    decoders::session run{prepared};
    try {
        run.visit({static_cast<std::int64_t>(beginnings.size())}, [&](auto gear) {
            for (const auto& verse : generate(gear, beginnings)) std::printf("%s\n---\n", verse.c_str());
        });
    } catch (const ahead::error& e) {
        return std::fprintf(stderr, "%s\n", e.what()), 2;
    }
}
