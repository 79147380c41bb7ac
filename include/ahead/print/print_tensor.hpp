// SPDX-License-Identifier: MIT
// Tensors in PyTorch's format: tensor([[1.0000, 2.5000]]). Four digits, scientific if the values' magnitudes differ
// widely, one width for all, lines of 80 characters, only the ends of dims from 1001 elements on, and the dtype unless
// it is the one that such a text would be parsed as.
// Invariant: the text is identical to that of torch.Tensor.__repr__ with its default options. Called by users and
// print/log_tensors.hpp, at run time.
#pragma once
#include <ahead/npu/device_tensor.hpp>
#include <ahead/reference/host_bytes.hpp>
#include <ahead/runtime/views.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace AHEAD_NAMESPACE::printers {

/// torch.set_printoptions, for one text.
struct print_options {
    int precision = 4;                // digits after the point; 0 to 30
    std::int64_t threshold = 1000;    // with more elements the middle of long dims is left out
    std::int64_t edge_items = 3;      // at each end of a dim whose middle is left out; from 1 on
    std::int64_t line_width = 80;     // characters; from 1 on
    std::optional<bool> scientific{}; // none: if values' magnitudes differ widely
};

} // namespace ahead::printers
namespace AHEAD_NAMESPACE::detail {

/// Python's format() of a float, "%.4e" and the like, except for NaN.
inline std::string print_float(double v, int digits, char form) {
    if (std::isnan(v)) return "nan";
    char out[400];
    const char format[] = {'%', '.', '*', form, '\0'};
    return {out, static_cast<std::size_t>(std::snprintf(out, sizeof out, format, digits, v))};
}

/// The format shared by all numbers of a tensor: torch._tensor_str._Formatter.
class number_format {
public:
    number_format(bool is_floating, const print_options& options)
        : is_floating_(is_floating), digits_(options.precision), scientific_(options.scientific) {}

    /// Of floats: the first of two passes.
    void see(double v) {
        if (!std::isfinite(v) || v == 0) return;
        least_ = least_ == 0 ? std::abs(v) : std::min(least_, std::abs(v));
        greatest_ = std::max(greatest_, std::abs(v));
        is_whole_ = is_whole_ && v == std::ceil(v);
    }
    void measure(double v) {
        if (std::isfinite(v) && v != 0) measure(print(v, is_scientific()).size());
    }
    void measure(std::size_t width) { width_ = std::max(width_, width); }

    std::size_t width() const { return width_; }
    std::string padded(const std::string& text) const {
        return std::string(width_ - std::min(width_, text.size()), ' ') + text;
    }
    std::string print(double v) const {
        return print(v, scientific_ && greatest_ > 0 ? *scientific_ : is_scientific()); // widths do not depend on it
    }

private:
    std::string print(double v, bool scientific) const {
        if (scientific) return print_float(v, digits_, 'e');
        if (!is_whole_) return print_float(v, digits_, 'f');
        return print_float(v, 0, 'f') + (std::isfinite(v) ? "." : "");
    }
    bool is_floating_;
    int digits_;
    std::optional<bool> scientific_;
    bool is_whole_ = true;
    double least_ = 0, greatest_ = 0; // of those that are finite, and not 0
    std::size_t width_ = 1;

    bool is_scientific() const {
        return is_floating_ && greatest_ > 0 &&
               (greatest_ / least_ > 1000.0 || greatest_ > 1.0e8 || (!is_whole_ && least_ < 1.0e-4));
    }
};

/// A tensor's elements in the order of its indices, and how they are printed.
class tensor_printer {
public:
    tensor_printer(dtype type, std::span<const std::int64_t> sizes, const std::byte* first,
                   const print_options& options)
        : type_(type), sizes_(sizes), first_(first), options_(options), real_(has_fractions(type), options),
          imaginary_(true, options) {
        for (auto size : sizes) count_ *= size;
    }
    /// device: "npu:0", or empty for the default one.
    std::string print(std::string_view device) {
        std::string out = "tensor(";
        if (count_ == 0) out += "[]";
        else {
            if (has_fractions(type_)) visit(0, 0, [&](std::int64_t at) { see(at); });
            visit(0, 0, [&](std::int64_t at) { measure(at); });
            print_dims(out, 0, 0);
        }
        std::size_t last_line = out.size() - (out.rfind('\n') + 1) + 2;
        const auto add = [&](const std::string& suffix) {
            const bool fits = last_line + suffix.size() + 2 <= static_cast<std::size_t>(options_.line_width);
            out += (fits ? ", " : ",\n" + std::string(indent, ' ')) + suffix;
            last_line = (fits ? last_line + 2 : indent) + suffix.size();
        };
        if (!device.empty()) add("device='" + std::string(device) + "'");
        if (count_ == 0 && sizes_.size() != 1) add("size=" + print_sizes(sizes_));
        if (!is_understood(count_ == 0)) add("dtype=" + std::string(facts_of(type_).torch));
        return out + ")";
    }
    /// "(2, 3)", "(2,)"
    static std::string print_sizes(std::span<const std::int64_t> sizes) {
        std::string out = "(";
        for (std::size_t i = 0; i < sizes.size(); ++i) out += (i > 0 ? ", " : "") + std::to_string(sizes[i]);
        return out + (sizes.size() == 1 ? ",)" : ")");
    }

private:
    static constexpr std::size_t indent = 7; // of "tensor("
    dtype type_;
    std::span<const std::int64_t> sizes_;
    const std::byte* first_;
    print_options options_;
    std::int64_t count_ = 1;
    number_format real_, imaginary_;

    bool is_understood(bool is_empty) const {
        return type_ == dtype::f32 || (!is_empty && (type_ == dtype::i64 || type_ == dtype::b8 || type_ == dtype::c64));
    }
    bool is_shortened(std::size_t dim) const {
        return count_ > options_.threshold && sizes_[dim] > 2 * options_.edge_items;
    }
    /// Calls f with each element that is shown, from dim on.
    template <class F> void visit(std::size_t dim, std::int64_t at, const F& f) const {
        if (dim == sizes_.size()) return f(at);
        for_each_shown(dim, [&](std::int64_t i) { visit(dim + 1, at * sizes_[dim] + i, f); });
    }
    template <class F> void for_each_shown(std::size_t dim, F f) const {
        for (std::int64_t i = 0; i < sizes_[dim]; ++i) {
            if (is_shortened(dim) && i == options_.edge_items) i = sizes_[dim] - options_.edge_items;
            f(i);
        }
    }
    /// Calls f with the element in its C++ type.
    template <class F> auto with(std::int64_t at, F f) const {
        return with_element(type_, [&](auto v) {
            __builtin_memcpy(&v, first_ + bytes_of(type_, at), sizeof v);
            return f(v);
        });
    }
    complex128 number(std::int64_t at) const {
        return with(at, [](auto v) {
            if constexpr (requires { v.im; }) return complex128(static_cast<double>(v.re), static_cast<double>(v.im));
            else return complex128(static_cast<double>(v), 0.0);
        });
    }
    std::string whole(std::int64_t at) const {
        return with(at, [](auto v) -> std::string {
            if constexpr (std::is_same_v<decltype(v), bool>) return v ? "True" : "False";
            else if constexpr (std::is_integral_v<decltype(v)>) return std::to_string(v);
            else return {};
        });
    }
    void see(std::int64_t at) {
        const auto v = number(at);
        real_.see(v.re);
        imaginary_.see(v.im);
    }
    void measure(std::int64_t at) {
        if (!has_fractions(type_)) return real_.measure(whole(at).size());
        const auto v = number(at);
        real_.measure(v.re);
        imaginary_.measure(v.im);
    }
    std::string element(std::int64_t at) const {
        if (!has_fractions(type_)) return real_.padded(whole(at));
        const auto v = number(at);
        const auto re = real_.padded(real_.print(v.re));
        if (!is_complex(type_)) return re;
        const auto im = imaginary_.print(v.im); // its width is ignored: PyTorch strips it
        return re + (im[0] == '-' ? "" : "+") + im + "j";
    }
    void print_dims(std::string& out, std::size_t dim, std::int64_t at) const {
        if (dim == sizes_.size()) {
            out += element(at);
            return;
        }
        const auto deep = sizes_.size() - dim;
        const std::string margin(indent + dim + 1, ' ');
        const std::size_t element_width = real_.width() + 2 + (is_complex(type_) ? imaginary_.width() + 1 : 0);
        const auto room = std::max<std::int64_t>(0, options_.line_width + 1 - static_cast<std::int64_t>(margin.size()));
        const auto per_line = std::max<std::size_t>(1, static_cast<std::size_t>(room) / element_width);
        std::size_t shown = 0;
        const auto separate = [&] {
            if (shown == 0) return;
            if (deep > 1) out += "," + std::string(deep - 1, '\n') + margin;
            else out += shown % per_line == 0 ? ",\n" + margin : ", ";
        };
        out += '[';
        for_each_shown(dim, [&](std::int64_t i) {
            separate();
            if (is_shortened(dim) && i == sizes_[dim] - options_.edge_items) {
                out += deep > 1 ? "..." : " ...";
                ++shown;
                separate();
            }
            print_dims(out, dim + 1, at * sizes_[dim] + i);
            ++shown;
        });
        out += ']';
    }
};

inline void check_print_options(const print_options& options) {
    const auto in_range = [](std::string_view name, std::int64_t value, std::int64_t first, std::int64_t last) {
        if (value >= first && value <= last) return;
        diagnosis d;
        d.op = "print";
        d.name = name;
        refuse(d, fault::option_is_out_of_range, short_text() << first << " to " << last, short_text() << value);
        raise(d);
    };
    constexpr auto most = std::numeric_limits<std::int64_t>::max() / 4;
    in_range("precision", options.precision, 0, 30);
    in_range("threshold", options.threshold, 0, most);
    in_range("edge_items", options.edge_items, 1, most);
    in_range("line_width", options.line_width, 1, most);
}
/// For bytes in the order of the indices.
inline std::string print_tensor(dtype type, std::span<const std::int64_t> sizes, const std::byte* first,
                                const print_options& options = {}, std::string_view device = {}) {
    check_print_options(options);
    return tensor_printer(type, sizes, first, options).print(device);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// In PyTorch's format of a tensor of the host: every dtype; f8, f16 and bf16 by their values. Throws
/// option_is_out_of_range.
template <class Type> std::string print(const runtime::tensor_output<Type>& t, const print_options& options = {}) {
    using element = typename runtime::tensor_output<Type>::element;
    const auto all = std::make_unique<element[]>(runtime::tensor_output<Type>::extent);
    std::copy(t.begin(), t.end(), all.get());
    const auto sizes = t.sizes();
    return detail::print_tensor(Type::type.type, sizes, reinterpret_cast<const std::byte*>(all.get()), options);
}
inline std::string print(const host_tensor& t, const print_options& options = {}) {
    std::vector<std::int64_t> sizes;
    for (int d = 0; d < t.type.rank; ++d) sizes.push_back(t.type.size(d));
    std::vector<std::byte> all(static_cast<std::size_t>(bytes_of(t.type.type, element_count(t.type))));
    to_bytes(t, all);
    return detail::print_tensor(t.type.type, sizes, all.data(), options);
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE::npu {

/// In torch_npu's format, with the device: tensor([1.], device='npu:0'). Copies the tensor to the host: waits for the
/// tasks that write it. Throws option_is_out_of_range, tensor_is_empty, tensor_has_no_value,
/// call_is_illegal_in_capture, stream_is_captured, and the errors of earlier launches.
template <class Type> std::string print(const tensor<Type>& t, const print_options& options = {}) {
    using of = tensor<Type>;
    const auto all = std::make_unique<typename of::element[]>(of::extent);
    t.copy_to(std::span<typename of::element, of::extent>(all.get(), of::extent));
    const auto sizes = of::sizes();
    return ahead::detail::print_tensor(Type::type.type, sizes, reinterpret_cast<const std::byte*>(all.get()), options,
                                       "npu:0");
}

} // namespace ahead::npu

namespace AHEAD_NAMESPACE {
using printers::print, printers::print_options;
} // namespace ahead
