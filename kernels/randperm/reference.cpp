// The permutation, one dart after the other.
#include "kernels/randperm/problem.hpp"

namespace shoal::kernels::randperm {

std::vector<std::uint32_t> reference(const problem& p) {
  const std::uint64_t n = p.given.n_entries * p.n_pes;
  std::vector<std::int64_t> board(2 * n, empty);
  problem scratch;
  scratch.given = p.given;
  scratch.n_pes = p.n_pes;
  for (std::uint64_t number = 0; number < n; ++number) {
    std::uint8_t n_thrown = 0;
    for (bool stays = false; !stays; ++n_thrown) {
      throw_dart(scratch, static_cast<std::uint32_t>(number), n_thrown, [&](pe_id pe, dart d) {
        std::int64_t& at = board[static_cast<std::uint64_t>(pe) * 2 * p.given.n_entries + d.slot];
        stays = at == empty;
        if (stays) at = static_cast<std::int64_t>(number);
      });
    }
  }
  std::vector<std::uint32_t> permutation;
  for (const std::int64_t number : board) {
    if (number != empty) permutation.push_back(static_cast<std::uint32_t>(number));
  }
  return permutation;
}

}  // namespace shoal::kernels::randperm
