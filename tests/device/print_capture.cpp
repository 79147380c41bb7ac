// A captured graph as JSON: well-formed, and what it says is what was captured.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "json.hpp"
#include "raw_launch.hpp"

#include <ahead/print/print_capture.hpp>

using namespace ahead;
using namespace test;

namespace {

cell launch(const npu::stream& on, std::string_view name, std::initializer_list<cell> read, std::initializer_list<cell> written = {}) {
    return raw_launch{written.size() != 0 ? test::add_in_place : read.size() == 2 ? test::sum : test::plus_one, read, written, nullptr, 8, name}.on(on);
}

void steps_and_tensors() {
    npu::context npu({.rank_id = 5});
    const auto s = npu.new_stream(), t = npu.new_stream();
    const auto x = npu.to_device<i64<>>(std::array{std::int64_t{1}}), state = npu.to_device<i64<>>(std::array{std::int64_t{2}});
    npu::graph g(npu);
    std::string text;
    check_throws<error>([&] { print_capture(g, text); }, "graph is not captured");
    check(text.empty());
    npu::event fork, join;
    cell y;
    {
        npu::capture c(g, s);
        const auto a = launch(s, "a \"name\"\\ of\nany kind", {x});
        c.record(fork);
        t.wait(fork);
        y = launch(t, "on t", {a});
        static_cast<void>(launch(s, "in place", {x}, {state}));
        join.record(t);
        c.wait(join);
        static_cast<void>(launch(s, "last", {y, x}));
        c.end();
    }
    print_capture(g, text);
    auto all = json_reader::read(text);
    check(all["pool"].items[0].text == std::to_string(g.pool().by_capture) && all["pool"].items[1].text == "0");
    const auto& steps = all["steps"].items;
    check_equal(steps.size(), std::size_t{4});
    check(steps[0]["name"].text == "a \"name\"\\ of\nany kind" && steps[3]["name"].text == "last");
    check(steps[0]["stream"].number == 1 && steps[1]["stream"].number == 2 && steps[2]["stream"].number == 1);
    for (std::size_t i = 0; i < 4; ++i) check(steps[i]["end_us"].number - steps[i]["start_us"].number == 1, steps[i]["end_us"].text);
    check(steps[1]["start_us"].number >= steps[0]["end_us"].number && steps[2]["start_us"].number == 1);
    check(all["makespan_us"].number == steps[3]["end_us"].number);
    const auto& given = all["given"].items;
    check_equal(given.size(), std::size_t{2});
    check(given[0]["is_written"].is == json::kind::boolean && given[0]["bytes"].number == 64);
    check(text.find("\"is_written\":false,\"steps\":[0,2,3]") != text.npos && text.find("\"is_written\":true,\"steps\":[2]") != text.npos,
          text);
    check_equal(all["kept"].items.size(), std::size_t{1});
    const auto range = npu.range_of(y.memory().block());
    check(all["kept"].items[0]["begin"].text == std::to_string(range.begin) && range.end - range.begin == 64);

    y = {};
    text.clear();
    print_capture(g, text);
    check(json_reader::read(text)["kept"].items.empty());

    // An empty capture, in a pool of the user's.
    npu::graph none(npu);
    const auto pool = npu.graph_pool_handle();
    none.capture_begin(s, pool);
    none.capture_end(s);
    text.clear();
    print_capture(none, text);
    check_equal(text, "{\"rank\":5,\"pool\":[0,1],\"makespan_us\":0,\n\"steps\":[],\n\"given\":[],\n\"kept\":[]}\n");
}

} // namespace

int main() {
    steps_and_tensors();
    return report();
}
