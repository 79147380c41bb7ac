// SPDX-License-Identifier: MIT
// Marks a run from its begin to its end: in debug builds it tells whether it is the only run of its session.
// Invariant: of two concurrent runs, at most one is the only one; the other one changes nothing. Called by session.hpp.
#pragma once
#include <ahead/runtime/tensor_elements.hpp>

namespace AHEAD_NAMESPACE::detail {

class run_underway {
public:
    explicit run_underway(bool& is_running) : is_running_(is_running) {
        if constexpr (runtime::is_debug_build)
            is_only_one =
                !__atomic_exchange_n(&is_running_, true, __ATOMIC_ACQUIRE); // <atomic> would include all of <unistd.h>
    }
    run_underway(const run_underway&) = delete;
    ~run_underway() {
        if constexpr (runtime::is_debug_build)
            if (is_only_one) __atomic_store_n(&is_running_, false, __ATOMIC_RELEASE);
    }
    bool is_only_one = true;

private:
    bool& is_running_;
};

} // namespace ahead::detail
