// Random graphs with branches in branches, loops and scans, as FX text: pointwise operators and reductions on a few tensors, all of which blocks may be given.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace test {

class branched_graph {
public:
    explicit branched_graph(std::uint32_t seed) : random_(seed) {
        text_ = "class GraphModule(torch.nn.Module):\n";
        std::vector<std::string> classes;
        body("    ", {"f32[2, 3]", "f32[2, 3]", "f32[3]", "b8[]", "b8[]", "i64[]"}, 2, 0, classes);
        for (const auto& one : classes) text_ += one;
    }
    const std::string& text() const { return text_; }
    int branches() const { return branches_; }
    int loops() const { return loops_; }
    /// Of the branches, how many stand in a block.
    int nested() const { return nested_; }

private:
    std::mt19937 random_;
    std::string text_;
    int branches_ = 0, nested_ = 0, loops_ = 0, blocks_ = 0;

    struct named {
        std::string name, type;
    };
    int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    const named* one_of(const std::vector<named>& all, const std::string& type) {
        std::vector<const named*> fit;
        for (const auto& one : all)
            if (one.type == type) fit.push_back(&one);
        return fit.empty() ? nullptr : fit[static_cast<std::size_t>(pick(static_cast<int>(fit.size())))];
    }
    static std::string list(const std::vector<named>& all) {
        std::string out;
        for (const auto& one : all) out += (out.empty() ? "" : ", ") + one.name;
        return out;
    }

    /// A class's def: takes tensors of these types, returns `results` of f32[2, 3] behind what `first` says.
    std::vector<named> parameters(const std::vector<std::string>& types) {
        std::vector<named> out;
        for (std::size_t i = 0; i < types.size(); ++i) out.push_back({"arg" + std::to_string(i) + "_1", types[i]});
        return out;
    }
    void body(const std::string& indent, const std::vector<std::string>& types, int results, int depth, std::vector<std::string>& classes) {
        std::string out;
        auto all = parameters(types);
        write(out, indent, all, depth, classes, 3 + pick(5));
        std::string returned;
        for (int k = 0; k < results; ++k) returned += one_of(all, "f32[2, 3]")->name + ", ";
        text_ += head(indent, types) + out + indent + "    return (" + returned + ")\n";
    }
    std::string head(const std::string& indent, const std::vector<std::string>& types) {
        std::string out = indent + "def forward(self";
        for (const auto& one : parameters(types)) out += ", " + one.name + ": \"" + one.type + '"';
        return out + "):\n";
    }
    /// Some calls, and what they define.
    void write(std::string& out, const std::string& indent, std::vector<named>& all, int depth, std::vector<std::string>& classes, int calls) {
        int number = 0;
        if (depth < 2) branch(out, indent, all, depth, classes, number);
        const auto define = [&](const std::string& type, const std::string& call) {
            all.push_back({"v" + std::to_string(++number), type});
            out += indent + "    " + all.back().name + ": \"" + type + "\" = " + call + "\n";
        };
        for (int i = 0; i < calls; ++i) {
            const auto x = one_of(all, "f32[2, 3]")->name, y = one_of(all, "f32[2, 3]")->name;
            const auto* row = one_of(all, "f32[3]");
            switch (pick(depth < 3 ? 15 : 9)) {
            case 0: define("f32[2, 3]", "torch.ops.aten.add.Tensor(" + x + ", " + y + ")"); break;
            case 1: define("f32[2, 3]", "torch.ops.aten.mul.Tensor(" + x + ", " + (row ? row->name : y) + ")"); break;
            case 2: define("f32[2, 3]", "torch.ops.aten.tanh.default(" + x + ")"); break;
            case 3: define("f32[3]", "torch.ops.aten.sum.dim_IntList(" + x + ", [0])"); break;
            case 4: define("f32[2, 3]", "torch.ops.aten.sub.Tensor(" + x + ", " + y + ")"); break;
            case 5: define("f32[2, 3]", "torch.ops.aten.full.default([2, 3], " + std::to_string(pick(5)) + ".5)"); break;
            case 6: {
                define("f32[]", "torch.ops.aten.sum.default(" + x + ")");
                const auto sum = all.back().name;
                define("b8[]", "torch.ops.aten.gt.Scalar(" + sum + ", 0)");
                break;
            }
            case 7: define("f32[2, 3]", "torch.ops.aten.sigmoid.default(" + x + ")"); break;
            case 8: define("f32[3, 2]", "torch.ops.aten.permute.default(" + x + ", [1, 0])"); break;
            case 9:
            case 10:
            case 11: branch(out, indent, all, depth, classes, number); break;
            case 12: loop(out, indent, all, depth, classes, number); break;
            default: scan(out, indent, all, depth, classes, number); break;
            }
        }
    }
    /// A class that stands behind the body at hand. begin: what its body starts with, and what that returns first.
    std::string block(const std::string& indent, const std::string& name, const std::vector<std::string>& types, int results, int depth, const std::string& first = "",
                      const std::string& begin = "") {
        const auto inside = indent + "    ";
        std::vector<std::string> classes;
        std::string out;
        auto all = parameters(types);
        write(out, inside, all, depth + 1, classes, 1 + pick(4));
        std::string returned = first;
        for (int k = 0; k < results; ++k) returned += one_of(all, "f32[2, 3]")->name + ", ";
        auto text = "\n" + indent + "class " + name + "(torch.nn.Module):\n" + head(inside, types) + begin + out + inside + "    return (" + returned + ")\n";
        for (const auto& one : classes) text += one;
        return text;
    }
    std::vector<named> some(const std::vector<named>& all) {
        std::vector<named> out{*one_of(all, "f32[2, 3]")};
        for (int k = pick(5); k > 0; --k) out.push_back(all[static_cast<std::size_t>(pick(static_cast<int>(all.size())))]);
        return out;
    }
    static std::vector<std::string> types_of(const std::vector<named>& all) {
        std::vector<std::string> out;
        for (const auto& one : all) out.push_back(one.type);
        return out;
    }
    void pick_results(std::string& out, const std::string& indent, std::vector<named>& all, const std::string& call, const std::vector<std::string>& types, int& number) {
        for (std::size_t k = 0; k < types.size(); ++k) {
            if (types[k].empty()) continue;
            all.push_back({"v" + std::to_string(++number), types[k]});
            out += indent + "    " + all.back().name + ": \"" + types[k] + "\" = " + call + "[" + std::to_string(k) + "]\n";
        }
    }
    void branch(std::string& out, const std::string& indent, std::vector<named>& all, int depth, std::vector<std::string>& classes, int& number) {
        auto given = some(all);
        const auto* by = one_of(all, "b8[]");
        if (!by) return;
        given.push_back(*one_of(all, "b8[]"));
        ++branches_;
        nested_ += depth > 0;
        const auto id = std::to_string(blocks_++);
        const int results = 1 + pick(2);
        for (const std::string which : {"true", "false"}) {
            out += indent + "    " + which + "_graph_" + id + " = self." + which + "_graph_" + id + "\n";
            classes.push_back(block(indent, which + "_graph_" + id, types_of(given), results, depth));
        }
        out += indent + "    cond_" + id + " = torch.ops.higher_order.cond(" + by->name + ", true_graph_" + id + ", false_graph_" + id + ", [" + list(given) + "])\n";
        pick_results(out, indent, all, "cond_" + id, std::vector<std::string>(static_cast<std::size_t>(results), "f32[2, 3]"), number);
    }
    void loop(std::string& out, const std::string& indent, std::vector<named>& all, int depth, std::vector<std::string>& classes, int& number) {
        const auto* count = one_of(all, "i64[]");
        if (!count) return;
        ++loops_;
        const auto id = std::to_string(blocks_++);
        std::vector<named> given{*count, *one_of(all, "f32[2, 3]")};
        const auto more = some(all);
        auto types = types_of(given);
        for (const auto& one : more) types.push_back(one.type);
        const auto inside = indent + "    ";
        classes.push_back("\n" + indent + "class while_loop_cond_graph_" + id + "(torch.nn.Module):\n" + head(inside, types) + inside +
                          "    gt: \"b8[]\" = torch.ops.aten.gt.Scalar(arg0_1, 0)\n" + inside + "    return gt\n");
        classes.push_back(block(indent, "while_loop_body_graph_" + id, types, 1, depth, "down, ", inside + "    down: \"i64[]\" = torch.ops.aten.sub.Scalar(arg0_1, 1)\n"));
        for (const std::string which : {"cond", "body"}) out += indent + "    while_loop_" + which + "_graph_" + id + " = self.while_loop_" + which + "_graph_" + id + "\n";
        out += indent + "    while_loop_" + id + " = torch.ops.higher_order.while_loop(while_loop_cond_graph_" + id + ", while_loop_body_graph_" + id + ", (" + list(given) + "), (" + list(more) + ",))\n";
        pick_results(out, indent, all, "while_loop_" + id, {"", "f32[2, 3]"}, number);
    }
    /// Along the rows of a tensor: the carry is a row.
    void scan(std::string& out, const std::string& indent, std::vector<named>& all, int, std::vector<std::string>& classes, int& number) {
        const auto *carry = one_of(all, "f32[3]"), *along = one_of(all, "f32[2, 3]");
        if (!carry) return;
        ++loops_;
        const auto id = std::to_string(blocks_++);
        const auto inside = indent + "    ";
        const auto* other = one_of(all, "f32[2, 3]");
        classes.push_back("\n" + indent + "class scan_combine_graph_" + id + "(torch.nn.Module):\n" + head(inside, {"f32[3]", "f32[3]", "f32[3]", "f32[2, 3]"}) + inside +
                          "    mul: \"f32[3]\" = torch.ops.aten.mul.Tensor(arg0_1, arg1_1)\n" + inside + "    sum_1: \"f32[3]\" = torch.ops.aten.sum.dim_IntList(arg3_1, [0])\n" + inside +
                          "    add: \"f32[3]\" = torch.ops.aten.add.Tensor(mul, sum_1)\n" + inside + "    sub: \"f32[3]\" = torch.ops.aten.sub.Tensor(arg2_1, add)\n" + inside + "    return (add, sub)\n");
        out += indent + "    scan_combine_graph_" + id + " = self.scan_combine_graph_" + id + "\n";
        out += indent + "    scan_" + id + " = torch.ops.higher_order.scan(scan_combine_graph_" + id + ", [" + carry->name + "], [" + along->name + ", " + other->name + "], [" + one_of(all, "f32[2, 3]")->name + "])\n";
        pick_results(out, indent, all, "scan_" + id, {"f32[3]", "f32[2, 3]"}, number);
    }
};

} // namespace test
