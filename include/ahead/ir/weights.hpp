// SPDX-License-Identifier: MIT
// Named tensors, in owned memory or in a file's: created by the readers of files, and passed to prepare.
// Invariant: every tensor has the number of bytes that its sizes give, row-major, little endian, aligned for its
// element type; a b8 tensor holds only 0 and 1; no two tensors of one set share a name.
#pragma once
#include <ahead/core/name_index.hpp>
#include <ahead/core/nearest_name.hpp>
#include <ahead/ir/attribute_path.hpp>
#include <ahead/ir/shared_weights.hpp>
#include <ahead/ir/tensor_bytes.hpp>
#include <cstring>
#include <initializer_list>
#include <utility>

namespace AHEAD_NAMESPACE::ir {

class weights;

/// One tensor with its memory; move-only. `*t` and `t->sizes` read it.
class weights_tensor {
public:
    weights_tensor() = default;
    weights_tensor(weights_tensor&& other) noexcept { swap(other); }
    weights_tensor& operator=(weights_tensor&& other) noexcept {
        weights_tensor taken(std::move(other));
        swap(taken);
        return *this;
    }

    const tensor_bytes& operator*() const { return described; }
    const tensor_bytes* operator->() const { return &described; }

    /// Copies `bytes` to an address that is a multiple of 64. Refuses tensors that violate the invariant:
    /// weight_bytes_differ_from_shape, weight_is_not_boolean; `out` then keeps its value.
    static bool copy(tensor_bytes t, weights_tensor& out, diagnosis& d) {
        return hold(t, d) && (copy_held(std::move(t), out), true);
    }
    /// References `bytes` in place; they must outlive the tensor, and the set it is added to. Bytes that are misaligned
    /// for their element type are copied. Refuses what copy refuses.
    static bool see(tensor_bytes t, weights_tensor& out, diagnosis& d) {
        if (!hold(t, d)) return false;
        if (reinterpret_cast<std::uintptr_t>(t.bytes.data()) % bytes_of(t.type) != 0) {
            copy_held(std::move(t), out);
        } else {
            weights_tensor seen;
            seen.described = std::move(t);
            out.swap(seen);
        }
        return true;
    }

private:
    friend weights;
    void swap(weights_tensor& other) noexcept {
        std::swap(described, other.described);
        std::swap(memory, other.memory);
    }
    /// Whether the bytes of `t` satisfy the invariant, except for alignment.
    static bool hold(const tensor_bytes& t, diagnosis& d) {
        const auto expected = byte_count(t.type, t.sizes);
        if (!expected || *expected != t.bytes.size())
            return refuse_weight(
                d, fault::weight_bytes_differ_from_shape, t.name,
                (expected ? bytes_text(*expected) : short_text("sizes of at least 0 and less than 2^63 bytes"))
                    << " for " << print(t).view(),
                bytes_text(t.bytes.size()));
        if (t.type == dtype::b8)
            for (auto byte : t.bytes)
                if (std::to_integer<int>(byte) > 1)
                    return refuse_weight(d, fault::weight_is_not_boolean, t.name, "0 or 1",
                                         short_text() << std::to_integer<int>(byte));
        return true;
    }
    static void copy_held(tensor_bytes&& t, weights_tensor& out) {
        weights_tensor added;
        added.memory = aligned_memory(t.bytes.size());
        if (!t.bytes.empty()) std::memcpy(added.memory.get(), t.bytes.data(), t.bytes.size());
        t.bytes = {added.memory.get(), t.bytes.size()};
        added.described = std::move(t);
        out.swap(added);
    }

    tensor_bytes described;
    aligned_memory memory;
};

/// A tensor in a file whose dtype cannot be read, with the file's names for the tensor and the dtype.
struct unread_tensor {
    std::string name, dtype;
};

/// One row of weights::rename: `to` replaces `from`, which is a prefix of names if it ends in a dot or is empty, and
/// otherwise a whole name.
struct renaming {
    std::string_view from, to;

    bool is_prefix() const { return from.empty() || from.ends_with('.'); }
    bool takes(std::string_view name) const { return is_prefix() ? name.starts_with(from) : name == from; }
};

/// A set of named tensors that owns their memory, or a file's, or references other memory; move-only. Moving it does
/// not move bytes: a tensor_bytes read before stays valid. Iterates in insertion order.
class weights {
public:
    weights() = default;
    weights(weights&&) = default;
    weights& operator=(weights&&) = default;

    /// References the tensors of weights built for another instruction set, which must stay in place and outlive this
    /// set; copies names and sizes, no bytes.
    explicit weights(const shared_weights& from) {
        for (std::size_t i = 0; i < from.count; ++i) {
            const auto t = from.read(from.set, i);
            const std::string_view name(t.name, t.name_size);
            index.insert(name, i);
            tensors.push_back(
                {std::string(name), static_cast<dtype>(t.type), {t.sizes, t.sizes + t.rank}, {t.bytes, t.byte_count}});
        }
    }
    /// The form for a translation unit that is built for another instruction set.
    shared_weights shared() const {
        const auto read = [](const void* set, std::size_t i) {
            const auto& t = static_cast<const weights*>(set)->tensors[i];
            return shared_tensor{t.name.data(),  t.name.size(),  static_cast<int>(t.type),
                                 t.sizes.data(), t.sizes.size(), t.bytes.data(),
                                 t.bytes.size()};
        };
        return {this, tensors.size(), read};
    }

    const tensor_bytes* begin() const { return tensors.data(); }
    const tensor_bytes* end() const { return tensors.data() + tensors.size(); }
    std::size_t size() const { return tensors.size(); }

    /// The tensor of this name, or null. Also accepts Python's spelling, getattr(self.layers, "0").weight.
    const tensor_bytes* find(std::string_view name) const {
        std::string path;
        if (is_python_path(name)) {
            path = name; // longer than the plain name
            auto* end = path.data();
            for_each_piece_of_path(name, [&](std::string_view piece) {
                std::memcpy(end, piece.data(), piece.size());
                end += piece.size();
            });
            name = {path.data(), static_cast<std::size_t>(end - path.data())};
        }
        return find_named(name);
    }
    /// The same, without Python's spelling.
    const tensor_bytes* find_named(std::string_view name) const {
        const auto found = index.find(name, [&](std::size_t i) -> std::string_view { return tensors[i].name; });
        return found == name_index::none ? nullptr : &tensors[found];
    }

    /// Tensors of files with unsupported dtypes: their names, and the file's name of the dtype.
    array_view<const unread_tensor> unread() const { return {unread_.data(), unread_.size()}; }
    /// The one of this name, or null.
    const unread_tensor* find_unread(std::string_view name) const {
        for (const auto& t : unread_)
            if (t.name == name) return &t;
        return nullptr;
    }
    /// Adds an unread tensor. Refuses a name that is taken (weight_is_defined_twice); the set is then unchanged.
    bool add_unread(std::string name, std::string dtype, diagnosis& d) {
        if (is_taken(name)) return refuse_weight(d, fault::weight_is_defined_twice, name);
        unread_.push_back({std::move(name), std::move(dtype)});
        return true;
    }

    /// Adds a tensor. Refuses a name that is taken (weight_is_defined_twice); the set is then unchanged.
    bool add(weights_tensor&& t, diagnosis& d) {
        if (is_taken(t->name)) return refuse_weight(d, fault::weight_is_defined_twice, t->name);
        reserve_one(tensors);
        reserve_one(memory);
        index.insert(t->name, tensors.size());
        tensors.push_back(std::move(t.described));
        if (t.memory.get() != nullptr) memory.push_back(std::move(t.memory));
        t.described = {};
        return true;
    }
    /// Copies `bytes`. Also refuses what weights_tensor::copy refuses; the set is then unchanged.
    bool add(std::string name, dtype type, std::vector<std::int64_t> sizes, std::span<const std::byte> bytes,
             diagnosis& d) {
        weights_tensor t;
        return weights_tensor::copy({std::move(name), type, std::move(sizes), bytes}, t, d) && add(std::move(t), d);
    }
    /// Owns memory that tensors of this set reference, for the lifetime of the set, or of the set that it is merged
    /// into.
    void keep(aligned_memory&& seen) {
        reserve_one(memory);
        memory.push_back(std::move(seen));
    }

    /// Takes all tensors of another set, such as the next file of a model in several files. Refuses a name that both
    /// sets have (weight_is_defined_twice); neither set changes then.
    bool merge(weights&& other, diagnosis& d) {
        for (const auto& t : other)
            if (is_taken(t.name)) return refuse_weight(d, fault::weight_is_defined_twice, t.name);
        for (const auto& t : other.unread_)
            if (is_taken(t.name)) return refuse_weight(d, fault::weight_is_defined_twice, t.name);
        tensors.reserve(tensors.size() + other.tensors.size());
        memory.reserve(memory.size() + other.memory.size());
        index.reserve(tensors.size() + other.tensors.size());
        for (auto& t : other.tensors) {
            index.insert(t.name, tensors.size());
            tensors.push_back(std::move(t));
        }
        for (auto& m : other.memory) memory.push_back(std::move(m));
        for (auto& t : other.unread_) unread_.push_back(std::move(t));
        other = {};
        return true;
    }

    /// Renames tensors. If several rows match a name, the longest match applies: {"module.", ""} removes a prefix, {"",
    /// "module."} adds one, {"head.bias", "fc.bias"} renames one tensor. Unmatched names stay. Refuses a row that
    /// matches no name (weight_is_missing), and two tensors with one name (weight_is_defined_twice); the set is then
    /// unchanged.
    bool rename(array_view<const renaming> rows, diagnosis& d) {
        std::vector<const renaming*> row_of(tensors.size());
        for (const auto& row : rows)
            for (std::size_t i = 0; i < tensors.size(); ++i)
                if (row.takes(tensors[i].name) && (!row_of[i] || row_of[i]->from.size() < row.from.size()))
                    row_of[i] = &row;
        for (const auto& row : rows) {
            bool is_used = false;
            nearest_name nearest{row.from};
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                is_used = is_used || row_of[i] == &row ||
                          (row.takes(tensors[i].name) && row_of[i]->from.size() > row.from.size());
                nearest.offer(tensors[i].name);
            }
            for (const auto& t : unread_) is_used = is_used || row.takes(t.name);
            if (is_used) continue;
            const auto* none = "none";
            return refuse_weight(d, fault::weight_is_missing, row.from,
                                 row.is_prefix() ? "names that begin with it, to rename" : "a tensor to rename",
                                 nearest.found.empty() ? none : short_text(none) << "; perhaps " << nearest.found);
        }
        std::vector<std::string> names;
        names.reserve(tensors.size());
        name_index by_name;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            auto name = tensors[i].name;
            if (row_of[i]) name.replace(0, row_of[i]->from.size(), row_of[i]->to);
            if (by_name.find(name, [&](std::size_t at) -> std::string_view { return names[at]; }) != name_index::none)
                return refuse_weight(d, fault::weight_is_defined_twice, name);
            by_name.insert(name, i);
            names.push_back(std::move(name));
        }
        auto unread = unread_;
        for (auto& t : unread) {
            const renaming* by = nullptr;
            for (const auto& row : rows)
                if (row.takes(t.name) && (!by || by->from.size() < row.from.size())) by = &row;
            if (by) t.name.replace(0, by->from.size(), by->to);
            if (by_name.find(t.name, [&](std::size_t at) -> std::string_view { return names[at]; }) != name_index::none)
                return refuse_weight(d, fault::weight_is_defined_twice, t.name);
        }
        for (std::size_t i = 0; i < tensors.size(); ++i) tensors[i].name = std::move(names[i]);
        unread_ = std::move(unread);
        index = std::move(by_name);
        return true;
    }

#if defined(__cpp_exceptions)
    void add(weights_tensor&& t) {
        diagnosis d;
        if (!add(std::move(t), d)) raise(d);
    }
    void add(std::string name, dtype type, std::vector<std::int64_t> sizes, std::span<const std::byte> bytes) {
        diagnosis d;
        if (!add(std::move(name), type, std::move(sizes), bytes, d)) raise(d);
    }
    void merge(weights&& other) {
        diagnosis d;
        if (!merge(std::move(other), d)) raise(d);
    }
    void rename(array_view<const renaming> rows) {
        diagnosis d;
        if (!rename(rows, d)) raise(d);
    }
    void rename(std::initializer_list<renaming> rows) { rename({rows.begin(), rows.size()}); }
#endif

private:
    bool is_taken(std::string_view name) const { return find(name) != nullptr || find_unread(name) != nullptr; }
    template <class T> static void reserve_one(std::vector<T>& list) {
        if (list.size() == list.capacity()) list.reserve(2 * list.size() + 8);
    }

    std::vector<tensor_bytes> tensors;
    std::vector<aligned_memory> memory; // memory of tensors, or of files that several tensors reference
    name_index index;                   // of tensors[i].name
    std::vector<unread_tensor> unread_;
};

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::weights;
} // namespace ahead
