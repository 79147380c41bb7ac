// Graphs traced from handles, looked at at run time: names, lines, arguments, types, storages; and LeNet written by hand.
#include <ahead/core/error.hpp>
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>
#include <harness.hpp>

#include <string>
#include <vector>

using namespace ahead;
using namespace ahead::rooms;
using test::check;
using test::check_equal;

namespace {

constexpr int first_line = __LINE__ + 3;

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) {
    auto m = mm(x, permute<1, 0>(x));
    return outputs(add(abs(m), 1), sub(x, m));
});

struct lenet {
    param<"conv1.weight", f32<6, 1, 5, 5>> conv1_weight;
    param<"conv1.bias", f32<6>> conv1_bias;
    param<"conv2.weight", f32<16, 6, 5, 5>> conv2_weight;
    param<"conv2.bias", f32<16>> conv2_bias;
    param<"fc1.weight", f32<120, 400>> fc1_weight;
    param<"fc1.bias", f32<120>> fc1_bias;
    param<"fc2.weight", f32<84, 120>> fc2_weight;
    param<"fc2.bias", f32<84>> fc2_bias;
    param<"fc3.weight", f32<10, 84>> fc3_weight;
    param<"fc3.bias", f32<10>> fc3_bias;
};

inline constexpr auto digits = trace([](lenet w, input<"x", f32<1, 1, 28, 28>> x) {
    auto a = max_pool2d<kernel<2, 2>>(relu(conv2d<padding<2, 2>>(x, w.conv1_weight, w.conv1_bias)));
    auto b = max_pool2d<kernel<2, 2>>(relu(conv2d(a, w.conv2_weight, w.conv2_bias)));
    auto c = relu(linear(view<1, 400>(b), w.fc1_weight, w.fc1_bias));
    auto d = relu(linear(c, w.fc2_weight, w.fc2_bias));
    return outputs(linear(d, w.fc3_weight, w.fc3_bias));
});

// Names as FX gives them: one count per operator, whatever the overload; placeholders keep theirs.
constexpr int infix_line = __LINE__ + 2;
inline constexpr auto names = trace([](input<"add", f32<2>> a, input<"mul_3", f32<2>> m) {
    auto s = a + m;
    auto t = s * m;
    auto u = t * 2;
    auto v = gt(u, 1) + lt(u, m);
    return outputs(v, 1 - u, 2.0 / u);
});

// Views of views share the storage of the tensor that owns the bytes.
inline constexpr auto views = trace([](input<"x", f32<4, 6>> x) {
    auto [a, b, c] = split<2, 1>(x);
    auto d = transpose<0, 1>(slice<0, 1, 3>(b));
    auto [only] = split<4>(relu(c));
    return outputs(a, d, cat<1>(d, d), cat(tensors(only, c, a)), contiguous(x));
});

struct twice {
    static constexpr std::string_view name = "my.twice.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
};
struct my_registry : aten::registry::with<twice> {};

template <class A>
constexpr auto doubled(const handle<A>& x, call_site where = call_site::current()) {
    return call<twice>(where, x);
}
inline constexpr auto mine = trace<my_registry>([](input<"x", f32<2>> x) { return outputs(doubled(relu(x))); });

std::vector<node_id> nodes_of(graph_view g) {
    std::vector<node_id> out;
    for (node_id id : g) out.push_back(id);
    return out;
}
std::string name_at(graph_view g, std::size_t i) { return std::string(print(g[nodes_of(g)[i]].name).view()); }
std::string type_at(graph_view g, std::size_t i) { return std::string(print(g.value_of(nodes_of(g)[i]).type).view()); }

/// Law: inference on the traced graph gives what the handles' types said: one rule for handles and text.
template <class Traced>
void check_inference(const Traced&) {
    auto copy = Traced::storage;
    for (auto& n : copy.nodes)
        for (std::int32_t k = 0; n.kind == node_kind::call && k < n.values.count; ++k)
            copy.values[static_cast<std::size_t>(n.values.first + k)] = {};
    diagnosis d;
    check(infer_types(copy.edit(), Traced::registry::table, d), render(d));
    for (std::size_t i = 0; i < copy.values.size(); ++i) {
        check(copy.values[i].type == Traced::storage.values[i].type);
        check(copy.values[i].kind == Traced::storage.values[i].kind);
        check(copy.values[i].storage == Traced::storage.values[i].storage);
    }
}

/// Law: pools are full, and every use is in the list of the node it uses.
template <class Traced>
void check_pools(const Traced&) {
    const auto g = Traced::view();
    check(g.header().used == Traced::capacity);
    check_equal(g.header().live_nodes, Traced::capacity.nodes);
    std::int32_t uses = 0;
    for (node_id id : g) {
        for (auto a = g[id].first_use; a.exists(); a = g[a].next_use) {
            check(g[a].kind == argument_kind::node && g[a].node() == id && g[a].owner.index > id.index);
            ++uses;
        }
    }
    for (const auto& a : g.arguments()) uses -= a.kind == argument_kind::node;
    check_equal(uses, 0);
}

} // namespace

int main() {
    using traced_net = decltype(net);
    const auto g = traced_net::view();
    const char* const expected[] = {"x", "permute", "mm", "abs", "add", "sub", "output"};
    const int lines[] = {0, first_line, first_line, first_line + 1, first_line + 1, first_line + 1, first_line + 1};
    for (std::size_t i = 0; i < std::size(expected); ++i) {
        check_equal(name_at(g, i), expected[i]);
        check_equal(g[nodes_of(g)[i]].from.line, lines[i]);
    }
    const auto ids = nodes_of(g);
    check_equal(ids.size(), std::size(expected));
    check_equal(g[ids[4]].target, std::string_view("aten.add.Tensor"));
    check_equal(g.argument_of(g[ids[4]], 1).integer(), 1);
    check(g.argument_of(g[ids[2]], 0).node() == ids[0] && g.argument_of(g[ids[2]], 1).node() == ids[1]);
    check_equal(std::string(print(g.value_of(ids[1]).type, true).view()), std::string("f32[3, 3][1, 3]"));
    check(g.value_of(ids[1]).storage == g.value_of(ids[0]).storage);
    const auto& returned = g.argument_of(g[ids[6]], 0);
    check(returned.kind == argument_kind::tuple && returned.children.count == 2);
    check(g[returned.children[0]].node() == ids[4] && g[returned.children[1]].node() == ids[5]);

    const auto n = decltype(names)::view();
    const char* const given[] = {"add", "mul_3", "add_1", "mul", "mul_4", "gt", "lt", "add_2", "rsub", "reciprocal", "mul_5", "output"};
    for (std::size_t i = 0; i < std::size(given); ++i) check_equal(name_at(n, i), given[i]);
    check(n.argument_of(n[nodes_of(n)[10]], 1).real() == 2.0);
    const int infix[] = {0, 0, 0, 1, 2, 3, 3, 3, 4, 4, 4, 4};
    for (std::size_t i = 2; i < std::size(infix); ++i) check_equal(n[nodes_of(n)[i]].from.line, infix_line + infix[i]);

    const auto l = decltype(digits)::view();
    const std::pair<const char*, const char*> layers[] = {
        {"convolution", "f32[1, 6, 28, 28]"}, {"relu", "f32[1, 6, 28, 28]"},     {"max_pool2d_with_indices", "f32[1, 6, 14, 14]"},
        {"getitem", "f32[1, 6, 14, 14]"},     {"convolution_1", "f32[1, 16, 10, 10]"}, {"relu_1", "f32[1, 16, 10, 10]"},
        {"max_pool2d_with_indices_1", "f32[1, 16, 5, 5]"}, {"getitem_1", "f32[1, 16, 5, 5]"}, {"view", "f32[1, 400]"},
        {"linear", "f32[1, 120]"},            {"relu_2", "f32[1, 120]"},         {"linear_1", "f32[1, 84]"},
        {"relu_3", "f32[1, 84]"},             {"linear_2", "f32[1, 10]"}};
    for (std::size_t i = 0; i < std::size(layers); ++i) {
        check_equal(name_at(l, 11 + i), layers[i].first);
        check_equal(type_at(l, 11 + i), layers[i].second);
    }
    const auto& weight = l[nodes_of(l)[4]];
    check_equal(name_at(l, 4), "p_fc1_weight");
    check_equal(weight.weight, std::string_view("fc1.weight"));
    check(weight.role == input_role::parameter && l[nodes_of(l)[10]].role == input_role::user);

    const auto v = decltype(views)::view();
    const auto part = nodes_of(v);
    check_equal(name_at(v, 1), "split");
    check_equal(name_at(v, 3), "getitem_1");
    check_equal(std::string(print(v.value_of(part[3]).type, true).view()), "f32[4, 2][6, 1]");
    check_equal(v.value_of(part[3]).type.offset, 2);
    check_equal(name_at(v, 6), "transpose");
    check_equal(v.value_of(part[6]).type.offset, 8);
    check(v.value_of(part[6]).storage == v.value_of(part[0]).storage);

    const auto m = decltype(mine)::view();
    check(m[nodes_of(m)[2]].op == find_op(my_registry::table, "my.twice.default"));
    check(m[nodes_of(m)[1]].op == find_op(my_registry::table, "aten.relu.default"));

    check_inference(net), check_inference(digits), check_inference(names), check_inference(views), check_inference(mine);
    check_pools(net), check_pools(digits), check_pools(names), check_pools(views), check_pools(mine);
    return test::report();
}
