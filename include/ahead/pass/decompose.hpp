// SPDX-License-Identifier: MIT
// Decompositions: one call becomes an expression of other operators. Written as an expression of handles, with operands
// named as in the schema,
//     struct my_softplus {
//         using op = my::softplus;
//         static constexpr auto decomposition = [](any<"self"> x, any<"beta"> beta) {
//             return div(log1p(exp(mul(x, beta))), beta);
//         };
//         // if it has a condition
//         static constexpr bool when(const call_view& call) { return call.tensor(op::at::self).type == dtype::f32; }
//     };
// (pass/written_decomposition.hpp), or, where shapes decide what is written, as a function that makes at most
// `most_calls` calls, a number or a function of the call: `static constexpr void decompose(decompose_context&)`.
// Law: the replacement has as many results as the call, with the same dtypes and sizes; all other calls stay. The calls
// that a decomposition makes are not decomposed again. Source: torch's decompositions, which TorchAir takes as
// custom_decompositions.
#pragma once
#include <ahead/ir/check_dtypes.hpp>
#include <ahead/ir/operator_map.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/decompose_context.hpp>
#include <ahead/pass/pipeline.hpp>

namespace AHEAD_NAMESPACE::detail {

constexpr bool takes_every(const call_view&) { return true; }
template <class D> constexpr bool takes_when(const call_view& call) { return D::when(call); }
template <std::int32_t Calls> constexpr std::int32_t always(const call_view&) { return Calls; }
template <class D> constexpr std::int32_t calls_for(const call_view& call) { return D::most_calls(call); }
/// Whether D, a decomposition, takes a call of D::op, and the most calls that D makes of it. Functions of D are used
/// only where D has them, because each one costs compile time.
template <class D> inline constexpr auto takes_of = &takes_every;
template <class D>
    requires requires(const call_view& call) { D::when(call); }
inline constexpr auto takes_of<D> = &takes_when<D>;
template <class D> inline constexpr auto most_calls_of = &always<D::most_calls>;
template <class D>
    requires requires(const call_view& call) { D::most_calls(call); }
inline constexpr auto most_calls_of<D> = &calls_for<D>;
/// Whether D takes only calls that give complex numbers: a real mm or bmm is then not tested any further.
template <class D> inline constexpr bool is_of_complex = requires { requires D::is_of_complex; };
/// Whether the rounding of intermediate results decides the result: f16 and bf16 are then not widened.
template <class D> inline constexpr bool computes_in_dtype = requires { requires D::computes_in_dtype; };
/// Which calls a decomposition takes. The functions depend on D alone: a name that contains the list of all
/// decompositions would be expensive to compile.
struct decomposition_row {
    std::string_view op;
    bool takes_any_dtype, is_of_complex, computes_in_dtype;
    bool (*takes)(const call_view&);
    std::int32_t (*most_calls)(const call_view&);
};
template <class D>
inline constexpr decomposition_row decomposition_row_of{
    D::op::name, takes_any_dtype<D>, is_of_complex<D>, computes_in_dtype<D>, takes_of<D>, most_calls_of<D>};

/// Which calls are decomposed, and by which decomposition. Built-in ones do not take f16 and bf16, which would be
/// rounded once more in every part, nor other dtypes without kernels, unless they declare that they take any dtype.
class decomposed_calls {
public:
    constexpr decomposed_calls(array_view<const decomposition_row> rows, bool built_in, op_table ops)
        : rows_(rows), built_in_(built_in), by_(rows, ops), behind_(static_cast<std::int64_t>(rows.size())),
          ops_(ops) {}
    /// The first node from `n` on whose operator has a decomposition; none if there is none.
    constexpr node_id next(graph_view g, node_id n) { return by_.next(g, n); }
    /// Calls f(index of the row, call_view) for the first decomposition of the call's operator that takes the call;
    /// false if there is none.
    template <class F> constexpr bool with(graph_view g, node_id n, diagnosis& d, F f) {
        if (g[n].kind != node_kind::call || !g[n].op.exists()) return false;
        auto place = by_.of(g[n]);
        if (!gives_complex(g, g[n]))
            while (place >= 0 && rows_[static_cast<std::size_t>(place)].is_of_complex) place = row_behind(place);
        if (place < 0) return false;
        const bool is_rare = built_in_ && has_rare_dtype(g, g[n]);
        bound_arguments bound;
        if (!bind_arguments(g, n, ops_[static_cast<std::size_t>(g[n].op.index)], bound, d)) return false;
        const call_view call(g, n, bound, d);
        for (; place >= 0; place = row_behind(place)) {
            const auto at = static_cast<std::size_t>(place);
            if ((is_rare && !rows_[at].takes_any_dtype) || !rows_[at].takes(call)) continue;
            f(at, call);
            return true;
        }
        return false;
    }

private:
    static constexpr bool gives_complex(graph_view g, const node& n) {
        return n.values.count > 0 && is_complex(g[n.values[0]].type.type);
    }
    /// The index of the next row of the same operator, cached; -1: none.
    constexpr std::int32_t row_behind(std::int32_t place) {
        auto& known = behind_[place];
        if (known == 0) {
            known = -1;
            const auto* rows = rows_.data();
            const auto count = static_cast<std::int32_t>(rows_.size());
            const auto op = rows[place].op;
            const auto length = op.size();
            for (auto i = place + 1; i < count && known < 0; ++i)
                if (rows[i].op.size() == length && same_name(rows[i].op, op)) known = static_cast<std::int16_t>(i + 1);
        }
        return known < 0 ? -1 : known - 1;
    }

    array_view<const decomposition_row> rows_;
    bool built_in_;
    operator_map<decomposition_row> by_;
    fixed_buffer<std::int16_t> behind_; // by row: index + 1; -1: none
    op_table ops_;
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::pass {

/// A user's decompositions: one sweep, in which the first one that takes a call replaces it. Each has `most_calls`, the
/// most calls that it makes.
template <bool BuiltIn, class... D> struct decompositions_pass {
    static constexpr bool applies(graph_view g, op_table ops) {
        auto known = among(ops);
        diagnosis d;
        for (auto n = known.next(g, g.first()); n.exists(); n = known.next(g, g[n].next))
            if (known.with(g, n, d, [](std::size_t, const call_view&) {})) return true;
        return false;
    }
    /// The capacity that the pass may add to a graph.
    static constexpr capacity growth(graph_view g, op_table ops) {
        auto known = among(ops);
        diagnosis d;
        std::int32_t calls = 0;
        for (auto n = known.next(g, g.first()); n.exists(); n = known.next(g, g[n].next))
            known.with(g, n, d, [&](std::size_t which, const call_view& call) {
                calls += rows[which].most_calls(call);
                const auto parameters = ops[static_cast<std::size_t>(g[n].op.index)].schema.size();
                for (std::size_t place = 0; place < parameters; ++place)
                    calls += call.list_size(static_cast<int>(place));
            });
        return {calls, 8 * calls, 3 * calls};
    }
    constexpr void operator()(graph_editor& g, const config&) const {
        auto known = among(g.operators());
        for (node_id n : g) {
            if (!g.ok()) return;
            known.with(g.view(), n, g.faults(), [&](std::size_t which, const call_view& call) {
                decompose_context c(call, g);
                write(which, c);
                if (g.ok()) c.replace();
            });
        }
    }

private:
    static constexpr std::array<ahead::detail::decomposition_row, sizeof...(D)> rows{
        ahead::detail::decomposition_row_of<D>...};

public:
    static constexpr array_view<const ahead::detail::decomposition_row> table{rows};

private:
    static constexpr ahead::detail::decomposed_calls among(op_table ops) { return {rows, BuiltIn, ops}; }
    /// Called rather than stored in the rows, so that unused decompositions are not instantiated.
    static constexpr void write(std::size_t which, decompose_context& c) {
        std::size_t place = 0;
        static_cast<void>(((place++ == which && (D::decompose(c), true)) || ...));
    }
};

template <class... D> struct custom_decompositions_pass : decompositions_pass<false, D...> {
    static constexpr std::string_view name = "custom_decompositions";
};

/// The built-in decompositions, which can be switched off.
template <class... D> struct builtin_decompositions_pass : decompositions_pass<true, D...> {
    static constexpr std::string_view name = "decompose";
    static constexpr toggle config::* option = &config::decompose;
};

/// A list of decompositions; if several take a call, the first one is used.
template <class... D> struct decomposition_list {
    using builtin_pass = builtin_decompositions_pass<D...>;
    /// An empty pipeline for an empty list.
    static constexpr auto as_custom() {
        if constexpr (sizeof...(D) == 0) return pipeline<>{};
        else return custom_decompositions_pass<D...>{};
    }
};

} // namespace ahead::pass
