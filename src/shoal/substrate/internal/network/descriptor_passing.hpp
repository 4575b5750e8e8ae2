/// Passes a file descriptor to other processes of this machine.
#pragma once

#include <cstdint>

#include "shoal/base/internal/descriptor.hpp"

namespace shoal::internal::network {

/// A socket that listens under `token` in the abstract namespace: visible to every process of this network namespace,
/// and gone with its descriptor. If it fails, the result is not open; errno says why.
descriptor listen_under(std::uint64_t token, int n_waiting_max);

/// A connection to that socket; not open if nobody listens.
descriptor connect_to(std::uint64_t token);

/// Whether a process of this user listens under `token`. False if too many connect to it. Waits at most a tenth of a
/// second, for a holder that has the name and does not listen yet.
bool is_held_by_us(std::uint64_t token);

/// Accepts `n` connections from processes of this user and sends `fd` on each. Waits for them. False on failure.
bool hand_out(const descriptor& listener, int fd, int n);

/// Receives the descriptor. Waits for it. Not open on failure.
descriptor take_over(const descriptor& connection);

}  // namespace shoal::internal::network
