// SPDX-License-Identifier: MIT
// Single calls as rows: ahead's kernel for each against libtorch, which runs the same text, and against a bound, which
// anyone can measure: the bytes copied, the multiply-adds done in registers, or the C++ library's sort.
#pragma once
#include <peers/ahead_rows.hpp>

#include <array>
#include <cmath>
#include <string_view>

namespace bench {

/// A text, made by the compiler.
struct made_text {
    char text[1024]{};
    std::size_t size = 0;
    constexpr made_text& operator+=(std::string_view more) {
        for (char c : more) text[size++] = c;
        return *this;
    }
};

/// One call of torch.ops.aten, by inputs a, b, ... and weights w and v of these types; of `results` results that are a
/// tuple's, or, where that is 0, of one. What makes z may be followed by statements, the last of which makes y.
constexpr made_text call(std::initializer_list<std::string_view> inputs, std::string_view operation, int results = 0,
                         std::initializer_list<std::string_view> weights = {}) {
    made_text out;
    out += "def forward(self";
    char name[] = "a";
    for (std::string_view type : inputs) (((out += ", ") += name) += ": \"") += type, out += "\"", ++name[0];
    name[0] = 'w';
    for (std::string_view type : weights) (((out += ", ") += name) += ": \"") += type, out += "\"", --name[0];
    ((out += "):\n    z = torch.ops.aten.") += operation) += "\n";
    if (operation.find('\n') != operation.npos) return out += "    return (y,)\n";
    if (results == 0) return out += "    return (z,)\n";
    for (char i = '0'; i < '0' + results; ++i) {
        const char digit[] = {i, 0};
        ((((out += "    z") += digit) += " = z[") += digit) += "]\n";
    }
    out += "    return (";
    for (char i = '0'; i < '0' + results; ++i) {
        const char digit[] = {i, 0};
        ((out += "z") += digit) += ",";
    }
    return out += ")\n";
}

/// F: makes a made_text.
template <class F, bool Weighted> struct text_by {
    static constexpr made_text made = F{}();
    static constexpr std::string_view text{made.text, made.size};
};
template <class F> struct text_by<F, true> : text_by<F, false> {
    static constexpr ::ahead::fx_input inputs[] = {{"w", "w"}};
};

/// What a kernel cannot do without.
struct bound {
    double multiply_adds = 0; // of f32
    double bytes = -1;        // read and written; those of the row's tensors where it is not said
    bool sorts = false;       // the first input
};

/// What the row's tensors are filled with, and what is compared.
struct filled {
    double low = -1, high = 1; // of floats
    std::int64_t ids = 0;      // integers are below; those of the first operand's elements where it is not said
    double tolerance = 1e-4;   // of the largest output
    bool in_libtorch = true;   // its release has the call
};

std::vector<row>& kernel_rows();
std::unique_ptr<contender> copies_bytes(double bytes);
std::unique_ptr<contender> multiplies_and_adds(double count);
std::unique_ptr<contender> sorts_numbers(const tensor& from);
#ifdef AHEAD_BENCH_LIBTORCH // where it was found
std::unique_ptr<contender> run_by_libtorch(std::string_view text, const row_tensors& t);
#endif

/// The placeholders' tensors, floats uniform in what is said.
template <class Program> row_tensors kernel_tensors(const filled& with) {
    row_tensors t;
    const auto g = Program::captured();
    std::uint32_t seed = 1000;
    for (::ahead::node_id id : g) {
        if (g[id].kind != ::ahead::ir::node_kind::placeholder) continue;
        const auto& type = g.value_of(id).type;
        const auto count = static_cast<std::size_t>(::ahead::element_count(type));
        if (g[id].role == ::ahead::ir::input_role::parameter) {
            const double in = type.rank < 2 ? 100 : static_cast<double>(count) / static_cast<double>(type.size(0));
            t.weights.add(std::string(g[id].weight), count, 1.7 / std::sqrt(in));
            continue;
        }
        t.inputs.push_back(random_tensor(seed++, count, 1));
        const bool whole = !::ahead::ir::is_floating(type.type);
        const auto ids = static_cast<double>(type.type == ::ahead::dtype::b8 ? 2 : with.ids);
        for (float& x : t.inputs.back()) {
            if (whole) x = std::floor((x + 1) / 2 * static_cast<float>(ids) * 0.999999f);
            else x = static_cast<float>(with.low + (static_cast<double>(x) + 1) / 2 * (with.high - with.low));
        }
    }
    return t;
}

template <class Program> double bytes_of_tensors() {
    double bytes = 0;
    const auto add = [&](const ::ahead::tensor_type& type) {
        bytes += static_cast<double>(::ahead::ir::bytes_of(type.type, ::ahead::element_count(type)));
    };
    const auto g = Program::captured();
    for (::ahead::node_id id : g) {
        if (g[id].kind == ::ahead::ir::node_kind::placeholder) add(g.value_of(id).type);
    }
    [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
        (add(Program::template output_port<I>::type), ...);
    }(std::make_integer_sequence<std::int32_t, Program::output_count>{});
    return bytes;
}

template <bool Weighted = false, class F>
bool add_kernel(const char* name, F, const filled& with = {}, const bound& least = {}) {
    using source = text_by<F, Weighted>;
    using compiled = ::ahead::compiled<::ahead::fx<source>, on_cores<1>>;
    using subject = program<compiled>;
    kernel_rows().push_back(
        {name, [with] { return kernel_tensors<compiled>(with); }, with.tolerance, {.placements = 2, .rounds = 4}});
    entries().push_back(
        {name, "ahead", 1, [](const row_tensors& t) { return std::make_unique<contending<subject>>(t); }});
    const auto add_bound = [&](const char* of, auto make) { entries().push_back({name, of, 0, make, true}); };
    const double bytes = least.bytes < 0 ? bytes_of_tensors<compiled>() : least.bytes;
    if (least.sorts) add_bound("std_sort", [](const row_tensors& t) { return sorts_numbers(t.inputs[0]); });
    else if (const double count = least.multiply_adds; count > 0)
        add_bound("multiply_adds", [count](const row_tensors&) { return multiplies_and_adds(count); });
    else add_bound("copy", [bytes](const row_tensors&) { return copies_bytes(bytes); });
#ifdef AHEAD_BENCH_LIBTORCH
    if (with.in_libtorch)
        entries().push_back(
            {name, "libtorch", 1, [](const row_tensors& t) { return run_by_libtorch(source::text, t); }});
#endif
    return true;
}

} // namespace bench
