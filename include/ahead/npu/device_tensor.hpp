// SPDX-License-Identifier: MIT
// A tensor in the device's memory: Type's elements in Type's layout, copied in and out in the order of their indices.
// Copies of the object share the tensor; the last one releases the memory, which is reused only by work that is ordered
// after everything that used it.
// Invariant: while a tensor lives, its bytes belong to it alone. Made by context.to_device(), context.empty() and
// stream.launch().
#pragma once
#include <ahead/npu/context.hpp>
#include <ahead/runtime/tensor_elements.hpp>
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace AHEAD_NAMESPACE::npu {

/// Holds a block of a context's memory.
class block_lease {
public:
    block_lease() = default;
    /// Takes over one holder of the block.
    block_lease(context& npu, std::int32_t block) : npu_(&npu), block_(block) {}
    block_lease(const block_lease& other) : npu_(other.npu_), block_(other.block_) {
        if (block_ >= 0) npu_->hold(block_);
    }
    block_lease(block_lease&& other) noexcept
        : npu_(std::exchange(other.npu_, nullptr)), block_(std::exchange(other.block_, -1)) {}
    block_lease& operator=(block_lease other) noexcept {
        std::swap(npu_, other.npu_);
        std::swap(block_, other.block_);
        return *this;
    }
    ~block_lease() {
        if (block_ >= 0) npu_->drop(block_);
    }
    context* npu() const { return npu_; }
    std::int32_t block() const { return block_; } // -1: none

private:
    context* npu_ = nullptr;
    std::int32_t block_ = -1;
};

namespace detail {
/// Throws tensor_is_empty.
void check_exists(const auto& tensor, const short_text& op) {
    if (!tensor.exists())
        refuse_call(fault::tensor_is_empty, op, {}, "a tensor that holds memory", "one that does not");
}
} // namespace detail

template <class Type> class tensor : public runtime::tensor_elements<Type> {
    using all = runtime::tensor_elements<Type>;

public:
    using all::extent;
    using typename all::element;

    tensor() = default;
    tensor(block_lease memory, std::byte* data) : memory_(std::move(memory)), data_(reinterpret_cast<element*>(data)) {}

    bool exists() const { return memory_.block() >= 0; }
    const block_lease& memory() const { return memory_; }
    /// Address on the device; two tensors have the same one only if they share memory.
    const element* data() const { return data_; }

    /// Waits for pending writers, and copies the elements. Throws tensor_is_empty, tensor_has_no_value,
    /// call_is_illegal_in_capture, stream_is_captured, and what earlier launches threw.
    void copy_to(std::span<element, extent> out) const {
        access(false, "copy_to", [&] { std::copy_n(all::begin_at(data_), extent, out.data()); });
    }
    std::array<element, extent> copy() const {
        std::array<element, extent> out{};
        copy_to(out);
        return out;
    }
    /// Waits for all pending uses, and writes the elements. Throws as copy_to does.
    void write(std::span<const element, extent> in) {
        access(true, "write", [&] {
            if constexpr (all::is_contiguous()) std::copy_n(in.data(), extent, data_);
            else
                for (std::size_t i = 0; i < extent; ++i) data_[all::position(i)] = in[i];
        });
    }

    /// A copy in the memory of another context, or of this one: copy_from() of an empty tensor.
    tensor to(context& npu) const {
        detail::check_exists(*this, "to");
        auto made = npu.empty<Type>();
        made.copy_from(*this);
        return made;
    }
    /// Copies the elements of a tensor, which may belong to another context: the host waits only for pending writers of
    /// `other` and for pending uses of this tensor. On the simulated clock both hosts then have the later of their
    /// times, plus the time that the copy takes in the slower memory. Throws as copy_to() and write() do.
    void copy_from(const tensor& other) {
        detail::check_exists(other, "copy_from");
        detail::check_exists(*this, "copy_from");
        constexpr auto bytes = static_cast<std::int64_t>(extent * sizeof(element));
        context::transfer(*other.memory_.npu(), other.memory_.block(), *memory_.npu(), memory_.block(), bytes, [&] {
            if (other.data_ == data_) return;
            for (std::size_t i = 0; i < extent; ++i) data_[all::position(i)] = other.data_[all::position(i)];
        });
    }

private:
    block_lease memory_;
    element* data_ = nullptr;

    template <class F> void access(bool writing, const short_text& op, F f) const {
        detail::check_exists(*this, op);
        memory_.npu()->access(memory_.block(), writing, op, f);
    }
};

template <class Type> class host_parameter;

template <class Type> tensor<Type> context::empty() {
    const auto block = allocate(tensor<Type>::storage_extent * sizeof(typename tensor<Type>::element), "empty");
    return {block_lease(*this, block), address(block)};
}
template <class Type>
tensor<Type>
context::to_device(std::span<const element_t<Type::type.type>, runtime::tensor_elements<Type>::extent> elements) {
    auto made = empty<Type>();
    made.write(elements);
    return made;
}

namespace detail {
/// Whether T is a tensor, of any type.
template <class T> inline constexpr bool is_tensor = false;
template <class Type> inline constexpr bool is_tensor<tensor<Type>> = true;
/// The operand for a tensor that a call of `npu` reads or writes. Throws tensor_is_empty, device_is_another.
template <class Type>
operand operand_of(const context& npu, const tensor<Type>& t, std::string_view op, bool is_written = false) {
    check_exists(t, op);
    npu.check_mine(t.memory().npu(), op);
    return {t.memory().block(), reinterpret_cast<const std::byte*>(t.data()), is_written};
}
} // namespace detail

} // namespace ahead::npu
