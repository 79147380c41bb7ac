// SPDX-License-Identifier: MIT
// A call that computes a slice of another call's result: the same operator, with views of its operands. An operand that
// was partitioned before is read from one of its parts, if that part holds all elements to be read.
// Invariant: the results of the parts are consecutive row-major blocks of the whole, or interleaved (concat.hpp). Made
// by split_over_cores.hpp; its operator replaces the arguments (device/partition.hpp).
#pragma once
#include <ahead/device/partition.hpp>
#include <ahead/device/view.hpp>
#include <ahead/pass/editor.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

using device::slice_bounds;

/// The parts of values that were partitioned, by the storage of the whole.
class partitioned_values {
public:
    /// most: the maximum number of parts.
    constexpr explicit partitioned_values(std::int64_t most) : parts_(most), wholes_(most) {}

    /// Adds the next part of a value, from element `begin` to `end`. pre: values are added in the order of their
    /// numbers, the parts of one value in the order of their elements.
    constexpr void add(value_id whole, std::int64_t begin, std::int64_t end, node_id made_by, std::int32_t result) {
        if (count_ == 0 || wholes_[count_ - 1].storage != whole.index) wholes_[count_++] = {whole.index, part_count_};
        parts_[part_count_++] = {begin, end, made_by, result};
    }
    /// The argument under another type within its storage: a view of the part that contains it, if there is one, or
    /// that part itself.
    constexpr argument view(graph_editor& g, const argument& of, tensor_type type) const {
        const auto& v = g.view().value_of(of);
        if (type == v.type) return of;
        argument from = of;
        if (const auto* part = find(v.storage.index, type); part != nullptr) {
            from = argument::of(part->made_by, part->result);
            type.offset -= part->begin;
            if (type == g.type_of(part->made_by, part->result)) return from;
        }
        const auto viewed = g.call<device::view>({from});
        if (!g.ok()) return of; // its type is asked for still
        g.set_type(viewed, type);
        return argument::of(viewed);
    }

private:
    struct known_part {
        std::int64_t begin, end;
        node_id made_by;
        std::int32_t result;
    };
    struct known_whole {
        std::int32_t storage, first;
    };
    fixed_buffer<known_part> parts_;
    fixed_buffer<known_whole> wholes_;
    std::int32_t part_count_ = 0, count_ = 0;

    constexpr const known_part* find(std::int32_t storage, const tensor_type& type) const {
        std::int32_t low = 0, high = count_; // the whole is in [low, high), if it is known
        while (high - low > 1) {
            const auto middle = low + (high - low) / 2;
            (wholes_[middle].storage <= storage ? low : high) = middle;
        }
        if (high == 0 || wholes_[low].storage != storage) return nullptr;
        const auto last = high < count_ ? wholes_[high].first : part_count_;
        for (auto p = wholes_[low].first; p < last; ++p)
            if (type.offset >= parts_[p].begin && type.offset + extent_of(type) <= parts_[p].end) return &parts_[p];
        return nullptr;
    }
};

class partitioned_call {
public:
    constexpr partitioned_call(graph_editor& g, const partitioned_values& known, node_id of)
        : g_(g), known_(known), of_(of), given_(g[of].arguments.count) {
        const auto& all = g[of].arguments;
        std::int64_t in_lists = 0;
        for (std::int32_t i = 0; i < all.count; ++i) in_lists += g.argument_of(of, i).children.count;
        entries_ = fixed_buffer<argument>(in_lists);
        for (std::int32_t i = 0, next = 0; i < all.count; ++i) {
            given_[i] = g.argument_of(of, i);
            const auto from = given_[i].children;
            given_[i].children = {next, from.count};
            for (std::int32_t k = 0; k < from.count; ++k) entries_[next++] = g.view()[from[k]];
        }
    }

    constexpr std::int32_t size() const { return static_cast<std::int32_t>(given_.size()); }
    constexpr bool is_tensor(int i) const { return i < size() && given_[i].kind == argument_kind::node; }
    constexpr const argument& at(int i) const { return given_[i]; }
    constexpr const tensor_type& type_of(const argument& a) const { return g_.view().value_of(a).type; }
    constexpr const tensor_type& type(int i) const { return type_of(given_[i]); }

    /// The slice of a tensor along dim.
    constexpr argument slice_of(const argument& a, int dim, slice_bounds s) const {
        auto type = type_of(a);
        type.offset += s.begin * type.stride(dim);
        type.sizes.at[dim] = s.count;
        return known_.view(g_, a, type);
    }
    constexpr void slice(int i, int dim, slice_bounds s) { given_[i] = slice_of(given_[i], dim, s); }
    /// Replaces argument i, in row-major order, by the block from element `first` with these sizes.
    constexpr void block(int i, std::int64_t first, const int_list& sizes) {
        auto type = tensor_of(this->type(i).type, sizes);
        type.offset = this->type(i).offset + first;
        given_[i] = known_.view(g_, given_[i], type);
    }
    /// Replaces argument i, in row-major order, by its slice along dim, viewed with these sizes.
    constexpr void slice_as(int i, const int_list& sizes, int dim, slice_bounds s) {
        auto type = tensor_of(this->type(i).type, sizes);
        type.offset = this->type(i).offset + s.begin * type.stride(dim);
        type.sizes.at[dim] = s.count;
        given_[i] = known_.view(g_, given_[i], type);
    }
    /// Extends the list to `count` arguments; the new ones are not given.
    constexpr void extend_to(int count) {
        if (count <= size()) return;
        fixed_buffer<argument> more(count);
        for (int i = 0; i < size(); ++i) more[i] = given_[i];
        given_ = std::move(more);
    }
    constexpr void set(int i, std::int64_t number) { given_[i].bits = number; }
    constexpr void set_entry(int i, std::int32_t k, std::int64_t number) {
        entries_[given_[i].children.first + k].bits = number;
    }
    constexpr void set(int i, const argument& operand) { given_[i] = operand; }

    /// Makes the call; its results have the types that its rule gives.
    constexpr node_id make() const { return g_.call(g_[of_].target, given_.all(), entries_.all()); }
    /// Makes a call of an operator whose types the maker decides: as many results as the whole has, with these sizes.
    constexpr node_id make(const int_list* sizes) const {
        const auto part = make();
        if (!g_.ok()) return {};
        const auto results = g_[of_].values.count;
        if (results > 1) g_.rewriter().add_results(part, results - 1);
        for (std::int32_t k = 0; k < results; ++k) g_.set_type(part, tensor_of(g_.type_of(of_, k).type, sizes[k]), k);
        return part;
    }
    /// The call that makes argument i, to be partitioned, too.
    constexpr partitioned_call maker_of(int i) const { return {g_, known_, at(i).node()}; }

private:
    graph_editor& g_;
    const partitioned_values& known_;
    node_id of_;
    fixed_buffer<argument> given_, entries_;
};

} // namespace ahead::pass::detail
