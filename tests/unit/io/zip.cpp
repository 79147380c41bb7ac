// SPDX-License-Identifier: MIT
// Zip archives: stored entries are found, everything else is refused, and an archive that is damaged anywhere is refused or read as it is.
#include "harness.hpp"
#include "pt2_archive.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>
#include <ahead/io/zip.hpp>

using namespace ahead;
using namespace test;

namespace {

void stored_entries() {
    static_assert(detail::crc32_of("123456789") == 0xCBF43926u);
    for (const bool has_zip64 : {false, true}) {
        const auto archive = zip_of({{"a/x", "one"}, {"a/", ""}, {"a/b/y", ""}}, has_zip64);
        std::vector<io::zip_entry> all;
        diagnosis d;
        check(io::read_zip(archive, all, d) && all.size() == 2, render(d));
        check(all.size() == 2 && all[0].name == "a/x" && all[0].data == "one" && all[1].name == "a/b/y" && all[1].data.empty());
        for (const auto& e : all) check(io::check_entry(e, d));
    }
}

void check_refused(std::string_view archive, std::string_view words) {
    std::vector<io::zip_entry> all;
    diagnosis d;
    check(!io::read_zip(archive, all, d) && d.what == fault::file_is_malformed, words);
    check(render(d).find(words) != std::string::npos, render(d));
}
void refusals() {
    check_refused("", "no end of the central directory");
    check_refused("PK\3\4 and no more than that, for a while", "no end of the central directory");
    check_refused(zip_of({{"a/x", "one", 0, 8}}), "a compressed one");
    check_refused(zip_of({{"a/x", "one", 1}}), "not encrypted");
    for (const auto* name : {"../x", "a/../../x", "/x", "a\\x", "a//x", "a/./x", ""}) check_refused(zip_of({{name, "one"}}), "a name in the archive's own folder");
    check_refused(zip_of({{"a/x", "one"}, {"a/y", ""}, {"a/x", "two"}}), "each name once");
    auto large = zip_of({{"a/x", "one"}}, false);
    large.replace(large.size() - 6, 4, "\xff\xff\xff\xff");
    check_refused(large, "the locator of zip64's end record");
    auto damaged = zip_of({{"a/x", "one"}});
    damaged[damaged.find("one")] = 'a';
    std::vector<io::zip_entry> all;
    diagnosis d;
    check(io::read_zip(damaged, all, d) && !io::check_entry(all[0], d) && d.name.view() == "a/x");
}

/// Nothing is read beyond the bytes (under a sanitizer), and data that differs is not taken.
void damages() {
    const auto whole = zip_of({{"a/x", "one"}, {"a/y", "another"}});
    int accepted = 0;
    const auto look = [&](std::string_view bytes) {
        const std::vector<char> exactly(bytes.begin(), bytes.end());
        std::vector<io::zip_entry> all;
        diagnosis d;
        if (!io::read_zip({exactly.data(), exactly.size()}, all, d)) {
            check(!d.ok());
            return;
        }
        for (const auto& e : all) {
            diagnosis damaged;
            if (io::check_entry(e, damaged)) check(e.data == "one" || e.data == "another", e.data);
        }
        ++accepted;
    };
    for (std::size_t size = 0; size < whole.size(); ++size) look(std::string_view(whole).substr(0, size));
    check_equal(accepted, 0);
    for (std::size_t i = 0; i < whole.size(); ++i)
        for (const int bits : {1, 0x80, 0xff}) {
            auto other = whole;
            other[i] = static_cast<char>(other[i] ^ bits);
            look(other);
        }
    check(accepted > 100, std::to_string(accepted)); // bytes that nobody reads: times, versions, attributes
}

} // namespace

int main() {
    stored_entries();
    refusals();
    damages();
    return report();
}
