// Two operators of your own for audio, in a graph beside PyTorch's: a pointwise one, which is one line of meaning, and
// one with its own type rule, device operator, converter and kernel. The graph is written twice, as handles and as
// text; both must agree with the reference.
#include <ahead/ahead.hpp>
#include <ahead/reference/interpreter.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

using namespace ahead;

namespace audio {

// 1. A pointwise operator: a schema and one line of meaning. Type rule, reference and device kernel are made from them.
//    soft_clip(Tensor self, float drive=1): drive * x, bent so that it stays between -1 and 1.
struct soft_clip : aten::pointwise<1, promotion::keep, aten::domain::real> {
    static constexpr std::string_view name = "audio.soft_clip.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("drive", parameter_kind::real, argument::of(1.0))};
    template <class T>
    static constexpr T meaning(T x, T drive) {
        return drive * x / (1 + math::abs(drive * x));
    }
};

// 2. Any other operator also has a type rule, which checks the operands and gives the result's type, and a naive
//    meaning, which the reference runs. That is enough to run it on the AI CPU, element by element: 3, 4 and 5 make it
//    fast.
//    peak_meter(Tensor self, int hop, float decay=0.99): [.., samples] is [.., samples / hop]. A level that jumps up to
//    |x| and else decays, read every `hop` samples. Each sample depends on the one before, so no chain of pointwise
//    operators can say it.
struct peak_meter {
    static constexpr std::string_view name = "audio.peak_meter.default";
    enum at : int { self, hop, decay }; // the schema's parameters by name; checked against it
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("hop", parameter_kind::integer),
                                           defaulted("decay", parameter_kind::real, argument::of(0.99))};

    static constexpr bool infer(infer_context& c) {
        const auto& x = c.tensor(at::self);
        const auto hop = c.integer(at::hop);
        if (x.rank == 0) return c.refuse(fault::rank_is_wrong, "at least one dim, of samples", print(x));
        if (x.type != dtype::f32) return c.refuse(fault::dtype_is_unsupported, "f32", print(x));
        if (hop < 1) return c.refuse(fault::stride_must_be_positive, "a hop of at least 1", short_text() << hop);
        auto sizes = sizes_of(x);
        auto& samples = sizes[x.rank - 1];
        if (samples % hop != 0) // a rule of the operator's own, in words of its own
            return c.refuse("the hop must divide the number of samples", short_text() << "a multiple of " << hop,
                            short_text() << samples);
        samples /= hop;
        return c.result(tensor_of(x.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        const auto x = c.input(at::self, float{});
        const auto levels = c.output(0, float{});
        const auto hop = c.integer(at::hop);
        const auto decay = static_cast<float>(c.real(at::decay));
        float level = 0;
        for_each_index(sizes_of(x.type()), [&](int_list at) {
            auto& sample = at[at.size - 1];
            if (sample == 0) level = 0;
            level = std::max(math::abs(x[at]), decay * level);
            if (++sample % hop != 0) return;
            sample = sample / hop - 1;
            levels.put(at, level);
        });
    }
};

// 3. The device operator: here of the same schema and type rule, and with a key, which holds all that its kernel knows
//   at compile time.
//    A key consists of integers, because clang before 18 takes no float in a template argument. Its name begins with
//    "npu.".
struct meter_key {
    std::int64_t channels, samples, hop;
    std::int64_t decay; // the bits of a double
};
struct device_meter : peak_meter {
    static constexpr std::string_view name = "npu.peak_meter";
    static constexpr meter_key key(const call_view& c) {
        const auto& x = c.tensor(at::self);
        const auto samples = x.size(x.rank - 1);
        return {samples ? element_count(x) / samples : 0, samples, c.integer(at::hop),
                std::bit_cast<std::int64_t>(c.real(at::decay))};
    }
};

// 4. The converter: what the device runs for it. The kernel below wants its samples one after the other.
struct convert_peak_meter {
    using op = peak_meter;
    static constexpr bool convert(convert_context& c) {
        return c.bind_result(c.create<device_meter>(
            {c.contiguous(c.operand(op::at::self)), c.aten.at(op::at::hop), c.aten.at(op::at::decay)}));
    }
};

} // namespace audio

// 5. The kernel of a key: plain loops with constant bounds.
template <>
struct ahead::kernels::kernel_for<audio::device_meter> {
    template <auto Key>
    static void run(const auto& at) {
        constexpr auto decay = static_cast<float>(std::bit_cast<double>(Key.decay));
        const auto* x = at.template in<float>(0);
        auto* levels = at.template out<float>();
        for (std::int64_t channel = 0; channel < Key.channels; ++channel) {
            float level = 0;
            for (std::int64_t i = 0; i < Key.samples / Key.hop; ++i) {
                for (std::int64_t k = 0; k < Key.hop; ++k) level = std::max(std::abs(*x++), decay * level);
                *levels++ = level;
            }
        }
    }
};

// 6. What graphs may call, and what a compilation may use.
struct operators : aten::registry::with<audio::soft_clip, audio::peak_meter> {};
using tools = toolchain<>::with<audio::soft_clip, audio::device_meter, audio::convert_peak_meter>;

// 7. A function for graphs in C++: what decides a shape is a template argument.
template <class A>
constexpr auto soft_clip(const handle<A>& x, double drive = 1, call_site where = call_site::current()) {
    return call<audio::soft_clip>(where, x, drive);
}
template <std::int64_t Hop, class A>
constexpr auto peak_meter(const handle<A>& x, double decay = 0.99, call_site where = call_site::current()) {
    return call<audio::peak_meter>(where, x, integer<Hop>{}, decay);
}

// The same graph from both doors.
inline constexpr auto net =
    trace<operators>([](input<"x", f32<2, 64>> x) { return outputs(log(peak_meter<16>(soft_clip(x, 4.0), 0.9))); });
struct printed {
    static constexpr char text[] = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 64]"):
        soft_clip: "f32[2, 64]" = torch.ops.audio.soft_clip.default(x, 4.0);  x = None
        peak_meter: "f32[2, 4]" = torch.ops.audio.peak_meter.default(soft_clip, 16, decay = 0.9);  soft_clip = None
        log: "f32[2, 4]" = torch.ops.aten.log.default(peak_meter);  peak_meter = None
        return (log,)
)fx";
};
using from_handles = compiled<net, tools>;
using from_text = compiled<fx<printed, operators>, tools>;

int main() {
    std::array<float, 128> x{};
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = std::sin(static_cast<float>(i) * 0.7f) / static_cast<float>(1 + i % 64);

    const auto weights = from_handles::prepare();
    from_handles::session run{weights};
    const auto [levels] = run(x);
    const auto same_weights = from_text::prepare();
    from_text::session run_text{same_weights};
    const auto [text_levels] = run_text(x);

    const host_tensor samples(tensor_of(dtype::f32, {2, 64}), std::span<const float>(x));
    const auto expected = reference<net>(std::span(&samples, 1));

    float apart = 0;
    bool same = true;
    for (std::size_t i = 0; i < levels.extent; ++i) {
        apart = std::max(apart, std::abs(levels.data()[i] - expected[0].data.get<float>(static_cast<std::int64_t>(i))));
        same = same && levels.data()[i] == text_levels.data()[i];
    }
    std::printf("log levels of channel 0: %.3f %.3f %.3f %.3f; text and handles %s, at most %.1g from the reference\n",
                static_cast<double>(levels(0, 0)), static_cast<double>(levels(0, 1)), static_cast<double>(levels(0, 2)),
                static_cast<double>(levels(0, 3)), same ? "agree" : "DIFFER", static_cast<double>(apart));
    return same && apart <= 1e-6f ? 0 : 1;
}
