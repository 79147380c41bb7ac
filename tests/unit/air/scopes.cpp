// Calls that place others on streams: every form of text, the scan, every refusal, handles. Passes and lowering are in unit/pass/scoped_passes.cpp.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/air/check_streams.hpp>
#include <ahead/frontend/pbtxt/read_pbtxt.hpp>
#include <ahead/ir/equal.hpp>
#include <ahead/print/pbtxt/print_pbtxt.hpp>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;
using reading = typed_reading<capacity{40, 160, 40}>;

// ---- text: every form prints as it was read, and they are the same graph

constexpr std::string_view readable = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[3, 3]"):
        scope_enter = torch.ops.air.scope_enter.default(['_user_stream_label', '_user_stream_priority'], ['stream_1', '0']);  scope_enter = None
        mm: "f32[3, 3]" = torch.ops.aten.mm.default(x, x)
        record: "f32[0]" = torch.ops.air.record.default()
        tagged_event_record = torch.ops.air.tagged_event_record.default('66');  tagged_event_record = None
        record_tagged_stream = torch.ops.air.record_tagged_stream.default(mm, 'default');  record_tagged_stream = None
        scope_exit = torch.ops.air.scope_exit.default();  scope_exit = None
        scope_enter_1 = torch.ops.air.scope_enter.default(['_op_aicore_num'], ['12'], True);  scope_enter_1 = None
        tagged_event_wait = torch.ops.air.tagged_event_wait.default('66', True);  tagged_event_wait = None
        wait = torch.ops.air.wait.default([record, mm]);  record = wait = None
        scope_exit_1 = torch.ops.air.scope_exit.default(True);  scope_exit_1 = None
        wait_tensor: "f32[3, 3]" = torch.ops.air.wait_tensor.default(x, mm);  x = mm = None
        return (wait_tensor,)
)fx";
constexpr std::string_view listed = R"fx(graph():
    %x : [num_users=2] = placeholder[target=x]
    %scope_enter : [num_users=0] = call_function[target=torch.ops.air.scope_enter.default](args = ([_user_stream_label, _user_stream_priority], [stream_1, 0]), kwargs = {})
    %mm : [num_users=3] = call_function[target=torch.ops.aten.mm.default](args = (%x, %x), kwargs = {})
    %record : [num_users=1] = call_function[target=torch.ops.air.record.default](args = (), kwargs = {})
    %tagged_event_record : [num_users=0] = call_function[target=torch.ops.air.tagged_event_record.default](args = (66,), kwargs = {})
    %record_tagged_stream : [num_users=0] = call_function[target=torch.ops.air.record_tagged_stream.default](args = (%mm, default), kwargs = {})
    %scope_exit : [num_users=0] = call_function[target=torch.ops.air.scope_exit.default](args = (), kwargs = {})
    %scope_enter_1 : [num_users=0] = call_function[target=torch.ops.air.scope_enter.default](args = ([_op_aicore_num], [12], True), kwargs = {})
    %tagged_event_wait : [num_users=0] = call_function[target=torch.ops.air.tagged_event_wait.default](args = (66, True), kwargs = {})
    %wait : [num_users=0] = call_function[target=torch.ops.air.wait.default](args = ([%record, %mm],), kwargs = {})
    %scope_exit_1 : [num_users=0] = call_function[target=torch.ops.air.scope_exit.default](args = (True,), kwargs = {})
    %wait_tensor : [num_users=1] = call_function[target=torch.ops.air.wait_tensor.default](args = (%x, %mm), kwargs = {})
    return (wait_tensor,)
)fx";
constexpr std::string_view exported = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, x: "f32[2]"):
            scope_enter = torch.ops.air.scope_enter.default(keys = ['_user_stream_label'], values = ['s']);  scope_enter = None
            neg: "f32[2]" = torch.ops.aten.neg.default(x);  x = None
            scope_exit = torch.ops.air.scope_exit.default();  scope_exit = None
            return (neg,)

Graph signature:
    # inputs
    x: USER_INPUT

    # outputs
    neg: USER_OUTPUT

Range constraints: {}
)fx";
constexpr bool prints_back(std::string_view text) {
    reading r(text);
    text_buffer<8192> out;
    print_fx(r.storage.view(), r.style, out);
    return out.view() == text;
}
constexpr bool prints_as_listing() {
    reading r(readable);
    text_buffer<8192> out;
    print_fx(r.storage.view(), listing_style(), out);
    return r.error.ok() && out.view() == listed;
}

// One after the other in pools of one size: each begins with new entries (graph_storage).
static_assert(prints_back(readable) && prints_back(listed) && prints_back(exported) && prints_as_listing());
void text_of_all_forms() {
    check(prints_back(readable));
    check(prints_back(listed));
    check(prints_back(exported));
    check(prints_as_listing());
    reading r(readable);
    reading other(listed);
    other.error = {};
    for (node_id id : other.storage.edit())
        if (other.storage.edit()[id].kind == node_kind::placeholder) other.storage.edit()[id].annotation = "f32[3, 3]";
    check(infer_types(other.storage.edit(), op_rows, other.error));
    check(structurally_equal(r.storage.view(), other.storage.view(), op_rows));
    std::string text;
    print_pbtxt(r.storage.view(), op_rows, text);
    const pbtxt_graph again(text, op_rows);
    check(again.error.ok() && again.view().header().has_streams);
    check(structurally_equal(r.storage.view(), again.view(), op_rows));
}

// ---- the scan

// "x:0.0 neg:1.2 ": names, streams and segments.
constexpr text_buffer<512> places(std::string_view text) {
    reading r(text);
    const auto g = r.storage.view();
    const air::stream_map map(g);
    text_buffer<512> out;
    for (node_id id : g) {
        if (g[id].kind != node_kind::call || g[id].target.starts_with("air.scope")) continue;
        const auto at = map.of(id);
        out.append((print(g[id].name) << ":" << at.stream << "." << at.segment << " ").view());
    }
    for (std::int32_t s = 0; s < map.streams(); ++s) {
        out.append(s > 0 ? " " : "");
        out.append(map.label(s));
    }
    if (!r.error.ok()) out.append(name_of(r.error.what));
    return out;
}
// The innermost label wins; a scope without label inherits; coming back is the same segment; 'default' is the main stream.
constexpr std::string_view nested = R"fx(def forward(self, x : f32[2]):
    a = torch.ops.aten.neg.default(x)
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['outer'])
    b = torch.ops.aten.neg.default(x)
    e_1 = torch.ops.air.scope_enter.default(['_op_aicore_num', '_op_vectorcore_num'], ['12', '24'])
    c = torch.ops.aten.neg.default(x)
    e_2 = torch.ops.air.scope_enter.default(['_super_kernel_scope', '_user_stream_label'], ['k', 'inner'])
    d = torch.ops.aten.neg.default(x)
    r = torch.ops.air.record.default()
    e_3 = torch.ops.air.scope_enter.default(['_super_kernel_scope'], ['inner'])
    f = torch.ops.aten.neg.default(x)
    u_3 = torch.ops.air.scope_exit.default()
    u_2 = torch.ops.air.scope_exit.default()
    g = torch.ops.aten.neg.default(x)
    w = torch.ops.air.wait.default([r])
    h = torch.ops.aten.neg.default(x)
    e_4 = torch.ops.air.scope_enter.default(['_user_stream_label'], ['default'])
    i = torch.ops.aten.neg.default(x)
    u_4 = torch.ops.air.scope_exit.default()
    u_1 = torch.ops.air.scope_exit.default()
    u = torch.ops.air.scope_exit.default()
    j = torch.ops.aten.neg.default(x)
    e_5 = torch.ops.air.scope_enter.default(['_user_stream_label'], ['inner'])
    k = torch.ops.aten.neg.default(x)
    t = torch.ops.air.tagged_event_record.default('1')
    t_1 = torch.ops.air.tagged_event_wait.default('1')
    l = torch.ops.aten.neg.default(x)
    u_5 = torch.ops.air.scope_exit.default()
    return (a, b, c, d, f, g, h, i, j, k, l)
)fx";
constexpr std::string_view nested_places = "a:0.0 b:1.0 c:1.0 d:2.0 r:2.1 f:2.1 g:1.0 w:1.1 h:1.1 i:0.0 j:0.0 k:2.1 t:2.2 t_1:2.3 l:2.3 default outer inner";
static_assert(places(nested).view() == nested_places);
static_assert(!air::stream_map(reading("def forward(self, x : f32[2]):\n    return (x,)\n").storage.view()).any());
void scan() {
    check_equal(places(nested).view(), nested_places);
    check_equal(places("def forward(self, x : f32[2]):\n    a = torch.ops.aten.neg.default(x)\n    return (a,)\n").view(), "a:0.0 default");
}

// ---- refusals

// fault: scope_is_not_entered
// fault: scope_is_not_left
// fault: tagged_event_is_in_use
// fault: tagged_event_is_not_in_use
// fault: wait_is_on_nothing
// fault: record_has_no_elements
// fault: scope_keys_and_values_differ
struct refused_text {
    std::string_view lines;
    fault what;
    int line;
    std::string_view op, expected, found;
};
constexpr refused_text refusals[] = {
    {"    u = torch.ops.air.scope_exit.default()\n", fault::scope_is_not_entered, 2, "air.scope_exit.default", "a scope_enter above it", "none that is open"},
    {"    e = torch.ops.air.scope_enter.default(['_super_kernel_scope'], ['v'])\n    e_1 = torch.ops.air.scope_enter.default(['_super_kernel_scope'], ['v'])\n    u = torch.ops.air.scope_exit.default()\n",
     fault::scope_is_not_left, 2, "air.scope_enter.default", "a scope_exit behind it", "none"},
    {"    t = torch.ops.air.tagged_event_record.default('7')\n    t_1 = torch.ops.air.tagged_event_record.default('7')\n", fault::tagged_event_is_in_use, 3,
     "air.tagged_event_record.default", "a wait for tag 7 before it is recorded again", "recorded by t"},
    {"    t = torch.ops.air.tagged_event_record.default('7')\n    t_1 = torch.ops.air.tagged_event_wait.default('8')\n", fault::tagged_event_is_not_in_use, 3,
     "air.tagged_event_wait.default", "a record of tag 8 above it", "none"},
    {"    t = torch.ops.air.tagged_event_record.default('7')\n    t_1 = torch.ops.air.tagged_event_wait.default('7')\n    t_2 = torch.ops.air.tagged_event_record.default('7')\n"
     "    t_3 = torch.ops.air.tagged_event_record.default('7')\n",
     fault::tagged_event_is_in_use, 5, "air.tagged_event_record.default", "a wait for tag 7 before it is recorded again", "recorded by t_2"},
    {"    w = torch.ops.air.wait.default([])\n", fault::wait_is_on_nothing, 2, "air.wait.default", "at least one record or tensor", "an empty list"},
    {"    w = torch.ops.air.wait.default([x, None])\n", fault::wait_is_on_nothing, 2, "air.wait.default", "records and tensors", "None"},
    {"    w = torch.ops.air.wait.default([1])\n", fault::argument_has_wrong_kind, 2, "air.wait.default", "x: Tensor[]", "list with int"},
    {"    w = torch.ops.air.wait.default([r])\n    r = torch.ops.air.record.default()\n", fault::name_is_undefined, 2, "air.wait.default", "", ""},
    {"    r = torch.ops.air.record.default()\n    y = torch.ops.aten.neg.default(r)\n", fault::record_has_no_elements, 3, "aten.neg.default", "a record to be waited for", "r"},
    {"    e = torch.ops.air.scope_enter.default(['_super_kernel_scope', '_user_stream_label'], ['v'])\n", fault::scope_keys_and_values_differ, 2, "air.scope_enter.default", "2 values, one per key", "1"},
    {"    e = torch.ops.air.scope_enter.default(['_user_stream_label', '_user_stream_priority'], ['side', '-1'])\n", fault::option_is_out_of_range, 2, "air.scope_enter.default",
     "a priority of 0: the plan orders the streams of a program", "-1"},
    {"    e = torch.ops.air.scope_enter.default(['_op_aicore_num', '_user_stream_lable'], ['1', 'side'])\n", fault::argument_has_wrong_kind, 2, "air.scope_enter.default",
     "keys of TorchAir's scopes, such as _user_stream_label", "_user_stream_lable"},
    {"    e = torch.ops.air.scope_enter.default(['_super_kernel_scope'], [1])\n", fault::argument_has_wrong_kind, 2, "air.scope_enter.default", "values: str[]", "list with int"},
};
template <class Reading> constexpr diagnosis check_text(Reading& r) {
    if (r.error.ok()) air::check_streams(r.storage.view(), r.error);
    return r.error;
}
void faults() {
    for (const auto& wanted : refusals) {
        const std::string text = "def forward(self, x : f32[3]):\n" + std::string(wanted.lines) + "    return (x,)\n";
        reading r(text);
        const auto d = check_text(r);
        refusal whole{.what = wanted.what, .line = wanted.line, .op = wanted.op};
        if (!wanted.expected.empty()) whole.expected = wanted.expected, whole.found = wanted.found;
        check_fault(d, whole);
    }
}
// fault: mode_has_no_wait_tensor
constexpr diagnosis wait_tensor_in(mode m) {
    reading r("def forward(self, x : f32[3]):\n    y = torch.ops.aten.neg.default(x)\n    z = torch.ops.air.wait_tensor.default(x, y)\n    return (z,)\n");
    if (r.error.ok()) pass::record_waits(r.storage.edit(), op_rows, {.mode = m}, r.error);
    return r.error;
}
static_assert(wait_tensor_in(mode::max_autotune).ok() && wait_tensor_in(mode::reduce_overhead).what == fault::mode_has_no_wait_tensor);
void modes() {
    const auto d = wait_tensor_in(mode::reduce_overhead);
    check_fault(d, {.what = fault::mode_has_no_wait_tensor, .line = 3, .op = "air.wait_tensor.default"});
}
// An event is used again once somebody waited; several may wait for it.
constexpr bool events_may_be_used_again() {
    reading r("def forward(self, x : f32[3]):\n    t = torch.ops.air.tagged_event_record.default('7')\n    t_1 = torch.ops.air.tagged_event_wait.default('7')\n"
              "    t_2 = torch.ops.air.tagged_event_wait.default('7')\n    t_3 = torch.ops.air.tagged_event_record.default('7')\n"
              "    t_4 = torch.ops.air.tagged_event_record.default('8')\n    return (x,)\n");
    return check_text(r).ok();
}
static_assert(events_may_be_used_again());
// fault: wait_comes_before_its_record
constexpr fault moved_record() {
    reading r("def forward(self, x : f32[3]):\n    r = torch.ops.air.record.default()\n    w = torch.ops.air.wait.default([r])\n    return (x,)\n");
    const auto g = r.storage.edit();
    const auto record = g[g.first()].next;
    move_node(g, record, g.last());
    air::check_streams(g, r.error);
    return r.error.what;
}
static_assert(moved_record() == fault::wait_comes_before_its_record);

// ---- handles: the same graph as text

inline constexpr auto handles = trace([](input<"x", f32<3, 3>> x) {
    scope_enter<"stream_1">(x);
    auto m = mm(x, x);
    auto a = abs(m);
    auto r = record(a);
    scope_exit(a);
    auto y = add(a, 1);
    wait(r);
    return outputs(y, sub(x, m));
});
struct same_text {
    static constexpr std::string_view text = R"fx(def forward(self, x: "f32[3, 3]"):
    scope_enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['stream_1'])
    mm = torch.ops.aten.mm.default(x, x)
    abs_1 = torch.ops.aten.abs.default(mm)
    record = torch.ops.air.record.default()
    scope_exit = torch.ops.air.scope_exit.default()
    add = torch.ops.aten.add.Tensor(abs_1, 1)
    wait = torch.ops.air.wait.default([record])
    sub = torch.ops.aten.sub.Tensor(x, mm)
    return (add, sub)
)fx";
};
static_assert(structurally_equal(handles.view(), fx<same_text>.storage.view(), op_rows));
static_assert(handles.view().header().has_streams);

inline constexpr auto all_words = trace([](input<"x", f32<3>> x) {
    auto y = neg(x);
    {
        npu_stream_switch<"1"> side(x);
        npu_tagged_event_record<"66">(x);
        y = abs(x);
    }
    scope_enter(x, words<"_op_aicore_num", "_op_vectorcore_num">{}, words<"12", "24">{});
    npu_tagged_event_wait<"66">(y);
    npu_record_tagged_stream<"1">(y);
    auto z = npu_wait_tensor(x, y);
    scope_exit(x);
    wait(x, y);
    wait(x, y, z);
    return outputs(z);
});
constexpr auto print_all_words() {
    text_buffer<4096> out;
    print_fx(all_words.view(), listing_style(), out);
    return out;
}
constexpr std::string_view all_words_text = R"fx(graph():
    %x : [num_users=5] = placeholder[target=x]
    %neg : [num_users=0] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    %scope_enter : [num_users=0] = call_function[target=torch.ops.air.scope_enter.default](args = ([_user_stream_label, _user_stream_priority], [1, 0]), kwargs = {})
    %tagged_event_record : [num_users=0] = call_function[target=torch.ops.air.tagged_event_record.default](args = (66,), kwargs = {})
    %abs : [num_users=4] = call_function[target=torch.ops.aten.abs.default](args = (%x,), kwargs = {})
    %scope_exit : [num_users=0] = call_function[target=torch.ops.air.scope_exit.default](args = (), kwargs = {})
    %scope_enter_1 : [num_users=0] = call_function[target=torch.ops.air.scope_enter.default](args = ([_op_aicore_num, _op_vectorcore_num], [12, 24]), kwargs = {})
    %tagged_event_wait : [num_users=0] = call_function[target=torch.ops.air.tagged_event_wait.default](args = (66,), kwargs = {})
    %record_tagged_stream : [num_users=0] = call_function[target=torch.ops.air.record_tagged_stream.default](args = (%abs, 1), kwargs = {})
    %wait_tensor : [num_users=2] = call_function[target=torch.ops.air.wait_tensor.default](args = (%x, %abs), kwargs = {})
    %scope_exit_1 : [num_users=0] = call_function[target=torch.ops.air.scope_exit.default](args = (), kwargs = {})
    %wait : [num_users=0] = call_function[target=torch.ops.air.wait.default](args = ([%x, %abs],), kwargs = {})
    %wait_1 : [num_users=0] = call_function[target=torch.ops.air.wait.default](args = ([%x, %abs, %wait_tensor],), kwargs = {})
    return (wait_tensor,)
)fx";
void from_handles() {
    check_equal(print_all_words().view(), all_words_text);
    check(structurally_equal(handles.view(), fx<same_text>.storage.view(), op_rows));
}

} // namespace

int main() {
    text_of_all_forms();
    scan();
    faults();
    check(moved_record() == fault::wait_comes_before_its_record);
    check(events_may_be_used_again());
    modes();
    from_handles();
    return report();
}
