// SPDX-License-Identifier: MIT
// load_safetensors, read_safetensors and view_safetensors: what they read, where it lies, every way they refuse; and the
// laws of the set of weights they fill.
#include <ahead/io/safetensors.hpp>
#include <ahead/runtime/launch/parameters.hpp>
#include <filesystem>
#include <fstream>
#include <harness.hpp>
#include <rendered.hpp>
#include <random>
#include <thread>
#include <type_traits>
#if defined(__linux__)
#include <sys/stat.h>
#endif

using namespace ahead;
using namespace test;

static_assert(!std::is_copy_constructible_v<weights> && std::is_nothrow_move_constructible_v<weights>);
static_assert(!std::is_copy_constructible_v<weights_tensor> && std::is_nothrow_move_constructible_v<weights_tensor>);

static constexpr std::int64_t sizes_2_3[] = {2, 3}, sizes_overflowing[] = {1ll << 31, 1ll << 31, 2},
                              sizes_empty_overflowing[] = {0, 1ll << 62, 2}, sizes_negative[] = {-1}, sizes_empty[] = {4, 0};
static_assert(byte_count(dtype::f32, sizes_2_3) == 24 && byte_count(dtype::f64, {}) == 8 && byte_count(dtype::f64, sizes_empty) == 0);
static_assert(!byte_count(dtype::u8, sizes_overflowing) && !byte_count(dtype::u8, sizes_empty_overflowing) &&
              !byte_count(dtype::u8, sizes_negative));
static_assert(detail::is_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") && !detail::is_utf8("\xc0\x80") &&
              !detail::is_utf8("\xed\xa0\x80") && !detail::is_utf8("\xf4\x90\x80\x80") && !detail::is_utf8("\xe2\x82") &&
              !detail::is_utf8("\x80") && !detail::is_utf8("\xe0\x9f\xbf"));

static std::vector<std::byte> bytes_of_text(std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}
static std::string text_of(const tensor_bytes& t) { return {reinterpret_cast<const char*>(t.bytes.data()), t.bytes.size()}; }

static std::string length_text(std::uint64_t length) {
    std::string out;
    for (int i = 0; i < 8; ++i) out += static_cast<char>(length >> (8 * i) & 0xff);
    return out;
}
static std::string safetensors(std::string_view header, std::string_view data) {
    return length_text(header.size()).append(header).append(data);
}

/// One member of the header: "name":{"dtype":...,"shape":...,"data_offsets":...}
static std::string entry(std::string name, std::string type, std::string shape, std::string offsets) {
    return "\"" + name + R"(":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

static bool hold(const weights& all, std::size_t alignment = 64) {
    for (const auto& t : all)
        if (byte_count(t.type, t.sizes) != t.bytes.size() ||
            reinterpret_cast<std::uintptr_t>(t.bytes.data()) % std::max(alignment, bytes_of(t.type)) != 0 || all.find(t.name) != &t)
            return false;
    return true;
}

/// The set as text: "a f32[2]=...; ..." in its order.
static std::string text_of(const weights& all) {
    std::string out;
    for (const auto& t : all) out.append(t.name).append(" ").append(print(t).view()).append("=").append(text_of(t)).append("; ");
    return out;
}

static void reads(const std::string& file, std::string_view expected, const location& where = location::current()) {
    weights all;
    diagnosis d;
    check(read_safetensors(bytes_of_text(file), all, d), render(d), where);
    check_equal(text_of(all), expected, where);
    check(hold(all), {}, where);
    check_equal(text_of(read_safetensors(bytes_of_text(file))), expected, where);
    const auto bytes = bytes_of_text(file);
    const auto seen = view_safetensors(bytes);
    check(text_of(seen) == expected && hold(seen, 1), "seen otherwise", where);
}

static diagnosis refuses(fault expected, const std::string& file, const location& where = location::current()) {
    weights all;
    all.add("before", dtype::u8, {2}, bytes_of_text("ab"));
    const auto* before = all.begin()->bytes.data();
    diagnosis d;
    check(!read_safetensors(bytes_of_text(file), all, d), "was read", where);
    check(d.what == expected, render(d), where);
    check(all.size() == 1 && all.begin()->bytes.data() == before && text_of(all) == "before u8[2]=ab; ", "the set changed", where);
    if (d.name.view() != "before") check_throws<error>([&] { read_safetensors(bytes_of_text(file)); }, render(d), where);
    diagnosis of_view;
    check(!view_safetensors(bytes_of_text(file), all, of_view) && render(of_view) == render(d) && all.size() == 1, "seen otherwise", where);
    return d;
}

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
    check(!bind_weights(wanted, all, {.strict = false}, found, why) && why.what == fault::weight_dtype_is_unknown &&
              why.name.view() == "n.packed" && why.found.view() == "F4",
          render(why));
    const runtime::prepare_input other[] = {{.name = "w", .type = tensor_of(dtype::u8, {2}), .bytes = 2},
                                    {.name = "others", .type = tensor_of(dtype::u8, {1}), .bytes = 1}};
    const std::byte* both[2]{};
    diagnosis none, strict;
    check(bind_weights(other, all, {.strict = false}, both, none), render(none));
    check(!bind_weights(other, all, {}, both, strict) && strict.what == fault::weight_is_superfluous &&
              strict.name.view() == "n.packed",
          render(strict));

    weights paths;
    paths.add("m.0.w", dtype::u8, {1}, bytes_of_text("x"));
    const runtime::prepare_input spelled[] = {{.name = "getattr(self.m, \"0\").w", .type = tensor_of(dtype::u8, {1}), .bytes = 1}};
    check(bind_weights(spelled, paths, {}, found, none), render(none));
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

static void files() {
    const auto folder = std::filesystem::temp_directory_path() / ("ahead_safetensors_" + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder);
    const auto path = folder / "net.safetensors";
    const auto text = safetensors("{" + entry("a", "U8", "[4]", "[0,4]") + "}", "abcd");
    std::ofstream(path, std::ios::binary) << text;
    check_equal(text_of(load_safetensors(path)), "a u8[4]=abcd; ");
    std::ofstream(path, std::ios::binary) << text.substr(0, text.size() - 1);
    check_throws<error>([&] { load_safetensors(path); }, "net.safetensors' is truncated: expected 4 bytes of data, found 3 bytes");
    std::filesystem::remove_all(folder);
    // fault: file_is_unreadable
    check_throws<error>([&] { load_safetensors(path); }, "net.safetensors' is unreadable");
    weights all;
    diagnosis d;
    check(!load_safetensors(std::filesystem::temp_directory_path(), all, d) && d.what == fault::file_is_unreadable);
    // The first fault stays.
    check(!read_safetensors({}, all, d) && d.what == fault::file_is_unreadable);
}

/// A header of as many bytes that the data begin at a multiple of 8, as the safetensors library writes it.
static std::string padded(std::string header) { return header.append((8 - header.size() % 8) % 8, ' '); }
static bool lies_in(const tensor_bytes& t, std::span<const std::byte> file, std::size_t at) { return t.bytes.data() == file.data() + at; }

static void views() {
    const auto header = padded("{" + entry("a", "F64", "[1]", "[0,8]") + "," + entry("b", "U8", "[1]", "[8,9]") + "," +
                               entry("c", "F32", "[1]", "[9,13]") + "," + entry("d", "I8", "[2]", "[13,15]") + "," +
                               entry("e", "F16", "[2]", "[16,20]") + "," + entry("f", "BOOL", "[1]", "[15,16]") + "}");
    const auto text = safetensors(header, "abcdefghiABCDjk\1lmno");
    alignas(64) static std::byte memory[1024];
    const auto at = 8 + header.size();
    const auto place = [&](std::size_t first) {
        std::memcpy(memory + first, text.data(), text.size());
        return std::span<const std::byte>(memory).subspan(first, text.size());
    };
    {
        const auto file = place(0);
        weights all = view_safetensors(file);
        check_equal(text_of(all), "a f64[1]=abcdefgh; b u8[1]=i; c f32[1]=ABCD; d i8[2]=jk; e f16[2]=lmno; f b8[1]=\1; ");
        check(hold(all, 1));
        check(lies_in(*all.find("a"), file, at) && lies_in(*all.find("b"), file, at + 8) && lies_in(*all.find("d"), file, at + 13) &&
              lies_in(*all.find("e"), file, at + 16) && lies_in(*all.find("f"), file, at + 15));
        const auto* c = all.find("c")->bytes.data();
        check(c < memory || c >= memory + sizeof memory, "what is misaligned is copied, alone");
        memory[at] = std::byte{'!'};
        check(text_of(*all.find("a"))[0] == '!', "seen, not copied");
        // What is read into memory of its own stays beside it, and what two sets see.
        all.add("g", dtype::u8, {1}, bytes_of_text("g"));
        weights merged;
        merged.merge(std::move(all));
        check(lies_in(*merged.find("a"), file, at) && text_of(*merged.find("c")) == "ABCD" && text_of(*merged.find("g")) == "g");
    }
    // One byte further, all but the bytes alone are copied.
    const auto file = place(1);
    const auto all = view_safetensors(file);
    check_equal(text_of(all), "a f64[1]=abcdefgh; b u8[1]=i; c f32[1]=ABCD; d i8[2]=jk; e f16[2]=lmno; f b8[1]=\1; ");
    check(hold(all, 1) && lies_in(*all.find("b"), file, at + 8) && !lies_in(*all.find("a"), file, at) &&
          !lies_in(*all.find("e"), file, at + 16));

    weights_tensor t;
    diagnosis d;
    const auto bytes = bytes_of_text("\2");
    check(!weights_tensor::see({"t", dtype::b8, {1}, bytes}, t, d) && d.what == fault::weight_is_not_boolean && t->name.empty());
}

#if defined(__linux__)
static std::string text_of_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
static std::size_t mappings_of(std::string_view path) {
    const auto maps = text_of_file("/proc/self/maps");
    std::size_t count = 0;
    for (auto at = maps.find(path); at != maps.npos; at = maps.find(path, at + 1)) ++count;
    return count;
}
static void mapped_files() {
    const auto folder = std::filesystem::temp_directory_path() / ("ahead_mapped_" + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder);
    const auto path = folder / "net.safetensors", pipe = folder / "pipe", twice = folder / "twice.safetensors";
    // Three times what a reader begins with, so that a pipe is read in several steps.
    std::string data(200'000, '\0');
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>('a' + i % 23);
    const auto text = safetensors(
        padded("{" + entry("a", "F32", "[25000]", "[0,100000]") + "," + entry("b", "F64", "[12500]", "[100000,200000]") + "}"), data);
    std::ofstream(path, std::ios::binary) << text;
    std::ofstream(twice, std::ios::binary) << text;
    const auto is_right = [&](const weights& all) {
        return all.size() == 2 && hold(all, 1) && text_of(*all.find("a")) + text_of(*all.find("b")) == data &&
               all.find("b")->bytes.data() == all.find("a")->bytes.data() + 100'000;
    };
    {
        weights all = load_safetensors(path);
        check(is_right(all) && mappings_of(path.native()) == 1, "one mapping, and both lie in it");
        weights moved = std::move(all), merged;
        merged.merge(std::move(moved));
        check(is_right(merged) && mappings_of(path.native()) == 1, "it goes with its tensors");
        std::filesystem::remove(path);
        check(is_right(merged), "a file may go: what is mapped stays");
        diagnosis d;
        check(!load_safetensors(twice, merged, d) && d.what == fault::weight_is_defined_twice && is_right(merged));
        check(mappings_of(twice.native()) == 0, "what is refused is given back");
    }
    check(mappings_of(path.native()) == 0, "given back");
    // What cannot be mapped is read, into one buffer.
    check(::mkfifo(pipe.c_str(), 0600) == 0);
    const auto from_pipe = [&](const std::string& sent) {
        std::thread sender([&] { std::ofstream(pipe, std::ios::binary) << sent; });
        weights all;
        diagnosis d;
        const bool ok = load_safetensors(pipe, all, d);
        sender.join();
        return std::pair(ok ? is_right(all) : all.size() == 0, d.what);
    };
    check(from_pipe(text) == std::pair(true, fault::none));
    check(from_pipe(text.substr(0, text.size() - 1)) == std::pair(true, fault::file_is_truncated));
    // Read, not mapped: the same bytes.
    aligned_memory memory;
    std::span<const std::byte> file;
    diagnosis d;
    check(read_file(twice, memory, file, d) && text_of(tensor_bytes{"", dtype::u8, {}, file}) == text && mappings_of(twice.native()) == 0);
    std::filesystem::remove_all(folder);
}
#endif

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
    check(!moved.merge(std::move(more), d) && d.what == fault::weight_is_defined_twice && d.name.view() == "b");
    check(moved.size() == 5 && hold(moved) && text_of(more) == "z u8[1]=z; b u8[1]=?; ");
    check_throws<error>([&] { moved.merge(std::move(more)); }, "weight 'b' is defined twice");

    // Adding refuses, and changes nothing.
    check_throws<error>([&] { moved.add("a", dtype::u8, {1}, bytes_of_text("a")); }, "weight 'a' is defined twice");
    // fault: weight_bytes_differ_from_shape
    diagnosis differs;
    check(!moved.add("n", dtype::f32, {2}, bytes_of_text("abcd"), differs) && differs.what == fault::weight_bytes_differ_from_shape);
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
    files();
    views();
#if defined(__linux__)
    mapped_files();
#endif
    sets();
    renames();
    damage();
    return report();
}
