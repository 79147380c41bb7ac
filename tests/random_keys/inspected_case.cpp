// SPDX-License-Identifier: MIT
#include "inspected_case.hpp"

#include <ahead/core/fault_names.hpp>

namespace test {

using namespace ahead;
using namespace ahead::rooms;
using namespace ahead::device;
namespace device = ahead::device; // and not ahead::machine::device

namespace {

compile::inspected_graph inspect(const random_case& written, std::string_view text) {
    std::vector<fx_input> inputs;
    for (const auto& i : written.inputs)
        if (i.is_weight) inputs.push_back({i.name, i.name});
    return inspect_fx(text, toolchain<>::options, inputs);
}

/// Adds to the counts what a call's key says.
struct way_reader {
    way_counts& to;
    const call_view& c;
    std::string_view op;

    void is(bool taken, const std::string& way) const {
        if (taken) ++to.ways[way];
    }
    void tail(std::int64_t n) const {
        if (n > 0) to.tails.insert(n % 16);
    }
    template <class Op> bool of(auto f) const {
        if (op == Op::name) f(Op::key(c));
        return op == Op::name;
    }
    template <class Op> void after() const { is(Op::has_epilogue(c), "followed by steps"); }

    void product(const matmul_key& k) const {
        tail(k.n);
        if (k.m == 0 || k.n == 0) return is(true, "empty");
        const bool is_real = is_floating(k.type);
        is(k.k == 0, "of no terms");
        is(k.bias, "bias");
        is(is_half(k.type), "of halves");
        is(!is_real && k.type != dtype::i8, "of integers");
        is(is_real && k.packed && is_dot_product(k), "packed dot products");
        is(is_real && k.packed && !is_dot_product(k), "packed panels");
        is(is_real && copies_panels(k), "panels on the fly");
        is(is_real && !k.packed && !copies_panels(k) && k.b_col == 1, "rows in place");
        is(is_real && !k.packed && !copies_panels(k) && k.b_col != 1, "dot products in place");
        is(k.a_col != 1, "strided rows");
        is(k.m > rows_of_a_tile, "several tiles of rows");
    }
    void read_products() const {
        of<device::matmul>([&](const auto& k) { product(k), after<device::matmul>(); });
        of<device::batch_matmul>([&](const auto& k) {
            product(k.product);
            is(k.batch > 1, "batch");
            is(k.batch == 0, "empty");
            is(k.batch > 1 && (k.a_step == 0 || k.b_step == 0), "one for all of a batch");
        });
        of<device::int_matmul>([&](const auto& k) { tail(k.n), is(k.packed, "of bytes, packed"), is(!k.packed, "of bytes, in place"); });
        of<device::pack_matmul>([&](const auto&) { is(true, "packing"); });
        of<device::attention>([&](const auto& k) {
            tail(k.scores.product.n);
            is(true, "attention");
            is(!k.mask.given, "no mask");
            is(k.mask.given && k.mask.column == 1, "a mask");
            is(k.mask.given && k.mask.row == 0, "a mask of columns");
            is(k.scores.product.m > rows_of_attention, "several blocks of rows");
            is(packed_once(k.scores.product).packed, "scores packed once");
            is(packed_once(k.values.product).packed, "values packed once");
            is(k.factor != score_factor::none, "a factor");
            is(k.safe, "safe");
        });
        of<device::convolution>([&](const auto& key) {
            const auto k = with_rows_merged(key);
            tail(out_w(k));
            if (k.batch == 0 || k.out_channels == 0 || out_pixels(k) == 0) return is(true, "empty");
            const char* names[] = {"product", "channels in lanes", "tiny map", "pixels in lanes", "winograd", "winograd of small maps"};
            is(true, names[static_cast<int>(algorithm_of(k))]);
            is(k.groups > 1 && channels_per_group(k) == 1, "depthwise");
            is(k.groups > 1 && channels_per_group(k) > 1, "groups");
            is(k.dilation_h > 1 || k.dilation_w > 1, "dilation");
            is(k.stride_w > 1, "stride");
            is(k.pad_h > 0 || k.pad_w > 0, "padding");
            is(k.bias, "bias");
            is(k.type == dtype::f64, "f64");
            after<device::convolution>();
        });
    }
    void read_rows() const {
        of<device::softmax>([&](const auto& k) { tail(k.count), is(true, k.logarithm ? "log softmax" : k.safe ? "safe softmax" : "softmax"), is(k.rows * k.count == 0, "empty"); });
        of<device::layer_norm>([&](const auto& k) { tail(k.count), is(true, "layer norm"), is(k.statistics, "layer norm with its moments"); });
        of<device::fused_rows>([&](const auto& k) { tail(k.count), is(true, "rows in phases"); });
        of<device::reduce>([&](const auto& k) {
            const auto kept = merged(k.kept), reduced = merged(k.reduced);
            const bool numbers = k.type != dtype::b8;
            if (kept.elements() == 0) return is(true, "empty");
            if (reduced.elements() == 0) return is(true, "of no elements");
            const bool along = numbers && is_contiguous_inside(reduced) && innermost(reduced) >= 8;
            const bool across = !along && numbers && is_contiguous_inside(kept) && innermost(kept) >= 8;
            tail(along ? innermost(reduced) : innermost(kept));
            is(along, "along rows"), is(across, "columns side by side"), is(!along && !across, "one by one");
            for (const auto& [kind, name] : {std::pair{reduction::sum, "sum"}, {reduction::mean, "mean"}, {reduction::largest, "largest"}, {reduction::smallest, "smallest"}, {reduction::product, "products"}})
                is(k.kind == kind, name);
            is(!is_floating(k.type), "of integers");
        });
        of<device::cumulate>([&](const auto& k) {
            tail(k.inner == 1 ? k.count : k.inner);
            is(k.outer * k.count * k.inner == 0, "empty");
            is(k.kind == reduction::sum, "sums so far"), is(k.kind == reduction::product, "products so far"), is(gives_places(k), "extremes so far");
            is(k.inner == 1 && k.outer >= 4, "so far, rows together"), is(k.inner >= 32, "so far, columns in vectors"), is(k.inner > 1 && k.inner < 32, "so far, columns one by one");
        });
        of<device::random>([&](const auto& k) {
            tail(k.count);
            const char* names[] = {"uniform numbers", "normal numbers", "random integers"};
            is(true, names[static_cast<int>(k.kind)]);
        });
        of<device::sort>([&](const auto& k) {
            tail(k.count);
            const char* names[] = {"in order", "selected", "first in order", "the middle", "the middle of numbers", "the most frequent"};
            is(true, k.kept < k.count && k.kind == ordering::all ? "one of all in order" : names[static_cast<int>(k.kind)]);
        });
        of<device::search>([&](const auto& k) {
            tail(k.each);
            is(k.lines > 1, "places in lines"), is(k.lines == 1, "places in a line"), is(k.right, "places behind"), is(!k.right, "places before");
        });
        of<device::arg_reduce>([&](const auto& k) {
            tail(k.inner == 1 ? k.count : k.inner);
            is(k.outer * k.inner == 0, "empty");
            is(k.values, "with the elements");
            is(k.largest, "largest"), is(!k.largest, "smallest");
            is(k.inner == 1 && k.count >= 256, "blocks of a long row"), is(k.inner == 1 && k.count < 256, "short rows"), is(k.inner > 1, "columns");
        });
    }
    void read_windows() const {
        of<device::max_pool2d>([&](const auto& k) {
            tail(k.out_w);
            is(k.indices, "with places"), is(!k.indices && takes_pairs(k), "pairs"), is(!k.indices && !takes_pairs(k), "sliding");
            is(k.pad_h + k.pad_w > 0, "padding"), is(k.dilation_h * k.dilation_w > 1, "dilation"), is(!is_floating(k.type), "of integers");
        });
        of<device::average_pool2d>([&](const auto& k) {
            tail(k.columns.out);
            is(k.columns.kernel == 0, "adaptive"), is(k.columns.kernel > 0, "average"), is(k.divisor != 0, "a divisor"), is(k.counts_padding, "padding counted");
        });
        of<device::pad>([&](const auto& k) {
            const char* names[] = {"constant border", "mirrored border", "border of the edge"};
            is(true, names[static_cast<int>(k.mode)]);
            for (std::size_t d = 0; d < static_cast<std::size_t>(k.rank); ++d)
                if (k.before[d] < 0 || k.out[d] < k.in[d] + k.before[d]) return is(true, "cut off");
        });
    }
    void strided(const auto& loop) const {
        tail(innermost(loop));
        is(loop.elements() == 0, "empty");
        is(loop.rank == 0, "one element");
        is(loop.rank == 1, "one loop"), is(loop.rank == 2, "two loops"), is(loop.rank > 2, "more loops");
        for (std::size_t t = 1; loop.rank > 0 && t <= static_cast<std::size_t>(loop.operands); ++t) {
            const auto step = loop.strides[t][static_cast<std::size_t>(loop.rank - 1)];
            is(step == 0, "spread"), is(step == 1, "side by side"), is(step > 1, "with gaps");
        }
    }
    void read_loops() const {
        of<device::copy>([&](const auto& k) { is(true, "copy"), strided(k); });
        of<device::cast>([&](const auto& k) { is(true, "cast"), strided(k); });
        of<device::fused>([&](const auto& k) { is(true, "fused"), is(k.results != 0, "fused, of several results"), is(k.loop.types[0] == dtype::f64, "f64"), strided(k.loop); });
        of<device::concat>([&](const auto& k) {
            is(true, "concat");
            for (std::int32_t p = 0; p < k.count; ++p) strided(k.parts[static_cast<std::size_t>(p)].loop);
        });
        of<device::gather>([&](const auto& k) { is(true, "gather"), indexed(k); });
        of<device::scatter>([&](const auto& k) { 
            const char* names[] = {"scatter", "scatter, summed", "scatter, multiplied", "scatter, the largest", "scatter, the smallest", "scatter, a mean"};
            is(true, names[static_cast<int>(k.put)]), is(k.replaces, "scatter, without what was there"), indexed(k.places);
        });
        of<device::index_select>([&](const auto& k) { is(true, "rows by number"), is(k.count * k.outer == 0, "empty"), is(k.index == dtype::i32, "i32 indices"); });
    }
    void indexed(const indexed_key& k) const {
        is(k.indices > 1, "several indices"), is(k.wraps, "from the end");
        is(k.loop.elements() == 0, "empty");
        is(dims_of_slice(k.loop) > 0, "slices"), is(dims_of_slice(k.loop) == 0, "single elements");
        tail(innermost(k.loop));
    }
};

/// What the ways of one operator are read by: of a device::pointwise its key is read as well.
struct pointwise_maker {
    template <class Op> static void read(const way_reader& to) {
        if constexpr (requires { { Op::key(to.c) } -> std::same_as<pointwise_key>; }) {
            const auto k = Op::key(to.c);
            to.is(true, "pointwise"), to.is(is_half(k.computed), "of halves"), to.is(!is_floating(k.computed), "of integers");
            to.is(k.loop.types[0] == dtype::b8, "to b8");
            to.strided(k.loop);
        }
    }
    template <class Op> static constexpr void (*of)(const way_reader&) = &read<Op>;
};

} // namespace

inspected_case::inspected_case(const family& of, std::uint64_t seed) : name(of.name), written(seed), text((of.write(written), written.text())), made(inspect(written, text)) {}

std::string inspected_case::why_not() const {
    if (!made.error.ok()) return "refused: " + std::string(name_of(made.error.what));
    std::string out;
    bool has_kernel = false;
    for_each_task([&](node_id id) {
        const auto& n = graph()[id];
        if (made.needs[static_cast<std::size_t>(id.index)].on_ai_cpu) out = "on the AI CPU: " + std::string(n.target);
        if (n.values.count == 0 || graph().value_of(id).storage != n.values[0]) out = "written in place: " + std::string(n.target);
        has_kernel = true;
    });
    if (out.empty() && !written.way.empty()) {
        way_counts taken;
        taken.add(*this);
        auto& ways = taken.ways;
        if (ways[std::string(written.way)] == 0 || ways["pointwise"] > 0 || (written.way != "fused" && ways["fused"] > 0)) return "a step stays apart";
    }
    return out.empty() && !has_kernel ? "views alone" : out;
}

void way_counts::add(const inspected_case& of) {
    const auto g = of.graph();
    of.for_each_task([&](node_id id) {
        const auto row = static_cast<std::size_t>(g[id].op.index);
        diagnosis d;
        const typed_call c(g, id, device_registry::table, d);
        const way_reader read{*this, c, g[id].target};
        read.read_products(), read.read_rows(), read.read_windows(), read.read_loops();
        device_registry::template rows_of<pointwise_maker>[row](read);
    });
}

std::vector<std::string> way_counts::of_family(std::string_view name) {
    if (name == "product")
        return {"packed panels", "packed dot products", "panels on the fly", "rows in place", "dot products in place", "of halves", "of integers", "of bytes, packed", "of bytes, in place",
                "packing", "bias", "batch", "strided rows", "several tiles of rows", "followed by steps", "empty", "of no terms"};
    if (name == "convolution")
        return {"product", "channels in lanes", "tiny map", "pixels in lanes", "winograd", "depthwise", "groups", "dilation", "stride", "padding", "bias", "f64", "followed by steps", "empty"};
    if (name == "pool") return {"with places", "pairs", "sliding", "adaptive", "average", "a divisor", "padding counted", "padding", "dilation", "of integers"};
    if (name == "rows")
        return {"softmax", "log softmax", "layer norm", "layer norm with its moments", "rows in phases", "along rows", "columns side by side", "one by one", "sum", "mean", "largest",
                "smallest", "products", "of integers", "empty"};
    if (name == "copy")
        return {"copy", "cast", "concat", "constant border", "mirrored border", "border of the edge", "cut off", "spread", "side by side", "with gaps", "more loops", "one element", "empty"};
    if (name == "pointwise")
        return {"pointwise", "fused", "fused, of several results", "of halves", "of integers", "to b8", "f64", "spread", "with gaps", "one loop", "two loops", "more loops", "one element", "empty", "in place"};
    if (name == "index") return {"gather", "scatter", "scatter, summed", "scatter, multiplied", "scatter, the largest", "scatter, the smallest", "scatter, a mean", "scatter, without what was there",
                "rows by number", "several indices", "from the end", "slices", "single elements", "i32 indices", "in place", "empty"};
    if (name == "scan")
        return {"sums so far", "products so far", "extremes so far", "so far, rows together", "so far, columns in vectors", "so far, columns one by one", "largest", "smallest", "with the elements", "blocks of a long row",
                "short rows", "columns", "uniform numbers", "normal numbers", "random integers", "in order", "one of all in order",
                "the middle", "the middle of numbers", "the most frequent", "places in lines", "places in a line", "places behind", "places before", "in place", "empty"};
    return {"no mask", "a mask", "a mask of columns", "several blocks of rows", "scores packed once", "values packed once", "a factor", "safe", "batch"};
}

} // namespace test
