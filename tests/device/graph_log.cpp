// SPDX-License-Identifier: MIT
// What compiled graphs do, as log lines: hits, captures, recaptures, evictions, the limit, and the times of a call's stages; and that none of it costs a replay an
// allocation where no line is wanted.
#include "counted_allocations.hpp"
#include "graph_programs.hpp"

#include <ahead/print/log_graphs.hpp>

#include <sstream>

using namespace ahead;
using namespace test;

namespace {

// "[INFO] graph_log.cpp: message" of each line; numbers before "us" are N.
std::string told(std::string_view text) {
    std::string out;
    for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
        const auto line = text.substr(0, end);
        std::ostringstream tid;
        tid << ']' << std::this_thread::get_id() << ' ';
        const auto place = line.find(" ["), message = line.find(tid.str());
        if (line.find("] TORCHAIR(0,ahead):") == line.npos || place == line.npos || message == line.npos) return "of another form: " + std::string(line);
        out += line.substr(0, line.find(' ') + 1);
        out += line.substr(place + 2, line.find(':', place) + 1 - place - 2);
        out += ' ';
        for (char c : line.substr(message + tid.str().size())) {
            out += c;
            if (!out.ends_with("us") || out[out.size() - 3] < '0' || out[out.size() - 3] > '9') continue;
            out.resize(out.size() - 2);
            while (out.back() >= '0' && out.back() <= '9') out.pop_back();
            out += "Nus";
        }
        out += '\n';
    }
    return out;
}
std::string at(const auto& prepared) { return ", parameters at " + std::to_string(reinterpret_cast<std::uintptr_t>(prepared.constants())); }

void lines() {
    npu::context npu;
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(eight_ones);
    const auto z = npu.to_device<f32<16>>(all<16>(4));
    std::ostringstream out;
    const auto next = [&] {
        const auto text = told(out.str());
        out.str("");
        return text;
    };
    const log_writer log(out, log_level::debug);
    const graph_log shown(log);
    const std::string time = "[EVENT] graph_log.cpp: torchair run at stream " + std::to_string(s.number()) + ", process input: Nus, compile Nus, graph run: Nus\n";
    {
        npu::compiled_graphs<small, middle> net(npu, s, {.capture_limit = 1}, by_two, by_three);
        net.listen(shown);
        static_cast<void>(net(x));
        check_equal(next(), "[INFO] graph_log.cpp: Success to capture graph of program 0" + at(by_two) + ": first call of the program\n" + time);
        static_cast<void>(net(x));
        check_equal(next(), "[DEBUG] graph_log.cpp: Find captured graph of program 0" + at(by_two) + "\n" + time);
        static_cast<void>(net(z));
        check_equal(next(), "[WARNING] graph_log.cpp: The capture_limit reached when capturing program 1" + at(by_three) +
                                ", we will evict the graph that was used the longest ago. Each capture costs time, and graphs cost memory. The current capture_limit is 1\n"
                                "[INFO] graph_log.cpp: Success to capture graph of program 1" + at(by_three) + ": first call of the program\n" +
                                "[INFO] graph_log.cpp: Evict graph of program 0" + at(by_two) + "\n" + time);
        net.force_recapture();
        static_cast<void>(net(z));
        check_equal(next(), "[INFO] graph_log.cpp: Success to recapture graph of program 1" + at(by_three) + ": forced\n" + time);
        net.run_only();
        check_fault([&] { net(x); }, fault::call_would_capture);
        check_equal(next(), "");
        net.listen({});
        static_cast<void>(net(z));
        check_equal(next(), "");
    }
    {
        npu::compiled_graphs<small, middle> net(npu, s, {.capture_limit = 1, .when_full = npu::full_policy::run_eagerly}, by_two, by_three);
        static_cast<void>(net(x));
        net.listen(shown);
        static_cast<void>(net(z));
        check_equal(next(), "[WARNING] graph_log.cpp: The capture_limit reached when capturing program 1" + at(by_three) +
                                ", we will run this call eagerly. Each capture costs time, and graphs cost memory. The current capture_limit is 1\n"
                                "[DEBUG] graph_log.cpp: Run program 1" + at(by_three) + " eagerly\n" + time);
    }
    npu::compiled_graphs<counter> net(npu, s, {.moved_inputs = npu::moved_policy::recapture}, no_weights);
    const log_writer few(out, log_level::info);
    const graph_log of_captures(few);
    net.listen(of_captures);
    auto c = npu.to_device<f32<8>>(eight_ones), d = npu.to_device<f32<8>>(eight_ones);
    static_cast<void>(net(c, x));
    static_cast<void>(net(c, x));
    static_cast<void>(net(d, x));
    check_equal(next(), "[INFO] graph_log.cpp: Success to capture graph of program 0: first call of the program\n" + time + time +
                            "[INFO] graph_log.cpp: Success to recapture graph of program 0: a mutated input moved: c\n" + time);
    static_assert(!std::convertible_to<graph_log, npu::graph_listener> && std::convertible_to<const graph_log&, npu::graph_listener>, "a listener has a name");
}

// What it says in microseconds is what was measured.
void times() {
    using namespace std::chrono_literals;
    check_equal(print(npu::stage_times{3'999ns, 0ns, 1'234'567ns}, 2), "torchair run at stream 2, process input: 3us, compile 0us, graph run: 1234us");
}

// No line: no allocation. A stream that throws: the call succeeds.
void costs_nothing() {
    npu::context npu;
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(eight_ones);
    npu::compiled_graphs<small> net(npu, s, {}, by_two);
    std::ostringstream out;
    const log_writer errors(out, log_level::error);
    const graph_log silent(errors);
    net.listen(silent);
    for (int i = 0; i < 3; ++i) static_cast<void>(net(x));
    const auto before = allocations.load();
    for (int i = 0; i < 100; ++i) static_cast<void>(net(x));
    check_equal(allocations.load(), before);
    check_equal(out.str(), "");

    std::ostringstream broken;
    broken.exceptions(std::ios::badbit | std::ios::failbit);
    try {
        broken.setstate(std::ios::badbit);
    } catch (const std::ios::failure&) {
    }
    const log_writer lost(broken, log_level::debug);
    const graph_log unheard(lost);
    net.listen(unheard);
    check_throws<std::exception>([&] { lost.write(log_level::error, "x"); });
    check(values(net, x) == all<8>(4));
    check_equal(net.counters().replayed, 104);
}

} // namespace

int main() {
    lines();
    times();
    costs_nothing();
    return report();
}
