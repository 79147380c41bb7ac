// A recorded model by both doors, compiled in source and written as C++ while building: for each set of inputs the same bits, and PyTorch's numbers.
// Argument: the model's folder.
// SPDX-License-Identifier: MIT
#include "device.hpp"
#include "model_program.hpp"

#include <harness.hpp>

using namespace cases;

namespace {

struct in_source {
    static constexpr char text[] =
#include "model.fx"
        ;
};

std::vector<std::vector<std::byte>> bits_of(const std::vector<host_tensor>& all) {
    std::vector<std::vector<std::byte>> out;
    for (const auto& one : all) to_bytes(one, out.emplace_back(static_cast<std::size_t>(element_count(one.type)) * bytes_of(one.type.type)));
    return out;
}

} // namespace

int main(int, char** arguments) {
    for (const auto* set : {"0", "1"}) {
        const auto given = read_case(arguments[1], set);
        const auto wanted = run_on_device<compiled<fx<in_source>>>(given.inputs, given.parameters);
        const auto mine = run_on_device<model::program>(given.inputs, given.parameters);
        test::check(!wanted.empty() && bits_of(mine) == bits_of(wanted));
        test::check_equal(compared(mine, given).why, "");
    }
    return test::report();
}
