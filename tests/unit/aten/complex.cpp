// Complex numbers: their C++ type, the dtypes that they promote to, programs in handles that transform and multiply them, what refuses them and in which
// words. What operators compute is compared with PyTorch in recorded.cpp and recorded_fourier.cpp.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "unit/refused_call.hpp"
#include "scratch_folder.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>
#include <ahead/differential/compare_with_reference.hpp>
#include <ahead/print/dump/dump_data.hpp>
#include <ahead/reference/equivalent.hpp>
#include <ahead/reference/host_bytes.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <string>

// fault: dtype_is_unsupported
// fault: in_place_needs_alias_analysis

using namespace ahead;
using namespace test;

namespace {

using test::refused;

// ---- the type

static_assert(complex64(1, 2) * complex64(3, -1) == complex64(5, 5) && complex64(1, 2) + 1.0f == complex64(2, 2) && -complex128(1, -2) == complex128(-1, 2) &&
              complex128(complex64(0.5f, -3)) == complex128(0.5, -3) && complex64(2) == complex64(2, 0) && math::mul(complex128(0, 1), complex128(0, 1)) == -1);
static_assert(math::convert<bool>(complex64(0, 1)) && !math::convert<bool>(complex64(0, -0.0f)) && math::convert<std::int64_t>(complex128(-2.5, 9)) == -2 &&
              math::convert<complex64>(true) == complex64(1) && math::convert<float16>(complex64(0.1f, 7)).bits == 0x2e66 &&
              math::convert<complex64>(complex128(1e300, -1e300)).im == -std::numeric_limits<float>::infinity());
static_assert(std::is_trivially_copyable_v<complex64> && sizeof(complex64) == sizeof(std::complex<float>) && sizeof(complex128) == 16);

void like_the_standard_library() {
    const std::complex<float> theirs = complex64(1, -2);
    const complex128 ours = std::complex<double>(3, 4);
    check(theirs == std::complex<float>(1, -2) && ours == complex128(3, 4));
    std::complex<float> same;
    const complex64 given(5, 6);
    std::memcpy(static_cast<void*>(&same), &given, sizeof same);
    check(same.real() == 5 && same.imag() == 6);
    static_assert(!std::is_convertible_v<complex128, std::complex<float>> && !std::is_convertible_v<complex128, complex64> && !std::is_convertible_v<complex64, float>);
}

// ---- what is promoted to what, as torch.promote_types has it

constexpr bool promotes() {
    for (const auto& facts : dtype_table) {
        if (is_f8(facts.type)) continue;
        const bool wide = facts.type == dtype::f64 || facts.type == dtype::c128;
        if (promote(dtype::c64, facts.type) != (wide ? dtype::c128 : dtype::c64) || promote(facts.type, dtype::c64) != promote(dtype::c64, facts.type) ||
            promote(dtype::c128, facts.type) != dtype::c128 || promote(facts.type, dtype::c128) != dtype::c128)
            return false;
    }
    return true;
}
static_assert(promotes());
static_assert(dtype_named("c64") == dtype::c64 && dtype_named("torch.cfloat") == dtype::c64 && dtype_named("torch.cdouble") == dtype::c128 &&
              dtype_named("torch.complex128") == dtype::c128 && !dtype_named("torch.complex32") && !dtype_named("c32"));

// ---- a program: a spectral layer, its weight complex, and a state that is

std::string printed;
inline void print_to_text(std::string_view piece) { printed += piece; }
using to_text = toolchain<>::with_print<print_to_text>;
constexpr auto spectral = trace([](input<"x", f32<2, 4, 5>> x, input<"z", c64<2, 2>> z, param<"w", c64<4, 3>> w, param<"sum", c64<2, 2>> sum) {
    const auto s = fft_r2c<ints<1, 2>, aten::fft_normalization::by_root_n>(x) * w;
    ops::print<"{}", 3, true>(z);
    copy_(sum, add(sum, z));
    return outputs(fft_c2r<ints<1, 2>, 5, aten::fft_normalization::by_root_n>(s), fft_c2c<ints<0>>(z), conj(permute<1, 0>(z)), abs(z), angle(z), real_part(z),
                   imag_part(z), complex_of(real_part(z), imag_part(z)), polar(abs(z), angle(z)), view_as_complex(view_as_real(z)), z - 2);
});
// Of the sums as they are written.
std::complex<double> sum_of(const std::complex<double>* line, std::size_t n, std::size_t k) {
    std::complex<double> out;
    for (std::size_t j = 0; j < n; ++j) out += line[j] * std::polar(1.0, -2 * M_PI * static_cast<double>(j * k) / static_cast<double>(n));
    return out;
}
void programs() {
    const std::string header = R"({"w":{"dtype":"C64","shape":[4,3],"data_offsets":[0,96]},"sum":{"dtype":"C64","shape":[2,2],"data_offsets":[96,128]}}   )";
    std::string file(8, '\0');
    file[0] = static_cast<char>(header.size());
    file += header;
    std::array<complex64, 16> values{};
    for (std::size_t k = 0; k < 12; ++k) values[k] = complex64(1.0f + static_cast<float>(k), -0.5f);
    values[13] = complex64(100, 200);
    file.append(reinterpret_cast<const char*>(values.data()), sizeof values);
    const auto given = read_safetensors(std::as_bytes(std::span(file)));
    check(given.find("w")->as<complex64>()[11] == complex64(12, -0.5f));
    check_throws<error>([&] { given.find("w")->as<complex128>(); }, "expected complex128, as it is read, found c64[4, 3]");
    check_throws<error>([&] { given.find("w")->as<std::int64_t>(); }, "expected int64");
    check_throws<error>([&] { given.find("w")->as<double>(); }, "expected float64");

    using program = compiled<spectral, to_text>;
    static_assert(program::output_port<0>::type == tensor_of(dtype::f32, {2, 4, 5}) && program::output_port<3>::type == tensor_of(dtype::f32, {2, 2}) &&
                  program::output_port<9>::type == tensor_of(dtype::c64, {2, 2}));
    const auto weights = program::prepare(given);
    program::session run{weights};
    std::array<float, 40> x{};
    for (std::size_t k = 0; k < 40; ++k) x[k] = static_cast<float>(k * k % 7) - 3;
    const std::vector<complex64> z = {complex64(1, 2), complex64(-3, 0.5f), complex64(0, -1), complex64(2, -2)};
    {
        const auto [y, transformed, turned, size, angles, real, imag, whole, from_polar, back, less] = run(x, z);
        std::complex<double> column[2];
        for (int j = 0; j < 2; ++j) {
            for (int i = 0; i < 2; ++i) column[i] = std::complex<float>(z[static_cast<std::size_t>(2 * i + j)]);
            for (int k = 0; k < 2; ++k) {
                const std::complex<double> got = complex128(transformed(k, j));
                check(std::abs(got - sum_of(column, 2, static_cast<std::size_t>(k))) < 1e-6);
            }
        }
        check(turned(0, 1) == complex64(0, 1) && size(0, 0) == std::sqrt(5.0f) && std::abs(angles(1, 1) + 0.78539816f) < 1e-6f && real(0, 1) == -3 && imag(1, 0) == -1);
        bool same = true;
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) {
                const auto wanted = z[static_cast<std::size_t>(2 * i + j)], polar = from_polar(i, j);
                same = same && whole(i, j) == wanted && back(i, j) == wanted && std::hypot(polar.re - wanted.re, polar.im - wanted.im) < 1e-6f &&
                       less(i, j) == wanted - 2;
            }
        check(same && y.size() == 40);
    }
    check(run.state<"sum">()(0, 1) == complex64(97, 200.5f) && run.state<"sum">()(1, 1) == complex64(2, -2));
    check_equal(printed, "tensor([[(1+2j) (-3+0.5j)]\n [(0-1j) (2-2j)]], dtype=torch.complex64, shape=[2, 2])\n");
    const auto report = compare_with_reference<program>(given, x, z);
    check(report.diverging.empty() && report.tasks > 5);

    // of a wrong element both parts are looked at, and said
    host_tensor a(tensor_of(dtype::c64, {2})), b = a;
    a.put({1}, complex128(1, 1));
    b.put({1}, complex128(1, -2));
    double largest = 0;
    const auto found = find_difference(a, b, {}, largest);
    check(found.wrong == 1 && found.got == "(1+1j)" && found.expected == "(1-2j)" && largest == 3 && found.index == std::vector<std::int64_t>{1});
    check(find_difference(a, a, {}, largest).wrong == 0);
}

// A text, inputs of c128: what is moved on the AI CPU and by kernels, and dumped.
struct gathered {
    static constexpr char text[] = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "c128[2, 2]", i: "i64[2]", m: "b8[2]"):
        diagonal: "c128[2]" = torch.ops.aten.diagonal.default(x)
        tril: "c128[2, 2]" = torch.ops.aten.tril.default(x)
        index: "c128[2, 2]" = torch.ops.aten.index.Tensor(x, [i])
        where: "c128[2, 2]" = torch.ops.aten.where.self(m, x, diagonal)
        masked_scatter: "c128[2, 2]" = torch.ops.aten.masked_scatter.default(x, m, diagonal)
        _to_copy: "c64[2, 2]" = torch.ops.aten._to_copy.default(x, dtype = torch.complex64)
        return (diagonal, tril, index, where, masked_scatter, _to_copy)
)fx";
};
constexpr auto twice = trace([](input<"z", c64<2>> z) { return outputs(z * 2); });
constexpr auto doubled = trace([](input<"z", c64<2>> z) { return outputs(z + z); });
constexpr auto mirrored = trace([](input<"z", c64<2>> z) { return outputs(conj(z + z)); });
void moves() {
    using program = compiled<fx<gathered>>;
    const auto weights = program::prepare();
    program::session run{weights};
    const complex128 one(1, -1), two(2, 0.1), three(-3, 0), four(0, 4);
    const std::array<complex128, 4> x{one, two, three, four};
    const std::array<std::int64_t, 2> i{1, 0};
    const std::array<bool, 2> m{true, false};
    const auto [diagonal, lower, index, where, scattered, narrow] = run(x, i, m);
    check(diagonal(0) == one && diagonal(1) == four && lower(0, 1) == 0 && lower(1, 0) == three && index(0, 1) == four && index(1, 0) == one);
    check(where(1, 0) == three && where(1, 1) == four && where(0, 1) == four && scattered(0, 0) == one && scattered(1, 0) == four && narrow(0, 1) == complex64(2, 0.1f));
    const scratch_folder folder;
    host_tensor inputs[3];
    from_bytes(program::input_port<0>::type, std::as_bytes(std::span(x)), inputs[0]);
    from_bytes(program::input_port<1>::type, std::as_bytes(std::span(i)), inputs[1]);
    from_bytes(program::input_port<2>::type, std::as_bytes(std::span(m)), inputs[2]);
    data_dump<fx<gathered>> dump(folder.path);
    dump(inputs);
    bool read = false;
    for (const auto& path : dump.files())
        if (path.filename() == "tril-aten.tril.default.INPUT.0.npy") {
            weights_tensor file;
            diagnosis d;
            read = load_npy(path, file, d) && file->as<complex128>()[1] == two;
        }
    check(read);
    check_equal(detail::stats_text(inputs[0]), "-\t-\t-\t0");
    check(equivalent(twice.storage.view(), doubled.storage.view(), 5) && !equivalent(twice.storage.view(), mirrored.storage.view(), 5));
}

// ---- refusals

void refusals() {
    using enum fault;
    constexpr auto z = "z : c64[2, 4], x : f32[2, 4], h : f16[4], s : c64[]", only = "an operator that takes complex numbers, or only moves";
    for (const char* call : {"erf.default(z)", "relu.default(z)", "lt.Tensor(z, z)", "ceil.default(z)", "maximum.default(z, z)", "sort.default(z)", "clamp.default(z, 0)",
                             "masked_fill.Scalar(z, z, 0)", "amax.default(z)", "topk.default(z, 1)", "sign.default(z)"}) {
        std::vector<host_tensor> outputs;
        const auto text = "def forward(self, z : c64[2, 2]):\n    r = torch.ops.aten." + std::string(call) + "\n    return (r,)\n";
        const auto d = run<aten::registry>(text, std::vector{host_tensor(tensor_of(dtype::c64, {2, 2}))}, outputs);
        check_fault(d, {dtype_is_unsupported});
        check(d.found.view().find("64") != std::string_view::npos && d.op.view().starts_with("aten."), std::string(call) + ": " + render(d));
    }
    refused({z, "erf.default(z)", dtype_is_unsupported, only, "c64[2, 4]"});
    refused({z, "add.Tensor(h, s)", dtype_is_unsupported, "f32 or f64", "f16"});
    refused({z, "imag.default(x)", dtype_is_unsupported, "complex numbers", "f32[2, 4]"});
    refused({z, "view_as_real.default(x)", dtype_is_unsupported, "complex numbers", "f32[2, 4]"});
    refused({z, "view_as_complex.default(z)", dtype_is_unsupported, "f32 or f64, as c64 and c128 have", "c64[2, 4]"});
    refused({z, "view_as_complex.default(h)", dtype_is_unsupported, "f32 or f64, as c64 and c128 have", "f16[4]"});
    refused({z, "view_as_complex.default(x)", shapes_do_not_broadcast, "2 in the last dim", "f32[2, 4]"});
    refused({"t : f32[2, 2][1, 2]", "view_as_complex.default(t)", view_needs_a_copy, "pairs that lie together: clone first", "f32[2, 2][1, 2]"});
    refused({"t : f32[]", "view_as_complex.default(t)", rank_is_wrong, "rank 1 at least", "rank 0"});
    refused({z, "complex.default(h, h)", dtype_is_unsupported, "f32 or f64, as c64 and c128 have", "f16[4]"});
    refused({"a : f32[2], b : f64[2]", "polar.default(a, b)", dtypes_differ, "f32[2]", "f64[2]"});
    refused({z, "_fft_r2c.default(z, [1], 0, True)", dtype_is_unsupported, "f32 or f64", "c64[2, 4]"});
    refused({z, "_fft_r2c.default(h, [0], 0, True)", dtype_is_unsupported, "f32 or f64", "f16[4]"});
    refused({z, "_fft_r2c.default(x, [], 0, True)", argument_is_missing, "one dim at least", "none"});
    refused({z, "_fft_r2c.default(x, [1, -1], 0, True)", dimension_is_repeated, "dims once each", "1"});
    refused({z, "_fft_r2c.default(x, [2], 0, True)", dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    refused({z, "_fft_r2c.default(x, [1], 3, True)", option_is_out_of_range, "a normalization from 0 to 2", "3"});
    refused({"x : f32[2, 0]", "_fft_r2c.default(x, [1], 0, True)", shapes_do_not_broadcast, "elements along the dims", "f32[2, 0]"});
    refused({z, "_fft_c2c.default(x, [1], 0, True)", dtype_is_unsupported, "complex numbers", "f32[2, 4]"});
    refused({z, "_fft_c2r.default(x, [1], 0, 6)", dtype_is_unsupported, "complex numbers", "f32[2, 4]"});
    refused({z, "_fft_c2r.default(z, [1], 0, 8)", shapes_do_not_broadcast, "5 in dim 1", "c64[2, 4]"});
    refused({z, "_fft_c2r.default(z, [1], 0, 0)", size_is_negative, "last_dim_size from 1", "0"});
    refused({z, "lt.Scalar(z, 1j)", dtype_is_unsupported, "other: a real number", "1j"});
    refused({z, "add.Tensor(x, x, alpha = (1+2j))", dtype_is_unsupported, "a real number, as the result is", "(1+2j)"});
    refused({z, "full.default([2], complex(0.0, 1.0), dtype = torch.float32)", dtype_is_unsupported, "a real number, as the result is", "complex(0.0, 1.0)"});
    refused({z, "_to_copy.default(z, dtype = torch.complex32)", argument_has_wrong_kind, "dtype: ScalarType?", "torch.complex32"});
    refused({"z : c32[2]", "clone.default(z)", dtype_is_unsupported, "a dtype from b8 to c128", "c32[2]"});
    refused({z, "abs_.default(z)", dtypes_differ, "c64[2, 4]", "f32[2, 4]"});
    refused({z, "mul_.Tensor(x, z)", dtypes_differ, "f32[2, 4]", "c64[2, 4]"});
}

// Writes around what PyTorch gives as a view, and this library as a copy.
void copied_views() {
    const auto said = [](const char* body) {
        std::vector<host_tensor> outputs;
        const auto text = "def forward(self, z : c64[2], x : f32[2, 2]):\n" + std::string(body) + "    return (z,)\n";
        return run<aten::registry>(text, std::vector{host_tensor(tensor_of(dtype::c64, {2})), host_tensor(tensor_of(dtype::f32, {2, 2}))}, outputs);
    };
    const auto refuses = [&](const char* body, std::string_view found) {
        const auto d = said(body);
        check_fault(d, {.what = fault::in_place_needs_alias_analysis, .found = found, .words = "expected a write above real, imag, conj"});
    };
    refuses("    a = torch.ops.aten.view_as_real.default(z)\n    b = torch.ops.aten.mul_.Tensor(a, 2)\n", "a");
    refuses("    a = torch.ops.aten.view_as_real.default(z)\n    c = torch.ops.aten.select.int(a, 1, 0)\n    b = torch.ops.aten.mul_.Tensor(c, 2)\n", "c");
    refuses("    a = torch.ops.aten.real.default(z)\n    b = torch.ops.aten.zero_.default(z)\n", "z");
    refuses("    a = torch.ops.aten.view_as_complex.default(x)\n    c = torch.ops.aten.view.default(x, [4])\n    b = torch.ops.aten.add_.Tensor(c, 2)\n", "c");
    refuses("    a = torch.ops.aten._conj.default(z)\n    b = torch.ops.aten.copy_.default(a, z)\n", "a");
    check(!said("    b = torch.ops.aten.mul_.Tensor(z, 2)\n    a = torch.ops.aten.view_as_real.default(z)\n"));
    check(!said("    a = torch.ops.aten.conj_physical.default(z)\n    b = torch.ops.aten.mul_.Tensor(a, z)\n    c = torch.ops.aten.add_.Tensor(z, a, alpha = 2.5)\n"));
    check(!said("    a = torch.ops.aten.real.default(x)\n    b = torch.ops.aten.mul_.Tensor(x, 2)\n")); // a view: x is real
}

} // namespace

int main() {
    like_the_standard_library();
    programs();
    moves();
    refusals();
    copied_views();
    return report();
}
