// SPDX-License-Identifier: MIT
// The entries of a .pt2 archive, which torch.export.save writes, and its weights. Source: torch/export/pt2_archive/.
// Invariant: a file that is refused changes nothing but the diagnosis. Called by frontend/pt2/, users.
#pragma once
#include <ahead/core/name_index.hpp>
#include <ahead/io/file.hpp>
#include <ahead/io/json_tree.hpp>
#include <ahead/io/npy/row_major.hpp>
#include <ahead/io/zip.hpp>
#include <ahead/ir/weights.hpp>

namespace AHEAD_NAMESPACE::io {

/// The numbers of ScalarType in torch/_export/serde/schema.py.
inline constexpr std::pair<std::string_view, dtype> pt2_dtypes[] = {
    {"1", dtype::u8}, {"2", dtype::i8}, {"3", dtype::i16}, {"4", dtype::i32}, {"5", dtype::i64}, {"6", dtype::f16},
    {"7", dtype::f32}, {"8", dtype::f64}, {"10", dtype::c64}, {"11", dtype::c128}, {"12", dtype::b8},
    {"13", dtype::bf16}, {"28", dtype::u16}, {"29", dtype::f8_e4m3}, {"30", dtype::f8_e5m2}, {"34", dtype::u32},
    {"35", dtype::u64}};
constexpr std::optional<dtype> pt2_dtype_of(std::string_view number) {
    for (const auto& [known, type] : pt2_dtypes)
        if (known == number) return type;
    return std::nullopt;
}

/// The entries of an archive of an exported program, whose bytes must outlive it.
class pt2_archive {
public:
    /// Refuses (file_is_malformed) a file that is not a zip archive, or not one of torch.export.save in PyTorch 2.9 or
    /// later.
    bool open(std::string_view bytes, diagnosis& d) {
        if (!read_zip(bytes, entries_, d)) return false;
        for (std::size_t i = 0; i < entries_.size(); ++i)
            if (const auto name = name_in_folder(i); !name.empty() && !find(name)) index_.insert(name, i);
        const auto* format = find("archive_format");
        if (!format || format->data != "pt2")
            return refuse(d, fault::file_is_malformed, "an archive of torch.export.save, with archive_format pt2",
                          format ? short_text(format->data) : short_text("an archive without archive_format"));
        if (const auto* order = find("byteorder"); order && order->data != "little")
            return refuse(d, fault::file_is_malformed, "byteorder little", order->data);
        return true;
    }
    /// Null if there is none. Names begin with the archive's folder, which `name` leaves out.
    const zip_entry* find(std::string_view name) const {
        const auto i = index_.find(name, [&](std::size_t place) { return name_in_folder(place); });
        return i == name_index::none ? nullptr : &entries_[i];
    }
    /// Reads an entry that holds JSON.
    bool read(std::string_view name, json_value& out, diagnosis& d) const {
        const auto* entry = find(name);
        if (!entry) return refuse(d, fault::file_is_malformed, short_text(name) << " in the archive", "none");
        if (!check_entry(*entry, d)) return false;
        d.name = name;
        if (!ahead::detail::is_utf8(entry->data)) return refuse(d, fault::file_is_malformed, "UTF-8", "other bytes");
        if (!read_json(entry->data, out, d)) return false;
        d.name = {};
        return true;
    }

private:
    std::vector<zip_entry> entries_;
    name_index index_; // by name_in_folder

    std::string_view name_in_folder(std::size_t i) const {
        const auto name = entries_[i].name;
        const auto folder = name.find('/');
        return folder == name.npos ? std::string_view() : name.substr(folder + 1);
    }
};

} // namespace ahead::io
namespace AHEAD_NAMESPACE::detail {

class pt2_weights_reader {
public:
    pt2_weights_reader(const io::pt2_archive& archive, diagnosis& d) : archive_(archive), d_(d) {}

    /// Adds the tensors that a config lists: {"config": {name: {"path_name", "tensor_meta", ...}}}.
    bool read(std::string_view folder, std::string_view config, weights& out) {
        io::json_value all;
        if (!archive_.read(std::string(folder) + std::string(config), all, d_)) return false;
        const auto* entries = need(all, "config");
        if (!entries) return false;
        if (entries->is != io::json_value::kind::object)
            return refuse("an object as 'config'", short_text(entries->text));
        for (const auto& m : entries->members)
            if (!add(folder, m.key, m.value, out)) return false;
        return true;
    }

private:
    const io::pt2_archive& archive_;
    diagnosis& d_;
    std::string_view tensor_;
    /// An expanded tensor is stored once; a damaged size must not take more memory than such a tensor would.
    static constexpr std::int64_t most_copies = 1024;

    bool refuse(const short_text& expected, const short_text& found) {
        return refuse_weight(d_, fault::file_is_malformed, tensor_, expected, found);
    }
    const io::json_value* need(const io::json_value& of, std::string_view key) {
        const auto* found = of.find(key);
        if (!found) refuse(short_text("'") << key << "' in the config of weights", "none");
        return found;
    }
    bool read_number(const io::json_value& of, std::int64_t& out) {
        const auto* as = of.find("as_int");
        if (as && as->is == io::json_value::kind::number && !as->text.empty() &&
            io::read_natural(as->text, out) == as->text.size())
            return true;
        return refuse("a number of at least 0, {\"as_int\": 3}", as ? short_text(as->text) : short_text("none"));
    }
    bool read_numbers(const io::json_value& of, std::vector<std::int64_t>& out) {
        if (!of.is_list()) return refuse("a list of sizes or strides", short_text(of.text));
        for (const auto& e : of.elements)
            if (!read_number(e, out.emplace_back())) return false;
        return true;
    }
    bool add(std::string_view folder, std::string_view name, const io::json_value& of, weights& out) {
        tensor_ = name;
        const auto *path = need(of, "path_name"), *pickled = need(of, "use_pickle");
        if (!path || !pickled) return false;
        if (pickled->text != "false")
            return refuse("a tensor that is stored as it is; save the program with PyTorch 2.9 or a later one",
                          "a pickled one");
        const auto* meta = need(of, "tensor_meta");
        const auto* entry = archive_.find(std::string(folder) + path->text);
        if (!meta) return false;
        if (!entry) return refuse(short_text(path->text) << " in the archive", "none");
        const auto *type = need(*meta, "dtype"), *sizes = need(*meta, "sizes"), *strides = need(*meta, "strides"),
                   *offset = need(*meta, "storage_offset");
        if (!type || !sizes || !strides || !offset) return false;
        tensor_bytes t{std::string(name), dtype::f32, {}, {}};
        std::vector<std::int64_t> steps;
        std::int64_t first = 0;
        if (!read_dtype(type->text, t.type) || !read_numbers(*sizes, t.sizes) || !read_numbers(*strides, steps) ||
            !read_number(*offset, first))
            return false;
        if (steps.size() != t.sizes.size()) return refuse("as many strides as sizes", short_text() << steps.size());
        t.bytes = {reinterpret_cast<const std::byte*>(entry->data.data()), entry->data.size()};
        std::int64_t count = 0;
        if (!check_reach(t, steps, first, count)) return false;
        weights_tensor made;
        if (first == 0 && is_row_major(t.sizes, steps)) {
            t.bytes = t.bytes.first(static_cast<std::size_t>(count) * bytes_of(t.type)); // others may share the rest
            return weights_tensor::see(std::move(t), made, d_) && out.add(std::move(made), d_);
        }
        const auto rows = gathered(t, steps, first, count);
        t.bytes = rows;
        return weights_tensor::copy(std::move(t), made, d_) && out.add(std::move(made), d_);
    }
    bool read_dtype(std::string_view number, dtype& out) {
        if (const auto known = io::pt2_dtype_of(number)) return out = *known, true;
        return refuse_weight(d_, fault::weight_dtype_is_unknown, tensor_, "a dtype of a graph",
                             short_text("ScalarType ") << number);
    }
    static bool is_row_major(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides) {
        std::int64_t expected = 1;
        for (auto d = sizes.size(); d-- > 0;) {
            if (sizes[d] != 1 && strides[d] != expected) return false;
            if (__builtin_mul_overflow(expected, sizes[d], &expected)) return false;
        }
        return true;
    }
    /// Whether t.bytes, the tensor's storage, has all elements; counts them.
    bool check_reach(const tensor_bytes& t, const std::vector<std::int64_t>& strides, std::int64_t first,
                     std::int64_t& count) {
        const auto there = static_cast<std::int64_t>(t.bytes.size() / bytes_of(t.type));
        count = 1;
        auto last = first;
        bool fits = true;
        for (std::size_t d = 0; d < t.sizes.size(); ++d) {
            std::int64_t reach = 0;
            fits = fits && !__builtin_mul_overflow(count, t.sizes[d], &count) &&
                   !__builtin_mul_overflow(std::max<std::int64_t>(t.sizes[d] - 1, 0), strides[d], &reach) &&
                   !__builtin_add_overflow(last, reach, &last);
        }
        if (!fits || (count > 0 && last >= there))
            return refuse("elements within the tensor's bytes", short_text() << t.bytes.size() << " bytes");
        return count <= there * most_copies ||
               refuse(short_text("at most ") << most_copies << " elements for each one that is stored",
                      short_text() << count);
    }
    /// The elements in row-major order. pre: check_reach
    static std::vector<std::byte> gathered(const tensor_bytes& t, const std::vector<std::int64_t>& strides,
                                           std::int64_t first, std::int64_t count) {
        const auto width = static_cast<std::int64_t>(bytes_of(t.type));
        std::vector<std::int64_t> steps;
        for (std::size_t d = 0; d < strides.size(); ++d) // nothing bounds the stride of a dim that no step is made in
            steps.push_back(count > 0 && t.sizes[d] > 1 ? strides[d] * width : 0);
        std::vector<std::byte> out(static_cast<std::size_t>(count * width));
        copy_row_major(t.bytes.data() + (count > 0 ? first * width : 0), t.sizes, steps, bytes_of(t.type), out);
        return out;
    }
};

inline bool take_pt2_weights(std::span<const std::byte> file, aligned_memory&& memory, weights& out, diagnosis& d) {
    io::pt2_archive archive;
    weights read;
    if (!archive.open({reinterpret_cast<const char*>(file.data()), file.size()}, d)) return false;
    pt2_weights_reader reader(archive, d);
    if (!reader.read("data/weights/", "model_weights_config.json", read) ||
        !reader.read("data/constants/", "model_constants_config.json", read))
        return false;
    read.keep(std::move(memory));
    return out.merge(std::move(read), d);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::io {

/// Adds the parameters, buffers and constants of an archive on disk to `out`, by their names in the module. The file is
/// mapped: tensors are views of it, tied ones of the same bytes; one that is not row-major, or begins inside its
/// storage, is copied. Their bytes are not compared with a CRC-32, which would read all of them. Refuses:
/// file_is_unreadable, file_is_malformed (also a pickled tensor of an older PyTorch), weight_dtype_is_unknown,
/// weight_is_not_boolean, weight_is_defined_twice.
inline bool load_pt2_weights(const std::string& path, weights& out, diagnosis& d) {
    aligned_memory memory;
    std::span<const std::byte> file;
    if (!map_file(path, memory, file, d)) return false;
    diagnosis refused;
    if (ahead::detail::take_pt2_weights(file, std::move(memory), out, refused)) return true;
    return refuse_weight(d, refused.what, (refused.name.length != 0 ? refused.name : file_text(path)).view(),
                         refused.expected, refused.found);
}

#if defined(__cpp_exceptions)
/// An overload that throws `error` instead.
inline weights load_pt2_weights(const std::string& path) {
    diagnosis d;
    weights out;
    if (!load_pt2_weights(path, out, d)) raise(d);
    return out;
}
#endif

} // namespace ahead::io
