// Shoal's own calls in programs of OpenSHMEM and libgetput, in C++20: they may send messages to actors beside their puts
// and gets, one part at a time. Compile with the flags of `pkg-config --cflags shoal` besides.
#ifndef SHOAL_WORLD_H
#define SHOAL_WORLD_H

#include "shoal/actor/world.hpp"

namespace shoal {

/// The world of the job that shmem_init, lgp_init or their like has opened. A superstep of it ends as a barrier does, but
/// completes messages alone: what this PE has put before, shmem_quiet or a barrier completes. Local, does not wait.
/// Without a job it ends the process with a line that says so.
world& world_of_program() noexcept;

}  // namespace shoal

#endif
