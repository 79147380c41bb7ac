// SPDX-License-Identifier: MIT
// Spectra of a signal's windows: torch.stft calls it after padding the signal's ends.
// Source: aten/src/ATen/native/SpectralOps.cpp.
#pragma once
#include <ahead/aten/product/fourier.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The parameters of an stft call. pre: its arguments were checked
struct short_time_plan {
    std::int64_t n_fft = 0, hop = 0, window = 0, frames = 0;
    bool onesided = false, gives_complex = false;
    dtype type{}; // complex: the spectra's dtype
    fft_normalization by{};

    constexpr std::int64_t numbers() const { return onesided ? n_fft / 2 + 1 : n_fft; }
    /// The position in a frame at which a shorter window begins.
    constexpr std::int64_t window_begin() const { return (n_fft - window) / 2; }
};

/// stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool normalized=False,
/// bool? onesided=None, bool? return_complex=None, bool? align_to_window=None): self is [batch, samples] or [samples].
/// For every hop_length samples (default n_fft / 4), the spectrum of n_fft samples times the window, which has
/// win_length elements (default n_fft) and is centred: [batch, n_fft / 2 + 1, frames], or all n_fft if not onesided or
/// if samples or window are complex. Errors: n_fft, hop_length and win_length out of range, a window of another size,
/// return_complex neither given nor implied.
struct stft {
    static constexpr std::string_view name = "aten.stft.default"sv;
    static constexpr effects effect{.takes_complex = true};
    enum at : int {
        self,
        n_fft,
        hop_length,
        win_length,
        window,
        normalized,
        onesided,
        return_complex,
        align_to_window
    };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("n_fft", parameter_kind::integer),
                                           defaulted("hop_length", parameter_kind::optional_integer),
                                           defaulted("win_length", parameter_kind::optional_integer),
                                           defaulted("window", parameter_kind::optional_tensor),
                                           defaulted("normalized", parameter_kind::boolean, argument::of(false)),
                                           defaulted("onesided", parameter_kind::optional_boolean),
                                           defaulted("return_complex", parameter_kind::optional_boolean),
                                           defaulted("align_to_window", parameter_kind::optional_boolean)};

    static constexpr bool reads_complex(const auto& c) {
        return is_complex(c.tensor(at::self).type) || (c.is_given(at::window) && is_complex(c.tensor(at::window).type));
    }
    static constexpr short_time_plan plan_of(const auto& c) {
        const auto& t = c.tensor(at::self);
        short_time_plan out;
        out.n_fft = c.integer(at::n_fft);
        out.hop = c.is_given(at::hop_length) ? c.integer(at::hop_length) : out.n_fft / 4;
        out.window = c.is_given(at::win_length) ? c.integer(at::win_length) : out.n_fft;
        out.frames = out.hop > 0 ? 1 + (t.size(t.rank - 1) - out.n_fft) / out.hop : 0;
        out.onesided = c.is_given(at::onesided) ? c.boolean(at::onesided) : !reads_complex(c);
        out.gives_complex = reads_complex(c) || (c.is_given(at::return_complex) && c.boolean(at::return_complex));
        out.type = is_complex(t.type) ? t.type : of_parts(t.type);
        out.by = c.boolean(at::normalized) ? fft_normalization::by_root_n : fft_normalization::none;
        return out;
    }
    /// [batch, frames, numbers]
    static constexpr int_list frame_sizes(const auto& c, const short_time_plan& p, std::int64_t numbers) {
        auto out = sizes_of(c.tensor(at::self));
        out[out.size - 1] = p.frames;
        out.push_back(numbers);
        return out;
    }
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::self);
        const auto real_part = is_complex(t.type) ? part_of(t.type) : t.type;
        if (real_part != dtype::f32 && real_part != dtype::f64)
            return c.refuse(fault::dtype_is_unsupported, "f32, f64 or complex numbers", print(t));
        if (t.rank != 1 && t.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 1 or 2", print(t));
        const auto p = plan_of(c);
        const auto within = [&](const char* what, std::int64_t given, std::int64_t most) {
            return (given > 0 && given <= most) ||
                   c.refuse(fault::option_is_out_of_range, short_text(what) << " from 1 to " << most,
                            short_text() << given);
        };
        if (!within("n_fft", p.n_fft, t.size(t.rank - 1)) ||
            !within("hop_length", p.hop, std::numeric_limits<std::int64_t>::max()) ||
            !within("win_length", p.window, p.n_fft))
            return false;
        if (c.is_given(at::window)) {
            const auto& w = c.tensor(at::window);
            if (w.rank != 1 || w.size(0) != p.window)
                return c.refuse(fault::shapes_do_not_broadcast, short_text("a window of [") << p.window << "]",
                                print(w));
            if ((is_complex(w.type) ? part_of(w.type) : w.type) != real_part)
                return c.refuse(fault::dtypes_differ, print(t), print(w));
        }
        if (!c.is_given(at::return_complex) && !reads_complex(c))
            return c.refuse(fault::argument_is_missing, "return_complex of a real signal", "none");
        if (c.is_given(at::onesided) && c.boolean(at::onesided) && reads_complex(c))
            return c.refuse(fault::argument_has_wrong_kind, "onesided=False of complex numbers", "True");
        if (c.is_given(at::return_complex) && !c.boolean(at::return_complex) && reads_complex(c))
            return c.refuse(fault::argument_has_wrong_kind, "return_complex=True of complex numbers", "False");
        if (c.is_given(at::align_to_window) && c.boolean(at::align_to_window))
            return c.refuse(fault::argument_has_wrong_kind, "align_to_window=False", "True");
        // The numbers of one spectrum are contiguous.
        auto sizes = frame_sizes(c, p, p.numbers());
        if (!p.gives_complex) sizes.push_back(2);
        auto out = tensor_of(p.gives_complex ? p.type : part_of(p.type), sizes);
        std::swap(out.sizes.at[t.rank - 1], out.sizes.at[t.rank]);
        std::swap(out.strides.at[t.rank - 1], out.strides.at[t.rank]);
        return c.result(out);
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        const auto p = plan_of(c);
        return detail::spectrum_bytes(frame_sizes(c, p, p.n_fft));
    }
    static constexpr void evaluate(auto& c) {
        const auto p = plan_of(c);
        const auto in = c.input(at::self, complex128{});
        const int last = in.type().rank;
        const auto sizes = frame_sizes(c, p, p.n_fft);
        detail::spectrum work(c, sizes);
        for_each_index(sizes, [&](const int_list& at) {
            auto from = at;
            --from.size;
            from[last - 1] = at[last - 1] * p.hop + at[last];
            const auto k = at[last] - p.window_begin();
            const bool is_seen = k >= 0 && k < p.window;
            auto x = is_seen ? in[from] : complex128{};
            if (is_seen && c.is_given(at::window)) x = x * c.input(at::window, complex128{})[int_list{k}];
            work.at(at) = x;
        });
        work.transform(last, true);
        const auto scale = detail::scale_of(p.by, int_list{p.n_fft}, int_list{0});
        for_each_index(frame_sizes(c, p, p.numbers()), [&](const int_list& at) {
            const auto v = work.at(at);
            auto to = at;
            std::swap(to[last - 1], to[last]);
            if (p.gives_complex) {
                c.output(0, complex128{}).put(to, complex128(v.re * scale, v.im * scale));
            } else {
                to.push_back(0);
                c.output(0, double{}).put(to, v.re * scale);
                to[last + 1] = 1;
                c.output(0, double{}).put(to, v.im * scale);
            }
        });
    }
};

using short_time_ops = op_list<stft>;

} // namespace ahead::aten
