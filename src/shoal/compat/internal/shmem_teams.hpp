/// Teams of shmem.h: the PEs that they name.
#pragma once

#include "shoal/compat/include/shmem.h"
#include "shoal/compat/internal/pe_range.hpp"

/// What a program's handle points to. The two that the standard names know their PEs only while a job is open.
struct shoal_shmem_team {
  shoal::internal::compat::pe_range pes;
  shmem_team_config_t config;
};

namespace shoal::internal::compat {

/// The PEs of a team. Ends the job with a line that names the call if the team is invalid.
pe_range range_of(shmem_team_t team, const char* call);

/// PEs start, start + 2^log_stride, ….
inline pe_range active_set(int start, int log_stride, int n_pes) noexcept {
  return {start, pe_id{1} << (log_stride & 31), n_pes};
}

}  // namespace shoal::internal::compat
