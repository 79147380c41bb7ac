// What PyTorch computed, against the text door and the reference, at run time: for each overload some cases (recorded/*.txt), as they stand and after the
// passes; and whole models. An overload that the library does not know yet is refused by name.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "scratch_folder.hpp"

#include <cases/interpret.hpp>
#include <cases/recorded_file.hpp>

#include <algorithm>
#include <set>

namespace cases {

using test::check;

std::string overload_of(const recorded_text& one) { return one.name.substr(0, one.name.find(' ')); }

bool has_distinct_elements(const host_tensor& t) {
    std::set<std::string> seen;
    for_each_index(sizes_of(t.type), [&](const int_list& at) {
        seen.insert(std::to_string(t.get<double>(at)) + std::to_string(t.get<ahead::complex128>(at).im));
    });
    return seen.size() > 1;
}

// A manifest may name a constant once for each text that has it; it is one tensor. Two of one name that differ are refused, by an exception.
void constants_of_several_texts() {
    const test::scratch_folder folder;
    const auto write = [&](const char* name, float value) {
        diagnosis d;
        std::string file;
        check(print_npy(dtype::f32, std::array{std::int64_t{1}}, std::as_bytes(std::span(&value, 1)), file, d));
        std::ofstream(folder.path / name, std::ios::binary) << file;
    };
    const auto manifest = [&](const char* second) {
        std::ofstream(folder.path / "manifest.tsv")
            << "role\tplaceholder\tname\tnpy\tdtype\tshape\tset\nconst\ta\tc\tone.npy\tf32\t[1]\taten.f1\nconst\tb\tc\t" << second
            << "\tf32\t[1]\taten.f2\n";
    };
    write("one.npy", 1);
    write("other.npy", 2);
    manifest("one.npy");
    check(read_case(folder.path).parameters.size() == 1);
    manifest("other.npy");
    test::check_throws<error>([&] { read_case(folder.path); }, "weight");
}

// The operators that a text calls: "aten.add.Tensor".
void add_called(const std::string& text, std::set<std::string, std::less<>>& out) {
    constexpr std::string_view before = "torch.ops.";
    for (auto at = text.find(before); at != text.npos; at = text.find(before, at)) {
        at += before.size();
        out.insert(text.substr(at, text.find('(', at) - at));
    }
}

// Overloads without a case: they draw numbers that are no one's but this library's, are refused by name, compute nothing, or are nobody's but this library's; and
// those on lists are what operators of one tensor, which have theirs, make of each element (foreach.cpp).
bool needs_no_case(std::string_view name) {
    constexpr std::string_view drawn[] = {"aten.rand",        "aten.bernoulli",      "aten.normal",        "aten.uniform",
                                          "aten.multinomial", "prims.inductor_rand", "prims.inductor_seed"};
    constexpr std::string_view refused[] = {"aten._unique", "aten.unique_", "aten.nonzero.default", "aten.masked_select.default",
                                            "aten.quantize_per_"};
    constexpr std::string_view others[] = {"air.", "philox.", "higher_order.", "operator.", "aten._assert_", "aten._linalg_check_", "aten.sym_constrain_", "aten._foreach_"};
    const auto begins = [&](std::string_view with) { return name.starts_with(with); };
    return std::ranges::any_of(drawn, begins) || std::ranges::any_of(refused, begins) || std::ranges::any_of(others, begins);
}
void every_overload_has_a_case(const std::set<std::string, std::less<>>& called) {
    int missing = 0;
    for (const auto& row : aten::registry::table)
        if (!needs_no_case(row.name)) missing += !check(called.contains(row.name), "no case of " + std::string(row.name));
    std::cout << called.size() << " overloads called, " << missing << " without a case\n";
}

} // namespace cases

int main() {
    using namespace cases;
    constants_of_several_texts();
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("recorded"))
        if (entry.path().extension() == ".txt") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::set<std::string> overloads, distinct, unknown;
    std::set<std::string, std::less<>> called;
    const config all_passes;
    for (const auto& file : files) {
        const bool is_known = file.stem() != "unknown";
        int count = 0;
        for (const auto& one : read_recorded(file)) {
            ++count;
            overloads.insert(overload_of(one));
            add_called(one.text, called);
            for (const auto& output : one.tensors.outputs)
                if (has_distinct_elements(output)) distinct.insert(overload_of(one));
            if (!is_known) {
                const auto found = interpret_text(one.text, one.tensors);
                check(found.why.find("operator_is_unknown") != found.why.npos,
                      one.name + " is no longer unknown: move it to its family. " + found.why);
                unknown.insert(overload_of(one));
                continue;
            }
            for (const auto* options : {static_cast<const config*>(nullptr), &all_passes}) {
                const auto found = interpret_text(one.text, one.tensors, options);
                check(found.what == outcome::passed, one.name + (options ? ", after the passes: " : ": ") + found.why);
            }
        }
        std::cout << file.stem().string() << ": " << count << " cases\n";
    }
    std::cout << overloads.size() << " overloads and models, " << distinct.size() << " with an output of distinct elements, "
              << unknown.size() << " not known yet\n";
    every_overload_has_a_case(called);
    return test::report();
}
