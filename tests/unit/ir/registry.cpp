// SPDX-License-Identifier: MIT
// Tables of operators: every row is found by its name, and by nothing else; containers that constant evaluation can afford.
#include <ahead/convert/toolchain.hpp>
#include <ahead/core/heap_sort.hpp>
#include <ahead/core/name_index.hpp>
#include <algorithm>
#include <harness.hpp>
#include <random>
#include <set>
#include <string>

using namespace ahead;
using namespace test;

template <class Registry>
constexpr bool finds_every_row() {
    std::size_t last = 0;
    for (std::size_t i = 0; i < Registry::table.size(); ++i) {
        const auto& row = Registry::table[i];
        if (row.name.size() < last || row.infer == nullptr) return false;
        if (find_op(Registry::table, row.name) != op_id{static_cast<std::int32_t>(i)}) return false;
        last = row.name.size();
    }
    return Registry::table.size() == Registry::size;
}
static_assert(finds_every_row<aten::registry>());
static_assert(finds_every_row<device::registry>());

// The row of an operator is that of its struct: at and position_of invert each other's order.
template <class Registry, class Op>
constexpr bool leads_to() {
    constexpr auto id = find_op(Registry::table, Op::name);
    return std::same_as<typename Registry::template at<Registry::position_of(id)>, Op>;
}
static_assert(leads_to<aten::registry, aten::mm>() && leads_to<aten::registry, aten::add>() && leads_to<aten::registry, aten::cat>());
static_assert(leads_to<device::registry, device::view>() && leads_to<device::registry, device::matmul>());
static_assert(leads_to<device::registry, device::pointwise<aten::add>>() && leads_to<device::registry, device::pointwise<aten::where>>());
static_assert(leads_to<device::registry, device::ai_cpu<aten::cat>>() && leads_to<device::registry, device::ai_cpu<aten::view>>());

// Names that are of no row, though of the length of one, or of none.
static void strangers() {
    for (const auto& row : aten::registry::table) {
        for (std::size_t i = 0; i < row.name.size(); ++i) {
            std::string name(row.name);
            name[i] = '%';
            check(!find_op(aten::registry::table, name).exists(), name);
        }
        check(!find_op(aten::registry::table, row.name.substr(1)).exists(), row.name);
    }
    check(!find_op(aten::registry::table, "").exists() && !find_op({}, "aten.mm.default").exists());
    check(!find_op(aten::registry::table, std::string(300, 'a')).exists());
}

static void sorts() {
    std::mt19937 random(11);
    for (int size = 0; size < 80; ++size) {
        std::vector<int> numbers(static_cast<std::size_t>(size));
        for (auto& n : numbers) n = static_cast<int>(random() % 20);
        auto expected = numbers;
        std::sort(expected.begin(), expected.end());
        heap_sort(numbers.data(), size, [](int a, int b) { return a < b; });
        check(numbers == expected);
    }
}

static void indexes() {
    std::mt19937 random(5);
    std::vector<std::string> names;
    std::set<std::string> seen;
    name_index index;
    const auto name_at = [&](std::size_t i) -> std::string_view { return names[i]; };
    check(index.find("", name_at) == name_index::none);
    for (int round = 0; round < 3000; ++round) {
        const auto name = "n" + std::to_string(random() % 1000);
        const auto place = index.find(name, name_at);
        check((place == name_index::none) == seen.insert(name).second);
        if (place != name_index::none) {
            check_equal(names[place], name);
            continue;
        }
        names.push_back(name);
        index.insert(name, names.size() - 1);
    }
    for (std::size_t i = 0; i < names.size(); ++i) check(index.find(names[i], name_at) == i);
}

int main() {
    check(finds_every_row<aten::registry>());
    check(finds_every_row<device::registry>());
    strangers();
    sorts();
    indexes();
    return report();
}
