// read_safetensors: what it reads, every way it refuses, and files damaged at random.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "rendered.hpp"
#include "safetensors_texts.hpp"

#include <ahead/io/safetensors.hpp>
#include <ahead/runtime/launch/parameters.hpp>

#include <random>

using namespace ahead;
using namespace test;
using namespace test::safetensors_texts;

static constexpr std::int64_t sizes_2_3[] = {2, 3}, sizes_overflowing[] = {1ll << 31, 1ll << 31, 2},
                              sizes_empty_overflowing[] = {0, 1ll << 62, 2}, sizes_negative[] = {-1}, sizes_empty[] = {4, 0};
static_assert(byte_count(dtype::f32, sizes_2_3) == 24 && byte_count(dtype::f64, {}) == 8 && byte_count(dtype::f64, sizes_empty) == 0);
static_assert(!byte_count(dtype::u8, sizes_overflowing) && !byte_count(dtype::u8, sizes_empty_overflowing) &&
              !byte_count(dtype::u8, sizes_negative));
static_assert(detail::is_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") && !detail::is_utf8("\xc0\x80") &&
              !detail::is_utf8("\xed\xa0\x80") && !detail::is_utf8("\xf4\x90\x80\x80") && !detail::is_utf8("\xe2\x82") &&
              !detail::is_utf8("\x80") && !detail::is_utf8("\xe0\x9f\xbf"));

static void well_formed() {
    reads(safetensors("{}", ""), "");
    reads(safetensors("{" + entry("a", "F32", "[1,2]", "[0,8]") + "}", "abcdefgh"), "a f32[1, 2]=abcdefgh; ");
    reads(safetensors("{" + entry("a", "F64", "[]", "[0,8]") + "}   ", "abcdefgh"), "a f64[]=abcdefgh; ");
    // The order is the header's, whatever the order of the data; empty tensors lie at a boundary.
    reads(safetensors("{" + entry("b", "U8", "[2]", "[2,4]") + "," + entry("e", "F32", "[0,3]", "[2,2]") + ",\n" +
                          entry("a", "I8", "[2]", "[0,2]") + "," + entry("f", "F32", "[0]", "[4,4]") + "}",
                      "abcd"),
          "b u8[2]=cd; e f32[0, 3]=; a i8[2]=ab; f f32[0]=; ");
    for (auto [name, printed, bytes] : {std::tuple{"F64", "f64", 8},
                                        {"F32", "f32", 4},
                                        {"F16", "f16", 2},
                                        {"BF16", "bf16", 2},
                                        {"C64", "c64", 8},
                                        {"F8_E4M3", "f8e4m3fn", 1},
                                        {"F8_E5M2", "f8e5m2", 1},
                                        {"I64", "i64", 8},
                                        {"I32", "i32", 4},
                                        {"I16", "i16", 2},
                                        {"I8", "i8", 1},
                                        {"U16", "u16", 2},
                                        {"U32", "u32", 4},
                                        {"U64", "u64", 8},
                                        {"U8", "u8", 1},
                                        {"BOOL", "b8", 1}}) {
        const std::string data(static_cast<std::size_t>(bytes), '\1');
        reads(safetensors("{" + entry("a", name, "[1]", "[0," + std::to_string(bytes) + "]") + "}", data),
              "a " + std::string(printed) + "[1]=" + data + "; ");
    }
    // Metadata and unknown members are skipped, whatever they hold; members come in any order.
    reads(
        safetensors(
            R"({"__metadata__":{"format":"pt","note":"\u0000{}\""}, "a" : { "data_offsets" : [ 0 , 2 ] , "more" : {"x":[1,-0.5e+3,1e400,true,false,null,"s",[],{}]},)"
            R"( "shape" : [ 2 ], "dtype" : "U8" } })",
            "ab"),
        "a u8[2]=ab; ");
    // Names with escapes, UTF-8 and none.
    reads(safetensors("{" + entry(R"(\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00)", "U8", "[0]", "[0,0]") + "," +
                          entry("\xc3\xa9", "U8", "[0]", "[0,0]") + "," + entry("", "U8", "[0]", "[0,0]") + "}",
                      ""),
          "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 u8[0]=; \xc3\xa9 u8[0]=;  u8[0]=; ");
}

static void refused_headers() {
    const auto good = safetensors("{" + entry("a", "F32", "[2]", "[0,8]") + "}", "abcdefgh");
    // fault: header_is_oversized
    refuses(fault::header_is_oversized, length_text(3) + "{}");
    refuses(fault::header_is_oversized, length_text(~0ull) + "{}");
    refuses(fault::header_is_oversized, length_text(1ull << 63) + "{}");
    refuses(fault::header_is_oversized, length_text(longest_safetensors_header + 1) + std::string(longest_safetensors_header + 1, ' '));
    // fault: file_is_truncated
    refuses(fault::file_is_truncated, "");
    refuses(fault::file_is_truncated, good.substr(0, 7));
    check_equal(test::sentence(refuses(fault::file_is_truncated, good.substr(0, good.size() - 1))),
                "file is truncated: expected 8 bytes of data, found 7 bytes");
    // fault: file_is_malformed
    check(test::sentence(refuses(fault::file_is_malformed, safetensors("{\xe2\x82\xac}", "")))
              .ends_with("found \xe2\x82\xac at byte 1 of the header"));
    const auto wraps = [](std::string_view value) { return "{\"a\":" + std::string(value) + "}"; };
    for (const std::string& header : {std::string(),
                                      std::string("[]"),
                                      std::string(" {}"),
                                      std::string("{"),
                                      std::string("{}}"),
                                      std::string("{}x"),
                                      std::string("{\"a\"}"),
                                      std::string("{\"a\":}"),
                                      std::string("{,}"),
                                      std::string("{'a':{}}"),
                                      std::string("{\"a"),
                                      std::string("{\"a\\"),
                                      std::string("{\"a\\u12"),
                                      std::string("{}\0", 3),
                                      "{" + entry("a", "U8", "[0]", "[0,0]") + ",}",
                                      "{" + entry("a", "U8", "[0]", "[0,0]") + " " + entry("b", "U8", "[0]", "[0,0]") + "}",
                                      "{" + entry("\x01", "U8", "[0]", "[0,0]") + "}",
                                      "{" + entry("\\x41", "U8", "[0]", "[0,0]") + "}",
                                      "{" + entry("\\u004g", "U8", "[0]", "[0,0]") + "}",
                                      "{" + entry("\\ud83d", "U8", "[0]", "[0,0]") + "}",
                                      "{" + entry("\\ud83d\\u0041", "U8", "[0]", "[0,0]") + "}",
                                      "{" + entry("\\ude00", "U8", "[0]", "[0,0]") + "}",
                                      "{" + entry("\xff", "U8", "[0]", "[0,0]") + "}",
                                      "{" + entry("\\u-041", "U8", "[0]", "[0,0]") + "}",
                                      wraps("1"),
                                      wraps("null"),
                                      wraps("{}"),
                                      wraps("[]"),
                                      wraps(R"({"dtype":"U8","shape":[0]})"),
                                      wraps(R"({"dtype":"U8","data_offsets":[0,0]})"),
                                      wraps(R"({"shape":[0],"data_offsets":[0,0]})"),
                                      wraps(R"({"dtype":1,"shape":[0],"data_offsets":[0,0]})"),
                                      wraps(R"({"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]})"),
                                      wraps(R"({"dtype":"U8","shape":0,"data_offsets":[0,0]})"),
                                      wraps(R"({"dtype":"U8","shape":[0],"data_offsets":{}})"),
                                      wraps(R"({"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":tru})"),
                                      wraps(R"({"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":+1})"),
                                      wraps(R"({"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":1.})"),
                                      wraps(R"({"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":1e})"),
                                      wraps(R"({"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":-})"),
                                      wraps(R"({"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":01})"),
                                      std::string(R"({"__metadata__":{"a":1}})"),
                                      std::string(R"({"__metadata__":[]})"),
                                      wraps(R"({"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":)" + std::string(100'000, '[') + "}")})
        refuses(fault::file_is_malformed, safetensors(header, ""));
    for (const char* shape : {"[-1]", "[1.0]", "[1e0]", "[1e400]", "[9223372036854775808]", "[NaN]", "[Infinity]", "[-0]", "[01]",
                              "[\"1\"]", "[null]", "[1,]", "[,1]", "[1 1]", "[[1]]"})
        refuses(fault::file_is_malformed, safetensors("{" + entry("a", "U8", shape, "[0,1]") + "}", "x"));
    // fault: weight_dtype_is_unknown
    for (const char* type : {"F8_E8M1", "f32", "U128", "", "F32 "})
        refuses(fault::weight_dtype_is_unknown, safetensors("{" + entry("a", type, "[2]", "[0,8]") + "}", "abcdefgh"));
    // fault: weight_is_defined_twice
    refuses(fault::weight_is_defined_twice,
            safetensors("{" + entry("a", "U8", "[1]", "[0,1]") + "," + entry("a", "U8", "[1]", "[1,2]") + "}", "ab"));
    refuses(fault::weight_is_defined_twice,
            safetensors("{" + entry("a", "U8", "[0]", "[0,0]") + "," + entry("\\u0061", "U8", "[0]", "[0,0]") + "}", ""));
    refuses(fault::weight_is_defined_twice, safetensors(R"({"__metadata__":{},"__metadata__":{}})", ""));
    check_equal(test::sentence(refuses(fault::weight_is_defined_twice, safetensors("{" + entry("before", "U8", "[1]", "[0,1]") + "}", "a"))),
                "weight 'before' is defined twice");
    // fault: weight_is_not_boolean
    refuses(fault::weight_is_not_boolean, safetensors("{" + entry("a", "BOOL", "[2]", "[0,2]") + "}", "\1\2"));
}

// Dtypes of the format that nothing here has: the file is read, and what is refused is a program that asks for such a
// tensor. Their bytes are counted in bits.
static void dtypes_that_nobody_reads() {
    const auto file = [&](std::string packed, std::string scales) {
        return safetensors("{" + entry("w", "U8", "[2]", "[0,2]") + "," + entry("m.packed", "F4", packed, "[2,4]") + "," +
                               entry("m.scales", "F8_E8M0", scales, "[4,7]") + "}",
                           "abcdefg");
    };
    weights all;
    diagnosis d;
    check(read_safetensors(bytes_of_text(file("[1,3]", "[3]")), all, d), render(d));
    check(all.size() == 1 && all.find("w") != nullptr && all.unread().size() == 2);
    check(all.find("m.packed") == nullptr && all.find_unread("m.packed")->dtype == "F4" &&
          all.find_unread("m.scales")->dtype == "F8_E8M0");
    all.rename({{"m.", "n."}});
    check(all.find_unread("n.packed") != nullptr && all.find_unread("m.packed") == nullptr);
    const auto merges = [&](const char* other) {
        weights more;
        more.add(other, dtype::u8, {1}, bytes_of_text("x"));
        diagnosis why;
        return all.merge(std::move(more), why);
    };
    check(!merges("n.scales") && merges("others") && all.size() == 2 && all.unread().size() == 2);
    refuses(fault::offsets_are_invalid, file("[1,5]", "[3]"));
    refuses(fault::offsets_are_invalid, file("[1,3]", "[2]"));
    refuses(fault::weight_is_defined_twice,
            safetensors("{" + entry("a", "F4", "[2]", "[0,1]") + "," + entry("a", "U8", "[1]", "[1,2]") + "}", "ab"));

    const runtime::prepare_input wanted[] = {{.name = "n.packed", .type = tensor_of(dtype::u8, {2}), .bytes = 2}};
    const std::byte* found[1]{};
    diagnosis why;
    check(!runtime::bind_weights(wanted, all, {.strict = false}, found, why));
    check_fault(why, {.what = fault::weight_dtype_is_unknown, .name = "n.packed", .found = "F4"});
    const runtime::prepare_input other[] = {{.name = "w", .type = tensor_of(dtype::u8, {2}), .bytes = 2},
                                    {.name = "others", .type = tensor_of(dtype::u8, {1}), .bytes = 1}};
    const std::byte* both[2]{};
    diagnosis none, strict;
    check(runtime::bind_weights(other, all, {.strict = false}, both, none), render(none));
    check(!runtime::bind_weights(other, all, {}, both, strict));
    check_fault(strict, {.what = fault::weight_is_superfluous, .name = "n.packed"});

    weights paths;
    paths.add("m.0.w", dtype::u8, {1}, bytes_of_text("x"));
    const runtime::prepare_input spelled[] = {{.name = "getattr(self.m, \"0\").w", .type = tensor_of(dtype::u8, {1}), .bytes = 1}};
    check(runtime::bind_weights(spelled, paths, {}, found, none), render(none));
}

static void refused_ranges() {
    const auto one = [](std::string shape, std::string offsets) {
        return safetensors("{" + entry("a", "F32", shape, offsets) + "}", "abcdefgh");
    };
    const auto two = [](std::string a, std::string b) {
        return safetensors("{" + entry("a", "U8", "[4]", a) + "," + entry("b", "U8", "[4]", b) + "}", "abcdefgh");
    };
    // fault: offsets_are_invalid
    for (const char* offsets : {"[-8,0]", "[0,-8]", "[0,8.0]", "[0,8e0]", "[0,1e400]", "[0,-1e400]", "[0,9223372036854775808]",
                                "[0,99999999999999999999999]", "[-0,8]", "[8,0]", "[]", "[0]", "[0,8,8]", "[0,4]", "[0,7]", "[0,12]",
                                "[0,9223372036854775807]", "[9223372036854775799,9223372036854775807]", "[16,24]"})
        refuses(fault::offsets_are_invalid, one("[2]", offsets));
    for (const char* shape : {"[]", "[3]", "[2,2]", "[0]", "[4611686018427387904]", "[4294967296,4294967296]", "[4294967296,4294967296,0]",
                              "[4611686018427387905]"})
        refuses(fault::offsets_are_invalid, one(shape, "[0,8]"));
    for (const char* offsets : {"[NaN,8]", "[0,Infinity]", "[0,\"8\"]", "[0,null]", "[0,0x8]", "[00,8]", "[0,08]", "[0,8"})
        refuses(fault::file_is_malformed, one("[2]", offsets));
    check_equal(test::sentence(refuses(fault::offsets_are_invalid, one("[2]", "[0,1e400]"))),
                "'a': offsets are invalid: expected an integer from 0 to 2^63 - 1, found 1e400");
    check_equal(test::sentence(refuses(fault::offsets_are_invalid, one("[2]", "[8,0]"))),
                "'a': offsets are invalid: expected a begin before the end, found 8 to 0");
    // fault: tensors_overlap
    refuses(fault::tensors_overlap, two("[0,4]", "[0,4]"));
    refuses(fault::tensors_overlap, two("[3,7]", "[0,4]"));
    refuses(fault::tensors_overlap,
            safetensors("{" + entry("a", "U8", "[8]", "[0,8]") + "," + entry("b", "U8", "[0]", "[4,4]") + "}", "abcdefgh"));
    // fault: tensors_leave_a_hole
    check_equal(test::sentence(refuses(fault::tensors_leave_a_hole,
                               safetensors("{" + entry("a", "U8", "[1]", "[0,1]") + "," + entry("b", "U8", "[1]", "[2,3]") + "}", "abc"))),
                "'b': tensors leave a hole: expected a begin at 1 bytes, found a begin at 2 bytes");
    refuses(fault::tensors_leave_a_hole, one("[1]", "[4,8]"));
    // fault: file_has_trailing_bytes
    refuses(fault::file_has_trailing_bytes, one("[1]", "[0,4]"));
    refuses(fault::file_has_trailing_bytes, safetensors("{}", "a"));
}

// Damage of every kind: read or refused with a reason, never more.
static void damage() {
    const std::string seeds[] = {
        safetensors("{" + entry("a", "F32", "[2,1]", "[0,8]") + "}", std::string(8, '\0')),
        safetensors(R"({"__metadata__":{"k":"v\n\u00e9\ud83d\ude00"},)" + entry("b", "BOOL", "[3]", "[4,7]") + "," +
                        entry("a", "I16", "[2]", "[0,4]") + "}",
                    std::string(7, '\1')),
        safetensors(R"({"a":{"more":[{"x":-1.5e3},null,true],"dtype":"U8","shape":[0,2],"data_offsets":[0,0]}})", "")};
    const std::string_view splices[] = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        "\"",
                                        "\\",
                                        "\\u",
                                        ",",
                                        ":",
                                        "-1",
                                        "1e400",
                                        "NaN",
                                        "99999999999999999999",
                                        "0,0",
                                        "8",
                                        "\xf0\x9f",
                                        "__metadata__",
                                        "\"a\""};
    std::mt19937 random(1);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    int read = 0, refused = 0;
    for (int trial = 0; trial < 20'000; ++trial) {
        auto file = seeds[below(std::size(seeds))];
        for (auto change = below(3) + 1; change > 0 && !file.empty(); --change) switch (below(5)) {
            case 0: file[below(file.size())] ^= static_cast<char>(1u << below(8)); break;
            case 1: file[below(file.size())] = static_cast<char>(below(256)); break;
            case 2: file.resize(below(8) == 0 ? below(file.size()) : file.size() - below(2)); break;
            case 3: {
                const auto splice = splices[below(std::size(splices))];
                file.replace(below(file.size()), splice.size(), splice);
                break;
            }
            case 4: { // inserted, with the header's length corrected
                const auto splice = splices[below(std::size(splices))];
                if (file.size() < 10) break;
                file.insert(8 + below(file.size() - 8), splice);
                file[0] = static_cast<char>(file[0] + static_cast<char>(splice.size()));
            }
            }
        weights all;
        diagnosis d;
        const bool ok = read_safetensors(bytes_of_text(file), all, d);
        if (ok != d.ok() || !hold(all) || (!ok && (name_of(d.what).empty() || all.size() != 0))) check(false, file);
        ++(ok ? read : refused);
    }
    check(read > 100 && refused > 1000);
}

int main() {
    well_formed();
    refused_headers();
    dtypes_that_nobody_reads();
    refused_ranges();
    damage();
    return report();
}
