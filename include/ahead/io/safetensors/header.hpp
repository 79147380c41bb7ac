// SPDX-License-Identifier: MIT
// The header of a .safetensors file: the entries of its tensors, and a check that their data fill the file.
// Invariant: every byte of the data belongs to exactly one tensor. Called by io/safetensors.hpp.
#pragma once
#include <ahead/core/heap_sort.hpp>
#include <ahead/io/safetensors/entry.hpp>

namespace AHEAD_NAMESPACE::detail {

inline bool read_safetensors_header(std::string_view header, std::vector<safetensors_entry>& out, diagnosis& d) {
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
        if (entry->begin != covered || covered > data_bytes) {
            const bool is_outside = entry->begin > data_bytes;
            const auto what = is_outside               ? fault::offsets_are_invalid
                              : entry->begin > covered ? fault::tensors_leave_a_hole
                                                       : fault::tensors_overlap;
            return refuse_weight(d, what, entry->name,
                                 short_text(is_outside ? "at most " : "a begin at ")
                                     << bytes_text(is_outside ? data_bytes : covered).view(),
                                 short_text("a begin at ") << bytes_text(entry->begin).view());
        }
        covered = entry->end;
    }
    if (covered != data_bytes)
        return refuse(d, covered > data_bytes ? fault::file_is_truncated : fault::file_has_trailing_bytes,
                      short_text(bytes_text(covered)) << " of data", bytes_text(data_bytes));
    return true;
}

} // namespace ahead::detail
