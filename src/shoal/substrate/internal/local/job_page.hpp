/// The first page of a job's memory: the data that launcher and PEs exchange.
///
/// The launcher (shoal/launcher) creates the memfd that backs a job, sizes it to one page, maps that page and passes
/// the descriptor to every PE. The PEs grow the same file to hold their buffers and the symmetric heap (segment.hpp).
/// This page is all that a launcher needs to know of it.
#pragma once

#include <atomic>
#include <cstdint>

#include "shoal/substrate/internal/common_settings.hpp"

namespace shoal::internal::local {

inline constexpr int max_pes = 256;
inline constexpr std::uint64_t job_page_bytes = 4096;
inline constexpr int launcher_lock = 0;  // the byte of the memfd that the launcher locks (base/internal/life_lock.hpp)
inline constexpr std::uint32_t job_page_magic = 0x53484c34;  // "SHL4": changes when the layout does

/// How far a PE has come, which the launcher reads once the process is gone.
enum class pe_stage : std::uint8_t {
  absent,  // the process has not called shoal::run (it may never: `shoalrun -n 2 hostname`)
  running,  // in a world; if the process ends now, it ends the job
  finished,  // past the last collective call of its world; other PEs need it only if they begin another one
  ended_all,  // has ended the job with success: the others are to end, wherever they are
};

struct job_page {
  std::uint32_t magic = job_page_magic;
  std::int32_t n_pes = 0;

  /// The PE (plus one) that printed the job's only report, or zero. A PE claims it by compare-exchange before it
  /// prints, so later failures, which usually follow from the first, stay silent. A launcher that finds it set adds no
  /// report of its own.
  std::atomic<std::int32_t> reporter{0};

  std::atomic<pe_stage> stage[max_pes] = {};

  /// Number of worlds that each PE has begun. A PE that ended after its nth world blocks those that have begun more.
  std::atomic<std::uint64_t> n_worlds[max_pes] = {};

  /// The settings of the first PE that came, with which the others compare theirs before they map the memory, whose
  /// layout follows from them.
  std::atomic<std::int32_t> first{0};  // that PE (plus one), or zero
  std::atomic<bool> has_settings{false};
  common_settings of_first{};
};
static_assert(sizeof(job_page) <= job_page_bytes);
static_assert(std::atomic<std::int32_t>::is_always_lock_free);

/// The environment variables that the launcher sets for every PE. Read by actor/internal/settings_table.cpp.
namespace variable {
inline constexpr const char* pe = "SHOAL_PE";  // number of this PE
inline constexpr const char* n_pes = "SHOAL_PES";  // number of PEs
inline constexpr const char* job_fd = "SHOAL_JOB_FD";  // descriptor of the job's memfd
inline constexpr const char* launcher = "SHOAL_LAUNCHER";  // process id of shoalrun
inline constexpr const char* heap = "SHOAL_HEAP";  // symmetric heap per PE, such as 64M
inline constexpr const char* debug_pe = "SHOAL_DEBUG_PE";  // the PE that waits for a debugger
inline constexpr const char* n_cores = "SHOAL_CORES";  // cores that the job may use
inline constexpr const char* n_workers = "SHOAL_WORKERS";
}  // namespace variable

}  // namespace shoal::internal::local
