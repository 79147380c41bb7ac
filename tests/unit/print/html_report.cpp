// Reports: well-formed pages that load nothing, whose numbers are the plan's; names of any text. What a browser makes of them is looked at in tests/browser.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/report/html_report.hpp>

#include <map>
#include <set>

using namespace ahead;
using namespace test;

namespace {

struct element {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::int64_t number(const std::string& key) const { return std::stoll(attributes.at(key)); }
};

/// Every element of a page, in its order. Fails where tags do not nest, an attribute has no quotes or stands twice, or < and & stand for themselves.
class page {
public:
    explicit page(std::string_view text) {
        std::vector<std::string> open;
        while (!text.empty()) {
            if (text[0] != '<') {
                const auto until = std::min(text.find('<'), text.size());
                check_text(text.substr(0, until));
                text.remove_prefix(until);
                continue;
            }
            const auto tag = text.substr(1, end_of_tag(text) - 1);
            text.remove_prefix(tag.size() + 2);
            if (tag.starts_with("!")) continue;
            if (tag.starts_with("/")) {
                check(!open.empty() && open.back() == tag.substr(1), tag);
                if (!open.empty()) open.pop_back();
                continue;
            }
            auto one = read(tag);
            const std::set<std::string> empty{"meta", "link", "br"};
            if (!tag.ends_with('/') && !empty.contains(one.name)) open.push_back(one.name);
            if (one.name == "script" || one.name == "style") text.remove_prefix(text.find("</" + one.name));
            all.push_back(std::move(one));
        }
        check(open.empty());
    }
    std::vector<element> all;

    /// Elements of the class, or of the name.
    std::vector<element> of(std::string_view what) const {
        std::vector<element> out;
        for (const auto& e : all) {
            const auto found = e.attributes.find("class");
            const auto classes = found == e.attributes.end() ? std::string() : " " + found->second + " ";
            if (e.name == what || classes.find(" " + std::string(what) + " ") != classes.npos) out.push_back(e);
        }
        return out;
    }
    const element& with(const std::string& attribute, const std::string& value) const {
        for (const auto& e : all)
            if (const auto found = e.attributes.find(attribute); found != e.attributes.end() && found->second == value) return e;
        throw std::runtime_error("no element with " + attribute + "=" + value);
    }
    std::size_t count_with(const std::string& attribute) const {
        std::size_t count = 0;
        for (const auto& e : all) count += e.attributes.contains(attribute);
        return count;
    }

private:
    static std::size_t end_of_tag(std::string_view text) {
        bool quoted = false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '"') quoted = !quoted;
            if (text[i] == '>' && !quoted) return i;
        }
        throw std::runtime_error("a tag without an end: " + std::string(text.substr(0, 40)));
    }
    static void check_text(std::string_view text) {
        check(text.find('>') == text.npos, text);
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == '&') check(text.substr(i, 9).find(';') != text.npos, text);
        for (char c : text) check(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
    }
    static element read(std::string_view tag) {
        element out;
        auto name_end = tag.find_first_of(" /");
        out.name = tag.substr(0, name_end);
        tag.remove_prefix(std::min(name_end, tag.size()));
        while (true) {
            tag.remove_prefix(std::min(tag.find_first_not_of(" "), tag.size()));
            if (tag.empty() || tag == "/") return out;
            if (tag.starts_with("! ")) return out;
            const auto is = tag.find("=\"");
            if (!check(is != tag.npos && tag.find('<') == tag.npos, tag)) return out;
            const auto end = tag.find('"', is + 2);
            const auto value = tag.substr(is + 2, end - is - 2);
            check_text(value);
            check(out.attributes.emplace(tag.substr(0, is), value).second, tag);
            tag.remove_prefix(end + 1);
        }
    }
};

template <class Program>
std::string report_of(std::string_view title = "a program", std::int32_t rank_id = 0) {
    std::string out;
    print_report<Program>(out, title, rank_id);
    return out;
}
std::int32_t drawn(graph_view g) {
    std::int32_t count = 0;
    for (node_id id : g) count += is_drawn(g[id]);
    return count;
}

/// Pictures and tables have what the plan has.
template <class Program>
page check_numbers() {
    const auto text = report_of<Program>();
    check(text.find("http:") == text.npos && text.find("https:") == text.npos && text.find("src=") == text.npos &&
          text.find("@import") == text.npos && text.find("url(") == text.find("url(#"));
    const page p(text);
    const auto plan = Program::plan_view();
    const auto g = Program::lowered_graph();
    const auto& sum = plan.summary;

    const auto& timeline = p.with("id", "timeline");
    check_equal(timeline.number("data-lanes"), sum.streams);
    check_equal(timeline.number("data-makespan-ps"), Program::plan.makespan.count);
    check_equal(p.of("lane").size(), static_cast<std::size_t>(sum.streams));
    const auto tasks = p.of("task");
    check_equal(tasks.size(), Program::plan.timeline.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const auto& row = Program::plan.timeline[i];
        check(tasks[i].number("data-task") == row.task && tasks[i].number("data-stream") == row.stream &&
              tasks[i].number("data-start-ps") == row.start.count && tasks[i].number("data-end-ps") == row.end.count);
        const auto& classes = tasks[i].attributes.at("class");
        check_equal(classes.find("slow") != classes.npos,
                    g[plan.tasks[static_cast<std::size_t>(row.task)].node].target.starts_with("aten."));
    }
    std::size_t waits = 0;
    for (const auto& s : plan.syncs) waits += s.kind == sync_kind::wait;
    check_equal(p.of("event").size(), waits);

    const auto& memory = p.with("id", "memory");
    check_equal(memory.number("data-peak-bytes"), sum.peak_bytes);
    const auto blocks = p.of("block");
    check_equal(memory.number("data-blocks"), static_cast<std::int64_t>(blocks.size()));
    // No two blocks overlap where one task needs both; together they take the arena, and of one stream at most what the planner counted as alive.
    std::int64_t top = 0;
    for (const auto& a : blocks) {
        const auto begin = a.number("data-offset"), end = begin + a.number("data-bytes");
        top = std::max(top, end);
        check(text.find("\n[" + std::to_string(begin) + ", " + std::to_string(end) + "): ") != text.npos); // what shows under the mouse
    }
    check_equal(top, sum.peak_bytes);
    std::int64_t most = 0;
    for (auto t = sum.prepare_tasks; t < sum.prepare_tasks + sum.run_tasks; ++t) {
        std::int64_t live = 0;
        for (const auto& a : blocks)
            if (a.number("data-first-task") <= t && t <= a.number("data-last-task")) live += a.number("data-bytes");
        most = std::max(most, live);
    }
    check_equal(most, sum.largest_live_bytes);

    for (const auto& [name, view] :
         {std::pair<std::string, graph_view>{"captured", Program::captured()}, {"optimized", Program::optimized_graph()}, {"device", g}})
        check_equal(p.with("data-graph", name).number("data-nodes"), view.header().live_nodes);
    check_equal(p.of("node").size(), static_cast<std::size_t>(drawn(Program::captured()) + drawn(Program::optimized_graph()) + drawn(g)));

    const auto field = [&](const char* name, std::int64_t value) { check_equal(p.with("data-field", name).number("data-value"), value); };
    field("run_tasks", sum.run_tasks);
    field("ai_cpu_tasks", sum.ai_cpu_tasks);
    field("prepare_tasks", sum.prepare_tasks);
    field("inputs", sum.inputs);
    field("parameters", sum.parameters);
    field("copies", sum.copies);
    field("inputs_written", sum.inputs_written);
    field("inputs_written_in_place", sum.inputs_written_in_place);
    field("states", sum.states);
    field("states_written_in_place", sum.states_written_in_place);
    field("cats_removed", sum.cats_removed);
    field("parts_in_place", sum.parts_in_place);
    field("streams", sum.streams);
    field("events", sum.events);
    field("syncs", sum.syncs);
    field("cores", sum.cores);
    field("peak_bytes", sum.peak_bytes);
    field("largest_live_bytes", sum.largest_live_bytes);
    field("workspace_bytes", sum.workspace_bytes);
    field("state_bytes", sum.state_bytes);
    field("constant_bytes", sum.constant_bytes);
    field("scratch_bytes", sum.scratch_bytes);
    check_equal(p.count_with("data-field"), std::size_t{22});
    check_equal(p.count_with("data-task"),
                static_cast<std::size_t>(sum.prepare_tasks + 2 * sum.run_tasks)); // the timeline's and the table's
    return p;
}

template <int Streams> inline constexpr config spread_tools_options{.streams = Streams};
template <int Streams> using spread_tools = toolchain<>::with_options<spread_tools_options<Streams>>;
inline constexpr auto chain = trace([](input<"x", f32<8, 8>> x, param<"w", f32<8, 8>> w) {
    return outputs(softmax<1>(mm(abs(mm(x, w)), x)), mm(x, x), cat(exp(x), mm(w, x)));
});
inline constexpr auto forked = trace(
    [](input<"x", f32<64, 64>> x, input<"y", f32<64, 64>> y) { return outputs(add(mm(mm(mm(x, x), x), x), mm(mm(mm(y, y), y), y))); });
struct streamed_text {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[32, 32]):
    # File: a "quoted" \ path<&>'.py:3 in forward, code: torch.mm(x, x)
    a = torch.ops.aten.mm.default(x, x)
    enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['side "<&>'])
    b = torch.ops.aten.mm.default(a, x)
    b_1 = torch.ops.aten.clone.default(b)
    c = torch.ops.aten.exp.default(b_1)
    exit_1 = torch.ops.air.scope_exit.default()
    d = torch.ops.aten.mm.default(x, a)
    e = torch.ops.aten.add_.Tensor(c, d)
    return (e,)
)fx";
};
struct sorting {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[4, 8]):
    exp = torch.ops.aten.exp.default(x)
    frexp = torch.ops.aten.frexp.Tensor(exp)
    getitem = frexp[0]
    getitem_1 = frexp[1]
    return (getitem, getitem_1)
)fx";
};
struct nested {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[4]):
    exp = torch.ops.aten.exp.default(x)
    neg = torch.ops.aten.neg.default(x)
    abs_1 = torch.ops.aten.abs.default(x)
    return (exp, [(neg, abs_1)])
)fx";
};
inline constexpr auto nothing = trace([](input<"x", f32<2>> x) { return outputs(x); });

/// A row for each pass, as the log of the passes says it.
void passes() {
    const page p = check_numbers<compiled<fx<streamed_text>>>();
    std::vector<std::string> names;
    for (const auto& e : p.all)
        if (const auto found = e.attributes.find("data-pass"); found != e.attributes.end()) names.push_back(found->second);
    std::vector<std::string> steps{"functionalise"};
    compile::for_each_pass_step<compiled<fx<streamed_text>>>([&](const compile::pass_step& step) { steps.emplace_back(step.name); });
    check(names == steps && steps.size() > 2 && steps[1] == "remove_noop_ops" && steps.back() == "eliminate_dead_code");
    const auto text = report_of<compiled<fx<streamed_text>>>();
    check(text.find(", planned with effort constant, rank 0</p>") != text.npos);
    check(text.find("<tr data-pass=\"functionalise\"><td><code>functionalise</code></td><td class=\"n\">10</td><td class=\"n\">10</td><td "
                    "class=\"n\">no writes</td></tr>") != text.npos);
    check(text.find("<tr data-pass=\"remove_noop_ops\"><td><code>remove_noop_ops</code></td><td class=\"n\">10</td><td "
                    "class=\"n\">9</td><td class=\"n\">2</td></tr>") != text.npos);
}
/// Each pass begins with what the one before it left; the first one with the captured graph, the last one leaves the optimized graph.
struct wasteful_text {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3]):
    clone = torch.ops.aten.clone.default(x)
    exp = torch.ops.aten.exp.default(clone)
    exp_1 = torch.ops.aten.exp.default(x)
    relu = torch.ops.aten.relu.default(exp)
    add = torch.ops.aten.add.Tensor(exp, exp_1)
    return (add,)
)fx";
};
void pass_steps() {
    using program = compiled<fx<wasteful_text>>;
    auto nodes = program::captured().header().live_nodes;
    std::vector<compile::pass_step> changing;
    compile::for_each_pass_step<program>([&](const compile::pass_step& step) {
        check_equal(step.before, nodes);
        check_equal(step.before != step.after, step.changes > 0);
        nodes = step.after;
        if (step.changes > 0) changing.push_back(step);
    });
    check_equal(nodes, program::optimized_graph().header().live_nodes);
    check_equal(changing.size(), std::size_t{3});
    check(changing.size() == 3 && changing[0].name == "remove_noop_ops" && changing[1].name == "eliminate_duplicates" &&
          changing[2].name == "eliminate_dead_code");
}
void any_names() {
    const auto text = report_of<compiled<fx<streamed_text>>>("a \"title\" <b>&\x01\xff");
    static_cast<void>(page(text));
    check(text.find("<h1>a &quot;title&quot; &lt;b&gt;&amp;\xef\xbf\xbd\xef\xbf\xbd</h1>") != text.npos);
    check(text.find("side &quot;&lt;&amp;&gt;") != text.npos && text.find("side \"<&>") == text.npos);
    check(text.find("File: a &quot;quoted&quot; \\ path&lt;&amp;&gt;&#39;.py:3") != text.npos);
}

/// Boxes of a layer do not touch; an arrow goes down, one layer at a time.
template <class Program>
void layout_of(graph_view g) {
    const graph_layout layout(g, [](node_id id) { return 60.0 + id.index % 5 * 20; });
    check_equal(static_cast<std::int32_t>(
                    std::count_if(layout.items().begin(), layout.items().end(), [](const auto& i) { return i.node.exists(); })),
                drawn(g));
    for (const auto& a : layout.items()) {
        check(a.x - a.width / 2 > -1e-6 && a.x + a.width / 2 < layout.width() + 1e-6);
        for (const auto& b : layout.items())
            if (&a < &b && a.layer == b.layer) check(std::abs(a.x - b.x) > (a.width + b.width) / 2 + 1);
        check(!a.node.exists() || g[a.node].use_count == 0 || !a.below.empty()); // whoever is read has an arrow
        for (int below : a.below) check_equal(layout.items()[static_cast<std::size_t>(below)].layer, a.layer + 1);
    }
    for (node_id id : g)
        for_each_operand(g, g[id].arguments, [&](const argument& a) {
            const auto from = layout.item_of(a.node()), to = layout.item_of(id);
            if (from < 0 || to < 0) return;
            // Down from the operand, point by point, to its reader.
            std::vector<int> reached{from};
            for (std::size_t k = 0; k < reached.size(); ++k)
                for (int below : layout.items()[static_cast<std::size_t>(reached[k])].below)
                    if (below == to || !layout.items()[static_cast<std::size_t>(below)].node.exists()) reached.push_back(below);
            check(std::find(reached.begin(), reached.end(), to) != reached.end());
        });
}
template <class Program>
void layouts() {
    layout_of<Program>(Program::captured());
    layout_of<Program>(Program::optimized_graph());
    layout_of<Program>(Program::lowered_graph());
}

} // namespace

int main() {
    check_numbers<compiled<chain>>();
    check_numbers<compiled<chain, spread_tools<3>>>();
    check_numbers<compiled<forked>>();
    check_numbers<compiled<forked, spread_tools<2>>>();
    static_assert(compiled<forked, spread_tools<2>>::plan.streams == 2);
    check_numbers<compiled<nothing>>();
    check(report_of<compiled<fx<sorting>>>().find(", rank 0</p>") != std::string::npos);
    check(report_of<compiled<fx<sorting>>>("a program", 7).find(", rank 7</p>") != std::string::npos);
    check(report_of<compiled<fx<sorting>>>().find(" slow") != std::string::npos);
    check_numbers<compiled<fx<sorting>>>();
    passes();
    pass_steps();
    any_names();
    layouts<compiled<chain>>();
    layouts<compiled<forked>>();
    layouts<compiled<fx<streamed_text>>>();
    layouts<compiled<fx<nested>>>();
    return report();
}
