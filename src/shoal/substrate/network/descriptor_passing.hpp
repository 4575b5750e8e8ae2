/// Handing a file descriptor to other processes of this machine.
#pragma once

#include <cstdint>

#include "shoal/base/descriptor.hpp"

namespace shoal::network {

/// A socket that listens under `token`, in the abstract namespace: visible to every process of this network
/// namespace, and gone with its descriptor. Not open on failure; errno says why.
descriptor listen_under(std::uint64_t token, int n_waiting_max);

/// A connection to it; not open if nobody listens there.
descriptor connect_to(std::uint64_t token);

/// Accepts `n` connections of this user's processes and sends `fd` on each. Waits for them. False on failure.
bool hand_out(const descriptor& listener, int fd, int n);

/// Receives the descriptor. Waits for it. Not open on failure.
descriptor take_over(const descriptor& connection);

}  // namespace shoal::network
