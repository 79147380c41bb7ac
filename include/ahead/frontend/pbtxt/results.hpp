// SPDX-License-Identifier: MIT
// The results of a node as attributes: `_output_shapes`, `_output_types` and, unless they are all defaults, strides,
// offsets, layouts, storages.
// Invariant: each list has as many entries as there are types, or none. Called by read_pbtxt.hpp only.
#pragma once
#include <ahead/frontend/pbtxt/reader.hpp>
#include <ahead/frontend/pbtxt/words.hpp>
#include <ahead/ir/edit.hpp>
#include <ahead/ir/type/annotation.hpp>
#include <vector>

namespace AHEAD_NAMESPACE::detail {

/// Reads list { ... } and calls body() for each element.
template <class Body> constexpr bool read_pbtxt_list(pbtxt_reader& r, Body body) {
    if (!r.block("list")) return false;
    while (!r.accept('}'))
        if (!body()) return false;
    return true;
}
constexpr bool read_pbtxt_texts(pbtxt_reader& r, std::vector<std::string_view>& out) {
    return read_pbtxt_list(r, [&] {
        std::string_view text;
        return r.field("s") && r.string(text) && (out.push_back(text), true);
    });
}
/// -1 for DT_INVALID, if it is allowed.
constexpr bool read_pbtxt_type(pbtxt_reader& r, std::int64_t& out, bool may_be_invalid) {
    const auto word = r.word();
    out = -1;
    for (std::size_t i = 0; i < std::size(pbtxt_words::dtypes); ++i)
        if (pbtxt_words::dtypes[i] == word) out = static_cast<std::int64_t>(i);
    return out >= 0 || (may_be_invalid && word == "DT_INVALID") ||
           r.fail(fault::dtype_is_unsupported, "a dtype from DT_BOOL to DT_COMPLEX128", word);
}

class pbtxt_results {
    // First of all: clang evaluates no call of a template whose body comes after the call.
    template <class T> constexpr bool fits(const std::vector<T>& part, std::string_view what, bool optional) {
        if (part.size() == types_.size() || (optional && part.empty())) return true;
        return r_.fail(fault::text_is_malformed, short_text() << types_.size() << " " << what,
                       short_text() << part.size());
    }

public:
    constexpr pbtxt_results(pbtxt_reader& r, diagnosis& d) : r_(r), d_(d) {}

    /// Prepares for the next node.
    constexpr void clear() {
        shapes_.clear(), symbols_.clear(), strides_.clear(), types_.clear();
        offsets_.clear(), packed_.clear(), storages_.clear();
    }
    static constexpr bool has(std::string_view key) { return key.substr(0, 8) == "_output_"; }
    constexpr bool read(std::string_view key) {
        if (key == "_output_shapes") return read_shapes(shapes_, false);
        if (key == "_output_strides") return read_shapes(strides_, true);
        if (key == "_output_types") return read_types();
        if (key == "_output_offsets") return read_offsets();
        if (key == "_output_packed") return read_packed();
        if (key == "_output_storages") return read_pbtxt_texts(r_, storages_);
        return r_.fail(fault::text_is_malformed, "_output_shapes, _strides, _types, _offsets, _packed or _storages",
                       key);
    }
    /// States the type of the node's result as its annotation, f32[2, 3][3, 1], which typing compares with its own. Of
    /// several results nothing is stated: the calls that pick one state their types.
    constexpr bool annotate(node& n) {
        if (!all_fit(n)) return false;
        const bool is_input = n.kind != node_kind::call;
        if (types_.size() != 1 || types_[0] < 0) return true;
        if (is_input && ((!offsets_.empty() && offsets_[0] != 0) || (!packed_.empty() && packed_[0])))
            return r_.fail(fault::text_is_malformed, "an input that begins at its first element, not packed",
                           "_output_offsets or _output_packed");
        const bool has_symbols = names_a_dim(0);
        if (has_symbols && !strides_.empty())
            return r_.fail(fault::text_is_malformed, "sizes without symbols beside _output_strides", "a symbol");
        if (!n.annotation.empty() && !agrees_with(n.annotation, has_symbols)) return false;
        if (!n.annotation.empty() && strides_.empty()) return true;
        return put_type() && (n.annotation = r_.take(), true);
    }
    /// Gives node `id` its results. find_storage(text, own, out) finds the value that owns the bytes.
    template <class FindStorage> constexpr bool give(graph g, node_id id, FindStorage find_storage) {
        if (!all_fit(g[id])) return false;
        const auto count = static_cast<std::int32_t>(types_.size());
        if (!r_.placed(reserve_values(g, id, count, d_))) return false;
        const auto values = g[id].values;
        for (std::int32_t k = 0; k < count; ++k) {
            const auto i = static_cast<std::size_t>(k);
            auto& v = g[values[k]];
            if (types_[i] < 0) continue;
            if (names_a_dim(i))
                return r_.fail(fault::dimension_is_dynamic, "sizes without symbols in a typed graph", "a symbol");
            v = {value_kind::tensor, shapes_[i], values[k]};
            v.type.type = static_cast<dtype>(types_[i]);
            if (!strides_.empty()) {
                if (strides_[i].rank != v.type.rank)
                    return r_.fail(fault::text_is_malformed, "as many strides as sizes",
                                   short_text() << static_cast<int>(strides_[i].rank));
                v.type.strides = strides_[i].strides;
            }
            if (!offsets_.empty()) v.type.offset = offsets_[i];
            if (!is_addressable(v.type))
                return r_.fail(fault::tensor_is_too_large, "fewer than 2^48 elements", print(v.type, true));
            if (!packed_.empty() && packed_[i]) v.type.layout = memory_layout::packed;
            if (!storages_.empty() && !find_storage(storages_[i], values[k], v.storage)) return false;
        }
        return true;
    }

private:
    pbtxt_reader& r_;
    diagnosis& d_;
    std::vector<tensor_type> shapes_, strides_;
    std::vector<per_dim<std::string_view>> symbols_; // by shape: the name of each dim, empty if its size is a number
    std::vector<std::int64_t> types_, offsets_;
    std::vector<bool> packed_;
    std::vector<std::string_view> storages_;

    constexpr bool all_fit(const node& n) {
        if (!fits(shapes_, "shapes", false) || !fits(strides_, "strides", true) || !fits(offsets_, "offsets", true) ||
            !fits(packed_, "layouts", true) || !fits(storages_, "storages", true))
            return false;
        return n.kind == node_kind::call || types_.size() < 2 ||
               r_.fail(fault::text_is_malformed, "one result", short_text() << types_.size());
    }
    /// Whether the type in `text` has the dtype and sizes of the result. Its strides may be those of an operand.
    constexpr bool agrees_with(std::string_view text, bool has_symbols) {
        const auto differs = [&] {
            return r_.fail(fault::text_is_malformed, "the same type in _annotation and _output_shapes", text);
        };
        if (has_symbols || names_symbols(text)) return differs();
        annotation printed;
        if (!r_.placed(read_annotation(text, printed, d_))) return false;
        const auto& t = shapes_[0];
        if (printed.type.type != static_cast<dtype>(types_[0]) || printed.type.rank != t.rank) return differs();
        for (int d = 0; d < t.rank; ++d)
            if (printed.type.size(d) != t.size(d)) return differs();
        return true;
    }
    constexpr bool put_type() {
        const auto& t = shapes_[0];
        bool ok = r_.put(facts_of(static_cast<dtype>(types_[0])).annotation) && r_.put("[");
        for (int d = 0; ok && d < t.rank; ++d) {
            const auto symbol = symbols_[0].at[d];
            ok = (d == 0 || r_.put(", ")) &&
                 (symbol.empty() ? r_.put((short_text() << t.size(d)).view()) : r_.put(symbol));
        }
        ok = ok && r_.put("]");
        if (strides_.empty()) return ok;
        if (strides_[0].rank != t.rank)
            return r_.fail(fault::text_is_malformed, "as many strides as sizes",
                           short_text() << static_cast<int>(strides_[0].rank));
        ok = ok && r_.put("[");
        for (int d = 0; ok && d < t.rank; ++d)
            ok = (d == 0 || r_.put(", ")) && r_.put((short_text() << strides_[0].strides.at[d]).view());
        return ok && r_.put("]");
    }
    constexpr bool read_offsets() {
        return read_pbtxt_list(r_, [&] {
            std::int64_t offset = 0;
            if (!r_.field("i") || !r_.integer(offset)) return false;
            if (offset < 0) return r_.fail(fault::text_is_malformed, "an offset of at least 0", short_text() << offset);
            offsets_.push_back(offset);
            return true;
        });
    }
    constexpr bool read_packed() {
        return read_pbtxt_list(r_, [&] {
            bool packed = false;
            return r_.field("b") && r_.boolean(packed) && (packed_.push_back(packed), true);
        });
    }
    constexpr bool read_types() {
        return read_pbtxt_list(r_, [&] {
            std::int64_t type = -1;
            return r_.field("type") && read_pbtxt_type(r_, type, true) && (types_.push_back(type), true);
        });
    }
    /// Sizes; strides if `strides`.
    constexpr bool read_shapes(std::vector<tensor_type>& out, bool strides) {
        return read_pbtxt_list(r_, [&] {
            if (!r_.block("shape")) return false;
            tensor_type t;
            per_dim<std::string_view> names{};
            while (!r_.accept('}')) {
                std::int64_t size = 0;
                std::string_view symbol;
                if (!r_.block("dim") || !r_.field("size") || !r_.integer(size)) return false;
                if (!r_.next_is('}') && (!r_.field("name") || !r_.string(symbol))) return false;
                if (!r_.close()) return false;
                if (t.rank == max_rank) return r_.fail(fault::text_is_malformed, "at most 8 dims", "more");
                if (size < 0) return r_.fail(fault::dimension_is_dynamic, "a size of at least 0", short_text() << size);
                if (!symbol.empty() && (strides || !is_symbol(symbol)))
                    return r_.fail(fault::text_is_malformed, strides ? "a stride" : "a symbol such as s0", symbol);
                names.at[t.rank] = symbol;
                (strides ? t.strides : t.sizes).at[t.rank++] = size;
            }
            if (!strides) {
                make_contiguous(t);
                symbols_.push_back(names);
            }
            out.push_back(t);
            return true;
        });
    }
    /// Whether a size of result k is a symbol.
    constexpr bool names_a_dim(std::size_t k) const {
        bool out = false;
        for (int d = 0; d < shapes_[k].rank; ++d) out = out || !symbols_[k].at[d].empty();
        return out;
    }
    static constexpr bool is_symbol(std::string_view name) {
        bool ok = name.size() > 1 && name[0] == 's';
        for (std::size_t i = 1; i < name.size(); ++i) ok = ok && name[i] >= '0' && name[i] <= '9';
        return ok;
    }
};

} // namespace ahead::detail
