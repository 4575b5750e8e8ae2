// Atomics: a dart takes a place by compare-and-swap. There is no nonblocking form, because every throw depends on the
// result of the one before.
#include "kernels/randperm/problem.hpp"

namespace shoal::kernels::randperm {
namespace {

// The dart to throw again, or `empty` if the place was.
std::int64_t swap_in(world& w, problem& p, pe_id pe, dart d) {
  std::int64_t expected = empty;
  for (;;) {
    const std::int64_t held = w.compare_exchange(p.board, d.slot, expected, d.on_board(), pe);
    if (held == expected) return held;
    if (held < d.on_board()) return d.on_board();
    expected = held;
  }
}

}  // namespace

void run_agp(world& w, problem& p) {
  throw_all(p, [&](pe_id pe, dart d) {
    std::int64_t left = swap_in(w, p, pe, d);
    while (left != empty) {
      throw_again(p, left, [&](pe_id next, dart again) { left = swap_in(w, p, next, again); });
    }
  });
  w.barrier();  // all darts stay
  read_board(w, p);
}

}  // namespace shoal::kernels::randperm
