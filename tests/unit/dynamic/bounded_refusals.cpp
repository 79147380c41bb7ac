// What a bounded program refuses, and where: no call of which it is not known that fewer places are the first of more.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>
#include <ahead/dynamic/bounded/compiled_bounded.hpp>

using namespace ahead;
using namespace test;

namespace {

template <class Net, std::int64_t Most> using at = fx_graph<ahead::detail::at_size<Net, bound<"s0", Most>, Most>>;
template <class Net, std::int64_t Most> using below = fx_graph<ahead::detail::at_size<Net, bound<"s0", Most>, Most - 1>>;
// Why the text has no bounded program of this bound, but for what it says at the least size.
template <class Net, std::int64_t Most = 8> constexpr diagnosis refusal_of() {
    if (!at<Net, Most>::error.ok()) return at<Net, Most>::error;
    return ahead::detail::bound_stage<at<Net, Most>, below<Net, Most>, toolchain<>>(Most).error;
}
template <class Net> void is_refused(fault what, std::string_view name, std::string_view expected, const location& where = location::current()) {
    static constexpr auto made = refusal_of<Net>();
    check_fault(made, {.what = what, .name = name, .words = expected}, where);
}

struct merged {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[2, s0, 3]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 1)
    mul: "Sym(2*s0)" = 2 * sym_size_int
    view: "f32[2*s0, 3]" = torch.ops.aten.view.default(x, [mul, 3])
    relu: "f32[2*s0, 3]" = torch.ops.aten.relu.default(view)
    return (relu,)
)fx";
};
struct terms {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[3, s0]", y: "f32[s0, 4]", b: "f32[4]"):
    mm: "f32[3, 4]" = torch.ops.aten.addmm.default(b, x, y)
    return (mm,)
)fx";
};
struct width {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[1, 2, 6, 2*s0]", w: "f32[3, 2, 3, 3]"):
    conv: "f32[1, 3, 6, 2*s0]" = torch.ops.aten.convolution.default(x, w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
    return (conv,)
)fx";
};
struct less {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]"):
    slice_1: "f32[s0 - 1, 3]" = torch.ops.aten.slice.Tensor(x, 0, 1, 9223372036854775807)
    relu: "f32[s0 - 1, 3]" = torch.ops.aten.relu.default(slice_1)
    return (relu,)
)fx";
};
// What prepare computes once from a view that begins at another element at each size.
struct last_of_constant {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 4]", y: "f32[4]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
    arange: "f32[s0]" = torch.ops.aten.arange.default(sym_size_int, dtype = torch.float32, device = device(type='cpu'), pin_memory = False)
    sub: "Sym(s0 - 1)" = sym_size_int - 1
    slice_1: "f32[1]" = torch.ops.aten.slice.Tensor(arange, 0, sub, sym_size_int)
    mul: "f32[1]" = torch.ops.aten.mul.Tensor(slice_1, 2.0)
    add: "f32[4]" = torch.ops.aten.add.Tensor(mul, y)
    return (add,)
)fx";
};
struct packed_row {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 4]", w: "f32[40, 8]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
    add: "Sym(s0 + 4)" = sym_size_int + 4
    rows: "f32[4, 8]" = torch.ops.aten.slice.Tensor(w, 0, sym_size_int, add)
    mm: "f32[s0, 8]" = torch.ops.aten.mm.default(x, rows)
    return (mm,)
)fx";
    static constexpr fx_input inputs[] = {{"w", "w"}};
};
struct by_number {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
    mul: "f32[s0, 3]" = torch.ops.aten.mul.Tensor(x, sym_size_int)
    return (mul,)
)fx";
};
struct all_rows {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
    norm: "f32[s0, 3]" = torch.ops.aten.layer_norm.default(x, [sym_size_int, 3])
    return (norm,)
)fx";
};
struct outer_product {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]", y: "f32[3, s0]"):
    mm: "f32[s0, s0]" = torch.ops.aten.mm.default(x, y)
    relu: "f32[s0, s0]" = torch.ops.aten.relu.default(mm)
    return (relu,)
)fx";
};
struct on_ai_cpu {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]"):
    relu: "f32[s0, 3]" = torch.ops.aten.relu.default(x)
    hist: "f32[4]" = torch.ops.aten.histc.default(relu, 4)
    return (hist,)
)fx";
};
struct joined {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]"):
    cat: "f32[2*s0, 3]" = torch.ops.aten.cat.default([x, x])
    return (cat,)
)fx";
};
struct inner_rows {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[2, s0, 3]"):
    softmax: "f32[2, s0, 3]" = torch.ops.aten._softmax.default(x, -1, False)
    return (softmax,)
)fx";
};
struct taken {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]", i: "i64[2]"):
    taken: "f32[2, 3]" = torch.ops.aten.index_select.default(x, 0, i)
    return (taken,)
)fx";
};
struct of_rows {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]"):
    best: "i64[3]" = torch.ops.aten.argmax.default(x, 0)
    return (best,)
)fx";
};
// Numbers that no tensor shows.
struct filled {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
    full: "i64[3]" = torch.ops.aten.full.default([3], sym_size_int)
    div: "f32[s0, 3]" = torch.ops.aten.div.Tensor(x, full)
    return (div,)
)fx";
};
struct returned {
    static constexpr char text[] = R"fx(def forward(self, s0: "Sym(s0)", x: "f32[s0, 3]"):
    relu: "f32[s0, 3]" = torch.ops.aten.relu.default(x)
    return (relu, s0)
)fx";
};
struct with_weight {
    static constexpr char text[] = R"fx(def forward(self, p: "f32[s0, 3]", x: "f32[s0, 3]"):
    mul: "f32[s0, 3]" = torch.ops.aten.mul.Tensor(x, p)
    return (mul,)
)fx";
    static constexpr fx_input inputs[] = {{"p", "scale"}};
};

} // namespace

int main() {
    using enum fault;
    is_refused<merged>(call_is_not_bounded, "relu", "a view that leaves the bounded dim by itself");
    is_refused<terms>(call_is_not_bounded, "mm", "a product whose rows follow");
    is_refused<width>(call_is_not_bounded, "conv", "images that follow");
    is_refused<less>(call_is_not_bounded, "relu", "sizes in proportion");
    is_refused<last_of_constant>(fault::call_is_not_bounded, "mul", "the same elements at each size");
    is_refused<packed_row>(fault::call_is_not_bounded, "mm", "the same elements at each size");
    is_refused<by_number>(call_is_not_bounded, "mul", "numbers that do not depend on the size");
    is_refused<all_rows>(call_is_not_bounded, "norm", "");
    is_refused<outer_product>(call_is_not_bounded, "mm", "or one by itself");
    is_refused<on_ai_cpu>(call_is_not_bounded, "hist", "a call that knows bounded dims");
    is_refused<joined>(call_is_not_bounded, "cat", "a bounded dim that is not the one joined");
    is_refused<inner_rows>(call_is_not_bounded, "softmax", "a bounded dim outside");
    is_refused<taken>(call_is_not_bounded, "taken", "");
    is_refused<of_rows>(call_is_not_bounded, "best", "");
    is_refused<filled>(call_is_not_bounded, "full", "numbers that do not depend on the size");
    is_refused<returned>(call_is_not_bounded, "s0", "numbers that do not depend on the size");
    is_refused<with_weight>(size_changes_the_graph, "p", "a constant of one type");
    return report();
}
