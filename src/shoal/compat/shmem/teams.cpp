#include "shoal/compat/internal/shmem_teams.hpp"

#include <string>

#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/compat/internal/gathering.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/reach.hpp"

namespace compat = shoal::internal::compat;
using compat::pe_range;
using shoal::pe_id;

struct shoal_shmem_team shoal_shmem_team_world;
struct shoal_shmem_team shoal_shmem_team_shared;

namespace {

pe_range all_pes() { return {0, 1, compat::n_pes()}; }

// The PEs whose memory this one reaches by loads, if they are at equal distances; otherwise this PE alone, and so on all.
pe_range pes_that_share_memory() {
  shoal::world& w = compat::world_for("SHMEM_TEAM_SHARED");
  pe_range found{w.my_pe(), 1, 0};
  bool are_even = true;
  pe_id last = -1;
  for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
    if (pe != w.my_pe() && w.backend().heap().peer(pe) == nullptr) continue;
    if (found.size == 0) found.start = pe;
    if (found.size == 1) found.stride = pe - last;
    are_even = are_even && (found.size < 2 || pe - last == found.stride);
    last = pe;
    ++found.size;
  }
  return are_even ? found : pe_range{w.my_pe(), 1, 1};
}

}  // namespace

namespace shoal::internal::compat {

pe_range range_of(shmem_team_t team, const char* call) {
  if (team == SHMEM_TEAM_WORLD) return all_pes();
  if (team == SHMEM_TEAM_SHARED) return pes_that_share_memory();
  if (team == SHMEM_TEAM_INVALID) {
    end_job(status_usage, std::string(call) + " of SHMEM_TEAM_INVALID; this PE is not a member of the team");
  }
  return team->pes;
}

}  // namespace shoal::internal::compat

extern "C" {

int shmem_team_my_pe(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return -1;
  return static_cast<int>(compat::range_of(team, "shmem_team_my_pe").rank_of(compat::my_pe()));
}

int shmem_team_n_pes(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return -1;
  return static_cast<int>(compat::range_of(team, "shmem_team_n_pes").size);
}

int shmem_team_translate_pe(shmem_team_t from, int pe, shmem_team_t to) {
  if (from == SHMEM_TEAM_INVALID || to == SHMEM_TEAM_INVALID) return -1;
  const pe_range source = compat::range_of(from, "shmem_team_translate_pe");
  if (pe < 0 || pe >= source.size) return -1;
  return static_cast<int>(compat::range_of(to, "shmem_team_translate_pe").rank_of(source.at(pe)));
}

int shmem_team_get_config(shmem_team_t team, long mask, shmem_team_config_t* config) {
  if (team == SHMEM_TEAM_INVALID) return -1;
  const bool is_ours = team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED;
  if ((mask & SHMEM_TEAM_NUM_CONTEXTS) != 0) config->num_contexts = is_ours ? 0 : team->config.num_contexts;
  return 0;
}

// Nothing has to be agreed on: all members compute the same.
int shmem_team_split_strided(shmem_team_t parent, int start, int stride, int size, const shmem_team_config_t* config,
                             long mask, shmem_team_t* made) {
  *made = SHMEM_TEAM_INVALID;
  if (parent == SHMEM_TEAM_INVALID) return -1;
  const pe_range of = compat::range_of(parent, "shmem_team_split_strided");
  const pe_range inside{start, stride, size};
  if (!inside.is_within(of.size)) return -1;
  const pe_range pes{of.at(start), of.stride * stride, size};
  if (pes.rank_of(compat::my_pe()) >= 0) {
    *made = new shoal_shmem_team{
        pes, (mask & SHMEM_TEAM_NUM_CONTEXTS) != 0 && config != nullptr ? *config : shmem_team_config_t{}};
  }
  return 0;
}

int shmem_team_split_2d(shmem_team_t parent, int x_range, const shmem_team_config_t* x_config, long x_mask,
                        shmem_team_t* x_team, const shmem_team_config_t* y_config, long y_mask, shmem_team_t* y_team) {
  *x_team = *y_team = SHMEM_TEAM_INVALID;
  if (parent == SHMEM_TEAM_INVALID || x_range < 1) return -1;
  const int n = shmem_team_n_pes(parent);
  const int width = x_range < n ? x_range : n;
  const int me = shmem_team_my_pe(parent);
  const int row = me / width;
  const int column = me % width;
  const int in_row = n - row * width < width ? n - row * width : width;
  const int in_column = (n - column + width - 1) / width;
  shmem_team_split_strided(parent, row * width, 1, in_row, x_config, x_mask, x_team);
  shmem_team_split_strided(parent, column, width, in_column, y_config, y_mask, y_team);
  return 0;
}

void shmem_team_destroy(shmem_team_t team) {
  if (team != SHMEM_TEAM_WORLD && team != SHMEM_TEAM_SHARED) delete team;
}

}  // extern "C"
