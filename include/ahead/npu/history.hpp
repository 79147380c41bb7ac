// SPDX-License-Identifier: MIT
// Happens-before as a vector clock with one entry per stream. A launch is identified by its stream and its number
// there; work whose history contains that number comes after it. Recording an event copies a stream's history
// and waiting merges it, so that order is decided at launch time and never by the timing of a run.
// Invariant: a history only grows. Called by npu/context/.
#pragma once
#include <ahead/core/build.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

/// Launch `number` of a stream, counted from 1; 0: none.
struct moment {
    std::int32_t stream = 0;
    std::uint64_t number = 0;
};

class history {
public:
    bool knows(moment m) const { return m.number == 0 || of(m.stream) >= m.number; }
    bool knows(const history& other) const {
        for (std::size_t i = 0; i < other.known_.size(); ++i)
            if (other.known_[i] > of(static_cast<std::int32_t>(i))) return false;
        return true;
    }
    void learn(moment m) {
        const auto at = static_cast<std::size_t>(m.stream);
        if (known_.size() <= at) known_.resize(at + 1);
        known_[at] = std::max(known_[at], m.number);
    }
    void learn(const history& other) {
        if (known_.size() < other.known_.size()) known_.resize(other.known_.size());
        for (std::size_t i = 0; i < other.known_.size(); ++i) known_[i] = std::max(known_[i], other.known_[i]);
    }
    std::uint64_t of(std::int32_t stream) const {
        const auto at = static_cast<std::size_t>(stream);
        return at < known_.size() ? known_[at] : 0;
    }

private:
    std::vector<std::uint64_t> known_; // by stream
};

} // namespace ahead::npu
