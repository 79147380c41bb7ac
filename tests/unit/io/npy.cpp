// SPDX-License-Identifier: MIT
// load_npy and read_npy: what they read, in which order the elements come, and every way they refuse. print_npy: what NumPy writes.
#include <ahead/io/npy.hpp>
#include <filesystem>
#include <fstream>
#include <harness.hpp>
#include <refusal.hpp>
#include <rendered.hpp>
#include <random>

using namespace ahead;
using namespace test;

static std::vector<std::byte> bytes_of_text(std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

/// A file of the version; the header as given, padded to 64 as NumPy does.
static std::string npy(std::string header, std::string_view data, int version = 1) {
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    header.append(63 - (8 + length_bytes + header.size()) % 64, ' ').push_back('\n');
    std::string file = "\x93NUMPY";
    file += static_cast<char>(version);
    file += '\0';
    for (std::size_t i = 0; i < length_bytes; ++i) file += static_cast<char>(header.size() >> (8 * i) & 0xff);
    return file + header + std::string(data);
}
static std::string dict(std::string descr, std::string shape, std::string order = "False") {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}
static std::string zeros(std::size_t count) { return std::string(count, '\0'); }

/// The element bytes of a tensor as text.
static std::string text_of(const tensor_bytes& t) { return {reinterpret_cast<const char*>(t.bytes.data()), t.bytes.size()}; }

static bool holds(const tensor_bytes& t) {
    return byte_count(t.type, t.sizes) == t.bytes.size() && reinterpret_cast<std::uintptr_t>(t.bytes.data()) % 64 == 0;
}

static void reads(const std::string& file, std::string_view type, std::string_view elements, const location& where = location::current()) {
    weights_tensor t;
    diagnosis d;
    if (!check(read_npy(bytes_of_text(file), "x", t, d), render(d), where)) return;
    check_equal(t->name, "x", where);
    check_equal(print(*t).view(), type, where);
    check(text_of(*t) == elements, "other elements", where);
    check(holds(*t), {}, where);
    check(read_npy(bytes_of_text(file), "x")->sizes == t->sizes, {}, where);
}

static void quotes_no_half_character() {
    weights_tensor t;
    diagnosis d;
    check(!read_npy(bytes_of_text(npy("{\xe9}", "")), "x", t, d) && test::sentence(d).ends_with("found no ASCII at byte 1 of the header"), test::sentence(d));
}

static void refuses(fault expected, const std::string& file, const location& where = location::current()) {
    weights_tensor t = read_npy(bytes_of_text(npy(dict("|u1", "(2,)"), "ab")), "before");
    const auto* before = t->bytes.data();
    diagnosis d;
    check(!read_npy(bytes_of_text(file), "x", t, d), "was read", where);
    check_fault(d, {.what = expected, .name = "x"}, where);
    check(t->name == "before" && t->bytes.data() == before && text_of(*t) == "ab", "the tensor changed", where);
    check_throws<error>([&] { read_npy(bytes_of_text(file), "x"); }, render(d), where);
}

static void dtypes_and_shapes() {
    reads(npy(dict("<f4", "(2, 1)"), "abcdefgh"), "f32[2, 1]", "abcdefgh");
    reads(npy(dict("<f8", "()"), "abcdefgh"), "f64[]", "abcdefgh");
    reads(npy(dict("<f2", "(3,)"), "abcdef"), "f16[3]", "abcdef");
    reads(npy(dict("<i8", "(1,)"), "abcdefgh"), "i64[1]", "abcdefgh");
    reads(npy(dict("<i4", "(1, 1, 1)"), "abcd"), "i32[1, 1, 1]", "abcd");
    reads(npy(dict("<i2", "(2,)"), "abcd"), "i16[2]", "abcd");
    reads(npy(dict("|i1", "(4,)"), "abcd"), "i8[4]", "abcd");
    reads(npy(dict("<u2", "(2,)"), "abcd"), "u16[2]", "abcd");
    reads(npy(dict("<u4", "(1,)"), "abcd"), "u32[1]", "abcd");
    reads(npy(dict("<u8", "(1,)"), "abcdefgh"), "u64[1]", "abcdefgh");
    reads(npy(dict("|u1", "(2,2)"), "abcd"), "u8[2, 2]", "abcd");
    reads(npy(dict("|b1", "(2,)"), std::string("\1\0", 2)), "b8[2]", std::string_view("\1\0", 2));
    reads(npy(dict("<f4", "(0, 3)"), ""), "f32[0, 3]", "");
    // As NumPy reads them: one byte has no order, whatever is said of it; '=' and '|' are the order of the machine.
    for (const char* descr : {"<u1", ">u1", "=u1"}) reads(npy(dict(descr, "(2,)"), "ab"), "u8[2]", "ab");
    for (const char* descr : {"<i1", ">i1", "=i1"}) reads(npy(dict(descr, "(2,)"), "ab"), "i8[2]", "ab");
    for (const char* descr : {"<b1", ">b1", "=b1"})
        reads(npy(dict(descr, "(2,)"), std::string("\1\0", 2)), "b8[2]", std::string_view("\1\0", 2));
    for (const char* descr : {"=f4", "|f4"}) reads(npy(dict(descr, "(2, 1)"), "abcdefgh"), "f32[2, 1]", "abcdefgh");
    reads(npy(dict("=c16", "()"), "abcdefghijklmnop"), "c128[]", "abcdefghijklmnop");
    reads(npy(dict("|u1", "(2,)"), "ab", 2), "u8[2]", "ab");
    reads(npy(dict("|u1", "(2,)"), "ab", 3), "u8[2]", "ab");
    // Any order of keys, either quote, spaces or none.
    reads(npy(R"({"shape":(2,),"fortran_order":False,"descr":"|u1"})", "ab"), "u8[2]", "ab");
    reads(npy("  { 'shape' : ( 1 , 2 , ) , 'descr' : '|u1' , 'fortran_order' : False }  ", "ab"), "u8[1, 2]", "ab");
}

static void written() {
    const auto prints = [](dtype type, std::vector<std::int64_t> sizes, std::string_view elements, std::string_view descr, std::string_view shape) {
        std::string file;
        diagnosis d;
        check(print_npy(type, sizes, bytes_of_text(elements), file, d));
        check(file == npy(dict(std::string(descr), std::string(shape)), elements), file);
        check(file.size() % 64 == elements.size() % 64);
    };
    prints(dtype::f32, {2, 1}, "abcdefgh", "<f4", "(2, 1)");
    prints(dtype::f64, {}, "abcdefgh", "<f8", "()");
    prints(dtype::c64, {1}, "abcdefgh", "<c8", "(1,)");
    prints(dtype::c128, {}, "abcdefghijklmnop", "<c16", "()");
    prints(dtype::b8, {2}, std::string_view("\1\0", 2), "|b1", "(2,)");
    prints(dtype::i64, {0, 1000000000000, 3}, "", "<i8", "(0, 1000000000000, 3)");
    prints(dtype::u8, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, "a", "|u1",
           "(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)");
    std::string kept = "kept";
    diagnosis d;
    check(!print_npy(dtype::bf16, std::array{std::int64_t{1}}, bytes_of_text("ab"), kept, d) && kept == "kept");
    check_fault(d, {.what = fault::weight_dtype_is_unknown, .found = "bf16"});
}

// Element (i, j, k) of column-major data lies at i + j*2 + k*6; read back row-major, it holds its own index.
static void fortran_order() {
    std::string column_major, row_major;
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 2; ++i) (column_major += static_cast<char>('a' + i * 12 + j * 4 + k)) += '.';
    for (int n = 0; n < 24; ++n) (row_major += static_cast<char>('a' + n)) += '.';
    reads(npy(dict("<i2", "(2, 3, 4)", "True"), column_major), "i16[2, 3, 4]", row_major);
    reads(npy(dict("|u1", "(2, 3)", "True"), "adbecf"), "u8[2, 3]", "abcdef");
    reads(npy(dict("|u1", "(3,)", "True"), "abc"), "u8[3]", "abc");
    reads(npy(dict("|u1", "()", "True"), "a"), "u8[]", "a");
    reads(npy(dict("<f4", "(3, 0, 2)", "True"), ""), "f32[3, 0, 2]", "");
}

static void refusals() {
    const auto good = npy(dict("<f4", "(2,)"), zeros(8));
    // fault: file_is_malformed
    refuses(fault::file_is_malformed, "PK\3\4 a zip of arrays");
    refuses(fault::file_is_malformed, npy(dict("<f4", "(2,)"), zeros(8), 4));
    refuses(fault::file_is_malformed, npy(dict("<f4", "(2,)"), zeros(8), 0));
    for (const char* header :
         {"", "[]", "{}", "{'descr': '<f4'", "{'descr': '<f4', 'shape': (2,)}",
          "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
          "{'descr': '<f4', 'fortran_order': Falsch, 'shape': (2,)}", "{'descr': '<f4\", 'fortran_order': False, 'shape': (2,)}",
          "{'descr': <f4, 'fortran_order': False, 'shape': (2,)}", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} more",
          "{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}", "{,}"})
        refuses(fault::file_is_malformed, npy(header, zeros(8)));
    for (const char* shape :
         {"2", "(2)", "[2]", "(2", "(2 2)", "(,)", "(2,,)", "(-2,)", "(-0,)", "(2.0,)", "(1e3,)", "(nan,)", "(2L,)", "(0x2,)",
          "(9223372036854775808,)", "(4294967296, 4294967296)", "(0, 4294967296, 4294967296)", "(4611686018427387904,)"})
        refuses(fault::file_is_malformed, npy(dict("<f4", shape), zeros(8)));
    // fault: header_is_oversized
    auto oversized = good;
    oversized[9] = '\x7f';
    refuses(fault::header_is_oversized, oversized);
    oversized = npy(dict("<f4", "(2,)"), zeros(8), 2);
    oversized[8] = oversized[9] = oversized[10] = oversized[11] = '\xff';
    refuses(fault::header_is_oversized, oversized);
    // fault: file_is_truncated
    for (std::size_t length : {0u, 3u, 6u, 7u, 9u}) refuses(fault::file_is_truncated, good.substr(0, length));
    refuses(fault::file_is_truncated, npy(dict("<f4", "(2,)"), zeros(8), 2).substr(0, 11));
    refuses(fault::file_is_truncated, good.substr(0, good.size() - 1));
    refuses(fault::file_is_truncated, npy(dict("<f4", "(1000000000000,)"), zeros(8)));
    // fault: file_has_trailing_bytes
    refuses(fault::file_has_trailing_bytes, good + "x");
    refuses(fault::file_has_trailing_bytes, npy(dict("<f4", "(0,)"), zeros(4)));
    // fault: file_is_big_endian
    for (const char* descr : {">f4", ">i2", ">c8"}) refuses(fault::file_is_big_endian, npy(dict(descr, "(2,)"), zeros(8)));
    // fault: weight_dtype_is_unknown
    for (const char* descr : {"<c32", "<U2", "|O", "<u16", "<V2", "f4", "", "<f16"})
        refuses(fault::weight_dtype_is_unknown, npy(dict(descr, "(2,)"), zeros(8)));
    refuses(fault::weight_dtype_is_unknown, npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", zeros(8)));
    // fault: weight_is_not_boolean
    refuses(fault::weight_is_not_boolean, npy(dict("|b1", "(2,)"), "\1\2"));
    for (std::size_t length = 0; length < good.size(); ++length) {
        weights_tensor t;
        diagnosis d;
        check(!read_npy(bytes_of_text(good.substr(0, length)), "x", t, d) && !d.ok());
    }
}

static void files() {
    const auto folder = std::filesystem::temp_directory_path() / ("ahead_npy_" + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder);
    const auto path = folder / "fc1.weight.npy";
    std::ofstream(path, std::ios::binary) << npy(dict("|u1", "(2, 2)", "True"), "acbd");
    const auto t = load_npy(path);
    check_equal(t->name, "fc1.weight");
    check_equal(text_of(*t), "abcd");
    std::ofstream(path, std::ios::binary | std::ios::app) << "e";
    check_throws<error>([&] { load_npy(path); }, "fc1.weight.npy' has trailing bytes: expected 4 bytes of data, found 5 bytes");
    std::filesystem::remove_all(folder);

    // fault: file_is_unreadable
    weights_tensor none;
    diagnosis d;
    check(!load_npy(path, none, d));
    check_fault(d, {fault::file_is_unreadable});
    check_throws<error>([&] { load_npy(path); }, "fc1.weight.npy' is unreadable");
    check_throws<error>([&] { load_npy(std::filesystem::temp_directory_path()); }, "is unreadable");
    // The first fault stays.
    check(!read_npy({}, "x", none, d));
    check_fault(d, {fault::file_is_unreadable});
}

// Damage of every kind: read or refused with a reason, never more.
static void damage() {
    const std::string seeds[] = {npy(dict("<f4", "(2, 3)", "True"), zeros(24)), npy(dict("|b1", "(4,)"), zeros(4), 2),
                                 npy(dict("<i8", "()"), zeros(8), 3)};
    const std::string_view splices[] = {"(", ")", "'", ",", "-1", "1e400", "99999999999999999999", "(0,", "True", "}", ">"};
    std::mt19937 random(1);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    int read = 0, refused = 0;
    for (int trial = 0; trial < 20'000; ++trial) {
        auto file = seeds[below(std::size(seeds))];
        for (auto change = below(3) + 1; change > 0 && !file.empty(); --change) switch (below(4)) {
            case 0:
                file[below(file.size())] ^= static_cast<char>(1u << below(8));
                break;
            case 1:
                file[below(file.size())] = static_cast<char>(below(256));
                break;
            case 2:
                file.resize(below(8) == 0 ? below(file.size()) : file.size() - below(2));
                break;
            case 3: {
                const auto splice = splices[below(std::size(splices))];
                file.replace(below(file.size()), splice.size(), splice);
            }
            }
        weights_tensor t;
        diagnosis d;
        const bool ok = read_npy(bytes_of_text(file), "x", t, d);
        if (ok != d.ok() || (ok && !holds(*t)) || (!ok && (name_of(d.what).empty() || !t->name.empty()))) check(false, file);
        ++(ok ? read : refused);
    }
    check(read > 100 && refused > 1000);
}

int main() {
    quotes_no_half_character();
    dtypes_and_shapes();
    written();
    fortran_order();
    refusals();
    files();
    damage();
    return report();
}
