// SPDX-License-Identifier: MIT
// The operands and results of every call of a graph, as files to compare with those of PyTorch. At run time, by the
// reference interpreter: these are the values by the operators' meanings, not those in the device's memory.
// Invariant: all files of a run are written, or an exception with the path that failed is thrown and none are. Called
// by users.
#pragma once
#include <ahead/io/npy.hpp>
#include <ahead/print/dump/dump_steps.hpp>
#include <ahead/print/dump/written_files.hpp>
#include <ahead/reference/host_bytes.hpp>
#include <ahead/reference/interpreter.hpp>
#include <charconv>

namespace AHEAD_NAMESPACE::printers {

enum class dumped_ports : std::uint8_t { all, input, output };
enum class dumped_form : std::uint8_t {
    tensor, // a .npy file per tensor
    stats,  // a line per tensor in statistics.tsv
};

/// The calls and values to dump, under TorchAir's names.
struct dump_config {
    dumped_ports dump_mode = dumped_ports::all;
    dumped_form dump_data = dumped_form::tensor;
    std::string dump_step = {};               // runs, counted from 0: "0|1|2-5" (print/dump/dump_steps.hpp); empty: all
    std::vector<std::string> dump_layer = {}; // calls, by their names in the graph; empty: all
    std::int32_t rank_id = 0;                 // of the process that runs the graph, below world_size
    std::int32_t world_size = 1;
};

} // namespace ahead::printers
namespace AHEAD_NAMESPACE::detail {

/// .npy does not support bf16 and f8: they are written as f32, which represents all of their values.
inline std::string npy_text(const host_tensor& given) {
    auto t = given;
    if (t.type.type == dtype::bf16 || is_f8(t.type.type)) t.type.type = dtype::f32;
    std::vector<std::int64_t> sizes;
    for (auto size : sizes_of(t.type)) sizes.push_back(size);
    std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(t.type)) * bytes_of(t.type.type));
    std::string out;
    diagnosis d; // stays empty
    to_bytes(t, bytes);
    static_cast<void>(print_npy(t.type.type, sizes, bytes, out, d));
    return out;
}

inline std::string number_text(double v) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, v).ptr};
}
/// min, max and mean of the values that are not NaN, as f64, and the number of NaNs; "-" if all are NaN, and for
/// complex numbers, which are not ordered.
inline std::string stats_text(const host_tensor& t) {
    double min = 0, max = 0, sum = 0;
    std::int64_t counted = 0, nan = 0;
    for (std::int64_t i = 0; i < t.data.size(); ++i) {
        if (is_complex(t.type.type)) {
            const auto v = t.data.get<complex128>(i);
            nan += v != v;
            continue;
        }
        const auto v = t.data.get<double>(i);
        if (v != v) {
            ++nan;
            continue;
        }
        min = counted == 0 || v < min ? v : min;
        max = counted == 0 || v > max ? v : max;
        sum += v;
        ++counted;
    }
    const auto shown = [&](double v) { return counted == 0 ? std::string("-") : number_text(v); };
    return shown(min) + "\t" + shown(max) + "\t" + shown(sum / static_cast<double>(counted)) + "\t" +
           std::to_string(nan);
}

/// The files of one run, collected during the run.
class run_dump {
public:
    run_dump(graph_view g, const dump_config& config) : g_(g), config_(config) {}

    void operator()(node_id id, visit_moment now, const std::vector<host_buffer>& storages) {
        const auto& n = g_[id];
        if (!is_dumped(n)) return;
        std::int32_t port = 0;
        if (now == visit_moment::before_call) {
            if (config_.dump_mode != dumped_ports::output)
                for_each_operand(g_, n.arguments, [&](const argument& a) {
                    if (g_.value_of(a).kind == value_kind::tensor) add(n, "INPUT", port++, copy_of(g_, a, storages));
                });
        } else if (config_.dump_mode != dumped_ports::input) {
            for (; port < n.values.count; ++port)
                if (g_.value_of(id, port).kind == value_kind::tensor)
                    add(n, "OUTPUT", port, copy_of(g_, argument::of(id, port), storages));
        }
    }
    std::vector<std::filesystem::path> write(const std::filesystem::path& folder) {
        if (config_.dump_data == dumped_form::stats)
            files_.add("statistics.tsv", "node\ttarget\tport\tdtype\tshape\tmin\tmax\tmean\tnan\n" + stats_);
        return files_.write(folder);
    }

private:
    graph_view g_;
    const dump_config& config_;
    written_files files_;
    std::string stats_;

    bool is_dumped(const node& n) const {
        if (n.target == "operator.getitem") return false; // which does not compute a tensor
        for (const auto& layer : config_.dump_layer)
            if (layer == ahead::print(n.name).view()) return true;
        return config_.dump_layer.empty();
    }
    void add(const node& n, std::string_view side, std::int32_t port, const host_tensor& t) {
        const std::string name(ahead::print(n.name).view()), place = std::string(side) + "." + std::to_string(port);
        if (config_.dump_data == dumped_form::tensor)
            return files_.add(file_name_of(name + "-" + std::string(n.target)) + "." + place + ".npy", npy_text(t));
        stats_ += name + "\t" + std::string(n.target) + "\t" + place + "\t" +
                  std::string(facts_of(t.type.type).annotation) + "\t[";
        for (int k = 0; k < t.type.rank; ++k) stats_ += (k > 0 ? ", " : "") + std::to_string(t.type.size(k));
        stats_ += "]\t" + stats_text(t) + "\n";
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// Runs Front's graph repeatedly by the reference, and dumps the runs that the config selects, each into a folder with
/// its number, inside a folder of the rank, so that several ranks may dump into the same folder:
///     folder/worldsize1_global_rank0/0/mm-aten.mm.default.INPUT.0.npy operands in the order of the arguments, those in
///     lists included, as they are before the call
///     .../0/mm-aten.mm.default.OUTPUT.0.npy results, after the call: of an in-place operator, the new value
///     .../0/statistics.tsv with dumped_form::stats: min, max and mean of the values that are not NaN, and the number
///     of NaNs
/// Front is the result of trace() or fx<>, or Program::optimized: then the graph after all passes runs.
template <class Front> class data_dump_of {
public:
    /// `folder` must exist and be writable. Throws error: file_is_unwritable with the path, steps_are_malformed,
    /// name_is_undefined for a layer that is not a call of the graph, option_is_out_of_range for a rank outside of the
    /// world.
    data_dump_of(std::filesystem::path folder, dump_config config = {})
        : folder_(std::move(folder)), config_(std::move(config)) {
        diagnosis d;
        if (!check_rank(d) || !check_steps(config_.dump_step, d) || !check_layers(d)) raise(d);
        std::error_code failed;
        if (!std::filesystem::is_directory(folder_, failed)) refuse_path(folder_, "a folder that is there");
        const auto probe = folder_ / ".dump_data";
        const bool is_new = !std::filesystem::exists(probe, failed);
        if (!std::ofstream(probe, std::ios::app)) refuse_path(folder_, "a folder in which files may be made");
        if (is_new) std::filesystem::remove(probe, failed);
    }

    /// The next run: its outputs, as returned by interpret for these inputs. Throws error: those of interpret, and
    /// file_is_unwritable.
    std::vector<host_tensor> operator()(array_view<const host_tensor> inputs) {
        const auto step = steps_run_++;
        const bool is_dumped = is_among_steps(config_.dump_step, step);
        const graph_view g = Front::storage.view();
        detail::run_dump dump(g, config_);
        std::vector<host_tensor> outputs;
        diagnosis d;
        const auto visit = [&](node_id id, visit_moment now, const std::vector<host_buffer>& storages) {
            if (is_dumped) dump(id, now, storages);
        };
        if (!interpret<typename Front::registry, detail::table_of_graph<Front>>(g, inputs, outputs, d, visit)) raise(d);
        if (is_dumped) files_ = dump.write(folder_ / rank_name() / std::to_string(step));
        return outputs;
    }

    /// The files of the last run that was dumped.
    const std::vector<std::filesystem::path>& files() const { return files_; }

private:
    std::filesystem::path folder_;
    dump_config config_;
    std::int64_t steps_run_ = 0;
    std::vector<std::filesystem::path> files_;

    std::string rank_name() const {
        return "worldsize" + std::to_string(config_.world_size) + "_global_rank" + std::to_string(config_.rank_id);
    }
    bool check_rank(diagnosis& d) const {
        if (config_.rank_id >= 0 && config_.rank_id < config_.world_size) return true;
        d.op = "dump_config";
        d.name = "rank_id";
        return refuse(d, fault::option_is_out_of_range,
                      short_text("from 0 to below world_size, ") << config_.world_size,
                      short_text() << config_.rank_id);
    }
    bool check_layers(diagnosis& d) const {
        const graph_view g = Front::storage.view();
        for (const auto& layer : config_.dump_layer) {
            bool found = false;
            for (node_id id : g)
                found = found || (g[id].kind == node_kind::call && g[id].target != "operator.getitem" &&
                                  print(g[id].name).view() == layer);
            d.op = "dump_layer";
            d.name = std::string_view(layer);
            if (!found) return refuse(d, fault::name_is_undefined, "a call of the graph", "no call of this name");
        }
        return true;
    }
};

/// data_dump<net>, where net is the object returned by trace(...) or fx<...>.
template <const auto& Net> using data_dump = data_dump_of<std::remove_cvref_t<decltype(Net)>>;

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::data_dump, printers::dump_config;
} // namespace ahead
