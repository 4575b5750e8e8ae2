// Another algorithm: every number goes to a random PE, and each PE shuffles what it got. Each order is equally likely,
// because all numbers choose their PEs alike and independently. A message is a number, in 4 bytes.
#include <utility>

#include "kernels/randperm/problem.hpp"

namespace shoal::kernels::randperm {

void run_scatter(world& w, problem& p) {
  std::vector<std::uint32_t> piece;
  piece.reserve(p.given.n_entries + p.given.n_entries / 8);
  actor numbers{w, [&](std::uint32_t number) { piece.push_back(number); }};
  random_engine random(p.given.seed, static_cast<std::uint64_t>(p.my_pe));
  w.finish([&] {
    for (std::uint64_t i = 0; i < p.given.n_entries; ++i) {
      const auto number = static_cast<std::uint32_t>(i * p.n_pes + static_cast<std::uint64_t>(p.my_pe));
      numbers.send(static_cast<pe_id>(random.below(p.n_pes)), number);
    }
  });
  for (std::size_t i = piece.size(); i > 1; --i) std::swap(piece[i - 1], piece[random.below(i)]);
  p.n_thrown = p.given.n_entries;
  balance(w, p, piece);
}

}  // namespace shoal::kernels::randperm
