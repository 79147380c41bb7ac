// SPDX-License-Identifier: MIT
// The entries of a zip archive whose data is stored, as torch.save and torch.export.save write them. Source: PKWARE's
// APPNOTE.TXT: the end of the central directory, zip64, data descriptors.
// Invariant: an entry's data is in the archive, before the central directory; entries are refused that are compressed,
// encrypted, named outside of the archive's folder, or named twice. Data is compared with its CRC-32 on request.
// Called by io/pt2_archive.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace AHEAD_NAMESPACE::io {

/// Views of the archive, and the CRC-32 that it says.
struct zip_entry {
    std::string_view name, data;
    std::uint32_t crc = 0;
};

} // namespace ahead::io
namespace AHEAD_NAMESPACE::detail {

inline constexpr auto crc32_table = [] {
    std::array<std::uint32_t, 256> out{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        out[i] = i;
        for (int bit = 0; bit < 8; ++bit) out[i] = out[i] >> 1 ^ (out[i] & 1 ? 0xEDB88320u : 0);
    }
    return out;
}();
constexpr std::uint32_t crc32_of(std::string_view data) {
    std::uint32_t crc = 0xFFFFFFFFu;
    for (const char c : data) crc = crc >> 8 ^ crc32_table[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
    return ~crc;
}

/// Whether a name stays in the folder that the archive is unpacked to.
constexpr bool stays_inside(std::string_view name) {
    if (name.empty() || name[0] == '/' || name.find('\\') != name.npos || name.find('\0') != name.npos) return false;
    while (true) {
        const auto end = name.find('/');
        const auto part = name.substr(0, end);
        if (part == ".." || part == "." || (part.empty() && end != name.npos)) return false;
        if (end == name.npos) return true;
        name.remove_prefix(end + 1);
    }
}

class zip_reader {
public:
    constexpr zip_reader(std::string_view archive, diagnosis& d) : bytes_(archive), d_(d) {}

    /// Fills `out` with the entries, in the directory's order; folders are left out.
    bool read(std::vector<io::zip_entry>& out) {
        directory at;
        if (!find_directory(at)) return false;
        auto next = at.begin;
        for (std::uint64_t i = 0; i < at.entries; ++i)
            if (!read_entry(at, next, out)) return false;
        if (next != at.end) return refuse("a central directory of as many bytes as it says", "more or fewer");
        std::vector<std::string_view> names;
        for (const auto& e : out) names.push_back(e.name);
        std::sort(names.begin(), names.end());
        const auto twice = std::adjacent_find(names.begin(), names.end());
        return twice == names.end() || refuse("each name once", *twice);
    }

private:
    struct directory {
        std::uint64_t begin = 0, end = 0, entries = 0;
    };
    static constexpr std::uint64_t most16 = 0xFFFF, most32 = 0xFFFFFFFF;
    std::string_view bytes_;
    diagnosis& d_;

    bool refuse(const short_text& expected, const short_text& found) {
        return ahead::refuse(d_, fault::file_is_malformed, expected, found);
    }
    bool has(std::uint64_t at, std::uint64_t count) const { return at <= bytes_.size() && count <= bytes_.size() - at; }
    /// pre: has(at, Bytes)
    template <int Bytes> std::uint64_t number(std::uint64_t at) const {
        std::uint64_t out = 0;
        for (std::size_t i = Bytes; i-- > 0;)
            out = out << 8 | static_cast<unsigned char>(bytes_[static_cast<std::size_t>(at) + i]);
        return out;
    }
    bool starts(std::uint64_t at, std::string_view signature) const {
        return bytes_.substr(static_cast<std::size_t>(at)).starts_with(signature);
    }
    std::string_view part(std::uint64_t at, std::uint64_t count) const {
        return bytes_.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(count));
    }

    /// The end record is the last one of its signature that a comment of the right length follows.
    bool find_directory(directory& out) {
        constexpr std::uint64_t size = 22;
        for (auto at = bytes_.size() < size ? bytes_.npos : bytes_.size() - size;
             at != bytes_.npos && bytes_.size() - at <= size + most16; at = at == 0 ? bytes_.npos : at - 1) {
            if (!starts(at, "PK\5\6") || number<2>(at + 20) != bytes_.size() - at - size) continue;
            if (number<2>(at + 4) != 0 && number<2>(at + 4) != most16)
                return refuse("a zip archive in one file", "one of several");
            out = {number<4>(at + 16), 0, number<2>(at + 10)};
            std::uint64_t bytes = number<4>(at + 12), limit = at;
            const bool needs_zip64 = out.begin == most32 || bytes == most32 || out.entries == most16;
            const bool has_locator = at >= 20 && starts(at - 20, "PK\6\7"); // PyTorch always writes one
            if (needs_zip64 && !has_locator) return refuse("the locator of zip64's end record", "none");
            if (has_locator && !read_zip64(at - 20, out, bytes, limit)) return false;
            if (out.begin > limit || bytes != limit - out.begin)
                return refuse("a central directory up to its end record", "another place");
            out.end = limit;
            return true;
        }
        return refuse("a zip archive, to its last byte", "no end of the central directory");
    }
    bool read_zip64(std::uint64_t locator, directory& out, std::uint64_t& bytes, std::uint64_t& limit) {
        const auto at = number<8>(locator + 8);
        if (!has(at, 56) || !starts(at, "PK\6\6")) return refuse("zip64's end record", "none where its locator says");
        out = {number<8>(at + 48), 0, number<8>(at + 32)};
        bytes = number<8>(at + 40);
        limit = at;
        return true;
    }
    bool read_entry(const directory& in, std::uint64_t& at, std::vector<io::zip_entry>& out) {
        if (at > in.end || in.end - at < 46 || !starts(at, "PK\1\2"))
            return refuse("as many entries as the central directory says", "fewer");
        const auto flags = number<2>(at + 8), method = number<2>(at + 10), crc = number<4>(at + 16);
        const auto names = number<2>(at + 28), extra = number<2>(at + 30), comment = number<2>(at + 32);
        std::uint64_t stored = number<4>(at + 20), size = number<4>(at + 24), offset = number<4>(at + 42);
        if (in.end - at - 46 < names + extra + comment) return refuse("an entry in the central directory", "its end");
        const auto name = part(at + 46, names);
        if (!read_zip64_extra(part(at + 46 + names, extra), size, stored, offset)) return false;
        at += 46 + names + extra + comment;
        d_.name = name;
        if (!stays_inside(name)) return refuse("a name in the archive's own folder", name);
        if (flags & 1) return refuse("an entry that is not encrypted", name);
        if (method != 0) return refuse("a stored entry, as torch.save writes it", "a compressed one");
        if (stored != size) return refuse("a stored entry of its own size", "another size");
        if (!has(offset, 30) || !starts(offset, "PK\3\4")) return refuse("an entry where the directory says", "none");
        const auto begin = offset + 30 + number<2>(offset + 26) + number<2>(offset + 28);
        if (begin > in.begin || size > in.begin - begin)
            return refuse("an entry before the directory", "one behind it");
        if (part(offset + 30, number<2>(offset + 26)) != name)
            return refuse(short_text("an entry ") << name, part(offset + 30, number<2>(offset + 26)));
        const auto data = part(begin, size);
        d_.name = {};
        if (!name.ends_with('/')) out.push_back({name, data, static_cast<std::uint32_t>(crc)});
        return true;
    }
    /// Numbers that do not fit into the entry are in its extra field 1, in this order.
    bool read_zip64_extra(std::string_view extra, std::uint64_t& size, std::uint64_t& stored, std::uint64_t& offset) {
        if (size != most32 && stored != most32 && offset != most32) return true;
        const auto number_of = [&](std::size_t from, std::size_t bytes) {
            std::uint64_t out = 0;
            while (bytes-- > 0) out = out << 8 | static_cast<unsigned char>(extra[from + bytes]);
            return out;
        };
        while (extra.size() >= 4) {
            const auto id = number_of(0, 2), count = number_of(2, 2);
            if (count > extra.size() - 4) break;
            if (id != 1) {
                extra.remove_prefix(4 + static_cast<std::size_t>(count));
                continue;
            }
            std::size_t from = 4;
            for (auto* field : {&size, &stored, &offset}) {
                if (*field != most32) continue;
                if (from + 8 > 4 + count) return refuse("sizes of 64 bits in zip64's extra field", "fewer");
                *field = number_of(from, 8);
                from += 8;
            }
            return true;
        }
        return refuse("zip64's extra field", "none");
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::io {

/// The entries of an archive, whose bytes must outlive them. If it returns false, `d` names the entry.
inline bool read_zip(std::string_view archive, std::vector<zip_entry>& out, diagnosis& d) {
    return ahead::detail::zip_reader(archive, d).read(out);
}

/// Whether the data has its CRC-32: each byte is read once.
inline bool check_entry(const zip_entry& entry, diagnosis& d) {
    if (ahead::detail::crc32_of(entry.data) == entry.crc) return true;
    d.name = entry.name;
    return refuse(d, fault::file_is_malformed, "data with the CRC-32 that the archive says", "another: it is damaged");
}

} // namespace ahead::io
