// SPDX-License-Identifier: MIT
// A product, a softmax of its result, and a product of the softmax become npu.attention: the scores, a factor, an added
// mask and the softmax are part of one task, which runs by blocks of rows.
// Law: the bits are those of the separate calls (device/product/attention.hpp), except that a decomposed softmax is
// normalised as in npu.softmax, by a product with 1 / sum. Runs after fuse_reductions. The calls in between have no
// other readers; all of them are as constant as the last product, and on its stream in its segment. Products with so
// few rows or columns that they are summed in another order stay separate.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/device/fused.hpp>
#include <ahead/device/fused_rows.hpp>
#include <ahead/device/product/attention.hpp>
#include <ahead/device/view.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/device/pointwise_program.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

class attention_fuser {
public:
    constexpr explicit attention_fuser(graph_editor& g)
        : g_(g), view_(g.view()), views_(find_op<device::view>(g.operators())),
          fused_(find_op<device::fused>(g.operators())), product_(find_op<device::batch_matmul>(g.operators())),
          softmax_(find_op<device::softmax>(g.operators())), rows_(find_op<device::fused_rows>(g.operators())),
          attention_(find_op<device::attention>(g.operators())), streams_(view_) {}

    constexpr void run() {
        for (node_id id : calls_of(view_, product_))
            if (g_.ok() && find(id)) write(id);
    }

private:
    using code = device::fused_step_code;
    static constexpr std::int64_t fewest_rows = 8, fewest_columns = 16;
    static constexpr int most_between = 12;

    graph_editor& g_;
    graph_view view_;
    op_id views_, fused_, product_, softmax_, rows_, attention_;
    air::stream_map streams_;
    // The match.
    node_id between_[most_between]{}; // calls to be erased, the last one first
    int between_count_ = 0;
    node_id scores_;
    device::score_factor factor_ = device::score_factor::none;
    double number_ = 1;
    pointwise_operand mask_;
    device::mask_reading reading_;
    bool is_safe_ = false; // a fully masked row gives zeros

    static constexpr double number_at(const pointwise_program& steps, int what) {
        if (what < code::first_constant) return what == code::one ? 1 : std::numeric_limits<double>::quiet_NaN();
        const auto& constant = steps.constant_at[what - code::first_constant];
        return constant.kind == argument_kind::real ? std::bit_cast<double>(constant.bits)
                                                    : static_cast<double>(constant.bits);
    }
    /// Applies one step to `now`: first a factor, then a mask, which read_mask reads. Defined before its callers,
    /// because clang needs templates first.
    constexpr bool adjust_one(const code& step, const pointwise_program& steps, int now, auto read_mask) {
        const auto name = g_.operators().data()[step.op().index].name;
        const auto other = step.what(step.what(0) == now ? 1 : 0);
        if (step.what(0) != now && step.what(1) != now) return false;
        if (name == "npu.add.Tensor")
            return step.what(2) == code::one && !reading_.given && other >= code::first_operand &&
                   other < code::first_step && other != now && read_mask(other - code::first_operand);
        const bool times = name == "npu.mul.Tensor";
        if (!times && (name != "npu.div.Tensor" || step.what(0) != now)) return false;
        if (reading_.given || factor_ != device::score_factor::none || other < code::first_constant) return false;
        number_ = number_at(steps, other);
        factor_ = times ? device::score_factor::times : device::score_factor::over;
        return true;
    }
    /// The call that computes argument i of `reader`, looking through views of the whole; none if a call in between has
    /// other readers.
    constexpr node_id back(node_id reader, std::int32_t i, node_id last) {
        for (auto id = g_.operand(reader, i); id.exists(); id = g_.operand(id, 0)) {
            const auto& n = view_[id];
            if (n.kind != node_kind::call || n.use_count != 1 || n.values.count != 1 ||
                n.constant != view_[last].constant || !streams_.together(id, last) || between_count_ == most_between)
                return {};
            between_[between_count_++] = id;
            const auto& type = g_.type_of(id);
            if (!is_contiguous(type) || type.offset != 0) return {};
            if (n.op != views_) return id;
            if (element_count(g_.type_of(g_.operand(id, 0))) != element_count(type)) return {};
        }
        return {};
    }
    /// Resets the adjustments of the scores.
    constexpr void begin() {
        factor_ = device::score_factor::none;
        number_ = 1;
        mask_ = {};
        reading_ = {};
        is_safe_ = false;
    }
    /// Whether the product reads a softmax of scores whose adjustments an attention can do.
    constexpr bool find(node_id last) {
        between_count_ = 0;
        begin();
        const auto& a = g_.type_of(g_.operand(last, device::batch_matmul::at::a));
        const auto& values = g_.type_of(g_.operand(last, device::batch_matmul::at::b));
        if (!is_floating(a.type) || is_half(a.type) || a.size(1) < fewest_rows || a.size(2) < fewest_columns ||
            values.size(2) < device::fewest_panel_columns)
            return false;
        const auto softmax = back(last, device::batch_matmul::at::a, last);
        if (!softmax.exists()) return false;
        const bool found =
            view_[softmax].op == softmax_
                ? is_softmax(softmax, a) && find_scores(back(softmax, device::softmax::at::x, last), last, a)
                : view_[softmax].op == rows_ && find_written_out(softmax, last, a);
        return found && g_.type_of(scores_) == tensor_of(a.type, sizes_of(a));
    }
    constexpr bool is_softmax(node_id at, const tensor_type& scores) const {
        return g_.argument_of(at, device::softmax::at::count).integer() == scores.size(2) &&
               !g_.argument_of(at, device::softmax::at::log).boolean();
    }
    /// The same for a decomposed softmax, with its adjustments of the scores, in npu.fused_rows.
    constexpr bool find_written_out(node_id at, node_id last, const tensor_type& scores) {
        using of = device::fused_rows::at;
        if (g_.argument_of(at, of::count).integer() != scores.size(2) ||
            g_.argument_of(at, of::rows).integer() != scores.size(0) * scores.size(1))
            return false;
        pointwise_program steps;
        auto program = std::int32_t{of::a0}; // the argument after the operands
        for (; g_.argument_of(at, program).kind == argument_kind::node; ++program)
            steps.operand[steps.operands++] = {g_.argument_of(at, program).node().index,
                                               g_.argument_of(at, program).result};
        if (program + 1 != view_[at].arguments.count) return false; // several results
        steps.read(view_, g_.argument_of(at, program));
        const auto before = between_count_;
        for (std::int32_t k = 0; k < steps.operands; ++k) {
            between_count_ = before;
            begin();
            if (find_scores(back(at, of::a0 + k, last), last, scores)) return take_softmax(at, steps, k, scores);
        }
        return false;
    }
    /// Matches all steps as a softmax of operand k: adjusted scores, minus their maximum, exponentials, divided by
    /// their sum; the maximum may be clamped to the lowest finite number, and the sum to at least 1.
    constexpr bool take_softmax(node_id at, const pointwise_program& steps, std::int32_t k, const tensor_type& scores) {
        using of = device::fused_rows::at;
        enum { adjusting, less_largest, powers, sum, share, done } next = adjusting;
        const auto reductions = g_.argument_of(at, of::reductions).integer(),
                   wide = g_.argument_of(at, of::wide).integer();
        if ((wide >> k & 1) == 0) return false;
        int now = code::first_operand + k, row = -1; // the value of the next step; the reduced value
        for (std::int32_t s = 0; s < steps.steps; ++s) {
            const auto& step = steps.codes[s];
            const auto name = g_.operators().data()[step.op().index].name;
            const int made = code::first_step + s;
            const bool reads_both = step.what(0) == now && step.what(1) == row;
            if ((reductions >> s & 1) != 0) {
                const auto kind = static_cast<device::reduction>(number_at(steps, step.what(1)));
                if (step.what(0) != now ||
                    kind != (next == adjusting ? device::reduction::largest : device::reduction::sum) ||
                    (next != adjusting && next != sum))
                    return false;
                row = made;
                next = next == adjusting ? less_largest : share;
            } else if (next == adjusting) {
                const auto rows_of = [&](int i) {
                    return (wide >> i & 1) != 0 && read_mask_of_rows(steps.operand[i], scores);
                };
                if (!adjust_one(step, steps, now, rows_of)) return false;
                now = made;
            } else if (name == "npu.clamp_min.default" && step.what(0) == row) {
                const auto least = number_at(steps, step.what(1));
                if (next == less_largest
                        ? least != (scores.type == dtype::f64 ? std::numeric_limits<double>::lowest()
                                                              : double{std::numeric_limits<float>::lowest()})
                        : least != 1)
                    return false;
                is_safe_ = true;
                row = made;
            } else if (next == less_largest && name == "npu.sub.Tensor" && reads_both && step.what(2) == code::one) {
                now = made;
                next = powers;
            } else if (next == powers && name == "npu.exp.default" && step.what(0) == now) {
                now = made;
                next = sum;
            } else if (next == share && name == "npu.div.Tensor" && reads_both) {
                next = done;
            } else {
                return false;
            }
        }
        return next == done;
    }
    /// From the operand of the softmax back to the product: at most a factor, then a mask.
    constexpr bool find_scores(node_id at, node_id last, const tensor_type& scores) {
        if (!at.exists()) return false;
        if (view_[at].op == product_) {
            scores_ = at;
            return true;
        }
        if (view_[at].op != fused_ && !is_elementwise_device_call(view_, g_.operators().data(), view_[at]))
            return false;
        pointwise_program steps;
        steps.read_call(view_, g_.operators(), at, fused_);
        const auto before = between_count_;
        for (std::int32_t k = 0; k < steps.operands; ++k) {
            between_count_ = before;
            begin();
            if (find_scores(back(at, place_of(at, steps.operand[k]), last), last, scores))
                return adjust(at, steps, k, scores);
        }
        return false;
    }
    /// The index of the argument that is this operand.
    constexpr std::int32_t place_of(node_id at, const pointwise_operand& operand) const {
        for (std::int32_t i = 0; i < view_[at].arguments.count; ++i)
            if (const auto& a = g_.argument_of(at, i);
                a.kind == argument_kind::node && a.bits == operand.node && a.result == operand.result)
                return i;
        return view_[at].arguments.count;
    }
    /// Matches the steps of a call as adjustments of the scores, its operand k.
    constexpr bool adjust(node_id at, const pointwise_program& steps, std::int32_t k, const tensor_type& scores) {
        const auto& type = g_.type_of(at);
        if (type.rank < 2 || type.size(type.rank - 1) != scores.size(2) || type.size(type.rank - 2) != scores.size(1) ||
            !(type == g_.type_of({steps.operand[k].node}, steps.operand[k].result)))
            return false;
        int now = code::first_operand + k;
        for (std::int32_t s = 0; s < steps.steps; now = code::first_step + s++)
            if (!adjust_one(steps.codes[s], steps, now, [&](int i) { return read_mask(steps.operand[i], type); }))
                return false;
        return true;
    }
    /// The mask as npu.fused_rows reads it: one row for all, or matrices that repeat cyclically.
    constexpr bool read_mask_of_rows(const pointwise_operand& mask, const tensor_type& scores) {
        const auto m = scores.size(1), n = scores.size(2),
                   rows = element_count(g_.type_of({mask.node}, mask.result)) / n;
        if (rows != 1 && rows % m != 0) return false;
        reading_ = {true, 1, rows == 1 ? 1 : rows / m, rows > m ? m * n : 0, rows == 1 ? 0 : n, 1};
        mask_ = mask;
        return true;
    }
    /// The mask as scores of this type read it by broadcasting, with the batch's matrices in their order.
    constexpr bool read_mask(const pointwise_operand& mask, const tensor_type& scores) {
        const auto& own = g_.type_of({mask.node}, mask.result);
        const auto stride = [&](int from_last) { // 0 where it broadcasts
            const int d = own.rank - 1 - from_last;
            return d < 0 || own.size(d) == 1 ? std::int64_t{0} : own.stride(d);
        };
        reading_ = {true, 1, 1, 0, stride(1), stride(0)};
        enum { same, others, again } now = same; // from the innermost dim of the batch on
        for (int from_last = 2; from_last < scores.rank; ++from_last) {
            const auto size = scores.size(scores.rank - 1 - from_last), step = stride(from_last);
            if (size == 1) continue;
            if (now == same && step != 0) {
                now = others;
                reading_.step = step;
            } else if (now == others && step == 0) {
                now = again;
            }
            if (now == same) {
                reading_.every *= size;
            } else if (now == others) {
                if (step != reading_.step * reading_.cycle) return false;
                reading_.cycle *= size;
            } else if (step != 0) {
                return false;
            }
        }
        mask_ = mask;
        return true;
    }
    /// Turns the last product into the attention and erases the calls in between.
    constexpr void write(node_id last) {
        using at = device::attention::at;
        const auto value_of = [&](node_id n, std::int32_t i) -> const argument& { return g_.argument_of(n, i); };
        const auto q = value_of(scores_, device::batch_matmul::at::a),
                   k = value_of(scores_, device::batch_matmul::at::b), v = value_of(last, device::batch_matmul::at::b);
        auto calls = g_.rewriter();
        calls.become(last, attention_, at::rows_first + 1);
        const auto give = [&](int i, const argument& a) {
            calls.set_operand(last, i, static_cast<std::int32_t>(a.bits), a.result);
        };
        give(at::q, q);
        give(at::k, k);
        give(at::v, v);
        if (reading_.given) calls.set_operand(last, at::mask, mask_.node, mask_.result);
        auto place = calls.set_list(last, at::mask_reading, 5, {});
        if (!g_.ok()) return;
        for (const auto number : {reading_.every, reading_.cycle, reading_.step, reading_.row, reading_.column})
            calls.set(place++, argument_kind::integer, number);
        const auto first = view_[last].arguments.first;
        calls.set(first + at::factor, argument_kind::integer, static_cast<std::int64_t>(factor_));
        calls.set(first + at::number, argument_kind::real, std::bit_cast<std::int64_t>(number_));
        calls.set(first + at::safe, argument_kind::boolean, is_safe_);
        calls.set(first + at::rows_first, argument_kind::boolean, false);
        for (int i = 0; i < between_count_; ++i) g_.erase_node(between_[i]);
    }
};

} // namespace detail

struct fuse_attention_pass {
    static constexpr std::string_view name = "fuse_attention";
    static constexpr toggle config::* option = &config::fuse_attention;

    static constexpr bool applies(graph_view g, op_table ops) {
        return !calls_of(g, find_op<device::batch_matmul>(ops)).is_empty();
    }
    constexpr void operator()(graph_editor& g, const config&) const { detail::attention_fuser(g).run(); }
};
inline constexpr fuse_attention_pass fuse_attention;

} // namespace ahead::pass
