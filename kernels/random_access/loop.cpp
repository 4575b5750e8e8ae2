// The plain loop: as many updates as this PE makes, all of its own part. For parts of other sizes than 2^k, the upper bits
// of the number choose the word by a multiplication.
#include "kernels/random_access/problem.hpp"

namespace shoal::kernels::random_access {

void run_loop(world& w, problem& p) {
  __extension__ using wide = unsigned __int128;
  const std::span part = p.part;
  if (part.empty()) return;
  for_each_update(p, w.my_pe(), [&](std::uint64_t number) {
    part[static_cast<std::size_t>(wide{number} * part.size() >> 64)] ^= number;
  });
}

}  // namespace shoal::kernels::random_access
