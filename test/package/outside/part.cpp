#include "part.hpp"

// Every PE sends one message to every PE.
int count_from_all(shoal::world& world) {
  int n_received = 0;
  shoal::actor count{world, [&](int one) { n_received += one; }};
  world.finish([&] {
    for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) count.send(pe, 1);
  });
  return n_received;
}
