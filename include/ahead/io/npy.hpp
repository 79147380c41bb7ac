// SPDX-License-Identifier: MIT
// Reads NumPy's .npy, versions 1, 2 and 3: one tensor, little endian, C or Fortran order. No pickles, no structured
// dtypes. Writes version 1.
// Invariant: a file that is refused changes nothing but the diagnosis; nothing is read beyond the bytes given.
// Source: numpy.lib.format (NEP 1).
#pragma once
#include <ahead/io/file.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {
struct npy_dtype {
    std::string_view descr;
    dtype type;
};
inline constexpr npy_dtype npy_dtypes[] = {
    {"|b1", dtype::b8},  {"|u1", dtype::u8},  {"|i1", dtype::i8},  {"<i2", dtype::i16},
    {"<i4", dtype::i32}, {"<i8", dtype::i64}, {"<u2", dtype::u16}, {"<u4", dtype::u32},
    {"<u8", dtype::u64}, {"<f2", dtype::f16}, {"<f4", dtype::f32}, {"<f8", dtype::f64},
};

struct npy_header {
    std::string descr; // "a structured dtype" where it is a list
    bool fortran = false;
    std::vector<std::int64_t> sizes;
};

/// Reads the header, a Python dict of exactly the keys descr, fortran_order and shape, in any order.
class npy_header_reader {
public:
    npy_header_reader(std::string_view header, std::string_view tensor, diagnosis& to)
        : text(header), name(tensor), d(to) {}

    bool read(npy_header& out) {
        if (!expect('{')) return false;
        bool has_descr = false, has_order = false, has_shape = false;
        while (!take('}')) {
            std::string key;
            if (!string(key) || !expect(':')) return false;
            bool* seen = key == "descr"           ? &has_descr
                         : key == "fortran_order" ? &has_order
                         : key == "shape"         ? &has_shape
                                                  : nullptr;
            if (seen == nullptr || *seen) return malformed("the keys descr, fortran_order and shape, once each");
            *seen = true;
            if (seen == &has_descr && !descr(out.descr)) return false;
            if (seen == &has_order && !boolean(out.fortran)) return false;
            if (seen == &has_shape && !shape(out.sizes)) return false;
            if (!take(',')) {
                if (!expect('}')) return false;
                break;
            }
        }
        if (!has_descr || !has_order || !has_shape) return malformed("the keys descr, fortran_order and shape");
        skip_space();
        return at == text.size() || malformed("nothing after the header's }");
    }

private:
    bool malformed(std::string_view expected) {
        short_text found;
        if (at < text.size())
            found << (static_cast<unsigned char>(text[at]) < 0x80 ? text.substr(at, 1) : "no ASCII") << " at byte "
                  << at << " of the header";
        else found << "the end of the header";
        return refuse_weight(d, fault::file_is_malformed, name, expected, found);
    }
    void skip_space() {
        while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r')) ++at;
    }
    bool take(char c) {
        skip_space();
        if (at == text.size() || text[at] != c) return false;
        ++at;
        return true;
    }
    bool expect(char c) { return take(c) || malformed(std::string_view(&c, 1)); }

    bool string(std::string& out) {
        skip_space();
        if (at == text.size() || (text[at] != '\'' && text[at] != '"')) return malformed("a quoted string");
        const auto end = text.find(text[at], at + 1);
        if (end == text.npos) return malformed("a closing quote");
        out = text.substr(at + 1, end - at - 1);
        at = end + 1;
        return true;
    }
    bool descr(std::string& out) {
        skip_space();
        if (at < text.size() && text[at] == '[')
            return refuse_weight(d, fault::weight_dtype_is_unknown, name, {}, "a structured dtype");
        return string(out);
    }
    bool boolean(bool& out) {
        skip_space();
        for (bool value : {true, false}) {
            const std::string_view word = value ? "True" : "False";
            if (text.substr(at, word.size()) != word) continue;
            at += word.size();
            out = value;
            return true;
        }
        return malformed("True or False");
    }
    // (), (3,) or (3, 4) with or without a last comma; (3) is no tuple.
    bool shape(std::vector<std::int64_t>& out) {
        if (!expect('(')) return false;
        bool comma = true;
        while (!take(')')) {
            if (!comma) return malformed(", or )");
            skip_space();
            std::int64_t size = 0;
            const auto digits = read_natural(text.substr(at), size);
            if (digits == 0) return malformed("a size from 0 to 2^63 - 1");
            at += digits;
            out.push_back(size);
            comma = take(',');
        }
        return out.size() != 1 || comma || malformed("a comma after the only size");
    }

    std::string_view text;
    std::size_t at = 0;
    std::string_view name;
    diagnosis& d;
};

/// post: element (i0, i1, ...) of `out`, in row-major order, is the one that `bytes` holds in column-major order.
inline void row_major_from_column_major(std::span<const std::byte> bytes, const std::vector<std::int64_t>& sizes,
                                        std::size_t item, std::byte* out) {
    const auto rank = static_cast<std::int64_t>(sizes.size());
    fixed_buffer<std::int64_t> steps(rank), index(rank);
    auto step = static_cast<std::int64_t>(item);
    for (std::int64_t dim = 0; dim < rank; ++dim) {
        steps[dim] = step;
        step *= sizes[static_cast<std::size_t>(dim)];
    }
    std::int64_t from = 0;
    for (std::size_t to = 0; to < bytes.size(); to += item) {
        std::memcpy(out + to, bytes.data() + from, item);
        for (auto dim = rank; dim-- > 0;) {
            from += steps[dim];
            if (++index[dim] != sizes[static_cast<std::size_t>(dim)]) break;
            from -= steps[dim] * index[dim];
            index[dim] = 0;
        }
    }
}
} // namespace detail

/// Reads a .npy file from memory as the tensor `name`: <f4 <f8 <f2 <i8 <i4 <i2 |i1 |u1 |b1, any rank; Fortran order
/// becomes C order. Refuses: file_is_malformed, header_is_oversized, file_is_truncated, file_has_trailing_bytes,
/// file_is_big_endian, weight_dtype_is_unknown, weight_is_not_boolean; `out` then keeps its value.
inline bool parse_npy(std::span<const std::byte> file, std::string name, weights_tensor& out, diagnosis& d) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    constexpr std::string_view magic = "\x93NUMPY";
    if (text.substr(0, magic.size()) != magic.substr(0, text.size()))
        return refuse_weight(d, fault::file_is_malformed, name, "a .npy file", kind_of_file(file));
    const auto byte_at = [&](std::size_t i) { return static_cast<std::uint32_t>(std::to_integer<unsigned>(file[i])); };
    const std::size_t length_at = magic.size() + 2;
    if (file.size() < length_at)
        return refuse_weight(d, fault::file_is_truncated, name, "at least 10 bytes", bytes_text(file.size()));
    const auto version = byte_at(magic.size());
    if (version < 1 || version > 3)
        return refuse_weight(d, fault::file_is_malformed, name, "format version 1, 2 or 3",
                             short_text() << static_cast<int>(version));
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    const std::size_t header_at = length_at + length_bytes;
    if (file.size() < header_at)
        return refuse_weight(d, fault::file_is_truncated, name, short_text("at least ") << bytes_text(header_at).view(),
                             bytes_text(file.size()));
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < length_bytes; ++i) length |= byte_at(length_at + i) << (8 * i);
    if (length > file.size() - header_at)
        return refuse_weight(d, fault::header_is_oversized, name,
                             short_text("at most ") << bytes_text(file.size() - header_at).view(), bytes_text(length));

    detail::npy_header header;
    if (!detail::npy_header_reader(text.substr(header_at, length), name, d).read(header)) return false;
    const detail::npy_dtype* known = nullptr;
    for (const auto& entry : detail::npy_dtypes)
        if (entry.descr == header.descr) known = &entry;
    if (!known) {
        const bool big = header.descr.starts_with('>');
        return refuse_weight(d, big ? fault::file_is_big_endian : fault::weight_dtype_is_unknown, name,
                             "<f4 <f8 <f2 <i8 <i4 <i2 |i1 |u1 or |b1", short_text(header.descr));
    }

    auto data = file.subspan(header_at + length);
    const auto expected = byte_count(known->type, header.sizes);
    if (!expected) return refuse_weight(d, fault::file_is_malformed, name, "a shape of less than 2^63 bytes");
    if (data.size() != *expected)
        return refuse_weight(d, data.size() < *expected ? fault::file_is_truncated : fault::file_has_trailing_bytes,
                             name, short_text(bytes_text(*expected)) << " of data", bytes_text(data.size()));
    const aligned_memory reordered(header.fortran && header.sizes.size() > 1 ? data.size() : 0);
    if (reordered.get()) {
        detail::row_major_from_column_major(data, header.sizes, bytes_of(known->type), reordered.get());
        data = {reordered.get(), data.size()};
    }
    return weights_tensor::copy({std::move(name), known->type, std::move(header.sizes), data}, out, d);
}

/// The same for a file; the tensor is named as the file without folder and extension, "fc1.weight" for
/// "digits/fc1.weight.npy". Refuses also: file_is_unreadable. A diagnosis carries the file's name.
inline bool read_npy(const std::string& path, weights_tensor& out, diagnosis& d) {
    aligned_memory memory;
    std::span<const std::byte> file;
    if (!read_file(path, memory, file, d)) return false;
    diagnosis refused;
    auto name = path.substr(path.rfind('/') + 1);
    if (const auto dot = name.rfind('.'); dot != 0 && dot != name.npos) name.resize(dot);
    if (parse_npy(file, std::move(name), out, refused)) return true;
    return refuse_weight(d, refused.what, file_text(path).view(), refused.expected, refused.found);
}

#if defined(__cpp_exceptions)
/// The forms that throw `error` instead.
inline weights_tensor parse_npy(std::span<const std::byte> file, std::string name) {
    diagnosis d;
    weights_tensor out;
    if (!parse_npy(file, std::move(name), out, d)) raise(d);
    return out;
}
inline weights_tensor read_npy(const std::string& path) {
    diagnosis d;
    weights_tensor out;
    if (!read_npy(path, out, d)) raise(d);
    return out;
}
#endif

/// The file that NumPy's save writes of row-major elements, as version 1.0. Refuses weight_dtype_is_unknown: bf16 has
/// no descr.
/// pre: bytes.size() is what type and sizes ask for, and the header fits in 64 KiB.
inline bool print_npy(dtype type, std::span<const std::int64_t> sizes, std::span<const std::byte> bytes,
                      std::string& out, diagnosis& d) {
    std::string_view descr;
    for (const auto& entry : detail::npy_dtypes)
        if (entry.type == type) descr = entry.descr;
    if (descr.empty())
        return refuse(d, fault::weight_dtype_is_unknown, "a dtype that .npy files have", facts_of(type).annotation);
    std::string header = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (";
    for (std::size_t k = 0; k < sizes.size(); ++k) header += (k > 0 ? ", " : "") + std::to_string(sizes[k]);
    header += sizes.size() == 1 ? ",), }" : "), }";
    constexpr std::size_t before = 10, multiple = 64; // bytes before the header; the elements begin at a multiple
    header.append(multiple - 1 - (before + header.size()) % multiple, ' ');
    header += '\n';
    out.append("\x93NUMPY\x01", 7);
    out += '\0';
    out += static_cast<char>(header.size() % 256);
    out += static_cast<char>(header.size() / 256);
    out += header;
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return true;
}

} // namespace ahead
