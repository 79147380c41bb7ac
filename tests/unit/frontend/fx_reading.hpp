// A text, read by three operators without schemas, and whether it is printed as it was or refused: shared by the tests
// of the reader.
// SPDX-License-Identifier: MIT
#pragma once
#include "refusal.hpp"

#include <ahead/frontend/fx/fx.hpp>
#include <ahead/print/fx/print_fx.hpp>

#include <string_view>

namespace test::fx_reading {

using namespace ahead;
using namespace ahead::rooms;

inline constexpr op_row rows[] = {{.name = "aten.add.Tensor", .schema = {}, .effect = {}}, {.name = "aten.mm.default", .schema = {}, .effect = {}},
                           {.name = "operator.getitem", .schema = {}, .effect = {}}};
inline constexpr op_table op_rows = rows;
using pools = graph_storage<capacity{48, 160, 0}>;

struct reading {
    pools storage;
    fx_style style;
    diagnosis error;
    constexpr explicit reading(std::string_view text) { read_fx(text, op_rows, storage.edit(), style, error); }
    constexpr graph_view view() const { return storage.view(); }
    constexpr const node& operator[](std::int32_t i) const { return storage.nodes[static_cast<std::size_t>(i)]; }
    constexpr const argument& argument_of(std::int32_t n, std::int32_t i) const { return view().argument_of((*this)[n], i); }
};

// print(parse(text)) == text, and the counts suffice.
inline constexpr bool prints_back(std::string_view text) {
    const reading r(text);
    if (!r.error.ok()) return false;
    text_buffer<4096> printed;
    print_fx(r.view(), r.style, printed);
    const auto counted = count_fx(text);
    const auto used = r.storage.header.used;
    return printed.view() == text && printed.lost == 0 && used.nodes <= counted.nodes && used.arguments <= counted.arguments;
}

inline constexpr bool refuses(std::string_view text, fault what, std::int32_t line, std::string_view found) {
    const reading r(text);
    return is_refused(r.error, {.what = what, .line = line, .found = found}) && r.error.expected.length > 0;
}

} // namespace test::fx_reading
