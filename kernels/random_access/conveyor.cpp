// The layer below actors. A conveyor does not say how many items wait in its buffers, so each session of it has as many
// as the look-ahead allows.
#include "shoal/conveyor/conveyor.hpp"

#include "kernels/random_access/problem.hpp"

namespace shoal::kernels::random_access {

void run_conveyor(world& w, problem& p) {
  conveyor<std::uint64_t> numbers{w};
  const auto take = [&] {
    while (const std::uint64_t* number = numbers.pull()) p.part[p.place_of(*number).local] ^= *number;
  };
  const auto n_mine = static_cast<std::uint64_t>(p.updates.n_local(w.my_pe()));
  const std::uint64_t n_sessions = (w.max(n_mine) + look_ahead - 1) / look_ahead;
  std::uint64_t n_made = 0;
  const auto end_session = [&] {
    while (numbers.advance(true) != progress::complete) take();
    numbers.reset();
  };
  std::uint64_t session = 0;
  for_each_update(p, w.my_pe(), [&](std::uint64_t number) {
    if (n_made % look_ahead == 0) numbers.begin();
    while (!numbers.push(number, p.place_of(number).pe)) {
      numbers.advance(false);
      take();
    }
    if (++n_made % look_ahead == 0 || n_made == n_mine) {
      end_session();
      ++session;
    }
  });
  for (; session < n_sessions; ++session) {  // others still have some
    numbers.begin();
    end_session();
  }
}

}  // namespace shoal::kernels::random_access
