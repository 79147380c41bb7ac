// SPDX-License-Identifier: MIT
// The result of a function that does not throw: a value, or the diagnosis of why there is none.
//     if (auto outputs = run.try_run(image)) use(std::get<0>(*outputs));
//     else puts(render(outputs.why()).c_str());
// Invariant: exactly one of the two. Returned by the forms of prepare and run that are called try_....
#pragma once
#include <ahead/core/error.hpp>
#include <optional>
#include <utility>

namespace AHEAD_NAMESPACE::core {

template <class T> class [[nodiscard]] result {
public:
    result(T value) : value_(std::move(value)) {}
    /// pre: !why.ok()
    result(const diagnosis& why) : why_(why) {}

    bool ok() const { return value_.has_value(); }
    explicit operator bool() const { return ok(); }
    /// Without a value, throws error(why()); ends the program if exceptions are disabled.
    T& value() & {
        if (!ok()) raise(*why_);
        return *value_;
    }
    const T& value() const& {
        if (!ok()) raise(*why_);
        return *value_;
    }
    T value() && { return std::move(static_cast<result&>(*this).value()); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    /// Ok if there is a value.
    diagnosis why() const { return why_ ? *why_ : diagnosis{}; }

private:
    std::optional<T> value_;
    std::optional<diagnosis> why_;
};

} // namespace ahead::core

namespace AHEAD_NAMESPACE {
using core::result;
} // namespace ahead
