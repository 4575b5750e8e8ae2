// Atomics: each update is a remote exclusive or. (The benchmark also allows a get and a put, which lose some updates.)
#include "kernels/random_access/problem.hpp"

namespace shoal::kernels::random_access {

void run_agp(world& w, problem& p) {
  for_each_update(p, w.my_pe(), [&](std::uint64_t number) {
    const auto [pe, local] = p.place_of(number);
    w.fetch_xor(p.table, static_cast<std::size_t>(local), number, pe);
  });
}

}  // namespace shoal::kernels::random_access
