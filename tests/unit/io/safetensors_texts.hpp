// Files of safetensors, written by hand, and the set of weights that was read from one, as text: shared by the tests of
// the reader.
// SPDX-License-Identifier: MIT
#pragma once
#include "harness.hpp"
#include "refusal.hpp"
#include "rendered.hpp"

#include <ahead/io/safetensors.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace test::safetensors_texts {

using namespace ahead;
using namespace ahead::rooms;

inline std::vector<std::byte> bytes_of_text(std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}
inline std::string text_of(const tensor_bytes& t) { return {reinterpret_cast<const char*>(t.bytes.data()), t.bytes.size()}; }

inline std::string length_text(std::uint64_t length) {
    std::string out;
    for (int i = 0; i < 8; ++i) out += static_cast<char>(length >> (8 * i) & 0xff);
    return out;
}
inline std::string safetensors(std::string_view header, std::string_view data) {
    return length_text(header.size()).append(header).append(data);
}

/// One member of the header: "name":{"dtype":...,"shape":...,"data_offsets":...}
inline std::string entry(std::string name, std::string type, std::string shape, std::string offsets) {
    return "\"" + name + R"(":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

inline bool hold(const weights& all, std::size_t alignment = 64) {
    for (const auto& t : all)
        if (byte_count(t.type, t.sizes) != t.bytes.size() ||
            reinterpret_cast<std::uintptr_t>(t.bytes.data()) % std::max(alignment, bytes_of(t.type)) != 0 || all.find(t.name) != &t)
            return false;
    return true;
}

/// The set as text: "a f32[2]=...; ..." in its order.
inline std::string text_of(const weights& all) {
    std::string out;
    for (const auto& t : all) out.append(t.name).append(" ").append(print(t).view()).append("=").append(text_of(t)).append("; ");
    return out;
}

inline void reads(const std::string& file, std::string_view expected, const location& where = location::current()) {
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

inline diagnosis refuses(fault expected, const std::string& file, const location& where = location::current()) {
    weights all;
    all.add("before", dtype::u8, {2}, bytes_of_text("ab"));
    const auto* before = all.begin()->bytes.data();
    diagnosis d;
    check(!read_safetensors(bytes_of_text(file), all, d), "was read", where);
    check_fault(d, {expected}, where);
    check(all.size() == 1 && all.begin()->bytes.data() == before && text_of(all) == "before u8[2]=ab; ", "the set changed", where);
    if (d.name.view() != "before") check_throws<error>([&] { read_safetensors(bytes_of_text(file)); }, render(d), where);
    diagnosis of_view;
    check(!view_safetensors(bytes_of_text(file), all, of_view) && render(of_view) == render(d) && all.size() == 1, "seen otherwise", where);
    return d;
}

} // namespace test::safetensors_texts
