// SPDX-License-Identifier: MIT
// Every step in every place that takes steps, from the device's own table: a pointwise operator, which of its parameters are given, a dtype, and what the
// step follows. As families.hpp, which includes this; but a number is no seed here: it is a pair's place in the list of all.
#pragma once
#include "random_case.hpp"

#include <ahead/convert/toolchain.hpp>

namespace test {

/// A call of an operator: "$" is an operand, "?" a mask, "%" an operand without dims, "#k" the k-th number, none what is absent.
struct step_call {
    const ahead::ir::op_row* row;
    std::vector<std::string> parameters;
};
/// What a step follows: `write` gives its result to `step`, and returns what the case gives.
struct step_place {
    std::string_view way; // that a task goes if it takes the step, see inspected_case.cpp; empty: a task of its own
    bool takes_any_dtype;
    void (*write)(random_case& c, const std::string& type, const step_call& of);
};

namespace steps {

using ahead::parameter_kind;

/// How many words it takes, None included.
inline std::size_t words_of(const ahead::parameter& p) { return p.words.size() + (p.kind == parameter_kind::optional_string); }
/// What parameter i is given, which is its word `word` where it takes words.
inline std::string given(const ahead::parameter& p, std::size_t i, std::size_t word) {
    if (ahead::ir::takes_text(p)) return word < p.words.size() ? "'" + std::string(p.words[word]) + "'" : "None";
    if (p.name == "value" && p.kind == parameter_kind::tensor) return "%"; // masked_fill's
    if (p.kind == parameter_kind::tensor || p.kind == parameter_kind::optional_tensor || p.kind == parameter_kind::tensor_or_scalar)
        return p.name == "mask" || p.name == "condition" ? "?" : "$";
    if (p.kind == parameter_kind::integer) return "2";
    if (p.kind == parameter_kind::boolean) return "True";
    return "#" + std::to_string(i == 0 ? 1 : i);
}
/// An operator's calls: with all that may be absent, with none of it, with one alone and all but one; with each word; a number where a tensor may be one.
inline void add_calls(std::vector<step_call>& out, const ahead::ir::op_row& row) {
    const auto count = row.schema.size();
    std::vector<std::uint64_t> optional, masks{0};
    std::size_t words = 1;
    for (std::size_t i = 0; i < count; ++i) {
        if (row.schema[i].has_default) optional.push_back(std::uint64_t{1} << i);
        words = std::max(words, words_of(row.schema[i]));
    }
    std::uint64_t all = 0;
    for (const auto one : optional) all |= one;
    const auto add = [&](std::uint64_t mask) {
        if (std::find(masks.begin(), masks.end(), mask) == masks.end()) masks.push_back(mask);
    };
    add(all);
    for (const auto one : optional) add(one), add(all & ~one);
    const auto add_call = [&](std::uint64_t mask, std::size_t word, bool has_number) {
        step_call made{&row, {}};
        for (std::size_t i = 0; i < count; ++i) {
            const auto& p = row.schema[i];
            const bool is_given = !p.has_default || (mask >> i & 1) != 0;
            made.parameters.push_back(!is_given                                                     ? ""
                                      : has_number && i > 0 && p.kind == parameter_kind::tensor_or_scalar ? "#1"
                                                                                                     : given(p, i, word));
        }
        out.push_back(std::move(made));
    };
    for (const auto mask : masks)
        for (std::size_t word = 0; word < (mask == all ? words : 1); ++word) add_call(mask, word, false);
    for (std::size_t i = 1; i < count; ++i)
        if (row.schema[i].kind == parameter_kind::tensor_or_scalar) return add_call(all, 0, true);
}
inline const std::vector<step_call>& calls() {
    static const std::vector<step_call> all = [] {
        std::vector<step_call> out;
        const auto table = ahead::toolchain<>::device_registry::table;
        for (std::size_t k = 0; k < table.size(); ++k)
            if (table[k].effect.is_elementwise_device_op) add_calls(out, table[k]);
        return out;
    }();
    return all;
}

/// The call on t as one of its operands; the others are inputs of t's sizes, of one of its dims, or numbers. channel: the dim that a column is along.
inline case_tensor call(random_case& c, const step_call& of, const case_tensor& t, std::size_t channel) {
    std::int64_t operands = 0;
    for (const auto& p : of.parameters) operands += p == "$";
    auto own = operands == 0 ? 0 : c.below(operands);
    const auto other = [&](const std::string& type) {
        auto sizes = t.sizes;
        const auto kind = c.below(3);
        for (std::size_t d = 0; kind > 0 && d < sizes.size(); ++d)
            if (kind == 2 || d != channel) sizes[d] = 1;
        return c.input(type, sizes, false, 0, false, false).name;
    };
    const auto number = [&](char k) { return t.type[0] == 'f' || t.type == "bf16" ? "0." + std::to_string(25 * (k - '0')) : std::string(1, k); };
    std::string arguments;
    for (std::size_t i = 0; i < of.parameters.size(); ++i) {
        const auto& p = of.parameters[i];
        if (p.empty()) continue;
        const auto value = p == "$" ? (own-- == 0 ? t.name : other(t.type)) : p == "?" ? other("b8") : p == "%" ? c.input(t.type, {}).name : p[0] == '#' ? number(p[1]) : p;
        arguments += (i > 0 ? ", " : "") + (of.row->schema[i].has_default || ahead::ir::takes_text(of.row->schema[i]) ? std::string(of.row->schema[i].name) + " = " : "") + value;
    }
    return c.call({std::string(of.row->name.substr(4)), arguments, t.type, t.sizes});
}

inline void write_alone(random_case& c, const std::string& type, const step_call& of) {
    const dims sizes{3, 37};
    c.give(call(c, of, c.input(type, sizes, false, 0, false, false), 1));
}
/// Between two others, perhaps as a result besides.
inline void write_between(random_case& c, const std::string& type, const step_call& of) {
    const dims sizes{3, 37};
    const auto in = [&] { return c.input(type, sizes, false, 0, false, false).name; };
    const auto before = c.call({"mul.Tensor", joined{in(), in()}, type, sizes});
    const auto made = call(c, of, before, 1);
    if (c.one_in(4)) c.give(made);
    c.give(c.call({"add.Tensor", made.name + ", " + in(), type, sizes}));
}
/// Sums of one product each, so that infinity and NaN come through.
inline void write_behind_product(random_case& c, const std::string& type, const step_call& of) {
    const auto x = c.input(type, {5, 1}, false, 0, false, false), w = c.input(type, {1, 21}, true, 0, false, false);
    c.give(call(c, of, c.call({"mm.default", x.name + ", " + w.name, type, {5, 21}}), 1));
}
inline void write_behind_convolution(random_case& c, const std::string& type, const step_call& of) {
    c.has_specials = false; // whether a border of zeros is multiplied is not said
    const auto x = c.input(type, {1, 2, 5, 9}, false, 0, false, false), w = c.input(type, {3, 2, 3, 3}, true, 0, false, false);
    c.give(call(c, of, c.call({"convolution.default", x.name + ", " + w.name + ", None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1", type, {1, 3, 5, 9}}), 1));
}
/// Of a row's elements, less their mean.
inline void write_in_rows(random_case& c, const std::string& type, const step_call& of) {
    const dims sizes{6, 37};
    const auto x = c.input(type, sizes, false, 0, false, false);
    const auto mean = c.call({"mean.dim", x.name + ", [-1], True", type, {}});
    c.give(call(c, of, c.call({"sub.Tensor", x.name + ", " + mean.name, type, sizes}), 1));
}
/// Of a row's sum, by which the row is multiplied.
inline void write_of_row(random_case& c, const std::string& type, const step_call& of) {
    const dims sizes{6, 37};
    const auto x = c.input(type, sizes, false, 0, false, false);
    const auto sum = c.call({"sum.dim_IntList", x.name + ", [-1], True", type, {6, 1}});
    c.give(c.call({"mul.Tensor", x.name + ", " + call(c, of, sum, 0).name, type, sizes}));
}
/// Of an attention's scores.
inline void write_of_scores(random_case& c, const std::string& type, const step_call& of) {
    const auto q = c.input(type, {2, 8, 3}, false, 0, false, false), k = c.input(type, {2, 3, 16}, false, 0, false, false), v = c.input(type, {2, 16, 16}, false, 0, false, false);
    const dims sizes{2, 8, 16};
    const auto scores = call(c, of, c.call({"bmm.default", q.name + ", " + k.name, type, sizes}), 2);
    const auto shares = c.call({"_softmax.default", scores.name + ", -1, False", type, sizes});
    c.give(c.call({"bmm.default", shares.name + ", " + v.name, type, {2, 8, 16}}));
}

inline constexpr step_place places[] = {{"", true, write_alone},
                                        {"fused", false, write_between},
                                        {"followed by steps", false, write_behind_product},
                                        {"followed by steps", false, write_behind_convolution},
                                        {"rows in phases", false, write_in_rows},
                                        {"rows in phases", false, write_of_row},
                                        {"attention", false, write_of_scores}};
inline constexpr std::string_view dtypes[] = {"f32", "f64", "f16", "bf16", "i32", "i64", "i8", "u8", "i16", "b8"}; // floating ones first
inline constexpr std::size_t floating = 4;

struct place_and_dtype {
    const step_place* place;
    std::string_view type;
};
inline std::vector<place_and_dtype> all_places() {
    std::vector<place_and_dtype> out;
    for (std::size_t t = 0; t < std::size(dtypes); ++t)
        for (const auto& place : places)
            if (place.takes_any_dtype || t < floating) out.push_back({&place, dtypes[t]});
    return out;
}

} // namespace steps

/// Of how many numbers each is another pair.
inline std::uint64_t count_of_step_pairs() { return steps::calls().size() * steps::all_places().size(); }

/// Numbers in a row are all steps, each somewhere else.
inline void write_step_pair(random_case& c) {
    static const auto places = steps::all_places();
    const auto& all = steps::calls();
    const auto step = c.seed % all.size(), round = c.seed / all.size();
    const auto& [place, type] = places[(step + round) % places.size()];
    c.way = place->way;
    c.has_specials = c.one_in(3);
    c.largest = c.one_in(2) ? 1 : 4;
    place->write(c, std::string(type), all[step]);
}

} // namespace test
