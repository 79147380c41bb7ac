// SPDX-License-Identifier: MIT
// Runs random cases: each task on tensors that lie between pages that nobody may touch, over memory that held something else, twice, and once more for each
// operand whose place its result may take; what the graph returns must be what the reference computes. Prints how many cases there were, how often kernels went
// which way, and of what it finds the seed and the text.
// Invariant: twice, or in place, a kernel gives the same bits.
#include "inspected_case.hpp"
#include "launch.hpp"

#include <ahead/differential/checker.hpp>
#include <ahead/reference/equivalent.hpp>
#include <harness.hpp>
#include <reference.hpp>
#include <unit/kernel_buffer.hpp>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <memory>
#include <unistd.h>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

namespace {

constexpr std::size_t enough_for_every_way = 200; // cases
constexpr std::uint64_t first_long_seed = 1'000'000; // as long.cmake has it: of its many units one may well lack a rare way

using bytes = buffer<std::uint8_t>; // their end is where a page begins, so that they lie as their elements may

/// Elements of an input. Floating ones as small numbers as their range has.
host_tensor drawn(const case_input& of, const tensor_type& type, const random_case& in, random_case& random) {
    host_tensor out(type);
    constexpr auto nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < out.data.size(); ++i) {
        if (of.below > 0) out.data.put(i, of.wraps ? random.between(-of.below, of.below - 1) : random.below(of.below));
        else if (!is_floating(type.type)) out.data.put(i, random.between(-100, 100) & (type.type == dtype::b8 ? 1 : -1));
        else if (in.has_specials && random.one_in(6)) out.data.put(i, random.any_of({nan, inf, -inf, -0.0, 0.0, 1.0}));
        else out.data.put(i, in.largest * static_cast<double>(random.between(-(1 << 23), (1 << 23) - 1)) / (1 << 23));
    }
    return out;
}
/// An input whose floating elements differ from `of` by up to eight units of the last place.
host_tensor nearly(host_tensor of, random_case& random) {
    const auto type = of.type.type;
    const double unit = type == dtype::f64 ? 0x1p-52 : type == dtype::f16 ? 0x1p-10 : type == dtype::bf16 ? 0x1p-7 : 0x1p-23;
    for (std::int64_t i = 0; is_floating(type) && i < of.data.size(); ++i)
        of.data.put(i, of.data.get<double>(i) * (1 + unit * static_cast<double>(random.between(-1024, 1024)) / 128));
    return of;
}
/// Whether a floating element is right: sums in another order, elementary functions of a few units of the last place. largest: what errors may grow with.
bool is_right(double a, double b, dtype type, double largest) {
    if (is_half(type)) return is_close(a, b, type);
    const double unit = type == dtype::f64 ? 1e-11 : 1e-5;
    return a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= unit * (1 + std::fabs(b) + largest / 2);
}
/// Whether it is no farther off than the reference itself where its inputs are `nearly` the same: of 1 / (tanh(x) - y) where that is all but a zero, or of
/// halves that were rounded between sums, nobody can ask more.
bool is_within_reach(const host_tensor& got, const host_tensor& wanted, std::int64_t k, const std::vector<host_tensor>& reached) {
    const auto off = [&](const host_tensor& from) { return std::fabs(from.data.get<double>(k) - wanted.data.get<double>(k)); };
    for (const auto& from : reached)
        if (off(got) <= off(from)) return true;
    return false;
}
/// largest: of the sums that it comes from, where errors may grow with it. reached: what the reference makes of nearly the same inputs.
std::string difference(const host_tensor& got, const host_tensor& wanted, double largest, const std::vector<host_tensor>& reached = {}) {
    if (got.type.type != wanted.type.type || sizes_of(got.type) != sizes_of(wanted.type)) return "another type";
    for (std::int64_t k = 0; k < got.data.size(); ++k) {
        const bool same = is_floating(got.type.type) ? is_right(got.data.get<double>(k), wanted.data.get<double>(k), got.type.type, largest)
                                                     : got.data.get<std::int64_t>(k) == wanted.data.get<std::int64_t>(k);
        if (!same && !(is_floating(got.type.type) && is_within_reach(got, wanted, k, reached)))
            return "element " + std::to_string(k) + " is " + ahead::detail::element_text(got, k) + ", the reference has " + ahead::detail::element_text(wanted, k);
    }
    return {};
}

/// One case's memory: the storages of its device graph.
class case_run {
public:
    case_run(const inspected_case& of, const written_case& written, way_counts& counts)
        : of_(of), g_(of.graph()), counts_(counts), tasks_(written.tasks), random_(~written.seed) {}

    /// What is wrong; empty where nothing is.
    std::string run() {
        std::vector<host_tensor> given, wanted;
        read_inputs(given);
        diagnosis d;
        double largest = 0;
        const auto take_sums = [&](node_id id, visit_moment now, const std::vector<host_buffer>& storages) {
            if (now == visit_moment::after_call) largest = std::fmax(largest, largest_sum(of_.made.captured(), id, storages));
        };
        if (!interpret<aten::registry>(of_.made.captured(), given, wanted, d, take_sums)) return "the reference refuses: " + render(d);
        std::size_t t = 0;
        std::string wrong;
        of_.for_each_task([&](node_id id) {
            if (!wrong.empty()) return;
            wrong = t < tasks_.size() ? run_task(id, tasks_[t]) : "fewer tasks were written";
            ++t;
            if (!wrong.empty()) wrong = "task " + std::to_string(t) + ", " + std::string(g_[id].target) + ": " + wrong;
        });
        if (wrong.empty() && t != tasks_.size()) return "more tasks were written";
        std::size_t k = 0;
        for_each_operand(g_, g_[g_.last()].arguments, [&](const argument& a) {
            const auto& v = g_.value_of(a);
            const auto got = ahead::detail::read_tensor(v.type, place_of(v));
            if (wrong.empty() && !difference(got, wanted[k], largest).empty()) wrong = difference(got, wanted[k], largest, reached(given, k));
            ++k;
        });
        return wrong;
    }

private:
    const inspected_case& of_;
    graph_view g_;
    way_counts& counts_;
    const std::vector<launch_function>& tasks_;
    random_case random_;
    std::map<std::int32_t, std::unique_ptr<bytes>> storages_;

    /// The largest finite element of a convolution: Winograd's errors grow with their tile's numbers, also where tanh makes those small afterwards.
    static double largest_sum(graph_view g, node_id id, const std::vector<host_buffer>& storages) {
        double largest = 0;
        const auto& all = storages[static_cast<std::size_t>(g[id].values.first)];
        for (std::int64_t k = 0; g[id].target.ends_with("convolution.default") && k < all.size(); ++k)
            if (const double x = std::fabs(all.get<double>(k)); std::isfinite(x)) largest = std::fmax(largest, x);
        return largest;
    }
    /// Output k of the reference where the inputs are nearly the given ones, four times.
    std::vector<host_tensor> reached(const std::vector<host_tensor>& given, std::size_t k) {
        std::vector<host_tensor> out;
        for (int time = 0; time < 4; ++time) {
            std::vector<host_tensor> inputs, results;
            for (const auto& input : given) inputs.push_back(nearly(input, random_));
            diagnosis d;
            if (interpret<aten::registry>(of_.made.captured(), inputs, results, d)) out.push_back(std::move(results[k]));
        }
        return out;
    }
    static std::int64_t size_of(const tensor_type& type) { return (type.offset + extent_of(type)) * static_cast<std::int64_t>(bytes_of(type.type)); }
    std::byte* place_of(const value& v) { return place_in(*storages_.at(v.storage.index), v); }
    static std::byte* place_in(bytes& storage, const value& v) { return reinterpret_cast<std::byte*>(storage.data()) + v.type.offset * static_cast<std::int64_t>(bytes_of(v.type.type)); }

    void read_inputs(std::vector<host_tensor>& given) {
        for (node_id id : g_) {
            const auto& n = g_[id];
            if (n.kind == node_kind::call || n.kind == node_kind::output) continue;
            const auto& v = g_.value_of(id);
            const auto& named = of_.written.inputs[given.size()];
            check_equal(std::string(print(n.name).view()), named.name);
            given.push_back(drawn(named, v.type, of_.written, random_));
            storages_[v.storage.index] = std::make_unique<bytes>(size_of(v.type));
            ahead::detail::write_tensor(given.back(), v.type, place_of(v));
        }
    }
    /// Launches it with result `taken`, if that is one, where `storage` lies, which is another one here.
    std::string launch_task(node_id id, launch_function kernel, std::uint8_t before, std::int32_t taken = -1, std::int32_t storage = -1, bytes* its = nullptr, std::byte* first = nullptr) {
        const auto& n = g_[id];
        std::vector<const std::byte*> at;
        for_each_operand(g_, n.arguments, [&](const argument& a) {
            const auto& v = g_.value_of(a);
            at.push_back(v.storage.index == storage ? place_in(*its, v) : place_of(v));
        });
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
            const auto& result = g_[value_id{v}];
            auto& memory = storages_[v] = std::make_unique<bytes>(size_of(result.type));
            std::fill(memory->begin(), memory->end(), before);
            at.push_back(v == taken ? first : place_of(result));
        }
        buffer<std::byte> work(of_.made.needs[static_cast<std::size_t>(id.index)].workspace);
        std::fill(work.begin(), work.end(), static_cast<std::byte>(before));
        diagnosis d;
        return kernel(runtime::region_bases{at.data(), nullptr, work.data()}, d) ? std::string() : "the kernel refuses: " + render(d);
    }
    std::vector<std::vector<std::byte>> results_of(node_id id, std::int32_t taken = -1, const std::byte* first = nullptr) {
        const auto& n = g_[id];
        std::vector<std::vector<std::byte>> out;
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
            const auto& result = g_[value_id{v}];
            const auto* const from = v == taken ? first : place_of(result);
            out.emplace_back(from, from + extent_of(result.type) * static_cast<std::int64_t>(bytes_of(result.type.type)));
        }
        return out;
    }
    std::string run_task(node_id id, launch_function kernel) {
        const auto& n = g_[id];
        if (auto why = launch_task(id, kernel, 0xff); !why.empty()) return why;
        const auto first = results_of(id);
        if (auto why = launch_task(id, kernel, 0x2a); !why.empty()) return why;
        if (results_of(id) != first) return "what lay in memory before shows";
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
            for (std::int32_t i = 0; i < n.arguments.count; ++i) {
                if (!may_take(id, v, i)) continue;
                const auto& operand = g_.value_of(g_.argument_of(n, i));
                const auto storage = operand.storage.index;
                auto& its = *storages_.at(storage);
                if (place_of(operand) + size_of(g_[value_id{v}].type) > reinterpret_cast<std::byte*>(its.end())) continue;
                bytes copy(its.end() - its.begin());
                std::copy(its.begin(), its.end(), copy.begin());
                auto* const place = place_in(copy, operand);
                ++counts_.ways["in place"];
                if (auto why = launch_task(id, kernel, 0x2a, v, storage, &copy, place); !why.empty()) return why;
                if (results_of(id, v, place) != first) return "other bits where argument " + std::to_string(i) + " lay";
                if (auto why = launch_task(id, kernel, 0x2a); !why.empty()) return why;
            }
        return {};
    }
    /// As kernel_needs says: whether result v may take the place of argument i, and all its readings of that storage say so.
    bool may_take(node_id id, std::int32_t v, std::int32_t i) const {
        const auto& n = g_[id];
        const auto& asked = of_.made.needs[static_cast<std::size_t>(id.index)];
        const auto may = [&](std::int32_t k) {
            const auto& a = g_.argument_of(n, k);
            if (k >= 16 || (asked.may_overwrite >> k & 1) == 0 || a.kind != argument_kind::node) return false;
            return asked.each_may_overwrite ? g_[value_id{v}].type == g_.value_of(a).type : v == n.values.first;
        };
        if (!may(i)) return false;
        const auto storage = g_.value_of(g_.argument_of(n, i)).storage;
        int readings = 0, allowed = 0;
        for_each_operand(g_, n.arguments, [&](const argument& a) { readings += g_.value_of(a).storage == storage; });
        for (std::int32_t k = 0; k < n.arguments.count; ++k) allowed += may(k) && g_.value_of(g_.argument_of(n, k)).storage == storage;
        return readings == allowed;
    }
};

std::string underway; // the case that runs
void name_what_crashed(int) {
    static_cast<void>(!write(STDOUT_FILENO, underway.data(), underway.size()));
    std::_Exit(1);
}

std::map<std::string, std::vector<std::vector<written_case>>>& written_units() {
    static std::map<std::string, std::vector<std::vector<written_case>>> all; // by family
    return all;
}

void run_family(const family& f, const std::vector<std::vector<written_case>>& units) {
    way_counts counts;
    std::size_t cases = 0, tasks = 0;
    for (const auto& unit : units)
        for (const auto& one : unit) {
            const inspected_case inspected(f, one.seed);
            underway = std::string(f.name) + ' ' + std::to_string(one.seed) + " crashes\n" + inspected.text;
            const auto wrong = number_of(inspected.text) == one.text ? case_run(inspected, one, counts).run() : "was written for another text";
            check(wrong.empty(), std::string(f.name) + ' ' + std::to_string(one.seed) + ": " + wrong + '\n' + inspected.text);
            counts.add(inspected);
            ++cases;
            tasks += one.tasks.size();
        }
    std::cout << f.name << ": " << cases << " cases, " << tasks << " tasks; innermost loops of " << counts.tails.size() << " of 16 remainders by 16";
    for (const auto& [way, times] : counts.ways) std::cout << "; " << way << ' ' << times;
    std::cout << '\n';
    if (cases < enough_for_every_way || f.count != nullptr || units[0][0].seed >= first_long_seed) return;
    check_equal(counts.tails.size(), std::size_t{16});
    for (const auto& way : way_counts::of_family(f.name)) check(counts.ways[way] > 0, "no case went this way: " + way);
}

} // namespace

written_unit::written_unit(std::string_view family, std::vector<written_case> cases) { written_units()[std::string(family)].push_back(std::move(cases)); }

} // namespace test

int main() {
    std::signal(SIGSEGV, test::name_what_crashed);
    for (const auto& f : test::families)
        if (const auto units = test::written_units().find(std::string(f.name)); units != test::written_units().end()) test::run_family(f, units->second);
    return test::report();
}
