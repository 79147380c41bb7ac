// The laws of a set of weights: it moves, merges, adds and renames, and what it refuses changes nothing.
// SPDX-License-Identifier: MIT
#include "../io/safetensors_texts.hpp"
#include "harness.hpp"
#include "rendered.hpp"

#include <ahead/core/nearest_name.hpp>
#include <ahead/io/safetensors.hpp>

#include <cstring>
#include <type_traits>

using namespace ahead;
using namespace test;
using namespace test::safetensors_texts;

static_assert(!std::is_copy_constructible_v<weights> && std::is_nothrow_move_constructible_v<weights>);
static_assert(!std::is_copy_constructible_v<weights_tensor> && std::is_nothrow_move_constructible_v<weights_tensor>);

static void sets() {
    weights all;
    diagnosis d;
    check(all.add("a", dtype::i16, {1, 2}, bytes_of_text("abcd"), d) && all.add("b", dtype::u8, {}, bytes_of_text("e"), d));
    weights_tensor c;
    check(weights_tensor::copy({"c", dtype::u8, {1}, bytes_of_text("f")}, c, d));
    const auto* c_bytes = c->bytes.data();
    check(all.add(std::move(c), d) && all.find("c")->bytes.data() == c_bytes && c->name.empty() && c->bytes.empty());
    check_equal(text_of(all), "a i16[1, 2]=abcd; b u8[]=e; c u8[1]=f; ");
    check(hold(all) && all.find("d") == nullptr && all.find("") == nullptr);

    // Moving moves no bytes.
    const auto a_bytes = all.find("a")->bytes;
    weights moved = std::move(all);
    check(moved.find("a")->bytes.data() == a_bytes.data() && all.size() == 0 && all.find("a") == nullptr);

    // Merging appends, or changes nothing.
    weights more;
    more.add("x", dtype::u8, {1}, bytes_of_text("x"));
    more.add("y", dtype::u8, {1}, bytes_of_text("y"));
    moved.merge(std::move(more));
    check_equal(text_of(moved), "a i16[1, 2]=abcd; b u8[]=e; c u8[1]=f; x u8[1]=x; y u8[1]=y; ");
    check(hold(moved) && more.size() == 0 && more.find("x") == nullptr);
    more.add("z", dtype::u8, {1}, bytes_of_text("z"));
    more.add("b", dtype::u8, {1}, bytes_of_text("?"));
    check(!moved.merge(std::move(more), d));
    check_fault(d, {.what = fault::weight_is_defined_twice, .name = "b"});
    check(moved.size() == 5 && hold(moved) && text_of(more) == "z u8[1]=z; b u8[1]=?; ");
    check_throws<error>([&] { moved.merge(std::move(more)); }, "weight 'b' is defined twice");

    // Adding refuses, and changes nothing.
    check_throws<error>([&] { moved.add("a", dtype::u8, {1}, bytes_of_text("a")); }, "weight 'a' is defined twice");
    // fault: weight_bytes_differ_from_shape
    diagnosis differs;
    check(!moved.add("n", dtype::f32, {2}, bytes_of_text("abcd"), differs));
    check_fault(differs, {fault::weight_bytes_differ_from_shape});
    check_equal(test::sentence(differs), "weight 'n' bytes differ from shape: expected 8 bytes for f32[2], found 4 bytes");
    check_throws<error>([&] { moved.add("n", dtype::f32, {-2}, {}); }, "expected sizes of at least 0");
    check_throws<error>([&] { moved.add("n", dtype::f32, {1ll << 62, 4}, {}); }, "less than 2^63 bytes");
    check_throws<error>([&] { moved.add("n", dtype::b8, {1}, bytes_of_text("n")); },
                        "weight 'n' is not boolean: expected 0 or 1, found 110");
    check(moved.size() == 5 && moved.find("n") == nullptr);

    weights many;
    for (int i = 0; i < 1000; ++i) many.add(std::to_string(i), dtype::u8, {1}, bytes_of_text("m"));
    check(many.size() == 1000 && hold(many));
}

static constexpr std::string_view nearest(std::string_view name, std::initializer_list<std::string_view> all) {
    nearest_name out{name};
    for (auto other : all) out.offer(other);
    return out.found;
}
static_assert(nearest("fc1.weight", {"fc2.bias", "module.fc1.weight", "other.fc1.weight"}) == "module.fc1.weight");
static_assert(nearest("module.fc1.weight", {"fc1.weight", "x"}) == "fc1.weight" && nearest("fc1.weigth", {"fc1.weight"}) == "fc1.weight");
static_assert(nearest("aa", {"aaaa"}) == "aaaa" && nearest("abcdef", {"abxxxx", "", "zzz"}).empty() && nearest("", {""}).empty());

/// The set with the names alone, "a b c ", when `rows` have renamed it; or what they are refused for, and nothing has changed.
static std::string renamed(std::initializer_list<renaming> rows) {
    weights all;
    for (const char* name : {"module.a.weight", "module.a.bias", "module.head.weight", "scale"})
        all.add(name, dtype::u8, {1}, bytes_of_text(std::string_view(name).substr(std::strlen(name) - 1)));
    const auto before = text_of(all);
    const auto* bytes = all.begin()->bytes.data();
    diagnosis d;
    if (!all.rename({rows.begin(), rows.size()}, d)) {
        check(text_of(all) == before && hold(all), "refused, and changed");
        check_throws<error>([&] { all.rename(rows); }, render(d));
        return test::sentence(d);
    }
    check(hold(all) && all.begin()->bytes.data() == bytes && all.find("module.a.weight") == nullptr, "names alone");
    std::string out;
    for (const auto& t : all) out.append(t.name).append(" ");
    return out;
}
static void renames() {
    check_equal(renamed({{"module.", ""}}), "a.weight a.bias head.weight scale ");
    check_equal(renamed({{"", "net."}}), "net.module.a.weight net.module.a.bias net.module.head.weight net.scale ");
    // The row that says most, whatever the order; a whole name is not the begin of another.
    check_equal(renamed({{"module.", ""}, {"module.head.weight", "fc.weight"}, {"module.a.", "b."}}), "b.weight b.bias fc.weight scale ");
    check_equal(renamed({{"module.head.weight", "fc.weight"}, {"module.a.", "b."}, {"", "x."}}), "b.weight b.bias fc.weight x.scale ");
    // Names may change places.
    check_equal(renamed({{"module.a.weight", "scale"}, {"scale", "module.a.bias"}, {"module.a.bias", "c"}}),
                "scale c module.head.weight module.a.bias ");
    check_equal(renamed({{"modul.", ""}}),
                "weight 'modul.' is missing: expected names that begin with it, to rename, found none; perhaps module.a.weight");
    check_equal(renamed({{"module.", ""}, {"module.a", "b"}}),
                "weight 'module.a' is missing: expected a tensor to rename, found none; perhaps module.a.weight");
    check_equal(renamed({{"module.", ""}, {"module.", "b."}}),
                "weight 'module.' is missing: expected names that begin with it, to rename, found none; perhaps module.a.weight");
    check_equal(renamed({{"xyz", ""}}), "weight 'xyz' is missing: expected a tensor to rename, found none");
    check_equal(renamed({{"module.a.weight", "scale"}}), "weight 'scale' is defined twice");
    check_equal(renamed({{"module.a.weight", "module.a.bias"}, {"module.", "x."}, {"module.a.bias", "module.a.bias"}}),
                "weight 'module.a.bias' is defined twice");

    static constexpr renaming table[] = {{"a", "b"}};
    weights all;
    all.add("a", dtype::u8, {1}, bytes_of_text("a"));
    all.rename(table);
    check_equal(text_of(all), "b u8[1]=a; ");
}

int main() {
    sets();
    renames();
    return report();
}
