// SPDX-License-Identifier: MIT
// Faults have the names of their enumerators, and each a hint; a diagnosis reads as one sentence, with the hint below; error carries both.
#include <ahead/core/error.hpp>
#include <harness.hpp>
#include <rendered.hpp>
#include <set>

using namespace ahead;
using namespace test;

static_assert(name_of(fault::none) == "none");
static_assert(name_of(fault::weight_has_wrong_shape) == "weight_has_wrong_shape");
static_assert(name_of(static_cast<fault>(fault_count())).empty() && name_of(static_cast<fault>(255)).empty());
static_assert(fault_count() > static_cast<std::size_t>(fault::output_is_still_held));

// Each fault but none has a hint, a sentence that says what to do, at most 110 characters; the rows are in the order of the faults.
constexpr bool is_advice(std::string_view text) {
    return text.size() > 8 && text.size() <= 110 && text.front() >= 'A' && text.front() <= 'Z' && text.back() == '.' && text.find('\n') == text.npos;
}
constexpr bool every_fault_has_a_hint() {
    const auto count = fault_count(); // once, for clang counts the steps
    if (std::size(detail::hint_table) != count || !hint(fault::none).empty() || !hint(static_cast<fault>(255)).empty()) return false;
    for (std::size_t i = 0; i < count; ++i)
        if (detail::hint_table[i].what != static_cast<fault>(i) || (i > 0 && !is_advice(hint(static_cast<fault>(i))))) return false;
    return true;
}
static_assert(every_fault_has_a_hint());
static_assert(hint(fault::dtypes_differ) == "Cast one operand.");

// Every value below fault_count() has a name of its own, in snake_case; no value above has one.
static bool is_snake_case(std::string_view name) {
    return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == name.npos;
}
static void names() {
    std::set<std::string_view> seen;
    for (std::size_t value = 0; value < 256; ++value) {
        const auto name = name_of(static_cast<fault>(value));
        check(value < fault_count() ? is_snake_case(name) && seen.insert(name).second : name.empty(), name);
    }
    check_equal(name_of(fault::none), "none");
    check_equal(name_of(fault::output_is_still_held), "output_is_still_held");
}

static diagnosis diagnosed(fault what, short_text name = {}, short_text expected = {}, short_text found = {}, short_text op = {},
                           int line = 0) {
    diagnosis d;
    refuse(d, what, expected, found);
    d.name = name;
    d.op = op;
    d.line = line;
    return d;
}

static void sentences() {
    check_equal(test::sentence(diagnosis{}), "no fault");
    // The subject's own name follows it,
    check_equal(test::sentence(diagnosed(fault::weight_has_wrong_shape, "fc1.weight", "f32[120, 400]", "f32[400, 120]")),
                "weight 'fc1.weight' has the wrong shape: expected f32[120, 400], found f32[400, 120]");
    check_equal(test::sentence(diagnosed(fault::weight_is_missing, "fc1.weight")), "weight 'fc1.weight' is missing");
    check_equal(test::sentence(diagnosed(fault::file_is_truncated, "a.npy", "8 bytes", "3 bytes")),
                "file 'a.npy' is truncated: expected 8 bytes, found 3 bytes");
    check_equal(test::sentence(diagnosed(fault::name_is_undefined, "mm_1", {}, {}, {}, 7)), "line 7: name 'mm_1' is undefined");
    check_equal(test::sentence(diagnosed(fault::operator_has_no_converter, {}, {}, {}, "aten.foo.default")),
                "operator aten.foo.default has no converter");
    check_equal(test::sentence(diagnosed(fault::operator_is_unknown, "foo", {}, {}, "aten.foo.default", 3)),
                "line 3: 'foo': operator aten.foo.default is unknown");
    // everything else stands before the sentence.
    check_equal(test::sentence(diagnosed(fault::matmul_inner_extents_differ, "mm", "3", "4", "aten.mm.default", 4)),
                "line 4: aten.mm.default 'mm': matmul inner extents differ: expected 3, found 4");
    check_equal(test::sentence(diagnosed(fault::tensors_overlap, "b")), "'b': tensors overlap");
    check_equal(test::sentence(diagnosed(fault::rank_is_wrong, {}, "rank 2", {}, "aten.mm.default")),
                "aten.mm.default: rank is wrong: expected rank 2");
    check_equal(test::sentence(diagnosed(fault::dtypes_differ, {}, {}, "f32 and i64")), "dtypes differ: found f32 and i64");
    check_equal(test::sentence(diagnosed(static_cast<fault>(255), "x")), "'x': fault 255");
    // One line, whatever a file says.
    check_equal(test::sentence(diagnosed(fault::weight_is_missing, "a\n\x1b[31m\x7f")), "weight 'a??[31m?' is missing");
    for (std::size_t value = 1; value < fault_count(); ++value) {
        const auto text = test::sentence(diagnosed(static_cast<fault>(value), "n", "e", "f", "op", 1));
        check(text.starts_with("line 1: ") && text.ends_with(": expected e, found f") && text.find("'n'") != text.npos &&
                  text.find('_') == text.npos,
              text);
    }
}

// The hint stands in a line below; words of the place stand there instead of it, and not beside it.
static void hints() {
    const auto d = diagnosed(fault::dtypes_differ, "add", "f32[2]", "i64[2]", "aten.add.Tensor", 4);
    check_equal(render(d), "line 4: aten.add.Tensor 'add': dtypes differ: expected f32[2], found i64[2]\n  hint: Cast one operand.");
    check_equal(render(d, "Ask a friend."), "line 4: aten.add.Tensor 'add': dtypes differ: expected f32[2], found i64[2]\n  hint: Ask a friend.");
    check_equal(std::string_view(error(d, "Ask a friend.").what()), render(d, "Ask a friend."));
}
// A rule of a user's own stands in place of the fault and of its hint. The first refusal stays.
// fault: custom
static void custom_rules() {
    diagnosis d;
    d.op = "my.hops.default";
    d.name = "hops";
    check(!refuse(d, "the hop must divide the number of samples", "a multiple of 2", "3") && d.what == fault::custom);
    check_equal(render(d), "my.hops.default 'hops': the hop must divide the number of samples: expected a multiple of 2, found 3");
    check(!refuse(d, "another rule", "1", "2") && d.rule == "the hop must divide the number of samples" && d.found.view() == "3");
    diagnosis other = diagnosed(fault::dtypes_differ);
    check(!refuse(other, "a rule") && other.what == fault::dtypes_differ && other.rule.empty());
    diagnosis bare;
    check(!refuse(bare, "a_b") && render(bare) == "a_b");
    // Without words it is what it is.
    check_equal(sentence(diagnosed(fault::custom, "n", "e", "f")), "'n': custom: expected e, found f");
}

static void exceptions() {
    const auto d = diagnosed(fault::weight_is_missing, "fc1.weight");
    try {
        throw error(d);
    } catch (const std::runtime_error& caught) {
        check_equal(sentence(static_cast<const error&>(caught)), "weight 'fc1.weight' is missing");
        check(static_cast<const error&>(caught).what_happened.what == fault::weight_is_missing);
    }
    check_throws<error>([&] { throw error(d); }, "is missing");
}

int main() {
    names();
    sentences();
    hints();
    custom_rules();
    exceptions();
    return report();
}
