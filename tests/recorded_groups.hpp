// Recorded cases (recorded/*.txt) in groups, each a graph that is compiled once and run on the device: what a group says is `text` and the names of its `cases`.
// SPDX-License-Identifier: MIT
#pragma once
#include "harness.hpp"

#include <cases/device.hpp>
#include <cases/recorded_file.hpp>

#include <map>

namespace cases {

using case_by_name = std::map<std::string, recorded, std::less<>>;

// Adds a file's cases by operator and number: "add.Tensor 11".
inline void read_cases(const path& file, case_by_name& out) {
    for (auto& one : read_recorded(file)) {
        const auto number = one.name.find(' ') + 1;
        const auto name = one.name.substr(0, one.name.find(' ', number));
        test::check(out.emplace(name, std::move(one.tensors)).second, file.string() + ": another case is called " + name);
    }
}
// Those of every file but the three that count their cases for themselves.
inline case_by_name read_all_cases() {
    case_by_name out;
    for (const auto& entry : std::filesystem::directory_iterator("recorded"))
        if (const auto name = entry.path().filename(); name.extension() == ".txt" && name != "complex.txt" && name != "composite.txt" && name != "exported_texts.txt")
            read_cases(entry.path(), out);
    return out;
}

template <class Group> std::size_t run_group(const case_by_name& all) {
    recorded given;
    for (const auto name : Group::cases) {
        const auto& one = all.at(std::string(name));
        given.inputs.insert(given.inputs.end(), one.inputs.begin(), one.inputs.end());
        given.outputs.insert(given.outputs.end(), one.outputs.begin(), one.outputs.end());
    }
    const auto found = run_text<Group>(given);
    test::check(found.what == outcome::passed, found.why);
    return std::size(Group::cases);
}
// How many cases they were.
template <class... Groups> std::size_t run_groups(const case_by_name& all) { return (run_group<Groups>(all) + ...); }

} // namespace cases
