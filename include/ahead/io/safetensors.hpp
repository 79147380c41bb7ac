// SPDX-License-Identifier: MIT
// Reads .safetensors: eight bytes of header length, a JSON header, the data. Every byte of the data belongs to exactly
// one tensor.
// Invariant: a file that is refused changes nothing but the diagnosis; nothing is read beyond the bytes given.
// Source: the format's description at huggingface.co/docs/safetensors.
#pragma once
#include <ahead/core/heap_sort.hpp>
#include <ahead/io/file.hpp>

namespace AHEAD_NAMESPACE {

inline constexpr std::uint64_t longest_safetensors_header = 100'000'000; // bytes

namespace detail {
/// Whether the text is well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF (RFC 3629).
constexpr bool is_utf8(std::string_view text) {
    const auto byte_at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = byte_at(i++);
        if (lead < 0x80) continue;
        if (lead < 0xc2 || lead > 0xf4) return false;
        const auto lowest = lead == 0xe0 ? 0xa0u : lead == 0xf0 ? 0x90u : 0x80u;
        const auto highest = lead == 0xed ? 0x9fu : lead == 0xf4 ? 0x8fu : 0xbfu;
        if (byte_at(i) < lowest || byte_at(i) > highest) return false;
        ++i;
        for (int more = lead >= 0xf0 ? 2 : lead >= 0xe0 ? 1 : 0; more > 0; --more, ++i)
            if (byte_at(i) < 0x80 || byte_at(i) > 0xbf) return false;
    }
    return true;
}

/// How many bytes the character at `at` has. pre: is_utf8(text), and a character begins there
constexpr std::size_t character_at(std::string_view text, std::size_t at) {
    std::size_t bytes = 1;
    while (at + bytes < text.size() && (static_cast<unsigned char>(text[at + bytes]) & 0xc0) == 0x80) ++bytes;
    return bytes;
}

/// Appends a code point of at most U+10FFFF.
inline void append_utf8(std::string& out, std::uint32_t code) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0 | (code >> 6)), tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0 | (code >> 12)), tail(6), tail(0);
    } else {
        out += static_cast<char>(0xf0 | (code >> 18)), tail(12), tail(6), tail(0);
    }
}

/// A strict reader of JSON (RFC 8259) over text that is_utf8. Each member takes one thing and returns false with
/// file_is_malformed in the diagnosis where the text holds another.
class json_reader {
public:
    json_reader(std::string_view json, diagnosis& to) : d(to), text(json) {}

    diagnosis& d;

    bool malformed(short_text expected) {
        short_text found;
        if (at < text.size()) found << text.substr(at, character_at(text, at)) << " at byte " << at << " of the header";
        else found << "the end of the header";
        return refuse(d, fault::file_is_malformed, expected, found);
    }
    bool take(char c) {
        skip_space();
        if (at == text.size() || text[at] != c) return false;
        ++at;
        return true;
    }
    bool expect(char c) { return take(c) || malformed(std::string_view(&c, 1)); }
    bool end() {
        skip_space();
        return at == text.size() || malformed("nothing after the header's }");
    }

    bool string(std::string& out) {
        out.clear();
        skip_space();
        if (at == text.size() || text[at] != '"') return malformed("a string");
        for (++at; at < text.size() && text[at] != '"';) {
            if (static_cast<unsigned char>(text[at]) < 0x20) return malformed("an escape for a control character");
            if (text[at] != '\\') out += text[at++];
            else if (!escape(out)) return false;
        }
        if (at == text.size()) return malformed("a closing quote");
        ++at;
        return true;
    }

    /// The number's spelling, which may be a fraction or beyond every machine type.
    bool number(std::string_view& out) {
        skip_space();
        const auto first = at;
        if (at < text.size() && text[at] == '-') ++at;
        if (at < text.size() && text[at] == '0') ++at;
        else if (!digits()) return false;
        if (at < text.size() && text[at] == '.' && (++at, !digits())) return false;
        if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
            ++at;
            if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
            if (!digits()) return false;
        }
        out = text.substr(first, at - first);
        return true;
    }

    /// `member(key)` must take the value and return whether it could.
    template <class Member>
    bool object(Member member) {
        if (!expect('{')) return false;
        if (take('}')) return true;
        do {
            std::string key;
            if (!string(key) || !expect(':') || !member(key)) return false;
        } while (take(','));
        return expect('}');
    }
    /// `element()` must take the value and return whether it could.
    template <class Element>
    bool array(Element element) {
        if (!expect('[')) return false;
        if (take(']')) return true;
        do {
            if (!element()) return false;
        } while (take(','));
        return expect(']');
    }

    /// Any value, nested at most 32 deep.
    bool skip_value(int depth = 0) {
        skip_space();
        const char c = at < text.size() ? text[at] : '\0';
        std::string ignored;
        std::string_view number_ignored;
        if (depth == 32) return malformed("values nested at most 32 deep");
        if (c == '{') return object([&](const std::string&) { return skip_value(depth + 1); });
        if (c == '[') return array([&] { return skip_value(depth + 1); });
        if (c == '"') return string(ignored);
        if (c == '-' || (c >= '0' && c <= '9')) return number(number_ignored);
        for (std::string_view word : {"true", "false", "null"})
            if (text.substr(at, word.size()) == word) {
                at += word.size();
                return true;
            }
        return malformed("a value");
    }

private:
    void skip_space() {
        while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r')) ++at;
    }
    bool digits() {
        const auto first = at;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
        return at != first || malformed("a number");
    }
    bool escape(std::string& out) {
        constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        if (++at == text.size()) return malformed("an escape");
        if (const auto known = letters.find(text[at]); known != letters.npos) {
            out += meanings[known];
            ++at;
            return true;
        }
        std::uint32_t code = 0, low = 0;
        if (!unit(code)) return false;
        if (code >= 0xdc00 && code < 0xe000) return malformed("a high surrogate before the low one");
        if (code >= 0xd800 && code < 0xdc00) {
            if (at == text.size() || text[at] != '\\') return malformed("a low surrogate");
            ++at;
            if (!unit(low)) return false;
            if (low < 0xdc00 || low >= 0xe000) return malformed("a low surrogate");
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
        append_utf8(out, code);
        return true;
    }
    // "u" and four hexadecimal digits
    bool unit(std::uint32_t& out) {
        if (at == text.size() || text[at] != 'u') return malformed("an escape");
        const auto hex = text.substr(++at, 4);
        bool ok = hex.size() == 4;
        out = 0;
        for (char c : hex) {
            const int digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : 16;
            ok = ok && digit < 16;
            out = out * 16 + static_cast<std::uint32_t>(digit);
        }
        if (!ok) return malformed("four hexadecimal digits");
        at += 4;
        return true;
    }

    std::string_view text;
    std::size_t at = 0;
};

struct safetensors_dtype {
    std::string_view name;
    dtype type;
};
inline constexpr safetensors_dtype safetensors_dtypes[] = {
    {"BOOL", dtype::b8},   {"U8", dtype::u8},   {"I8", dtype::i8},   {"I16", dtype::i16}, {"I32", dtype::i32},
    {"I64", dtype::i64},   {"U16", dtype::u16}, {"U32", dtype::u32}, {"U64", dtype::u64}, {"F16", dtype::f16},
    {"BF16", dtype::bf16}, {"F32", dtype::f32}, {"F64", dtype::f64},
};

struct safetensors_entry {
    std::string name;
    dtype type = dtype::f32;
    std::vector<std::int64_t> sizes;
    std::uint64_t begin = 0, end = 0; // bytes into the data
};

/// A number from 0 to 2^63 - 1 without sign, fraction or exponent; another number is `if_other`.
inline bool take_natural(json_reader& json, fault if_other, std::string_view tensor, std::int64_t& out) {
    std::string_view spelling;
    if (!json.number(spelling)) return false;
    if (read_natural(spelling, out) == spelling.size()) return true;
    return refuse_weight(json.d, if_other, tensor, "an integer from 0 to 2^63 - 1", spelling);
}

/// {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, in any order; other members are skipped.
inline bool take_entry(json_reader& json, safetensors_entry& out) {
    std::string type;
    std::vector<std::int64_t> offsets;
    bool has_type = false, has_shape = false, has_offsets = false;
    const auto member = [&](const std::string& key) {
        bool* seen = key == "dtype"          ? &has_type
                     : key == "shape"        ? &has_shape
                     : key == "data_offsets" ? &has_offsets
                                             : nullptr;
        if (seen == nullptr) return json.skip_value();
        if (*seen) return json.malformed("dtype, shape and data_offsets once each");
        *seen = true;
        if (seen == &has_type) return json.string(type);
        auto& list = seen == &has_shape ? out.sizes : offsets;
        const auto if_other = seen == &has_shape ? fault::file_is_malformed : fault::offsets_are_invalid;
        return json.array([&] {
            std::int64_t number = 0;
            if (!take_natural(json, if_other, out.name, number)) return false;
            list.push_back(number);
            return true;
        });
    };
    if (!json.object(member)) return false;
    auto& d = json.d;
    if (!has_type || !has_shape || !has_offsets)
        return refuse_weight(d, fault::file_is_malformed, out.name, "dtype, shape and data_offsets", "fewer members");

    const safetensors_dtype* known = nullptr;
    for (const auto& entry : safetensors_dtypes)
        if (entry.name == type) known = &entry;
    if (!known)
        return refuse_weight(d, fault::weight_dtype_is_unknown, out.name, "F64 F32 F16 BF16 I64 I32 I16 I8 U8 or BOOL",
                             short_text(type));
    out.type = known->type;
    if (offsets.size() != 2)
        return refuse_weight(d, fault::offsets_are_invalid, out.name, "2 offsets", short_text() << offsets.size());
    if (offsets[0] > offsets[1])
        return refuse_weight(d, fault::offsets_are_invalid, out.name, "a begin before the end",
                             short_text() << offsets[0] << " to " << offsets[1]);
    out.begin = static_cast<std::uint64_t>(offsets[0]);
    out.end = static_cast<std::uint64_t>(offsets[1]);
    const auto bytes = byte_count(out.type, out.sizes);
    if (!bytes || *bytes != out.end - out.begin)
        return refuse_weight(d, fault::offsets_are_invalid, out.name,
                             bytes ? bytes_text(*bytes) : short_text("a shape of less than 2^63 bytes"),
                             bytes_text(out.end - out.begin));
    return true;
}

inline bool parse_safetensors_header(std::string_view header, std::vector<safetensors_entry>& out, diagnosis& d) {
    if (!header.starts_with('{'))
        return refuse(d, fault::file_is_malformed, "a header that begins with {", header.substr(0, 1));
    if (!is_utf8(header)) return refuse(d, fault::file_is_malformed, "a header in UTF-8", "other bytes");
    json_reader json(header, d);
    name_index names; // of out[i].name
    bool has_metadata = false;
    const auto text_member = [&](const std::string&) {
        std::string ignored;
        return json.string(ignored);
    };
    const auto member = [&](const std::string& name) {
        const bool metadata = name == "__metadata__";
        const bool known = metadata ? has_metadata : names.find(name, [&](std::size_t i) -> std::string_view {
            return out[i].name;
        }) != name_index::none;
        if (known) return refuse_weight(d, fault::weight_is_defined_twice, name);
        has_metadata = has_metadata || metadata;
        if (metadata) return json.object(text_member);
        names.insert(name, out.size());
        safetensors_entry entry;
        entry.name = name;
        if (!take_entry(json, entry)) return false;
        out.push_back(std::move(entry));
        return true;
    };
    return json.object(member) && json.end();
}

/// Whether the tensors' ranges, in the order of the data, follow one another from byte 0 to byte `data_bytes`.
inline bool verify_tiling(const std::vector<safetensors_entry>& entries, std::uint64_t data_bytes, diagnosis& d) {
    fixed_buffer<const safetensors_entry*> sorted(static_cast<std::int64_t>(entries.size()));
    for (std::int64_t i = 0; i < sorted.size(); ++i) sorted[i] = &entries[static_cast<std::size_t>(i)];
    heap_sort(sorted.data(), sorted.size(), [](const safetensors_entry* a, const safetensors_entry* b) {
        return a->begin != b->begin ? a->begin < b->begin : a->end != b->end ? a->end < b->end : a < b;
    });
    std::uint64_t covered = 0;
    for (const auto* entry : sorted.all()) {
        const auto begin = short_text("a begin at ") << bytes_text(entry->begin).view();
        const auto expected = short_text("a begin at ") << bytes_text(covered).view();
        if (entry->begin > data_bytes)
            return refuse_weight(d, fault::offsets_are_invalid, entry->name,
                                 short_text("at most ") << bytes_text(data_bytes).view(), begin);
        if (entry->begin > covered) return refuse_weight(d, fault::tensors_leave_a_hole, entry->name, expected, begin);
        if (entry->begin < covered) return refuse_weight(d, fault::tensors_overlap, entry->name, expected, begin);
        covered = entry->end;
    }
    if (covered > data_bytes)
        return refuse(d, fault::file_is_truncated, short_text(bytes_text(covered)) << " of data",
                      bytes_text(data_bytes));
    if (covered < data_bytes)
        return refuse(d, fault::file_has_trailing_bytes, short_text(bytes_text(covered)) << " of data",
                      bytes_text(data_bytes));
    return true;
}
} // namespace detail

/// Reads a .safetensors file from memory and adds its tensors to `out`, in the order of the header: F64 F32 F16 BF16
/// I64 I32 I16 I8 U8 BOOL. Refuses: file_is_truncated, header_is_oversized, file_is_malformed, weight_dtype_is_unknown,
/// offsets_are_invalid (not integers, reversed, not of the shape's size, outside the data), tensors_overlap,
/// tensors_leave_a_hole, file_has_trailing_bytes, weight_is_defined_twice (also: by `out`), weight_is_not_boolean;
/// nothing in `out` changes then.
inline bool parse_safetensors(std::span<const std::byte> file, weights& out, diagnosis& d) {
    constexpr std::size_t length_bytes = 8;
    if (file.size() < length_bytes)
        return refuse(d, fault::file_is_truncated, "at least 8 bytes", bytes_text(file.size()));
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < length_bytes; ++i) length |= std::to_integer<std::uint64_t>(file[i]) << (8 * i);
    const auto longest = file.size() - length_bytes < longest_safetensors_header ? file.size() - length_bytes
                                                                                 : longest_safetensors_header;
    if (length > file.size() - length_bytes && file.size() > length_bytes && file[length_bytes] != std::byte{'{'})
        return refuse(d, fault::file_is_malformed, "a .safetensors file", kind_of_file(file));
    if (length > longest)
        return refuse(d, fault::header_is_oversized, short_text("a header of at most ") << bytes_text(longest).view(),
                      bytes_text(length));
    const auto header = file.subspan(length_bytes, static_cast<std::size_t>(length));
    const auto data = file.subspan(length_bytes + header.size());

    std::vector<detail::safetensors_entry> entries;
    if (!detail::parse_safetensors_header({reinterpret_cast<const char*>(header.data()), header.size()}, entries, d))
        return false;
    if (!detail::verify_tiling(entries, data.size(), d)) return false;
    weights read;
    for (auto& entry : entries) {
        const auto bytes =
            data.subspan(static_cast<std::size_t>(entry.begin), static_cast<std::size_t>(entry.end - entry.begin));
        if (!read.add(std::move(entry.name), entry.type, std::move(entry.sizes), bytes, d)) return false;
    }
    return out.merge(std::move(read), d);
}

/// The same for a file. Refuses also: file_is_unreadable. A fault of the file as a whole carries the file's name, one
/// of a tensor the tensor's.
inline bool load_safetensors(const std::string& path, weights& out, diagnosis& d) {
    aligned_memory memory;
    std::span<const std::byte> file;
    if (!read_file(path, memory, file, d)) return false;
    diagnosis refused;
    if (parse_safetensors(file, out, refused)) return true;
    return refuse_weight(d, refused.what, (refused.name.length != 0 ? refused.name : file_text(path)).view(),
                         refused.expected, refused.found);
}

#if defined(__cpp_exceptions)
/// The forms that throw `error` instead.
inline weights parse_safetensors(std::span<const std::byte> file) {
    diagnosis d;
    weights out;
    if (!parse_safetensors(file, out, d)) raise(d);
    return out;
}
inline weights load_safetensors(const std::string& path) {
    diagnosis d;
    weights out;
    if (!load_safetensors(path, out, d)) raise(d);
    return out;
}
#endif

} // namespace ahead
