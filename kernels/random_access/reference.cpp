// The table, the plain way: each PE makes the updates of all PEs, and keeps those of its own part.
#include "kernels/random_access/problem.hpp"

namespace shoal::kernels::random_access {

std::int64_t n_wrong(world& w, const problem& p) {
  std::vector<std::uint64_t> expected(p.part.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] = static_cast<std::uint64_t>(p.words.global(w.my_pe(), static_cast<std::int64_t>(i)));
  }
  std::uint64_t number = 1;
  for (std::int64_t n = 0; n < p.updates.n(); ++n) {
    const auto [pe, local] = p.place_of(number);
    if (pe == w.my_pe()) expected[static_cast<std::size_t>(local)] ^= number;
    const bool overflows = number >> 63 != 0;
    number = number * 2 ^ (overflows ? 7 : 0);
  }
  std::int64_t n = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) n += expected[i] != p.part[i];
  return n;
}

}  // namespace shoal::kernels::random_access
