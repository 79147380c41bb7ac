// SPDX-License-Identifier: MIT
// Memory pools, and which pool each launch takes its memory from.
// Invariant: while a capture or begin_allocate_to_pool() records to a pool, it has no other recording and is not
// released.
#pragma once
#include <ahead/npu/context/interface.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::npu {

inline mempool_id context::graph_pool_handle() {
    check_not_called_back("graph_pool_handle");
    const std::scoped_lock lock(mutex_);
    const mempool_id id{0, ++user_pools_};
    memory_.make_pool(id);
    return id;
}

inline void context::release_pool(mempool_id id) {
    check_not_called_back("release_pool");
    const std::scoped_lock lock(mutex_);
    const auto row = pool_of(id, "release_pool");
    if (!memory_.pool(row).is_users)
        refuse_call(fault::pool_handle_is_invalid, "release_pool", print(id), "what graph_pool_handle() gave",
                    "a pool of graphs alone");
    check_not_recording(row, "release_pool");
    disown_pool(id);
}

inline void context::disown_pool(mempool_id id) noexcept {
    const std::scoped_lock lock(mutex_);
    const auto row = memory_.find_pool(id);
    if (row < 0 || !memory_.pool(row).is_users) return;
    memory_.pool(row).is_users = false;
    memory_.leave(row);
}

inline void context::begin_allocate_to_pool(mempool_id id, std::optional<stream> on) {
    check_not_called_back("beginAllocateToPool");
    const std::scoped_lock lock(mutex_);
    const auto row = pool_of(id, "beginAllocateToPool");
    if (on) {
        check_mine(on->npu_, "beginAllocateToPool");
        check_exists(*on, "beginAllocateToPool");
    }
    check_not_recording(row, "beginAllocateToPool");
    memory_.use(row);
    recordings_.push_back({row, on ? on->number() : -1});
}

inline void context::end_allocate_to_pool(mempool_id id) {
    check_not_called_back("endAllocatePool");
    const std::scoped_lock lock(mutex_);
    const auto row = pool_of(id, "endAllocatePool");
    const auto r = std::find_if(recordings_.begin(), recordings_.end(),
                                [&](const detail::recording& one) { return one.pool == row; });
    if (r == recordings_.end())
        refuse_call(fault::pool_is_not_recording, "endAllocatePool", print(id), "a pool that is recorded to",
                    "one that is not");
    recordings_.erase(r);
    memory_.leave(row);
}

inline pool_statistics context::statistics(mempool_id id) const {
    const std::scoped_lock lock(mutex_);
    const auto row = memory_.find_pool(id);
    if (row < 0) return {id, 0, 0, 0};
    const auto& p = memory_.pools()[static_cast<std::size_t>(row)];
    return {p.id, p.users, p.reserved, p.held};
}

inline void context::empty_cache() {
    check_not_called_back("empty_cache");
    const std::scoped_lock lock(mutex_);
    check_host_call("empty_cache");
    memory_.give_back(0);
}

inline bool context::reserve(mempool_id id, std::int64_t bytes) {
    check_not_called_back("reserve");
    const std::scoped_lock lock(mutex_);
    const auto row = pool_of(id, "reserve");
    check_host_call("reserve");
    return memory_.provide(row, bytes);
}

inline void context::give_back_since(std::int32_t mark, mempool_id id) noexcept {
    const std::scoped_lock lock(mutex_);
    if (const auto row = memory_.find_pool(id); row >= 0) memory_.give_back(row, mark);
}

inline void context::check_not_recording(std::int32_t pool, const short_text& op) const {
    bool is_recording = capture_ && capture_->pool == pool;
    for (const auto& r : recordings_) is_recording = is_recording || r.pool == pool;
    if (is_recording)
        refuse_call(fault::pool_is_recording, op, print(memory_.pool(pool).id), "a pool that nothing records to",
                    "one that is recorded to");
}

inline std::int32_t context::pool_of(mempool_id id, const short_text& op) const {
    const auto row = (id.by_capture == 0) == (id.by_user == 0) ? -1 : memory_.find_pool(id);
    if (row < 0)
        refuse_call(fault::pool_handle_is_invalid, op, print(id), "the handle of a pool that is there", "no such pool");
    return row;
}

} // namespace ahead::npu
