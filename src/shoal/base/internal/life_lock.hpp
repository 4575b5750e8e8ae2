/// Detects whether the processes that share a memory are alive.
///
/// Each process locks one byte of the memfd (fcntl(2), F_SETLK). The system releases the lock when the process ends,
/// however it ends. Unlike process ids and inherited descriptors, such locks mean the same in every container, and
/// children do not inherit them.
#pragma once

namespace shoal::internal {

/// Locks byte `at` of `memory` for this process, which keeps the lock until it ends or closes any descriptor of this
/// memory. False if the system has no such locks. Local, nonblocking.
bool hold_life_lock(int memory, int at) noexcept;

/// Whether another process holds the lock; also true if the system cannot tell. Local, nonblocking.
bool is_life_lock_held(int memory, int at) noexcept;

}  // namespace shoal::internal
