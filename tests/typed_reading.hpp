// A text, read and typed, in pools of the test's own size; and what passes leave of it.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/pass/pipeline.hpp>
#include <ahead/print/fx/print_fx.hpp>
#include <concepts>
#include <string>

namespace test {

template <ahead::capacity Capacity>
struct typed_reading {
    ahead::ir::graph_storage<Capacity> storage;
    ahead::frontend::fx_style style;
    ahead::diagnosis error;
    constexpr explicit typed_reading(std::string_view text) {
        const auto& op_rows = ahead::aten::registry::table;
        ahead::frontend::read_fx(text, op_rows, storage.edit(), style, error) && ahead::ir::infer_types(storage.edit(), op_rows, error);
    }
    template <std::same_as<std::string> Text>
    explicit typed_reading(Text&&) = delete; // the graph's names are views of the text
};

// What is left of a text after the passes, printed in its own form; the name of the fault where they are refused.
template <class Reading, class Pipeline>
constexpr auto listing_after(Pipeline passes, std::string_view text, const ahead::config& options = {}) {
    ahead::printers::text_buffer<4096> out;
    Reading r(text);
    if (r.error.ok()) ahead::pass::run(passes, options, r.storage.edit(), ahead::aten::registry::table, r.error);
    r.style.types = ahead::frontend::fx_types::inferred;
    if (r.error.ok())
        ahead::print_fx(r.storage.view(), r.style, out);
    else
        out.append(ahead::printers::name_of(r.error.what));
    return out;
}

} // namespace test
