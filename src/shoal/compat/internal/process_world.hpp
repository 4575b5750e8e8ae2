/// The job of a process whose program owns `main` and calls shmem_init, lgp_init or their like.
///
/// The first of these opens the job; the last of their counterparts closes it. Between, any number of them may come in any
/// order. A program that ends without one closes the job by returning from main or by exit(0); exit(n) ends it on all PEs
/// with n. After the end the job may be opened once more.
#pragma once

#include <cstddef>
#include <string>

#include "shoal/base/types.hpp"
#include "shoal/compat/internal/block_allocator.hpp"

namespace shoal {
class world;
}

namespace shoal::internal::compat {

/// Collective if it opens the job. A setup_error ends the process with one line and status 2.
void enter() noexcept;

/// Collective if it closes the job. Without an `enter` of its own it does nothing.
void leave() noexcept;

/// The same for all that have entered.
void leave_all() noexcept;

bool is_open() noexcept;

struct place_in_job {
  pe_id my_pe = 0;
  pe_id n_pes = 1;
};

/// Of this process: kept after the job has closed. Before it has opened, one PE alone. Programs ask in their innermost loops.
extern constinit place_in_job own_place;
inline pe_id my_pe() noexcept { return own_place.my_pe; }
inline pe_id n_pes() noexcept { return own_place.n_pes; }

/// The world of the open job. Otherwise ends the process with a line that names the call.
world& world_for(const char* call) noexcept;

/// Bytes of the heap that collective calls use as their own: two halves, at `scratch_offset()` on each PE.
inline constexpr std::size_t scratch_half_bytes = 65536;
std::size_t scratch_offset() noexcept;

/// What shmem_malloc divides. Of the open job.
block_allocator& blocks() noexcept;

/// A part of an object that a program may leave behind when it closes the job: calls `end` of the object before that. From then on
/// the object is a shell.
class end_with_job {
public:
  end_with_job(void (*end)(void* object) noexcept, void* object);
  ~end_with_job();
  end_with_job(const end_with_job&) = delete;
  end_with_job& operator=(const end_with_job&) = delete;

  void operator()() noexcept { end_(object_); }

private:
  void (*end_)(void* object) noexcept;
  void* object_;
};

/// The job has been closed by the end of main or by exit(0): the program's last calls find nothing to do.
bool has_exited() noexcept;

/// SHOAL_STATS asks for lines on what went on.
bool tells_statistics() noexcept;

}  // namespace shoal::internal::compat
