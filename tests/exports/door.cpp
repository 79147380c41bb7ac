// A recorded export that is written as C++ while building, by its plain interface: its outputs are PyTorch's. Arguments: the model's folder (main.cpp), the file that was planned.
// SPDX-License-Identifier: MIT
#include "model.hpp"

#include <ahead/core/aligned_memory.hpp>
#include <ahead/io/pt2_archive.hpp>
#include <ahead/io/safetensors.hpp>
#include <ahead/ir/type/annotation.hpp>
#include <exports/recorded.hpp>
#include <harness.hpp>

using namespace exports;

namespace {

std::vector<std::byte> bytes_of_tensor(const host_tensor& t) {
    std::vector<std::byte> out(static_cast<std::size_t>(bytes_of(t.type.type, element_count(t.type))));
    to_bytes(t, out);
    return out;
}

std::vector<std::byte> in_row_major_order(const tensor_type& t, const std::byte* from) {
    const auto size = static_cast<std::size_t>(bytes_of(t.type, 1));
    std::vector<std::byte> out;
    for_each_index(sizes_of(t), [&](const int_list& at) {
        std::int64_t place = 0;
        for (std::int32_t dim = 0; dim < at.size; ++dim) place += at[dim] * t.stride(dim);
        const auto* first = from + static_cast<std::size_t>(place) * size;
        out.insert(out.end(), first, first + size);
    });
    return out;
}

} // namespace

int main(int, char** arguments) {
    const path folder = arguments[1];
    ahead::weights stored;
    diagnosis d;
    const auto file = (folder / "w.safetensors").string();
    if (const path from = arguments[2]; from.extension() == ".pt2") test::check(ahead::io::load_pt2_weights(from.string(), stored, d), render(d));
    else if (exists(path(file))) test::check(load_safetensors(file, stored, d), render(d));
    else if (model::weights_count > 0) {
        test::check(model::run_tasks > 0);
        std::cout << "no weights are recorded: it compiles, and is not run\n";
        return test::report();
    }

    std::array<const void*, model::weights_count> from{};
    for (std::size_t i = 0; i < from.size(); ++i) {
        const auto* found = stored.find(model::weights[i].name);
        if (test::check(found != nullptr && found->bytes.size() == model::weights[i].bytes, std::string(model::weights[i].name))) from[i] = found->bytes.data();
    }
    const auto given = read_leaves(folder, "in");
    std::vector<std::vector<std::byte>> inputs;
    for (const auto& [leaf, tensor] : given) inputs.push_back(bytes_of_tensor(tensor));
    std::array<const void*, model::inputs_count> pointers{};
    if (!test::check(inputs.size() == model::inputs_count, std::to_string(inputs.size()) + " are recorded")) return test::report();
    for (std::size_t i = 0; i < pointers.size(); ++i) {
        test::check_equal(inputs[i].size(), model::inputs[i].bytes);
        pointers[i] = inputs[i].data();
    }
    if (test::failed > 0) return test::report();

    const auto memory = [](std::size_t bytes) { return aligned_memory(std::max<std::size_t>(bytes, 1), model::alignment); };
    const auto constants = memory(model::constant_bytes), scratch = memory(model::scratch_bytes), arena = memory(model::arena_bytes);
    test::check(model::prepare(from, constants.get(), scratch.get()));
    model::reset(constants.get(), arena.get());
    test::check(model::run(pointers, constants.get(), arena.get()));

    // New values of what the graph writes stand first among its outputs.
    const auto wanted = read_leaves(folder, "out");
    if (!test::check(!wanted.empty() && wanted.size() <= model::outputs_count)) return test::report();
    auto place = model::outputs_count - wanted.size();
    for (const auto& [leaf, tensor] : wanted) {
        const auto& port = model::outputs[place++];
        host_tensor got;
        annotation lies; // with strides, where these are not a contiguous tensor's
        if (!test::check(read_annotation(port.type, lies, d), render(d))) continue;
        from_bytes(lies.type, in_row_major_order(lies.type, static_cast<const std::byte*>(arena.get()) + port.offset), got);
        test::check_equal(difference(got, tensor, folder.filename().string().starts_with("q_")), "");
    }
    return test::report();
}
