// In-place operators on views of views. Laws: a write is refused where PyTorch refuses it, and where its result would
// hang on the order in which elements are written; every other program gives the same elements, bit for bit, after
// functionalise. A sample of programs is held against what PyTorch 1.13 does. The coverage is printed; what fired
// seldom fails the test. AHEAD_LONG=1 runs ten times as many programs.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "recorded_aliasing.hpp"

#include <ahead/reference/equivalent.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/pass/functionalise.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

// What the programs call, and what a write becomes.
template <class... Ops> using written = op_list<Ops..., aten::in_place<Ops>...>;
struct registry : join<written<aten::add, aten::add_scalar, aten::sub, aten::mul, aten::mul_scalar, aten::neg, aten::sin, aten::clamp, aten::addcmul,
                               aten::masked_fill_scalar, aten::scatter_value, aten::index_put, aten::index_add>,
                       op_list<aten::ge_scalar, aten::clone, aten::convert_element_type, aten::fill_scalar, aten::zero, aten::copy, aten::copy_in_place, aten::fill_scalar_in_place,
                               aten::zero_in_place, aten::slice, aten::select, aten::unsqueeze, aten::diagonal, aten::unfold, aten::view, aten::as_strided,
                               aten::permute, aten::transpose, aten::expand, aten::as_strided_scatter>> {};
constexpr op_table op_rows = registry::table;

// A text and its graph, which looks into it.
struct program {
    std::string text;
    heap_storage storage;
    diagnosis error;
    explicit program(std::string of) : text(std::move(of)), storage(count_fx(text)) {
        fx_style style;
        read_fx(text, op_rows, storage.edit(), style, error) && infer_types(storage.edit(), op_rows, error);
    }
};

bool same_bits(const std::vector<host_tensor>& a, const std::vector<host_tensor>& b) {
    bool same = a.size() == b.size();
    for (std::size_t k = 0; same && k < a.size(); ++k) {
        same = a[k].type == b[k].type;
        for (std::int64_t i = 0; same && i < a[k].data.size(); ++i) {
            const auto x = a[k].data.get<double>(i), y = b[k].data.get<double>(i);
            same = x == y || (std::isnan(x) && std::isnan(y));
        }
    }
    return same;
}

// What the program gives on these inputs; the same after functionalise.
std::vector<host_tensor> run(const program& p, const std::vector<host_tensor>& inputs) {
    std::vector<host_tensor> before, after;
    diagnosis d;
    heap_storage functional(pass::room_to_functionalise(p.storage.view(), op_rows));
    copy_graph(p.storage.view(), functional.edit());
    const bool ok = pass::functionalise(functional.edit(), op_rows, d) && verify(functional.view(), d) && !has_in_place(functional.view(), op_rows) &&
                    interpret<registry>(p.storage.view(), inputs, before, d) && interpret<registry>(functional.view(), inputs, after, d);
    if (!check(ok, d.expected.view())) std::cout << name_of(d.what) << " found " << d.found.view() << '\n' << p.text;
    else if (!check(same_bits(before, after), "functionalise gives other elements")) std::cout << p.text;
    return before;
}

// ---- what PyTorch does

void like_pytorch() {
    int refused = 0, on_order = 0;
    for (const auto& r : sample) {
        std::string text = "def forward(self, x : f32[4, 4], i : i64[2], j : i64[2], z : f32[4]):\n";
        std::istringstream lines{std::string(r.body)};
        for (std::string line; std::getline(lines, line, ';');) {
            line.erase(0, line.find_first_not_of(' '));
            if (const auto at = line.find("= "); at != line.npos) line.insert(at + 2, "torch.ops.aten.");
            if (const auto at = line.find("aten.C("); at != line.npos) line.replace(at, 7, "aten.clone.default(");
            text += "    " + line + "\n";
        }
        const program p(text);
        const bool is_refused = p.error.what == fault::in_place_needs_alias_analysis;
        refused += is_refused;
        on_order += r.hangs_on_order;
        if (!check((is_refused || p.error.ok()) && is_refused == (r.hangs_on_order || r.pytorch == "refused"), r.body) || is_refused) continue;
        std::vector<host_tensor> inputs(4);
        constexpr int sizes[] = {16, 2, 2, 4}, values[4][2] = {{1, 1}, {0, 2}, {1, -1}, {21, 1}};
        std::size_t k = 0;
        for (auto id = p.storage.view().first(); k < 4; id = p.storage.view()[id].next, ++k) {
            inputs[k] = host_tensor(p.storage.view().value_of(id).type);
            for (int e = 0; e < sizes[k]; ++e) inputs[k].data.put(e, values[k][0] + e * values[k][1]);
        }
        std::ostringstream out;
        for (const auto& t : run(p, inputs))
            for (std::int64_t e = 0; e < t.data.size(); ++e) out << (out.tellp() > 0 ? " " : "") << t.data.get<double>(e);
        check_equal(std::string_view(out.str()), r.pytorch);
    }
    std::cout << std::size(sample) << " programs held against PyTorch: " << refused << " refused, " << on_order << " of them because they hang on an order\n";
}

// ---- random programs

// A tensor that the program has named: where its elements lie.
struct named {
    std::string name;
    tensor_type type;
    std::int32_t storage = 0;
    bool is_view = false, is_input = false;
};

std::vector<std::int64_t> places_of(const tensor_type& t, const int_list& sizes) {
    std::vector<std::int64_t> out;
    for_each_index(sizes, [&](const int_list& at) {
        auto place = t.offset;
        for (int d = 0; d < t.rank; ++d)
            if (t.size(d) > 1) place += at[sizes.size - t.rank + d] * t.stride(d);
        out.push_back(place);
    });
    return out;
}
bool overlaps_itself(const tensor_type& t) {
    auto places = places_of(t, sizes_of(t));
    std::sort(places.begin(), places.end());
    return std::adjacent_find(places.begin(), places.end()) != places.end();
}
// Whether an element is read at another place than the one where it is written; of what is not elementwise, whether any is read.
bool hangs_on_order(const tensor_type& to, const tensor_type& from, bool elementwise) {
    std::map<std::int64_t, std::size_t> written;
    const auto sizes = sizes_of(to);
    const auto places = places_of(to, sizes), read = places_of(from, elementwise ? sizes : sizes_of(from));
    for (std::size_t i = 0; i < places.size(); ++i) written[places[i]] = i;
    for (std::size_t i = 0; i < read.size(); ++i)
        if (const auto at = written.find(read[i]); at != written.end() && (!elementwise || at->second != i)) return true;
    return false;
}
// As at::get_overlap_status: what it says of two views of one storage without looking at their elements.
bool pytorch_refuses(const tensor_type& to, const tensor_type& from, bool elementwise) {
    const auto end = [](const tensor_type& t) { return t.offset + element_count(t); };
    if (element_count(to) == 0 || element_count(from) == 0 || !is_dense(to) || !is_dense(from)) return false;
    if (to.offset != from.offset || end(to) != end(from)) return to.offset < end(from) && from.offset < end(to);
    bool same = to.rank == from.rank;
    for (int d = 0; same && d < to.rank; ++d) same = to.stride(d) == from.stride(d);
    return !same || !elementwise;
}

struct counts {
    int programs = 0, writes = 0, through_views = 0, into_inputs = 0, beside = 0, views_of_views = 0;
    int by_itself = 0, by_range = 0, by_order = 0, unproved = 0, one_value = 0, others = 0;
};

class writer {
public:
    writer(std::uint32_t seed, counts& c) : random_(seed), count_(c) {}

    void write() {
        const program empty(text("return (x0,)"));
        for (auto id = empty.storage.view().first(); empty.storage.view()[id].kind == node_kind::placeholder; id = empty.storage.view()[id].next)
            add(empty.storage.view(), id);
        for (int k = 0; k < 14; ++k) one_line();
        std::string all = "return (";
        for (const auto& t : tensors_) all += t.name + ", ";
        const program p(text(all + ")"));
        if (!check(p.error.ok(), p.text)) return;
        ++count_.programs;
        std::uint64_t state = random_();
        std::vector<host_tensor> inputs;
        for (int k = 0; k < 4; ++k) inputs.push_back(random_tensor(tensors_[static_cast<std::size_t>(k)].type, state));
        run(p, inputs);
    }

private:
    std::mt19937 random_;
    counts& count_;
    std::vector<named> tensors_;
    std::string lines_;

    int below(std::int64_t n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n > 0 ? n : 1)); }
    std::string text(const std::string& last) const {
        return "def forward(self, x0 : f32[3, 4], x1 : f32[4, 3], x2 : f32[12], i : i64[2]):\n" + lines_ + "    " + last + "\n";
    }
    void add(graph_view g, node_id id) {
        const auto& v = g.value_of(id);
        tensors_.push_back({std::string(print(g[id].name).view()), v.type, v.storage.index, v.storage != g[id].values[0], g[id].kind == node_kind::placeholder});
    }
    const named& any() {
        for (;;)
            if (const auto& t = tensors_[static_cast<std::size_t>(below(static_cast<std::int64_t>(tensors_.size())))]; t.type.type == dtype::f32) return t;
    }
    // What broadcasts to t: mostly of t's own storage.
    const named* operand_for(const named& t) {
        std::vector<const named*> fit, near;
        for (const auto& u : tensors_) {
            bool fits = u.type.type == dtype::f32 && u.type.rank <= t.type.rank;
            for (int d = 0; fits && d < u.type.rank; ++d) {
                const auto wanted = t.type.size(t.type.rank - u.type.rank + d);
                fits = u.type.size(d) == wanted || u.type.size(d) == 1;
            }
            if (!fits) continue;
            fit.push_back(&u);
            if (u.storage == t.storage) near.push_back(&u);
        }
        const auto& from = below(4) > 0 && !near.empty() ? near : fit;
        return from.empty() ? nullptr : from[static_cast<std::size_t>(below(static_cast<std::int64_t>(from.size())))];
    }
    static std::string list(std::initializer_list<std::int64_t> values) {
        std::string out = "[";
        for (auto v : values) out += (out.size() > 1 ? ", " : "") + std::to_string(v);
        return out + "]";
    }

    void one_line() {
        const auto t = any();
        const auto rank = t.type.rank;
        const int dim = rank == 0 ? 0 : below(rank);
        const auto size = rank == 0 ? 1 : t.type.size(dim);
        const auto d = std::to_string(dim);
        const auto call = [&](std::string_view op, const std::string& rest = "") { return std::string(op) + "(" + t.name + rest + ")"; };
        const auto start = below(size);
        switch (below(26)) {
        case 0: case 1:
            return line(call("slice.Tensor", ", " + d + ", " + std::to_string(start) + ", " + std::to_string(start + 1 + below(size)) + ", " + std::to_string(1 + below(2))));
        case 2: return rank < 2 ? void() : line(call("select.int", ", " + d + ", " + std::to_string(start)));
        case 3: case 4: return rank < 2 ? void() : line(call("transpose.int", ", 0, " + std::to_string(rank - 1)));
        case 5: return rank > 2 ? void() : line(call("unsqueeze.default", ", " + d));
        case 6: return line(call("view.default", ", [-1]"));
        case 7: return rank > 2 || rank == 0 ? void() : line(call("unfold.default", ", " + d + ", " + std::to_string(size > 1 ? 2 : 1) + ", " + std::to_string(1 + below(3))));
        case 8: return rank > 2 ? void() : line(call("expand.default", rank == 0 ? ", [2]" : rank == 1 ? ", [2, -1]" : ", [2, -1, -1]"));
        case 9: return rank != 2 ? void() : line(call("diagonal.default", ", " + std::to_string(below(2))));
        case 10: {
            const int a = 1 + below(3), b = 1 + below(3), s = 1 + below(4), u = 1 + below(3);
            return line(call("as_strided.default", ", " + list({a, b}) + ", " + list({s, u}) + ", " + std::to_string(below(4))));
        }
        case 11: return line(call("clone.default"));
        case 12: return line(call("add.Scalar", ", 1"));
        case 13: return write(call("fill_.Scalar", ", 0.5"), t, nullptr, true);
        case 14: return write(call("zero_.default"), t, nullptr, true);
        case 15: return write(call("neg_.default"), t);
        case 16: return write(call("mul_.Scalar", ", 0.5"), t);
        case 17: return write(call("clamp_.default", ", -0.5, 0.5"), t);
        case 18: {
            const auto* u = operand_for(t);
            if (rank == 0 || size < 4 || u == nullptr || u->type.rank != rank || u->type.size(dim) != 2) return;
            return write(call("index_add_.default", ", " + d + ", i, " + u->name), t, u, false, false);
        }
        default: {
            const auto* u = operand_for(t);
            if (u == nullptr) return;
            constexpr std::string_view binary[] = {"add_.Tensor", "mul_.Tensor", "copy_.default", "sub_.Tensor"};
            const int which = below(5);
            return write(which == 4 ? call("addcmul_.default", ", x2, " + u->name) : call(binary[which], ", " + u->name), t, u);
        }
        }
    }
    // What the type rules refuse is left out.
    bool line(const std::string& call, diagnosis& d) {
        const auto more = "    v" + std::to_string(tensors_.size()) + " = torch.ops.aten." + call + "\n";
        lines_ += more;
        const program p(text("return (x0,)"));
        d = p.error;
        if (d.ok()) add(p.storage.view(), p.storage.view()[p.storage.view().last()].previous);
        else lines_.resize(lines_.size() - more.size());
        return d.ok();
    }
    void line(const std::string& call) {
        diagnosis d;
        line(call, d);
        count_.views_of_views += d.ok() && tensors_.back().is_view;
    }
    void write(const std::string& call, const named& to, const named* from = nullptr, bool one_value = false, bool elementwise = true) {
        diagnosis d;
        const auto operand = from == nullptr ? tensor_type{} : from->type;
        const bool beside = from != nullptr && from->storage == to.storage;
        const bool itself = overlaps_itself(to.type);
        const bool range = beside && pytorch_refuses(to.type, operand, elementwise), order = beside && !itself && hangs_on_order(to.type, operand, elementwise);
        if (line(call, d)) {
            ++count_.writes;
            count_.through_views += to.is_view;
            count_.into_inputs += tensors_[static_cast<std::size_t>(to.storage)].is_input;
            count_.beside += beside;
            count_.one_value += itself;
            check((!itself || one_value) && !range && !order, text(call));
        } else if (d.what != fault::in_place_needs_alias_analysis) {
            ++count_.others;
        } else {
            ++(itself ? count_.by_itself : range ? count_.by_range : order ? count_.by_order : count_.unproved);
            check(!itself || !one_value || beside, text(call));
        }
    }
};

} // namespace

int main() {
    like_pytorch();
    counts c;
    const char* const asked = std::getenv("AHEAD_LONG");
    const int wanted = asked != nullptr && std::string_view(asked) == "1" ? 50000 : 5000;
    for (int seed = 0; seed < wanted && failed == 0; ++seed) writer(static_cast<std::uint32_t>(seed), c).write();
    std::cout << c.programs << " programs, " << c.views_of_views << " views; writes " << c.writes << ", through views " << c.through_views << ", into inputs "
              << c.into_inputs << ", of operands in the same storage " << c.beside << ", of one value into what overlaps itself " << c.one_value
              << "; refused: overlaps itself " << c.by_itself << ", as PyTorch by ranges " << c.by_range << ", would hang on an order " << c.by_order
              << ", no proof " << c.unproved << "; by other type rules " << c.others << '\n';
    for (int fired : {c.writes, c.through_views, c.into_inputs, c.beside, c.one_value, c.by_itself, c.by_range, c.by_order}) check(fired >= wanted / 100);
    check(c.unproved * 20 < c.by_range + c.by_order + c.by_itself); // caution is rare
    return report();
}
