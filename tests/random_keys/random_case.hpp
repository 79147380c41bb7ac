// SPDX-License-Identifier: MIT
// A random call, or a short chain of calls, written as an FX text: its shapes, strides, dtypes and attributes are the keys of the kernels that it becomes.
// What a seed gives is the same everywhere. Written by the functions of families.hpp, read by inspected_case.hpp.
#pragma once
#include <splitmix64.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace test {

using dims = std::vector<std::int64_t>;

/// A tensor that the text has: its name, dtype and sizes.
struct case_tensor {
    std::string name, type;
    dims sizes;
    bool is_floating() const { return type[0] == 'f' || type[0] == 'b'; } // f32, f64, f16, bf16; b8 is asked for by name
    std::int64_t size(std::size_t d) const { return sizes[d]; }
};
/// An input: whether prepare reads it, and what its elements are.
struct case_input {
    std::string name;
    bool is_weight = false;
    std::int64_t below = 0; // integers from 0 to below - 1; 0: any, as its dtype has them
    bool wraps = false;     // integers from -below on
};

/// A call, and what its result is. In braces, so that what draws while it is written down draws in this order with every compiler.
struct call_text {
    std::string op, arguments, type;
    dims sizes;
};
struct joined : std::string {
    joined(std::initializer_list<std::string> all) {
        for (const auto& one : all) append(empty() ? "" : ", ").append(one);
    }
};
inline std::string numbers(const dims& all) {
    std::string out;
    for (const auto v : all) out += (out.empty() ? "" : ", ") + std::to_string(v);
    return out;
}
inline std::string listed(const dims& all) { return "[" + numbers(all) + "]"; }
inline std::int64_t count_of(const dims& sizes) {
    std::int64_t n = 1;
    for (const auto s : sizes) n *= s;
    return n;
}

/// A number for a text, so that a unit is run with the case that it was written for.
inline std::uint64_t number_of(std::string_view text) {
    std::uint64_t out = 0;
    for (const char c : text) out = splitmix64(out + static_cast<unsigned char>(c));
    return out;
}

class random_case {
public:
    std::vector<case_input> inputs;
    bool has_specials = false; // inputs hold NaN, infinities and -0 as well
    double largest = 1;        // floating elements are in [-largest, largest)
    std::string_view way;      // that one of its tasks must go, while no step has a task of its own; empty: any
    const std::uint64_t seed;

    explicit random_case(std::uint64_t with) : seed(with), state_(splitmix64(with)) {}

    std::string text() const {
        std::string out = "class GraphModule(torch.nn.Module):\n    def forward(self" + parameters_ + "):\n" + body_ + "        return (";
        for (const auto& name : returned_) out += name + ", ";
        return out + ")\n";
    }

    // ---- what is drawn

    std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>((state_ = splitmix64(state_)) % static_cast<std::uint64_t>(n)); }
    std::int64_t between(std::int64_t least, std::int64_t most) { return least + below(most - least + 1); }
    bool one_in(std::int64_t n) { return below(n) == 0; }
    template <class T> T any_of(std::initializer_list<T> all) { return all.begin()[below(static_cast<std::int64_t>(all.size()))]; }
    /// Of a dim: mostly small, of every remainder by a vector's lanes; now and then 1, none, or near a power of two.
    std::int64_t size(std::int64_t most = 300) {
        const auto kind = below(100);
        if (kind < 12) return std::min<std::int64_t>(kind >= 2, most);
        if (kind < 80) return std::min(kind < 45 ? between(2, 9) : between(5, 40), most);
        const auto power = any_of<std::int64_t>({16, 32, 48, 64, 128, 256});
        return std::min(power + between(-2, 2), most);
    }
    /// So many sizes, of at most so many elements together.
    dims sizes(std::int64_t rank, std::int64_t most = 3000) {
        dims out;
        for (; rank > 0; --rank) {
            out.push_back(size(most));
            most = std::max<std::int64_t>(1, most / std::max<std::int64_t>(1, out.back()));
        }
        std::swap(out[static_cast<std::size_t>(below(static_cast<std::int64_t>(out.size())))], out.back());
        return out;
    }
    /// The dims of a tensor in any order; small counts.
    dims order(std::int64_t rank) {
        const auto order = shuffled(static_cast<std::size_t>(rank));
        return {order.begin(), order.end()};
    }
    dims small(std::int64_t rank) {
        dims out;
        for (; rank > 0; --rank) out.push_back(between(1, 3));
        return out;
    }
    std::string number() { return any_of<const char*>({"0.5", "2.0", "-1.25", "0.1", "3.0"}); }

    // ---- what is written

    /// An input that lies as it is drawn: row by row, or with its dims in another order.
    case_tensor input(const std::string& type, const dims& sizes, bool is_weight = false, std::int64_t below_this = 0, bool wraps = false, bool may_turn = true) {
        const auto name = "x" + std::to_string(inputs.size());
        std::string lies;
        if (may_turn && sizes.size() > 1 && one_in(6)) {
            const auto order = shuffled(sizes.size());
            dims strides(sizes.size());
            std::int64_t next = 1;
            for (const auto d : order) {
                strides[d] = next;
                next *= std::max<std::int64_t>(1, sizes[d]);
            }
            lies = listed(strides);
        }
        parameters_ += ", " + name + ": \"" + type + listed(sizes) + lies + "\"";
        inputs.push_back({name, is_weight, below_this, wraps});
        return {name, type, sizes};
    }
    case_tensor call(const call_text& of) {
        const auto name = "v" + std::to_string(calls_++);
        body_ += "        " + name + " = torch.ops." + (of.op.starts_with("prims.") ? "" : "aten.") + of.op + "(" + of.arguments + ")\n";
        return {name, of.type, of.sizes};
    }
    /// Result k of a call of several.
    case_tensor item(const case_tensor& of, int k, const std::string& type, const dims& sizes) {
        const auto name = "v" + std::to_string(calls_++);
        body_ += "        " + name + " = " + of.name + "[" + std::to_string(k) + "]\n";
        return {name, type, sizes};
    }
    void give(const case_tensor& t) { returned_.push_back(t.name); }

    /// A tensor of these sizes that lies as it comes: an input, or a view of one.
    case_tensor operand(const std::string& type, const dims& sizes, bool is_weight = false) {
        const auto rank = static_cast<std::int64_t>(sizes.size());
        const auto kind = below(10);
        if (rank == 0 || kind < 5) return input(type, sizes, is_weight);
        if (kind < 7 && rank > 1) {
            const auto order = shuffled(sizes.size());
            dims own(sizes.size()), axes(sizes.size());
            for (std::size_t d = 0; d < own.size(); ++d) {
                own[order[d]] = sizes[d];
                axes[d] = static_cast<std::int64_t>(order[d]);
            }
            return call({"permute.default", input(type, own, is_weight).name + ", " + listed(axes), type, sizes});
        }
        const auto d = static_cast<std::size_t>(below(rank));
        auto whole = sizes;
        if (kind < 9) { // a part of a dim, or every so manieth of it
            const auto step = one_in(3) ? between(2, 3) : 1, first = between(0, 3);
            const auto end = first + std::max<std::int64_t>(0, (sizes[d] - 1) * step + 1);
            whole[d] = end + between(0, 2);
            const auto x = input(type, whole, is_weight).name;
            return call({"slice.Tensor", x + ", " + numbers({static_cast<std::int64_t>(d), first, end, step}), type, sizes});
        }
        whole[d] = 1;
        return call({"expand.default", input(type, whole, is_weight).name + ", " + listed(sizes), type, sizes});
    }

private:
    std::vector<std::size_t> shuffled(std::size_t count) {
        std::vector<std::size_t> out(count);
        for (std::size_t i = 0; i < count; ++i) {
            out[i] = i;
            std::swap(out[i], out[static_cast<std::size_t>(below(static_cast<std::int64_t>(i) + 1))]);
        }
        return out;
    }

    std::uint64_t state_;
    std::string parameters_, body_;
    std::vector<std::string> returned_;
    int calls_ = 0;
};

} // namespace test
