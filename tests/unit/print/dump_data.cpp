// Data dumps: which files there are and what is in them, the filters by step, layer, side and form, and paths that cannot be written.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "rendered.hpp"
#include "scratch_folder.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/dump/dump_data.hpp>

#include <limits>

using namespace ahead;
using namespace test;
namespace fs = std::filesystem;

namespace {

struct source {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", y: "i64[2]"):
        permute: "f32[3, 2]" = torch.ops.aten.permute.default(x, [1, 0]);  x = None
        mul: "f32[3, 2]" = torch.ops.aten.mul.Tensor(permute, y);  permute = y = None
        relu_: "f32[3, 2]" = torch.ops.aten.relu_.default(mul);  mul = None
        max_1 = torch.ops.aten.max.dim(relu_, 0);  relu_ = None
        getitem: "f32[2]" = max_1[0]
        getitem_1: "i64[2]" = max_1[1];  max_1 = None
        cat: "f32[4]" = torch.ops.aten.cat.default([getitem, getitem]);  getitem = None
        return (cat, getitem_1)
)fx";
};

const std::vector<host_tensor> inputs{host_tensor(tensor_of(dtype::f32, {2, 3}), {1.f, -2.f, 3.f, -4.f, 5.f, -6.f}),
                                      host_tensor(tensor_of(dtype::i64, {2}), {10, 1})};

// "f32[2]: 1 2", as the .npy file says it.
std::string tensor_in(const fs::path& file) {
    const auto t = load_npy(file.string());
    std::string out(print(*t).view());
    out += ":";
    for (std::size_t i = 0; i < t->bytes.size() / bytes_of(t->type); ++i)
        out += " " + (t->type == dtype::f32 ? detail::number_text(static_cast<double>(t->as<float>()[i])) : std::to_string(t->as<std::int64_t>()[i]));
    return out;
}

constexpr std::string_view rank_0 = "worldsize1_global_rank0";

void every_call() {
    const scratch_folder scratch;
    data_dump<fx<source>> dump(scratch.path);
    const auto outputs = dump(inputs);
    check(outputs.size() == 2 && outputs[0].get<float>({0}) == 30 && outputs[1].get<std::int64_t>({1}) == 1);
    check_equal(names_in(scratch.path / rank_0), "0/cat-aten.cat.default.INPUT.0.npy\n0/cat-aten.cat.default.INPUT.1.npy\n0/cat-aten.cat.default.OUTPUT.0.npy\n"
                                        "0/max_1-aten.max.dim.INPUT.0.npy\n0/max_1-aten.max.dim.OUTPUT.0.npy\n0/max_1-aten.max.dim.OUTPUT.1.npy\n"
                                        "0/mul-aten.mul.Tensor.INPUT.0.npy\n0/mul-aten.mul.Tensor.INPUT.1.npy\n0/mul-aten.mul.Tensor.OUTPUT.0.npy\n"
                                        "0/permute-aten.permute.default.INPUT.0.npy\n0/permute-aten.permute.default.OUTPUT.0.npy\n"
                                        "0/relu_-aten.relu_.default.INPUT.0.npy\n0/relu_-aten.relu_.default.OUTPUT.0.npy\n");
    const auto at = [&](const char* file) { return tensor_in(scratch.path / rank_0 / "0" / file); };
    check_equal(at("permute-aten.permute.default.INPUT.0.npy"), "f32[2, 3]: 1 -2 3 -4 5 -6");
    check_equal(at("permute-aten.permute.default.OUTPUT.0.npy"), "f32[3, 2]: 1 -4 -2 5 3 -6");
    check_equal(at("mul-aten.mul.Tensor.INPUT.1.npy"), "i64[2]: 10 1");
    // The same memory, before and after the write.
    check_equal(at("mul-aten.mul.Tensor.OUTPUT.0.npy"), "f32[3, 2]: 10 -4 -20 5 30 -6");
    check_equal(at("relu_-aten.relu_.default.INPUT.0.npy"), "f32[3, 2]: 10 -4 -20 5 30 -6");
    check_equal(at("relu_-aten.relu_.default.OUTPUT.0.npy"), "f32[3, 2]: 10 0 0 5 30 0");
    check_equal(at("max_1-aten.max.dim.OUTPUT.0.npy"), "f32[2]: 30 5");
    check_equal(at("max_1-aten.max.dim.OUTPUT.1.npy"), "i64[2]: 2 1");
    check_equal(at("cat-aten.cat.default.INPUT.1.npy"), "f32[2]: 30 5");
    check(dump.files().size() == 13 && dump.files().front() == scratch.path / rank_0 / "0" / "permute-aten.permute.default.INPUT.0.npy");

    // The graph behind the passes, which is functional.
    const auto optimized = scratch.made("optimized");
    data_dump_of<compiled<fx<source>>::optimized>(optimized, {.dump_layer = {"relu_"}})(inputs);
    check_equal(names_in(optimized / rank_0), "0/relu_-aten.relu.default.INPUT.0.npy\n0/relu_-aten.relu.default.OUTPUT.0.npy\n");
}

// Two processes may dump into one folder; a rank that the world has not is refused.
void ranks() {
    const scratch_folder scratch;
    for (std::int32_t rank : {0, 1})
        data_dump<fx<source>>(scratch.path, {.dump_mode = dumped_ports::output, .dump_layer = {"mul"}, .rank_id = rank, .world_size = 2})(inputs);
    check_equal(names_in(scratch.path), "worldsize2_global_rank0/0/mul-aten.mul.Tensor.OUTPUT.0.npy\nworldsize2_global_rank1/0/mul-aten.mul.Tensor.OUTPUT.0.npy\n");
    for (std::int32_t rank : {-1, 2})
        check_throws<error>([&] { data_dump<fx<source>>(scratch.path, {.rank_id = rank, .world_size = 2}); }, "'rank_id': option is out of range: expected from 0 to below world_size, 2, found " + std::to_string(rank));
}

void filters() {
    const scratch_folder scratch;
    data_dump<fx<source>> some(scratch.made("some"), {.dump_mode = dumped_ports::input, .dump_step = "1|3-4", .dump_layer = {"mul", "cat"}});
    for (int i = 0; i < 6; ++i) {
        some(inputs);
        check(some.files().size() == (i == 0 ? 0 : 4));
    }
    std::string wanted;
    for (const char* step : {"1", "3", "4"})
        for (const char* file : {"cat-aten.cat.default.INPUT.0", "cat-aten.cat.default.INPUT.1", "mul-aten.mul.Tensor.INPUT.0", "mul-aten.mul.Tensor.INPUT.1"})
            wanted += std::string(step) + "/" + file + ".npy\n";
    check_equal(names_in(scratch.path / "some" / rank_0), wanted);

    data_dump<fx<source>>(scratch.made("outputs"), {.dump_mode = dumped_ports::output, .dump_layer = {"max_1"}})(inputs);
    check_equal(names_in(scratch.path / "outputs" / rank_0), "0/max_1-aten.max.dim.OUTPUT.0.npy\n0/max_1-aten.max.dim.OUTPUT.1.npy\n");

    // Statistics: NaN is counted and left out; what has nothing else has none.
    auto with_nan = inputs;
    with_nan[0].put<float>({0, 0}, std::numeric_limits<float>::quiet_NaN());
    data_dump<fx<source>>(scratch.made("stats"), {.dump_data = dumped_form::stats, .dump_layer = {"permute", "mul"}})(with_nan);
    check_equal(names_in(scratch.path / "stats" / rank_0), "0/statistics.tsv\n");
    check_equal(content(scratch.path / "stats" / rank_0 / "0" / "statistics.tsv"), "node\ttarget\tport\tdtype\tshape\tmin\tmax\tmean\tnan\n"
                                                                          "permute\taten.permute.default\tINPUT.0\tf32\t[2, 3]\t-6\t5\t-0.8\t1\n"
                                                                          "permute\taten.permute.default\tOUTPUT.0\tf32\t[3, 2]\t-6\t5\t-0.8\t1\n"
                                                                          "mul\taten.mul.Tensor\tINPUT.0\tf32\t[3, 2]\t-6\t5\t-0.8\t1\n"
                                                                          "mul\taten.mul.Tensor\tINPUT.1\ti64\t[2]\t1\t10\t5.5\t0\n"
                                                                          "mul\taten.mul.Tensor\tOUTPUT.0\tf32\t[3, 2]\t-20\t30\t1\t1\n");
    check_equal(detail::stats_text(host_tensor(tensor_of(dtype::f32, {0}))), "-\t-\t-\t0");
    check_equal(detail::stats_text(host_tensor(tensor_of(dtype::f64, {1}), {std::numeric_limits<double>::quiet_NaN()})), "-\t-\t-\t1");
    check_equal(detail::stats_text(host_tensor(tensor_of(dtype::b8, {2}), {true, false})), "0\t1\t0.5\t0");
    // .npy has no bf16: f32 holds the same.
    const auto brain = detail::npy_text(host_tensor(tensor_of(dtype::bf16, {1}), {0.1})), half = detail::npy_text(host_tensor(tensor_of(dtype::f16, {1}), {0.1}));
    check(brain.find("'<f4'") != brain.npos && brain.substr(brain.size() - 4) == std::string_view("\x00\x00\xcd\x3d", 4));
    check(half.find("'<f2'") != half.npos && half.substr(half.size() - 2) == "\x66\x2e");
}

// Steps: what is among them, at compile time as well, and where a text is wrong.
// fault: steps_are_malformed
constexpr bool among(std::string_view steps, std::initializer_list<std::int64_t> all) {
    diagnosis d;
    if (!check_steps(steps, d)) return false;
    auto next = all.begin();
    for (std::int64_t step = 0; step < 12; ++step) {
        const bool wanted = next != all.end() && *next == step;
        if (is_among_steps(steps, step) != wanted) return false;
        next += wanted;
    }
    return next == all.end();
}
static_assert(among("0|1|2-5", {0, 1, 2, 3, 4, 5}) && among("7", {7}) && among("10|3-3", {3, 10}) && among("4-6|5", {4, 5, 6}));
static_assert(among("", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) && among("9223372036854775807", {}));
void steps() {
    check(among("0|1|2-5", {0, 1, 2, 3, 4, 5}) && among("11", {11}));
    const auto refused = [](std::string_view text, std::string_view sentence) {
        diagnosis d;
        check(!check_steps(text, d));
        check_fault(d, {fault::steps_are_malformed});
        check_equal(test::sentence(d), "dump_step '" + std::string(text) + "': steps are malformed: expected " + std::string(sentence));
    };
    refused("0|x", "a number from 0 to 2^63 - 1, found x at character 3");
    refused("|1", "a number from 0 to 2^63 - 1, found | at character 1");
    refused("0|", "a number from 0 to 2^63 - 1, found the end of the text");
    refused("-1", "a number from 0 to 2^63 - 1, found - at character 1");
    refused("9223372036854775808", "a number from 0 to 2^63 - 1, found 9 at character 1");
    refused("0,1", "| and another number, or nothing, found , at character 2");
    refused("1 |2", "| and another number, or nothing, found   at character 2");
    refused("1-2-3", "| and another number, or nothing, found - at character 4");
    refused("2-", "the range's last number, not below its first, found the end of the text");
    refused("5-2", "the range's last number, not below its first, found 2 at character 3");
}

void refusals() {
    const scratch_folder scratch;
    using dump = data_dump<fx<source>>;
    check_throws<error>([&] { dump(scratch.path, {.dump_step = "1-"}); }, "'1-': steps are malformed");
    check_throws<error>([&] { dump(scratch.path, {.dump_layer = {"mul", "nope"}}); }, "name 'nope' is undefined: expected a call of the graph");
    check_throws<error>([&] { dump(scratch.path, {.dump_layer = {"x"}}); }, "name 'x' is undefined");
    check_throws<error>([&] { dump(scratch.path, {.dump_layer = {"getitem"}}); }, "name 'getitem' is undefined");
    check_throws<error>([&] { dump(scratch.path / "missing"); }, "/missing' is unwritable: expected a folder that is there");
    check(!fs::exists(scratch.path / "missing"));
    check_throws<error>([&] { dump(fs::path{}); }, "is unwritable: expected a folder that is there");
    std::ofstream(scratch.path / "file") << "mine";
    check_throws<error>([&] { dump(scratch.path / "file"); }, "/file' is unwritable: expected a folder that is there");
    // Where not even root may make a file.
    if (fs::is_directory("/proc/self")) check_throws<error>([&] { dump("/proc/self"); }, "'/proc/self' is unwritable: expected a folder in which files may be made");
    check_equal(names_in(scratch.path), "file\n");

    // In the way of a run's folder, and of one of its files: nothing is written.
    const auto folder = scratch.made("folder"), own = folder / rank_0;
    fs::create_directories(own);
    std::ofstream(own / "1") << "mine";
    dump twice(folder, {.dump_layer = {"mul"}});
    twice(inputs);
    check_throws<error>([&] { twice(inputs); }, "/folder/worldsize1_global_rank0/1' is unwritable: expected a folder");
    check_equal(content(own / "1"), "mine");
    fs::create_directories(own / "2" / "mul-aten.mul.Tensor.OUTPUT.0.npy");
    check_throws<error>([&] { twice(inputs); }, "/folder/worldsize1_global_rank0/2/mul-aten.mul.Tensor.OUTPUT.0.npy' is unwritable: expected a file that may be written");
    check(fs::exists(own / "2") && !fs::exists(own / "2" / "mul-aten.mul.Tensor.INPUT.0.npy"));
    std::ofstream(folder / ".dump_data") << "mine";
    dump{folder};
    check_equal(content(folder / ".dump_data"), "mine");
    check_throws<error>([&] { twice(array_view<const host_tensor>(inputs).first(1)); }, "2 inputs");
}

} // namespace

int main() {
    every_call();
    ranks();
    filters();
    steps();
    refusals();
    check_equal(file_name_of("my pass/1: <é>"), "my_pass_1______");
    return report();
}
