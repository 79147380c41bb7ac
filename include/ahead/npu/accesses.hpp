// SPDX-License-Identifier: MIT
// The uses of some bytes since they were last written: a launch that uses them must be ordered after these.
// Invariant: every use that is no longer listed happens before one that is. Called by block.hpp, context/.
#pragma once
#include <ahead/npu/history.hpp>

namespace AHEAD_NAMESPACE::npu {

struct accesses {
    moment written;
    std::vector<moment> read; // one per stream

    /// The first use that is missing in a history, among those that a reader (or a writer) must be ordered after.
    const moment* unordered(const history& who, bool writing) const {
        if (!who.knows(written)) return &written;
        if (writing)
            for (const auto& r : read)
                if (!who.knows(r)) return &r;
        return nullptr;
    }
    void add(moment m, bool writing) {
        if (writing) {
            written = m;
            read.clear();
            return;
        }
        for (auto& r : read)
            if (r.stream == m.stream) {
                r.number = std::max(r.number, m.number);
                return;
            }
        read.push_back(m);
    }
    void merge(const accesses& other) {
        if (other.written.number != 0) add(other.written, false);
        for (const auto& r : other.read) add(r, false);
    }
    void clear() {
        written = {};
        read.clear();
    }
};

} // namespace ahead::npu
